// Positions of the spins in words (state.h, WORDS): the words of a sublattice in the order of their random
// numbers, and their neighbours. Shared by the fast versions, on the processor and on the GPU.
#ifndef FATHOM_MODELS_ISING_PLACE_H
#define FATHOM_MODELS_ISING_PLACE_H

#include "core/host_device.h"
#include "models/ising/state.h"

// A rank of several holds its own rows and one more on each side, rows −1 and `rows` included
// (parallel/ring.h): planes of `held` rows follow each other, and nothing wraps around.
struct ising_words {
    int64_t rows, words, replicas;   // words: of a row of a plane
    int64_t held;                    // rows of a plane in memory
    int64_t above_first, below_last; // the rows above row 0 and below the last one
    int bits;                        // spins of a word
    bool is_helical;
};

static inline struct ising_words ising_words_of(const struct ising_lattice *lattice)
{
    struct ising_words words;
    words.rows = words.held = lattice->rows;
    words.above_first = lattice->rows - 1;
    words.below_last = 0;
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

// The plane of a sublattice in a row; −1: none.
static FATHOM_HOST_DEVICE int ising_sublattice_plane(bool is_helical, int sublattice, int64_t row)
{
    if (!is_helical)
        return (int)((row + sublattice) & 1);
    if ((row & 1) != (sublattice & 1)) // sublattices (x, y) mod 2: (0, 0), (1, 1), (1, 0), (0, 1)
        return -1;
    return sublattice == 1 || sublattice == 2;
}

// Word `word` of a row of a plane of a replica.
static FATHOM_HOST_DEVICE int64_t ising_word_at(const struct ising_words *l, int64_t replica, int plane,
                                                int64_t row, int64_t word)
{
    return ((replica * 2 + plane) * l->held + row) * l->words + word;
}

static FATHOM_HOST_DEVICE int64_t ising_row_above(const struct ising_words *l, int64_t row)
{
    return row == 0 ? l->above_first : row - 1;
}

static FATHOM_HOST_DEVICE int64_t ising_row_below(const struct ising_words *l, int64_t row)
{
    return row == l->rows - 1 ? l->below_last : row + 1;
}

enum { ISING_SAME_SIDE, ISING_OTHER_SIDE, ISING_ABOVE, ISING_BELOW, ISING_NEIGHBOUR_WORDS };

// Where the words of a word's neighbours are. At a row's end those of OTHER_SIDE are of the word at the row's
// other end, its bits rotated by one, and the spin that comes in from beyond the seam is of the word `seam`.
struct ising_neighbour_places {
    int64_t at[ISING_NEIGHBOUR_WORDS];
    int64_t seam; // −1: not at the row's end
};

static FATHOM_HOST_DEVICE struct ising_neighbour_places ising_neighbour_places(const struct ising_words *l,
                                                                               int64_t replica, int plane,
                                                                               int64_t row, int64_t word)
{
    const int64_t above = ising_row_above(l, row), below = ising_row_below(l, row);
    const int64_t side = ising_word_at(l, replica, 1 - plane, row, 0), last = l->words - 1;
    struct ising_neighbour_places places;
    places.at[ISING_ABOVE] = ising_word_at(l, replica, plane, above, word);
    places.at[ISING_BELOW] = ising_word_at(l, replica, plane, below, word);
    places.at[ISING_SAME_SIDE] = side + word;
    if (plane == 0 ? word > 0 : word < last) {
        places.at[ISING_OTHER_SIDE] = side + word + (plane == 0 ? -1 : 1);
        places.seam = -1;
        return places;
    }
    const int64_t from = plane == 0 ? last : 0, beyond = plane == 0 ? above : below;
    places.at[ISING_OTHER_SIDE] = side + from;
    places.seam = (l->is_helical ? ising_word_at(l, replica, 1 - plane, beyond, 0) : side) + from;
    return places;
}

// The word of OTHER_SIDE at a row's end.
static FATHOM_HOST_DEVICE uint32_t ising_rotate_word(int bits, int plane, uint32_t word, uint32_t outside)
{
    return plane == 0 ? (word << 1 & ising_word_mask(bits)) | (outside >> (bits - 1) & 1)
                      : word >> 1 | (outside & 1) << (bits - 1);
}

// The neighbours of all spins of a word, bit by bit. SAME_SIDE: those in the other plane at the same place;
// OTHER_SIDE: one place on.
static FATHOM_HOST_DEVICE void ising_neighbour_words(const struct ising_words *l, const uint32_t *spins,
                                                     int64_t replica, int plane, int64_t row, int64_t word,
                                                     uint32_t neighbours[ISING_NEIGHBOUR_WORDS])
{
    const struct ising_neighbour_places places = ising_neighbour_places(l, replica, plane, row, word);
    for (int n = 0; n < ISING_NEIGHBOUR_WORDS; n++)
        neighbours[n] = spins[places.at[n]];
    if (places.seam >= 0)
        neighbours[ISING_OTHER_SIDE] =
            ising_rotate_word(l->bits, plane, neighbours[ISING_OTHER_SIDE], spins[places.seam]);
}

#endif
