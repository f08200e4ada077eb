// What a field of acoustic pressure is: see info_pressure.h.
#include "cli/info_pressure.h"

#include "cli/info_job.h"
#include "cli/options.h"
#include "io/formats/pressure_file.h"
#include "io/json_file.h"
#include "io/units.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {
    [PRESSURE_UNKNOWN] = "unknown", [PRESSURE_AMPLITUDE] = "amplitude", [PRESSURE_RMS] = "rms"};

bool info_pressure_is_for(const char *path)
{
    enum pressure_form form;
    if (pressure_file_form(path, &form) == STATUS_OK)
        return form == PRESSURE_KWAVE || form == PRESSURE_BABELBRAIN;
    status_clear(); // then info says what is wrong with it
    return false;
}

// Of the values: those of which a run refuses any (source.pressure), and where the first of them is.
struct values {
    double largest; // of the finite ones; NaN: none is finite
    double most;    // in the file's units
    size_t not_finite, negative, too_large;
    size_t first[VOLUME_AXES];
    double first_value;
};

static size_t impossible(const struct values *values)
{
    return values->not_finite + values->negative + values->too_large;
}

static void look_at(struct values *values, const size_t cell[VOLUME_AXES], double value)
{
    if (isfinite(value))
        values->largest = fmax(values->largest, value);
    if (value >= 0 && value <= values->most)
        return;
    if (impossible(values) == 0) {
        memcpy(values->first, cell, sizeof values->first);
        values->first_value = value;
    }
    if (!isfinite(value))
        values->not_finite++;
    else if (value < 0)
        values->negative++;
    else
        values->too_large++;
}

static enum status read_values(struct pressure_file *file, struct values *values)
{
    const struct pressure_info *info = pressure_file_info(file);
    const size_t nx = info->cells[VOLUME_X], count = info->cells[VOLUME_Y] * nx;
    double to_pa, offset;
    *values = (struct values){.largest = NAN, .most = PRESSURE_MOST_PA};
    if (units_conversion(info->units, "Pa", &to_pa, &offset) == STATUS_OK)
        values->most = PRESSURE_MOST_PA / to_pa;
    else
        status_clear(); // the run says what is wrong with them
    double *plane = calloc(2 * count + 1, sizeof *plane);
    enum status status =
        plane ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: no memory for a plane of %zu values", info->path, count);
    for (size_t z = 0; z < info->cells[VOLUME_Z] && status == STATUS_OK; z++) {
        status = pressure_file_read(file, z, plane, plane + count);
        for (size_t i = 0; i < count && status == STATUS_OK; i++)
            look_at(values, (const size_t[]){z, i / nx, i % nx}, plane[i]);
    }
    free(plane);
    return status;
}

static cJSON *job_lines(const struct pressure_info *info, const char *variable)
{
    cJSON *job = cJSON_CreateObject();
    cJSON *pressure = cJSON_AddObjectToObject(cJSON_AddObjectToObject(job, "source"), "pressure");
    cJSON_AddStringToObject(pressure, "file", info->path);
    if (variable)
        cJSON_AddStringToObject(pressure, "variable", variable);
    cJSON_AddStringToObject(pressure, "frequency", "?");
    if (info->kind == PRESSURE_UNKNOWN)
        cJSON_AddStringToObject(pressure, "kind", "?");
    return job;
}

static enum status print_text(const struct pressure_info *info, const char *variable,
                              const struct values *values)
{
    printf("file       %s\nformat     %s, HDF5: a field of acoustic pressure\n", UTF8_SHOWN(info->path),
           pressure_form_name(info->form));
    printf("variable   %s (%s, %s)\n", UTF8_SHOWN(info->variable), kinds[info->kind],
           UTF8_SHOWN(info->units));
    for (int axis = VOLUME_X; axis >= VOLUME_Z; axis--) {
        printf("%c          %zu cells", "zyx"[axis], info -> cells[axis]);
        if (info->has_spacing[axis])
            printf(" of %.6g mm", 1e3 * info->spacing_m[axis]);
        if (info->has_origin[axis])
            printf(", the first at %.6g mm\n", 1e3 * info->origin_m[axis]);
        else
            printf(", no position\n");
    }
    if (isnan(values->largest))
        printf("values     none is finite\n");
    else
        printf("values     largest %.6g %s\n", values->largest, UTF8_SHOWN(info->units));
    if (impossible(values) > 0)
        printf("refused    by a run: %zu not finite, %zu negative, %zu above 1 GPa; the first, cell (%zu, "
               "%zu, %zu) of z, y, x, is %g\n",
               values->not_finite, values->negative, values->too_large, values->first[VOLUME_Z],
               values->first[VOLUME_Y], values->first[VOLUME_X], values->first_value);
    return impossible(values) > 0 ? STATUS_OK : info_job_print(NULL, job_lines(info, variable));
}

static void add_refused(cJSON *report, const struct values *values)
{
    cJSON *refused = cJSON_AddObjectToObject(report, "refused");
    cJSON_AddNumberToObject(refused, "not_finite", (double)values->not_finite);
    cJSON_AddNumberToObject(refused, "negative", (double)values->negative);
    cJSON_AddNumberToObject(refused, "too_large", (double)values->too_large);
    cJSON *cell = cJSON_AddArrayToObject(refused, "first_zyx");
    for (int axis = 0; axis < VOLUME_AXES; axis++)
        cJSON_AddItemToArray(cell, cJSON_CreateNumber((double)values->first[axis]));
    json_add_number(refused, "first_value", values->first_value);
}

static enum status print_json(const struct pressure_info *info, const char *variable,
                              const struct values *values)
{
    static const char *const sizes[] = {"cells_z", "cells_y", "cells_x"}, *const spacings[] = {"spacing_z_m",
                                                                                               "spacing_y_m",
                                                                                               "spacing_x_m"};
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "file", info->path);
    cJSON_AddStringToObject(report, "format", pressure_form_name(info->form));
    cJSON_AddStringToObject(report, "variable", info->variable);
    cJSON_AddStringToObject(report, "kind", kinds[info->kind]);
    cJSON_AddStringToObject(report, "units", info->units);
    for (int axis = VOLUME_X; axis >= VOLUME_Z; axis--) {
        cJSON_AddNumberToObject(report, sizes[axis], (double)info->cells[axis]);
        if (info->has_spacing[axis])
            cJSON_AddNumberToObject(report, spacings[axis], info->spacing_m[axis]);
    }
    json_add_number(report, "largest", values->largest);
    if (impossible(values) > 0)
        add_refused(report, values);
    else
        cJSON_AddItemToObject(report, "job", job_lines(info, variable));
    return options_print_json(report);
}

enum status info_pressure(const char *path, const char *variable, bool as_json)
{
    struct pressure_file *file;
    struct values values;
    CHECK(pressure_file_open(path, variable, &file));
    enum status status = read_values(file, &values);
    if (status == STATUS_OK)
        status = (as_json ? print_json : print_text)(pressure_file_info(file), variable, &values);
    pressure_file_close(file);
    return status;
}
