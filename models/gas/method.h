// The parts of a method that a run has, and the cells of THE LISTS: shared by the fast versions.
#ifndef FATHOM_MODELS_GAS_METHOD_H
#define FATHOM_MODELS_GAS_METHOD_H

#include "models/gas/state.h"

#include <math.h>

static inline bool gas_has_regions(const struct gas_physics *physics)
{
    return physics->method == GAS_CELLS && physics->regions.columns > 0;
}

// Lists hold no pair beyond the cut-off.
static inline bool gas_has_lists(const struct gas_physics *physics)
{
    const bool is_lennard_jones =
        physics->potential == GAS_LENNARD_JONES || physics->potential == GAS_LENNARD_JONES_FORCE_SHIFTED;
    const bool is_near = physics->potential == GAS_REAL_GAS || physics->potential == GAS_CONDENSING;
    const bool is_endless =
        fabs(physics->attraction) > 0 || (physics->has_repulsion_everywhere && fabs(physics->repulsion) > 0);
    return physics->method == GAS_CELLS && !gas_has_regions(physics) &&
           (is_lennard_jones || (is_near && !is_endless));
}

// Defaults; measured as the best on processors and GPUs.
static inline double gas_usual_skin(double cut_off)
{
    return 0.2 * cut_off;
}

static inline double gas_lists_reach(const struct gas_physics *physics)
{
    return physics->cut_off + physics->lists.skin;
}

// Cells of the lists on an axis. Many more cells than particles would only cost memory.
static inline int gas_lists_cells(const struct gas_physics *physics, size_t count, int axis)
{
    const double cells = floor(physics->box[axis] / gas_lists_reach(physics));
    const double most = 2 * ceil(sqrt((double)count)) + 3;
    return cells > most ? (int)most : cells > 1 ? (int)cells : 1;
}

#endif
