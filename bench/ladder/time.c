// See time.h.
#include "bench/ladder/time.h"

#include "core/memory_limits.h"
#include "core/statistics.h"
#include "io/units.h"

#include <omp.h>
#include <stdio.h>

enum { TIMES_MAX = 1024 };

static const double repetition_s = 0.05; // the least duration of a repetition
static struct ladder_time times[TIMES_MAX];
static int time_count;

static bool is_same(const struct ladder_case *a, const struct ladder_case *b)
{
    return memcmp(a->size, b->size, sizeof a->size) == 0 && a->precision == b->precision &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && a->threads == b->threads &&
           a->device == b->device;
}

static enum status time_steps(const struct bench *bench, void *state, const struct ladder_rung *rung,
                              int steps, double *seconds)
{
    const double begin_s = bench_now_s(bench);
    CHECK(rung->step(state, steps));
    *seconds = bench_now_s(bench) - begin_s;
    return STATUS_OK;
}

static enum status time_state(const struct bench *bench, void *state, struct ladder_time *time)
{
    double step_s, seconds[BENCH_REPEAT_MAX];
    CHECK(time_steps(bench, state, time->rung, 1, &step_s)); // the first one may be slow
    if (step_s < bench->budget_s)
        CHECK(time_steps(bench, state, time->rung, 1, &step_s));
    step_s = fmax(step_s, 1e-9);
    time->steps = bench->steps > 0 ? bench->steps : (int)fmin(BENCH_STEPS_MAX, ceil(repetition_s / step_s));
    time->repeat = (int)fmin(bench->repeat, fmax(1, bench->budget_s / (time->steps * step_s)));
    for (int k = 0; k < time->repeat; k++)
        CHECK(time_steps(bench, state, time->rung, time->steps, &seconds[k]));
    time->step_s = statistics_median(seconds, (size_t)time->repeat) / time->steps;
    if (!time->rung->time_stages)
        return STATUS_OK;
    CHECK(time->rung->time_stages(state, time->steps, time->stages));
    for (int k = 0; k < LADDER_STAGES_MAX; k++)
        time->stages[k] /= time->steps;
    return STATUS_OK;
}

// Makes the rung's state, times it, and frees it.
static enum status run(const struct bench *bench, struct ladder_time *time)
{
    const int threads = omp_get_max_threads();
    void *state = NULL;
    if (time->wanted.threads > 0)
        omp_set_num_threads(time->wanted.threads);
    enum status status = time->rung->create(&time->wanted, &state);
    if (status == STATUS_OK)
        status = time_state(bench, state, time);
    time->has_run = status == STATUS_OK;
    if (state)
        time->rung->destroy(state);
    omp_set_num_threads(threads);
    return status;
}

// ---- what is too large or takes too long

enum { LONGEST_BUDGETS = 20, LEAST_SIDE = 32 };

// Operations in a second that every rung of a processor makes, and those of a smaller case that is timed.
static const double slowest_per_s = 1e8, few_operations = 1e8;
// The step of a rung with barriers that is made whatever the budget: a smaller case spends most of its time
// waiting at them, so that an estimate by its operations is many times too long.
static const double longest_with_barriers_s = 60;

double ladder_longest_s(const struct bench *bench)
{
    return LONGEST_BUDGETS * bench->budget_s;
}

static double longest_of(const struct bench *bench, const struct ladder_time *time)
{
    const bool waits = time->rung->has_barriers && time->wanted.threads > 1;
    return fmax(ladder_longest_s(bench), waits ? longest_with_barriers_s : 0);
}

static double operations_of(const struct ladder_model *model, const struct ladder_rung *rung,
                            const struct ladder_case *wanted)
{
    struct ladder_counts counts;
    ladder_count(model, rung, wanted, &counts);
    return counts.operations;
}

