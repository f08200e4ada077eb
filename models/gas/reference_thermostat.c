// The reference's noise, and Bussi's factor: THERMOSTATS of state.h.
#include "core/philox.h"
#include "models/gas/reference.h"

#include <math.h>

static const double tau = 6.283185307179586;

// Box and Muller's two normal numbers out of a counter's four words.
static void normals_of(uint64_t low, uint64_t high, uint64_t seed, double normals[GAS_AXES])
{
    const struct philox_counter words =
        philox4x32(philox_counter_from(low, high), philox_key_from_seed(seed));
    const double radius = sqrt(-2 * log(philox_double(words.v[0], words.v[1])));
    const double angle = tau * philox_double(words.v[2], words.v[3]);
    normals[GAS_X] = radius * cos(angle);
    normals[GAS_Y] = radius * sin(angle);
}

void reference_noise(const struct gas_physics *physics, int64_t step, size_t id, double normals[GAS_AXES])
{
    normals_of((uint64_t)step, id, physics->seed, normals);
}

// Draws of a step that belong to no particle.
struct draws {
    uint64_t step, seed, next;
};

static double draw_normal(struct draws *draws, double *uniform)
{
    double normals[GAS_AXES];
    const uint64_t high = UINT64_C(1) << 63 | draws->next++;
    const struct philox_counter words = philox4x32(philox_counter_from(draws->step, high | UINT64_C(1) << 62),
                                                   philox_key_from_seed(draws->seed));
    normals_of(draws->step, high, draws->seed, normals);
    *uniform = philox_double(words.v[0], words.v[1]);
    return normals[GAS_X];
}

// A gamma variate of this shape (≥ 1): Marsaglia and Tsang (2000), doi:10.1145/358407.358414.
static double draw_gamma(struct draws *draws, double shape)
{
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double uniform;
        const double x = draw_normal(draws, &uniform), v = pow(1 + c * x, 3);
        if (v > 0 && log(uniform) < x * x / 2 + d - d * v + d * log(v))
            return d * v;
    }
}

double reference_bussi_factor(const struct gas_physics *physics, int64_t step, double degrees, double kinetic)
{
    struct draws draws = {(uint64_t)step, physics->seed, 0};
    double unused;
    const double r1 = draw_normal(&draws, &unused);
    const double rest = 2 * draw_gamma(&draws, (degrees - 1) / 2);
    const double c = exp(-physics->step / physics->relaxation_time);
    const double share = (1 - c) * (physics->temperature / 2) / kinetic; // K̄/N_f = T/2
    const double square = c + share * (r1 * r1 + rest) + 2 * r1 * sqrt(c * share);
    const double sign = r1 + sqrt(c / share) >= 0 ? 1 : -1;
    return sign * sqrt(fmax(square, 0));
}
