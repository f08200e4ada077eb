// The user's own check: steps, spread over the run, repeated on the reference back end from the very state
// that the fast one had, and compared: elevation, and both velocities as the elevation that a wave with that
// velocity has, |Δu| √(d/g), so that one tolerance serves all three.
#include "models/tsunami/instance.h"

#include <math.h>

enum status tsunami_check_begin(void *context, int64_t step)
{
    struct tsunami *t = context;
    const size_t nx = t->geometry.nx;
    CHECK(tsunami_fetch(t));
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    for (size_t row = 0; row < t->geometry.ny; row++) {
        t->backend->get(t->solver, row, 0, nx, eta, u, v);
        tsunami_backend_reference.set(t->reference, row, 0, nx, eta, u, v);
    }
    tsunami_backend_reference.touch(t->reference);
    t->check_begin_step = step;
    return STATUS_OK;
}

static enum status repeat_steps(struct tsunami *t, int64_t end_step)
{
    for (int64_t step = t->check_begin_step; step < end_step; step++) {
        const double from_s = t->start_s + (double)step * t->step_s,
                     to_s = t->start_s + (double)(step + 1) * t->step_s;
        CHECK(tsunami_backend_reference.advance(t->reference, step, 1));
        if (tsunami_source_moves(t, from_s, to_s))
            CHECK(tsunami_source_lift(t, &tsunami_backend_reference, t->reference, from_s, to_s, false));
    }
    return STATUS_OK;
}

// Adds one node's difference to the verdict; a NaN counts as infinite.
static void compare_node(struct tsunami *t, size_t column, size_t row, int64_t step,
                         const double difference[TSUNAMI_FIELDS])
{
    const double depth = t->depth_m[row * t->geometry.pitch + column];
    if (!(depth > t->params.physics.wall_depth_m))
        return;
    const double seconds = sqrt(depth / t->geometry.gravity_m_s2);
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        const double size_m = fabs(difference[f]) * (f == 0 ? 1 : seconds);
        if (size_m <= t->check_largest_m)
            continue;
        t->check_largest_m = isnan(size_m) ? INFINITY : size_m;
        t->check_step = step;
        t->check_x = t->geometry.x[column];
        t->check_y = t->geometry.y[row];
    }
}

enum status tsunami_check_end(void *context, int64_t step)
{
    struct tsunami *t = context;
    const size_t nx = t->geometry.nx;
    CHECK(repeat_steps(t, step));
    CHECK(tsunami_fetch(t));
    double *is[TSUNAMI_FIELDS], *should[TSUNAMI_FIELDS];
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        is[f] = tsunami_row_buffer(t, f);
        should[f] = tsunami_row_buffer(t, TSUNAMI_FIELDS + f);
    }
    for (size_t row = 0; row < t->geometry.ny; row++) {
        t->backend->get(t->solver, row, 0, nx, is[0], is[1], is[2]);
        tsunami_backend_reference.get(t->reference, row, 0, nx, should[0], should[1], should[2]);
        for (size_t i = 0; i < nx; i++) {
            const double difference[TSUNAMI_FIELDS] = {is[0][i] - should[0][i], is[1][i] - should[1][i],
                                                       is[2][i] - should[2][i]};
            compare_node(t, i, row, step, difference);
        }
    }
    t->checks_made++;
    return STATUS_OK;
}

enum status tsunami_verdict(void *instance)
{
    const struct tsunami *t = instance;
    if (t->checks_made == 0 || t->check_largest_m <= t->params.check_tolerance_m)
        return STATUS_OK;
    return FAIL(STATUS_CHECK_FAILED,
                "the check against the reference failed: after step %lld, at (%g, %g), elevation or velocity "
                "differs by what "
                "makes %g m of elevation (allowed: %g m)",
                (long long)t->check_step, t->check_x, t->check_y, t->check_largest_m,
                t->params.check_tolerance_m);
}
