// Runs cases one after the other, each in a separate process, and gathers their results. Independent of
// models and of the terminal: a callback reports when a case begins and ends, for a display of progress.
#ifndef FATHOM_VALIDATE_RUNNER_H
#define FATHOM_VALIDATE_RUNNER_H

#include "validate/suite.h"

struct validation_item {
    const struct validation_suite *suite;
    const struct validation_case *validation_case;
    struct validation_record *record; // NULL until it ran
};

struct validation_list {
    struct validation_item *items; // owned
    int count;
};

// The cases that the user names: by "SUITE" or "SUITE/CASE", in the program's order, each once; no names =
// all. `backend` (NULL = any; "cuda:1" is a cuda) leaves out the cases that are about another one. Unknown
// name, or nothing left → STATUS_USAGE, naming the nearest known one.
enum status validation_select(const char *const *names, int name_count, const char *backend,
                              struct validation_list *list);
void validation_list_free(struct validation_list *list); // with the records

struct validation_options {
    const char *backend, *precision; // NULL = as in cases and jobs
    const char *method;              // of the tsunami's jobs (case_job.h); NULL = as in the jobs
    bool method_floods;              // it moves the shore
    const char *data_directory;      // of the benchmark files; NULL = none
    bool is_full;                    // full sizes (suite.h)
    const char *keep_directory; // jobs and results stay in DIR/SUITE/CASE; NULL = a temporary folder, removed
    const struct validation_program *program;
    const struct tolerance_table *tolerances;
    void *context; // of the two functions, which may be NULL
    void (*begin)(void *context, const struct validation_item *item);
    void (*end)(void *context, const struct validation_item *item);
};

// Runs the list. The failure of a case is in its record; a failure here is the machine's (no folder, no
// memory), or STATUS_STOPPED after a signal: the records so far are valid.
enum status validation_run_list(struct validation_list *list, const struct validation_options *options);

// How many cases have a verdict; results count apart.
struct validation_totals {
    int passed, failed, skipped;                  // cases
    int results, results_failed, results_skipped; // of the cases that ran
};
struct validation_totals validation_totals(const struct validation_list *list);

#endif
