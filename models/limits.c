// The limits of a job that are checked during the run.
#include "models/limits.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int find_diagnostics(const struct model_plan *plan)
{
    for (int s = 0; s < plan->stream_count; s++)
        if (strcmp(plan->streams[s]->name, "diagnostics") == 0)
            return s;
    return -1;
}

enum status limits_add(struct model_plan *plan, const struct job *job, struct watch_limit limit)
{
    const bool is_limited = job_has(job, limit.key);
    assert(plan->limit_count < WATCH_LIMITS_MAX);
    limit.stream = find_diagnostics(plan);
    if (limit.stream < 0)
        return is_limited ? job_fail(job, limit.key,
                                     "is checked in the records of the diagnostics: ask for them by "
                                     "output.diagnostics.every")
                          : STATUS_OK;
    limit.most = is_limited ? job_number(job, limit.key) : INFINITY;
    plan->limits[plan->limit_count++] = limit;
    return STATUS_OK;
}

enum status limits_count_steps(const struct job *job, double duration, double step, const char *unit,
                               int64_t *steps)
{
    static const double most_steps = 1e15;
    const double count = ceil(duration / step * (1 - 1e-12));
    const char *blank = unit[0] ? " " : "";
    if (count < most_steps) {
        *steps = (int64_t)count;
        return STATUS_OK;
    }
    // The number of steps of 1e-300 s in 1e300 s is too large even for a double.
    return job_fail(job, job_has(job, "time.step") ? "time.step" : "time.duration",
                    "%g%s%s in steps of %g%s%s would take 1e%.0f steps; at most %g are possible, with steps "
                    "of %.3g%s%s or more",
                    duration, blank, unit, step, blank, unit, floor(log10(duration) - log10(step)),
                    most_steps, duration / most_steps * 1.001, blank, unit);
}
