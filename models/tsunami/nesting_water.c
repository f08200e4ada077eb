// Whether waves reach a nested grid: before the run, whether the open sea reaches the parent's water at its
// edges; after it, whether a wave came. A harbour beside mere ponds of its parent would stay calm unnoticed.
// Independent of solvers.
#include "models/tsunami/nesting.h"
#include "models/tsunami/points.h"
#include "models/tsunami/ranks.h"
#include "models/tsunami/sea.h"

#include "core/log.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

// A body of water of the outermost grid is open sea if waves are given at an edge of it, it has this share of
// the largest body's nodes, a fault acts on it, or a source's file moves it by this share of the file's
// largest. An open edge only lets waves out: a lake cut by the grid's edge is not open sea. Nor is a lagoon
// that only the wall separates from a larger sea, whatever moves its water: the sea's wave would come over
// the shallows, which are land to the grid.
static const double large_share = 0.1, moved_share = 0.01;
// Warns below this share of an edge's water connected with the sea.
static const double connected_share = 0.5;
// Smaller waves at the edges (m, or share of the run's largest elevation) do not count: the source's far
// uplift never vanishes entirely.
static const double wave_least_m = 1e-6, wave_share = 1e-5;
// Where the source itself shifts the water at the edges, a wave smaller than that shift is its settling,
// unless larger than this (m), or than this share of the run's largest elevation.
static const double settling_most_m = 0.01, settling_share = 0.01;

// ---- before the run

enum status tsunami_nesting_last_rows(struct tsunami_level *t, struct grid_file *file,
                                      void (*take)(struct tsunami_level *t, size_t row, const double *values,
                                                   double least_m),
                                      double least_m)
{
    const struct grid_window *w = &t->params.window;
    const struct grid_window_request request = {.missing_value = 0, .outside_value = 0};
    struct grid_sampler *sampler;
    CHECK(grid_sampler_open(file, w, &request, &sampler));
    double *values = malloc(w->nx * sizeof *values);
    enum status status = values ? grid_sampler_select_record(sampler, grid_info(file)->records - 1)
                                : FAIL(STATUS_SYSTEM, "no memory for a row of %zu nodes", w->nx);
    for (size_t row = 0; row < w->ny && status == STATUS_OK; row++) {
        status = grid_sampler_row(sampler, row, values);
        if (status == STATUS_OK)
            take(t, row, values, least_m);
    }
    free(values);
    grid_sampler_close(sampler);
    return status;
}

bool tsunami_nesting_open_given_edges(struct tsunami_level *t)
{
    bool is_given = false;
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        if (t->params.edges[side] != TSUNAMI_EDGE_GIVEN)
            continue;
        is_given = true;
        for (size_t k = 0; k < tsunami_nesting_edge_nodes(t, side); k++) {
            size_t column, row;
            tsunami_nesting_edge_node(t, side, k, &column, &row);
            tsunami_sea_open(t->sea, column, row);
        }
    }
    return is_given;
}

static void note_row(struct tsunami_level *t, size_t row, const double *values, double least_m)
{
    (void)least_m; // tsunami_sea_open_moved compares
    tsunami_sea_note_row(t->sea, row, values);
}

static enum status open_outermost(struct tsunami_level *t)
{
    const struct tsunami_params *p = &t->params;
    tsunami_source_open_sea(t);
    if (p->source->displacement)
        CHECK(tsunami_nesting_last_rows(t, p->source->displacement, note_row, 0));
    if (p->source->initial[0])
        CHECK(tsunami_nesting_last_rows(t, p->source->initial[0], note_row, 0));
    tsunami_sea_open_moved(t->sea, moved_share);
    tsunami_sea_open_large(t->sea, large_share);
    if (t->shallower_sea)
        tsunami_sea_close_branches(t->sea, t->shallower_sea);
    tsunami_nesting_open_given_edges(t);
    return STATUS_OK;
}

// Whether the open sea reaches one of the parent's nodes from which an edge's node takes its values.
bool tsunami_nesting_is_fed(const struct tsunami_level *t, const struct tsunami_link *link)
{
    for (size_t k = 0; k < 4; k++)
        if (link->weights[k] > 0 &&
            tsunami_sea_is_open(t->parent->sea, link->column + k % 2, link->row + k / 2))
            return true;
    return false;
}

