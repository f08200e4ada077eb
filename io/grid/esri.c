// ESRI ASCII raster: labelled header (ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize
// or dx and dy, NODATA_value), then rows from north to south, elevations in metres. Values stand for the
// cells' centres, so a corner is moved in by half a cell. Knows this text format only.
#include "io/grid/internal.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum key { NCOLS, NROWS, XLLCORNER, XLLCENTER, YLLCORNER, YLLCENTER, CELLSIZE, DX, DY, NODATA, KEY_COUNT };

static const char *const key_names[KEY_COUNT] = {"ncols",     "nrows",       "xllcorner", "xllcenter",
                                                 "yllcorner", "yllcenter",   "cellsize",  "dx",
                                                 "dy",        "nodata_value"};

struct header {
    bool has[KEY_COUNT];
    double value[KEY_COUNT];
};

static enum status read_entry(const struct grid_text *text, char words[2][GRID_WORD_BYTES], size_t count,
                              uint64_t line, struct header *header)
{
    for (int key = 0; key < KEY_COUNT; key++) {
        if (strcasecmp(words[0], key_names[key]) != 0)
            continue;
        if (count < 2 || !grid_parse_number(words[1], &header->value[key]))
            return FAIL(STATUS_DATA, "%s: line %llu: %s is \"%s\", expected a number", text->path,
                        (unsigned long long)line, words[0], count < 2 ? "" : words[1]);
        if (header->has[key])
            return FAIL(STATUS_DATA, "%s: line %llu: %s is given twice", text->path, (unsigned long long)line,
                        words[0]);
        header->has[key] = true;
        return STATUS_OK;
    }
    return FAIL(STATUS_DATA,
                "%s: line %llu: \"%s\" is not a key of an ESRI ASCII header (ncols, nrows, xllcorner, …)",
                text->path, (unsigned long long)line, words[0]);
}

// Lines that start with a letter, up to the first that does not ("nan" starts a row).
static enum status read_header(struct grid_text *text, struct header *header)
{
    for (;;) {
        char words[2][GRID_WORD_BYTES];
        size_t count;
        bool found;
        struct grid_text_place here = grid_text_tell(text);
        CHECK(grid_text_line(text, words, 2, &count, &found));
        if (!found)
            return FAIL(STATUS_DATA, "%s: the file ends within its header", text->path);
        if (count == 0)
            continue;
        if (!isalpha((unsigned char)words[0][0]) || strcasecmp(words[0], "nan") == 0)
            return grid_text_seek(text, here);
        CHECK(read_entry(text, words, count, here.line, header));
    }
}

static enum status whole_number(const char *path, const struct header *header, enum key key, size_t *value)
{
    double number = header->value[key];
    if (!header->has[key])
        return FAIL(STATUS_DATA, "%s: the header has no %s", path, key_names[key]);
    if (!(number >= 2 && number <= INT32_MAX) || number != nearbyint(number))
        return FAIL(STATUS_DATA, "%s: %s is %g, expected a whole number from 2 to 2147483647", path,
                    key_names[key], number);
    *value = (size_t)number;
    return STATUS_OK;
}

static enum status cell_size(const char *path, const struct header *header, enum key key, double *size)
{
    if (!header->has[key] && !header->has[CELLSIZE])
        return FAIL(STATUS_DATA, "%s: the header has no cellsize", path);
    *size = header->value[header->has[key] ? key : CELLSIZE];
    if (!(*size > 0) || !isfinite(*size))
        return FAIL(STATUS_DATA, "%s: the cell size is %g, expected a number above 0", path, *size);
    return STATUS_OK;
}

static enum status first_node(const char *path, const struct header *header, enum key corner, double size,
                              double *node)
{
    enum key centre = corner + 1;
    if (header->has[corner] == header->has[centre])
        return FAIL(STATUS_DATA, "%s: the header needs one of %s and %s", path, key_names[corner],
                    key_names[centre]);
    *node = header->has[centre] ? header->value[centre] : header->value[corner] + 0.5 * size;
    return STATUS_OK;
}

static enum status make_axes(const struct header *header, const struct grid_text *text,
                             struct grid_file *file)
{
    const char *path = file->path;
    double dx = 0, dy = 0, x = 0, y = 0;
    CHECK(whole_number(path, header, NCOLS, &file->info.nx));
    CHECK(whole_number(path, header, NROWS, &file->info.ny));
    CHECK(cell_size(path, header, DX, &dx));
    CHECK(cell_size(path, header, DY, &dy));
    CHECK(first_node(path, header, XLLCORNER, dx, &x));
    CHECK(first_node(path, header, YLLCORNER, dy, &y));
    CHECK(grid_text_check_size(text, file->info.nx, file->info.ny, 1));
    CHECK(grid_even_axis(path, x, dx, file->info.nx, &file->x));
    return grid_even_axis(path, y + dy * (double)(file->info.ny - 1), -dy, file->info.ny, &file->y);
}

enum status grid_open_esri(const struct grid_request *request, struct grid_file *file)
{
    struct grid_text text;
    struct header header = {0};
    CHECK(grid_text_open(request->path, &text));
    memcpy(file->variable, "elevation", sizeof "elevation");
    memcpy(file->units, "m", sizeof "m");
    file->file_positive = GRID_POSITIVE_UP;
    file->file_axes = GRID_AXES_AS_FILE;
    enum status status = read_header(&text, &header);
    if (status == STATUS_OK)
        status = make_axes(&header, &text, file);
    if (status != STATUS_OK) {
        grid_text_close(&text);
        return status;
    }
    double missing = header.has[NODATA] ? header.value[NODATA] : -9999; // the format's default
    struct grid_text_values values = {file->info.nx, file->info.ny, 1, missing, INFINITY};
    return grid_text_attach(file, &text, &values);
}
