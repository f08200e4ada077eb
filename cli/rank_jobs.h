// Whether all ranks of a run were started alike: the same build of the program, the same job and options.
// Otherwise they would compute other numbers, or write elsewhere, without a word.
#ifndef FATHOM_CLI_RANK_JOBS_H
#define FATHOM_CLI_RANK_JOBS_H

#include "core/status.h"

#include <stdint.h>

// What a rank was started with.
struct rank_job {
    const char *path;      // of the job
    uint64_t hash;         // of the job and of the options that change the numbers
    const char *start;     // "--resume" or "--restart"; NULL: neither was given
    const char *directory; // of the results, as the job or the command line gives it
};

// By all ranks together, before the plan, in which they already exchange. STATUS_CONFIGURATION: this rank's
// build, job or options are not those of rank 0. One rank: does nothing.
enum status rank_jobs_compare(const struct rank_job *own);

#endif