// A corner is a node of two sides, and counts once.
static bool is_counted_before(const struct tsunami_level *t, int side, size_t column)
{
    return side >= TSUNAMI_SOUTH &&
           ((column == 0 && t->params.edges[TSUNAMI_WEST] == TSUNAMI_EDGE_GIVEN) ||
            (column == t->params.window.nx - 1 && t->params.edges[TSUNAMI_EAST] == TSUNAMI_EDGE_GIVEN));
}

static enum status count_edges(struct tsunami_level *t)
{
    size_t links = 0, index = 0;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        links += t->params.edges[side] == TSUNAMI_EDGE_GIVEN ? tsunami_nesting_edge_nodes(t, side) : 0;
    t->is_link_fed = calloc(links, sizeof *t->is_link_fed);
    if (!t->is_link_fed)
        return FAIL(STATUS_SYSTEM, "no memory for %zu nodes of edges", links);
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        if (t->params.edges[side] != TSUNAMI_EDGE_GIVEN)
            continue;
        for (size_t k = 0; k < tsunami_nesting_edge_nodes(t, side); k++, index++) {
            size_t column, row;
            tsunami_nesting_edge_node(t, side, k, &column, &row);
            if (!tsunami_sea_is_wet(t->sea, column, row))
                continue;
            const struct tsunami_link link = tsunami_nesting_edge_link(t, side, k);
            t->is_link_fed[index] = tsunami_nesting_is_fed(t, &link);
            if (t->is_link_fed[index])
                tsunami_sea_open(t->sea, column, row);
            if (is_counted_before(t, side, column))
                continue;
            t->wet_edge_nodes++;
            t->fed_edge_nodes += t->is_link_fed[index];
        }
    }
    return STATUS_OK;
}

static enum status judge_edges(const struct tsunami_level *t)
{
    const struct tsunami_level *parent = t->parent;
    const char *name = parent->name[0] ? parent->name : "the outermost grid";
    char why[240];
    if (tsunami_level_floods(parent))
        snprintf(why, sizeof why, "extend this grid to where the sea is");
    else
        snprintf(why, sizeof why,
                 "the coast of %s is a wall at %g m of depth: let it flood (method), lower its "
                 "physics.wall_depth, or extend this grid into deeper water",
                 name, parent->params.physics.wall_depth_m);
    if (t->fed_edge_nodes == 0)
        return job_fail(t->job, "domain",
                        "no wave can come in: of the %zu wet nodes of its edges none lies beside water of "
                        "its parent, %s, that is connected with the open sea; %s",
                        t->wet_edge_nodes, name, why);
    if ((double)t->fed_edge_nodes < connected_share * (double)t->wet_edge_nodes)
        log_warning("%sonly %zu of the %zu wet nodes of its edges lie beside water of its parent, %s, that "
                    "is connected with the open sea, and through the others nothing comes in; %s",
                    t->about, t->fed_edge_nodes, t->wet_edge_nodes, name, why);
    return STATUS_OK;
}

static enum status check_water(struct tsunami *run)
{
    if (run->level_count > 1)
        CHECK(open_outermost(run->levels[0]));
    for (int k = 1; k < run->level_count; k++) {
        CHECK(count_edges(run->levels[k]));
        CHECK(judge_edges(run->levels[k]));
    }
    return tsunami_points_connect(run);
}

enum status tsunami_nesting_check_water(struct tsunami *run)
{
    const enum status status = check_water(run);
    for (int k = 0; k < run->level_count; k++) {
        tsunami_sea_free(run->levels[k]->shallower_sea);
        run->levels[k]->shallower_sea = NULL;
        if (run->levels[0]->params.points.count > 0)
            continue; // whose nodes are chosen again by smoothed depths
        tsunami_sea_free(run->levels[k]->sea);
        run->levels[k]->sea = NULL;
    }
    return status;
}

// ---- after the run

// Of this rank's rows.
static double largest_elevation_m(const struct tsunami_level *t)
{
    double largest = 0;
    for (size_t j = t->own.first; j < t->own.end; j++)
        for (size_t i = 0; i < t->geometry.nx; i++)
            largest = fmax(largest, (double)t->records.max_eta_m[j * t->geometry.pitch + i]);
    return largest;
}

