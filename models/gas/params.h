// A job of the gas model as checked numbers, in reduced units (k_B = 1). No array of particles is here:
// initial.h makes or reads those.
#ifndef FATHOM_MODELS_GAS_PARAMS_H
#define FATHOM_MODELS_GAS_PARAMS_H

#include "io/job/job.h"
#include "models/gas/solver.h"
#include "models/particles/params.h"

extern const struct job_key_table gas_keys;

// As the keys have them (params_physics.c).
extern const char *const gas_potential_names[GAS_POTENTIALS];
extern const char *const gas_wall_names[GAS_WALLS];
extern const char *const gas_side_names[GAS_SIDES];

struct gas_initial; // initial.h

// g(r), speeds and clusters, added up from `from` on.
struct gas_structure {
    double every, from; // every 0: not wanted
    double radius;      // of g(r), at most half the shortest periodic side
    int bins, speed_bins;
    // closer particles belong to the same cluster (Stillinger 1963, doi:10.1063/1.1776907)
    double cluster_distance;
};

struct gas_params {
    size_t count;
    struct gas_physics physics; // with the step
    struct gas_initial *initial;
    bool has_masses;
    double mass;
    int64_t steps;
    double duration;
    const struct gas_backend *backend;
    int device;
    enum element precision;
    struct particles_params outputs;
    struct gas_structure structure;
    // Of positions, in mean distances √(area/count); of velocities, in their root mean square.
    double check_tolerance;
};

// Reads the job and, of a file of particles, its header and numbers once. The job and `p` must stay where
// they are until gas_params_free. STATUS_CONFIGURATION, STATUS_NO_INPUT, STATUS_DATA: what is wrong, with its
// key, file and place.
enum status gas_params_read(const struct job *job, struct gas_params *p);
void gas_params_free(struct gas_params *p); // also after a failure

#endif
