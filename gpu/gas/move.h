// A step of the gas on the device without the pairs: kicks, drifts, walls, thermostats, limiters, outer
// forces, and the checks on the way. Independent of the memory plan and of solvers.
#ifndef FATHOM_GPU_GAS_MOVE_H
#define FATHOM_GPU_GAS_MOVE_H

#include "gpu/extern_c.h"
#include "gpu/gas/bands.h"

EXTERN_C_BEGIN

struct gas_move {
    const struct gas_physics *physics; // the caller's
    double mass;                       // of all, unless each has its own
    struct gas_error_flag *error_flag;
    struct gas_device_counts *counts;
    // To mark the lists as stale when a particle moves further than half the skin; NULL without lists.
    const double *at_sort;
    unsigned *stale;
    const struct gas_bands *bands; // moves and checks the own particles alone; NULL: all
    double row_height;             // with bands: of the cells
    // Of Bussi's thermostat and of the limiter of energies; else NULL.
    double *kinetic;      // [count], by id
    double *partial;      // [gas_move_partials]
    double *sum, *factor; // [1] each
};
size_t gas_move_partials(size_t count);
bool gas_move_has_sums(const struct gas_physics *physics);

// The parts of one pass, in this order.
enum gas_move_part {
    GAS_MOVE_KICK = 1,  // the step's second half kick
    GAS_MOVE_SCALE = 2, // velocities by `factor`
    GAS_MOVE_LIMIT_JUMPS = 4,
    GAS_MOVE_LIMIT_ENERGIES = 8, // to `factor`
    GAS_MOVE_NOTE_KINETIC = 16,
    GAS_MOVE_BEGIN = 32 // the next step up to its forces
};
// `done`: number of steps done when the forces were computed. The step of this number begins, the one before
// ends. If a list becomes stale, *stale becomes `token`.
cudaError_t gas_device_move(const struct gas_move *move, const struct gas_device_particles *particles,
                            int parts, long long done, unsigned token, cudaStream_t stream);
// From `kinetic`: Bussi's factor, or the largest permitted energy of a particle.
cudaError_t gas_device_find_factor(const struct gas_move *move, size_t count, long long done,
                                   cudaStream_t stream);
cudaError_t gas_device_find_limit(const struct gas_move *move, size_t count, cudaStream_t stream);
// Gravity and soft walls, added to forces and to potentials of pairs; either may be NULL.
cudaError_t gas_device_add_outer(const struct gas_move *move, const struct gas_device_particles *particles,
                                 double *force, gas_device_energy energy, cudaStream_t stream);
// Raises the error flag for non-finite positions, velocities and forces, and for positions far outside.
cudaError_t gas_device_check(const struct gas_move *move, const struct gas_device_particles *particles,
                             long long done, cudaStream_t stream);
// Makes the first error of `count` ranks, of which flags[rank] is this one's, that of this rank.
cudaError_t gas_device_join_flags(struct gas_error_flag *flags, int count, int rank, cudaStream_t stream);
cudaError_t gas_device_load_moves(const struct gas_physics *physics);

EXTERN_C_END

#endif
