// What a tsunami run writes: descriptions of its streams, and how the present state becomes a record. Knows
// no file format.
#include "models/tsunami/instance.h"
#include "models/tsunami/results.h"
#include "models/tsunami/team.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const struct stream_variable field_variables[TSUNAMI_FIELD_COUNT] = {
    {"eta",
     "sea_surface_height_above_mean_sea_level",
     "sea surface elevation above rest",
     "m",
     NULL,
     NULL,
     2,
     {0, 1},
     true},
    {"u",
     "eastward_sea_water_velocity",
     "depth-averaged eastward velocity",
     "m s-1",
     NULL,
     NULL,
     2,
     {0, 1},
     true},
    {"v",
     "northward_sea_water_velocity",
     "depth-averaged northward velocity",
     "m s-1",
     NULL,
     NULL,
     2,
     {0, 1},
     true},
    {"speed", "sea_water_speed", "depth-averaged speed", "m s-1", NULL, NULL, 2, {0, 1}, true},
    {"flux", NULL, "volume flux: speed times total depth", "m2 s-1", NULL, NULL, 2, {0, 1}, true},
};

// On a plane there is no east and no north.
static struct stream_variable field_variable(const struct tsunami *t, enum tsunami_field field)
{
    struct stream_variable variable = field_variables[field];
    if (t->params.window.is_geographic || (field != TSUNAMI_U && field != TSUNAMI_V))
        return variable;
    variable.standard_name = field == TSUNAMI_U ? "sea_water_x_velocity" : "sea_water_y_velocity";
    variable.long_name =
        field == TSUNAMI_U ? "depth-averaged velocity along x" : "depth-averaged velocity along y";
    return variable;
}

static void set_axes(const struct tsunami *t, struct stream *stream, const double *x, size_t nx,
                     const double *y, size_t ny)
{
    const bool is_geographic = t->params.window.is_geographic;
    stream->axis_count = 2;
    stream->axes[0] = is_geographic
                          ? (struct stream_axis){"lat", "latitude", "latitude", "degrees_north", 'Y', ny, y}
                          : (struct stream_axis){"y", "projection_y_coordinate", "y", "m", 'Y', ny, y};
    stream->axes[1] = is_geographic
                          ? (struct stream_axis){"lon", "longitude", "longitude", "degrees_east", 'X', nx, x}
                          : (struct stream_axis){"x", "projection_x_coordinate", "x", "m", 'X', nx, x};
}

// Nodes of an axis within a range (any turn of longitude); NaN = all.
static enum status crop_axis(const double *axis, size_t count, const double range[2], bool is_longitude,
                             const char *name, size_t *first, size_t *length)
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
    // A crop that reaches round the Earth's other side would lose that part without a word.
    const double slack = count > 1 ? axis[1] - axis[0] : 0;
    if (is_longitude && begin < end && (low < axis[0] - slack || high > axis[count - 1] + slack))
        return FAIL(STATUS_CONFIGURATION, "output.fields.%s: %g to %g reaches beyond the domain (%g to %g)",
                    name, range[0], range[1], axis[0], axis[count - 1]);
    if (begin == end)
        return FAIL(STATUS_CONFIGURATION, "output.fields.%s: %g to %g holds no node of the domain (%g to %g)",
                    name, range[0], range[1], axis[0], axis[count - 1]);
    *first = begin;
    *length = end - begin;
    return STATUS_OK;
}

static enum status plan_fields(struct tsunami *t)
{
    const struct grid_window *w = &t->params.window;
    struct tsunami_crop *crop = &t->crop;
    size_t columns, rows;
    CHECK(crop_axis(w->x, w->nx, t->params.fields_x, w->is_geographic, w->is_geographic ? "longitude" : "x",
                    &crop->first_column, &columns));
    CHECK(crop_axis(w->y, w->ny, t->params.fields_y, false, w->is_geographic ? "latitude" : "y",
                    &crop->first_row, &rows));
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
    set_axes(t, stream, t->field_x, crop->columns, t->field_y, crop->rows);
    for (int f = 0; f < TSUNAMI_FIELD_COUNT; f++)
        if (t->params.fields[f])
            stream->variables[stream->variable_count++] = field_variable(t, (enum tsunami_field)f);
    return STATUS_OK;
}

