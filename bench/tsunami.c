// `fathom bench tsunami`: each method on a grid in which all water moves. Two grids, made here because jobs
// read theirs from files: an ocean in which every node is wet, and, for the methods with a moving shoreline,
// a beach with islands.
#include "bench/bench.h"

#include "models/solver.h"
#include "models/tsunami/params.h"
#include "models/tsunami/solver.h"
#include "parallel/shares.h"

#include <stdio.h>
#include <xxhash.h>

enum { OCEAN, SHORE };
enum { STEP, MANNING, MAXIMA };
enum { STEP_S, STEP_LIMIT_S, WET_NODES, WET_SHARE, FORECAST_S };
enum { FORECAST_STEPS = 8640, LEAST_STEPS = 10 }; // 24 hours in steps of 10 s

static const enum tsunami_method methods[] = {TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2, TSUNAMI_C_GRID_6,
                                              TSUNAMI_MUSCL_HANCOCK, TSUNAMI_VTCS2_SHORE};

static const double pi = 3.14159265358979323846, gravity_m_s2 = 9.81, radius_m = 6371e3;
static const double mean_depth_m = 4000, depth_range_m = 2300, wave_height_m = 0.5, wave_speed_m_s = 0.01;
static const double usual_step_s = 10, usual_share = 0.9;
// On a staggered grid, with rows as far apart as columns (docs/tsunami.md): 0.92/√2.
static const double staggered_share = 0.65;
enum { USUAL_COLUMNS = 2879, USUAL_ROWS = 2581 };

// The beach: spacing of the nodes; the sea as deep as the beach's slope permits, at most the greatest depth;
// the shoreline at one share of the width, and the level sea floor as far as another.
static const double spacing_m = 10, greatest_slope = 0.1, greatest_depth_m = 50;
static const double shore_share = 0.8, shelf_share = 0.5;
// Islands: columns and rows of them off the shore, their radius at the waterline over the grid's size, and
// their height over the depth. They take a tenth of the grid, the beach two.
enum { ISLAND_COLUMNS = 4, ISLAND_ROWS = 6 };
static const double islands_share = 0.7, island_radius = 0.0364, island_height = 0.3;
// Longest step over the time in which a wave crosses a cell (docs/runup.md).
static const double flooding_share = 0.5;

// What a solver's setup points to.
static struct {
    const struct tsunami_backend *backend;
    struct solver *solver;
    struct tsunami_geometry geometry;
    struct tsunami_physics physics;
    struct tsunami_records records;
    bool floods;
    double wave_height_m, wave_speed_m_s;
    double *x, *y, *x_distance, *y_distance, *cosine, *tangent, *coriolis, *depth_m;
    double *row[3];
} now;

static double columns_of(const struct bench_row *row)
{
    return (double)row->size[0];
}

static double rows_of(const struct bench_row *row)
{
    return (double)row->size[1];
}

// ---- the ocean

// Radians between columns: 4 arc-minutes, or less where that many nodes would reach beyond the usual grid's
// extent.
static double spacing_radian(const struct bench_row *row)
{
    const double shrink = fmin(1, fmin(USUAL_COLUMNS / columns_of(row), USUAL_ROWS / rows_of(row)));
    return 4.0 / 60 * pi / 180 * shrink;
}

// Row j's latitude, such that rows are as far apart as columns there: the inverse of Mercator's projection,
// about the equator. So many evenly spaced rows would reach beyond the poles; MOST's Pacific grid has such
// rows too.
static double row_latitude(const struct bench_row *row, double j)
{
    return atan(sinh((j - 0.5 * (rows_of(row) - 1)) * spacing_radian(row)));
}

