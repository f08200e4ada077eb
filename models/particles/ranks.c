// See the header.
#include "models/particles/ranks.h"

#include "core/stream.h"
#include "io/checkpoint_set.h"
#include "io/job/job.h"
#include "models/backend.h"
#include "models/instance.h"
#include "parallel/ranks.h"

#include <stdlib.h>

struct shares_request particles_request(size_t count, const char *groups)
{
    return (struct shares_request){
        .rows = (int64_t)((count + PARTICLES_GROUP - 1) / PARTICLES_GROUP), .least = 1, .what = groups};
}

enum status particles_cut(const struct instance *base, size_t count, const char *groups, bool is_divided,
                          const char *divided, struct share **shares)
{
    const struct ranks *ranks = base->ranks;
    struct shares_request request = particles_request(count, groups);
    request.ranks = ranks->count;
    request.parts = ranks->parts;
    if (ranks->count == 1)
        return STATUS_OK;
    if (!is_divided)
        return job_fail(base->job, "backend", "%s: it has no run of several ranks (here %d); %s is expected",
                        base->backend->name, ranks->count, divided);
    *shares = calloc((size_t)ranks->count, sizeof **shares);
    if (!*shares)
        return FAIL(STATUS_SYSTEM, "no memory for the shares of %d ranks", ranks->count);
    CHECK_ABOUT(shares_cut(&request, *shares), "%s: particles", job_path(base->job));
    return STATUS_OK;
}

struct particles_range particles_in(const struct share *groups, size_t count)
{
    const size_t end = (size_t)groups->end * PARTICLES_GROUP;
    return (struct particles_range){(size_t)groups->first * PARTICLES_GROUP, end < count ? end : count};
}

struct particles_range particles_own(const struct share *shares, const struct ranks *ranks, size_t count)
{
    return shares ? particles_in(&shares[ranks->rank], count) : (struct particles_range){0, count};
}

void particles_checkpoint_rows(const struct checkpoint_array *arrays, int count, struct particles_range own,
                               size_t all, struct checkpoint_rows *rows)
{
    for (int k = 0; k < count; k++)
        rows[k] = (struct checkpoint_rows){.row_bytes = arrays[k].bytes / (own.end - own.first),
                                           .first = own.first,
                                           .end = own.end,
                                           .rows = all};
}

void particles_divide_stream(const struct share *shares, bool makes_results, struct stream *stream)
{
    if (shares)
        stream->division = (struct stream_division){.dividing = STREAM_OF_FIRST, .holds_all = makes_results};
}
