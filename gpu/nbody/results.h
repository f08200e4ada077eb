// An N-body solver's records on the device: the frames that they are made in, what the diagnostics need
// besides, and what the guard found. The solver says where its bodies lie; this module knows no steps and no
// forces.
#ifndef FATHOM_GPU_NBODY_RESULTS_H
#define FATHOM_GPU_NBODY_RESULTS_H

#include "gpu/nbody/results_kernels.h"
#include "gpu/results.h"
#include "models/nbody/solver.h"

// Start from {0}.
struct nbody_device_results {
    struct gpu_results results;
    struct nbody_wanted wanted;
    struct results_nbody_trajectory trajectory;
    unsigned *places; // device, by id, as of the last record; NULL: bodies lie by id
    struct results_nbody_scratch scratch;
};

// As the solver's operations of the same names (models/nbody/solver.h).
enum status nbody_device_results_plan(struct nbody_device_results *output, const struct nbody_setup *setup,
                                      const struct nbody_wanted *wanted, struct memory_plan *plan,
                                      const char *prefix);
// Nothing is found yet.
enum status nbody_device_results_start(struct nbody_device_results *output, struct gpu_timeline *timeline);
// `potentials`: of diagnostics, a field that has them; accelerations are in the bodies' own.
enum status nbody_device_results_capture(struct nbody_device_results *output, struct gpu_timeline *timeline,
                                         const struct nbody_device_bodies *bodies, const void *potentials,
                                         enum nbody_result result, int slot, size_t record);
enum status nbody_device_results_send(struct nbody_device_results *output, struct gpu_timeline *timeline,
                                      enum nbody_result result, int slot, size_t records, void *to);
enum status nbody_device_results_await(const struct nbody_device_results *output,
                                       const struct gpu_timeline *timeline, enum nbody_result result,
                                       int slot, struct nbody_nonfinite *found);
enum status nbody_device_results_guard(struct nbody_device_results *output, struct gpu_timeline *timeline,
                                       const struct nbody_device_bodies *bodies, int64_t step,
                                       struct nbody_nonfinite *found);
// Waits for both streams.
enum status nbody_device_results_finish(struct nbody_device_results *output, struct gpu_timeline *timeline,
                                        struct nbody_nonfinite *found);
// Does each of these once, on memory that is still all zero.
enum status nbody_device_results_warm_up(struct nbody_device_results *output, struct gpu_timeline *timeline,
                                         const struct nbody_device_bodies *bodies);
#endif
