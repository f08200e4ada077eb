// The sort of the gas's particles by cells: one kernel whose blocks synchronise between its stages, so that
// it can return at once if no sort is wanted. Particles get slots within their cell in any order, and are
// then put into the order that they had: a particle's rank is the number of those before it. That takes a
// comparison for each pair within a cell, far less than their forces.
#include "gpu/gas/bands.cuh"
#include "gpu/gas/cell.cuh"
#include "gpu/gas/kernels.h"

#include <cooperative_groups.h>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <type_traits>

namespace gas {
namespace {

enum { THREADS = 256, BLOCKS_MAX = 4096 };
constexpr unsigned ALL_LANES = 0xffffffffu;

// The arrays that a sort moves.
struct sorted_arrays {
    double2 *position, *velocity, *before; // before: may be NULL
    double *mass;                          // likewise
    unsigned *id;
};

struct sort_view {
    unsigned count, columns, rows;
    double2 box;
    bool is_in_place;
    bool is_periodic; // along y
    gas_bands bands;
    sorted_arrays at, spare;
    unsigned *starts, *cell_of, *rank, *slots, *totals;
    const unsigned *wanted;
    unsigned token;
};

// The particles that are sorted. In loops they have numbers 0 … count − 1 in their order.
struct all_particles {
    unsigned count;

    DEVICE explicit all_particles(const sort_view &view) : count(view.count) {}
    DEVICE unsigned index_of(unsigned number) const { return number; }
    // What is added to numbers of particles in this cell for their new indices.
    DEVICE unsigned base_of(const sort_view &, unsigned) const { return 0; }
    DEVICE void find_split(const sort_view &) {} // after the sort
    DEVICE unsigned new_index_of(unsigned number) const { return number; }
};

// Those that a rank holds.
struct held_particles {
    bands_range held[2];
    int base[2];
    unsigned split_row, count, below; // below: of those in front of the split, after the sort

