// Opens a grid of any format and reads its rows. Order, axes, units and sign are determined here for all
// formats; only the format readers depend on the layout of a file. Independent of models.
#include "io/grid/internal.h"
#include "io/path.h"
#include "io/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The columns are periodic if the gap from the last column to the first + 360 degrees differs from the
// spacing by less than this fraction of it: ETOPO5 as distributed is off by 4 %.
static const double wrap_fraction = 0.1;

// Upper limit, as a fraction of the spacing, of the tolerance within which a position counts as a node,
// however coarsely the axis is rounded.
static const double node_fraction_max = 0.01;

typedef enum status open_function(const struct grid_request *request, struct grid_file *file);

static open_function *opener_of(enum grid_format format)
{
    switch (format) {
    case GRID_FORMAT_NETCDF:
        return grid_open_netcdf;
    case GRID_FORMAT_MOST:
        return grid_open_most;
    case GRID_FORMAT_ESRI_ASCII:
        return grid_open_esri;
    case GRID_FORMAT_SURFER6:
        return grid_open_surfer6;
    case GRID_FORMAT_SURFER7:
        return grid_open_surfer7;
    case GRID_FORMAT_GEOCLAW_TT3:
        return grid_open_geoclaw;
    case GRID_FORMAT_GEOTIFF:
        return grid_open_geotiff;
    case GRID_FORMAT_AUTO:
        break;
    }
    return NULL;
}

static bool could_be_degrees(const struct grid_file *file)
{
    for (size_t k = 0; k < file->info.nx; k++)
        if (!(file->x[k] >= -360 && file->x[k] <= 720))
            return false;
    for (size_t k = 0; k < file->info.ny; k++)
        if (!(fabs(file->y[k]) <= 90.001)) // a pole may be rounded
            return false;
    return true;
}

static enum status choose_axes_kind(const struct grid_request *request, struct grid_file *file)
{
    bool user_states = request->axes == GRID_AXES_GEOGRAPHIC || request->axes == GRID_AXES_PLANE;
    bool file_states = file->file_axes != GRID_AXES_AS_FILE;
    if (user_states && file_states && request->axes != file->file_axes)
        return FAIL(STATUS_CONFIGURATION, "%s: the axes are given as %s, but the file states %s", file->path,
                    request->axes == GRID_AXES_GEOGRAPHIC ? "geographic" : "plane",
                    file->file_axes == GRID_AXES_GEOGRAPHIC ? "degrees" : "a length");
    enum grid_axes_kind kind = user_states ? request->axes : file->file_axes;
    if (kind == GRID_AXES_AS_FILE) {
        kind = GRID_AXES_PLANE;
        file->info.are_axes_open = could_be_degrees(file);
        if (file->info.are_axes_open && request->axes != GRID_AXES_LEAVE_OPEN)
            return FAIL(STATUS_DATA,
                        "%s: the axes (x %.6g … %.6g, y %.6g … %.6g) could be degrees or metres and the file "
                        "does not state which: add \"axes\": \"geographic\" or \"plane\"",
                        file->path, file->x[0], file->x[file->info.nx - 1], file->y[0],
                        file->y[file->info.ny - 1]);
    }
    file->info.is_geographic = kind == GRID_AXES_GEOGRAPHIC;
    if (file->info.is_geographic && !could_be_degrees(file))
        return FAIL(STATUS_DATA,
                    "%s: the axes (x %.6g … %.6g, y %.6g … %.6g) cannot be degrees (−360 … 720, −90 … 90): "
                    "are they metres (\"axes\": \"plane\")?",
                    file->path, file->x[0], file->x[file->info.nx - 1], file->y[0],
                    file->y[file->info.ny - 1]);
    return STATUS_OK;
}

// Determines whether the columns cover the full circle, and how many there are before they repeat.
static void find_period(struct grid_file *file)
{
    struct grid_info *info = &file->info;
    info->nx_once = info->nx;
    info->wraps = false;
    if (!info->is_geographic)
        return;
    double step = (file->x[info->nx - 1] - file->x[0]) / (double)(info->nx - 1);
    double margin = wrap_fraction * step;
    size_t once = info->nx;
    while (once > 1 && file->x[once - 1] > file->x[0] + 360 - margin)
        once--;
    double gap = file->x[0] + 360 - file->x[once - 1];
    // If the spacing varies, the gap is compared with the spacing at the ends of the axis.
    double near = fmax(file->x[1] - file->x[0], once < 2 ? 0 : file->x[once - 1] - file->x[once - 2]);
    if (once < info->nx)
        near = fmax(near, file->x[once] - file->x[once - 1]);
    if (once < 2 || gap > near + margin)
        return;
    info->wraps = true;
    info->nx_once = once;
    if (info->is_x_uniform) // deviations are rounding errors of the file: use the exact circle
        for (size_t k = 1; k < info->nx; k++)
            file->x[k] = file->x[0] + 360.0 * (double)k / (double)once;
}

