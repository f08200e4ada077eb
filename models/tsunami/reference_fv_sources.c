// What acts at a point where the shore moves, in the serial reference: rotation and Manning's friction, and
// the metric of the methods whose sweeps have it not. Part of THE SPECIFICATION (reference_fv.c,
// reference_shore.c).
#include "models/tsunami/reference.h"

#include <math.h>

static void rotate(struct solver *s, size_t k, ptrdiff_t j)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const struct tsunami_physics *physics = s->setup.physics;
    double angular_speed = physics->has_coriolis ? g->coriolis_per_s[j] : 0;
    if (physics->has_curvature)
        angular_speed += s->u[k] * g->tan_over_radius[j];
    const double angle = angular_speed * s->setup.step_s, u = s->u[k], v = s->v[k];
    s->u[k] = cos(angle) * u + sin(angle) * v;
    s->v[k] = cos(angle) * v - sin(angle) * u;
}

// Manning's, implicit: it stops, never reverses.
static void rub(struct solver *s, size_t k)
{
    const double n = s->setup.physics->manning_n, h = reference_depth(s, k);
    if (n <= 0 || !(h > s->setup.physics->minimum_depth_m))
        return;
    const double speed = sqrt(s->u[k] * s->u[k] + s->v[k] * s->v[k]);
    const double slower =
        1 + s->setup.step_s * s->setup.geometry->gravity_m_s2 * n * n * speed / pow(h, 4.0 / 3.0);
    s->u[k] /= slower;
    s->v[k] /= slower;
}

void reference_flooding_sources(struct solver *s, bool is_reversed)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const bool has_metric = !tsunami_method_has_cells(s->setup.physics->method); // else the sweep has it
    for (ptrdiff_t j = 0; j < (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
            const size_t k = reference_at(s, i, j);
            if (is_reversed)
                rub(s, k);
            if (!is_reversed && has_metric)
                reference_metric_shore(s, k, j);
            rotate(s, k, j);
            if (is_reversed && has_metric)
                reference_metric_shore(s, k, j);
            if (!is_reversed)
                rub(s, k);
        }
}
