// Weak dispersion after a step of the finite volumes: models/tsunami/reference_dispersion.c has the
// equations. One thread for each cell computes the right-hand sides, the coefficients and the effect of ψ;
// one thread for each part of a line solves the equations of the lines (dispersion_lines.cuh). Independent of
// tiles and records.
#include "gpu/tsunami/dispersion_lines.cuh"
#include "gpu/tsunami/level.cuh"

namespace tsunami {

// A thread block has one thread for each cell.
enum { DISPERSION_COLUMNS = 32, DISPERSION_BLOCK_ROWS = 4 };

// struct tsunami_dispersion_view in this precision.
template <typename Real> struct device_dispersion {
    const Real *u_before, *v_before;
    Real *work;
    Real *value_x, *value_y, *lower_x, *upper_x, *lower_y, *upper_y;
    Real *psi_x, *psi_y;
    Real *scratch;
};

template <typename Real>
static device_dispersion<Real> dispersion_of(const struct tsunami_dispersion_view &view)
{
    const auto real = [](void *array) { return static_cast<Real *>(array); };
    return {real(view.u_before), real(view.v_before), real(view.work),     real(view.value[0]),
            real(view.value[1]), real(view.lower[0]), real(view.upper[0]), real(view.lower[1]),
            real(view.upper[1]), real(view.psi[0]),   real(view.psi[1]),   real(view.scratch)};
}

// The indices of a cell and of its neighbours, by side. Beyond an edge the cell is its own neighbour, so that
// nothing differs across that face; the face of a wall is closed, like that between a wet and a dry cell.
// Between wet cells of very different depths a face is partly open.
template <typename Real> struct around {
    int here, own_column, column[TSUNAMI_SIDES], row[TSUNAMI_SIDES], at[TSUNAMI_SIDES];
    Real open[TSUNAMI_SIDES]; // share of the face, 0 to 1
    bool is_wet;
    bool has_no_dispersion; // at an open boundary, or one with a given wave
};

template <typename Real> DEVICE Real dispersion_depth_at(const device_level<Real> &level, int copy, int place)
{
    return dispersion_depth(level.state[copy][0][place], level.still[place]);
}

// The neighbours of a cell at an edge.
template <typename Real>
DEVICE void around_edges(const device_level<Real> &level, int column, int row, around<Real> &a,
                         bool is_wall[TSUNAMI_SIDES])
{
#pragma unroll
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const bool is_along_x = side < TSUNAMI_SOUTH, is_plus = side == TSUNAMI_EAST || side == TSUNAMI_NORTH;
        if (!is_along_x && level.is_ring) // the neighbour's row is beside it
            continue;
        const int last = (is_along_x ? level.nx : level.ny) - 1, place = is_along_x ? column : row;
        if (place != (is_plus ? last : 0))
            continue;
        const enum tsunami_edge kind = level.edges[side].kind;
        const int there = kind != TSUNAMI_EDGE_PERIODIC ? place : is_plus ? 0 : last;
        (is_along_x ? a.column : a.row)[side] = there;
        is_wall[side] = kind == TSUNAMI_EDGE_WALL;
        a.has_no_dispersion |= kind != TSUNAMI_EDGE_PERIODIC && kind != TSUNAMI_EDGE_WALL;
    }
}

template <typename Real>
DEVICE around<Real> around_of(const device_level<Real> &level, int copy, int column, int row)
{
    around<Real> a = {row * level.pitch + column,
                      column,
                      {column - 1, column + 1, column, column},
                      {row, row, row - 1, row + 1}};
    const Real h = dispersion_depth_at(level, copy, a.here), minimum = level.minimum_depth;
    bool is_wall[TSUNAMI_SIDES] = {};
    a.is_wet = h > minimum;
    if (column == 0 || row == 0 || column == level.nx - 1 || row == level.ny - 1)
        around_edges(level, column, row, a, is_wall);
#pragma unroll
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        a.at[side] = a.row[side] * level.pitch + a.column[side];
        const Real beyond = dispersion_depth_at(level, copy, a.at[side]);
        a.open[side] = is_wall[side] ? Real(0) : dispersion_opening(h, beyond, minimum);
    }
    return a;
}

