// The outcome of `fathom compare` as a table and as JSON. Independent of files.
#ifndef FATHOM_CLI_COMPARE_PRINT_H
#define FATHOM_CLI_COMPARE_PRINT_H

#include "validate/compare/compare.h"

enum { COMPARE_TEXT_BYTES = 1536 };

// One pair of variables and its comparison, or the reason why they cannot be compared.
struct compare_outcome {
    struct compare_entry entry;
    struct compare_limits limits;
    bool is_refused; // not comparable, for the reason below
    char reason[COMPARE_TEXT_BYTES];
    struct comparison comparison;
};

struct compare_outcomes {
    const char *run_path, *reference_path;
    bool is_listing; // no values were read
    size_t memory_bytes;
    size_t count, refused, differing;
    struct compare_outcome *outcomes;
    const struct compare_entry *entries; // all of both files
    size_t entry_count;
    bool are_chosen; // the user named the pairs: the others are not listed
    const char *verdict;
};

// To standard output, at most 100 columns but for names.
void compare_print_text(const struct compare_outcomes *outcomes);

// STATUS_SYSTEM: no memory.
enum status compare_print_json(const struct compare_outcomes *outcomes);

#endif
