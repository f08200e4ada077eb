// `fathom convert IN OUT.nc`: a grid of any known format, or a part of it on another spacing, as CF netCDF-4
// or GeoTIFF. Volumes from NIfTI-1: convert_nifti.c, to NIfTI-1: convert_image.c; products of results:
// convert_product.c.
#include "cli/commands.h"
#include "cli/convert_image.h"
#include "cli/convert_keep.h"
#include "cli/convert_nifti.h"
#include "cli/convert_product.h"
#include "cli/convert_propagation.h"
#include "cli/options.h"
#include "core/log.h"
#include "core/status.h"
#include "io/geo/crs.h"
#include "io/geo/geotiff.h"
#include "io/grid/grid.h"
#include "io/netcdf/result.h"
#include "io/nifti.h"
#include "io/nifti_write.h"
#include "io/output/output.h"
#include "io/path.h"
#include "io/units.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom convert [OPTIONS] IN OUT.nc\n"
    "       fathom convert [OPTIONS] IN OUT.tif\n"
    "       fathom convert [OPTIONS] VOLUME.nc OUT.nii|OUT.nii.gz\n"
    "       fathom convert [OPTIONS] RESULT OUT.csv|OUT.geojson|OUT.kml|OUT.tif\n"
    "\n"
    "Reads a grid (netCDF, MOST, ESRI ASCII, Surfer 6 and 7, GeoClaw tt3, GeoTIFF) and writes it as CF\n"
    "netCDF-4 or GeoTIFF. A range or a spacing selects a part: the values of OUT are then bilinear\n"
    "between the nodes of IN, point values without averaging. Rows are streamed: a file may be larger\n"
    "than memory. A value that is missing in IN is missing in OUT. A NIfTI-1 file (.nii, .nii.gz) becomes\n"
    "a volume of labels or values over z, y, x in mm.\n"
    "\n"
    "A variable of a netCDF file over z, y, x, or over time too, becomes a NIfTI-1 file (.nii, .nii.gz). "
    "Where\n"
    "the file was made of a NIfTI image (a run on its labels, or this command), OUT has the image's axes "
    "and\n"
    "affine, and lies over it; else those of the coordinates, x to the right, y to the front, z up. Air and\n"
    "other missing values are NaN.\n"
    "\n"
    "A RESULT of a tsunami, a file or the run's folder, becomes a product (docs/products.md): points.nc,\n"
    "zones.nc and gauges.nc a table (.csv); points.nc and zones.nc places with their values, maxima.nc\n"
    "and travel_time.nc contours and isochrones (.geojson, .kml; a folder: all of them in one .kml); a\n"
    "map of maxima.nc or travel_time.nc a GeoTIFF (.tif). An ensemble of fathom hazard, ensemble.nc or its\n"
    "folder: points and zones (.geojson, .kml) and maps (.tif).\n"
    "\n"
    "The suffix of OUT decides: .nc (.nc4, .cdf, .netcdf), .nii, .nii.gz, .tif (.tiff), .csv, .geojson\n"
    "(.json), .kml.\n"
    "\n"
    "What IN holds:\n"
    "      --variable NAME         variable of a netCDF file (default: the only grid in it)\n"
    "      --record N              record of a grid or volume over time, from 0 (default: the only one)\n"
    "      --time T                of a volume for NIfTI-1: the record at that time, as \"30 s\" (default: "
    "all\n"
    "                              records, along a fourth axis)\n"
    "      --positive up|down      up: elevations, down: depths; needed if the file does not state it\n"
    "      --units UNIT            units of the values, if the file does not state them\n"
    "      --override              --positive and --units replace what the file states\n"
    "      --axes geographic|plane degrees or metres; needed if the file does not state it\n"
    "      --format FORMAT         netcdf, most, esri, surfer6, surfer7, tt3 or geotiff (default: by\n"
    "                              content)\n"
    "\n"
    "What OUT gets:\n"
    "      --as depth|elevation|value\n"
    "                              positive down, positive up, or values and units as they are\n"
    "                              (default: depth)\n"
    "      --as label|value        of a volume: labels (whole numbers from 0 to 255) or values (default:\n"
    "                              value); --variable and --units then name the variable and its units\n"
    "      --as propagation        eta, u, v of a run's fields.nc in the form of NOAA's propagation\n"
    "                              database: three files OUT_ha.nc, OUT_ua.nc, OUT_va.nc, in cm and cm/s,\n"
    "                              LON from 0 to 360, land -1e34 (fathom combine and fathom compare read\n"
    "                              them)\n"
    "      --longitude A,B --latitude C,D\n"
    "                              the part, as \"120 degree,290 degree\"; in any convention, also across\n"
    "                              180 degrees\n"
    "      --x A,B --y C,D         the part of a plane grid, as \"0 km,12.5 km\"\n"
    "      --spacing S[,T]         a node every S from the lower left corner (every T in y), as \"4\n"
    "                              arcmin\" or \"50 m\"\n"
    "      --compress              shuffle and deflate level 1\n"
    "      --double                values in double precision (default: single)\n"
    "      --int16                 values in NIfTI-1 as whole numbers with a scale; missing ones become 0\n"
    "      --crs EPSG:CODE         of a GeoTIFF in metres (default: that of IN, or of run.json beside it)\n"
    "      --record N              of a GeoTIFF of arrival: which threshold, from 0\n"
    "      --at VALUE              of a GeoTIFF of an ensemble: the map's percentile, \"95\", or its\n"
    "                              threshold, \"1 m\"\n"
    "      --zones FILE --zone-name PROPERTY\n"
    "                              the GeoJSON with the polygons of zones.nc, and the property with their\n"
    "                              names (default: name); without it zones are points\n"
    "      --json                  describe what was written as JSON\n"
    "  -h, --help                  print this text\n"
    "\n"
    "Examples:\n"
    "  fathom convert etopo20.cdf pacific.nc --positive up --longitude \"120 degree,290 degree\" \\\n"
    "      --latitude \"-60 degree,62 degree\" --spacing \"4 arcmin\"\n"
    "  fathom convert uplift.tt3 uplift.nc --as value --axes geographic --record 9\n"
    "  fathom convert segmentation.nii.gz head.nc --as label\n"
    "  fathom convert head/maxima.nc hottest.nii.gz --variable max_temperature\n"
    "  fathom convert kisza26/fields.nc noaa/ki_026_a --as propagation\n"
    "  fathom convert tohoku2011 tohoku2011.kml\n"
    "  fathom convert tohoku2011/maxima.nc speed.tif --variable max_speed\n"
    "  fathom convert maule-results/hazard maule.kml\n"
    "  fathom convert maule-results/hazard above-1m.tif --variable max_eta_exceedance --at \"1 m\"\n"
    "\n"
    "Exit status: 0 written; 64 wrong command line; 65 invalid input data; 66 IN cannot be opened; 73\n"
    "OUT cannot be created; 74 reading or writing failed, or too little disk space; 78 IN contradicts\n"
    "an option, or the range or spacing does not fit it.\n";