// Constants of a row. `length`: of a cell, along y; `over_length`: 1/length.
template <typename Real> struct dispersion_row {
    Real over_length, length, cosine, over_cosine, width_south, width_north;
};

template <typename Real>
DEVICE dispersion_row<Real> dispersion_row_of(const device_level<Real> &level, int row)
{
    const Real *k = level.rows + (row + 1) * ROW_CONSTANTS;
    return {FV_DIVIDE(k[FV_ROW_LAMBDA], level.step),
            FV_DIVIDE(level.step, k[FV_ROW_LAMBDA]),
            k[FV_ROW_COSINE],
            FV_DIVIDE(Real(1), k[FV_ROW_COSINE]),
            k[FV_ROW_COSINE_SOUTH],
            k[FV_ROW_COSINE_NORTH]};
}

template <typename Real>
DEVICE Real dispersion_over_width(const device_level<Real> &level, const dispersion_row<Real> &row,
                                  int column)
{
    return Real(2) * level.columns[column] * row.over_cosine;
}

// A cell's length along x, metres.
template <typename Real>
DEVICE Real dispersion_width(const device_level<Real> &level, Real cosine, int column)
{
    return Real(0.5) * level.columns[level.pitch + column] * cosine;
}

// The terms along x and y of the divergence, in a wet cell, of `now` times the new velocities plus `before`
// times those at the step's start.
template <typename Real> struct dispersion_divergence {
    Real x, y;
};

template <typename Real>
DEVICE dispersion_divergence<Real> dispersion_divergence_of(const device_level<Real> &level,
                                                            const device_dispersion<Real> &d, int copy,
                                                            const around<Real> &a,
                                                            const dispersion_row<Real> &row, Real now,
                                                            Real before)
{
    const Real *u = level.state[copy][1], *v = level.state[copy][2];
    const Real half = Real(0.5);
    const Real u_here = now * u[a.here] + before * d.u_before[a.here];
    const Real v_here = now * v[a.here] + before * d.v_before[a.here];
    Real through[TSUNAMI_SIDES];
#pragma unroll
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const bool is_along_x = side < TSUNAMI_SOUTH;
        const Real beyond = now * (is_along_x ? u : v)[a.at[side]] +
                            before * (is_along_x ? d.u_before : d.v_before)[a.at[side]];
        through[side] = a.open[side] * (half * ((is_along_x ? u_here : v_here) + beyond));
    }
    return {(through[TSUNAMI_EAST] - through[TSUNAMI_WEST]) * dispersion_over_width(level, row, a.own_column),
            (row.width_north * through[TSUNAMI_NORTH] - row.width_south * through[TSUNAMI_SOUTH]) *
                row.over_length};
}

// Writes D, the divergence at the middle of the step, to `work`; rows [first, end).
template <typename Real>
__global__ void dispersion_find_divergence(const __grid_constant__ device_level<Real> level,
                                           const __grid_constant__ device_dispersion<Real> d, int copy,
                                           int first, int end)
{
    const int column = (int)(blockIdx.y * DISPERSION_COLUMNS + threadIdx.x);
    const int row = first + (int)(blockIdx.x * DISPERSION_BLOCK_ROWS + threadIdx.y);
    if (column >= level.nx || row >= end)
        return;
    const around<Real> a = around_of(level, copy, column, row);
    const dispersion_divergence<Real> D =
        dispersion_divergence_of(level, d, copy, a, dispersion_row_of(level, row), Real(0.5), Real(0.5));
    d.work[a.here] = a.is_wet ? D.x + D.y : Real(0);
}

// A cell's equations along both axes: lower ψ₋ + (1 − lower − upper) ψ + upper ψ₊ = value + the terms of
// dispersion_launch_lines.
template <typename Real> struct dispersion_equations {
    Real value_x, value_y, lower_x, upper_x, lower_y, upper_y;
};

