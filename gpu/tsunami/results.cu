// Kernels for maps, gauges, diagnostics and the guard (see the header). All arithmetic is in double, and no
// product and sum are fused (-fmad=false), as on the host.
#include "gpu/tsunami/results_kernels.h"

#include "core/statistics.h"
#include "gpu/block_sums.cuh"
#include "gpu/launch.cuh"
#include "gpu/results.cuh"
#include "gpu/tsunami/node.cuh"
#include "models/tsunami/point_record.h"
#include "models/tsunami/results.h"

namespace {

template <typename Real>
DEVICE tsunami_node load_node(const state_view<Real> &state, const results_geometry &geometry, int column,
                              int row)
{
    const size_t place = place_of(state, column, row);
    tsunami_node node;
    node.eta_m = eta_at(state, place, geometry.gravity_m_s2);
    node.u_m_s = state.u[place];
    node.v_m_s = state.v[place];
    node.depth_m = state.floods ? -static_cast<double>(state.still[place])
                                : geometry.depth_m[static_cast<size_t>(row) * geometry.depth_pitch + column];
    node.wet_depth_m = geometry.wet_depth_m;
    return node;
}

enum { FIELD_THREADS = 128 };

struct wanted_fields {
    unsigned char is_wanted[TSUNAMI_FIELD_COUNT];
};

template <typename Real, typename Out>
__global__ void fields_kernel(state_view<Real> state, results_geometry geometry, tsunami_crop crop,
                              wanted_fields wanted, Out *record)
{
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= crop.columns)
        return;
    for (size_t j = blockIdx.y; j < crop.rows; j += gridDim.y) {
        const tsunami_node node =
            load_node(state, geometry, static_cast<int>(crop.first_column + i * crop.stride),
                      static_cast<int>(crop.first_row + j * crop.stride));
        size_t place = j * crop.columns + i;
        for (int f = 0; f < TSUNAMI_FIELD_COUNT; f++) {
            if (!wanted.is_wanted[f])
                continue;
            results::store(record, place, tsunami_field_value(static_cast<tsunami_field>(f), node));
            place += crop.rows * crop.columns;
        }
    }
}

template <typename Real, typename Out>
__global__ void gauges_kernel(state_view<Real> state, results_geometry geometry, const int *nodes,
                              const double *weights, int count, Out *record)
{
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= count)
        return;
    if (nodes[RESULTS_GAUGE_ROWS * count + k] < 0)
        return;
    tsunami_node corners[TSUNAMI_CORNERS] = {};
    double weight[TSUNAMI_CORNERS];
    for (int c = 0; c < TSUNAMI_CORNERS; c++) {
        weight[c] = weights[c * count + k];
        if (weight[c] != 0)
            corners[c] = load_node(state, geometry, nodes[(RESULTS_GAUGE_COLUMNS + c % 2) * count + k],
                                   nodes[(RESULTS_GAUGE_ROWS + c / 2) * count + k]);
    }
    const tsunami_node node = tsunami_gauge_node(corners, weight, nodes[RESULTS_GAUGE_NEAREST * count + k]);
    for (int f = 0; f < TSUNAMI_FIELDS; f++) // η, u, v are the first of the fields
        results::store(record, static_cast<size_t>(f) * count + k,
                       tsunami_field_value(static_cast<tsunami_field>(f), node));
}

enum { POINT_THREADS = 64 };

// One thread for each point. The depth matters where the shore moves alone: elsewhere no node falls dry.
template <typename Real>
__global__ void points_kernel(state_view<Real> state, struct results_points points, double time_s,
                              bool is_step)
{
    const int k = static_cast<int>(blockIdx.x * POINT_THREADS + threadIdx.x);
    if (k >= points.count)
        return;
    const int row = points.places[RESULTS_POINT_ROWS * points.count + k];
    if (row < 0)
        return;
    const size_t place = place_of(state, points.places[RESULTS_POINT_COLUMNS * points.count + k], row);
    tsunami_node node = {};
    node.eta_m = eta_at(state, place, points.gravity_m_s2);
    node.depth_m = state.floods ? -static_cast<double>(state.still[place]) : 0.0;
    node.wet_depth_m = points.wet_depth_m;
    tsunami_point_record(&points.states[k], node, points.source_level_m ? points.source_level_m[place] : 0.0f,
                         points.threshold_m, time_s, is_step);
}

