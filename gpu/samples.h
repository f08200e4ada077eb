// What the stages of a step take on the device, by its own clock: of one step out of some, by events between
// the stages, which are looked at without waiting once the step is over. Knows no model.
#ifndef FATHOM_GPU_SAMPLES_H
#define FATHOM_GPU_SAMPLES_H

#include "core/status.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

enum { STAGE_SAMPLES = 4, STAGE_SAMPLES_STAGES = 8 };

// Event k: before stage k; the last: after the last. A stage whose event was not recorded is not in the step;
// the one before it lasts until the next that is.
struct stage_sample {
    cudaEvent_t events[STAGE_SAMPLES_STAGES + 1];
    unsigned recorded; // bits
    bool is_under_way;
};

// Start from {0}.
struct stage_samples {
    int stages, every; // ≤ STAGE_SAMPLES_STAGES; one step out of `every`
    struct stage_sample samples[STAGE_SAMPLES];
    int events;    // made
    int64_t begun; // steps
    // Of the samples that are over.
    double seconds[STAGE_SAMPLES_STAGES];
    int64_t steps;
};

// Makes the events, on the calling thread's device. Before the seal.
enum status stage_samples_open(struct stage_samples *samples, int stages, int every);
void stage_samples_close(struct stage_samples *samples);
// Begins the account anew. Nothing may be under way.
void stage_samples_restart(struct stage_samples *samples);
// Takes in the samples that are over. Does not wait.
enum status stage_samples_take(struct stage_samples *samples);
// Of each step: one that is free, now and then; else *sample is NULL.
enum status stage_samples_choose(struct stage_samples *samples, struct stage_sample **sample);
// Records an event on the stream; the last one ends the sample. sample NULL: does nothing.
enum status stage_sample_mark(struct stage_sample *sample, int event, cudaStream_t stream);

#endif
