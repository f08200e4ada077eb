// See time.h.
#include "bench/ladder/time.h"

#include "core/statistics.h"

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

static const struct bench_entry *entry_of(const struct bench *bench, const struct ladder_rung *rung)
{
    for (int k = 0; k < bench->entry_count; k++)
        if (bench->entries[k].backend->has_devices == rung->is_device)
            return &bench->entries[k];
    return NULL;
}

enum status ladder_time(struct bench *bench, const struct ladder_rung *rung, const struct ladder_case *wanted,
                        const struct ladder_time **time)
{
    char what[BENCH_LABEL_BYTES];
    const struct bench_entry *entry = entry_of(bench, rung);
    struct ladder_time new = {.rung = rung, .wanted = *wanted};
    snprintf(what, sizeof what, "rung %s", rung->name);
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
    if (!entry) {
        bench_add_note(bench, what, rung->is_device ? "no device is used" : "only devices are used");
        return STATUS_OK;
    }
    return bench_note_refusal(bench, what, run(bench, &times[time_count - 1]));
}
