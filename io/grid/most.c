// MOST bathymetry (.most, .corr): "ncols nrows"; ncols longitudes, one a line; nrows latitudes, north to
// south; then nrows rows of ncols depths in metres, positive down. Rows lie in the order of the latitudes,
// whichever it is. Reads this text format only.
#include "io/grid/internal.h"

#include <math.h>
#include <stdlib.h>

static enum status read_axis(struct grid_text *text, const char *what, size_t count, double **values)
{
    *values = malloc(count * sizeof **values);
    if (*values == NULL)
        return FAIL(STATUS_SYSTEM, "%s: an axis of %zu nodes: out of memory", text->path, count);
    for (size_t k = 0; k < count; k++)
        CHECK(grid_text_number(text, what, &(*values)[k]));
    return STATUS_OK;
}

static enum status read_header(struct grid_text *text, struct grid_file *file)
{
    CHECK(grid_text_count(text, "the number of columns", 2, &file->info.nx));
    CHECK(grid_text_count(text, "the number of rows", 2, &file->info.ny));
    CHECK(grid_text_check_size(text, file->info.nx, file->info.ny, 1));
    CHECK(read_axis(text, "a longitude", file->info.nx, &file->x));
    CHECK(read_axis(text, "a latitude", file->info.ny, &file->y));
    return STATUS_OK;
}

enum status grid_open_most(const struct grid_request *request, struct grid_file *file)
{
    struct grid_text text;
    CHECK(grid_text_open(request->path, &text));
    grid_describe(file, "depth", GRID_POSITIVE_DOWN, GRID_AXES_GEOGRAPHIC);
    const enum status status = read_header(&text, file);
    struct grid_text_values values = {file->info.nx, file->info.ny, 1, NAN, INFINITY};
    return grid_text_attach(file, &text, status, &values);
}
