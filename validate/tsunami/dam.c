// A dam that vanishes, over a wet bed (Stoker) and a dry one (Ritter): how the error falls on four grids.
#include "validate/closed/dam_break.h"
#include "validate/tsunami/flood.h"
#include "validate/tsunami/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GRIDS = 4 };
static const size_t nodes_of[GRIDS] = {100, 200, 400, 800};
static const double half_length_m = 10, behind_m = 1;

// The bed lies 1 m below the level of rest, so that the water behind the dam is at rest.
static double value(const void *context, int variable, double x, double y)
{
    const double *ahead_m = context;
    (void)y;
    if (variable == 0)
        return behind_m;
    return x < 0 ? 0 : *ahead_m - behind_m;
}

static enum status write_grid(const struct validation_run *run, int grid_number, const double *ahead_m)
{
    const double dx = 2 * half_length_m / (double)nodes_of[grid_number];
    const struct case_grid grid = {.x = {nodes_of[grid_number], -half_length_m + 0.5 * dx, dx},
                                   .y = {FLOOD_ROWS, 0, dx},
                                   .variable_count = 2,
                                   .variables = {{"depth", "m", "down"}, {"eta", "m", NULL}},
                                   .context = ahead_m,
                                   .value = value};
    return case_write_grid(run, "dam.nc", &grid);
}

static enum status run_grid(struct validation_run *run, int grid_number, double ahead_m, double time_s,
                            const char *name)
{
    CHECK(write_grid(run, grid_number, &ahead_m));
    struct case_job job = flood_job_new(&(struct flood_job){.title = "A dam that vanishes",
                                                            .bathymetry = "dam.nc",
                                                            .duration_s = time_s,
                                                            .edges = {"wall", "wall", "periodic", "periodic"},
                                                            .fields_every_s = time_s});
    case_job_set(&job, "source.initial", "{\"file\": \"dam.nc\", \"eta\": \"eta\"}");
    return case_job_run_once(run, &job, name, NULL, NULL);
}

static double depth_at(const struct flood_map *map, size_t column)
{
    const double eta = flood_eta(map, map->records - 1, map->ny / 2, column);
    return isnan(eta) ? 0 : eta + behind_m;
}

// The mean error of the depth in m.
static double mean_error(const struct flood_map *map, const struct dam_break *dam)
{
    double sum = 0;
    for (size_t i = 0; i < map->nx; i++)
        sum += fabs(depth_at(map, i) - dam_break_at(dam, map->x_m[i], map->time_s[map->records - 1]).depth_m);
    return sum / (double)map->nx;
}

// The largest x at which the depth exceeds a thousandth of the depth behind the dam.
static double front_m(const struct flood_map *map)
{
    double front = NAN;
    for (size_t i = 0; i < map->nx; i++)
        front = depth_at(map, i) > 1e-3 * behind_m ? map->x_m[i] : front;
    return front;
}

static enum status draw(struct validation_run *run, const struct flood_map *map, const struct dam_break *dam)
{
    struct validation_picture *picture;
    double *lines = malloc(2 * map->nx * sizeof *lines);
    if (!lines)
        return FAIL(STATUS_SYSTEM, "not enough memory for a profile of %zu nodes", map->nx);
    for (size_t i = 0; i < map->nx; i++) {
        lines[i] = dam_break_at(dam, map->x_m[i], map->time_s[map->records - 1]).depth_m;
        lines[map->nx + i] = depth_at(map, i);
    }
    enum status status = validation_picture(run, "Depth at the end, finest grid", "x (m)", "depth (m)",
                                            "The dam stood at 0.", &picture);
    if (status == STATUS_OK)
        status = validation_line(run, picture, "closed form", true, map->x_m, lines, map->nx);
    if (status == STATUS_OK)
        status = validation_line(run, picture, "Fathom", false, map->x_m, lines + map->nx, map->nx);
    free(lines);
    return status;
}

struct dam_case {
    double ahead_m, time_s; // depth ahead of the dam; end of the run
    const char *source, *tolerance;
};

// The front of water on a dry bed is thin and delayed by the threshold `dry_depth`, so no criterion applies.
static enum status show_front(struct validation_run *run, const struct flood_map *map,
                              const struct dam_case *c, const struct dam_break *dam)
{
    const double time_s = map->time_s[map->records - 1], c0 = sqrt(dam->gravity_m_s2 * behind_m);
    return c->ahead_m > 0
               ? validation_compare(run, NULL, "m", c->source, depth_at(map, map->nx - 1), c->ahead_m,
                                    "depth ahead of the bore")
               : validation_compare(run, NULL, "m", c->source, front_m(map),
                                    time_s * (2 - 3 * sqrt(1e-3)) * c0,
                                    "front position (depth 0.001 of that behind the dam), finest grid");
}

static enum status measure_grid(struct validation_run *run, const struct dam_case *c,
                                const struct dam_break *dam, int grid_number, double *error)
{
    struct flood_map map;
    char name[32];
    snprintf(name, sizeof name, "%zu-nodes", nodes_of[grid_number]);
    CHECK(run_grid(run, grid_number, c->ahead_m, c->time_s, name));
    CHECK(flood_read_fields(run, name, false, &map));
    *error = mean_error(&map, dam);
    enum status status = STATUS_OK;
    if (grid_number == GRIDS - 1) {
        status = show_front(run, &map, c, dam);
        if (status == STATUS_OK)
            status = draw(run, &map, dam);
        if (status == STATUS_OK)
            status = flood_measure_mass(run, name, "mass drift, finest grid",
                                        half_length_m * (behind_m + c->ahead_m) * FLOOD_ROWS *
                                            (map.x_m[1] - map.x_m[0]));
    }
    flood_map_free(&map);
    return status;
}

static enum status run_case(struct validation_run *run, const struct dam_case *c)
{
    const struct dam_break dam = dam_break_new(behind_m, c->ahead_m, FLOOD_GRAVITY);
    double previous_error = NAN, error;
    for (int k = 0; k < GRIDS; k++) {
        CHECK(measure_grid(run, c, &dam, k, &error));
        CHECK(validation_compare(run, NULL, "m", c->source, error, NAN, "mean error of the depth, %zu nodes",
                                 nodes_of[k]));
        if (k > 0)
            CHECK(validation_compare(run, c->tolerance, "1", "first order at a discontinuity",
                                     log2(previous_error / error), 1,
                                     "convergence order of the mean error, %zu to %zu nodes",
                                     nodes_of[k > 0 ? k - 1 : 0], nodes_of[k]));
        previous_error = error;
    }
    return case_note(run, "800-nodes", "20 m, depths %g and %g m, at %g s", behind_m, c->ahead_m, c->time_s);
}

enum status tsunami_case_stoker(struct validation_run *run)
{
    const struct dam_case c = {0.1, 2, "Stoker (1957), Water Waves, section 10.8", "dam/order"};
    return run_case(run, &c);
}

enum status tsunami_case_ritter(struct validation_run *run)
{
    const struct dam_case c = {0, 1.2, "Ritter (1892), Z. Ver. Deut. Ing. 36, 947-954", "dam/order"};
    return run_case(run, &c);
}
