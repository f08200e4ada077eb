// Steps of the finite volumes, tile by tile: both sweeps in one pass, as in tile_rows.cuh, with one lane for
// each column. A face needs two nodes on both sides, so the strip has two halo lanes at each end, and the
// tile two halo rows below and above. The rows in registers are the swept one, the one whose faces are
// computed, and the one that is finished, with the fluxes below it.
//
// Beyond the domain's edges only the copies of a periodic edge are stored. A row or column there is read from
// the opposite side, or mirrored; its ghost values are computed after the sweep before.
#ifndef FATHOM_GPU_TSUNAMI_FV_TILE_ROWS_CUH
#define FATHOM_GPU_TSUNAMI_FV_TILE_ROWS_CUH

#include "gpu/tsunami/fv_record.cuh"
#include "gpu/tsunami/schedule.cuh"

#include <cuda_pipeline.h>

namespace tsunami {

template <typename Real> constexpr int fv_blocks = sizeof(Real) == sizeof(float) ? FV_BLOCKS_F : FV_BLOCKS_D;

// Number of running maxima that are read in advance.
static constexpr __host__ __device__ int fv_maxima_kept(int records)
{
    return records == RECORDS_ALL ? FV_RECORD_MAXIMA : 1;
}

// Shared memory of a thread block: rows that are being loaded, with the maxima of the row two before each,
// and the constants of the rows.
template <typename Real, int RECORDS> struct fv_shared {
    Real ahead[FV_WARPS][3][4][32];
    float before[FV_WARPS][3][fv_maxima_kept(RECORDS)][32];
    fv_row<Real> rows[FV_TILE_ROWS + 4];
    struct given_now given[TSUNAMI_SIDES];
};

// A lane's data of a strip, which is processed from south to north.
template <typename Real, int RECORDS> struct fv_strip {
    fv_column<Real> hx;
    Real (*ring)[4][32]; // three rows that are being loaded
    float (*before)[fv_maxima_kept(RECORDS)][32];
    const struct given_now *given;
    int lane, first, column, row_begin, row_end;
    int source; // column that is read
    bool is_written;
    unsigned bits; // not 0: something changed
};

// Starts the copy of this lane's part of row `row`, w, u, v, z, to shared memory, and of the maxima of the
// row two before.
template <int FROM, bool AT_EDGE, int RECORDS, typename Real>
DEVICE void fv_fetch(const device_level<Real> &level, const struct device_records &records,
                     const fv_strip<Real, RECORDS> &strip, int row, int slot)
{
    const int inside =
        AT_EDGE && !level.is_ring ? wrapped_or_mirrored(row, level.ny, level.is_periodic_y) : row;
    const int place = inside * level.pitch + strip.source;
    for (int f = 0; f < 3; f++)
        __pipeline_memcpy_async(&strip.ring[slot][f][strip.lane], level.state[FROM][f] + place, sizeof(Real));
    __pipeline_memcpy_async(&strip.ring[slot][3][strip.lane], level.still + place, sizeof(Real));
    if (!RECORDS || row < strip.row_begin + 2)
        return;
    const int finished = (row - 2) * level.pitch + strip.source;
    float *const maxima[FV_RECORD_MAXIMA] = {records.max_eta_m, records.max_speed_m_s, records.max_flux_m2_s,
                                             records.max_depth_m};
    for (int m = 0; m < fv_maxima_kept(RECORDS); m++)
        if (maxima[m])
            __pipeline_memcpy_async(&strip.before[slot][m][strip.lane], maxima[m] + finished, sizeof(float));
}

// Broadcasts the node of column `column`, one of the warp's columns, to all lanes.
template <typename Real> DEVICE water<Real> fv_of_column(water<Real> mine, int column, int first)
{
    const unsigned all = 0xffffffffu;
    const int lane = column - first;
    return {__shfl_sync(all, mine.w, lane), __shfl_sync(all, mine.u, lane), __shfl_sync(all, mine.v, lane),
            __shfl_sync(all, mine.z, lane)};
}

// Replaces the mirrored nodes beyond a western or eastern edge by ghost cells.
template <int RECORDS, typename Real>
DEVICE water<Real> fv_beyond_x(const device_level<Real> &level, const fv_strip<Real, RECORDS> &strip,
                               water<Real> here, int row)
{
    for (int east = 0; east < 2; east++) {
        const int edge = east ? level.nx - 1 : 0;
        const bool is_near = east ? strip.first + 32 > level.nx && strip.first <= edge : strip.first < 0;
        if (level.is_periodic_x || !is_near) // the same for the whole warp
            continue;
        const fv_cell<Real> inner = fv_along_x(fv_of_column(here, edge, strip.first));
        if (east ? strip.column < level.nx : strip.column >= 0)
            continue;
        const enum tsunami_side side = east ? TSUNAMI_EAST : TSUNAMI_WEST;
        const fv_cell<Real> ghost = fv_ghost(level, inner, fv_along_x(here), side, strip.given[side],
                                             wrapped_or_mirrored(row, level.ny, level.is_periodic_y),
                                             strip.column < -1 || strip.column > level.nx);
        here = {fv_stored(ghost), ghost.un, ghost.ut, ghost.z};
    }
    return here;
}

// The same for the mirrored rows beyond a southern or northern edge. `north` is row `row` after the sweep
// along x.
template <int RECORDS, typename Real>
DEVICE void fv_beyond_y(const device_level<Real> &level, const fv_strip<Real, RECORDS> &strip,
                        fv_cell<Real> south, fv_cell<Real> &centre, fv_cell<Real> &north, int row)
{
    if (level.is_periodic_y || (row != -1 && row < level.ny))
        return;
    const int place = wrapped_or_mirrored(strip.column, level.nx, level.is_periodic_x);
    if (row == -1) { // both at once: the outer one was read first, before the node on the edge
        const fv_cell<Real> inner = north;
        north = fv_ghost(level, inner, inner, TSUNAMI_SOUTH, strip.given[TSUNAMI_SOUTH], place, false);
        centre = fv_ghost(level, inner, centre, TSUNAMI_SOUTH, strip.given[TSUNAMI_SOUTH], place, true);
    } else {
        north = fv_ghost(level, row == level.ny ? north : south, north, TSUNAMI_NORTH,
                         strip.given[TSUNAMI_NORTH], place, row != level.ny);
    }
}

// Takes row `row` from slot `slot` of the ring, sweeps it along x, computes the faces of the row before it,
// and finishes the one before that. `south` and `centre` are the two rows before; `north` becomes this one.
template <int FROM, bool IS_ODD, bool AT_EDGE, int LIMITER, int RECORDS, typename Real>
DEVICE void fv_step_row(const device_level<Real> &level, const struct device_records &records,
                        const fv_row<Real> *rows, fv_strip<Real, RECORDS> &strip, fv_cell<Real> south,
                        fv_cell<Real> &centre, fv_cell<Real> &north, fv_carried<Real> &carried, int row,
                        int slot, float time_s)
{
    __pipeline_wait_prior(1);
    const Real(*const values)[32] = strip.ring[slot];
    water<Real> water = {values[0][strip.lane], values[1][strip.lane], values[2][strip.lane],
                         values[3][strip.lane]};
    if (row + 2 <= strip.row_end + 1) // into the slot of the row before, which is in registers by now
        fv_fetch<FROM, AT_EDGE, RECORDS>(level, records, strip, row + 2, slot == 0 ? 2 : slot - 1);
    __pipeline_commit();
    const fv_row<Real> &k_north = rows[row - strip.row_begin + 2];
    strip.bits |= bits_of(water.u) | bits_of(water.v);
    if (IS_ODD) {
        water = fv_sources<true>(level, water, k_north);
    } else {
        if (AT_EDGE)
            water = fv_beyond_x<RECORDS>(level, strip, water, row);
        water = fv_sweep_x<LIMITER>(level, water, strip.hx, k_north, strip.bits);
    }
    north = fv_along_y(water);
    if (AT_EDGE)
        fv_beyond_y<RECORDS>(level, strip, south, centre, north, row);
    if (row < strip.row_begin)
        return;
    const fv_row<Real> &k_centre = rows[row - strip.row_begin + 1], &k_south = rows[row - strip.row_begin];
    Real metric = k_centre.metric;
    if (AT_EDGE && !level.is_periodic_y && (row == 0 || row > level.ny)) // the centre is a ghost
        metric = row == 0 ? fv_ghost_metric(level, north, TSUNAMI_SOUTH, metric)
                          : fv_ghost_metric(level, south, TSUNAMI_NORTH, metric);
    const fv_faces<Real> faces =
        fv_faces_of(south, centre, north, k_centre.half, metric, level.gravity, level.minimum_depth, LIMITER);
    const fv_flux<Real> flux =
        fv_flux_y<LIMITER>(level, south, centre, carried.plus, carried.froude, faces, k_south, k_centre);
    water = fv_update_y(level, south, carried.below, flux, carried.push, k_south);
    carried = {faces.plus, faces.push, faces.froude, flux};
    if (row < strip.row_begin + 2)
        return;
    strip.bits |= changed_bits(water.w, fv_stored(south));
    if (IS_ODD) {
        if (AT_EDGE)
            water = fv_beyond_x<RECORDS>(level, strip, water, row - 2);
        water = fv_sweep_x<LIMITER>(level, water, strip.hx, k_south, strip.bits);
    } else {
        water = fv_sources<false>(level, water, k_south);
    }
    strip.bits |= bits_of(water.u) | bits_of(water.v);
    if (!strip.is_written)
        return;
    const int place = (row - 2) * level.pitch + strip.column;
    store_water(level.state[1 - FROM], water, place);
    if (RECORDS) {
        float before[FV_RECORD_MAXIMA];
        for (int m = 0; m < fv_maxima_kept(RECORDS); m++)
            before[m] = strip.before[slot][m][strip.lane];
        fv_record<RECORDS>(records, water, place, before, time_s);
    }
}

template <bool AT_EDGE, int RECORDS, typename Real>
DEVICE fv_strip<Real, RECORDS> fv_strip_of(const device_level<Real> &level, fv_shared<Real, RECORDS> &shared,
                                           struct tile_bounds tile)
{
    fv_strip<Real, RECORDS> strip = {};
    const int warp = threadIdx.x >> 5;
    strip.lane = threadIdx.x & 31;
    strip.first = tile.column_begin + warp * FV_WARP_COLUMNS - 2;
    strip.column = strip.first + strip.lane;
    strip.is_written = strip.lane >= 2 && strip.lane < 2 + FV_WARP_COLUMNS && strip.column < tile.column_end;
    strip.source = AT_EDGE ? wrapped_or_mirrored(strip.column, level.nx, level.is_periodic_x) : strip.column;
    strip.hx.inverse = Real(2) * level.columns[strip.source];
    strip.hx.width = Real(1) / strip.hx.inverse;
    strip.hx.width_before = from_lane(strip.hx.width, -1);
    strip.ring = shared.ahead[warp];
    strip.before = shared.before[warp];
    strip.given = shared.given;
    strip.row_begin = tile.row_begin;
    strip.row_end = tile.row_end;
    return strip;
}

// One step of a tile, from copy FROM of the state to the other; returns whether anything in it changed or
// moves.
template <int FROM, bool AT_EDGE, int LIMITER, int RECORDS, typename Real>
DEVICE bool fv_step_rows(const device_level<Real> &level, const struct device_records &records,
                         fv_shared<Real, RECORDS> &shared, struct tile_bounds tile, float time_s)
{
    fv_strip<Real, RECORDS> strip = fv_strip_of<AT_EDGE, RECORDS>(level, shared, tile);
    for (int k = 0; k < 2; k++) {
        fv_fetch<FROM, AT_EDGE, RECORDS>(level, records, strip, tile.row_begin - 2 + k, k);
        __pipeline_commit();
    }
    fv_cell<Real> south = {}, centre = {}, north = {};
    fv_carried<Real> carried = {};
    int slot = 0;
#pragma unroll 1 // larger loops are slower
    for (int row = tile.row_begin - 2; row <= tile.row_end + 1; row++) {
        fv_step_row<FROM, FROM == 1, AT_EDGE, LIMITER, RECORDS>(level, records, shared.rows, strip, south,
                                                                centre, north, carried, row, slot, time_s);
        slot = slot == 2 ? 0 : slot + 1;
        south = centre;
        centre = north;
    }
    return strip.is_written && (strip.bits << 1) != 0;
}

} // namespace tsunami

#endif
