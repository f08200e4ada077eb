// The tiled kernel of the velocities of `c-grid-6` (c_grid_tiles.cuh).
#ifndef FATHOM_GPU_TSUNAMI_C_GRID_VELOCITIES_CUH
#define FATHOM_GPU_TSUNAMI_C_GRID_VELOCITIES_CUH

#include "gpu/tsunami/c_grid_tiles.cuh"

namespace tsunami {
namespace staggered {

template <typename Real> struct velocity_shared {
    inputs<Real, 6, C_BEYOND_VELOCITY> in;
    ring<Real, 2> q, tu, head, z, turned_v, across_v;
    ring<Real, 3> u, v, fv;
    velocity_row<Real> rows[ROWS_MOST];
    unsigned char land[TURNS_MOST];
};

// A thread's column.
template <typename Real> struct velocity_column {
    int i;
    bool is_inside;
    // Two bits for each row, the loaded one's lowest: whether the eastern face is open, and the northern one.
    unsigned open_faces;
    Real fx, fw, nx;
    weights<Real> face, mean;
    // From the loaded row on: state, depths, and the stages up to the velocities at the time of η.
    history<Real, 2> e;
    history<Real, 3> u, v, du, dv;
    history<Real, 2> q, tu;
    history<Real, 3> tv;
    history<Real, 4> un, fu;
    history<Real, 6> vn;
    // From the row of the heads on. old_: the state at the begin of the step; rise: depth times the step of η
    // to the north.
    history<Real, 2> old_e, old_u, rise;
    history<Real, 4> old_v, z, turned_u;
    history<Real, 3> across_u;
    history<Real, 2> turned_v, across_v;
    history<Real, 6> head;
    history<Real, 3> turned, across; // of v, from row r − 5 on: its turn, and the mean flux across
};

// Whether a value of the place has no image beyond an edge, and its faces lie on no edge.
template <typename Real> DEVICE bool is_amid(const c_level<Real> &level, int i, int j)
{
    return (unsigned)(i - C_GRID_HALO) < (unsigned)(level.nx - 2 * C_GRID_HALO) &&
           (unsigned)(j - C_GRID_HALO) < (unsigned)(level.ny - 2 * C_GRID_HALO) &&
           level.nx > 2 * C_GRID_HALO && level.ny > 2 * C_GRID_HALO;
}

// Row r − 1, whose northern neighbour has been loaded. `place`: of row r in its turn; `code`: of row r − 1.
template <bool HAS_LAND, typename Real>
DEVICE void first_stage(const c_level<Real> &level, velocity_shared<Real> &shared, velocity_column<Real> &c,
                        const velocity_row<Real> &row, int place, int code)
{
    const auto &in = shared.in;
    const Real west = in.at(INPUT_U, place, BEHIND_FIRST)(-1, 0),
               east = in.at(INPUT_V, place, BEHIND_FIRST)(1, 0),
               dv_east = in.at(INPUT_DEPTH_V, place, BEHIND_FIRST)(1, 0),
               inverse = in.at(INPUT_CORNER, place, BEHIND_FIRST)(0, 0);
    const auto e = [&](int, int dj) { return c.e.ago(1 - dj); };
    const auto u = [&](int di, int dj) { return di < 0 ? west : c.u.ago(1 - dj); };
    const auto v = [&](int di, int dj) { return di > 0 ? east : c.v.ago(1 - dj); };
    const auto fu = [&](int, int dj) { return c.du.ago(1 - dj) * c.u.ago(1 - dj); };
    const auto fv = [&](int di, int) { return di > 0 ? dv_east * east : c.dv.ago(1) * c.v.ago(1); };
    c.q.add(head_now(e, u, v, level.gravity));
    const turns<Real> t = turn_now<HAS_LAND>(u, v, fu, fv, inverse, c.fx, row, code);
    c.tv.add(t.of_v);
    c.tu.add(t.of_u);
    shared.q.put(place, BEHIND_FIRST, c.q.ago(0));
    shared.tu.put(place, BEHIND_FIRST, t.of_u);
}

// Row r − 2.
template <bool HAS_LAND, typename Real>
DEVICE void now_stage(const c_level<Real> &level, velocity_shared<Real> &shared, velocity_column<Real> &c,
                      const velocity_row<Real> &row, int place, int j)
{
    const Real q_east = shared.q.at(place, BEHIND_NOW)(1, 0),
               tu_west = shared.tu.at(place, BEHIND_NOW)(-1, 0), half = level.half_step;
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
    shared.u.put(place, BEHIND_NOW, next_u);
    shared.v.put(place, BEHIND_NOW, next_v);
    shared.fv.put(place, BEHIND_NOW, c.dv.ago(2) * next_v);
}

// Row r − 4: `fu` is of rows j − 1 … j + 2, `un` and `vn` of rows up to j + 2.
template <bool HAS_LAND, typename Real>
DEVICE void head_stage(const c_level<Real> &level, velocity_shared<Real> &shared, velocity_column<Real> &c,
                       const velocity_row<Real> &row, int place, int k)
{
    const auto &in = shared.in;
    const int code = code_at<HAS_LAND>(level, k);
    const lane<Real> u_row = shared.u.at(place, BEHIND_HEAD), v_row = shared.v.at(place, BEHIND_HEAD),
                     fv = shared.fv.at(place, BEHIND_HEAD), e_row = in.at(INPUT_ETA, place, BEHIND_HEAD),
                     du = in.at(INPUT_DEPTH_U, place, BEHIND_HEAD);
    c.old_e.add(in.at(INPUT_ETA, place, BEHIND_HEAD - 1)(0, 0));
    c.old_u.add(in.at(INPUT_U, place, BEHIND_HEAD)(0, 0));
    c.old_v.add(in.at(INPUT_V, place, BEHIND_HEAD)(0, 0));
    const Real here = c.old_e.ago(1);
    c.rise.add(in.at(INPUT_DEPTH_V, place, BEHIND_HEAD)(0, 0) * (c.old_e.ago(0) - here));
    const auto e = [&](int di, int) { return di == 0 ? here : e_row(di, 0); };
    const auto u = [&](int di, int dj) { return di == 0 ? c.un.ago(2 - dj) : u_row(di, 0); };
    const auto v = [&](int di, int dj) { return di == 0 ? c.vn.ago(2 - dj) : v_row(di, 0); };
    const auto fu = [&](int, int dj) { return c.fu.ago(2 - dj); };
    const Real bent = bend(e, du, c.rise.ago(0), c.rise.ago(1), c.fx, c.fw, c.nx, row);
    c.head.add(head<HAS_LAND>(here, bent, faces_x<Real>(u), faces_y<Real>(v), level.gravity, level.correction,
                              code));
    const corner<Real> at =
        corner_of<HAS_LAND>(u, v, fu, fv, in.at(INPUT_CORNER, place, BEHIND_HEAD)(0, 0), c.fx, row, code);
    const Real spin = row.coriolis + at.z;
    c.z.add(at.z);
    c.across_u.add(at.across_u);
    c.turned_u.add(spin * at.across_u);
    c.across_v.add(at.across_v);
    c.turned_v.add(spin * at.across_v);
    shared.head.put(place, BEHIND_HEAD, c.head.ago(0));
    shared.z.put(place, BEHIND_HEAD, at.z);
    shared.across_v.put(place, BEHIND_HEAD, at.across_v);
    shared.turned_v.put(place, BEHIND_HEAD, c.turned_v.ago(0));
}

// Row r − 5; the newest corners are of row j + 1. The velocity before friction and its limit.
template <bool HAS_LAND, typename Real>
DEVICE Real last_u(const c_level<Real> &level, const velocity_shared<Real> &shared,
                   const velocity_column<Real> &c, const velocity_row<Real> &row, int place, int k)
{
    const int p = level.pitch, code = code_at<HAS_LAND>(level, k);
    const spinning<Real> s[4] = {
        {c.turned_u.ago(3), c.z.ago(3), Real(0), code_at<HAS_LAND>(level, k - 2 * p) & C_GRID_FULL},
        {c.turned_u.ago(2), c.z.ago(2), c.across_u.ago(2), code_at<HAS_LAND>(level, k - p) & C_GRID_FULL},
        {c.turned_u.ago(1), c.z.ago(1), c.across_u.ago(1), code & C_GRID_FULL},
        {c.turned_u.ago(0), c.z.ago(0), Real(0), code_at<HAS_LAND>(level, k + p) & C_GRID_FULL}};
    const lane<Real> at = shared.head.at(place, BEHIND_LAST_U);
    const auto own = [&](int di, int) { return di == 0 ? c.head.ago(1) : at(di, 0); };
    const six<Real> heads =
        surface<HAS_LAND, true>(nodes_x<Real>(own), code, code_at<HAS_LAND>(level, k + 1));
    const Real turned = turn<HAS_LAND>(s[0], s[1], s[2], s[3], code & C_GRID_LINE_U);
    return MADD(level.step, turned - row.inverse_cos * differ(heads, c.face), c.old_u.ago(1));
}

template <bool HAS_LAND, bool HAS_FRICTION, typename Real>
DEVICE Real finished_u(const c_level<Real> &level, const velocity_column<Real> &c, Real next, int k)
{
    if (HAS_LAND && !(c.open_faces >> 2 * BEHIND_LAST_U & 1))
        return Real(0);
    if (HAS_FRICTION)
        next = next / drag(c.un.ago(3), Real(0.5) * (c.across_u.ago(2) + c.across_u.ago(1)), level.depth_u[k],
                           level.eta[k], level.eta[k + 1], level.friction);
    return bounded_u(level, next, k);
}

// The turn of v in row r − 5.
template <bool HAS_LAND, bool HAS_FRICTION, typename Real>
DEVICE void turn_v(const c_level<Real> &level, const velocity_shared<Real> &shared, velocity_column<Real> &c,
                   int place, int k)
{
    const lane<Real> z = shared.z.at(place, BEHIND_LAST_U), across = shared.across_v.at(place, BEHIND_LAST_U),
                     turned = shared.turned_v.at(place, BEHIND_LAST_U);
    spinning<Real> s[4];
#pragma unroll
    for (int m = 0; m < 4; m++)
        s[m] = {m == 2 ? c.turned_v.ago(1) : turned(m - 2, 0), m == 2 ? c.z.ago(1) : z(m - 2, 0),
                m == 2   ? c.across_v.ago(1)
                : m == 1 ? across(-1, 0)
                         : Real(0),
                code_at<HAS_LAND>(level, k + m - 2) & C_GRID_FULL};
    c.turned.add(turn<HAS_LAND>(s[0], s[1], s[2], s[3], code_at<HAS_LAND>(level, k) & C_GRID_LINE_V));
    if (HAS_FRICTION)
        c.across.add(Real(0.5) * (s[1].across + s[2].across));
}

// Row r − 7: `head` is of rows j − 2 … j + 3.
template <bool HAS_LAND, typename Real>
DEVICE Real last_v(const c_level<Real> &level, const velocity_column<Real> &c, const velocity_row<Real> &row,
                   int k)
{
    const six<Real> heads = surface<HAS_LAND, false>(all_of(c.head), code_at<HAS_LAND>(level, k),
                                                     code_at<HAS_LAND>(level, k + level.pitch));
    return MADD(-level.step, c.turned.ago(2) + differ(heads, row.face), c.old_v.ago(3));
}

template <bool HAS_LAND, bool HAS_FRICTION, typename Real>
DEVICE Real finished_v(const c_level<Real> &level, const velocity_column<Real> &c, Real next, int k)
{
    if (HAS_LAND && !(c.open_faces >> (2 * BEHIND_LAST + 1) & 1))
        return Real(0);
    if (HAS_FRICTION)
        next = next / drag(c.vn.ago(5), c.across.ago(2), level.depth_v[k], level.eta[k],
                           level.eta[k + level.pitch], level.friction);
    return bounded_v(level, next, k);
}

// Row r − 5. Also computes the adjacent faces on open edges.
template <bool HAS_LAND, typename Real>
DEVICE void store_u(const c_level<Real> &level, const velocity_shared<Real> &shared,
                    const velocity_column<Real> &c, Real u, int place, int j, int k)
{
    if (!HAS_LAND || is_amid(level, c.i, j)) {
        level.u_new[k] = u;
        return;
    }
    const lane<Real> p = shared.head.at(place, BEHIND_LAST_U);
    const heads_inward<Real> from_west = {p(0, 0), p(1, 0), p(2, 0)},
                             from_east = {p(0, 0), p(-1, 0), p(-2, 0)};
    store_images(level, level.u_new, c.i, j, is_open_u(level, c.i) ? leaving_u(level, c.i, j, from_east) : u,
                 C_GRID_VELOCITY);
    if (c.i == 0 && is_open_u(level, -1))
        store_images(level, level.u_new, -1, j, leaving_u(level, -1, j, from_west), C_GRID_VELOCITY);
}

// Row r − 7. Also computes the adjacent faces on open edges.
template <bool HAS_LAND, typename Real>
DEVICE void store_v(const c_level<Real> &level, const velocity_column<Real> &c, Real v, int j, int k)
{
    if (!HAS_LAND || is_amid(level, c.i, j)) {
        level.v_new[k] = v;
        return;
    }
    const heads_inward<Real> from_south = {c.head.row[2], c.head.row[3], c.head.row[4]},
                             from_north = {c.head.row[2], c.head.row[1], c.head.row[0]};
    store_images(level, level.v_new, c.i, j, is_open_v(level, j) ? leaving_v(level, c.i, j, from_north) : v,
                 C_GRID_VELOCITY);
    if (j == 0 && is_open_v(level, -1))
        store_images(level, level.v_new, c.i, -1, leaving_v(level, c.i, -1, from_south), C_GRID_VELOCITY);
}

// The use of the nodes' velocities in the kernel of velocities. RECORDED: updates the records of speed and
// flux. STORED: stores them, and makes no step.
enum { NODES_UNUSED, NODES_RECORDED, NODES_STORED };

// Computes the nodes' velocities in row r − 4.
template <bool HAS_LAND, int NODES, typename Real>
DEVICE void node_stage(const c_level<Real> &level, const struct device_records &records,
                       const velocity_shared<Real> &shared, const velocity_column<Real> &c, int place, int j,
                       int k)
{
    const int code = code_at<HAS_LAND>(level, k);
    const auto v = [&](int, int dj) { return c.vn.ago(2 - dj); };
    const six<Real> x = faces_x<Real>(shared.u.at(place, BEHIND_HEAD)), y = faces_y<Real>(v);
    const bool is_wet = !HAS_LAND || code & C_GRID_WET;
    const Real u = average(stream<HAS_LAND, true>(x, code), c.mean),
               v_mean = average(stream<HAS_LAND, false>(y, code), row_means(level, j));
    const Real node_u = is_wet ? u : Real(0), node_v = is_wet ? v_mean : Real(0);
    if (!c.is_inside)
        return;
    if (NODES == NODES_RECORDED) {
        const Real e = shared.in.at(INPUT_ETA, place, BEHIND_HEAD)(0, 0);
        record_flow(records, k, level.depth[k] + e, node_u, node_v);
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
    c.i = min(i, level.nx + C_GRID_HALO - 2); // lanes beyond are not used
    c.is_inside = i >= tile.column_begin && i < tile.column_end;
    c.fx = *column_of(level, C_ROW_INVERSE_FACE, c.i);
    c.fw = *column_of(level, C_ROW_INVERSE_FACE, c.i - 1);
    c.nx = *column_of(level, C_ROW_INVERSE_NODE, c.i);
    c.face = column_weights(level, C_ROW_FACE, c.i);
    c.mean = column_weights(level, C_ROW_MEAN, c.i);
    return c;
}

template <typename Real>
DEVICE void take_velocity_inputs(const velocity_shared<Real> &shared, velocity_column<Real> &c, int place)
{
    const auto &in = shared.in;
    c.e.add(in.at(INPUT_ETA, place, 0)(0, 0));
    c.u.add(in.at(INPUT_U, place, 0)(0, 0));
    c.v.add(in.at(INPUT_V, place, 0)(0, 0));
    c.du.add(in.at(INPUT_DEPTH_U, place, 0)(0, 0));
    c.dv.add(in.at(INPUT_DEPTH_V, place, 0)(0, 0));
}

// Makes the stages up to that of the heads; row `r` is loaded. In open water the stages also run for rows
// before the first that is needed, which saves branches; their values come from unset memory and are not
// used. `code`: that of row r − 1.
template <bool HAS_LAND, int NODES, typename Real>
DEVICE void early_stages(const c_level<Real> &level, const struct device_records &records,
                         velocity_shared<Real> &shared, velocity_column<Real> &c,
                         const struct c_grid_tile &tile, const velocity_row<Real> *row, int place, int r,
                         int code)
{
    constexpr bool makes_step = NODES != NODES_STORED;
    const int begin = tile.row_begin, p = level.pitch, k = c.i + r * p;
    take_velocity_inputs(shared, c, place);
    if (HAS_LAND)
        c.open_faces = c.open_faces << 2 | (c.dv.ago(0) > Real(0)) << 1 | (c.du.ago(0) > Real(0));
    if (!HAS_LAND || r - BEHIND_FIRST >= begin - 5)
        first_stage<HAS_LAND>(level, shared, c, row[-BEHIND_FIRST], place, code);
    if (!HAS_LAND || r - BEHIND_NOW >= begin - 4)
        now_stage<HAS_LAND>(level, shared, c, row[-BEHIND_NOW], place, r - BEHIND_NOW);
    // The stage begins two rows before its first result is needed, because of `old_e` and `rise`.
    if (makes_step && (!HAS_LAND || r - BEHIND_HEAD >= begin - 4))
        head_stage<HAS_LAND>(level, shared, c, row[-BEHIND_HEAD], place, k - BEHIND_HEAD * p);
    if (NODES != NODES_UNUSED && r - BEHIND_HEAD >= begin && r - BEHIND_HEAD < tile.row_end)
        node_stage<HAS_LAND, NODES>(level, records, shared, c, place, r - BEHIND_HEAD, k - BEHIND_HEAD * p);
}

// Makes the other stages.
template <bool HAS_LAND, bool HAS_FRICTION, typename Real>
DEVICE void last_stages(const c_level<Real> &level, const velocity_shared<Real> &shared,
                        velocity_column<Real> &c, const struct c_grid_tile &tile,
                        const velocity_row<Real> *row, int place, int r)
{
    const unsigned rows = (unsigned)(tile.row_end - tile.row_begin);
    const int p = level.pitch, k = c.i + r * p, ju = r - BEHIND_LAST_U, jv = r - BEHIND_LAST;
    const int ku = k - BEHIND_LAST_U * p, kv = k - BEHIND_LAST * p;
    const bool has_u = (unsigned)(ju - tile.row_begin) < rows, has_v = (unsigned)(jv - tile.row_begin) < rows;
    if (!HAS_LAND || has_u) {
        const Real u = last_u<HAS_LAND>(level, shared, c, row[-BEHIND_LAST_U], place, ku);
        turn_v<HAS_LAND, HAS_FRICTION>(level, shared, c, place, ku);
        if (c.is_inside && has_u)
            store_u<HAS_LAND>(level, shared, c, finished_u<HAS_LAND, HAS_FRICTION>(level, c, u, ku), place,
                              ju, ku);
    } else { // the histories advance with each row
        c.turned.add(Real(0));
        c.across.add(Real(0));
    }
    if (!HAS_LAND || has_v) {
        const Real v = last_v<HAS_LAND>(level, c, row[-BEHIND_LAST], kv);
        if (c.is_inside && has_v)
            store_v<HAS_LAND>(level, c, finished_v<HAS_LAND, HAS_FRICTION>(level, c, v, kv), jv, kv);
    }
}

template <bool HAS_FRICTION, int NODES, typename Real>
DEVICE void velocity_rows(const c_level<Real> &level, const struct device_records &records,
                          const c_tiles &tiles, velocity_shared<Real> &shared, const struct c_grid_tile &tile)
{
    constexpr bool makes_step = NODES != NODES_STORED;
    const int first = tile.row_begin - ROWS_BEFORE, start = tile.row_begin - 5;
    const int last = tile.row_end + (makes_step ? BEHIND_LAST : BEHIND_HEAD);
    velocity_column<Real> c = velocity_column_of(level, tile);
    copier<Real, decltype(shared.in)> copies(level, level.u, level.v, tile.column_begin - C_BEYOND_VELOCITY,
                                             start);
    copies.copy(shared.in, 0, level.pitch);
    for (int k = (int)threadIdx.x; k < last - first; k += C_TILE_THREADS)
        shared.rows[k] = velocity_row_at(level, max(first + k, 1 - C_GRID_HALO));
    find_land<Real>(level, tiles, tile, shared.land, start, last, BEHIND_LAST);
    __pipeline_wait_prior(0);
    __syncthreads();
    const auto advance = [&](auto has_land, int place, int r, int code) {
        const velocity_row<Real> *row = shared.rows + (r - first);
        copies.copy(shared.in, (place + 1) % ROWS_A_TURN, level.pitch);
        early_stages<has_land.value, NODES>(level, records, shared, c, tile, row, place, r, code);
        if (makes_step)
            last_stages<has_land.value, HAS_FRICTION>(level, shared, c, tile, row, place, r);
        __pipeline_wait_prior(0);
        meet();
    };
#pragma unroll 1
    for (int from = start, turn = 0; from < last; from += ROWS_A_TURN, turn++) {
        if (!makes_step || from + ROWS_A_TURN > last || shared.land[turn] >> (threadIdx.x / 32) & 1) {
            int code = level.code[c.i + (from - 1) * level.pitch];
#pragma unroll 1
            for (int place = 0; place < ROWS_A_TURN && from + place < last; place++) {
                const int next = level.code[c.i + (from + place) * level.pitch]; // read one row ahead
                advance(std::true_type(), place, from + place, code);
                code = next;
            }
        } else {
#pragma unroll
            for (int place = 0; place < ROWS_A_TURN; place++)
                advance(std::false_type(), place, from + place, 0);
            c.open_faces = ~0u;
        }
    }
}

template <bool HAS_FRICTION, int NODES, typename Real>
__global__ void __launch_bounds__(C_TILE_THREADS, C_BLOCKS_VELOCITY(sizeof(Real)))
    tiled_velocities(const __grid_constant__ c_level<Real> level,
                     const __grid_constant__ struct device_records records,
                     const __grid_constant__ c_tiles tiles)
{
    extern __shared__ __align__(16) unsigned char c_shared[];
    const struct c_grid_tile tile = tiles.list[blockIdx.x];
    if (NODES != NODES_STORED && !wakes<Real>(tiles, tile))
        return;
    velocity_rows<HAS_FRICTION, NODES>(level, records, tiles,
                                       *reinterpret_cast<velocity_shared<Real> *>(c_shared), tile);
}

} // namespace staggered
} // namespace tsunami

#endif
