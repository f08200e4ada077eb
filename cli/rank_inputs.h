// Whether all ranks of a run read the same input files: an old copy on one host would give wrong results
// without a word.
#ifndef FATHOM_CLI_RANK_INPUTS_H
#define FATHOM_CLI_RANK_INPUTS_H

#include "cli/session.h"

// By all ranks together, after the plan: hashes the contents of the inputs, each file once on each host, and
// compares them. Fills session->input_hashes. STATUS_CONFIGURATION on all ranks: the lowest rank that has
// another file, and which. One rank: does nothing.
enum status rank_inputs_compare(struct session *session);

#endif
