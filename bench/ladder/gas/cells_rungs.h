// The rungs by cells. Lists, for declarations and for rungs.c: X(IDENTIFIER, NAME, SHAPES, STAGES, SUMMARY,
// DIFFERS, fields of struct gas_cells_way). With nine near cells and with one: rungs of their own, as they
// are other approximations.
#ifndef FATHOM_BENCH_LADDER_GAS_CELLS_RUNGS_H
#define FATHOM_BENCH_LADDER_GAS_CELLS_RUNGS_H

#include "bench/ladder/ladder.h"

#define GAS_CELLS_HOST_RUNGS(X)                                                                              \
    X(gas_cells_cpu_sort, "sort", NULL, NULL, "particles into the order of their cells", in_order,           \
      .program = GAS_CELLS_SORT, .near_cells = 9)                                                            \
    X(gas_cells_cpu_tiled1_near9, "CPUTiled1-near9", host_shapes, host_stages,                               \
      "9 near cells, all others as centres", NULL, .program = GAS_CELLS_TILED1, .near_cells = 9)             \
    X(gas_cells_cpu_tiled1_near1, "CPUTiled1-near1", host_shapes, host_stages,                               \
      "1 near cell, all others as centres", NULL, .program = GAS_CELLS_TILED1, .near_cells = 1)              \
    X(gas_cells_cpu_tiled2_near9, "CPUTiled2-near9", host_shapes, host_stages, "far cells upon cells", NULL, \
      .program = GAS_CELLS_TILED2, .near_cells = 9)                                                          \
    X(gas_cells_cpu_tiled2_near1, "CPUTiled2-near1", host_shapes, host_stages, "far cells upon cells", NULL, \
      .program = GAS_CELLS_TILED2, .near_cells = 1)                                                          \
    X(gas_cells_cpu_tiled3_near9, "CPUTiled3-near9", host_shapes, host_stages, "lists of cells", NULL,       \
      .program = GAS_CELLS_TILED3, .near_cells = 9)                                                          \
    X(gas_cells_cpu_tiled3_near1, "CPUTiled3-near1", host_shapes, host_stages, "lists of cells", NULL,       \
      .program = GAS_CELLS_TILED3, .near_cells = 1)                                                          \
    X(gas_cells_cpu_full, "CPUTiled", host_shapes, host_stages,                                              \
      "Tiled3 with the full model in 9 near cells", NULL, .program = GAS_CELLS_FULL, .near_cells = 9)        \
    X(gas_cells_cpu_far, "CPUTiled2k", host_shapes, NULL, "cells upon cells alone", NULL,                    \
      .program = GAS_CELLS_FAR, .near_cells = 9)                                                             \
    X(gas_cells_cpu_far_u, "CPUTiled2k_U", host_shapes, NULL, "unrolled by 4", NULL,                         \
      .program = GAS_CELLS_FAR, .near_cells = 9, .is_unrolled = true)                                        \
    X(gas_cells_cpu_far_ha1, "CPUTiled2kHa1", host_shapes, NULL, "squares of distances looked up", NULL,     \
      .program = GAS_CELLS_FAR, .near_cells = 9, .tables = GAS_CELLS_SQUARES)                                \
    X(gas_cells_cpu_far_ha1_u, "CPUTiled2kHa1_U", host_shapes, NULL, "unrolled by 4", NULL,                  \
      .program = GAS_CELLS_FAR, .near_cells = 9, .tables = GAS_CELLS_SQUARES, .is_unrolled = true)           \
    X(gas_cells_cpu_far_ha3, "CPUTiled2kHa3", host_shapes, NULL, "all but the masses looked up", NULL,       \
      .program = GAS_CELLS_FAR, .near_cells = 9, .tables = GAS_CELLS_PULLS)

