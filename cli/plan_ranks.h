// `fathom plan --ranks N`: a run of several ranks, planned one after the other in this process, without MPI.
#ifndef FATHOM_CLI_PLAN_RANKS_H
#define FATHOM_CLI_PLAN_RANKS_H

#include "cli/rank_figures.h"

struct cJSON;

struct plan_ranks {
    int64_t ranks, hosts; // hosts: each has as many ranks, in order, the first ones one more
    struct rank_figures *all;
};

// session_open of each rank; that of rank 0 stays open. Also of one rank.
enum status plan_ranks_open(const struct session_request *request, struct plan_ranks *plan,
                            struct session *session);
// Closes the session; this process then has one rank again.
void plan_ranks_close(struct plan_ranks *plan, struct session *session);

// What each rank holds and sends; nothing for one rank.
void plan_ranks_print(const struct plan_ranks *plan);
void plan_ranks_add(struct cJSON *report, const struct plan_ranks *plan); // "parallel"

// Whether the ranks fit into the memory of their hosts, each as large as this one; and rank 0 by itself.
enum status plan_ranks_check_memory(const struct plan_ranks *plan, const struct session *session);

#endif
