// `fathom info FILE`: what is in a grid file or a result file, and what a job still has to say to use it; a
// run's folder is info_run.c's.
// Knows the files of io only: no job, no model. Everything is gathered first, then printed as text or JSON.
#include "cli/commands.h"
#include "cli/info_run.h"
#include "cli/options.h"
#include "core/clock.h"
#include "core/progress.h"
#include "core/status.h"
#include "io/grid/grid.h"
#include "io/netcdf/result.h"
#include "io/path.h"
#include "io/units.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file with more values is looked over by a sample of about SAMPLE_VALUES, unless --all is given.
static const double whole_values_most = 0x1p29, sample_values = 0x1p26, silent_s = 2;

static const char help[] =
    "Usage: fathom info [OPTIONS] FILE|FOLDER\n"
    "\n"
    "Says what is in a grid (netCDF, MOST, ESRI ASCII, Surfer 6 and 7, GeoClaw tt3) or a netCDF result:\n"
    "format, variables, extent, spacing, whether the spacing is even and the grid goes round the Earth,\n"
    "the range of the values and how many are missing, whether they are depths or elevations; and the\n"
    "lines for a job that uses the file as bathymetry, with what the file leaves open. Values are read\n"
    "part by part: any size of file will do. Of a grid with more than 537 million nodes a sample of the\n"
    "rows is read, and the output says so.\n"
    "Of a run's FOLDER, or its run.json: title, model, whether the run is finished, what its checks and\n"
    "rules said, warnings, and the files with their sizes and variables.\n"
    "\n"
    "Options:\n"
    "      --variable NAME  look at this variable of a netCDF file (default: the only grid in it)\n"
    "      --record N       of a grid over time, from 0 (default: 0)\n"
    "      --all            read every value of a grid of any size\n"
    "      --json           as JSON\n"
    "  -h, --help           this text\n"
    "\n"
    "Exit status: 0 read; 64 wrong command line; 65 not a known or a damaged file; 66 it cannot be\n"
    "opened, or the folder holds no run; 74 reading failed.\n";

struct look {
    const char *path, *variable;
    int64_t record;
    bool as_json, reads_all;
    enum grid_format format;
    struct result_file *listing;     // netCDF only
    struct grid_variable_list grids; // netCDF only
    struct grid_file *file;          // the grid that is looked at, or NULL
    struct grid_scan scan;           // what was found in it
    // The time axis of a netCDF file; time_count = 0 without one.
    size_t time_count;
    double time_span[2];
    char time_units[RESULT_UNITS_BYTES], title[256];
};

// ---- gathering

struct display {
    struct progress progress;
    bool is_drawn;
    double start_s;
};

// Quick work is done in silence.
static void show_progress(void *context, double rows_read, double rows)
{
    struct display *display = context;
    if (!display->is_drawn && clock_now_s() - display->start_s >= silent_s) {
        const struct progress_options options = {.enabled = true,
                                                 .descriptor = STDERR_FILENO,
                                                 .duration_s = rows,
                                                 .time_unit = "rows",
                                                 .time_name = "read"};
        progress_start(&display->progress, &options, rows_read);
        display->is_drawn = true;
    }
    if (display->is_drawn)
        progress_update(&display->progress, rows_read, 0);
}

static enum status scan_values(struct look *look)
{
    const struct grid_info *info = grid_info(look->file);
    const double nodes = (double)info->nx * (double)info->ny;
    struct display display = {.start_s = clock_now_s()};
    look->scan = (struct grid_scan){.progress = show_progress, .context = &display};
    if (nodes > whole_values_most && !look->reads_all)
        look->scan.rows_most = (size_t)fmax(sample_values / (double)info->nx, 1);
    const enum status status = grid_scan(look->file, &look->scan);
    if (display.is_drawn)
        progress_finish(&display.progress, status == STATUS_OK ? "done" : "stopped");
    return status;
}

