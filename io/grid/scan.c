// Reads all values of a grid, or those of evenly spaced bands, in the order of the file (see grid_scan in
// grid.h), to find their range and to count missing ones. Independent of formats: the reader states the size
// of the parts in which the file is read.
#include "io/grid/internal.h"

#include <math.h>
#include <stdlib.h>

enum { BANDS_LEAST = 4 }; // at least so many bands are read

// A band is a row of parts; the parts of a band are read from its first column to its last.
struct walk {
    struct grid_file *file;
    struct grid_scan *scan;
    size_t band_rows, part_columns, rows_at_once;
    size_t bands, wanted; // `bands`: of the file; `wanted`: how many of them are read
    double *values;
};

static void plan_walk(struct walk *walk)
{
    const struct grid_file *file = walk->file;
    const size_t nx = file->info.nx, ny = file->info.ny;
    walk->band_rows = file->read_part == NULL ? 1 : file->part_rows < ny ? file->part_rows : ny;
    walk->part_columns = file->read_part == NULL || file->part_columns > nx ? nx : file->part_columns;
    walk->rows_at_once = GRID_BLOCK_BYTES / sizeof(double) / walk->part_columns;
    if (walk->rows_at_once < 1)
        walk->rows_at_once = 1;
    if (walk->rows_at_once > walk->band_rows)
        walk->rows_at_once = walk->band_rows;
    walk->bands = (ny - 1) / walk->band_rows + 1;
    walk->wanted = walk->bands;
    if (walk->scan->rows_most > 0) {
        size_t bands = walk->scan->rows_most / walk->band_rows;
        bands = bands < BANDS_LEAST ? BANDS_LEAST : bands;
        walk->wanted = bands < walk->bands ? bands : walk->bands;
    }
}

static enum status add_values(const struct walk *walk, const struct grid_part *part)
{
    const struct grid_file *file = walk->file;
    struct grid_scan *scan = walk->scan;
    for (size_t k = 0; k < part->rows * part->columns; k++) {
        const double value = file->slope * walk->values[k] + file->offset;
        if (isinf(value))
            return FAIL(STATUS_DATA,
                        "%s: %s is infinite in rows %zu to %zu, columns %zu to %zu of the file (from 0); "
                        "expected a finite or a missing value",
                        file->path, file->variable[0] ? file->variable : "the value", part->row,
                        part->row + part->rows - 1, part->column, part->column + part->columns - 1);
        scan->missing += isnan(value) ? 1 : 0;
        scan->minimum = fmin(scan->minimum, value); // fmin and fmax ignore NaN
        scan->maximum = fmax(scan->maximum, value);
    }
    return STATUS_OK;
}

static enum status read(const struct walk *walk, const struct grid_part *part)
{
    struct grid_file *file = walk->file;
    if (file->read_part != NULL)
        CHECK(file->read_part(file->state, file->record, part, walk->values));
    else
        CHECK(file->reader->read_row(file->state, file->record, part->row, walk->values));
    return add_values(walk, part);
}

static enum status walk_band(const struct walk *walk, size_t index)
{
    const size_t nx = walk->file->info.nx, ny = walk->file->info.ny;
    // The bands are divided into `wanted` groups of equal size; the middle band of each group is read.
    const size_t band = (2 * index + 1) * walk->bands / (2 * walk->wanted);
    const size_t first = band * walk->band_rows;
    const size_t end = ny - first < walk->band_rows ? ny : first + walk->band_rows;
    for (size_t column = 0; column < nx; column += walk->part_columns) {
        const size_t columns = nx - column < walk->part_columns ? nx - column : walk->part_columns;
        for (size_t row = first; row < end; row += walk->rows_at_once) {
            const size_t rows = end - row < walk->rows_at_once ? end - row : walk->rows_at_once;
            CHECK(read(walk, &(struct grid_part){row, rows, column, columns}));
        }
        if (walk->scan->progress != NULL)
            walk->scan->progress(walk->scan->context,
                                 (double)walk->scan->rows +
                                     (double)(end - first) * (double)(column + columns) / (double)nx,
                                 fmin((double)walk->wanted * (double)walk->band_rows, (double)ny));
    }
    walk->scan->rows += end - first;
    return STATUS_OK;
}

enum status grid_scan(struct grid_file *file, struct grid_scan *scan)
{
    struct walk walk = {.file = file, .scan = scan};
    scan->rows = scan->missing = 0;
    scan->minimum = scan->maximum = NAN;
    plan_walk(&walk);
    walk.values = malloc(walk.rows_at_once * walk.part_columns * sizeof *walk.values);
    if (walk.values == NULL)
        return FAIL(STATUS_SYSTEM, "%s: %zu × %zu values: out of memory", file->path, walk.rows_at_once,
                    walk.part_columns);
    enum status status = STATUS_OK;
    for (size_t k = 0; k < walk.wanted && status == STATUS_OK; k++)
        status = walk_band(&walk, k);
    free(walk.values);
    return status;
}
