// Output of a run of particles: a trajectory in AMBER's layout, and the file of all particles at the end. For
// every model of particles, in two dimensions (z = 0) or three.
#ifndef FATHOM_MODELS_PARTICLES_OUTPUT_H
#define FATHOM_MODELS_PARTICLES_OUTPUT_H

#include "core/memory_plan.h"
#include "core/statistics.h"
#include "core/status.h"
#include "core/stream.h"
#include "models/instance.h"

// A trajectory always has three components. A thread handles PARTICLES_BLOCK particles at a time.
enum { PARTICLES_AXES = 3, PARTICLES_BLOCK = STATISTICS_BLOCK };
struct particles_sample {
    double position[PARTICLES_AXES], velocity[PARTICLES_AXES], mass;
    double acceleration[PARTICLES_AXES]; // set only with has_accelerations
};

// A unit of the results.
struct particles_unit {
    double scale;     // number in the results = number of the run · scale
    const char *name; // in the results: "m"
};

struct particles_output {
    // Set by the caller before the first call.
    const char *noun; // plural: "bodies"
    size_t count;
    size_t stride; // the trajectory has every stride-th particle by id
    bool has_velocities;
    bool has_accelerations; // in the trajectory and in the file of all particles at the end
    enum element element;   // of the trajectory
    struct particles_unit length, velocity, acceleration, mass, time;
    // One angstrom and one picosecond of the trajectory represent 10^these of the results' length and time.
    // 0 in reduced units: the numbers are the run's.
    int angstrom_exponent, picosecond_exponent;
    double cell[PARTICLES_AXES]; // sides of the periodic cell in the results' units; 0: none
    int threads;
    bool is_idle; // another rank makes the records: streams are described, and nothing else is planned
    // Copies particles first … first + count − 1 (count ≤ PARTICLES_BLOCK) in the run's units. Called by many
    // threads at once.
    void (*get)(const void *context, size_t first, size_t count, struct particles_sample *samples);
    const void *context;
    // Set by particles_output_plan*.
    struct stream trajectory, final;
    struct particles_sample *samples; // scratch in the plan: [threads][PARTICLES_BLOCK]
    size_t trajectory_count;          // particles of a frame; 0: there is no trajectory
    char title[2][64], comment[2][400];
};

// Plans the scratch, before the seal. Then plan the wanted streams; `output` must not be moved afterwards,
// because it holds their descriptions.
enum status particles_output_plan(struct particles_output *output, struct memory_plan *memory);
enum status particles_output_plan_trajectory(struct particles_output *output, struct memory_plan *memory);
void particles_output_plan_final(struct particles_output *output);

// Returns the factor that converts a trajectory's vectors from the run's units to those of the file.
enum particles_vector { PARTICLES_LENGTH, PARTICLES_SPEED, PARTICLES_ACCELERATION, PARTICLES_VECTORS };
double particles_output_scale(const struct particles_output *output, enum particles_vector vector);

// Fills in the masses of a trajectory. Called when the particles are set.
void particles_output_start(struct particles_output *output);

// Write the particles that `get` returns as a record. `time`: in the results' units.
void particles_output_capture_trajectory(const struct particles_output *output, void *record);
void particles_output_capture_final(const struct particles_output *output, double time, double *record);

// Adds a stream to the plan (instance_add_stream) of a run of `duration_s` in `steps` steps, with a record at
// the start, every `every_s` and at the end. every_s 0: one record, at the end.
void particles_output_add_stream(struct instance *instance, struct model_plan *plan, struct stream *stream,
                                 double every_s, double duration_s, int64_t steps, int kind, int result);

#endif
