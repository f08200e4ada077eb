// The grid's geometry: distances, latitude's factors, cell areas. Independent of the state.
#include "models/tsunami/instance.h"

#include <math.h>
#include <omp.h>

static const double pi = 3.14159265358979323846;

enum status tsunami_level_array(const struct tsunami_level *t, struct memory_plan *memory,
                                enum element element, size_t rows, size_t columns, void **array,
                                const char *name)
{
    return memory_plan_add(memory, MEMORY_HOST, element, rows, columns, array, "%s%s", t->prefix, name);
}

enum status tsunami_level_rows(const struct tsunami_level *t, struct memory_plan *memory,
                               enum element element, struct tsunami_rows rows, size_t columns, void **array,
                               const char *name)
{
    return memory_plan_add_rows(memory, MEMORY_HOST, element, rows.first, rows.end, columns, array, "%s%s",
                                t->prefix, name);
}

enum status tsunami_geometry_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    const size_t nx = t->params.window.nx, ny = t->params.window.ny;
    struct tsunami_geometry *g = &t->geometry;
    g->nx = nx;
    g->ny = ny;
    g->is_spherical = t->params.window.is_geographic;
    // All pitched arrays of the level have the pitch of the state's precision.
    g->pitch = memory_pitch(nx + 2 * TSUNAMI_HALO_COLUMNS, tsunami_level_real(t));
    g->x = t->params.window.x;
    g->y = t->params.window.y;
    g->gravity_m_s2 = t->params.gravity_m_s2;
    g->own = t->own;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        g->edges[side] = t->params.edges[side];
    CHECK(tsunami_level_array(t, memory, ELEMENT_F64, 1, nx + 1, (void **)&t->x_storage, "x distances"));
    CHECK(tsunami_level_array(t, memory, ELEMENT_F64, 1, ny + 1, (void **)&t->y_storage, "y distances"));
    CHECK(tsunami_level_array(t, memory, ELEMENT_F64, 1, ny + 2, (void **)&t->cos_storage, "cos latitude"));
    CHECK(
        tsunami_level_array(t, memory, ELEMENT_F64, 1, ny + 2, (void **)&t->tan_storage, "tan latitude / R"));
    CHECK(tsunami_level_array(t, memory, ELEMENT_F64, 1, ny + 2, (void **)&t->coriolis_storage, "Coriolis"));
    CHECK(tsunami_level_array(t, memory, ELEMENT_F64, ny, g->pitch, (void **)&t->depth_m, "still depth"));
    CHECK(tsunami_level_array(t, memory, ELEMENT_U8, 1, nx + ny, (void **)&t->new_lines, "new lines"));
    CHECK(tsunami_level_array(t, memory, ELEMENT_F64, TSUNAMI_LINES, nx > ny ? nx : ny, (void **)&t->line,
                              "line buffer"));
    t->threads = omp_get_max_threads();
    return tsunami_level_array(t, memory, ELEMENT_F64, (size_t)t->threads * TSUNAMI_ROW_BUFFERS, nx,
                               (void **)&t->rows, "row buffers");
}

// Distances between neighbours on an axis; index −1 and n − 1 lie across the edge: on a periodic axis the
// mean spacing (its period is its length and one mean spacing), else the edge's own spacing.
static void fill_distances(double *storage, const double *axis, size_t count, double scale, bool is_periodic)
{
    for (size_t i = 0; i + 1 < count; i++)
        storage[i + 1] = (axis[i + 1] - axis[i]) * scale;
    const double mean = (axis[count - 1] - axis[0]) * scale / (double)(count - 1);
    storage[0] = is_periodic ? mean : storage[1];
    storage[count] = is_periodic ? mean : storage[count - 1];
}

void tsunami_geometry_fill(struct tsunami_level *t)
{
    struct tsunami_geometry *g = &t->geometry;
    const double radius = t->params.earth_radius_m, radian = pi / 180;
    const double scale = g->is_spherical ? radius * radian : 1;
    fill_distances(t->x_storage, g->x, g->nx, scale, g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC);
    fill_distances(t->y_storage, g->y, g->ny, scale, g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC);
    for (size_t k = 0; k < g->ny + 2; k++) {
        size_t j = k == 0 ? 0 : k > g->ny ? g->ny - 1 : k - 1;
        const double latitude = g->is_spherical ? g->y[j] * radian : 0;
        t->cos_storage[k] = cos(latitude);
        t->tan_storage[k] = g->is_spherical ? tan(latitude) / radius : 0;
        t->coriolis_storage[k] = g->is_spherical ? 2 * t->params.earth_rotation_rad_s * sin(latitude)
                                                 : t->params.plane_coriolis_per_s;
    }
    g->x_distance_m = t->x_storage + 1;
    g->y_distance_m = t->y_storage + 1;
    g->cos_latitude = t->cos_storage + 1;
    g->tan_over_radius = t->tan_storage + 1;
    g->coriolis_per_s = t->coriolis_storage + 1;
}

double tsunami_cell_area_m2(const struct tsunami_level *t, size_t column, size_t row)
{
    const struct tsunami_geometry *g = &t->geometry;
    const ptrdiff_t i = (ptrdiff_t)column, j = (ptrdiff_t)row;
    return 0.25 * (g->x_distance_m[i - 1] + g->x_distance_m[i]) * g->cos_latitude[j] *
           (g->y_distance_m[j - 1] + g->y_distance_m[j]);
}

double *tsunami_row_buffer(const struct tsunami_level *t, int which)
{
    return t->rows + ((size_t)omp_get_thread_num() * TSUNAMI_ROW_BUFFERS + (size_t)which) * t->geometry.nx;
}
