// Surfer grids: version 6 as text (DSAA) and binary (DSBB), version 7 (DSRB). Rows from south to north,
// values at the nodes, metres, no rule about the sign; blank nodes are missing. The binary forms are
// little-endian. After Golden Software's descriptions of the three formats. Reads these formats only.
#include "io/grid/internal.h"
#include "io/path.h"
#include "io/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The blank value of version 6, 1.70141e38: what lies at it or above is blank.
static const double surfer6_blank = 1.70141e38;

enum {
    DSBB_HEADER_BYTES = 56,
    DSRB_HEADER = 0x42525344,
    DSRB_GRID = 0x44495247,
    DSRB_DATA = 0x41544144,
    DSRB_GRID_BYTES = 72
};

// ---- binary values

struct binary_grid {
    FILE *stream;
    const char *path;
    uint64_t first_byte;
    size_t nx, ny, value_bytes; // 4 float, 8 double
    double blank;
    bool is_blank_exact; // version 2 of the DSRB form: equal to, not from the blank value up
    unsigned char *raw;  // one row
};

static uint64_t little_endian(const unsigned char *raw, size_t bytes)
{
    uint64_t value = 0;
    for (size_t k = bytes; k-- > 0;)
        value = value << 8 | raw[k];
    return value;
}

static double double_at(const unsigned char *raw)
{
    uint64_t bits = little_endian(raw, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double value_at(const unsigned char *raw, size_t bytes)
{
    if (bytes == 8)
        return double_at(raw);
    uint32_t bits = (uint32_t)little_endian(raw, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static enum status read_bytes(struct binary_grid *grid, uint64_t offset, size_t bytes, unsigned char *raw)
{
    if (fseeko(grid->stream, (off_t)offset, SEEK_SET) != 0)
        return FAIL(STATUS_IO, "%s: %s", grid->path, strerror(errno));
    if (fread(raw, 1, bytes, grid->stream) != bytes)
        return ferror(grid->stream) ? FAIL(STATUS_IO, "%s: %s", grid->path, strerror(errno))
                                    : FAIL(STATUS_DATA, "%s: the file ends within the %s from byte %llu on",
                                           grid->path, UNITS_BYTES(bytes), (unsigned long long)offset);
    return STATUS_OK;
}

static enum status read_binary_row(void *state, size_t record, size_t row, double *values)
{
    struct binary_grid *grid = state;
    (void)record; // there is one only
    size_t bytes = grid->nx * grid->value_bytes;
    CHECK(read_bytes(grid, grid->first_byte + row * bytes, bytes, grid->raw));
    for (size_t k = 0; k < grid->nx; k++) {
        double value = value_at(grid->raw + k * grid->value_bytes, grid->value_bytes);
        bool is_blank = grid->is_blank_exact ? value == grid->blank : value >= grid->blank;
        values[k] = is_blank ? NAN : value;
    }
    return STATUS_OK;
}

static void close_binary(void *state)
{
    struct binary_grid *grid = state;
    if (grid->stream != NULL)
        fclose(grid->stream); // opened for reading: nothing can be lost
    free(grid->raw);
    free(grid);
}

static const struct grid_reader binary_reader = {read_binary_row, close_binary};

// Also makes the grid the file's state, so that grid_close releases it.
static enum status open_binary(struct grid_file *file, struct binary_grid **grid)
{
    *grid = calloc(1, sizeof **grid);
    if (*grid == NULL)
        return FAIL(STATUS_SYSTEM, "%s: out of memory", file->path);
    file->state = *grid;
    file->reader = &binary_reader;
    (*grid)->path = file->path;
    (*grid)->stream = fopen(file->path, "rb");
    if ((*grid)->stream == NULL)
        return FAIL(path_open_status(errno), "%s: %s", file->path, strerror(errno));
    return STATUS_OK;
}

// Holds the file against its header, and takes the row buffer. `data_bytes` lie from first_byte on.
static enum status check_data(struct binary_grid *grid, const struct grid_file *file, uint64_t data_bytes)
{
    uint64_t promised;
    if (file->info.nx < 2 || file->info.ny < 2)
        return FAIL(STATUS_DATA, "%s: the header has %zu × %zu nodes, expected at least 2 × 2", file->path,
                    file->info.nx, file->info.ny);
    if (__builtin_mul_overflow(file->info.nx, file->info.ny, &promised) ||
        __builtin_mul_overflow(promised, grid->value_bytes, &promised) || promised != data_bytes)
        return FAIL(STATUS_DATA, "%s: the header promises %zu × %zu values of %s, but there are %s of data",
                    file->path, file->info.nx, file->info.ny, UNITS_BYTES(grid->value_bytes),
                    UNITS_BYTES(data_bytes));
    grid->nx = file->info.nx;
    grid->ny = file->info.ny;
    grid->raw = malloc(grid->nx * grid->value_bytes);
    if (grid->raw == NULL)
        return FAIL(STATUS_SYSTEM, "%s: a row of %zu values: out of memory", file->path, grid->nx);
    return STATUS_OK;
}

static enum status file_length(struct binary_grid *grid, uint64_t *bytes)
{
    off_t end = fseeko(grid->stream, 0, SEEK_END) == 0 ? ftello(grid->stream) : -1;
    if (end < 0)
        return FAIL(STATUS_IO, "%s: %s", grid->path, strerror(errno));
    *bytes = (uint64_t)end;
    return STATUS_OK;
}

// ---- headers

// limits: x lowest, x highest, y lowest, y highest.
static enum status axes_from_limits(struct grid_file *file, const double limits[4])
{
    for (int k = 0; k < 4; k += 2)
        if (!(limits[k] < limits[k + 1]) || !isfinite(limits[k]) || !isfinite(limits[k + 1]))
            return FAIL(STATUS_DATA, "%s: the header's %s runs from %g to %g, expected ascending limits",
                        file->path, k == 0 ? "x" : "y", limits[k], limits[k + 1]);
    CHECK(grid_even_axis(file->path, limits[0], (limits[1] - limits[0]) / (double)(file->info.nx - 1),
                         file->info.nx, &file->x));
    return grid_even_axis(file->path, limits[2], (limits[3] - limits[2]) / (double)(file->info.ny - 1),
                          file->info.ny, &file->y);
}

static enum status read_text_header(struct grid_text *text, struct grid_file *file)
{
    static const char *const names[6] = {"the lowest x",  "the highest x", "the lowest y",
                                         "the highest y", "the lowest z",  "the highest z"};
    char magic[GRID_WORD_BYTES];
    double limits[6];
    uint64_t line;
    bool found;
    CHECK(grid_text_word(text, magic, &line, &found));
    if (strcmp(magic, "DSAA") != 0)
        return FAIL(STATUS_DATA, "%s: a Surfer 6 file starts with DSAA or DSBB, this one with \"%s\"",
                    file->path, magic);
    CHECK(grid_text_count(text, "the number of columns", 2, &file->info.nx));
    CHECK(grid_text_count(text, "the number of rows", 2, &file->info.ny));
    for (int k = 0; k < 6; k++)
        CHECK(grid_text_number(text, names[k], &limits[k]));
    CHECK(grid_text_check_size(text, file->info.nx, file->info.ny, 1));
    return axes_from_limits(file, limits);
}

static enum status open_dsaa(struct grid_file *file)
{
    struct grid_text text;
    CHECK(grid_text_open(file->path, &text));
    const enum status status = read_text_header(&text, file);
    struct grid_text_values values = {file->info.nx, file->info.ny, 1, NAN, surfer6_blank};
    return grid_text_attach(file, &text, status, &values);
}

enum status grid_open_surfer6(const struct grid_request *request, struct grid_file *file)
{
    unsigned char header[DSBB_HEADER_BYTES];
    struct binary_grid *grid;
    double limits[4];
    uint64_t length = 0;
    (void)request;
    grid_describe(file, "z", GRID_AS_FILE, GRID_AXES_AS_FILE);
    CHECK(open_binary(file, &grid));
    CHECK(read_bytes(grid, 0, 4, header));
    if (memcmp(header, "DSBB", 4) != 0) {
        close_binary(grid);
        file->state = NULL;
        file->reader = NULL;
        return open_dsaa(file);
    }
    CHECK(read_bytes(grid, 0, sizeof header, header));
    CHECK(file_length(grid, &length));
    file->info.nx = (size_t)little_endian(header + 4, 2);
    file->info.ny = (size_t)little_endian(header + 6, 2);
    for (int k = 0; k < 4; k++)
        limits[k] = double_at(header + 8 + 8 * k);
    grid->value_bytes = 4;
    grid->blank = surfer6_blank;
    grid->first_byte = DSBB_HEADER_BYTES;
    CHECK(check_data(grid, file, length - DSBB_HEADER_BYTES));
    return axes_from_limits(file, limits);
}

static enum status read_dsrb_grid(struct binary_grid *grid, struct grid_file *file, uint64_t offset,
                                  uint64_t bytes, uint64_t version)
{
    unsigned char raw[DSRB_GRID_BYTES];
    if (bytes < DSRB_GRID_BYTES)
        return FAIL(STATUS_DATA, "%s: the grid section has %s, expected %s", file->path, UNITS_BYTES(bytes),
                    UNITS_BYTES(DSRB_GRID_BYTES));
    CHECK(read_bytes(grid, offset, sizeof raw, raw));
    file->info.ny = (size_t)little_endian(raw, 4);
    file->info.nx = (size_t)little_endian(raw + 4, 4);
    double x = double_at(raw + 8), y = double_at(raw + 16), dx = double_at(raw + 24),
           dy = double_at(raw + 32);
    double rotation = double_at(raw + 56);
    if (file->info.nx < 2 || file->info.ny < 2)
        return FAIL(STATUS_DATA, "%s: the header has %zu × %zu nodes, expected at least 2 × 2", file->path,
                    file->info.nx, file->info.ny);
    grid->blank = double_at(raw + 64);
    grid->is_blank_exact = version >= 2;
    if (rotation != 0)
        return FAIL(STATUS_DATA, "%s: the grid is rotated by %g degrees, expected an unrotated one",
                    file->path, rotation);
    if (!(dx > 0 && dy > 0 && isfinite(dx) && isfinite(dy) && isfinite(x) && isfinite(y)))
        return FAIL(STATUS_DATA,
                    "%s: the grid starts at %g, %g with spacings %g, %g: expected spacings above 0",
                    file->path, x, y, dx, dy);
    // The data section is not seen yet: a damaged count must not allocate more than the file could fill.
    uint64_t length = 0, nodes;
    CHECK(file_length(grid, &length));
    if (__builtin_mul_overflow(file->info.nx, file->info.ny, &nodes) || nodes > length / 8)
        return FAIL(STATUS_DATA, "%s: the header promises %zu × %zu values of 8 B, but the file has %s",
                    file->path, file->info.nx, file->info.ny, UNITS_BYTES(length));
    free(file->x);
    free(file->y);
    file->x = file->y = NULL;
    CHECK(grid_even_axis(file->path, x, dx, file->info.nx, &file->x));
    return grid_even_axis(file->path, y, dy, file->info.ny, &file->y);
}

enum status grid_open_surfer7(const struct grid_request *request, struct grid_file *file)
{
    struct binary_grid *grid;
    uint64_t offset = 0, length = 0, version = 1;
    (void)request;
    grid_describe(file, "z", GRID_AS_FILE, GRID_AXES_AS_FILE);
    CHECK(open_binary(file, &grid));
    CHECK(file_length(grid, &length));
    for (;;) { // tagged sections: id, bytes, content
        unsigned char raw[8];
        if (offset + sizeof raw > length)
            return FAIL(STATUS_DATA, "%s: the file ends before its data section", file->path);
        CHECK(read_bytes(grid, offset, sizeof raw, raw));
        uint64_t id = little_endian(raw, 4), bytes = little_endian(raw + 4, 4);
        offset += sizeof raw;
        if (offset == sizeof raw && id != DSRB_HEADER)
            return FAIL(STATUS_DATA, "%s: a Surfer 7 file starts with DSRB", file->path);
        if (id == DSRB_HEADER && bytes >= 4) {
            CHECK(read_bytes(grid, offset, 4, raw));
            version = little_endian(raw, 4);
        } else if (id == DSRB_GRID) {
            CHECK(read_dsrb_grid(grid, file, offset, bytes, version));
        } else if (id == DSRB_DATA) {
            if (file->x == NULL)
                return FAIL(STATUS_DATA, "%s: the data section comes before the grid section", file->path);
            grid->value_bytes = 8;
            grid->first_byte = offset;
            return check_data(grid, file, bytes < length - offset ? bytes : length - offset);
        }
        offset += bytes;
    }
}
