// Heat that is lost in single precision: see rounding.h.
//
// A step rounds the θ of a cell by up to half of the spacing of floats there. The equation makes no
// difference larger, so that after n steps no cell is further off than n of these. This much is lost where
// every step warms by less than half of the spacing; what warms faster is rounded up and down.
#include "models/bioheat/rounding.h"

#include "models/bioheat/initial.h"

#include <math.h>

// Where no largest temperatures are kept: a tissue whose dose passes was not this warm.
static const double unkept_c = 60;

static double largest_theta_k(const struct bioheat *b)
{
    const struct bioheat_params *p = &b->params;
    const double start_c = bioheat_initial_constant_c(p->initial); // NaN: of a file
    double at_s, largest_c = bioheat_exposure_largest_c(b, &at_s);
    if (isnan(largest_c))
        largest_c = unkept_c;
    return fmax(fabs(largest_c - p->reference_c),
                fmax(fabs(p->arterial_c - p->reference_c), fabs(start_c - p->reference_c)));
}

// Each stage of method rkl2 rounds.
static double roundings_a_step(const struct bioheat_physics *physics)
{
    if (physics->method != BIOHEAT_RKL2)
        return 1;
    return fmax(physics->stages, physics->substeps * physics->substep_stages);
}

double bioheat_rounding_k(const struct bioheat *b)
{
    static const double slack = 1e-6; // θ is known to the rounding of °C only
    const double before_k = b->chain ? bioheat_chain_rounding_k(b->chain) : 0;
    if (bioheat_real(b) != ELEMENT_F32)
        return before_k;
    const float theta_k = (float)(largest_theta_k(b) * (1 + slack));
    const double spacing_k = (double)nextafterf(theta_k, INFINITY) - (double)theta_k,
                 own_k = 0.5 * spacing_k * (double)b->steps * roundings_a_step(&b->params.physics);
    return fmin(before_k + own_k, BIOHEAT_ROUNDING_MOST_K);
}
