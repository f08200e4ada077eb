// Coast lines and borders: see coast.h.
#include "report/web/coast.h"

#include "io/netcdf/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };

const char *web_coast_folder(void)
{
    const char *folder = getenv("FATHOM_GSHHG");
    return folder && *folder ? folder : "/usr/share/gmt-gshhg";
}

// ---- the files

// The variables of one file, as the file has them.
struct bins {
    const struct result_file *file;
    double size_deg;
    size_t columns, rows, bin_count, segment_count, point_count;
    double *first_segment, *segments; // of each bin
    double *first_point, *info;       // of each segment
    double *levels;                   // the same, of borders; NULL: in info
    double *x, *y;                    // of each point: 0 … 65535, or negative as a signed 16-bit number
};

static enum status read_list(const struct result_file *file, const char *name, double **values, size_t *count)
{
    const struct result_variable *variable = result_find(file, name);
    if (!variable || variable->rank != 1 || variable->is_text)
        return FAIL(STATUS_DATA, "%s: has no list %s: expected a binned file of GSHHG 2", result_path(file),
                    name);
    return result_read_all(file, name, values, count);
}

static enum status read_one(const struct result_file *file, const char *name, double *value)
{
    double *values;
    size_t count;
    CHECK(read_list(file, name, &values, &count));
    *value = count == 1 ? values[0] : NAN;
    free(values);
    return isfinite(*value) && *value >= 1
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s: %s: expected one number of at least 1", result_path(file), name);
}

static enum status check_counts(const struct bins *bins, size_t segments, size_t more_segments,
                                size_t more_points, size_t more_bins)
{
    if (bins->bin_count != bins->columns * bins->rows || more_bins != bins->bin_count ||
        segments != more_segments || bins->point_count != more_points)
        return FAIL(STATUS_DATA, "%s: its lists differ in length: expected a binned file of GSHHG 2",
                    result_path(bins->file));
    return STATUS_OK;
}

static enum status read_bins(enum web_coast_kind kind, struct bins *bins)
{
    const struct result_file *file = bins->file;
    size_t more_levels = 0;
    if (kind == WEB_COAST_BORDERS)
        CHECK(read_list(file, "Hierarchial_level_of_a_segment", &bins->levels, &more_levels));
    const char *const info =
        kind == WEB_COAST_SHORES ? "Embedded_npts_levels_exit_entry_for_a_segment" : "N_points_for_a_segment";
    double minutes, columns, rows;
    size_t more_bins = 0, more_segments = 0, more_points = 0;
    CHECK(read_one(file, "Bin_size_in_minutes", &minutes));
    CHECK(read_one(file, "N_bins_in_360_longitude_range", &columns));
    CHECK(read_one(file, "N_bins_in_180_degree_latitude_range", &rows));
    bins->size_deg = minutes / 60;
    bins->columns = (size_t)columns;
    bins->rows = (size_t)rows;
    CHECK(read_list(file, "Id_of_first_segment_in_a_bin", &bins->first_segment, &bins->bin_count));
    CHECK(read_list(file, "N_segments_in_a_bin", &bins->segments, &more_bins));
    CHECK(read_list(file, "Id_of_first_point_in_a_segment", &bins->first_point, &bins->segment_count));
    CHECK(read_list(file, info, &bins->info, &more_segments));
    CHECK(read_list(file, "Relative_longitude_from_SW_corner_of_bin", &bins->x, &bins->point_count));
    CHECK(read_list(file, "Relative_latitude_from_SW_corner_of_bin", &bins->y, &more_points));
    if (bins->levels && more_levels != bins->segment_count)
        more_segments = more_levels; // is refused
    return check_counts(bins, bins->segment_count, more_segments, more_points, more_bins);
}

static void free_bins(struct bins *bins)
{
    double *const lists[] = {
        bins->first_segment, bins->segments, bins->first_point, bins->info, bins->levels, bins->x, bins->y};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        free(lists[k]);
}

// ---- the lines

// The area, and the turn of the longitudes of a bin.
struct window {
    double x[2], y[2], turn;
};

static double part_of(double value)
{
    const double unsigned_value = isnan(value) ? 32769 : (value < 0 ? value + 65536 : value);
    return unsigned_value / 65535;
}

// The part of a straight line inside the window (Liang and Barsky 1984): its ends as shares 0 … 1. False: it
// is outside.
static bool clip(const struct window *window, const double a[2], const double b[2], double ends[2])
{
    const double *const sides[2] = {window->x, window->y};
    ends[0] = 0;
    ends[1] = 1;
    for (int axis = 0; axis < 2; axis++)
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? -1 : 1, slope = sign * (b[axis] - a[axis]),
                         space = sign * (sides[axis][side] - a[axis]);
            if (slope == 0 && space < 0)
                return false;
            if (slope < 0)
                ends[0] = fmax(ends[0], space / slope);
            else if (slope > 0)
                ends[1] = fmin(ends[1], space / slope);
        }
    return ends[0] < ends[1];
}