    DEVICE explicit held_particles(const sort_view &view)
    {
        const bands_state &state = *view.bands.state;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            held[k] = state.held[k];
            base[k] = state.base[k];
        }
        split_row = state.split_row;
        count = below = held[0].end - held[0].first + held[1].end - held[1].first;
    }
    DEVICE unsigned index_of(unsigned number) const
    {
        const unsigned length = held[0].end - held[0].first;
        return number < length ? held[0].first + number : held[1].first + (number - length);
    }
    DEVICE unsigned base_of(const sort_view &view, unsigned cell) const
    {
        return static_cast<unsigned>(cell / view.columns >= split_row ? base[1] : base[0]);
    }
    DEVICE void find_split(const sort_view &view)
    {
        if (split_row < view.rows)
            below = view.starts[split_row * view.columns] - static_cast<unsigned>(base[1]);
    }
    DEVICE unsigned new_index_of(unsigned number) const
    {
        return number + static_cast<unsigned>(number < below ? base[0] : base[1]);
    }
};

using block_scan = cub::BlockScan<unsigned, THREADS>;
using block_reduce = cub::BlockReduce<unsigned, THREADS>;

union block_storage {
    typename block_scan::TempStorage scan;
    typename block_reduce::TempStorage reduce;
};

DEVICE unsigned first_of_thread()
{
    return blockIdx.x * THREADS + threadIdx.x;
}

DEVICE unsigned all_threads()
{
    return gridDim.x * THREADS;
}

// Counts the particles of each cell; lanes whose particles are in one cell add together.
template <typename Part> __device__ void draw_ranks(const sort_view &view, const Part &part)
{
    const unsigned lane = threadIdx.x % 32;
    for (unsigned first = blockIdx.x * THREADS; first < part.count; first += all_threads()) {
        const unsigned i = first + threadIdx.x;
        const bool is_valid = i < part.count;
        unsigned cell = ~0u, drawn = 0;
        if (is_valid) {
            const double2 x = view.at.position[part.index_of(i)];
            cell =
                cell_on(x.y, view.box.y, view.rows) * view.columns + cell_on(x.x, view.box.x, view.columns);
        }
        const unsigned same = __match_any_sync(ALL_LANES, cell);
        const int leader = __ffs(static_cast<int>(same)) - 1;
        if (is_valid && static_cast<int>(lane) == leader)
            drawn = atomicAdd(&view.starts[cell], static_cast<unsigned>(__popc(same)));
        drawn = __shfl_sync(ALL_LANES, drawn, leader);
        if (!is_valid)
            continue;
        view.cell_of[i] = cell;
        view.rank[i] = drawn + static_cast<unsigned>(__popc(same & ((1u << lane) - 1)));
    }
}

struct chunk {
    unsigned begin, end;
};

// The cells that this block adds up.
__device__ chunk chunk_of_block(unsigned cells)
{
    const unsigned length = (cells + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * length;
    return {begin < cells ? begin : cells, begin + length < cells ? begin + length : cells};
}

__device__ void add_up_chunk(const sort_view &view, const chunk &chunk, block_storage &storage)
{
    unsigned sum = 0;
    for (unsigned c = chunk.begin + threadIdx.x; c < chunk.end; c += THREADS)
        sum += view.starts[c];
    sum = block_reduce(storage.reduce).Sum(sum);
    if (threadIdx.x == 0)
        view.totals[blockIdx.x] = sum;
}

// Counts become starts.
template <typename Part>
__device__ void scan_chunk(const sort_view &view, const Part &part, unsigned cells, const chunk &chunk,
                           block_storage &storage)
{
    __shared__ unsigned before;
    unsigned sum = 0;
    for (unsigned b = threadIdx.x; b < blockIdx.x; b += THREADS)
        sum += view.totals[b];
    sum = block_reduce(storage.reduce).Sum(sum);
    if (threadIdx.x == 0)
        before = sum;
    __syncthreads();
    unsigned so_far = before;
    for (unsigned first = chunk.begin; first < chunk.end; first += THREADS) {
        const unsigned c = first + threadIdx.x, there = c < chunk.end ? view.starts[c] : 0;
        unsigned start, all;
        block_scan(storage.scan).ExclusiveSum(there, start, all);
        if (c < chunk.end)
            view.starts[c] = so_far + start + part.base_of(view, c);
        so_far += all;
        __syncthreads(); // storage
    }
    if (first_of_thread() == 0)
        view.starts[cells] = part.count + part.base_of(view, cells);
}

// The number of a cell's first particle among the sorted.
template <typename Part>
DEVICE unsigned number_of_first(const sort_view &view, const Part &part, unsigned cell)
{
    return view.starts[cell] - part.base_of(view, cell);
}

template <typename Part> __device__ void take_slots(const sort_view &view, const Part &part)
{
    for (unsigned i = first_of_thread(); i < part.count; i += all_threads())
        view.slots[number_of_first(view, part, view.cell_of[i]) + view.rank[i]] = i;
}

DEVICE void move_one(const sorted_arrays &from, unsigned i, const sorted_arrays &to, unsigned k)
{
    to.position[k] = from.position[i];
    to.velocity[k] = from.velocity[i];
    if (from.before)
        to.before[k] = from.before[i];
    if (from.mass)
        to.mass[k] = from.mass[i];
    to.id[k] = from.id[i];
}

template <typename Part> __device__ void move_in_order(const sort_view &view, const Part &part)
{
    for (unsigned k = first_of_thread(); k < part.count; k += all_threads()) {
        const unsigned i = view.slots[k], cell = view.cell_of[i];
        const unsigned begin = number_of_first(view, part, cell), end = number_of_first(view, part, cell + 1);
        unsigned to = begin;
        for (unsigned other = begin; other < end; other++)
            to += view.slots[other] < i;
        move_one(view.at, part.index_of(i), view.spare, to + part.base_of(view, cell));
    }
}

template <typename Part> __device__ void move_back(const sort_view &view, Part &part)
{
    part.find_split(view);
    for (unsigned k = first_of_thread(); k < part.count; k += all_threads()) {
        const unsigned i = part.new_index_of(k);
        move_one(view.spare, i, view.at, i);
    }
}

// The row of a particle after the sort.
__device__ unsigned row_of(const sort_view &view, unsigned index)
{
    unsigned low = 0, high = view.rows - 1;
    while (low < high) {
        const unsigned row = low + (high - low) / 2;
        if (view.starts[(row + 1) * view.columns] > index)
            high = row;
        else
            low = row + 1;
    }
    return low;
}

// What is read of the others in each step: the rows of the own particles and those beside them. By one
// thread.
__device__ void find_near(const sort_view &view)
{
    const gas_bands &bands = view.bands;
    const unsigned first = bands.bounds[bands.rank], last = min(bands.bounds[bands.rank + 1], view.count) - 1;
    bands_range low = {0, 0}, high = {0, 0};
    if (first <= last) {
        const int begin = static_cast<int>(row_of(view, first)) - 1,
                  end = static_cast<int>(row_of(view, last)) + 2, rows = static_cast<int>(view.rows);
        const bool wraps = view.is_periodic && (begin < 0 || end > rows);
        const auto start = [&](int row) { return view.starts[static_cast<unsigned>(row) * view.columns]; };
        if (wraps && end - begin >= rows) {
            low.end = view.count;
        } else if (wraps) {
            low.end = start(begin < 0 ? end : 1);
            high = {start(begin < 0 ? rows - 1 : begin), view.count};
        } else {
            low = {start(max(begin, 0)), start(min(end, rows))};
        }
    }
    bands.state->near[0] = low;
    bands.state->near[1] = high;
}

// No load here may use the read-only cache: other blocks write.
template <typename Part> __global__ void __launch_bounds__(THREADS) sort_kernel(const sort_view view)
{
    constexpr bool HAS_BANDS = std::is_same_v<Part, held_particles>;
    __shared__ block_storage storage;
    if (HAS_BANDS && blockIdx.x == 0 && threadIdx.x == 0)
        end_meeting(view.bands);
    if (view.wanted && *view.wanted != view.token)
        return;
    if (HAS_BANDS)
        await_readers(view.bands);
    Part part(view);
    cooperative_groups::grid_group all = cooperative_groups::this_grid();
    const unsigned cells = view.columns * view.rows;
    const chunk chunk = chunk_of_block(cells);
    for (unsigned c = first_of_thread(); c < cells; c += all_threads())
        view.starts[c] = 0;
    all.sync();
    draw_ranks(view, part);
    all.sync();
    add_up_chunk(view, chunk, storage);
    all.sync();
    scan_chunk(view, part, cells, chunk, storage);
    all.sync();
    take_slots(view, part);
    all.sync();
    move_in_order(view, part);
    if (!view.is_in_place)
        return;
    all.sync();
    if (HAS_BANDS && first_of_thread() == 0)
        find_near(view);
    move_back(view, part);
}

// Cuts the scratch into arrays; with NULL it only measures.
class cutter {
  public:
    explicit cutter(void *from) : base(static_cast<char *>(from)) {}
    template <typename T> T *take(size_t length)
    {
        T *const piece = base ? reinterpret_cast<T *>(base + used) : nullptr;
        used += (length * sizeof(T) + 255) / 256 * 256;
        return piece;
    }
    size_t used = 0;

  private:
    char *base;
};

size_t cut(void *scratch, size_t count, bool has_at_sort, bool has_masses, bool has_before, sort_view *view)
{
    cutter from(scratch);
    view->cell_of = from.take<unsigned>(count);
    view->rank = from.take<unsigned>(count);
    view->slots = from.take<unsigned>(count);
    view->totals = from.take<unsigned>(BLOCKS_MAX);
    view->spare.id = from.take<unsigned>(count);
    view->spare.velocity = from.take<double2>(count);
    if (!has_at_sort)
        view->spare.position = from.take<double2>(count);
    if (has_before)
        view->spare.before = from.take<double2>(count);
    if (has_masses)
        view->spare.mass = from.take<double>(count);
    return from.used;
}

} // namespace
} // namespace gas

