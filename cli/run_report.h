// run.json: the report of a run.
#ifndef FATHOM_CLI_RUN_REPORT_H
#define FATHOM_CLI_RUN_REPORT_H

#include "cli/rank_figures.h"
#include "cli/session.h"
#include "core/run.h"
#include "io/job/record.h"

struct run_outcome {
    struct run_result result;
    struct pipeline_statistics pipeline;
    size_t planned_bytes, used_bytes;
    double prepare_s, finish_s, total_s;
    int threads;
    bool is_resumed;
    int64_t first_step; // of this leg of the run: > 0 if it was resumed
    uint64_t job_hash, input_hash, input_hashes[MODEL_INPUTS_MAX];
    char run_id[JOB_RECORD_ID_BYTES]; // of this part; also in the record beside its checkpoints
    int exit_code;                    // of the verdict
    const char *verdict;              // "passed", "failed" or "not asked for"
    const char *reference_verdict;    // the same, of the comparisons with the reference alone
    const char *verdict_message;
    struct rank_figures *ranks; // of all ranks, after the steps; NULL: one rank
    // Names of files that are still to be made of the results (cli/run_products.h); NULL: none.
    struct cJSON *awaited_products;
    struct cJSON *removed; // names of files that the results replace (cli/run_finished.h)
};

// Writes run.json beside the final files (output_final_directory): the record that they are complete, with
// what run_finished_publish removes (temporary name, synced, renamed).
enum status run_report_write(const struct session *session, const struct run_outcome *outcome);

// Replaces the warnings in run.json by those of the run so far.
void run_report_set_warnings(struct cJSON *report);

// Prints DIRECTORY/run.json.
enum status run_report_print(const struct session *session);

// Adds "step_s"; of a model in reduced units "step", and "time_unit": "1".
void run_report_add_step(struct cJSON *report, const struct session *session);

// Adds "settings", the keys of --set and their values; nothing without --set.
void run_report_add_settings(struct cJSON *report, const struct job *job);

#endif
