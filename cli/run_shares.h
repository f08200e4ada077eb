// `--shares auto`: what each rank of a run is to have of the work, from its own first steps. With equal
// shares all ranks prepare the run and make some steps; each measures how long it computes without waiting
// for others. Then the run is planned anew, with shares by these rates, and begins. Its bits do not depend on
// shares.
#ifndef FATHOM_CLI_RUN_SHARES_H
#define FATHOM_CLI_RUN_SHARES_H

#include "cli/session.h"

struct cJSON;

enum { RUN_SHARES_BYTES = 8 * 4096 }; // for RANKS_MAX ranks

// Whether shares are to be measured: "auto", and several ranks.
bool run_shares_are_automatic(const struct session_request *request);

// Measures with the session as it was opened, with equal shares, and releases what it reserved. Then `shares`
// has the text of the shares, "613:1000", the same on all ranks, or is empty: equal. As a run fails.
enum status run_shares_measure(struct session *session, char shares[RUN_SHARES_BYTES]);

// Adds "measured" to "parallel" of run.json; nothing if nothing was measured.
void run_shares_report(struct cJSON *parallel);

#endif
