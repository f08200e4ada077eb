// Frames on their way from the device to the host: made on the compute stream into device memory, copied on
// the copy stream to pinned memory, awaited by the I/O thread. The compute stream never waits for a copy,
// the run's thread never for either: there are as many device frames as the pipeline has host frames, so
// the owner of a free host frame may write the device frame of the same number. Knows no model and no file.
//
// With every frame travels a note of a few bytes, the same for all (what a guard found, say), as it was when
// the frame was sent.
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
    char *device_notes, *notes; // [slots][GPU_NOTE_BYTES]: on the device as they were when sent; on the host
    cudaEvent_t ready[PIPELINE_FRAME_SLOTS], begin[PIPELINE_FRAME_SLOTS], end[PIPELINE_FRAME_SLOTS];
    int events; // made
};

// Declares the frames and the notes; slots ≤ PIPELINE_FRAME_SLOTS.
enum status gpu_frames_plan(struct gpu_frames *frames, struct memory_plan *plan, int slots, size_t records,
                            size_t record_bytes, const char *name);
// Makes the events. Before the seal.
enum status gpu_frames_open(struct gpu_frames *frames);
void gpu_frames_close(struct gpu_frames *frames);

// Device address of a record, for the kernels that make it.
void *gpu_frames_record(const struct gpu_frames *frames, int slot, size_t record);

// In this order, by the run's thread. ready: what was begun on the compute stream is what the frame waits
// for; `note` (device, GPU_NOTE_BYTES) is taken. Between the two, kernels may be begun on the copy stream.
// send: the first `records` records start their way to `to` (pinned), and the note its own.
enum status gpu_frames_ready(struct gpu_frames *frames, struct gpu_timeline *timeline, int slot,
                             const void *note);
enum status gpu_frames_send(struct gpu_frames *frames, struct gpu_timeline *timeline, int slot,
                            size_t records, void *to);

// Returns when frame `slot` has arrived, asleep until then; its note (host) is valid until the slot is sent
// again. Any thread.
enum status gpu_frames_await(const struct gpu_frames *frames, const struct gpu_timeline *timeline, int slot,
                             const void **note);
// Whether it has arrived, without waiting: `note` is then set, else NULL. True of a slot never sent.
enum status gpu_frames_peek(const struct gpu_frames *frames, int slot, const void **note);

#endif
