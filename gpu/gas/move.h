// What a step of the gas does but for the pairs, on the device, as C and C++ see it: kicks, drifts, walls,
// thermostats, limiters, outer forces, and what is looked for on the way. Knows no memory plan and no solver.
#ifndef FATHOM_GPU_GAS_MOVE_H
#define FATHOM_GPU_GAS_MOVE_H

#include "gpu/gas/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gas_move {
    const struct gas_physics *physics; // the caller's
    double mass;                       // of all, unless each has its own
    struct gas_error_flag *error_flag;
    struct gas_device_counts *counts;
    // Who has gone further than half the skin since the sort; NULL without lists.
    const double *places;
    unsigned *stale;
    // Of Bussi's thermostat and of the limiter of energies; else NULL.
    double *kinetic;      // [count], by id
    double *partial;      // [gas_move_partials]
    double *sum, *factor; // a number each
};
size_t gas_move_partials(size_t count);
bool gas_move_has_sums(const struct gas_physics *physics);

// What one pass does, in this order.
enum gas_move_part {
    GAS_MOVE_KICK = 1,  // the step's second half kick
    GAS_MOVE_SCALE = 2, // velocities by `factor`
    GAS_MOVE_LIMIT_JUMPS = 4,
    GAS_MOVE_LIMIT_ENERGIES = 8, // to `factor`
    GAS_MOVE_NOTE_KINETIC = 16,
    GAS_MOVE_BEGIN = 32 // the next step up to its forces
};
// `done`: steps after which the forces are; what begins is the step of this number, what ends the one before.
// Where a list is stale, *stale becomes `token`.
cudaError_t gas_device_move(const struct gas_move *move, const struct gas_device_particles *particles,
                            int parts, long long done, unsigned token, cudaStream_t stream);
// From `kinetic`: Bussi's factor, or the most energy of a particle.
cudaError_t gas_device_find_factor(const struct gas_move *move, size_t count, long long done,
                                   cudaStream_t stream);
cudaError_t gas_device_find_limit(const struct gas_move *move, size_t count, cudaStream_t stream);
// Gravity and soft walls, added to forces and to potentials of pairs; either may be NULL.
cudaError_t gas_device_add_outer(const struct gas_move *move, const struct gas_device_particles *particles,
                                 double *force, gas_device_energy energy, cudaStream_t stream);
// Finds positions and velocities that are not finite or far outside, and forces that are not finite.
cudaError_t gas_device_look(const struct gas_move *move, const struct gas_device_particles *particles,
                            long long done, cudaStream_t stream);
cudaError_t gas_device_load_moves(const struct gas_physics *physics);

#ifdef __cplusplus
}
#endif

#endif
