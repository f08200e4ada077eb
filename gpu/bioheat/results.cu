// Kernels for maps, sensors, diagnostics and the guard of the heat model (see the header). All arithmetic is
// in double, and no product and sum are fused (-fmad=false), as on the host.
#include "gpu/bioheat/results_kernels.h"

#include "core/statistics.h"
#include "gpu/bioheat/cell.cuh"
#include "gpu/block_sums.cuh"
#include "gpu/launch.cuh"
#include "gpu/results.cuh"
#include "models/bioheat/cell_terms.h"

namespace heat {
namespace {

enum { THREADS = 128, GUARD_ROWS = 8 };

template <typename Real> DEVICE double theta_at(const results_heat &state, long long place)
{
    return array<Real>(state.theta)[place];
}

template <typename Real>
DEVICE double dose_by(const results_heat &state, const heat_records &records, long long place, double theta,
                      long long step)
{
    const bioheat_dose definition = static_cast<bioheat_dose>(records.definition);
    if (!records.low)
        return NAN;
    const double low = array<Real>(records.low)[place];
    const bool has_passed = bioheat_dose_passed(signbit(low), theta, state.reference_c);
    if (state.has_whole_dose)
        step = 0;
    return bioheat_dose_reported_min(definition, step, state.step_s, records.high[place] + fabs(low), theta,
                                     state.reference_c, has_passed);
}

template <typename Real>
DEVICE double dose_at(const results_heat &state, long long place, double theta, long long step)
{
    return dose_by<Real>(state, state.records, place, theta, step);
}

template <typename Real>
DEVICE double largest_at(const results_heat &state, long long place, double theta, long long step)
{
    if (!state.records.largest)
        return NAN;
    const bioheat_largest before = {array<Real>(state.records.largest)[place], 0};
    return bioheat_largest_with(before, theta, step, state.step_s).theta_k;
}

struct wanted_fields {
    unsigned char is_wanted[BIOHEAT_FIELD_COUNT];
};

// Rows of the crop along y and z of the launch.
template <typename Real, typename Out>
__global__ void __launch_bounds__(THREADS)
    fields_kernel(const __grid_constant__ results_heat state, const __grid_constant__ bioheat_crop crop,
                  wanted_fields wanted, long long step, Out *record)
{
    const size_t x = static_cast<size_t>(blockIdx.x) * THREADS + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x >= crop.count[BIOHEAT_X])
        return;
    const long long place =
        place_of(state.shape, static_cast<int>(crop.first[BIOHEAT_Z] + z * crop.stride[BIOHEAT_Z]),
                 static_cast<int>(crop.first[BIOHEAT_Y] + y * crop.stride[BIOHEAT_Y]),
                 static_cast<int>(crop.first[BIOHEAT_X] + x * crop.stride[BIOHEAT_X]));
    const double theta = theta_at<Real>(state, place);
    size_t index = (z * crop.count[BIOHEAT_Y] + y) * crop.count[BIOHEAT_X] + x;
    for (int f = 0; f < BIOHEAT_FIELD_COUNT; f++) {
        if (!wanted.is_wanted[f])
            continue;
        const double dose = f == BIOHEAT_DOSE_FIELD ? dose_at<Real>(state, place, theta, step) : 0;
        const double largest = f == BIOHEAT_MAXIMUM_FIELD ? largest_at<Real>(state, place, theta, step) : 0;
        results::store(
            record, index,
            bioheat_field_value(static_cast<bioheat_field>(f), theta, dose, largest, state.reference_c));
        index += crop.count[BIOHEAT_Z] * crop.count[BIOHEAT_Y] * crop.count[BIOHEAT_X];
    }
}

template <typename Real, typename Out>
__global__ void __launch_bounds__(THREADS)
    sensors_kernel(const __grid_constant__ results_heat state, const long long *places, const double *weights,
                   int count, long long step, Out *record)
{
    const int k = static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    if (k >= count)
        return;
    double theta_k = 0, dose_min = 0, second_min = 0;
    for (int corner = 0; corner < BIOHEAT_CORNERS; corner++) {
        const long long number = static_cast<long long>(corner) * count + k;
        const double weight = weights[number];
        if (!(weight > 0))
            continue;
        const double theta = theta_at<Real>(state, places[number]);
        theta_k += weight * theta;
        if (state.records.low)
            dose_min += weight * dose_at<Real>(state, places[number], theta, step);
        if (state.second.low)
            second_min += weight * dose_by<Real>(state, state.second, places[number], theta, step);
    }
    results::store(record, static_cast<size_t>(k), bioheat_temperature_c(theta_k, state.reference_c));
    if (state.records.low)
        results::store(record, static_cast<size_t>(count) + k, dose_min);
    if (state.second.low)
        results::store(record, 2 * static_cast<size_t>(count) + k, second_min);
}

// A thread a cell of a sensor. −0: none of this device's (ranks_forget).
template <typename Real>
__global__ void __launch_bounds__(THREADS)
    cells_kernel(const __grid_constant__ results_heat state, const long long *places, const double *weights,
                 int count, long long step, double *record)
{
    const int number = static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    if (number >= count * BIOHEAT_CORNERS)
        return;
    double *const cell =
        record +
        (static_cast<long long>(number % count) * BIOHEAT_CORNERS + number / count) * BIOHEAT_CELL_NUMBERS;
    cell[0] = cell[1] = cell[2] = -0.0;
    if (!(weights[number] > 0))
        return;
    const double theta = theta_at<Real>(state, places[number]);
    cell[0] = theta;
    cell[1] = state.records.low ? dose_at<Real>(state, places[number], theta, step) : 0;
    cell[2] = state.second.low ? dose_by<Real>(state, state.second, places[number], theta, step) : 0;
}

// ---- diagnostics

enum { SUM_HEAT, SUM_HOT, SUM_LESION, SUMS };
enum { LEAST, MOST, MOST_DOSE, MOST_INDEX, EXTREMES, PARTIALS = SUMS + EXTREMES };
enum { DIAGNOSE_THREADS = 256, DIAGNOSE_WARPS = DIAGNOSE_THREADS / 32, PIECE = 1024, TOTAL_THREADS = 192 };
static_assert(STATISTICS_BLOCK % PIECE == 0 && PIECE % STATISTICS_LANES == 0, "lanes begin with every piece");
static_assert(SUMS * STATISTICS_LANES <= 32, "the lanes of all sums are one warp's");

// Of cells that are not VOID; the index is a whole number in a double.
struct extremes {
    double least, most, most_dose, index;
};

DEVICE extremes no_extremes()
{
    return {INFINITY, -INFINITY, -INFINITY, INFINITY};
}

DEVICE void merge(extremes &all, const extremes &one)
{
    all.least = fmin(all.least, one.least);
    all.most_dose = fmax(all.most_dose, one.most_dose);
    if (one.most > all.most || (one.most == all.most && one.index < all.index)) {
        all.most = one.most;
        all.index = one.index;
    }
}

DEVICE extremes extremes_of_warp(extremes e)
{
    for (int step = 16; step > 0; step /= 2) {
        const extremes other = {
            __shfl_xor_sync(0xffffffffu, e.least, step), __shfl_xor_sync(0xffffffffu, e.most, step),
            __shfl_xor_sync(0xffffffffu, e.most_dose, step), __shfl_xor_sync(0xffffffffu, e.index, step)};
        merge(e, other);
    }
    return e;
}

template <typename Real>
DEVICE double capacity_at(const results_heat_media &media, long long place, bioheat_role *role)
{
    if (media.has_labels) {
        const unsigned label = media.is_few
                                   ? label_of<unsigned char>(array<unsigned char>(media.codes)[place])
                                   : label_of<unsigned short>(array<unsigned short>(media.codes)[place]);
        *role = static_cast<bioheat_role>(media.roles[label]);
        return media.capacities_j_m3_k[label];
    }
    const double capacity = array<Real>(media.capacity)[place];
    *role = array<Real>(media.conductivity)[place] == 0 ? BIOHEAT_VOID
            : isinf(capacity)                           ? BIOHEAT_HELD
                                                        : BIOHEAT_TISSUE;
    return capacity;
}

// The cells of a device's planes, by their index in the whole volume.
struct cell_range {
    unsigned long long first, end;
};

__host__ __device__ cell_range own_cells(const heat_shape &shape)
{
    const unsigned long long plane = static_cast<unsigned long long>(shape.cells[1]) * shape.cells[2];
    return {static_cast<unsigned long long>(shape.first_own) * plane,
            static_cast<unsigned long long>(shape.end_own) * plane};
}

// The terms of a piece of the block, into `terms`, and into `head` if it is not NULL, by all threads; cells
// that do not count, or are not this device's, add +0, which changes no bit of a sum that began with +0.
template <typename Real>
DEVICE void diagnose_piece(const results_heat &state, const results_heat_media &media, long long step,
                           unsigned long long begin, double (*terms)[PIECE], extremes &all, double *head,
                           size_t stride)
{
    const int *n = state.shape.cells;
    const cell_range own = own_cells(state.shape);
    for (unsigned k = threadIdx.x; k < PIECE; k += DIAGNOSE_THREADS) {
        const unsigned long long index = begin + k;
        double term[SUMS] = {0, 0, 0};
        if (index >= own.first && index < own.end) {
            const unsigned long long row = index / n[2];
            const long long place = place_of(state.shape, static_cast<int>(row / n[1]),
                                             static_cast<int>(row % n[1]), static_cast<int>(index % n[2]));
            bioheat_role role;
            const double capacity = capacity_at<Real>(media, place, &role);
            const double theta = theta_at<Real>(state, place);
            const bool is_tissue = role == BIOHEAT_TISSUE;
            const double dose =
                is_tissue ? dose_at<Real>(state, place, theta, step) : static_cast<double>(NAN);
            if (role != BIOHEAT_VOID)
                merge(all, {theta, theta, dose, static_cast<double>(index)});
            if (is_tissue) {
                const bioheat_cell_terms t = bioheat_terms_of_cell(
                    theta, capacity, media.volume_m3, state.reference_c, dose, media.lesion_dose_min);
                term[SUM_HEAT] = t.heat_j;
                term[SUM_HOT] = t.hot_m3;
                term[SUM_LESION] = t.lesion_m3;
            }
        }
        for (int s = 0; s < SUMS; s++) {
            terms[s][k] = term[s];
            if (head)
                head[static_cast<size_t>(s) * stride + k] = term[s];
        }
    }
}

// A thread block for each block of the sums. Its first warp adds the terms, a lane of a sum each, in index
// order. parts: see the header.
template <typename Real>
__global__ void __launch_bounds__(DIAGNOSE_THREADS)
    diagnose_kernel(const __grid_constant__ results_heat state,
                    const __grid_constant__ results_heat_media media, long long step, double *partial,
                    double *parts, size_t stride)
{
    __shared__ double terms[SUMS][PIECE];
    __shared__ double lanes[SUMS][STATISTICS_LANES];
    __shared__ extremes of_warps[DIAGNOSE_WARPS];
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % STATISTICS_LANES, sum = thread / STATISTICS_LANES;
    extremes all = no_extremes();
    double total = 0;
    const unsigned long long block = own_cells(state.shape).first / STATISTICS_BLOCK + blockIdx.x;
    for (unsigned piece = 0; piece < STATISTICS_BLOCK; piece += PIECE) {
        diagnose_piece<Real>(state, media, step, block * STATISTICS_BLOCK + piece, terms, all,
                             parts && blockIdx.x == 0 ? parts + piece : nullptr, stride);
        block_sums::add_piece(terms, sum, lane, total);
    }
    if (sum < SUMS)
        lanes[sum][lane] = total;
    if (sum < SUMS && parts)
        parts[static_cast<size_t>(sum) * stride + STATISTICS_BLOCK +
              static_cast<size_t>(blockIdx.x) * STATISTICS_LANES + lane] = total;
    all = extremes_of_warp(all);
    if (thread % 32 == 0)
        of_warps[thread / 32] = all;
    __syncthreads();
    double *const result = partial + static_cast<size_t>(blockIdx.x) * PARTIALS;
    if (thread < SUMS)
        result[thread] = block_sums::add_lanes(lanes[thread]);
    if (thread == 0) {
        for (int w = 1; w < DIAGNOSE_WARPS; w++)
            merge(all, of_warps[w]);
        result[SUMS + LEAST] = all.least;
        result[SUMS + MOST] = all.most;
        result[SUMS + MOST_DOSE] = all.most_dose;
        result[SUMS + MOST_INDEX] = all.index;
    }
}

// A thread a sum, and one for the extremes; the others only load.
__global__ void __launch_bounds__(TOTAL_THREADS)
    total_kernel(const double *partial, size_t blocks, int has_dose, double reference_c, double *record,
                 bioheat_own_extremes *own)
{
    enum { BLOCKS = 128 };
    __shared__ double loaded[BLOCKS * PARTIALS];
    const int thread = static_cast<int>(threadIdx.x);
    const double missing = __longlong_as_double(0x7ff8000000000000LL);
    double total = 0, compensation = 0;
    extremes all = no_extremes();
    for (size_t first = 0; first < blocks; first += BLOCKS) {
        const int count = static_cast<int>(blocks - first < BLOCKS ? blocks - first : BLOCKS);
        for (int k = thread; k < count * PARTIALS; k += TOTAL_THREADS)
            loaded[k] = partial[first * PARTIALS + static_cast<size_t>(k)];
        __syncthreads();
        if (thread < SUMS)
            for (int b = 0; b < count; b++)
                block_sums::compensated_add(&total, &compensation, loaded[b * PARTIALS + thread]);
        else if (thread == SUMS)
            for (int b = 0; b < count; b++) {
                const double *const e = loaded + b * PARTIALS + SUMS;
                merge(all, {e[LEAST], e[MOST], e[MOST_DOSE], e[MOST_INDEX]});
            }
        __syncthreads();
    }
    const double sum = total + compensation;
    if (thread == SUM_HEAT)
        record[BIOHEAT_HEAT_J] = sum;
    if (thread == SUM_HOT)
        record[BIOHEAT_HOT_VOLUME_M3] = sum;
    if (thread == SUM_LESION)
        record[BIOHEAT_LESION_VOLUME_M3] = has_dose ? sum : missing;
    if (thread == SUMS) {
        const bool is_empty = isinf(all.index);
        record[BIOHEAT_SMALLEST_C] = is_empty ? missing : bioheat_temperature_c(all.least, reference_c);
        record[BIOHEAT_LARGEST_C] = is_empty ? missing : bioheat_temperature_c(all.most, reference_c);
        record[BIOHEAT_LARGEST_INDEX] = is_empty ? 0 : all.index;
        record[BIOHEAT_LARGEST_DOSE_MIN] = has_dose && all.most_dose >= 0 ? all.most_dose : missing;
        record[BIOHEAT_SOURCE_W] = 0;
        if (own)
            *own = {all.least, all.most, all.most_dose, all.index};
    }
}

// ---- the guard

template <typename Real>
__global__ void __launch_bounds__(THREADS)
    guard_kernel(const __grid_constant__ results_heat state, const results_heat_finding *finding,
                 unsigned long long *first)
{
    const int *n = state.shape.cells;
    const int x = static_cast<int>(blockIdx.x * THREADS + threadIdx.x),
              z = state.shape.first_own + static_cast<int>(blockIdx.z);
    unsigned long long found = RESULTS_HEAT_NOTHING;
    if (x >= n[2] || finding->after_step != 0)
        return;
    for (int y = static_cast<int>(blockIdx.y) * GUARD_ROWS;
         y < min(n[1], static_cast<int>(blockIdx.y + 1) * GUARD_ROWS); y++)
        if (!bioheat_is_finite(theta_at<Real>(state, place_of(state.shape, z, y, x))) &&
            found == RESULTS_HEAT_NOTHING)
            found = (static_cast<unsigned long long>(z) * n[1] + y) * n[2] + x;
    if (found != RESULTS_HEAT_NOTHING)
        atomicMin(first, found);
}

template <typename Real>
__global__ void finding_kernel(const __grid_constant__ results_heat state, long long step,
                               unsigned long long *first, results_heat_finding *finding)
{
    const unsigned long long index = *first;
    const int *n = state.shape.cells;
    if (index == RESULTS_HEAT_NOTHING)
        return;
    *first = RESULTS_HEAT_NOTHING;
    const unsigned long long row = index / n[2];
    *finding = {
        step + 1, index,
        theta_at<Real>(state, place_of(state.shape, static_cast<int>(row / n[1]),
                                       static_cast<int>(row % n[1]), static_cast<int>(index % n[2])))};
}

template <typename Real> cudaError_t load_all()
{
    return kernels::load(fields_kernel<Real, float>, fields_kernel<Real, double>, sensors_kernel<Real, float>,
                         sensors_kernel<Real, double>, cells_kernel<Real>, diagnose_kernel<Real>,
                         total_kernel, guard_kernel<Real>, finding_kernel<Real>);
}

} // namespace
} // namespace heat

