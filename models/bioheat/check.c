// The user's own check: steps, spread over the run, made on the reference too from the very state that the
// fast back end had, and compared: the temperature of every cell but air. bioheat.c's advance makes the steps
// on both.
#include "models/bioheat/instance.h"

#include <stdio.h>
#include <string.h>

static void begin_record(struct bioheat *b)
{
    struct check_record *record = &b->check;
    snprintf(record->units, sizeof record->units, "K");
    record->places = CHECK_VOLUME;
    record->quantity_count = 1;
    struct check_quantity *quantity = &record->quantities[0];
    snprintf(quantity->name, sizeof quantity->name, "temperature");
    snprintf(quantity->units, sizeof quantity->units, "degC");
    quantity->size = -1;
}

enum status bioheat_check_begin(void *context, int64_t step)
{
    struct bioheat *b = context;
    const struct bioheat_grid *grid = &b->params.grid;
    const size_t nx = grid->cells[BIOHEAT_X];
    double *theta = bioheat_row_buffer(b, 0);
    if (b->check.moments == 0)
        begin_record(b);
    CHECK(bioheat_fetch(b));
    for (size_t z = 0; z < grid->cells[BIOHEAT_Z]; z++)
        for (size_t y = 0; y < grid->cells[BIOHEAT_Y]; y++) {
            b->backend->get(b->solver, z, y, 0, nx, theta);
            bioheat_backend_reference.set(b->reference, z, y, 0, nx, theta);
        }
    CHECK(solver_touch(&bioheat_backend_reference.head, b->reference, false));
    b->check_begin_step = step;
    b->is_checking = true;
    return STATUS_OK;
}

// The first of equal differences in index order is the one that is kept.
static void compare_cell(struct bioheat *b, const size_t cell[BIOHEAT_AXES], int64_t step, double value_k,
                         double reference_k)
{
    const struct bioheat_grid *grid = &b->params.grid;
    struct check_quantity *q = &b->check.quantities[0];
    const double difference = value_k - reference_k;
    if (bioheat_role_at(b, bioheat_index(grid, cell[BIOHEAT_Z], cell[BIOHEAT_Y], cell[BIOHEAT_X])) ==
        BIOHEAT_VOID)
        return;
    b->check.nodes++;
    q->sum_squares += difference * difference;
    const double size_k = isnan(difference) ? INFINITY : fabs(difference);
    if (size_k <= q->size)
        return;
    q->size = size_k;
    q->value = b->params.reference_c + value_k;
    q->reference = b->params.reference_c + reference_k;
    q->from_step = b->check_begin_step;
    q->step = step;
    q->column = (int64_t)cell[BIOHEAT_X];
    q->row = (int64_t)cell[BIOHEAT_Y];
    q->plane = (int64_t)cell[BIOHEAT_Z];
    q->x = bioheat_position_m(grid, BIOHEAT_X, cell[BIOHEAT_X]);
    q->y = bioheat_position_m(grid, BIOHEAT_Y, cell[BIOHEAT_Y]);
    q->z = bioheat_position_m(grid, BIOHEAT_Z, cell[BIOHEAT_Z]);
}

enum status bioheat_check_end(void *context, int64_t step)
{
    struct bioheat *b = context;
    const struct bioheat_grid *grid = &b->params.grid;
    const size_t nx = grid->cells[BIOHEAT_X];
    double *is = bioheat_row_buffer(b, 0), *should = bioheat_row_buffer(b, 1);
    CHECK(bioheat_fetch(b));
    for (size_t z = 0; z < grid->cells[BIOHEAT_Z]; z++)
        for (size_t y = 0; y < grid->cells[BIOHEAT_Y]; y++) {
            b->backend->get(b->solver, z, y, 0, nx, is);
            bioheat_backend_reference.get(b->reference, z, y, 0, nx, should);
            for (size_t x = 0; x < nx; x++)
                compare_cell(b, (size_t[]){z, y, x}, step, is[x], should[x]);
        }
    b->check.moments++;
    b->check.steps += step - b->check_begin_step;
    b->is_checking = false;
    return STATUS_OK;
}

enum status bioheat_check_verdict(struct bioheat *b)
{
    const struct check_quantity *q = &b->check.quantities[0];
    char place[BIOHEAT_PLACE_BYTES];
    b->check.tolerance = b->params.check_tolerance_k;
    if (b->check.moments == 0 || q->size <= b->check.tolerance)
        return STATUS_OK;
    const size_t cell[BIOHEAT_AXES] = {(size_t)q->plane, (size_t)q->row, (size_t)q->column};
    return FAIL(
        STATUS_CHECK_FAILED,
        "the check against the reference failed: after step %lld (repeated from step %lld), at %s, cell "
        "[%lld][%lld][%lld] (z, y, x), the temperature is %.9g degC, the reference's %.9g: they differ by "
        "%.3g K (allowed: %g K)",
        (long long)q->step, (long long)q->from_step, bioheat_place(&b->params.grid, cell, place),
        (long long)q->plane, (long long)q->row, (long long)q->column, q->value, q->reference, q->size,
        b->check.tolerance);
}
