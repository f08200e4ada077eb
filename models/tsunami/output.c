// The present state of a grid as a record of one of its streams, which output_streams.c describes.
// Independent of file formats.
#include "models/team.h"
#include "models/tsunami/nesting.h"
#include "models/tsunami/products.h"
#include "models/tsunami/results.h"
#include "models/tsunami/streams.h"
#include "parallel/relay.h"

#include <math.h>
#include <string.h>

// variables: of the record, each from where its row 0 is, or would be, on; thresholds one by one.
struct capture {
    struct tsunami_level *tsunami;
    void *variables[STREAM_VARIABLES_MAX + TSUNAMI_ARRIVALS_MAX];
};

static void find_variables(struct capture *c, enum tsunami_stream kind, const struct frame *frame)
{
    const struct stream *stream = &c->tsunami->streams[kind];
    int count = 0;
    for (int v = 0; v < stream->variable_count; v++) {
        const struct stream_variable *variable = &stream->variables[v];
        const size_t blocks = variable->rank == 3 ? stream->axes[variable->axes[0]].length : 1;
        const size_t bytes = stream_held_length(stream, variable) / blocks * element_bytes(stream->element);
        for (size_t b = 0; b < blocks; b++)
            c->variables[count++] =
                (void *)((uintptr_t)stream_at(stream, frame, frame->records, v) + b * bytes);
    }
}

static void capture_fields_row(void *context, size_t item)
{
    const struct capture *c = context;
    struct tsunami_level *t = c->tsunami;
    const struct tsunami_crop *crop = &t->crop;
    const size_t j = t->crop_rows.first + item, span = (crop->columns - 1) * crop->stride + 1;
    double *eta = tsunami_row_buffer(t, 0), *u = tsunami_row_buffer(t, 1), *v = tsunami_row_buffer(t, 2);
    const size_t row = crop->first_row + j * crop->stride;
    t->backend->get(t->solver, row, crop->first_column, span, eta, u, v);
    const double *depth = t->depth_m + row * t->geometry.pitch + crop->first_column;
    const double wet_depth_m = tsunami_wet_depth_m(&t->params.physics, &t->records);
    for (int f = 0, variable = 0; f < TSUNAMI_FIELD_COUNT; f++) {
        if (!t->params.fields[f])
            continue;
        for (size_t i = 0; i < crop->columns; i++) {
            const size_t k = i * crop->stride;
            const struct tsunami_node node = {eta[k], u[k], v[k], depth[k], wet_depth_m};
            tsunami_stream_store(c->variables[variable], t->params.output_element, j * crop->columns + i,
                                 tsunami_field_value((enum tsunami_field)f, node));
        }
        variable++;
    }
}

static void capture_fields(struct tsunami_level *t, const struct frame *frame)
{
    struct capture capture = {.tsunami = t};
    find_variables(&capture, STREAM_FIELDS, frame);
    team_for(t->threads, t->crop_rows.end - t->crop_rows.first, capture_fields_row, &capture);
}

static void capture_gauges(struct tsunami_level *t, void *record)
{
    const size_t n = t->params.gauges.count;
    for (size_t k = 0; k < n; k++) {
        const struct tsunami_gauge_place *place = &t->params.gauges.gauges[k].place;
        struct tsunami_node corners[TSUNAMI_CORNERS] = {0};
        if (!tsunami_has_row(t->own, place->rows[0]))
            continue; // another rank has it
        for (int c = 0; c < TSUNAMI_CORNERS; c++) {
            const size_t row = place->rows[c / 2], column = place->columns[c % 2];
            if (place->weights[c] == 0)
                continue;
            corners[c].depth_m = t->depth_m[row * t->geometry.pitch + column];
            corners[c].wet_depth_m = tsunami_wet_depth_m(&t->params.physics, &t->records);
            t->backend->get(t->solver, row, column, 1, &corners[c].eta_m, &corners[c].u_m_s,
                            &corners[c].v_m_s);
        }
        const struct tsunami_node node = tsunami_gauge_node(corners, place->weights, place->nearest);
        for (size_t f = 0; f < TSUNAMI_FIELDS; f++)
            tsunami_stream_store(record, t->params.output_element, f * n + k,
                                 tsunami_field_value((enum tsunami_field)f, node));
    }
}

