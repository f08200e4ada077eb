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
    return index >= 0 && index < count ? index : (index % count + count) % count;
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
    // In pairs of one axis, so that a mirrored or transposed grid has the same bits.
    const double sum = (faces[0] + faces[1]) + (faces[2] + faces[3]);
    if (c_grid_code(setup, i, j) & C_GRID_FULL) { // of order 4
        const double of_u = 9 * (faces[0] + faces[1]) - (c_grid_face_depth_m(setup, i, j - 1, true) +
                                                         c_grid_face_depth_m(setup, i, j + 2, true));
        const double of_v = 9 * (faces[2] + faces[3]) - (c_grid_face_depth_m(setup, i - 1, j, false) +
                                                         c_grid_face_depth_m(setup, i + 2, j, false));
        return fmax((of_u + of_v) / 32, 0.5 * fmin(fmin(faces[0], faces[1]), fmin(faces[2], faces[3])));
    }
    int open = 0;
    for (int k = 0; k < 4; k++)
        open += faces[k] > 0;
    return open > 0 ? sum / open : 0;
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

// A row's latitude (degrees), beyond the edges in steps of the outermost spacing.
static double latitude_of(const struct tsunami_geometry *g, ptrdiff_t j)
{
    const ptrdiff_t n = (ptrdiff_t)g->ny;
    if (j < 0)
        return g->y[0] + (double)j * (g->y[1] - g->y[0]);
    return j < n ? g->y[j] : g->y[n - 1] + (double)(j - n + 1) * (g->y[n - 1] - g->y[n - 2]);
}

// A cell may reach over a pole by a rounding.
static void add_latitude(const struct tsunami_setup *setup, ptrdiff_t j, const double mean[3],
                         struct c_grid_line *line)
{
    const struct tsunami_geometry *g = setup->geometry;
    const ptrdiff_t n = (ptrdiff_t)g->ny, node = is_periodic(g, false) ? wrapped(j, n)
                                                 : j < 0               ? 0
                                                 : j > n - 1           ? n - 1
                                                                       : j;
    line->cos_node = g->cos_latitude[node];
    line->coriolis_per_s = setup->physics->has_coriolis ? g->coriolis_per_s[node] : 0;
    if (!g->is_spherical)
        return;
    double degrees = 0;
    for (ptrdiff_t k = 0; k < 3; k++)
        degrees += mean[k] * (latitude_of(g, j - k) + latitude_of(g, j + 1 + k));
    line->cos_face = fmax(1e-6, cos(degrees * radian));
    // 2Ω from the row farther from the equator.
    const ptrdiff_t far = fabs(g->y[0]) > fabs(g->y[n - 1]) ? 0 : n - 1;
    const double twice_omega = g->coriolis_per_s[far] / sin(g->y[far] * radian);
    line->coriolis_per_s = setup->physics->has_coriolis ? twice_omega * sin(degrees * radian) : 0;
}

// The difference of order 6 of positions, from the distances about the middle one: summed in pairs, so that a
// mirrored grid has the same bits.
static double difference_of(const double *distance, const double weights[3])
{
    const double near = distance[-1] + distance[1], far = distance[-2] + distance[2];
    return weights[0] * distance[0] + weights[1] * (near + distance[0]) +
           weights[2] * ((far + near) + distance[0]);
}

struct c_grid_line c_grid_line(const struct tsunami_setup *setup, bool along_x, ptrdiff_t index)
{
    enum { REACH = 5 };
    double difference[3], mean[3], nodes[2 * REACH + 1], faces[5];
    c_grid_weights(6, difference, mean);
    // nodes[REACH + k]: from node index + k to the next; faces[2 + k]: from face index − 1/2 + k to the next.
    for (ptrdiff_t k = -REACH; k <= REACH; k++)
        nodes[REACH + k] = distance_m(setup->geometry, along_x, index + k);
    for (ptrdiff_t k = -2; k <= 2; k++) {
        const double *to = nodes + REACH + k;
        faces[2 + k] = mean[0] * (to[-1] + to[0]) + mean[1] * (to[-2] + to[1]) + mean[2] * (to[-3] + to[2]);
    }
    struct c_grid_line line = {.face_m = difference_of(nodes + REACH, difference),
                               .node_m = difference_of(faces + 2, difference),
                               .cos_node = 1,
                               .cos_face = 1};
    if (!along_x)
        add_latitude(setup, index, mean, &line);
    return line;
}