// The last rows' cells are the smallest, and the deepest water is everywhere.
static double ocean_step_limit_s(const struct bench_row *row)
{
    const double fastest_m_s =
        sqrt(gravity_m_s2 * (mean_depth_m + depth_range_m + wave_height_m)) + 10 * wave_speed_m_s;
    const double last = rows_of(row) - 1, latitude = row_latitude(row, last);
    const double dx_m = radius_m * spacing_radian(row) * cos(latitude);
    const double dy_m = radius_m * (latitude - row_latitude(row, last - 1));
    return fmin(dx_m, dy_m) / fastest_m_s;
}

// ---- beach and islands

static double sea_depth_m(const struct bench_row *row)
{
    const double beach_m = (shore_share - shelf_share) * spacing_m * (columns_of(row) - 1);
    return fmin(greatest_depth_m, greatest_slope * beach_m);
}

// A hundredth of the depth.
static double swell_height_m(const struct bench_row *row)
{
    return 0.01 * sea_depth_m(row);
}

static double shore_step_limit_s(const struct bench_row *row)
{
    return flooding_share * spacing_m / sqrt(gravity_m_s2 * (sea_depth_m(row) + swell_height_m(row)));
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

// ---- either

static double latitude_of(const struct bench_row *row, double j)
{
    return row->kind == SHORE ? 0 : row_latitude(row, j);
}

static double depth_at(const struct bench_row *row, double i, double j)
{
    return row->kind == SHORE ? -sea_depth_m(row) * bottom(i / (columns_of(row) - 1), j / (rows_of(row) - 1))
                              : mean_depth_m + depth_range_m * sin(0.013 * i) * cos(0.017 * j);
}

static void fill_axes(const struct bench_row *row)
{
    const struct tsunami_geometry *g = &now.geometry;
    const double degree = 180 / pi, radian = spacing_radian(row);
    for (size_t i = 0; i < g->nx; i++)
        now.x[i] = now.floods ? spacing_m * (double)i : 100 + radian * degree * (double)i;
    for (size_t j = 0; j < g->ny; j++)
        now.y[j] = now.floods ? spacing_m * (double)j : row_latitude(row, (double)j) * degree;
    for (size_t k = 0; k < g->nx + 1; k++)
        now.x_distance[k] = now.floods ? spacing_m : radius_m * radian;
    for (size_t k = 0; k < g->ny + 1; k++)
        now.y_distance[k] =
            now.floods ? spacing_m
                       : radius_m * (row_latitude(row, (double)k) - row_latitude(row, (double)k - 1));
    for (size_t k = 0; k < g->ny + 2; k++) {
        const double latitude = latitude_of(row, (double)k - 1);
        now.cosine[k] = cos(latitude);
        now.tangent[k] = tan(latitude) / radius_m;
        now.coriolis[k] = 2 * 7.2921159e-5 * sin(latitude);
    }
}

static void fill_grid(const struct bench_row *row)
{
    struct tsunami_geometry *g = &now.geometry;
    now.wave_height_m = now.floods ? swell_height_m(row) : wave_height_m;
    now.wave_speed_m_s =
        now.floods ? now.wave_height_m * sqrt(gravity_m_s2 / sea_depth_m(row)) : wave_speed_m_s;
    g->is_spherical = !now.floods;
    for (int side = 0; now.floods && side < TSUNAMI_SIDES; side++)
        g->edges[side] = TSUNAMI_EDGE_WALL; // nothing leaves, so that all keeps moving
    g->gravity_m_s2 = gravity_m_s2;
    fill_axes(row);
    for (size_t j = 0; j < g->ny; j++)
        for (size_t i = 0; i < g->nx; i++)
            now.depth_m[j * g->pitch + i] = depth_at(row, (double)i, (double)j);
    g->x = now.x;
    g->y = now.y;
    g->x_distance_m = now.x_distance + 1;
    g->y_distance_m = now.y_distance + 1;
    g->cos_latitude = now.cosine + 1;
    g->tan_over_radius = now.tangent + 1;
    g->coriolis_per_s = now.coriolis + 1;
}

// ---- a row

static enum status plan_records(struct memory_plan *plan)
{
    const struct tsunami_rows own = tsunami_own(&now.geometry);
    const size_t pitch = now.geometry.pitch;
    float **records[] = {&now.records.max_eta_m, &now.records.time_of_max_s, &now.records.arrival_s[0],
                         &now.records.max_depth_m};
    now.records.arrival_count = 1;
    now.records.arrival_m[0] = 0.01;
    for (int k = 0; k < (now.floods ? 4 : 3); k++)
        CHECK(memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_F32, own.first, own.end, pitch,
                                   (void **)records[k], "record %d", k));
    return STATUS_OK;
}

