// See ocean.h.
#include "bench/ladder/tsunami/ocean.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846, radius_m = 6371e3, gravity_m_s2 = 9.81;
static const double spacing_degree = 4.0 / 60, usual_columns = 2879, usual_rows = 2581;
static const double mean_depth_m = 3500, depth_range_m = 2000, shelf_depth_m = 200;
static const double wave_height_m = 0.5, wave_speed_m_s = 0.01;
static const double usual_step_s = 10, usual_share = 0.9;
enum { NODES_MAX = 1 << 16 }; // each way
enum { FEW_NODES = 1 << 18 }; // whose filling is worth no threads

enum status tsunami_ladder_ocean_new(size_t nx, size_t ny, struct tsunami_ladder_ocean *ocean)
{
    *ocean = (struct tsunami_ladder_ocean){.nx = nx, .ny = ny, .gravity_m_s2 = gravity_m_s2};
    if (nx < 3 || ny < 3 || nx > NODES_MAX || ny > NODES_MAX)
        return FAIL(STATUS_CONFIGURATION, "size: %zux%zu: rungs need 3 to %d nodes each way", nx, ny,
                    NODES_MAX);
    const size_t nodes = nx * ny;
    const struct {
        double **slot;
        size_t count;
    } arrays[] = {{&ocean->x, nx},         {&ocean->y, ny},
                  {&ocean->depth, nodes},  {&ocean->eta, nodes},
                  {&ocean->u, nodes},      {&ocean->v, nodes},
                  {&ocean->x_gap, nx + 1}, {&ocean->y_gap, ny + 1},
                  {&ocean->cosine, ny},    {&ocean->tan_over_radius, ny}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k].slot = calloc(arrays[k].count, sizeof(double));
        if (!*arrays[k].slot)
            return FAIL(STATUS_SYSTEM, "no memory for an ocean of %zu x %zu nodes", nx, ny);
    }
    return STATUS_OK;
}

void tsunami_ladder_ocean_free(struct tsunami_ladder_ocean *ocean)
{
    double *const arrays[] = {ocean->x, ocean->y,     ocean->depth, ocean->eta,    ocean->u,
                              ocean->v, ocean->x_gap, ocean->y_gap, ocean->cosine, ocean->tan_over_radius};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
    *ocean = (struct tsunami_ladder_ocean){0};
}

static void measure_axis(const double *at, size_t count, double unit_m, double *gap)
{
    for (size_t k = 1; k < count; k++)
        gap[k] = unit_m * (at[k] - at[k - 1]);
    gap[0] = gap[1];
    gap[count] = gap[count - 1];
}

void tsunami_ladder_ocean_measure(struct tsunami_ladder_ocean *ocean)
{
    const double degree = pi / 180, unit_m = ocean->is_spherical ? radius_m * degree : 1;
    measure_axis(ocean->x, ocean->nx, unit_m, ocean->x_gap);
    measure_axis(ocean->y, ocean->ny, unit_m, ocean->y_gap);
    for (size_t j = 0; j < ocean->ny; j++) {
        const double latitude = ocean->is_spherical ? ocean->y[j] * degree : 0;
        ocean->cosine[j] = cos(latitude);
        ocean->tan_over_radius[j] = tan(latitude) / radius_m;
    }
}

// ---- the ladder's own

// How far a place (shares of the grid's width and height) is from the nearest coast, in radii of an island;
// negative on land.
static double from_coast(double s, double t)
{
    static const double islands[][2] = {{0.35, 0.70}, {0.45, 0.30}, {0.55, 0.55},
                                        {0.65, 0.80}, {0.75, 0.40}, {0.85, 0.15}};
    static const double island_radius = 0.04;
    double distance = s - 0.06 - 0.02 * sin(20 * t);
    for (size_t k = 0; k < sizeof islands / sizeof *islands; k++)
        distance = fmin(distance, hypot(s - islands[k][0], t - islands[k][1]) - island_radius);
    return distance / island_radius;
}

static double depth_at(const struct tsunami_ladder_ocean *ocean, size_t i, size_t j)
{
    const double coast = from_coast((double)i / ((double)ocean->nx - 1), (double)j / ((double)ocean->ny - 1));
    if (coast <= 0)
        return -1;
    const double deep_m = mean_depth_m + depth_range_m * sin(0.013 * (double)i) * cos(0.017 * (double)j);
    return shelf_depth_m + (deep_m - shelf_depth_m) * (1 - exp(-coast));
}

// Rows by Mercator's projection, so that cells are square: as many rows at an even distance would reach
// beyond the poles, where steps of 10 s are not stable.
static void set_nodes(struct tsunami_ladder_ocean *ocean)
{
    const double columns = (double)ocean->nx, rows = (double)ocean->ny;
    const double shrink = fmin(1, fmin(usual_columns / columns, usual_rows / rows));
    const double spacing = spacing_degree * shrink;
    for (size_t i = 0; i < ocean->nx; i++)
        ocean->x[i] = 100 + spacing * (double)i;
    for (size_t j = 0; j < ocean->ny; j++)
        ocean->y[j] = atan(sinh(((double)j - 0.5 * (rows - 1)) * spacing * pi / 180)) * 180 / pi;
}

static double stable_step_s(const struct tsunami_ladder_ocean *ocean)
{
    const double fastest_m_s =
        sqrt(gravity_m_s2 * (mean_depth_m + depth_range_m + wave_height_m)) + 10 * wave_speed_m_s;
    const size_t last = ocean->ny - 1;
    return fmin(ocean->x_gap[1] * ocean->cosine[last], ocean->y_gap[last]) / fastest_m_s;
}

enum status tsunami_ladder_ocean_make(size_t nx, size_t ny, struct tsunami_ladder_ocean *ocean)
{
    CHECK(tsunami_ladder_ocean_new(nx, ny, ocean));
    ocean->is_spherical = true;
    set_nodes(ocean);
    tsunami_ladder_ocean_measure(ocean);
    ocean->step_s = fmin(usual_step_s, usual_share * stable_step_s(ocean));
// By all threads, whatever the rung is asked for: this is not timed.
#pragma omp parallel for if (nx * ny > FEW_NODES) num_threads(omp_get_num_procs()) schedule(static)
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            const size_t k = j * nx + i;
            ocean->depth[k] = depth_at(ocean, i, j);
            ocean->eta[k] = wave_height_m * sin(0.05 * (double)i) * sin(0.04 * (double)j);
            ocean->u[k] = wave_speed_m_s * sin(0.03 * (double)(i + j));
            ocean->v[k] = wave_speed_m_s * cos(0.02 * (double)i);
        }
    return STATUS_OK;
}
