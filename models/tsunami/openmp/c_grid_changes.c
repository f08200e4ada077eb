// Gets, sets and lifts the state of the fast CPU version of `c-grid-6`, and brings it in order afterwards:
// velocities set at nodes are interpolated to faces and brought half a step back.
#include "models/team.h"
#include "models/tsunami/openmp/c_grid_solver.h"
#include "parallel/ranks.h"

#include <omp.h>
#include <string.h>

#define BOTH_PRECISIONS "models/tsunami/openmp/c_grid_changes.inc"
#include "models/tsunami/both_precisions.inc"

// Where a row of the whole grid is held: in a ring it may be beyond the other end.
static ptrdiff_t place_of(const struct solver *s, size_t row)
{
    const ptrdiff_t ny = (ptrdiff_t)s->setup.geometry->ny, place = (ptrdiff_t)row;
    if (!s->is_ring || tsunami_has_row(s->stored, row + C_GRID_HALO))
        return place;
    return s->own.first == 0 ? place - ny : place + ny;
}

void openmp_c_grid_get(const struct solver *s, size_t row, size_t first, size_t count, double *eta_m,
                       double *u_m_s, double *v_m_s)
{
    const ptrdiff_t place = place_of(s, row);
    for (size_t done = 0; done < count; done += C_TILE_WIDTH) {
        const size_t width = count - done < C_TILE_WIDTH ? count - done : C_TILE_WIDTH;
        const struct tsunami_tile tile = {.column = (ptrdiff_t)(first + done),
                                          .width = (ptrdiff_t)width,
                                          .row_begin = place,
                                          .row_end = place + 1,
                                          .has_land = true};
        (c_grid_is_single(s) ? nodes_f : nodes_d)(s, &tile, eta_m + done, u_m_s + done, v_m_s + done);
    }
}

// The rest of a row that is set in part only, in the row's own buffers.
static void keep_row(struct solver *s, size_t row)
{
    double eta[C_TILE_WIDTH], u[C_TILE_WIDTH], v[C_TILE_WIDTH];
    const size_t nx = s->setup.geometry->nx;
    for (size_t first = 0; first < nx; first += C_TILE_WIDTH) {
        const size_t count = nx - first < C_TILE_WIDTH ? nx - first : C_TILE_WIDTH;
        openmp_c_grid_get(s, row, first, count, eta, u, v);
        (c_grid_is_single(s) ? set_row_f : set_row_d)(s, row, first, count, eta, u, v);
    }
    s->is_set[row] = 1;
}

void openmp_c_grid_set(struct solver *s, size_t row, size_t first, size_t count, const double *eta_m,
                       const double *u_m_s, const double *v_m_s)
{
    if (!s->is_set[row] && count < s->setup.geometry->nx)
        keep_row(s, row);
    (c_grid_is_single(s) ? set_row_f : set_row_d)(s, row, first, count, eta_m, u_m_s, v_m_s);
    s->is_set[row] = 1;
    s->has_set = true;
}

void openmp_c_grid_get_staggered(const struct solver *s, size_t row, double *eta_m, double *u_m_s,
                                 double *v_m_s)
{
    (c_grid_is_single(s) ? get_staggered_row_f : get_staggered_row_d)(s, row, eta_m, u_m_s, v_m_s);
}

void openmp_c_grid_lift(struct solver *s, size_t row, const double *uplift_m, const double *bottom_m)
{
    (void)bottom_m;
    (c_grid_is_single(s) ? lift_row_f : lift_row_d)(s, row, uplift_m);
    s->is_lifted[row] = 1;
}

// ---- after changes

static void fill_halos(const struct solver *s)
{
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        openmp_c_grid_fill_halo(s, s->current, f);
}

// The own rows, and the one to the south of all.
static void faces_row(void *context, size_t item)
{
    struct solver *s = context;
    const ptrdiff_t first = s->own.first == 0 ? -1 : (ptrdiff_t)s->own.first;
    (c_grid_is_single(s) ? faces_row_f : faces_row_d)(s, first + (ptrdiff_t)item);
}

static void half_back_row(void *context, size_t item)
{
    struct solver *s = context;
    (c_grid_is_single(s) ? half_back_row_f : half_back_row_d)(s, (ptrdiff_t)(s->own.first + item));
}

