// Meetings of the ranks that hold bands of the particles (see the header). A kernel of a few blocks, of which
// each does the same up to the copies: it takes what the others tell, and finds the rows to read.
#include "gpu/gas/bands.cuh"
#include "gpu/gas/cell.cuh"
#include "gpu/gas/error_flag.cuh"

#include "gpu/clock.cuh"
#include "gpu/launch.cuh"

namespace gas {
namespace {

enum { THREADS = 256, BLOCKS = 64, ROWS_HELD = 3 };

struct meet_view {
    gas_bands bands;
    unsigned columns, rows;
    double height; // of the box
    bool is_periodic;
    double2 *position, *velocity;
    double *mass;
    unsigned *id;
    unsigned *stale, token;
    long long done;
    gas_error_flag *error_flag;

    DEVICE unsigned count() const { return bands.bounds[bands.ranks]; }
    DEVICE unsigned first() const { return bands.bounds[bands.rank]; }
    DEVICE unsigned end() const { return bands.bounds[bands.rank + 1]; }
    DEVICE const bands_peer &owner(unsigned i) const
    {
        int rank = 0;
        while (i >= bands.bounds[rank + 1])
            rank++;
        return bands.peers[rank];
    }
    // The row that a particle was in at the last sort.
    DEVICE unsigned row_of(unsigned i) const
    {
        const double *const y = owner(i).at_sort + GAS_AXES * static_cast<size_t>(i) + GAS_Y;
        return cell_on(__ldcg(y), height, rows);
    }
};

// What all ranks together say.
struct consensus {
    bool is_stale;
    int flux;
    gas_error_flag error_flag;
};

// The present state of a flag that is written before.
template <typename T> DEVICE T seen(const T &value)
{
    return *static_cast<const volatile T *>(&value);
}

DEVICE gas_error_flag seen_flag(const gas_error_flag &flag)
{
    return {seen(flag.step), seen(flag.first)};
}

DEVICE void tell(const meet_view &view)
{
    const gas_bands &bands = view.bands;
    for (int r = 0; r < bands.ranks; r++) {
        if (r == bands.rank)
            continue;
        bands_note *const note = &bands.peers[r].notes[bands.rank];
        note->is_stale = seen(*view.stale) == view.token;
        note->flux = seen(bands.state->flux);
        note->error_flag = seen_flag(*view.error_flag);
    }
    __threadfence_system();
    for (int r = 0; r < bands.ranks; r++)
        if (r != bands.rank)
            release_number(&bands.peers[r].notes[bands.rank].arrived, bands.number);
}

DEVICE consensus listen(const meet_view &view)
{
    const gas_bands &bands = view.bands;
    consensus all = {seen(*view.stale) == view.token, seen(bands.state->flux), seen_flag(*view.error_flag)};
    for (int r = 0; r < bands.ranks; r++) {
        const bands_note &note = bands.notes[r];
        if (r == bands.rank)
            continue;
        const gas_error_flag theirs = seen_flag(note.error_flag);
        all.is_stale = all.is_stale || seen(note.is_stale) != 0;
        all.flux += seen(note.flux);
        all.error_flag.step = theirs.step < all.error_flag.step ? theirs.step : all.error_flag.step;
        all.error_flag.first = theirs.first < all.error_flag.first ? theirs.first : all.error_flag.first;
    }
    return all;
}

// The first particle that was in this row or in one above. By all threads of the block.
__device__ unsigned first_in_row(const meet_view &view, int row)
{
    unsigned low = 0, high = view.count(); // low: all before are below; high: it is above
    while (low < high) {
        const unsigned length = high - low, stride = (length + THREADS - 1) / THREADS;
        const unsigned i = low + threadIdx.x * stride;
        const int below = __syncthreads_count(i < high && static_cast<int>(view.row_of(i)) < row);
        if (below == 0)
            return low;
        const unsigned last = low + (static_cast<unsigned>(below) - 1) * stride, next = last + stride;
        low = last + 1;
        high = next < high ? next : high;
    }
    return low;
}

// The rows where the own particles may be after the sort are these and those beside them.
struct own_rows {
    int low, high;
};

__device__ own_rows find_own_rows(const meet_view &view, int flux)
{
    __shared__ own_rows found;
    const int last = static_cast<int>(view.count()) - 1, first = static_cast<int>(view.first()) - flux,
              end = static_cast<int>(view.end()) - 1 - flux;
    if (threadIdx.x == 0)
        found.low = view.first() == 0 ? 0 : static_cast<int>(view.row_of(min(max(first, 0), last)));
    if (threadIdx.x == 32)
        found.high = view.end() == view.count() ? static_cast<int>(view.rows) - 1
                                                : static_cast<int>(view.row_of(min(max(end, 0), last)));
    __syncthreads();
    return found;
}

__device__ bands_state hold_all(unsigned count)
{
    bands_state all = {};
    all.held[0] = {0, count};
    all.split_row = BANDS_NO_SPLIT;
    return all;
}

// Rows low … high, which do not reach the ends of a periodic box.
__device__ bands_state hold_between(const meet_view &view, int low, int high, int flux)
{
    bands_state part = {};
    part.held[0] = {first_in_row(view, low), first_in_row(view, high + 1)};
    part.base[0] = static_cast<int>(part.held[0].first) + flux;
    part.split_row = BANDS_NO_SPLIT;
    return part;
}

// Rows 0 … low_end and high_first … of a periodic box.
__device__ bands_state hold_ends(const meet_view &view, int low_end, int high_first)
{
    bands_state part = {};
    part.held[0] = {0, first_in_row(view, low_end + 1)};
    part.held[1] = {first_in_row(view, high_first), view.count()};
    part.base[1] = static_cast<int>(part.held[1].first) - static_cast<int>(part.held[0].end);
    part.split_row = static_cast<unsigned>(high_first) - 1;
    return part;
}

// What this rank holds for a sort. By all threads of the block.
__device__ bands_state find_held(const meet_view &view, int flux)
{
    const own_rows own = find_own_rows(view, flux);
    const int rows = static_cast<int>(view.rows);
    const int low = own.low - ROWS_HELD, high = own.high + ROWS_HELD;
    if (!view.is_periodic)
        return hold_between(view, max(low, 0), min(high, rows - 1), 0);
    if (low > 0 && high < rows - 1)
        return hold_between(view, low, high, flux);
    const int low_end = low <= 0 ? high : max(high - rows, 0);
    const int high_first = low <= 0 ? min(rows + low, rows - 1) : low;
    if ((low <= 0 && high >= rows - 1) || high_first < low_end + 4)
        return hold_all(view.count());
    return hold_ends(view, low_end, high_first);
}

// Particles first … end − 1, of other ranks.
template <bool HAS_ALL> DEVICE void read_others(const meet_view &view, unsigned first, unsigned end)
{
    for (unsigned i = first + blockIdx.x * THREADS + threadIdx.x; i < end; i += BLOCKS * THREADS) {
        const bands_peer &from = view.owner(i);
        view.position[i] = __ldcg(reinterpret_cast<const double2 *>(from.position) + i);
        if (!HAS_ALL)
            continue;
        view.velocity[i] = __ldcg(reinterpret_cast<const double2 *>(from.velocity) + i);
        view.id[i] = __ldcg(from.id + i);
        if (view.mass)
            view.mass[i] = __ldcg(from.mass + i);
    }
}

template <bool HAS_ALL> DEVICE unsigned read(const meet_view &view, const bands_range (&ranges)[2])
{
    const unsigned first = view.first(), end = view.end();
    unsigned count = 0;
    for (const bands_range &range : ranges) {
        const bands_range before = {range.first, min(range.end, first)},
                          after = {max(range.first, end), range.end};
        read_others<HAS_ALL>(view, before.first, before.end);
        read_others<HAS_ALL>(view, after.first, after.end);
        count += (before.end > before.first ? before.end - before.first : 0) +
                 (after.end > after.first ? after.end - after.first : 0);
    }
    return count;
}

// By the first thread of the last block: nobody reads what it writes any more.
DEVICE void end_meeting(const meet_view &view, const consensus &all, unsigned long long read_bytes)
{
    const gas_bands &bands = view.bands;
    bands.state->blocks_done = 0;
    bands.state->flux = 0;
    bands.state->read_bytes += read_bytes;
    *view.error_flag = all.error_flag;
    if (all.is_stale)
        *view.stale = view.token;
    __threadfence_system();
    for (int r = 0; r < bands.ranks; r++)
        if (r != bands.rank)
            release_number(&bands.peers[r].notes[bands.rank].taken, bands.number);
}

DEVICE void await_others(const meet_view &view)
{
    const gas_bands &bands = view.bands;
    const int other = static_cast<int>(threadIdx.x);
    const unsigned long long begin_ns = kernels::now_ns();
    if (other < bands.ranks && other != bands.rank)
        await_number(&bands.notes[other].arrived, bands.number, bands.failure);
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        bands.state->waited_ns += kernels::now_ns() - begin_ns;
}

__global__ void __launch_bounds__(THREADS) meet_kernel(const __grid_constant__ meet_view view)
{
    __shared__ consensus all;
    bands_state *const state = view.bands.state;
    unsigned long long read_bytes = 0;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        tell(view);
    await_others(view);
    if (threadIdx.x == 0)
        all = listen(view);
    __syncthreads();
    const bool was_stopped = all.error_flag.step < view.done; // nothing has moved
    if (!was_stopped && all.is_stale) {
        const bands_state part = find_held(view, all.flux);
        read_bytes = read<true>(view, part.held) *
                     (2 * sizeof(double2) + sizeof(unsigned) + (view.mass ? sizeof(double) : 0));
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            for (int k = 0; k < 2; k++) {
                state->held[k] = part.held[k];
                state->base[k] = part.base[k];
            }
            state->split_row = part.split_row;
        }
    } else if (!was_stopped) {
        const bands_range near[2] = {state->near[0], state->near[1]};
        read_bytes = read<false>(view, near) * sizeof(double2);
    }
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    __threadfence();
    if (atomicAdd(&state->blocks_done, 1u) + 1 == BLOCKS)
        end_meeting(view, all, read_bytes);
}

__global__ void hold_all_kernel(bands_state *state, unsigned count)
{
    state->held[0] = {0, count};
    state->held[1] = {0, 0};
    state->base[0] = state->base[1] = 0;
    state->split_row = BANDS_NO_SPLIT;
    state->flux = 0;
}

} // namespace
} // namespace gas

