// A volume from netCDF to NIfTI-1: see convert_image.h.
#include "cli/convert_image.h"

#include "cli/options.h"
#include "io/formats/nifti_export.h"
#include "io/units.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

static const char *const type_names[] = {
    [NIFTI_WRITE_U8] = "uint8", [NIFTI_WRITE_F32] = "float32", [NIFTI_WRITE_I16] = "int16"};

static enum status print_json(const struct convert_image *request, const struct nifti_export_result *result)
{
    cJSON *report = cJSON_CreateObject(), *affine = cJSON_CreateArray();
    cJSON_AddStringToObject(report, "input", request->path);
    cJSON_AddStringToObject(report, "output", request->output);
    cJSON_AddStringToObject(report, "variable", result->variable);
    cJSON_AddStringToObject(report, "units", result->units);
    cJSON_AddStringToObject(report, "type", type_names[result->type]);
    cJSON_AddStringToObject(report, "placed_by", result->has_image ? "image" : "coordinates");
    cJSON *cells = cJSON_AddArrayToObject(report, "cells");
    for (int a = 0; a < 3; a++)
        cJSON_AddItemToArray(cells, cJSON_CreateNumber((double)result->cells[a]));
    cJSON_AddNumberToObject(report, "records", (double)result->records);
    for (int row = 0; row < 3; row++)
        cJSON_AddItemToArray(affine, cJSON_CreateDoubleArray(result->affine[row], 4));
    cJSON_AddItemToObject(report, "affine", affine);
    if (result->low <= result->high)
        cJSON_AddItemToObject(report, "range",
                              cJSON_CreateDoubleArray((const double[]){result->low, result->high}, 2));
    return options_print_json(report);
}

static enum status print_result(const struct convert_image *request, const struct nifti_export_result *result)
{
    if (request->as_json)
        return print_json(request, result);
    char records[48] = "", range[96] = "no values", units[UNITS_AFTER_BYTES];
    if (result->records > 1)
        snprintf(records, sizeof records, ", %zu records", result->records);
    if (result->low <= result->high)
        snprintf(range, sizeof range, "%.9g … %.9g%s", result->low, result->high,
                 units_after(result->units, units));
    printf("%s: %s, %zu × %zu × %zu cells (i, j, k)%s, %s, placed by %s, %s\n", request->output,
           result->variable, result->cells[0], result->cells[1], result->cells[2], records,
           type_names[result->type], result->has_image ? "the image it was made of" : "its coordinates",
           range);
    return STATUS_OK;
}

enum status convert_image(const struct convert_image *request)
{
    struct nifti_export export = {.path = request->path,
                                  .output = request->output,
                                  .variable = request->variable,
                                  .description = "Fathom " FATHOM_VERSION,
                                  .record = request->record,
                                  .time_s = NAN,
                                  .type = request->is_int16   ? NIFTI_WRITE_I16
                                          : request->is_label ? NIFTI_WRITE_U8
                                                              : NIFTI_WRITE_F32,
                                  .chooses_type =
                                      !request->is_int16 && !request->is_label && !request->is_value};
    struct nifti_export_result result;
    if (request->is_int16 && request->is_label)
        return FAIL(STATUS_USAGE, "--int16: labels are whole numbers from 0 to 255 already");
    if (request->time && request->record >= 0)
        return FAIL(STATUS_USAGE, "--time and --record: give one of them");
    if (request->time)
        CHECK_ABOUT(units_parse_quantity(request->time, "s", &export.time_s), "--time");
    CHECK(nifti_export_file(&export, &result));
    return print_result(request, &result);
}
