// The staggered grid of "c-grid-6": see the header. Knows no state and no scheme.
#include "models/tsunami/c_grid.h"

#include <math.h>

static const double radian = 3.14159265358979323846 / 180;

static bool is_periodic(const struct tsunami_geometry *g, bool along_x)
{
    return g->edges[along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC;
}

static ptrdiff_t nodes_along(const struct tsunami_geometry *g, bool along_x)
{
    return (ptrdiff_t)(along_x ? g->nx : g->ny);
}

static ptrdiff_t wrapped(ptrdiff_t index, ptrdiff_t count)
{
    return (index % count + count) % count;
}

double c_grid_depth_m(const struct tsunami_setup *setup, ptrdiff_t i, ptrdiff_t j)
{
    const struct tsunami_geometry *g = setup->geometry;
    const ptrdiff_t nx = (ptrdiff_t)g->nx, ny = (ptrdiff_t)g->ny;
    i = is_periodic(g, true) ? wrapped(i, nx) : i;
    j = is_periodic(g, false) ? wrapped(j, ny) : j;
    if (i < 0 || j < 0 || i >= nx || j >= ny)
        return 0;
    const double depth_m = (*setup->depth_m)[(size_t)j * g->pitch + (size_t)i];
    return depth_m > setup->physics->wall_depth_m ? depth_m : 0;
}

static bool is_wet(const struct tsunami_setup *setup, ptrdiff_t i, ptrdiff_t j)
{
    return c_grid_depth_m(setup, i, j) > 0;
}

// Wet nodes in a line from a wet node on, at most two.
static int count_wet(const struct tsunami_setup *setup, ptrdiff_t i, ptrdiff_t j, int di, int dj)
{
    return !is_wet(setup, i + di, j + dj) ? 0 : is_wet(setup, i + 2 * di, j + 2 * dj) ? 2 : 1;
}

int c_grid_code(const struct tsunami_setup *setup, ptrdiff_t i, ptrdiff_t j)
{
    if (!is_wet(setup, i, j))
        return 0;
    // Rows j − 1 … j + 2 of columns i and i + 1 along y, columns i − 1 … i + 2 of rows j and j + 1 along x.
    int across[2] = {0, 0}, far[2] = {0, 0}, square = 0;
    for (int m = 0; m < 2; m++) {
        square += is_wet(setup, i + m, j) + is_wet(setup, i + m, j + 1);
        across[0] += is_wet(setup, i - 1, j + m) + is_wet(setup, i + 2, j + m);
        across[1] += is_wet(setup, i + m, j - 1) + is_wet(setup, i + m, j + 2);
        for (int n = -2; n <= 2; n++) {
            far[0] += is_wet(setup, i + m, j + n);
            far[1] += is_wet(setup, i + n, j + m);
        }
    }
    return count_wet(setup, i, j, -1, 0) << C_GRID_WEST | count_wet(setup, i, j, 1, 0) << C_GRID_EAST |
           count_wet(setup, i, j, 0, -1) << C_GRID_SOUTH | count_wet(setup, i, j, 0, 1) << C_GRID_NORTH |
           (square == 4 ? C_GRID_INNER : 0) |
           (square == 4 && across[0] == 4 && across[1] == 4 ? C_GRID_FULL : 0) |
           (far[0] == 10 ? C_GRID_LINE_U : 0) | (far[1] == 10 ? C_GRID_LINE_V : 0) | C_GRID_WET;
}

bool c_grid_is_open_face(const struct tsunami_geometry *g, ptrdiff_t i, ptrdiff_t j, bool along_x)
{
    const ptrdiff_t index = along_x ? i : j, last = nodes_along(g, along_x) - 1;
    const ptrdiff_t beside = along_x ? j : i, lines = nodes_along(g, !along_x);
    const enum tsunami_side first_side = along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH,
                            last_side = along_x ? TSUNAMI_EAST : TSUNAMI_NORTH;
    if ((beside < 0 || beside >= lines) && !is_periodic(g, !along_x))
        return false;
    return (index == -1 && g->edges[first_side] == TSUNAMI_EDGE_OPEN) ||
           (index == last && g->edges[last_side] == TSUNAMI_EDGE_OPEN);
}

double c_grid_face_depth_m(const struct tsunami_setup *setup, ptrdiff_t i, ptrdiff_t j, bool along_x)
{
    const ptrdiff_t di = along_x, dj = !along_x;
    double d[4];
    for (ptrdiff_t k = 0; k < 4; k++)
        d[k] = c_grid_depth_m(setup, i + (k - 1) * di, j + (k - 1) * dj);
    if (c_grid_is_open_face(setup->geometry, i, j, along_x))
        return fmax(d[1], d[2]);
    if (!(d[1] > 0 && d[2] > 0))
        return 0;
    if (!(d[0] > 0 && d[3] > 0))
        return 0.5 * (d[1] + d[2]);
    const double between = (9 * (d[1] + d[2]) - (d[0] + d[3])) / 16;
    return fmax(0.9 * fmin(d[1], d[2]), fmin(1.1 * fmax(d[1], d[2]), between));
}

double c_grid_corner_depth_m(const struct tsunami_setup *setup, ptrdiff_t i, ptrdiff_t j)
{
    const double faces[4] = {
        c_grid_face_depth_m(setup, i, j, true), c_grid_face_depth_m(setup, i, j + 1, true),
        c_grid_face_depth_m(setup, i, j, false), c_grid_face_depth_m(setup, i + 1, j, false)};
    double sum = 0;
    int open = 0;
    if (c_grid_code(setup, i, j) & C_GRID_FULL) { // of order 4
        for (int k = 0; k < 2; k++)
            sum += 9 * (faces[k] + faces[2 + k]) - c_grid_face_depth_m(setup, i, j - 1 + 3 * k, true) -
                   c_grid_face_depth_m(setup, i - 1 + 3 * k, j, false);
        return fmax(sum / 32, 0.5 * fmin(fmin(faces[0], faces[1]), fmin(faces[2], faces[3])));
    }
    for (int k = 0; k < 4; k++) {
        sum += faces[k];
        open += faces[k] > 0;
    }
    return open > 0 ? sum / open : 0;
}

// Differences may reach as far as there are nodes between the place and an open edge.
static int order_within(const struct tsunami_geometry *g, bool along_x, ptrdiff_t before, ptrdiff_t after)
{
    ptrdiff_t room = 2;
    if (g->edges[along_x ? TSUNAMI_WEST : TSUNAMI_SOUTH] == TSUNAMI_EDGE_OPEN)
        room = before < room ? before : room;
    if (g->edges[along_x ? TSUNAMI_EAST : TSUNAMI_NORTH] == TSUNAMI_EDGE_OPEN)
        room = after < room ? after : room;
    return room <= 0 ? 2 : room == 1 ? 4 : 6;
}

int c_grid_face_order(const struct tsunami_geometry *g, bool along_x, ptrdiff_t index)
{
    return order_within(g, along_x, index, nodes_along(g, along_x) - 2 - index);
}

int c_grid_node_order(const struct tsunami_geometry *g, bool along_x, ptrdiff_t index)
{
    return order_within(g, along_x, index, nodes_along(g, along_x) - 1 - index);
}

void c_grid_weights(int order, double difference[3], double mean[3])
{
    static const double differences[3][3] = {
        {1, 0, 0}, {9.0 / 8, -1.0 / 24, 0}, {75.0 / 64, -25.0 / 384, 3.0 / 640}};
    static const double means[3][3] = {
        {1.0 / 2, 0, 0}, {9.0 / 16, -1.0 / 16, 0}, {150.0 / 256, -25.0 / 256, 3.0 / 256}};
    for (int k = 0; k < 3; k++) {
        difference[k] = differences[order / 2 - 1][k];
        mean[k] = means[order / 2 - 1][k];
    }
}

// Distance from node `index` to the next; beyond the edges the edge's own.
static double distance_m(const struct tsunami_geometry *g, bool along_x, ptrdiff_t index)
{
    const double *distances = along_x ? g->x_distance_m : g->y_distance_m;
    const ptrdiff_t n = nodes_along(g, along_x);
    if (is_periodic(g, along_x))
        return distances[wrapped(index, n)];
    return distances[index < -1 ? -1 : index > n - 1 ? n - 1 : index];
}

// Positions of the nodes index − 5 … index + 5, from node `index`.
static void positions_about(const struct tsunami_geometry *g, bool along_x, ptrdiff_t index, double at[11])
{
    at[5] = 0;
    for (ptrdiff_t k = 0; k < 5; k++) {
        at[6 + k] = at[5 + k] + distance_m(g, along_x, index + k);
        at[4 - k] = at[5 - k] - distance_m(g, along_x, index - 1 - k);
    }
}

// Along y on the sphere; the middle of the outermost cells may lie beyond a pole by a rounding.
static void add_latitude(const struct tsunami_setup *setup, ptrdiff_t j, double to_face_m,
                         struct c_grid_line *line)
{
    const struct tsunami_geometry *g = setup->geometry;
    const ptrdiff_t n = (ptrdiff_t)g->ny;
    const ptrdiff_t row = is_periodic(g, false) ? wrapped(j, n) : j < -1 ? -1 : j > n - 1 ? n - 1 : j;
    const ptrdiff_t node = row < 0 ? 0 : row;
    line->cos_node = g->cos_latitude[node];
    line->cos_face = 1;
    line->coriolis_per_s = setup->physics->has_coriolis ? g->coriolis_per_s[node] : 0;
    if (!g->is_spherical)
        return;
    const double degrees_per_m = (g->y[1] - g->y[0]) / g->y_distance_m[0];
    const double step = row < 0 ? to_face_m - g->y_distance_m[-1] : to_face_m;
    const double latitude = (g->y[node] + step * degrees_per_m) * radian;
    line->cos_face = fmax(1e-6, cos(latitude));
    // 2Ω from the row farther from the equator.
    const ptrdiff_t far = fabs(g->y[0]) > fabs(g->y[n - 1]) ? 0 : n - 1;
    const double twice_omega = g->coriolis_per_s[far] / sin(g->y[far] * radian);
    line->coriolis_per_s = setup->physics->has_coriolis ? twice_omega * sin(latitude) : 0;
}

struct c_grid_line c_grid_line(const struct tsunami_setup *setup, bool along_x, ptrdiff_t index)
{
    double difference[3], mean[3], at[11], face[6];
    c_grid_weights(6, difference, mean);
    positions_about(setup->geometry, along_x, index, at);
    // Faces index − 3 … index + 2, each between nodes k and k + 1.
    for (int k = 0; k < 6; k++) {
        const double *node = at + 2 + k;
        face[k] =
            mean[0] * (node[0] + node[1]) + mean[1] * (node[-1] + node[2]) + mean[2] * (node[-2] + node[3]);
    }
    struct c_grid_line line = {.face_m = difference[0] * (at[6] - at[5]) + difference[1] * (at[7] - at[4]) +
                                         difference[2] * (at[8] - at[3]),
                               .node_m = difference[0] * (face[3] - face[2]) +
                                         difference[1] * (face[4] - face[1]) +
                                         difference[2] * (face[5] - face[0]),
                               .cos_node = 1,
                               .cos_face = 1};
    if (!along_x)
        add_latitude(setup, index, face[3], &line);
    return line;
}
