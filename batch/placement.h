// Which waiting job may start now, and with which resources: cores, main memory, disk, at most one device.
// Independent of processes and of the clock.
//
// Jobs are taken by priority, then by number. If a job does not fit now, smaller jobs of lower priority may
// start before it, at most PLACEMENT_PASSES of them. After that no job of lower priority starts before it.
#ifndef FATHOM_BATCH_PLACEMENT_H
#define FATHOM_BATCH_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

enum { PLACEMENT_DEVICES_MAX = 16, PLACEMENT_PASSES = 16 };

struct placement_resources { // of the machine, or of what the batch may use of it
    int cores, jobs;
    size_t host_bytes;
    double disk_bytes;
    int device_count;
    size_t device_bytes[PLACEMENT_DEVICES_MAX];
};

struct placement_job {
    int priority;
    int cores; // requested; 0: a share of the free ones
    size_t host_bytes, device_bytes;
    double disk_bytes;
    bool takes_device;   // it needs a device, even if device_bytes is 0
    int device;          // the one that it was planned for; −1: any
    int ranks;           // 0 or 1; more: each needs a core of its own and, with takes_device, a device
    unsigned devices;    // of several ranks: bits of the ones that it was planned for
    int times_overtaken; // counted by placement_next
};

struct placement {
    size_t job;        // index in the list of waiting jobs
    int cores, device; // device −1: no device; of several the first
    unsigned devices;  // of several ranks: bits of all
};

// Chooses the job to start now from `count` waiting ones; false if none fits. `free`: the resources that the
// running jobs leave. `waiting_in_all`: the number of jobs still to start, including those not yet planned.
// It determines the share of the free cores: a job with cores 0 on the host gets max(1, free cores /
// min(waiting_in_all, free cores)), on a device 1; one of several ranks at least one for each, and
// on the host a multiple.
bool placement_next(const struct placement_resources *free, struct placement_job *jobs, size_t count,
                    size_t waiting_in_all, struct placement *placement);

// Whether the job could start if it had all of `resources` for itself; if not, `why` states what is missing
// ("needs 3.2 GB of main memory, 1.2 GB more than the 2 GB that the batch may use").
bool placement_is_possible(const struct placement_resources *resources, const struct placement_job *job,
                           char *why, size_t bytes);

#endif
