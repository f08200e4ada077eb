// Volume, energy and extremes of the present state, the same on any number of threads; and the guard against
// non-finite values and steps beyond the stability limit.
#include "models/team.h"
#include "models/tsunami/instance.h"
#include "models/tsunami/results.h"
#include "parallel/relay.h"

#include <math.h>
#include <string.h>

enum status tsunami_diagnostics_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    const uint64_t nx = t->params.window.nx;
    return tsunami_level_array(t, memory, ELEMENT_U8, 3, sums_bytes(t->own.first * nx, t->own.end * nx),
                               (void **)&t->sums, "diagnostic sums");
}

// A block of the sums is a range of global indices, which may cross rows; each block belongs to one thread.
struct block_extremes {
    double eta_m, speed_m_s, courant;
};

// For each node, in place of fmax and fmin, which are calls of the C library. An x that is NaN leaves the
// largest as it is.
static inline double larger(double largest, double x)
{
    return x > largest ? x : largest;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static struct tsunami_cell cell_of(const struct tsunami_level *t, size_t column, size_t row)
{
    const struct tsunami_geometry *g = &t->geometry;
    const ptrdiff_t i = (ptrdiff_t)column, j = (ptrdiff_t)row;
    return (struct tsunami_cell){
        .area_m2 = tsunami_cell_area_m2(t, column, row),
        .dx_m = smaller(g->x_distance_m[i - 1], g->x_distance_m[i]) * g->cos_latitude[row],
        .dy_m = smaller(g->y_distance_m[j - 1], g->y_distance_m[j]),
    };
}

static void diagnose_piece(struct tsunami_level *t, size_t row, size_t first, size_t count,
                           struct block_extremes *extremes)
{
    const struct tsunami_geometry *g = &t->geometry;
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    const double wet_depth_m = tsunami_wet_depth_m(&t->params.physics, &t->records);
    t->backend->get(t->solver, row, first, count, eta, u, v);
    for (size_t k = 0; k < count; k++) {
        const size_t i = first + k;
        const struct tsunami_node node = {eta[k], u[k], v[k], t->depth_m[row * g->pitch + i], wet_depth_m};
        if (!(node.depth_m > t->params.physics.wall_depth_m))
            continue;
        const struct tsunami_terms terms =
            tsunami_node_terms(node, cell_of(t, i, row), g->gravity_m_s2, t->step_s);
        const uint64_t index = (uint64_t)row * g->nx + i;
        sums_add(&t->volume, index, terms.volume_m3);
        sums_add(&t->kinetic, index, terms.kinetic_j);
        sums_add(&t->potential, index, terms.potential_j);
        extremes->eta_m = larger(extremes->eta_m, terms.abs_eta_m);
        extremes->speed_m_s = larger(extremes->speed_m_s, terms.speed_m_s);
        extremes->courant = larger(extremes->courant, terms.courant);
    }
}

struct diagnosis {
    struct tsunami_level *tsunami;
    struct block_extremes extremes;
};

static void diagnose_block(void *context, size_t block)
{
    struct diagnosis *diagnosis = context;
    struct tsunami_level *t = diagnosis->tsunami;
    struct block_extremes extremes = {0}, *all = &diagnosis->extremes;
    const struct rank_sum *sum = &t->volume;
    const uint64_t nx = t->geometry.nx, begin = (sum->first_block + block) * STATISTICS_BLOCK;
    uint64_t index = begin > sum->first ? begin : sum->first;
    const uint64_t end = begin + STATISTICS_BLOCK < sum->end ? begin + STATISTICS_BLOCK : sum->end;
    while (index < end) {
        const uint64_t row = index / nx, first = index % nx;
        const uint64_t count = nx - first < end - index ? nx - first : end - index;
        diagnose_piece(t, row, first, count, &extremes);
        index += count;
    }
#pragma omp critical(diagnosis) // a maximum: the order does not matter
    {
        all->eta_m = fmax(all->eta_m, extremes.eta_m);
        all->speed_m_s = fmax(all->speed_m_s, extremes.speed_m_s);
        all->courant = fmax(all->courant, extremes.courant);
    }
}

// Of all ranks.
static enum status merge_extremes(struct tsunami_level *t, struct block_extremes *extremes)
{
    struct block_extremes all = {0};
    const struct relay_part part = {&all, sizeof all};
    CHECK(relay_take(t->ranks, &part, 1));
    all.eta_m = fmax(all.eta_m, extremes->eta_m);
    all.speed_m_s = fmax(all.speed_m_s, extremes->speed_m_s);
    all.courant = fmax(all.courant, extremes->courant);
    CHECK(relay_pass(t->ranks, &part, 1));
    *extremes = all;
    return STATUS_OK;
}

size_t tsunami_diagnostics_bytes(const struct tsunami_level *t)
{
    const uint64_t nx = t->params.window.nx;
    const size_t sums =
        t->shares ? TSUNAMI_DIAGNOSED_SUMS * sums_bytes(t->own.first * nx, t->own.end * nx) : 0;
    return sums + TSUNAMI_DIAGNOSTICS * sizeof(double);
}

// Extremes are ≥ 0, so that they are in the order of their bits.
enum status tsunami_diagnostics_join(const struct tsunami_level *t, void *parts,
                                     double record[TSUNAMI_DIAGNOSTICS])
{
    enum { SUMS = TSUNAMI_DIAGNOSED_SUMS, EXTREMES = TSUNAMI_DIAGNOSTICS - SUMS };
    const uint64_t nx = t->params.window.nx, first = t->own.first * nx, end = t->own.end * nx;
    const size_t bytes = sums_bytes(first, end);
    struct rank_sum sums[SUMS], *list[SUMS];
    int64_t bits[EXTREMES];
    for (size_t k = 0; k < SUMS; k++) {
        list[k] = &sums[k];
        CHECK(sums_take(list[k], first, end, nx * t->params.window.ny, (char *)parts + k * bytes, bytes));
    }
    memcpy(bits, (const double *)(const void *)((const char *)parts + SUMS * bytes) + SUMS, sizeof bits);
    CHECK(sums_totals_on(t->ranks, TRANSPORT_FILES, list, SUMS, record));
    CHECK(ranks_largest(t->ranks, TRANSPORT_FILES, bits, EXTREMES));
    memcpy(record + SUMS, bits, sizeof bits);
    return STATUS_OK;
}

enum status tsunami_diagnose(struct tsunami_level *t, struct tsunami_diagnostics *result)
{
    enum { SUMS = 3 };
    const uint64_t nx = t->geometry.nx, first = t->own.first * nx, end = t->own.end * nx;
    const size_t bytes = sums_bytes(first, end);
    struct rank_sum *const sums[SUMS] = {&t->volume, &t->kinetic, &t->potential};
    for (int k = 0; k < SUMS; k++) {
        // The plan gave exactly these bytes: this cannot fail.
        (void)sums_init(sums[k], first, end, nx * t->geometry.ny, (char *)t->sums + (size_t)k * bytes, bytes);
    }
    struct diagnosis diagnosis = {.tsunami = t};
    const uint64_t blocks = (end + STATISTICS_BLOCK - 1) / STATISTICS_BLOCK - t->volume.first_block;
    team_for(t->threads, (size_t)blocks, diagnose_block, &diagnosis);
    double totals[SUMS];
    CHECK(sums_totals(t->ranks, sums, SUMS, totals));
    CHECK(merge_extremes(t, &diagnosis.extremes));
    const struct block_extremes *all = &diagnosis.extremes;
    *result = (struct tsunami_diagnostics){
        .volume_m3 = totals[0],
        .energy_kinetic_j = totals[1],
        .energy_potential_j = totals[2],
        .max_abs_eta_m = all->eta_m,
        .max_speed_m_s = all->speed_m_s,
        .courant = all->courant,
    };
    return STATUS_OK;
}

struct search {
    struct tsunami_level *tsunami;
    size_t first;
};

static void search_row(void *context, size_t item)
{
    struct search *search = context;
    struct tsunami_level *t = search->tsunami;
    const size_t row = t->own.first + item;
    const struct tsunami_geometry *g = &t->geometry;
    size_t first = SIZE_MAX;
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    const double wet_depth_m = tsunami_wet_depth_m(&t->params.physics, &t->records);
    const bool is_staggered = tsunami_method_is_staggered(t->params.physics.method);
    t->backend->get(t->solver, row, 0, g->nx, eta, u, v);
    for (size_t i = 0; i < g->nx; i++) {
        const struct tsunami_node node = {eta[i], u[i], v[i], t->depth_m[row * g->pitch + i], wet_depth_m};
        if (!(node.depth_m > t->params.physics.wall_depth_m))
            continue;
        const struct tsunami_cell cell = cell_of(t, i, row);
        const bool is_valid =
            is_staggered ? tsunami_staggered_is_valid(node, cell.dx_m, cell.dy_m, g->gravity_m_s2, t->step_s)
                         : tsunami_node_is_valid(node, cell.dx_m, cell.dy_m, g->gravity_m_s2, t->step_s);
        if (!is_valid && row * g->nx + i < first)
            first = row * g->nx + i;
    }
    if (first == SIZE_MAX)
        return;
#pragma omp critical(search) // a minimum: the order does not matter
    search->first = first < search->first ? first : search->first;
}

// First node in index order that is invalid; SIZE_MAX if all are.
static size_t find_invalid(struct tsunami_level *t)
{
    struct search search = {t, SIZE_MAX};
    team_for(t->threads, t->own.end - t->own.first, search_row, &search);
    return search.first;
}

// The first of all ranks.
static enum status find_first(struct tsunami_level *t, struct tsunami_invalid *found)
{
    const struct relay_part part = {found, sizeof *found};
    int64_t is_any = found->step >= 0;
    CHECK(ranks_largest(t->ranks, TRANSPORT_STEPS, &is_any, 1));
    if (!is_any)
        return STATUS_OK;
    const struct tsunami_invalid mine = *found;
    *found = (struct tsunami_invalid){.step = -1};
    CHECK(relay_take(t->ranks, &part, 1));
    if (found->step < 0)
        *found = mine;
    return relay_pass(t->ranks, &part, 1);
}

enum status tsunami_check_found(const struct tsunami_level *t, const struct tsunami_invalid *found)
{
    if (found->step < 0)
        return STATUS_OK;
    const long long step = (long long)found->step;
    const double time_s = t->start_s + (double)found->step * t->step_s;
    const double x = t->geometry.x[found->column], y = t->geometry.y[found->row];
    const double depth_m = t->depth_m[found->row * t->geometry.pitch + found->column];
    if (found->step == 0 && t->has_first && t->first.courant > 1 && isfinite(t->first.courant))
        return FAIL(
            STATUS_DATA,
            "%sthe time step of %g s is too long for the wave at the start: at (%g, %g), depth %g m: eta "
            "= %g m, u = %g m/s, v = %g m/s; give a time.step of %.2g s or less",
            t->about, t->step_s, x, y, depth_m, found->eta_m, found->u_m_s, found->v_m_s,
            0.8 * t->step_s / t->first.courant);
    if (tsunami_level_floods(t) && isfinite(found->eta_m))
        return FAIL(STATUS_DATA,
                    "%sthe flow became too fast for the time step of %g s by step %lld (%g s): at (%g, %g), "
                    "depth %g m at rest, eta = %g m; it is held back there and no longer right: give a "
                    "smaller %s%s%stime.step",
                    t->about, t->step_s, step, time_s, x, y, depth_m, found->eta_m,
                    t->parent ? "nested." : "", t->name, t->parent ? "." : "");
    return FAIL(STATUS_DATA,
                "%sthe run became unstable by step %lld (%g s): at (%g, %g), depth %g m: eta = %g m, u = %g "
                "m/s, v = %g m/s; a smaller time.step may help",
                t->about, step, time_s, x, y, depth_m, found->eta_m, found->u_m_s, found->v_m_s);
}

enum status tsunami_level_guard(struct tsunami_level *t, int64_t step)
{
    struct tsunami_invalid found = {.step = -1};
    if (t->backend->guard) {
        CHECK(t->backend->guard(t->solver, step, &found));
        return tsunami_check_found(t, &found);
    }
    CHECK(tsunami_fetch(t));
    const size_t invalid = find_invalid(t);
    if (invalid != SIZE_MAX) {
        found.step = step;
        found.row = invalid / t->geometry.nx;
        found.column = invalid % t->geometry.nx;
        t->backend->get(t->solver, found.row, found.column, 1, &found.eta_m, &found.u_m_s, &found.v_m_s);
    }
    CHECK(find_first(t, &found));
    return tsunami_check_found(t, &found);
}
