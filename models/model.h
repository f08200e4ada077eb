// The interface of every model: a table of functions, and the keys of its jobs. The command line uses models
// only through it, core/run.c only through `struct simulation`.
#ifndef FATHOM_MODELS_MODEL_H
#define FATHOM_MODELS_MODEL_H

#include "core/device_times.h"
#include "core/memory_plan.h"
#include "core/pipeline.h"
#include "core/run.h"
#include "core/status.h"
#include "core/stream.h"
#include "io/job/job.h"

struct cJSON;
struct check_operations;
struct checkpoint_rows;

enum { MODEL_INPUTS_MAX = 64 };

// The values that a model derives from a job before memory is reserved.
struct model_plan {
    int64_t steps;
    double step_s, start_s; // seconds of model time, or in time_unit, as the schedules
    const char *time_unit; // of a model in reduced units, in messages: "time units", "sweeps"; NULL = seconds
    const char *backend, *instruction_set, *precision; // chosen
    const struct stream *streams[RUN_STREAMS_MAX];
    struct run_schedule schedules[RUN_STREAMS_MAX];
    int stream_count;
    double work_per_step; // in work_unit
    const char *work_unit;
    double estimated_rate; // work per second on this back end, for the estimate of the time; 0 = unknown
    double device_rate;    // the same on a device; 0: by bytes_per_work
    double beside_steps_s; // estimated time beside the steps: of the start, of sources; 0 = little or unknown
    const char *references; // for the results' metadata
    // As date_read (io/date.h) writes it; NULL = 1970-01-01; "" = seconds without a date.
    const char *time_origin;
    double bytes_per_work; // least device or main memory traffic of a unit of work; 0 = unknown
    const char *input_files[MODEL_INPUTS_MAX];
    int input_count;
    // The conserved quantities that a job may limit (block `limits`): all those in the run's records, in the
    // same order; the limit is INFINITY if the job gives none. Owned by the instance.
    struct watch_limit limits[WATCH_LIMITS_MAX];
    int limit_count;
    // The quantities whose extremes over the whole run are written to run.json (core/watch.h); their slots
    // are owned by the instance.
    struct watch_extreme extremes[WATCH_EXTREMES_MAX];
    int extreme_count;
    double product_bytes; // of the files that write_products makes, at most
    bool has_verdict; // the job asks for the model's own verdict, besides that of the check on the reference
    // (optional) Lines of text about the run's grids or particles, each with its newline; owned by the
    // instance.
    const char *details;
};

