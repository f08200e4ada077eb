// ESRI ASCII raster: labelled header (ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize
// or dx and dy, NODATA_value), then rows from north to south, elevations in metres. Values stand for the
// cells' centres, so a corner is moved in by half a cell. Reads this text format only.
#include "io/grid/internal.h"

#include <math.h>
#include <strings.h>

enum key { NCOLS, NROWS, XLLCORNER, XLLCENTER, YLLCORNER, YLLCENTER, CELLSIZE, DX, DY, NODATA, KEY_COUNT };

static const char *const key_names[KEY_COUNT] = {"ncols",     "nrows",       "xllcorner", "xllcenter",
                                                 "yllcorner", "yllcenter",   "cellsize",  "dx",
                                                 "dy",        "nodata_value"};

static enum status take_entry(const struct grid_header_line *line, struct grid_header *header)
{
    const char *label = line->words[0], *number = line->count < 2 ? "" : line->words[1];
    int key = 0;
    while (key < KEY_COUNT && strcasecmp(label, key_names[key]) != 0)
        key++;
    if (key == KEY_COUNT)
        return FAIL(STATUS_DATA,
                    "%s: line %llu: \"%s\" is not a key of an ESRI ASCII header (ncols, nrows, xllcorner, …)",
                    line->path, (unsigned long long)line->line, label);
    if (!grid_parse_number(number, &header->value[key]))
        return FAIL(STATUS_DATA, "%s: line %llu: %s is \"%s\", expected a number", line->path,
                    (unsigned long long)line->line, label, number);
    if (header->has[key])
        return FAIL(STATUS_DATA, "%s: line %llu: %s is given twice", line->path,
                    (unsigned long long)line->line, label);
    header->has[key] = true;
    return STATUS_OK;
}

static enum status cell_size(const char *path, const struct grid_header *header, enum key key, double *size)
{
    if (!header->has[key] && !header->has[CELLSIZE])
        return FAIL(STATUS_DATA, "%s: the header has no cellsize", path);
    *size = header->value[header->has[key] ? key : CELLSIZE];
    if (!(*size > 0) || !isfinite(*size))
        return FAIL(STATUS_DATA, "%s: the cell size is %g, expected a number above 0", path, *size);
    return STATUS_OK;
}

static enum status first_node(const char *path, const struct grid_header *header, enum key corner,
                              double size, double *node)
{
    enum key centre = corner + 1;
    if (header->has[corner] == header->has[centre])
        return FAIL(STATUS_DATA, "%s: the header needs one of %s and %s", path, key_names[corner],
                    key_names[centre]);
    *node = header->has[centre] ? header->value[centre] : header->value[corner] + 0.5 * size;
    return STATUS_OK;
}

static enum status make_axes(const struct grid_header *header, const struct grid_text *text,
                             struct grid_file *file)
{
    const char *path = file->path;
    double dx = 0, dy = 0, x = 0, y = 0;
    CHECK(grid_header_count(path, header, NCOLS, key_names[NCOLS], 2, &file->info.nx));
    CHECK(grid_header_count(path, header, NROWS, key_names[NROWS], 2, &file->info.ny));
    CHECK(cell_size(path, header, DX, &dx));
    CHECK(cell_size(path, header, DY, &dy));
    CHECK(first_node(path, header, XLLCORNER, dx, &x));
    CHECK(first_node(path, header, YLLCORNER, dy, &y));
    return grid_header_axes(text, x, dx, y, dy, file);
}

enum status grid_open_esri(const struct grid_request *request, struct grid_file *file)
{
    struct grid_text text;
    struct grid_header header = {0};
    CHECK(grid_text_open(request->path, &text));
    grid_describe(file, "elevation", GRID_POSITIVE_UP, GRID_AXES_AS_FILE);
    enum status status = grid_text_header(&text, 0, 0, take_entry, &header);
    if (status == STATUS_OK)
        status = make_axes(&header, &text, file);
    double missing = header.has[NODATA] ? header.value[NODATA] : -9999; // the format's default
    struct grid_text_values values = {file->info.nx, file->info.ny, 1, missing, INFINITY};
    return grid_text_attach(file, &text, status, &values);
}
