// From a job file to a planned run, for `run` and `plan`.
#ifndef FATHOM_CLI_SESSION_H
#define FATHOM_CLI_SESSION_H

#include "core/memory_plan.h"
#include "core/watch.h"
#include "io/checkpoint_set.h"
#include "io/job/job.h"
#include "io/output/output.h"
#include "io/path.h"
#include "models/model.h"
#include "parallel/gather.h"

struct session_request {
    int argc; // the command line, for the results' history
    char **argv;
    const char *job_path;
    const char *job_text; // of another command that runs a job of its own; NULL: the file's
    int again_argc;       // likewise its command line, which given again continues the run; 0: this one
    char **again_argv;
    const char *settings[JOB_SETTINGS_MAX]; // of --set, KEY=VALUE
    size_t setting_count;
    const char *output_directory, *backend, *precision; // from the command line; NULL = the job's
    const int64_t *check_steps;                         // likewise: check.reference_steps
    bool has_threads;      // --threads gives their number; else the model may use fewer
    size_t device_bytes;   // free device memory to assume for "auto"; 0 = as it is now
    const char *shares;    // "9:23": what each rank is to have of the work; NULL, "auto": equal
    const char *transport; // between devices: "peer", "nccl" or "mpi"; NULL: the fastest
    const char *start;     // "--resume" or "--restart"; NULL: neither was given
    const char *automatic; // the back end that "auto" stands for; NULL = the model's choice
};

enum { SESSION_ARGUMENTS_BYTES = 8192 }; // longer command lines are cut in the results' history

struct session {
    struct job *job;
    const struct model *model;
    void *instance;
    struct memory_plan memory;
    struct model_plan plan;
    struct pipeline pipeline;
    struct gather gather; // of the parts of frames that other ranks make
    struct checkpoint_array checkpoint_arrays[CHECKPOINT_ARRAYS_MAX]; // the model's, then the watch's
    int checkpoint_array_count;
    struct checkpoint_rows checkpoint_rows[CHECKPOINT_ARRAYS_MAX]; // of a divided model; else all zero
    struct checkpoint_set checkpoint_set;
    struct watch watch; // of the records, with the job's limits
    struct output_request output;
    char directory[PATH_BYTES];
    char title[256], time_units[64];
    char arguments[SESSION_ARGUMENTS_BYTES];
    char resume_arguments[SESSION_ARGUMENTS_BYTES]; // with the subcommand
    char history[SESSION_ARGUMENTS_BYTES + 64];
    uint64_t job_hash;           // io/job/job.h, of the job as the user gave it: "auto" stays "auto"
    struct cJSON *identity;      // likewise: the content that was hashed
    int cores;                   // threads that this process may use, before the model takes fewer
    bool is_automatic;           // the job leaves the back end to the program
    bool is_alike;               // all ranks have this job and these options
    char backend_note[512];      // why "auto" is not the fastest back end; "" if it is
    double output_bytes;         // of the result files, and of the checkpoints while running
    double checkpoint_bytes;     // of this rank's file
    double all_checkpoint_bytes; // of a set of all ranks, once it is known
    uint64_t input_hashes[MODEL_INPUTS_MAX]; // of the inputs' contents (cli/rank_inputs.h)
    bool has_input_hashes;
};

// One more --set. STATUS_USAGE: too many, or it has no equals sign.
enum status session_add_setting(struct session_request *request, const char *setting);

// Parses and plans; memory is not reserved yet. Sets OpenMP's number of threads to that which the model can
// use, if it is less and the request does not give it. A back end "auto" on which the run does
// not fit, or which cannot plan it, is replaced by openmp, and `backend_note` gives the reason. On failure
// session_close frees what there is.
enum status session_open(const struct session_request *request, struct session *session);
void session_close(struct session *session);

// Whether the run fits into memory: within the limits of the job and of the machine, else STATUS_SYSTEM.
enum status session_check_memory(const struct session *session);

// Records of a stream that come after `step`, and bytes of all result files after it; −1: of the whole run.
// The bytes are an upper bound where the files are compressed.
double session_records_after(const struct session *session, int stream, int64_t step);
double session_output_bytes(const struct session *session, int64_t step);

// Opens the session again if the back end is "auto" and the checkpoint in the output directory was made on
// another one: bits must not change in the middle of a run.
enum status session_follow_checkpoint(const struct session_request *request, struct session *session);

// A span of model time: "24 h", or "10 time units" of a model in reduced units. Returns `text`; 48 bytes are
// enough. And a single step, not rounded: "0.25 s".
const char *session_format_time(const struct session *session, double span, char *text, size_t bytes);
const char *session_format_step(const struct session *session, char *text, size_t bytes);

// Whether the model's unit of time is one step.
bool session_counts_steps(const struct session *session);

// Estimated wall-clock time of the steps and of the model's work beside them, without reading, writing and
// checks; 0 if unknown.
double session_estimate_s(const struct session *session);

// The job's limits, SIZE_MAX = none.
size_t session_host_limit(const struct session *session);
size_t session_device_limit(const struct session *session);

#endif
