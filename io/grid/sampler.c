// A file's values at a window's nodes, row by row, bilinear: places and weights are worked out once, then at
// most two rows of the file are read for a row of the window, kept in three buffers. Independent of file
// formats.
#include "io/grid/internal.h"

#include "core/ascending.h"
#include "io/grid/kept.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFERS = 3 };

static const double node_part = 1e-6; // of a spacing: nearer than this is the node itself

// Between nodes `low` and `high`, `weight` of the way; low = OUTSIDE where the file does not reach.
struct place {
    size_t low, high;
    double weight;
};
static const size_t OUTSIDE = SIZE_MAX;

struct grid_sampler {
    struct grid_file *file;
    size_t nx, ny;
    struct place *columns, *rows;
    double *x, *y; // of the window, for messages
    double missing_value, outside_value;
    bool keeps_missing;
    double *buffers[BUFFERS];
    size_t buffer_rows[BUFFERS]; // OUTSIDE = empty
    uint64_t used_at[BUFFERS], clock;
    struct grid_kept *kept; // rows that were worked out before, and room for all; NULL: none
};

static struct grid_kept *take_kept(const struct grid_sampler *sampler)
{
    return grid_kept_take(&(struct grid_kept_key){.file = sampler->file,
                                                  .nx = sampler->nx,
                                                  .ny = sampler->ny,
                                                  .x = sampler->x,
                                                  .y = sampler->y,
                                                  .missing_value = sampler->missing_value,
                                                  .outside_value = sampler->outside_value,
                                                  .keeps_missing = sampler->keeps_missing});
}

static struct place between(size_t low, size_t high, double at, double from, double to, double tolerance)
{
    double near = fmax(tolerance, node_part * (to - from));
    if (at - from <= near)
        return (struct place){low, low, 0};
    if (to - at <= near)
        return (struct place){high, high, 0};
    return (struct place){low, high, (at - from) / (to - from)};
}

// `holds`: up to half a cell beyond the outermost nodes their value holds.
static struct place locate(const double *nodes, size_t count, double position, double tolerance, bool holds)
{
    const double near = fmax(tolerance, node_part * (nodes[count - 1] - nodes[0]) / (double)(count - 1));
    const double below = holds ? grid_half_cell * (nodes[1] - nodes[0]) : near;
    const double above = holds ? grid_half_cell * (nodes[count - 1] - nodes[count - 2]) : near;
    if (!(position >= nodes[0] - below && position <= nodes[count - 1] + above))
        return (struct place){OUTSIDE, OUTSIDE, 0};
    if (position <= nodes[0])
        return (struct place){0, 0, 0};
    if (position >= nodes[count - 1])
        return (struct place){count - 1, count - 1, 0};
    size_t low = ascending_place(nodes, count, position);
    return between(low, low + 1, position, nodes[low], nodes[low + 1], tolerance);
}

static struct place locate_longitude(const struct grid_file *file, double position, bool holds)
{
    const double *x = file->x;
    size_t once = file->info.nx_once;
    if (!file->info.wraps) {
        for (int turn = 0; turn <= 6; turn++) {
            double shift = 360.0 * (turn % 2 == 1 ? (turn + 1) / 2 : -turn / 2);
            struct place place = locate(x, once, position + shift, file->x_tolerance, holds);
            if (place.low != OUTSIDE)
                return place;
        }
        return (struct place){OUTSIDE, OUTSIDE, 0};
    }
    position -= 360 * floor((position - x[0]) / 360);
    if (position <= x[once - 1])
        return locate(x, once, position, file->x_tolerance, false);
    return between(once - 1, 0, position, x[once - 1], x[0] + 360, file->x_tolerance);
}

static enum status fail_outside(const struct grid_sampler *sampler, const char *axis, double position)
{
    const struct grid_info *info = &sampler->file->info;
    return FAIL(STATUS_CONFIGURATION,
                "%s: %s %.9g is outside the file, whose nodes go from x %.9g to %.9g and y %.9g to %.9g",
                sampler->file->path, axis, position, info->x[0], info->x[info->nx - 1], info->y[0],
                info->y[info->ny - 1]);
}

static enum status locate_all(struct grid_sampler *sampler, const struct grid_window *window)
{
    const struct grid_file *file = sampler->file;
    const struct grid_info *info = &file->info;
    bool may_exceed = !isnan(sampler->outside_value);
    for (size_t k = 0; k < window->nx; k++) {
        sampler->x[k] = window->x[k];
        sampler->columns[k] = info->is_geographic
                                  ? locate_longitude(file, window->x[k], !may_exceed)
                                  : locate(file->x, info->nx, window->x[k], file->x_tolerance, !may_exceed);
        if (sampler->columns[k].low == OUTSIDE && !may_exceed)
            return fail_outside(sampler, "x", window->x[k]);
    }
    for (size_t k = 0; k < window->ny; k++) {
        sampler->y[k] = window->y[k];
        sampler->rows[k] = locate(file->y, info->ny, window->y[k], file->y_tolerance, !may_exceed);
        if (sampler->rows[k].low == OUTSIDE && !may_exceed)
            return fail_outside(sampler, "y", window->y[k]);
    }
    return STATUS_OK;
}

