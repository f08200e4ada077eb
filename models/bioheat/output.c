// Copies the present state into records of the run's streams, which output_streams.c describes. Independent
// of file formats.
#include "models/bioheat/instance.h"
#include "models/bioheat/results.h"
#include "models/bioheat/rounding.h"
#include "models/team.h"

#include <stdio.h>
#include <string.h>

// ---- fields

// first_row: of this rank's planes. variables: where those of the record are, each from its cell 0 on.
struct capture {
    struct bioheat *b;
    int64_t step;
    size_t first_row;
    void *variables[STREAM_VARIABLES_MAX];
};

// Row number `row` of the crop, of all planes.
static void capture_fields_row(void *context, size_t item)
{
    const struct capture *c = context;
    const size_t row = c->first_row + item;
    struct bioheat *b = c->b;
    const struct bioheat_params *p = &b->params;
    const struct bioheat_crop *crop = &p->crop;
    const size_t columns = crop->count[BIOHEAT_X], stride = crop->stride[BIOHEAT_X],
                 rows = crop->count[BIOHEAT_Y], first = crop->first[BIOHEAT_X],
                 span = (columns - 1) * stride + 1;
    const size_t z = crop->first[BIOHEAT_Z] + row / rows * crop->stride[BIOHEAT_Z],
                 y = crop->first[BIOHEAT_Y] + row % rows * crop->stride[BIOHEAT_Y];
    double *theta = bioheat_row_buffer(b, 0), *dose = bioheat_row_buffer(b, 1),
           *largest = bioheat_row_buffer(b, 2);
    b->backend->get(b->base.solver, z, y, first, span, theta);
    if (p->fields[BIOHEAT_DOSE_FIELD] || p->fields[BIOHEAT_MAXIMUM_FIELD])
        b->backend->get_records(b->base.solver, c->step, z, y, first, span, dose, largest, NULL);
    for (int f = 0, v = 0; f < BIOHEAT_FIELD_COUNT; f++) {
        if (!p->fields[f])
            continue;
        for (size_t i = 0; i < columns; i++) {
            const size_t k = i * stride;
            element_set(p->output_element, c->variables[v], row * columns + i,
                        bioheat_field_value((enum bioheat_field)f, theta[k], dose[k], largest[k],
                                            p->body.reference_c));
        }
        v++;
    }
}

// ---- results at the end

// In the order in which plan_maxima declared the variables; nothing of air.
static void capture_maxima_row(void *context, size_t item)
{
    const struct capture *c = context;
    struct bioheat *b = c->b;
    const size_t row = c->first_row + item;
    const struct bioheat_params *p = &b->params;
    const size_t nx = p->body.grid.cells[BIOHEAT_X], ny = p->body.grid.cells[BIOHEAT_Y], z = row / ny,
                 y = row % ny;
    const bool has_dose = p->physics.dose != BIOHEAT_DOSE_OFF,
               has_second = p->physics.second_dose != BIOHEAT_DOSE_OFF;
    double *dose = bioheat_row_buffer(b, 1), *largest = bioheat_row_buffer(b, 2),
           *at_s = bioheat_row_buffer(b, 3), *second = bioheat_row_buffer(b, 4);
    if (has_second)
        b->backend->get_second_dose(b->base.solver, c->step, z, y, 0, nx, second);
    b->backend->get_records(b->base.solver, c->step, z, y, 0, nx, dose, largest, at_s);
    for (size_t x = 0; x < nx; x++) {
        const size_t index = row * nx + x;
        const bool is_void = bioheat_role_at(b, index) == BIOHEAT_VOID;
        double values[5] = {bioheat_temperature_c(largest[x], p->body.reference_c), b->start_s + at_s[x]};
        size_t count = 2;
        if (has_dose)
            values[count++] = dose[x];
        if (has_second)
            values[count++] = second[x];
        if (has_dose)
            values[count++] = dose[x] >= p->lesion_dose_min;
        for (size_t k = 0; k < count; k++)
            element_set(p->output_element, c->variables[k], index, is_void ? NAN : values[k]);
        if (b->media->has_labels)
            element_set(p->output_element, c->variables[count], index, (*b->media->labels)[index]);
    }
}

