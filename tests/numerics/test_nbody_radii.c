// Lagrangian radii of bodies of equal masses, known by counting: the share k/N of the mass lies within the
// k-th body.
#include "tests/support/test.h"

#include "models/nbody/radii.h"
#include "models/nbody/state.h"

enum { BODIES = 1000 };

// Radii of bodies at the distances 1 … BODIES in a mixed order.
static void find(struct nbody_radius_sorter *sorter, double mass, double total, double *radii)
{
    for (size_t i = 0; i < BODIES; i++)
        nbody_radii_set(sorter, i, (double)(i * 367 % BODIES + 1), mass);
    nbody_radii_find(sorter, total, nbody_lagrangian_shares, NBODY_RADII, radii);
}

// The total is rounded in its own way, a few units in the last place off either way.
TEST(shares_of_equal_masses)
{
    static const double expected[NBODY_RADII] = {10, 100, 250, 500, 750, 900, 990};
    static const double masses[] = {1.0 / BODIES, 1, 0.1, 1.98892e30 / 3};
    static struct memory_plan plan;
    struct nbody_radius_sorter sorter = {0};
    memory_plan_begin(&plan);
    assert_int_equal(nbody_radii_plan(&sorter, BODIES, &plan), STATUS_OK);
    assert_int_equal(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX), STATUS_OK);
    for (size_t m = 0; m < sizeof masses / sizeof *masses; m++)
        for (int units = -4; units <= 4; units++) {
            double radii[NBODY_RADII];
            find(&sorter, masses[m], BODIES * masses[m] * (1 + units * 2.220446049250313e-16), radii);
            for (int k = 0; k < NBODY_RADII; k++)
                if (radii[k] != expected[k])
                    fail_msg("bodies of mass %g, total off by %d units: share %g within %g, expected %g",
                             masses[m], units, nbody_lagrangian_shares[k], radii[k], expected[k]);
        }
    memory_plan_release(&plan);
}
