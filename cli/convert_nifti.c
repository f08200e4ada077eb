// A volume from NIfTI-1 to CF netCDF-4: see convert_nifti.h.
#include "cli/convert_nifti.h"

#include "cli/options.h"
#include "io/formats/volume_write.h"
#include "io/nifti.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const axis_names[3] = {"x", "y", "z"};

static enum status next_plane(void *context, size_t k, double *values)
{
    (void)k; // planes are read in the order of the file
    return nifti_read_plane(context, values);
}

// Names each of the file's dimensions, slowest first, by the axis that is nearest to its direction.
static void take_axes(const struct nifti_info *info, struct volume_write *write)
{
    for (int n = 0; n < 3; n++) {
        const int dimension = NIFTI_K - n, axis = info->axis[dimension];
        write->names[n] = axis_names[axis];
        write->cells[n] = info->cells[dimension];
        write->first_mm[n] = info->origin_mm[axis];
        write->step_mm[n] = info->spacing_mm[dimension];
    }
}

static void describe_place(const struct nifti_info *info, char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(text, bytes,
                                   "Read from %s (%s). Cell (0, 0, 0) of i, j, k lies at (%.6g, %.6g, %.6g) "
                                   "mm of x (right), y (front), z (up), by its %s; the steps are",
                                   info->path, info->type, info->origin_mm[0], info->origin_mm[1],
                                   info->origin_mm[2], info->placed_by);
    for (int i = 0; i < NIFTI_AXES && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s (%.6g, %.6g, %.6g)", i ? "," : "",
                                 info->step_mm[i][0], info->step_mm[i][1], info->step_mm[i][2]);
    if (used < bytes)
        snprintf(text + used, bytes - used, " mm.");
}

// The first coordinate of an axis in OUT.nc, in which all axes ascend.
static double lowest_mm(const struct volume_write *write, int n)
{
    return write->first_mm[n] + fmin(0, (double)(write->cells[n] - 1) * write->step_mm[n]);
}

static enum status print_json(const struct convert_nifti *request, const struct nifti_info *info,
                              const struct volume_write *write, const double range[2])
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "input", request->path);
    cJSON_AddStringToObject(report, "output", request->output);
    cJSON_AddStringToObject(report, "variable", write->variable);
    cJSON_AddStringToObject(report, "type", info->type);
    cJSON_AddStringToObject(report, "placed_by", info->placed_by);
    for (int n = 0; n < 3; n++) {
        cJSON *axis = cJSON_AddObjectToObject(report, write->names[n]);
        cJSON_AddNumberToObject(axis, "cells", (double)write->cells[n]);
        cJSON_AddNumberToObject(axis, "first_mm", lowest_mm(write, n));
        cJSON_AddNumberToObject(axis, "step_mm", fabs(write->step_mm[n]));
    }
    cJSON_AddItemToObject(report, "range", cJSON_CreateDoubleArray(range, 2));
    return options_print_json(report);
}

static enum status print_result(const struct convert_nifti *request, const struct nifti_info *info,
                                const struct volume_write *write, const double range[2])
{
    if (request->as_json)
        return print_json(request, info, write, range);
    printf("%s: %s, %zu × %zu × %zu cells (%s, %s, %s) of %.6g × %.6g × %.6g mm, %.9g … %.9g\n",
           request->output, write->variable, write->cells[0], write->cells[1], write->cells[2],
           write->names[0], write->names[1], write->names[2], fabs(write->step_mm[0]),
           fabs(write->step_mm[1]), fabs(write->step_mm[2]), range[0], range[1]);
    return STATUS_OK;
}

static enum status write_volume(const struct convert_nifti *request, struct nifti *file)
{
    const struct nifti_info *info = nifti_info(file);
    char comment[1024];
    double range[2];
    if (request->record < 0 && info->records > 1)
        return FAIL(STATUS_USAGE, "%s: has %zu records; choose one by --record (counted from 0)",
                    request->path, info->records);
    if (request->record >= 0)
        CHECK(nifti_select(file, (size_t)request->record));
    describe_place(info, comment, sizeof comment);
    struct volume_write write = {.path = request->output,
                                 .variable = request->variable   ? request->variable
                                             : request->is_label ? "label"
                                                                 : "value",
                                 .long_name = request->is_label ? "label" : NULL,
                                 .units = request->units,
                                 .history = request->history,
                                 .source = "Fathom " FATHOM_VERSION,
                                 .comment = comment,
                                 .type = request->is_label    ? VOLUME_U8
                                         : request->is_double ? VOLUME_F64
                                                              : VOLUME_F32,
                                 .compress = request->compress,
                                 .context = file,
                                 .plane = next_plane};
    struct nifti_place place;
    nifti_place_of(info, &place);
    write.place = &place;
    take_axes(info, &write);
    CHECK(volume_write_netcdf(&write, range));
    nifti_place_warn(&place, request->path);
    return print_result(request, info, &write, range);
}

enum status convert_nifti(const struct convert_nifti *request)
{
    struct nifti *file;
    CHECK(nifti_open(request->path, &file));
    const enum status status = write_volume(request, file);
    nifti_close(file);
    return status;
}