// θ, dose, largest rise and its time in double; then the time and the reference temperature.
static void capture_state_row(void *context, size_t item)
{
    const struct capture *c = context;
    struct bioheat *b = c->b;
    const struct bioheat_grid *grid = &b->params.body.grid;
    const size_t row = c->first_row + item, nx = grid->cells[BIOHEAT_X], ny = grid->cells[BIOHEAT_Y],
                 z = row / ny, y = row % ny;
    double *at_s = bioheat_row_buffer(b, 3), *values[5];
    const bool has_second = b->params.physics.second_dose != BIOHEAT_DOSE_OFF;
    for (int v = 0; v < (has_second ? 5 : 4); v++)
        values[v] = (double *)((uintptr_t)c->variables[v] + row * nx * sizeof(double));
    b->backend->get(b->base.solver, z, y, 0, nx, values[0]);
    b->backend->get_records(b->base.solver, c->step, z, y, 0, nx, values[1], values[2], at_s);
    if (has_second)
        b->backend->get_second_dose(b->base.solver, c->step, z, y, 0, nx, values[4]);
    const bool is_known = !b->chain || bioheat_chain_has_largest(b->chain);
    for (size_t x = 0; x < nx; x++) {
        values[3][x] = is_known ? b->start_s + at_s[x] : NAN;
        if (!is_known) // it would lack the earlier exposures
            values[2][x] = NAN;
    }
}

// Rows of this rank; of the fields' crop those in its planes.
static void capture_rows(struct bioheat *b, int64_t step, enum bioheat_stream kind, const struct frame *frame,
                         void (*capture_row)(void *context, size_t item))
{
    const struct stream *stream = &b->streams[kind];
    struct capture capture = {.b = b, .step = step};
    const size_t ny = stream->axes[BIOHEAT_Y].length;
    struct bioheat_planes planes = {0, stream->axes[BIOHEAT_Z].length};
    if (stream->division.dividing == STREAM_ROWS)
        planes = (struct bioheat_planes){stream->division.first, stream->division.end};
    for (int v = 0; v < stream->variable_count; v++)
        capture.variables[v] = stream_at(stream, frame, frame->records, v);
    capture.first_row = planes.first * ny;
    team_for(b->threads, (planes.end - planes.first) * ny, capture_row, &capture);
}

// Of the state: a sum, and the same in words.
static int find_lacks(struct bioheat *b)
{
    const int lacks = b->lacks | (b->warnings.is_hot || b->warnings.is_cold ? BIOHEAT_LACKS_MODEL : 0) |
                      (bioheat_exposure_exceeds(b) ? BIOHEAT_LACKS_PASS : 0);
    bioheat_list_lacks(lacks, b->reasons, sizeof b->reasons);
    const size_t used = strlen(b->reasons);
    if (lacks & BIOHEAT_LACKS_EARLIER)
        snprintf(b->reasons + used, sizeof b->reasons - used, "%sa run before it (%s)", used > 0 ? ", " : "",
                 bioheat_earlier_name);
    else if (lacks == 0)
        snprintf(b->reasons, sizeof b->reasons, "none");
    return lacks;
}

static void capture_state(struct bioheat *b, int64_t step, const struct frame *frame)
{
    const struct stream *stream = &b->streams[BIOHEAT_STREAM_STATE];
    const int fields = b->params.physics.second_dose != BIOHEAT_DOSE_OFF ? 5 : 4;
    capture_rows(b, step, BIOHEAT_STREAM_STATE, frame, capture_state_row);
    double *numbers = stream_at(stream, frame, frame->records, fields); // one after the other
    numbers[0] = b->start_s + (double)step * b->step_s;
    numbers[1] = b->params.body.reference_c;
    numbers[2] = find_lacks(b);
    numbers[3] = bioheat_mechanical_index(b);
    bioheat_carried_write(&b->carried, numbers + 4);
    numbers[4 + BIOHEAT_CARRIED_NUMBERS] = bioheat_rounding_k(b);
}

// ---- frames

