// Comparison of a tsunami run with its reference (models/check.h): elevation, and both velocities as the
// elevation of a wave with that velocity, |Δu| √(d/g), so that one tolerance serves all three. Of the
// outermost grid and its steps. Of a divided grid the reference is rank 0's, which gets all rows.
#include "models/tsunami/instance.h"
#include "models/tsunami/ranks.h"
#include "parallel/ranks.h"

#include <math.h>
#include <stdio.h>

static struct tsunami_level *outermost(const void *instance)
{
    return ((const struct tsunami *)instance)->levels[0];
}

// u has nx + 1 values, for which two buffers lie one behind the other.
static enum status copy_staggered(struct tsunami_level *t)
{
    double *eta = tsunami_row_buffer(t, 0), *v = tsunami_row_buffer(t, 1), *u = tsunami_row_buffer(t, 2);
    const size_t nx = t->geometry.nx, last = t->geometry.ny - 1;
    for (size_t row = 0; row <= last + 1; row++) {
        const size_t owned = row < last ? row : last;
        if (tsunami_has_row(t->own, owned))
            t->backend->get_staggered(t->solver, row, eta, u, v);
        CHECK(tsunami_ranks_give_row(t, owned, eta, nx));
        CHECK(tsunami_ranks_give_row(t, owned, u, nx + 1));
        CHECK(tsunami_ranks_give_row(t, owned, v, nx));
        if (t->reference)
            t->reference_backend->set_staggered(t->reference, row, eta, u, v);
    }
    return t->reference ? solver_touch(&t->reference_backend->head, t->reference, false) : STATUS_OK;
}

// A row of the fast state, on rank 0.
static enum status take_row(const struct tsunami_level *t, size_t row, double *eta, double *u, double *v)
{
    const size_t nx = t->geometry.nx;
    if (tsunami_has_row(t->own, row))
        t->backend->get(t->solver, row, 0, nx, eta, u, v);
    CHECK(tsunami_ranks_give_row(t, row, eta, nx));
    CHECK(tsunami_ranks_give_row(t, row, u, nx));
    return tsunami_ranks_give_row(t, row, v, nx);
}

static enum status copy(void *instance, int64_t step)
{
    struct tsunami_level *t = outermost(instance);
    const size_t nx = t->geometry.nx;
    (void)step;
    if (tsunami_level_floods(t) && t->reference) // the bottom may have moved: the depth has, with it
        CHECK(t->reference_backend->start(t->reference));
    if (t->backend->get_staggered)
        return copy_staggered(t);
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    for (size_t row = 0; row < t->geometry.ny; row++) {
        CHECK(take_row(t, row, eta, u, v));
        if (t->reference)
            t->reference_backend->set(t->reference, row, 0, nx, eta, u, v);
    }
    return t->reference ? solver_touch(&t->reference_backend->head, t->reference, false) : STATUS_OK;
}

static enum status repeat(void *instance, int64_t first_step, int64_t count)
{
    struct tsunami_level *t = outermost(instance);
    for (int64_t step = first_step; step < first_step + count && t->reference; step++)
        CHECK(tsunami_source_step(t, t->reference_backend, t->reference, step, false));
    return STATUS_OK;
}

// Returns whether the node was compared.
static bool compare_node(struct tsunami *run, size_t column, size_t row, int64_t step,
                         const double value[TSUNAMI_FIELDS], const double reference[TSUNAMI_FIELDS])
{
    const struct tsunami_level *t = run->levels[0];
    const double depth = t->depth_m[row * t->geometry.pitch + column];
    if (!(depth > t->params.physics.wall_depth_m))
        return false;
    // Dry in both: no water to compare, and a moved bottom is rounded differently.
    if (tsunami_level_floods(t) &&
        fmax(value[TSUNAMI_ETA], reference[TSUNAMI_ETA]) + depth <= t->params.wet_depth_m)
        return false;
    // Where the shore moves, the actual depth: the still depth has no meaning on land.
    const double water = tsunami_level_floods(t) ? fmax(0, depth + reference[TSUNAMI_ETA]) : depth;
    const double seconds = sqrt(water / t->geometry.gravity_m_s2);
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        const double difference = value[f] - reference[f];
        const struct check_pair pair = {value[f], reference[f], difference,
                                        fabs(difference) * (f == TSUNAMI_ETA ? 1 : seconds)};
        struct check_quantity *q = check_difference(&run->base, f, step, pair);
        if (!q)
            continue;
        q->column = (int64_t)column;
        q->row = (int64_t)row;
        q->x = t->geometry.x[column];
        q->y = t->geometry.y[row];
        q->depth_m = depth;
    }
    return true;
}

// What rank 0 found becomes all ranks'.
static int64_t share(struct tsunami *run, int64_t compared)
{
    struct ranks *ranks = run->base.ranks;
    if (ranks->count > 1 &&
        (ranks_share(ranks, TRANSPORT_STEPS, &run->base.check, sizeof run->base.check) != STATUS_OK ||
         ranks_share(ranks, TRANSPORT_STEPS, &compared, sizeof compared) != STATUS_OK))
        return -1;
    return compared;
}

static int64_t compare(void *instance, int64_t step)
{
    const struct tsunami_level *t = outermost(instance);
    double *fast[TSUNAMI_FIELDS], *slow[TSUNAMI_FIELDS];
    int64_t compared = 0;
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        fast[f] = tsunami_row_buffer(t, f);
        slow[f] = tsunami_row_buffer(t, TSUNAMI_FIELDS + f);
    }
    for (size_t row = 0; row < t->geometry.ny; row++) {
        if (take_row(t, row, fast[0], fast[1], fast[2]) != STATUS_OK)
            return -1;
        if (!t->reference)
            continue;
        t->reference_backend->get(t->reference, row, 0, t->geometry.nx, slow[0], slow[1], slow[2]);
        for (size_t i = 0; i < t->geometry.nx; i++)
            compared += compare_node(instance, i, row, step, (double[]){fast[0][i], fast[1][i], fast[2][i]},
                                     (double[]){slow[0][i], slow[1][i], slow[2][i]});
    }
    return share(instance, compared);
}

static void complain(const void *instance, const struct check_quantity *q, char *text, size_t bytes)
{
    const struct check_record *record = &((const struct tsunami *)instance)->base.check;
    char as_elevation[64] = "";
    if (q != &record->quantities[TSUNAMI_ETA])
        snprintf(as_elevation, sizeof as_elevation, ", which makes %.3g m of elevation", q->size);
    snprintf(text, bytes,
             "at column %lld, row %lld (%g, %g), depth %g m, %s is %.9g %s, the reference's %.9g: they "
             "differ by %.3g%s (allowed: %g m)",
             (long long)q->column, (long long)q->row, q->x, q->y, q->depth_m, q->name, q->value, q->units,
             q->reference, fabs(q->value - q->reference), as_elevation, record->tolerance);
}

const struct check_operations tsunami_check = {
    .places = CHECK_PLANE,
    .step = "step",
    .units = "m",
    .quantities = {[TSUNAMI_ETA] = {"eta", "m"}, [TSUNAMI_U] = {"u", "m s-1"}, [TSUNAMI_V] = {"v", "m s-1"}},
    .copy = copy,
    .repeat = repeat,
    .compare = compare,
    .complain = complain,
};
