// What all models do alike, by their tables and their instances' heads. Independent of models.
#include "models/model.h"

#include "models/check.h"
#include "models/instance.h"
#include "parallel/launch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status model_create(const struct model *model, const struct job *job, void **instance)
{
    struct instance *made = calloc(1, model->instance_bytes);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for the %s model", model->name);
    made->model = model;
    made->job = job;
    made->ranks = launch_ranks();
    made->check_operations = model->check;
    const enum status status = model->create(made, job);
    if (status != STATUS_OK) {
        model_destroy(made);
        return status;
    }
    *instance = made;
    return STATUS_OK;
}

void model_destroy(void *instance)
{
    struct instance *i = instance;
    if (!i)
        return;
    solver_destroy(i->backend, i->solver);
    solver_destroy(i->reference_backend, i->reference);
    if (i->model->destroy)
        i->model->destroy(i);
    free(i);
}

int model_threads_worth(const void *instance)
{
    const struct instance *i = instance;
    return i->model->threads_worth ? i->model->threads_worth(i) : INT_MAX;
}

enum status model_warm_up(void *instance)
{
    struct instance *i = instance;
    return i->model->warm_up ? i->model->warm_up(i) : solver_warm_up(i->backend, i->solver);
}

enum status model_resumed(void *instance, int64_t step)
{
    struct instance *i = instance;
    return i->model->resumed ? i->model->resumed(i, step) : solver_touch(i->backend, i->solver, true);
}

enum status instance_fetch(struct instance *instance)
{
    return instance->model->fetch ? instance->model->fetch(instance)
                                  : solver_fetch(instance->backend, instance->solver);
}

// ---- streams

void instance_add_stream(struct instance *instance, struct model_plan *plan, const struct stream *stream,
                         struct run_schedule schedule, int kind, int result)
{
    const int number = plan->stream_count++;
    instance->streams[number].kind = kind;
    instance->streams[number].result = result;
    plan->streams[number] = stream;
    plan->schedules[number] = schedule;
}

int instance_kind(const struct instance *instance, const struct frame *frame)
{
    return instance->streams[frame->stream].kind;
}

int instance_result(const struct instance *instance, const struct frame *frame)
{
    return solver_is_apart(instance->backend) ? instance->streams[frame->stream].result : -1;
}

// ---- the run loop's table

static bool has_await(const struct instance *i)
{
    return i->model->awaits_always || solver_is_apart(i->backend);
}

static enum status begin(void *context, struct pipeline *pipeline, int64_t step)
{
    struct instance *i = context;
    i->pipeline = pipeline;
    return i->model->begin ? i->model->begin(i, pipeline, step) : STATUS_OK;
}

static enum status advance(void *context, int64_t first_step, int64_t count)
{
    struct instance *i = context;
    return i->backend->advance(i->solver, first_step, count);
}

static enum status send(void *context, const struct frame *frame)
{
    struct instance *i = context;
    const int result = instance_result(i, frame);
    return result < 0 ? STATUS_OK
                      : i->backend->send(i->solver, result, frame->slot, frame->records, frame->data);
}

static enum status do_nothing(void *context)
{
    (void)context;
    return STATUS_OK;
}

static enum status checkpoint_arrays(void *context, struct checkpoint_array *arrays)
{
    struct instance *i = context;
    if (i->model->await_keeps_state && has_await(i))
        CHECK(pipeline_call(i->pipeline, do_nothing, NULL));
    CHECK(instance_fetch(i));
    (void)i->model->checkpoint_arrays(i, arrays);
    return STATUS_OK;
}

struct simulation model_simulation(void *instance)
{
    struct instance *i = instance;
    const struct model *model = i->model;
    return (struct simulation){
        .context = i,
        .begin = begin,
        .advance = model->advance ? model->advance : advance,
        .capture = model->capture,
        .send = !solver_is_apart(i->backend) ? NULL
                : model->send                ? model->send
                                             : send,
        .await = has_await(i) ? model->await : NULL,
        .finish = model->finish,
        .checkpoint_arrays = checkpoint_arrays,
        .guard = model->guard,
        .check_begin = i->check_steps > 0 ? check_begin : NULL,
        .check_end = i->check_steps > 0 ? check_end : NULL,
    };
}

// ---- after the run

bool model_device(void *instance, const char **name, struct device_times *times)
{
    struct instance *i = instance;
    if (!i->backend->device_name)
        return false;
    *name = i->model->device_name ? i->model->device_name(i) : i->backend->device_name(i->solver);
    *times = i->model->times ? i->model->times(i) : solver_times(i->backend, i->solver);
    return true;
}

enum status model_check(void *instance)
{
    struct instance *i = instance;
    if (i->model->conclude)
        i->model->conclude(i);
    return check_verdict(i);
}

enum status model_verdict(void *instance)
{
    struct instance *i = instance;
    return i->model->verdict ? i->model->verdict(i) : STATUS_OK;
}

// Whether a file of this path lies in the folder under a name that may be written: itself, or a link to it.
static bool is_in_the_way(const char *folder, const char *path, model_may_write *may_write,
                          const void *context)
{
    char parts[2][PATH_MAX], parent[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int count = realpath(path, parts[0]) != NULL;
    snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (count > 0 && realpath(parent, parts[1]) && strlen(parts[1]) + strlen(name) + 2 < PATH_MAX) {
        strcat(strcat(parts[1], "/"), name);
        count++;
    }
    for (int k = 0; k < count; k++) {
        char *last = strrchr(parts[k], '/');
        *last = '\0';
        if (strcmp(parts[k], folder) == 0 && may_write(context, last + 1))
            return true;
    }
    return false;
}

enum status model_keep_file(const struct job *job, const char *key, const char *path,
                            model_may_write *may_write, const void *context)
{
    char folder[PATH_MAX];
    if (!realpath(job_string(job, "output.directory"), folder)) // it does not exist yet
        return STATUS_OK;
    return is_in_the_way(folder, path, may_write, context)
               ? job_fail(job, key, "would replace the job's own input %s: choose another output.directory",
                          path)
               : STATUS_OK;
}

enum status model_keep_inputs(const struct job *job, const char *key, const struct model_plan *plan,
                              model_may_write *may_write, const void *context)
{
    for (int k = 0; k < plan->input_count; k++)
        CHECK(model_keep_file(job, key, plan->input_files[k], may_write, context));
    return STATUS_OK;
}
