// A queue of jobs: the runs of a batch, each with its job file, settings and limits.
#ifndef FATHOM_BATCH_QUEUE_H
#define FATHOM_BATCH_QUEUE_H

#include "core/status.h"
#include "io/path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BATCH_NAME_MAX = 64,
    BATCH_JOBS_MAX = 100000,
    BATCH_RETRIES_MAX = 100,
    BATCH_CORES_MAX = 65536,
    BATCH_RANKS_MAX = 4096,
    BATCH_DEVICES_MAX = 16,
    BATCH_SETTINGS_MAX = 10000000, // of all runs together
    BATCH_QUEUE_BYTES_MAX = 64000000
};

struct batch_setting {
    const char *key;   // a job's key, "physics.manning_n"
    const char *value; // JSON, without blanks: "0.025", "\"1 km\"", "{\"acsza1\":1}"
};

// One run.
struct batch_job {
    char name[BATCH_NAME_MAX + 1];
    const char *path; // of the job file
    size_t
        entry_length; // of the name: the entry's part, if a name of a scenario follows it; 0: a number does
    // The weight of the run in its entry, if that has a "sample" or "scenarios": above 0; those of an entry
    // have a sum of 1. 0: none. No part of the hash: another weight is no reason to run again.
    double weight;
    // The settings of the defaults, the entry, the sweep and the ensemble, in this order. Each key appears
    // once: a later setting replaces an earlier one. The runs of an entry differ in the last `varied_count`,
    // which are those of the sweep and the ensemble, of the sample, or of the scenarios.
    struct batch_setting *settings;
    size_t setting_count, varied_count;
    size_t entry; // number of the entry in the file, from 0
    int priority;
    double time_limit_s; // 0 = none
    int retries;
    int cores;        // 0: a share of the free ones; of all ranks together
    int ranks;        // started by a launcher; 0, 1: none
    bool has_devices; // each rank takes a device, and a run without one is a mistake
    bool pictures;
    uint64_t hash; // XXH3-64 of the job file's content and the settings: identifies a finished run
};

struct batch_limits {
    int cores, jobs;                 // 0: all cores of the machine; any number of jobs
    bool may_exceed;                 // cores: also more than the process may use (--cores)
    size_t host_bytes, device_bytes; // SIZE_MAX: all of it; device_bytes: of each device
};

struct batch_queue {
    const char *path, *title; // title: may be ""
    char directory[PATH_BYTES];
    struct batch_limits limits;
    bool has_no_workers;    // each run is a process of its own
    struct batch_job *jobs; // in the order of the file
    size_t count;
    struct batch_pool *pool; // memory of the texts and settings above
};

#endif