using namespace heat;

extern "C" cudaError_t results_heat_fields(const results_heat *state, const bioheat_crop *crop,
                                           const unsigned char wanted[BIOHEAT_FIELD_COUNT], long long step,
                                           enum element element, void *record, cudaStream_t stream)
{
    const dim3 blocks(kernels::blocks_for(crop->count[BIOHEAT_X], THREADS),
                      static_cast<unsigned>(crop->count[BIOHEAT_Y]),
                      static_cast<unsigned>(crop->count[BIOHEAT_Z]));
    wanted_fields fields;
    if (blocks.z == 0)
        return cudaSuccess;
    for (int f = 0; f < BIOHEAT_FIELD_COUNT; f++)
        fields.is_wanted[f] = wanted[f];
    return kernels::launch(state->precision, element, [&](auto real, auto out) {
        fields_kernel<decltype(real)>
            <<<blocks, THREADS, 0, stream>>>(*state, *crop, fields, step, array<decltype(out)>(record));
    });
}

extern "C" cudaError_t results_heat_sensors(const results_heat *state, const long long *sensors,
                                            const double *weights, int count, long long step,
                                            enum element element, void *record, cudaStream_t stream)
{
    return kernels::launch(state->precision, element, [&](auto real, auto out) {
        sensors_kernel<decltype(real)><<<kernels::blocks_for(count, THREADS), THREADS, 0, stream>>>(
            *state, sensors, weights, count, step, array<decltype(out)>(record));
    });
}

