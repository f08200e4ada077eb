// Horizontal eddy viscosity after a step of the finite volumes: models/tsunami/reference_eddy.c has the
// equations. One thread for each cell computes the stresses at the cell's four corners and faces. Independent
// of tiles and records.
#include "gpu/tsunami/level.cuh"
#include "gpu/tsunami/point.cuh"

namespace tsunami {

// A thread block has one thread for each cell.
enum { EDDY_COLUMNS = 32, EDDY_BLOCK_ROWS = 4 };

template <typename Real> struct device_eddies {
    Real *change_u, *change_v;
    eddy_model<Real> model;
};

template <typename Real>
static device_eddies<Real> eddies_of(const struct tsunami_eddy_view &view, double step_s)
{
    return {static_cast<Real *>(view.change_u),
            static_cast<Real *>(view.change_v),
            {static_cast<Real>(view.constant_m2_s), static_cast<Real>(view.smagorinsky * view.smagorinsky),
             static_cast<Real>(1 / (TSUNAMI_EDDY_STEPS * step_s))}};
}

// A cell beyond an edge that is not periodic counts as dry.
template <typename Real>
DEVICE eddy_water<Real> eddy_water_at(const device_level<Real> &level, int copy, int column, int row)
{
    if (column < 0 || column >= level.nx) {
        if (!level.is_periodic_x)
            return {0, 0, 0};
        column = column < 0 ? level.nx - 1 : 0;
    }
    if (row < 0 || row >= level.ny) {
        if (!level.is_periodic_y)
            return {0, 0, 0};
        if (!level.is_ring)
            row = row < 0 ? level.ny - 1 : 0;
    }
    const int place = row * level.pitch + column;
    Real *const *state = level.state[copy];
    return eddy_water_of(state[0][place], state[1][place], state[2][place], level.still[place],
                         level.minimum_depth);
}

template <typename Real> DEVICE eddy_row<Real> eddy_row_at(const device_level<Real> &level, int row)
{
    const Real *k = level.rows + (row + 1) * ROW_CONSTANTS;
    return {FV_DIVIDE(level.step, k[FV_ROW_LAMBDA] * k[FV_ROW_COSINE]), k[FV_ROW_COSINE],
            FV_DIVIDE(Real(2) * k[FV_ROW_METRIC], level.step)};
}

// Returns the stresses τ at the corners and faces of a cell. `cells`: the cell and its neighbours, [south,
// middle, north][west, middle, east].
template <typename Real>
DEVICE eddy_about<Real> eddy_about_of(const device_level<Real> &level, const eddy_model<Real> &model,
                                      const eddy_water<Real> (&cells)[3][3], int column, int row)
{
    const eddy_row<Real> here = eddy_row_at(level, row);
    const eddy_rows<Real> between[2] = {eddy_rows_of(eddy_row_at(level, row - 1), here),
                                        eddy_rows_of(here, eddy_row_at(level, row + 1))};
    const Real *over = level.columns + 2 * level.pitch + column,
               *twice = level.columns + level.pitch + column;
    const Real widths[2] = {Real(0.25) * (twice[-1] + twice[0]), Real(0.25) * (twice[0] + twice[1])};
    const Real over_widths[2] = {over[-1], over[0]};
    eddy_corner<Real> corners[2][2];
#pragma unroll
    for (int j = 0; j < 2; j++)
#pragma unroll
        for (int i = 0; i < 2; i++)
            corners[j][i] = eddy_corner_of(cells[j][i], cells[j][i + 1], cells[j + 1][i], cells[j + 1][i + 1],
                                           widths[i], over_widths[i], between[j], model);
    const Real over_width = Real(2) * level.columns[column];
    const Real over_height = FV_DIVIDE(Real(1), here.height), over_cosine = FV_DIVIDE(Real(1), here.cosine);
    eddy_about<Real> a;
    a.sw = corners[0][0].stress;
    a.se = corners[0][1].stress;
    a.nw = corners[1][0].stress;
    a.ne = corners[1][1].stress;
    a.west = eddy_east(cells[1][0], cells[1][1], corners[1][0].viscosity, corners[0][0].viscosity,
                       over_widths[0] * over_cosine, here.tangent);
    a.east = eddy_east(cells[1][1], cells[1][2], corners[1][1].viscosity, corners[0][1].viscosity,
                       over_widths[1] * over_cosine, here.tangent);
    a.south = eddy_normal(cells[0][1].h, cells[1][1].h, corners[0][1].viscosity, corners[0][0].viscosity,
                          (cells[1][1].v - cells[0][1].v) * between[0].over_distance);
    a.north = eddy_normal(cells[1][1].h, cells[2][1].h, corners[1][1].viscosity, corners[1][0].viscosity,
                          (cells[2][1].v - cells[1][1].v) * between[1].over_distance);
    a.dx_west = widths[0] * over_width;
    a.dx_east = widths[1] * over_width;
    a.dy_south = between[0].distance * over_height;
    a.dy_north = between[1].distance * over_height;
    a.to_south = between[0].over_north;
    a.to_north = between[1].over_south;
    a.over_width = over_width * over_cosine;
    a.over_height = over_height;
    a.tangent = here.tangent;
    return a;
}

// Computes the changes of the velocities. eddy_apply adds them later, because neighbours still need the old
// velocities.
template <typename Real>
__global__ void eddy_find(const __grid_constant__ device_level<Real> level,
                          const __grid_constant__ device_eddies<Real> eddies, int copy)
{
    const int column = (int)(blockIdx.y * EDDY_COLUMNS + threadIdx.x);
    const int row = level.first_own + (int)(blockIdx.x * EDDY_BLOCK_ROWS + threadIdx.y);
    if (column >= level.nx || row >= level.end_own)
        return;
    const int place = row * level.pitch + column;
    eddy_water<Real> cells[3][3];
#pragma unroll
    for (int j = 0; j < 3; j++)
#pragma unroll
        for (int i = 0; i < 3; i++)
            cells[j][i] = eddy_water_at(level, copy, column + i - 1, row + j - 1);
    Real change_u = 0, change_v = 0;
    if (cells[1][1].h > Real(0)) {
        const eddy_about<Real> a = eddy_about_of(level, eddies.model, cells, column, row);
        const Real rate = FV_DIVIDE(level.step, cells[1][1].h);
        change_u = rate * eddy_force_x(a);
        change_v = rate * eddy_force_y(a);
    }
    eddies.change_u[place] = change_u;
    eddies.change_v[place] = change_v;
}

template <typename Real>
__global__ void eddy_apply(const __grid_constant__ device_level<Real> level,
                           const __grid_constant__ device_eddies<Real> eddies, int copy)
{
    const int column = (int)(blockIdx.y * EDDY_COLUMNS + threadIdx.x);
    const int row = level.first_own + (int)(blockIdx.x * EDDY_BLOCK_ROWS + threadIdx.y);
    if (column >= level.nx || row >= level.end_own)
        return;
    const int place = row * level.pitch + column;
    level.state[copy][1][place] += eddies.change_u[place];
    level.state[copy][2][place] += eddies.change_v[place];
}

} // namespace tsunami

using namespace tsunami;

extern "C" cudaError_t tsunami_launch_eddies(const struct tsunami_level_view *view,
                                             const struct tsunami_eddy_view *eddies, int copy,
                                             cudaStream_t stream)
{
    const dim3 threads(EDDY_COLUMNS, EDDY_BLOCK_ROWS);
    const dim3 blocks(kernels::blocks_for(view->end_own - view->first_own, EDDY_BLOCK_ROWS),
                      kernels::blocks_for(view->nx, EDDY_COLUMNS));
    return with_level(*view, [&](const auto &level) {
        const auto device = eddies_of<std::remove_const_t<decltype(level.step)>>(*eddies, view->step_s);
        eddy_find<<<blocks, threads, 0, stream>>>(level, device, copy);
        eddy_apply<<<blocks, threads, 0, stream>>>(level, device, copy);
    });
}