static void add_gauge_constant(struct stream *stream, const char *name, const char *standard_name,
                               const char *long_name, const char *units, const double *values)
{
    stream->constants[stream->constant_count++] = (struct stream_constant){.name = name,
                                                                           .standard_name = standard_name,
                                                                           .long_name = long_name,
                                                                           .units = units,
                                                                           .axis = 0,
                                                                           .values = values};
}

// Constants of a gauge in gauges.nc; the depth is the last.
enum { GAUGE_CONSTANTS = 6 };

static enum status plan_gauges(struct tsunami *t)
{
    const size_t n = t->params.gauges.count;
    const bool is_geographic = t->params.window.is_geographic;
    t->gauge_constants = malloc(GAUGE_CONSTANTS * n * sizeof *t->gauge_constants);
    t->gauge_texts = malloc(n * sizeof *t->gauge_texts);
    if (!t->gauge_constants || !t->gauge_texts)
        return FAIL(STATUS_SYSTEM, "no memory for %zu gauges", n);
    double *values[GAUGE_CONSTANTS];
    for (int k = 0; k < GAUGE_CONSTANTS; k++)
        values[k] = t->gauge_constants + (size_t)k * n;
    for (size_t k = 0; k < n; k++) {
        const struct gauge *gauge = &t->params.gauges.gauges[k];
        const double row[GAUGE_CONSTANTS] = {gauge->x,      gauge->y,          gauge->node_x,
                                             gauge->node_y, gauge->distance_m, gauge->node_depth_m};
        for (int c = 0; c < GAUGE_CONSTANTS; c++)
            values[c][k] = row[c];
        t->gauge_texts[k] = gauge->name;
    }
    struct stream *stream = &t->streams[STREAM_GAUGES];
    *stream = (struct stream){.name = "gauges",
                              .title = "time series at gauges",
                              .comment = "values are those of the nearest wet node, at node_lon, node_lat",
                              .has_records = true,
                              .is_time_series = true,
                              .element = t->params.output_element,
                              .records_per_frame = TSUNAMI_GAUGE_FRAME};
    stream->axis_count = 1;
    stream->axes[0] = (struct stream_axis){.name = "station", .length = n};
    stream->constants[stream->constant_count++] = (struct stream_constant){.name = "name",
                                                                           .long_name = "gauge name",
                                                                           .cf_role = "timeseries_id",
                                                                           .axis = 0,
                                                                           .texts = t->gauge_texts};
    add_gauge_constant(stream, is_geographic ? "lon" : "x",
                       is_geographic ? "longitude" : "projection_x_coordinate", "position of the gauge",
                       is_geographic ? "degrees_east" : "m", values[0]);
    add_gauge_constant(stream, is_geographic ? "lat" : "y",
                       is_geographic ? "latitude" : "projection_y_coordinate", "position of the gauge",
                       is_geographic ? "degrees_north" : "m", values[1]);
    add_gauge_constant(stream, is_geographic ? "node_lon" : "node_x", NULL,
                       "position of the node that stands for it", is_geographic ? "degrees_east" : "m",
                       values[2]);
    add_gauge_constant(stream, is_geographic ? "node_lat" : "node_y", NULL,
                       "position of the node that stands for it", is_geographic ? "degrees_north" : "m",
                       values[3]);
    add_gauge_constant(stream, "distance", NULL, "distance from gauge to node", "m", values[4]);
    add_gauge_constant(stream, "depth", "sea_floor_depth_below_mean_sea_level", "still depth at the node",
                       "m", values[5]);
    for (int f = TSUNAMI_ETA; f <= TSUNAMI_V; f++) {
        struct stream_variable variable = field_variable(t, (enum tsunami_field)f);
        variable.rank = 1;
        variable.has_missing = false;
        stream->variables[stream->variable_count++] = variable;
    }
    return STATUS_OK;
}