enum content { AS_DEPTH, AS_ELEVATION, AS_VALUE, AS_LABEL, AS_PROPAGATION };

struct conversion {
    struct grid_request request;
    const char *output;
    const char *ranges[2][2]; // [geographic][y]: as written
    const char *spacing;
    enum content content;
    bool has_content; // --as was given
    bool compress, is_double, is_int16, as_json;
    const char *time;
    enum tsunami_format format; // of the output; TSUNAMI_NO_FORMAT: netCDF
    const char *at, *crs, *zones_file, *zones_name;
    char history[1024];
};

// Source of the rows, for grid_write.
struct rows {
    struct grid_sampler *sampler;
    size_t nx;
    bool changes_sign; // depths to elevations
};

static enum status next_row(void *context, size_t row, double *values)
{
    struct rows *rows = context;
    CHECK(grid_sampler_row(rows->sampler, row, values));
    for (size_t k = 0; rows->changes_sign && k < rows->nx; k++)
        values[k] = 0 - values[k]; // no −0
    return STATUS_OK;
}

static enum status make_window_request(const struct conversion *conversion, const struct grid_info *info,
                                       struct grid_window_request *request)
{
    static const char *const options[2][2] = {{"x", "y"}, {"longitude", "latitude"}};
    int globe = info->is_geographic ? 1 : 0;
    const char *unit = globe ? "degree" : "m";
    *request =
        (struct grid_window_request){.missing_value = NAN, .outside_value = NAN, .keeps_missing = true};
    for (int k = 0; k < 2; k++)
        if (conversion->ranges[1 - globe][k] != NULL)
            return FAIL(STATUS_USAGE, "--%s: the axes of %s are in %s: use --%s", options[1 - globe][k],
                        conversion->request.path, globe ? "degrees" : "metres", options[globe][k]);
    if (conversion->ranges[globe][0] != NULL) {
        request->has_x = true;
        CHECK(options_pair(options[globe][0], conversion->ranges[globe][0], unit, false, request->x_range));
    }
    if (conversion->ranges[globe][1] != NULL) {
        request->has_y = true;
        CHECK(options_pair(options[globe][1], conversion->ranges[globe][1], unit, false, request->y_range));
    }
    if (conversion->spacing != NULL) {
        CHECK(options_pair("spacing", conversion->spacing, unit, true, request->spacing));
        if (!(request->spacing[0] > 0 && request->spacing[1] > 0))
            return FAIL(STATUS_USAGE, "--spacing \"%s\": expected more than 0", conversion->spacing);
    }
    return STATUS_OK;
}

