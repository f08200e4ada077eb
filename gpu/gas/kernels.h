// The gas's particles on the device, and the kernels that sort them or sum over their pairs, as C and C++ see
// them; each only begins its work on the stream given. Knows no memory plan and no solver.
#ifndef FATHOM_GPU_GAS_KERNELS_H
#define FATHOM_GPU_GAS_KERNELS_H

#include "core/element.h"
#include "models/gas/law.h"
#include "models/gas/state.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// [count] each, in the order of the last sort (ALL_PAIRS: by id), in double whatever the run's precision: {x,
// y}, {vx, vy}, {Fx, Fy}. Pointers stay as they are: a sort that the device decides about alone puts its
// results where its input was.
struct gas_device_particles {
    size_t count;
    double *position, *velocity, *force; // [count][2], aligned to 16
    double *before; // [count][2]: velocities before the step; NULL unless jumps are limited
    double *mass;   // NULL: all the same
    unsigned *id;   // NULL with ALL_PAIRS
};

// What was found wrong first, on the device; whatever is to act on the state after that step leaves it as it
// is. Nothing found: a step that never comes, and first = ~0. A value of `first`: when · 2⁴⁸ + id · 2⁸ +
// error, by error_flag.cuh.
struct gas_error_flag {
    long long step; // that many were done
    unsigned long long first;
};

// Counted on the device, since the start.
struct gas_device_counts {
    unsigned long long rebuilds, limited_energy, limited_jumps;
};

// Of one evaluation: {potential, virial} as struct gas_field has them, of pairs alone. NULL where a sum is
// not asked for them.
typedef double *gas_device_energy; // [count][2], aligned to 16

// ---- direct.cu: every pair, sums in a fixed order (pairs.cuh).
struct gas_direct_share {
    unsigned whole, splits; // as pairs.cuh's layout has them
};
struct gas_direct {
    const struct gas_physics *physics; // the caller's
    enum element precision;
    struct gas_direct_share force, energy;
    size_t scratch_numbers, places_bytes;
    double *scratch; // device, the caller's to plan; NULL if 0
    void *places;    // likewise: places as the pairs' arithmetic has them
};
// Fills in all but the two arrays for so many particles, and has the device, which is the thread's, load the
// kernels.
cudaError_t gas_direct_choose(struct gas_direct *direct, const struct gas_physics *physics, size_t count,
                              enum element precision, int device);
// Forces into `force` [count][2] (NULL: not wanted), energies into `energy` (NULL: not wanted). At most as
// many particles as it was chosen for. No outer force is added.
cudaError_t gas_device_direct_sums(const struct gas_direct *direct,
                                   const struct gas_device_particles *particles, double *force,
                                   gas_device_energy energy, cudaStream_t stream);

// ---- sort.cu: the box divided evenly into cells, row by row, x fastest; particles sorted into them, stably;
// one outside the box
// belongs to the nearest cell. No atomic's order shows in the result.
struct gas_device_grid {
    int columns, rows;
    double box[GAS_AXES];
    unsigned *starts; // device, [columns rows + 1]: first particle of each cell
    int has_places;
    double *places; // has_places: device, [count][2]: where particles were at the sort, in their new order
    // The sort's own, device; the caller plans `scratch`.
    size_t scratch_bytes;
    void *scratch;
    unsigned blocks;
};
// Fills in scratch_bytes and blocks, from columns, rows and has_places, for so many particles; loads the
// kernel on the device, which is the thread's.
cudaError_t gas_device_grid_choose(struct gas_device_grid *grid, size_t count, int has_masses, int has_before,
                                   int device);
// Sorts all arrays of the particles but `force`, and finds `starts`. `wanted` (device): does nothing unless
// it is `token`; NULL: always.
cudaError_t gas_device_sort(const struct gas_device_grid *grid, const struct gas_device_particles *particles,
                            const unsigned *wanted, unsigned token, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
