// A CUDA solver's tiles: their shape, the list of computed tiles, and flags of the tiles in which the water
// moves. Independent of kernels.
#include "gpu/memory.h"
#include "gpu/tsunami/solver.h"

#include "parallel/ranks.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// A small grid has fewer tiles than the device can compute at once. A step then takes as long as one tile, so
// smaller tiles are faster, although a larger part of each is halo.
enum { TILES_WANTED = 1400, TILE_ROWS_LEAST = 4 };
// With hardly more tiles than a device computes at once most wait for the last step of a neighbour. A rank
// that has 3/4 to 2 tiles for each such place divides them in two. (Smaller tiles would be skipped in other
// ways than those of one rank.) Places are those of a device of this size, because all ranks divide alike.
enum { MULTIPROCESSORS = 132, PARTS = 2 };

// Shortens tiles until the last has `least` nodes or more: across a periodic edge a tile must not read beyond
// its neighbour.
static int without_narrow_tile(int length, int count, int least)
{
    while (length > least && count % length != 0 && count % length < least)
        length--;
    return length;
}

static struct tile_shape shape_of(int nx, int ny, bool floods)
{
    const int reach = floods ? 2 : 1;
    struct tile_shape shape = {TILE_COLUMNS, TILE_ROWS};
    if (floods)
        shape = (struct tile_shape){FV_TILE_COLUMNS, FV_TILE_ROWS};
    const int columns = (nx + shape.columns - 1) / shape.columns;
    const int rows_for_all = columns * ny / TILES_WANTED;
    if (rows_for_all < shape.rows)
        shape.rows = rows_for_all > TILE_ROWS_LEAST ? rows_for_all : TILE_ROWS_LEAST;
    shape.columns = without_narrow_tile(shape.columns, nx, reach);
    shape.rows = without_narrow_tile(shape.rows, ny, reach);
    return shape;
}

// Two whole tiles, so that no tile is of more than two ranks, and those beside it are of the same two.
// Without tiles as many as a step reads of a neighbour.
size_t solver_least_rows(const struct tsunami_physics *physics, size_t nx, size_t ny)
{
    const bool floods = tsunami_method_floods(physics->method);
    if (nx > INT_MAX || ny > INT_MAX)
        return 0;
    if (physics->has_dispersion) { // all tiles are computed
        const size_t reach = host_level_reach(physics), lines = solver_least_dispersion_rows(ny);
        return lines > reach ? lines : reach;
    }
    return physics->method == TSUNAMI_VTCS2_SHORE ? host_level_reach(physics)
                                                  : 2 * (size_t)shape_of((int)nx, (int)ny, floods).rows;
}

// Of a divided grid whose tiles may wait for neighbours' in the same launch.
static int parts_of(const struct solver *s)
{
    const char *wanted = getenv("FATHOM_TEST_TILE_PARTS"); // for tests
    if (!solver_can_use_peers(s))
        return 1;
    if (wanted)
        return strcmp(wanted, "1") == 0 ? 1 : PARTS;
    const int tiles = s->tile_columns * s->tile_rows / s->host.setup.ranks->count;
    const int places = MULTIPROCESSORS * solver_blocks(s);
    return 4 * tiles > 3 * places && tiles < 2 * places ? PARTS : 1;
}

enum status solver_plan_tiles(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    s->shape = shape_of((int)g->nx, (int)g->ny, s->host.floods);
    s->tile_columns = ((int)g->nx + s->shape.columns - 1) / s->shape.columns;
    s->tile_rows = ((int)g->ny + s->shape.rows - 1) / s->shape.rows;
    s->tile_parts = parts_of(s);
    const size_t tiles = solver_tiles(s);
    const struct gpu_array arrays[] = {
        {&s->tiles, MEMORY_HOST, ELEMENT_U8, tiles, sizeof *s->tiles, "tiles"},
        {&s->device_list, MEMORY_DEVICE, ELEMENT_U8, tiles, sizeof *s->tiles, "device tiles"},
        {&s->flags, MEMORY_PINNED, ELEMENT_U8, 3, tiles, "tile flags"},
        {&s->device_flags, MEMORY_DEVICE, ELEMENT_U8, 3, tiles, "device tile flags"},
        {&s->made, MEMORY_HOST, ELEMENT_I64, 1, tiles, "tile steps"},
        {&s->device_made, MEMORY_DEVICE, ELEMENT_I64, 1, tiles, "device tile steps"},
        {&s->device_taken, MEMORY_DEVICE, ELEMENT_I64, 1, 1, "device tiles taken"},
    };
    return GPU_PLAN_ARRAYS(plan, prefix, arrays);
}

// Whether a node, or a halo node next to the domain, is water. Of a divided grid a rank has only its c0.
static bool is_water(const struct solver *s, ptrdiff_t column, ptrdiff_t row)
{
    if (s->host.is_divided)
        return host_level_celerity(&s->host, column, row) > 0;
    const ptrdiff_t index = (ptrdiff_t)s->host.halo_offset + row * (ptrdiff_t)s->host.pitch + column;
    return gpu_real(s->host.c0, s->host.setup.precision, (size_t)index) > 0;
}