static enum status print_result(const struct conversion *conversion, const struct grid_write *write,
                                bool covers_globe)
{
    const double x[2] = {write->x[0], write->x[write->nx - 1]}, y[2] = {write->y[0], write->y[write->ny - 1]};
    if (!conversion->as_json) {
        printf("%s: %s, %zu × %zu nodes, %s %.9g … %.9g, %s %.9g … %.9g %s%s\n", write->path, write->variable,
               write->nx, write->ny, write->is_geographic ? "longitude" : "x", x[0], x[1],
               write->is_geographic ? "latitude" : "y", y[0], y[1], write->is_geographic ? "degree" : "m",
               covers_globe ? ", once round the Earth" : "");
        return STATUS_OK;
    }
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "input", conversion->request.path);
    cJSON_AddStringToObject(report, "output", write->path);
    cJSON_AddStringToObject(report, "variable", write->variable);
    cJSON_AddStringToObject(report, "units", write->units != NULL ? write->units : "");
    cJSON_AddStringToObject(report, "axes", write->is_geographic ? "geographic" : "plane");
    cJSON_AddNumberToObject(report, "nx", (double)write->nx);
    cJSON_AddNumberToObject(report, "ny", (double)write->ny);
    cJSON_AddItemToObject(report, "x_range", cJSON_CreateDoubleArray(x, 2));
    cJSON_AddItemToObject(report, "y_range", cJSON_CreateDoubleArray(y, 2));
    cJSON_AddBoolToObject(report, "covers_globe", covers_globe);
    return options_print_json(report);
}

static void describe_content(const struct conversion *conversion, const struct grid_info *info,
                             struct grid_write *write)
{
    static const struct {
        const char *variable, *standard_name, *long_name, *positive;
    } heights[] = {[AS_DEPTH] = {"depth", "sea_floor_depth_below_mean_sea_level",
                                 "depth of the sea floor, land negative", "down"},
                   [AS_ELEVATION] = {"elevation", "height_above_mean_sea_level",
                                     "elevation of the ground, sea floor negative", "up"}};
    if (conversion->content <= AS_ELEVATION) {
        write->variable = heights[conversion->content].variable;
        write->standard_name = heights[conversion->content].standard_name;
        write->long_name = heights[conversion->content].long_name;
        write->positive = heights[conversion->content].positive;
        write->units = "m";
        return;
    }
    write->variable = info->variable;
    write->units = conversion->request.units ? conversion->request.units : info->file_units;
    if (write->units[0] == '\0')
        write->units = NULL;
}

// Before the first row is read. Compression hardly ever reduces a grid to less than a tenth.
static enum status check_disk(const struct conversion *conversion, const struct grid_window *window)
{
    uint64_t free_bytes;
    char needed_text[24], free_text[24];
    const double nodes = (double)window->nx * (double)window->ny;
    const double needed =
        nodes * (conversion->is_double ? sizeof(double) : sizeof(float)) * (conversion->compress ? 0.1 : 1);
    if (path_free_bytes(conversion->output, &free_bytes) != STATUS_OK) {
        status_clear(); // the writer reports what is wrong with the path
        return STATUS_OK;
    }
    if (needed <= (double)free_bytes)
        return STATUS_OK;
    return FAIL(STATUS_IO,
                "%s: %zu × %zu nodes are %.3g and take %s or more on the disk, which has %s free: give a "
                "larger --spacing or a smaller part (%s)",
                conversion->output, window->nx, window->ny, nodes,
                units_format_bytes(needed, needed_text, sizeof needed_text),
                units_format_bytes((double)free_bytes, free_text, sizeof free_text),
                window->is_geographic ? "--longitude, --latitude" : "--x, --y");
}

