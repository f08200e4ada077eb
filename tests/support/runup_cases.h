// Coasts made for tests of the methods with a moving shoreline: bottoms with beaches, islands and ponds, and
// waves on them.
#ifndef FATHOM_TESTS_SUPPORT_RUNUP_CASES_H
#define FATHOM_TESTS_SUPPORT_RUNUP_CASES_H

#include "tests/support/tsunami_fixture.h"

// Depths (m, positive down, [ny][nx]) of a bay of some `deepest_m`, without symmetry: a beach with channels
// in the south-west, islands, a bank that just dries, a dry basin behind a sill whose floor lies below the
// sea, and noise. About a quarter of the nodes is land, up to some `deepest_m` / 3 high.
double *bay_depth_new(size_t nx, size_t ny, double deepest_m);

// The sea at `level_m` on a bay: no water on what lies above it, and none in the dry basin (which is there at
// level 0 only). η of a node without water is the height of its bottom. u = v = 0.
void state_still(struct ocean_state *state, const double *depth_m, double level_m);
// As state_add_bell, but only where there is water, and never below the bottom.
void state_add_wave(struct ocean_state *state, const double *depth_m, double height_m, double at_x,
                    double at_y, double width);

// The longest step of the methods, times `share`: share of the smallest spacing over √(g deepest).
double flooding_step_s(const struct ocean_setup *setup, double share);

#endif
