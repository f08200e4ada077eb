// The rungs of the processor that use its threads and vectors, for ONE instruction set (models/isa.h).
#include "bench/ladder/bioheat/host_steps.h"

#include "bench/ladder/bioheat/heat.h"
#include "bench/ladder/bioheat/point.h"

static void advance_row(const float *restrict from, float *restrict to, const float *restrict coefficient,
                        ptrdiff_t row, ptrdiff_t plane, int count)
{
#pragma omp simd
    for (int x = 0; x < count; x++)
        to[x] = heat_ladder_advanced_at(from + x, row, plane, coefficient[x]);
}

static void advance_plain(const struct heat_ladder_grid *grid, const float *from, float *to,
                          const float *coefficient)
{
    const ptrdiff_t row = grid->columns, plane = row * grid->rows;
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = HEAT_RIM; z < grid->planes - HEAT_RIM; z++)
        for (int y = HEAT_RIM; y < grid->rows - HEAT_RIM; y++) {
            const ptrdiff_t at = z * plane + y * row + HEAT_RIM;
            advance_row(from + at, to + at, coefficient + at, row, plane, grid->columns - 2 * HEAT_RIM);
        }
}

// ---- cache blocking: tiles of tiles of tiles, twelve loops one within the other

enum { LEVELS = 3, AXES = 3 };

// Points along z, y and x of a tile, one for each level of cache, the largest first: the fastest of those
// tried. Rows stay whole up to 512 points, because shorter ones lost more than the first cache gained.
static const int tiles[LEVELS][AXES] = {{64, 64, 512}, {32, 32, 512}, {32, 16, 512}};

struct box {
    int first[AXES], end[AXES];
};

struct sweep {
    const struct heat_ladder_grid *grid;
    const float *from, *coefficient;
    float *to;
};

static int end_of(const struct box *box, int axis, int first, int length)
{
    return first + length < box->end[axis] ? first + length : box->end[axis];
}

static void advance_points(const struct sweep *sweep, const struct box *box)
{
    const ptrdiff_t row = sweep->grid->columns, plane = row * sweep->grid->rows;
    for (int z = box->first[0]; z < box->end[0]; z++)
        for (int y = box->first[1]; y < box->end[1]; y++) {
            const ptrdiff_t at = z * plane + y * row + box->first[2];
            advance_row(sweep->from + at, sweep->to + at, sweep->coefficient + at, row, plane,
                        box->end[2] - box->first[2]);
        }
}

static void advance_box(const struct sweep *sweep, int level, const struct box *box)
{
    if (level == LEVELS) {
        advance_points(sweep, box);
        return;
    }
    const int *tile = tiles[level];
    for (int z = box->first[0]; z < box->end[0]; z += tile[0])
        for (int y = box->first[1]; y < box->end[1]; y += tile[1])
            for (int x = box->first[2]; x < box->end[2]; x += tile[2]) {
                const struct box part = {
                    {z, y, x},
                    {end_of(box, 0, z, tile[0]), end_of(box, 1, y, tile[1]), end_of(box, 2, x, tile[2])}};
                advance_box(sweep, level + 1, &part);
            }
}

static void advance_blocks(const struct heat_ladder_grid *grid, const float *from, float *to,
                           const float *coefficient)
{
    const struct sweep sweep = {grid, from, coefficient, to};
    const struct box all = {{HEAT_RIM, HEAT_RIM, HEAT_RIM},
                            {grid->planes - HEAT_RIM, grid->rows - HEAT_RIM, grid->columns - HEAT_RIM}};
#pragma omp parallel for collapse(3) schedule(dynamic)
    for (int z = all.first[0]; z < all.end[0]; z += tiles[0][0])
        for (int y = all.first[1]; y < all.end[1]; y += tiles[0][1])
            for (int x = all.first[2]; x < all.end[2]; x += tiles[0][2]) {
                const struct box part = {{z, y, x},
                                         {end_of(&all, 0, z, tiles[0][0]), end_of(&all, 1, y, tiles[0][1]),
                                          end_of(&all, 2, x, tiles[0][2])}};
                advance_box(&sweep, 1, &part);
            }
}

// ---- three colours in one array

static void advance_colours(const struct heat_ladder_grid *grid, float *values, const float *coefficient)
{
    const ptrdiff_t row = grid->columns, plane = row * grid->rows;
    for (int colour = 0; colour < HEAT_COLOURS; colour++) {
#pragma omp parallel for collapse(2) schedule(static)
        for (int z = HEAT_RIM; z < grid->planes - HEAT_RIM; z++)
            for (int y = HEAT_RIM; y < grid->rows - HEAT_RIM; y++) {
                float *const here = values + z * plane + y * row;
                const float *const factor = coefficient + z * plane + y * row;
                for (int x = heat_ladder_first_of_colour(HEAT_RIM, y, z, colour);
                     x < grid->columns - HEAT_RIM; x += HEAT_COLOURS)
                    here[x] = heat_ladder_advanced_at(here + x, row, plane, factor[x]);
            }
    }
}

const struct heat_ladder_host_steps ISA_OWN(heat_ladder_host_steps) = {
    .plain = advance_plain, .blocks = advance_blocks, .colours = advance_colours};
