// Forces by cells: Balen (2016), chapters 8 and 10. The box is a square of k cells; particles lie in memory
// in the order of their cells. Of a cell, by the distance of another one's centre from its own:
//   near    closer than the first radius (2 cells: 9 of them; 1 cell: itself)   particle by particle
//   middle  closer than the second radius (10 cells), or all but the near ones  its centre upon each particle
//   far     the rest                                                            centre upon centre
// A centre has as much mass as the cell has particles. Centres, not centres of mass: the sums differ from all
// pairs (docs/ladders/gas.md gives by how much). ε² is in the first two, not in the third, as the author's
// counts of operations say.
//
// These are the author's programs for one particle, or one cell, for host and device: he, too, has one source
// for both. The host divides, the device takes 1/√(s·s). Host and CUDA C++.
#ifndef FATHOM_BENCH_LADDER_GAS_CELLS_VIEW_H
#define FATHOM_BENCH_LADDER_GAS_CELLS_VIEW_H

#include "bench/ladder/gas/gas_common.h"

#include <stdbool.h>
#ifdef __CUDACC__
#include "gpu/inverse_root.cuh"
#endif
#ifdef __CUDA_ARCH__
#define GAS_CELLS_UNROLLED _Pragma("unroll")
#define GAS_CELLS_ROLLED   _Pragma("unroll 1") // the compiler would unroll what the author does not
#else
#define GAS_CELLS_UNROLLED
#define GAS_CELLS_ROLLED
#endif

enum { GAS_CELLS_SIDE = 50, GAS_CELLS = GAS_CELLS_SIDE * GAS_CELLS_SIDE, GAS_CELLS_UNROLL = 4 };

struct gas_cells_view {
    int particles;
    float kick;                   // A Δt; sums are in units of A until they become velocities
    float repulsion, attraction2; // R/A and A2/A, of the full model
    float first_sq, second_sq;    // squares of the radii
    float *at[2], *velocity[2];   // [particles], in the order of their cells
    const int *begin;             // [k + 2]: of a cell's particles; cell k has none: it ends the lists
    const float *centre[2];       // [k]
    // Lists of the near and the middle cells, [k][list_length] each, ended by k.
    const int *near, *middle;
    int near_length, middle_length;
    // [k][k], row: the cell that feels. d², and d/d² (0 where cells are not far from each other).
    const float *square, *pull[2];
    float *far_kick[2]; // [k]: velocity that far cells give to a cell's particles
};

static FATHOM_HOST_DEVICE float gas_cells_inverse(float s)
{
#ifdef __CUDA_ARCH__
    return approximate_inverse_root(s * s);
#else
    return 1 / s;
#endif
}