void tsunami_output_depths(struct tsunami *t)
{
    const size_t n = t->params.gauges.count;
    for (size_t k = 0; k < n; k++) {
        struct gauge *gauge = &t->params.gauges.gauges[k];
        gauge->node_depth_m = t->depth_m[gauge->row * t->geometry.pitch + gauge->column];
        t->gauge_constants[(GAUGE_CONSTANTS - 1) * n + k] = gauge->node_depth_m;
    }
}

static void plan_diagnostics(struct tsunami *t)
{
    static const struct stream_variable variables[TSUNAMI_DIAGNOSTICS] = {
        {"mass", NULL, "volume of water above rest", "m3", NULL, NULL, 0, {0}, false},
        {"energy_kinetic", NULL, "kinetic energy", "J", NULL, NULL, 0, {0}, false},
        {"energy_potential", NULL, "potential energy of the surface", "J", NULL, NULL, 0, {0}, false},
        {"max_abs_eta", NULL, "largest elevation or depression", "m", NULL, NULL, 0, {0}, false},
        {"max_speed", NULL, "largest speed", "m s-1", NULL, NULL, 0, {0}, false},
        {"courant",
         NULL,
         "largest (|velocity| + celerity) times step over spacing",
         "1",
         NULL,
         NULL,
         0,
         {0},
         false},
    };
    struct stream *stream = &t->streams[STREAM_DIAGNOSTICS];
    *stream = (struct stream){.name = "diagnostics",
                              .title = "volume, energy and extremes of the whole domain",
                              .has_records = true,
                              .is_time_series = false,
                              .element = ELEMENT_F64,
                              .records_per_frame = 1};
    stream->variable_count = TSUNAMI_DIAGNOSTICS;
    memcpy(stream->variables, variables, sizeof variables);
}

// One of the running records: an array of the level, and its variable in maxima.nc.
static enum status add_record(struct tsunami *t, struct memory_plan *memory, float **slot, const char *name,
                              const char *long_name, const char *units, int rank)
{
    const struct tsunami_geometry *g = &t->geometry;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F32, g->ny, g->pitch, (void **)slot, "record %s %d",
                          name, t->record_count++));
    struct stream *stream = &t->streams[STREAM_MAXIMA];
    if (rank == 3 && slot != &t->records.arrival_s[0])
        return STATUS_OK; // the other thresholds share one variable
    struct stream_variable variable = {.name = name, .long_name = long_name, .units = units, .rank = rank};
    variable.has_missing = true;
    const int axes[2][3] = {{0, 1, 0}, {2, 0, 1}};
    memcpy(variable.axes, axes[rank == 3], sizeof variable.axes);
    stream->variables[stream->variable_count++] = variable;
    return STATUS_OK;
}

static enum status plan_maxima(struct tsunami *t, struct memory_plan *memory)
{
    struct stream *stream = &t->streams[STREAM_MAXIMA];
    *stream =
        (struct stream){.name = "maxima",
                        .title = "largest values and arrival times",
                        .comment = "times in seconds since the start of the run; missing: land, or never",
                        .element = ELEMENT_F32,
                        .records_per_frame = 1};
    set_axes(t, stream, t->params.window.x, t->params.window.nx, t->params.window.y, t->params.window.ny);
    struct tsunami_records *r = &t->records;
    stream->variables[stream->variable_count++] =
        (struct stream_variable){"depth",
                                 "sea_floor_depth_below_mean_sea_level",
                                 "still depth as computed with",
                                 "m",
                                 NULL,
                                 NULL,
                                 2,
                                 {0, 1},
                                 true};
    if (t->params.has_maxima) {
        CHECK(add_record(t, memory, &r->max_eta_m, "max_eta", "largest sea surface elevation", "m", 2));
        CHECK(
            add_record(t, memory, &r->time_of_max_s, "time_of_max", "time of the largest elevation", "s", 2));
        CHECK(add_record(t, memory, &r->max_speed_m_s, "max_speed", "largest depth-averaged speed", "m s-1",
                         2));
        CHECK(add_record(t, memory, &r->max_flux_m2_s, "max_flux", "largest volume flux", "m2 s-1", 2));
    }
    if (t->params.drawdown_m > 0)
        CHECK(add_record(t, memory, &r->first_drawdown_s, "first_drawdown",
                         "time when the surface first fell below the drawdown threshold", "s", 2));
    r->drawdown_m = t->params.drawdown_m;
    r->arrival_count = t->params.arrival_count;
    memcpy(r->arrival_m, t->params.arrival_m, sizeof r->arrival_m);
    if (r->arrival_count > 0) {
        stream->axis_count = 3;
        stream->axes[2] = (struct stream_axis){.name = "threshold",
                                               .long_name = "elevation that counts as an arrival",
                                               .units = "m",
                                               .length = (size_t)r->arrival_count,
                                               .values = t->params.arrival_m};
    }
    for (int a = 0; a < r->arrival_count; a++)
        CHECK(add_record(t, memory, &r->arrival_s[a], "arrival",
                         "time when the elevation first reached the threshold", "s", 3));
    return STATUS_OK;
}

