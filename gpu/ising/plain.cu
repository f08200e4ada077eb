// Sweeps of METROPOLIS_INTEGER with an integer or a byte a spin: a thread has the four spins of a sublattice
// that share a call of the generator.
#include "gpu/inline.cuh"
#include "gpu/ising/plain.h"
#include "gpu/launch.cuh"
#include "models/ising/random.h"

namespace ising {
namespace {

constexpr unsigned THREADS = 256;

// The two formats; `at`: the index of spin k of a plane's row.
struct whole {
    using spin = int32_t;
    static DEVICE int64_t at(const ising_words &l, int64_t half, int64_t line, int plane, int64_t k)
    {
        return line * 2 * half + 2 * k + plane;
    }
};

struct compressed {
    using spin = int8_t;
    static DEVICE int64_t at(const ising_words &l, int64_t half, int64_t line, int plane, int64_t k)
    {
        const int64_t replica = line / l.rows;
        return (line + (replica + plane) * l.rows) * half + k;
    }
};

struct plain_view {
    ising_words layout;
    int64_t half; // spins of a row of a plane
    ising_rule rule;
    void *spins;
    uint32_t *words;
    uint32_t sweep;
    int sublattice;
};

// ---- from words and to them: a thread a word

template <typename Format, bool is_spread>
__global__ void __launch_bounds__(THREADS) convert_kernel(const __grid_constant__ plain_view view)
{
    const ising_words &l = view.layout;
    const int64_t number = blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x;
    if (number >= 2 * l.replicas * l.rows * l.words)
        return;
    const int64_t row_of_plane = number / l.words, word = number - row_of_plane * l.words;
    const int64_t replica = row_of_plane / (2 * l.rows), in_replica = row_of_plane - replica * 2 * l.rows;
    const int plane = in_replica >= l.rows;
    const int64_t line = replica * l.rows + in_replica - plane * l.rows;
    typename Format::spin *const spins = static_cast<typename Format::spin *>(view.spins);
    uint32_t bits = is_spread ? view.words[number] : 0;
    for (int bit = 0; bit < l.bits; bit++) {
        typename Format::spin &spin = spins[Format::at(l, view.half, line, plane, bit * l.words + word)];
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
    int64_t line, above, below; // rows of all replicas
    int plane;                  // −1: the line has no spin of the sublattice
};

DEVICE line_place line_place_of(const plain_view &view, int64_t line)
{
    const ising_words &l = view.layout;
    const int64_t row = line % l.rows;
    return {line, row == 0 ? line + l.rows - 1 : line - 1, row == l.rows - 1 ? line - l.rows + 1 : line + 1,
            ising_sublattice_plane(l.is_helical, view.sublattice, row)};
}

// The horizontal neighbour of spin k whose index in its plane's row is not k.
struct other_side {
    int64_t line, k;
};
DEVICE other_side other_side_of(const plain_view &view, const line_place &p, int64_t k)
{
    const bool is_helical = view.layout.is_helical;
    if (p.plane == 0)
        return k > 0 ? other_side{p.line, k - 1} : other_side{is_helical ? p.above : p.line, view.half - 1};
    return k < view.half - 1 ? other_side{p.line, k + 1} : other_side{is_helical ? p.below : p.line, 0};
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

template <typename Format>
__global__ void __launch_bounds__(THREADS) sublattice_kernel(const __grid_constant__ plain_view view)
{
    __shared__ uint64_t thresholds[10];
    take_thresholds(view.rule, thresholds);
    const ising_words &l = view.layout;
    const int64_t half = view.half, all = l.replicas * l.rows * half;
    const int64_t quad = blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x;
    typename Format::spin *const spins = static_cast<typename Format::spin *>(view.spins);
    if (4 * quad >= all)
        return;
    const philox_counter random = ising_random_quad(view.rule.key, static_cast<uint64_t>(quad), view.sweep,
                                                    ising_purpose(ISING_USE_SPINS, view.sublattice, 0));
#pragma unroll
    for (int n = 0; n < 4; n++) {
        const int64_t number = 4 * quad + n, line = number / half, k = number - line * half;
        if (number >= all)
            return;
        const line_place p = line_place_of(view, line);
        if (p.plane < 0)
            continue;
        const other_side other = other_side_of(view, p, k);
        typename Format::spin &own = spins[Format::at(l, half, line, p.plane, k)];
        const int sum = spins[Format::at(l, half, p.above, p.plane, k)] +
                        spins[Format::at(l, half, p.below, p.plane, k)] +
                        spins[Format::at(l, half, line, 1 - p.plane, k)] +
                        spins[Format::at(l, half, other.line, 1 - p.plane, other.k)];
        if (flips(thresholds, own, sum, random.v[n]))
            own = -own;
    }
}

// Bytes, rows of whole quads: four spins are one load.
__global__ void __launch_bounds__(THREADS) sublattice_of_bytes_kernel(const __grid_constant__ plain_view view)
{
    __shared__ uint64_t thresholds[10];
    take_thresholds(view.rule, thresholds);
    const ising_words &l = view.layout;
    const int64_t half = view.half, quads = half / 4;
    const int64_t quad = blockIdx.x * static_cast<int64_t>(THREADS) + threadIdx.x;
    int8_t *const spins = static_cast<int8_t *>(view.spins);
    if (quad >= l.replicas * l.rows * quads)
        return;
    const int64_t line = quad / quads, k = 4 * (quad - line * quads);
    const line_place p = line_place_of(view, line);
    if (p.plane < 0)
        return;
    uint32_t *const own = reinterpret_cast<uint32_t *>(spins + compressed::at(l, half, line, p.plane, k));
    const auto four = [&](int64_t of_line, int plane) {
        return *reinterpret_cast<const uint32_t *>(spins + compressed::at(l, half, of_line, plane, k));
    };
    const other_side other = other_side_of(view, p, p.plane == 0 ? k : k + 3);
    const uint32_t same = four(line, 1 - p.plane);
    const uint32_t next =
        static_cast<uint8_t>(spins[compressed::at(l, half, other.line, 1 - p.plane, other.k)]);
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

plain_view view_of(const ising_plain *plain)
{
    plain_view view = {};
    view.layout = plain->layout;
    view.half = plain->layout.words * plain->layout.bits;
    view.spins = plain->spins;
    return view;
}

template <bool is_spread>
cudaError_t convert(const ising_plain *plain, const ising_device_lattice *lattice, cudaStream_t stream)
{
    const ising_words &l = plain->layout;
    const unsigned blocks = kernels::blocks_for(2 * l.replicas * l.rows * l.words, THREADS);
    plain_view view = view_of(plain);
    view.words = lattice->words;
    if (plain->format == ISING_PLAIN_WHOLE)
        convert_kernel<whole, is_spread><<<blocks, THREADS, 0, stream>>>(view);
    else
        convert_kernel<compressed, is_spread><<<blocks, THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

} // namespace
} // namespace ising

using namespace ising;

extern "C" size_t ising_plain_bytes(const struct ising_words *layout, enum ising_plain_format format)
{
    const size_t row = 2 * static_cast<size_t>(layout->words) * static_cast<size_t>(layout->bits);
    return static_cast<size_t>(layout->replicas * layout->rows) * row *
           (format == ISING_PLAIN_WHOLE ? sizeof(int32_t) : sizeof(int8_t));
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

extern "C" cudaError_t ising_plain_sweep(const struct ising_plain *plain, const struct ising_rule *rule,
                                         uint32_t sweep, cudaStream_t stream)
{
    plain_view view = view_of(plain);
    view.rule = *rule;
    view.sweep = sweep;
    const int64_t spins = view.layout.replicas * view.layout.rows * view.half;
    const unsigned blocks = kernels::blocks_for((spins + 3) / 4, THREADS);
    const int sublattices = view.layout.is_helical ? 4 : 2;
    for (view.sublattice = 0; view.sublattice < sublattices; view.sublattice++)
        if (plain->format == ISING_PLAIN_WHOLE)
            sublattice_kernel<whole><<<blocks, THREADS, 0, stream>>>(view);
        else if (view.half % 4 == 0)
            sublattice_of_bytes_kernel<<<blocks, THREADS, 0, stream>>>(view);
        else
            sublattice_kernel<compressed><<<blocks, THREADS, 0, stream>>>(view);
    return cudaGetLastError();
}

extern "C" cudaError_t ising_plain_load(void)
{
    return kernels::load(convert_kernel<whole, true>, convert_kernel<whole, false>,
                         convert_kernel<compressed, true>, convert_kernel<compressed, false>,
                         sublattice_kernel<whole>, sublattice_kernel<compressed>, sublattice_of_bytes_kernel);
}
