// Space on the disk for the results and checkpoints of a run, before it starts and while it runs. Uses the
// plan's streams and the file system. Independent of file formats.
#ifndef FATHOM_CLI_DISK_SPACE_H
#define FATHOM_CLI_DISK_SPACE_H

#include "cli/session.h"

// Largest size on the disk of a whole run, results and checkpoints, beyond that of an earlier leg of it; of
// rounded records, which are compressed, an expected size.
double disk_space_needed_bytes(const struct session *session, bool is_resumed);
// Of it, what the result files take, with segments and joined files.
double disk_space_results_bytes(const struct session *session);

// Whether results and checkpoints fit. The files of an earlier leg of the same run count as free space.
// STATUS_IO states the sizes.
enum status disk_space_check(const struct session *session, bool is_resumed);

// A run's checks of the disk; all zero but `session` at first.
struct disk_space {
    const struct session *session;
    double checked_s;        // last time, by the clock
    double free_bytes, fall; // then; and the decrease since the check before
    double needed_bytes;     // upper bound, to the end of the run
    bool is_warned, is_full;
};

// For run_request.must_stop, with a struct disk_space: checks at most four times a second. Warns once if the
// free space will not be enough. True when it is nearly used up and still holds a last checkpoint. Allocates
// nothing.
bool disk_space_must_stop(void *context, int64_t step);

// The decision: whether a run that needs `needed_bytes` more to its end should stop now, with `free_bytes`
// free, `fall` less than at the last check; `checkpoint_bytes`: a checkpoint, `flight_bytes`: frames that are
// being written.
bool disk_space_is_short(double free_bytes, double fall, double needed_bytes, double checkpoint_bytes,
                         double flight_bytes);

#endif
