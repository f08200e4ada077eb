// The blocks `output` and `check` of a job for every model of particles, and the keys of a file of particles.
// Independent of models and back ends.
#ifndef FATHOM_MODELS_PARTICLES_PARAMS_H
#define FATHOM_MODELS_PARTICLES_PARAMS_H

#include "core/element.h"
#include "io/job/job.h"

// Times in the run's units.
struct particles_params {
    double trajectory_every, diagnostics_every; // 0: not wanted
    size_t trajectory_stride;
    bool has_velocities, has_accelerations, has_final_state; // final state: of all at the end, in double
    enum element trajectory_element;
    int64_t check_steps;
};

// How a model reads times: by job_number or job_reduced; `unit`: the run's unit of time in that of the job.
struct particles_times {
    double (*number)(const struct job *job, const char *key);
    double unit, duration, step;
};

// many: "bodies"; count: their number. STATUS_CONFIGURATION: the stride leaves only the first one.
enum status particles_params_read(const struct job *job, const struct particles_times *times,
                                  const char *many, size_t count, struct particles_params *p);
// Warns if the job gives an interval shorter than the step.
void particles_params_warn_of_short(const struct job *job, const struct particles_times *times,
                                    const char *key);

// Rows of a table of keys (models/keys.h).
#define PARTICLES_FILE_KEYS(many)                                                                            \
    REQUIRED_TEXT("particles.file.file", "file of positions and velocities"),                                \
        WHOLE("particles.file.frame", NULL, 0, 9007199254740991.0,                                           \
              "frame of a trajectory, from 0; if left out, the last"),                                       \
        TEXT("particles.file.position", NULL,                                                                \
             "variable of the positions, (" many ", 3) or (frames, " many                                    \
             ", 3), or three names, \"x y z\"; if left out, position, positions, coordinates, pos, or x y "  \
             "z"),                                                                                           \
        TEXT("particles.file.velocity", NULL,                                                                \
             "the same for the velocities; if left out, velocity, velocities, vel, or vx vy vz"),            \
        TEXT("particles.file.mass", NULL,                                                                    \
             "variable of the masses, (" many "); if left out, mass, masses, or m"),                         \
        TEXT("particles.file.mass_file", NULL,                                                               \
             "another file with the masses, because AMBER trajectories have none")

#endif