static enum status plan_grid(const struct bench *bench, const struct bench_row *row, struct memory_plan *plan)
{
    struct tsunami_geometry *g = &now.geometry;
    const size_t nx = (size_t)row->size[0], ny = (size_t)row->size[1];
    g->nx = nx;
    g->ny = ny;
    const struct bench_range own = bench_own_rows(bench, row->size[1]);
    g->own = (struct tsunami_rows){(size_t)own.first, (size_t)own.end};
    g->pitch = memory_pitch(nx + 2 * TSUNAMI_HALO_COLUMNS, row->precision);
    const struct {
        double **slot;
        size_t rows, columns;
        const char *name;
    } arrays[] = {{&now.x, 1, nx, "x"},
                  {&now.y, 1, ny, "y"},
                  {&now.x_distance, 1, nx + 1, "x distance"},
                  {&now.y_distance, 1, ny + 1, "y distance"},
                  {&now.cosine, 1, ny + 2, "cos"},
                  {&now.tangent, 1, ny + 2, "tan"},
                  {&now.coriolis, 1, ny + 2, "coriolis"},
                  {&now.depth_m, ny, g->pitch, "depth"},
                  {&now.row[0], 1, nx, "row eta"},
                  {&now.row[1], 1, nx, "row u"},
                  {&now.row[2], 1, nx, "row v"}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, arrays[k].rows, arrays[k].columns,
                              (void **)arrays[k].slot, "%s", arrays[k].name));
    return STATUS_OK;
}

static void set_physics(const struct bench *bench, enum tsunami_method method)
{
    now.floods = tsunami_method_floods(method);
    now.physics = (struct tsunami_physics){.method = method,
                                           .has_coriolis = !now.floods,
                                           .has_curvature = !now.floods,
                                           .manning_n = bench->value[MANNING],
                                           .wall_depth_m = now.floods ? -INFINITY : 10};
    if (!now.floods)
        return;
    // The defaults of a job (docs/runup.md).
    now.physics.minimum_depth_m = (tsunami_method_has_cells(method) ? 1e-4 : 5e-3) * spacing_m;
    now.records.wet_depth_m = fmax(now.physics.minimum_depth_m, fmin(1e-2 * spacing_m, 0.05));
}

static enum status plan(struct bench *bench, struct bench_row *row, struct memory_plan *memory)
{
    memset(&now, 0, sizeof now);
    now.backend =
        tsunami_backend_for((const struct tsunami_backend *)row->entry->backend, methods[row->method]);
    bench->work.backend = &now.backend->head;
    set_physics(bench, methods[row->method]);
    CHECK(plan_grid(bench, row, memory));
    if (bench->value[MAXIMA] > 0)
        CHECK(plan_records(memory));
    const struct tsunami_setup setup = {.geometry = &now.geometry,
                                        .physics = &now.physics,
                                        .records = &now.records,
                                        .depth_m = (const double *const *)&now.depth_m,
                                        .precision = row->precision,
                                        .step_s = row->figures[STEP_S],
                                        .device = row->entry->device,
                                        // Dry land would be skipped, and the work not known.
                                        .skips_quiet_tiles = !now.floods,
                                        .ranks = bench->ranks,
                                        .shares = bench->shares};
    return now.backend->plan(&setup, memory, "", &now.solver);
}