// The coefficient of the neighbour's ψ, `lower` or `upper`: −strength/length times the coupling of the face;
// 0 at an edge.
template <typename Real>
DEVICE Real dispersion_coefficient(const device_level<Real> &level, int copy, const around<Real> &a, int side,
                                   Real strength_here, Real inverse_here, Real length_beyond, Real width)
{
    const Real h = dispersion_depth_at(level, copy, a.at[side]);
    const Real beyond = dispersion_inverse(h, length_beyond, level.minimum_depth);
    const Real coupling = dispersion_coupling(inverse_here, beyond, width);
    return a.at[side] != a.here ? -strength_here * coupling : Real(0);
}

template <typename Real>
DEVICE dispersion_equations<Real> dispersion_equations_of(const device_level<Real> &level,
                                                          const device_dispersion<Real> &d, int copy,
                                                          int column, int row, bool is_x_first)
{
    const around<Real> a = around_of(level, copy, column, row);
    const dispersion_row<Real> r = dispersion_row_of(level, row);
    const Real w = level.state[copy][0][a.here], z = level.still[a.here];
    const Real strength = a.has_no_dispersion ? Real(0) : dispersion_strength(w, z, level.minimum_depth);
    if (!(strength > Real(0)))
        return {0, 0, 0, 0, 0, 0};
    const Real D = d.work[a.here];
    Real D_of[TSUNAMI_SIDES];
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        D_of[side] = MADD(a.open[side], d.work[a.at[side]] - D, D);
    const Real over_width = dispersion_over_width(level, r, column);
    const dispersion_divergence<Real> gain =
        dispersion_divergence_of(level, d, copy, a, r, Real(1), Real(-1));
    const Real u = level.state[copy][1][a.here] + d.u_before[a.here];
    const Real v = level.state[copy][2][a.here] + d.v_before[a.here];
    const Real carried =
        Real(0.25) * (u * (D_of[TSUNAMI_EAST] - D_of[TSUNAMI_WEST]) * over_width +
                      v * (D_of[TSUNAMI_NORTH] - D_of[TSUNAMI_SOUTH]) * (r.over_length * r.cosine));
    dispersion_equations<Real> e;
    const Real more = level.step * (carried - D * D);
    e.value_x = strength * (is_x_first ? gain.x + more : gain.x);
    e.value_y = strength * (is_x_first ? gain.y : gain.y + more);
    const Real width = dispersion_width(level, r.cosine, column), h = dispersion_depth(w, z);
    const Real inverse_x = dispersion_inverse(h, width, level.minimum_depth);
    const Real inverse_y = dispersion_inverse(h, r.length, level.minimum_depth);
    const Real along_x = FV_DIVIDE(strength, width), along_y = strength * r.over_length;
    e.lower_x = dispersion_coefficient(level, copy, a, TSUNAMI_WEST, along_x, inverse_x,
                                       dispersion_width(level, r.cosine, a.column[TSUNAMI_WEST]),
                                       a.open[TSUNAMI_WEST]);
    e.upper_x = dispersion_coefficient(level, copy, a, TSUNAMI_EAST, along_x, inverse_x,
                                       dispersion_width(level, r.cosine, a.column[TSUNAMI_EAST]),
                                       a.open[TSUNAMI_EAST]);
    e.lower_y = dispersion_coefficient(level, copy, a, TSUNAMI_SOUTH, along_y, inverse_y,
                                       dispersion_row_of(level, a.row[TSUNAMI_SOUTH]).length,
                                       r.width_south * a.open[TSUNAMI_SOUTH]);
    e.upper_y = dispersion_coefficient(level, copy, a, TSUNAMI_NORTH, along_y, inverse_y,
                                       dispersion_row_of(level, a.row[TSUNAMI_NORTH]).length,
                                       r.width_north * a.open[TSUNAMI_NORTH]);
    return e;
}

// The right-hand sides and the coefficients of all lines.
template <typename Real>
__global__ void dispersion_find_equations(const __grid_constant__ device_level<Real> level,
                                          const __grid_constant__ device_dispersion<Real> d, int copy,
                                          int is_x_first)
{
    const int column = (int)(blockIdx.y * DISPERSION_COLUMNS + threadIdx.x);
    const int row = level.first_own + (int)(blockIdx.x * DISPERSION_BLOCK_ROWS + threadIdx.y);
    const int place = row * level.pitch + column;
    if (column >= level.nx || row >= level.end_own)
        return;
    const dispersion_equations<Real> e =
        dispersion_equations_of(level, d, copy, column, row, is_x_first != 0);
    d.value_x[place] = e.value_x;
    d.value_y[place] = e.value_y;
    d.lower_x[place] = e.lower_x;
    d.upper_x[place] = e.upper_x;
    d.lower_y[place] = e.lower_y;
    d.upper_y[place] = e.upper_y;
}