// The source's largest shift of the surface at the parent's nodes that feed a grid's edges.
void tsunami_nesting_note_shift(struct tsunami_level *t)
{
    t->edge_wave.shift_m = 0;
    for (size_t index = 0; index < t->link_count; index++) {
        const struct tsunami_link *link = &t->links[index];
        for (size_t k = 0; k < 4 && t->is_link_fed[index]; k++)
            if (link->weights[k] > 0)
                t->edge_wave.shift_m =
                    fmax(t->edge_wave.shift_m,
                         tsunami_source_shift_m(t->parent, link->column + k % 2, link->row + k / 2));
    }
}

static const struct tsunami_level *outermost_of(const struct tsunami_level *t)
{
    while (t->parent)
        t = t->parent;
    return t;
}

static double least_wave_m(const struct tsunami_level *t, double highest_m)
{
    const double settling_m = fmin(t->edge_wave.shift_m, fmin(settling_most_m, settling_share * highest_m));
    return fmax(wave_least_m, fmax(wave_share * highest_m, settling_m));
}

// The largest speed that the parent recorded where it feeds the edges, as the elevation of a wave with that
// speed. (The surface would also show a source's far uplift, which is not a wave.)
enum status tsunami_nesting_find_wave(struct tsunami_level *t)
{
    const struct tsunami_level *parent = t->parent, *outermost = outermost_of(t);
    if (!parent->records.max_speed_m_s || !outermost->records.max_eta_m)
        return STATUS_OK;
    double highest_m = largest_elevation_m(outermost);
    CHECK(tsunami_ranks_largest(outermost->ranks, &highest_m));
    t->edge_wave.is_known = true;
    t->edge_wave.least_m = least_wave_m(t, highest_m);
    for (size_t index = 0; index < t->link_count; index++) {
        const struct tsunami_link *link = &t->links[index];
        for (size_t k = 0; k < 4 && t->is_link_fed[index]; k++) {
            const size_t node = (link->row + k / 2) * parent->geometry.pitch + link->column + k % 2;
            if (!(link->weights[k] > 0) || !tsunami_has_row(parent->own, link->row + k / 2))
                continue;
            const double depth_m = fmax(0, parent->depth_m[node]);
            t->edge_wave.largest_m =
                fmax(t->edge_wave.largest_m,
                     (double)parent->records.max_speed_m_s[node] * sqrt(depth_m / t->params.gravity_m_s2));
        }
    }
    return tsunami_ranks_largest(parent->ranks, &t->edge_wave.largest_m);
}

static double least_m(const struct tsunami_level *t)
{
    const struct tsunami_level *outermost = outermost_of(t);
    return t->edge_wave.is_known
               ? t->edge_wave.least_m
               : least_wave_m(t, fmax(outermost->first.max_abs_eta_m, outermost->last.max_abs_eta_m));
}

// Without maxima of the parent the grid's own speeds at the end decide: water that a wave has reached does
// not come to rest. They count as those of a wave in the grid's deepest water.
static bool has_come(const struct tsunami_level *t)
{
    const double wave_m = t->edge_wave.is_known
                              ? t->edge_wave.largest_m
                              : t->last.max_speed_m_s * sqrt(t->survey.deepest_m / t->params.gravity_m_s2);
    return wave_m >= least_m(t);
}

void tsunami_nesting_warn_of_calm(const struct tsunami_level *t)
{
    if (!has_come(t))
        log_warning(
            "%sno wave reached this grid: at its edges there was less than %.2g m until the run's end",
            t->about, least_m(t));
}

void tsunami_nesting_describe(const struct tsunami_level *t, cJSON *report)
{
    cJSON_AddNumberToObject(report, "wet_edge_nodes", (double)t->wet_edge_nodes);
    cJSON_AddNumberToObject(report, "connected_edge_nodes", (double)t->fed_edge_nodes);
    if (!t->has_first)
        return;
    cJSON_AddBoolToObject(report, "wave_came_in", has_come(t));
    if (t->edge_wave.is_known)
        cJSON_AddNumberToObject(report, "largest_wave_at_edges_m", t->edge_wave.largest_m);
}