// "-kept": the time without the sort.
#define GAS_CELLS_DEVICE_RUNGS(X)                                                                            \
    X(gas_cells_gpu_tiled1_near9, "GPUTiled1-near9", device_shapes, device_stages,                           \
      "9 near cells, all others as centres", with_copies, .program = GAS_CELLS_TILED1, .near_cells = 9)      \
    X(gas_cells_gpu_tiled1_near1, "GPUTiled1-near1", device_shapes, device_stages,                           \
      "1 near cell, all others as centres", with_copies, .program = GAS_CELLS_TILED1, .near_cells = 1)       \
    X(gas_cells_gpu_tiled1_kept, "GPUTiled1-kept", device_shapes, device_stages,                             \
      "9 near cells, cells of the start", kept, .program = GAS_CELLS_TILED1, .near_cells = 9,                \
      .keeps_cells = true)                                                                                   \
    X(gas_cells_gpu_tiled11_near9, "GPUTiled11-near9", device_shapes, device_stages,                         \
      "velocities written once", with_copies, .program = GAS_CELLS_TILED11, .near_cells = 9)                 \
    X(gas_cells_gpu_tiled11_near1, "GPUTiled11-near1", device_shapes, device_stages,                         \
      "velocities written once", with_copies, .program = GAS_CELLS_TILED11, .near_cells = 1)                 \
    X(gas_cells_gpu_tiled2_near9, "GPUTiled2-near9", device_shapes, device_stages, "far cells upon cells",   \
      with_copies, .program = GAS_CELLS_TILED2, .near_cells = 9)                                             \
    X(gas_cells_gpu_tiled2_near1, "GPUTiled2-near1", device_shapes, device_stages, "far cells upon cells",   \
      with_copies, .program = GAS_CELLS_TILED2, .near_cells = 1)                                             \
    X(gas_cells_gpu_tiled2_kept, "GPUTiled2-kept", device_shapes, device_stages,                             \
      "9 near cells, cells of the start", kept, .program = GAS_CELLS_TILED2, .near_cells = 9,                \
      .keeps_cells = true)                                                                                   \
    X(gas_cells_gpu_tiled3_near9, "GPUTiled3-near9", device_shapes, device_stages, "lists of cells",         \
      with_copies, .program = GAS_CELLS_TILED3, .near_cells = 9)                                             \
    X(gas_cells_gpu_tiled3_near1, "GPUTiled3-near1", device_shapes, device_stages, "lists of cells",         \
      with_copies, .program = GAS_CELLS_TILED3, .near_cells = 1)                                             \
    X(gas_cells_gpu_tiled3_kept, "GPUTiled3-kept", device_shapes, device_stages,                             \
      "9 near cells, cells of the start", kept, .program = GAS_CELLS_TILED3, .near_cells = 9,                \
      .keeps_cells = true)                                                                                   \
    X(gas_cells_gpu_tiled3_u_near9, "GPUTiled3_U-near9", device_shapes, device_stages,                       \
      "pairs and far cells unrolled by 4", with_copies, .program = GAS_CELLS_TILED3, .near_cells = 9,        \
      .is_unrolled = true)                                                                                   \
    X(gas_cells_gpu_tiled3_u_near1, "GPUTiled3_U-near1", device_shapes, device_stages,                       \
      "pairs and far cells unrolled by 4", with_copies, .program = GAS_CELLS_TILED3, .near_cells = 1,        \
      .is_unrolled = true)                                                                                   \
    X(gas_cells_gpu_tiled3_u_near1_kept, "GPUTiled3_U-kept1", device_shapes, device_stages,                  \
      "1 near cell, cells of the start", kept, .program = GAS_CELLS_TILED3, .near_cells = 1,                 \
      .is_unrolled = true, .keeps_cells = true)                                                              \
    X(gas_cells_gpu_full, "GPUTiled", device_shapes, device_stages,                                          \
      "Tiled3 with the full model in 9 near cells", with_copies, .program = GAS_CELLS_FULL, .near_cells = 9) \
    X(gas_cells_gpu_far, "GPUTiled2k", device_shapes, NULL, "cells upon cells alone", NULL,                  \
      .program = GAS_CELLS_FAR, .near_cells = 9)                                                             \
    X(gas_cells_gpu_far_u, "GPUTiled2k_U", device_shapes, NULL, "unrolled by 4", NULL,                       \
      .program = GAS_CELLS_FAR, .near_cells = 9, .is_unrolled = true)                                        \
    X(gas_cells_gpu_far_ha1, "GPUTiled2kHa1", device_shapes, NULL, "squares of distances looked up", NULL,   \
      .program = GAS_CELLS_FAR, .near_cells = 9, .tables = GAS_CELLS_SQUARES)                                \
    X(gas_cells_gpu_far_ha1_u, "GPUTiled2kHa1_U", device_shapes, NULL, "unrolled by 4", NULL,                \
      .program = GAS_CELLS_FAR, .near_cells = 9, .tables = GAS_CELLS_SQUARES, .is_unrolled = true)           \
    X(gas_cells_gpu_far_ha3, "GPUTiled2kHa3", device_shapes, NULL, "all but the masses looked up", NULL,     \
      .program = GAS_CELLS_FAR, .near_cells = 9, .tables = GAS_CELLS_PULLS)

#define GAS_CELLS_DECLARE(identifier, ...) extern const struct ladder_rung identifier;
GAS_CELLS_HOST_RUNGS(GAS_CELLS_DECLARE)
#ifdef FATHOM_LADDER_CUDA
GAS_CELLS_DEVICE_RUNGS(GAS_CELLS_DECLARE)
#endif
#undef GAS_CELLS_DECLARE

#endif
