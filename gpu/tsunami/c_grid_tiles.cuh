// The tiled version of a step of `c-grid-6`: two kernels, velocities and elevation. A thread block advances
// along y over a tile, with one thread for each column. Each stage is some rows behind the stage whose values
// it needs, so that one barrier per row is enough. The values of a thread's own column stay in registers;
// those that its neighbours need are stored in rings of rows in shared memory. The arithmetic and the bits
// are those of the plain version.
#ifndef FATHOM_GPU_TSUNAMI_C_GRID_TILES_CUH
#define FATHOM_GPU_TSUNAMI_C_GRID_TILES_CUH

#include "gpu/tsunami/c_grid_access.cuh"

namespace tsunami {
namespace staggered {

// Number of columns beyond the tile that a thread block also computes.
enum { C_BEYOND_VELOCITY = 6, C_BEYOND_ELEVATION = 5 };
template <typename Real>
constexpr int c_threads = sizeof(Real) == sizeof(float) ? C_TILE_THREADS_F : C_TILE_THREADS_D;
static_assert(C_TILE_COLUMNS(128) + 2 * C_BEYOND_VELOCITY == 128, "one thread for each column");
// Number of rows by which a stage is behind the row that is loaded.
enum { BEHIND_FIRST = 1, BEHIND_NOW = 2, BEHIND_HEAD = 4, BEHIND_LAST = 7 };
enum { BEHIND_MIDDLE = 1, BEHIND_FLUX_X = 2, BEHIND_FLUX_Y = 4, BEHIND_ETA = 6 };
// Number of rows of constants before the tile's first row and beyond its last one.
enum { ROWS_BEFORE = 6, ROWS_BEYOND = 7, ROWS_MOST = C_TILE_ROWS + ROWS_BEFORE + ROWS_BEYOND };

// Number of rows in one pass of the loop without land; fewer values are then moved between registers.
#ifndef C_ROWS_UNROLLED
#define C_ROWS_UNROLLED 2
#endif

enum { C_FIRST = 4 }; // padding on both sides of a row in shared memory

// A row of a ring, relative to the thread's own column.
template <typename Real> struct lane {
    const Real *at;
    DEVICE Real operator()(int di, int) const { return at[di]; }
};

template <typename Real, int ROWS> struct ring {
    Real rows[ROWS][c_threads<Real> + 2 * C_FIRST];
    DEVICE void put(int row, Real value) { rows[row & (ROWS - 1)][threadIdx.x + C_FIRST] = value; }
    DEVICE lane<Real> at(int row) const { return {&rows[row & (ROWS - 1)][threadIdx.x + C_FIRST]}; }
};

// The last rows of a column: [N − 1] the newest.
template <typename Real, int N> struct history {
    Real row[N];
    DEVICE void add(Real value)
    {
        for (int k = 0; k + 1 < N; k++)
            row[k] = row[k + 1];
        row[N - 1] = value;
    }
    // The value `back` rows before the newest.
    DEVICE Real ago(int back) const { return row[N - 1 - back]; }
};

// ---- tiles

struct c_tiles {
    const struct c_grid_tile *list;
    int columns, rows; // of the whole tiling
    int skips, is_periodic_x, is_periodic_y;
    unsigned char *moving, *awake; // [rows][columns]
    const unsigned char *has_land; // [columns][ny + 2 C_GRID_HALO]
    unsigned long long *computed;
};

// Loads the flags of `count` rows from `first` on.
template <typename Real>
DEVICE void load_land(const c_level<Real> &level, const c_tiles &tiles, const struct c_grid_tile &tile,
                      unsigned char *has_land, int first, int count)
{
    const unsigned char *from =
        tiles.has_land + (size_t)tile.i * (level.ny + 2 * C_GRID_HALO) + C_GRID_HALO + first;
    for (int k = (int)threadIdx.x; k < count; k += c_threads<Real>)
        has_land[k] = from[k];
}

// Whether the tile or a neighbouring tile moves. All threads return the same.
DEVICE bool is_reached(const c_tiles &tiles, const struct c_grid_tile &tile)
{
    bool moves = false;
    if (threadIdx.x < 9) {
        int i = tile.i + (int)threadIdx.x % 3 - 1, j = tile.j + (int)threadIdx.x / 3 - 1;
        if (tiles.is_periodic_x)
            i = (i + tiles.columns) % tiles.columns;
        if (tiles.is_periodic_y)
            j = (j + tiles.rows) % tiles.rows;
        if (i >= 0 && j >= 0 && i < tiles.columns && j < tiles.rows)
            moves = tiles.moving[j * tiles.columns + i] != 0;
    }
    return __syncthreads_or(moves);
}

// Called before the velocities. A tile that is awake stays awake, because its two copies of the state differ.
DEVICE bool wakes(const c_tiles &tiles, const struct c_grid_tile &tile)
{
    const int self = tile.j * tiles.columns + tile.i;
    const bool is_due = !tiles.skips || tiles.awake[self] || is_reached(tiles, tile);
    if (is_due && threadIdx.x == 0) {
        tiles.awake[self] = 1;
        atomicAdd(tiles.computed, (unsigned long long)(tile.column_end - tile.column_begin) *
                                      (unsigned long long)(tile.row_end - tile.row_begin));
    }
    return is_due;
}

// Calls stage(is_coast), a constant: whether land is within reach of the row, in a tile that HAS_LAND.
template <bool HAS_LAND, typename Stage> DEVICE void at_row(unsigned char has_land, const Stage &stage)
{
    if (HAS_LAND && has_land)
        stage(std::true_type());
    else
        stage(std::false_type());
}

// ---- velocities

template <typename Real> struct velocity_shared {
    ring<Real, 2> q, tu;
    ring<Real, 4> u, v, fv, head, z, across_v;
    velocity_row<Real> rows[ROWS_MOST];
    unsigned char has_land[ROWS_MOST];
};

// A thread's column.
template <typename Real> struct velocity_column {
    int i, offset; // offset: of the column in row 0
    bool is_inside;
    Real fx, fw, nx;
    weights<Real> face, mean;
    // State and depths of the loaded rows.
    history<Real, 5> e;
    history<Real, 3> u, v, du, dv;
    history<Real, 5> rise; // depth times the step of η to the north
    history<Real, 3> q, tv, tu;
    history<Real, 4> fu;
    history<Real, 6> un, vn, z, across_u, head;
};

template <typename Real>
DEVICE void load_velocity_rows(const c_level<Real> &level, velocity_row<Real> *rows, int first, int count)
{
    for (int k = (int)threadIdx.x; k < count; k += c_threads<Real>)
        rows[k] = velocity_row_at(level, first + k);
}

// Row r − 1, whose northern neighbour has been loaded.
template <bool HAS_LAND, typename Real>
DEVICE void first_stage(const c_level<Real> &level, velocity_shared<Real> &shared, velocity_column<Real> &c,
                        const velocity_row<Real> &row, int j)
{
    const int k = c.offset + j * level.pitch;
    const Real west = level.u[k - 1], east = level.v[k + 1], dv_east = level.depth_v[k + 1];
    const auto e = [&](int, int dj) { return c.e.ago(1 - dj); };
    const auto u = [&](int di, int dj) { return di < 0 ? west : c.u.ago(1 - dj); };
    const auto v = [&](int di, int dj) { return di > 0 ? east : c.v.ago(1 - dj); };
    const auto fu = [&](int, int dj) { return c.du.ago(1 - dj) * c.u.ago(1 - dj); };
    const auto fv = [&](int di, int) { return di > 0 ? dv_east * east : c.dv.ago(1) * c.v.ago(1); };
    c.q.add(head_now(e, u, v, level.gravity));
    const turns<Real> t =
        turn_now<HAS_LAND>(u, v, fu, fv, level.inverse_corner[k], c.fx, row, HAS_LAND ? level.code[k] : 0);
    c.tv.add(t.of_v);
    c.tu.add(t.of_u);
    c.rise.add(c.dv.ago(1) * (c.e.ago(0) - c.e.ago(1)));
    shared.q.put(j, c.q.ago(0));
    shared.tu.put(j, c.tu.ago(0));
}

// Row r − 2.
template <bool HAS_LAND, typename Real>
DEVICE void now_stage(const c_level<Real> &level, velocity_shared<Real> &shared, velocity_column<Real> &c,
                      const velocity_row<Real> &row, int j)
{
    const lane<Real> q_of_row = shared.q.at(j), tu_of_row = shared.tu.at(j);
    const Real q_east = q_of_row(1, 0), tu_west = tu_of_row(-1, 0), half = Real(0.5) * level.step;
    const Real u = c.u.ago(2), v = c.v.ago(2);
    const auto q = [&](int di, int dj) { return di > 0 ? q_east : c.q.ago(1 - dj); };
    const auto tv = [&](int, int dj) { return c.tv.ago(1 - dj); };
    const auto tu = [&](int di, int) { return di < 0 ? tu_west : c.tu.ago(1); };
    Real next_u = u_now(u, q, tv, c.fx, row, half), next_v = v_now(v, q, tu, row, half);
    if (HAS_LAND) { // on open edges the velocities stay
        next_u = is_open_u(level, c.i) ? u : c.du.ago(2) > Real(0) ? next_u : Real(0);
        next_v = is_open_v(level, j) ? v : c.dv.ago(2) > Real(0) ? next_v : Real(0);
    }
    c.un.add(next_u);
    c.fu.add(c.du.ago(2) * next_u);
    c.vn.add(next_v);
    shared.u.put(j, next_u);
    shared.v.put(j, next_v);
    shared.fv.put(j, c.dv.ago(2) * next_v);
}

// Row r − 4: `fu` is of rows j − 1 … j + 2, `un` and `vn` of rows j − 3 … j + 2.
template <bool HAS_LAND, typename Real>
DEVICE void head_stage(const c_level<Real> &level, velocity_shared<Real> &shared, velocity_column<Real> &c,
                       const velocity_row<Real> &row, int j)
{
    const int k = c.offset + j * level.pitch, code = HAS_LAND ? level.code[k] : 0;
    const lane<Real> u_row = shared.u.at(j), v_row = shared.v.at(j), fv = shared.fv.at(j);
    const Real here = c.e.ago(4), e_east = level.eta[k + 1], e_west = level.eta[k - 1],
               du_here = level.depth_u[k], du_west = level.depth_u[k - 1];
    const auto e = [&](int di, int) { return di > 0 ? e_east : di < 0 ? e_west : here; };
    const auto du = [&](int di, int) { return di < 0 ? du_west : du_here; };
    const auto u = [&](int di, int dj) { return di == 0 ? c.un.ago(2 - dj) : u_row(di, 0); };
    const auto v = [&](int di, int dj) { return di == 0 ? c.vn.ago(2 - dj) : v_row(di, 0); };
    const auto fu = [&](int, int dj) { return c.fu.ago(2 - dj); };
    const Real bent = bend(e, du, c.rise.ago(3), c.rise.ago(4), c.fx, c.fw, c.nx, row);
    c.head.add(
        head<HAS_LAND>(here, bent, faces_x<Real>(u), faces_y<Real>(v), level.gravity, level.step, code));
    const corner<Real> at = corner_of<HAS_LAND>(u, v, fu, fv, level.inverse_corner[k], c.fx, row, code);
    c.z.add(at.z);
    c.across_u.add(at.across_u);
    shared.head.put(j, c.head.ago(0));
    shared.z.put(j, at.z);
    shared.across_v.put(j, at.across_v);
}

template <bool HAS_LAND, typename Real> DEVICE int code_at(const c_level<Real> &level, int place)
{
    return HAS_LAND ? level.code[place] : 0;
}

// Row r − 7: `head`, `z`, `across_u` are of rows j − 2 … j + 3. `rows`: its constants.
template <bool HAS_LAND, bool HAS_FRICTION, typename Real>
DEVICE Real last_u(const c_level<Real> &level, const velocity_shared<Real> &shared,
                   const velocity_column<Real> &c, const velocity_row<Real> *rows, int j)
{
    const int k = c.offset + j * level.pitch, p = level.pitch, code = code_at<HAS_LAND>(level, k);
    spinning<Real> s[4];
    for (int m = 0; m < 4; m++)
        s[m] = spinning_of(rows[m - 2].coriolis, c.z.row[m], c.across_u.row[m],
                           code_at<HAS_LAND>(level, k + (m - 2) * p));
    const six<Real> heads =
        surface<HAS_LAND, true>(nodes_x<Real>(shared.head.at(j)), code, code_at<HAS_LAND>(level, k + 1));
    const Real turned = turn<HAS_LAND>(s[0], s[1], s[2], s[3], code & C_GRID_LINE_U);
    Real next = MADD(level.step, turned - rows[0].inverse_cos * differ(heads, c.face), level.u[k]);
    const Real depth = HAS_LAND || HAS_FRICTION ? level.depth_u[k] : Real(1);
    if (HAS_FRICTION)
        next = next / drag(c.un.row[0], Real(0.5) * (s[1].across + s[2].across), depth, level.eta[k],
                           level.eta[k + 1], level.friction);
    return HAS_LAND && !(depth > Real(0)) ? Real(0) : bounded_u(level, next, k);
}

template <bool HAS_LAND, bool HAS_FRICTION, typename Real>
DEVICE Real last_v(const c_level<Real> &level, const velocity_shared<Real> &shared,
                   const velocity_column<Real> &c, const velocity_row<Real> &row, int j)
{
    const int k = c.offset + j * level.pitch, p = level.pitch, code = code_at<HAS_LAND>(level, k);
    const lane<Real> z = shared.z.at(j), across = shared.across_v.at(j);
    spinning<Real> s[4];
    for (int m = 0; m < 4; m++)
        s[m] = spinning_of(row.coriolis, m == 2 ? c.z.row[2] : z(m - 2, 0), across(m - 2, 0),
                           code_at<HAS_LAND>(level, k + m - 2));
    const six<Real> own = {c.head.row[0], c.head.row[1], c.head.row[2],
                           c.head.row[3], c.head.row[4], c.head.row[5]};
    const six<Real> heads = surface<HAS_LAND, false>(own, code, code_at<HAS_LAND>(level, k + p));
    const Real turned = turn<HAS_LAND>(s[0], s[1], s[2], s[3], code & C_GRID_LINE_V);
    Real next = MADD(-level.step, turned + differ(heads, row.face), level.v[k]);
    const Real depth = HAS_LAND || HAS_FRICTION ? level.depth_v[k] : Real(1);
    if (HAS_FRICTION)
        next = next / drag(c.vn.row[0], Real(0.5) * (s[1].across + s[2].across), depth, level.eta[k],
                           level.eta[k + p], level.friction);
    return HAS_LAND && !(depth > Real(0)) ? Real(0) : bounded_v(level, next, k);
}

// Also computes the adjacent faces on open edges.
template <bool HAS_LAND, bool HAS_FRICTION, typename Real>
DEVICE void last_stage(const c_level<Real> &level, const velocity_shared<Real> &shared,
                       const velocity_column<Real> &c, const velocity_row<Real> *rows, int j)
{
    const int k = c.offset + j * level.pitch;
    const Real u = last_u<HAS_LAND, HAS_FRICTION>(level, shared, c, rows, j),
               v = last_v<HAS_LAND, HAS_FRICTION>(level, shared, c, *rows, j);
    if (!c.is_inside)
        return;
    if (!HAS_LAND) {
        level.u_new[k] = u;
        level.v_new[k] = v;
        return;
    }
    const lane<Real> p = shared.head.at(j);
    const heads_inward<Real> from_west = {p(0, 0), p(1, 0), p(2, 0)},
                             from_east = {p(0, 0), p(-1, 0), p(-2, 0)};
    const heads_inward<Real> from_south = {c.head.row[2], c.head.row[3], c.head.row[4]},
                             from_north = {c.head.row[2], c.head.row[1], c.head.row[0]};
    store_images(level, level.u_new, c.i, j, is_open_u(level, c.i) ? leaving_u(level, c.i, j, from_east) : u,
                 C_GRID_VELOCITY);
    store_images(level, level.v_new, c.i, j, is_open_v(level, j) ? leaving_v(level, c.i, j, from_north) : v,
                 C_GRID_VELOCITY);
    if (c.i == 0 && is_open_u(level, -1))
        store_images(level, level.u_new, -1, j, leaving_u(level, -1, j, from_west), C_GRID_VELOCITY);
    if (j == 0 && is_open_v(level, -1))
        store_images(level, level.v_new, c.i, -1, leaving_v(level, c.i, -1, from_south), C_GRID_VELOCITY);
}

// The use of the nodes' velocities in the kernel of velocities. RECORDED: updates the records of speed and
// flux. STORED: stores them, and makes no step.
enum { NODES_UNUSED, NODES_RECORDED, NODES_STORED };

// Computes the nodes' velocities in row r − 4.
template <bool HAS_LAND, int NODES, typename Real>
DEVICE void node_stage(const c_level<Real> &level, const struct device_records &records,
                       const velocity_shared<Real> &shared, const velocity_column<Real> &c, int j)
{
    const int k = c.offset + j * level.pitch, code = code_at<HAS_LAND>(level, k);
    const auto v = [&](int, int dj) { return c.vn.ago(2 - dj); };
    const six<Real> x = faces_x<Real>(shared.u.at(j)), y = faces_y<Real>(v);
    const bool is_wet = !HAS_LAND || code & C_GRID_WET;
    const Real u = average(stream<HAS_LAND, true>(x, code), c.mean),
               v_mean = average(stream<HAS_LAND, false>(y, code), row_means(level, j));
    const Real node_u = is_wet ? u : Real(0), node_v = is_wet ? v_mean : Real(0);
    if (!c.is_inside)
        return;
    if (NODES == NODES_RECORDED) {
        record_flow(records, k, level.depth[k] + c.e.ago(4), node_u, node_v);
        return;
    }
    level.node_u[k] = node_u;
    level.node_v[k] = node_v;
}

template <typename Real>
DEVICE velocity_column<Real> velocity_column_of(const c_level<Real> &level, const struct c_grid_tile &tile)
{
    velocity_column<Real> c = {};
    const int i = tile.column_begin - C_BEYOND_VELOCITY + (int)threadIdx.x;
    c.i = min(i, level.nx + C_GRID_HALO - 2); // threads beyond it read the same column
    c.offset = c.i;
    c.is_inside = i >= tile.column_begin && i < tile.column_end;
    c.fx = *column_of(level, C_ROW_INVERSE_FACE, c.i);
    c.fw = *column_of(level, C_ROW_INVERSE_FACE, c.i - 1);
    c.nx = *column_of(level, C_ROW_INVERSE_NODE, c.i);
    c.face = column_weights(level, C_ROW_FACE, c.i);
    c.mean = column_weights(level, C_ROW_MEAN, c.i);
    return c;
}

// The inputs at a node.
template <typename Real> struct loaded {
    Real e, u, v, du, dv;
};

template <typename Real>
DEVICE loaded<Real> load_place(const c_level<Real> &level, const Real *u, const Real *v, int place)
{
    return {level.eta[place], u[place], v[place], level.depth_u[place], level.depth_v[place]};
}

// Makes the stages of the row `r` that is loaded, and loads the next one.
template <bool HAS_LAND, bool HAS_FRICTION, int NODES, typename Real>
DEVICE void velocity_row_stages(const c_level<Real> &level, const struct device_records &records,
                                velocity_shared<Real> &shared, velocity_column<Real> &c, loaded<Real> &next,
                                const struct c_grid_tile &tile, int r, int last)
{
    constexpr bool makes_step = NODES != NODES_STORED;
    const int begin = tile.row_begin, place = r - (begin - ROWS_BEFORE);
    const velocity_row<Real> *row = shared.rows + place;
    const unsigned char *land = shared.has_land + place;
    c.e.add(next.e);
    c.u.add(next.u);
    c.v.add(next.v);
    c.du.add(next.du);
    c.dv.add(next.dv);
    if (r + 1 < last)
        next = load_place(level, level.u, level.v, c.offset + (r + 1) * level.pitch);
    if (r - BEHIND_FIRST >= begin - 5)
        at_row<HAS_LAND>(land[-BEHIND_FIRST], [&](auto is_coast) {
            first_stage<is_coast.value>(level, shared, c, row[-BEHIND_FIRST], r - BEHIND_FIRST);
        });
    if (r - BEHIND_NOW >= begin - 4)
        at_row<HAS_LAND>(land[-BEHIND_NOW], [&](auto is_coast) {
            now_stage<is_coast.value>(level, shared, c, row[-BEHIND_NOW], r - BEHIND_NOW);
        });
    if (makes_step && r - BEHIND_HEAD >= begin - 2)
        at_row<HAS_LAND>(land[-BEHIND_HEAD], [&](auto is_coast) {
            head_stage<is_coast.value>(level, shared, c, row[-BEHIND_HEAD], r - BEHIND_HEAD);
        });
    if (NODES != NODES_UNUSED && r - BEHIND_HEAD >= begin && r - BEHIND_HEAD < tile.row_end)
        at_row<HAS_LAND>(land[-BEHIND_HEAD], [&](auto is_coast) {
            node_stage<is_coast.value, NODES>(level, records, shared, c, r - BEHIND_HEAD);
        });
    if (makes_step && r - BEHIND_LAST >= begin)
        at_row<HAS_LAND>(land[-BEHIND_LAST], [&](auto is_coast) {
            last_stage<is_coast.value, HAS_FRICTION>(level, shared, c, row - BEHIND_LAST, r - BEHIND_LAST);
        });
    __syncthreads();
}

template <bool HAS_LAND, bool HAS_FRICTION, int NODES, typename Real>
DEVICE void velocity_rows(const c_level<Real> &level, const struct device_records &records,
                          const c_tiles &tiles, velocity_shared<Real> &shared, const struct c_grid_tile &tile)
{
    const int first = tile.row_begin - ROWS_BEFORE, begin = tile.row_begin, end = tile.row_end;
    velocity_column<Real> c = velocity_column_of(level, tile);
    const int rows = end - begin + ROWS_BEFORE + ROWS_BEYOND;
    load_velocity_rows(level, shared.rows, first, rows);
    if (HAS_LAND)
        load_land(level, tiles, tile, shared.has_land, first, rows);
    loaded<Real> next = load_place(level, level.u, level.v, c.offset + (begin - 5) * level.pitch);
    __syncthreads();
    const int last = end + (NODES == NODES_STORED ? BEHIND_HEAD : BEHIND_LAST);
    constexpr int turns = HAS_LAND ? 1 : C_ROWS_UNROLLED;
#pragma unroll 1
    for (int from = begin - 5; from < last; from += turns)
#pragma unroll
        for (int turn = 0; turn < turns; turn++)
            if (turn == 0 || from + turn < last)
                velocity_row_stages<HAS_LAND, HAS_FRICTION, NODES>(level, records, shared, c, next, tile,
                                                                   from + turn, last);
}

// Resident thread blocks of a multiprocessor; this bounds the registers.
template <typename Real> constexpr int c_blocks = C_TILE_BLOCKS(c_threads<Real>, sizeof(Real));

template <bool HAS_FRICTION, int NODES, typename Real>
__global__ void __launch_bounds__(c_threads<Real>, c_blocks<Real>)
    tiled_velocities(const __grid_constant__ c_level<Real> level,
                     const __grid_constant__ struct device_records records,
                     const __grid_constant__ c_tiles tiles)
{
    __shared__ velocity_shared<Real> shared;
    const struct c_grid_tile tile = tiles.list[blockIdx.x];
    if (NODES != NODES_STORED && !wakes(tiles, tile))
        return;
    if (tile.has_land)
        velocity_rows<true, HAS_FRICTION, NODES>(level, records, tiles, shared, tile);
    else
        velocity_rows<false, HAS_FRICTION, NODES>(level, records, tiles, shared, tile);
}

// ---- elevation

template <typename Real> struct elevation_shared {
    ring<Real, 2> middle;
    ring<Real, 8> flux;
    elevation_row<Real> rows[ROWS_MOST];
    unsigned char has_land[ROWS_MOST];
};

template <typename Real> struct elevation_column {
    int i, offset;
    bool is_inside;
    Real nx;
    weights<Real> node;
    history<Real, 2> e, north;
    history<Real, 3> u, du;
    history<Real, 5> v, dv;
    history<Real, 6> middle, flux;
};

// Row r − 1.
template <typename Real>
DEVICE void middle_stage(const c_level<Real> &level, elevation_shared<Real> &shared,
                         elevation_column<Real> &c, const elevation_row<Real> &row, int j)
{
    const int k = c.offset + j * level.pitch;
    const Real here = c.e.ago(1);
    c.north.add(near_flux(here, c.e.ago(0), c.dv.ago(1), c.v.ago(1)));
    const Real east = near_flux(here, level.eta[k + 1], c.du.ago(1), c.u.ago(1)),
               west = near_flux(level.eta[k - 1], here, level.depth_u[k - 1], level.u_new[k - 1]);
    c.middle.add(middle(here, east, west, c.north.ago(0), c.north.ago(1), c.nx, row));
    shared.middle.put(j, c.middle.ago(0));
}

// Row r − 2.
template <bool HAS_LAND, typename Real>
DEVICE void flux_x_stage(const c_level<Real> &level, elevation_shared<Real> &shared,
                         const elevation_column<Real> &c, int j)
{
    const int k = c.offset + j * level.pitch;
    const Real du = c.du.ago(2), u = c.u.ago(2);
    const six<Real> s = surface<HAS_LAND, true>(nodes_x<Real>(shared.middle.at(j)),
                                                code_at<HAS_LAND>(level, k), code_at<HAS_LAND>(level, k + 1));
    Real through = flux(s, du, u);
    if (HAS_LAND && is_open_u(level, c.i))
        through = edge_flux(du, level.eta[c.i < 0 ? k + 1 : k], u);
    shared.flux.put(j, HAS_LAND && !(du > Real(0)) ? Real(0) : through);
}

// Row r − 4: `middle` is of rows j − 2 … j + 3.
template <bool HAS_LAND, typename Real>
DEVICE void flux_y_stage(const c_level<Real> &level, elevation_column<Real> &c,
                         const elevation_row<Real> &row, int j)
{
    const int k = c.offset + j * level.pitch;
    const Real dv = c.dv.ago(4), v = c.v.ago(4);
    const six<Real> own = {c.middle.row[0], c.middle.row[1], c.middle.row[2],
                           c.middle.row[3], c.middle.row[4], c.middle.row[5]};
    Real through = flux(
        surface<HAS_LAND, false>(own, code_at<HAS_LAND>(level, k), code_at<HAS_LAND>(level, k + level.pitch)),
        dv, v);
    if (HAS_LAND && is_open_v(level, j))
        through = edge_flux(dv, level.eta[j < 0 ? k + level.pitch : k], v);
    c.flux.add(row.cos_face * (HAS_LAND && !(dv > Real(0)) ? Real(0) : through));
}

// Row r − 6: `flux` is of rows j − 3 … j + 2. Returns whether the new elevation differs from 0.
template <bool HAS_LAND, bool HAS_RECORDS, typename Real>
DEVICE bool eta_stage(const c_level<Real> &level, const struct device_records &records,
                      const elevation_shared<Real> &shared, const elevation_column<Real> &c,
                      const elevation_row<Real> &row, int j, float time_s)
{
    const int k = c.offset + j * level.pitch, code = code_at<HAS_LAND>(level, k);
    const six<Real> own = {c.flux.row[0], c.flux.row[1], c.flux.row[2],
                           c.flux.row[3], c.flux.row[4], c.flux.row[5]};
    const Real sum = differ(stream<HAS_LAND, true>(faces_x<Real>(shared.flux.at(j)), code), c.node) +
                     differ(stream<HAS_LAND, false>(own, code), row.node);
    const bool is_wet = !HAS_LAND || code & C_GRID_WET;
    const Real next = is_wet ? raised_at(level, MADD(-row.step, sum, level.eta[k]), k) : Real(0);
    if (!c.is_inside)
        return false;
    if (HAS_LAND)
        store_images(level, level.eta_new, c.i, j, next, C_GRID_SURFACE);
    else
        level.eta_new[k] = next;
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
    c.offset = c.i;
    c.is_inside = i >= tile.column_begin && i < tile.column_end;
    c.nx = *column_of(level, C_ROW_INVERSE_NODE, c.i);
    c.node = column_weights(level, C_ROW_NODE, c.i);
    return c;
}

// Makes the stages of the row `r` that is loaded, and loads the next one. Returns whether anything moves.
template <bool HAS_LAND, bool HAS_RECORDS, typename Real>
DEVICE bool elevation_row_stages(const c_level<Real> &level, const struct device_records &records,
                                 elevation_shared<Real> &shared, elevation_column<Real> &c,
                                 loaded<Real> &next, const struct c_grid_tile &tile, int r, float time_s)
{
    const int begin = tile.row_begin, end = tile.row_end, place = r - (begin - ROWS_BEFORE);
    const elevation_row<Real> *row = shared.rows + place;
    const unsigned char *land = shared.has_land + place;
    bool moves = r >= begin && r < end && c.is_inside && (next.u != Real(0) || next.v != Real(0));
    c.e.add(next.e);
    c.u.add(next.u);
    c.v.add(next.v);
    c.du.add(next.du);
    c.dv.add(next.dv);
    if (r + 1 < end + BEHIND_ETA)
        next = load_place(level, level.u_new, level.v_new, c.offset + (r + 1) * level.pitch);
    if (r - BEHIND_MIDDLE >= begin - 6)
        middle_stage(level, shared, c, row[-BEHIND_MIDDLE], r - BEHIND_MIDDLE);
    if (r - BEHIND_FLUX_X >= begin && r - BEHIND_FLUX_X < end)
        at_row<HAS_LAND>(land[-BEHIND_FLUX_X], [&](auto is_coast) {
            flux_x_stage<is_coast.value>(level, shared, c, r - BEHIND_FLUX_X);
        });
    if (r - BEHIND_FLUX_Y >= begin - 3)
        at_row<HAS_LAND>(land[-BEHIND_FLUX_Y], [&](auto is_coast) {
            flux_y_stage<is_coast.value>(level, c, row[-BEHIND_FLUX_Y], r - BEHIND_FLUX_Y);
        });
    if (r - BEHIND_ETA >= begin)
        at_row<HAS_LAND>(land[-BEHIND_ETA], [&](auto is_coast) {
            moves |= eta_stage<is_coast.value, HAS_RECORDS>(level, records, shared, c, row[-BEHIND_ETA],
                                                            r - BEHIND_ETA, time_s);
        });
    __syncthreads();
    return moves;
}

template <bool HAS_LAND, bool HAS_RECORDS, typename Real>
DEVICE bool elevation_rows(const c_level<Real> &level, const struct device_records &records,
                           const c_tiles &tiles, elevation_shared<Real> &shared,
                           const struct c_grid_tile &tile, float time_s)
{
    const int begin = tile.row_begin, last = tile.row_end + BEHIND_ETA, first = begin - ROWS_BEFORE;
    const int rows = tile.row_end - first + ROWS_BEYOND;
    elevation_column<Real> c = elevation_column_of(level, tile);
    for (int k = (int)threadIdx.x; k < rows; k += c_threads<Real>)
        shared.rows[k] = elevation_row_at(level, first + k);
    if (HAS_LAND)
        load_land(level, tiles, tile, shared.has_land, first, rows);
    loaded<Real> next = load_place(level, level.u_new, level.v_new, c.offset + (begin - 6) * level.pitch);
    bool moves = false;
    __syncthreads();
    constexpr int turns = HAS_LAND ? 1 : C_ROWS_UNROLLED;
#pragma unroll 1
    for (int from = begin - 6; from < last; from += turns)
#pragma unroll
        for (int turn = 0; turn < turns; turn++)
            if (turn == 0 || from + turn < last)
                moves |= elevation_row_stages<HAS_LAND, HAS_RECORDS>(level, records, shared, c, next, tile,
                                                                     from + turn, time_s);
    return moves;
}

template <bool HAS_RECORDS, typename Real>
__global__ void __launch_bounds__(c_threads<Real>, c_blocks<Real>)
    tiled_elevation(const __grid_constant__ c_level<Real> level,
                    const __grid_constant__ struct device_records records,
                    const __grid_constant__ c_tiles tiles, float time_s)
{
    __shared__ elevation_shared<Real> shared;
    const struct c_grid_tile tile = tiles.list[blockIdx.x];
    const int self = tile.j * tiles.columns + tile.i;
    if (!tiles.awake[self])
        return;
    const bool moves = tile.has_land
                           ? elevation_rows<true, HAS_RECORDS>(level, records, tiles, shared, tile, time_s)
                           : elevation_rows<false, HAS_RECORDS>(level, records, tiles, shared, tile, time_s);
    if (__syncthreads_or(moves) && threadIdx.x == 0)
        tiles.moving[self] = 1;
}

// ---- after changes of the state

// Marks the tile if the water moves in it or at the adjacent western and southern faces.
template <typename Real>
__global__ void tiled_inspection(const __grid_constant__ c_level<Real> level,
                                 const __grid_constant__ c_tiles tiles)
{
    const struct c_grid_tile tile = tiles.list[blockIdx.x];
    bool moves = false;
    for (int j = tile.row_begin - 1; j < tile.row_end; j++)
        for (int i = tile.column_begin - 1 + (int)threadIdx.x; i < tile.column_end; i += c_threads<Real>) {
            const int k = j * level.pitch + i;
            moves |= level.u[k] != Real(0) || level.v[k] != Real(0) ||
                     (j >= tile.row_begin && i >= tile.column_begin && level.eta[k] != Real(0));
        }
    if (__syncthreads_or(moves) && threadIdx.x == 0)
        tiles.moving[tile.j * tiles.columns + tile.i] = 1;
}

} // namespace staggered
} // namespace tsunami

#endif
