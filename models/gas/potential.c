// See potential.h.
#include "models/gas/potential.h"

#include <math.h>

bool gas_has_log(const struct gas_physics *physics)
{
    return physics->potential == GAS_LOG ||
           ((physics->potential == GAS_REAL_GAS || physics->potential == GAS_CONDENSING) &&
            physics->attraction > 0);
}

bool gas_has_endless_repulsion(const struct gas_physics *physics)
{
    return (physics->potential == GAS_REAL_GAS || physics->potential == GAS_CONDENSING) &&
           physics->has_repulsion_everywhere && physics->repulsion > 0;
}

bool gas_has_cut_off(const struct gas_physics *physics)
{
    return physics->potential != GAS_NO_FORCE && physics->potential != GAS_LOG;
}

bool gas_is_lennard_jones(const struct gas_physics *physics)
{
    return physics->potential == GAS_LENNARD_JONES || physics->potential == GAS_LENNARD_JONES_FORCE_SHIFTED;
}

// Of a real gas f = R/s² − (A + A₂)/s vanishes at s₀ = R/(A + A₂).
double gas_core(const struct gas_physics *physics)
{
    if (gas_is_lennard_jones(physics))
        return physics->diameter;
    if (!gas_has_cut_off(physics))
        return 0;
    const double attraction =
        physics->attraction + (physics->potential == GAS_CONDENSING ? physics->attraction2 : 0);
    const double square = physics->repulsion / attraction - physics->softening * physics->softening;
    return attraction > 0 && square > 0 && square < physics->cut_off * physics->cut_off ? sqrt(square) : 0;
}

bool gas_has_wall(const struct gas_physics *physics, enum gas_wall wall)
{
    for (int side = 0; side < GAS_SIDES; side++)
        if (physics->walls[side] == wall)
            return true;
    return false;
}
