// Sweeps of METROPOLIS and HEAT_BATH of the fast CPU version: batches of words are collected with their
// neighbours, decided in lanes (openmp_isa.c) and written back. Words of a sublattice do not depend on each
// other, so threads need no order.
#include "models/ising/openmp_solver.h"

#include "models/team.h"

#include <string.h>

enum {
    PIECE = 32 * ISING_BATCH, // words that a thread handles at a time
    FEW_WORDS = 4             // of a row: one by one
};

// Position of a batch among the rows of the sublattice, of all replicas.
struct place {
    int64_t replica, row, first; // first: word of the row
};

// HELICAL sublattices have every other row. Rows of whole quads let the others be skipped; else a quad has
// words of both kinds.
static bool skips_rows(const struct ising_words *l)
{
    return l->is_helical && l->words % 4 == 0;
}

static int64_t sublattice_rows(const struct ising_words *l)
{
    return skips_rows(l) ? l->rows / 2 : l->rows;
}

// How many rows of the sublattice there are before a row.
static int64_t rows_before(const struct solver *s, int64_t row)
{
    return skips_rows(&s->layout) ? (row - (s->sublattice & 1) + 1) / 2 : row;
}

// Words that follow each other: begin … end − 1, as those of the sublattice are counted on the whole lattice.
struct stretch {
    int64_t begin, end;
};

// One rank has all words in one stretch; of several each has one in each replica.
static int64_t stretches(const struct solver *s)
{
    return s->setup.shares ? s->layout.replicas : 1;
}

static struct stretch stretch_of(const struct solver *s, int64_t number)
{
    const struct ising_words *l = &s->layout;
    const int64_t rows = sublattice_rows(l), before = number * rows;
    if (!s->setup.shares)
        return (struct stretch){0, l->replicas * rows * l->words};
    return (struct stretch){(before + rows_before(s, s->own.first)) * l->words,
                            (before + rows_before(s, s->own.end)) * l->words};
}

// Pieces of a stretch, which begin at whole quads.
static int64_t pieces_of(const struct solver *s)
{
    const struct stretch first = stretch_of(s, 0);
    return (first.end - first.begin + 3 + PIECE - 1) / PIECE;
}

static struct place place_of(const struct solver *s, int64_t word)
{
    const struct ising_words *l = &s->layout;
    const int64_t rows = sublattice_rows(l), line = word / l->words, row = line % rows;
    return (struct place){line / rows, skips_rows(l) ? 2 * row + (s->sublattice & 1) : row, word % l->words};
}

static void go_on(const struct solver *s, struct place *at, int64_t words)
{
    const struct ising_words *l = &s->layout;
    const int64_t step = skips_rows(l) ? 2 : 1;
    at->first += words;
    if (at->first < l->words)
        return;
    at->row += step * (at->first / l->words);
    at->first = 0;
    if (at->row < l->rows)
        return;
    at->row -= l->rows;
    at->replica++;
}

static void unpack_word(const struct solver *s, const struct place *at, int plane, int64_t word, int64_t to,
                        struct ising_batch *batch)
{
    uint32_t neighbours[ISING_NEIGHBOUR_WORDS];
    ising_neighbour_words(&s->layout, s->words, at->replica, plane, at->row, word, neighbours);
    batch->spins[to] = s->words[ising_word_at(&s->layout, at->replica, plane, at->row, word)];
    for (int n = 0; n < ISING_NEIGHBOUR_WORDS; n++)
        batch->neighbours[n][to] = neighbours[n];
}

static void unpack_words(const struct solver *s, const struct place *at, int plane, int64_t length,
                         int64_t to, struct ising_batch *batch)
{
    const struct ising_words *l = &s->layout;
    const int64_t above = ising_row_above(l, at->row), below = ising_row_below(l, at->row);
    const size_t bytes = (size_t)length * sizeof(uint32_t);
    const uint32_t *side = &s->words[ising_word_at(l, at->replica, 1 - plane, at->row, at->first)];
    memcpy(&batch->spins[to], &s->words[ising_word_at(l, at->replica, plane, at->row, at->first)], bytes);
    memcpy(&batch->neighbours[ISING_ABOVE][to],
           &s->words[ising_word_at(l, at->replica, plane, above, at->first)], bytes);
    memcpy(&batch->neighbours[ISING_BELOW][to],
           &s->words[ising_word_at(l, at->replica, plane, below, at->first)], bytes);
    memcpy(&batch->neighbours[ISING_SAME_SIDE][to], side, bytes);
    uint32_t *other = &batch->neighbours[ISING_OTHER_SIDE][to];
    memcpy(plane == 0 ? other + 1 : other, side + (plane == 0 ? 0 : 1), bytes - sizeof *other);
    // Neighbours of the word at the end lie in the next batch, or across the boundary.
    const int64_t end = plane == 0 ? 0 : length - 1;
    unpack_word(s, at, plane, at->first + end, to + end, batch);
}

