// Frames from the device to the host: computed on the compute stream into device memory, copied on the copy
// stream to pinned memory, awaited by the I/O thread. The compute stream never waits for a copy, and the
// run's thread for neither: there are as many device frames as host frames of the pipeline, so that the owner
// of a free host frame may write the device frame of the same number. Independent of models and files.
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
    size_t records;      // of a frame; 0: notes only
    size_t record_bytes; // of one record
    // Of a record in pieces, which lie so many bytes apart on the host (a frame then has one record); 0: in
    // one piece.
    size_t pieces, host_stride;
    char *data;         // device, [slots][records][record_bytes]
    char *device_notes; // device, [slots][GPU_NOTE_BYTES]: the notes as they were sent
    char *notes;        // host, [slots][GPU_NOTE_BYTES]
    cudaEvent_t ready[PIPELINE_FRAME_SLOTS], begin[PIPELINE_FRAME_SLOTS], end[PIPELINE_FRAME_SLOTS];
    int events; // created
};

// Declares the frames and the notes; slots ≤ PIPELINE_FRAME_SLOTS.
enum status gpu_frames_plan(struct gpu_frames *frames, struct memory_plan *plan, int slots, size_t records,
                            size_t record_bytes, const char *name);
// Creates the events. Called before the seal.
enum status gpu_frames_open(struct gpu_frames *frames);
void gpu_frames_close(struct gpu_frames *frames);

// Returns the device address of a record, for the kernels that compute it.
void *gpu_frames_record(const struct gpu_frames *frames, int slot, size_t record);

// Makes the frame wait for all work begun on the compute stream so far, and copies `note` (device,
// GPU_NOTE_BYTES). The run's thread calls it before gpu_frames_send; in between, kernels may be launched on
// the copy stream.
enum status gpu_frames_ready(struct gpu_frames *frames, struct gpu_timeline *timeline, int slot,
                             const void *note);
// Begins the copies of the first `records` records to `to` (pinned), and of the note.
enum status gpu_frames_send(struct gpu_frames *frames, struct gpu_timeline *timeline, int slot,
                            size_t records, void *to);

// Sleeps until frame `slot` has arrived; its note (host) is valid until the slot is sent again. May be called
// by any thread.
enum status gpu_frames_await(const struct gpu_frames *frames, const struct gpu_timeline *timeline, int slot,
                             const void **note);
// Sets *note if the frame has arrived, else to NULL, without waiting. A slot never sent counts as arrived.
enum status gpu_frames_peek(const struct gpu_frames *frames, int slot, const void **note);

#endif