// Whether a tile has water; *is_coast: whether it has, or adjoins, land or an edge of the domain. With finite
// volumes every tile may have water.
static bool inspect_tile(const struct solver *s, struct tile_bounds b, bool *is_coast)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const int reach = s->host.floods ? 2 : 1;
    *is_coast = b.column_begin < reach || b.row_begin < reach || b.column_end + reach > (int)g->nx ||
                b.row_end + reach > (int)g->ny;
    bool has_water = s->host.floods;
    for (int row = b.row_begin - 1; row <= b.row_end && !s->host.floods; row++)
        for (int column = b.column_begin - 1; column <= b.column_end; column++) {
            const bool is_inside =
                row >= b.row_begin && row < b.row_end && column >= b.column_begin && column < b.column_end;
            const bool is_wet = is_water(s, column, row);
            has_water |= is_inside && is_wet;
            *is_coast |= !is_wet;
        }
    return has_water;
}

static bool is_driven(const struct tsunami_geometry *g, struct tile_bounds b)
{
    return (g->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_GIVEN && b.column_begin == 0) ||
           (g->edges[TSUNAMI_EAST] == TSUNAMI_EDGE_GIVEN && b.column_end == (int)g->nx) ||
           (g->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_GIVEN && b.row_begin == 0) ||
           (g->edges[TSUNAMI_NORTH] == TSUNAMI_EDGE_GIVEN && b.row_end == (int)g->ny);
}

// Lists part number `j` of a column of tiles, if it is this rank's. A tile without water, or of another rank,
// counts as finished, so that no tile waits for it.
static void list_part(struct solver *s, int i, int j)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const struct tsunami_rows own = tsunami_own(g);
    const int left = i * s->shape.columns, right = left + s->shape.columns, part = j % s->tile_parts;
    const int bottom = j / s->tile_parts * s->shape.rows, top = bottom + s->shape.rows;
    const int first = bottom + part * solver_part_rows(s),
              last = part + 1 < s->tile_parts ? first + solver_part_rows(s) : top;
    struct tile_bounds bounds = {left, right < (int)g->nx ? right : (int)g->nx, bottom,
                                 top < (int)g->ny ? top : (int)g->ny};
    bool is_coast;
    const bool has_water = inspect_tile(s, bounds, &is_coast), is_driven_one = is_driven(g, bounds);
    bounds.row_begin = first;
    bounds.row_end = last < (int)g->ny ? last : (int)g->ny;
    const bool is_computed = has_water && bounds.row_begin < bounds.row_end &&
                             bounds.row_end > (int)own.first && bounds.row_begin < (int)own.end;
    solver_list_peer_tile(s, i, j, bounds, has_water);
    s->made[j * s->tile_columns + i] = is_computed ? 0 : ULLONG_MAX;
    if (is_computed)
        s->tiles[s->tile_count++] = (struct device_tile){i, j, is_coast, is_driven_one};
}

void solver_list_tiles(struct solver *s)
{
    s->tile_count = 0;
    for (int j = 0; j < s->tile_rows * s->tile_parts; j++)
        for (int i = 0; i < s->tile_columns; i++)
            list_part(s, i, j);
}

enum status solver_upload_tiles(struct solver *s)
{
    s->steps_made = s->taken = 0;
    CHECK(gpu_timeline_fill(s->timeline, s->device_taken, 0, sizeof *s->device_taken));
    CHECK(
        gpu_timeline_upload(s->timeline, s->device_list, s->tiles, (size_t)s->tile_count * sizeof *s->tiles));
    CHECK(gpu_timeline_upload(s->timeline, s->device_flags, s->flags, 3 * solver_tiles(s)));
    return gpu_timeline_upload(s->timeline, s->device_made, s->made, solver_tiles(s) * sizeof *s->made);
}

static bool row_moves(const struct solver *s, int field, size_t row, size_t first, size_t count)
{
    const char *line = (const char *)host_level_row(&s->host, s->host.state[0][field], row) +
                       (s->host.halo_offset + first) * s->host.element;
    for (size_t k = 0; k < count * s->host.element; k += 4) {
        uint32_t bits;
        memcpy(&bits, line + k, sizeof bits);
        if (bits != 0)
            return true;
    }
    return false;
}

void solver_find_moving_tiles(struct solver *s)
{
    const struct tsunami_geometry *g = s->host.setup.geometry;
    const size_t columns = (size_t)s->shape.columns;
    unsigned char *moving = s->flags + (size_t)s->moving * solver_tiles(s);
    const struct tsunami_rows own = tsunami_own(g);
    for (size_t j = own.first; j < own.end; j++)
        for (size_t i = 0; i < (size_t)s->tile_columns; i++) {
            const size_t first = i * columns;
            const size_t count = g->nx - first < columns ? g->nx - first : columns;
            unsigned char *flag = &moving[(size_t)solver_part_of(s, (int)j) * (size_t)s->tile_columns + i];
            for (int f = 0; f < TSUNAMI_FIELDS && !*flag; f++)
                *flag = row_moves(s, f, j, first, count);
        }
}
