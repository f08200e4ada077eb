// A step of the fast CPU version without its pair forces: kicks, drifts, walls, thermostats, limiters, outer
// forces, and the checks of each.
#ifndef FATHOM_MODELS_GAS_OPENMP_MOVE_H
#define FATHOM_MODELS_GAS_OPENMP_MOVE_H

#include "models/gas/openmp_solver.h"
#include "models/gas/openmp_sweeps_isa.h"

struct gas_mover {
    const struct gas_setup *setup;
    struct gas_arrays *particles;
    const uint32_t *index_of_id; // index in the arrays, by id
    double *terms;               // [count] by id: what is added up in a fixed order
    const struct sweep_functions *sweep;
    int threads;
    struct gas_division *division;
};

// The first error of a pass over the own particles, by id. GAS_NO_ERROR: none was found.
struct gas_first_error {
    enum gas_error error;
    int64_t id;
};

// From a step's beginning up to its forces. GAS_TOO_FAST, GAS_NOT_FINITE.
struct gas_first_error gas_move_first(const struct gas_mover *mover, int64_t step);
// Gravity and soft walls, added to the pairs' force; or (has_energy) to the potential. GAS_NOT_FINITE: the
// force.
struct gas_first_error gas_add_outer(const struct gas_mover *mover, bool has_energy);
// After the forces: the second kick, Bussi, limiters. Bussi and limiters need `index_of_id`.
enum status gas_move_last(const struct gas_mover *mover, int64_t step, struct gas_counts *counts);
// Non-finite positions and velocities, and positions far outside the box.
struct gas_first_error gas_check_particles(const struct gas_mover *mover);

#endif