DEVICE tsunami_cell cell_of(const results_geometry &g, int nx, int ny, int column, int row)
{
    const double cosine = g.rows[RESULTS_ROW_COSINE * ny + row];
    tsunami_cell cell;
    cell.area_m2 =
        g.columns[RESULTS_COLUMN_QUARTER * nx + column] * cosine * g.rows[RESULTS_ROW_SPAN * ny + row];
    cell.dx_m = g.columns[RESULTS_COLUMN_NEAR * nx + column] * cosine;
    cell.dy_m = g.rows[RESULTS_ROW_NEAR * ny + row];
    return cell;
}

enum { SUMS = 3, EXTREMES = 3, PARTIALS = SUMS + EXTREMES };
enum { DIAGNOSE_THREADS = 256, DIAGNOSE_WARPS = DIAGNOSE_THREADS / 32, PIECE = 1024, TOTAL_THREADS = 192 };
static_assert(STATISTICS_BLOCK % PIECE == 0 && PIECE % STATISTICS_LANES == 0, "lanes begin with every piece");
static_assert(SUMS * STATISTICS_LANES <= 32, "the lanes of all sums are one warp's");
static_assert(static_cast<int>(PARTIALS) == static_cast<int>(TSUNAMI_DIAGNOSTICS),
              "a record is what the blocks are combined to");

DEVICE double largest_of_warp(double value)
{
    for (int step = 16; step > 0; step /= 2)
        value = fmax(value, __shfl_xor_sync(0xffffffffu, value, step));
    return value;
}

// The index, in the whole grid, of this device's first node.
template <typename Real> DEVICE unsigned long long first_node(const state_view<Real> &state)
{
    return static_cast<unsigned long long>(state.first_own) * static_cast<unsigned long long>(state.nx);
}

// All threads write the terms of a piece of the block to `terms`, and to `head` if it is not NULL. `begin`:
// from this device's first node on; the piece may begin before it. The term of land and of nodes that are not
// this device's is +0, which changes no bit of a sum that began with +0.
template <typename Real>
DEVICE void diagnose_piece(const state_view<Real> &state, const results_geometry &geometry, unsigned begin,
                           double (*terms)[PIECE], double extremes[EXTREMES], double *head, size_t stride)
{
    const unsigned nodes =
        static_cast<unsigned>(state.nx) * static_cast<unsigned>(state.end_own - state.first_own);
    for (unsigned k = threadIdx.x; k < PIECE; k += DIAGNOSE_THREADS) {
        const unsigned index = begin + k; // a large number before the first node
        double term[SUMS] = {0, 0, 0};
        if (index < nodes) {
            const int row = state.first_own + static_cast<int>(index / static_cast<unsigned>(state.nx));
            const int column = static_cast<int>(index % static_cast<unsigned>(state.nx));
            const tsunami_node node = load_node(state, geometry, column, row);
            if (node.depth_m > geometry.wall_depth_m) {
                const tsunami_terms t =
                    tsunami_node_terms(node, cell_of(geometry, state.nx, state.ny, column, row),
                                       geometry.gravity_m_s2, geometry.step_s);
                term[0] = t.volume_m3;
                term[1] = t.kinetic_j;
                term[2] = t.potential_j;
                extremes[0] = fmax(extremes[0], t.abs_eta_m);
                extremes[1] = fmax(extremes[1], t.speed_m_s);
                extremes[2] = fmax(extremes[2], t.courant);
            }
        }
        for (int s = 0; s < SUMS; s++) {
            terms[s][k] = term[s];
            if (head)
                head[static_cast<size_t>(s) * stride + k] = term[s];
        }
    }
}

