// See basin.h.
#include "tests/support/basin.h"

#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

const char *ocean_variant_name(const struct ocean_variant *v)
{
    return format_text("%s %s %s", v->backend->head.name, precision_name(v->precision),
                       method_name(v->method));
}

struct basin basin_grid(const struct ocean_variant *v, size_t nx, size_t ny, double west, double south,
                        double spacing, double unevenness, enum tsunami_edge edge)
{
    struct basin b = {.x = axis_new(nx, west, spacing, unevenness),
                      .y = axis_new(ny, south, spacing, unevenness),
                      .depth = array_new(nx * ny),
                      .state = state_new(nx, ny),
                      .setup = {.backend = v->backend,
                                .precision = v->precision,
                                .method = v->method,
                                .edges = {edge, edge, edge, edge},
                                .wall_depth_m = 10}};
    basin_use_own(&b);
    return b;
}

struct basin basin_on_sphere(const struct ocean_variant *v, size_t nx, size_t ny, double west, double south,
                             double spacing, double unevenness, enum tsunami_edge edge)
{
    struct basin b = basin_grid(v, nx, ny, west, south, spacing, unevenness, edge);
    b.setup.is_spherical = b.setup.has_coriolis = b.setup.has_curvature = true;
    return b;
}

void basin_fill_depth(struct basin *b, double depth_m)
{
    for (size_t k = 0; k < b->state.nx * b->state.ny; k++)
        b->depth[k] = depth_m;
}

void basin_take_depth(struct basin *b, double *depth)
{
    owned_end(b->depth);
    b->depth = depth;
    basin_use_own(b);
}

void basin_set_edges(struct basin *b, enum tsunami_edge west, enum tsunami_edge east, enum tsunami_edge south,
                     enum tsunami_edge north)
{
    const enum tsunami_edge edges[TSUNAMI_SIDES] = {west, east, south, north};
    memcpy(b->setup.edges, edges, sizeof edges);
}

void basin_set_ends(struct basin *b, bool is_along_x, enum tsunami_edge ends, enum tsunami_edge sides)
{
    if (is_along_x)
        basin_set_edges(b, ends, ends, sides, sides);
    else
        basin_set_edges(b, sides, sides, ends, ends);
}

struct ocean *basin_start(const struct basin *b)
{
    struct ocean *ocean = ocean_open(&b->setup);
    ocean_set(ocean, &b->state);
    return ocean;
}

void basin_advance(struct basin *b, int64_t first_step, int64_t steps)
{
    struct ocean *ocean = basin_start(b);
    ocean_advance(ocean, first_step, steps);
    ocean_get(ocean, &b->state);
    ocean_close(ocean);
}

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
    owned_end(b->x);
    owned_end(b->y);
    owned_end(b->depth);
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
