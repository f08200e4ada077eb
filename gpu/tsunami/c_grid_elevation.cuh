// The tiled kernel of the elevation of `c-grid-6` (c_grid_tiles.cuh).
#ifndef FATHOM_GPU_TSUNAMI_C_GRID_ELEVATION_CUH
#define FATHOM_GPU_TSUNAMI_C_GRID_ELEVATION_CUH

#include "gpu/tsunami/c_grid_tiles.cuh"

namespace tsunami {
namespace staggered {

template <typename Real> struct elevation_shared {
    inputs<Real, 5, C_BEYOND_ELEVATION> in;
    ring<Real, 2> middle, flux;
    elevation_row<Real> rows[ROWS_MOST];
    unsigned char land[TURNS_MOST];
};

template <typename Real> struct elevation_column {
    int i;
    bool is_inside;
    Real nx;
    weights<Real> node;
    history<Real, 2> e, north;
    history<Real, 6> middle, flux;
    history<Real, 2> flux_x;
    history<Real, 4> along_x; // difference of the fluxes along x, from row r − 3 on
    history<Real, 3> old_e;   // η at the begin of the step, from row r − 4 on
};

// Row r − 1.
template <typename Real>
DEVICE void middle_stage(elevation_shared<Real> &shared, elevation_column<Real> &c,
                         const elevation_row<Real> &row, int place)
{
    const auto &in = shared.in;
    const lane<Real> e = in.at(INPUT_ETA, place, BEHIND_MIDDLE), u = in.at(INPUT_U, place, BEHIND_MIDDLE),
                     du = in.at(INPUT_DEPTH_U, place, BEHIND_MIDDLE);
    const Real here = c.e.ago(1);
    c.north.add(near_flux(here, c.e.ago(0), in.at(INPUT_DEPTH_V, place, BEHIND_MIDDLE)(0, 0),
                          in.at(INPUT_V, place, BEHIND_MIDDLE)(0, 0)));
    const Real east = near_flux(here, e(1, 0), du(0, 0), u(0, 0)),
               west = near_flux(e(-1, 0), here, du(-1, 0), u(-1, 0));
    c.middle.add(middle(here, east, west, c.north.ago(0), c.north.ago(1), c.nx, row));
    shared.middle.put(place, BEHIND_MIDDLE, c.middle.ago(0));
}

// Row r − 2; `code`: that of this row.
template <bool HAS_LAND, typename Real>
DEVICE void flux_x_stage(const c_level<Real> &level, elevation_shared<Real> &shared,
                         elevation_column<Real> &c, int place, int k, int code)
{
    const Real du = shared.in.at(INPUT_DEPTH_U, place, BEHIND_FLUX_X)(0, 0),
               u = shared.in.at(INPUT_U, place, BEHIND_FLUX_X)(0, 0);
    const lane<Real> at = shared.middle.at(place, BEHIND_FLUX_X);
    const auto near = [&](int di, int) { return di == 0 ? c.middle.ago(1) : at(di, 0); };
    const six<Real> s = surface<HAS_LAND, true>(nodes_x<Real>(near), code, code_at<HAS_LAND>(level, k + 1));
    Real through = flux(s, du, u);
    if (HAS_LAND && is_open_u(level, c.i))
        through = edge_flux(du, level.eta[c.i < 0 ? k + 1 : k], u);
    c.flux_x.add(HAS_LAND && !(du > Real(0)) ? Real(0) : through);
    shared.flux.put(place, BEHIND_FLUX_X, c.flux_x.ago(0));
}

// Row r − 3.
template <bool HAS_LAND, typename Real>
DEVICE void eta_x_stage(const c_level<Real> &level, const elevation_shared<Real> &shared,
                        elevation_column<Real> &c, int place, int k)
{
    const lane<Real> at = shared.flux.at(place, BEHIND_ETA_X);
    const auto near = [&](int di, int) { return di == 0 ? c.flux_x.ago(1) : at(di, 0); };
    c.along_x.add(differ(stream<HAS_LAND, true>(faces_x<Real>(near), code_at<HAS_LAND>(level, k)), c.node));
}

// Row r − 4: `middle` is of rows j − 2 … j + 3.
template <bool HAS_LAND, typename Real>
DEVICE void flux_y_stage(const c_level<Real> &level, const elevation_shared<Real> &shared,
                         elevation_column<Real> &c, const elevation_row<Real> &row, int place, int j, int k)
{
    const auto &in = shared.in;
    const Real dv = in.at(INPUT_DEPTH_V, place, BEHIND_FLUX_Y)(0, 0),
               v = in.at(INPUT_V, place, BEHIND_FLUX_Y)(0, 0);
    c.old_e.add(in.at(INPUT_ETA, place, BEHIND_FLUX_Y)(0, 0));
    Real through = flux(surface<HAS_LAND, false>(all_of(c.middle), code_at<HAS_LAND>(level, k),
                                                 code_at<HAS_LAND>(level, k + level.pitch)),
                        dv, v);
    if (HAS_LAND && is_open_v(level, j))
        through = edge_flux(dv, level.eta[j < 0 ? k + level.pitch : k], v);
    c.flux.add(row.cos_face * (HAS_LAND && !(dv > Real(0)) ? Real(0) : through));
}

// Row r − 6: `flux` is of rows j − 3 … j + 2. Returns whether the new elevation differs from 0.
template <bool HAS_LAND, bool HAS_RECORDS, typename Real>
DEVICE bool eta_stage(const c_level<Real> &level, const struct device_records &records,
                      const elevation_column<Real> &c, const elevation_row<Real> &row, int j, int k,
                      bool is_needed, float time_s)
{
    const int code = code_at<HAS_LAND>(level, k);
    const Real sum = c.along_x.ago(3) + differ(stream<HAS_LAND, false>(all_of(c.flux), code), row.node);
    const bool is_wet = !HAS_LAND || code & C_GRID_WET;
    const Real sunk = MADD(-row.step, sum, c.old_e.ago(2));
    if (!is_needed || !c.is_inside)
        return false;
    const Real next = is_wet ? raised_at(level, sunk, k) : Real(0);
    if (!HAS_LAND || is_amid(level, c.i, j))
        level.eta_new[k] = next;
    else
        store_images(level, level.eta_new, c.i, j, next, C_GRID_SURFACE);
    if (HAS_RECORDS)
        record_eta(records, k, (float)next, is_wet, time_s);
    return next != Real(0);
}

template <typename Real>
DEVICE elevation_column<Real> elevation_column_of(const c_level<Real> &level, const struct c_grid_tile &tile)
{
    elevation_column<Real> c = {};
    const int i = tile.column_begin - C_BEYOND_ELEVATION + (int)threadIdx.x;
    c.i = min(i, level.nx + C_GRID_HALO - 2);
    c.is_inside = i >= tile.column_begin && i < tile.column_end;
    c.nx = *column_of(level, C_ROW_INVERSE_NODE, c.i);
    c.node = column_weights(level, C_ROW_NODE, c.i);
    return c;
}

// Makes the stages of the row `r` that is loaded; `code`: of row r − 2. Returns whether anything moves,
// unless that is known (`is_moving`).
template <bool HAS_LAND, bool HAS_RECORDS, typename Real>
DEVICE bool elevation_stages(const c_level<Real> &level, const struct device_records &records,
                             elevation_shared<Real> &shared, elevation_column<Real> &c,
                             const struct c_grid_tile &tile, const elevation_row<Real> *row, int place, int r,
                             float time_s, bool is_moving, int code)
{
    const int begin = tile.row_begin, p = level.pitch, k = c.i + r * p;
    bool moves = false;
    c.e.add(shared.in.at(INPUT_ETA, place, 0)(0, 0));
    if (!HAS_LAND || r - BEHIND_MIDDLE >= begin - 6)
        middle_stage(shared, c, row[-BEHIND_MIDDLE], place);
    if (!HAS_LAND || r - BEHIND_FLUX_X >= begin)
        flux_x_stage<HAS_LAND>(level, shared, c, place, k - BEHIND_FLUX_X * p, code);
    if (!HAS_LAND || r - BEHIND_ETA_X >= begin)
        eta_x_stage<HAS_LAND>(level, shared, c, place, k - BEHIND_ETA_X * p);
    if (!HAS_LAND || r - BEHIND_FLUX_Y >= begin - 4) {
        const int j = r - BEHIND_FLUX_Y;
        flux_y_stage<HAS_LAND>(level, shared, c, row[-BEHIND_FLUX_Y], place, j, k - BEHIND_FLUX_Y * p);
        if (!is_moving && c.is_inside && j >= begin && j < tile.row_end)
            moves = shared.in.at(INPUT_U, place, BEHIND_FLUX_Y)(0, 0) != Real(0) ||
                    shared.in.at(INPUT_V, place, BEHIND_FLUX_Y)(0, 0) != Real(0);
    }
    if (!HAS_LAND || r - BEHIND_ETA >= begin)
        moves |= eta_stage<HAS_LAND, HAS_RECORDS>(level, records, c, row[-BEHIND_ETA], r - BEHIND_ETA,
                                                  k - BEHIND_ETA * p, r - BEHIND_ETA >= begin, time_s);
    return moves;
}

template <bool HAS_RECORDS, typename Real>
DEVICE bool elevation_rows(const c_level<Real> &level, const struct device_records &records,
                           const c_tiles &tiles, elevation_shared<Real> &shared,
                           const struct c_grid_tile &tile, float time_s)
{
    const int start = tile.row_begin - 6, last = tile.row_end + BEHIND_ETA,
              first = tile.row_begin - ROWS_BEFORE;
    elevation_column<Real> c = elevation_column_of(level, tile);
    copier<Real, decltype(shared.in)> copies(level, level.u_new, level.v_new,
                                             tile.column_begin - C_BEYOND_ELEVATION, start);
    copies.copy(shared.in, 0, level.pitch);
    for (int k = (int)threadIdx.x; k < last - first; k += C_TILE_THREADS)
        shared.rows[k] = elevation_row_at(level, max(first + k, 1 - C_GRID_HALO));
    find_land<Real>(level, tiles, tile, shared.land, start, last, BEHIND_ETA);
    const bool is_moving = tiles.moving[tile.self] != 0;
    bool moves = false;
    __pipeline_wait_prior(0);
    __syncthreads();
    const auto advance = [&](auto has_land, int place, int r, int code) {
        copies.copy(shared.in, (place + 1) % ROWS_A_TURN, level.pitch);
        moves |= elevation_stages<has_land.value, HAS_RECORDS>(
            level, records, shared, c, tile, shared.rows + (r - first), place, r, time_s, is_moving, code);
        __pipeline_wait_prior(0);
        meet();
    };
#pragma unroll 1
    for (int from = start, turn = 0; from < last; from += ROWS_A_TURN, turn++) {
        if (from + ROWS_A_TURN > last || shared.land[turn] >> (threadIdx.x / 32) & 1) {
            int code = level.code[c.i + (from - 2) * level.pitch];
#pragma unroll 1
            for (int place = 0; place < ROWS_A_TURN && from + place < last; place++) {
                const int next = level.code[c.i + (from + place - 1) * level.pitch]; // read one row ahead
                advance(std::true_type(), place, from + place, code);
                code = next;
            }
        } else {
#pragma unroll
            for (int place = 0; place < ROWS_A_TURN; place++)
                advance(std::false_type(), place, from + place, 0);
        }
    }
    return moves;
}

template <bool HAS_RECORDS, typename Real>
__global__ void __launch_bounds__(C_TILE_THREADS, C_BLOCKS_ELEVATION(sizeof(Real)))
    tiled_elevation(const __grid_constant__ c_level<Real> level,
                    const __grid_constant__ struct device_records records,
                    const __grid_constant__ c_tiles tiles, float time_s)
{
    extern __shared__ __align__(16) unsigned char c_shared[];
    struct c_grid_tile tile = tiles.list[blockIdx.x / C_TILE_PARTS];
    const int part = (int)blockIdx.x % C_TILE_PARTS, turns = (tile.row_end - tile.row_begin) / ROWS_A_TURN;
    if (part > 0)
        tile.row_begin += turns * part / C_TILE_PARTS * ROWS_A_TURN;
    if (part + 1 < C_TILE_PARTS)
        tile.row_end =
            tiles.list[blockIdx.x / C_TILE_PARTS].row_begin + turns * (part + 1) / C_TILE_PARTS * ROWS_A_TURN;
    if (!tiles.awake[tile.self] || tile.row_begin == tile.row_end)
        return;
    const bool moves = elevation_rows<HAS_RECORDS>(
        level, records, tiles, *reinterpret_cast<elevation_shared<Real> *>(c_shared), tile, time_s);
    if (__syncthreads_or(moves) && threadIdx.x == 0)
        tiles.moving[tile.self] = 1;
}

} // namespace staggered
} // namespace tsunami

#endif