static enum status check_axes(const struct grid_request *request, struct grid_file *file)
{
    struct grid_info *info = &file->info;
    struct grid_axis_report report;
    CHECK(choose_axes_kind(request, file));
    CHECK(grid_settle_axis(file->path, info->is_geographic ? "longitude" : "x", file->x, info->nx,
                           file->is_x_float, info->is_geographic, &report));
    file->is_x_reversed = report.is_reversed;
    file->x_tolerance = fmin(report.tolerance, node_fraction_max * (file->x[info->nx - 1] - file->x[0]) /
                                                   (double)(info->nx - 1));
    info->is_x_uniform = report.is_uniform;
    CHECK(grid_settle_axis(file->path, info->is_geographic ? "latitude" : "y", file->y, info->ny,
                           file->is_y_float, false, &report));
    file->is_y_reversed = report.is_reversed;
    file->y_tolerance = fmin(report.tolerance, node_fraction_max * (file->y[info->ny - 1] - file->y[0]) /
                                                   (double)(info->ny - 1));
    info->is_y_uniform = report.is_uniform;
    find_period(file);
    return STATUS_OK;
}

static const char *meaning_of(enum grid_positive positive)
{
    return positive == GRID_POSITIVE_UP ? "elevations" : "depths";
}

static const char *how_to_override(const struct grid_request *request)
{
    return request->override_word != NULL ? request->override_word : "\"override\": true";
}

// For messages: "FILE: variable NAME", or the file alone where a format has no names.
static const char *about_values(const struct grid_file *file, char text[PATH_BYTES + GRID_NAME_BYTES + 16])
{
    snprintf(text, PATH_BYTES + GRID_NAME_BYTES + 16, "%s%s%s", file->path,
             file->variable[0] != '\0' ? ": variable " : "", file->variable);
    return text;
}

// Compares the user's sign with the file's. By convention ESRI ASCII and tt3 files hold elevations. A file
// with depths is unusual but valid, so the user's sign then only gives a warning.
static enum status check_sign(const struct grid_request *request, struct grid_file *file)
{
    enum grid_positive given = request->positive;
    if ((given != GRID_POSITIVE_UP && given != GRID_POSITIVE_DOWN) || file->file_positive == GRID_AS_FILE ||
        given == file->file_positive)
        return STATUS_OK;
    char about[PATH_BYTES + GRID_NAME_BYTES + 16], statement[sizeof file->sign_statement];
    const bool is_convention = file->sign_statement[0] == '\0' && file->info.format != GRID_FORMAT_MOST;
    snprintf(statement, sizeof statement, "%s",
             file->sign_statement[0] != '\0' ? file->sign_statement : grid_format_name(file->info.format));
    if (!is_convention && !request->overrides)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: \"positive\": \"%s\" (%s) contradicts the file, which states %s (%s): leave "
                    "\"positive\" out; if it is the file that is wrong, add %s",
                    about_values(file, about), given == GRID_POSITIVE_UP ? "up" : "down", meaning_of(given),
                    statement, meaning_of(file->file_positive), how_to_override(request));
    if (is_convention)
        snprintf(file->set_aside, sizeof file->set_aside,
                 "values read as %s, although %s files usually hold %s", meaning_of(given), statement,
                 meaning_of(file->file_positive));
    else
        snprintf(file->set_aside, sizeof file->set_aside,
                 "values read as %s, although the file states %s (%s)", meaning_of(given), statement,
                 meaning_of(file->file_positive));
    return STATUS_OK;
}

// Compares the user's unit with the file's.
static enum status check_units(const struct grid_request *request, struct grid_file *file)
{
    bool contradict;
    if (request->units == NULL || !file->states_units)
        return STATUS_OK;
    CHECK_ABOUT(units_contradict(request->units, file->units, &contradict), "%s: \"units\"", file->path);
    if (!contradict)
        return STATUS_OK;
    char about[PATH_BYTES + GRID_NAME_BYTES + 16];
    if (!request->overrides)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: \"units\": \"%s\" contradicts the file, which states units = \"%s\": leave "
                    "\"units\" out; if it is the file that is wrong, add %s",
                    about_values(file, about), request->units, file->units, how_to_override(request));
    const size_t used = strlen(file->set_aside);
    snprintf(file->set_aside + used, sizeof file->set_aside - used,
             "%svalues read in %.80s, although the file states units = \"%.80s\"", used > 0 ? "; " : "",
             request->units, file->units);
    return STATUS_OK;
}