static void plan_deformation(struct tsunami *t)
{
    struct stream *stream = &t->streams[STREAM_DEFORMATION];
    *stream = (struct stream){.name = "deformation",
                              .title = "uplift of the sea floor by the source",
                              .element = ELEMENT_F32,
                              .records_per_frame = 1};
    set_axes(t, stream, t->params.window.x, t->params.window.nx, t->params.window.y, t->params.window.ny);
    stream->variables[stream->variable_count++] =
        (struct stream_variable){.name = "deformation",
                                 .long_name = "uplift of the sea floor, positive up",
                                 .units = "m",
                                 .rank = 2,
                                 .axes = {0, 1}};
}

static void add_stream(struct tsunami *t, struct model_plan *plan, enum tsunami_stream kind,
                       struct run_schedule schedule)
{
    t->kinds[plan->stream_count] = kind;
    if (schedule.every_s > 0)
        t->streams[kind].expected_records =
            (size_t)((double)t->steps / fmax(1, schedule.every_s / t->step_s)) + schedule.at_start +
            schedule.at_end;
    plan->streams[plan->stream_count] = &t->streams[kind];
    plan->schedules[plan->stream_count++] = schedule;
}

enum status tsunami_output_plan(struct tsunami *t, struct memory_plan *memory, struct model_plan *plan)
{
    const struct tsunami_params *p = &t->params;
    const struct run_schedule at_end = {.at_end = true};
    if (p->fields_every_s > 0) {
        CHECK(plan_fields(t));
        add_stream(t, plan, STREAM_FIELDS, (struct run_schedule){p->fields_every_s, true, false});
    }
    if (p->gauges.count > 0) {
        CHECK(plan_gauges(t));
        add_stream(t, plan, STREAM_GAUGES, (struct run_schedule){p->gauges_every_s, true, false});
    }
    plan_diagnostics(t);
    add_stream(t, plan, STREAM_DIAGNOSTICS, (struct run_schedule){p->diagnostics_every_s, true, true});
    CHECK(plan_maxima(t, memory));
    add_stream(t, plan, STREAM_MAXIMA, at_end);
    if (p->has_deformation) {
        plan_deformation(t);
        add_stream(t, plan, STREAM_DEFORMATION, at_end);
    }
    return STATUS_OK;
}

static void store(void *record, enum element element, size_t index, double value)
{
    if (element == ELEMENT_F32)
        ((float *)record)[index] = (float)value;
    else
        ((double *)record)[index] = value;
}

struct field_capture {
    struct tsunami *tsunami;
    void *record;
};

static void capture_fields_row(void *context, size_t j)
{
    struct tsunami *t = ((const struct field_capture *)context)->tsunami;
    void *record = ((const struct field_capture *)context)->record;
    const struct tsunami_crop *crop = &t->crop;
    const size_t length = crop->rows * crop->columns, span = (crop->columns - 1) * crop->stride + 1;
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    const size_t row = crop->first_row + j * crop->stride;
    t->backend->get(t->solver, row, crop->first_column, span, eta, u, v);
    const double *depth = t->depth_m + row * t->geometry.pitch + crop->first_column;
    size_t place = j * crop->columns;
    for (int f = 0; f < TSUNAMI_FIELD_COUNT; f++) {
        if (!t->params.fields[f])
            continue;
        for (size_t i = 0; i < crop->columns; i++) {
            const size_t k = i * crop->stride;
            const struct tsunami_node node = {eta[k], u[k], v[k], depth[k]};
            store(record, t->params.output_element, place + i,
                  tsunami_field_value((enum tsunami_field)f, node));
        }
        place += length;
    }
}

