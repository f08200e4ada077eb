// The arrays of one level on the host.
#include "models/tsunami/host_level.h"

#include "io/checkpoint_set.h"

#include <math.h>
#include <string.h>

static const char *field_name(const struct host_level *s, int field)
{
    static const char *const names[2][TSUNAMI_FIELDS] = {{"e", "u", "v"}, {"w", "u", "v"}};
    return names[s->floods][field];
}

size_t host_level_reach(const struct tsunami_physics *physics)
{
    return tsunami_method_floods(physics->method) ? 2 : 1;
}

// The storage of row j is row j + TSUNAMI_HALO_ROWS.
static void set_rows(struct host_level *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const size_t reach = host_level_reach(s->setup.physics);
    s->is_divided = s->setup.shares != NULL;
    s->is_ring = s->is_divided && g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC;
    s->own = tsunami_own(g);
    const struct tsunami_rows near = tsunami_near(g, s->is_divided ? reach : 0);
    s->stored = (struct tsunami_rows){near.first == 0 ? 0 : near.first + TSUNAMI_HALO_ROWS,
                                      near.end + (size_t)(near.end == g->ny ? 2 : 1) * TSUNAMI_HALO_ROWS};
    if (s->is_ring && s->own.first == 0)
        s->stored.first = TSUNAMI_HALO_ROWS - reach;
    if (s->is_ring && s->own.end == g->ny)
        s->stored.end = g->ny + TSUNAMI_HALO_ROWS + reach;
    s->kept = (struct tsunami_rows){s->own.first == 0 ? 0 : s->own.first + TSUNAMI_HALO_ROWS,
                                    s->own.end + (size_t)(s->own.end == g->ny ? 2 : 1) * TSUNAMI_HALO_ROWS};
}

static enum status plan_exchange(struct host_level *s)
{
    const int64_t rows = (int64_t)s->setup.geometry->ny;
    const int reach = (int)host_level_reach(s->setup.physics);
    const size_t row_bytes = s->pitch * s->element;
    const struct tsunami_physics *physics = s->setup.physics;
    if (!s->is_divided)
        return STATUS_OK;
    CHECK(exchange_begin_plan(&s->state_exchange, s->setup.ranks, s->setup.shares, rows, reach, 1));
    CHECK(exchange_begin_plan(&s->bottom_exchange, s->setup.ranks, s->setup.shares, rows, reach, 1));
    if (s->is_ring) {
        exchange_close_ring(&s->state_exchange);
        exchange_close_ring(&s->bottom_exchange);
    }
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        CHECK(exchange_add(&s->state_exchange, &s->exchanged[f], row_bytes));
    // After the tiles, and before what completes the step.
    s->setup.ranks->planned_step_bytes += exchange_message_bytes(&s->state_exchange) *
                                          (1 + tsunami_physics_has_eddies(physics) + physics->has_dispersion);
    return exchange_add(&s->bottom_exchange, &s->exchanged_bottom, row_bytes);
}

static void *row_0_of(const struct host_level *s, void *block)
{
    return (void *)((uintptr_t)block + TSUNAMI_HALO_ROWS * s->pitch * s->element);
}

enum status host_level_exchange_begin(struct host_level *s, int copy)
{
    if (!s->is_divided)
        return STATUS_OK;
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        s->exchanged[f] = row_0_of(s, s->state[copy][f]);
    return exchange_begin(&s->state_exchange);
}

enum status host_level_exchange_end(struct host_level *s)
{
    return s->is_divided ? exchange_end(&s->state_exchange) : STATUS_OK;
}

enum status host_level_exchange(struct host_level *s, int copy)
{
    CHECK(host_level_exchange_begin(s, copy));
    return host_level_exchange_end(s);
}

enum status host_level_exchange_bottom(struct host_level *s)
{
    if (!s->is_divided)
        return STATUS_OK;
    s->exchanged_bottom = row_0_of(s, s->floods ? s->z : s->c0);
    CHECK(exchange_begin(&s->bottom_exchange));
    return exchange_end(&s->bottom_exchange);
}