// One thread block for each block of the sums. Each thread of its first warp adds the terms of one lane of
// one sum, in index order. parts: see the header.
template <typename Real>
__global__ void __launch_bounds__(DIAGNOSE_THREADS)
    diagnose_kernel(state_view<Real> state, results_geometry geometry, double *partial, double *parts,
                    size_t stride)
{
    __shared__ double terms[SUMS][PIECE];
    __shared__ double lanes[SUMS][STATISTICS_LANES];
    __shared__ double largest[EXTREMES][DIAGNOSE_WARPS];
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % STATISTICS_LANES, sum = thread / STATISTICS_LANES;
    double extremes[EXTREMES] = {0, 0, 0}, total = 0;
    const unsigned before = static_cast<unsigned>(first_node(state) % STATISTICS_BLOCK);
    for (unsigned piece = 0; piece < STATISTICS_BLOCK; piece += PIECE) {
        diagnose_piece(state, geometry, blockIdx.x * STATISTICS_BLOCK + piece - before, terms, extremes,
                       parts && blockIdx.x == 0 ? parts + piece : nullptr, stride);
        block_sums::add_piece(terms, sum, lane, total);
    }
    if (sum < SUMS)
        lanes[sum][lane] = total;
    if (sum < SUMS && parts)
        parts[static_cast<size_t>(sum) * stride + STATISTICS_BLOCK +
              static_cast<size_t>(blockIdx.x) * STATISTICS_LANES + lane] = total;
    for (int x = 0; x < EXTREMES; x++) {
        const double value = largest_of_warp(extremes[x]);
        if (thread % 32 == 0)
            largest[x][thread / 32] = value;
    }
    __syncthreads();
    double *const result = partial + static_cast<size_t>(blockIdx.x) * PARTIALS;
    if (thread < SUMS) {
        result[thread] = block_sums::add_lanes(lanes[thread]);
    } else if (thread < PARTIALS) {
        double value = 0;
        for (int w = 0; w < DIAGNOSE_WARPS; w++)
            value = fmax(value, largest[thread - SUMS][w]);
        result[thread] = value;
    }
}

// One thread for each number of the record; the other threads only load.
__global__ void __launch_bounds__(TOTAL_THREADS)
    total_kernel(const double *partial, size_t blocks, double *record)
{
    const int thread = static_cast<int>(threadIdx.x);
    double total = 0, compensation = 0;
    block_sums::pass_blocks<PARTIALS, TOTAL_THREADS>(partial, blocks, [&](const double *loaded, int count) {
        if (thread < SUMS)
            for (int b = 0; b < count; b++)
                block_sums::compensated_add(&total, &compensation, loaded[b * PARTIALS + thread]);
        else if (thread < PARTIALS)
            for (int b = 0; b < count; b++)
                total = fmax(total, loaded[b * PARTIALS + thread]);
    });
    if (thread < PARTIALS)
        record[thread] = total + compensation;
}

enum { GUARD_THREADS = 128, GUARD_ROWS = 16 };