using namespace gas;

extern "C" cudaError_t gas_device_grid_choose(struct gas_device_grid *grid, size_t count, int has_masses,
                                              int has_before, int device)
{
    sort_view view = {};
    int multiprocessors = 0, blocks = 0, blocks_held = 0;
    cudaError_t error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sort_kernel<all_particles>, THREADS, 0);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_held, sort_kernel<held_particles>,
                                                              THREADS, 0);
    blocks = blocks_held < blocks ? blocks_held : blocks;
    if (error != cudaSuccess)
        return error;
    const unsigned most = static_cast<unsigned>(blocks * multiprocessors);
    const unsigned useful = static_cast<unsigned>((count + THREADS - 1) / THREADS);
    grid->blocks = useful < most ? useful : most;
    if (grid->blocks > BLOCKS_MAX)
        grid->blocks = BLOCKS_MAX;
    grid->count = count;
    grid->scratch_bytes =
        cut(nullptr, count, grid->has_at_sort != 0, has_masses != 0, has_before != 0, &view);
    return cudaSuccess;
}

static sorted_arrays arrays_of(const gas_device_particles &particles)
{
    return {reinterpret_cast<double2 *>(particles.position), reinterpret_cast<double2 *>(particles.velocity),
            reinterpret_cast<double2 *>(particles.before), particles.mass, particles.id};
}

