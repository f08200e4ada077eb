// Forecast points: moved to wet nodes (see the header).
#include "models/tsunami/points.h"

#include "models/tsunami/instance.h"
#include "models/tsunami/nearby.h"
#include "models/tsunami/sea.h"

#include "core/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- which node

static struct tsunami_level *outermost_of(struct tsunami_level *t)
{
    while (t->parent)
        t = t->parent;
    return t;
}

static int rank_of(const struct tsunami_level *t)
{
    int rank = 0;
    for (; t->parent; t = t->parent)
        rank++;
    return rank;
}

// The point in the window's turn of longitude.
static double x_in(const struct grid_window *window, const struct tsunami_point *point)
{
    return window->is_geographic ? axis_longitude(window, point->x) : point->x;
}

static bool is_within(const struct grid_window *window, double x, double y)
{
    const double half_dx = 0.5 * (window->x[1] - window->x[0]), half_dy = 0.5 * (window->y[1] - window->y[0]);
    return x >= window->x[0] - half_dx && x <= window->x[window->nx - 1] + half_dx &&
           y >= window->y[0] - half_dy && y <= window->y[window->ny - 1] + half_dy;
}

void tsunami_points_enter(struct tsunami_level *t)
{
    struct tsunami_points *points = &outermost_of(t)->params.points;
    const struct grid_window *w = &t->params.window;
    for (size_t k = 0; k < points->count; k++)
        if (is_within(w, x_in(w, &points->points[k]), points->points[k].y))
            points->points[k].is_outside = false;
}

// Takes the node if it is nearer than the one of this grid so far, or the grid finer than that one's.
static void consider_node(struct tsunami_level *t, struct tsunami_point *point, size_t row, size_t column,
                          double distance_m, double depth_m)
{
    const bool is_nearer = point->level == t && distance_m < point->distance_m;
    const bool is_finer = point->level != t && (!point->level || rank_of(t) > rank_of(point->level));
    if (!is_nearer && !is_finer)
        return;
    point->level = t;
    point->row = row;
    point->column = column;
    point->node_x = t->params.window.x[column];
    point->node_y = t->params.window.y[row];
    point->distance_m = distance_m;
    point->depth_m = depth_m;
}

static struct nearby_columns columns_near(const struct tsunami_level *t, const struct tsunami_point *point,
                                          size_t row)
{
    const struct grid_window *w = &t->params.window;
    const double x = x_in(w, point);
    if (!is_within(w, x, point->y))
        return (struct nearby_columns){0, 0};
    return nearby_columns_of(w, t->params.earth_radius_m, x, point->y, row,
                             outermost_of((struct tsunami_level *)t)->params.points.search_m);
}

// The nodes of a row for one point. is_open: only those of open bodies of water.
static void consider_row(struct tsunami_level *t, struct tsunami_point *point, size_t row,
                         const double *depth_m, bool is_open)
{
    const struct tsunami_points *points = &outermost_of(t)->params.points;
    const struct grid_window *w = &t->params.window;
    const double dry_m = fmax(0, t->params.physics.wall_depth_m);
    const struct nearby_columns near = columns_near(t, point, row);
    for (size_t column = near.first; column < near.end; column++) {
        if (!(depth_m[column] > dry_m && depth_m[column] >= points->depth_m) ||
            (is_open && !tsunami_sea_is_open(t->sea, column, row)))
            continue;
        const double distance_m =
            nearby_distance_m(w, t->params.earth_radius_m, x_in(w, point), point->y, w->x[column], w->y[row]);
        if (distance_m <= points->search_m)
            consider_node(t, point, row, column, distance_m, depth_m[column]);
    }
}

void tsunami_points_consider(struct tsunami_level *t, size_t row, const double *depth_m)
{
    struct tsunami_points *points = &outermost_of(t)->params.points;
    for (size_t k = 0; k < points->count; k++)
        consider_row(t, &points->points[k], row, depth_m, false);
}

bool tsunami_points_need_row(const struct tsunami_level *t, size_t row)
{
    const struct tsunami_points *points = &outermost_of((struct tsunami_level *)t)->params.points;
    for (size_t k = 0; k < points->count; k++)
        if (points->points[k].is_cut_off) {
            const struct nearby_columns near = columns_near(t, &points->points[k], row);
            if (near.end > near.first)
                return true;
        }
    return false;
}

void tsunami_points_reconsider(struct tsunami_level *t, size_t row, const double *depth_m)
{
    struct tsunami_points *points = &outermost_of(t)->params.points;
    for (size_t k = 0; k < points->count; k++)
        if (points->points[k].is_cut_off)
            consider_row(t, &points->points[k], row, depth_m, true);
}

// ---- after all grids

// As the results say it (docs/points.md).
static const char *skipped_text(const struct tsunami_point *point)
{
    return point->level ? "" : point->is_outside ? "outside" : point->is_cut_off ? "cut off" : "no water";
}

static const char *length_text(double length_m, char text[32])
{
    snprintf(text, 32, length_m >= 1000 ? "%g km" : "%g m", length_m >= 1000 ? 1e-3 * length_m : length_m);
    return text;
}

static void describe_skipped(const struct tsunami_points *points, const struct tsunami_point *point,
                             char *text, size_t bytes)
{
    char depth[32], search[32];
    if (point->is_outside)
        snprintf(text, bytes, "point %s at (%g, %g) lies outside the domain", point->name, point->x,
                 point->y);
    else
        snprintf(text, bytes,
                 "point %s at (%g, %g) has no %snode at least %s deep (output.points.depth) within %s "
                 "(output.points.search)%s",
                 point->name, point->x, point->y, point->is_cut_off ? "" : "wet ",
                 length_text(points->depth_m, depth), length_text(points->search_m, search),
                 point->is_cut_off ? " whose water is connected with the source's: the grid cuts off the "
                                     "water there"
                                   : "");
}