enum status host_level_plan(struct host_level *s, const struct tsunami_setup *setup, struct memory_plan *plan,
                            const char *prefix, int copies, enum memory_kind kind)
{
    const struct tsunami_geometry *g = setup->geometry;
    const enum element real = setup->precision;
    s->setup = *setup;
    s->floods = tsunami_method_floods(setup->physics->method);
    s->rows = g->ny + 2 * TSUNAMI_HALO_ROWS;
    s->pitch = g->pitch;
    s->element = element_bytes(real);
    s->halo_offset = TSUNAMI_HALO_ROWS * s->pitch + TSUNAMI_HALO_COLUMNS;
    s->copies = copies;
    set_rows(s);
    CHECK(plan_exchange(s));
    const struct tsunami_rows stored = s->stored;
    for (int k = 0; k < copies; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            CHECK(memory_plan_add_rows(plan, kind, real, stored.first, stored.end, s->pitch, &s->state[k][f],
                                       "%s%s %d", prefix, field_name(s, f), k));
    CHECK(memory_plan_add_rows(plan, MEMORY_HOST, real, stored.first, stored.end, s->pitch,
                               s->floods ? &s->z : &s->c0, "%s%s", prefix, s->floods ? "z" : "c0"));
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, HOST_COLUMN_COEFFICIENTS, s->pitch, &s->columns,
                          "%scolumn coefficients", prefix));
    return memory_plan_add(plan, MEMORY_HOST, real, HOST_ROW_COEFFICIENTS, s->rows, &s->row_coefficients,
                           "%srow coefficients", prefix);
}

// Stores a coefficient in the level's precision; index −1 … n.
static void put(const struct host_level *s, void *block, size_t pitch, int which, ptrdiff_t index,
                ptrdiff_t shift, double value)
{
    size_t k = (size_t)which * pitch + (size_t)(index + shift);
    if (s->setup.precision == ELEMENT_F32)
        ((float *)block)[k] = (float)value;
    else
        ((double *)block)[k] = value;
}

// The node that stands for one up to a few beyond an edge: the periodic neighbour's, or the edge's.
static ptrdiff_t within(ptrdiff_t index, size_t count, bool is_periodic)
{
    const ptrdiff_t n = (ptrdiff_t)count;
    if (is_periodic)
        return (index % n + n) % n;
    return index < 0 ? 0 : index >= n ? n - 1 : index;
}

static void fill_columns(struct host_level *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const bool is_periodic = g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC;
    const bool has_cells = tsunami_method_has_cells(s->setup.physics->method);
    const ptrdiff_t beyond = s->floods ? 2 : 0;
    for (ptrdiff_t i = -beyond; i < (ptrdiff_t)g->nx + beyond; i++) {
        const ptrdiff_t node = within(i, g->nx, is_periodic);
        const double dm = g->x_distance_m[node - 1], dp = g->x_distance_m[node];
        const double distances[HOST_COLUMN_COEFFICIENTS] = {1 / (dm + dp), 1 / dm, 1 / dp, dp - dm};
        const ptrdiff_t east = within(i + 1, g->nx, is_periodic);
        const double two_cells = dm + dp + g->x_distance_m[east - 1] + g->x_distance_m[east];
        const double cells[HOST_COLUMN_COEFFICIENTS] = {1 / (dm + dp), dm + dp, 4 / two_cells, 0};
        for (int k = 0; k < HOST_COLUMN_COEFFICIENTS; k++)
            put(s, s->columns, s->pitch, k, i, TSUNAMI_HALO_COLUMNS, (has_cells ? cells : distances)[k]);
    }
}

// Coefficients of row j for the sweep along y.
static void distances_of_row(const struct host_level *s, ptrdiff_t j, double values[4])
{
    const struct tsunami_geometry *g = s->setup.geometry;
    // The y spacing of halo rows is not used: they are swept along x only.
    const double dm = g->y_distance_m[j < 0 ? -1 : j - 1];
    const double dp = g->y_distance_m[j < (ptrdiff_t)g->ny ? j : (ptrdiff_t)g->ny - 1];
    values[0] = 1 / (dm + dp);
    values[1] = 1 / dm;
    values[2] = 1 / dp;
    values[3] = dp - dm;
}