// In the order in which plan_diagnostics declared the variables.
static enum status capture_diagnostics(struct tsunami_level *t, double *record)
{
    CHECK(tsunami_diagnose(t, &t->last));
    const double values[TSUNAMI_DIAGNOSTICS] = {t->last.volume_m3,          t->last.energy_kinetic_j,
                                                t->last.energy_potential_j, t->last.max_abs_eta_m,
                                                t->last.max_speed_m_s,      t->last.courant};
    memcpy(record, values, sizeof values);
    return STATUS_OK;
}

// Whether a node has records: it is not land and, where the shore moves, it was wet.
static bool has_record(const struct tsunami_level *t, size_t node)
{
    return t->depth_m[node] > t->params.physics.wall_depth_m &&
           !(tsunami_level_floods(t) && t->records.max_eta_m && t->records.max_eta_m[node] == -INFINITY);
}

// Row j of a running record without its padding, as variable number `variable`.
static void copy_record_row(const struct capture *c, size_t j, const float *from, size_t variable)
{
    const struct tsunami_level *t = c->tsunami;
    const size_t nx = t->geometry.nx, pitch = t->geometry.pitch;
    for (size_t i = 0; i < nx; i++)
        tsunami_stream_store(c->variables[variable], t->params.output_element, j * nx + i,
                             has_record(t, j * pitch + i) ? (double)from[j * pitch + i] : NAN);
}

// Without a wave there is no time of a maximum.
static void copy_time_of_max_row(const struct capture *c, size_t j, size_t variable)
{
    const struct tsunami_level *t = c->tsunami;
    const size_t nx = t->geometry.nx, first = j * t->geometry.pitch;
    for (size_t i = 0; i < nx; i++)
        if (!(has_record(t, first + i) && t->records.max_eta_m[first + i] > 0))
            tsunami_stream_store(c->variables[variable], t->params.output_element, j * nx + i, NAN);
}

// Ground that is sea has neither a hazard nor an inundation; what is under water at the end has been so until
// then.
static void finish_flood_row(const struct capture *c, size_t j, size_t variable, bool is_duration)
{
    const struct tsunami_level *t = c->tsunami;
    const size_t nx = t->geometry.nx, first = j * t->geometry.pitch;
    const float end_s = (float)tsunami_level_time_s(t, t->steps);
    for (size_t i = 0; i < nx; i++) {
        const float since_s = t->records.wet_since_s[first + i];
        if (!(t->depth_m[first + i] < 0))
            tsunami_stream_store(c->variables[variable], t->params.output_element, j * nx + i, NAN);
        else if (is_duration && has_record(t, first + i) && !isnan(since_s))
            tsunami_stream_store(c->variables[variable], t->params.output_element, j * nx + i,
                                 (double)(t->records.inundation_s[first + i] + (end_s - since_s)));
    }
}

