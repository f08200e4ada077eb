// The user's own check: steps, spread over the run, repeated on the reference back end from the very state
// that the fast one had, and compared: elevation, and both velocities as the elevation that a wave with that
// velocity has, |Δu| √(d/g), so that one tolerance serves all three.
#include "models/tsunami/instance.h"

#include <math.h>
#include <stdio.h>

// η, u, v: what is compared, as struct check_quantity has it.
static const char *const quantity_units[TSUNAMI_FIELDS] = {"m", "m s-1", "m s-1"};

static void begin_record(struct tsunami_level *t)
{
    struct check_record *record = &t->check;
    snprintf(record->units, sizeof record->units, "m");
    record->quantity_count = TSUNAMI_FIELDS;
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        struct check_quantity *quantity = &record->quantities[f];
        snprintf(quantity->name, sizeof quantity->name, "%s", tsunami_field_names[f]);
        snprintf(quantity->units, sizeof quantity->units, "%s", quantity_units[f]);
        quantity->size = -1;
    }
}

enum status tsunami_check_begin(struct tsunami_level *t, int64_t step)
{
    const size_t nx = t->geometry.nx;
    if (t->check.moments == 0)
        begin_record(t);
    CHECK(tsunami_fetch(t));
    if (tsunami_level_floods(t)) // the bottom may have moved: the depth has, with it
        CHECK(t->reference_backend->start(t->reference));
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    for (size_t row = 0; row < t->geometry.ny; row++) {
        t->backend->get(t->solver, row, 0, nx, eta, u, v);
        t->reference_backend->set(t->reference, row, 0, nx, eta, u, v);
    }
    CHECK(solver_touch(&t->reference_backend->head, t->reference, false));
    t->check_begin_step = step;
    return STATUS_OK;
}

static enum status repeat_steps(struct tsunami_level *t, int64_t end_step)
{
    for (int64_t step = t->check_begin_step; step < end_step; step++)
        CHECK(tsunami_source_step(t, t->reference_backend, t->reference, step, false));
    return STATUS_OK;
}

// Adds one node to the record. The first of equal differences in row order is the one that is kept.
static void compare_node(struct tsunami_level *t, size_t column, size_t row, int64_t step,
                         const double value[TSUNAMI_FIELDS], const double reference[TSUNAMI_FIELDS])
{
    const double depth = t->depth_m[row * t->geometry.pitch + column];
    if (!(depth > t->params.physics.wall_depth_m))
        return;
    // Dry in both: there is no water to compare, and a moved bottom is rounded otherwise.
    if (tsunami_level_floods(t) &&
        fmax(value[TSUNAMI_ETA], reference[TSUNAMI_ETA]) + depth <= t->params.wet_depth_m)
        return;
    t->check.nodes++;
    // Where the shore moves, the water's own depth: that of the still sea says nothing on land.
    const double water = tsunami_level_floods(t) ? fmax(0, depth + reference[TSUNAMI_ETA]) : depth;
    const double seconds = sqrt(water / t->geometry.gravity_m_s2);
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        struct check_quantity *q = &t->check.quantities[f];
        const double difference = value[f] - reference[f];
        q->sum_squares += difference * difference;
        double size_m = fabs(difference) * (f == TSUNAMI_ETA ? 1 : seconds);
        if (isnan(size_m))
            size_m = INFINITY;
        if (size_m <= q->size)
            continue;
        q->size = size_m;
        q->value = value[f];
        q->reference = reference[f];
        q->from_step = t->check_begin_step;
        q->step = step;
        q->column = (int64_t)column;
        q->row = (int64_t)row;
        q->x = t->geometry.x[column];
        q->y = t->geometry.y[row];
        q->depth_m = depth;
    }
}

enum status tsunami_check_end(struct tsunami_level *t, int64_t step)
{
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
        t->reference_backend->get(t->reference, row, 0, nx, should[0], should[1], should[2]);
        for (size_t i = 0; i < nx; i++) {
            const double value[TSUNAMI_FIELDS] = {is[0][i], is[1][i], is[2][i]},
                         reference[TSUNAMI_FIELDS] = {should[0][i], should[1][i], should[2][i]};
            compare_node(t, i, row, step, value, reference);
        }
    }
    t->check.moments++;
    t->check.steps += step - t->check_begin_step;
    return STATUS_OK;
}

// The quantity that is furthest off, by size.
static const struct check_quantity *find_worst(const struct check_record *record)
{
    const struct check_quantity *worst = &record->quantities[0];
    for (int f = 1; f < TSUNAMI_FIELDS; f++)
        if (record->quantities[f].size > worst->size)
            worst = &record->quantities[f];
    return worst;
}

enum status tsunami_check_verdict(struct tsunami_level *t)
{
    t->check.tolerance = t->params.check_tolerance_m;
    if (t->check.moments == 0)
        return STATUS_OK;
    const struct check_quantity *q = find_worst(&t->check);
    t->checks_made = (int)t->check.moments;
    t->check_largest_m = q->size;
    t->check_step = q->step;
    t->check_x = q->x;
    t->check_y = q->y;
    if (q->size <= t->check.tolerance)
        return STATUS_OK;
    char as_elevation[64] = "";
    if (q != &t->check.quantities[TSUNAMI_ETA])
        snprintf(as_elevation, sizeof as_elevation, ", which makes %.3g m of elevation", q->size);
    return FAIL(
        STATUS_CHECK_FAILED,
        "the check against the reference failed: after step %lld (repeated from step %lld), at column "
        "%lld, row %lld (%g, %g), depth %g m, %s is %.9g %s, the reference's %.9g: they differ by %.3g%s "
        "(allowed: %g m)",
        (long long)q->step, (long long)q->from_step, (long long)q->column, (long long)q->row, q->x, q->y,
        q->depth_m, q->name, q->value, q->units, q->reference, fabs(q->value - q->reference), as_elevation,
        t->check.tolerance);
}
