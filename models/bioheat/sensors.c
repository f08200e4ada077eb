// Temperature and dose at points: the sensors' stream, its records, and their part of run.json.
#include "core/log.h"
#include "models/bioheat/instance.h"
#include "models/bioheat/results.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SENSOR_CONSTANTS = BIOHEAT_AXES };
// What is taken of each cell: temperature and doses; or its role, and in the first one that of the nearest.
enum {
    PART_THETA,
    PART_DOSE,
    PART_SECOND,
    PARTS = BIOHEAT_CELL_NUMBERS,
    PART_ROLE = PART_THETA,
    PART_NEAREST = PART_DOSE
};
static const char TRILINEAR[] =
    "values are trilinear between the middles of the cells around x, y, z, without air";
// By the kind of the frame.
static const char *const sensor_texts[] = {"position of the sensor", "position of the sensor, scanner (RAS+)",
                                           "position of the sensor in the image, orientation unknown"};
static const char *const middle_texts[] = {"middle of the sensor's cell",
                                           "middle of the sensor's cell, scanner (RAS+)",
                                           "middle of the sensor's cell in the image, orientation unknown"};
static const char NEAREST[] = "values are those of the nearest cell, whose middle is at x, y, z";

static enum status make_arrays(struct bioheat *b)
{
    const size_t n = b->params.sensor_count;
    b->sensor_constants = malloc(SENSOR_CONSTANTS * n * sizeof *b->sensor_constants);
    b->sensor_texts = malloc(n * sizeof *b->sensor_texts);
    b->sensor_places = calloc(n, sizeof *b->sensor_places);
    if (!b->sensor_constants || !b->sensor_texts || !b->sensor_places)
        return FAIL(STATUS_SYSTEM, "no memory for %zu sensors", n);
    for (size_t k = 0; k < n; k++) {
        const struct bioheat_sensor *sensor = &b->params.sensors[k];
        b->sensor_texts[k] = sensor->name;
        for (size_t axis = 0; axis < BIOHEAT_AXES; axis++)
            b->sensor_constants[axis * n + k] = sensor->position_m[axis];
    }
    return STATUS_OK;
}

enum status bioheat_sensors_plan(struct bioheat *b)
{
    const size_t n = b->params.sensor_count;
    CHECK(make_arrays(b));
    struct stream *stream = &b->streams[BIOHEAT_STREAM_SENSORS];
    *stream = (struct stream){.name = "sensors",
                              .title = "time series at sensors",
                              .comment = b->params.sensors_interpolate ? TRILINEAR : NEAREST,
                              .has_records = true,
                              .is_time_series = true,
                              .element = b->params.output_element,
                              .records_per_frame = BIOHEAT_SENSOR_FRAME,
                              .axis_count = 1,
                              .axes = {{.name = "station", .length = n}}};
    stream->constants[stream->constant_count++] = (struct stream_constant){.name = "name",
                                                                           .long_name = "sensor name",
                                                                           .cf_role = "timeseries_id",
                                                                           .axis = 0,
                                                                           .texts = b->sensor_texts};
    for (size_t axis = BIOHEAT_AXES; axis-- > 0;) // x first
        stream->constants[stream->constant_count++] = (struct stream_constant){
            .name = bioheat_axis_names[axis],
            .long_name = b->params.sensors_interpolate ? sensor_texts[b->params.body.grid.frame.kind]
                                                       : middle_texts[b->params.body.grid.frame.kind],
            .units = "m",
            .axis = 0,
            .values = b->sensor_constants + axis * n};
    stream->variables[stream->variable_count++] = (struct stream_variable){
        .name = "temperature", .long_name = "temperature", .units = "degC", .rank = 1, .has_missing = true};
    if (b->params.physics.dose != BIOHEAT_DOSE_OFF)
        stream->variables[stream->variable_count++] =
            (struct stream_variable){.name = "dose",
                                     .long_name = "thermal dose, cumulative equivalent minutes at 43 degC",
                                     .units = "min",
                                     .rank = 1,
                                     .has_missing = true};
    if (b->params.physics.second_dose != BIOHEAT_DOSE_OFF)
        stream->variables[stream->variable_count++] =
            (struct stream_variable){.name = bioheat_second_dose_texts[b->params.physics.second_dose][0],
                                     .long_name = bioheat_second_dose_texts[b->params.physics.second_dose][1],
                                     .units = "min",
                                     .rank = 1,
                                     .has_missing = true};
    return STATUS_OK;
}

// ---- values of cells that several ranks have

// The cells around a sensor may lie on two ranks: each rank puts in what it has, and all get all.
enum status bioheat_sensors_plan_parts(struct bioheat *b, struct memory_plan *memory)
{
    const size_t n = b->params.sensor_count;
    return n == 0 ? STATUS_OK
                  : memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, n * BIOHEAT_CORNERS, PARTS,
                                    (void **)&b->sensor_parts, "cells around sensors");
}

static double *part_of(const struct bioheat *b, size_t sensor, int corner)
{
    return b->sensor_parts + (sensor * BIOHEAT_CORNERS + (size_t)corner) * PARTS;
}

