// Points, zones and travel times of a run (see the header).
#include "models/tsunami/products.h"

#include "io/formats/zones_result.h"
#include "models/tsunami/points.h"
#include "models/tsunami/ranks.h"
#include "models/tsunami/streams.h"
#include "models/tsunami/travel_time.h"
#include "models/tsunami/zones.h"
#include "parallel/relay.h"

#include "core/log.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum point_constant {
    POINT_X,
    POINT_Y,
    POINT_NODE_X,
    POINT_NODE_Y,
    POINT_DISTANCE,
    POINT_DEPTH,
    POINT_CONSTANTS
};

// The variables of points.nc and zones.nc, in the order of their records.
enum point_variable {
    POINT_ARRIVAL,
    POINT_FIRST_MOTION,
    POINT_FIRST_CREST,
    POINT_FIRST_CREST_TIME,
    POINT_CREST,
    POINT_CREST_TIME,
    POINT_TROUGH,
    POINT_TROUGH_TIME,
    POINT_PEAK_TO_TROUGH,
    POINT_DURATION,
    POINT_LEVEL,
    POINT_COASTAL_HEIGHT,
    POINT_THREAT,
    POINT_TRAVEL_TIME,
    POINT_EARLIEST,
    POINT_IN_SOURCE,
    POINT_UNFINISHED,
    POINT_LOWER_BOUND,
    POINT_VARIABLES
};
enum zone_variable {
    ZONE_POINTS,
    ZONE_NODES,
    ZONE_CREST,
    ZONE_CREST_X,
    ZONE_CREST_Y,
    ZONE_ARRIVAL,
    ZONE_THREAT,
    ZONE_LOWER_BOUND,
    ZONE_VARIABLES
};

struct tsunami_products {
    const char **names, **zone_names;  // owned; points: with a node, then without
    const char **skipped;              // of each point, owned
    double *constants;                 // [POINT_CONSTANTS][points], owned
    struct zones_nodes zone_nodes;     // owned
    double threshold_m, green_depth_m; // for the files' attributes
    // Arrays of the plan.
    // [points with a node] the level that heights count from, coastal height, travel time
    double *levels_m, *heights_m, *travel_s;
    unsigned char *is_in_source;       // [points with a node]
    struct tsunami_zone_result *zones; // [zones]
    unsigned char *row;                // [columns of the widest grid]
    struct tsunami_travel travel;
    bool is_resolved; // the source, by the grid: else heights are lower bounds
    // What the report says: it is written after the plan's arrays are gone.
    bool is_captured;
    const char *worst, *earliest; // names of points; NULL: nothing arrived
    double worst_m, worst_s, earliest_s;
    int worst_threat;
    size_t unfinished; // points
    size_t dry_zones;  // without any node
    const char *first_dry;
};

// ---- the plan

static void add_text_attribute(struct stream *stream, const char *name, const char *text)
{
    stream->attributes[stream->attribute_count++] = (struct stream_attribute){.name = name, .text = text};
}

static void add_number_attribute(struct stream *stream, const char *name, const double *values, int count)
{
    stream->attributes[stream->attribute_count++] =
        (struct stream_attribute){.name = name, .values = values, .count = (size_t)count};
}

struct description {
    const char *name, *long_name, *units;
    bool is_byte, may_be_missing; // the latter: of bytes
};

static void add_variables(struct stream *stream, const struct description *descriptions, int count)
{
    for (int k = 0; k < count; k++)
        stream->variables[stream->variable_count++] = (struct stream_variable){
            .name = descriptions[k].name,
            .long_name = descriptions[k].long_name,
            .units = descriptions[k].units,
            .rank = 1,
            .has_missing = !descriptions[k].is_byte || descriptions[k].may_be_missing,
            .is_byte = descriptions[k].is_byte};
}

#define LOWER_BOUND_IS                                                                                       \
    "1: heights and threat are lower bounds, for the grid has too few nodes across the source"

