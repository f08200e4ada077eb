// Lines on maps (see contour.h).
#include "report/contour.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static enum status out_of_memory(void)
{
    return FAIL(STATUS_SYSTEM, "report: not enough memory to trace the lines of a map");
}

enum status contour_append(struct contour_points *points, double x, double y)
{
    if (points->count == points->capacity) {
        size_t capacity = points->capacity ? 2 * points->capacity : 4096;
        float *grown = realloc(points->xy, capacity * 2 * sizeof *grown);
        if (!grown)
            return out_of_memory();
        points->xy = grown;
        points->capacity = capacity;
    }
    points->xy[2 * points->count] = (float)x;
    points->xy[2 * points->count + 1] = (float)y;
    points->count++;
    return STATUS_OK;
}

void contour_free(struct contour_points *points)
{
    free(points->xy);
    *points = (struct contour_points){0};
}

// Where a level line crosses the edges of the mesh. Edge e < n (n nodes) runs from node e to its eastern
// neighbour, edge n + e to its northern one. Each crossed edge is joined to at most two others, one in each
// adjoining cell.
struct crossings {
    const struct contour_field *field;
    double level;
    int32_t (*links)[2]; // 2n entries; −1: none
};

static void link_edges(struct crossings *crossings, int32_t a, int32_t b)
{
    crossings->links[a][crossings->links[a][0] >= 0] = b;
    crossings->links[b][crossings->links[b][0] >= 0] = a;
}

// Joins the crossed edges of the cell whose south-western node is (i, j).
static void link_cell(struct crossings *crossings, size_t i, size_t j)
{
    const struct contour_field *field = crossings->field;
    size_t nx = field->nx, nodes = nx * field->ny, sw = j * nx + i;
    const float *v = field->values;
    float corners[4] = {v[sw], v[sw + 1], v[sw + nx + 1], v[sw + nx]}; // counter-clockwise from south-west
    for (int k = 0; k < 4; k++)
        if (!isfinite(corners[k]))
            return;
    int32_t edges[4] = {(int32_t)sw, (int32_t)(nodes + sw + 1), (int32_t)(sw + nx), (int32_t)(nodes + sw)};
    int32_t crossed[4];
    int count = 0;
    for (int k = 0; k < 4; k++)
        if ((corners[k] >= crossings->level) != (corners[(k + 1) % 4] >= crossings->level))
            crossed[count++] = edges[k];
    if (count == 2)
        link_edges(crossings, crossed[0], crossed[1]);
    if (count == 4) { // a saddle: the mean at the centre decides which corners are connected
        double centre = 0.25 * ((double)corners[0] + corners[1] + corners[2] + corners[3]);
        bool joins_sw = (corners[0] >= crossings->level) == (centre >= crossings->level);
        // south-west and north-east are connected: the lines cut off the other two corners
        link_edges(crossings, crossed[0], crossed[joins_sw ? 1 : 3]);
        link_edges(crossings, crossed[2], crossed[joins_sw ? 3 : 1]);
    }
}

static void crossing_point(const struct crossings *crossings, int32_t edge, double *x, double *y)
{
    const struct contour_field *field = crossings->field;
    size_t nodes = field->nx * field->ny;
    bool is_northward = (size_t)edge >= nodes;
    size_t node = is_northward ? (size_t)edge - nodes : (size_t)edge;
    double a = field->values[node], b = field->values[node + (is_northward ? field->nx : 1)];
    double part = (crossings->level - a) / (b - a);
    *x = field->x_first + field->x_step * ((double)(node % field->nx) + (is_northward ? 0 : part));
    *y = field->y_first + field->y_step * ((double)(node / field->nx) + (is_northward ? part : 0));
}

// Follows the links from an edge and removes them, so that each line is traced once.
static enum status walk(struct crossings *crossings, int32_t start, double y_weight,
                        struct contour_points *points, double *length)
{
    double x, y, x_before = 0, y_before = 0;
    *length = 0;
    for (int32_t edge = start, next; edge >= 0; edge = next) {
        crossing_point(crossings, edge, &x, &y);
        if (edge != start || *length > 0)
            *length += hypot(x - x_before, y_weight * (y - y_before));
        CHECK(contour_append(points, x, y));
        x_before = x;
        y_before = y;
        int side = crossings->links[edge][0] >= 0 ? 0 : 1;
        next = crossings->links[edge][side];
        crossings->links[edge][side] = -1;
        if (next >= 0)
            crossings->links[next][crossings->links[next][0] == edge ? 0 : 1] = -1;
    }
    return contour_append(points, NAN, NAN);
}

