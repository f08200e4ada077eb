// The timing loop of all benchmarks: steps that are not timed, then repetitions, whose median counts; by the
// device's own clock where it has one. Independent of models.
#include "bench/bench.h"

#include "core/clock.h"
#include "core/statistics.h"
#include "parallel/ranks.h"

#include <time.h>

enum {
    WARM_STEPS = 2,
    BUDGETS_MOST = 4 // a repetition of the least number of steps may take this many budgets
};

// The least duration of a repetition. A device's clock resolves half a microsecond, and a launch takes a few
// microseconds.
static const double device_repetition_s = 0.05, host_repetition_s = 0.02;

double bench_now_s(const struct bench *bench)
{
    struct timespec used;
    if (!bench->by_processor_time || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
        return clock_now_s();
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

// Measures the duration of some steps in seconds, by the device's clock if it covered all of them; of several
// ranks, which wait for each other outside their devices too, by the host's, and that of the slowest.
static enum status time_steps(struct bench *bench, int steps, double *seconds)
{
    struct bench_work *work = &bench->work;
    struct device_times before = {0}, after = {0};
    const double bytes_before = bench->ranks->exchange_bytes, waited_before_s = bench->ranks->exchange_wait_s;
    if (work->backend->times)
        before = work->backend->times(*bench->model->solver);
    const double begin_s = bench_now_s(bench);
    CHECK(bench->model->advance(work->step, steps));
    *seconds = bench_now_s(bench) - begin_s;
    work->step += steps;
    if (work->backend->times)
        after = work->backend->times(*bench->model->solver);
    work->is_device_clock = bench->ranks->count == 1 && after.is_measured &&
                            after.uncounted == before.uncounted && after.compute_s > before.compute_s;
    if (work->is_device_clock)
        *seconds = after.compute_s - before.compute_s;
    work->exchanged_bytes = bench->ranks->exchange_bytes - bytes_before;
    work->exchange_s = bench->ranks->exchange_wait_s - waited_before_s;
    return bench_ranks_slowest(bench, seconds);
}

// Makes untimed steps, which load the code and bring caches and clock rates up. Chooses from the duration of
// a step the number of steps in a repetition, and the number of repetitions within the budget. `first_s`: the
// duration of the first step, if it is long enough to count as the first repetition; else 0.
static enum status warm_up(struct bench *bench, struct bench_time *time, double *first_s)
{
    const struct bench_work *work = &bench->work;
    const int warm_steps = work->warm_steps > 0 ? work->warm_steps : WARM_STEPS;
    const int repeat =
        work->repeat_most > 0 && work->repeat_most < bench->repeat ? work->repeat_most : bench->repeat;
    double step_s;
    CHECK(time_steps(bench, 1, &step_s));
    const double exchanged_bytes = work->exchanged_bytes, exchange_s = work->exchange_s;
    *first_s = !work->is_device && step_s > bench->budget_s / repeat ? step_s : 0;
    if (step_s < host_repetition_s) { // the first one may be slow
        CHECK(time_steps(bench, warm_steps, &step_s));
        step_s /= warm_steps;
    }
    if (*first_s > 0) { // what it exchanged belongs to it
        bench->work.exchanged_bytes = exchanged_bytes;
        bench->work.exchange_s = exchange_s;
    }
    step_s = fmax(step_s, 1e-9);
    const double repetition_s = work->is_device ? device_repetition_s : host_repetition_s;
    const double least = fmax(1, fmin(work->least_steps, floor(BUDGETS_MOST * bench->budget_s / step_s)));
    const double steps = least * ceil(repetition_s / step_s / least);
    time->steps = bench->steps > 0 ? bench->steps : (int)fmin(BENCH_STEPS_MAX, steps);
    time->repeat = (int)fmin(repeat, fmax(1, bench->budget_s / (time->steps * step_s)));
    return work->is_device ? time_steps(bench, time->steps, &step_s) : STATUS_OK;
}

// Of one repetition; bench_ranks_total makes of all of them what a step has.
static enum status note_exchanges(struct bench *bench, struct bench_time *time, int repetition)
{
    time->exchanged_bytes += bench->work.exchanged_bytes;
    time->waited_s[repetition] = bench->work.exchange_s;
    return bench_ranks_slowest(bench, &time->waited_s[repetition]);
}

enum status bench_time(struct bench *bench, struct bench_time *time)
{
    CHECK(warm_up(bench, time, &time->seconds[0]));
    const bool has_first = time->seconds[0] > 0 && time->steps == 1;
    time->is_device_clock = bench->work.is_device;
    time->exchanged_bytes = 0;
    if (has_first)
        CHECK(note_exchanges(bench, time, 0));
    for (int k = has_first ? 1 : 0; k < time->repeat; k++) {
        CHECK(time_steps(bench, time->steps, &time->seconds[k]));
        time->is_device_clock &= bench->work.is_device_clock;
        CHECK(note_exchanges(bench, time, k));
    }
    CHECK(bench_ranks_total(bench, time));
    double sorted[BENCH_REPEAT_MAX];
    for (int k = 0; k < time->repeat; k++)
        sorted[k] = time->seconds[k];
    time->step_ms = 1e3 * statistics_median(sorted, (size_t)time->repeat) / time->steps;
    return STATUS_OK;
}
