// `fathom info FILE`: describes a grid file or a result file, and the keys that a job needs to use it;
// info_run.c describes a run's folder, info_uplift.c the uplift of the sea floor, info_earthquake.c files of
// earthquakes, info_volume.c volumes, info_image.c NIfTI images, info_json.c jobs. First reads everything,
// then prints it as text or JSON.
#include "cli/commands.h"
#include "cli/info_earthquake.h"
#include "cli/info_image.h"
#include "cli/info_job.h"
#include "cli/info_json.h"
#include "cli/info_pressure.h"
#include "cli/info_run.h"
#include "cli/info_uplift.h"
#include "cli/info_volume.h"
#include "cli/options.h"
#include "core/clock.h"
#include "core/progress.h"
#include "core/status.h"
#include "io/geo/crs.h"
#include "io/grid/grid.h"
#include "io/json_file.h"
#include "io/netcdf/result.h"
#include "io/nifti.h"
#include "io/output/output.h"
#include "io/path.h"
#include "io/units.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Of a file with more than whole_values_most values a sample of about sample_values is read, unless --all is
// given.
static const double whole_values_most = 0x1p29, sample_values = 0x1p26, silent_s = 2;

static const char help[] =
    "Usage: fathom info [OPTIONS] FILE|FOLDER\n"
    "\n"
    "Describes a grid (netCDF, MOST, ESRI ASCII, Surfer 6, 7, GeoClaw tt3, GeoTIFF) or a netCDF result: "
    "format,\n"
    "variables, extent, spacing, whether the spacing is even and whether the grid goes round the Earth,\n"
    "the range of the values, the number of missing ones, whether they are depths or elevations. For a\n"
    "grid it prints the lines with which a job uses the file as bathymetry, and which of them the file\n"
    "leaves open; for the sea floor's uplift (GeoClaw's dtopo, a grid over time) the range of all records\n"
    "and the lines of a source; for a single record with a time axis both, since it may be either. Files\n"
    "of any size can be read. Of a grid with more than 537 million nodes "
    "only a sample\n"
    "of the rows is read, and the output states it.\n"
    "Of an earthquake's file (a moment tensor: CMTSOLUTION, ndk, QuakeML, USGS event GeoJSON; a finite\n"
    "fault: fault table, USGS .param, .fsp, FFM.geojson, CSV): magnitude, moment, nodal planes, patches,\n"
    "segments, slip, extent, largest uplift, and the lines of a source.\n"
    "Of volumes over z, y, x (heat, labels, temperature): cells, spacing, range, and the lines of a job.\n"
    "Of a NIfTI image: cells, spacing, position and orientation, the range of the values, the cells of\n"
    "each label, and the lines of a heat job. Of a pressure field of k-Wave or BabelBrain (HDF5): form,\n"
    "variable, cells, spacing, largest value, and these lines. Of what a run refuses: the run's message.\n"
    "Of a job or a queue: its model, and the commands that take it.\n"
    "Of a run's FOLDER, or its run.json: title, model, whether the run is finished, the results of its\n"
    "checks and rules, warnings, its files with their sizes and variables, and products that are missing.\n"
    "\n"
    "Options:\n"
    "      --variable NAME  variable of a netCDF file (default: the only grid in it)\n"
    "      --record N       record of a grid over time, from 0 (default: 0)\n"
    "      --event NAME     one event of a file with several moment tensors\n"
    "      --all            read every value of a grid of any size\n"
    "      --json           print JSON\n"
    "  -h, --help           print this text\n"
    "\n"
    "Exit status: 0 read; 64 wrong command line; 65 unknown format, or a damaged file; 66 the file cannot\n"
    "be opened, is a pipe or a device, or the folder holds no run; 74 reading failed.\n";

struct inspection {
    const char *path, *variable, *event;
    int64_t record;
    bool as_json, reads_all;
    enum grid_format format;
    struct result_file *listing;     // netCDF only
    struct grid_variable_list grids; // netCDF only
    struct grid_file *file;          // the grid that is described, or NULL
    struct grid_scan scan;           // its values
    struct info_uplift uplift;
    struct info_volumes volumes; // of heat; then there is no grid
    // The time axis of a netCDF file; time_count = 0 without one.
    size_t time_count;
    double time_span[2];
    char time_units[RESULT_UNITS_BYTES], title[256];
    char standard_name[128]; // of the grid's variable in a netCDF file
};