static void capture_maxima_row(void *context, size_t item)
{
    const struct capture *c = context;
    const struct tsunami_level *t = c->tsunami;
    const bool *wanted = t->params.maxima;
    const size_t j = t->own.first + item;
    const struct tsunami_records *r = &t->records;
    const size_t nx = t->geometry.nx;
    size_t variable = 0;
    for (size_t i = 0; wanted[TSUNAMI_MAXIMA_DEPTH] && i < nx; i++) {
        const double depth = t->depth_m[j * t->geometry.pitch + i];
        tsunami_stream_store(c->variables[0], t->params.output_element, j * nx + i,
                             depth > t->params.physics.wall_depth_m ? depth : NAN);
    }
    variable += wanted[TSUNAMI_MAXIMA_DEPTH];
    const float *const arrays[TSUNAMI_ARRIVAL] = {
        [TSUNAMI_MAX_ETA] = r->max_eta_m,       [TSUNAMI_TIME_OF_MAX] = r->time_of_max_s,
        [TSUNAMI_MAX_SPEED] = r->max_speed_m_s, [TSUNAMI_MAX_FLUX] = r->max_flux_m2_s,
        [TSUNAMI_MAX_DEPTH] = r->max_depth_m,   [TSUNAMI_HAZARD_RATING] = r->hazard_m2_s,
        [TSUNAMI_INUNDATION] = r->inundation_s, [TSUNAMI_FIRST_DRAWDOWN] = r->first_drawdown_s,
    };
    for (int k = TSUNAMI_MAX_ETA; k < TSUNAMI_ARRIVAL; k++) {
        if (!arrays[k] || !wanted[k])
            continue;
        copy_record_row(c, j, arrays[k], variable);
        if (k == TSUNAMI_HAZARD_RATING || k == TSUNAMI_INUNDATION)
            finish_flood_row(c, j, variable, k == TSUNAMI_INUNDATION);
        if (k == TSUNAMI_TIME_OF_MAX)
            copy_time_of_max_row(c, j, variable);
        variable++;
    }
    for (int a = 0; wanted[TSUNAMI_ARRIVAL] && a < r->arrival_count; a++)
        copy_record_row(c, j, r->arrival_s[a], variable++);
}

// The largest value of a running record, of all ranks.
static enum status largest_in(const struct tsunami_level *t, const float *values, double *largest)
{
    const struct tsunami_geometry *g = &t->geometry;
    const struct relay_part part = {largest, sizeof *largest};
    *largest = NAN;
    CHECK(relay_take(t->ranks, &part, 1));
    for (size_t j = t->own.first; j < t->own.end; j++)
        for (size_t i = 0; i < g->nx; i++)
            if (has_record(t, j * g->pitch + i))
                *largest = fmax(*largest, (double)values[j * g->pitch + i]);
    return relay_pass(t->ranks, &part, 1);
}

static void capture_maxima(struct tsunami_level *t, const struct frame *frame)
{
    struct capture capture = {.tsunami = t};
    find_variables(&capture, STREAM_MAXIMA, frame);
    team_for(t->threads, t->own.end - t->own.first, capture_maxima_row, &capture);
}

static void capture_deformation(struct tsunami_level *t, const struct frame *frame)
{
    struct capture capture = {.tsunami = t};
    const size_t nx = t->geometry.nx;
    find_variables(&capture, STREAM_DEFORMATION, frame);
    for (size_t k = t->own.first * nx; k < t->own.end * nx; k++)
        tsunami_stream_store(capture.variables[0], t->params.output_element, k, t->deformation_m[k]);
}

// The grid and the kind of a frame's stream.
static struct tsunami_level *level_of(void *context, const struct frame *frame, enum tsunami_stream *kind)
{
    struct tsunami *run = context;
    *kind = run->streams[frame->stream].kind;
    return run->streams[frame->stream].level;
}

// Whether the back end computes frames of this kind itself, and as which of its results.
static bool is_made_there(const struct tsunami_level *t, enum tsunami_stream kind,
                          enum tsunami_result *result)
{
    static const enum tsunami_result results[STREAM_KINDS] = {[STREAM_FIELDS] = TSUNAMI_RESULT_FIELDS,
                                                              [STREAM_GAUGES] = TSUNAMI_RESULT_GAUGES,
                                                              [STREAM_DIAGNOSTICS] =
                                                                  TSUNAMI_RESULT_DIAGNOSTICS,
                                                              [STREAM_MAXIMA] = TSUNAMI_RESULTS,
                                                              [STREAM_DEFORMATION] = TSUNAMI_RESULTS,
                                                              [STREAM_POINTS] = TSUNAMI_RESULTS,
                                                              [STREAM_ZONES] = TSUNAMI_RESULTS,
                                                              [STREAM_TRAVEL_TIME] = TSUNAMI_RESULTS};
    *result = results[kind];
    return t->backend->capture && *result != TSUNAMI_RESULTS;
}

