// Placing jobs (see the header).
#include "batch/placement.h"

#include <assert.h>
#include <stdio.h>

// The job that comes after `last` by priority, then number; `count` before the first and after the last.
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
static int choose_device(const struct placement_room *free, const struct placement_job *job)
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

static bool fits(const struct placement_room *free, const struct placement_job *job, int *device)
{
    *device = job->takes_device ? choose_device(free, job) : -1;
    return free->jobs >= 1 && free->cores >= (job->cores > 0 ? job->cores : 1) &&
           free->host_bytes >= job->host_bytes && free->disk_bytes >= job->disk_bytes &&
           (!job->takes_device || *device >= 0);
}

static int share_of_cores(const struct placement_room *free, const struct placement_job *job,
                          size_t waiting_in_all)
{
    if (job->cores > 0)
        return job->cores;
    if (job->takes_device)
        return 1;
    const size_t cores = (size_t)free->cores, sharers = waiting_in_all < 1       ? 1
                                                        : waiting_in_all < cores ? waiting_in_all
                                                                                 : cores;
    return (int)(cores / sharers);
}

bool placement_next(const struct placement_room *free, struct placement_job *jobs, size_t count,
                    size_t waiting_in_all, struct placement *placement)
{
    assert(free->device_count >= 0 && free->device_count <= PLACEMENT_DEVICES_MAX);
    int device = -1;
    size_t chosen = next_in_order(jobs, count, count);
    while (chosen < count && !fits(free, &jobs[chosen], &device)) {
        if (jobs[chosen].passes >= PLACEMENT_PASSES)
            return false; // it was passed often enough: all behind it wait for it
        chosen = next_in_order(jobs, count, chosen);
    }
    if (chosen == count)
        return false;
    for (size_t k = 0; k < count; k++)
        jobs[k].passes += jobs[k].priority > jobs[chosen].priority ||
                          (jobs[k].priority == jobs[chosen].priority && k < chosen);
    *placement = (struct placement){
        .job = chosen, .cores = share_of_cores(free, &jobs[chosen], waiting_in_all), .device = device};
    return true;
}

static bool is_enough(double needed, double room, const char *what, char *why, size_t bytes)
{
    if (needed <= room)
        return true;
    // Three digits would say "needs 2.00 GB, may use 2.00 GB" of a byte too much.
    const bool is_close = needed < room * 1.01;
    if (needed >= 1e9)
        snprintf(why, bytes, "needs %.*f GB of %s, the batch may use %.*f GB", is_close ? 9 : 1, needed / 1e9,
                 what, is_close ? 9 : 1, room / 1e9);
    else if (needed >= 1e6)
        snprintf(why, bytes, "needs %.*f MB of %s, the batch may use %.*f MB", is_close ? 6 : 1, needed / 1e6,
                 what, is_close ? 6 : 1, room / 1e6);
    else
        snprintf(why, bytes, "needs %.3f kB of %s, the batch may use %.3f kB", needed / 1e3, what,
                 room / 1e3);
    return false;
}

bool placement_is_possible(const struct placement_room *room, const struct placement_job *job, char *why,
                           size_t bytes)
{
    if (job->cores > room->cores || room->cores < 1) {
        snprintf(why, bytes, "needs %d cores, the batch may use %d", job->cores > 0 ? job->cores : 1,
                 room->cores);
        return false;
    }
    if (!is_enough((double)job->host_bytes, (double)room->host_bytes, "main memory", why, bytes) ||
        !is_enough(job->disk_bytes, room->disk_bytes, "disk space", why, bytes))
        return false;
    if (!job->takes_device)
        return true;
    if (job->device >= room->device_count || room->device_count == 0) {
        snprintf(why, bytes, "needs device %d, the batch has %d", job->device < 0 ? 0 : job->device,
                 room->device_count);
        return false;
    }
    size_t most = job->device >= 0 ? room->device_bytes[job->device] : 0;
    for (int d = 0; job->device < 0 && d < room->device_count; d++)
        most = room->device_bytes[d] > most ? room->device_bytes[d] : most;
    return is_enough((double)job->device_bytes, (double)most, "device memory", why, bytes);
}
