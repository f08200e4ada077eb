// The streams that a grid of a tsunami run writes. Independent of file formats and of the state.
#include "models/tsunami/instance.h"
#include "models/tsunami/ranks.h"
#include "models/tsunami/streams.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Finds the nodes of an axis that lie within a range (NaN: all nodes). Longitudes may differ by multiples of
// 360 degrees.
static enum status crop_axis(const struct job *job, const char *key, const double *axis, size_t count,
                             const double range[2], bool is_longitude, size_t *first, size_t *length)
{
    *first = 0;
    *length = count;
    if (isnan(range[0]))
        return STATUS_OK;
    double low = range[0], high = range[1];
    if (is_longitude) {
        if (high < low) // 170 to −170 crosses the antimeridian, as in domain.longitude
            high += 360;
        const double shift = 360 * nearbyint((0.5 * (axis[0] + axis[count - 1]) - 0.5 * (low + high)) / 360);
        low += shift;
        high += shift;
    }
    size_t begin = 0, end = count;
    while (begin < count && axis[begin] < low)
        begin++;
    while (end > begin && axis[end - 1] > high)
        end--;
    // Else a range that crosses the seam of a domain around the Earth would lose a part without a message.
    const double slack = count > 1 ? axis[1] - axis[0] : 0;
    if (is_longitude && begin < end && (low < axis[0] - slack || high > axis[count - 1] + slack))
        return job_fail(job, key, "%g to %g reaches beyond the domain (%g to %g)", range[0], range[1],
                        axis[0], axis[count - 1]);
    if (begin == end)
        return job_fail(job, key, "%g to %g holds no node of the domain (%g to %g)", range[0], range[1],
                        axis[0], axis[count - 1]);
    *first = begin;
    *length = end - begin;
    return STATUS_OK;
}

// The rows of the crop that are this rank's.
static void divide_fields(struct tsunami_level *t)
{
    const struct tsunami_crop *crop = &t->crop;
    size_t first = 0;
    while (first < crop->rows && crop->first_row + first * crop->stride < t->own.first)
        first++;
    size_t end = first;
    while (end < crop->rows && crop->first_row + end * crop->stride < t->own.end)
        end++;
    t->crop_rows = (struct tsunami_rows){first, end};
    tsunami_ranks_divide_stream(t, &t->streams[STREAM_FIELDS], first, end);
}

static enum status plan_fields(struct tsunami_level *t)
{
    const struct grid_window *w = &t->params.window;
    struct tsunami_crop *crop = &t->crop;
    size_t columns, rows;
    CHECK(crop_axis(t->job, w->is_geographic ? "output.fields.longitude" : "output.fields.x", w->x, w->nx,
                    t->params.fields_x, w->is_geographic, &crop->first_column, &columns));
    CHECK(crop_axis(t->job, w->is_geographic ? "output.fields.latitude" : "output.fields.y", w->y, w->ny,
                    t->params.fields_y, false, &crop->first_row, &rows));
    crop->stride = t->params.fields_stride;
    crop->columns = (columns + crop->stride - 1) / crop->stride;
    crop->rows = (rows + crop->stride - 1) / crop->stride;
    t->field_x = malloc(crop->columns * sizeof *t->field_x);
    t->field_y = malloc(crop->rows * sizeof *t->field_y);
    if (!t->field_x || !t->field_y)
        return FAIL(STATUS_SYSTEM, "no memory for the output's axes");
    for (size_t i = 0; i < crop->columns; i++)
        t->field_x[i] = w->x[crop->first_column + i * crop->stride];
    for (size_t j = 0; j < crop->rows; j++)
        t->field_y[j] = w->y[crop->first_row + j * crop->stride];
    struct stream *stream = &t->streams[STREAM_FIELDS];
    *stream = (struct stream){.name = "fields",
                              .title = "sea surface and currents",
                              .has_records = true,
                              .element = t->params.output_element,
                              .records_per_frame = 1};
    tsunami_stream_axes(stream, w->is_geographic, t->field_x, crop->columns, t->field_y, crop->rows);
    for (int f = 0; f < TSUNAMI_FIELD_COUNT; f++) {
        if (!t->params.fields[f])
            continue;
        struct stream_variable *variable = &stream->variables[stream->variable_count++];
        *variable = tsunami_stream_field((enum tsunami_field)f, w->is_geographic);
        variable->resolution = f == TSUNAMI_ETA    ? t->params.elevation_resolution_m
                               : f == TSUNAMI_FLUX ? 0
                                                   : t->params.velocity_resolution_m_s;
    }
    divide_fields(t);
    return STATUS_OK;
}

