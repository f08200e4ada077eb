// Marching squares over rows: see contour.h. The pieces of all cells are kept with the sides that they join,
// and then sorted by side: two pieces with a common side follow each other.
#include "io/geo/contour.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

// A piece from side to side of a cell, with the higher values to its left. Sides are numbered 2·node to the
// eastern neighbour of a node, and 2·node + 1 to its northern one.
struct piece {
    uint64_t side[2];
    double at[2][2];
};

struct pieces {
    struct piece *items;
    size_t count, capacity;
    bool is_full;
};

struct trace {
    const struct geo_field *field;
    const double *levels;
    int count;
    struct pieces pieces[GEO_LEVELS_MAX];
};

// Corners counter-clockwise from the south-west; side k of a cell joins these: south, east, north, west.
static const int side_corners[4][2] = {{0, 1}, {1, 2}, {3, 2}, {0, 3}};
// The sides that meet in each corner.
static const int corner_sides[4][2] = {{0, 3}, {0, 1}, {1, 2}, {2, 3}};

struct cell {
    double value[4], x[4], y[4];
    uint64_t side[4];
};

static void cross(const struct cell *cell, int side, double level, double at[2])
{
    const int a = side_corners[side][0], b = side_corners[side][1];
    const double share = (level - cell->value[a]) / (cell->value[b] - cell->value[a]);
    if (share == 1) { // the node itself, which other sides give with share 0: no rounding between them
        at[0] = cell->x[b];
        at[1] = cell->y[b];
        return;
    }
    at[0] = cell->x[a] + share * (cell->x[b] - cell->x[a]);
    at[1] = cell->y[a] + share * (cell->y[b] - cell->y[a]);
}

// Between two sides, in the direction that has the higher values to its left: the corners that follow `from`
// counter-clockwise lie to the right.
static enum status add_piece(struct pieces *pieces, const struct cell *cell, double level, int one, int other)
{
    const bool is_turned = cell->value[(one + 1) % 4] >= level;
    const int from = is_turned ? other : one, to = is_turned ? one : other;
    if (pieces->is_full)
        return STATUS_OK;
    if (pieces->count == GEO_PIECES_MAX) {
        pieces->is_full = true;
        return STATUS_OK;
    }
    if (pieces->count == pieces->capacity) {
        const size_t capacity = pieces->capacity ? 2 * pieces->capacity : 1024;
        struct piece *grown = realloc(pieces->items, capacity * sizeof *grown);
        if (!grown)
            return FAIL(STATUS_SYSTEM, "not enough memory for the lines of a map");
        pieces->items = grown;
        pieces->capacity = capacity;
    }
    struct piece *piece = &pieces->items[pieces->count++];
    piece->side[0] = cell->side[from];
    piece->side[1] = cell->side[to];
    cross(cell, from, level, piece->at[0]);
    cross(cell, to, level, piece->at[1]);
    return STATUS_OK;
}

static enum status add_cell(struct pieces *pieces, const struct cell *cell, double level)
{
    bool is_above[4];
    int crossed[4], count = 0;
    for (int k = 0; k < 4; k++)
        is_above[k] = cell->value[k] >= level;
    for (int k = 0; k < 4; k++)
        if (is_above[side_corners[k][0]] != is_above[side_corners[k][1]])
            crossed[count++] = k;
    if (count == 2)
        return add_piece(pieces, cell, level, crossed[0], crossed[1]);
    if (count != 4)
        return STATUS_OK;
    // A saddle: the two corners that the middle does not belong to are cut off.
    const double middle = 0.25 * (cell->value[0] + cell->value[1] + cell->value[2] + cell->value[3]);
    for (int k = 0; k < 4; k++)
        if (is_above[k] != (middle >= level))
            CHECK(add_piece(pieces, cell, level, corner_sides[k][0], corner_sides[k][1]));
    return STATUS_OK;
}

static enum status add_rows(struct trace *trace, size_t j, const double *south, const double *north)
{
    const struct geo_field *field = trace->field;
    for (size_t i = 0; i + 1 < field->nx; i++) {
        const struct cell cell = {.value = {south[i], south[i + 1], north[i + 1], north[i]},
                                  .x = {field->x[i], field->x[i + 1], field->x[i + 1], field->x[i]},
                                  .y = {field->y[j], field->y[j], field->y[j + 1], field->y[j + 1]},
                                  .side = {2 * (j * field->nx + i), 2 * (j * field->nx + i + 1) + 1,
                                           2 * ((j + 1) * field->nx + i), 2 * (j * field->nx + i) + 1}};
        const double lowest = fmin(fmin(cell.value[0], cell.value[1]), fmin(cell.value[2], cell.value[3])),
                     highest = fmax(fmax(cell.value[0], cell.value[1]), fmax(cell.value[2], cell.value[3]));
        if (isnan(cell.value[0] + cell.value[1] + cell.value[2] + cell.value[3]))
            continue;
        for (int k = 0; k < trace->count; k++)
            if (lowest < trace->levels[k] && highest >= trace->levels[k])
                CHECK(add_cell(&trace->pieces[k], &cell, trace->levels[k]));
    }
    return STATUS_OK;
}

static enum status read_rows(struct trace *trace)
{
    const struct geo_field *field = trace->field;
    double *rows = malloc(2 * field->nx * sizeof *rows);
    if (!rows)
        return FAIL(STATUS_SYSTEM, "not enough memory for two rows of %zu values", field->nx);
    enum status status = STATUS_OK;
    for (size_t j = 0; j < field->ny && status == STATUS_OK; j++) {
        double *here = rows + (j % 2) * field->nx, *before = rows + ((j + 1) % 2) * field->nx;
        status = field->row(field->context, j, here);
        if (status == STATUS_OK && j > 0)
            status = add_rows(trace, j - 1, before, here);
    }
    free(rows);
    return status;
}

