// The runs of a batch as members of an ensemble: which have results, why the others have none, and their
// weights. From a queue with its journal, or from the summary.json of its folder. Independent of models.
#ifndef FATHOM_BATCH_MEMBERS_H
#define FATHOM_BATCH_MEMBERS_H

#include "batch/batch.h"

enum { BATCH_REASON_BYTES = 256 };

struct batch_member {
    char name[BATCH_NAME_MAX + 1];   // its results are in directory/name
    char entry[BATCH_NAME_MAX + 1];  // of the queue
    bool has_results;                // it passed
    char reason[BATCH_REASON_BYTES]; // why it has none: "failed: ..."; "": it has
    double weight;                   // of all members together 1
    char *settings;                  // of its run, an object as JSON text; NULL: the summary does not say
};

struct batch_members {
    char directory[PATH_BYTES];
    char title[256];  // of the batch; may be ""
    bool has_weights; // false: none was stated, and all are equal
    size_t count;
    struct batch_member *list; // in the order of the queue
};

// `path`: a queue file or a folder of jobs, or the folder of a batch's results. `entry` (NULL: all runs): the
// name of an entry of the queue, whose runs are NAME, or NAME-0001, NAME-0002, …, or NAME-SCENARIO.
// STATUS_NO_INPUT: no batch was started, or (in a folder) no summary.json was written. STATUS_DATA: a damaged
// summary or journal; no such entry, with the names of those there are; a weight that is not a number of 0 or
// more; some runs without a weight; weights that do not sum to 1 within 1e-6, with their sum.
// batch_members_free in any case.
enum status batch_members_read(const char *path, const char *entry, struct batch_members *members);
void batch_members_free(struct batch_members *members);

#endif