static const struct description point_variables[POINT_VARIABLES] = {
    [POINT_ARRIVAL] = {"arrival", "time when the surface had first changed by the threshold", "s", false},
    [POINT_FIRST_MOTION] = {"first_motion", "first motion: 1 rise, -1 fall, 0 no arrival", "1", true, true},
    [POINT_FIRST_CREST] = {"first_crest", "height of the first crest", "m", false},
    [POINT_FIRST_CREST_TIME] = {"first_crest_time", "time of the first crest", "s", false},
    [POINT_CREST] = {"crest", "largest height", "m", false},
    [POINT_CREST_TIME] = {"crest_time", "time of the largest height", "s", false},
    [POINT_TROUGH] = {"trough", "lowest height", "m", false},
    [POINT_TROUGH_TIME] = {"trough_time", "time of the lowest height", "s", false},
    [POINT_PEAK_TO_TROUGH] = {"peak_to_trough", "largest less lowest height", "m", false},
    [POINT_DURATION] = {"duration",
                        "time during which the surface was at least the threshold above source_level and the "
                        "sea at rest",
                        "s", false},
    [POINT_LEVEL] = {"source_level", "level from which heights count, above the sea at rest", "m", false},
    [POINT_COASTAL_HEIGHT] = {"coastal_height", "largest height at the coast by Green's law", "m", false},
    [POINT_THREAT] = {"threat", "how many threat levels the coastal height reaches; missing: not reached yet",
                      "1", true, true},
    [POINT_TRAVEL_TIME] = {"travel_time", "travel time of the first wave at sqrt(g depth)", "s", false},
    [POINT_EARLIEST] = {"earliest", "earliest possible arrival: the smaller of arrival and travel_time", "s",
                        false},
    [POINT_IN_SOURCE] = {"in_source", "1: the source moves the sea at the point, where travel times are 0",
                         "1", true, true},
    [POINT_UNFINISHED] = {"unfinished",
                          "1: the run ended so early that higher waves may follow the largest recorded", "1",
                          true, true},
    [POINT_LOWER_BOUND] = {"lower_bound", LOWER_BOUND_IS, "1", true, true},
};

#define HEIGHTS_ARE                                                                                          \
    "times in seconds since the start of the run; heights are those of the surface at the node, above "
#define FROM_SOURCE                                                                                          \
    "the level that the source left there; coastal_height is above that level where the sea floor sank, "    \
    "elsewhere above the sea at rest"
#define FROM_REST "the sea at rest"

static const char *const constant_names[POINT_CONSTANTS][2] = {
    {"x", "longitude"},          {"y", "latitude"},        {"node_x", "node_longitude"},
    {"node_y", "node_latitude"}, {"distance", "distance"}, {"depth", "depth"}};

// All of the list: with a node, then without.
static size_t rows_of(const struct tsunami_points *points)
{
    return points->count + points->skipped;
}

static void add_point_constants(struct stream *stream, const struct tsunami_products *o, size_t count,
                                bool is_geographic)
{
    static const char *const standard_names[2][2] = {{"projection_x_coordinate", "projection_y_coordinate"},
                                                     {"longitude", "latitude"}};
    static const char *const long_names[POINT_CONSTANTS] = {"position as given",
                                                            "position as given",
                                                            "position of the node",
                                                            "position of the node",
                                                            "distance from the point to its node",
                                                            "still depth at the node, positive down"};
    static const char *const degrees[2] = {"degrees_east", "degrees_north"};
    stream->constants[stream->constant_count++] = (struct stream_constant){
        .name = "name", .long_name = "name of the point", .axis = 0, .texts = o->names};
    for (int k = 0; k < POINT_CONSTANTS; k++)
        stream->constants[stream->constant_count++] = (struct stream_constant){
            .name = constant_names[k][is_geographic],
            .standard_name = k <= POINT_Y       ? standard_names[is_geographic][k]
                             : k == POINT_DEPTH ? "sea_floor_depth_below_mean_sea_level"
                                                : NULL,
            .long_name = long_names[k],
            .units = is_geographic && k <= POINT_NODE_Y ? degrees[k % 2] : "m",
            .axis = 0,
            .values = o->constants + (size_t)k * count};
    stream->constants[stream->constant_count++] = (struct stream_constant){
        .name = "skipped",
        .long_name = "why the point has no node: outside the domain, no water as deep "
                     "as asked for, cut off from the source's water; empty: it has",
        .axis = 0,
        .texts = o->skipped};
}

