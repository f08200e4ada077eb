// What the results of all models have in common on the device: frames of each kind of record, and the
// finding, a note of what the guard found, which is sent with every frame. Independent of models.
#ifndef FATHOM_GPU_RESULTS_H
#define FATHOM_GPU_RESULTS_H

#include "gpu/frames.h"

enum { GPU_RESULT_KINDS = 4 };

// One kind of record.
struct gpu_result_kind {
    const char *name;
    size_t record_bytes;
    size_t pieces, host_stride; // struct gpu_frames
};

// Start from {0}.
struct gpu_results {
    int kinds;
    struct gpu_frames frames[GPU_RESULT_KINDS];
    struct gpu_frames guards;  // notes alone, of guards without a frame
    void *finding;             // device, GPU_NOTE_BYTES; NULL: not planned
    unsigned long long *first; // device: number of the first invalid value; all bits set: none found
    void *host_finding;        // a note, pinned
};

// Plans the finding and the guards' notes, and creates their events.
enum status gpu_results_plan_finding(struct gpu_results *results, struct memory_plan *plan,
                                     const char *prefix);
// Plans the frames of `count` kinds, and creates their events: slots[kind] frames (0: not wanted) of
// frame_records[kind] records.
enum status gpu_results_plan_frames(struct gpu_results *results, const struct gpu_result_kind *kinds,
                                    int count, const int *slots, const size_t *frame_records,
                                    struct memory_plan *plan, const char *prefix);
void gpu_results_close(struct gpu_results *results);

// Clears the finding. Does nothing if no finding was planned.
enum status gpu_results_start(const struct gpu_results *results, const struct gpu_timeline *timeline);

// Like gpu_frames_ready and gpu_frames_send, with the finding as the note. 0 records: only the note is sent.
enum status gpu_results_ready(struct gpu_results *results, struct gpu_timeline *timeline, int kind, int slot);
enum status gpu_results_send(struct gpu_results *results, struct gpu_timeline *timeline, int kind, int slot,
                             size_t records, void *to);

// Ends the batch of a guard, without waiting. *note: the last note that was sent, after which the next one is
// sent; NULL if it has not arrived yet: the finding stays on the device.
enum status gpu_results_end_guard(struct gpu_results *results, struct gpu_timeline *timeline,
                                  const void **note);

// Waits for both streams; *note is the finding, NULL if none was planned.
enum status gpu_results_finish(struct gpu_results *results, struct gpu_timeline *timeline, const void **note);

// Calls `make` for each wanted kind, which makes record 0 of frame 0 and sends the note alone, and waits for
// that note. Called before the seal, when no host frame exists.
struct solver;
enum status gpu_results_warm_up(const struct gpu_results *results, const struct gpu_timeline *timeline,
                                struct solver *solver, enum status (*make)(struct solver *solver, int kind));

#endif
