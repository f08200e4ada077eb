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

// What one rank says, or all together.
struct statement {
    bool is_stale, is_raised;
    int flux;
    gas_error_flag error_flag; // if it is raised
};

enum { STALE_BIT = 32, RAISED_BIT, FLUX_BIT };

DEVICE unsigned long long word_of(unsigned number, const statement &said)
{
    return number | static_cast<unsigned long long>(said.is_stale) << STALE_BIT |
           static_cast<unsigned long long>(said.is_raised) << RAISED_BIT |
           static_cast<unsigned long long>(static_cast<long long>(said.flux)) << FLUX_BIT;
}

// What a note says, whose word was read.
DEVICE statement statement_of(const bands_note &note, unsigned long long word)
{
    statement said = {(word >> STALE_BIT & 1) != 0,
                      (word >> RAISED_BIT & 1) != 0,
                      static_cast<int>(static_cast<long long>(word) >> FLUX_BIT),
                      {}};
    if (said.is_raised) {
        const volatile gas_error_flag &flag = note.error_flag;
        said.error_flag = {flag.step, flag.first};
    }
    return said;
}

// What this rank says. One block writes the consensus over it, which changes no consensus of the others.
DEVICE statement own_statement(const meet_view &view)
{
    const volatile gas_error_flag &flag = *view.error_flag;
    const volatile unsigned &stale = *view.stale;
    const gas_error_flag found = {flag.step, flag.first};
    return {stale == view.token, found.first != ~0ull, view.bands.state->flux, found};
}

DEVICE void join(statement &all, const statement &said)
{
    all.is_stale = all.is_stale || said.is_stale;
    all.flux += said.flux;
    if (!said.is_raised)
        return;
    const gas_error_flag &theirs = said.error_flag, &ours = all.error_flag;
    all.error_flag = {theirs.step < ours.step ? theirs.step : ours.step,
                      theirs.first < ours.first ? theirs.first : ours.first};
    all.is_raised = true;
}

DEVICE void tell(const meet_view &view, const statement &said)
{
    const gas_bands &bands = view.bands;
    const unsigned long long word = word_of(bands.number, said);
    for (int r = 0; r < bands.ranks; r++) {
        bands_note *const note = &bands.peers[r].notes[bands.rank];
        if (r == bands.rank)
            continue;
        if (said.is_raised)
            note->error_flag = said.error_flag;
        asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(&note->arrived), "l"(word) : "memory");
    }
}

DEVICE unsigned long long await_word(const bands_note &note, unsigned number, const int *failure)
{
    enum { LOOKS = 256 };
    unsigned long long word;
    for (int k = 1;; k++) {
        asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(word) : "l"(&note.arrived) : "memory");
        if (static_cast<int>(static_cast<unsigned>(word) - number) >= 0)
            return word;
        if (k % LOOKS == 0 && *static_cast<const volatile int *>(failure) != 0)
            return word;
    }
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

// By all threads of a block, of which one waits for each rank.
__device__ statement meet(const meet_view &view)
{
    __shared__ statement said[BANDS_RANKS_MAX];
    const gas_bands &bands = view.bands;
    const int rank = static_cast<int>(threadIdx.x);
    if (rank == bands.rank) {
        said[rank] = own_statement(view);
        if (blockIdx.x == 0)
            tell(view, said[rank]);
    } else if (rank < bands.ranks) {
        const unsigned long long begin_ns = kernels::now_ns();
        const bands_note &note = bands.notes[rank];
        said[rank] = statement_of(note, await_word(note, bands.number, bands.failure));
        if (blockIdx.x == 0 && rank == (bands.rank + 1) % bands.ranks)
            bands.state->waited_ns += kernels::now_ns() - begin_ns;
    }
    __syncthreads();
    statement all = said[bands.rank];
    for (int r = 0; r < bands.ranks; r++)
        if (r != bands.rank)
            join(all, said[r]);
    return all;
}

// By one thread. After an error nothing is sorted: a particle that was too fast may be in a row that no rank
// holds, and its own rank has it only as long as the order stays.
DEVICE void note_consensus(const meet_view &view, const statement &all)
{
    *view.error_flag = all.error_flag;
    if (all.is_raised)
        *view.stale = view.token - 1;
    else if (all.is_stale)
        *view.stale = view.token;
}

__global__ void __launch_bounds__(THREADS) meet_kernel(const __grid_constant__ meet_view view)
{
    bands_state *const state = view.bands.state;
    const bands_range near[2] = {state->near[0], state->near[1]}; // while it waits
    const bool notes = blockIdx.x == 0 && threadIdx.x == 0;
    const statement all = meet(view);
    if (notes)
        note_consensus(view, all);
    if (all.is_raised)
        return;
    if (!all.is_stale) {
        const unsigned count = read<false>(view, near);
        if (notes)
            state->read_bytes += count * sizeof(double2);
        return;
    }
    const bands_state part = find_held(view, all.flux);
    const unsigned count = read<true>(view, part.held);
    if (!notes)
        return;
    state->read_bytes += count * (2 * sizeof(double2) + sizeof(unsigned) + (view.mass ? sizeof(double) : 0));
    for (int k = 0; k < 2; k++) {
        state->held[k] = part.held[k];
        state->base[k] = part.base[k];
    }
    state->split_row = part.split_row;
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
