// The user's own check: single steps, spread over the run, repeated on the reference back end from the very state that the fast
// one had, and compared.
#include "models/tsunami/instance.h"

#include <math.h>

enum status tsunami_check_begin(void *context, int64_t step)
{
    struct tsunami *t = context;
    (void)step;
    const size_t nx = t->geometry.nx;
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    for (size_t row = 0; row < t->geometry.ny; row++) {
        t->backend->get(t->solver, row, 0, nx, eta, u, v);
        tsunami_backend_reference.set(t->reference, row, 0, nx, eta, u, v);
    }
    tsunami_backend_reference.touch(t->reference);
    return STATUS_OK;
}

enum status tsunami_check_end(void *context, int64_t step)
{
    struct tsunami *t = context;
    const size_t nx = t->geometry.nx;
    CHECK(tsunami_backend_reference.advance(t->reference, step - 1, 1));
    const double from_s = t->start_s + (double)(step - 1) * t->step_s, to_s = t->start_s + (double)step * t->step_s;
    if (tsunami_source_moves(t, from_s, to_s))
        tsunami_source_lift(t, &tsunami_backend_reference, t->reference, from_s, to_s, false);
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *expected = tsunami_row_buffer(t, 2);
    double *v = tsunami_row_buffer(t, 3);
    for (size_t row = 0; row < t->geometry.ny; row++) {
        t->backend->get(t->solver, row, 0, nx, eta, u, v);
        tsunami_backend_reference.get(t->reference, row, 0, nx, expected, u, v);
        for (size_t i = 0; i < nx; i++) {
            if (!(t->depth_m[row * t->geometry.pitch + i] > t->params.physics.wall_depth_m))
                continue;
            const double difference = fabs(eta[i] - expected[i]);
            if (difference <= t->check_largest_m) // a NaN goes on
                continue;
            t->check_largest_m = isnan(difference) ? INFINITY : difference;
            t->check_step = step;
            t->check_x = t->geometry.x[i];
            t->check_y = t->geometry.y[row];
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
                "the check against the reference failed: eta differs by %g m (allowed: %g m) after step %lld at (%g, %g)",
                t->check_largest_m, t->params.check_tolerance_m, (long long)t->check_step, t->check_x, t->check_y);
}