// If a step of a processor's rung may take too long, estimates it from a smaller case.
static enum status estimate(const struct bench *bench, const struct ladder_model *model,
                            struct ladder_time *time)
{
    struct ladder_time small = {.rung = time->rung, .wanted = time->wanted};
    const double operations = operations_of(model, time->rung, &time->wanted);
    const double longest_s = longest_of(bench, time);
    double few = operations;
    if (time->rung->is_device || operations <= slowest_per_s * longest_s)
        return STATUS_OK;
    while (few > few_operations && small.wanted.size[0] >= 2 * LEAST_SIDE) {
        for (int axis = 0; axis < model->axes; axis++)
            small.wanted.size[axis] = (small.wanted.size[axis] + 1) / 2;
        few = operations_of(model, time->rung, &small.wanted);
    }
    CHECK(run(bench, &small));
    const double step_s = small.step_s * operations / few;
    if (step_s <= longest_s)
        return STATUS_OK;
    time->is_estimate = true;
    time->step_s = step_s;
    snprintf(time->why, sizeof time->why, "a step would take longer than %g s", longest_s);
    return STATUS_OK;
}

static bool has_room(const struct ladder_model *model, struct ladder_time *time)
{
    const double bytes = ladder_count_bytes(model, time->rung, &time->wanted);
    const struct memory_limit limit = memory_limits_find("");
    if (bytes <= (double)limit.available)
        return true;
    snprintf(time->why, sizeof time->why, "it needs %s of memory, and %.300s %s", UNITS_BYTES(bytes),
             limit.name, UNITS_BYTES(limit.available));
    return false;
}

// ---- the rung's time

static const struct bench_entry *entry_of(const struct bench *bench, bool is_device)
{
    for (int k = 0; k < bench->entry_count; k++)
        if (bench->entries[k].backend->has_devices == is_device)
            return &bench->entries[k];
    return NULL;
}

const char *ladder_lacks(const struct bench *bench, bool is_device)
{
#ifndef FATHOM_LADDER_CUDA
    if (is_device)
        return "no device (the program is built without CUDA)";
#endif
    if (entry_of(bench, is_device))
        return NULL;
    return is_device ? bench->has_named ? "no device (none is named by --backend)" : "no device"
                     : "no processor (none is named by --backend)";
}

enum status ladder_refuse_blocks(const struct bench *bench)
{
    const char *lacks = ladder_lacks(bench, true);
    return FAIL(
        STATUS_CONFIGURATION,
        "bench %s: --table blocks: only rungs of a device have blocks of several shapes, and there is "
        "%s",
        bench->model->name, lacks ? lacks : "none");
}

static void say(const struct bench *bench, const struct ladder_time *time)
{
    char text[BENCH_TEXT_BYTES];
    snprintf(text, sizeof text, "rung %s, %lld", time->rung->name, time->wanted.size[0]);
    bench_show_progress(bench, text);
}

static enum status measure(struct bench *bench, const struct ladder_model *model, struct ladder_time *time)
{
    say(bench, time);
    enum status status = STATUS_OK;
    if (has_room(model, time))
        status = estimate(bench, model, time);
    if (status == STATUS_OK && time->why[0] == '\0')
        status = run(bench, time);
    bench_show_progress(bench, "");
    if (status != STATUS_SYSTEM || bench->has_named)
        return status;
    snprintf(time->why, sizeof time->why, "%s", status_message());
    status_clear();
    return STATUS_OK;
}

enum status ladder_time(struct bench *bench, const struct ladder_model *model, const struct ladder_rung *rung,
                        const struct ladder_case *wanted, const struct ladder_time **time)
{
    const struct bench_entry *entry = entry_of(bench, rung->is_device);
    struct ladder_time new = {.rung = rung, .wanted = *wanted};
    new.wanted.device = entry ? entry->device : 0;
    for (int k = 0; k < time_count; k++)
        if (times[k].rung == rung && is_same(&times[k].wanted, &new.wanted)) {
            *time = &times[k];
            return STATUS_OK;
        }
    if (time_count == TIMES_MAX)
        return FAIL(STATUS_SOFTWARE, "bench %s: more than %d cases of rungs", bench->model->name, TIMES_MAX);
    *time = &times[time_count++];
    times[time_count - 1] = new;
    if (entry)
        return measure(bench, model, &times[time_count - 1]);
    snprintf(times[time_count - 1].why, sizeof new.why, "%s", ladder_lacks(bench, rung->is_device));
    return STATUS_OK;
}
