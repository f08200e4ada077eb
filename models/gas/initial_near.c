// Whether two particles lie so near at the start that the run's step is too long for their repulsion: see
// initial_private.h.
#include "models/gas/initial_private.h"
#include "models/gas/potential.h"

#include <math.h>

// The distance at which the repulsion of a pair ends: its core, or without attraction the cut-off; 0: there
// is no repulsion.
static double reach_of(const struct gas_physics *physics)
{
    const double core = gas_core(physics);
    return core > 0 ? core : gas_has_cut_off(physics) ? physics->cut_off : 0;
}

// The pair potential of state.h below the cut-off, without the constants that shift it.
static double potential_at(const struct gas_physics *physics, double r)
{
    if (gas_is_lennard_jones(physics)) {
        const double q = pow(physics->diameter / r, 6);
        return 4 * physics->well_depth * (q * q - q);
    }
    const double s = r * r + physics->softening * physics->softening;
    const double attraction =
        physics->attraction + (physics->potential == GAS_CONDENSING ? physics->attraction2 : 0);
    return attraction / 2 * log(s) + physics->repulsion / (2 * s);
}

double gas_near_energy(const struct gas_physics *physics, double r)
{
    const double reach = reach_of(physics);
    return r < reach ? fmax(potential_at(physics, r) - potential_at(physics, reach), 0) : 0;
}

double gas_near_path(const struct gas_physics *physics, const double masses[2], double r)
{
    const double inverse = 1 / masses[0] + 1 / masses[1]; // of the reduced mass
    return sqrt(2 * gas_near_energy(physics, r) * inverse) * physics->step;
}

bool gas_is_too_near(const struct gas_physics *physics, const double masses[2], double r)
{
    return gas_near_path(physics, masses, r) > hypot(r, physics->softening);
}

double gas_near_distance(const struct gas_physics *physics, double mass)
{
    enum { HALVINGS = 60 };
    const double masses[2] = {mass, mass};
    double far = reach_of(physics), near = far * 1e-9;
    if (!(far > 0) || !gas_is_too_near(physics, masses, near))
        return 0;
    // As two particles come nearer, their path in a step grows and their distance shrinks, so one limit
    // exists.
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = sqrt(near * far);
        if (gas_is_too_near(physics, masses, middle))
            near = middle;
        else
            far = middle;
    }
    return far;
}