// The spare arrays become those of the particles.
static void exchange_arrays(gas_device_grid *grid, gas_device_particles *particles,
                            const sorted_arrays &sorted)
{
    gas_device_particles old = *particles;
    old.force = nullptr;
    particles->position = reinterpret_cast<double *>(sorted.position);
    particles->velocity = reinterpret_cast<double *>(sorted.velocity);
    particles->before = reinterpret_cast<double *>(sorted.before);
    particles->mass = sorted.mass;
    particles->id = sorted.id;
    grid->spare = old;
}

extern "C" cudaError_t gas_device_sort(struct gas_device_grid *grid, struct gas_device_particles *particles,
                                       const unsigned *wanted, unsigned token, cudaStream_t stream)
{
    sort_view view = {};
    view.count = static_cast<unsigned>(particles->count);
    view.columns = static_cast<unsigned>(grid->columns);
    view.rows = static_cast<unsigned>(grid->rows);
    view.box = {grid->box[GAS_X], grid->box[GAS_Y]};
    view.is_periodic = grid->is_periodic_y != 0;
    if (grid->bands)
        view.bands = *grid->bands;
    view.at = arrays_of(*particles);
    view.is_in_place = grid->has_at_sort != 0;
    cut(grid->scratch, grid->count, grid->has_at_sort != 0, particles->mass != nullptr,
        particles->before != nullptr, &view);
    if (grid->has_at_sort)
        view.spare.position = reinterpret_cast<double2 *>(grid->at_sort);
    else if (grid->spare.position)
        view.spare = arrays_of(grid->spare);
    view.starts = grid->starts;
    view.wanted = wanted;
    view.token = token;
    void *arguments[] = {&view};
    const void *const kernel = grid->bands ? reinterpret_cast<const void *>(sort_kernel<held_particles>)
                                           : reinterpret_cast<const void *>(sort_kernel<all_particles>);
    const cudaError_t error =
        cudaLaunchCooperativeKernel(kernel, dim3(grid->blocks), dim3(THREADS), arguments, 0, stream);
    if (error == cudaSuccess && !view.is_in_place)
        exchange_arrays(grid, particles, view.spare);
    return error;
}
