// The arrays of one level on the host. Knows no threads, no tiles and no device.
#include "models/tsunami/host_level.h"

#include <math.h>
#include <string.h>

enum status host_level_plan(struct host_level *s, const struct tsunami_setup *setup, struct memory_plan *plan,
                            const char *prefix, int copies, enum memory_kind kind)
{
    static const char *const fields[TSUNAMI_FIELDS] = {"e", "u", "v"};
    const struct tsunami_geometry *g = setup->geometry;
    const enum element real = setup->precision;
    s->setup = *setup;
    s->rows = g->ny + 2 * TSUNAMI_HALO_ROWS;
    s->pitch = g->pitch;
    s->element = element_bytes(real);
    s->halo_offset = TSUNAMI_HALO_ROWS * s->pitch + TSUNAMI_HALO_COLUMNS;
    s->copies = copies;
    for (int k = 0; k < copies; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            CHECK(memory_plan_add(plan, kind, real, s->rows, s->pitch, &s->state[k][f], "%s%s %d", prefix,
                                  fields[f], k));
    CHECK(memory_plan_add(plan, MEMORY_HOST, real, s->rows, s->pitch, &s->c0, "%sc0", prefix));
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

static void fill_coefficients(struct host_level *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    const struct tsunami_physics *physics = s->setup.physics;
    const double dt = s->setup.step_s;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)g->nx; i++) {
        const double dm = g->x_distance_m[i - 1], dp = g->x_distance_m[i];
        const double values[HOST_COLUMN_COEFFICIENTS] = {1 / (dm + dp), 1 / dm, 1 / dp, dp - dm};
        for (int k = 0; k < HOST_COLUMN_COEFFICIENTS; k++)
            put(s, s->columns, s->pitch, k, i, TSUNAMI_HALO_COLUMNS, values[k]);
    }
    for (ptrdiff_t j = -1; j <= (ptrdiff_t)g->ny; j++) {
        // Halo rows are swept along x only; their y spacing is never used.
        const double dm = g->y_distance_m[j < 0 ? -1 : j - 1];
        const double dp = g->y_distance_m[j < (ptrdiff_t)g->ny ? j : (ptrdiff_t)g->ny - 1];
        const double tangent = g->tan_over_radius[j];
        const double values[HOST_ROW_COEFFICIENTS] = {1 / (dm + dp),
                                                      1 / dm,
                                                      1 / dp,
                                                      dp - dm,
                                                      dt / g->cos_latitude[j],
                                                      physics->has_coriolis ? dt * g->coriolis_per_s[j] : 0,
                                                      physics->has_curvature ? dt * tangent : 0,
                                                      0.5 * dt * tangent};
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

void host_level_start(struct host_level *s)
{
    const struct tsunami_geometry *g = s->setup.geometry;
    fill_coefficients(s);
    for (ptrdiff_t j = -1; j <= (ptrdiff_t)g->ny; j++)
        for (ptrdiff_t i = -1; i <= (ptrdiff_t)g->nx; i++)
            put(s, s->c0, s->pitch, (int)(j + 1), i, TSUNAMI_HALO_COLUMNS, host_level_celerity(s, i, j));
    for (int k = 0; k < s->copies; k++)
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            memset(s->state[k][f], 0, s->rows * s->pitch * s->element);
    s->current = 0;
}

double host_level_friction(const struct host_level *s)
{
    // Δt g n² H^(−4/3) = Δt n² g^(7/3) c^(−8/3)
    const double n = s->setup.physics->manning_n;
    return s->setup.step_s * n * n * pow(s->setup.geometry->gravity_m_s2, 7.0 / 3.0);
}

int host_level_checkpoint_arrays(struct host_level *s, struct checkpoint_array *arrays)
{
    static const char *const names[TSUNAMI_FIELDS] = {"e", "u", "v"};
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        arrays[f] =
            (struct checkpoint_array){names[f], s->state[s->current][f], s->rows * s->pitch * s->element};
    return TSUNAMI_FIELDS;
}

#define REAL        float
#define POINT(name) name##_f
#include "models/tsunami/host_level_access.h"
#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "models/tsunami/host_level_access.h"
#undef REAL
#undef POINT

void host_level_get(const struct host_level *s, size_t row, size_t first, size_t count, double *eta_m,
                    double *u_m_s, double *v_m_s)
{
    if (s->setup.precision == ELEMENT_F32)
        get_f(s, row, first, count, eta_m, u_m_s, v_m_s);
    else
        get_d(s, row, first, count, eta_m, u_m_s, v_m_s);
}

void host_level_set(struct host_level *s, size_t row, size_t first, size_t count, const double *eta_m,
                    const double *u_m_s, const double *v_m_s)
{
    if (s->setup.precision == ELEMENT_F32)
        set_f(s, row, first, count, eta_m, u_m_s, v_m_s);
    else
        set_d(s, row, first, count, eta_m, u_m_s, v_m_s);
}

void host_level_lift(struct host_level *s, size_t row, const double *uplift_m)
{
    if (s->setup.precision == ELEMENT_F32)
        lift_f(s, row, uplift_m);
    else
        lift_d(s, row, uplift_m);
}

void host_level_fill_halo(struct host_level *s)
{
    if (s->setup.precision == ELEMENT_F32)
        fill_halo_f(s);
    else
        fill_halo_d(s);
}
