// A heat solver's records on the device: the frames that they are made in, what the diagnostics need of the
// media, and what the guard found. The solver says where its state lies; this module knows no steps.
#ifndef FATHOM_GPU_BIOHEAT_RESULTS_H
#define FATHOM_GPU_BIOHEAT_RESULTS_H

#include "gpu/bioheat/results_kernels.h"
#include "gpu/results.h"
#include "models/bioheat/solver.h"

// Start from {0}.
struct heat_device_results {
    const struct bioheat_setup *setup; // the solver's
    struct gpu_results results;
    struct heat_shape shape;
    size_t elements, lead; // of the device's arrays
    struct bioheat_wanted wanted;
    unsigned char fields[BIOHEAT_FIELD_COUNT];
    // On the device
    double *partials; // block sums of every diagnostics record of the frames
    long long *places;
    unsigned char *roles;
    double *capacities;
    void *capacity;
    // On the host
    long long *host_places;
    unsigned char *host_roles;
    double *host_capacities;
    struct results_heat_media media;
};

// As the solver's operations of the same names (models/bioheat/solver.h). `setup` must stay where it is.
enum status heat_device_results_plan(struct heat_device_results *output, const struct bioheat_setup *setup,
                                     const struct heat_shape *shape, size_t elements, size_t lead,
                                     const struct bioheat_wanted *wanted, struct memory_plan *plan,
                                     const char *prefix);
// With the media filled in; `media`: the steps'. Begins uploads on the compute stream; nothing is found yet.
enum status heat_device_results_start(struct heat_device_results *output, struct gpu_timeline *timeline,
                                      const struct heat_media *media);
enum status heat_device_results_capture(struct heat_device_results *output, struct gpu_timeline *timeline,
                                        const struct results_heat *state, enum bioheat_result result,
                                        int slot, size_t record, int64_t step);
enum status heat_device_results_send(struct heat_device_results *output, struct gpu_timeline *timeline,
                                     enum bioheat_result result, int slot, size_t records, void *to);
enum status heat_device_results_await(const struct heat_device_results *output,
                                      const struct gpu_timeline *timeline, enum bioheat_result result,
                                      int slot, struct bioheat_nonfinite *found);
enum status heat_device_results_guard(struct heat_device_results *output, struct gpu_timeline *timeline,
                                      const struct results_heat *state, int64_t step,
                                      struct bioheat_nonfinite *found);
// Waits for both streams.
enum status heat_device_results_finish(struct heat_device_results *output, struct gpu_timeline *timeline,
                                       struct bioheat_nonfinite *found);
// Does each of these once, on memory that is still all zero.
enum status heat_device_results_warm_up(struct heat_device_results *output, struct gpu_timeline *timeline,
                                        const struct results_heat *state, const struct heat_media *media);
#endif