// Without a node its numbers are missing.
static void set_constants(struct tsunami_products *o, const struct tsunami_points *points, size_t k)
{
    const struct tsunami_point *p = &points->points[k];
    const double values[POINT_CONSTANTS] = {p->x, p->y, p->node_x, p->node_y, p->distance_m, p->depth_m};
    for (size_t c = 0; c < POINT_CONSTANTS; c++)
        o->constants[c * rows_of(points) + k] = c > POINT_Y && k >= points->count ? (double)NAN : values[c];
}

static enum status list_points(struct tsunami_products *o, const struct tsunami_points *points)
{
    const size_t n = rows_of(points);
    o->names = malloc(n * sizeof *o->names);
    o->skipped = malloc(n * sizeof *o->skipped);
    o->constants = malloc(POINT_CONSTANTS * n * sizeof *o->constants);
    if (!o->names || !o->skipped || !o->constants)
        return FAIL(STATUS_SYSTEM, "no memory for %zu points", n);
    for (size_t k = 0; k < n; k++) {
        o->names[k] = points->points[k].name;
        o->skipped[k] = points->points[k].skipped;
        set_constants(o, points, k);
    }
    return STATUS_OK;
}

static enum status plan_points(struct tsunami *run, struct memory_plan *memory, struct model_plan *plan)
{
    struct tsunami_level *t = run->levels[0];
    struct tsunami_products *o = run->products;
    const struct tsunami_points *points = &t->params.points;
    const size_t n = rows_of(points);
    CHECK(list_points(o, points));
    o->threshold_m = points->threshold_m;
    o->green_depth_m = points->green_depth_m;
    struct stream *stream = &t->streams[STREAM_POINTS];
    *stream = (struct stream){.name = "points",
                              .title = "forecast points",
                              .comment = t->params.counts_from_source ? HEIGHTS_ARE FROM_SOURCE
                                                                      : HEIGHTS_ARE FROM_REST,
                              .element = ELEMENT_F64,
                              .records_per_frame = 1};
    stream->axis_count = 1;
    stream->axes[0] = (struct stream_axis){.name = "point", .length = n};
    add_point_constants(stream, o, n, t->params.window.is_geographic);
    add_variables(stream, point_variables, POINT_VARIABLES);
    add_number_attribute(stream, "threshold_m", &o->threshold_m, 1);
    add_number_attribute(stream, "green_depth_m", &o->green_depth_m, 1);
    add_number_attribute(stream, "threat_levels_m", t->params.threat_m, t->params.threat_count);
    add_text_attribute(stream, "time_origin", t->params.time_origin);
    tsunami_output_add_stream(t, plan, STREAM_POINTS, (struct run_schedule){.at_end = true});
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 1, points->count, (void **)&o->levels_m,
                          "levels at points"));
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 1, points->count, (void **)&o->heights_m,
                          "coastal heights"));
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_U8, 1, points->count, (void **)&o->is_in_source,
                          "points in the source"));
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, 1, points->count, (void **)&o->travel_s,
                           "travel times to points");
}

// The zones' polygons, so that the result is complete without the file that named them.
static void add_outlines(struct stream *stream, const struct zones_nodes *nodes, bool is_geographic)
{
    const char *const *names = zones_result_names[is_geographic];
    const int axes[ZONES_RESULT_PARTS] = {
        [ZONES_RESULT_RING_NODES] = 1, [ZONES_RESULT_HOLES] = 1, [ZONES_RESULT_X] = 2, [ZONES_RESULT_Y] = 2};
    stream->axes[stream->axis_count++] = (struct stream_axis){.name = "ring", .length = nodes->ring_count};
    stream->axes[stream->axis_count++] = (struct stream_axis){.name = "node", .length = nodes->node_count};
    for (int k = 0; k < ZONES_RESULT_PARTS; k++) {
        const bool is_place = k == ZONES_RESULT_X || k == ZONES_RESULT_Y;
        stream->constants[stream->constant_count++] =
            (struct stream_constant){.name = names[k],
                                     .long_name = zones_result_long_names[k],
                                     .units = zones_result_units(k, is_geographic),
                                     .axis = axes[k],
                                     .values = nodes->parts[k],
                                     .is_count = !is_place,
                                     .letter = k == ZONES_RESULT_X   ? 'X'
                                               : k == ZONES_RESULT_Y ? 'Y'
                                                                     : '\0'};
    }
    stream->geometry = (struct stream_geometry){
        .name = "outline",
        .axis = 0,
        .node_count = names[ZONES_RESULT_NODES],
        .part_node_count = names[ZONES_RESULT_RING_NODES],
        .interior_ring = names[ZONES_RESULT_HOLES],
        .node_coordinates = is_geographic ? "node_longitude node_latitude" : "node_x node_y"};
}