// ---- gathering

struct display {
    struct progress progress;
    bool is_drawn;
    double start_s, records; // records: to be read
    double before, last;     // rows read: of earlier records, and of this record so far
};

// Shows no progress in the first `silent_s` seconds.
static void show_progress(void *context, double rows_read, double rows)
{
    struct display *display = context;
    if (rows_read < display->last) // the next record
        display->before += rows;
    display->last = rows_read;
    if (!display->is_drawn && clock_now_s() - display->start_s >= silent_s) {
        const struct progress_options options = {.enabled = true,
                                                 .descriptor = STDERR_FILENO,
                                                 .duration_s = rows * display->records,
                                                 .time_unit = "rows",
                                                 .time_name = "read"};
        progress_start(&display->progress, &options, display->before + rows_read);
        display->is_drawn = true;
    }
    if (display->is_drawn)
        progress_update(&display->progress, display->before + rows_read, 0);
}

static enum status scan_values(struct inspection *inspection)
{
    const struct grid_info *info = grid_info(inspection->file);
    const double records = inspection->uplift.is_wanted ? (double)info->records + 1 : 1;
    const double nodes = (double)info->nx * (double)info->ny * records;
    struct display display = {.start_s = clock_now_s(), .records = records};
    inspection->scan = (struct grid_scan){.progress = show_progress, .context = &display};
    if (nodes > whole_values_most && !inspection->reads_all)
        inspection->scan.rows_most = (size_t)fmax(sample_values / (double)info->nx / records, 1);
    enum status status = grid_scan(inspection->file, &inspection->scan);
    if (status == STATUS_OK && inspection->uplift.is_wanted)
        status = info_uplift_gather(inspection->file, &inspection->scan, (size_t)inspection->record,
                                    &inspection->uplift);
    if (display.is_drawn)
        progress_finish(&display.progress, status == STATUS_OK ? "done" : "stopped");
    return status;
}

// The time axis: the variable named "time", or one whose units count since a date. NULL: the file has no time
// axis.
static const struct result_variable *find_time(const struct inspection *inspection)
{
    for (size_t k = 0; k < result_variable_count(inspection->listing); k++) {
        const struct result_variable *variable = result_variable_at(inspection->listing, k);
        bool is_time = strcmp(variable->name, "time") == 0 || strstr(variable->units, " since ") != NULL;
        if (is_time && variable->rank == 1 && !variable->is_text && variable->lengths[0] > 0)
            return variable;
    }
    return NULL;
}

static enum status read_time_span(struct inspection *inspection)
{
    const struct result_variable *time = find_time(inspection);
    if (time == NULL)
        return STATUS_OK;
    size_t one = 1, first = 0, last = time->lengths[0] - 1;
    CHECK(result_read(inspection->listing, time->name, &first, &one, &inspection->time_span[0]));
    CHECK(result_read(inspection->listing, time->name, &last, &one, &inspection->time_span[1]));
    snprintf(inspection->time_units, sizeof inspection->time_units, "%s", time->units);
    inspection->time_count = time->lengths[0];
    return STATUS_OK;
}

static enum status gather(struct inspection *inspection)
{
    CHECK(grid_identify(inspection->path, &inspection->format));
    if (inspection->format == GRID_FORMAT_NETCDF) {
        CHECK(grid_list_variables(inspection->path, &inspection->grids));
        CHECK(result_open(inspection->path, &inspection->listing));
        result_attribute(inspection->listing, NULL, "title", inspection->title, sizeof inspection->title);
        CHECK(read_time_span(inspection));
        if (inspection->variable != NULL || inspection->grids.count == 1)
            result_attribute(inspection->listing,
                             inspection->variable ? inspection->variable : inspection->grids.names[0],
                             "standard_name", inspection->standard_name, sizeof inspection->standard_name);
        result_keep_list(
            inspection->listing); // closes the file: otherwise the grid would be read with its cache
        CHECK(info_volumes_gather(inspection->path, inspection->listing, inspection->variable,
                                  inspection->record, &inspection->volumes));
        if (inspection->volumes.count > 0 || (inspection->variable == NULL && inspection->grids.count != 1))
            return STATUS_OK; // no grid, or several
    } else if (inspection->variable != NULL) {
        return FAIL(STATUS_USAGE, "%s: --variable is for netCDF files, this is %s", inspection->path,
                    grid_format_name(inspection->format));
    }
    struct grid_request request = {.path = inspection->path,
                                   .variable = inspection->variable,
                                   .positive = GRID_PLAIN,
                                   .format = inspection->format,
                                   .time_index = inspection->record,
                                   .axes = GRID_AXES_LEAVE_OPEN};
    CHECK(grid_open(&request, &inspection->file));
    info_uplift_recognise(grid_info(inspection->file), inspection->standard_name, &inspection->uplift);
    return scan_values(inspection);
}

