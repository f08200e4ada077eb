// Steps of propagation, tile by tile: both sweeps in one pass. A warp has a strip of columns, one or two for
// each lane, and advances along y with three rows in registers. Lanes exchange neighbours along x by
// shuffles, while the next rows are copied to shared memory. The outer lanes of the strip are halo: they
// compute values for the inner ones, and write nothing. The order of work is that of schedule.cuh.
#ifndef FATHOM_GPU_TSUNAMI_TILE_ROWS_CUH
#define FATHOM_GPU_TSUNAMI_TILE_ROWS_CUH

#include "gpu/tsunami/cell.cuh"
#include "gpu/tsunami/schedule.cuh"

#include <cuda_pipeline.h>

namespace tsunami {

template <typename Real> constexpr int lane_blocks = sizeof(Real) == sizeof(float) ? BLOCKS_F : BLOCKS_D;

// Number of running maxima that are read in advance.
static constexpr __host__ __device__ int maxima_kept(int records)
{
    return records == RECORDS_ALL ? RECORD_MAXIMA : 1;
}

// A block's shared memory: the rows that are being copied, with the maxima of the row before each; the rows'
// constants; the boundary data.
template <typename Real, int RECORDS> struct shared {
    values<Real> ahead[TILE_WARPS(lane_columns<Real>)][3][4][32];
    heights<Real> before[TILE_WARPS(lane_columns<Real>)][3][maxima_kept(RECORDS)][32];
    row_constants<Real> rows[TILE_ROWS + 2];
    struct given_now given[TSUNAMI_SIDES],
        given_end[TSUNAMI_SIDES]; // for the sweeps, and for the end of the step
};

// Starts the copy of this lane's part of a row, e, u, v, c0, to shared memory.
template <typename Real>
DEVICE void fetch_row(values<Real> (*slot)[32], Real *const *state, const Real *c0, int offset, int lane)
{
    for (int f = 0; f < 3; f++)
        __pipeline_memcpy_async(&slot[f][lane], state[f] + offset, sizeof(values<Real>));
    __pipeline_memcpy_async(&slot[3][lane], c0 + offset, sizeof(values<Real>));
}

// Starts the copy of the maxima with which the row will be compared.
template <int RECORDS, typename Real>
DEVICE void fetch_maxima(heights<Real> (*slot)[32], const struct device_records &records, int offset,
                         int lane)
{
    float *const maxima[RECORD_MAXIMA] = {records.max_eta_m, records.max_speed_m_s, records.max_flux_m2_s};
    for (int m = 0; m < maxima_kept(RECORDS); m++)
        if (maxima[m])
            __pipeline_memcpy_async(&slot[m][lane], maxima[m] + offset, sizeof(heights<Real>));
}

template <typename Real> DEVICE cells<Real> take_row(const values<Real> (*slot)[32], int lane)
{
    const values<Real> e = slot[0][lane], u = slot[1][lane], v = slot[2][lane], c0 = slot[3][lane];
    cells<Real> cells;
    for (int k = 0; k < lane_columns<Real>; k++)
        cells.at[k] = {e.at[k], u.at[k], v.at[k], c0.at[k]};
    return cells;
}

// Loads the constants of a tile's rows, with one on each side, and the step's position in the boundary data.
template <int RECORDS, bool IS_X_FIRST, typename Real>
DEVICE void load_rows(shared<Real, RECORDS> &shared, const device_level<Real> &level, struct tile_bounds tile,
                      long long step)
{
    for (int k = threadIdx.x; k < tile.row_end - tile.row_begin + 2; k += blockDim.x)
        shared.rows[k] = row_of(level, tile.row_begin - 1 + k);
    if (threadIdx.x < TSUNAMI_SIDES && level.edges[threadIdx.x].kind == TSUNAMI_EDGE_GIVEN) {
        const struct device_edge &edge = level.edges[threadIdx.x];
        const bool is_along_x = threadIdx.x == TSUNAMI_WEST || threadIdx.x == TSUNAMI_EAST;
        shared.given[threadIdx.x] = given_during(edge, step, given_sweep_shift(is_along_x, IS_X_FIRST));
        shared.given_end[threadIdx.x] = given_during(edge, step, GIVEN_SHIFT);
    }
    __syncthreads();
}

template <typename Real> DEVICE columns<Real> load_columns(const device_level<Real> &level, int column)
{
    columns<Real> h;
    for (int k = 0; k < lane_columns<Real>; k++) {
        h.k0[k] = level.columns[column + k];
        h.km[k] = level.columns[level.pitch + column + k];
        h.kp[k] = level.columns[2 * level.pitch + column + k];
        h.dd[k] = level.columns[3 * level.pitch + column + k];
    }
    return h;
}

// The bits of a node's values: all but the sign are 0 while the node is at rest.
template <typename Real> DEVICE unsigned gather_bits(cell<Real> c)
{
    return bits_of(c.e) | bits_of(c.u) | bits_of(c.v);
}

// Writes a row's new values; returns their bits.
template <typename Real> DEVICE unsigned store_row(Real *const *state, const cells<Real> &next, int offset)
{
    values<Real> e, u, v;
    unsigned bits = 0;
    for (int k = 0; k < lane_columns<Real>; k++) {
        e.at[k] = next.at[k].e;
        u.at[k] = next.at[k].u;
        v.at[k] = next.at[k].v;
        bits |= gather_bits(next.at[k]);
    }
    *reinterpret_cast<values<Real> *>(state[0] + offset) = e;
    *reinterpret_cast<values<Real> *>(state[1] + offset) = u;
    *reinterpret_cast<values<Real> *>(state[2] + offset) = v;
    return bits;
}

// The same at the domain's edges: only columns that exist, and their copies beyond periodic edges.
template <typename Real>
DEVICE unsigned store_edge(const device_level<Real> &level, Real *const *state, const cells<Real> &next,
                           int row, int column, int offset)
{
    unsigned bits = 0;
    for (int k = 0; k < lane_columns<Real>; k++) {
        if (column + k >= level.nx)
            break;
        bits |= gather_bits(next.at[k]);
        const int beside = column + k == 0 ? level.nx : column + k == level.nx - 1 ? -level.nx : 0;
        const int beyond = level.is_ring         ? 0 // the neighbour's
                           : row == 0            ? level.ny * level.pitch
                           : row == level.ny - 1 ? -level.ny * level.pitch
                                                 : 0;
        store_cell(state, next.at[k], offset + k);
        if (level.is_periodic_x && beside)
            store_cell(state, next.at[k], offset + k + beside);
        if (level.is_periodic_y && beyond)
            store_cell(state, next.at[k], offset + k + beyond);
        if (level.is_periodic_x && level.is_periodic_y && beside && beyond)
            store_cell(state, next.at[k], offset + k + beside + beyond);
    }
    return bits;
}

// A lane's data of a strip, which is processed from south to north.
template <typename Real, int RECORDS> struct strip {
    columns<Real> hx;
    values<Real> (*ring)[4][32]; // three rows in shared memory
    heights<Real> (*before)[maxima_kept(RECORDS)][32];
    const struct given_now *given, *given_end;
    int lane, column, row_begin, row_end;
    int offset, fetched; // of the present row; of the row two ahead
    bool is_written;
    unsigned bits; // of all written values
};

// Takes row `row` from slot `slot` of the ring, sweeps it along x, and finishes the row before it. `south`
// and `centre` are the two rows before; `north` becomes this one.
template <int FROM, bool IS_ODD, bool HAS_LAND, bool SECOND, bool HAS_FRICTION, int RECORDS, bool HAS_GIVEN,
          typename Real>
DEVICE void step_row(const device_level<Real> &level, const struct device_records &records,
                     const row_constants<Real> *rows, strip<Real, RECORDS> &strip, const node<Real> *south,
                     const node<Real> *centre, node<Real> *north, pair<Real> *below, int row, int slot,
                     float time_s)
{
    __pipeline_wait_prior(1);
    cells<Real> cells = take_row(strip.ring[slot], strip.lane);
    if (row + 2 <= strip.row_end) {
        // Into the slot of the row before, which is in registers by now.
        const int freed = slot == 0 ? 2 : slot - 1;
        fetch_row(strip.ring[freed], level.state[FROM], level.still, strip.fetched, strip.lane);
        if (RECORDS)
            fetch_maxima<RECORDS>(strip.before[freed], records, strip.fetched - level.pitch, strip.lane);
    }
    __pipeline_commit();
    const row_constants<Real> &k_north = rows[row - strip.row_begin + 1];
    if (IS_ODD)
        for (int k = 0; k < lane_columns<Real>; k++)
            cells.at[k] = apply_sources<HAS_LAND, SECOND, HAS_FRICTION, true>(level, cells.at[k], k_north);
    else
        cells = sweep_x<HAS_LAND, SECOND, HAS_GIVEN>(level, cells, strip.hx, k_north.step_x, strip.column,
                                                     row, strip.given);
    for (int k = 0; k < lane_columns<Real>; k++)
        north[k] = along_y(cells.at[k]);
    if (row == strip.row_begin && !HAS_LAND)
        for (int k = 0; k < lane_columns<Real>; k++)
            below[k] = between(centre[k], north[k], rows[0].kp);
    if (row <= strip.row_begin)
        return;
    const row_constants<Real> &k_centre = rows[row - strip.row_begin];
    for (int k = 0; k < lane_columns<Real>; k++)
        cells.at[k] = HAS_LAND
                          ? sweep_y_coast<SECOND, HAS_GIVEN>(level, south[k], centre[k], north[k], k_centre,
                                                             row - 1, strip.column + k, strip.given)
                          : sweep_y<SECOND>(level, south[k], centre[k], north[k], k_centre, below[k]);
    if (IS_ODD)
        cells = sweep_x<HAS_LAND, SECOND, HAS_GIVEN>(level, cells, strip.hx, k_centre.step_x, strip.column,
                                                     row - 1, strip.given);
    else
        for (int k = 0; k < lane_columns<Real>; k++)
            cells.at[k] = apply_sources<HAS_LAND, SECOND, HAS_FRICTION, false>(level, cells.at[k], k_centre);
    if (!strip.is_written)
        return;
    if (HAS_LAND && HAS_GIVEN)
        for (int k = 0; k < lane_columns<Real>; k++)
            if (strip.column + k < level.nx)
                cells.at[k] =
                    give_ends(level, cells.at[k], !IS_ODD, strip.column + k, row - 1, strip.given_end);
    const int place = strip.offset - level.pitch;
    strip.bits |= HAS_LAND ? store_edge(level, level.state[1 - FROM], cells, row - 1, strip.column, place)
                           : store_row(level.state[1 - FROM], cells, place);
    if (RECORDS) {
        heights<Real> before[RECORD_MAXIMA];
        for (int m = 0; m < maxima_kept(RECORDS); m++)
            before[m] = strip.before[slot][m][strip.lane];
        record<RECORDS>(records, level, cells,
                        HAS_LAND && level.nx - strip.column < lane_columns<Real> ? level.nx - strip.column
                                                                                 : lane_columns<Real>,
                        place, before, time_s);
    }
}

template <int RECORDS, typename Real>
DEVICE strip<Real, RECORDS> strip_of(const device_level<Real> &level, shared<Real, RECORDS> &shared,
                                     int first_column, int row_begin, int row_end)
{
    strip<Real, RECORDS> strip = {};
    const int warp = threadIdx.x >> 5;
    strip.lane = threadIdx.x & 31;
    strip.column = first_column + (warp * 30 + strip.lane - 1) * lane_columns<Real>;
    // Halo columns −1 and nx can be read; lanes beyond read them again.
    const int last = lane_columns<Real> == 1 ? level.nx : level.nx & ~1;
    const int safe = strip.column < last ? strip.column : last;
    strip.is_written = strip.lane > 0 && strip.lane < 31 && strip.column < level.nx;
    strip.hx = load_columns(level, safe);
    strip.ring = shared.ahead[warp];
    strip.before = shared.before[warp];
    strip.given = shared.given;
    strip.given_end = shared.given_end;
    strip.row_begin = row_begin;
    strip.row_end = row_end;
    strip.offset = strip.fetched = (row_begin - 1) * level.pitch + safe;
    return strip;
}

// One step of a tile, from copy FROM of the state to the other; returns whether anything in it moves
// afterwards.
template <int FROM, bool IS_ODD, bool HAS_LAND, bool SECOND, bool HAS_FRICTION, int RECORDS, bool HAS_GIVEN,
          typename Real>
DEVICE bool step_rows(const device_level<Real> &level, const struct device_records &records,
                      shared<Real, RECORDS> &shared, int first_column, int row_begin, int row_end,
                      float time_s)
{
    strip<Real, RECORDS> strip = strip_of<RECORDS>(level, shared, first_column, row_begin, row_end);
    for (int k = 0; k < 2;
         k++, strip.fetched += level.pitch) { // with the rows beside it a tile has three rows or more
        fetch_row(strip.ring[k], level.state[FROM], level.still, strip.fetched, strip.lane);
        __pipeline_commit();
    }
    node<Real> nodes[3][lane_columns<Real>] = {};
    pair<Real> below[lane_columns<Real>] = {};
    // Three rows at a time, so that no row is moved from register to register. One row at a time if the loop
    // would exceed the first instruction cache, or if there are few warps: waiting for instructions then
    // costs more than the moves.
    const int turns = HAS_LAND ? 1 : (lane_columns<Real> == 2 ? 1 : 3);
    int slot = 0;
#pragma unroll 1
    for (int first = row_begin - 1; first <= row_end; first += turns) {
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            if (first + turn > row_end)
                break;
            step_row<FROM, IS_ODD, HAS_LAND, SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>(
                level, records, shared.rows, strip, nodes[(turn + 1) % 3], nodes[(turn + 2) % 3], nodes[turn],
                below, first + turn, turns == 1 ? slot : turn, time_s);
            strip.offset += level.pitch;
            strip.fetched += level.pitch;
        }
        if (turns == 1) {
            slot = slot == 2 ? 0 : slot + 1;
            for (int k = 0; k < lane_columns<Real>; k++) {
                nodes[1][k] = nodes[2][k];
                nodes[2][k] = nodes[0][k];
            }
        }
    }
    return (strip.bits << 1) != 0;
}

