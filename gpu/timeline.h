// The two CUDA streams of a solver, the order of the work on them, the times of that work by the device's own
// clock, and a bound on how far the host runs ahead. Work on the compute stream is launched in batches; two
// events mark the begin and the end of each batch, and of each copy on the copy stream. The events lie in
// fixed rings, created before the seal, and are queried without waiting. Independent of models.
//
// The host only launches work. A launch queue holds about a thousand kernels, and the host checks signals and
// the clock between batches. So before a batch it sleeps until the steps in progress take no longer than two
// batches, 2 GPU_TIMELINE_BATCH_S. Thus the device always has work, and the host never waits for the work
// that it has just launched. Steps are counted, not kernels: one kernel may do many steps, and one step may
// need several kernels.
//
// Only the run's thread calls these functions; the I/O thread waits for the frames' events alone (frames.h).
#ifndef FATHOM_GPU_TIMELINE_H
#define FATHOM_GPU_TIMELINE_H

#include "core/device_times.h"
#include "core/status.h"
#include "gpu/overlap.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    GPU_TIMELINE_BATCHES = 1024, // more than can be in progress: a copy finds the batch before it
    GPU_TIMELINE_COPIES = 64,    // more than there are frames
    GPU_TIMELINE_BATCH_STEPS = 256
};

// About the time that a batch takes; at most two batches are in progress.
#define GPU_TIMELINE_BATCH_S 5e-3

enum gpu_timeline_kind { GPU_TIMELINE_STEPS, GPU_TIMELINE_RESULTS, GPU_TIMELINE_KINDS };

struct gpu_timeline_batch {
    cudaEvent_t begin, end;
    enum gpu_timeline_kind kind;
    int steps;
    double begin_s; // after the begin of the first batch; known when this batch is over
};

struct gpu_timeline_copy {
    cudaEvent_t begin, end; // the frame's
    int64_t after;          // the last batch begun before it
};

// Start from {0}. Neither stream waits for the default stream; copies have the higher priority.
struct gpu_timeline {
    int device;
    cudaStream_t compute, copy;
    bool has_compute, has_copy, has_settled;
    cudaEvent_t settled;
    struct gpu_timeline_batch batches[GPU_TIMELINE_BATCHES];
    int64_t begun;   // number of batches begun
    int64_t ended;   // number of batches whose events are both recorded
    int64_t over;    // number of batches whose events have both passed
    int steps_ahead; // steps of the batches that are not over
    struct gpu_timeline_copy copies[GPU_TIMELINE_COPIES];
    int copy_head, copy_count; // in progress
    struct overlap overlap;    // of batches (first) and copies (second)
    double seconds[GPU_TIMELINE_KINDS], copied_bytes, copy_s;
    double step_s; // time of a step, by the last batch of steps that is over; 0: not measured yet
    int64_t lost;  // copies whose batch was no longer in the ring
    int events;    // created
};

// Creates streams and events on device number `device`, which must be the calling thread's current device.
// Before the seal.
enum status gpu_timeline_open(struct gpu_timeline *timeline, int device);
void gpu_timeline_close(struct gpu_timeline *timeline);

// Sleeps until all work on both streams is done; the times are then complete.
enum status gpu_timeline_finish(struct gpu_timeline *timeline);
// Sleeps until all work on the compute stream is done.
enum status gpu_timeline_finish_compute(struct gpu_timeline *timeline);

// Begin to copy, or to fill with a byte, on the compute stream. 0 bytes: no effect.
enum status gpu_timeline_upload(const struct gpu_timeline *timeline, void *to, const void *from,
                                size_t bytes);
enum status gpu_timeline_download(const struct gpu_timeline *timeline, void *to, const void *from,
                                  size_t bytes);
enum status gpu_timeline_fill(const struct gpu_timeline *timeline, void *to, int byte, size_t bytes);

// Sets all times and counts to 0. No work may be in progress.
void gpu_timeline_restart(struct gpu_timeline *timeline);

// Returns the most steps that a batch should have, from the measured time of a step: 1 …
// GPU_TIMELINE_BATCH_STEPS.
int gpu_timeline_batch_steps(const struct gpu_timeline *timeline);

// The work between these two calls is a batch of `steps` steps on the compute stream; `steps` of a batch of
// results: about the number of its kernels. gpu_timeline_begin closes an open batch, and waits as described
// above.
enum status gpu_timeline_begin(struct gpu_timeline *timeline, enum gpu_timeline_kind kind, int steps);
enum status gpu_timeline_end(struct gpu_timeline *timeline);

// For nested grids, which launch only a few steps at a time: two events for each launch would cost as much as
// the launch. Adds *granted steps, at most `wanted`, to the open batch or to a new one. Do not call
// gpu_timeline_end: the functions that need a closed batch close it.
enum status gpu_timeline_join(struct gpu_timeline *timeline, int64_t wanted, int *granted);
enum status gpu_timeline_close_batch(struct gpu_timeline *timeline);

// Adds a copy whose two events have just been recorded on the copy stream; calls come in the order of the
// copies. The caller must have closed the open batch before it made the copy wait for the compute stream. The
// events may be recorded again after `end` has passed and gpu_timeline_update was called.
enum status gpu_timeline_copied(struct gpu_timeline *timeline, cudaEvent_t begin, cudaEvent_t end,
                                size_t bytes);

// Adds up the times of the batches and copies that are over by now. Does not wait.
enum status gpu_timeline_update(struct gpu_timeline *timeline);

// Returns the times so far; they are complete after gpu_timeline_finish.
struct device_times gpu_timeline_times(const struct gpu_timeline *timeline);

#endif
