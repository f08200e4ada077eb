// Sets of polylines: see lines.h.
#include "io/geo/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void geo_lines_free(struct geo_lines *lines)
{
    free(lines->lines);
    free(lines->points);
    *lines = (struct geo_lines){.level = lines->level, .is_left_out = lines->is_left_out};
}

static enum status grow(void **items, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return STATUS_OK;
    const size_t more = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(*items, more * bytes);
    if (!grown)
        return FAIL(STATUS_SYSTEM, "not enough memory for the lines of a map");
    *items = grown;
    *capacity = more;
    return STATUS_OK;
}

enum status geo_lines_begin(struct geo_lines *lines)
{
    CHECK(grow((void **)&lines->lines, lines->line_count, &lines->line_capacity, sizeof *lines->lines));
    lines->lines[lines->line_count++] = (struct geo_line){.first = lines->point_count};
    return STATUS_OK;
}

enum status geo_lines_add(struct geo_lines *lines, double x, double y)
{
    struct geo_line *line = &lines->lines[lines->line_count - 1];
    if (line->count > 0 && lines->points[lines->point_count - 1][0] == x &&
        lines->points[lines->point_count - 1][1] == y)
        return STATUS_OK;
    CHECK(grow((void **)&lines->points, lines->point_count, &lines->point_capacity, sizeof *lines->points));
    lines->points[lines->point_count][0] = x;
    lines->points[lines->point_count++][1] = y;
    line = &lines->lines[lines->line_count - 1];
    line->count++;
    return STATUS_OK;
}

void geo_lines_end(struct geo_lines *lines)
{
    const struct geo_line *line = &lines->lines[lines->line_count - 1];
    if (line->count >= 2)
        return;
    lines->point_count -= line->count;
    lines->line_count--;
}

static bool is_same(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

void geo_lines_remove_spurs(struct geo_lines *lines)
{
    struct geo_line *line = &lines->lines[lines->line_count - 1];
    double(*points)[2] = lines->points + line->first;
    size_t kept = 0, seam = 0;
    for (size_t k = 0; k < line->count; k++) {
        if (kept >= 2 && is_same(points[k], points[kept - 2])) {
            kept--;
            continue;
        }
        memmove(points[kept++], points[k], sizeof *points);
    }
    while (kept >= seam + 4 && is_same(points[seam], points[kept - 1]) &&
           is_same(points[seam + 1], points[kept - 2])) {
        seam++;
        kept--;
    }
    memmove(points, points + seam, (kept - seam) * sizeof *points);
    line->count = kept - seam;
    lines->point_count = line->first + line->count;
}

double geo_longitude(double longitude)
{
    if (longitude >= -180 && longitude <= 180)
        return longitude;
    return longitude - 360 * floor((longitude + 180) / 360);
}

// The turn of the Earth in which a longitude lies: 0 for −180 … 180.
static double turn_of(double longitude)
{
    return floor((longitude + 180) / 360);
}

static enum status wrap_line(const struct geo_lines *from, const struct geo_line *line, struct geo_lines *to)
{
    CHECK(geo_lines_begin(to));
    for (size_t k = line->first; k < line->first + line->count; k++) {
        const double *here = from->points[k], turn = turn_of(here[0]);
        if (k > line->first) {
            const double *before = from->points[k - 1], earlier = turn_of(before[0]);
            if (earlier != turn) { // pieces are shorter than a turn
                const double meridian = 360 * fmax(turn, earlier) - 180;
                const double share = (meridian - before[0]) / (here[0] - before[0]);
                const double y = before[1] + share * (here[1] - before[1]);
                CHECK(geo_lines_add(to, meridian - 360 * earlier, y));
                geo_lines_end(to);
                CHECK(geo_lines_begin(to));
                CHECK(geo_lines_add(to, meridian - 360 * turn, y));
            }
        }
        CHECK(geo_lines_add(to, here[0] - 360 * turn, here[1]));
    }
    geo_lines_end(to);
    return STATUS_OK;
}

enum status geo_lines_wrap(struct geo_lines *lines)
{
    struct geo_lines wrapped = {.level = lines->level, .is_left_out = lines->is_left_out};
    enum status status = STATUS_OK;
    for (size_t k = 0; k < lines->line_count && status == STATUS_OK; k++)
        status = wrap_line(lines, &lines->lines[k], &wrapped);
    geo_lines_free(lines);
    *lines = wrapped;
    return status;
}
