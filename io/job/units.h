// Units that a job gives for values of a file, checked against those that the file states. Another unit is
// refused, unless a flag of the job, its `override`, states that the file is wrong. Uses no key by name.
#ifndef FATHOM_IO_JOB_UNITS_H
#define FATHOM_IO_JOB_UNITS_H

#include "core/status.h"
#include "io/job/job.h"

#include <stdbool.h>

// The units that a file states for one variable.
struct stated_units {
    const char *path, *variable;
    const char *units; // "" = none; of "UNIT since DATE" only the unit is compared
    const char *form;  // NULL, or the program whose files have these units, which this one does not state
    bool is_other;     // of another quantity, though convertible (Pa for J m-3): always a contradiction
};

// The override of a block of keys, for all units in it.
struct units_override {
    const struct job *job;
    const char *key; // of the flag
    bool is_used;    // a unit of the file was replaced
};

// Checks the job's unit at `key`, which may be absent, against that of the file, and warns if it replaces it.
// STATUS_CONFIGURATION: the unit is unknown, or contradicts the file's (units_contradict).
enum status job_units_check(struct units_override *override, const char *key,
                            const struct stated_units *stated);

// After the last check: warns of a flag that had no effect. `path`: the block's file.
void job_units_end(const struct units_override *override, const char *path);

#endif