static const char *sign_word(enum grid_positive positive)
{
    return positive == GRID_POSITIVE_UP ? "up" : positive == GRID_POSITIVE_DOWN ? "down" : NULL;
}

// The job's "bathymetry" for this file. Values that the user has to add are "?" and are listed in `open`.
static cJSON *suggest(const struct inspection *inspection, cJSON *open)
{
    const struct grid_info *info = grid_info(inspection->file);
    cJSON *job = cJSON_CreateObject();
    cJSON_AddStringToObject(job, "file", inspection->path);
    if (inspection->format == GRID_FORMAT_NETCDF)
        cJSON_AddStringToObject(job, "variable", info->variable);
    if (info->file_positive == GRID_AS_FILE) {
        cJSON_AddStringToObject(job, "positive", "?");
        cJSON_AddItemToArray(
            open, cJSON_CreateString("positive: \"up\" if the values are elevations, \"down\" if depths"));
    }
    if (info->file_units[0] == '\0') {
        cJSON_AddStringToObject(job, "units", "?");
        cJSON_AddItemToArray(open, cJSON_CreateString("units: of the values, such as \"m\""));
    }
    if (info->are_axes_open) {
        cJSON_AddStringToObject(job, "axes", "?");
        cJSON_AddItemToArray(
            open, cJSON_CreateString("axes: \"geographic\" if x, y are degrees, \"plane\" if metres"));
    }
    return job;
}

// ---- text

static void print_shape(const struct result_variable *variable)
{
    for (int k = 0; k < variable->rank; k++)
        printf("%s%s %zu", k == 0 ? " (" : ", ", UTF8_SHOWN(variable->dimensions[k]), variable->lengths[k]);
    if (variable->rank > 0)
        putchar(')');
}

static void print_variables(const struct inspection *inspection)
{
    if (inspection->title[0] != '\0')
        printf("title      %s\n", UTF8_SHOWN(inspection->title));
    const char *label = "variables ";
    for (size_t k = 0; k < result_variable_count(inspection->listing); k++) {
        const struct result_variable *variable = result_variable_at(inspection->listing, k);
        if (variable->name[0] == '\0')
            continue;
        printf("%s %s", label, UTF8_SHOWN(variable->name));
        print_shape(variable);
        printf("%s%s%s\n", variable->units[0] != '\0' ? ", " : "", UTF8_SHOWN(variable->units),
               variable->is_text ? ", text" : "");
        label = "          ";
    }
}

// A spacing in degrees, as minutes or seconds.
static void print_angle(double degrees)
{
    if (degrees * 60 >= 0.999)
        printf(" (%.6g arcmin)", degrees * 60);
    else
        printf(" (%.6g arcsec)", degrees * 3600);
}

static void print_axis(const struct grid_info *info, bool is_x)
{
    const double *nodes = is_x ? info->x : info->y;
    size_t count = is_x ? info->nx : info->ny;
    bool is_even = is_x ? info->is_x_uniform : info->is_y_uniform;
    double least = INFINITY, most = 0;
    for (size_t k = 1; k < count; k++) {
        least = fmin(least, nodes[k] - nodes[k - 1]);
        most = fmax(most, nodes[k] - nodes[k - 1]);
    }
    const char *unit = info->is_geographic ? "degree" : info->are_axes_open ? "degree or m" : "m";
    printf("%-10s %.9g … %.9g %s, ",
           info->is_geographic ? (is_x ? "longitude" : "latitude") : (is_x ? "x" : "y"), nodes[0],
           nodes[count - 1], unit);
    if (is_even) {
        double spacing = (nodes[count - 1] - nodes[0]) / (double)(count - 1);
        printf("spacing %.7g", spacing);
        if (info->is_geographic)
            print_angle(spacing);
        printf(", even");
    } else {
        printf("uneven: spacing %.7g … %.7g", least, most);
    }
    if (is_x && info->wraps)
        printf(", goes round the Earth%s", info->nx_once < info->nx ? " (repeats itself at the end)" : "");
    putchar('\n');
}