// A window as GeoTIFF; `write` describes it.
static enum status write_tiff(const struct conversion *conversion, const struct grid_info *info,
                              const struct grid_window *window, const struct grid_write *write)
{
    struct geo_crs crs = {0};
    const double dx = (window->x[window->nx - 1] - window->x[0]) / (double)(window->nx - 1),
                 dy = (window->y[window->ny - 1] - window->y[0]) / (double)(window->ny - 1);
    if (!window->is_uniform_x || !window->is_uniform_y)
        return FAIL(STATUS_DATA, "%s: its nodes are not evenly spaced, which a GeoTIFF needs: give --spacing",
                    conversion->request.path);
    if (conversion->crs || info->crs[0])
        CHECK(geo_crs_parse(conversion->crs ? "--crs" : conversion->request.path,
                            conversion->crs ? conversion->crs : info->crs, &crs));
    if (crs.code && crs.is_geographic != window->is_geographic)
        return FAIL(STATUS_CONFIGURATION, "--crs: %s (%s) is in %s, but %s in %s", conversion->crs, crs.name,
                    crs.is_geographic ? "degrees" : "metres", conversion->request.path,
                    crs.is_geographic ? "metres" : "degrees");
    const bool is_beyond = window->is_geographic && window->x[0] >= 180;
    const struct geo_tiff tiff = {.path = write->path,
                                  .nx = window->nx,
                                  .ny = window->ny,
                                  .x_first = is_beyond ? window->x[0] - 360 : window->x[0],
                                  .x_step = dx,
                                  .y_first = window->y[0],
                                  .y_step = dy,
                                  .is_geographic = window->is_geographic,
                                  .crs = crs.code,
                                  .description = write->long_name ? write->long_name : write->variable,
                                  .units = write->units,
                                  .software = write->source,
                                  .context = write->context,
                                  .row = write->row};
    return geo_tiff_write(&tiff);
}

static enum status write_window(const struct conversion *conversion, struct grid_file *file,
                                const struct grid_window_request *request, const struct grid_window *window)
{
    const struct grid_info *info = grid_info(file);
    struct rows rows = {.nx = window->nx, .changes_sign = conversion->content == AS_ELEVATION};
    struct grid_write write = {.path = conversion->output,
                               .history = conversion->history,
                               .source = "Fathom " FATHOM_VERSION,
                               .source_file = conversion->request.path,
                               .is_geographic = info->is_geographic,
                               .nx = window->nx,
                               .ny = window->ny,
                               .x = window->x,
                               .y = window->y,
                               .compress = conversion->compress,
                               .is_double = conversion->is_double,
                               .has_missing = true,
                               .context = &rows,
                               .row = next_row};
    describe_content(conversion, info, &write);
    CHECK(check_disk(conversion, window));
    CHECK(grid_sampler_open(file, window, request, &rows.sampler));
    enum status status = conversion->format == TSUNAMI_GEOTIFF ? write_tiff(conversion, info, window, &write)
                                                               : grid_write_netcdf(&write);
    grid_sampler_close(rows.sampler);
    CHECK(status);
    return print_result(conversion, &write, window->covers_globe);
}

// Depths are the default: if IN holds none, the message names --as value.
static enum status open_grid(struct conversion *conversion, struct grid_file **file)
{
    struct grid_request as_value = conversion->request;
    if (conversion->content == AS_VALUE)
        conversion->request.positive = GRID_PLAIN;
    else
        conversion->request.target_units = "m";
    const enum status status = grid_open(&conversion->request, file);
    as_value.positive = GRID_PLAIN;
    if (status != STATUS_DATA || conversion->has_content || grid_open(&as_value, file) != STATUS_OK)
        return status;
    grid_close(*file);
    return status_append(status, "OUT.nc gets depths by default: --as value writes the values as they are");
}

