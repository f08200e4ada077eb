// The processor's rungs that sum all pairs, as struct ladder_rung (host_pairs.h).
#include "bench/ladder/gas/host_pairs.h"

#include "bench/ladder/gas/host_pairs_private.h"

static const char turns[] = "threads take turns with parts of the velocities, with a barrier after each "
                            "turn; the author's race and lose updates";

// Operations of a step: of a pair, and the share of the n² pairs.
#define COUNT(name, operations, share)                                                                       \
    static void name(const struct ladder_case *wanted, struct ladder_counts *counts)                         \
    {                                                                                                        \
        gas_ladder_count(wanted, operations, share, counts);                                                 \
    }

COUNT(count_divided, GAS_LADDER_DIVIDED, 1)
COUNT(count_root, GAS_LADDER_ROOT, 1)
COUNT(count_stored, GAS_LADDER_STORED, 1)
COUNT(count_half, GAS_LADDER_STORED, 0.5)
COUNT(count_twice, GAS_LADDER_TWICE, 1)
COUNT(count_3d, GAS_LADDER_3D_HOST, 1)

// A rung's program and the function that makes it; and what all rungs have.
#define PROGRAM(id, loop_, ...)                                                                              \
    static const struct gas_host_program program_##id = {.loop = offsetof(struct gas_pair_loops, loop_),     \
                                                         __VA_ARGS__};                                       \
    static enum status create_##id(const struct ladder_case *wanted, void **state)                           \
    {                                                                                                        \
        return gas_host_create(wanted, &program_##id, state);                                                \
    }
#define COMMON(id)                                                                                           \
    .precisions = LADDER_SINGLE, .create = create_##id, .step = gas_host_step, .read = gas_host_read,        \
    .destroy = gas_host_destroy

// ---- chapters 3 to 6.1: which of the two particles a loop updates

PROGRAM(basic, i_plain, .find_velocities = gas_host_sum_own, .axes = 2, .is_serial = true)
const struct ladder_rung gas_host_basic = {
    .name = "BasicNbody", .summary = "two loops on one thread", COMMON(basic), .count = count_divided};

PROGRAM(mti, i_plain, .find_velocities = gas_host_sum_own, .axes = 2)
const struct ladder_rung gas_host_mti = {.name = "MTI",
                                         .summary = "a thread for each part of the particles",
                                         .has_threads = true,
                                         COMMON(mti),
                                         .count = count_divided};

PROGRAM(mtj_array, j_from_array, .find_velocities = gas_host_update_shared, .axes = 2)
const struct ladder_rung gas_host_mtj_array = {.name = "MTJ-array",
                                               .summary = "i adds its pull to all j; its place is read anew",
                                               .differs = turns,
                                               .has_barriers = true,
                                               .has_threads = true,
                                               COMMON(mtj_array),
                                               .count = count_divided};

PROGRAM(mtj, j_plain, .find_velocities = gas_host_update_shared, .axes = 2)
const struct ladder_rung gas_host_mtj = {.name = "MTJ",
                                         .summary = "the same; its place is in private variables",
                                         .differs = turns,
                                         .has_barriers = true,
                                         .has_threads = true,
                                         COMMON(mtj),
                                         .count = count_divided};

PROGRAM(mtij, ij_plain, .find_velocities = gas_host_update_shared, .axes = 2, .is_half = true)
const struct ladder_rung gas_host_mtij = {.name = "MTIJ",
                                          .summary = "each pair once, both are updated",
                                          .differs = turns,
                                          .has_barriers = true,
                                          .has_threads = true,
                                          COMMON(mtij),
                                          .count = count_half};

// ---- 6.2 to 6.5: J and IJ

PROGRAM(mtj_wide, j_plain, .find_velocities = gas_host_update_wide, .axes = 2)
const struct ladder_rung gas_host_mtj_wide = {.name = "MTJwide",
                                              .summary = "velocities of each thread, added up then",
                                              .has_threads = true,
                                              COMMON(mtj_wide),
                                              .count = count_divided};

PROGRAM(mtj_fission, j_fission, .find_velocities = gas_host_update_shared, .axes = 2)
const struct ladder_rung gas_host_mtj_fission = {.name = "MTJFission",
                                                 .summary = "a loop for x and one for y, without wide",
                                                 .differs = turns,
                                                 .has_barriers = true,
                                                 .has_threads = true,
                                                 COMMON(mtj_fission),
                                                 .count = count_twice};

PROGRAM(mtj_wide_fission, j_fission, .find_velocities = gas_host_update_wide, .axes = 2)
const struct ladder_rung gas_host_mtj_wide_fission = {.name = "MTJwideFission",
                                                      .summary = "a loop for x and one for y",
                                                      .has_threads = true,
                                                      COMMON(mtj_wide_fission),
                                                      .count = count_twice};

PROGRAM(mtj_wide_fission_mem, j_fission_mem, .find_velocities = gas_host_update_wide, .axes = 2)
const struct ladder_rung gas_host_mtj_wide_fission_mem = {.name = "MTJwideFissionMem",
                                                          .summary =
                                                              "three loops; the first stores the quotients",
                                                          .has_threads = true,
                                                          COMMON(mtj_wide_fission_mem),
                                                          .count = count_stored};

PROGRAM(mtij_wide_fission_mem, ij_fission_mem, .find_velocities = gas_host_update_wide, .axes = 2,
        .is_half = true)
const struct ladder_rung gas_host_mtij_wide_fission_mem = {.name = "MTIJwideFissionMem",
                                                           .summary = "each pair once, in five loops",
                                                           .has_threads = true,
                                                           COMMON(mtij_wide_fission_mem),
                                                           .count = count_half};

PROGRAM(mtij_wide_fission_fusion_mem, ij_fission_fusion_mem, .find_velocities = gas_host_update_wide,
        .axes = 2, .is_half = true)
const struct ladder_rung gas_host_mtij_wide_fission_fusion_mem = {
    .name = "MTIJwideFissionFusionMem",
    .summary = "each pair once, in two loops that store and use both components",
    .has_threads = true,
    COMMON(mtij_wide_fission_fusion_mem),
    .count = count_half};

// ---- 6.6 and 6.7: I

PROGRAM(mti_fission_mem, i_fission_mem, .find_velocities = gas_host_sum_own, .axes = 2)
const struct ladder_rung gas_host_mti_fission_mem = {.name = "MTIFissionMem",
                                                     .summary = "three loops; the first stores the quotients",
                                                     .has_threads = true,
                                                     COMMON(mti_fission_mem),
                                                     .count = count_stored};

PROGRAM(mti_fission_fusion_mem, i_fission_fusion_mem, .find_velocities = gas_host_sum_own, .axes = 2)
const struct ladder_rung gas_host_mti_fission_fusion_mem = {.name = "MTIFissionFusionMem",
                                                            .summary =
                                                                "two loops; the first stores both components",
                                                            .has_threads = true,
                                                            COMMON(mti_fission_fusion_mem),
                                                            .count = count_stored};

PROGRAM(mti_fission_fusion_mem_unroll, i_fission_fusion_mem_2, .find_velocities = gas_host_sum_own, .axes = 2)
const struct ladder_rung gas_host_mti_fission_fusion_mem_unroll = {
    .name = "MTIFissionFusionMemUnroll",
    .summary = "the second loop takes two j a turn, with two pairs of sums",
    .has_threads = true,
    COMMON(mti_fission_fusion_mem_unroll),
    .count = count_stored};

// The thesis gives 100 × 100 as an example, and tuned the sizes by trial. The last shape has all j in one
// block up to 2²⁰ of them: figure 12's comparison.
static const int block_shapes[][LADDER_AXES] = {
    {100, 100, 1},   {64, 1024, 1},   {256, 1024, 1},    {256, 4096, 1},
    {1024, 4096, 1}, {256, 16384, 1}, {256, 1 << 20, 1}, {0}};

PROGRAM(mti_blocked, i_fission_fusion_mem_2, .find_velocities = gas_host_sum_blocks, .axes = 2)
const struct ladder_rung gas_host_mti_blocked = {.name = "MTIBlocked",
                                                 .summary = "the same in blocks of i and of j",
                                                 .has_threads = true,
                                                 .block = {256, 1024, 1},
                                                 .shapes = block_shapes,
                                                 COMMON(mti_blocked),
                                                 .count = count_stored};

// ---- table 3: MTJ of every second j, third, ...

#define SKIPPING(number)                                                                                     \
    COUNT(count_##number, GAS_LADDER_DIVIDED, 1. / (number))                                                 \
    PROGRAM(mtj_##number, j_skipping, .find_velocities = gas_host_update_shared, .axes = 2,                  \
            .stride = (number), .is_serial = true)
#define SKIPPING_RUNG(number)                                                                                \
    {                                                                                                        \
        .name = "MTJ-step-" #number, .summary = "MTJ of every j that is a multiple of " #number,             \
        COMMON(mtj_##number), .count = count_##number                                                        \
    }

SKIPPING(2)
SKIPPING(3)
SKIPPING(4)
SKIPPING(5)
SKIPPING(6)
SKIPPING(7)
SKIPPING(8)

const struct ladder_rung gas_host_mtj_skipping[GAS_HOST_STRIDE_MAX - 1] = {
    SKIPPING_RUNG(2), SKIPPING_RUNG(3), SKIPPING_RUNG(4), SKIPPING_RUNG(5),
    SKIPPING_RUNG(6), SKIPPING_RUNG(7), SKIPPING_RUNG(8)};

// ---- chapter 7 and figure 17

PROGRAM(mti_u2, i_unrolled, .find_velocities = gas_host_sum_own, .axes = 2)
const struct ladder_rung gas_host_mti_u2 = {.name = "CPUMTI_U2",
                                            .summary = "MTI with two j a turn",
                                            .has_threads = true,
                                            COMMON(mti_u2),
                                            .count = count_divided};

PROGRAM(mti_root, i_root, .find_velocities = gas_host_sum_own, .axes = 2)
const struct ladder_rung gas_host_mti_root = {.name = "GPUMTI-processor",
                                              .summary = "the GPU's loop with 1/√(s·s) on the processor",
                                              .has_threads = true,
                                              COMMON(mti_root),
                                              .count = count_root};

PROGRAM(mti_3d, i_3d, .find_velocities = gas_host_sum_own, .axes = 3)
const struct ladder_rung gas_host_mti_3d = {.name = "MTI-3D",
                                            .summary = "MTI in three dimensions, forces 1/r²",
                                            .has_threads = true,
                                            COMMON(mti_3d),
                                            .count = count_3d};

PROGRAM(mti_3d_vectors, i_3d_vectors, .find_velocities = gas_host_sum_own, .axes = 3)
const struct ladder_rung gas_host_mti_3d_vectors = {.name = "MTI-3D-vectors",
                                                    .summary = "the same, with sums in vectors",
                                                    .differs = "the vectors are those of this processor",
                                                    .has_threads = true,
                                                    COMMON(mti_3d_vectors),
                                                    .count = count_3d};
