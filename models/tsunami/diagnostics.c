// Volume, energy and extremes of the present state, the same on any number of threads; and the guard against
// values that are no numbers and steps that outran the stability limit.
#include "models/tsunami/instance.h"
#include "models/tsunami/team.h"

#include <math.h>
#include <omp.h>

// Sea water, kg m⁻³: for the energies, which are reported only.
static const double density_kg_m3 = 1025;

enum status tsunami_diagnostics_plan(struct tsunami *t, struct memory_plan *memory)
{
    const uint64_t nodes = (uint64_t)t->params.window.nx * t->params.window.ny;
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_U8, 3, block_sum_bytes(nodes), (void **)&t->sums,
                           "diagnostic sums");
}

// A block of the sums is a range of global indices, which may cross rows; no two threads share a block.
struct block_extremes {
    double eta_m, speed_m_s, courant;
};

static void diagnose_piece(struct tsunami *t, size_t row, size_t first, size_t count,
                           struct block_extremes *extremes)
{
    const struct tsunami_geometry *g = &t->geometry;
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    t->backend->get(t->solver, row, first, count, eta, u, v);
    for (size_t k = 0; k < count; k++) {
        const size_t i = first + k;
        const double depth = t->depth_m[row * g->pitch + i];
        if (!(depth > t->params.physics.wall_depth_m))
            continue;
        const uint64_t index = (uint64_t)row * g->nx + i;
        const double area = tsunami_cell_area_m2(t, i, row), speed2 = u[k] * u[k] + v[k] * v[k];
        block_sum_add(&t->volume, index, eta[k] * area);
        block_sum_add(&t->kinetic, index, 0.5 * density_kg_m3 * (depth + eta[k]) * speed2 * area);
        block_sum_add(&t->potential, index, 0.5 * density_kg_m3 * g->gravity_m_s2 * eta[k] * eta[k] * area);
        const double celerity = sqrt(g->gravity_m_s2 * fmax(0, depth + eta[k]));
        const double dx = fmin(g->x_distance_m[(ptrdiff_t)i - 1], g->x_distance_m[i]) * g->cos_latitude[row];
        const double dy = fmin(g->y_distance_m[(ptrdiff_t)row - 1], g->y_distance_m[row]);
        extremes->eta_m = fmax(extremes->eta_m, fabs(eta[k]));
        extremes->speed_m_s = fmax(extremes->speed_m_s, sqrt(speed2));
        extremes->courant = fmax(
            extremes->courant, t->step_s * fmax((fabs(u[k]) + celerity) / dx, (fabs(v[k]) + celerity) / dy));
    }
}

struct diagnosis {
    struct tsunami *tsunami;
    struct block_extremes extremes;
};

static void diagnose_block(void *context, size_t block)
{
    struct diagnosis *diagnosis = context;
    struct tsunami *t = diagnosis->tsunami;
    struct block_extremes extremes = {0}, *all = &diagnosis->extremes;
    const uint64_t nx = t->geometry.nx, nodes = nx * t->geometry.ny;
    uint64_t index = block * STATISTICS_BLOCK;
    const uint64_t end = index + STATISTICS_BLOCK < nodes ? index + STATISTICS_BLOCK : nodes;
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

void tsunami_diagnose(struct tsunami *t, struct tsunami_diagnostics *result)
{
    const uint64_t nx = t->geometry.nx, nodes = nx * t->geometry.ny;
    const size_t bytes = block_sum_bytes(nodes);
    struct block_sum *sums[] = {&t->volume, &t->kinetic, &t->potential};
    for (int k = 0; k < 3; k++) {
        // The plan gave exactly these bytes: this cannot fail.
        (void)block_sum_init(sums[k], nodes, (char *)t->sums + (size_t)k * bytes, bytes);
    }
    struct diagnosis diagnosis = {.tsunami = t};
    team_for(t->threads, t->volume.blocks, diagnose_block, &diagnosis);
    const struct block_extremes *all = &diagnosis.extremes;
    *result = (struct tsunami_diagnostics){
        .volume_m3 = block_sum_total(&t->volume),
        .energy_kinetic_j = block_sum_total(&t->kinetic),
        .energy_potential_j = block_sum_total(&t->potential),
        .max_abs_eta_m = all->eta_m,
        .max_speed_m_s = all->speed_m_s,
        .courant = all->courant,
    };
}

struct search {
    struct tsunami *tsunami;
    size_t first;
};

static void search_row(void *context, size_t row)
{
    struct search *search = context;
    struct tsunami *t = search->tsunami;
    const struct tsunami_geometry *g = &t->geometry;
    size_t first = SIZE_MAX;
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    t->backend->get(t->solver, row, 0, g->nx, eta, u, v);
    const double dy = fmin(g->y_distance_m[(ptrdiff_t)row - 1], g->y_distance_m[row]);
    for (size_t i = 0; i < g->nx; i++) {
        const double depth = t->depth_m[row * g->pitch + i];
        if (!(depth > t->params.physics.wall_depth_m))
            continue;
        const double dx = fmin(g->x_distance_m[(ptrdiff_t)i - 1], g->x_distance_m[i]) * g->cos_latitude[row];
        const double celerity = sqrt(g->gravity_m_s2 * (depth + eta[i])); // NaN if the bottom fell dry
        // Written so that a NaN fails it. 1 + 1e-3: a step at the limit itself is allowed to be rounded.
        const bool is_sound = t->step_s * (fabs(u[i]) + celerity) <= 1.001 * dx &&
                              t->step_s * (fabs(v[i]) + celerity) <= 1.001 * dy;
        if (!is_sound && row * g->nx + i < first)
            first = row * g->nx + i;
    }
    if (first == SIZE_MAX)
        return;
#pragma omp critical(search) // a minimum: the order does not matter
    search->first = first < search->first ? first : search->first;
}

// First node in index order that is not sound; SIZE_MAX if all are.
static size_t find_unsound(struct tsunami *t)
{
    struct search search = {t, SIZE_MAX};
    team_for(t->threads, t->geometry.ny, search_row, &search);
    return search.first;
}

enum status tsunami_guard(void *context, int64_t step)
{
    struct tsunami *t = context;
    CHECK(tsunami_fetch(t));
    const size_t unsound = find_unsound(t);
    if (unsound == SIZE_MAX)
        return STATUS_OK;
    const size_t row = unsound / t->geometry.nx, column = unsound % t->geometry.nx;
    double eta, u, v;
    t->backend->get(t->solver, row, column, 1, &eta, &u, &v);
    return FAIL(STATUS_DATA,
                "the run became unstable by step %lld (%g s): at (%g, %g), depth %g m: eta = %g m, u = %g "
                "m/s, v = %g "
                "m/s; a smaller time.step may help",
                (long long)step, t->start_s + (double)step * t->step_s, t->geometry.x[column],
                t->geometry.y[row], t->depth_m[row * t->geometry.pitch + column], eta, u, v);
}
