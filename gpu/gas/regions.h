// What the parts of the three regions on the device share (models/gas/state.h, THE REGIONS): arrays, and the
// kernels as C sees them. Each function only begins its work on the stream given. Knows no solver and no
// memory plan.
//
// Who is added up together: a cell's particles are taken in blocks of at most REGION_TARGETS, a block of
// threads each. `blocks` says whose cell a block is: cell c has the places from starts[c]/REGION_TARGETS + c
// on, as many as it may need, so that no sum over cells is needed; those that it does not need say
// REGION_NOBODY.
#ifndef FATHOM_GPU_GAS_REGIONS_H
#define FATHOM_GPU_GAS_REGIONS_H

#include "gpu/gas/kernels.h"
#include "models/gas/law.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    REGION_TARGETS = 128,    // particles, and threads, of a block
    REGION_FAR_TARGETS = 64, // cells of a block, of 8 × 8
    REGION_END = -1,         // of a list
    REGION_FAR_TERMS = 5     // of far cells at a cell's centre of mass: E (x, y), E' (x, y), U/A
};
#define REGION_NOBODY 0xffffffffu

struct region_span {
    int first, end; // cells side by side in a row
};

// All on the device but for numbers.
struct region_arrays {
    unsigned count;
    int columns, rows, cells;
    double box[GAS_AXES];
    double near, far; // radii
    int order;
    int spans_most, middle_most; // of a cell: rows that near cells are in; middle cells
    int far_splits;              // of the cells that are far from a block's: how many blocks share them
    const unsigned *starts;      // the grid's
    struct region_span *near_of; // [cells][spans_most + 1]
    int *middle_of;              // [cells][middle_most + 1]
    unsigned *blocks;            // [region_blocks]
    double *centre, *square;     // [cells][2]: c (of no particles: the cell's middle); Q
    double *far_field;           // [far_splits][cells][REGION_FAR_TERMS]; order 0: E' is 0
    double *pairs;               // [1]
};

static inline unsigned region_blocks(const struct region_arrays *regions)
{
    return regions->count / REGION_TARGETS + (unsigned)regions->cells;
}

// regions_cells.cu. The lists, once; multipoles and blocks of particles that were sorted; of the last sort,
// how many pairs are near, i and j both counted, into `pairs`.
cudaError_t device_regions_list(const struct region_arrays *regions, cudaStream_t stream);
cudaError_t device_regions_sum_cells(const struct region_arrays *regions, const double *position,
                                     cudaStream_t stream);
cudaError_t device_regions_count_pairs(const struct region_arrays *regions, cudaStream_t stream);
cudaError_t device_regions_load_cells(void);
// Fills in spans_most and middle_most, from the radii and the grid.
void device_regions_measure(struct region_arrays *regions);

// regions_near.cu. To `sums` [count][2]: forces, or energies {potential, virial}, of near pairs.
cudaError_t device_regions_near_forces(const struct region_arrays *regions, const struct gas_law *law,
                                       enum element precision, const double *position, double *sums,
                                       cudaStream_t stream);
cudaError_t device_regions_near_energies(const struct region_arrays *regions, const struct gas_law *law,
                                         const double *position, double *sums, cudaStream_t stream);
cudaError_t device_regions_load_near(const struct region_arrays *regions, const struct gas_law *law,
                                     enum element precision);

// regions_far.cu: `share` fills in far_splits. Far cells at each cell's centre of mass; U only with energies,
// which are in double.
cudaError_t device_regions_share_far(struct region_arrays *regions, enum element precision, int device);
cudaError_t device_regions_far(const struct region_arrays *regions, double softening_square,
                               enum element precision, int has_energy, cudaStream_t stream);
cudaError_t device_regions_load_far(void);

// regions_middle.cu: adds what middle cells and, through their sum, far cells give each particle.
cudaError_t device_regions_cells_forces(const struct region_arrays *regions, const struct gas_law *law,
                                        enum element precision, const double *position, double *sums,
                                        cudaStream_t stream);
cudaError_t device_regions_cells_energies(const struct region_arrays *regions, const struct gas_law *law,
                                          const double *position, double *sums, cudaStream_t stream);
cudaError_t device_regions_load_middle(void);

#ifdef __cplusplus
}
#endif

#endif
