// The rungs of the ladder of bioheat, in the order of the source.
#include "bench/ladder/bioheat/host.h"
#ifdef FATHOM_LADDER_CUDA
#include "bench/ladder/bioheat/device.h"
#endif

static const struct ladder_rung *const rungs[] = {&heat_ladder_serial,
                                                  &heat_ladder_openmp,
                                                  &heat_ladder_cache_blocks,
                                                  &heat_ladder_colours,
#ifdef FATHOM_LADDER_CUDA
                                                  &heat_ladder_gpu_naive,
                                                  &heat_ladder_gpu_naive_colours,
                                                  &heat_ladder_gpu_shared,
                                                  &heat_ladder_gpu_shared_borders,
                                                  &heat_ladder_gpu_shared_8,
                                                  &heat_ladder_gpu_shared_colours,
                                                  &heat_ladder_gpu_texture_1d,
                                                  &heat_ladder_gpu_texture_3d,
                                                  &heat_ladder_gpu_surface,
                                                  &heat_ladder_gpu_fused,
                                                  &heat_ladder_gpu_fused_colours,
#endif
                                                  NULL};

enum status heat_ladder_set(const struct ladder_rung *rung, void *state, const float *temperature,
                            const float *coefficient)
{
#ifdef FATHOM_LADDER_CUDA
    if (rung->is_device)
        return heat_ladder_device_set(state, temperature, coefficient);
#endif
    (void)rung;
    heat_ladder_host_set(state, temperature, coefficient);
    return STATUS_OK;
}

// Two arrays of temperatures, and the coefficients.
static double count_bytes(const struct ladder_case *wanted)
{
    return 3.0 * sizeof(float) * (double)heat_ladder_points(wanted);
}

const struct ladder_model ladder_bioheat = {.name = "bioheat",
                                            .work = "cells",
                                            .axes = 3,
                                            .size_usual = {260, 260, 260},
                                            .rungs = rungs,
                                            .count = heat_ladder_count,
                                            .count_values = heat_ladder_points,
                                            .count_bytes = count_bytes};
