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

struct instance {
    const struct model *model;
    const struct job *job;
    // The head of the table that planned `solver`; `create` sets it. A model with several solvers leaves the
    // solver NULL and gives warm_up, resumed, fetch, advance and times of its own.
    const struct backend *backend;
    struct solver *solver;
    // The check: how many times steps are repeated (0: never) on the reference, whose solver is planned then.
    int64_t check_steps;
    double check_tolerance; // largest difference that passes, in the operations' units
    const struct backend *reference_backend;
    struct solver *reference;
    const struct check_operations *check_operations; // the model's
    struct check_record check;
    int64_t check_begin_step;
    struct pipeline *pipeline; // from the run's begin on
    // Of the plan's streams, in their order (instance_add_stream).
    struct {
        int kind, result;
    } streams[RUN_STREAMS_MAX];
};

// Adds a stream to the plan: `kind` of the model's; `result` of the back end's, or −1: its records are always
// made on the host.
void instance_add_stream(struct instance *instance, struct model_plan *plan, const struct stream *stream,
                         struct run_schedule schedule, int kind, int result);
// The kind of a frame's stream; and which of the back end's results makes the frame where the state lies, or
// −1: the host does.
int instance_kind(const struct instance *instance, const struct frame *frame);
int instance_result(const struct instance *instance, const struct frame *frame);

// The present state to where the back end's table finds it.
enum status instance_fetch(struct instance *instance);

#endif
