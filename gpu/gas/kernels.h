// The gas's particles on the device, and the kernels that sort them or sum over their pairs. Each function
// only begins its work on the stream. Independent of the memory plan and of solvers.
#ifndef FATHOM_GPU_GAS_KERNELS_H
#define FATHOM_GPU_GAS_KERNELS_H

#include "core/element.h"
#include "gpu/extern_c.h"
#include "models/gas/law.h"
#include "models/gas/state.h"

#include <cuda_runtime_api.h>

EXTERN_C_BEGIN

// [count] each, in the order of the last sort (ALL_PAIRS: by id), always in double: {x, y}, {vx, vy}, {Fx,
// Fy}. A sort that the device may skip is in place; another one may exchange the pointers for spare ones.
struct gas_device_particles {
    size_t count;
    double *position, *velocity, *force; // [count][2], aligned to 16
    double *before; // [count][2]: velocities before the step; NULL unless jumps are limited
    double *mass;   // NULL: all equal
    unsigned *id;   // NULL with ALL_PAIRS
};

// The first error, on the device; kernels do not change the state after that step any more. No error: a step
// that is never reached, and first = ~0. A value of `first`: moment · 2⁴⁸ + id · 2⁸ + error (error_flag.cuh).
struct gas_error_flag {
    long long step; // number of steps done
    unsigned long long first;
};

struct gas_bands;

// Counts since the start.
struct gas_device_counts {
    unsigned long long rebuilds, limited_energy, limited_jumps;
};

// Of one evaluation: {potential, virial} as in struct gas_field, of pairs alone. NULL: not wanted.
typedef double *gas_device_energy; // [count][2], aligned to 16

// ---- direct.cu: direct summation, in a fixed order (gpu/pairs.cuh).
struct gas_direct_share {
    unsigned whole, splits; // as in pairs.cuh's layout
    unsigned blocks;        // that a device runs at a time
};
struct gas_direct {
    const struct gas_physics *physics; // the caller's
    enum element precision;
    struct gas_direct_share force, energy;
    size_t scratch_numbers, points_bytes;
    double *scratch; // device, the caller's to plan; NULL if 0
    void *points;    // likewise: positions in the form of the pairs' arithmetic
    // One of several ranks: its particles first … end − 1, what its blocks leave to each other, and how often
    // it computed. end 0: one rank, and the rest is empty.
    size_t first, end, carried_numbers, left_numbers;
    unsigned launches;
    double *carried; // the caller's to plan: [carried_numbers]
    unsigned *left;  // the caller's to plan: [left_numbers], 0 at first
};
// Sets all that is not the caller's for `count` particles, and loads the kernels on the thread's device.
// `first` and `end`: of one of several ranks; else both are 0.
cudaError_t gas_direct_choose(struct gas_direct *direct, const struct gas_physics *physics, size_t count,
                              size_t first, size_t end, enum element precision, int device);
// Forces into `force` [count][2] (NULL: not wanted), energies into `energy` (NULL: not wanted); of several
// ranks, what belongs to others is undefined then. At most as many particles as it was chosen for. No outer
// force is added.
cudaError_t gas_device_direct_sums(struct gas_direct *direct, const struct gas_device_particles *particles,
                                   double *force, gas_device_energy energy, cudaStream_t stream);

// ---- sort.cu

// The evenly divided box. Particles are sorted by its cells, stably, row by row, x fastest. A particle
// outside the box belongs to the nearest cell. The result does not depend on the order of atomics.
struct gas_device_grid {
    int columns, rows;
    int is_periodic_y; // of lists
    double box[GAS_AXES];
    unsigned *starts; // device, [columns rows + 1]: first particle of each cell
    int has_at_sort;
    double *at_sort; // if has_at_sort: device, [count][2]: positions at the sort, in the new order
    // The sort's own, device; the caller plans `scratch`. spare: arrays in it, or those that it has exchanged
    // for them; at first NULL.
    size_t count, scratch_bytes; // count: of particles, for which scratch is cut
    void *scratch;
    struct gas_device_particles spare;
    unsigned blocks;
    const struct gas_bands *bands; // bands.h: sorts what a rank holds; NULL: all
};
// Sets count, scratch_bytes and blocks, from columns, rows and has_at_sort, for `count` particles; loads the
// kernel on the thread's device.
cudaError_t gas_device_grid_choose(struct gas_device_grid *grid, size_t count, int has_masses, int has_before,
                                   int device);
// Sorts all arrays of the particles but `force`, and sets `starts`; does nothing unless *wanted (device) is
// `token`. `wanted` NULL: always. Without at_sort it exchanges the pointers, and sorts always.
cudaError_t gas_device_sort(struct gas_device_grid *grid, struct gas_device_particles *particles,
                            const unsigned *wanted, unsigned token, cudaStream_t stream);

EXTERN_C_END

#endif