static enum status convert(struct conversion *conversion)
{
    struct grid_file *file;
    struct grid_window_request request;
    struct grid_window window = {0};
    CHECK(open_grid(conversion, &file));
    if (grid_info(file)->set_aside[0])
        log_warning("%s: %s", conversion->request.path, grid_info(file)->set_aside);
    enum status status = make_window_request(conversion, grid_info(file), &request);
    if (status == STATUS_OK)
        status = grid_window_resolve(file, &request, &window);
    if (status == STATUS_OK)
        status = write_window(conversion, file, &request, &window);
    grid_window_free(&window);
    grid_close(file);
    return status;
}

// An option that applies to grids only, or NULL.
static const char *grid_option(const struct conversion *conversion)
{
    const struct grid_request *request = &conversion->request;
    const struct {
        const char *name;
        bool is_given;
    } options[] = {{"positive", request->positive != 0},
                   {"override", request->overrides},
                   {"axes", request->axes != 0},
                   {"format", request->format != 0},
                   {"longitude", conversion->ranges[1][0] != NULL},
                   {"latitude", conversion->ranges[1][1] != NULL},
                   {"x", conversion->ranges[0][0] != NULL},
                   {"y", conversion->ranges[0][1] != NULL},
                   {"spacing", conversion->spacing != NULL}};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (options[k].is_given)
            return options[k].name;
    return NULL;
}

static enum status convert_volume(const struct conversion *conversion)
{
    if (grid_option(conversion))
        return FAIL(STATUS_USAGE, "--%s: %s is a volume (NIfTI-1); that option is for grids",
                    grid_option(conversion), conversion->request.path);
    if (conversion->has_content && conversion->content != AS_LABEL && conversion->content != AS_VALUE)
        return FAIL(STATUS_USAGE, "--as: %s is a volume (NIfTI-1); expected label or value",
                    conversion->request.path);
    const struct convert_nifti request = {.path = conversion->request.path,
                                          .output = conversion->output,
                                          .variable = conversion->request.variable,
                                          .units = conversion->request.units,
                                          .history = conversion->history,
                                          .record = conversion->request.time_index,
                                          .is_label = conversion->content == AS_LABEL,
                                          .is_double = conversion->is_double,
                                          .compress = conversion->compress,
                                          .as_json = conversion->as_json};
    return convert_nifti(&request);
}

// The first option that only a netCDF file of a grid has; NULL: none was given.
static const char *netcdf_option(const struct conversion *conversion)
{
    const char *option = grid_option(conversion);
    return option                      ? option
           : conversion->request.units ? "units"
           : conversion->compress      ? "compress"
           : conversion->is_double     ? "double"
                                       : NULL;
}

// To NIfTI-1.
static enum status convert_to_image(const struct conversion *conversion)
{
    const char *option = netcdf_option(conversion);
    if (!option)
        option = conversion->at                                              ? "at"
                 : conversion->crs                                           ? "crs"
                 : conversion->zones_file                                    ? "zones"
                 : conversion->zones_name                                    ? "zone-name"
                 : conversion->has_content && conversion->content < AS_VALUE ? "as"
                                                                             : NULL;
    if (option)
        return FAIL(STATUS_USAGE, "--%s: has no meaning for %s (NIfTI-1)%s", option, conversion->output,
                    strcmp(option, "as") == 0 ? ": expected label or value" : "");
    const struct convert_image request = {.path = conversion->request.path,
                                          .output = conversion->output,
                                          .variable = conversion->request.variable,
                                          .time = conversion->time,
                                          .record = conversion->request.time_index,
                                          .is_label = conversion->content == AS_LABEL,
                                          .is_value =
                                              conversion->has_content && conversion->content == AS_VALUE,
                                          .is_int16 = conversion->is_int16,
                                          .as_json = conversion->as_json};
    return convert_image(&request);
}

static enum status convert_waves(const struct conversion *conversion)
{
    const struct convert_propagation request = {.path = conversion->request.path,
                                                .output = conversion->output,
                                                .history = conversion->history,
                                                .as_json = conversion->as_json};
    if (netcdf_option(conversion) || conversion->request.variable || conversion->request.time_index >= 0)
        return FAIL(STATUS_USAGE, "--as propagation: takes no other option but --json");
    return convert_propagation(&request);
}

