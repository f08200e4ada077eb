// The two CUDA streams of a solver, the order of the work on them, what the device did and when, by its own
// clock, and how far the host runs ahead of it. Work on the compute stream is begun in batches, each between
// two events; copies on the copy stream likewise. The events lie in fixed rings that are made before the seal
// and are looked at, without waiting, whenever there is something new. Knows no model.
//
// The host only begins work. So that it does not run ahead without bound (a launch queue holds about a
// thousand kernels, and signals and the clock are looked at between batches), it waits, asleep, before a
// batch until the steps still under way are no more than two batches' worth, 2 GPU_TIMELINE_BATCH_S: the
// device always has work, and the host thread never waits for what it has just begun. Steps are what is
// counted, not kernels: one kernel may do many steps, or one step take several.
//
// All functions are the run's thread's; the I/O thread has only the frames' events to wait for (frames.h).
#ifndef FATHOM_GPU_TIMELINE_H
#define FATHOM_GPU_TIMELINE_H

#include "core/device_times.h"
#include "core/status.h"
#include "gpu/overlap.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    GPU_TIMELINE_BATCHES =
        1024,                 // more than can be under way, so that a copy finds the batch that it came after
    GPU_TIMELINE_COPIES = 64, // more than there are frames
    GPU_TIMELINE_BATCH_STEPS = 256
};

// A batch is the work of about this long; twice as much is under way at most.
#define GPU_TIMELINE_BATCH_S 5e-3

enum gpu_timeline_kind { GPU_TIMELINE_STEPS, GPU_TIMELINE_RESULTS, GPU_TIMELINE_KINDS };

struct gpu_timeline_batch {
    cudaEvent_t begin, end; // `end` can be waited for asleep
    enum gpu_timeline_kind kind;
    int steps;
    double begin_s; // since the first batch; known once it is over
};

struct gpu_timeline_copy {
    cudaEvent_t begin, end; // the frame's
    int64_t after;          // the last batch begun before it
};

// Start from {0}. Neither stream waits for the default stream; copies come first where both want the device.
struct gpu_timeline {
    int device;
    cudaStream_t compute, copy;
    bool has_compute, has_copy, has_settled;
    cudaEvent_t settled;
    struct gpu_timeline_batch batches[GPU_TIMELINE_BATCHES];
    int64_t begun, ended,
        over;        // numbers of batches: both events of those ended are recorded; one more may be open
    int steps_ahead; // in those that are not over
    struct gpu_timeline_copy copies[GPU_TIMELINE_COPIES];
    int copy_head, copy_count; // under way
    struct overlap overlap;    // batches are its first side, copies its second
    double seconds[GPU_TIMELINE_KINDS], copied_bytes, copy_s;
    double step_s; // what a step takes, by the last batch of steps that is over; 0 = not known yet
    int64_t lost;  // copies whose batch was no longer there
    int events;    // made
};

// Makes streams and events on device number `device`, which is the calling thread's. Before the seal.
enum status gpu_timeline_open(struct gpu_timeline *timeline, int device);
void gpu_timeline_close(struct gpu_timeline *timeline);

// Returns when everything begun on both streams is done, asleep until then; the account is then complete.
enum status gpu_timeline_finish(struct gpu_timeline *timeline);
// The same for the compute stream alone.
enum status gpu_timeline_finish_compute(struct gpu_timeline *timeline);

// Begin a copy, or filling with a byte, on the compute stream. 0 bytes: nothing.
enum status gpu_timeline_upload(const struct gpu_timeline *timeline, void *to, const void *from,
                                size_t bytes);
enum status gpu_timeline_download(const struct gpu_timeline *timeline, void *to, const void *from,
                                  size_t bytes);
enum status gpu_timeline_fill(const struct gpu_timeline *timeline, void *to, int byte, size_t bytes);

// Begins the account anew. Nothing may be under way.
void gpu_timeline_restart(struct gpu_timeline *timeline);

// The most steps that one batch should have, by what one took last: 1 … GPU_TIMELINE_BATCH_STEPS.
int gpu_timeline_batch_steps(const struct gpu_timeline *timeline);

// A batch of `steps` steps on the compute stream, between these two; results count as about as many steps as
// they have kernels. begin closes what was left open, and waits as said above.
enum status gpu_timeline_begin(struct gpu_timeline *timeline, enum gpu_timeline_kind kind, int steps);
enum status gpu_timeline_end(struct gpu_timeline *timeline);

// For grids nested in each other, which begin a step or a few at a time, so that two events each time would
// cost as much as the launch: up to `wanted` steps join the batch that is left open, or a new one; *granted
// says how many. No end follows: whatever needs the batch to be closed closes it.
enum status gpu_timeline_join(struct gpu_timeline *timeline, int64_t wanted, int *granted);
enum status gpu_timeline_close_batch(struct gpu_timeline *timeline);

// A copy whose two events have just been recorded on the copy stream, in the order of the calls; no batch was
// open when it was made to wait for the compute stream. The events may be recorded anew once `end` has been
// waited for and gpu_timeline_update called.
enum status gpu_timeline_copied(struct gpu_timeline *timeline, cudaEvent_t begin, cudaEvent_t end,
                                size_t bytes);

// Takes in what is over by now. Does not wait.
enum status gpu_timeline_update(struct gpu_timeline *timeline);

// Everything so far; complete after the streams were waited for and gpu_timeline_update called.
struct device_times gpu_timeline_times(const struct gpu_timeline *timeline);

#endif
