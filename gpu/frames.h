// Frames from the device to the host: computed on the compute stream into device memory, copied on the copy
// stream to pinned memory, awaited by the I/O thread. The compute stream never waits for a copy, and the
// run's thread for neither: there are as many device frames as host frames of the pipeline, so that the owner
// of a free host frame may write the device frame of the same number. Knows no model and no file.
//
// A note of a few bytes is sent with every frame, as it is at that time (a guard's finding, for example).
#ifndef FATHOM_GPU_FRAMES_H
#define FATHOM_GPU_FRAMES_H

#include "core/memory_plan.h"
#include "core/pipeline.h"
#include "core/status.h"
#include "gpu/timeline.h"

#include <cuda_runtime_api.h>

enum { GPU_NOTE_BYTES = 64 };

// One kind of frame. Start from {0}.
struct gpu_frames {
    int slots;
    size_t records, record_bytes; // of a frame; 0 records: notes only
    char *data;                   // device, [slots][records][record_bytes]
    char *device_notes, *notes;   // [slots][GPU_NOTE_BYTES]: on the device, as when sent; on the host
    cudaEvent_t ready[PIPELINE_FRAME_SLOTS], begin[PIPELINE_FRAME_SLOTS], end[PIPELINE_FRAME_SLOTS];
    int events; // created
};

// Declares the frames and the notes; slots ≤ PIPELINE_FRAME_SLOTS.
enum status gpu_frames_plan(struct gpu_frames *frames, struct memory_plan *plan, int slots, size_t records,
                            size_t record_bytes, const char *name);
// Creates the events. Before the seal.
enum status gpu_frames_open(struct gpu_frames *frames);
void gpu_frames_close(struct gpu_frames *frames);

// Device address of a record, for the kernels that compute it.
void *gpu_frames_record(const struct gpu_frames *frames, int slot, size_t record);

// In this order, by the run's thread. ready: the frame waits for all work begun on the compute stream so far;
// `note` (device, GPU_NOTE_BYTES) is copied. Between the two, kernels may be launched on the copy stream.
// send: begins the copies of the first `records` records to `to` (pinned), and of the note.
enum status gpu_frames_ready(struct gpu_frames *frames, struct gpu_timeline *timeline, int slot,
                             const void *note);
enum status gpu_frames_send(struct gpu_frames *frames, struct gpu_timeline *timeline, int slot,
                            size_t records, void *to);

// Sleeps until frame `slot` has arrived; its note (host) is valid until the slot is sent again. Any thread.
enum status gpu_frames_await(const struct gpu_frames *frames, const struct gpu_timeline *timeline, int slot,
                             const void **note);
// Does not wait: sets `note` if the frame has arrived, else to NULL. A slot never sent counts as arrived.
enum status gpu_frames_peek(const struct gpu_frames *frames, int slot, const void **note);

#endif
