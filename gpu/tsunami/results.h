// A tsunami solver's records on the device: the frames that they are made in, the device's copy of what they
// need of the geometry, and what the guard found. The solver says where its state lies; this module knows
// neither steps nor tiles.
#ifndef FATHOM_GPU_TSUNAMI_RESULTS_H
#define FATHOM_GPU_TSUNAMI_RESULTS_H

#include "gpu/results.h"
#include "gpu/tsunami/results_kernels.h"
#include "models/tsunami/solver.h"

// Start from {0}.
struct tsunami_device_results {
    const struct tsunami_setup *setup; // the solver's
    struct gpu_results results;
    struct tsunami_wanted wanted;
    unsigned char fields[TSUNAMI_FIELD_COUNT];
    // On the device
    struct results_geometry geometry;
    double *depth_m, *columns, *rows;
    double *partials; // block sums of every diagnostics record of the frames
    int *nodes;
    // On the host
    double *host_columns, *host_rows;
    int *host_nodes;
};

// As the solver's operations of the same names (models/tsunami/solver.h). `setup` must stay where it is.
enum status tsunami_device_results_plan(struct tsunami_device_results *output,
                                        const struct tsunami_setup *setup,
                                        const struct tsunami_wanted *wanted, struct memory_plan *plan,
                                        const char *prefix);
// With the depth filled in: uploads on the compute stream; nothing is found yet.
enum status tsunami_device_results_start(struct tsunami_device_results *output,
                                         struct gpu_timeline *timeline);
enum status tsunami_device_results_capture(struct tsunami_device_results *output,
                                           struct gpu_timeline *timeline, const struct results_state *state,
                                           enum tsunami_result result, int slot, size_t record);
enum status tsunami_device_results_send(struct tsunami_device_results *output, struct gpu_timeline *timeline,
                                        enum tsunami_result result, int slot, size_t records, void *to);
enum status tsunami_device_results_await(const struct tsunami_device_results *output,
                                         const struct gpu_timeline *timeline, enum tsunami_result result,
                                         int slot, struct tsunami_invalid *found);
enum status tsunami_device_results_guard(struct tsunami_device_results *output, struct gpu_timeline *timeline,
                                         const struct results_state *state, int64_t step,
                                         struct tsunami_invalid *found);
// Waits for both streams.
enum status tsunami_device_results_finish(struct tsunami_device_results *output,
                                          struct gpu_timeline *timeline, struct tsunami_invalid *found);
// Does each of these once, on memory that is still all zero.
enum status tsunami_device_results_warm_up(struct tsunami_device_results *output,
                                           struct gpu_timeline *timeline, const struct results_state *state);
#endif
