// The command lines of the subcommands: a table of options, read with the same messages everywhere, and the
// last line of a failure.
#ifndef FATHOM_CLI_OPTIONS_H
#define FATHOM_CLI_OPTIONS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One option. Exactly one of flag, text and take is set; -h, --help needs no row.
struct option_row {
    const char *name;  // without its hyphens; NULL ends the table
    char letter;       // of the short option; 0: none
    bool *flag;        // set to true; the option takes no value
    const char **text; // set to the value
    enum status (*take)(void *context, const char *name, const char *value);
};

// Reads the options; the operands then begin at argv[optind]. argv[0] is the subcommand's name. False: the
// command ends with *code, after --help or after a mistake, which was reported. What `take` returns becomes
// *code.
bool options_read(int argc, char **argv, const char *help, const struct option_row *rows, void *context,
                  int *code);

// "fathom: " and the status' message on standard error; returns the exit code.
int options_report_failure(enum status status);

// Values of options. STATUS_USAGE names the option, its value and what is expected.
enum status options_count(const char *name, const char *text, int64_t least, int64_t most, int64_t *count);
enum status options_number(const char *name, const char *text, double least, double most, double *number);
enum status options_quantity(const char *name, const char *text, const char *unit, double *value);
enum status options_bytes(const char *name, const char *text, size_t *bytes); // "2 GB"; at least 1
// "A,B" as two quantities; without a comma both are A where that is allowed.
enum status options_pair(const char *name, const char *text, const char *unit, bool may_be_one,
                         double pair[2]);
// The depth of an ocean over which a far-field correction is made, m (models/tsunami/forecast/far_field.h).
enum status options_far_field(const char *name, const char *text, double *depth_m);
enum status options_duration(const char *name, const char *text, double *seconds); // longer than 0
// `words` ends with NULL; *choice is an index in it.
enum status options_choice(const char *name, const char *text, const char *const *words, int *choice);

// " (did you mean eta?)" with the nearest of the known words, or "". Returns `text`.
enum { OPTIONS_SUGGESTION_BYTES = 96 };
const char *options_suggestion(const char *word, const char *const *words, size_t count,
                               char text[OPTIONS_SUGGESTION_BYTES]);

// STATUS_USAGE, with the most similar name, where no model has this one.
enum status options_known_model(const char *name);

// Prints a document to standard output, and deletes it. STATUS_SYSTEM: no memory.
struct cJSON;
enum status options_print_json(struct cJSON *document);

// The dated command line, for a file's `history`: "2026-01-31T12:00:00Z: fathom convert in.nc out.nc". Cut to
// `bytes`.
void options_history(int argc, char **argv, char *text, size_t bytes);

// The width of lines on standard output: COLUMNS, else that of the terminal, else 100.
size_t options_columns(void);

#endif
