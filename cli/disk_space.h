// Room on the disk for what a run still has to write: before it, and while it goes. Knows the plan's streams,
// and asks the file system; no file formats.
#ifndef FATHOM_CLI_DISK_SPACE_H
#define FATHOM_CLI_DISK_SPACE_H

#include "cli/session.h"

// Bytes of the result files that come after `step`; all of them for −1. Upper bound where they are
// compressed.
double disk_space_output_bytes(const struct session *session, int64_t step);

// What a whole run may take on the disk at once, results and checkpoints, beside what an earlier part of it
// has there already.
double disk_space_needed_bytes(const struct session *session, bool is_resumed);

// Is there room for the results and the checkpoints? What an earlier part of the same run has on the disk
// already is counted as free. STATUS_IO with the numbers.
enum status disk_space_check(const struct session *session, bool is_resumed);

// A run's look at the disk; zero but for `session` at first.
struct disk_space {
    const struct session *session;
    double looked_s;         // when last, by the clock
    double free_bytes, fall; // then; and how much less than at the look before
    double needed_bytes;     // up to so many to the end
    bool is_warned, is_full;
};

// For run_request.must_stop, with a struct disk_space: looks at most four times a second. Warns once if the
// free space will not suffice; true when it is nearly used up, while there is room for a last checkpoint.
// Allocates nothing.
bool disk_space_must_stop(void *context, int64_t step);

// The decision: whether a run that needs `needed_bytes` more to its end should stop now, with `free_bytes`
// there, of which it and others took `fall` since the last look; `checkpoint_bytes`: a saved state,
// `flight_bytes`: frames on their way.
bool disk_space_is_short(double free_bytes, double fall, double needed_bytes, double checkpoint_bytes,
                         double flight_bytes);

#endif
