// A tsunami solver's records on the device: the frames that they are made in, the device's copy of what they
// need of the geometry, and what the guard found. The solver says where its state lies; this module knows
// neither steps nor tiles.
#ifndef FATHOM_GPU_TSUNAMI_OUTPUT_H
#define FATHOM_GPU_TSUNAMI_OUTPUT_H

#include "gpu/frames.h"
#include "gpu/tsunami/results.h"
#include "models/tsunami/solver.h"

// Start from {0}.
struct device_output {
    bool is_planned;
    const struct tsunami_setup *setup; // the solver's
    struct tsunami_wanted wanted;
    unsigned char fields[TSUNAMI_FIELD_COUNT];
    size_t record_bytes[TSUNAMI_RESULTS];
    struct gpu_frames frames[TSUNAMI_RESULTS], looks; // looks: notes alone, of guards without a frame
    // On the device
    struct results_geometry geometry;
    double *depth_m, *columns, *rows,
        *partials; // partials: one record's for every diagnostics record of the frames
    int *nodes;
    struct results_finding *finding;
    unsigned long long *first;
    // On the host
    double *host_columns, *host_rows;
    int *host_nodes;
    char *host_finding; // a note, pinned
};

// As the solver's operations of the same names (models/tsunami/solver.h). `setup` must stay where it is.
enum status device_output_plan(struct device_output *output, const struct tsunami_setup *setup,
                               const struct tsunami_wanted *wanted, struct memory_plan *plan,
                               const char *prefix);
// With the depth filled in: uploads on the compute stream; nothing is found yet.
enum status device_output_start(struct device_output *output, struct gpu_timeline *timeline);
enum status device_output_capture(struct device_output *output, struct gpu_timeline *timeline,
                                  const struct results_state *state, enum tsunami_result result, int slot,
                                  size_t record);
enum status device_output_send(struct device_output *output, struct gpu_timeline *timeline,
                               enum tsunami_result result, int slot, size_t records, void *to);
enum status device_output_await(const struct device_output *output, const struct gpu_timeline *timeline,
                                enum tsunami_result result, int slot, struct tsunami_unsound *found);
enum status device_output_guard(struct device_output *output, struct gpu_timeline *timeline,
                                const struct results_state *state, int64_t step,
                                struct tsunami_unsound *found);
// Waits for both streams.
enum status device_output_finish(struct device_output *output, struct gpu_timeline *timeline,
                                 struct tsunami_unsound *found);
// Does each of these once, on memory that is still all zero.
enum status device_output_warm_up(struct device_output *output, struct gpu_timeline *timeline,
                                  const struct results_state *state);
void device_output_close(struct device_output *output);

#endif