static void lifted_head_row(void *context, size_t item)
{
    struct solver *s = context;
    (c_grid_is_single(s) ? lifted_head_row_f
                         : lifted_head_row_d)(s, (ptrdiff_t)(s->stored.first + item) - C_GRID_HALO + 1);
}

static void unlift_row(void *context, size_t item)
{
    struct solver *s = context;
    (c_grid_is_single(s) ? unlift_row_f : unlift_row_d)(s, (ptrdiff_t)(s->own.first + item));
}

static void velocity_tile(void *context, size_t t)
{
    const struct solver *s = context;
    if (!s->tiles[t].is_land)
        openmp_c_grid_velocity(s, &s->tiles[t], NULL, false, 0);
}

static enum status take_set(struct solver *s)
{
    const struct tsunami_rows own = s->own;
    openmp_c_grid_fill_halo(s, s->current, 0);
    CHECK(openmp_c_grid_exchange(s, s->current, 0, 0));
    for (size_t row = own.first; row < own.end; row++)
        if (!s->is_set[row])
            keep_row(s, row);
    openmp_c_grid_fill_halo(s, 1 - s->current, 1);
    openmp_c_grid_fill_halo(s, 1 - s->current, 2);
    CHECK(openmp_c_grid_exchange(s, 1 - s->current, 1, 2));
    team_for(s->threads, own.end - own.first + (own.first == 0), faces_row, s);
    fill_halos(s);
    CHECK(openmp_c_grid_exchange(s, s->current, 0, 2));
    team_for(s->threads, s->tile_count, velocity_tile, s);
    team_for(s->threads, own.end - own.first, half_back_row, s);
    openmp_c_grid_clear_copy(s, 1 - s->current);
    return STATUS_OK;
}

static enum status take_lift(struct solver *s)
{
    const struct tsunami_rows own = s->own;
    for (size_t row = own.first; row < own.end; row++)
        if (!s->is_lifted[row])
            memset((char *)s->state[1 - s->current][0] + (s->offset + row * s->pitch) * s->element, 0,
                   s->setup.geometry->nx * s->element);
    openmp_c_grid_fill_halo(s, 1 - s->current, 0);
    CHECK(openmp_c_grid_exchange(s, 1 - s->current, 0, 0));
    team_for(s->threads, s->stored.end - s->stored.first - 2, lifted_head_row, s);
    team_for(s->threads, own.end - own.first, unlift_row, s);
    openmp_c_grid_clear_copy(s, 1 - s->current);
    return STATUS_OK;
}

struct inspection {
    struct solver *solver;
    const struct tsunami_records *records;
    float time_s;
};

static void inspect_tile(void *context, size_t t)
{
    const struct inspection *inspection = context;
    struct solver *s = inspection->solver;
    if (s->tiles[t].is_land)
        return;
    if (inspection->records)
        openmp_c_grid_velocity(s, &s->tiles[t], inspection->records, true, inspection->time_s);
    s->is_moving[t] = openmp_c_grid_moves(s, &s->tiles[t], s->current);
}

enum status openmp_c_grid_touch(struct solver *s, bool is_loaded)
{
    const size_t ny = s->setup.geometry->ny;
    if (is_loaded && s->is_divided && s->setup.ranks->rank > 0)
        s->counts[0] = s->counts[1] = 0; // rank 0 has those of all
    for (size_t row = 0; row < ny; row++)
        s->has_lifted |= s->is_lifted[row];
    if (s->has_set && !is_loaded)
        CHECK(take_set(s));
    else if (s->has_lifted && !is_loaded)
        CHECK(take_lift(s));
    memset(s->is_set, 0, ny);
    memset(s->is_lifted, 0, ny);
    s->has_set = s->has_lifted = false;
    fill_halos(s);
    CHECK(openmp_c_grid_exchange(s, s->current, 0, 2));
    struct inspection inspection = {s, NULL, 0};
    s->is_listed = false;
    team_for(s->threads, s->tile_count, inspect_tile, &inspection);
    return STATUS_OK;
}

void openmp_c_grid_record(struct solver *s, double time_s)
{
    struct inspection inspection = {s, s->setup.records, (float)time_s};
    s->is_listed = false;
    team_for(s->threads, s->tile_count, inspect_tile, &inspection);
    tsunami_point_record_all(&s->setup, s, openmp_c_grid_get, time_s);
}
