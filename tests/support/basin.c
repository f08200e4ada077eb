// See basin.h.
#include "tests/support/basin.h"

#include <stdlib.h>
#include <string.h>

void basin_use_own(struct basin *b)
{
    b->setup.nx = b->state.nx;
    b->setup.ny = b->state.ny;
    b->setup.x = b->x;
    b->setup.y = b->y;
    b->setup.depth_m = b->depth;
}

void basin_free(struct basin *b)
{
    free(b->x);
    free(b->y);
    free(b->depth);
    state_free(&b->state);
}

void basin_image_state(enum basin_image image, const struct ocean_state *from, struct ocean_state *to)
{
    (image == BASIN_MIRRORED_X   ? state_mirror_x
     : image == BASIN_MIRRORED_Y ? state_mirror_y
                                 : state_transpose)(from, to);
}

static double *axis_copy(const double *axis, size_t count)
{
    double *copy = array_new(count);
    memcpy(copy, axis, count * sizeof *copy);
    return copy;
}

struct basin basin_image(const struct basin *b, enum basin_image image)
{
    const size_t nx = b->state.nx, ny = b->state.ny;
    const bool is_transposed = image == BASIN_TRANSPOSED;
    struct basin m = {.setup = b->setup,
                      .x = image == BASIN_MIRRORED_X ? axis_mirrored(b->x, nx)
                           : is_transposed           ? axis_copy(b->y, ny)
                                                     : axis_copy(b->x, nx),
                      .y = image == BASIN_MIRRORED_Y ? axis_mirrored(b->y, ny)
                           : is_transposed           ? axis_copy(b->x, nx)
                                                     : axis_copy(b->y, ny),
                      .depth = image == BASIN_MIRRORED_X   ? field_mirrored_x(b->depth, nx, ny)
                               : image == BASIN_MIRRORED_Y ? field_mirrored_y(b->depth, nx, ny)
                                                           : field_transposed(b->depth, nx, ny),
                      .state = state_new(is_transposed ? ny : nx, is_transposed ? nx : ny)};
    basin_image_state(image, &b->state, &m.state);
    const enum tsunami_edge *e = b->setup.edges; // west, east, south, north
    const enum tsunami_edge edges[BASIN_IMAGES][TSUNAMI_SIDES] = {
        {e[1], e[0], e[2], e[3]}, {e[0], e[1], e[3], e[2]}, {e[2], e[3], e[0], e[1]}};
    memcpy(m.setup.edges, edges[image], sizeof m.setup.edges);
    m.setup.plane_coriolis_per_s = is_transposed ? 0 : -b->setup.plane_coriolis_per_s;
    basin_use_own(&m);
    return m;
}
