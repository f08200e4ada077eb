// GeoClaw type 3: a labelled header ("45 ncols"), then rows from north to south, metres. Two kinds:
// topography (ncols, nrows, xlower, ylower, cellsize, nodata_value), an elevation; and displacement (mx, my,
// mt, xlower, ylower, t0, dx, dy, dt), mt grids one after the other, without a convention for the sign.
// xllcorner and yllcorner are positions of the cell's corner, half a cell outside the node; xlower, xll and
// xllcenter are positions of the node.
#include "io/grid/internal.h"

#include <math.h>
#include <strings.h>

enum key {
    COLUMNS,
    ROWS,
    RECORDS,
    X_NODE,
    X_CORNER,
    Y_NODE,
    Y_CORNER,
    T0,
    DX,
    DY,
    DT,
    CELLSIZE,
    NODATA,
    KEY_COUNT
};

static const struct {
    const char *label;
    enum key key;
} labels[] = {
    {"mx", COLUMNS},
    {"ncols", COLUMNS},
    {"my", ROWS},
    {"nrows", ROWS},
    {"mt", RECORDS},
    {"xlower", X_NODE},
    {"xll", X_NODE},
    {"xllcenter", X_NODE},
    {"xllcorner", X_CORNER},
    {"ylower", Y_NODE},
    {"yll", Y_NODE},
    {"yllcenter", Y_NODE},
    {"yllcorner", Y_CORNER},
    {"t0", T0},
    {"dx", DX},
    {"dy", DY},
    {"dt", DT},
    {"cellsize", CELLSIZE},
    {"nodata_value", NODATA},
    {"nodata", NODATA},
    {"no_data_value", NODATA},
};

// Reads an entry such as "45 ncols", or "0.25 0.5 cellsize" (different in x and y).
static enum status take_entry(const struct grid_header_line *line, struct grid_header *header)
{
    const char *label = line->words[line->label_at];
    const bool has_two = line->label_at == 2;
    double value, second = 0;
    if (!grid_parse_number(line->words[0], &value) ||
        (has_two && !grid_parse_number(line->words[1], &second)))
        return FAIL(STATUS_DATA, "%s: line %llu: expected a number before \"%s\"", line->path,
                    (unsigned long long)line->line, label);
    size_t k = 0;
    while (k < sizeof labels / sizeof *labels && strcasecmp(label, labels[k].label) != 0)
        k++;
    if (k == sizeof labels / sizeof *labels)
        return FAIL(STATUS_DATA,
                    "%s: line %llu: \"%s\" is not a label of a GeoClaw header (mx, my, mt, xlower, …)",
                    line->path, (unsigned long long)line->line, label);
    const enum key key = labels[k].key;
    if (key == CELLSIZE && has_two) {
        header->has[DX] = header->has[DY] = true;
        header->value[DX] = value;
        header->value[DY] = second;
        return STATUS_OK;
    }
    if (header->has[key] || has_two)
        return FAIL(STATUS_DATA, "%s: line %llu: expected one value for \"%s\", once", line->path,
                    (unsigned long long)line->line, label);
    header->has[key] = true;
    header->value[key] = value;
    return STATUS_OK;
}

static enum status axis_start(const char *path, const struct grid_header *header, enum key node,
                              enum key spacing, const char *name, double *first, double *step)
{
    enum key corner = node + 1;
    if (!header->has[spacing] && !header->has[CELLSIZE])
        return FAIL(STATUS_DATA, "%s: the header has no d%s and no cellsize", path, name);
    *step = header->value[header->has[spacing] ? spacing : CELLSIZE];
    if (!(*step > 0) || !isfinite(*step))
        return FAIL(STATUS_DATA, "%s: the spacing in %s is %g, expected a number above 0", path, name, *step);
    if (header->has[node] == header->has[corner])
        return FAIL(STATUS_DATA, "%s: the header needs one of %slower and %sllcorner", path, name, name);
    *first = header->has[node] ? header->value[node] : header->value[corner] + 0.5 * *step;
    return STATUS_OK;
}

static enum status make_times(const struct grid_header *header, struct grid_file *file)
{
    double dt = header->value[DT];
    if (file->info.records > 1 && (!header->has[DT] || !(dt > 0) || !isfinite(dt)))
        return FAIL(STATUS_DATA, "%s: %zu records, but dt is %g, expected seconds above 0", file->path,
                    file->info.records, dt);
    return grid_even_axis(file->path, 0, file->info.records > 1 ? dt : 0, file->info.records, &file->times_s);
}

static enum status make_axes(const struct grid_header *header, const struct grid_text *text,
                             struct grid_file *file)
{
    const char *path = file->path;
    double x = 0, y = 0, dx = 0, dy = 0;
    CHECK(grid_header_count(path, header, COLUMNS, "mx (ncols)", 2, &file->info.nx));
    CHECK(grid_header_count(path, header, ROWS, "my (nrows)", 2, &file->info.ny));
    if (header->has[RECORDS])
        CHECK(grid_header_count(path, header, RECORDS, "mt", 1, &file->info.records));
    CHECK(axis_start(path, header, X_NODE, DX, "x", &x, &dx));
    CHECK(axis_start(path, header, Y_NODE, DY, "y", &y, &dy));
    CHECK(grid_header_axes(text, x, dx, y, dy, file));
    return header->has[RECORDS] ? make_times(header, file) : STATUS_OK;
}

enum status grid_open_geoclaw(const struct grid_request *request, struct grid_file *file)
{
    struct grid_text text;
    struct grid_header header = {0};
    CHECK(grid_text_open(request->path, &text));
    enum status status = grid_text_header(&text, 1, 2, take_entry, &header);
    if (status == STATUS_OK)
        status = make_axes(&header, &text, file);
    if (header.has[RECORDS])
        grid_describe(file, "displacement", GRID_AS_FILE, GRID_AXES_AS_FILE);
    else
        grid_describe(file, "elevation", GRID_POSITIVE_UP, GRID_AXES_AS_FILE);
    double missing = header.has[NODATA] ? header.value[NODATA] : NAN;
    struct grid_text_values values = {file->info.nx, file->info.ny, file->info.records, missing, INFINITY};
    return grid_text_attach(file, &text, status, &values);
}
