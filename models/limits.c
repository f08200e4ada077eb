// Limits of a job, as the run watches them. Knows no model.
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
                                     "is looked at in the records of the diagnostics: ask for them by "
                                     "output.diagnostics.every")
                          : STATUS_OK;
    limit.most = is_limited ? job_number(job, limit.key) : INFINITY;
    plan->limits[plan->limit_count++] = limit;
    return STATUS_OK;
}
