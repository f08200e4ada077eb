// What the phases of a step take on the device, by its own clock: of one step out of some, by events between
// the phases, which are looked at without waiting once the step is over. Knows no model.
#ifndef FATHOM_GPU_SAMPLES_H
#define FATHOM_GPU_SAMPLES_H

#include "core/status.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

enum { PHASE_SAMPLES = 4, PHASE_SAMPLES_PHASES = 8 };

// Event k: before phase k; the last: after the last. A phase whose event was not recorded is not in the step;
// the one before it lasts until the next that is.
struct phase_sample {
    cudaEvent_t events[PHASE_SAMPLES_PHASES + 1];
    unsigned recorded; // bits
    bool is_under_way;
};

// Start from {0}.
struct phase_samples {
    int phases, every; // ≤ PHASE_SAMPLES_PHASES; one step out of `every`
    struct phase_sample samples[PHASE_SAMPLES];
    int events;    // made
    int64_t begun; // steps
    // Of the samples that are over.
    double seconds[PHASE_SAMPLES_PHASES];
    int64_t steps;
};

// Makes the events, on the calling thread's device. Before the seal.
enum status phase_samples_open(struct phase_samples *samples, int phases, int every);
void phase_samples_close(struct phase_samples *samples);
// Begins the account anew. Nothing may be under way.
void phase_samples_restart(struct phase_samples *samples);
// Takes in the samples that are over. Does not wait.
enum status phase_samples_take(struct phase_samples *samples);
// Of each step: one that is free, now and then; else *sample is NULL.
enum status phase_samples_choose(struct phase_samples *samples, struct phase_sample **sample);
// Records an event on the stream; the last one ends the sample. sample NULL: does nothing.
enum status phase_sample_mark(struct phase_sample *sample, int event, cudaStream_t stream);

#endif
