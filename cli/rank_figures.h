// What each rank of a run has and did: its share, its memory, its messages. All ranks collect them together;
// run.json and the plan state them.
#ifndef FATHOM_CLI_RANK_FIGURES_H
#define FATHOM_CLI_RANK_FIGURES_H

#include "cli/session.h"

struct cJSON;

// Of one rank; numbers of 8 bytes, so that a sum over the ranks collects them.
struct rank_figures {
    int64_t first, end;    // of its rows; end 0: nothing is divided
    int64_t work;          // of its share (struct ranks)
    int64_t planned_bytes; // of the arrays of the memory plan
    int64_t exchanges, exchanged_bytes, waited_us;
    int64_t step_bytes;                // expected to be exchanged in a step; 0: unknown
    int64_t host_bytes, program_bytes; // planned on the host; of them program and libraries, which are there
    int64_t available_bytes;           // on the host; what the ranks with the same two names have together
    int64_t limit_name, host_name;     // hashes
    int64_t checkpoint_bytes;          // of its file of a checkpoint
    int64_t arithmetic;                // hash of the back end and its instruction set, which make the bits
};

// The figures of this rank.
struct rank_figures rank_figures_own(const struct session *session);

// Those of all ranks, which call this together: [ranks->count], to be freed by the caller. STATUS_SYSTEM.
enum status rank_figures_collect(const struct session *session, struct rank_figures **all);

// Bytes of a checkpoint of all ranks, which save to one folder.
double rank_figures_checkpoint_bytes(const struct rank_figures *all, int ranks);

// Refuses (STATUS_SYSTEM) ranks that need more memory than their host has together, or than the job's limit.
enum status rank_figures_check_memory(const struct session *session, const struct rank_figures *all,
                                      int ranks);

// Refuses (STATUS_CONFIGURATION) ranks that do not all have the same back end and instruction set.
enum status rank_figures_check_arithmetic(const struct session *session, const struct rank_figures *all,
                                          int ranks);

// The largest share of the work over the mean; 1: even, or nothing is divided.
double rank_figures_imbalance(const struct rank_figures *all, int ranks);

// Adds "shares" and "imbalance".
void rank_figures_add_shares(struct cJSON *parallel, const struct rank_figures *all, int ranks);

// Adds the messages of `steps` steps: "exchanged_bytes" and so on, and those of each rank to its share.
void rank_figures_add_messages(struct cJSON *parallel, const struct rank_figures *all, int ranks,
                               int64_t steps);

#endif
