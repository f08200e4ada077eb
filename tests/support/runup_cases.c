// Coasts for tests: see the header.
#include "tests/support/runup_cases.h"

#include <math.h>

static double bump(double x, double y, double at_x, double at_y, double radius)
{
    const double r2 = ((x - at_x) * (x - at_x) + (y - at_y) * (y - at_y)) / (radius * radius);
    return exp(-r2);
}

double *bay_depth_new(size_t nx, size_t ny, double deepest_m)
{
    double *depth = array_new(nx * ny);
    uint32_t random = 4711;
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            random = random * 1664525u + 1013904223u; // Numerical Recipes' generator: no structure is needed
            const double noise = (double)(random >> 8) / (double)(1u << 24) - 0.5;
            const double x = (double)i / (double)nx, y = (double)j / (double)ny;
            // Seaward distance from a coast that runs from the west side to the south side.
            const double sea = x + 0.7 * y - 0.42 + 0.03 * sin(19 * y) + 0.02 * sin(31 * x);
            double d = 1.25 * sea - 0.35 * sea * sea;
            d -= 0.75 * bump(x, y, 0.72, 0.62, 0.09); // an island
            d -= 0.55 * bump(x, y, 0.5, 0.83, 0.05);  // a smaller one
            d -= 0.33 * bump(x, y, 0.88, 0.2, 0.1);   // a bank
            d += 0.16 * bump(x, y, 0.1, 0.25, 0.05);  // a hollow on land
            depth[j * nx + i] = deepest_m * (d + 0.01 * noise);
        }
    return depth;
}

void state_still(struct ocean_state *state, const double *depth_m, double level_m)
{
    for (size_t k = 0; k < state->nx * state->ny; k++) {
        state->eta[k] = fmax(level_m, -depth_m[k]);
        state->u[k] = state->v[k] = 0;
    }
}

void state_add_wave(struct ocean_state *state, const double *depth_m, double height_m, double at_x,
                    double at_y, double width)
{
    for (size_t j = 0; j < state->ny; j++)
        for (size_t i = 0; i < state->nx; i++) {
            const double x = ((double)i - at_x * (double)state->nx) / width;
            const double y = ((double)j - at_y * (double)state->ny) / (0.8 * width);
            const size_t k = j * state->nx + i;
            const double bell = height_m * exp(-x * x - y * y);
            if (state->eta[k] + depth_m[k] <= 0)
                continue;
            state->eta[k] = fmax(state->eta[k] + bell * (1 + 0.3 * x), -depth_m[k]);
            state->u[k] += 0.02 * bell;
            state->v[k] += 0.01 * bell * (1 - 0.2 * y);
        }
}

double flooding_step_s(const struct ocean_setup *s, double share)
{
    const double radian = 3.14159265358979323846 / 180, metre = s->is_spherical ? OCEAN_RADIUS_M * radian : 1;
    double smallest = INFINITY, deepest = 0;
    for (size_t j = 0; j < s->ny; j++)
        for (size_t i = 0; i < s->nx; i++) {
            const double cosine = s->is_spherical ? cos(s->y[j] * radian) : 1;
            if (i + 1 < s->nx)
                smallest = fmin(smallest, (s->x[i + 1] - s->x[i]) * metre * cosine);
            if (j + 1 < s->ny)
                smallest = fmin(smallest, (s->y[j + 1] - s->y[j]) * metre);
            deepest = fmax(deepest, s->depth_m[j * s->nx + i]);
        }
    return share * smallest / sqrt(OCEAN_GRAVITY_M_S2 * deepest);
}