static void clear_parts(struct bioheat *b)
{
    ranks_forget(b->sensor_parts, (int64_t)b->params.sensor_count * BIOHEAT_CORNERS * PARTS);
}

static enum status merge_parts(struct bioheat *b)
{
    return ranks_join(b->base.ranks, TRANSPORT_STEPS, b->sensor_parts,
                      (int64_t)b->params.sensor_count * BIOHEAT_CORNERS * PARTS);
}

// ---- places

// The cells on either side of a position along an axis, and the share of the upper one. A position within a
// millionth of the spacing of a cell's middle is there. Beyond the outermost cell (half a cell) that cell's
// value holds, or on a periodic axis the opposite one is its neighbour.
static double locate(const struct bioheat_grid *grid, int axis, double position_m, size_t cells[2])
{
    const ptrdiff_t n = (ptrdiff_t)grid->cells[axis];
    const bool is_periodic = grid->faces[axis][0].kind == BIOHEAT_PERIODIC;
    const double index = n > 1 ? (position_m - grid->origin_m[axis]) / grid->spacing_m[axis] : 0;
    double low = floor(index), share = index - low;
    if (fmin(share, 1 - share) < 1e-6) {
        low = nearbyint(index);
        share = 0;
    }
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t at = (ptrdiff_t)low + side;
        const ptrdiff_t beyond = is_periodic ? (at + n) % n : at < 0 ? 0 : n - 1;
        cells[side] = (size_t)(at < 0 || at >= n ? beyond : at);
    }
    return share;
}

// The cell nearest to the sensor alone.
static void take_nearest(const struct bioheat_sensor *sensor, struct bioheat_sensor_place *place)
{
    memset(place->weights, 0, sizeof place->weights);
    place->weights[0] = 1;
    memcpy(place->cells[0], sensor->cell, sizeof sensor->cell);
}

static void put_role(struct bioheat *b, const size_t cell[BIOHEAT_AXES], double *part)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    if (bioheat_has_plane(bioheat_own(grid), cell[BIOHEAT_Z]))
        *part = bioheat_role_at(b, bioheat_index(grid, cell[BIOHEAT_Z], cell[BIOHEAT_Y], cell[BIOHEAT_X]));
}

// The eight cells around a sensor, with their weights.
static void surround(struct bioheat *b, size_t k)
{
    const struct bioheat_grid *grid = &b->params.body.grid;
    const struct bioheat_sensor *sensor = &b->params.sensors[k];
    struct bioheat_sensor_place *place = &b->sensor_places[k];
    size_t sides[BIOHEAT_AXES][2];
    double shares[BIOHEAT_AXES];
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        shares[axis] = locate(grid, axis, sensor->along_m[axis], sides[axis]);
    for (int corner = 0; corner < BIOHEAT_CORNERS; corner++) {
        size_t *cell = place->cells[corner];
        double weight = 1;
        for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
            const int side = corner >> (BIOHEAT_AXES - 1 - axis) & 1; // x fastest
            cell[axis] = sides[axis][side];
            weight *= side == 1 ? shares[axis] : 1 - shares[axis];
        }
        place->weights[corner] = weight;
        put_role(b, cell, &part_of(b, k, corner)[PART_ROLE]);
    }
    put_role(b, sensor->cell, &part_of(b, k, 0)[PART_NEAREST]);
}

// Of the eight cells around the sensor those that are no air, with the sum 1, if the nearest is one of them.
static void settle(struct bioheat *b, size_t k)
{
    const struct bioheat_sensor *sensor = &b->params.sensors[k];
    struct bioheat_sensor_place *place = &b->sensor_places[k];
    double sum = 0;
    for (int corner = 0; corner < BIOHEAT_CORNERS; corner++) {
        double *weight = &place->weights[corner];
        *weight = *weight > 0 && part_of(b, k, corner)[PART_ROLE] == BIOHEAT_VOID ? 0 : *weight;
        sum += *weight;
    }
    if (!b->params.sensors_interpolate || part_of(b, k, 0)[PART_NEAREST] == BIOHEAT_VOID)
        take_nearest(sensor, place);
    else
        for (int corner = 0; corner < BIOHEAT_CORNERS; corner++)
            place->weights[corner] /= sum;
}

// Air keeps its initial temperature, which is no result.
static void leave_out(const struct bioheat *b, struct bioheat_sensor *sensor)
{
    char place[BIOHEAT_PLACE_BYTES];
    log_warning("output.sensors: sensor \"%s\" lies in air, at %s: it has no values", sensor->name,
                bioheat_place(&b->params.body.grid, sensor->cell, place));
    sensor->is_in_air = true;
}

enum status bioheat_sensors_settle(struct bioheat *b)
{
    clear_parts(b);
    for (size_t k = 0; k < b->params.sensor_count; k++)
        surround(b, k);
    CHECK(merge_parts(b));
    for (size_t k = 0; k < b->params.sensor_count; k++) {
        settle(b, k);
        if (part_of(b, k, 0)[PART_NEAREST] == BIOHEAT_VOID)
            leave_out(b, &b->params.sensors[k]);
    }
    return STATUS_OK;
}