// ---- the effect of ψ on velocities and elevation ----

// Changes the velocities; the change of w goes to `work`, because neighbours still need the old depth.
template <typename Real>
__global__ void dispersion_apply(const __grid_constant__ device_level<Real> level,
                                 const __grid_constant__ device_dispersion<Real> d, int copy)
{
    const int column = (int)(blockIdx.y * DISPERSION_COLUMNS + threadIdx.x);
    const int row = level.first_own + (int)(blockIdx.x * DISPERSION_BLOCK_ROWS + threadIdx.y);
    if (column >= level.nx || row >= level.end_own)
        return;
    const around<Real> a = around_of(level, copy, column, row);
    const dispersion_row<Real> r = dispersion_row_of(level, row);
    Real *const *state = level.state[copy];
    const Real h = dispersion_depth_at(level, copy, a.here);
    const Real widths[TSUNAMI_SIDES] = {1, 1, r.width_south, r.width_north};
    const Real own_width = dispersion_width(level, r.cosine, column);
    Real rise[TSUNAMI_SIDES], out[TSUNAMI_SIDES];
#pragma unroll
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const bool is_along_x = side < TSUNAMI_SOUTH;
        const Real *psi = is_along_x ? d.psi_x : d.psi_y;
        rise[side] = widths[side] * a.open[side] * (psi[a.at[side]] - psi[a.here]);
        const Real length = is_along_x ? own_width : r.length;
        const Real beyond = is_along_x ? dispersion_width(level, r.cosine, a.column[side])
                                       : dispersion_row_of(level, a.row[side]).length;
        const Real held = dispersion_depth_at(level, copy, a.at[side]) * beyond;
        out[side] = dispersion_given_back(rise[side], FV_DIVIDE(widths[side] * level.step, length + beyond),
                                          h * length, held);
    }
    const Real over_width = dispersion_over_width(level, r, column);
    const Real over_h = a.is_wet ? FV_DIVIDE(Real(0.5), h) : Real(0);
    state[1][a.here] = MADD((rise[TSUNAMI_EAST] - rise[TSUNAMI_WEST]) * over_width, over_h, state[1][a.here]);
    state[2][a.here] =
        MADD((rise[TSUNAMI_NORTH] - rise[TSUNAMI_SOUTH]) * r.over_length, over_h, state[2][a.here]);
    d.work[a.here] = -((out[TSUNAMI_EAST] + out[TSUNAMI_WEST]) * over_width +
                       (out[TSUNAMI_NORTH] + out[TSUNAMI_SOUTH]) * r.over_length);
}

// Adds the change of w.
template <typename Real>
__global__ void dispersion_apply_w(const __grid_constant__ device_level<Real> level,
                                   const __grid_constant__ device_dispersion<Real> d, int copy)
{
    const int column = (int)(blockIdx.y * DISPERSION_COLUMNS + threadIdx.x);
    const int row = level.first_own + (int)(blockIdx.x * DISPERSION_BLOCK_ROWS + threadIdx.y);
    if (column < level.nx && row < level.end_own)
        level.state[copy][0][row * level.pitch + column] += d.work[row * level.pitch + column];
}

// ---- launches ----

