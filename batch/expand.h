// Expands an entry of a queue to runs: its settings, and every combination of its sweep and its ensemble, or
// the members of its sample or of its table of scenarios.
// Independent of the meaning of the jobs' keys.
#ifndef FATHOM_BATCH_EXPAND_H
#define FATHOM_BATCH_EXPAND_H

#include "batch/axes.h"
#include "batch/queue.h"
#include "batch/sweep.h"

struct batch_settings {
    struct batch_setting *items;
    size_t count;
};

// Reads an object of settings ("set") and appends them, in the pool; NULL adds nothing. An existing key gets
// the new value. `where`: its key in `document`. STATUS_CONFIGURATION: not an object, too many settings, or a
// key that is invalid, or that the batch sets itself.
enum status batch_settings_add(const struct job *document, const char *where, struct batch_pool **pool,
                               struct batch_settings *settings);

// Appends the runs of an entry to the queue. `base`: what they share, such as the entry's name and the hash
// of the job file. `document`: holds "sweep", "ensemble" etc., already checked against the table of keys;
// NULL: a single run. `settings`: those of all runs of the entry. STATUS_CONFIGURATION, before anything large
// is allocated: more than BATCH_JOBS_MAX runs or BATCH_SETTINGS_MAX settings. Other statuses are those of a
// table of scenarios.
enum status batch_expand(struct batch_queue *queue, const struct job *document, const struct batch_job *base,
                         const struct batch_settings *settings);

#endif