static void capture_fields(struct tsunami *t, void *record)
{
    struct field_capture capture = {t, record};
    team_for(t->threads, t->crop.rows, capture_fields_row, &capture);
}

static void capture_gauges(struct tsunami *t, void *record)
{
    const size_t n = t->params.gauges.count;
    for (size_t k = 0; k < n; k++) {
        const struct gauge *gauge = &t->params.gauges.gauges[k];
        double values[TSUNAMI_FIELDS];
        t->backend->get(t->solver, gauge->row, gauge->column, 1, &values[0], &values[1], &values[2]);
        for (size_t f = 0; f < TSUNAMI_FIELDS; f++)
            store(record, t->params.output_element, f * n + k, values[f]);
    }
}

// In the order in which plan_diagnostics declared the variables.
static void capture_diagnostics(struct tsunami *t, double *record)
{
    tsunami_diagnose(t, &t->last);
    const double values[TSUNAMI_DIAGNOSTICS] = {t->last.volume_m3,          t->last.energy_kinetic_j,
                                                t->last.energy_potential_j, t->last.max_abs_eta_m,
                                                t->last.max_speed_m_s,      t->last.courant};
    memcpy(record, values, sizeof values);
}

// Row j of a running record without its padding; land is missing.
static void copy_record_row(const struct tsunami *t, size_t j, const float *from, float *to)
{
    const size_t nx = t->geometry.nx, pitch = t->geometry.pitch;
    for (size_t i = 0; i < nx; i++) {
        const bool is_wet = t->depth_m[j * pitch + i] > t->params.physics.wall_depth_m;
        to[j * nx + i] = is_wet ? from[j * pitch + i] : NAN;
    }
}

struct maxima_capture {
    const struct tsunami *tsunami;
    float *record;
};

static void capture_maxima_row(void *context, size_t j)
{
    const struct tsunami *t = ((const struct maxima_capture *)context)->tsunami;
    float *record = ((const struct maxima_capture *)context)->record;
    const struct tsunami_records *r = &t->records;
    const size_t nx = t->geometry.nx, length = nx * t->geometry.ny;
    for (size_t i = 0; i < nx; i++) {
        const double depth = t->depth_m[j * t->geometry.pitch + i];
        record[j * nx + i] = depth > t->params.physics.wall_depth_m ? (float)depth : NAN;
    }
    // In the order in which plan_maxima declared the variables.
    const float *arrays[] = {r->max_eta_m, r->time_of_max_s, r->max_speed_m_s, r->max_flux_m2_s,
                             r->first_drawdown_s};
    float *place = record + length;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        if (!arrays[k])
            continue;
        copy_record_row(t, j, arrays[k], place);
        place += length;
    }
    for (int a = 0; a < r->arrival_count; a++, place += length)
        copy_record_row(t, j, r->arrival_s[a], place);
    if (r->time_of_max_s) // where no wave came there is no time of its maximum
        for (size_t k = j * nx; k < (j + 1) * nx; k++)
            if (!(record[length + k] > 0))
                record[2 * length + k] = NAN;
}

static void capture_maxima(struct tsunami *t, float *record)
{
    struct maxima_capture capture = {t, record};
    team_for(t->threads, t->geometry.ny, capture_maxima_row, &capture);
}

