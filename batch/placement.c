// Placing jobs (see the header).
#include "batch/placement.h"

#include "io/units.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>

// The job that comes after `last` by priority, then number. last = count asks for the first job; returns
// count after the last.
static size_t next_in_order(const struct placement_job *jobs, size_t count, size_t last)
{
    size_t next = count;
    for (size_t k = 0; k < count; k++) {
        const bool is_behind_last = last == count || jobs[k].priority < jobs[last].priority ||
                                    (jobs[k].priority == jobs[last].priority && k > last);
        if (is_behind_last && (next == count || jobs[k].priority > jobs[next].priority))
            next = k;
    }
    return next;
}

// The device with most memory left among those that the job may have; −1 if none has enough.
static int choose_device(const struct placement_resources *free, const struct placement_job *job)
{
    int chosen = -1;
    for (int d = 0; d < free->device_count; d++) {
        const bool may_have = job->device < 0 || job->device == d;
        if (may_have && free->device_bytes[d] >= job->device_bytes &&
            (chosen < 0 || free->device_bytes[d] > free->device_bytes[chosen]))
            chosen = d;
    }
    return chosen;
}

static int ranks_of(const struct placement_job *job)
{
    return job->ranks > 1 ? job->ranks : 1;
}

static int least_cores(const struct placement_job *job)
{
    return job->cores > ranks_of(job) ? job->cores : ranks_of(job);
}

static int first_of(unsigned devices)
{
    return devices != 0 ? __builtin_ctz(devices) : -1;
}

// Whether each device has as much memory as a rank needs.
static bool fit_all(const struct placement_resources *free, const struct placement_job *job)
{
    bool fit = __builtin_popcount(job->devices) == job->ranks;
    for (int d = 0; d < PLACEMENT_DEVICES_MAX; d++)
        if (job->devices & 1u << d)
            fit &= d < free->device_count && free->device_bytes[d] >= job->device_bytes;
    return fit;
}

static bool fits(const struct placement_resources *free, const struct placement_job *job, int *device)
{
    const bool has_several = job->takes_device && job->ranks > 1;
    *device = has_several         ? (fit_all(free, job) ? first_of(job->devices) : -1)
              : job->takes_device ? choose_device(free, job)
                                  : -1;
    return free->jobs >= 1 && free->cores >= least_cores(job) && free->host_bytes >= job->host_bytes &&
           free->disk_bytes >= job->disk_bytes && (!job->takes_device || *device >= 0);
}

static int share_of_cores(const struct placement_resources *free, const struct placement_job *job,
                          size_t waiting_in_all)
{
    if (job->cores > 0 || job->takes_device)
        return least_cores(job);
    const size_t cores = (size_t)free->cores, sharers = waiting_in_all < 1       ? 1
                                                        : waiting_in_all < cores ? waiting_in_all
                                                                                 : cores;
    const int share = (int)(cores / sharers), ranks = ranks_of(job);
    return share > ranks ? share / ranks * ranks : ranks;
}

bool placement_next(const struct placement_resources *free, struct placement_job *jobs, size_t count,
                    size_t waiting_in_all, struct placement *placement)
{
    assert(free->device_count >= 0 && free->device_count <= PLACEMENT_DEVICES_MAX);
    int device = -1;
    size_t chosen = next_in_order(jobs, count, count);
    while (chosen < count && !fits(free, &jobs[chosen], &device)) {
        if (jobs[chosen].times_overtaken >= PLACEMENT_PASSES)
            return false; // the limit is reached: all others wait for it
        chosen = next_in_order(jobs, count, chosen);
    }
    if (chosen == count)
        return false;
    for (size_t k = 0; k < count; k++)
        jobs[k].times_overtaken += jobs[k].priority > jobs[chosen].priority ||
                                   (jobs[k].priority == jobs[chosen].priority && k < chosen);
    *placement = (struct placement){.job = chosen,
                                    .cores = share_of_cores(free, &jobs[chosen], waiting_in_all),
                                    .device = device,
                                    .devices = jobs[chosen].takes_device ? jobs[chosen].devices : 0};
    return true;
}

static bool is_enough(double needed, double available, const char *what, char *why, size_t bytes)
{
    char need[32], limit[32], more[32];
    if (needed <= available)
        return true;
    snprintf(why, bytes, "needs %s of %s, %s more than the %s that the batch may use",
             units_format_bytes(needed, need, sizeof need), what,
             units_format_bytes(needed - available, more, sizeof more),
             units_format_bytes(available, limit, sizeof limit));
    return false;
}

// What a device can give to a rank: of several devices the one that has least.
static size_t most_memory(const struct placement_resources *resources, const struct placement_job *job)
{
    size_t most = job->device >= 0 ? resources->device_bytes[job->device] : 0, least = SIZE_MAX;
    for (int d = 0; d < resources->device_count; d++) {
        const size_t bytes = resources->device_bytes[d];
        if (job->device < 0)
            most = bytes > most ? bytes : most;
        if (job->ranks > 1 && job->devices & 1u << d)
            least = bytes < least ? bytes : least;
    }
    return job->ranks > 1 ? least : most;
}

bool placement_is_possible(const struct placement_resources *resources, const struct placement_job *job,
                           char *why, size_t bytes)
{
    if (least_cores(job) > resources->cores) {
        snprintf(why, bytes, "needs %d cores%s, the batch may use %d", least_cores(job),
                 ranks_of(job) > 1 ? ", one for each rank" : "", resources->cores);
        return false;
    }
    if (!is_enough((double)job->host_bytes, (double)resources->host_bytes, "main memory", why, bytes) ||
        !is_enough(job->disk_bytes, resources->disk_bytes, "disk space", why, bytes))
        return false;
    if (!job->takes_device)
        return true;
    if (resources->device_count == 0) {
        snprintf(why, bytes, "needs a device, but the batch has none");
        return false;
    }
    if (ranks_of(job) > resources->device_count) {
        snprintf(why, bytes, "needs %d devices, one for each rank, but the batch has %d", job->ranks,
                 resources->device_count);
        return false;
    }
    if (job->device >= resources->device_count) {
        snprintf(why, bytes, "needs device number %d (counted from 0), but the batch has only %d device%s",
                 job->device, resources->device_count, resources->device_count == 1 ? "" : "s");
        return false;
    }
    return is_enough((double)job->device_bytes, (double)most_memory(resources, job), "device memory", why,
                     bytes);
}
