// See time.h.
#include "bench/time.h"

#include "core/clock.h"
#include "core/statistics.h"

#include <math.h>

enum {
    WARM_STEPS = 2,
    BUDGETS_MOST = 4 // that the least steps of a repetition may take
};

// A repetition lasts at least so long: a device's clock resolves half a microsecond, and starting it costs a
// few.
static const double device_repetition_s = 0.05, host_repetition_s = 0.02;

// Seconds that steps take, by the device's clock if it has counted all.
static enum status time_steps(struct bench_work *work, int steps, double *seconds)
{
    struct device_times before = {0}, after = {0};
    if (work->times)
        before = work->times(work->context);
    const double begin_s = clock_now_s();
    CHECK(work->advance(work->context, work->step, steps));
    *seconds = clock_now_s() - begin_s;
    work->step += steps;
    if (work->times)
        after = work->times(work->context);
    work->is_device_clock =
        after.is_measured && after.uncounted == before.uncounted && after.compute_s > before.compute_s;
    if (work->is_device_clock)
        *seconds = after.compute_s - before.compute_s;
    return STATUS_OK;
}

// Code is loaded, caches and clock rates are up. What a step takes tells how many make a repetition, and how
// many of those there is time for. `first_s`: what counts as the first repetition already, because it is
// long; else 0.
static enum status warm_up(const struct bench_common *common, double budget_s, struct bench_work *work,
                           struct bench_time *time, double *first_s)
{
    double step_s;
    CHECK(time_steps(work, 1, &step_s));
    *first_s = !work->is_device && step_s > budget_s / common->repeat ? step_s : 0;
    if (step_s < host_repetition_s) { // the first one may be slow
        CHECK(time_steps(work, WARM_STEPS, &step_s));
        step_s /= WARM_STEPS;
    }
    step_s = fmax(step_s, 1e-9);
    const double repetition_s = work->is_device ? device_repetition_s : host_repetition_s;
    const double least = fmin(work->least_steps, floor(BUDGETS_MOST * budget_s / step_s));
    const double steps = fmax(fmax(1, least), ceil(repetition_s / step_s));
    time->steps = common->steps > 0 ? common->steps : (int)fmin(BENCH_STEPS_MAX, steps);
    time->repeat = (int)fmin(common->repeat, fmax(1, budget_s / (time->steps * step_s)));
    return work->is_device ? time_steps(work, time->steps, &step_s) : STATUS_OK;
}

struct bench_work bench_work_of(const struct backend *backend, void *context, bench_advance *advance,
                                bench_times *times, int least_steps)
{
    return (struct bench_work){.context = context,
                               .advance = advance,
                               .times = times,
                               .is_device = backend->has_devices,
                               .least_steps = least_steps};
}

enum status bench_time(const struct bench_common *common, double budget_s, struct bench_work *work,
                       struct bench_time *time)
{
    double seconds[BENCH_REPEAT_MAX];
    CHECK(warm_up(common, budget_s, work, time, &seconds[0]));
    time->is_device_clock = work->is_device;
    for (int k = seconds[0] > 0 && time->steps == 1 ? 1 : 0; k < time->repeat; k++) {
        CHECK(time_steps(work, time->steps, &seconds[k]));
        time->is_device_clock &= work->is_device_clock;
    }
    time->step_ms = 1e3 * statistics_median(seconds, (size_t)time->repeat) / time->steps;
    return STATUS_OK;
}
