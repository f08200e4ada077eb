// Sweeps of METROPOLIS_INTEGER with an integer or a byte a spin: a thread has the four spins of a sublattice
// that share a call of the generator.
#include "gpu/inline.cuh"
#include "gpu/ising/plain.h"
#include "gpu/launch.cuh"
#include "models/ising/random.h"

namespace ising {
namespace {

constexpr unsigned THREADS = 256;

struct plain_view {
    ising_words layout;
    int64_t half, pitch; // spins of a row of a plane; COMPRESSED: from one to the next
    ising_rule rule;
    void *spins; // where row 0 is, or would be
    uint32_t *words;
    uint32_t sweep;
    int sublattice;
    ising_row_set rows;
};

// The two formats; `at`: the index of spin k of a plane's row.
struct whole {
    using spin = int32_t;
    static DEVICE int64_t at(const plain_view &view, int64_t replica, int plane, int64_t row, int64_t k)
    {
        return ((replica * view.layout.held + row) * view.half + k) * 2 + plane;
    }
};

struct compressed {
    using spin = int8_t;
    static DEVICE int64_t at(const plain_view &view, int64_t replica, int plane, int64_t row, int64_t k)
    {
        return ((replica * 2 + plane) * view.layout.held + row) * view.pitch + k;
    }
};

// ---- from words and to them: a thread a word. Rows are counted in memory: spins and words begin with the
// first.

template <typename Format, bool is_spread>
__global__ void __launch_bounds__(THREADS) convert_kernel(const __grid_constant__ plain_view view)
{
    const ising_words &l = view.layout;
    const int64_t number = blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x;
    if (number >= 2 * l.replicas * l.held * l.words)
        return;
    const int64_t row_of_plane = number / l.words, word = number - row_of_plane * l.words;
    const int64_t replica = row_of_plane / (2 * l.held), in_replica = row_of_plane - replica * 2 * l.held;
    const int plane = in_replica >= l.held;
    const int64_t row = in_replica - plane * l.held;
    typename Format::spin *const spins = static_cast<typename Format::spin *>(view.spins);
    uint32_t bits = is_spread ? view.words[number] : 0;
    for (int bit = 0; bit < l.bits; bit++) {
        typename Format::spin &spin = spins[Format::at(view, replica, plane, row, bit * l.words + word)];
        if (is_spread)
            spin = bits >> bit & 1 ? 1 : -1;
        else
            bits |= static_cast<uint32_t>(spin > 0) << bit;
    }
    if (!is_spread)
        view.words[number] = bits;
}

// ---- a sublattice

struct line_place {
    int64_t replica, row, above, below;
    int plane; // −1: the row has no spin of the sublattice
};

// line: of the view's rows of all replicas.
DEVICE line_place line_place_of(const plain_view &view, int64_t line)
{
    const ising_words &l = view.layout;
    const int64_t replica = line / view.rows.count,
                  row = view.rows.first + (line - replica * view.rows.count) * view.rows.step;
    return {replica, row, ising_row_above(&l, row), ising_row_below(&l, row),
            ising_sublattice_plane(l.is_helical, view.sublattice, row)};
}

// The horizontal neighbour of spin k whose index in its plane's row is not k.
struct other_side {
    int64_t row, k;
};
DEVICE other_side other_side_of(const plain_view &view, const line_place &p, int64_t k)
{
    const bool is_helical = view.layout.is_helical;
    if (p.plane == 0)
        return k > 0 ? other_side{p.row, k - 1} : other_side{is_helical ? p.above : p.row, view.half - 1};
    return k < view.half - 1 ? other_side{p.row, k + 1} : other_side{is_helical ? p.below : p.row, 0};
}

// Copies the thresholds to shared memory.
DEVICE void take_thresholds(const ising_rule &rule, uint64_t *thresholds)
{
    if (threadIdx.x < 10)
        thresholds[threadIdx.x] = rule.thresholds[threadIdx.x / 5][threadIdx.x % 5];
    __syncthreads();
}

// Of a spin and the sum of its neighbours.
DEVICE bool flips(const uint64_t *thresholds, int spin, int sum, uint32_t random)
{
    return random < thresholds[(spin > 0 ? 5 : 0) + (sum + 4) / 2];
}

// Spin k of a row, and its number in the sublattice.
template <typename Format>
DEVICE void flip_spin(const plain_view &view, const uint64_t *thresholds, const line_place &p, int64_t k,
                      uint32_t random)
{
    typename Format::spin *const spins = static_cast<typename Format::spin *>(view.spins);
    if (p.plane < 0)
        return;
    const other_side other = other_side_of(view, p, k);
    typename Format::spin &own = spins[Format::at(view, p.replica, p.plane, p.row, k)];
    const int sum = spins[Format::at(view, p.replica, p.plane, p.above, k)] +
                    spins[Format::at(view, p.replica, p.plane, p.below, k)] +
                    spins[Format::at(view, p.replica, 1 - p.plane, p.row, k)] +
                    spins[Format::at(view, p.replica, 1 - p.plane, other.row, other.k)];
    if (flips(thresholds, own, sum, random))
        own = -own;
}

// Of the rows' spins a thread has four that share a call, of one row or of several.
template <typename Format>
__global__ void __launch_bounds__(THREADS) sublattice_kernel(const __grid_constant__ plain_view view)
{
    __shared__ uint64_t thresholds[10];
    take_thresholds(view.rule, thresholds);
    const ising_words &l = view.layout;
    const int64_t half = view.half, all = l.replicas * l.rows * half;
    const int64_t quad = blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x;
    if (4 * quad >= all)
        return;
    const philox_counter random = ising_random_quad(view.rule.key, static_cast<uint64_t>(quad), view.sweep,
                                                    ising_purpose(ISING_USE_SPINS, view.sublattice, 0));
#pragma unroll
    for (int n = 0; n < 4; n++) {
        const int64_t number = 4 * quad + n, line = number / half, k = number - line * half;
        if (number >= all)
            return;
        flip_spin<Format>(view, thresholds, line_place_of(view, line), k, random.v[n]);
    }
}

// Of a part of the rows, line by line: a quad that has spins of two lines is drawn for each.
template <typename Format>
__global__ void __launch_bounds__(THREADS) part_kernel(const __grid_constant__ plain_view view)
{
    __shared__ uint64_t thresholds[10];
    take_thresholds(view.rule, thresholds);
    const int64_t in_line = view.half / 4 + 2;
    const int64_t item = blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x, line = item / in_line;
    if (line >= view.layout.replicas * view.rows.count)
        return;
    const line_place p = line_place_of(view, line);
    const int64_t first = (p.replica * view.layout.rows + p.row) * view.half;
    const int64_t quad = first / 4 + item - line * in_line;
    const philox_counter random = ising_random_quad(view.rule.key, static_cast<uint64_t>(quad), view.sweep,
                                                    ising_purpose(ISING_USE_SPINS, view.sublattice, 0));
#pragma unroll
    for (int n = 0; n < 4; n++) {
        const int64_t k = 4 * quad + n - first;
        if (k >= 0 && k < view.half)
            flip_spin<Format>(view, thresholds, p, k, random.v[n]);
    }
}

// Bytes, rows of whole quads: four spins are one load.
__global__ void __launch_bounds__(THREADS) sublattice_of_bytes_kernel(const __grid_constant__ plain_view view)
{
    __shared__ uint64_t thresholds[10];
    take_thresholds(view.rule, thresholds);
    const ising_words &l = view.layout;
    const int64_t quads = view.half / 4;
    const int64_t item = blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x;
    int8_t *const spins = static_cast<int8_t *>(view.spins);
    if (item >= l.replicas * view.rows.count * quads)
        return;
    const int64_t line = item / quads, in_line = item - line * quads, k = 4 * in_line;
    const line_place p = line_place_of(view, line);
    if (p.plane < 0)
        return;
    const auto at = [&](int plane, int64_t row, int64_t place) {
        return spins + compressed::at(view, p.replica, plane, row, place);
    };
    const auto four = [&](int64_t row, int plane) {
        return *reinterpret_cast<const uint32_t *>(at(plane, row, k));
    };
    uint32_t *const own = reinterpret_cast<uint32_t *>(at(p.plane, p.row, k));
    const int64_t quad = (p.replica * l.rows + p.row) * quads + in_line;
    const other_side other = other_side_of(view, p, p.plane == 0 ? k : k + 3);
    const uint32_t same = four(p.row, 1 - p.plane);
    const uint32_t next = static_cast<uint8_t>(*at(1 - p.plane, other.row, other.k));
    const uint32_t beside = p.plane == 0 ? same << 8 | next : same >> 8 | next << 24;
    const uint32_t sums =
        __vadd4(__vadd4(four(p.above, p.plane), four(p.below, p.plane)), __vadd4(same, beside));
    const philox_counter random = ising_random_quad(view.rule.key, static_cast<uint64_t>(quad), view.sweep,
                                                    ising_purpose(ISING_USE_SPINS, view.sublattice, 0));
    uint32_t value = *own;
#pragma unroll
    for (int n = 0; n < 4; n++) {
        const int spin = static_cast<int8_t>(value >> 8 * n), sum = static_cast<int8_t>(sums >> 8 * n);
        if (flips(thresholds, spin, sum, random.v[n]))
            value ^= 0xfeu << 8 * n; // 1 and −1
    }
    *own = value;
}

// The memory's first row is row 0.
plain_view view_of(const ising_plain *plain)
{
    plain_view view = {};
    view.layout = plain->layout;
    view.half = plain->layout.words * plain->layout.bits;
    view.pitch = (view.half + 3) / 4 * 4;
    view.spins = plain->spins;
    return view;
}

template <bool is_spread>
cudaError_t convert(const ising_plain *plain, const ising_device_lattice *lattice, cudaStream_t stream)
{
    const ising_words &l = plain->layout;
    const unsigned blocks = kernels::blocks_for(2 * l.replicas * l.held * l.words, THREADS);
    plain_view view = view_of(plain);
    view.words = lattice->words + lattice->first_held * l.words;
    if (plain->format == ISING_PLAIN_WHOLE)
        convert_kernel<whole, is_spread><<<blocks, THREADS, 0, stream>>>(view);
    else
        convert_kernel<compressed, is_spread><<<blocks, THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

template <typename Format> void begin_sublattice(const plain_view &view, cudaStream_t stream)
{
    const ising_words &l = view.layout;
    const int64_t lines = l.replicas * view.rows.count;
    if (view.rows.count == l.rows)
        sublattice_kernel<Format>
            <<<kernels::blocks_for((lines * view.half + 3) / 4, THREADS), THREADS, 0, stream>>>(view);
    else
        part_kernel<Format>
            <<<kernels::blocks_for(lines * (view.half / 4 + 2), THREADS), THREADS, 0, stream>>>(view);
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" size_t ising_plain_row_bytes(const struct ising_plain *plain)
{
    const plain_view view = view_of(plain);
    return plain->format == ISING_PLAIN_WHOLE ? 2 * static_cast<size_t>(view.half) * sizeof(int32_t)
                                              : static_cast<size_t>(view.pitch);
}

extern "C" size_t ising_plain_parts(const struct ising_plain *plain)
{
    return static_cast<size_t>(plain->layout.replicas) * (plain->format == ISING_PLAIN_WHOLE ? 1 : 2);
}

extern "C" cudaError_t ising_plain_spread(const struct ising_plain *plain,
                                          const struct ising_device_lattice *from, cudaStream_t stream)
{
    return convert<true>(plain, from, stream);
}

extern "C" cudaError_t ising_plain_gather(const struct ising_plain *plain,
                                          const struct ising_device_lattice *to, cudaStream_t stream)
{
    return convert<false>(plain, to, stream);
}

extern "C" cudaError_t ising_plain_sublattice(const struct ising_plain *plain, const struct ising_rule *rule,
                                              uint32_t sweep, int sublattice,
                                              const struct ising_row_set *rows, cudaStream_t stream)
{
    plain_view view = view_of(plain);
    view.rule = *rule;
    view.sweep = sweep;
    view.sublattice = sublattice;
    view.rows = *rows;
    view.spins = static_cast<char *>(plain->spins) -
                 plain->first_held * static_cast<int64_t>(ising_plain_row_bytes(plain));
    const int64_t quads = view.layout.replicas * rows->count * (view.half / 4);
    if (plain->format == ISING_PLAIN_WHOLE)
        begin_sublattice<whole>(view, stream);
    else if (view.half % 4 == 0)
        sublattice_of_bytes_kernel<<<kernels::blocks_for(quads, THREADS), THREADS, 0, stream>>>(view);
    else
        begin_sublattice<compressed>(view, stream);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_plain_load(void)
{
    return kernels::load(convert_kernel<whole, true>, convert_kernel<whole, false>,
                         convert_kernel<compressed, true>, convert_kernel<compressed, false>,
                         sublattice_kernel<whole>, sublattice_kernel<compressed>, part_kernel<whole>,
                         part_kernel<compressed>, sublattice_of_bytes_kernel);
}