static enum status plan_zones(struct tsunami *run, struct memory_plan *memory, struct model_plan *plan)
{
    const bool is_geographic = run->levels[0]->params.window.is_geographic;
    const struct description variables[ZONE_VARIABLES] = {
        [ZONE_POINTS] = {"points", "number of points in the zone", "1", false},
        [ZONE_NODES] = {"nodes", "number of nodes in the zone that were wet", "1", false},
        [ZONE_CREST] = {"crest", "largest elevation of the surface above the sea at rest", "m", false},
        [ZONE_CREST_X] = {is_geographic ? "crest_longitude" : "crest_x", "where the largest elevation was",
                          is_geographic ? "degrees_east" : "m", false},
        [ZONE_CREST_Y] = {is_geographic ? "crest_latitude" : "crest_y", "where the largest elevation was",
                          is_geographic ? "degrees_north" : "m", false},
        [ZONE_ARRIVAL] = {"arrival",
                          "earliest arrival at the points, and at the nodes if output.arrival is "
                          "recorded",
                          "s", false},
        [ZONE_THREAT] = {"threat",
                         "how many threat levels the largest elevation, or a point's coastal height, "
                         "reaches; missing: not reached yet, or no water of the grid",
                         "1", true, true},
        [ZONE_LOWER_BOUND] = {"lower_bound", LOWER_BOUND_IS, "1", true},
    };
    struct tsunami_level *t = run->levels[0];
    struct tsunami_products *o = run->products;
    const struct zones_file *file = &t->params.zones.file;
    const size_t n = file->zone_count;
    o->zone_names = malloc(n * sizeof *o->zone_names);
    if (!o->zone_names)
        return FAIL(STATUS_SYSTEM, "no memory for %zu zones", n);
    for (size_t k = 0; k < n; k++)
        o->zone_names[k] = file->zones[k].name;
    CHECK(zones_nodes_make(file, &o->zone_nodes));
    struct stream *stream = &t->streams[STREAM_ZONES];
    *stream = (struct stream){.name = "zones",
                              .title = "forecast zones",
                              .comment = "times in seconds since the start of the run",
                              .element = ELEMENT_F64,
                              .records_per_frame = 1};
    stream->axis_count = 1;
    stream->axes[0] = (struct stream_axis){.name = "zone", .length = n};
    stream->constants[stream->constant_count++] = (struct stream_constant){
        .name = "name", .long_name = "name of the zone", .axis = 0, .texts = o->zone_names};
    add_outlines(stream, &o->zone_nodes, is_geographic);
    add_variables(stream, variables, ZONE_VARIABLES);
    add_number_attribute(stream, "threat_levels_m", t->params.threat_m, t->params.threat_count);
    add_text_attribute(stream, "time_origin", t->params.time_origin);
    tsunami_output_add_stream(t, plan, STREAM_ZONES, (struct run_schedule){.at_end = true});
    size_t widest = 0;
    for (int l = 0; l < run->level_count; l++)
        if (run->levels[l]->params.window.nx > widest)
            widest = run->levels[l]->params.window.nx;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_U8, n, sizeof *o->zones, (void **)&o->zones, "zones"));
    return memory_plan_add(memory, MEMORY_HOST, ELEMENT_U8, 1, widest, (void **)&o->row, "row of a zone");
}