// Each has its line; as warnings, of which a run's report holds a limited number, only if they are few.
static void log_skipped(const struct tsunami_points *points)
{
    enum { WARNINGS_MAX = 8 };
    char text[POINTS_NAME_BYTES + 320];
    for (size_t k = 0; k < points->count; k++) {
        if (points->points[k].level)
            continue;
        describe_skipped(points, &points->points[k], text, sizeof text);
        if (points->skipped <= WARNINGS_MAX)
            log_warning("%s: %s: it is skipped", points->path, text);
        else
            log_info("%s: %s: it is skipped", points->path, text);
    }
    if (points->skipped > WARNINGS_MAX)
        log_warning("%s: %zu of %zu points are skipped, without water or outside the domain", points->path,
                    points->skipped, points->count);
}

// Whether exchanging longitude and latitude would bring most of the points into the domain, at least half of
// which are outside it or without water as they are: a question for the message.
static const char *exchanged_text(const struct tsunami *run, const struct tsunami_points *points)
{
    const struct grid_window *w = &run->levels[0]->params.window;
    size_t within = 0;
    for (size_t k = 0; w->is_geographic && k < points->count; k++) {
        const struct tsunami_point *point = &points->points[k];
        const double longitude = point->y, latitude = remainder(point->x, 360);
        within += fabs(latitude) <= 90 && is_within(w, axis_longitude(w, longitude), latitude);
    }
    const bool are_most = 2 * points->skipped > points->count && 4 * within >= 3 * points->count;
    return are_most ? ": are longitude and latitude exchanged?" : "";
}

static enum status check_skipped(const struct tsunami *run, struct tsunami_points *points)
{
    char text[POINTS_NAME_BYTES + 320];
    const struct tsunami_point *first = NULL;
    for (size_t k = 0; k < points->count; k++) {
        points->points[k].skipped = skipped_text(&points->points[k]);
        if (points->points[k].level)
            continue;
        first = first ? first : &points->points[k];
        points->skipped++;
    }
    if (!first)
        return STATUS_OK;
    const char *exchanged = exchanged_text(run, points);
    describe_skipped(points, first, text, sizeof text);
    if (points->is_required)
        return FAIL(STATUS_CONFIGURATION, "%s: %s, and output.points.required is true%s", points->path, text,
                    exchanged);
    if (points->skipped == points->count)
        return FAIL(STATUS_CONFIGURATION, "%s: no point is left of %zu: the first, %s%s", points->path,
                    points->count, text, exchanged);
    log_skipped(points);
    if (exchanged[0])
        log_warning(
            "%s: %zu of %zu points are skipped, and would lie in the domain with longitude and latitude "
            "exchanged%s",
            points->path, points->skipped, points->count, exchanged);
    return STATUS_OK;
}

// Points without a node to the end, and count those with one.
static enum status part(struct tsunami_points *points)
{
    struct tsunami_point *skipped = malloc((points->skipped + 1) * sizeof *skipped);
    size_t kept = 0, aside = 0;
    if (!skipped)
        return FAIL(STATUS_SYSTEM, "no memory for %zu points", points->skipped);
    for (size_t k = 0; k < points->count; k++)
        if (points->points[k].level)
            points->points[kept++] = points->points[k];
        else
            skipped[aside++] = points->points[k];
    memcpy(points->points + kept, skipped, aside * sizeof *skipped);
    points->count = kept;
    free(skipped);
    return STATUS_OK;
}

static enum status number_points(struct tsunami *run, struct tsunami_points *points)
{
    for (int l = 0; l < run->level_count; l++) {
        struct tsunami_level *t = run->levels[l];
        struct tsunami_point_set *set = &t->records.points;
        for (size_t k = 0; k < points->count; k++)
            if (points->points[k].level == t)
                points->points[k].number = set->count++;
        set->threshold_m = points->threshold_m;
        t->point_places = malloc((set->count + 1) * sizeof *t->point_places);
        if (!t->point_places)
            return FAIL(STATUS_SYSTEM, "no memory for %zu points", set->count);
        for (size_t k = 0; k < points->count; k++)
            if (points->points[k].level == t)
                t->point_places[points->points[k].number] =
                    (struct tsunami_point_place){points->points[k].row, points->points[k].column};
        set->places = t->point_places;
    }
    return STATUS_OK;
}

enum status tsunami_points_settle(struct tsunami *run)
{
    struct tsunami_points *points = &run->levels[0]->params.points;
    if (points->count == 0)
        return STATUS_OK;
    CHECK(check_skipped(run, points));
    CHECK(part(points));
    return number_points(run, points);
}

// ---- by the depths that are computed with

// The same search in the point's grid, now that its depths are smoothed where they were too steep: the depth
// that chooses the node is the one in which its waves are computed, and by which Green's law counts. Without
// such a node the first one stays.
static void choose_again(struct tsunami_point *point)
{
    struct tsunami_level *t = point->level;
    struct tsunami_point best = *point;
    best.level = NULL;
    for (size_t row = 0; row < t->params.window.ny; row++)
        consider_row(t, &best, row, t->depth_m + row * t->geometry.pitch, true);
    if (best.level)
        *point = best;
    t->point_places[point->number] = (struct tsunami_point_place){point->row, point->column};
}

void tsunami_points_depths(struct tsunami *run)
{
    struct tsunami_points *points = &run->levels[0]->params.points;
    for (size_t k = 0; k < points->count; k++) {
        struct tsunami_point *point = &points->points[k];
        if (point->level->conditioning.changed_nodes > 0)
            choose_again(point);
        point->depth_m = point->level->depth_m[point->row * point->level->geometry.pitch + point->column];
    }
}
