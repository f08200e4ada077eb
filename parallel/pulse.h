// A thread beside a run of several ranks, which notices what no wait would: it exchanges a sign of life with
// rank 0 every second, looks whether the processes of this host are there, and carries the first failure of
// any rank to all others. So a rank that is killed, or whose host is gone, ends the others with one line.
//
// Every rank has a line to rank 0 and rank 0 one to each: a message a second, of about a kilobyte.
#ifndef FATHOM_PARALLEL_PULSE_H
#define FATHOM_PARALLEL_PULSE_H

#include "parallel/ranks.h"

// A rank without a sign of life is lost after this time. FATHOM_TEST_LOST_S replaces it, for tests.
enum { PULSE_LOST_S = 45 };

// Starts the thread; does nothing for one rank. STATUS_SYSTEM.
enum status pulse_start(struct ranks *ranks);
// Ends it, on all ranks at about the same time and while all are there.
void pulse_stop(struct ranks *ranks);

// After a failure: rank 0 calls it when its message is printed, and the others wait for that here, so that no
// launcher sees a rank end, and ends rank 0, before the message is out. At most a few seconds. Returns the
// exit code of all: `code` of rank 0, because of several that fail at the same time its message is the run's.
int pulse_release(struct ranks *ranks, int code);

// Whether this rank prints the run's message: rank 0, or the lowest that is left if that is lost. May wait a
// few seconds, for a rank on the lost host to print it first.
bool pulse_prints(const struct ranks *ranks);

#endif