// A swell, so that every wet node moves. *wet: how many of this rank's rows are.
static enum status set_state(size_t *wet)
{
    const struct tsunami_rows own = tsunami_own(&now.geometry);
    const struct tsunami_geometry *g = &now.geometry;
    const double least_m = now.floods ? now.physics.minimum_depth_m : 0;
    *wet = 0;
    for (size_t j = own.first; j < own.end; j++) {
        for (size_t i = 0; i < g->nx; i++) {
            now.row[0][i] = now.wave_height_m * sin(0.05 * (double)i) * sin(0.04 * (double)j);
            now.row[1][i] = now.wave_speed_m_s * sin(0.03 * (double)(i + j));
            now.row[2][i] = now.wave_speed_m_s * cos(0.02 * (double)i);
            *wet += now.row[0][i] + now.depth_m[j * g->pitch + i] > least_m;
        }
        now.backend->set(now.solver, j, 0, g->nx, now.row[0], now.row[1], now.row[2]);
    }
    return solver_touch(&now.backend->head, now.solver, false);
}

static enum status advance(int64_t first_step, int64_t count)
{
    struct tsunami_invalid found = {.step = -1};
    CHECK(now.backend->head.advance(now.solver, first_step, count));
    return now.backend->finish ? now.backend->finish(now.solver, &found) : STATUS_OK;
}

static enum status start(struct bench *bench, struct bench_row *row)
{
    const bool is_reference = bench_is_reference(row->entry);
    fill_grid(row);
    CHECK(now.backend->start(now.solver));
    size_t wet = 0;
    CHECK(set_state(&wet));
    if (now.floods && !bench->shares)
        row->figures[WET_NODES] = (double)wet;
    row->figures[WET_SHARE] = row->figures[WET_NODES] / (columns_of(row) * rows_of(row));
    now.backend->record(now.solver, 0);
    bench->work.warm_steps = bench->work.is_device ? LEAST_STEPS : 0;
    bench->work.least_steps = is_reference ? 1 : LEAST_STEPS;
    bench->work.repeat_most = is_reference ? 1 : 0;
    return STATUS_OK;
}

// A time counts only if the result is still near its level at rest, which is 0 or the land.
static enum status check_state(void)
{
    const struct tsunami_geometry *g = &now.geometry;
    const struct tsunami_rows own = tsunami_own(g);
    CHECK(solver_fetch(&now.backend->head, now.solver));
    for (size_t j = own.first; j < own.end; j++) {
        now.backend->get(now.solver, j, 0, g->nx, now.row[0], now.row[1], now.row[2]);
        for (size_t i = 0; i < g->nx; i++) {
            const double rest_m = fmax(0, -now.depth_m[j * g->pitch + i]);
            if (!(fabs(now.row[0][i] - rest_m) < 100 * now.wave_height_m))
                return FAIL(STATUS_SOFTWARE,
                            "%s: the benchmark became unstable at column %zu, row %zu: eta = %g m",
                            now.backend->head.name, i, j, now.row[0][i]);
        }
    }
    return STATUS_OK;
}

// One pass reads e, u, v and c0 (w, u, v and z) and writes three of them; with maxima it reads the largest
// elevation, and where the shoreline moves the largest depth. What grows is written too, which is little.
static enum status finish(struct bench *bench, struct bench_row *row)
{
    const int records = !(bench->value[MAXIMA] > 0) ? 0 : now.floods ? 2 : 1;
    CHECK(check_state());
    row->work = columns_of(row) * rows_of(row);
    row->bytes = row->work * (7.0 * (double)element_bytes(row->precision) + records * 4.0);
    row->figures[FORECAST_S] = row->time.step_ms / 1e3 * FORECAST_STEPS;
    return STATUS_OK;
}

// ---- several ranks

