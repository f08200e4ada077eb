// The three regions on the device (models/gas/state.h, THE REGIONS): arrays and kernels. Each function only
// begins its work on the stream. Independent of solvers and of the memory plan.
//
// A cell's particles are divided into blocks of at most REGION_TARGETS, each for a block of threads. `blocks`
// names the cell of each: cell c has the entries from starts[c]/REGION_TARGETS + c on, as many as it may
// need, which takes no sum over cells. The entries that it does not need are REGION_NO_CELL.
#ifndef FATHOM_GPU_GAS_REGIONS_H
#define FATHOM_GPU_GAS_REGIONS_H

#include "gpu/extern_c.h"
#include "gpu/gas/kernels.h"
#include "models/gas/law.h"

EXTERN_C_BEGIN

enum {
    REGION_TARGETS = 128,    // particles, and threads, of a block
    REGION_FAR_TARGETS = 64, // cells of a block, of 8 × 8
    REGION_END = -1,         // of a list
    REGION_PEERS_MAX = 2,
    REGION_FAR_TERMS = 5 // of far cells at a cell's centre of mass: E (x, y), E' (x, y), U/A
};
#define REGION_NO_CELL 0xffffffffu

struct region_span {
    int first, end; // cells side by side in a row
};

// All on the device but for numbers.
struct region_arrays {
    unsigned count;
    unsigned first, end; // the particles whose sums are made; of one rank all
    int columns, rows, cells;
    double box[GAS_AXES];
    double near, far; // radii
    int order;
    int spans_most, middle_most; // of a cell: rows that near cells are in; middle cells
    int far_splits;              // number of blocks that divide the far cells of a target
    const unsigned *starts;      // the grid's
    struct region_span *near_of; // [cells][spans_most + 1]
    int *middle_of;              // [cells][middle_most + 1]
    unsigned *blocks;            // [region_blocks]
    double *centre, *square;     // [cells][2]: c (of no particles: the cell's middle); Q
    double *far_field;           // [far_splits][cells][REGION_FAR_TERMS]; order 0: E' is 0
    double *pairs;               // [1]
    // Of several ranks: where forces of the present launch are written, too; NULL: nowhere.
    double *peer_sums[REGION_PEERS_MAX];
};

static inline unsigned region_blocks(const struct region_arrays *regions)
{
    return regions->count / REGION_TARGETS + (unsigned)regions->cells;
}

// regions_cells.cu. The lists, once; multipoles and blocks of sorted particles; the number of near pairs of
// the last sort, (i, j) and (j, i) both counted, into `pairs`.
cudaError_t device_regions_list(const struct region_arrays *regions, cudaStream_t stream);
cudaError_t device_regions_sum_cells(const struct region_arrays *regions, const double *position,
                                     cudaStream_t stream);
cudaError_t device_regions_count_pairs(const struct region_arrays *regions, cudaStream_t stream);
cudaError_t device_regions_load_cells(void);
// Sets spans_most and middle_most, from the radii and the grid.
void device_regions_measure(struct region_arrays *regions);

// regions_near.cu. To `sums` [count][2]: forces, or energies {potential, virial}, of near pairs.
cudaError_t device_regions_near_forces(const struct region_arrays *regions, const struct gas_law *law,
                                       enum element precision, const double *position, double *sums,
                                       cudaStream_t stream);
cudaError_t device_regions_near_energies(const struct region_arrays *regions, const struct gas_law *law,
                                         const double *position, double *sums, cudaStream_t stream);
cudaError_t device_regions_load_near(const struct region_arrays *regions, const struct gas_law *law,
                                     enum element precision);

// regions_far.cu: `share` sets far_splits. The field of far cells at each cell's centre of mass; U only with
// energies, which are in double.
cudaError_t device_regions_share_far(struct region_arrays *regions, enum element precision, int device);
cudaError_t device_regions_far(const struct region_arrays *regions, double softening_square,
                               enum element precision, int has_energy, cudaStream_t stream);
cudaError_t device_regions_load_far(void);

// regions_middle.cu: adds the forces or energies of middle cells, and of far cells through their sum.
cudaError_t device_regions_cells_forces(const struct region_arrays *regions, const struct gas_law *law,
                                        enum element precision, const double *position, double *sums,
                                        cudaStream_t stream);
cudaError_t device_regions_cells_energies(const struct region_arrays *regions, const struct gas_law *law,
                                          const double *position, double *sums, cudaStream_t stream);
cudaError_t device_regions_load_middle(void);

EXTERN_C_END

#endif