// Another suffix would be misleading.
static enum status check_suffix(const char *output)
{
    static const char *const suffixes[] = {".nc", ".nc4", ".cdf", ".netcdf"};
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output, *dot = strrchr(name, '.');
    for (size_t k = 0; dot && dot > name && k < sizeof suffixes / sizeof *suffixes; k++)
        if (strcasecmp(dot, suffixes[k]) == 0)
            return STATUS_OK;
    return FAIL(STATUS_USAGE,
                "%s: expected a name that ends in .nc (or .nc4, .cdf, .netcdf), .nii, .nii.gz, .tif, .csv, "
                ".geojson or .kml, which decides what is written",
                output);
}

// An option that products do not have.
static enum status check_product_options(const struct conversion *conversion)
{
    const char *option = netcdf_option(conversion);
    if (!option && conversion->has_content)
        option = "as";
    return option
               ? FAIL(STATUS_USAGE, "--%s: has no meaning for %s made of results", option, conversion->output)
               : STATUS_OK;
}

// Whether the output is made of results, and not of a grid with a window.
static bool is_product(const struct conversion *conversion)
{
    if (conversion->format == TSUNAMI_NO_FORMAT)
        return false;
    if (conversion->format != TSUNAMI_GEOTIFF || convert_product_is_folder(conversion->request.path))
        return true;
    enum grid_format format = GRID_FORMAT_AUTO;
    const bool is_netcdf =
        grid_identify(conversion->request.path, &format) == STATUS_OK && format == GRID_FORMAT_NETCDF;
    status_clear();
    return is_netcdf && !grid_option(conversion) && !conversion->has_content &&
           tsunami_export_is_of(conversion->request.path);
}

static enum status convert_results(const struct conversion *conversion)
{
    const struct convert_product request = {.path = conversion->request.path,
                                            .output = conversion->output,
                                            .variable = conversion->request.variable,
                                            .record = conversion->request.time_index,
                                            .at = conversion->at,
                                            .crs = conversion->crs,
                                            .zones_file = conversion->zones_file,
                                            .zones_name = conversion->zones_name,
                                            .as_json = conversion->as_json};
    CHECK(check_product_options(conversion));
    return convert_product(&request);
}

static enum status check_grid_options(const struct conversion *conversion)
{
    const bool is_tiff = conversion->format == TSUNAMI_GEOTIFF;
    if (conversion->crs && !is_tiff)
        return FAIL(STATUS_USAGE, "--crs: is for GeoTIFF (.tif), not for %s", conversion->output);
    if (conversion->is_double && is_tiff)
        return FAIL(STATUS_USAGE, "--double: a GeoTIFF is written in single precision");
    if (conversion->at) {
        struct result_file *file;
        CHECK(result_open(conversion->request.path, &file)); // a damaged one says so
        result_close(file);
        return FAIL(STATUS_USAGE, "--at: is for a GeoTIFF of a result with thresholds or percentiles");
    }
    if (conversion->zones_file || conversion->zones_name)
        return FAIL(STATUS_USAGE, "--zones and --zone-name: are for zones.nc and .geojson or .kml");
    return STATUS_OK;
}

static enum status convert_any(struct conversion *conversion)
{
    if (nifti_write_is_name(conversion->output) && conversion->content != AS_PROPAGATION)
        return convert_to_image(conversion);
    if (conversion->time || conversion->is_int16)
        return FAIL(STATUS_USAGE, "--%s: is for NIfTI-1 (.nii, .nii.gz), not for %s",
                    conversion->time ? "time" : "int16", conversion->output);
    if (conversion->content == AS_PROPAGATION)
        return convert_waves(conversion);
    conversion->format = tsunami_format_of(conversion->output);
    if (is_product(conversion))
        return convert_results(conversion);
    CHECK(check_grid_options(conversion));
    if (conversion->format != TSUNAMI_GEOTIFF)
        CHECK(check_suffix(conversion->output));
    if (nifti_is(conversion->request.path) && conversion->format == TSUNAMI_GEOTIFF)
        return FAIL(STATUS_USAGE, "%s: a GeoTIFF is a map, and %s is a volume (NIfTI-1): write a .nc",
                    conversion->output, conversion->request.path);
    if (nifti_is(conversion->request.path))
        return convert_volume(conversion);
    if (conversion->content == AS_LABEL)
        return FAIL(STATUS_USAGE,
                    "--as label: %s is not a volume (NIfTI-1); expected depth, elevation or value",
                    conversion->request.path);
    return convert(conversion);
}

