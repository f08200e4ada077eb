// A gas solver's records on the device: the frames that they are made in, what the diagnostics need besides,
// and what was found wrong. The solver says where its particles lie; this module knows no steps and no
// forces.
#ifndef FATHOM_GPU_GAS_OUTPUT_H
#define FATHOM_GPU_GAS_OUTPUT_H

#include "gpu/frames.h"
#include "gpu/gas/results.h"
#include "models/gas/solver.h"

// What the solver lends.
struct gas_source {
    const struct gas_device_particles *particles;
    const double *energy; // of diagnostics: of pairs and outer forces
    const struct gas_device_alarm *alarm;
    const struct gas_device_counts *counts;
};

// Start from {0}.
struct gas_output {
    const struct gas_setup *setup; // the solver's
    struct gas_wanted wanted;
    struct results_gas_trajectory trajectory;
    struct gpu_frames frames[GAS_RESULTS], looks; // looks: notes alone, of guards without a frame
    // On the device
    unsigned *places; // by id, as of the last record; NULL: particles lie by id
    struct results_gas_scratch scratch;
    struct results_gas_finding *finding;
    char *host_finding; // a note, pinned
};

// Findings; always wanted.
enum status gas_records_plan_findings(struct gas_output *output, const struct gas_setup *setup,
                                      struct memory_plan *plan, const char *prefix);
// As the solver's operations of the same names (models/gas/solver.h). Particles have ids: they do not lie by
// them.
enum status gas_records_plan_results(struct gas_output *output, const struct gas_wanted *wanted, bool has_ids,
                                     struct memory_plan *plan, const char *prefix);
// Nothing is found yet.
enum status gas_records_start(struct gas_output *output, struct gpu_timeline *timeline);
enum status gas_records_capture(struct gas_output *output, struct gpu_timeline *timeline,
                                const struct gas_source *source, enum gas_result result, int slot,
                                size_t record);
enum status gas_records_send(struct gas_output *output, struct gpu_timeline *timeline,
                             const struct gas_source *source, enum gas_result result, int slot,
                             size_t records, void *to);
enum status gas_records_await(const struct gas_output *output, const struct gpu_timeline *timeline,
                              enum gas_result result, int slot, struct gas_finding *found);
// What is known of the alarm, without waiting; and sends for what there is to know now.
enum status gas_records_guard(struct gas_output *output, struct gpu_timeline *timeline,
                              const struct gas_source *source, struct gas_finding *found);
// Waits for both streams.
enum status gas_records_finish(struct gas_output *output, struct gpu_timeline *timeline,
                               const struct gas_source *source, struct gas_finding *found);
// Does each of these once, on memory that is still all zero.
enum status gas_records_warm_up(struct gas_output *output, struct gpu_timeline *timeline,
                                const struct gas_source *source);
void gas_records_close(struct gas_output *output);

#endif
