// GeoClaw type 3: a labelled header ("45 ncols"), then rows from north to south, metres. Two kinds:
// topography (ncols, nrows, xlower, ylower, cellsize, nodata_value), an elevation; and displacement (mx, my,
// mt, xlower, ylower, t0, dx, dy, dt) with mt grids after one another, which has no sign rule. xllcorner and
// yllcorner name the cell's corner and are moved in by half a cell; xlower, xll, xllcenter name the node.
// Knows this text format only.
#include "io/grid/internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
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

struct header {
    bool has[KEY_COUNT];
    double value[KEY_COUNT];
};

static enum status read_entry(const struct grid_text *text, char words[3][GRID_WORD_BYTES], size_t label_at,
                              uint64_t line, struct header *header)
{
    double value, second = 0;
    if (!grid_parse_number(words[0], &value) || (label_at == 2 && !grid_parse_number(words[1], &second)))
        return FAIL(STATUS_DATA, "%s: line %llu: expected a number before \"%s\"", text->path,
                    (unsigned long long)line, words[label_at]);
    for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
        if (strcasecmp(words[label_at], labels[k].label) != 0)
            continue;
        enum key key = labels[k].key;
        if (key == CELLSIZE && label_at == 2) { // "0.25 0.5 cellsize": different in x and y
            header->has[DX] = header->has[DY] = true;
            header->value[DX] = value;
            header->value[DY] = second;
            return STATUS_OK;
        }
        if (header->has[key] || label_at != 1)
            return FAIL(STATUS_DATA, "%s: line %llu: expected one value for \"%s\", once", text->path,
                        (unsigned long long)line, words[label_at]);
        header->has[key] = true;
        header->value[key] = value;
        return STATUS_OK;
    }
    return FAIL(STATUS_DATA,
                "%s: line %llu: \"%s\" is not a label of a GeoClaw header (mx, my, mt, xlower, …)",
                text->path, (unsigned long long)line, words[label_at]);
}

// Lines with a label, up to the first without one.
static enum status read_header(struct grid_text *text, struct header *header)
{
    for (;;) {
        char words[3][GRID_WORD_BYTES];
        size_t count;
        bool found;
        struct grid_text_place here = grid_text_tell(text);
        CHECK(grid_text_line(text, words, 3, &count, &found));
        if (!found)
            return FAIL(STATUS_DATA, "%s: the file ends within its header", text->path);
        if (count == 0)
            continue;
        size_t label_at = 1;
        while (label_at < count &&
               !(isalpha((unsigned char)words[label_at][0]) && strcasecmp(words[label_at], "nan")))
            label_at++;
        if (label_at == count)
            return grid_text_seek(text, here);
        CHECK(read_entry(text, words, label_at, here.line, header));
    }
}

static enum status whole_number(const char *path, const struct header *header, enum key key, const char *name,
                                double least, size_t *value)
{
    double number = header->value[key];
    if (!header->has[key])
        return FAIL(STATUS_DATA, "%s: the header has no %s", path, name);
    if (!(number >= least && number <= INT32_MAX) || number != nearbyint(number))
        return FAIL(STATUS_DATA, "%s: %s is %g, expected a whole number from %g to 2147483647", path, name,
                    number, least);
    *value = (size_t)number;
    return STATUS_OK;
}

static enum status axis_start(const char *path, const struct header *header, enum key node, enum key spacing,
                              const char *name, double *first, double *step)
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

static enum status make_times(const struct header *header, struct grid_file *file)
{
    double dt = header->value[DT];
    if (file->info.records > 1 && (!header->has[DT] || !(dt > 0) || !isfinite(dt)))
        return FAIL(STATUS_DATA, "%s: %zu records, but dt is %g, expected seconds above 0", file->path,
                    file->info.records, dt);
    return grid_even_axis(file->path, 0, file->info.records > 1 ? dt : 0, file->info.records, &file->times_s);
}

static enum status make_axes(const struct header *header, const struct grid_text *text,
                             struct grid_file *file)
{
    const char *path = file->path;
    double x = 0, y = 0, dx = 0, dy = 0;
    CHECK(whole_number(path, header, COLUMNS, "mx (ncols)", 2, &file->info.nx));
    CHECK(whole_number(path, header, ROWS, "my (nrows)", 2, &file->info.ny));
    if (header->has[RECORDS])
        CHECK(whole_number(path, header, RECORDS, "mt", 1, &file->info.records));
    CHECK(axis_start(path, header, X_NODE, DX, "x", &x, &dx));
    CHECK(axis_start(path, header, Y_NODE, DY, "y", &y, &dy));
    CHECK(grid_text_check_size(text, file->info.nx, file->info.ny, file->info.records));
    if (header->has[RECORDS])
        CHECK(make_times(header, file));
    CHECK(grid_even_axis(path, x, dx, file->info.nx, &file->x));
    return grid_even_axis(path, y + dy * (double)(file->info.ny - 1), -dy, file->info.ny, &file->y);
}

enum status grid_open_geoclaw(const struct grid_request *request, struct grid_file *file)
{
    struct grid_text text;
    struct header header = {0};
    CHECK(grid_text_open(request->path, &text));
    enum status status = read_header(&text, &header);
    if (status == STATUS_OK)
        status = make_axes(&header, &text, file);
    if (status != STATUS_OK) {
        grid_text_close(&text);
        return status;
    }
    bool is_displacement = header.has[RECORDS];
    const char *name = is_displacement ? "displacement" : "elevation";
    memcpy(file->variable, name, strlen(name) + 1);
    memcpy(file->units, "m", sizeof "m");
    file->file_positive = is_displacement ? GRID_AS_FILE : GRID_POSITIVE_UP;
    file->file_axes = GRID_AXES_AS_FILE;
    double missing = header.has[NODATA] ? header.value[NODATA] : NAN;
    struct grid_text_values values = {file->info.nx, file->info.ny, file->info.records, missing, INFINITY};
    return grid_text_attach(file, &text, &values);
}