// Whether the state of a wet node is below the limit, with a margin for rounding. The wave speed is c = c0 +
// e = √(g(d + η)), apart from rounding; with finite volumes c = √(g h), h = w on land and w − z at sea; on a
// staggered grid h is the still-water depth plus η, and one limit holds for both axes.
template <typename Real>
DEVICE bool is_clear(const state_view<Real> &state, size_t place, double dx, double dy,
                     const results_geometry &geometry)
{
    const double e = state.e[place], still = state.still[place];
    const bool has_depth = state.floods || state.is_staggered;
    const double depth = state.is_staggered ? still + e : e - fmin(still, 0.0);
    const double c = has_depth ? sqrt(geometry.gravity_m_s2 * depth) : still + e;
    const bool is_above = state.floods || (state.is_staggered ? depth > 1e-4 * still : c > 0.01 * still);
    const double u = fabs(static_cast<double>(state.u[place])), v = fabs(static_cast<double>(state.v[place]));
    if (state.is_staggered) {
        const double along_x = geometry.step_s * (u + c) / dx, along_y = geometry.step_s * (v + c) / dy;
        return is_above &&
               along_x * along_x + along_y * along_y <= TSUNAMI_STAGGERED_COURANT * TSUNAMI_STAGGERED_COURANT;
    }
    const double most = state.floods ? 0.99 * TSUNAMI_HELD_COURANT : 1.0;
    return is_above && geometry.step_s * (u + c) <= most * dx && geometry.step_s * (v + c) <= most * dy;
}

// The same test as on the host (models/tsunami/diagnostics.c).
template <typename Real>
DEVICE bool is_valid(const state_view<Real> &state, const results_geometry &geometry, int column, int row,
                     double dx, double dy)
{
    const tsunami_node node = load_node(state, geometry, column, row);
    return state.is_staggered
               ? tsunami_staggered_is_valid(node, dx, dy, geometry.gravity_m_s2, geometry.step_s)
               : tsunami_node_is_valid(node, dx, dy, geometry.gravity_m_s2, geometry.step_s);
}

// A thread checks columns of GUARD_ROWS nodes, upwards, and stops at the first invalid one. If is_clear is
// false, is_valid decides, which also reads the depth.
template <typename Real>
__global__ void __launch_bounds__(GUARD_THREADS)
    guard_kernel(state_view<Real> state, results_geometry geometry, const results_finding *finding,
                 unsigned long long *first)
{
    const int column = static_cast<int>(blockIdx.x * GUARD_THREADS + threadIdx.x);
    unsigned long long found = RESULTS_NOTHING;
    if (column >= state.nx || finding->after_step != 0)
        return;
    const double near = geometry.columns[RESULTS_COLUMN_NEAR * state.nx + column];
    const int stride = static_cast<int>(gridDim.y) * GUARD_ROWS;
    for (int k = 0, row = state.first_own + static_cast<int>(blockIdx.y) * GUARD_ROWS;
         row < state.end_own && found == RESULTS_NOTHING;
         k++, row += k % GUARD_ROWS ? 1 : stride - GUARD_ROWS + 1) {
        const size_t place = place_of(state, column, row);
        if (!state.floods && !(state.still[place] > 0))
            continue;
        const double dx = near * geometry.rows[RESULTS_ROW_COSINE * state.ny + row];
        const double dy = geometry.rows[RESULTS_ROW_NEAR * state.ny + row];
        if (!is_clear(state, place, dx, dy, geometry) && !is_valid(state, geometry, column, row, dx, dy))
            found = static_cast<unsigned long long>(row) * state.nx + column;
    }
    if (found != RESULTS_NOTHING)
        atomicMin(first, found);
}

template <typename Real>
__global__ void finding_kernel(state_view<Real> state, results_geometry geometry, long long step,
                               unsigned long long *first, results_finding *finding)
{
    const unsigned long long index = *first;
    if (index == RESULTS_NOTHING)
        return;
    *first = RESULTS_NOTHING;
    const int row = static_cast<int>(index / state.nx), column = static_cast<int>(index % state.nx);
    const tsunami_node node = load_node(state, geometry, column, row);
    *finding = {step + 1, index, node.eta_m, node.u_m_s, node.v_m_s};
}

// The number of blocks along y is limited by the device; the kernels loop.
unsigned blocks_along_y(size_t count, size_t a_block)
{
    const unsigned most = 65535, blocks = kernels::blocks_for(count, a_block);
    return blocks < most ? blocks : most;
}

} // namespace