static enum status take_value(void *context, const char *name, const char *value)
{
    static const char *const signs[] = {"up", "down", NULL}, *const kinds[] = {"geographic", "plane", NULL},
                             *const contents[] = {"depth", "elevation",   "value",
                                                  "label", "propagation", NULL},
                             *const formats[] = {"netcdf",  "most", "esri",    "surfer6",
                                                 "surfer7", "tt3",  "geotiff", NULL};
    struct conversion *conversion = context;
    struct grid_request *request = &conversion->request;
    int choice = 0;
    if (strcmp(name, "record") == 0)
        return options_count(name, value, 0, INT32_MAX, &request->time_index);
    if (strcmp(name, "positive") == 0) {
        CHECK(options_choice(name, value, signs, &choice));
        request->positive = choice == 0 ? GRID_POSITIVE_UP : GRID_POSITIVE_DOWN;
    } else if (strcmp(name, "axes") == 0) {
        CHECK(options_choice(name, value, kinds, &choice));
        request->axes = choice == 0 ? GRID_AXES_GEOGRAPHIC : GRID_AXES_PLANE;
    } else if (strcmp(name, "as") == 0) {
        CHECK(options_choice(name, value, contents, &choice));
        conversion->content = (enum content)choice;
        conversion->has_content = true;
    } else {
        CHECK(options_choice(name, value, formats, &choice));
        request->format = (enum grid_format)(GRID_FORMAT_NETCDF + choice);
    }
    return STATUS_OK;
}

// A file, or the folder of a run.
static enum status find_input(const char *name, char path[PATH_BYTES])
{
    CHECK(output_check_published(name));
    if (!convert_product_is_folder(name)) {
        CHECK(path_find(name, NULL, path));
        return path_check_file(path);
    }
    return snprintf(path, PATH_BYTES, "%s", name) < PATH_BYTES
               ? STATUS_OK
               : FAIL(STATUS_NO_INPUT, "%.80s...: the path is too long", name);
}

int command_convert(int argc, char **argv)
{
    struct conversion conversion = {.request = {.time_index = -1, .override_word = "--override"}};
    struct grid_request *request = &conversion.request;
    const struct option_row rows[] = {{"variable", .text = &request->variable},
                                      {"record", .take = take_value},
                                      {"positive", .take = take_value},
                                      {"units", .text = &request->units},
                                      {"override", .flag = &request->overrides},
                                      {"axes", .take = take_value},
                                      {"format", .take = take_value},
                                      {"as", .take = take_value},
                                      {"longitude", .text = &conversion.ranges[1][0]},
                                      {"latitude", .text = &conversion.ranges[1][1]},
                                      {"x", .text = &conversion.ranges[0][0]},
                                      {"y", .text = &conversion.ranges[0][1]},
                                      {"spacing", .text = &conversion.spacing},
                                      {"at", .text = &conversion.at},
                                      {"crs", .text = &conversion.crs},
                                      {"zones", .text = &conversion.zones_file},
                                      {"zone-name", .text = &conversion.zones_name},
                                      {"compress", .flag = &conversion.compress},
                                      {"double", .flag = &conversion.is_double},
                                      {"int16", .flag = &conversion.is_int16},
                                      {"time", .text = &conversion.time},
                                      {"json", .flag = &conversion.as_json},
                                      {NULL}};
    char path[PATH_BYTES];
    int code;
    signal(SIGXFSZ, SIG_IGN); // a file-size limit becomes a write error with a message
    options_history(argc, argv, conversion.history, sizeof conversion.history);
    if (!options_read(argc, argv, help, rows, &conversion, &code))
        return code;
    enum status status =
        argc - optind == 2
            ? find_input(argv[optind], path)
            : FAIL(STATUS_USAGE, "convert needs an input and an output file; see fathom convert --help");
    if (status == STATUS_OK) {
        request->path = path;
        conversion.output = argv[optind + 1];
        status = convert_keep(path, conversion.output);
        if (status == STATUS_OK)
            status = convert_any(&conversion);
    }
    return status == STATUS_OK ? 0 : options_report_failure(status);
}