#define NEAREST "values are those of the nearest wet node, at node_lon, node_lat"
#define BILINEAR                                                                                             \
    "values are bilinear between the wet nodes around the gauge; the nearest of them is at node_lon, "       \
    "node_lat"

static enum status plan_gauges(struct tsunami_level *t)
{
    const size_t n = t->params.gauges.count;
    const bool is_geographic = t->params.window.is_geographic;
    t->gauge_constants = malloc(TSUNAMI_GAUGE_CONSTANTS * n * sizeof *t->gauge_constants);
    t->gauge_texts = malloc(n * sizeof *t->gauge_texts);
    t->gauge_levels_m = calloc((2 + TSUNAMI_CORNERS) * n, sizeof *t->gauge_levels_m);
    t->gauge_owners = calloc(n, sizeof *t->gauge_owners);
    if (!t->gauge_constants || !t->gauge_texts || !t->gauge_levels_m || !t->gauge_owners)
        return FAIL(STATUS_SYSTEM, "no memory for %zu gauges", n);
    double *values[TSUNAMI_GAUGE_CONSTANTS];
    for (int k = 0; k < TSUNAMI_GAUGE_CONSTANTS; k++)
        values[k] = t->gauge_constants + (size_t)k * n;
    for (size_t k = 0; k < n; k++) {
        const struct gauge *gauge = &t->params.gauges.gauges[k];
        const double row[TSUNAMI_GAUGE_CONSTANTS] = {gauge->x,      gauge->y,          gauge->node_x,
                                                     gauge->node_y, gauge->distance_m, gauge->depth_m};
        for (int c = 0; c < TSUNAMI_GAUGE_CONSTANTS; c++)
            values[c][k] = row[c];
        t->gauge_texts[k] = gauge->name;
    }
    struct stream *stream = &t->streams[STREAM_GAUGES];
    *stream = (struct stream){.name = "gauges",
                              .title = "time series at gauges",
                              .comment = t->params.gauges_interpolate ? BILINEAR : NEAREST,
                              .has_records = true,
                              .is_time_series = true,
                              .element = t->params.output_element,
                              .records_per_frame = TSUNAMI_GAUGE_FRAME};
    tsunami_stream_stations(stream, is_geographic, n, t->gauge_texts, values);
    for (size_t k = 0; k < n; k++)
        t->gauge_owners[k] = tsunami_ranks_owner(t, t->params.gauges.gauges[k].place.rows[0]);
    if (t->shares)
        stream->division = (struct stream_division){
            .dividing = STREAM_OWNERS, .holds_all = t->ranks->rank == 0, .owners = t->gauge_owners};
    for (int f = TSUNAMI_ETA; f <= TSUNAMI_V; f++) {
        struct stream_variable variable = tsunami_stream_field((enum tsunami_field)f, is_geographic);
        variable.rank = 1;
        variable.has_missing = tsunami_level_floods(t); // a gauge may fall dry
        stream->variables[stream->variable_count++] = variable;
    }
    return STATUS_OK;
}

