// Measures the durations of a step's stages on the device, by its own clock: one step out of `every` has
// events between its stages, which are queried without waiting. Independent of models.
#ifndef FATHOM_GPU_SAMPLES_H
#define FATHOM_GPU_SAMPLES_H

#include "core/status.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

enum { STAGE_SAMPLES = 4, STAGE_SAMPLES_STAGES = 8 };

// Event k is recorded before stage k, the last one after the last stage. A stage whose event was not recorded
// is not part of the step; the stage before it lasts until the next recorded event.
struct stage_sample {
    cudaEvent_t events[STAGE_SAMPLES_STAGES + 1];
    unsigned recorded; // bit set of the recorded events
    bool is_in_progress;
};

// Start from {0}.
struct stage_samples {
    int stages; // ≤ STAGE_SAMPLES_STAGES
    int every;  // one step out of so many is measured
    struct stage_sample samples[STAGE_SAMPLES];
    int events;                           // created
    int64_t begun;                        // steps begun
    double seconds[STAGE_SAMPLES_STAGES]; // sum over the completed samples, by stage
    int64_t steps;                        // completed samples
};

// Creates the events, on the calling thread's device. Before the seal.
enum status stage_samples_open(struct stage_samples *samples, int stages, int every);
void stage_samples_close(struct stage_samples *samples);
// Sets all times to 0. No sample may be in progress.
void stage_samples_restart(struct stage_samples *samples);
// Adds up the completed samples. Does not wait.
enum status stage_samples_take(struct stage_samples *samples);
// Called for each step. *sample: a free sample, if there is one, for one step out of `every`; else NULL.
enum status stage_samples_choose(struct stage_samples *samples, struct stage_sample **sample);
// Records an event on the stream; the last event ends the sample. sample NULL: does nothing.
enum status stage_sample_mark(struct stage_sample *sample, int event, cudaStream_t stream);

#endif
