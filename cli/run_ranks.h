// A run of several ranks (parallel/ranks.h), as the command line sees it: rank 0 reads the folder, prints and
// writes; the others compute, and learn from it what it found. One rank: every call does nothing.
#ifndef FATHOM_CLI_RUN_RANKS_H
#define FATHOM_CLI_RUN_RANKS_H

#include "cli/rank_figures.h"
#include "cli/run_options.h"
#include "core/run.h"

struct cJSON;

// Whether this is rank 0, or a run of one rank.
bool run_ranks_is_first(void);

// Starts the ranks of this process if a launcher started it. A run that a batch started without a launcher
// has one rank. Ranks other than 0 become quiet. STATUS_SYSTEM.
enum status run_ranks_start(struct run_options *options);

// What rank 0 found in the folder, for all ranks.
struct run_ranks_found {
    uint64_t input_hash;
    bool is_finished; // a resumed run whose results are complete
    struct checkpoint_header header;
    char resume_path[PATH_BYTES];
};
enum status run_ranks_share(struct run_ranks_found *found);

// When the model is warm, on rank 0: one line that says how many ranks there are, where, and how they
// exchange. One rank: warns of options that are for several.
void run_ranks_announce(const struct session *session, const struct session_request *request);

// Sets the part of the request by which the ranks stop, save and go on together.
void run_ranks_set_agreement(struct run_request *request);

// Checkpoints of a divided model become sets of files.
void run_ranks_set_checkpoints(struct session *session);

// The sink of this rank: rank 0's gathers, and gives whole frames to `sink`; that of the others sends.
struct sink run_ranks_sink(struct session *session, struct sink sink);

// Before the memory is reserved, on all ranks: whether they compute alike (STATUS_CONFIGURATION), and those
// of one host together fit into its memory (STATUS_SYSTEM). needs_none: this rank will not reserve any. Sets
// session->all_checkpoint_bytes.
enum status run_ranks_check(struct session *session, bool needs_none);

// In a batch, on all ranks: rank 0 sends the plan of all and waits for the slot, the others sleep. *threads:
// of each rank. Else nothing.
enum status run_ranks_wait_for_slot(const struct run_control *control, struct session *session,
                                    bool is_resumed, int *threads);

// After the steps, on all ranks: what each of them did, to be freed by the caller; NULL for one rank.
enum status run_ranks_collect(const struct session *session, struct rank_figures **all);

// Adds "parallel" to run.json; nothing if `all` is NULL. `steps`: that the figures count.
void run_ranks_report(struct cJSON *report, const struct session *session, const struct rank_figures *all,
                      int64_t steps);

// After a failure of a run of several ranks its memory must stay: messages may be on their way.
bool run_ranks_keep_memory(void);

// The end of the run: reports a failure, on one rank only, and returns the exit code of all. *must_leave: the
// process must end at once.
int run_ranks_end(enum status status, bool *must_leave);

#endif