// Rows of one word each, which follow each other in the planes of a replica.
static void unpack_lone_words(const struct solver *s, const struct place *at, int64_t rows, int64_t to,
                              struct ising_batch *batch)
{
    const struct ising_words *l = &s->layout;
    const uint32_t mask = ising_word_mask(l->bits);
    const uint32_t *planes[2];
    for (int plane = 0; plane < 2; plane++)
        planes[plane] = &s->words[ising_word_at(l, at->replica, plane, 0, 0)];
    for (int64_t k = 0; k < rows; k++) {
        const int64_t row = at->row + k, place = to + k;
        const int plane = ising_sublattice_plane(l->is_helical, s->sublattice, row);
        batch->valid[place] = plane < 0 ? 0 : mask;
        if (plane < 0)
            continue;
        const int64_t above = ising_row_above(l, row), below = ising_row_below(l, row);
        const uint32_t *own = planes[plane], *other = planes[1 - plane];
        const uint32_t outside = l->is_helical ? other[plane == 0 ? above : below] : other[row];
        batch->spins[place] = own[row];
        batch->neighbours[ISING_ABOVE][place] = own[above];
        batch->neighbours[ISING_BELOW][place] = own[below];
        batch->neighbours[ISING_SAME_SIDE][place] = other[row];
        batch->neighbours[ISING_OTHER_SIDE][place] = ising_rotate_word(l->bits, plane, other[row], outside);
    }
}

static void pack_lone_words(const struct solver *s, const struct place *at, int64_t rows, int64_t to,
                            struct ising_batch *batch)
{
    const struct ising_words *l = &s->layout;
    for (int64_t k = 0; k < rows; k++) {
        const int plane = ising_sublattice_plane(l->is_helical, s->sublattice, at->row + k);
        if (plane >= 0)
            s->words[ising_word_at(l, at->replica, plane, at->row + k, 0)] = batch->spins[to + k];
    }
}

// `length` words of a row, or of as many rows if they have one each.
static void unpack(const struct solver *s, const struct place *at, int64_t length, int64_t to,
                   struct ising_batch *batch)
{
    const struct ising_words *l = &s->layout;
    const uint64_t number = (uint64_t)((at->replica * l->rows + at->row) * l->words + at->first);
    for (int64_t quad = (to + 3) / 4; 4 * quad < to + length; quad++)
        batch->quads[quad] = (number + (uint64_t)(4 * quad - to)) / 4;
    if (l->words == 1) {
        unpack_lone_words(s, at, length, to, batch);
        return;
    }
    const int plane = ising_sublattice_plane(l->is_helical, s->sublattice, at->row);
    const uint32_t valid = plane < 0 ? 0 : ising_word_mask(l->bits);
    for (int64_t k = 0; k < length; k++)
        batch->valid[to + k] = valid;
    if (plane >= 0 && length > FEW_WORDS)
        unpack_words(s, at, plane, length, to, batch);
    for (int64_t k = 0; plane >= 0 && length <= FEW_WORDS && k < length; k++)
        unpack_word(s, at, plane, at->first + k, to + k, batch);
}

static void pack(const struct solver *s, const struct place *at, int64_t length, int64_t to,
                 struct ising_batch *batch)
{
    const struct ising_words *l = &s->layout;
    if (l->words == 1) {
        pack_lone_words(s, at, length, to, batch);
        return;
    }
    const int plane = ising_sublattice_plane(l->is_helical, s->sublattice, at->row);
    if (plane < 0)
        return;
    uint32_t *words = &s->words[ising_word_at(l, at->replica, plane, at->row, at->first)];
    if (length > FEW_WORDS)
        memcpy(words, &batch->spins[to], (size_t)length * sizeof *words);
    for (int64_t k = 0; length <= FEW_WORDS && k < length; k++)
        words[k] = batch->spins[to + k];
}

// Runs `body` for each part of a row, or run of rows of one word, from word `first` of a batch on; the
// place is that of this word.
static void for_rows(const struct solver *s, struct place at, int64_t first, int64_t words,
                     struct ising_batch *batch,
                     void (*body)(const struct solver *s, const struct place *at, int64_t length, int64_t to,
                                  struct ising_batch *batch))
{
    for (int64_t to = first, length; to < words; to += length, go_on(s, &at, length)) {
        const int64_t left = s->layout.words == 1 ? s->layout.rows - at.row : s->layout.words - at.first;
        const int64_t room = words - to;
        length = left < room ? left : room;
        body(s, &at, length, to, batch);
    }
}

// A stretch that begins within a quad leaves the words before it alone.
static void flip_piece(void *context, size_t item)
{
    const struct solver *s = context;
    const int64_t pieces = pieces_of(s);
    const struct stretch stretch = stretch_of(s, (int64_t)item / pieces);
    const int64_t begin = stretch.begin / 4 * 4 + (int64_t)item % pieces * PIECE;
    struct ising_batch batch = {.quads = {0}};
    for (int64_t first = begin; first < begin + PIECE && first < stretch.end; first += ISING_BATCH) {
        const int64_t words = stretch.end - first < ISING_BATCH ? stretch.end - first : ISING_BATCH;
        const int64_t before = first < stretch.begin ? stretch.begin - first : 0;
        const struct place at = place_of(s, first + before);
        memset(batch.valid, 0, (size_t)before * sizeof *batch.valid);
        batch.quads[0] = (uint64_t)first / 4; // without rows that are skipped: they have whole quads
        for_rows(s, at, before, words, &batch, unpack);
        memset(&batch.valid[words], 0, (size_t)(ISING_BATCH - words) * sizeof *batch.valid);
        s->functions->flip(&s->rule, s->sweep, s->sublattice, &batch);
        for_rows(s, at, before, words, &batch, pack);
    }
}

enum status ising_sweep_spins(struct solver *s)
{
    const int sublattices = ising_sublattices(s->setup.physics->lattice.boundary);
    for (s->sublattice = 0; s->sublattice < sublattices; s->sublattice++) {
        CHECK(ising_swap_words(s));
        team_for(s->threads, (size_t)(stretches(s) * pieces_of(s)), flip_piece, s);
    }
    return STATUS_OK;
}
