// What `fathom bench MODEL` has in common for all models: the options that are the same, which back ends
// there are, the copy rate of the memory that each works in, what could not be measured, and how that is
// printed. Knows no model's tables.
#ifndef FATHOM_BENCH_COMMON_H
#define FATHOM_BENCH_COMMON_H

#include "bench/host_copy.h"
#include "core/element.h"
#include "core/status.h"
#include "models/backend.h"

#include <getopt.h>
#include <stdbool.h>

struct cJSON;

enum {
    BENCH_REPEAT_MAX = HOST_COPY_REPEAT_MAX,
    BENCH_STEPS_MAX = 100000,
    BENCH_ENTRIES_MAX = 8,
    BENCH_LABEL_BYTES = 80,
    BENCH_NOTES_MAX = 160,
    BENCH_NOTE_BYTES = 512
};

// A back end on one of its devices.
struct bench_entry {
    const struct backend *backend; // in the model's list
    int device;
    char label[BENCH_LABEL_BYTES]; // as it was asked for, "NAME" or "NAME:1"
    double copy_gigabytes_per_s;   // of the memory that it works in; 0: not measured
};

struct bench_common {
    const char *model; // as on the command line
    const struct backend_list *list;
    int steps_least; // that --steps takes
    int steps;       // 0: chosen
    int repeat;
    bool skips_reference, as_json;
    bool has_named; // the entries were asked for by name: what fails with them fails
    int entry_count, note_count;
    struct bench_entry entries[BENCH_ENTRIES_MAX];
    char notes[BENCH_NOTES_MAX][BENCH_NOTE_BYTES]; // what could not be measured, and why
};

// ---- the command line

// The options that all have, for the table of getopt_long; `val` of a model's own begin with BENCH_OWN.
enum { BENCH_BACKEND = 256, BENCH_STEPS, BENCH_REPEAT, BENCH_NO_REFERENCE, BENCH_JSON, BENCH_OWN };
#define BENCH_COMMON_OPTIONS                                                                                 \
    {"backend", required_argument, NULL, BENCH_BACKEND}, {"steps", required_argument, NULL, BENCH_STEPS},    \
        {"repeat", required_argument, NULL, BENCH_REPEAT},                                                   \
        {"no-reference", no_argument, NULL, BENCH_NO_REFERENCE}, {"threads", required_argument, NULL, 't'},  \
        {"json", no_argument, NULL, BENCH_JSON},                                                             \
    {                                                                                                        \
        "help", no_argument, NULL, 'h'                                                                       \
    }

// Reads the options, calls `take` (with optarg) for each that is not common, then `run`. Returns a process
// exit code; what went wrong is printed. `options` is the model's, for both.
int bench_main(int argc, char **argv, struct bench_common *common, const char *help,
               const struct option *long_options, enum status (*take)(int option, void *options),
               enum status (*run)(void *options), void *options);

// A whole number within limits, and nothing behind it.
bool bench_read_count(const char *text, int least, int most, int *count);

// STATUS_USAGE, with the message and where help is.
enum status bench_mistake(const struct bench_common *common, const char *message);

// An option's word among `count` words into `place`; if it is none of them, `message`.
enum status bench_read_word(const struct bench_common *common, const char *const *words, int count,
                            const char *message, int *place);

// An option's number within limits.
enum status bench_read_number(const struct bench_common *common, const char *name, double least, double most,
                              double *number);

// ---- back ends

// Those that were named, in that order; else each that this build has, on its first device.
void bench_list_entries(struct bench_common *common);

void bench_add_note(struct bench_common *common, const char *what, const char *why);

// What a machine refuses (STATUS_SYSTEM) is noted and the rest goes on, unless back ends were asked for by
// name.
enum status bench_forgive(struct bench_common *common, const char *what, enum status status);

// Whether this machine can run the entry. If not, that is noted, or, if it was asked for by name, a failure.
enum status bench_check_usable(struct bench_common *common, int index, bool *is_usable);

// bench_list_entries; what this machine cannot run leaves the list.
enum status bench_choose_entries(struct bench_common *common);

// The copy rate of the memory that entry number `index` works in, by `measure` (NULL: it is the host's, for
// which once is enough); stays 0 where that was noted as not possible.
enum status bench_measure_copy(struct bench_common *common, int index,
                               enum status (*measure)(int device, double *bytes_per_s));

// What the arithmetic of an entry alone can do, in one precision: 0 not known.
struct bench_limit {
    double fma_per_s, rsqrt_per_s;
};

// Of entry number `index`, [0] in single precision, [1] in double, by `measure` (NULL: not known); what the
// machine refuses is noted.
enum status bench_measure_limits(struct bench_common *common, int index,
                                 enum status (*measure)(int device, enum element precision, double *fma_per_s,
                                                        double *rsqrt_per_s),
                                 struct bench_limit limits[static 2]);

// ---- results

void bench_print_copy_rates(const struct bench_common *common);
void bench_print_notes(const struct bench_common *common);
// threads, instruction_set, repeat; then copy_gb_s by entry; then notes.
void bench_add_machine(struct cJSON *report, const struct bench_common *common, const char *instruction_set);
void bench_add_copy_rates(struct cJSON *report, const struct bench_common *common);
void bench_add_notes(struct cJSON *report, const struct bench_common *common);
// Prints the report and deletes it.
enum status bench_print_report(struct cJSON *report);

#endif