// Cos latitude of the face to the south of a row (0 … ny), midway between the nodes; 1 on a plane.
static double face_cosine(const struct tsunami_geometry *g, ptrdiff_t row)
{
    const double radian = 3.14159265358979323846 / 180;
    if (!g->is_spherical)
        return 1;
    const ptrdiff_t n = (ptrdiff_t)g->ny;
    const double latitude = row <= 0   ? g->y[0] - 0.5 * (g->y[1] - g->y[0])
                            : row >= n ? g->y[n - 1] + 0.5 * (g->y[n - 1] - g->y[n - 2])
                                       : 0.5 * (g->y[row - 1] + g->y[row]);
    return fmax(0, cos(latitude * radian)); // a cell may reach over the pole by a rounding
}

static void cells_of_row(const struct host_level *s, ptrdiff_t j, double values[4])
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t node = within(j, g->ny, g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC);
    const double cosine = g->cos_latitude[node];
    values[0] = s->setup.step_s * 2 / ((g->y_distance_m[node - 1] + g->y_distance_m[node]) * cosine);
    values[1] = cosine;
    values[2] = face_cosine(g, node);
    values[3] = face_cosine(g, node + 1);
}

static void fill_rows(struct host_level *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const struct tsunami_physics *physics = s->setup.physics;
    const double dt = s->setup.step_s;
    for (ptrdiff_t j = -1; j <= (ptrdiff_t)g->ny; j++) {
        double values[HOST_ROW_COEFFICIENTS];
        (tsunami_method_has_cells(physics->method) ? cells_of_row : distances_of_row)(s, j, values);
        values[4] = dt / g->cos_latitude[j];
        values[5] = physics->has_coriolis ? dt * g->coriolis_per_s[j] : 0;
        values[6] = physics->has_curvature ? dt * g->tan_over_radius[j] : 0;
        values[7] = 0.5 * dt * g->tan_over_radius[j];
        for (int k = 0; k < HOST_ROW_COEFFICIENTS; k++)
            put(s, s->row_coefficients, s->rows, k, j, TSUNAMI_HALO_ROWS, values[k]);
    }
}

double host_level_celerity(const struct host_level *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny;
    if (g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC)
        i = (i + nx) % nx;
    if (g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC)
        j = (j + ny) % ny;
    if (i < 0 || j < 0 || i >= nx || j >= ny)
        return 0;
    const double depth = (*s->setup.depth_m)[(size_t)j * g->pitch + (size_t)i];
    return depth > s->setup.physics->wall_depth_m ? sqrt(g->gravity_m_s2 * depth) : 0;
}

// Height of the bottom; beyond the domain as in struct host_level.
static double bottom_m(const struct host_level *s, ptrdiff_t i, ptrdiff_t j)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t column = within(i, g->nx, g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC);
    const ptrdiff_t row = within(j, g->ny, g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC);
    return -(*s->setup.depth_m)[(size_t)row * g->pitch + (size_t)column];
}

