// Products of results: see convert_product.h.
#include "cli/convert_product.h"

#include "cli/options.h"
#include "io/geo/crs.h"
#include "io/json_file.h"
#include "io/output/finished.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool convert_product_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// The results of a run's folder of which a product can be made; the first that exist. KML takes them all.
static enum status find_inputs(const struct convert_product *request, enum tsunami_format format,
                               char paths[TSUNAMI_EXPORT_INPUTS_MAX][PATH_BYTES],
                               struct tsunami_export *product)
{
    static const char *const names[TSUNAMI_FORMATS][TSUNAMI_EXPORT_INPUTS_MAX] = {
        [TSUNAMI_CSV] = {"points.nc", "zones.nc", "gauges.nc", "ensemble.nc"},
        [TSUNAMI_GEOJSON] = {"points.nc", "zones.nc", "maxima.nc", "travel_time.nc", "ensemble.nc"},
        [TSUNAMI_KML] = {"points.nc", "zones.nc", "maxima.nc", "travel_time.nc", "ensemble.nc"},
        [TSUNAMI_GEOTIFF] = {"maxima.nc", "travel_time.nc", "ensemble.nc"}};
    int count = 0;
    if (!convert_product_is_folder(request->path)) {
        product->inputs[0] = request->path;
        return STATUS_OK;
    }
    for (int k = 0; k < TSUNAMI_EXPORT_INPUTS_MAX && names[format][k]; k++) {
        const int length = snprintf(paths[count], PATH_BYTES, "%s/%s", request->path, names[format][k]);
        if (length < PATH_BYTES && access(paths[count], F_OK) == 0 && (count == 0 || format == TSUNAMI_KML))
            product->inputs[count] = paths[count], count++;
    }
    if (count > 0)
        return STATUS_OK;
    char list[120] = "";
    for (int k = 0; k < TSUNAMI_EXPORT_INPUTS_MAX && names[format][k]; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k > 0 ? ", " : "",
                 names[format][k]);
    return FAIL(STATUS_NO_INPUT, "%s: holds none of %s", request->path, list);
}

// The folder of the results, beside which run.json lies: the path itself, or where the file is.
static enum status folder_of(const char *path, char folder[PATH_BYTES])
{
    if (!convert_product_is_folder(path))
        return path_parent(path, folder);
    snprintf(folder, PATH_BYTES, "%s", path);
    return STATUS_OK;
}

// A product is as wrong as the results that it is made of. Without a checksum in run.json (of an earlier
// version, or a large file) nothing is compared.
static enum status check_inputs(const char *folder, const cJSON *report, const struct tsunami_export *product)
{
    bool has_sum;
    for (int k = 0; k < TSUNAMI_EXPORT_INPUTS_MAX && product->inputs[k]; k++) {
        const char *slash = strrchr(product->inputs[k], '/');
        CHECK(output_finished_check_file(report, folder, slash ? slash + 1 : product->inputs[k], &has_sum));
    }
    return STATUS_OK;
}

static enum status take_crs(const struct convert_product *request, const cJSON *report,
                            struct tsunami_export *product)
{
    struct geo_crs crs = {0};
    const char *stated = json_text(json_member(report, "grid"), "crs");
    if (product->format != TSUNAMI_GEOTIFF || (!request->crs && !stated[0]))
        return STATUS_OK;
    CHECK(geo_crs_parse(request->crs ? "--crs" : request->path, request->crs ? request->crs : stated, &crs));
    product->crs = crs.code;
    product->crs_is_geographic = crs.is_geographic;
    return STATUS_OK;
}

// Options that the format has no use for.
static enum status check_options(const struct convert_product *request, enum tsunami_format format)
{
    const struct {
        const char *name;
        bool is_given, is_for_maps;
    } options[] = {{"variable", request->variable != NULL, true},
                   {"record", request->record >= 0, true},
                   {"at", request->at != NULL, true},
                   {"crs", request->crs != NULL, true},
                   {"zones", request->zones_file != NULL, false},
                   {"zone-name", request->zones_name != NULL, false}};
    if (request->at && request->record >= 0)
        return FAIL(STATUS_USAGE, "--at and --record: both choose the layer: give one of them");
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (options[k].is_given && options[k].is_for_maps != (format == TSUNAMI_GEOTIFF))
            return FAIL(STATUS_USAGE, "--%s: is for %s, not for %s", options[k].name,
                        options[k].is_for_maps ? "GeoTIFF (.tif)" : "zones in .geojson and .kml",
                        request->output);
    return STATUS_OK;
}

static enum status print_result(const struct convert_product *request, const struct tsunami_export *product)
{
    struct stat info;
    const double bytes = stat(request->output, &info) == 0 ? (double)info.st_size : 0;
    const char *format = tsunami_format_names[product->format];
    if (!request->as_json) {
        printf("%s: %s, %.0f bytes\n", request->output, format, bytes);
        return STATUS_OK;
    }
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "input", request->path);
    cJSON_AddStringToObject(report, "output", request->output);
    cJSON_AddStringToObject(report, "format", format);
    cJSON_AddNumberToObject(report, "bytes", bytes);
    return options_print_json(report);
}

static enum status write_product(const struct convert_product *request, const char *folder,
                                 const cJSON *report, char paths[TSUNAMI_EXPORT_INPUTS_MAX][PATH_BYTES])
{
    const char *title = json_text(report, "title");
    struct tsunami_export product = {.output = request->output,
                                     .format = tsunami_format_of(request->output),
                                     .variable = request->variable,
                                     .has_layer = request->record >= 0,
                                     .layer = request->record >= 0 ? (size_t)request->record : 0,
                                     .at = request->at,
                                     .zones_file = request->zones_file,
                                     .zones_name = request->zones_name,
                                     .title = title[0] ? title : request->path,
                                     .source = "Fathom " FATHOM_VERSION};
    CHECK(check_options(request, product.format));
    CHECK(find_inputs(request, product.format, paths, &product));
    CHECK(check_inputs(folder, report, &product));
    CHECK(take_crs(request, report, &product));
    CHECK(tsunami_export_write(&product));
    return print_result(request, &product);
}

enum status convert_product(const struct convert_product *request)
{
    char folder[PATH_BYTES];
    CHECK(folder_of(request->path, folder));
    char(*paths)[PATH_BYTES] = calloc(TSUNAMI_EXPORT_INPUTS_MAX, sizeof *paths);
    if (!paths)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory", request->output);
    cJSON *report = output_finished_read(folder);
    const enum status status = write_product(request, folder, report, paths);
    cJSON_Delete(report);
    free(paths);
    return status;
}