static enum status divide(const struct bench *bench, const struct bench_row *row,
                          struct shares_request *request)
{
    const struct tsunami_physics physics = {.method = methods[row->method]};
    const struct tsunami_backend *backend =
        tsunami_backend_for((const struct tsunami_backend *)row->entry->backend, physics.method);
    const size_t least = backend && backend->least_rows
                             ? backend->least_rows(&physics, (size_t)row->size[0], (size_t)row->size[1])
                             : 0;
    if (!backend || !backend->least_rows)
        return FAIL(STATUS_CONFIGURATION, "it does not divide a run among ranks");
    if (least == 0)
        return FAIL(STATUS_CONFIGURATION, "it does not divide %s among ranks", bench_method_name(bench, row));
    *request =
        (struct shares_request){.rows = row->size[1], .least = (int64_t)least, .what = "rows of the grid"};
    return STATUS_OK;
}

static enum status checksum(const struct bench *bench, const struct bench_row *row, uint64_t *sum)
{
    const struct tsunami_rows own = tsunami_own(&now.geometry);
    const size_t nx = now.geometry.nx;
    (void)bench, (void)row;
    CHECK(solver_fetch(&now.backend->head, now.solver));
    for (size_t j = own.first; j < own.end; j++) {
        now.backend->get(now.solver, j, 0, nx, now.row[0], now.row[1], now.row[2]);
        for (uint64_t k = 0; k < 3; k++)
            *sum += XXH3_64bits_withSeed(now.row[k], nx * sizeof *now.row[k], 3 * (uint64_t)j + k);
    }
    return STATUS_OK;
}

// ---- the rows

static enum status admit(struct bench *bench, struct bench_row *row, bool *is_wanted)
{
    const double share = tsunami_method_is_staggered(methods[row->method]) ? staggered_share : 1;
    const double limit_s = row->kind == SHORE ? shore_step_limit_s(row) : share * ocean_step_limit_s(row);
    const double usual_s =
        row->kind == SHORE ? usual_share * limit_s : fmin(usual_step_s, usual_share * limit_s);
    const double step_s = bench->value[STEP] > 0 ? bench->value[STEP] : usual_s;
    const char *method = bench->model->methods[row->method];
    char why[BENCH_LABEL_BYTES];
    *is_wanted = tsunami_method_floods(methods[row->method]) == (row->kind == SHORE);
    if (!*is_wanted)
        return STATUS_OK;
    row->figures[STEP_S] = step_s;
    row->figures[STEP_LIMIT_S] = limit_s;
    row->cost = bench_is_reference(row->entry) ? columns_of(row) * rows_of(row) : 0;
    if (step_s > limit_s)
        return FAIL(STATUS_USAGE,
                    "bench tsunami: --step: %g s is unstable with %s, whose limit here is %.4g s", step_s,
                    method, limit_s);
    *is_wanted = tsunami_backend_for((const struct tsunami_backend *)row->entry->backend,
                                     methods[row->method]) != NULL;
    if (*is_wanted || bench->methods == 0)
        return STATUS_OK;
    if (bench->has_named)
        return FAIL(STATUS_USAGE, "bench tsunami: --method: back end \"%s\" has no %s", row->entry->label,
                    method);
    snprintf(why, sizeof why, "it has no %s", method);
    bench_add_note(bench, row->entry->label, why);
    return STATUS_OK;
}

static int group_of(const struct bench_row *row)
{
    return row->kind;
}

static void print_foot(const struct bench *bench)
{
    printf(
        "bytes: what one pass must move; of copy: its share of the copy rate, above 100 %% where caches keep "
        "what the next pass reads%s%s\n",
        bench->value[MAXIMA] > 0 ? "; with maxima" : "", bench->value[MANNING] > 0 ? "; with friction" : "");
}