extern "C" cudaError_t results_heat_cells(const results_heat *state, const long long *sensors,
                                          const double *weights, int count, long long step, double *record,
                                          cudaStream_t stream)
{
    return kernels::launch(state->precision, [&](auto real) {
        cells_kernel<decltype(real)>
            <<<kernels::blocks_for(static_cast<long long>(count) * BIOHEAT_CORNERS, THREADS), THREADS, 0,
               stream>>>(*state, sensors, weights, count, step, record);
    });
}

extern "C" size_t results_heat_blocks(const heat_shape *shape)
{
    const cell_range own = own_cells(*shape);
    return block_sums::blocks_of(own.end) - own.first / STATISTICS_BLOCK;
}

extern "C" size_t results_heat_partials(size_t blocks)
{
    return blocks * PARTIALS;
}

extern "C" cudaError_t results_heat_diagnose_blocks(const results_heat *state,
                                                    const results_heat_media *media, long long step,
                                                    double *partial, double *parts, size_t stride,
                                                    cudaStream_t stream)
{
    const size_t blocks = results_heat_blocks(&state->shape);
    return kernels::launch(state->precision, [&](auto real) {
        diagnose_kernel<decltype(real)><<<static_cast<unsigned>(blocks), DIAGNOSE_THREADS, 0, stream>>>(
            *state, *media, step, partial, parts, stride);
    });
}

extern "C" cudaError_t results_heat_diagnose_total(size_t blocks, int has_dose, double reference_c,
                                                   const double *partial, double *record,
                                                   bioheat_own_extremes *own, cudaStream_t stream)
{
    total_kernel<<<1, TOTAL_THREADS, 0, stream>>>(partial, blocks, has_dose, reference_c, record, own);
    return cudaGetLastError();
}

extern "C" cudaError_t results_heat_guard(const results_heat *state, long long step,
                                          unsigned long long *first, results_heat_finding *finding,
                                          cudaStream_t stream)
{
    const int *n = state->shape.cells;
    const dim3 blocks(kernels::blocks_for(n[2], THREADS), kernels::blocks_for(n[1], GUARD_ROWS),
                      static_cast<unsigned>(state->shape.end_own - state->shape.first_own));
    return kernels::launch(state->precision, [&](auto real) {
        guard_kernel<decltype(real)><<<blocks, THREADS, 0, stream>>>(*state, finding, first);
        finding_kernel<decltype(real)><<<1, 1, 0, stream>>>(*state, step, first, finding);
    });
}

extern "C" cudaError_t results_heat_load(enum element precision)
{
    return kernels::with_real(precision, [](auto real) { return load_all<decltype(real)>(); });
}