void bioheat_sensors_leave_out(const struct bioheat *b, void *record)
{
    const size_t n = b->params.sensor_count;
    const int variables = b->streams[BIOHEAT_STREAM_SENSORS].variable_count;
    for (size_t k = 0; k < n; k++)
        for (int v = 0; v < variables && b->params.sensors[k].is_in_air; v++)
            element_set(b->params.output_element, record, (size_t)v * n + k, NAN);
}

// ---- records

static void put_cell(struct bioheat *b, int64_t step, const size_t cell[BIOHEAT_AXES], double *part)
{
    double theta = 0, dose = 0, second = 0;
    const size_t z = cell[BIOHEAT_Z], y = cell[BIOHEAT_Y], x = cell[BIOHEAT_X];
    if (!bioheat_has_plane(bioheat_own(&b->params.body.grid), z))
        return;
    b->backend->get(b->base.solver, z, y, x, 1, &theta);
    if (b->params.physics.dose != BIOHEAT_DOSE_OFF)
        b->backend->get_records(b->base.solver, step, z, y, x, 1, &dose, NULL, NULL);
    if (b->params.physics.second_dose != BIOHEAT_DOSE_OFF)
        b->backend->get_second_dose(b->base.solver, step, z, y, x, 1, &second);
    part[PART_THETA] = theta;
    part[PART_DOSE] = dose;
    part[PART_SECOND] = second;
}

// A record from the cells' values, [sensor][corner][PARTS].
static void weigh(const struct bioheat *b, const double *parts, void *record)
{
    const size_t n = b->params.sensor_count;
    const bool has_dose = b->params.physics.dose != BIOHEAT_DOSE_OFF,
               has_second = b->params.physics.second_dose != BIOHEAT_DOSE_OFF;
    for (size_t k = 0; k < n; k++) {
        double sums[PARTS] = {0};
        for (size_t corner = 0; corner < BIOHEAT_CORNERS; corner++) {
            const double weight = b->sensor_places[k].weights[corner];
            for (size_t p = 0; weight > 0 && p < PARTS; p++)
                sums[p] += weight * parts[(k * BIOHEAT_CORNERS + corner) * PARTS + p];
        }
        element_set(b->params.output_element, record, k,
                    bioheat_temperature_c(sums[PART_THETA], b->params.body.reference_c));
        if (has_dose)
            element_set(b->params.output_element, record, n + k, sums[PART_DOSE]);
        if (has_second)
            element_set(b->params.output_element, record, 2 * n + k, sums[PART_SECOND]);
    }
}

enum status bioheat_capture_sensors(struct bioheat *b, int64_t step, void *record)
{
    const size_t n = b->params.sensor_count;
    clear_parts(b);
    for (size_t k = 0; k < n; k++)
        for (int corner = 0; corner < BIOHEAT_CORNERS; corner++)
            if (b->sensor_places[k].weights[corner] > 0)
                put_cell(b, step, b->sensor_places[k].cells[corner], part_of(b, k, corner));
    CHECK(merge_parts(b));
    weigh(b, b->sensor_parts, record);
    bioheat_sensors_leave_out(b, record);
    return STATUS_OK;
}

size_t bioheat_sensors_part_bytes(const struct bioheat *b)
{
    return b->params.sensor_count * BIOHEAT_CORNERS * PARTS * sizeof(double);
}

enum status bioheat_sensors_join(struct bioheat *b, double *parts, const struct frame *frame)
{
    const size_t length = bioheat_sensors_part_bytes(b) / sizeof *parts,
                 bytes = stream_record_bytes(&b->streams[BIOHEAT_STREAM_SENSORS]);
    CHECK(ranks_join(b->base.ranks, TRANSPORT_FILES, parts, (int64_t)(frame->records * length)));
    for (size_t r = 0; r < frame->records; r++)
        weigh(b, parts + r * length, (char *)frame->data + r * bytes);
    return STATUS_OK;
}

void bioheat_sensors_describe(const struct bioheat *b, cJSON *report)
{
    cJSON *list = cJSON_AddArrayToObject(report, "sensors");
    for (size_t k = 0; k < b->params.sensor_count; k++) {
        const struct bioheat_sensor *sensor = &b->params.sensors[k];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", sensor->name);
        cJSON_AddNumberToObject(item, "x_m", sensor->position_m[BIOHEAT_X]);
        cJSON_AddNumberToObject(item, "y_m", sensor->position_m[BIOHEAT_Y]);
        cJSON_AddNumberToObject(item, "z_m", sensor->position_m[BIOHEAT_Z]);
        double largest = 0; // of its weights
        for (int corner = 0; corner < BIOHEAT_CORNERS; corner++)
            largest = fmax(largest, b->sensor_places[k].weights[corner]);
        cJSON_AddBoolToObject(item, "is_interpolated", largest < 1);
        if (sensor->is_in_air)
            cJSON_AddBoolToObject(item, "is_in_air", true);
        cJSON_AddItemToArray(list, item);
    }
}