void tsunami_output_depths(struct tsunami_level *t)
{
    const size_t n = t->params.gauges.count;
    for (size_t k = 0; k < n; k++) {
        struct gauge *gauge = &t->params.gauges.gauges[k];
        gauge->node_depth_m = t->depth_m[gauge->row * t->geometry.pitch + gauge->column];
        gauge->depth_m = 0;
        for (int c = 0; c < TSUNAMI_CORNERS; c++)
            if (gauge->place.weights[c] > 0)
                gauge->depth_m +=
                    gauge->place.weights[c] *
                    t->depth_m[gauge->place.rows[c / 2] * t->geometry.pitch + gauge->place.columns[c % 2]];
        t->gauge_constants[(TSUNAMI_GAUGE_CONSTANTS - 1) * n + k] = gauge->depth_m;
    }
}

static void plan_diagnostics(struct tsunami_level *t)
{
    static const struct {
        const char *name, *long_name, *units;
    } variables[TSUNAMI_DIAGNOSTICS] = {
        {"mass", "volume of water above rest", "m3"},
        {"energy_kinetic", "kinetic energy", "J"},
        {"energy_potential", "potential energy of the surface", "J"},
        {"max_abs_eta", "largest elevation or depression", "m"},
        {"max_speed", "largest speed", "m s-1"},
        {"courant", "largest (|velocity| + celerity) times step over spacing", "1"},
    };
    struct stream *stream = &t->streams[STREAM_DIAGNOSTICS];
    *stream = (struct stream){.name = "diagnostics",
                              .title = "volume, energy and extremes of the whole domain",
                              .has_records = true,
                              .element = ELEMENT_F64,
                              .records_per_frame = 1};
    for (int k = 0; k < TSUNAMI_DIAGNOSTICS; k++)
        stream->variables[stream->variable_count++] = (struct stream_variable){
            .name = variables[k].name, .long_name = variables[k].long_name, .units = variables[k].units};
}

// A variable of maxima.nc, unless the job leaves it out.
static void add_maxima_variable(struct tsunami_level *t, enum tsunami_maxima which,
                                struct stream_variable variable)
{
    struct stream *stream = &t->streams[STREAM_MAXIMA];
    const int axes[2][3] = {{0, 1, 0}, {2, 0, 1}};
    variable.has_missing = true;
    memcpy(variable.axes, axes[variable.rank == 3], sizeof variable.axes);
    if (t->params.maxima[which])
        stream->variables[stream->variable_count++] = variable;
}

// Adds one of the running records: an array of the level, and its variable in maxima.nc.
static enum status add_record(struct tsunami_level *t, struct memory_plan *memory, enum tsunami_maxima which,
                              float **slot, struct stream_variable variable)
{
    CHECK(memory_plan_add_rows(memory, MEMORY_HOST, ELEMENT_F32, t->own.first, t->own.end, t->geometry.pitch,
                               (void **)slot, "%srecord %s %d", t->prefix, variable.name, t->record_count++));
    if (which != TSUNAMI_ARRIVAL || slot == &t->records.arrival_s[0]) // the thresholds share one variable
        add_maxima_variable(t, which, variable);
    return STATUS_OK;
}

// The records of a grid with a moving shore.
static enum status plan_flood(struct tsunami_level *t, struct memory_plan *memory)
{
    struct tsunami_records *r = &t->records;
    CHECK(add_record(
        t, memory, TSUNAMI_MAX_DEPTH, &r->max_depth_m,
        (struct stream_variable){
            .name = "max_depth", .long_name = "largest depth of the flow", .units = "m", .rank = 2}));
    CHECK(add_record(
        t, memory, TSUNAMI_HAZARD_RATING, &r->hazard_m2_s,
        (struct stream_variable){
            .name = "hazard_rating",
            .long_name = "largest depth of the flow times (speed + 0.5 m/s), on ground above the sea",
            .units = "m2 s-1",
            .rank = 2}));
    CHECK(add_record(t, memory, TSUNAMI_INUNDATION, &r->inundation_s,
                     (struct stream_variable){.name = "inundation_duration",
                                              .long_name = "time under water, of ground above the sea",
                                              .units = "s",
                                              .rank = 2}));
    return tsunami_level_rows(t, memory, ELEMENT_F32, t->own, t->geometry.pitch, (void **)&r->wet_since_s,
                              "record wet since");
}