extern "C" cudaError_t results_fields(const results_state *state, const results_geometry *geometry,
                                      const tsunami_crop *crop,
                                      const unsigned char wanted[TSUNAMI_FIELD_COUNT], enum element element,
                                      void *record, cudaStream_t stream)
{
    const dim3 blocks(kernels::blocks_for(crop->columns, FIELD_THREADS), blocks_along_y(crop->rows, 1));
    if (crop->rows == 0)
        return cudaSuccess;
    wanted_fields fields;
    for (int f = 0; f < TSUNAMI_FIELD_COUNT; f++)
        fields.is_wanted[f] = wanted[f];
    return kernels::launch(state->precision, element, [&](auto real, auto out) {
        fields_kernel<<<blocks, FIELD_THREADS, 0, stream>>>(view_of<decltype(real)>(state), *geometry, *crop,
                                                            fields, static_cast<decltype(out) *>(record));
    });
}

extern "C" cudaError_t results_gauges(const results_state *state, const results_geometry *geometry,
                                      const int *nodes, const double *weights, int count,
                                      enum element element, void *record, cudaStream_t stream)
{
    enum { THREADS = 64 };
    return kernels::launch(state->precision, element, [&](auto real, auto out) {
        gauges_kernel<<<kernels::blocks_for(count, THREADS), THREADS, 0, stream>>>(
            view_of<decltype(real)>(state), *geometry, nodes, weights, count,
            static_cast<decltype(out) *>(record));
    });
}

extern "C" cudaError_t results_points(const results_state *state, const struct results_points *points,
                                      double time_s, int is_step, cudaStream_t stream)
{
    return kernels::launch(state->precision, [&](auto real) {
        points_kernel<<<kernels::blocks_for(points->count, POINT_THREADS), POINT_THREADS, 0, stream>>>(
            view_of<decltype(real)>(state), *points, time_s, is_step != 0);
    });
}

extern "C" size_t results_blocks(const results_state *state)
{
    const size_t first = static_cast<size_t>(state->first_own) * static_cast<size_t>(state->nx);
    const size_t end = static_cast<size_t>(state->end_own) * static_cast<size_t>(state->nx);
    return block_sums::blocks_of(end) - first / STATISTICS_BLOCK;
}

extern "C" size_t results_partials(size_t blocks)
{
    return blocks * PARTIALS;
}

extern "C" cudaError_t results_diagnose_blocks(const results_state *state, const results_geometry *geometry,
                                               double *partial, double *parts, size_t stride,
                                               cudaStream_t stream)
{
    const unsigned blocks = static_cast<unsigned>(results_blocks(state));
    return kernels::launch(state->precision, [&](auto real) {
        diagnose_kernel<<<blocks, DIAGNOSE_THREADS, 0, stream>>>(view_of<decltype(real)>(state), *geometry,
                                                                 partial, parts, stride);
    });
}

extern "C" cudaError_t results_diagnose_total(size_t blocks, const double *partial, double *record,
                                              cudaStream_t stream)
{
    total_kernel<<<1, TOTAL_THREADS, 0, stream>>>(partial, blocks, record);
    return cudaGetLastError();
}

extern "C" cudaError_t results_guard(const results_state *state, const results_geometry *geometry,
                                     long long step, unsigned long long *first, results_finding *finding,
                                     cudaStream_t stream)
{
    const dim3 blocks(kernels::blocks_for(state->nx, GUARD_THREADS),
                      blocks_along_y(static_cast<size_t>(state->end_own - state->first_own), GUARD_ROWS));
    return kernels::launch(state->precision, [&](auto real) {
        const auto view = view_of<decltype(real)>(state);
        guard_kernel<<<blocks, GUARD_THREADS, 0, stream>>>(view, *geometry, finding, first);
        finding_kernel<<<1, 1, 0, stream>>>(view, *geometry, step, first, finding);
    });
}
