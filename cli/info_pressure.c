// What a field of acoustic pressure is: see info_pressure.h.
#include "cli/info_pressure.h"

#include "cli/info_job.h"
#include "cli/options.h"
#include "io/json_file.h"
#include "io/pressure_file.h"
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

// NaN: no value is finite.
static enum status find_largest(struct pressure_file *file, double *largest)
{
    const struct pressure_info *info = pressure_file_info(file);
    const size_t count = info->cells[VOLUME_Y] * info->cells[VOLUME_X];
    double *values = calloc(2 * count + 1, sizeof *values);
    enum status status =
        values ? STATUS_OK
               : FAIL(STATUS_SYSTEM, "%s: no memory for a plane of %zu values", info->path, count);
    *largest = NAN;
    for (size_t z = 0; z < info->cells[VOLUME_Z] && status == STATUS_OK; z++) {
        status = pressure_file_read(file, z, values, values + count);
        for (size_t i = 0; i < count && status == STATUS_OK; i++)
            if (isfinite(values[i]))
                *largest = fmax(*largest, values[i]);
    }
    free(values);
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

static enum status print_text(const struct pressure_info *info, const char *variable, double largest)
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
    if (isnan(largest))
        printf("values     none is finite\n");
    else
        printf("values     largest %.6g %s\n", largest, UTF8_SHOWN(info->units));
    return info_job_print(NULL, job_lines(info, variable));
}

static enum status print_json(const struct pressure_info *info, const char *variable, double largest)
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
    json_add_number(report, "largest", largest);
    cJSON_AddItemToObject(report, "job", job_lines(info, variable));
    return options_print_json(report);
}

enum status info_pressure(const char *path, const char *variable, bool as_json)
{
    struct pressure_file *file;
    double largest;
    CHECK(pressure_file_open(path, variable, &file));
    enum status status = find_largest(file, &largest);
    if (status == STATUS_OK)
        status = (as_json ? print_json : print_text)(pressure_file_info(file), variable, largest);
    pressure_file_close(file);
    return status;
}
