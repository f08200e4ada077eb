// A heat solver's records on the device: the frames that they are made in, what the diagnostics need of the
// media, and what the guard found. The solver says where its state lies; this module knows no steps.
#ifndef FATHOM_GPU_BIOHEAT_OUTPUT_H
#define FATHOM_GPU_BIOHEAT_OUTPUT_H

#include "gpu/bioheat/results.h"
#include "gpu/frames.h"
#include "models/bioheat/solver.h"

// Start from {0}.
struct heat_output {
    bool is_planned;
    const struct bioheat_setup *setup; // the solver's
    struct heat_shape shape;
    size_t elements, lead; // of the device's arrays
    struct bioheat_wanted wanted;
    unsigned char fields[BIOHEAT_FIELD_COUNT];
    size_t record_bytes[BIOHEAT_RESULTS];
    struct gpu_frames frames[BIOHEAT_RESULTS], looks; // looks: notes alone, of guards without a frame
    // On the device
    double *partials; // one record's for every diagnostics record of the frames
    long long *places;
    unsigned char *roles;
    double *capacities;
    void *capacity;
    struct results_heat_finding *finding;
    unsigned long long *first;
    // On the host
    long long *host_places;
    unsigned char *host_roles;
    double *host_capacities;
    char *host_finding; // a note, pinned
    struct results_heat_media media;
};

// As the solver's operations of the same names (models/bioheat/solver.h). `setup` must stay where it is.
enum status heat_output_plan(struct heat_output *output, const struct bioheat_setup *setup,
                             const struct heat_shape *shape, size_t elements, size_t lead,
                             const struct bioheat_wanted *wanted, struct memory_plan *plan,
                             const char *prefix);
// With the media filled in; `media`: the steps'. Begins uploads on the compute stream; nothing is found yet.
enum status heat_output_start(struct heat_output *output, struct gpu_timeline *timeline,
                              const struct heat_media *media);
enum status heat_output_capture(struct heat_output *output, struct gpu_timeline *timeline,
                                const struct results_heat *state, enum bioheat_result result, int slot,
                                size_t record, int64_t step);
enum status heat_output_send(struct heat_output *output, struct gpu_timeline *timeline,
                             enum bioheat_result result, int slot, size_t records, void *to);
enum status heat_output_await(const struct heat_output *output, const struct gpu_timeline *timeline,
                              enum bioheat_result result, int slot, struct bioheat_unsound *found);
enum status heat_output_guard(struct heat_output *output, struct gpu_timeline *timeline,
                              const struct results_heat *state, int64_t step, struct bioheat_unsound *found);
// Waits for both streams.
enum status heat_output_finish(struct heat_output *output, struct gpu_timeline *timeline,
                               struct bioheat_unsound *found);
// Does each of these once, on memory that is still all zero.
enum status heat_output_warm_up(struct heat_output *output, struct gpu_timeline *timeline,
                                const struct results_heat *state, const struct heat_media *media);
void heat_output_close(struct heat_output *output);

#endif