// a·b + c: contracted on a device, as in device_pairs.cu; Java's are not.
static FATHOM_HOST_DEVICE float gas_cells_madd(float a, float b, float c)
{
#ifdef __CUDA_ARCH__
    return fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

// The cell of a particle, by its index.
static FATHOM_HOST_DEVICE int gas_cells_find(const struct gas_cells_view *view, int id)
{
    int first = 0, last = GAS_CELLS - 1; // the first cell whose particles end after it
    while (first < last) {
        const int middle = (first + last) / 2;
        if (view->begin[middle + 1] > id)
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

// Square of the distance between the centres of two cells.
static FATHOM_HOST_DEVICE float gas_cells_distance_sq(const struct gas_cells_view *view, int a, int b)
{
    const float dx = view->centre[0][a] - view->centre[0][b], dy = view->centre[1][a] - view->centre[1][b];
    return gas_cells_madd(dx, dx, dy * dy);
}

// ---- upon a particle at x, y

// Particle j; `is_full`: with the forces of short range.
static FATHOM_HOST_DEVICE void gas_cells_add_pair(const struct gas_cells_view *view, float x, float y, int j,
                                                  bool is_full, float sum[2])
{
    const float dx = x - view->at[0][j], dy = y - view->at[1][j];
    const float s = gas_cells_madd(dx, dx, gas_cells_madd(dy, dy, GAS_LADDER_SOFTENING));
    float factor = gas_cells_inverse(s);
    if (is_full && s < GAS_LADDER_CUT_OFF)
        factor += view->repulsion * (factor * factor) + view->attraction2 * factor;
    sum[0] = gas_cells_madd(factor, dx, sum[0]);
    sum[1] = gas_cells_madd(factor, dy, sum[1]);
}

// All particles of a cell. (Unrolled, the author's program takes up to three particles of the next cell for
// its own; here they are left out.)
static FATHOM_HOST_DEVICE void gas_cells_add_pairs(const struct gas_cells_view *view, float x, float y,
                                                   int cell, bool is_full, bool is_unrolled, float sum[2])
{
    const int end = view->begin[cell + 1];
    int j = view->begin[cell];
    if (is_unrolled) {
        GAS_CELLS_ROLLED
        for (; j + GAS_CELLS_UNROLL <= end; j += GAS_CELLS_UNROLL) {
            GAS_CELLS_UNROLLED
            for (int u = 0; u < GAS_CELLS_UNROLL; u++)
                gas_cells_add_pair(view, x, y, j + u, is_full, sum);
        }
    }
    GAS_CELLS_ROLLED
    for (; j < end; j++)
        gas_cells_add_pair(view, x, y, j, is_full, sum);
}

// A cell as a whole, from its centre.
static FATHOM_HOST_DEVICE void gas_cells_add_centre(const struct gas_cells_view *view, float x, float y,
                                                    int cell, float sum[2])
{
    const float mass = (float)(view->begin[cell + 1] - view->begin[cell]);
    const float dx = x - view->centre[0][cell], dy = y - view->centre[1][cell];
    const float s = gas_cells_madd(dx, dx, gas_cells_madd(dy, dy, GAS_LADDER_SOFTENING));
    const float factor = mass * gas_cells_inverse(s);
    sum[0] = gas_cells_madd(factor, dx, sum[0]);
    sum[1] = gas_cells_madd(factor, dy, sum[1]);
}

static FATHOM_HOST_DEVICE void gas_cells_kick(const struct gas_cells_view *view, int id, const float sum[2])
{
    view->velocity[0][id] += view->kick * sum[0];
    view->velocity[1][id] += view->kick * sum[1];
}

// ---- a particle's velocity: the programs

// Tiled1, 11 and 2: a search through all cells. `sums_once`: the velocity is written once (Tiled11), else
// after each cell. `has_far`: cells beyond the second radius are left to gas_cells_far.
static FATHOM_HOST_DEVICE void gas_cells_searched(const struct gas_cells_view *view, int id, bool sums_once,
                                                  bool has_far)
{
    const int own = gas_cells_find(view, id);
    const float x = view->at[0][id], y = view->at[1][id];
    float sum[2] = {0, 0};
    GAS_CELLS_ROLLED
    for (int cell = 0; cell < GAS_CELLS; cell++) {
        const float away_sq = gas_cells_distance_sq(view, own, cell);
        if (away_sq < view->first_sq)
            gas_cells_add_pairs(view, x, y, cell, false, false, sum);
        else if (!has_far || away_sq < view->second_sq)
            gas_cells_add_centre(view, x, y, cell, sum);
        else
            continue;
        if (!sums_once) {
            gas_cells_kick(view, id, sum);
            sum[0] = sum[1] = 0;
        }
    }
    if (sums_once)
        gas_cells_kick(view, id, sum);
    if (has_far) {
        view->velocity[0][id] += view->far_kick[0][own];
        view->velocity[1][id] += view->far_kick[1][own];
    }
}

// Tiled3: the lists say which cells are near and which in the middle.
static FATHOM_HOST_DEVICE void gas_cells_listed(const struct gas_cells_view *view, int id, bool is_full,
                                                bool is_unrolled)
{
    const int own = gas_cells_find(view, id);
    const float x = view->at[0][id], y = view->at[1][id];
    float sum[2] = {0, 0};
    GAS_CELLS_ROLLED
    for (const int *cell = view->near + own * view->near_length; *cell < GAS_CELLS; cell++)
        gas_cells_add_pairs(view, x, y, *cell, is_full, is_unrolled, sum);
    GAS_CELLS_ROLLED
    for (const int *cell = view->middle + own * view->middle_length; *cell < GAS_CELLS; cell++)
        gas_cells_add_centre(view, x, y, *cell, sum);
    view->velocity[0][id] += view->kick * sum[0] + view->far_kick[0][own];
    view->velocity[1][id] += view->kick * sum[1] + view->far_kick[1][own];
}

// ---- a cell's velocity from far cells: Tiled2k

// What is looked up instead of computed: nothing; d² (Ha1); d² and d/d² (Ha3).
enum gas_cells_tables { GAS_CELLS_COMPUTED, GAS_CELLS_SQUARES, GAS_CELLS_PULLS };

static FATHOM_HOST_DEVICE void gas_cells_add_far(const struct gas_cells_view *view, int own, int cell,
                                                 enum gas_cells_tables tables, float sum[2])
{
    const float mass = (float)(view->begin[cell + 1] - view->begin[cell]);
    const int at = own * GAS_CELLS + cell;
    if (tables == GAS_CELLS_PULLS) {
        if (view->square[at] < view->second_sq)
            return;
        sum[0] = gas_cells_madd(mass, view->pull[0][at], sum[0]);
        sum[1] = gas_cells_madd(mass, view->pull[1][at], sum[1]);
        return;
    }
    const float dx = view->centre[0][own] - view->centre[0][cell],
                dy = view->centre[1][own] - view->centre[1][cell];
    const float square = tables == GAS_CELLS_SQUARES ? view->square[at] : gas_cells_madd(dx, dx, dy * dy);
    if (square < view->second_sq)
        return;
    const float factor = mass * gas_cells_inverse(square);
    sum[0] = gas_cells_madd(factor, dx, sum[0]);
    sum[1] = gas_cells_madd(factor, dy, sum[1]);
}

static FATHOM_HOST_DEVICE void gas_cells_far(const struct gas_cells_view *view, int own,
                                             enum gas_cells_tables tables, bool is_unrolled)
{
    const int turns = is_unrolled ? GAS_CELLS_UNROLL : 1; // of which GAS_CELLS is a multiple
    float sum[2] = {0, 0};
    GAS_CELLS_ROLLED
    for (int cell = 0; cell < GAS_CELLS; cell += turns) {
        GAS_CELLS_UNROLLED
        for (int u = 0; u < turns; u++)
            gas_cells_add_far(view, own, cell + u, tables, sum);
    }
    view->far_kick[0][own] = view->kick * sum[0];
    view->far_kick[1][own] = view->kick * sum[1];
}

#endif