static bool take_memory(struct grid_sampler *sampler)
{
    sampler->columns = calloc(sampler->nx, sizeof *sampler->columns);
    sampler->rows = calloc(sampler->ny, sizeof *sampler->rows);
    sampler->x = calloc(sampler->nx, sizeof *sampler->x);
    sampler->y = calloc(sampler->ny, sizeof *sampler->y);
    bool has_all =
        sampler->columns != NULL && sampler->rows != NULL && sampler->x != NULL && sampler->y != NULL;
    for (int b = 0; b < BUFFERS; b++) {
        sampler->buffers[b] = calloc(sampler->file->info.nx, sizeof *sampler->buffers[b]);
        sampler->buffer_rows[b] = OUTSIDE;
        has_all = has_all && sampler->buffers[b] != NULL;
    }
    return has_all;
}

enum status grid_sampler_open(struct grid_file *file, const struct grid_window *window,
                              const struct grid_window_request *request, struct grid_sampler **sampler)
{
    *sampler = NULL;
    if (window->is_geographic != file->info.is_geographic)
        return FAIL(STATUS_CONFIGURATION, "%s: its axes are %s, but the grid it is wanted on is in %s",
                    file->path, file->info.is_geographic ? "degrees" : "metres",
                    window->is_geographic ? "degrees" : "metres");
    struct grid_sampler *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return FAIL(STATUS_SYSTEM, "%s: out of memory", file->path);
    *opened = (struct grid_sampler){.file = file,
                                    .nx = window->nx,
                                    .ny = window->ny,
                                    .missing_value = request->missing_value,
                                    .outside_value = request->outside_value,
                                    .keeps_missing = request->keeps_missing};
    enum status status =
        take_memory(opened)
            ? locate_all(opened, window)
            : FAIL(STATUS_SYSTEM, "%s: three rows of %zu values: out of memory", file->path, file->info.nx);
    if (status != STATUS_OK) {
        grid_sampler_close(opened);
        return status;
    }
    opened->kept = take_kept(opened);
    *sampler = opened;
    return STATUS_OK;
}

void grid_sampler_close(struct grid_sampler *sampler)
{
    if (sampler == NULL)
        return;
    grid_kept_release(sampler->kept);
    for (int b = 0; b < BUFFERS; b++)
        free(sampler->buffers[b]);
    free(sampler->columns);
    free(sampler->rows);
    free(sampler->x);
    free(sampler->y);
    free(sampler);
}

enum status grid_sampler_select_record(struct grid_sampler *sampler, size_t record)
{
    for (int b = 0; b < BUFFERS; b++)
        sampler->buffer_rows[b] = OUTSIDE;
    CHECK(grid_select_record(sampler->file, record));
    grid_kept_release(sampler->kept);
    sampler->kept = take_kept(sampler);
    return STATUS_OK;
}

// The file's row, read if it is in no buffer; takes the buffer that was not used for longest.
static enum status fetch(struct grid_sampler *sampler, size_t row, const double **values)
{
    int oldest = 0;
    sampler->clock++;
    for (int b = 0; b < BUFFERS; b++) {
        if (sampler->buffer_rows[b] == row) {
            sampler->used_at[b] = sampler->clock;
            *values = sampler->buffers[b];
            return STATUS_OK;
        }
        if (sampler->used_at[b] < sampler->used_at[oldest])
            oldest = b;
    }
    sampler->buffer_rows[oldest] = OUTSIDE; // in case the reading fails half way
    CHECK(grid_read_row(sampler->file, row, sampler->buffers[oldest]));
    sampler->buffer_rows[oldest] = row;
    sampler->used_at[oldest] = sampler->clock;
    *values = sampler->buffers[oldest];
    return STATUS_OK;
}

// A node with weight zero is not looked at: it may be missing.
static inline double along(const double *row, const struct place *column)
{
    double low = row[column->low];
    return column->weight == 0 ? low : low + column->weight * (row[column->high] - low);
}

static enum status work_out(struct grid_sampler *sampler, size_t row, double *values)
{
    const double *south = NULL, *north = NULL;
    const struct place *place = &sampler->rows[row];
    if (place->low != OUTSIDE) {
        CHECK(fetch(sampler, place->low, &south));
        if (place->weight > 0)
            CHECK(fetch(sampler, place->high, &north));
    }
    for (size_t k = 0; k < sampler->nx; k++) {
        const struct place *column = &sampler->columns[k];
        if (south == NULL || column->low == OUTSIDE) {
            values[k] = sampler->outside_value;
            continue;
        }
        double value = along(south, column);
        if (north != NULL)
            value += place->weight * (along(north, column) - value);
        if (isnan(value) && !sampler->keeps_missing) {
            if (isnan(sampler->missing_value))
                return FAIL(
                    STATUS_DATA,
                    "%s: variable %s has no value at %.9g, %.9g (x, y): define what a missing value means",
                    sampler->file->path, sampler->file->variable, sampler->x[k], sampler->y[row]);
            value = sampler->missing_value;
        }
        values[k] = value;
    }
    return STATUS_OK;
}

enum status grid_sampler_row(struct grid_sampler *sampler, size_t row, double *values)
{
    struct grid_kept *kept = sampler->kept;
    if (row >= sampler->ny)
        return FAIL(STATUS_SOFTWARE, "row %zu of %zu was asked for", row, sampler->ny);
    double *kept_row = kept ? kept->values + row * sampler->nx : NULL;
    if (kept && kept->has_row[row]) {
        memcpy(values, kept_row, sampler->nx * sizeof *values);
        return STATUS_OK;
    }
    CHECK(work_out(sampler, row, values));
    if (kept) {
        memcpy(kept_row, values, sampler->nx * sizeof *values);
        kept->has_row[row] = true;
    }
    return STATUS_OK;
}