#define TIMES_ARE   "times in seconds since the start of the run; "
#define LAND_IS     "missing: on land, or where it never happened"
#define DRY_IS      "missing: where the node was never wet, or it never happened; depth is negative on land"
#define FROM_REST   "; arrivals and draw-downs refer to the sea at rest"
#define FROM_SOURCE "; arrivals and draw-downs refer to the level that the source left at the node"

static const char *maxima_comment(const struct tsunami_level *t)
{
    static const char *const comments[2][2] = {
        {TIMES_ARE LAND_IS FROM_REST, TIMES_ARE LAND_IS FROM_SOURCE},
        {TIMES_ARE DRY_IS FROM_REST, TIMES_ARE DRY_IS FROM_SOURCE},
    };
    return comments[tsunami_level_floods(t)][t->params.counts_from_source];
}

static void set_all_axes(const struct tsunami_level *t, struct stream *stream)
{
    const struct grid_window *w = &t->params.window;
    tsunami_stream_axes(stream, w->is_geographic, w->x, w->nx, w->y, w->ny);
    tsunami_ranks_divide_stream(t, stream, t->own.first, t->own.end);
}

static enum status plan_arrivals(struct tsunami_level *t, struct memory_plan *memory)
{
    struct tsunami_records *r = &t->records;
    struct stream *stream = &t->streams[STREAM_MAXIMA];
    r->arrival_count = t->params.arrival_count;
    memcpy(r->arrival_m, t->params.arrival_m, sizeof r->arrival_m);
    if (r->arrival_count > 0 && t->params.maxima[TSUNAMI_ARRIVAL]) {
        stream->axis_count = 3;
        stream->axes[2] = (struct stream_axis){.name = "threshold",
                                               .long_name = "elevation that counts as an arrival",
                                               .units = "m",
                                               .length = (size_t)r->arrival_count,
                                               .values = t->params.arrival_m};
    }
    for (int a = 0; a < r->arrival_count; a++)
        CHECK(add_record(
            t, memory, TSUNAMI_ARRIVAL, &r->arrival_s[a],
            (struct stream_variable){
                .name = "arrival",
                .long_name =
                    tsunami_level_floods(t)
                        ? "time when the elevation above its reference level (on land: the depth of the "
                          "flow) first reached the threshold"
                        : "time when the elevation above its reference level first reached the threshold",
                .units = "s",
                .rank = 3}));
    return STATUS_OK;
}

static enum status plan_maxima(struct tsunami_level *t, struct memory_plan *memory)
{
    struct stream *stream = &t->streams[STREAM_MAXIMA];
    *stream = (struct stream){.name = "maxima",
                              .title = "largest values and arrival times",
                              .comment = maxima_comment(t),
                              .element = t->params.output_element,
                              .records_per_frame = 1};
    set_all_axes(t, stream);
    struct tsunami_records *r = &t->records;
    add_maxima_variable(t, TSUNAMI_MAXIMA_DEPTH,
                        (struct stream_variable){.name = "depth",
                                                 .standard_name = "sea_floor_depth_below_mean_sea_level",
                                                 .long_name = "still-water depth that the computation used",
                                                 .units = "m",
                                                 .rank = 2});
    CHECK(add_record(t, memory, TSUNAMI_MAX_ETA, &r->max_eta_m,
                     (struct stream_variable){.name = "max_eta",
                                              .long_name = tsunami_level_floods(t)
                                                               ? "largest elevation of the water's surface"
                                                               : "largest sea surface elevation",
                                              .units = "m",
                                              .rank = 2}));
    CHECK(add_record(
        t, memory, TSUNAMI_TIME_OF_MAX, &r->time_of_max_s,
        (struct stream_variable){
            .name = "time_of_max", .long_name = "time of the largest elevation", .units = "s", .rank = 2}));
    CHECK(add_record(
        t, memory, TSUNAMI_MAX_SPEED, &r->max_speed_m_s,
        (struct stream_variable){
            .name = "max_speed", .long_name = "largest depth-averaged speed", .units = "m s-1", .rank = 2}));
    CHECK(add_record(
        t, memory, TSUNAMI_MAX_FLUX, &r->max_flux_m2_s,
        (struct stream_variable){
            .name = "max_flux", .long_name = "largest volume flux", .units = "m2 s-1", .rank = 2}));
    if (tsunami_level_floods(t))
        CHECK(plan_flood(t, memory));
    if (t->params.drawdown_m > 0)
        CHECK(add_record(t, memory, TSUNAMI_FIRST_DRAWDOWN, &r->first_drawdown_s,
                         (struct stream_variable){
                             .name = "first_drawdown",
                             .long_name = "time when the surface first fell below the drawdown threshold",
                             .units = "s",
                             .rank = 2}));
    r->drawdown_m = t->params.drawdown_m;
    CHECK(plan_arrivals(t, memory));
    if (stream->variable_count == 0)
        return job_fail(t->job, "output.maxima_variables", "names nothing that %s has",
                        t->parent ? t->name : "the run");
    return STATUS_OK;
}