enum status tsunami_results_plan(struct tsunami *t, struct memory_plan *memory)
{
    if (!t->backend->plan_results)
        return STATUS_OK;
    struct tsunami_wanted wanted = {.element = t->params.output_element, .crop = t->crop};
    const enum tsunami_stream kinds[TSUNAMI_RESULTS] = {STREAM_FIELDS, STREAM_GAUGES, STREAM_DIAGNOSTICS};
    for (int r = 0; r < TSUNAMI_RESULTS; r++) {
        const struct stream *stream = &t->streams[kinds[r]];
        if (!stream->name)
            continue; // the run has no such stream
        wanted.slots[r] = PIPELINE_FRAME_SLOTS;
        wanted.frame_records[r] = stream->records_per_frame;
    }
    memcpy(wanted.fields, t->params.fields, sizeof wanted.fields);
    const size_t n = t->params.gauges.count;
    t->gauge_nodes = malloc((2 * n + 1) * sizeof *t->gauge_nodes);
    if (!t->gauge_nodes)
        return FAIL(STATUS_SYSTEM, "no memory for %zu gauges", n);
    for (size_t k = 0; k < n; k++) {
        t->gauge_nodes[k] = t->params.gauges.gauges[k].row;
        t->gauge_nodes[n + k] = t->params.gauges.gauges[k].column;
    }
    wanted.gauge_count = n;
    wanted.gauge_rows = t->gauge_nodes;
    wanted.gauge_columns = t->gauge_nodes + n;
    return t->backend->plan_results(t->solver, &wanted, memory, "");
}

// Whether the back end makes this frame by itself, and as which of its results.
static bool is_made_there(const struct tsunami *t, const struct frame *frame, enum tsunami_result *result)
{
    static const enum tsunami_result results[STREAM_KINDS] = {[STREAM_FIELDS] = TSUNAMI_RESULT_FIELDS,
                                                              [STREAM_GAUGES] = TSUNAMI_RESULT_GAUGES,
                                                              [STREAM_DIAGNOSTICS] =
                                                                  TSUNAMI_RESULT_DIAGNOSTICS,
                                                              [STREAM_MAXIMA] = TSUNAMI_RESULTS,
                                                              [STREAM_DEFORMATION] = TSUNAMI_RESULTS};
    *result = results[t->kinds[frame->stream]];
    return t->backend->capture && *result != TSUNAMI_RESULTS;
}

enum status tsunami_send(void *context, const struct frame *frame)
{
    struct tsunami *t = context;
    enum tsunami_result result;
    return is_made_there(t, frame, &result)
               ? t->backend->send(t->solver, result, frame->slot, frame->records, frame->data)
               : STATUS_OK;
}

enum status tsunami_await(void *context, const struct frame *frame)
{
    struct tsunami *t = context;
    enum tsunami_result result;
    struct tsunami_unsound found = {.step = -1};
    if (!is_made_there(t, frame, &result))
        return STATUS_OK;
    CHECK(t->backend->await(t->solver, result, frame->slot, &found));
    CHECK(tsunami_judge(t, &found));
    if (result != TSUNAMI_RESULT_DIAGNOSTICS || frame->records == 0)
        return STATUS_OK;
    // Read by nobody but the report, after this thread's end.
    const double *values = (const double *)frame->data + (frame->records - 1) * TSUNAMI_DIAGNOSTICS;
    t->last = (struct tsunami_diagnostics){values[0], values[1], values[2], values[3], values[4], values[5]};
    return STATUS_OK;
}

enum status tsunami_capture(void *context, int64_t step, const struct frame *frame)
{
    struct tsunami *t = context;
    enum tsunami_result result;
    (void)step;
    if (is_made_there(t, frame, &result))
        return t->backend->capture(t->solver, result, frame->slot, frame->records);
    const enum tsunami_stream kind = t->kinds[frame->stream];
    void *record = (char *)frame->data + frame->records * stream_record_bytes(&t->streams[kind]);
    CHECK(kind == STREAM_MAXIMA ? tsunami_fetch_records(t) : tsunami_fetch(t));
    switch (kind) {
    case STREAM_FIELDS:
        capture_fields(t, record);
        break;
    case STREAM_GAUGES:
        capture_gauges(t, record);
        break;
    case STREAM_DIAGNOSTICS:
        capture_diagnostics(t, record);
        break;
    case STREAM_MAXIMA:
        capture_maxima(t, record);
        break;
    case STREAM_DEFORMATION:
        memcpy(record, t->deformation_m, t->geometry.nx * t->geometry.ny * sizeof *t->deformation_m);
        break;
    case STREAM_KINDS:
        break;
    }
    return STATUS_OK;
}

void tsunami_output_free(struct tsunami *t)
{
    free(t->field_x);
    free(t->field_y);
    free(t->gauge_constants);
    free(t->gauge_texts);
    free(t->gauge_nodes);
}
