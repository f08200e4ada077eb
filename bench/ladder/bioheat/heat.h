// The heat of the ladder: what the programs of the thesis (Brno 2013) compute, its state at the start, and
// what a step is. Independent of how a rung computes.
//
// Temperatures of points in float, [z][y][x], with two layers on each side that are never computed and keep
// their temperature. One number a point, Δt k/(ρ c)/(12 h²), multiplies the sum of the second differences of
// fourth order along the axes (point.h). No source, no blood: the thesis has them in kernels of their own.
#ifndef FATHOM_BENCH_LADDER_BIOHEAT_HEAT_H
#define FATHOM_BENCH_LADDER_BIOHEAT_HEAT_H

#include "bench/ladder/ladder.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HEAT_RIM = 2, HEAT_COLOURS = 3 };

// STATUS_SYSTEM for sizes that no rung can have: below 5 points along an axis, or more than 2^31 - 1 points.
enum status heat_ladder_check(const struct ladder_case *wanted);

size_t heat_ladder_points(const struct ladder_case *wanted); // with the layers that keep their temperature

// The state at the start, [z][y][x]: °C between 37 and 47 in two tissues, in arrays that the caller frees.
// STATUS_SYSTEM without memory; then both are NULL.
enum status heat_ladder_make_start(const struct ladder_case *wanted, float **temperature,
                                   float **coefficient);

// Of a step: the points that are computed, 25 operations each as printed in the thesis, and 12 bytes, of a
// temperature read and written and a coefficient read.
void heat_ladder_count(const struct ladder_case *wanted, struct ladder_counts *counts);

// Sets a state of any rung, [z][y][x]; for tests.
enum status heat_ladder_set(const struct ladder_rung *rung, void *state, const float *temperature,
                            const float *coefficient);

#ifdef __cplusplus
}
#endif

#endif