// Appends the parts of one segment that lie inside. A point NaN separates two parts.
static enum status add_segment(const struct window *window, const double *points, size_t count,
                               struct contour_points *lines)
{
    bool is_open = false;
    for (size_t k = 0; k + 1 < count; k++) {
        const double *a = points + 2 * k, *b = a + 2;
        double ends[2];
        const bool is_inside = clip(window, a, b, ends);
        if (is_open && !(is_inside && ends[0] == 0)) {
            CHECK(contour_append(lines, NAN, NAN));
            is_open = false;
        }
        if (!is_inside)
            continue;
        if (!is_open)
            CHECK(contour_append(lines, a[0] + ends[0] * (b[0] - a[0]), a[1] + ends[0] * (b[1] - a[1])));
        CHECK(contour_append(lines, a[0] + ends[1] * (b[0] - a[0]), a[1] + ends[1] * (b[1] - a[1])));
        is_open = true;
    }
    return is_open ? contour_append(lines, NAN, NAN) : STATUS_OK;
}

// A number of the file as an index; one that is none is larger than any list.
static size_t index_of(double value)
{
    return value >= 0 && value < 4e9 ? (size_t)value : (size_t)1 << 40;
}

// How many points of a segment are drawn: of shore lines those of level 1, the sea's, where the number of
// points and the level share one integer; of borders those of level 1, between countries.
static size_t points_of(const struct bins *bins, size_t segment)
{
    const size_t info = index_of(bins->info[segment]);
    if (bins->levels)
        return bins->levels[segment] == 1 ? info : 0;
    return (info >> 6 & 7) == 1 ? info >> 9 : 0;
}

static enum status add_bin(const struct bins *bins, size_t column, size_t row, const struct window *window,
                           struct contour_points *lines)
{
    const size_t bin = row * bins->columns + column;
    const double west = (double)column * bins->size_deg + window->turn,
                 south = 90 - (double)(row + 1) * bins->size_deg;
    double xy[2 * 4096];
    for (size_t k = 0; k < index_of(bins->segments[bin]); k++) {
        const size_t segment = index_of(bins->first_segment[bin]) + k;
        if (segment >= bins->segment_count)
            return FAIL(STATUS_DATA, "%s: bin %zu: segment %zu of %zu", result_path(bins->file), bin, segment,
                        bins->segment_count);
        const size_t first = index_of(bins->first_point[segment]), count = points_of(bins, segment);
        if (first + count > bins->point_count)
            return FAIL(STATUS_DATA, "%s: segment %zu: points up to %zu of %zu", result_path(bins->file),
                        segment, first + count, bins->point_count);
        // Long segments in pieces with a common point.
        for (size_t begin = 0; begin + 1 < count; begin += 4095) {
            const size_t piece = count - begin < 4096 ? count - begin : 4096;
            for (size_t p = 0; p < piece; p++) {
                xy[2 * p] = west + bins->size_deg * part_of(bins->x[first + begin + p]);
                xy[2 * p + 1] = south + bins->size_deg * part_of(bins->y[first + begin + p]);
            }
            CHECK(add_segment(window, xy, piece, lines));
        }
    }
    return STATUS_OK;
}

static enum status add_bins(const struct bins *bins, const double x[2], const double y[2],
                            struct contour_points *lines)
{
    for (size_t row = 0; row < bins->rows; row++) {
        const double north = 90 - (double)row * bins->size_deg;
        if (north < y[0] || north - bins->size_deg > y[1])
            continue;
        for (size_t column = 0; column < bins->columns; column++) {
            const double west = (double)column * bins->size_deg;
            struct window window = {.x = {x[0], x[1]}, .y = {y[0], y[1]}};
            // Every turn that brings the bin into the area: one, or two at its edges.
            for (window.turn = 360 * ceil((x[0] - west - bins->size_deg) / 360); west + window.turn <= x[1];
                 window.turn += 360)
                CHECK(add_bin(bins, column, row, &window, lines));
        }
    }
    return STATUS_OK;
}

// full, high, intermediate, low, crude. Of an area 100° wide the low one has a point every few pixels.
static bool find_file(enum web_coast_kind kind, double width, char path[PATH])
{
    static const char letters[] = "fhilc";
    const char *const wanted = width > 60 ? "lcihf" : (width > 8 ? "ilhcf" : (width > 2 ? "hfilc" : letters));
    for (const char *letter = wanted; *letter; letter++) {
        snprintf(path, PATH, "%s/binned_%s_%c.nc", web_coast_folder(),
                 kind == WEB_COAST_SHORES ? "GSHHS" : "border", *letter);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

enum status web_coast_lines(enum web_coast_kind kind, const double x[2], const double y[2],
                            struct contour_points *lines)
{
    char path[PATH];
    struct result_file *file;
    if (!find_file(kind, x[1] - x[0], path))
        return STATUS_OK;
    CHECK(result_open(path, &file));
    struct bins bins = {.file = file};
    enum status status = read_bins(kind, &bins);
    if (status == STATUS_OK)
        status = add_bins(&bins, x, y, lines);
    free_bins(&bins);
    result_close(file);
    return status;
}