// The time axis: the variable named "time", or one whose units count since a date. NULL: the file has no time
// axis.
static const struct result_variable *find_time(const struct look *look)
{
    for (size_t k = 0; k < result_variable_count(look->listing); k++) {
        const struct result_variable *variable = result_variable_at(look->listing, k);
        bool is_time = strcmp(variable->name, "time") == 0 || strstr(variable->units, " since ") != NULL;
        if (is_time && variable->rank == 1 && !variable->is_text && variable->lengths[0] > 0)
            return variable;
    }
    return NULL;
}

static enum status read_time_span(struct look *look)
{
    const struct result_variable *time = find_time(look);
    if (time == NULL)
        return STATUS_OK;
    size_t one = 1, first = 0, last = time->lengths[0] - 1;
    CHECK(result_read(look->listing, time->name, &first, &one, &look->time_span[0]));
    CHECK(result_read(look->listing, time->name, &last, &one, &look->time_span[1]));
    snprintf(look->time_units, sizeof look->time_units, "%s", time->units);
    look->time_count = time->lengths[0];
    return STATUS_OK;
}

static enum status gather(struct look *look)
{
    CHECK(grid_identify(look->path, &look->format));
    if (look->format == GRID_FORMAT_NETCDF) {
        CHECK(grid_list_variables(look->path, &look->grids));
        CHECK(result_open(look->path, &look->listing));
        result_attribute(look->listing, NULL, "title", look->title, sizeof look->title);
        CHECK(read_time_span(look));
        result_keep_list(look->listing); // open twice, the grid would be read with the other one's cache
        if (look->variable == NULL && look->grids.count != 1)
            return STATUS_OK; // nothing to look at more closely, or several
    } else if (look->variable != NULL) {
        return FAIL(STATUS_USAGE, "%s: --variable is for netCDF files, this is %s", look->path,
                    grid_format_name(look->format));
    }
    struct grid_request request = {.path = look->path,
                                   .variable = look->variable,
                                   .positive = GRID_PLAIN,
                                   .format = look->format,
                                   .time_index = look->record,
                                   .axes = GRID_AXES_LEAVE_OPEN};
    CHECK(grid_open(&request, &look->file));
    return scan_values(look);
}

static void release(struct look *look)
{
    grid_close(look->file);
    result_close(look->listing);
}

static const char *sign_word(enum grid_positive positive)
{
    return positive == GRID_POSITIVE_UP ? "up" : positive == GRID_POSITIVE_DOWN ? "down" : NULL;
}

// The job's "bathymetry" for this file. What only the user knows is "?", and named in `open`.
static cJSON *suggest(const struct look *look, cJSON *open)
{
    const struct grid_info *info = grid_info(look->file);
    cJSON *job = cJSON_CreateObject();
    cJSON_AddStringToObject(job, "file", look->path);
    if (look->format == GRID_FORMAT_NETCDF)
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
        printf("%s%s %zu", k == 0 ? " (" : ", ", variable->dimensions[k], variable->lengths[k]);
    if (variable->rank > 0)
        putchar(')');
}

static void print_variables(const struct look *look)
{
    if (look->title[0] != '\0')
        printf("title      %s\n", look->title);
    const char *label = "variables ";
    for (size_t k = 0; k < result_variable_count(look->listing); k++) {
        const struct result_variable *variable = result_variable_at(look->listing, k);
        if (variable->name[0] == '\0')
            continue;
        printf("%s %s", label, variable->name);
        print_shape(variable);
        printf("%s%s%s\n", variable->units[0] != '\0' ? ", " : "", variable->units,
               variable->is_text ? ", text" : "");
        label = "          ";
    }
}

// A spacing in degrees as people say it.
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

static void print_sign(const struct grid_info *info)
{
    const char *word = sign_word(info->file_positive);
    if (word != NULL)
        printf("sign       positive %s: %s\n", word,
               info->file_positive == GRID_POSITIVE_UP ? "elevations" : "depths");
    else
        printf("sign       the file does not say whether the values are elevations or depths\n");
}

