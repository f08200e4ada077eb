// A gas solver's records on the device: the frames that they are made in, what the diagnostics need besides,
// and what was found wrong. The solver says where its particles lie; this module knows no steps and no
// forces.
#ifndef FATHOM_GPU_GAS_RESULTS_H
#define FATHOM_GPU_GAS_RESULTS_H

#include "gpu/gas/results_kernels.h"
#include "gpu/results.h"
#include "models/gas/solver.h"

// What the solver lends.
struct gas_source {
    const struct gas_device_particles *particles;
    const double *energy; // of diagnostics: of pairs and outer forces
    const struct gas_error_flag *error_flag;
    const struct gas_device_counts *counts;
};

// Start from {0}.
struct gas_device_results {
    const struct gas_setup *setup; // the solver's
    struct gpu_results results;
    struct gas_wanted wanted;
    struct results_gas_trajectory trajectory;
    unsigned *places; // device, by id, as of the last record; NULL: particles lie by id
    struct results_gas_scratch scratch;
};

// The finding; always wanted.
enum status gas_device_results_plan_finding(struct gas_device_results *output, const struct gas_setup *setup,
                                            struct memory_plan *plan, const char *prefix);
// As the solver's operations of the same names (models/gas/solver.h). Particles have ids: they do not lie by
// them.
enum status gas_device_results_plan(struct gas_device_results *output, const struct gas_wanted *wanted,
                                    bool has_ids, struct memory_plan *plan, const char *prefix);
// Nothing is found yet.
enum status gas_device_results_start(struct gas_device_results *output, struct gpu_timeline *timeline);
enum status gas_device_results_capture(struct gas_device_results *output, struct gpu_timeline *timeline,
                                       const struct gas_source *source, enum gas_result result, int slot,
                                       size_t record);
enum status gas_device_results_send(struct gas_device_results *output, struct gpu_timeline *timeline,
                                    const struct gas_source *source, enum gas_result result, int slot,
                                    size_t records, void *to);
enum status gas_device_results_await(const struct gas_device_results *output,
                                     const struct gpu_timeline *timeline, enum gas_result result, int slot,
                                     struct gas_finding *found);
// What is known of the error flag, without waiting; and sends for what there is to know now.
enum status gas_device_results_guard(struct gas_device_results *output, struct gpu_timeline *timeline,
                                     const struct gas_source *source, struct gas_finding *found);
// Waits for both streams.
enum status gas_device_results_finish(struct gas_device_results *output, struct gpu_timeline *timeline,
                                      const struct gas_source *source, struct gas_finding *found);
// Does each of these once, on memory that is still all zero.
enum status gas_device_results_warm_up(struct gas_device_results *output, struct gpu_timeline *timeline,
                                       const struct gas_source *source);
#endif