static enum status plan_travel_time(struct tsunami *run, struct memory_plan *memory, struct model_plan *plan)
{
    struct tsunami_level *t = run->levels[0];
    const struct grid_window *w = &t->params.window;
    struct stream *stream = &t->streams[STREAM_TRAVEL_TIME];
    *stream =
        (struct stream){.name = "travel_time",
                        .title = "travel time of the first wave",
                        .comment = "of waves with the speed sqrt(g depth); missing: on land, or where no "
                                   "water leads",
                        .element = ELEMENT_F32,
                        .records_per_frame = 1};
    tsunami_stream_axes(stream, w->is_geographic, w->x, w->nx, w->y, w->ny);
    stream->variables[stream->variable_count++] =
        (struct stream_variable){.name = "travel_time",
                                 .long_name = "time after the source until the first wave can arrive",
                                 .units = "s",
                                 .rank = 2,
                                 .axes = {0, 1},
                                 .has_missing = true};
    tsunami_output_add_stream(t, plan, STREAM_TRAVEL_TIME, (struct run_schedule){.at_start = true});
    return tsunami_travel_plan(&run->products->travel, t, memory);
}

enum status tsunami_products_plan(struct tsunami *run, struct memory_plan *memory, struct model_plan *plan)
{
    const struct tsunami_params *p = &run->levels[0]->params;
    const bool has_zones = p->zones.file.zone_count > 0;
    const int wanted = (p->points.count > 0) + has_zones + p->has_travel_time;
    if (plan->stream_count + wanted > RUN_STREAMS_MAX)
        return job_fail(run->levels[0]->job, "output",
                        "the run would have %d results, at most %d are possible", plan->stream_count + wanted,
                        RUN_STREAMS_MAX);
    run->products = calloc(1, sizeof *run->products);
    if (!run->products)
        return FAIL(STATUS_SYSTEM, "no memory for the run's products");
    run->products->is_resolved = tsunami_source_is_resolved(run);
    if (p->has_travel_time)
        CHECK(plan_travel_time(run, memory, plan));
    if (p->points.count > 0)
        CHECK(plan_points(run, memory, plan));
    return has_zones ? plan_zones(run, memory, plan) : STATUS_OK;
}

void tsunami_products_free(struct tsunami *run)
{
    struct tsunami_products *o = run->products;
    if (!o)
        return;
    free(o->names);
    free(o->skipped);
    free(o->zone_names);
    zones_nodes_free(&o->zone_nodes);
    free(o->constants);
    free(o);
    run->products = NULL;
}

void tsunami_products_prepare(struct tsunami *run)
{
    struct tsunami_products *o = run->products;
    const struct tsunami_points *points = &run->levels[0]->params.points;
    tsunami_points_depths(run);
    for (size_t k = 0; k < points->count; k++)
        set_constants(o, points, k);
}

// The earliest of them, in the first seconds of a run.
static void log_travel_times(const struct tsunami *run)
{
    enum { SHOWN = 8, TEXT_BYTES = SHOWN * (POINTS_NAME_BYTES + 16) };
    const struct tsunami_products *o = run->products;
    const struct tsunami_points *points = &run->levels[0]->params.points;
    size_t first[SHOWN], count = 0, within = 0, used = 0;
    char text[TEXT_BYTES] = "";
    for (size_t k = 0; k < points->count; k++) {
        within += o->is_in_source[k];
        if (o->is_in_source[k] || isnan(o->travel_s[k]))
            continue;
        size_t at = count < SHOWN ? count++ : SHOWN;
        for (; at > 0 && o->travel_s[first[at - 1]] > o->travel_s[k]; at--)
            if (at < SHOWN)
                first[at] = first[at - 1];
        if (at < SHOWN)
            first[at] = k;
    }
    for (size_t k = 0; k < count; k++) {
        const long minutes = lround(o->travel_s[first[k]] / 60);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s %ld:%02ld", k > 0 ? "," : "",
                                 points->points[first[k]].name, minutes / 60, minutes % 60);
    }
    log_info("travel times of the first wave, h:min:%s%s; in the source: %zu of %zu points",
             count > 0 ? text : " none", count == SHOWN ? ", ..." : "", within, points->count);
}

