// The grids of `fathom bench tsunami`: an ocean in which every node is wet, and, where the shore moves, a
// beach with islands. Knows no clock and no back end by name.
#include "bench/tsunami/private.h"

#include <math.h>

static const double pi = 3.14159265358979323846, gravity_m_s2 = 9.81, radius_m = 6371e3;
static const double mean_depth_m = 4000, depth_range_m = 2300, wave_height_m = 0.5, wave_speed_m_s = 0.01;
static const double usual_step_s = 10, usual_share = 0.9;

// Where the shore moves: nodes so far apart; the sea as deep as the beach's slope lets it be, at most the
// greatest depth; the shoreline at a share of the width, and the level bottom off shore as far as another.
static const double spacing_m = 10, greatest_slope = 0.1, greatest_depth_m = 50;
static const double shore_share = 0.8, shelf_share = 0.5;
// Islands: columns and rows of them off the shore, their size at the waterline over the grid's, and their
// height over the depth. They take a tenth of the grid, the beach two.
enum { ISLAND_COLUMNS = 4, ISLAND_ROWS = 6 };
static const double islands_share = 0.7, island_radius = 0.0364, island_height = 0.3;
// Longest step over that at which a wave crosses a cell (docs/runup.md).
static const double flooding_share = 0.5;

// ---- its arrays

enum status bench_grid_plan(struct bench_grid *grid, const struct bench_options *options,
                            enum element precision, struct memory_plan *plan)
{
    const size_t nx = options->nx, ny = options->ny,
                 pitch = memory_pitch(nx + 2 * TSUNAMI_HALO_COLUMNS, precision);
    grid->floods = bench_floods(options);
    grid->geometry.nx = nx;
    grid->geometry.ny = ny;
    grid->geometry.pitch = pitch;
    struct {
        double **slot;
        size_t rows, columns;
        const char *name;
    } arrays[] = {{&grid->x, 1, nx, "x"},
                  {&grid->y, 1, ny, "y"},
                  {&grid->x_distance, 1, nx + 1, "x distance"},
                  {&grid->y_distance, 1, ny + 1, "y distance"},
                  {&grid->cosine, 1, ny + 2, "cos"},
                  {&grid->tangent, 1, ny + 2, "tan"},
                  {&grid->coriolis, 1, ny + 2, "coriolis"},
                  {&grid->depth_m, ny, pitch, "depth"},
                  {&grid->row[0], 1, nx, "row eta"},
                  {&grid->row[1], 1, nx, "row u"},
                  {&grid->row[2], 1, nx, "row v"}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, arrays[k].rows, arrays[k].columns,
                              (void **)arrays[k].slot, "%s", arrays[k].name));
    if (!options->has_maxima)
        return STATUS_OK;
    grid->records.arrival_count = 1;
    grid->records.arrival_m[0] = 0.01;
    float **records[] = {&grid->records.max_eta_m, &grid->records.time_of_max_s, &grid->records.arrival_s[0]};
    for (int k = 0; k < 3; k++)
        CHECK(
            memory_plan_add(plan, MEMORY_HOST, ELEMENT_F32, ny, pitch, (void **)records[k], "record %d", k));
    if (grid->floods)
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F32, ny, pitch, (void **)&grid->records.max_depth_m,
                              "record of the depth"));
    return STATUS_OK;
}

// ---- the ocean

// Radians between columns: 4 arc-minutes, or less where that many nodes would reach beyond the usual grid's
// extent.
static double spacing_radian(const struct bench_options *options)
{
    const double shrink = fmin(1, fmin(2879 / (double)options->nx, 2581 / (double)options->ny));
    return 4.0 / 60 * pi / 180 * shrink;
}

// Row j's latitude, such that rows are as far apart as columns there: the inverse of Mercator's projection,
// about the equator. Evenly spaced rows of this number would go beyond the poles; MOST's Pacific grid has
// such rows too.
static double row_latitude(const struct bench_options *options, double j)
{
    return atan(sinh((j - 0.5 * (double)(options->ny - 1)) * spacing_radian(options)));
}