// A grid of one record that is not stated to be an uplift may also be bathymetry: both suggestions are
// printed.
static bool may_be_bathymetry(const struct inspection *inspection)
{
    return !inspection->uplift.is_stated && grid_info(inspection->file)->records == 1;
}

static void print_sign(const struct grid_info *info)
{
    const char *word = sign_word(info->file_positive);
    if (word != NULL)
        printf("sign       positive %s: %s\n", word,
               info->file_positive == GRID_POSITIVE_UP ? "elevations" : "depths");
    else
        printf("sign       the file does not state whether the values are elevations or depths\n");
}

static enum status print_suggestion(const struct inspection *inspection)
{
    cJSON *open = cJSON_CreateArray();
    const enum status status = info_job_print("bathymetry", suggest(inspection, open));
    for (int k = 0; k < cJSON_GetArraySize(open); k++)
        printf("%s %s\n", k == 0 ? "to decide " : "          ",
               cJSON_GetStringValue(cJSON_GetArrayItem(open, k)));
    cJSON_Delete(open);
    return status;
}

// The coordinate system that the file states.
static enum status print_crs(const struct inspection *inspection)
{
    struct geo_crs crs;
    const char *code = grid_info(inspection->file)->crs;
    if (!code[0])
        return STATUS_OK;
    CHECK(geo_crs_parse(inspection->path, code, &crs));
    printf("system     %s, %s\n", code, crs.name);
    return STATUS_OK;
}

static enum status print_grid(const struct inspection *inspection)
{
    const struct grid_info *info = grid_info(inspection->file);
    printf("grid       %s: %zu × %zu nodes", UTF8_SHOWN(info->variable), info->nx, info->ny);
    if (info->records > 1) {
        printf(", %zu records", info->records);
        if (info->times_s != NULL)
            printf(" over %.6g s", info->times_s[info->records - 1]);
        printf(" (below: record %lld)", (long long)inspection->record);
    }
    putchar('\n');
    print_axis(info, true);
    print_axis(info, false);
    CHECK(print_crs(inspection));
    printf("values     %.7g … %.7g %s, %zu missing\n", inspection->scan.minimum, inspection->scan.maximum,
           info->file_units[0] != '\0' ? UTF8_SHOWN(info->file_units) : "(no units)",
           inspection->scan.missing);
    if (inspection->scan.rows < info->ny)
        printf("           of a sample of %zu of the %zu rows; --all reads every value\n",
               inspection->scan.rows, info->ny);
    if (inspection->uplift.is_wanted)
        CHECK(info_uplift_print(inspection->file, &inspection->uplift));
    if (inspection->uplift.is_wanted && !may_be_bathymetry(inspection))
        return STATUS_OK;
    print_sign(info);
    return info->records == 1 ? print_suggestion(inspection)
                              : STATUS_OK; // a grid with several records is not bathymetry
}

static enum status print_text(const struct inspection *inspection)
{
    char unit[UNITS_AFTER_BYTES];
    const size_t count = inspection->time_count;
    printf("file       %s\nformat     %s\n", UTF8_SHOWN(inspection->path),
           grid_format_name(inspection->format));
    if (inspection->listing != NULL)
        print_variables(inspection);
    if (count > 0)
        printf("time       %zu record%s, %.9g … %.9g%s\n", count, count == 1 ? "" : "s",
               inspection->time_span[0], inspection->time_span[1],
               UTF8_SHOWN(units_after(inspection->time_units, unit)));
    if (inspection->volumes.count > 0)
        return info_volumes_print(inspection->path, &inspection->volumes);
    if (inspection->file != NULL)
        return print_grid(inspection);
    if (inspection->grids.count > 1)
        printf("grids      %zu; choose one with --variable\n", inspection->grids.count);
    else
        printf("grids      none: no variable has an x and a y axis\n");
    return STATUS_OK;
}