// ---- pieces to lines

struct end {
    uint64_t side;
    uint32_t index; // 2·piece, + 1 for its end
};

static int by_side(const void *a, const void *b)
{
    const struct end *first = a, *second = b;
    if (first->side != second->side)
        return first->side < second->side ? -1 : 1;
    return first->index < second->index ? -1 : first->index > second->index;
}

// others[end] = the end of another piece on the same side, or itself.
static enum status pair_ends(const struct pieces *pieces, uint32_t *others)
{
    const size_t count = 2 * pieces->count;
    struct end *ends = malloc((count + 1) * sizeof *ends);
    if (!ends)
        return FAIL(STATUS_SYSTEM, "not enough memory for the lines of a map");
    for (size_t k = 0; k < count; k++) {
        ends[k] = (struct end){pieces->items[k / 2].side[k % 2], (uint32_t)k};
        others[k] = (uint32_t)k;
    }
    qsort(ends, count, sizeof *ends, by_side);
    for (size_t k = 0; k + 1 < count; k++)
        if (ends[k].side == ends[k + 1].side) {
            others[ends[k].index] = ends[k + 1].index;
            others[ends[k + 1].index] = ends[k].index;
            k++;
        }
    free(ends);
    return STATUS_OK;
}

// Follows the pieces from the beginning of one until there is no next one, or the first is reached again.
static enum status follow(const struct pieces *pieces, const uint32_t *others, uint32_t start, bool *is_used,
                          struct geo_lines *lines)
{
    uint32_t from = start;
    const double *at = pieces->items[from / 2].at[0];
    CHECK(geo_lines_begin(lines));
    CHECK(geo_lines_add(lines, at[0], at[1]));
    while (!is_used[from / 2]) {
        const uint32_t to = from + 1;
        is_used[from / 2] = true;
        at = pieces->items[to / 2].at[1];
        CHECK(geo_lines_add(lines, at[0], at[1]));
        if (others[to] == to)
            break;
        from = others[to];
    }
    geo_lines_remove_spurs(lines);
    geo_lines_end(lines);
    return STATUS_OK;
}

static enum status join(const struct pieces *pieces, struct geo_lines *lines)
{
    uint32_t *others = malloc((2 * pieces->count + 1) * sizeof *others);
    bool *is_used = calloc(pieces->count + 1, sizeof *is_used);
    enum status status = others && is_used ? pair_ends(pieces, others)
                                           : FAIL(STATUS_SYSTEM, "not enough memory for the lines of a map");
    // From beginnings, 2·piece. Lines with ends first: what is left then are closed ones.
    for (int round = 0; round < 2 && status == STATUS_OK; round++)
        for (uint32_t k = 0; k < 2 * pieces->count && status == STATUS_OK; k += 2)
            if (!is_used[k / 2] && (round == 1 || others[k] == k))
                status = follow(pieces, others, k, is_used, lines);
    free(others);
    free(is_used);
    return status;
}

enum status geo_contour_trace(const struct geo_field *field, const double *levels, int count,
                              struct geo_lines *lines)
{
    struct trace trace = {.field = field, .levels = levels, .count = count};
    if (count > GEO_LEVELS_MAX)
        return FAIL(STATUS_SOFTWARE, "%d levels of a map", count);
    enum status status = read_rows(&trace);
    for (int k = 0; k < count; k++) {
        lines[k].level = levels[k];
        lines[k].is_left_out = trace.pieces[k].is_full;
        if (status == STATUS_OK && !trace.pieces[k].is_full)
            status = join(&trace.pieces[k], &lines[k]);
        free(trace.pieces[k].items);
    }
    return status;
}

// ---- levels

int geo_height_levels(double largest, int most, double *levels)
{
    static const double digits[3] = {1, 2, 5};
    int count = 0;
    if (!(largest > 0) || !isfinite(largest) || most < 1)
        return 0;
    most = most < GEO_LEVELS_MAX ? most : GEO_LEVELS_MAX;
    int number = 3 * (int)floor(log10(largest)) + 3; // of the level 10^(number/3), above the largest
    double descending[GEO_LEVELS_MAX];
    for (; count < most && number > -3 * 300; number--) {
        const int power = number >= 0 ? number / 3 : -((2 - number) / 3);
        // As a quotient where the power is below 0: 0.2, and not 2 times a rounded 0.1.
        const double digit = digits[number - 3 * power];
        const double level = power >= 0 ? digit * pow(10, power) : digit / pow(10, -power);
        if (level < largest)
            descending[count++] = level;
    }
    for (int k = 0; k < count; k++)
        levels[k] = descending[count - 1 - k];
    return count;
}

int geo_time_levels(double largest_s, int most, double *levels)
{
    static const double minutes[] = {1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440};
    double every_s = 60;
    int count = 0;
    if (!(largest_s > 0) || !isfinite(largest_s) || most < 1)
        return 0;
    most = most < GEO_LEVELS_MAX ? most : GEO_LEVELS_MAX;
    for (size_t k = 0; k < sizeof minutes / sizeof *minutes; k++) {
        every_s = 60 * minutes[k];
        if (largest_s / every_s <= most)
            break;
    }
    for (; count < most && (count + 1) * every_s < largest_s; count++)
        levels[count] = (count + 1) * every_s;
    return count;
}