void tsunami_products_start(struct tsunami *run)
{
    struct tsunami_products *o = run->products;
    struct tsunami_level *outermost = run->levels[0];
    const struct tsunami_points *points = &outermost->params.points;
    const bool has_times = outermost->params.has_travel_time;
    if (has_times)
        tsunami_travel_find(&o->travel, outermost);
    for (size_t k = 0; k < points->count; k++) {
        bool is_in_source = false;
        o->travel_s[k] = has_times
                             ? tsunami_travel_at(&o->travel, outermost, &points->points[k], &is_in_source)
                             : (double)NAN;
        o->is_in_source[k] = is_in_source;
    }
    if (has_times && points->count > 0)
        log_travel_times(run);
}

// ---- the records

// The level from which the heights at a point count, above the sea at rest.
static double level_m(const struct tsunami_point *point)
{
    const struct tsunami_level *t = point->level;
    const struct tsunami_point_place *place = &t->records.points.places[point->number];
    return t->records.source_level_m
               ? (double)t->records.source_level_m[place->row * t->geometry.pitch + place->column]
               : 0;
}

// Green's law: without reflection a wave's height goes with depth^(−1/4) (Green 1838; docs/points.md). A
// coast need not rise with the sea floor off it: where that rose, the height counts from the sea at rest.
static double coastal_height_m(const struct tsunami_points *points, const struct tsunami_point *point,
                               double level_m)
{
    const struct tsunami_point_state *state = &point->level->records.points.states[point->number];
    return isnan(state->arrival_s) ? (double)NAN
                                   : fmax(0, state->crest_m + fmax(0, level_m)) *
                                         pow(point->depth_m / points->green_depth_m, 0.25);
}

// Without an arrival there is no threat only if a wave had time to come: else NaN.
static double threat_of(const struct tsunami *run, size_t k)
{
    const struct tsunami_level *outermost = run->levels[0];
    const struct tsunami_params *p = &outermost->params;
    const double end_s = tsunami_level_time_s(outermost, outermost->steps),
                 height_m = run->products->heights_m[k];
    if (isnan(height_m) && !(run->products->travel_s[k] <= end_s))
        return (double)NAN;
    return tsunami_threat(p->threat_m, p->threat_count, height_m);
}

// Whether a wave could reach the point, but the run ended before it can be judged: its largest height came in
// the last part of the run, the first crest is not over, or the first wave was possible only a short time
// before the end. Periods of tsunamis are minutes to an hour.
static bool is_unfinished(const struct tsunami *run, size_t k)
{
    static const double last_share = 0.05, least_share = 0.1, period_s = 3600;
    const struct tsunami_level *outermost = run->levels[0];
    const struct tsunami_points *points = &outermost->params.points;
    const struct tsunami_point *point = &points->points[k];
    const struct tsunami_point_state *s = &point->level->records.points.states[point->number];
    const double end_s = tsunami_level_time_s(outermost, outermost->steps),
                 last_s = end_s - last_share * (end_s - outermost->start_s);
    if (s->crest_s >= last_s && s->crest_m >= least_share * points->threshold_m)
        return true;
    const double travel_s = run->products->travel_s[k];
    return isnan(s->arrival_s) ? travel_s <= end_s && travel_s > end_s - period_s
                               : isnan(s->first_crest_m) && s->arrival_s > end_s - period_s;
}