// Of the present grid: the last rows' cells are the smallest, and deep water is all about.
static double ocean_step_limit_s(const struct bench_options *options)
{
    const double fastest_m_s =
        sqrt(gravity_m_s2 * (mean_depth_m + depth_range_m + wave_height_m)) + 10 * wave_speed_m_s;
    const double last = (double)(options->ny - 1), latitude = row_latitude(options, last);
    const double dx_m = radius_m * spacing_radian(options) * cos(latitude);
    const double dy_m = radius_m * (latitude - row_latitude(options, last - 1));
    return fmin(dx_m, dy_m) / fastest_m_s;
}

static void fill_ocean(struct bench_grid *grid, const struct bench_options *options)
{
    struct tsunami_geometry *g = &grid->geometry;
    const double spacing = spacing_radian(options), degree = 180 / pi;
    g->is_spherical = true;
    grid->wave_height_m = wave_height_m;
    grid->wave_speed_m_s = wave_speed_m_s;
    for (size_t i = 0; i < g->nx; i++)
        grid->x[i] = 100 + spacing * degree * (double)i;
    for (size_t j = 0; j < g->ny; j++)
        grid->y[j] = row_latitude(options, (double)j) * degree;
    for (size_t k = 0; k < g->nx + 1; k++)
        grid->x_distance[k] = radius_m * spacing;
    for (size_t k = 0; k < g->ny + 1; k++)
        grid->y_distance[k] =
            radius_m * (row_latitude(options, (double)k) - row_latitude(options, (double)k - 1));
    for (size_t k = 0; k < g->ny + 2; k++) {
        const double latitude = row_latitude(options, (double)k - 1);
        grid->cosine[k] = cos(latitude);
        grid->tangent[k] = tan(latitude) / radius_m;
        grid->coriolis[k] = 2 * 7.2921159e-5 * sin(latitude);
    }
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; i < g->nx; i++)
            grid->depth_m[j * g->pitch + i] =
                mean_depth_m + depth_range_m * sin(0.013 * (double)i) * cos(0.017 * (double)j);
}

// ---- beach and islands

static double sea_depth_m(const struct bench_options *options)
{
    const double beach_m = (shore_share - shelf_share) * spacing_m * (double)(options->nx - 1);
    return fmin(greatest_depth_m, greatest_slope * beach_m);
}

// A hundredth of the depth.
static double swell_height_m(const struct bench_options *options)
{
    return 0.01 * sea_depth_m(options);
}

static double flooding_step_limit_s(const struct bench_options *options)
{
    const double highest_m = sea_depth_m(options) + swell_height_m(options);
    return flooding_share * spacing_m / sqrt(gravity_m_s2 * highest_m);
}

// Distance from the middle of the nearest of `count` evenly spread points on 0 … width.
static double from_nearest(double position, double width, int count)
{
    const double gap = width / count;
    const double nearest = fmin(fmax(floor(position / gap), 0), count - 1);
    return position - (nearest + 0.5) * gap;
}

// Height of the bottom over the sea's depth, at shares s and t of the grid's width and height.
static double bottom(double s, double t)
{
    const double beach = fmax(-1, (s - shore_share) / (shore_share - shelf_share));
    const double along = from_nearest(s, islands_share, ISLAND_COLUMNS) / island_radius;
    const double across = from_nearest(t, 1, ISLAND_ROWS) / island_radius;
    return fmax(beach, island_height * (1 - along * along - across * across));
}

static void fill_beach(struct bench_grid *grid, const struct bench_options *options)
{
    struct tsunami_geometry *g = &grid->geometry;
    const double sea_m = sea_depth_m(options);
    grid->wave_height_m = swell_height_m(options);
    grid->wave_speed_m_s = grid->wave_height_m * sqrt(gravity_m_s2 / sea_m);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        g->edges[side] = TSUNAMI_EDGE_WALL; // nothing leaves: it goes on moving
    for (size_t i = 0; i < g->nx; i++)
        grid->x[i] = spacing_m * (double)i;
    for (size_t j = 0; j < g->ny; j++)
        grid->y[j] = spacing_m * (double)j;
    for (size_t k = 0; k < g->nx + 1; k++)
        grid->x_distance[k] = spacing_m;
    for (size_t k = 0; k < g->ny + 1; k++)
        grid->y_distance[k] = spacing_m;
    for (size_t k = 0; k < g->ny + 2; k++) {
        grid->cosine[k] = 1;
        grid->tangent[k] = 0;
        grid->coriolis[k] = 0;
    }
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; i < g->nx; i++)
            grid->depth_m[j * g->pitch + i] =
                -sea_m * bottom((double)i / (double)(g->nx - 1), (double)j / (double)(g->ny - 1));
}

