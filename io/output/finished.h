// Recognises a run whose results are complete, from its run.json. Independent of job and model.
#ifndef FATHOM_IO_OUTPUT_FINISHED_H
#define FATHOM_IO_OUTPUT_FINISHED_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

enum { OUTPUT_REPORT_BYTES_MAX = 256 << 20 }; // run.json

struct output_finished {
    uint64_t job_hash, input_hash; // of the job and the inputs of these results
    int exit_code;                 // of the verdict on the results (core/status.h)
    char message[1024];            // the reason, if it is not 0
    bool lacks_products;           // the run has others to make of its results (output_finished_pending)
    bool is_unnamed;               // some of them have not got their names: output_publish goes on
};

// Reads DIRECTORY/run.json, or that in partial/final/ (io/output/output.h). True if all result files that it
// names exist, and either partial/ belongs to the same run (by its id), or partial/ is empty and the run was
// made by this version of the program. False: no failure is recorded (core/status.h).
bool output_finished_find(const char *directory, struct output_finished *finished);

// In run.json while products are made of the results, or if that failed: an object with "files", the names of
// the products, and "check", what "checks" would hold without a failure of theirs.
extern const char output_finished_pending[];

// In run.json: an object with the XXH3-64 of files of the results that other commands compute with, by their
// names.
extern const char output_finished_hashes[];

// Adds the sum of a file of the folder to that object, which a run.json gets with the first; of a small one:
// nothing if it is missing or larger than 1 GiB, which would take seconds to read once more. STATUS_NO_INPUT,
// STATUS_IO.
enum status output_finished_add_sum(struct cJSON *run, const char *directory, const char *name);
enum status output_finished_add_small_sum(struct cJSON *run, const char *directory, const char *name);

// Compares a file of the folder with its checksum in run.json, which may be NULL. *has_sum: there is one;
// else nothing is compared. STATUS_DATA: it was damaged or changed after its run, with both sums;
// STATUS_NO_INPUT, STATUS_IO.
enum status output_finished_check_file(const struct cJSON *run, const char *directory, const char *name,
                                       bool *has_sum);

// Does so for all netCDF files up to 1 GiB that the run.json of the folder lists and that are there.
enum status output_finished_check_results(const char *directory);

// run.json of a folder; free it with cJSON_Delete. NULL if it is missing or cannot be read; no failure is
// recorded.
struct cJSON *output_finished_read(const char *directory);

#endif
