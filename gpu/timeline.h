// The two CUDA streams of a solver, the order of the work on them, the times of that work by the device's own
// clock, and a bound on how far the host runs ahead. Work on the compute stream is begun in batches, each
// between two events; copies on the copy stream likewise. The events lie in fixed rings, created before the
// seal, and are queried without waiting. Independent of models.
//
// The host only begins work. A launch queue holds about a thousand kernels, and the host checks signals and
// the clock between batches. So before a batch it sleeps until the steps under way are no more than two
// batches' worth, 2 GPU_TIMELINE_BATCH_S: the device always has work, and the host never waits for the work
// that it has just begun. Steps are counted, not kernels: one kernel may do many steps, and one step take
// several kernels.
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
    GPU_TIMELINE_BATCHES = 1024, // more than can be under way, so that a copy finds the batch before it
    GPU_TIMELINE_COPIES = 64,    // more than there are frames
    GPU_TIMELINE_BATCH_STEPS = 256
};

// A batch is the work of about this long; twice as much is under way at most.
#define GPU_TIMELINE_BATCH_S 5e-3

enum gpu_timeline_kind { GPU_TIMELINE_STEPS, GPU_TIMELINE_RESULTS, GPU_TIMELINE_KINDS };

struct gpu_timeline_batch {
    cudaEvent_t begin, end;
    enum gpu_timeline_kind kind;
    int steps;
    double begin_s; // since the first batch; known once it is over
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
    int steps_ahead; // in the batches that are not over
    struct gpu_timeline_copy copies[GPU_TIMELINE_COPIES];
    int copy_head, copy_count; // under way
    struct overlap overlap;    // of batches (first) and copies (second)
    double seconds[GPU_TIMELINE_KINDS], copied_bytes, copy_s;
    double step_s; // time of a step, by the last batch of steps that is over; 0: not measured yet
    int64_t lost;  // copies whose batch was no longer in the ring
    int events;    // created
};

// Creates streams and events on device number `device`, which is the calling thread's. Before the seal.
enum status gpu_timeline_open(struct gpu_timeline *timeline, int device);
void gpu_timeline_close(struct gpu_timeline *timeline);

// Sleeps until all work on both streams is done; the times are then complete.
enum status gpu_timeline_finish(struct gpu_timeline *timeline);
// Sleeps until all work on the compute stream is done.
enum status gpu_timeline_finish_compute(struct gpu_timeline *timeline);

// Begin a copy, or filling with a byte, on the compute stream. 0 bytes: nothing.
enum status gpu_timeline_upload(const struct gpu_timeline *timeline, void *to, const void *from,
                                size_t bytes);
enum status gpu_timeline_download(const struct gpu_timeline *timeline, void *to, const void *from,
                                  size_t bytes);
enum status gpu_timeline_fill(const struct gpu_timeline *timeline, void *to, int byte, size_t bytes);

// Sets all times to 0. No work may be under way.
void gpu_timeline_restart(struct gpu_timeline *timeline);

// Returns the most steps that a batch should have, from the measured time of a step: 1 …
// GPU_TIMELINE_BATCH_STEPS.
int gpu_timeline_batch_steps(const struct gpu_timeline *timeline);

// The work between these two calls is a batch of `steps` steps on the compute stream; results count as about
// as many steps as they have kernels. begin closes an open batch, and waits as described above.
enum status gpu_timeline_begin(struct gpu_timeline *timeline, enum gpu_timeline_kind kind, int steps);
enum status gpu_timeline_end(struct gpu_timeline *timeline);

// For grids nested in each other, which begin a few steps at a time: two events each time would cost as much
// as the launch. Up to `wanted` steps, *granted of them, join the open batch or a new one. No
// gpu_timeline_end follows: the functions that need the batch closed close it.
enum status gpu_timeline_join(struct gpu_timeline *timeline, int64_t wanted, int *granted);
enum status gpu_timeline_close_batch(struct gpu_timeline *timeline);

// Adds a copy whose two events have just been recorded on the copy stream; calls come in the order of the
// copies. No batch was open when the copy was made to wait for the compute stream. The events may be recorded
// anew once `end` has passed and gpu_timeline_update was called.
enum status gpu_timeline_copied(struct gpu_timeline *timeline, cudaEvent_t begin, cudaEvent_t end,
                                size_t bytes);

// Adds up the times of the batches and copies that are over by now. Does not wait.
enum status gpu_timeline_update(struct gpu_timeline *timeline);

// Returns the times so far; they are complete after gpu_timeline_finish.
struct device_times gpu_timeline_times(const struct gpu_timeline *timeline);

#endif