// ---- either

double bench_step_limit_s(const struct bench_options *options)
{
    return bench_floods(options) ? flooding_step_limit_s(options) : ocean_step_limit_s(options);
}

double bench_usual_step_s(const struct bench_options *options)
{
    const double safe_s = usual_share * bench_step_limit_s(options);
    return bench_floods(options) ? safe_s : fmin(usual_step_s, safe_s);
}

void bench_grid_set_physics(struct bench_grid *grid, const struct bench_options *options,
                            enum tsunami_method method)
{
    const bool floods = tsunami_method_floods(method);
    grid->physics = (struct tsunami_physics){.method = method,
                                             .has_coriolis = !floods,
                                             .has_curvature = !floods,
                                             .manning_n = options->manning_n,
                                             .wall_depth_m = floods ? -INFINITY : 10};
    if (!floods)
        return;
    // What a job has without saying (docs/runup.md).
    grid->physics.minimum_depth_m = (tsunami_method_has_cells(method) ? 1e-4 : 5e-3) * spacing_m;
    grid->records.wet_depth_m = fmax(grid->physics.minimum_depth_m, fmin(1e-2 * spacing_m, 0.05));
}

void bench_grid_fill(struct bench_grid *grid, const struct bench_options *options)
{
    struct tsunami_geometry *g = &grid->geometry;
    g->gravity_m_s2 = gravity_m_s2;
    (grid->floods ? fill_beach : fill_ocean)(grid, options);
    g->x = grid->x;
    g->y = grid->y;
    g->x_distance_m = grid->x_distance + 1;
    g->y_distance_m = grid->y_distance + 1;
    g->cos_latitude = grid->cosine + 1;
    g->tan_over_radius = grid->tangent + 1;
    g->coriolis_per_s = grid->coriolis + 1;
}

// A wave everywhere, so that nothing is quiet.
size_t bench_grid_set_state(struct bench_grid *grid, const struct tsunami_backend *backend,
                            struct tsunami_solver *solver)
{
    const struct tsunami_geometry *g = &grid->geometry;
    const double least_m = grid->floods ? grid->physics.minimum_depth_m : 0;
    size_t wet = 0;
    for (size_t j = 0; j < g->ny; j++) {
        for (size_t i = 0; i < g->nx; i++) {
            grid->row[0][i] = grid->wave_height_m * sin(0.05 * (double)i) * sin(0.04 * (double)j);
            grid->row[1][i] = grid->wave_speed_m_s * sin(0.03 * (double)(i + j));
            grid->row[2][i] = grid->wave_speed_m_s * cos(0.02 * (double)i);
            wet += grid->row[0][i] + grid->depth_m[j * g->pitch + i] > least_m;
        }
        backend->set(solver, j, 0, g->nx, grid->row[0], grid->row[1], grid->row[2]);
    }
    backend->touch(solver);
    return wet;
}

// A time is worth something only if what was computed is still water: not far from where it rests, which is
// at 0 or on the land.
enum status bench_grid_check_state(struct bench_grid *grid, const struct tsunami_backend *backend,
                                   struct tsunami_solver *solver)
{
    const struct tsunami_geometry *g = &grid->geometry;
    if (backend->fetch)
        CHECK(backend->fetch(solver));
    for (size_t j = 0; j < g->ny; j++) {
        backend->get(solver, j, 0, g->nx, grid->row[0], grid->row[1], grid->row[2]);
        for (size_t i = 0; i < g->nx; i++) {
            const double rest_m = fmax(0, -grid->depth_m[j * g->pitch + i]);
            if (!(fabs(grid->row[0][i] - rest_m) < 100 * grid->wave_height_m))
                return FAIL(STATUS_SOFTWARE,
                            "%s: the benchmark became unstable at column %zu, row %zu: eta = %g m",
                            backend->name, i, j, grid->row[0][i]);
        }
    }
    return STATUS_OK;
}