// Where the back end's records of a frame go: of a divided run this rank's parts of them, if only all parts
// together are the records.
static void *destination(const struct bioheat *b, int result, const struct frame *frame)
{
    const size_t bytes =
        result == BIOHEAT_RESULT_SENSORS ? bioheat_sensors_part_bytes(b) : bioheat_diagnostics_bytes(b);
    if (!b->result_parts[result])
        return frame->data;
    const size_t records = b->base.pipeline->streams[frame->stream]->records_per_frame;
    return (char *)b->result_parts[result] + (size_t)frame->slot * records * bytes;
}

enum status bioheat_send(void *context, const struct frame *frame)
{
    const struct bioheat *b = context;
    const int result = instance_result(&b->base, frame);
    return result < 0 ? STATUS_OK
                      : b->base.backend->send(b->base.solver, result, frame->slot, frame->records,
                                              destination(b, result, frame));
}

enum status bioheat_await(void *context, const struct frame *frame)
{
    struct bioheat *b = context;
    const int result = instance_result(&b->base, frame);
    struct bioheat_nonfinite found = {.step = -1};
    if (result < 0)
        return STATUS_OK;
    CHECK(b->backend->await(b->base.solver, (enum bioheat_result)result, frame->slot, &found));
    CHECK(bioheat_judge(b, &found));
    if (b->shares && result == BIOHEAT_RESULT_SENSORS)
        CHECK(bioheat_sensors_join(b, destination(b, result, frame), frame));
    for (size_t r = 0; r < frame->records && result == BIOHEAT_RESULT_SENSORS; r++)
        bioheat_sensors_leave_out(b, (char *)frame->data +
                                         r * stream_record_bytes(&b->streams[BIOHEAT_STREAM_SENSORS]));
    if (result != BIOHEAT_RESULT_DIAGNOSTICS || frame->records == 0)
        return STATUS_OK;
    double *values = frame->data;
    if (b->shares)
        CHECK(bioheat_diagnostics_join(b, destination(b, result, frame), values));
    values[BIOHEAT_SOURCE_W] = b->power_w[frame->slot];
    CHECK(bioheat_diagnostics_complete(b, values, frame->times_s[0]));
    // Only the report reads it, after this thread's end.
    memcpy(b->last, values, sizeof b->last);
    return STATUS_OK;
}

static enum status capture_diagnostics(struct bioheat *b, int64_t step, double *record)
{
    CHECK(bioheat_diagnose(b, step, b->last));
    CHECK(bioheat_diagnostics_complete(b, b->last, b->start_s + (double)step * b->step_s));
    memcpy(record, b->last, sizeof b->last);
    return STATUS_OK;
}

enum status bioheat_capture(void *context, int64_t step, const struct frame *frame)
{
    struct bioheat *b = context;
    const int result = instance_result(&b->base, frame);
    const enum bioheat_stream kind = (enum bioheat_stream)instance_kind(&b->base, frame);
    if (step == b->steps && !b->exposures.is_known) {
        int64_t next;
        CHECK(instance_fetch(&b->base));
        CHECK(bioheat_marks_take(b, step, &next));
        CHECK(bioheat_exposure_find(b, step));
    }
    if (result >= 0) {
        if (result == BIOHEAT_RESULT_DIAGNOSTICS)
            CHECK(bioheat_power_find(b, step - 1, &b->power_w[frame->slot]));
        return b->backend->capture(b->base.solver, (enum bioheat_result)result, frame->slot, frame->records,
                                   step, b->last_amplitudes);
    }
    void *record = (char *)frame->data + frame->records * stream_held_bytes(&b->streams[kind]);
    CHECK(instance_fetch(&b->base));
    switch (kind) {
    case BIOHEAT_STREAM_FIELDS:
        capture_rows(b, step, kind, frame, capture_fields_row);
        break;
    case BIOHEAT_STREAM_SENSORS:
        return bioheat_capture_sensors(b, step, record);
    case BIOHEAT_STREAM_DIAGNOSTICS:
        return capture_diagnostics(b, step, record);
    case BIOHEAT_STREAM_MAXIMA:
        capture_rows(b, step, kind, frame, capture_maxima_row);
        break;
    case BIOHEAT_STREAM_STATE:
        capture_state(b, step, frame);
        break;
    case BIOHEAT_STREAM_HISTOGRAMS:
        bioheat_histogram_capture(b, record);
        break;
    case BIOHEAT_STREAM_KINDS:
        break;
    }
    return STATUS_OK;
}