template <int FROM, bool IS_ODD, bool SECOND, bool HAS_FRICTION, int RECORDS, bool HAS_GIVEN, typename Real>
DEVICE bool step_tile(const device_level<Real> &level, const struct device_records &records,
                      shared<Real, RECORDS> &shared, bool is_coast, struct tile_bounds b, float time_s)
{
    const bool moves = is_coast ? step_rows<FROM, IS_ODD, true, SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>(
                                      level, records, shared, b.column_begin, b.row_begin, b.row_end, time_s)
                                : step_rows<FROM, IS_ODD, false, SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>(
                                      level, records, shared, b.column_begin, b.row_begin, b.row_end, time_s);
    return __syncthreads_or(moves);
}

template <bool SECOND, bool HAS_FRICTION, int RECORDS, bool HAS_GIVEN, typename Real>
__global__ void __launch_bounds__(TILE_THREADS(lane_columns<Real>), lane_blocks<Real>)
    steps_kernel(const __grid_constant__ device_level<Real> level,
                 const __grid_constant__ struct device_records records,
                 const __grid_constant__ struct device_tiles tiles, struct device_steps steps)
{
    __shared__ shared<Real, RECORDS> shared;
    make_steps(level, tiles, steps, [&](long long step, struct device_tile tile, struct tile_bounds bounds) {
        const float time_s = (float)(steps.start_s + (double)(step + 1) * steps.step_s);
        if (SECOND && (step & 1))
            load_rows<RECORDS, false>(shared, level, bounds, step);
        else
            load_rows<RECORDS, true>(shared, level, bounds, step);
        return step & 1 ? step_tile<1, SECOND, SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>(
                              level, records, shared, tile.is_coast, bounds, time_s)
                        : step_tile<0, false, SECOND, HAS_FRICTION, RECORDS, HAS_GIVEN>(
                              level, records, shared, tile.is_coast, bounds, time_s);
    });
}

} // namespace tsunami

#endif
