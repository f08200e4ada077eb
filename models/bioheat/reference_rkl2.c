// A step of Runge–Kutta–Legendre super-time-stepping, second order, in the heat model's reference: Meyer,
// Balsara & Aslam, J. Comput. Phys. 257 (2014) 594–626, equations 16 and 17. Written from them, a stage at a
// time; shares no arithmetic with the fast versions.
#include "models/bioheat/reference.h"

#include <string.h>

static double b_of(int j)
{
    return j < 2 ? 1.0 / 3 : (double)(j * j + j - 2) / (2 * j * (j + 1));
}

// Δt times the rates of all cells at `theta`, source included; 0 where steps change nothing.
static enum status find_changes(struct solver *s, double *theta, const double *amplitudes, double *change)
{
    const struct bioheat_grid *grid = s->setup.grid;
    const struct reference_view view = {.solver = s, .array = theta};
    size_t at[BIOHEAT_AXES];
    CHECK(reference_exchange(s, theta));
    for (at[0] = s->own.first; at[0] < s->own.end; at[0]++)
        for (at[1] = 0; at[1] < grid->cells[1]; at[1]++)
            for (at[2] = 0; at[2] < grid->cells[2]; at[2]++)
                change[reference_cell(grid, at)] =
                    reference_is_updated(s, at)
                        ? s->setup.physics->step_s * reference_rate(&view, at, amplitudes).k_s
                        : 0;
    reference_heat_places(s, amplitudes, change);
    return STATUS_OK;
}

// With M the changes, Y_0 the state, w = 4/(s² + s − 2), a = 1 − b:
//   Y_1 = Y_0 + b_1 w M(Y_0),
//   Y_j = μ Y_j−1 + ν Y_j−2 + (1 − μ − ν) Y_0 + μ w (M(Y_j−1) − a_j−1 M(Y_0)),
//   μ = (2j − 1)/j · b_j/b_j−1, ν = −(j − 1)/j · b_j/b_j−2; the state after the step is Y_s.
// With differences from Y_0, so that a cell that does not change keeps its value exactly.
static enum status add_substep(struct solver *s, const double *amplitudes, int stages, int parts)
{
    const size_t first = reference_first(s), end = reference_end(s), bytes = (end - first) * sizeof *s->theta;
    const double w = 4.0 / (stages * stages + stages - 2) / parts; // the changes are those of the whole step
    double *change = s->theta_next;                                // of the stage before
    double *earlier = s->stages[0], *last = s->stages[1];
    CHECK(find_changes(s, s->theta, amplitudes, s->first_change));
    memcpy(earlier + first, s->theta + first, bytes);
    for (size_t k = first; k < end; k++)
        last[k] = s->theta[k] + b_of(1) * w * s->first_change[k];
    for (int j = 2; j <= stages; j++) {
        const double mu = (2.0 * j - 1) / j * b_of(j) / b_of(j - 1),
                     nu = -(j - 1.0) / j * b_of(j) / b_of(j - 2), a = 1 - b_of(j - 1);
        CHECK(find_changes(s, last, amplitudes, change));
        for (size_t k = first; k < end; k++)
            earlier[k] = s->theta[k] + mu * (last[k] - s->theta[k]) + nu * (earlier[k] - s->theta[k]) +
                         mu * w * (change[k] - a * s->first_change[k]);
        double *const next = earlier;
        earlier = last;
        last = next;
    }
    reference_add_mean_dose(s, s->setup.physics->step_s / parts, s->theta, last);
    memcpy(s->theta + first, last + first, bytes);
    return STATUS_OK;
}

enum status reference_step_rkl2(struct solver *s, int64_t step, const double *amplitudes)
{
    const struct bioheat_physics *physics = s->setup.physics;
    const int parts = s->is_divided ? physics->substeps : 1;
    for (int part = 0; part < parts; part++) {
        if (part > 0)
            reference_record(s, (double)step + (double)part / parts);
        CHECK(add_substep(s, amplitudes, s->is_divided ? physics->substep_stages : physics->stages, parts));
    }
    return STATUS_OK;
}