// ---- JSON

static void add_axis(cJSON *object, const char *name, const double *nodes, size_t count, bool is_even)
{
    cJSON *axis = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(axis, "nodes", (double)count);
    cJSON_AddNumberToObject(axis, "first", nodes[0]);
    cJSON_AddNumberToObject(axis, "last", nodes[count - 1]);
    cJSON_AddNumberToObject(axis, "mean_spacing", (nodes[count - 1] - nodes[0]) / (double)(count - 1));
    cJSON_AddBoolToObject(axis, "even", is_even);
}

static void add_variables(const struct inspection *inspection, cJSON *report)
{
    cJSON *variables = cJSON_AddArrayToObject(report, "variables");
    for (size_t k = 0; k < result_variable_count(inspection->listing); k++) {
        const struct result_variable *variable = result_variable_at(inspection->listing, k);
        if (variable->name[0] == '\0')
            continue;
        cJSON *item = json_append_object(variables);
        cJSON_AddStringToObject(item, "name", variable->name);
        cJSON_AddStringToObject(item, "units", variable->units);
        cJSON *dimensions = cJSON_AddArrayToObject(item, "dimensions");
        cJSON *lengths = cJSON_AddArrayToObject(item, "lengths");
        for (int d = 0; d < variable->rank; d++) {
            cJSON_AddItemToArray(dimensions, cJSON_CreateString(variable->dimensions[d]));
            cJSON_AddItemToArray(lengths, cJSON_CreateNumber((double)variable->lengths[d]));
        }
    }
}

static void add_grid(const struct inspection *inspection, cJSON *report)
{
    const struct grid_info *info = grid_info(inspection->file);
    cJSON *grid = cJSON_AddObjectToObject(report, "grid");
    cJSON_AddStringToObject(grid, "variable", info->variable);
    cJSON_AddStringToObject(grid, "units", info->file_units);
    cJSON_AddStringToObject(grid, "axes",
                            info->are_axes_open   ? "unknown"
                            : info->is_geographic ? "geographic"
                                                  : "plane");
    if (info->crs[0])
        cJSON_AddStringToObject(grid, "crs", info->crs);
    add_axis(grid, "x", info->x, info->nx, info->is_x_uniform);
    add_axis(grid, "y", info->y, info->ny, info->is_y_uniform);
    cJSON_AddBoolToObject(grid, "goes_round", info->wraps);
    cJSON_AddNumberToObject(grid, "columns_once_round", (double)info->nx_once);
    cJSON_AddNumberToObject(grid, "records", (double)info->records);
    cJSON_AddNumberToObject(grid, "record", (double)inspection->record);
    cJSON_AddNumberToObject(grid, "rows_read", (double)inspection->scan.rows);
    cJSON_AddBoolToObject(grid, "is_sample", inspection->scan.rows < info->ny);
    cJSON_AddNumberToObject(grid, "minimum", inspection->scan.minimum);
    cJSON_AddNumberToObject(grid, "maximum", inspection->scan.maximum);
    cJSON_AddNumberToObject(grid, "missing", (double)inspection->scan.missing);
    const char *sign = sign_word(info->file_positive);
    if (sign != NULL)
        cJSON_AddStringToObject(grid, "positive", sign);
    else
        cJSON_AddNullToObject(grid, "positive");
    if (inspection->uplift.is_wanted) {
        info_uplift_add(report, inspection->file, &inspection->uplift);
        if (!may_be_bathymetry(inspection))
            return;
    }
    if (info->records > 1)
        return; // a grid with several records is not bathymetry
    cJSON *open = cJSON_CreateArray();
    cJSON_AddItemToObject(report, "bathymetry", suggest(inspection, open));
    cJSON_AddItemToObject(report, inspection->uplift.is_wanted ? "to_decide_bathymetry" : "to_decide", open);
}