static enum status choose_units_and_sign(const struct grid_request *request, struct grid_file *file)
{
    file->slope = 1;
    file->offset = 0;
    CHECK(check_sign(request, file));
    CHECK(check_units(request, file));
    const char *units = request->units != NULL ? request->units : file->units;
    if (request->target_units != NULL) {
        if (units[0] == '\0')
            return FAIL(STATUS_DATA, "%s: variable %s has no units: add \"units\": \"%s\" (or what it is in)",
                        file->path, file->variable, request->target_units);
        CHECK_ABOUT(units_conversion(units, request->target_units, &file->slope, &file->offset),
                    "%s: variable %s", file->path, file->variable);
    }
    enum grid_positive positive = request->positive == GRID_AS_FILE ? file->file_positive : request->positive;
    if (positive == GRID_AS_FILE)
        return FAIL(STATUS_DATA,
                    "%s: variable %s does not state whether it is an elevation or a depth%s%s%s: add "
                    "\"positive\": \"up\" or \"down\"",
                    file->path, file->variable, file->sign_statement[0] != '\0' ? " (it states both: " : "",
                    file->sign_statement, file->sign_statement[0] != '\0' ? ")" : "");
    if (positive == GRID_POSITIVE_UP) {
        file->slope = -file->slope;
        file->offset = -file->offset;
    }
    return STATUS_OK;
}

static enum status select_record(const struct grid_request *request, struct grid_file *file)
{
    if (request->time_index < 0 && file->info.records > 1)
        return FAIL(
            STATUS_CONFIGURATION,
            "%s: variable %s has %zu records, expected one: extract it with fathom convert --record N "
            "(0 … %zu)",
            file->path, file->variable, file->info.records, file->info.records - 1);
    return grid_select_record(file, request->time_index < 0 ? 0 : (size_t)request->time_index);
}

static enum status open_into(const struct grid_request *request, struct grid_file *file)
{
    enum grid_format format = request->format;
    if (format == GRID_FORMAT_AUTO)
        CHECK(grid_identify(request->path, &format));
    file->path = strdup(request->path);
    if (file->path == NULL)
        return FAIL(STATUS_SYSTEM, "%s: out of memory", request->path);
    file->info.format = format;
    file->info.records = 1;
    CHECK(opener_of(format)(request, file));
    size_t nodes;
    if (__builtin_mul_overflow(file->info.nx, file->info.ny, &nodes) ||
        __builtin_mul_overflow(nodes, file->info.records * sizeof(double), &nodes) || nodes > INT64_MAX)
        return FAIL(STATUS_DATA, "%s: %zu × %zu nodes × %zu records are more than can be counted", file->path,
                    file->info.nx, file->info.ny, file->info.records);
    CHECK(check_axes(request, file));
    CHECK(choose_units_and_sign(request, file));
    CHECK(select_record(request, file));
    file->info.variable = file->variable;
    file->info.file_units = file->units;
    file->info.file_positive = file->file_positive;
    file->info.sign_statement = file->sign_statement;
    file->info.set_aside = file->set_aside;
    file->info.crs = file->crs;
    file->info.x = file->x;
    file->info.y = file->y;
    file->info.times_s = file->times_s;
    return STATUS_OK;
}

enum status grid_open(const struct grid_request *request, struct grid_file **file)
{
    *file = NULL;
    struct grid_file *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return FAIL(STATUS_SYSTEM, "%s: out of memory", request->path);
    struct kept_file before;
    const bool is_known = kept_grid_bytes_most() > 0 && kept_file_find(request->path, &before);
    enum status status = open_into(request, opened);
    if (status != STATUS_OK) {
        grid_close(opened);
        return status;
    }
    opened->has_content = is_known && kept_file_find(request->path, &opened->content) &&
                          kept_file_is_same(&before, &opened->content);
    *file = opened;
    return STATUS_OK;
}

void grid_close(struct grid_file *file)
{
    if (file == NULL)
        return;
    if (file->reader != NULL)
        file->reader->close(file->state);
    free(file->x);
    free(file->y);
    free(file->times_s);
    free(file->path);
    free(file);
}

const struct grid_info *grid_info(const struct grid_file *file)
{
    return &file->info;
}

const char *grid_path(const struct grid_file *file)
{
    return file->path;
}

size_t grid_cache_bytes(const struct grid_file *file)
{
    return file->cache_bytes;
}

enum status grid_select_record(struct grid_file *file, size_t record)
{
    if (record >= file->info.records)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: record %zu was asked for, but variable %s has %zu (counted from 0)", file->path,
                    record, file->variable, file->info.records);
    file->record = record;
    return STATUS_OK;
}

enum status grid_read_row(struct grid_file *file, size_t row, double *values)
{
    size_t nx = file->info.nx;
    if (row >= file->info.ny)
        return FAIL(STATUS_SOFTWARE, "%s: row %zu of %zu was asked for", file->path, row, file->info.ny);
    CHECK(file->reader->read_row(file->state, file->record,
                                 file->is_y_reversed ? file->info.ny - 1 - row : row, values));
    if (file->is_x_reversed)
        grid_reverse(values, nx);
    if (file->slope != 1 || file->offset != 0)
        for (size_t k = 0; k < nx; k++)
            values[k] = file->slope * values[k] + file->offset;
    for (size_t k = 0; k < nx; k++)
        if (isinf(values[k]))
            return FAIL(STATUS_DATA, "%s: %s is infinite at %g, %g; expected a finite or a missing value",
                        file->path, file->variable[0] ? file->variable : "the value", file->x[k],
                        file->y[row]);
    return STATUS_OK;
}
