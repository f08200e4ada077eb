// What the instance of every model begins with: its job, its solver and the check of its steps on the
// reference. The functions of models/model.h and models/check.h work on it.
#ifndef FATHOM_MODELS_INSTANCE_H
#define FATHOM_MODELS_INSTANCE_H

#include "core/run.h"
#include "models/check_record.h"
#include "models/solver.h"

struct check_operations;
struct job;
struct model;
struct model_plan;
struct ranks;

struct instance {
    const struct model *model;
    const struct job *job;
    struct ranks *ranks; // of the run (parallel/ranks.h)
    // The head of the table that planned `solver`; `create` sets it. A model with several solvers leaves
    // `solver` NULL and has its own warm_up, resumed, fetch, advance and times.
    const struct backend *backend;
    struct solver *solver;
    // How many times the check repeats steps on the reference. 0: never, and then `reference` is not planned.
    int64_t check_steps;
    double check_tolerance; // largest difference that passes, in the operations' units
    const struct backend *reference_backend;
    struct solver *reference;
    const struct check_operations *check_operations; // the model's
    struct check_record check;
    int64_t check_begin_step;
    struct pipeline *pipeline; // set when the run begins
    // The plan's streams, in their order (instance_add_stream).
    struct {
        int kind, result;
    } streams[RUN_STREAMS_MAX];
};

// Adds a stream to the plan. kind: the model's number for it. result: the back end's number for it, or −1:
// its records are always made on the host.
void instance_add_stream(struct instance *instance, struct model_plan *plan, const struct stream *stream,
                         struct run_schedule schedule, int kind, int result);
// Returns the kind of a frame's stream.
int instance_kind(const struct instance *instance, const struct frame *frame);
// Returns the back end's result that makes the frame in the memory of the state; −1: the host makes it.
int instance_result(const struct instance *instance, const struct frame *frame);

// Copies the present state to where the back end's table reads it.
enum status instance_fetch(struct instance *instance);

#endif
