// From a job file to a planned run, for `run` and `plan`.
#ifndef FATHOM_CLI_SESSION_H
#define FATHOM_CLI_SESSION_H

#include "core/memory_plan.h"
#include "core/watch.h"
#include "io/job/job.h"
#include "io/output/output.h"
#include "io/path.h"
#include "models/model.h"

struct session_request {
    int argc; // the command line, for the results' history
    char **argv;
    const char *job_path;
    const char *settings[JOB_SETTINGS_MAX]; // of --set, KEY=VALUE
    size_t setting_count;
    const char *output_directory, *backend, *precision; // from the command line; NULL = as the job says
    const int64_t *check_steps;                         // likewise: check.reference_steps
    size_t device_bytes;   // what a device is taken to have free, for "auto"; 0 = what it has now
    const char *automatic; // what "auto" is to mean; NULL = the model's choice
};

enum { SESSION_ARGUMENTS_BYTES = 8192 }; // longer command lines are cut in the results' history

struct session {
    struct job *job;
    const struct model *model;
    void *instance;
    struct memory_plan memory;
    struct model_plan plan;
    struct pipeline pipeline;
    struct checkpoint_array checkpoint_arrays[CHECKPOINT_ARRAYS_MAX]; // the model's, then the watch's
    int checkpoint_array_count;
    struct watch watch; // of the records, with the job's limits
    struct output_request output;
    char directory[PATH_BYTES];
    char title[256], time_units[64];
    char arguments[SESSION_ARGUMENTS_BYTES], resume_arguments[SESSION_ARGUMENTS_BYTES];
    char history[SESSION_ARGUMENTS_BYTES + 64];
    uint64_t job_hash;      // io/job/job.h, of the job as the user gave it: "auto" stays "auto"
    struct cJSON *identity; // likewise: what the hash is of
    bool is_automatic;      // the job leaves the back end to the program
    char backend_note[512]; // why "auto" is not the fastest that there is; "" if it is
    double output_bytes;    // of the result files, and of the checkpoints while running
    double checkpoint_bytes;
};

// One more --set. STATUS_USAGE: too many, or it has no equals sign.
enum status session_add_setting(struct session_request *request, const char *setting);

// Parse and plan: everything up to, but without, reserving memory. A back end "auto" on which the run does
// not fit, or which cannot plan it, is replaced by openmp, and `backend_note` says so. On failure
// session_close frees what there is.
enum status session_open(const struct session_request *request, struct session *session);
void session_close(struct session *session);

// Does it fit: memory within the job's limits and the machine's (STATUS_SYSTEM), and disk for the results and
// the checkpoints (STATUS_IO)? What an earlier part of the same run has on the disk already is counted as
// free.
enum status session_check_room(const struct session *session, bool is_resumed);

// Opens it anew where the job leaves the back end to the program and an earlier part of the run, whose
// checkpoint is in the output directory, took another one: bits must not change in the middle of a run. Else
// does nothing.
enum status session_follow_checkpoint(const struct session_request *request, struct session *session);

// A span of model time for people: "24 h", or "10 time units" of a model in reduced units. Returns `text`; 48
// bytes are enough. And a single step of it, unrounded: "0.25 s".
const char *session_format_time(const struct session *session, double span, char *text, size_t bytes);
const char *session_format_step(const struct session *session, char *text, size_t bytes);

// Whether model time is only the number of steps: of a model whose unit of time is a step.
bool session_counts_steps(const struct session *session);

// The run's time by a guessed rate, without reading, writing and checks; 0 if nothing is known.
double session_estimate_s(const struct session *session);

// The job's limits, SIZE_MAX = none.
size_t session_host_limit(const struct session *session);
size_t session_device_limit(const struct session *session);

#endif