static void plan_deformation(struct tsunami_level *t)
{
    struct stream *stream = &t->streams[STREAM_DEFORMATION];
    *stream = (struct stream){.name = "deformation",
                              .title = "uplift of the sea floor by the source",
                              .element = t->params.output_element,
                              .records_per_frame = 1};
    set_all_axes(t, stream);
    stream->variables[stream->variable_count++] =
        (struct stream_variable){.name = "deformation",
                                 .long_name = "uplift of the sea floor, positive up",
                                 .units = "m",
                                 .rank = 2,
                                 .axes = {0, 1}};
}

// The names of a nested grid's results begin with the name of the grid.
static void name_stream(struct tsunami_level *t, enum tsunami_stream kind)
{
    struct stream *stream = &t->streams[kind];
    char name[sizeof t->stream_names[kind]], title[sizeof t->stream_titles[kind]];
    if (!t->parent)
        return;
    snprintf(name, sizeof name, "%.*s.%.24s", JOB_PART_NAME_MAX, t->name, stream->name);
    snprintf(title, sizeof title, "nested grid %.*s: %.48s", JOB_PART_NAME_MAX, t->name, stream->title);
    memcpy(t->stream_names[kind], name, sizeof name);
    memcpy(t->stream_titles[kind], title, sizeof title);
    stream->name = t->stream_names[kind];
    stream->title = t->stream_titles[kind];
}

void tsunami_output_add_stream(struct tsunami_level *t, struct model_plan *plan, enum tsunami_stream kind,
                               struct run_schedule schedule)
{
    name_stream(t, kind);
    if (schedule.every_s > 0)
        t->streams[kind].expected_records =
            (size_t)((double)plan->steps / fmax(1, schedule.every_s / plan->step_s)) + schedule.at_start +
            schedule.at_end;
    plan->streams[plan->stream_count] = &t->streams[kind];
    plan->schedules[plan->stream_count++] = schedule;
}

// A record of the diagnostics holds the values at one time; these are the largest of all records.
static void plan_extremes(struct tsunami_level *t, struct model_plan *plan)
{
    struct tsunami_diagnostics *largest = &t->largest;
    t->highest_m = t->fastest_m_s = NAN;
    const struct watch_extreme extremes[] = {
        {.variable = "max_abs_eta", .value = &largest->max_abs_eta_m},
        {.variable = "max_speed", .value = &largest->max_speed_m_s},
        {.variable = "courant", .value = &largest->courant},
    };
    for (size_t k = 0; k < sizeof extremes / sizeof *extremes; k++) {
        plan->extremes[plan->extreme_count] = extremes[k];
        plan->extremes[plan->extreme_count++].stream = plan->stream_count - 1;
    }
}