// Solves the equations along one axis with the right-hand side `value` + `added` − `taken` (NULL: 0); along y
// of a divided grid, without has_ends, only their first part.
template <typename Real>
static void dispersion_launch_lines(const device_level<Real> &level, const device_dispersion<Real> &d,
                                    const dispersion_divided<Real> &divided, bool is_along_x, bool has_ends,
                                    const std::common_type_t<Real> *added,
                                    const std::common_type_t<Real> *taken, cudaStream_t stream)
{
    const size_t pitch = (size_t)level.pitch, own = (size_t)level.first_own * pitch;
    const int rows = level.end_own - level.first_own;
    const dispersion_lines<Real> along_y = {d.lower_y, d.upper_y, d.value_y, added,   taken,
                                            d.psi_y,   pitch,     level.nx,  level.ny};
    if (is_along_x)
        dispersion_solve_lines<true, false>({d.lower_x + own, d.upper_x + own, d.value_x + own,
                                             added ? added + own : nullptr, taken ? taken + own : nullptr,
                                             d.psi_x + own, pitch, rows, level.nx},
                                            d.scratch, stream);
    else if (divided.slots)
        dispersion_solve_divided(along_y, divided, has_ends, d.scratch, stream);
    else
        dispersion_solve_lines<false, false>(along_y, d.scratch, stream);
}

// The equations of the own rows; their right-hand sides read the divergence in the rows beside, too.
template <typename Real>
static void dispersion_launch_equations(const device_level<Real> &level, const device_dispersion<Real> &d,
                                        int copy, int is_x_first, cudaStream_t stream)
{
    const dim3 threads(DISPERSION_COLUMNS, DISPERSION_BLOCK_ROWS);
    const int first = level.is_ring ? level.first_own - 1 : max(level.first_own - 1, 0),
              end = level.is_ring ? level.end_own + 1 : min(level.end_own + 1, level.ny);
    const unsigned columns = kernels::blocks_for(level.nx, DISPERSION_COLUMNS);
    const dim3 more(kernels::blocks_for(end - first, DISPERSION_BLOCK_ROWS), columns),
        blocks(kernels::blocks_for(level.end_own - level.first_own, DISPERSION_BLOCK_ROWS), columns);
    dispersion_find_divergence<<<more, threads, 0, stream>>>(level, d, copy, first, end);
    dispersion_find_equations<<<blocks, threads, 0, stream>>>(level, d, copy, is_x_first);
}

template <typename Real>
static void dispersion_launch_effect(const device_level<Real> &level, const device_dispersion<Real> &d,
                                     int copy, cudaStream_t stream)
{
    const dim3 threads(DISPERSION_COLUMNS, DISPERSION_BLOCK_ROWS);
    const dim3 blocks(kernels::blocks_for(level.end_own - level.first_own, DISPERSION_BLOCK_ROWS),
                      kernels::blocks_for(level.nx, DISPERSION_COLUMNS));
    dispersion_apply<<<blocks, threads, 0, stream>>>(level, d, copy);
    dispersion_apply_w<<<blocks, threads, 0, stream>>>(level, d, copy);
}

} // namespace tsunami

using namespace tsunami;

// The array of ψ of the first axis holds φ until ψ replaces it.
extern "C" cudaError_t tsunami_launch_dispersion(const struct tsunami_level_view *view,
                                                 const struct tsunami_dispersion_view *dispersion,
                                                 enum tsunami_dispersion_stage stage, int turn, int copy,
                                                 int is_x_first, cudaStream_t stream)
{
    const bool is_x = is_x_first != 0;
    return with_level(*view, [&](const auto &level) {
        using Real = std::remove_const_t<decltype(level.step)>;
        const auto d = dispersion_of<Real>(*dispersion);
        const auto *phi = is_x ? d.psi_x : d.psi_y, *other = is_x ? d.psi_y : d.psi_x;
        const struct tsunami_dispersion_division &v = dispersion->division;
        const dispersion_divided<Real> divided = {v.first, v.end, static_cast<Real *>(v.ends), v.slots,
                                                  v.pitch};
        if (stage == DISPERSION_EQUATIONS)
            dispersion_launch_equations(level, d, copy, is_x_first, stream);
        else if (stage == DISPERSION_EFFECT)
            dispersion_launch_effect(level, d, copy, stream);
        else
            dispersion_launch_lines(level, d, divided, is_x == (turn != 1), stage == DISPERSION_SOLUTION,
                                    turn == 0   ? nullptr
                                    : turn == 1 ? phi
                                                : other,
                                    turn == 2 ? phi : nullptr, stream);
    });
}