static enum status print_json(const struct inspection *inspection)
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "file", inspection->path);
    cJSON_AddStringToObject(report, "format", grid_format_name(inspection->format));
    if (inspection->listing != NULL)
        add_variables(inspection, report);
    if (inspection->time_count > 0) {
        cJSON *time = cJSON_AddObjectToObject(report, "time");
        cJSON_AddNumberToObject(time, "records", (double)inspection->time_count);
        cJSON_AddNumberToObject(time, "first", inspection->time_span[0]);
        cJSON_AddNumberToObject(time, "last", inspection->time_span[1]);
        cJSON_AddStringToObject(time, "units", inspection->time_units);
    }
    if (inspection->volumes.count > 0)
        info_volumes_add(report, inspection->path, &inspection->volumes);
    if (inspection->file != NULL)
        add_grid(inspection, report);
    return options_print_json(report);
}

// ---- command line

static enum status take_record(void *context, const char *name, const char *value)
{
    struct inspection *file = context;
    return options_count(name, value, 0, INT32_MAX, &file->record);
}

// Formats are told by opening the file several times: a pipe would be empty the second time, or no process
// would ever write to it.
static enum status check_regular(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return FAIL(path_open_status(errno), "%s: cannot be opened: %s", path, strerror(errno));
    if (S_ISREG(about.st_mode))
        return STATUS_OK;
    return FAIL(STATUS_NO_INPUT, "%s is a %s; a file or a run's folder is expected", path,
                S_ISFIFO(about.st_mode)   ? "pipe"
                : S_ISSOCK(about.st_mode) ? "socket"
                                          : "device");
}

static enum status inspect(struct inspection *inspection, const char *name)
{
    char path[PATH_BYTES];
    CHECK(path_find(name, NULL, path));
    CHECK(check_regular(path));
    inspection->path = path;
    if (nifti_is(path)) {
        if (inspection->variable || inspection->event || inspection->record != 0)
            return FAIL(STATUS_USAGE, "--variable, --event and --record are not for images, %s is one", path);
        return info_image(path, inspection->as_json);
    }
    bool is_job;
    CHECK(info_json_is_for(path, &is_job));
    if (is_job) {
        if (inspection->variable || inspection->event || inspection->record != 0 || inspection->reads_all)
            return FAIL(STATUS_USAGE, "%s: --variable, --event, --record and --all are not for jobs", path);
        return info_json(path, inspection->as_json);
    }
    if (info_earthquake_is_for(path)) {
        if (inspection->variable || inspection->record != 0 || inspection->reads_all)
            return FAIL(STATUS_USAGE,
                        "%s: --variable, --record and --all are for grids; see fathom info --help", path);
        return info_earthquake(path, inspection->event, inspection->as_json);
    }
    if (!inspection->event && inspection->record == 0 && info_pressure_is_for(path))
        return info_pressure(path, inspection->variable, inspection->as_json);
    if (inspection->event)
        return FAIL(STATUS_USAGE, "%s: --event is for files of moment tensors; see fathom info --help", path);
    enum status status = gather(inspection);
    if (status == STATUS_OK)
        status = inspection->as_json ? print_json(inspection) : print_text(inspection);
    grid_close(inspection->file);
    result_close(inspection->listing);
    return status;
}

// A file, or the folder of a run.
static enum status describe(struct inspection *inspection, const char *path)
{
    if (!info_run_is_for(path))
        return inspect(inspection, path);
    if (inspection->variable || inspection->event || inspection->record != 0 || inspection->reads_all)
        return FAIL(STATUS_USAGE,
                    "--variable, --event, --record and --all are for files; see fathom info --help");
    return info_run(path, inspection->as_json);
}

int command_info(int argc, char **argv)
{
    static struct inspection inspection; // larger than the stack that ulimit -s may allow
    const struct option_row rows[] = {
        {"variable", .text = &inspection.variable}, {"record", .take = take_record},
        {"event", .text = &inspection.event},       {"all", .flag = &inspection.reads_all},
        {"json", .flag = &inspection.as_json},      {NULL}};
    int code;
    if (!options_read(argc, argv, help, rows, &inspection, &code))
        return code;
    enum status status = argc - optind == 1
                             ? output_check_published(argv[optind])
                             : FAIL(STATUS_USAGE, "info needs one file or folder; see fathom info --help");
    if (status == STATUS_OK)
        status = describe(&inspection, argv[optind]);
    return status == STATUS_OK ? 0 : options_report_failure(status);
}
