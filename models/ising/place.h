// Where the spins of a lattice lie, word by word (state.h, WORDS): the words of a phase in the order of their random numbers, and each one's
// neighbours. One text for the fast versions on the processor and on the GPU.
#ifndef FATHOM_MODELS_ISING_PLACE_H
#define FATHOM_MODELS_ISING_PLACE_H

#include "core/host_device.h"
#include "models/ising/state.h"

struct ising_words {
    int64_t rows, words, replicas; // words: of a row of a plane
    int bits;                      // spins of a word
    bool is_helical;
};

static inline struct ising_words ising_words_of(const struct ising_lattice *lattice)
{
    struct ising_words words;
    words.rows = lattice->rows;
    words.words = ising_row_words(lattice->columns);
    words.replicas = lattice->replicas;
    words.bits = ising_word_bits(lattice->columns);
    words.is_helical = lattice->boundary == ISING_HELICAL;
    return words;
}

static FATHOM_HOST_DEVICE uint32_t ising_word_mask(int bits)
{
    return bits == 32 ? 0xffffffffu : ((uint32_t)1 << bits) - 1;
}

// The plane that a phase takes in a row; −1: none.
static FATHOM_HOST_DEVICE int ising_phase_plane(bool is_helical, int phase, int64_t row)
{
    if (!is_helical)
        return (int)((row + phase) & 1);
    if ((row & 1) != (phase & 1)) // phases (x, y) mod 2: (0, 0), (1, 1), (1, 0), (0, 1): rows 0, 1, 0, 1
        return -1;
    return phase == 1 || phase == 2;
}

// Word `word` of a row of a plane of a replica.
static FATHOM_HOST_DEVICE int64_t ising_word_at(const struct ising_words *l, int64_t replica, int plane,
                                                int64_t row, int64_t word)
{
    return ((replica * 2 + plane) * l->rows + row) * l->words + word;
}

enum { ISING_SAME_SIDE, ISING_OTHER_SIDE, ISING_ABOVE, ISING_BELOW, ISING_NEIGHBOUR_WORDS };

// The neighbours of all spins of a word, bit by bit. SAME_SIDE: those in the other plane at the same place; OTHER_SIDE: one place on.
static FATHOM_HOST_DEVICE void ising_neighbour_words(const struct ising_words *l, const uint32_t *spins,
                                                     int64_t replica, int plane, int64_t row, int64_t word,
                                                     uint32_t neighbours[ISING_NEIGHBOUR_WORDS])
{
    const int64_t above = row == 0 ? l->rows - 1 : row - 1, below = row == l->rows - 1 ? 0 : row + 1;
    const int64_t side = ising_word_at(l, replica, 1 - plane, row, 0), last = l->words - 1;
    const int top = l->bits - 1;
    neighbours[ISING_ABOVE] = spins[ising_word_at(l, replica, plane, above, word)];
    neighbours[ISING_BELOW] = spins[ising_word_at(l, replica, plane, below, word)];
    neighbours[ISING_SAME_SIDE] = spins[side + word];
    if (plane == 0 && word > 0) {
        neighbours[ISING_OTHER_SIDE] = spins[side + word - 1];
    } else if (plane == 1 && word < last) {
        neighbours[ISING_OTHER_SIDE] = spins[side + word + 1];
    } else {
        // The row's end: the next bit of the word at its other end, and the spin beyond the seam.
        const int64_t from = plane == 0 ? last : 0, beyond = plane == 0 ? above : below;
        const int64_t seam = l->is_helical ? ising_word_at(l, replica, 1 - plane, beyond, 0) : side;
        const uint32_t turned = spins[side + from], outside = spins[seam + from];
        neighbours[ISING_OTHER_SIDE] = plane == 0
                                           ? (turned << 1 & ising_word_mask(l->bits)) | (outside >> top & 1)
                                           : turned >> 1 | (outside & 1) << top;
    }
}

#endif
