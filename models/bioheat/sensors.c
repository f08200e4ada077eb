// Temperature and dose at points: the sensors' stream, its records, and their part of run.json.
#include "models/bioheat/instance.h"
#include "models/bioheat/results.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { SENSOR_CONSTANTS = BIOHEAT_AXES };

static enum status make_arrays(struct bioheat *b)
{
    const size_t n = b->params.sensor_count;
    b->sensor_constants = malloc(SENSOR_CONSTANTS * n * sizeof *b->sensor_constants);
    b->sensor_texts = malloc(n * sizeof *b->sensor_texts);
    b->sensor_cells = malloc(n * sizeof *b->sensor_cells);
    if (!b->sensor_constants || !b->sensor_texts || !b->sensor_cells)
        return FAIL(STATUS_SYSTEM, "no memory for %zu sensors", n);
    for (size_t k = 0; k < n; k++) {
        const struct bioheat_sensor *sensor = &b->params.sensors[k];
        b->sensor_texts[k] = sensor->name;
        memcpy(b->sensor_cells[k], sensor->cell, sizeof sensor->cell);
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
                              .comment = "values are those of the nearest cell, whose middle is at x, y, z",
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
        stream->constants[stream->constant_count++] =
            (struct stream_constant){.name = bioheat_axis_names[axis],
                                     .long_name = "middle of the sensor's cell",
                                     .units = "m",
                                     .axis = 0,
                                     .values = b->sensor_constants + axis * n};
    stream->variables[stream->variable_count++] = (struct stream_variable){
        .name = "temperature", .long_name = "temperature", .units = "degC", .rank = 1};
    if (b->params.physics.dose != BIOHEAT_DOSE_OFF)
        stream->variables[stream->variable_count++] =
            (struct stream_variable){.name = "dose",
                                     .long_name = "thermal dose, cumulative equivalent minutes at 43 degC",
                                     .units = "min",
                                     .rank = 1};
    return STATUS_OK;
}

void bioheat_capture_sensors(struct bioheat *b, int64_t step, void *record)
{
    const size_t n = b->params.sensor_count;
    const bool has_dose = b->params.physics.dose != BIOHEAT_DOSE_OFF;
    for (size_t k = 0; k < n; k++) {
        const size_t *cell = b->sensor_cells[k];
        double theta_k, dose_min;
        b->backend->get(b->base.solver, cell[BIOHEAT_Z], cell[BIOHEAT_Y], cell[BIOHEAT_X], 1, &theta_k);
        element_set(b->params.output_element, record, k,
                    bioheat_temperature_c(theta_k, b->params.reference_c));
        if (!has_dose)
            continue;
        b->backend->get_records(b->base.solver, step, cell[BIOHEAT_Z], cell[BIOHEAT_Y], cell[BIOHEAT_X], 1,
                                &dose_min, NULL, NULL);
        element_set(b->params.output_element, record, n + k, dose_min);
    }
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
        cJSON_AddItemToArray(list, item);
    }
}