// The functions that differ between models; each gets its instance, which begins with a struct instance
// (models/instance.h). The functions that are the same for all models are below.
struct model {
    const char *name;
    const char *summary;
    const struct job_key_table *keys;
    size_t instance_bytes;
    // (required) Fills in an instance that is zero except for its head: reads headers, tables and the data
    // that the step's limit needs; reserves nothing. Sets the head's back end. After a failure `destroy` is
    // called.
    enum status (*create)(void *instance, const struct job *job);
    // (optional) Releases what the instance owns, but neither itself nor the head's solvers.
    void (*destroy)(void *instance);
    // (optional; left out: any number) Returns how many threads a step of this job can use well, at least 1.
    // Called before plan.
    int (*threads_worth)(const void *instance);
    // (required) Declares every array; fills in the plan. Once per instance.
    enum status (*plan)(void *instance, struct memory_plan *memory, struct model_plan *plan);
    // (required) Fills in the present addresses of the checkpoint's arrays; their sizes are final after plan.
    // Returns their number.
    int (*checkpoint_arrays)(void *instance, struct checkpoint_array *arrays);
    // (required of a divided model) Fills in, for the same arrays, which rows of the whole array they hold:
    // this rank's own ones, without the halo (io/checkpoint_set.h). An array left as it is, all zero, is the
    // same on all ranks. Also for a run of one rank. Called after plan.
    void (*checkpoint_rows)(void *instance, struct checkpoint_rows *rows);
    // (optional; left out: the solver's) Makes libraries and drivers allocate what they allocate at their
    // first use. Called after the reservation and before the seal, on the run's own thread. Does not change
    // results.
    enum status (*warm_up)(void *instance);
    // (required) Reads inputs into place. Called after the seal, on the I/O thread.
    enum status (*prepare)(void *instance);
    // (required) Sets the state at the start. Called after prepare, on the run's own thread.
    enum status (*start)(void *instance);
    // (optional; left out: the solver's touch) Takes over the state after `step` steps, which was loaded from
    // a checkpoint. Called after start.
    enum status (*resumed)(void *instance, int64_t step);
    // (optional; left out: the solver's) Copies the present state to the host memory that the back end's
    // functions read.
    enum status (*fetch)(void *instance);
    // The next seven are described in core/run.h.
    enum status (*begin)(void *instance, struct pipeline *pipeline, int64_t step);   // (optional)
    enum status (*advance)(void *instance, int64_t first_step, int64_t count);       // left out: the solver's
    enum status (*capture)(void *instance, int64_t step, const struct frame *frame); // (required)
    // Used with a back end that has a memory of its own; left out: the frames of instance_result are copied
    // to their data.
    enum status (*send)(void *instance, const struct frame *frame);
    // Used with such a back end, or with all of them (awaits_always).
    enum status (*await)(void *instance, const struct frame *frame);
    enum status (*finish)(void *instance, int64_t step); // (required)
    enum status (*guard)(void *instance, int64_t step);  // (optional)
    const char *length_unit;                             // (optional) which messages suggest first: "mm"
    bool awaits_always;                                  // `await` completes records on every back end
    // `await` changes data of a checkpoint, so that a checkpoint waits for the records that are on their way.
    bool await_keeps_state;
    // How steps are repeated on the reference (models/check.h).
    const struct check_operations *check;
    // (required) Adds the model's part to the plan's and the run's report (cJSON objects): grid, physics,
    // diagnostics.
    void (*describe)(void *instance, struct cJSON *report);
    // (optional; left out: the solver's) Returns the name of the device that the run used.
    const char *(*device_name)(void *instance);
    // (optional; left out: the solver's) Returns the device's times by its own clock. Called after the run.
    struct device_times (*times)(void *instance);
    // (optional) Reports the results after the run, before any verdict.
    void (*conclude)(void *instance);
    // (optional) Makes further files of the finished results in `directory` (output.products), and appends
    // their names to `names`, a cJSON array. Reads files and `report` only, which is run.json as it was read
    // back, and may add to the latter: the call may be made by a later process, for an instance that was
    // planned and not prepared.
    enum status (*write_products)(void *instance, const char *directory, struct cJSON *report,
                                  struct cJSON *names);
    // (required with it) Appends the names of the files that write_products would make of these results.
    enum status (*list_products)(void *instance, const char *directory, struct cJSON *names);
    // (optional) The model's own verdict, after that of the check: STATUS_OK, or STATUS_CHECK_FAILED with the
    // reason.
    enum status (*verdict)(void *instance);
};

// The functions that are the same for all models; `instance` was made by model_create.

// Makes an instance from a job and checks it.
enum status model_create(const struct model *model, const struct job *job, void **instance);
void model_destroy(void *instance); // NULL is allowed
// Returns how many threads a step can use well: INT_MAX if the model does not define threads_worth.
int model_threads_worth(const void *instance);
enum status model_warm_up(void *instance);
enum status model_resumed(void *instance, int64_t step);
// Returns the table that the run loop needs.
struct simulation model_simulation(void *instance);
// Fills in, after a run on a device, the device's name (owned by the instance) and its times by its own
// clock. Returns false if the run was on the host.
bool model_device(void *instance, const char **name, struct device_times *times);
// After the run: reports the results, then gives the outcome of the steps that were repeated on the
// reference. Returns STATUS_OK, or STATUS_CHECK_FAILED with the reason.
enum status model_check(void *instance);
// The model's own verdict, after model_check; the same statuses.
enum status model_verdict(void *instance);

// Whether a file of this name may be written into the folder of the results; `context` is the caller's.
typedef bool model_may_write(const void *context, const char *name);
// Refuses, by `key`, a job one of whose inputs lies in the folder of its results, where such a file would
// replace it, or a link to it. STATUS_CONFIGURATION.
enum status model_keep_inputs(const struct job *job, const char *key, const struct model_plan *plan,
                              model_may_write *may_write, const void *context);
// The same of one file, which need not exist.
enum status model_keep_file(const struct job *job, const char *key, const char *path,
                            model_may_write *may_write, const void *context);

const struct model *model_find(const char *name); // NULL if unknown
const struct model *const *model_list(void);      // all models, ended by NULL

#endif
