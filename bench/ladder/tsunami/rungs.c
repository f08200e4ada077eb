// The rungs of the ladder of tsunami, in the order of the source, and what they share.
#include "bench/ladder/tsunami/rung.h"

const char *const tsunami_ladder_stages[] = {[TSUNAMI_LADDER_TRANSPOSES] = "transposes",
                                             [TSUNAMI_LADDER_SOLVER] = "solver",
                                             [TSUNAMI_LADDER_CONVERSIONS] = "conversions",
                                             [TSUNAMI_LADDER_STAGES] = NULL};

const char tsunami_ladder_differs[] = "an ocean by a formula, not the Pacific's depths";

enum status tsunami_ladder_create(const struct tsunami_rung *rung, const struct ladder_case *wanted,
                                  void **state)
{
    struct tsunami_ladder_ocean ocean;
    enum status status = tsunami_ladder_ocean_make((size_t)wanted->size[0], (size_t)wanted->size[1], &ocean);
    if (status == STATUS_OK)
        status = rung->open(wanted, &ocean, state);
    tsunami_ladder_ocean_free(&ocean);
    return status;
}

static void count(const struct ladder_case *wanted, struct ladder_counts *counts)
{
    counts->work = (double)wanted->size[0] * (double)wanted->size[1];
}

static size_t count_values(const struct ladder_case *wanted)
{
    return 3 * (size_t)wanted->size[0] * (size_t)wanted->size[1];
}

// The ocean's depths, elevations and velocities, and as many arrays twice of the rung.
static double count_bytes(const struct ladder_case *wanted)
{
    const double bytes = 4.0 * sizeof(double) + 8.0 * (double)element_bytes(wanted->precision);
    return bytes * (double)wanted->size[0] * (double)wanted->size[1];
}

static const struct ladder_rung *const rungs[] = {&tsunami_rung_serial.head,
                                                  &tsunami_rung_openmp.head,
#ifdef FATHOM_LADDER_CUDA
                                                  &tsunami_rung_gpu_transposes.head,
                                                  &tsunami_rung_gpu_invariants.head,
                                                  &tsunami_rung_gpu_multiplied.head,
                                                  &tsunami_rung_gpu_two_solvers.head,
                                                  &tsunami_rung_gpu_padded.head,
                                                  &tsunami_rung_gpu_textures.head,
#endif
                                                  NULL};

const struct ladder_model ladder_tsunami = {.name = "tsunami",
                                            .work = "nodes",
                                            .axes = 2,
                                            .size_usual = {2879, 2581},
                                            .rungs = rungs,
                                            .count = count,
                                            .count_values = count_values,
                                            .count_bytes = count_bytes};