static void capture_point(const struct tsunami *run, size_t k, double *record)
{
    const struct tsunami_params *p = &run->levels[0]->params;
    const struct tsunami_point *point = &p->points.points[k];
    const struct tsunami_point_state *s = &point->level->records.points.states[point->number];
    const bool was_wet = s->crest_m > -(double)INFINITY;
    const double values[POINT_VARIABLES] = {
        [POINT_ARRIVAL] = s->arrival_s,
        [POINT_FIRST_MOTION] = s->first_motion,
        [POINT_FIRST_CREST] = s->first_crest_m,
        [POINT_FIRST_CREST_TIME] = s->first_crest_s,
        [POINT_CREST] = was_wet ? s->crest_m : (double)NAN,
        [POINT_CREST_TIME] = s->crest_m > 0 ? s->crest_s : (double)NAN,
        [POINT_TROUGH] = was_wet ? s->trough_m : (double)NAN,
        [POINT_TROUGH_TIME] = s->trough_m < 0 ? s->trough_s : (double)NAN,
        [POINT_PEAK_TO_TROUGH] = was_wet ? s->crest_m - s->trough_m : (double)NAN,
        [POINT_DURATION] = s->steps_above * point->level->step_s,
        [POINT_LEVEL] = run->products->levels_m[k],
        [POINT_COASTAL_HEIGHT] = run->products->heights_m[k],
        [POINT_THREAT] = threat_of(run, k),
        [POINT_TRAVEL_TIME] = run->products->travel_s[k],
        [POINT_EARLIEST] = fmin(s->arrival_s, run->products->travel_s[k]), // passes over NaN
        [POINT_IN_SOURCE] = p->has_travel_time ? run->products->is_in_source[k] : (double)NAN,
        [POINT_UNFINISHED] = is_unfinished(run, k),
        [POINT_LOWER_BOUND] = !run->products->is_resolved,
    };
    for (size_t v = 0; v < POINT_VARIABLES; v++)
        record[v * rows_of(&p->points) + k] = values[v];
}

static enum status find_heights(struct tsunami *run)
{
    const struct tsunami_points *points = &run->levels[0]->params.points;
    struct tsunami_products *o = run->products;
    for (int l = 0; l < run->level_count; l++)
        CHECK(tsunami_ranks_collect(run->levels[l]));
    for (size_t k = 0; k < points->count; k++) {
        const struct tsunami_point *point = &points->points[k];
        const struct tsunami_point_place *place = &point->level->records.points.places[point->number];
        if (tsunami_has_row(point->level->own, place->row))
            o->levels_m[k] = level_m(point);
        else
            ranks_forget(o->levels_m + k, 1);
    }
    CHECK(ranks_join(run->base.ranks, TRANSPORT_STEPS, o->levels_m, (int64_t)points->count));
    for (size_t k = 0; k < points->count; k++)
        o->heights_m[k] = coastal_height_m(points, &points->points[k], o->levels_m[k]);
    return STATUS_OK;
}

static void capture_points(struct tsunami *run, double *record)
{
    const struct tsunami_params *p = &run->levels[0]->params;
    struct tsunami_products *o = run->products;
    o->is_captured = true;
    o->worst = o->earliest = NULL;
    o->unfinished = 0;
    for (size_t k = 0; k < rows_of(&p->points); k++) {
        const struct tsunami_point *point = &p->points.points[k];
        if (k >= p->points.count) {
            for (size_t v = 0; v < POINT_VARIABLES; v++)
                record[v * rows_of(&p->points) + k] = (double)NAN;
            continue;
        }
        const double arrival_s = point->level->records.points.states[point->number].arrival_s;
        capture_point(run, k, record);
        o->unfinished += is_unfinished(run, k);
        if (o->heights_m[k] >= 0 && (!o->worst || o->heights_m[k] > o->worst_m)) {
            o->worst = point->name;
            o->worst_m = o->heights_m[k];
            o->worst_s = arrival_s;
            o->worst_threat = tsunami_threat(p->threat_m, p->threat_count, o->worst_m);
        }
        if (arrival_s < (o->earliest ? o->earliest_s : (double)INFINITY)) {
            o->earliest = point->name;
            o->earliest_s = arrival_s;
        }
    }
}