static enum status print_suggestion(const struct look *look)
{
    cJSON *open = cJSON_CreateArray();
    cJSON *job = suggest(look, open);
    char *text = utf8_print_json_line(job);
    if (text != NULL) {
        printf("in a job   \"bathymetry\": %s\n", text);
        for (int k = 0; k < cJSON_GetArraySize(open); k++)
            printf("%s %s\n", k == 0 ? "to decide " : "          ",
                   cJSON_GetStringValue(cJSON_GetArrayItem(open, k)));
    }
    bool has_text = text != NULL;
    free(text);
    cJSON_Delete(job);
    cJSON_Delete(open);
    return has_text ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for the suggestion");
}

static enum status print_grid(const struct look *look)
{
    const struct grid_info *info = grid_info(look->file);
    printf("grid       %s: %zu × %zu nodes", info->variable, info->nx, info->ny);
    if (info->records > 1) {
        printf(", %zu records", info->records);
        if (info->times_s != NULL)
            printf(" over %.6g s", info->times_s[info->records - 1]);
        printf(" (below: record %lld)", (long long)look->record);
    }
    putchar('\n');
    print_axis(info, true);
    print_axis(info, false);
    printf("values     %.7g … %.7g %s, %zu missing\n", look->scan.minimum, look->scan.maximum,
           info->file_units[0] != '\0' ? info->file_units : "(no units)", look->scan.missing);
    if (look->scan.rows < info->ny)
        printf("           of a sample of %zu of the %zu rows; --all reads every value\n", look->scan.rows,
               info->ny);
    print_sign(info);
    return info->records == 1 ? print_suggestion(look) : STATUS_OK; // what changes with time is no sea floor
}

static enum status print_text(const struct look *look)
{
    char unit[UNITS_AFTER_BYTES];
    const size_t count = look->time_count;
    printf("file       %s\nformat     %s\n", look->path, grid_format_name(look->format));
    if (look->listing != NULL)
        print_variables(look);
    if (count > 0)
        printf("time       %zu record%s, %.9g … %.9g%s\n", count, count == 1 ? "" : "s", look->time_span[0],
               look->time_span[1], units_after(look->time_units, unit));
    if (look->file != NULL)
        return print_grid(look);
    if (look->grids.count > 1)
        printf("grids      %zu of them: look at one with --variable\n", look->grids.count);
    else
        printf("grids      none: no variable has an x and a y axis\n");
    return STATUS_OK;
}

// ---- JSON