static enum status trace_lines(struct crossings *crossings, double shortest, double y_weight,
                               struct contour_points *points)
{
    size_t edges = 2 * crossings->field->nx * crossings->field->ny;
    // Open lines first, each from an end; the other lines are closed.
    for (int pass = 0; pass < 2; pass++)
        for (size_t e = 0; e < edges; e++) {
            int links = (crossings->links[e][0] >= 0) + (crossings->links[e][1] >= 0);
            if (links == 0 || (pass == 0 && links == 2))
                continue;
            size_t mark = points->count;
            double length;
            CHECK(walk(crossings, (int32_t)e, y_weight, points, &length));
            if (length < shortest)
                points->count = mark;
        }
    return STATUS_OK;
}

enum status contour_trace(const struct contour_field *field, double level, double shortest, double y_weight,
                          struct contour_points *points)
{
    size_t nodes = field->nx * field->ny;
    if (field->nx < 2 || field->ny < 2)
        return STATUS_OK;
    if (nodes > (size_t)1 << 30)
        return FAIL(STATUS_SYSTEM, "report: %zu nodes are too many to trace lines on", nodes);
    struct crossings crossings = {field, level, malloc(2 * nodes * sizeof *crossings.links)};
    if (!crossings.links)
        return out_of_memory();
    memset(crossings.links, 0xFF, 2 * nodes * sizeof *crossings.links);
    for (size_t j = 0; j + 1 < field->ny; j++)
        for (size_t i = 0; i + 1 < field->nx; i++)
            link_cell(&crossings, i, j);
    enum status status = trace_lines(&crossings, shortest, y_weight, points);
    free(crossings.links);
    return status;
}

static bool is_water(const struct contour_field *mask, size_t i, size_t j)
{
    return mask->values[j * mask->nx + i] >= 0.5f;
}

static enum status append_line(struct contour_points *points, double x0, double y0, double x1, double y1)
{
    CHECK(contour_append(points, x0, y0));
    CHECK(contour_append(points, x1, y1));
    return contour_append(points, NAN, NAN);
}

// The border on the line between rows j − 1 and j: each stretch of it becomes one line.
static enum status coast_along_row(const struct contour_field *mask, size_t j, struct contour_points *points)
{
    double y = mask->y_first + mask->y_step * ((double)j - 0.5);
    for (size_t i = 0; i < mask->nx; i++) {
        size_t begin = i;
        while (i < mask->nx && is_water(mask, i, j) != is_water(mask, i, j - 1))
            i++;
        if (i > begin)
            CHECK(append_line(points, mask->x_first + mask->x_step * ((double)begin - 0.5), y,
                              mask->x_first + mask->x_step * ((double)i - 0.5), y));
    }
    return STATUS_OK;
}

static enum status coast_along_column(const struct contour_field *mask, size_t i,
                                      struct contour_points *points)
{
    double x = mask->x_first + mask->x_step * ((double)i - 0.5);
    for (size_t j = 0; j < mask->ny; j++) {
        size_t begin = j;
        while (j < mask->ny && is_water(mask, i, j) != is_water(mask, i - 1, j))
            j++;
        if (j > begin)
            CHECK(append_line(points, x, mask->y_first + mask->y_step * ((double)begin - 0.5), x,
                              mask->y_first + mask->y_step * ((double)j - 0.5)));
    }
    return STATUS_OK;
}

enum status contour_coast(const struct contour_field *mask, struct contour_points *points)
{
    for (size_t j = 1; j < mask->ny; j++)
        CHECK(coast_along_row(mask, j, points));
    for (size_t i = 1; i < mask->nx; i++)
        CHECK(coast_along_column(mask, i, points));
    return STATUS_OK;
}

enum status contour_rectangle(const double x[2], const double y[2], struct contour_points *points)
{
    static const int corners[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    for (int k = 0; k < 5; k++)
        CHECK(contour_append(points, x[corners[k][0]], y[corners[k][1]]));
    return contour_append(points, NAN, NAN);
}

static float mean_around(const float *values, size_t nx, size_t ny, size_t i, size_t j)
{
    double sum = 0;
    int count = 0;
    for (size_t q = j > 0 ? j - 1 : 0; q <= j + 1 && q < ny; q++)
        for (size_t p = i > 0 ? i - 1 : 0; p <= i + 1 && p < nx; p++)
            if (!isnan(values[q * nx + p])) {
                sum += values[q * nx + p];
                count++;
            }
    return (float)(sum / count);
}

enum status contour_smooth(float *values, size_t nx, size_t ny, int passes)
{
    float *copy = malloc(nx * ny * sizeof *copy);
    if (!copy)
        return out_of_memory();
    for (int pass = 0; pass < passes; pass++) {
        memcpy(copy, values, nx * ny * sizeof *copy);
        for (size_t j = 0; j < ny; j++)
            for (size_t i = 0; i < nx; i++)
                if (!isnan(copy[j * nx + i]))
                    values[j * nx + i] = mean_around(copy, nx, ny, i, j);
    }
    free(copy);
    return STATUS_OK;
}
