// An N-body solver's records on the device: the frames that they are made in, what the diagnostics need
// besides, and what the guard found. The solver says where its bodies lie; this module knows no steps and no
// forces.
#ifndef FATHOM_GPU_NBODY_OUTPUT_H
#define FATHOM_GPU_NBODY_OUTPUT_H

#include "gpu/frames.h"
#include "gpu/nbody/results.h"
#include "models/nbody/solver.h"

// Start from {0}.
struct body_output {
    bool is_planned;
    struct nbody_wanted wanted;
    struct results_nbody_trajectory trajectory;
    struct gpu_frames frames[NBODY_RESULTS], looks; // looks: notes alone, of guards without a frame
    // On the device
    unsigned *places; // by id, as of the last record; NULL: bodies lie by id
    struct results_nbody_scratch scratch;
    struct results_nbody_finding *finding;
    unsigned long long *first;
    char *host_finding; // a note, pinned
};

// As the solver's operations of the same names (models/nbody/solver.h).
enum status body_output_plan(struct body_output *output, const struct nbody_setup *setup,
                             const struct nbody_wanted *wanted, struct memory_plan *plan, const char *prefix);
// Nothing is found yet.
enum status body_output_start(struct body_output *output, struct gpu_timeline *timeline);
// `potentials`: of diagnostics, a field that has them; accelerations are in the bodies' own.
enum status body_output_capture(struct body_output *output, struct gpu_timeline *timeline,
                                const struct nbody_device_bodies *bodies, const void *potentials,
                                enum nbody_result result, int slot, size_t record);
enum status body_output_send(struct body_output *output, struct gpu_timeline *timeline,
                             enum nbody_result result, int slot, size_t records, void *to);
enum status body_output_await(const struct body_output *output, const struct gpu_timeline *timeline,
                              enum nbody_result result, int slot, struct nbody_unsound *found);
enum status body_output_guard(struct body_output *output, struct gpu_timeline *timeline,
                              const struct nbody_device_bodies *bodies, int64_t step,
                              struct nbody_unsound *found);
// Waits for both streams.
enum status body_output_finish(struct body_output *output, struct gpu_timeline *timeline,
                               struct nbody_unsound *found);
// Does each of these once, on memory that is still all zero.
enum status body_output_warm_up(struct body_output *output, struct gpu_timeline *timeline,
                                const struct nbody_device_bodies *bodies);
void body_output_close(struct body_output *output);

#endif