// NaN is no JSON: an absent value is null.
static void add_number(cJSON *object, const char *name, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static void add_axis(cJSON *object, const char *name, const double *nodes, size_t count, bool is_even)
{
    cJSON *axis = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(axis, "nodes", (double)count);
    cJSON_AddNumberToObject(axis, "first", nodes[0]);
    cJSON_AddNumberToObject(axis, "last", nodes[count - 1]);
    cJSON_AddNumberToObject(axis, "mean_spacing", (nodes[count - 1] - nodes[0]) / (double)(count - 1));
    cJSON_AddBoolToObject(axis, "even", is_even);
}

static void add_variables(const struct look *look, cJSON *report)
{
    cJSON *variables = cJSON_AddArrayToObject(report, "variables");
    for (size_t k = 0; k < result_variable_count(look->listing); k++) {
        const struct result_variable *variable = result_variable_at(look->listing, k);
        if (variable->name[0] == '\0')
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", variable->name);
        cJSON_AddStringToObject(item, "units", variable->units);
        cJSON *dimensions = cJSON_AddArrayToObject(item, "dimensions");
        cJSON *lengths = cJSON_AddArrayToObject(item, "lengths");
        for (int d = 0; d < variable->rank; d++) {
            cJSON_AddItemToArray(dimensions, cJSON_CreateString(variable->dimensions[d]));
            cJSON_AddItemToArray(lengths, cJSON_CreateNumber((double)variable->lengths[d]));
        }
        cJSON_AddItemToArray(variables, item);
    }
}

static void add_grid(const struct look *look, cJSON *report)
{
    const struct grid_info *info = grid_info(look->file);
    cJSON *grid = cJSON_AddObjectToObject(report, "grid");
    cJSON_AddStringToObject(grid, "variable", info->variable);
    cJSON_AddStringToObject(grid, "units", info->file_units);
    cJSON_AddStringToObject(grid, "axes",
                            info->are_axes_open   ? "unknown"
                            : info->is_geographic ? "geographic"
                                                  : "plane");
    add_axis(grid, "x", info->x, info->nx, info->is_x_uniform);
    add_axis(grid, "y", info->y, info->ny, info->is_y_uniform);
    cJSON_AddBoolToObject(grid, "goes_round", info->wraps);
    cJSON_AddNumberToObject(grid, "columns_once_round", (double)info->nx_once);
    cJSON_AddNumberToObject(grid, "records", (double)info->records);
    cJSON_AddNumberToObject(grid, "record", (double)look->record);
    cJSON_AddNumberToObject(grid, "rows_read", (double)look->scan.rows);
    cJSON_AddBoolToObject(grid, "is_sample", look->scan.rows < info->ny);
    add_number(grid, "minimum", look->scan.minimum);
    add_number(grid, "maximum", look->scan.maximum);
    cJSON_AddNumberToObject(grid, "missing", (double)look->scan.missing);
    const char *sign = sign_word(info->file_positive);
    if (sign != NULL)
        cJSON_AddStringToObject(grid, "positive", sign);
    else
        cJSON_AddNullToObject(grid, "positive");
    if (info->records > 1)
        return; // what changes with time is no sea floor
    cJSON *open = cJSON_CreateArray();
    cJSON_AddItemToObject(report, "bathymetry", suggest(look, open));
    cJSON_AddItemToObject(report, "to_decide", open);
}

static enum status print_json(const struct look *look)
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "file", look->path);
    cJSON_AddStringToObject(report, "format", grid_format_name(look->format));
    if (look->listing != NULL)
        add_variables(look, report);
    if (look->time_count > 0) {
        cJSON *time = cJSON_AddObjectToObject(report, "time");
        cJSON_AddNumberToObject(time, "records", (double)look->time_count);
        add_number(time, "first", look->time_span[0]);
        add_number(time, "last", look->time_span[1]);
        cJSON_AddStringToObject(time, "units", look->time_units);
    }
    if (look->file != NULL)
        add_grid(look, report);
    char *text = utf8_print_json(report);
    cJSON_Delete(report);
    if (text == NULL)
        return FAIL(STATUS_SYSTEM, "no memory for the report as JSON");
    puts(text);
    free(text);
    return STATUS_OK;
}

// ---- command line

int command_info(int argc, char **argv)
{
    static const struct option options[] = {{"variable", required_argument, NULL, 'v'},
                                            {"record", required_argument, NULL, 'r'},
                                            {"all", no_argument, NULL, 'a'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct look look = {0};
    enum status status = STATUS_OK;
    for (int option; (option = options_next(argc, argv, "h", options)) != -1;) {
        switch (option) {
        case 'v':
            look.variable = optarg;
            break;
        case 'r':
            status = options_record(optarg, &look.record);
            if (status != STATUS_OK)
                return options_report_failure(status);
            break;
        case 'a':
            look.reads_all = true;
            break;
        case 'j':
            look.as_json = true;
            break;
        case 'h':
            fputs(help, stdout);
            return 0;
        default:
            return status_exit_code(STATUS_USAGE); // the reason was said
        }
    }
    if (argc - optind != 1) {
        fputs("fathom: info needs one file or folder; see fathom info --help\n", stderr);
        return status_exit_code(STATUS_USAGE);
    }
    char path[PATH_BYTES];
    look.path = path;
    if (info_run_is_for(argv[optind])) {
        if (look.variable || look.record != 0 || look.reads_all) {
            fputs("fathom: --variable, --record and --all are for files; see fathom info --help\n", stderr);
            return status_exit_code(STATUS_USAGE);
        }
        status = info_run(argv[optind], look.as_json);
        return status == STATUS_OK ? 0 : options_report_failure(status);
    }
    status = path_find(argv[optind], NULL, path);
    if (status == STATUS_OK)
        status = gather(&look);
    if (status == STATUS_OK)
        status = look.as_json ? print_json(&look) : print_text(&look);
    release(&look);
    return status == STATUS_OK ? 0 : options_report_failure(status);
}