static enum status capture_zones(const struct tsunami *run, double *record)
{
    struct tsunami_products *o = run->products;
    const size_t n = run->levels[0]->params.zones.file.zone_count;
    const struct relay_part part = {o->zones, n * sizeof *o->zones};
    for (size_t k = 0; k < n; k++)
        tsunami_zone_begin(&o->zones[k]);
    for (int l = 0; l < run->level_count; l++) {
        CHECK(relay_take(run->levels[l]->ranks, &part, 1));
        for (size_t k = 0; k < n; k++)
            tsunami_zone_note_nodes(run, l, k, o->row, &o->zones[k]);
        CHECK(relay_pass(run->levels[l]->ranks, &part, 1));
    }
    o->dry_zones = 0;
    const struct tsunami_zone_input known = {
        .heights_m = o->heights_m, .point_travel_s = o->travel_s, .travel_s = o->travel.march.time_s};
    for (size_t k = 0; k < n; k++) {
        struct tsunami_zone_result result = o->zones[k];
        tsunami_zone_evaluate(run, k, &known, run->products->row, &result);
        if (result.nodes + result.points == 0 && o->dry_zones++ == 0)
            o->first_dry = o->zone_names[k];
        const double values[ZONE_VARIABLES] = {
            [ZONE_POINTS] = (double)result.points, [ZONE_NODES] = (double)result.nodes,
            [ZONE_CREST] = result.crest_m,         [ZONE_CREST_X] = result.crest_x,
            [ZONE_CREST_Y] = result.crest_y,       [ZONE_ARRIVAL] = result.arrival_s,
            [ZONE_THREAT] = result.threat,         [ZONE_LOWER_BOUND] = !o->is_resolved};
        for (size_t v = 0; v < ZONE_VARIABLES; v++)
            record[v * n + k] = values[v];
    }
    return STATUS_OK;
}

enum status tsunami_products_capture(struct tsunami *run, enum tsunami_stream kind, void *record)
{
    if (kind == STREAM_TRAVEL_TIME) {
        tsunami_travel_copy(&run->products->travel, record);
        return STATUS_OK;
    }
    for (int l = 0; l < run->level_count; l++)
        CHECK(tsunami_fetch_records(run->levels[l]));
    if (run->levels[0]->params.points.count > 0)
        CHECK(find_heights(run));
    if (kind == STREAM_ZONES)
        return capture_zones(run, record);
    capture_points(run, record);
    return STATUS_OK;
}

void tsunami_products_warn(const struct tsunami *run)
{
    const struct tsunami_products *o = run->products;
    const struct tsunami_points *points = &run->levels[0]->params.points;
    if (o && o->is_captured && o->unfinished > 0)
        log_warning(
            "%s: at %zu of %zu points the run ended so early that higher waves may follow: choose a longer "
            "time.duration",
            points->path, o->unfinished, points->count);
    if (o && o->dry_zones > 0)
        log_warning("%s: %zu of %zu zones have no water of the grid (%s%s): nothing is known of them",
                    run->levels[0]->params.zones.path, o->dry_zones,
                    run->levels[0]->params.zones.file.zone_count, o->first_dry,
                    o->dry_zones > 1 ? ", ..." : "");
}

// ---- the report

void tsunami_products_describe(const struct tsunami *run, cJSON *report)
{
    const struct tsunami_points *points = &run->levels[0]->params.points;
    const struct tsunami_products *o = run->products;
    if (points->count == 0)
        return;
    cJSON *object = cJSON_AddObjectToObject(report, "points");
    cJSON_AddNumberToObject(object, "count", (double)points->count);
    cJSON_AddNumberToObject(object, "skipped", (double)points->skipped);
    if (!o || !o->is_captured)
        return;
    cJSON_AddNumberToObject(object, "unfinished", (double)o->unfinished);
    if (!o->worst)
        return;
    cJSON *worst = cJSON_AddObjectToObject(object, "worst");
    cJSON_AddStringToObject(worst, "name", o->worst);
    cJSON_AddNumberToObject(worst, "coastal_height_m", o->worst_m);
    cJSON_AddNumberToObject(worst, "arrival_s", o->worst_s);
    cJSON_AddNumberToObject(worst, "threat", o->worst_threat);
    cJSON *earliest = cJSON_AddObjectToObject(object, "earliest");
    cJSON_AddStringToObject(earliest, "name", o->earliest);
    cJSON_AddNumberToObject(earliest, "arrival_s", o->earliest_s);
    // For the tables of a batch.
    cJSON *figures =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(report, "diagnostics"), "run");
    if (!figures)
        return;
    cJSON_AddNumberToObject(figures, "coastal_height_m", o->worst_m);
    cJSON_AddNumberToObject(figures, "threat", o->worst_threat);
    cJSON_AddNumberToObject(figures, "earliest_arrival_s", o->earliest_s);
}