void host_level_start(struct host_level *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const ptrdiff_t beyond = s->floods ? 2 : 1;
    const struct tsunami_rows stored = s->stored;
    fill_columns(s);
    fill_rows(s);
    for (ptrdiff_t row = (ptrdiff_t)stored.first; row < (ptrdiff_t)stored.end; row++)
        for (ptrdiff_t i = -beyond; i < (ptrdiff_t)g->nx + beyond; i++)
            put(s, host_level_row(s, s->floods ? s->z : s->c0, (size_t)row), s->pitch, 0, i,
                TSUNAMI_HALO_COLUMNS,
                s->floods ? bottom_m(s, i, row - TSUNAMI_HALO_ROWS)
                          : host_level_celerity(s, i, row - TSUNAMI_HALO_ROWS));
    for (int k = 0; k < s->copies; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            memset(host_level_row(s, s->state[k][f], stored.first), 0,
                   (stored.end - stored.first) * s->pitch * s->element);
    s->current = 0;
}

void host_level_copy_state(struct host_level *s)
{
    const struct tsunami_rows stored = s->stored;
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        memcpy(host_level_row(s, s->state[1 - s->current][f], stored.first),
               host_level_row(s, s->state[s->current][f], stored.first),
               (stored.end - stored.first) * s->pitch * s->element);
}

double host_level_friction(const struct host_level *s)
{
    const double n = s->setup.physics->manning_n, gravity = s->setup.geometry->gravity_m_s2;
    // Δt g n² H^(−4/3) = Δt n² g^(7/3) c^(−8/3)
    return s->setup.step_s * n * n * (s->floods ? gravity : pow(gravity, 7.0 / 3.0));
}

int host_level_checkpoint_arrays(struct host_level *s, struct checkpoint_array *arrays)
{
    const size_t bytes = (s->kept.end - s->kept.first) * s->pitch * s->element;
    int count = 0;
    for (; count < TSUNAMI_FIELDS; count++)
        arrays[count] = (struct checkpoint_array){
            field_name(s, count), host_level_row(s, s->state[s->current][count], s->kept.first), bytes};
    if (s->floods)
        arrays[count++] = (struct checkpoint_array){"z", host_level_row(s, s->z, s->kept.first), bytes};
    return count;
}

void host_level_checkpoint_rows(const struct host_level *s, struct checkpoint_rows *rows)
{
    for (int k = 0; k < TSUNAMI_FIELDS + s->floods; k++)
        rows[k] = (struct checkpoint_rows){
            .row_bytes = s->pitch * s->element, .first = s->kept.first, .end = s->kept.end, .rows = s->rows};
}

#define BOTH_PRECISIONS "models/tsunami/host_level_access.inc"
#include "models/tsunami/both_precisions.inc"

// Where a row of the whole grid is held: in a ring it may be beyond the other end.
static ptrdiff_t place_of(const struct host_level *s, size_t row)
{
    const ptrdiff_t ny = (ptrdiff_t)s->setup.geometry->ny, place = (ptrdiff_t)row;
    const ptrdiff_t stored = place + TSUNAMI_HALO_ROWS;
    if (!s->is_ring || (stored >= (ptrdiff_t)s->stored.first && stored < (ptrdiff_t)s->stored.end))
        return place;
    return s->own.first == 0 ? place - ny : place + ny;
}

void host_level_get(const struct host_level *s, size_t row, size_t first, size_t count, double *eta_m,
                    double *u_m_s, double *v_m_s)
{
    const ptrdiff_t place = place_of(s, row);
    if (s->setup.precision == ELEMENT_F32)
        (s->floods ? get_flooding_f : get_f)(s, place, first, count, eta_m, u_m_s, v_m_s);
    else
        (s->floods ? get_flooding_d : get_d)(s, place, first, count, eta_m, u_m_s, v_m_s);
}

void host_level_set(struct host_level *s, size_t row, size_t first, size_t count, const double *eta_m,
                    const double *u_m_s, const double *v_m_s)
{
    if (s->setup.precision == ELEMENT_F32)
        (s->floods ? set_flooding_f : set_f)(s, row, first, count, eta_m, u_m_s, v_m_s);
    else
        (s->floods ? set_flooding_d : set_d)(s, row, first, count, eta_m, u_m_s, v_m_s);
}

void host_level_lift(struct host_level *s, size_t row, const double *uplift_m, const double *bottom_m)
{
    const bool is_single = s->setup.precision == ELEMENT_F32;
    if (s->floods)
        (is_single ? lift_flooding_f : lift_flooding_d)(s, row, uplift_m, bottom_m);
    else
        (is_single ? lift_f : lift_d)(s, row, uplift_m);
}

void host_level_fill_halo(struct host_level *s)
{
    const bool is_single = s->setup.precision == ELEMENT_F32;
    (is_single ? fill_halo_f : fill_halo_d)(s);
    if (s->floods)
        (is_single ? fill_bottom_halo_f : fill_bottom_halo_d)(s);
}
