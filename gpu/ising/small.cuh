// What the kernels of small lattices have in common: a block's lattice in shared memory, a thread's words in
// it, and its measurement. Private to gpu/ising/small*.
#ifndef FATHOM_GPU_ISING_SMALL_CUH
#define FATHOM_GPU_ISING_SMALL_CUH

#include "gpu/inline.cuh"
#include "gpu/ising/kernels.h"
#include "gpu/philox.cuh"
#include "models/ising/random.h"

namespace ising {

using namespace philox;

constexpr unsigned ALL_LANES = 0xffffffffu, MOST_THREADS = 1024;

// The rule, and the binary digits of its thresholds, most significant first. A digit is stored as a word
// whose 32 bits all have its value.
struct small_rule : ising_rule {
    struct {
        uint32_t three[32], four[32], thresholds[2][5][32];
    } digits;
};

struct small_view {
    ising_words layout;
    small_rule rule;
    uint32_t *words;
    uint32_t first_sweep;
    int64_t sweeps, every;
    long long *measures;
};

// Number of threads of a block. Each thread has one word of each sublattice. The first random word of a
// replica may lie inside a quad, so that up to three more threads are needed.
inline unsigned word_threads(const ising_words &l)
{
    const int64_t in_sublattice = l.rows * l.words,
                  needed = in_sublattice % 4 == 0 ? in_sublattice : in_sublattice + 3;
    return static_cast<unsigned>((needed + 31) / 32 * 32);
}

inline size_t lattice_bytes(const ising_words &l)
{
    return 2 * static_cast<size_t>(l.rows * l.words) * sizeof(uint32_t);
}

// small_ahead.cu: for few lattices of few words.
bool ahead_fits(const ising_words &layout);
cudaError_t ahead_begin(const small_view &view, cudaStream_t stream);
cudaError_t ahead_load();

namespace {

// The indices of a thread's word of a plane, and of its neighbours, in the block's lattice.
struct small_place {
    unsigned own, at[ISING_NEIGHBOUR_WORDS], seam;
    bool is_end; // at the end of the row, where a neighbour comes from the word `seam`
};

struct small_thread {
    bool is_active; // has a word of the lattice
    unsigned row;
    uint64_t quad;
    small_place places[2]; // of its row's planes
};

DEVICE small_place place_of(const ising_words &l, int plane, unsigned row, unsigned word)
{
    const struct ising_neighbour_places places = ising_neighbour_places(&l, 0, plane, row, word);
    small_place place;
    place.own = static_cast<unsigned>(ising_word_at(&l, 0, plane, row, word));
    for (int n = 0; n < ISING_NEIGHBOUR_WORDS; n++)
        place.at[n] = static_cast<unsigned>(places.at[n]);
    place.is_end = places.seam >= 0;
    place.seam = place.is_end ? static_cast<unsigned>(places.seam) : place.own;
    return place;
}

// first_word: number of the replica's first random word of a sublattice.
DEVICE small_thread thread_of(const ising_words &l, uint64_t first_word)
{
    const unsigned in_sublattice = static_cast<unsigned>(l.rows * l.words),
                   words = static_cast<unsigned>(l.words);
    const int number = static_cast<int>(threadIdx.x) - static_cast<int>(first_word % 4);
    small_thread thread;
    thread.is_active = number >= 0 && number < static_cast<int>(in_sublattice);
    const unsigned own = thread.is_active ? static_cast<unsigned>(number) : 0;
    thread.row = own / words;
    thread.quad = first_word / 4 + threadIdx.x / 4;
    for (int plane = 0; plane < 2; plane++)
        thread.places[plane] = place_of(l, plane, thread.row, own % words);
    return thread;
}

DEVICE void neighbours_of(const ising_words &l, const uint32_t *spins, int plane, const small_place &place,
                          uint32_t neighbours[ISING_NEIGHBOUR_WORDS])
{
    for (int n = 0; n < ISING_NEIGHBOUR_WORDS; n++)
        neighbours[n] = spins[place.at[n]];
    const uint32_t outside = spins[place.seam];
    if (place.is_end)
        neighbours[ISING_OTHER_SIDE] =
            ising_rotate_word(l.bits, plane, neighbours[ISING_OTHER_SIDE], outside);
}

// A thread's word, and its neighbours, in a sublattice that lies in plane `plane` of the thread's row.
struct small_flip {
    small_place place;
    uint32_t valid[1], own[1], neighbours[1][ISING_NEIGHBOUR_WORDS];
};

DEVICE small_flip flip_of(const ising_words &l, const uint32_t *spins, const small_thread &thread, int plane)
{
    small_flip flip;
    flip.place = plane == 1 ? thread.places[1] : thread.places[0];
    flip.valid[0] = ising_word_mask(l.bits);
    flip.own[0] = spins[flip.place.own];
    neighbours_of(l, spins, plane, flip.place, flip.neighbours[0]);
    return flip;
}

DEVICE void take_lattice(const small_view &view, uint32_t *spins)
{
    const unsigned words = 2 * static_cast<unsigned>(view.layout.rows * view.layout.words);
    for (unsigned k = threadIdx.x; k < words; k += blockDim.x)
        spins[k] = view.words[static_cast<int64_t>(blockIdx.x) * words + k];
}

DEVICE void give_lattice(const small_view &view, const uint32_t *spins)
{
    const unsigned words = 2 * static_cast<unsigned>(view.layout.rows * view.layout.words);
    for (unsigned k = threadIdx.x; k < words; k += blockDim.x)
        view.words[static_cast<int64_t>(blockIdx.x) * words + k] = spins[k];
}

// Measures the block's lattice. Two sets of sums, 0 at the start, alternate, so that threads may add to one
// before the other has been read.
DEVICE void measure_lattice(const small_view &view, const uint32_t *spins, const small_thread &thread,
                            int64_t record, unsigned (*sums)[2])
{
    const ising_words &l = view.layout;
    unsigned *const sum = sums[record % 2], unlike = 0, up = 0;
    if (thread.is_active)
        for (int plane = 0; plane < 2; plane++) {
            uint32_t neighbours[ISING_NEIGHBOUR_WORDS];
            const uint32_t own = spins[thread.places[plane].own];
            neighbours_of(l, spins, plane, thread.places[plane], neighbours);
            up += __popc(own);
            unlike += __popc(own ^ neighbours[ISING_BELOW]);
            if (plane == 0)
                unlike +=
                    __popc(own ^ neighbours[ISING_SAME_SIDE]) + __popc(own ^ neighbours[ISING_OTHER_SIDE]);
        }
    unlike = __reduce_add_sync(ALL_LANES, unlike);
    up = __reduce_add_sync(ALL_LANES, up);
    if (threadIdx.x % 32 == 0 && (unlike | up) != 0) {
        atomicAdd(&sum[0], unlike);
        atomicAdd(&sum[1], up);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const long long sites = 2 * l.rows * l.words * l.bits;
        long long *const to = view.measures + (record * l.replicas + blockIdx.x) * ISING_MEASURE_NUMBERS;
        to[0] = 2 * sites - 2 * static_cast<long long>(sum[0]);
        to[1] = 2 * static_cast<long long>(sum[1]) - sites;
        sum[0] = sum[1] = 0;
    }
}

} // namespace
} // namespace ising

#endif
