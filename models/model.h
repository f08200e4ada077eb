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

enum { MODEL_INPUTS_MAX = 64 };

// What a model derives from a job before anything is reserved.
struct model_plan {
    int64_t steps;
    double step_s, start_s; // and the schedules: seconds of model time, or what time_unit says
    const char *time_unit; // of a model in reduced units, in messages: "time units", "sweeps"; NULL = seconds
    const char *backend, *instruction_set, *precision; // chosen
    const struct stream *streams[RUN_STREAMS_MAX];
    struct run_schedule schedules[RUN_STREAMS_MAX];
    int stream_count;
    double work_per_step; // in work_unit
    const char *work_unit;
    double estimated_rate;   // work per second on this back end, for the estimate of the time; 0 = unknown
    const char *references;  // for the results' metadata
    const char *time_origin; // "2011-03-11 05:46:24"; NULL = 1970-01-01; "" = seconds without a date
    double bytes_per_work; // device or main memory traffic that a unit of work needs at least; 0 = not known
    const char *input_files[MODEL_INPUTS_MAX];
    int input_count;
    // What the physics conserves and a job may limit (io/job/keys.c: limits): always all that the run's
    // records show, in the same order, with a limit of INFINITY where the job gives none. The instance's.
    struct watch_limit limits[WATCH_LIMITS_MAX];
    int limit_count;
    // The quantities whose extremes over the whole run go to run.json (core/watch.h); their slots are the
    // instance's.
    struct watch_extreme extremes[WATCH_EXTREMES_MAX];
    int extreme_count;
    bool has_verdict; // the job asks for the model's own verdict, beside that of the check on the reference
    // (optional) Lines of text about the parts of the run, each with its newline; the instance's.
    const char *details;
};

// The functions that differ between models; each gets its instance, which begins with a struct instance
// (models/instance.h). The functions that are the same for all models are below.
struct model {
    const char *name;
    const char *summary;
    const struct job_key_table *keys;
    size_t instance_bytes;
    // (required) Fills in an instance that is all zero but for its head: reads headers, tables and what the
    // step's limit needs; reserves nothing. Sets the head's back end. After a failure `destroy` follows.
    enum status (*create)(void *instance, const struct job *job);
    // (optional) Releases what the instance owns, but neither itself nor the head's solvers.
    void (*destroy)(void *instance);
    // (required) Declares every array; fills in the plan. Once per instance.
    enum status (*plan)(void *instance, struct memory_plan *memory, struct model_plan *plan);
    // (required) The arrays of a checkpoint, as they lie now; sizes are final after plan. Returns how many.
    int (*checkpoint_arrays)(void *instance, struct checkpoint_array *arrays);
    // (optional; left out: the solver's) After the reservation and before the seal, on the run's own thread:
    // what a library or a driver allocates at the first use of something is allocated now. Leaves no trace in
    // the results.
    enum status (*warm_up)(void *instance);
    // (required) After the seal, on the I/O thread: reads inputs into place.
    enum status (*prepare)(void *instance);
    // (required) Then, on the run's own thread: the state at the start.
    enum status (*start)(void *instance);
    // (optional; left out: the solver's touch) After start and after a checkpoint's arrays were loaded: the
    // state is that after `step` steps.
    enum status (*resumed)(void *instance, int64_t step);
    // (optional; left out: the solver's) The present state to where the back end's table finds it.
    enum status (*fetch)(void *instance);
    // As core/run.h has them. begin, guard: optional; advance left out: the solver's. send, of a
    // back end with a memory of its own, left out: the frames of instance_result go to their data. await: of
    // such a back end, or of all (below). finish: required.
    enum status (*begin)(void *instance, struct pipeline *pipeline, int64_t step);
    enum status (*advance)(void *instance, int64_t first_step, int64_t count);
    enum status (*capture)(void *instance, int64_t step, const struct frame *frame);
    enum status (*send)(void *instance, const struct frame *frame);
    enum status (*await)(void *instance, const struct frame *frame);
    enum status (*finish)(void *instance, int64_t step);
    enum status (*guard)(void *instance, int64_t step);
    // Whether `await` completes records on every back end; whether it keeps something of them that belongs to
    // a checkpoint, which then waits for the records on their way.
    bool awaits_always, await_keeps_state;
    // How steps are repeated on the reference (models/check.h).
    const struct check_operations *check;
    // (required) Adds the model's part to the plan's and the run's report (cJSON objects): grid, physics,
    // diagnostics.
    void (*describe)(void *instance, struct cJSON *report);
    // (optional; left out: the solver's) For a run on a device, after the run: its name, and what it did, by
    // its own clock.
    const char *(*device_name)(void *instance);
    struct device_times (*times)(void *instance);
    // (optional) After the run: reports its results, before any verdict; then the model's own verdict, after
    // that of the check: STATUS_OK, or STATUS_CHECK_FAILED with the reason.
    void (*conclude)(void *instance);
    enum status (*verdict)(void *instance);
};

// The functions that are alike for all models; `instance` is what model_create made.

// Job → checked instance.
enum status model_create(const struct model *model, const struct job *job, void **instance);
void model_destroy(void *instance); // NULL is allowed
enum status model_warm_up(void *instance);
enum status model_resumed(void *instance, int64_t step);
// What the run loop needs.
struct simulation model_simulation(void *instance);
// For a run on a device: its name (owned by the instance) and what it did, by its own clock; false: the run
// is the host's. After the run.
bool model_device(void *instance, const char **name, struct device_times *times);
// After the run: reports its results. STATUS_OK, or STATUS_CHECK_FAILED with the reason.
enum status model_verdict(void *instance);

// By name; NULL if unknown. And all of them, for messages and lists (NULL-terminated).
const struct model *model_find(const char *name);
const struct model *const *model_list(void);

#endif
