// The regions' lists of cells, and the multipole of each cell's particles.
#include "gpu/gas/regions.cuh"

namespace gas {
namespace {

enum { THREADS = 256 };

// ---- lists

// The largest number of columns to one side at which a cell, `dy` rows away, is nearer than `radius`; −1: no
// cell of the row is.
__host__ __device__ int reach_in_row(double radius, int dy)
{
    int dx = -1;
    while (static_cast<double>(dx + 1) * (dx + 1) + static_cast<double>(dy) * dy < radius * radius)
        dx++;
    return dx;
}

struct row_span {
    int first, last; // columns; none if last < first
};

__device__ row_span span_in_row(const region_arrays &r, double radius, int column, int dy)
{
    const int reach = reach_in_row(radius, dy);
    return {max(column - reach, 0), min(column + reach, r.columns - 1)};
}

__device__ void list_near(const region_arrays &r, int cell)
{
    const int column = cell % r.columns, row = cell / r.columns, most = static_cast<int>(ceil(r.near));
    region_span *list = r.near_of + static_cast<size_t>(cell) * (r.spans_most + 1);
    for (int y = max(row - most, 0); y <= min(row + most, r.rows - 1); y++) {
        const row_span near = span_in_row(r, r.near, column, y - row);
        if (near.first <= near.last)
            *list++ = {y * r.columns + near.first, y * r.columns + near.last + 1};
    }
    *list = {REGION_END, REGION_END};
}

__device__ void list_middle(const region_arrays &r, int cell)
{
    const int column = cell % r.columns, row = cell / r.columns, most = static_cast<int>(ceil(r.far));
    int *list = r.middle_of + static_cast<size_t>(cell) * (r.middle_most + 1);
    int *const end = list + r.middle_most + 1;
    for (int y = max(row - most, 0); y <= min(row + most, r.rows - 1); y++) {
        const row_span far = span_in_row(r, r.far, column, y - row);
        const row_span near = span_in_row(r, r.near, column, y - row);
        for (int x = far.first; x <= far.last; x++)
            if (x < near.first || x > near.last)
                *list++ = y * r.columns + x;
    }
    while (list < end) // kernels read many entries at a time
        *list++ = REGION_END;
}

__global__ void __launch_bounds__(THREADS) lists_kernel(const region_arrays r)
{
    const int cell = static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
    if (cell >= r.cells)
        return;
    list_near(r, cell);
    list_middle(r, cell);
}

// ---- multipoles

__device__ void name_blocks(const region_arrays &r, unsigned cell, unsigned begin, unsigned end,
                            unsigned lane)
{
    const unsigned first = begin / REGION_TARGETS + cell, last = end / REGION_TARGETS + cell + 1;
    const unsigned wanted = (end - begin + REGION_TARGETS - 1) / REGION_TARGETS;
    for (unsigned k = first + lane; k < last; k += 32)
        r.blocks[k] = k - first < wanted ? cell : REGION_NO_CELL;
}

// A warp a cell.
__global__ void __launch_bounds__(THREADS) multipoles_kernel(const region_arrays r, const double2 *position)
{
    const unsigned cell = (blockIdx.x * THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (cell >= static_cast<unsigned>(r.cells))
        return;
    const unsigned begin = r.starts[cell], end = r.starts[cell + 1];
    double2 c = cell_middle(r, cell);
    if (begin < end) {
        double2 sum = {0, 0};
        for (unsigned i = begin + lane; i < end; i += 32) {
            sum.x += position[i].x;
            sum.y += position[i].y;
        }
        c = {sum_of_warp(sum.x) / (end - begin), sum_of_warp(sum.y) / (end - begin)};
    }
    double2 q = {0, 0};
    for (unsigned i = begin + lane; i < end; i += 32) {
        const double x = position[i].x - c.x, y = position[i].y - c.y;
        q.x += x * x - y * y;
        q.y += 2 * x * y;
    }
    q = {sum_of_warp(q.x), sum_of_warp(q.y)};
    name_blocks(r, cell, begin, end, lane);
    if (lane == 0) {
        reinterpret_cast<double2 *>(r.centre)[cell] = c;
        reinterpret_cast<double2 *>(r.square)[cell] = q;
    }
}

// ---- how many pairs; one block of threads

__global__ void __launch_bounds__(THREADS) count_kernel(const region_arrays r)
{
    __shared__ double sums[THREADS / 32];
    double sum = 0;
    for (int cell = static_cast<int>(threadIdx.x); cell < r.cells; cell += THREADS) {
        const unsigned own = r.starts[cell + 1] - r.starts[cell];
        sum += static_cast<double>(own) * (static_cast<double>(near_particles(r, cell)) - 1);
    }
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int w = 1; w < THREADS / 32; w++)
        sum += sums[w];
    *r.pairs = sum;
}

} // namespace
} // namespace gas

extern "C" void device_regions_measure(struct region_arrays *regions)
{
    const int near_reach = static_cast<int>(ceil(regions->near)),
              far_reach = static_cast<int>(ceil(regions->far));
    long long middle = 0;
    regions->spans_most = 0;
    for (int dy = -near_reach; dy <= near_reach; dy++)
        regions->spans_most += gas::reach_in_row(regions->near, dy) >= 0;
    for (int dy = -far_reach; dy <= far_reach; dy++) {
        const int far = gas::reach_in_row(regions->far, dy), near = gas::reach_in_row(regions->near, dy);
        middle += (2 * far + 1) * (far >= 0) - (2 * near + 1) * (near >= 0);
    }
    regions->middle_most = static_cast<int>(middle < regions->cells ? middle : regions->cells);
}

extern "C" cudaError_t device_regions_list(const struct region_arrays *regions, cudaStream_t stream)
{
    const unsigned cells = static_cast<unsigned>(regions->cells);
    gas::lists_kernel<<<kernels::blocks_for(cells, gas::THREADS), gas::THREADS, 0, stream>>>(*regions);
    return cudaGetLastError();
}

extern "C" cudaError_t device_regions_sum_cells(const struct region_arrays *regions, const double *position,
                                                cudaStream_t stream)
{
    const unsigned cells = static_cast<unsigned>(regions->cells);
    gas::multipoles_kernel<<<kernels::blocks_for(32 * cells, gas::THREADS), gas::THREADS, 0, stream>>>(
        *regions, reinterpret_cast<const double2 *>(position));
    return cudaGetLastError();
}

extern "C" cudaError_t device_regions_count_pairs(const struct region_arrays *regions, cudaStream_t stream)
{
    gas::count_kernel<<<1, gas::THREADS, 0, stream>>>(*regions);
    return cudaGetLastError();
}

extern "C" cudaError_t device_regions_load_cells(void)
{
    return kernels::load(gas::lists_kernel, gas::multipoles_kernel, gas::count_kernel);
}