static const struct bench_option options[] = {
    [STEP] = BENCH_NUMBER_OPTION("step", "TIME", BENCH_QUANTITY, 0, 0, 0, NULL,
                                 "time step (10 s, or 0.9 of the longest allowed where that is shorter; with "
                                 "a moving shoreline 0.9 of the longest allowed)"),
    [MANNING] = BENCH_NUMBER_OPTION("manning", "N", BENCH_NUMBER, 0, 0.99, 0, "manning_n",
                                    "with bottom friction of this roughness (0)"),
    [MAXIMA] = {.name = "maxima", .key = "maxima", .help = "with maxima and one arrival time"},
    {.name = NULL},
};

static const struct bench_column columns[] = {
    BENCH_REPORTED("nx", .source = BENCH_SIZE, .index = 0),
    BENCH_REPORTED("ny", .source = BENCH_SIZE, .index = 1),
    BENCH_REPORTED("step_limit_s", BENCH_OWN(STEP_LIMIT_S)),
    BENCH_COLUMN("step_s", "model step", "s", "%.3g", 1, BENCH_OWN(STEP_S)),
    BENCH_COLUMN("node_steps_per_s", "rate", "Mnode-steps/s", "%.4g", 1e-6, BENCH_OF(WORK, SECOND)),
    BENCH_COLUMN("bytes_per_node", "bytes", "a node", "%.0f", 1, BENCH_OF(BYTES, WORK)),
    BENCH_COLUMN("seconds_for_8640_steps", "8640 steps", "s", "%.4g", 1, BENCH_OWN(FORECAST_S)),
    BENCH_COLUMN("wet_nodes", "wet nodes", "moving", "%.0f", 1, BENCH_OWN(WET_NODES)),
    BENCH_COLUMN(NULL, "wet", "%", "%.0f", 100, BENCH_OWN(WET_SHARE)),
    BENCH_LAST,
};

const struct bench_model bench_tsunami = {
    .name = "tsunami",
    .about =
        "Times each method of the tsunami model on each back end that this machine can run.\n\nvtcs2 and "
        "vtcs2-o2 and c-grid-6 run on an ocean in which every node is wet and moving: sphere, Coriolis and "
        "curvature, "
        "depths from 1700 to 6300 m, columns 4 arc-minutes apart (closer where the grid would reach beyond "
        "191.9 degrees of longitude or 64.9 of latitude), and rows such that cells are square. muscl-hancock "
        "and vtcs2-shore run on a plane with nodes 10 m apart: a sea up to 50 m deep, islands, a beach and "
        "land. About 70 % of its nodes are wet, and all of these move; dry nodes are computed and counted "
        "too.\n\nThe bytes are those that one pass must move: elevation, two velocities and depth read, the "
        "first three written; with --maxima also the largest elevation (and depth) so far.",
    .backends = &tsunami_backends,
    .rates = BENCH_RATE_COPY,
    .methods = (const char *const[]){"vtcs2", "vtcs2-o2", "c-grid-6", "muscl-hancock", "vtcs2-shore", NULL},
    .kinds = (const char *const[]){"ocean", "shore", NULL},
    .kind_key = "grid",
    .has_precisions = true,
    .axes = 2,
    .size_least = 4,
    .size_most = 100000,
    .size_usual = {USUAL_COLUMNS, USUAL_ROWS},
    .sizes =
        (const long long[][BENCH_AXES]){
            {64, 64}, {128, 128}, {256, 256}, {512, 512}, {1024, 1024}, {2048, 2048}, {2879, 2581}, {0}},
    .volume = "nodes",
    .size_example = "2879x2581",
    .size_help =
        "NXxNY nodes of the grid; may be given several times (2879x2581, about the Pacific at 4 arc-minutes)",
    .least_steps = 2,
    .repeat = 7,
    .budget_s = 10,
    .options = options,
    .columns = columns,
    .groups = (const char *const[]){"ocean", "moving shoreline", NULL},
    .group = group_of,
    .admit = admit,
    .divide = divide,
    .slowest_axis = 1,
    .checksum = checksum,
    .solver = &now.solver,
    .plan = plan,
    .start = start,
    .advance = advance,
    .finish = finish,
    .print_foot = print_foot,
};