extern "C" cudaError_t gas_bands_meet(const struct gas_bands *bands, const struct gas_meeting *meeting,
                                      const struct gas_device_particles *particles, cudaStream_t stream)
{
    gas::meet_view view = {};
    view.bands = *bands;
    view.columns = static_cast<unsigned>(meeting->grid->columns);
    view.rows = static_cast<unsigned>(meeting->grid->rows);
    view.height = meeting->grid->box[GAS_Y];
    view.is_periodic = meeting->grid->is_periodic_y != 0;
    view.position = reinterpret_cast<double2 *>(particles->position);
    view.velocity = reinterpret_cast<double2 *>(particles->velocity);
    view.mass = particles->mass;
    view.id = particles->id;
    view.stale = meeting->stale;
    view.token = meeting->token;
    view.done = meeting->done;
    view.error_flag = meeting->error_flag;
    gas::meet_kernel<<<gas::BLOCKS, gas::THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t gas_bands_hold_all(const struct gas_bands *bands, size_t count, cudaStream_t stream)
{
    gas::hold_all_kernel<<<1, 1, 0, stream>>>(bands->state, static_cast<unsigned>(count));
    return cudaGetLastError();
}

extern "C" cudaError_t gas_bands_load(void)
{
    return kernels::load(gas::meet_kernel, gas::hold_all_kernel);
}
