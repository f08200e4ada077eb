// A run that a batch watches: `fathom run --control FD`, a socket to the batch. Lines, each whole in one write:
//   to the batch:   plan {"model":...,"backend":...,"title":...,"steps":...,"host_bytes":...,"device_bytes":...,
//                         "disk_bytes":...,"estimated_s":...}      once, then the run waits
//                   progress FRACTION REMAINING_S                   about twice a second
//                   end CODE MESSAGE                                the last one; MESSAGE is the failure in one line, or empty
//   from the batch: go CORES                                        the run may reserve its memory and begin
// Nothing is allocated after the seal. A socket that is closed while the run waits for its place ends it (STATUS_STOPPED);
// later it is passed over: the results count.
#ifndef FATHOM_CLI_RUN_CONTROL_H
#define FATHOM_CLI_RUN_CONTROL_H

#include "cli/session.h"

// descriptor −1: no batch; then every call does nothing and returns STATUS_OK.
// Says what the run needs, and waits for its place; the number of cores is then set for OpenMP.
enum status run_control_wait(int descriptor, const struct session *session);
void run_control_progress(int descriptor, double fraction, double remaining_s);
void run_control_end(int descriptor, int code, const char *message);

#endif