// Where the parts of a frame of diagnostics are, of a divided grid.
static void *parts_of(const struct tsunami_level *t, const struct frame *frame)
{
    return (char *)t->diagnostic_parts + (size_t)frame->slot * tsunami_diagnostics_bytes(t);
}

enum status tsunami_send(void *context, const struct frame *frame)
{
    enum tsunami_stream kind;
    enum tsunami_result result;
    const struct tsunami_level *t = level_of(context, frame, &kind);
    if (!is_made_there(t, kind, &result))
        return STATUS_OK;
    void *to = t->shares && result == TSUNAMI_RESULT_DIAGNOSTICS ? parts_of(t, frame) : frame->data;
    return t->backend->head.send(t->solver, result, frame->slot, frame->records, to);
}

enum status tsunami_await(void *context, const struct frame *frame)
{
    enum tsunami_stream kind;
    enum tsunami_result result;
    struct tsunami_level *t = level_of(context, frame, &kind);
    struct tsunami_invalid found = {.step = -1};
    if (!is_made_there(t, kind, &result))
        return STATUS_OK;
    CHECK(t->backend->await(t->solver, result, frame->slot, &found));
    CHECK(tsunami_check_found(t, &found));
    if (result != TSUNAMI_RESULT_DIAGNOSTICS || frame->records == 0)
        return STATUS_OK;
    double *const values = (double *)frame->data + (frame->records - 1) * TSUNAMI_DIAGNOSTICS;
    if (t->shares)
        CHECK(tsunami_diagnostics_join(t, parts_of(t, frame), values));
    // Read by the report only, after this thread's end.
    t->last = (struct tsunami_diagnostics){values[0], values[1], values[2], values[3], values[4], values[5]};
    return STATUS_OK;
}

// With the records of the grids around it on the host.
static enum status find_wave(struct tsunami_level *t)
{
    for (struct tsunami_level *level = t->parent; level; level = level->parent)
        CHECK(tsunami_fetch_records(level));
    return t->parent ? tsunami_nesting_find_wave(t) : STATUS_OK;
}

enum status tsunami_capture(void *context, int64_t step, const struct frame *frame)
{
    enum tsunami_stream kind;
    enum tsunami_result result;
    struct tsunami_level *t = level_of(context, frame, &kind);
    (void)step;
    if (is_made_there(t, kind, &result))
        return t->backend->capture(t->solver, result, frame->slot, frame->records);
    void *record = (char *)frame->data + frame->records * stream_held_bytes(&t->streams[kind]);
    if (kind >= STREAM_POINTS)
        return tsunami_products_capture(context, kind, record);
    CHECK(kind == STREAM_MAXIMA ? tsunami_fetch_records(t) : tsunami_fetch(t));
    switch (kind) {
    case STREAM_FIELDS:
        capture_fields(t, frame);
        break;
    case STREAM_GAUGES:
        capture_gauges(t, record);
        break;
    case STREAM_DIAGNOSTICS:
        return capture_diagnostics(t, record);
    case STREAM_MAXIMA:
        CHECK(tsunami_runup_find(t));
        CHECK(find_wave(t));
        CHECK(largest_in(t, t->records.max_eta_m, &t->highest_m));
        CHECK(largest_in(t, t->records.max_speed_m_s, &t->fastest_m_s));
        capture_maxima(t, frame);
        break;
    case STREAM_DEFORMATION:
        capture_deformation(t, frame);
        break;
    case STREAM_POINTS:
    case STREAM_ZONES:
    case STREAM_TRAVEL_TIME:
    case STREAM_KINDS:
        break;
    }
    return STATUS_OK;
}
