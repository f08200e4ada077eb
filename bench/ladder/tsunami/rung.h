// The rungs of the tsunami ladder: the programs of a chapter in Russian on MOST on parallel machines (about
// 2010), each written anew from its description. MOST's step is a sweep along x and one along y, of lines
// that do not depend on each other: depth of the water and velocity become Riemann invariants, the solver
// (VTCS-2 of Titov & Synolakis, as in docs/tsunami.md: `vtcs2`) makes a step of the line, and its invariants
// become depth and velocity again. No run uses the rungs; they are not tuned beyond what the chapter says.
//
// SERIAL, OPENMP: lines of rows; between the sweeps elevation and velocities are transposed, so that the
// lines of the other axis are rows too, and transposed back.
// GPU_TRANSPOSES: the same on a device, a thread a node; conversions, solver and transposes are kernels.
// GPU_INVARIANTS: the invariants stay from step to step; those of the other axis follow without roots.
// GPU_MULTIPLIED: products with inverses that are computed once, in place of divisions.
// GPU_TWO_SOLVERS: a second solver walks along y, so nothing is transposed.
// GPU_PADDED: rows begin at the device's alignment.
// GPU_TEXTURES: the solvers read through one-dimensional textures.
#ifndef FATHOM_BENCH_LADDER_TSUNAMI_RUNG_H
#define FATHOM_BENCH_LADDER_TSUNAMI_RUNG_H

#include "bench/ladder/ladder.h"
#include "bench/ladder/tsunami/ocean.h"

#ifdef __cplusplus
extern "C" {
#endif

// A rung that can begin with any ocean. `open` copies what it needs; otherwise as `create`, of which it is
// the second half. `read`: η (m; NaN on land), u east, v north (m/s; 0 on land), each [ny][nx].
struct tsunami_rung {
    struct ladder_rung head;
    enum status (*open)(const struct ladder_case *wanted, const struct tsunami_ladder_ocean *ocean,
                        void **state);
};

// What all of them measure of a step.
enum tsunami_ladder_stage {
    TSUNAMI_LADDER_TRANSPOSES,
    TSUNAMI_LADDER_SOLVER,
    TSUNAMI_LADDER_CONVERSIONS,
    TSUNAMI_LADDER_STAGES
};
extern const char *const tsunami_ladder_stages[]; // their names, then NULL
extern const char tsunami_ladder_differs[];       // what no rung has as the author had it

// Makes the ladder's ocean and opens the rung with it: `create` of each.
enum status tsunami_ladder_create(const struct tsunami_rung *rung, const struct ladder_case *wanted,
                                  void **state);

extern const struct tsunami_rung tsunami_rung_serial, tsunami_rung_openmp;
// Of device.cu.
extern const struct tsunami_rung tsunami_rung_gpu_transposes, tsunami_rung_gpu_invariants,
    tsunami_rung_gpu_multiplied, tsunami_rung_gpu_two_solvers, tsunami_rung_gpu_padded,
    tsunami_rung_gpu_textures;

#ifdef __cplusplus
}
#endif

#endif
