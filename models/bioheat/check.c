// The check of models/check.h: compares the temperature of every cell except air. bioheat_advance also makes
// the steps on the reference, while the fields of a streamed source are in memory.
#include "models/bioheat/instance.h"
#include "parallel/relay.h"

#include <math.h>
#include <stdio.h>

static enum status copy(void *instance, int64_t step)
{
    struct bioheat *b = instance;
    const size_t *cells = b->params.body.grid.cells;
    double *theta = bioheat_row_buffer(b, 0);
    const struct bioheat_planes own = bioheat_own(&b->params.body.grid);
    (void)step;
    for (size_t z = own.first; z < own.end; z++)
        for (size_t y = 0; y < cells[BIOHEAT_Y]; y++) {
            b->backend->get(b->base.solver, z, y, 0, cells[BIOHEAT_X], theta);
            bioheat_backend_reference.set(b->base.reference, z, y, 0, cells[BIOHEAT_X], theta);
        }
    b->is_checking = true;
    return solver_touch(&bioheat_backend_reference.head, b->base.reference, false);
}

// Nothing to do: bioheat_advance made the steps on both.
static enum status repeat(void *instance, int64_t first_step, int64_t count)
{
    struct bioheat *b = instance;
    (void)first_step;
    (void)count;
    b->is_checking = false;
    return STATUS_OK;
}

static void compare_cell(struct bioheat *b, const size_t cell[BIOHEAT_AXES], int64_t step, double value_k,
                         double reference_k)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    const double difference = value_k - reference_k;
    const struct check_pair pair = {b->params.body.reference_c + value_k,
                                    b->params.body.reference_c + reference_k, difference, fabs(difference)};
    struct check_quantity *q = check_difference(&b->base, 0, step, pair);
    if (!q)
        return;
    q->column = (int64_t)cell[BIOHEAT_X];
    q->row = (int64_t)cell[BIOHEAT_Y];
    q->plane = (int64_t)cell[BIOHEAT_Z];
    double at_m[BIOHEAT_AXES];
    bioheat_cell_scanner_m(grid, cell, at_m);
    q->x = at_m[BIOHEAT_X];
    q->y = at_m[BIOHEAT_Y];
    q->z = at_m[BIOHEAT_Z];
}

// In index order through all ranks.
static int64_t compare(void *instance, int64_t step)
{
    struct bioheat *b = instance;
    const struct bioheat_grid *grid = &b->params.body.grid;
    const size_t nx = grid->cells[BIOHEAT_X];
    double *fast = bioheat_row_buffer(b, 0), *slow = bioheat_row_buffer(b, 1);
    int64_t compared = 0;
    const struct bioheat_planes own = bioheat_own(grid);
    const struct relay_part parts[] = {{&b->base.check, sizeof b->base.check}, {&compared, sizeof compared}};
    if (relay_take(b->base.ranks, parts, 2) != STATUS_OK)
        return -1;
    for (size_t z = own.first; z < own.end; z++)
        for (size_t y = 0; y < grid->cells[BIOHEAT_Y]; y++) {
            b->backend->get(b->base.solver, z, y, 0, nx, fast);
            bioheat_backend_reference.get(b->base.reference, z, y, 0, nx, slow);
            for (size_t x = 0; x < nx; x++) {
                if (bioheat_role_at(b, bioheat_index(grid, z, y, x)) == BIOHEAT_VOID)
                    continue;
                compared++;
                compare_cell(b, (size_t[]){z, y, x}, step, fast[x], slow[x]);
            }
        }
    return relay_pass(b->base.ranks, parts, 2) == STATUS_OK ? compared : -1;
}

static void complain(const void *instance, const struct check_quantity *q, char *text, size_t bytes)
{
    const struct bioheat *b = instance;
    const size_t cell[BIOHEAT_AXES] = {(size_t)q->plane, (size_t)q->row, (size_t)q->column};
    char place[BIOHEAT_PLACE_BYTES];
    snprintf(text, bytes,
             "at %s, cell [%lld][%lld][%lld] (z, y, x), the temperature is %.9g degC, the reference's %.9g: "
             "they differ by %.3g K (allowed: %g K)",
             bioheat_place(&b->params.body.grid, cell, place), (long long)q->plane, (long long)q->row,
             (long long)q->column, q->value, q->reference, q->size, b->base.check.tolerance);
}

const struct check_operations bioheat_check = {
    .places = CHECK_VOLUME,
    .step = "step",
    .units = "K",
    .quantities = {{"temperature", "degC"}},
    .copy = copy,
    .repeat = repeat,
    .compare = compare,
    .complain = complain,
};
