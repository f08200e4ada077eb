// What the results of all models have in common on the device: frames of each kind of record, and the
// finding, a note of what the guard found, which travels with every frame. Knows no model.
#ifndef FATHOM_GPU_RESULTS_H
#define FATHOM_GPU_RESULTS_H

#include "gpu/frames.h"

enum { GPU_RESULT_KINDS = 4 };

// One kind of record. 0 slots: not wanted.
struct gpu_result_kind {
    const char *name;
    int slots;
    size_t frame_records, record_bytes;
};

// Start from {0}.
struct gpu_results {
    int kinds;
    struct gpu_frames frames[GPU_RESULT_KINDS];
    struct gpu_frames guards;  // notes alone, of guards without a frame
    void *finding;             // device, GPU_NOTE_BYTES; NULL: not planned
    unsigned long long *first; // device: number of the first invalid value; all bits set: none
    void *host_finding;        // a note, pinned
};

// Declare the finding and the guards' notes, and the frames of `count` kinds; make their events.
enum status gpu_results_plan_finding(struct gpu_results *results, struct memory_plan *plan,
                                     const char *prefix);
enum status gpu_results_plan_frames(struct gpu_results *results, const struct gpu_result_kind *kinds,
                                    int count, struct memory_plan *plan, const char *prefix);
void gpu_results_close(struct gpu_results *results);

// Nothing is found yet.
enum status gpu_results_start(const struct gpu_results *results, const struct gpu_timeline *timeline);

// As gpu_frames_ready and gpu_frames_send, with the finding as the note. 0 records: the note alone.
enum status gpu_results_ready(struct gpu_results *results, struct gpu_timeline *timeline, int kind, int slot);
enum status gpu_results_send(struct gpu_results *results, struct gpu_timeline *timeline, int kind, int slot,
                             size_t records, void *to);

// After a guard: the finding as far as it is known, without waiting, and sends for what there is to know now.
// *note is NULL if the last one is still on its way; the finding stays, so nothing is lost.
enum status gpu_results_peek(struct gpu_results *results, struct gpu_timeline *timeline, const void **note);

// Waits for both streams; *note is the finding, NULL if none was planned.
enum status gpu_results_finish(struct gpu_results *results, struct gpu_timeline *timeline, const void **note);

#endif
