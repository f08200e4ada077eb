// Forecast points and bodies of water: a node in a bay or a lake that the grid cuts off from the source's
// water would stay calm, and say that no wave comes. Before the run, after the bodies are known.
#include "models/tsunami/instance.h"
#include "models/tsunami/nesting.h"
#include "models/tsunami/points.h"
#include "models/tsunami/sea.h"

#include "core/log.h"

#include <math.h>
#include <stdlib.h>

// The source's water: see tsunami_sea_open_source. A file of displacements acts where it has at least this
// share of its most on water.
static const double source_share = 0.1, acting_share = 0.1;

// ---- the outermost grid

// Spacing about a node: half of the distance between its neighbours.
static double spacing(const double *axis, size_t count, size_t k)
{
    const size_t low = k > 0 ? k - 1 : 0, high = k + 1 < count ? k + 1 : k;
    return (axis[high] - axis[low]) / (double)(high - low);
}

static double cell_area_m2(const struct tsunami_level *t, size_t column, size_t row)
{
    const struct grid_window *w = &t->params.window;
    const double radian = acos(-1.0) / 180, degree_m = t->params.earth_radius_m * radian;
    const double scale_m2 = w->is_geographic ? degree_m * degree_m * cos(w->y[row] * radian) : 1;
    return scale_m2 * spacing(w->x, w->nx, column) * spacing(w->y, w->ny, row);
}

static void measure_row(struct tsunami_level *t, size_t row, const double *values, double least_m)
{
    for (size_t column = 0; column < t->params.window.nx; column++)
        if (values[column] != 0 && fabs(values[column]) >= least_m)
            tsunami_sea_add_moved(t->sea, column, row, fabs(values[column]) * cell_area_m2(t, column, row));
}

// A solitary wave, or a source that moves no water of the grid, can be anywhere in the large bodies.
static enum status open_outermost(struct tsunami_level *t)
{
    const struct tsunami_source *source = t->params.source;
    tsunami_sea_close(t->sea);
    tsunami_source_measure_sea(t);
    if (source->displacement)
        CHECK(tsunami_nesting_last_rows(t, source->displacement, measure_row,
                                        acting_share * t->survey.displacement.on_water_m));
    if (source->initial[TSUNAMI_ETA])
        CHECK(tsunami_nesting_last_rows(t, source->initial[TSUNAMI_ETA], measure_row,
                                        acting_share * t->survey.initial.on_water_m));
    const bool is_moved = tsunami_sea_open_source(t->sea, source_share),
               is_given = tsunami_nesting_open_given_edges(t);
    if (source->solitary.is_given || (!is_moved && !is_given))
        tsunami_sea_open_large(t->sea, source_share);
    return STATUS_OK;
}

// ---- nested grids: what the parent's water, now that of the source alone, feeds

static void open_fed(struct tsunami_level *t)
{
    tsunami_sea_close(t->sea);
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        if (t->params.edges[side] != TSUNAMI_EDGE_GIVEN)
            continue;
        for (size_t k = 0; k < tsunami_nesting_edge_nodes(t, side); k++) {
            size_t column, row;
            const struct tsunami_link link = tsunami_nesting_edge_link(t, side, k);
            tsunami_nesting_edge_node(t, side, k, &column, &row);
            if (tsunami_nesting_is_fed(t, &link))
                tsunami_sea_open(t->sea, column, row);
        }
    }
}

// ---- the points

static size_t find_cut_off(struct tsunami_points *points)
{
    size_t count = 0;
    for (size_t k = 0; k < points->count; k++) {
        struct tsunami_point *point = &points->points[k];
        if (!point->level || tsunami_sea_is_open(point->level->sea, point->column, point->row))
            continue;
        point->is_cut_off = true;
        point->level = NULL;
        count++;
    }
    return count;
}

static enum status search_again(struct tsunami_level *t)
{
    const struct tsunami_params *p = &t->params;
    struct grid_sampler *sampler;
    CHECK(grid_sampler_open(p->bathymetry, &p->window, &p->window_request, &sampler));
    double *depth_m = malloc(p->window.nx * sizeof *depth_m);
    enum status status =
        depth_m ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for a row of %zu depths", p->window.nx);
    for (size_t row = 0; row < p->window.ny && status == STATUS_OK; row++) {
        if (!tsunami_points_need_row(t, row))
            continue;
        status = grid_sampler_row(sampler, row, depth_m);
        if (status == STATUS_OK)
            tsunami_points_reconsider(t, row, depth_m);
    }
    free(depth_m);
    grid_sampler_close(sampler);
    return status;
}

enum status tsunami_points_connect(struct tsunami *run)
{
    struct tsunami_points *points = &run->levels[0]->params.points;
    if (points->count == 0)
        return STATUS_OK;
    CHECK(open_outermost(run->levels[0]));
    for (int l = 1; l < run->level_count; l++)
        open_fed(run->levels[l]);
    if (find_cut_off(points) == 0)
        return STATUS_OK;
    for (int l = 0; l < run->level_count; l++)
        CHECK(search_again(run->levels[l]));
    for (size_t k = 0; k < points->count; k++) {
        const struct tsunami_point *point = &points->points[k];
        if (point->is_cut_off && point->level)
            log_info("%s: point %s: the grid cuts off the water nearest to it from the source's; its node is "
                     "the nearest of connected water, %.3g km away",
                     points->path, point->name, 1e-3 * point->distance_m);
    }
    return STATUS_OK;
}