enum status tsunami_output_plan(struct tsunami_level *t, struct memory_plan *memory, struct model_plan *plan)
{
    const struct tsunami_params *p = &t->params;
    const struct run_schedule at_end = {.at_end = true};
    if (p->fields_every_s > 0) {
        CHECK(plan_fields(t));
        tsunami_output_add_stream(
            t, plan, STREAM_FIELDS,
            (struct run_schedule){.every_s = p->fields_every_s, .at_start = true, .at_end = false});
    }
    if (p->gauges.count > 0) {
        CHECK(plan_gauges(t));
        tsunami_output_add_stream(
            t, plan, STREAM_GAUGES,
            (struct run_schedule){.every_s = p->gauges_every_s, .at_start = true, .at_end = false});
    }
    plan_diagnostics(t);
    tsunami_output_add_stream(
        t, plan, STREAM_DIAGNOSTICS,
        (struct run_schedule){.every_s = p->diagnostics_every_s, .at_start = true, .at_end = true});
    plan_extremes(t, plan);
    CHECK(tsunami_source_level_plan(t, memory));
    if (t->records.points.count > 0)
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, t->records.points.count,
                              TSUNAMI_POINT_NUMBERS, (void **)&t->records.points.states,
                              "%srecords of points", t->prefix));
    if (p->has_maxima) {
        CHECK(plan_maxima(t, memory));
        tsunami_output_add_stream(t, plan, STREAM_MAXIMA, at_end);
    }
    if (p->has_deformation) {
        plan_deformation(t);
        tsunami_output_add_stream(t, plan, STREAM_DEFORMATION, at_end);
    }
    return STATUS_OK;
}

enum status tsunami_results_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    if (!t->backend->plan_results)
        return STATUS_OK;
    struct tsunami_wanted wanted = {.element = t->params.output_element,
                                    .crop = t->crop,
                                    .held_rows = t->crop.rows,
                                    .diagnostics_bytes = tsunami_diagnostics_bytes(t)};
    const enum tsunami_stream kinds[TSUNAMI_RESULTS] = {STREAM_FIELDS, STREAM_GAUGES, STREAM_DIAGNOSTICS};
    for (int r = 0; r < TSUNAMI_RESULTS; r++) {
        const struct stream *stream = &t->streams[kinds[r]];
        if (!stream->name)
            continue; // the run has no such stream
        wanted.slots[r] = PIPELINE_FRAME_SLOTS;
        wanted.frame_records[r] = stream->records_per_frame;
    }
    memcpy(wanted.fields, t->params.fields, sizeof wanted.fields);
    if (t->shares) {
        wanted.crop.first_row += t->crop_rows.first * t->crop.stride;
        wanted.crop.rows = t->crop_rows.end - t->crop_rows.first;
        wanted.held_rows = t->ranks->rank == 0 ? t->crop.rows : wanted.crop.rows;
        CHECK(memory_plan_add(memory, MEMORY_PINNED, ELEMENT_U8, PIPELINE_FRAME_SLOTS,
                              wanted.diagnostics_bytes, &t->diagnostic_parts, "%sparts of diagnostics",
                              t->prefix));
    }
    const size_t n = t->params.gauges.count;
    t->gauge_places = malloc((n + 1) * sizeof *t->gauge_places);
    if (!t->gauge_places)
        return FAIL(STATUS_SYSTEM, "no memory for %zu gauges", n);
    for (size_t k = 0; k < n; k++)
        t->gauge_places[k] = t->params.gauges.gauges[k].place;
    wanted.gauge_count = n;
    wanted.gauges = t->gauge_places;
    return t->backend->plan_results(t->solver, &wanted, memory, t->prefix);
}

void tsunami_output_free(struct tsunami_level *t)
{
    free(t->field_x);
    free(t->field_y);
    free(t->gauge_constants);
    free(t->gauge_texts);
    free(t->gauge_levels_m);
    free(t->gauge_owners);
    free(t->gauge_places);
    free(t->point_places);
}
