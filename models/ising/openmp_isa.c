// Decisions in lanes of words, for ONE instruction set (models/isa.h).
#include "models/ising/openmp_isa.h"

#include "models/wide.h"

#include <string.h>

#define LANES (WIDE_BYTES / 4)

typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));
typedef float floats __attribute__((vector_size(4 * LANES)));

// Each four lanes from the four of two vectors x and y, x's at 0 … 3 and y's at LANES … LANES + 3. gcc and
// clang both have this builtin function; it takes the places as constants.
#if LANES == 16
#define FOURS(x, y, a, b, c, d)                                                                              \
    __builtin_shufflevector(x, y, a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4, (a) + 8, (b) + 8, (c) + 8, \
                            (d) + 8, (a) + 12, (b) + 12, (c) + 12, (d) + 12)
#elif LANES == 8
#define FOURS(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4)
#else
#define FOURS(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#endif

#define LANES_FUNCTION static inline __attribute__((always_inline, unused))

LANES_FUNCTION lanes all(uint32_t x)
{
    return x - (lanes){0};
}

LANES_FUNCTION wide all_wide(uint32_t x)
{
    return x - (wide){0};
}

LANES_FUNCTION bool any(lanes x)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)x, (__m512i)x) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)x, (__m256i)x);
#else
    return (x[0] | x[1] | x[2] | x[3]) != 0;
#endif
}

// ---- Philox4x32-10 of core/philox.h, a counter a lane

static const uint32_t multipliers[2] = {0xD2511F53u, 0xCD9E8D57u}, steps[2] = {0x9E3779B9u, 0xBB67AE85u};

// What all counters of a sweep have in common.
struct schedule {
    wide keys[10][2]; // of the rounds
    wide v0;          // after the first round, without the quad
    wide middle;      // v1 after the first round, and the second round's key
};

LANES_FUNCTION struct schedule schedule_of(const struct philox_key *key, uint32_t sweep)
{
    const uint64_t by_sweep = (uint64_t)multipliers[1] * sweep;
    struct schedule schedule;
    for (uint32_t round = 0; round < 10; round++)
        for (int k = 0; k < 2; k++)
            schedule.keys[round][k] = all_wide(key->v[k] + round * steps[k]);
    schedule.v0 = schedule.keys[0][0] ^ (by_sweep >> 32);
    schedule.middle = schedule.keys[1][0] ^ (uint32_t)by_sweep;
    return schedule;
}

// Counters that differ in their purpose alone, the last word: what does not depend on it is worked out once.
// Of the first round that is all but one word, of the second the product of the first word, of the third that
// of the third. A half has the words' lower halves; what is above them has no meaning.
struct drawer {
    const struct schedule *schedule;
    struct {
        wide first;  // v2 after the first round, without the purpose
        wide second; // v3 after the second round
        wide third;  // M1 v2 in the third round
    } halves[2];
};

// The first, then the last two of each four lanes.
LANES_FUNCTION lanes join_halves(wide first, wide second)
{
    return (lanes)FOURS((floats)first, (floats)second, 0, 2, LANES, LANES + 2);
}

// quads: [LANES], of the lanes in the order of `transpose`.
LANES_FUNCTION struct drawer drawer_of(const struct schedule *schedule, const uint64_t *quads)
{
    struct drawer from = {.schedule = schedule};
    for (int half = 0; half < 2; half++) {
        uint64_t numbers[LANES / 2];
        wide quad;
        for (int k = 0; k < LANES / 2; k++)
            numbers[k] = quads[(k % 2 + 2 * half) * (LANES / 4) + k / 2];
        memcpy(&quad, numbers, sizeof quad);
        const wide first = wide_multiply(quad, multipliers[0]);
        const wide second = wide_multiply((quad >> 32) ^ schedule->v0, multipliers[0]);
        const wide v2 = (second >> 32) ^ first ^ schedule->keys[1][1];
        from.halves[half].first = (first >> 32) ^ schedule->keys[0][1];
        from.halves[half].second = second;
        from.halves[half].third = wide_multiply(v2, multipliers[1]);
    }
    return from;
}

LANES_FUNCTION void draw(const struct drawer *from, uint32_t purpose, lanes words[4])
{
    const struct schedule *schedule = from->schedule;
    const wide own = all_wide(purpose);
    wide v[2][4];
    for (int half = 0; half < 2; half++) {
        const wide second = wide_multiply(from->halves[half].first ^ own, multipliers[1]);
        const wide third = wide_multiply((second >> 32) ^ schedule->middle, multipliers[0]);
        v[half][0] = (from->halves[half].third >> 32) ^ second ^ schedule->keys[2][0];
        v[half][1] = from->halves[half].third;
        v[half][2] = (third >> 32) ^ from->halves[half].second ^ schedule->keys[2][1];
        v[half][3] = third;
    }
    for (int round = 3; round < 10; round++)
        for (int half = 0; half < 2; half++) {
            const wide a = wide_multiply(v[half][0], multipliers[0]),
                       b = wide_multiply(v[half][2], multipliers[1]);
            v[half][0] = (b >> 32) ^ v[half][1] ^ schedule->keys[round][0];
            v[half][1] = b;
            v[half][2] = (a >> 32) ^ v[half][3] ^ schedule->keys[round][1];
            v[half][3] = a;
        }
    for (int k = 0; k < 4; k++)
        words[k] = join_halves(v[0][k], v[1][k]);
}

// ---- words

#define WORD_FUNCTION                            LANES_FUNCTION
#define WORD                                     lanes
#define WORDS(name)                              name##_lanes
#define EACH(u)                                  all(u)
#define ANY(w)                                   any(w)
#define QUADS                                    const struct drawer *
#define DIGITS                                   1
#define DRAW(rule, quads, sweep, purpose, words) ((void)(rule), (void)(sweep), draw(quads, purpose, words))
#include "models/ising/word.inc"

// The four words of each quad to four vectors, and back: lane 4 j + r has quad r · LANES/4 + j.
LANES_FUNCTION void transpose(lanes a[4])
{
    const lanes b0 = FOURS(a[0], a[1], 0, LANES, 1, LANES + 1);
    const lanes b1 = FOURS(a[0], a[1], 2, LANES + 2, 3, LANES + 3);
    const lanes b2 = FOURS(a[2], a[3], 0, LANES, 1, LANES + 1);
    const lanes b3 = FOURS(a[2], a[3], 2, LANES + 2, 3, LANES + 3);
    a[0] = FOURS(b0, b2, 0, 1, LANES, LANES + 1);
    a[1] = FOURS(b0, b2, 2, 3, LANES + 2, LANES + 3);
    a[2] = FOURS(b1, b3, 0, 1, LANES, LANES + 1);
    a[3] = FOURS(b1, b3, 2, 3, LANES + 2, LANES + 3);
}

LANES_FUNCTION void load_transposed(const uint32_t *from, lanes to[4])
{
    memcpy(to, from, 4 * sizeof *to);
    transpose(to);
}

LANES_FUNCTION void store_transposed(lanes from[4], uint32_t *to)
{
    transpose(from);
    memcpy(to, from, 4 * sizeof *from);
}

static void flip(const struct ising_rule *rule, uint32_t sweep, int sublattice, struct ising_batch *batch)
{
    const struct schedule schedule = schedule_of(&rule->key, sweep);
    for (int first = 0; first < ISING_BATCH; first += 4 * LANES) {
        lanes spins[4], valid[4], neighbours[4][ISING_NEIGHBOUR_WORDS], side[4];
        load_transposed(&batch->valid[first], valid);
        if (!any(valid[0] | valid[1] | valid[2] | valid[3]))
            continue;
        load_transposed(&batch->spins[first], spins);
        for (int n = 0; n < ISING_NEIGHBOUR_WORDS; n++) {
            load_transposed(&batch->neighbours[n][first], side);
            for (int k = 0; k < 4; k++)
                neighbours[k][n] = side[k];
        }
        const struct drawer from = drawer_of(&schedule, &batch->quads[first / 4]);
        if (rule->is_general)
            flip_each_lanes(rule, &from, sweep, sublattice, valid, neighbours, spins);
        else
            flip_alike_lanes(rule, &from, sweep, sublattice, valid, neighbours, spins);
        store_transposed(spins, &batch->spins[first]);
    }
}

static void draw_quads(const struct philox_key *key, const uint64_t quads[ISING_BATCH / 4], uint32_t sweep,
                       uint32_t purpose, uint32_t words[ISING_BATCH])
{
    const struct schedule schedule = schedule_of(key, sweep);
    for (int first = 0; first < ISING_BATCH; first += 4 * LANES) {
        const struct drawer from = drawer_of(&schedule, &quads[first / 4]);
        lanes drawn[4];
        draw(&from, purpose, drawn);
        store_transposed(drawn, &words[first]);
    }
}

static uint32_t draw_only(uint64_t count)
{
    const struct philox_key key = {{1, 2}};
    const struct schedule schedule = schedule_of(&key, 0);
    uint64_t quads[LANES];
    uint32_t together = 0;
    for (int k = 0; k < LANES; k++)
        quads[k] = (uint64_t)k;
    const struct drawer from = drawer_of(&schedule, quads);
    lanes sum = {0}, words[4];
    for (uint64_t n = 0; n < count; n += 4 * LANES) {
        draw(&from, (uint32_t)n, words);
        sum ^= words[0] ^ words[1] ^ words[2] ^ words[3];
    }
    for (int k = 0; k < LANES; k++)
        together ^= sum[k];
    return together;
}

// ---- rows

// A quad has the words of two sites: right, down, right, down.
static void open_bonds(const struct philox_key *key, uint32_t sweep, uint64_t threshold, uint32_t unlike,
                       const struct ising_bond_row *row)
{
    const struct schedule schedule = schedule_of(key, sweep);
    const uint32_t limit = (uint32_t)threshold, purpose = ising_purpose(ISING_USE_BONDS, 0, 0);
    const uint8_t always = threshold >> 32 ? 1 : 0, other = unlike & 1;
    for (int64_t x = 0; x < row->columns; x += 2 * LANES) {
        uint64_t quads[LANES];
        uint32_t drawn[4 * LANES];
        lanes words[4];
        for (int k = 0; k < LANES; k++)
            quads[k] = (row->first_site + (uint64_t)x) / 2 + (uint64_t)k;
        const struct drawer from = drawer_of(&schedule, quads);
        draw(&from, purpose, words);
        store_transposed(words, drawn);
        const uint8_t *own = row->own + x, *below = row->below + x;
        uint8_t *open = row->open + x;
        for (int k = 0; k < 2 * LANES; k++) {
            const uint8_t right = ((drawn[2 * k] < limit) | always) & (own[k] ^ own[k + 1] ^ other ^ 1);
            const uint8_t down = ((drawn[2 * k + 1] < limit) | always) & (own[k] ^ below[k] ^ other ^ 1);
            open[k] = (uint8_t)(right * ISING_OPEN_RIGHT | down * ISING_OPEN_DOWN);
        }
    }
}

static void spread(const uint32_t *even, const uint32_t *odd, int64_t words, int bits, uint8_t *spins)
{
    for (int bit = 0; bit < bits; bit++, spins += 2 * words)
        for (int64_t k = 0; k < words; k++) {
            spins[2 * k] = even[k] >> bit & 1;
            spins[2 * k + 1] = odd[k] >> bit & 1;
        }
}

static void gather(const uint8_t *spins, int64_t words, int bits, uint32_t *even, uint32_t *odd)
{
    memset(even, 0, (size_t)words * sizeof *even);
    memset(odd, 0, (size_t)words * sizeof *odd);
    for (int bit = 0; bit < bits; bit++, spins += 2 * words)
        for (int64_t k = 0; k < words; k++) {
            even[k] |= (uint32_t)(spins[2 * k] & 1) << bit;
            odd[k] |= (uint32_t)(spins[2 * k + 1] & 1) << bit;
        }
}

// Two words at a time.
LANES_FUNCTION uint64_t two_words(const uint32_t *from)
{
    uint64_t both;
    memcpy(&both, from, sizeof both);
    return both;
}

LANES_FUNCTION int64_t count_unlike(const uint32_t *a, const uint32_t *b, int64_t words)
{
    int64_t count = 0, k = 0;
    for (; k + 2 <= words; k += 2)
        count += __builtin_popcountll(two_words(a + k) ^ two_words(b + k));
    for (; k < words; k++)
        count += __builtin_popcount(a[k] ^ b[k]);
    return count;
}

LANES_FUNCTION int64_t count_up(const uint32_t *a, int64_t words)
{
    int64_t count = 0, k = 0;
    for (; k + 2 <= words; k += 2)
        count += __builtin_popcountll(two_words(a + k));
    for (; k < words; k++)
        count += __builtin_popcount(a[k]);
    return count;
}

static struct ising_row_counts count_row(const struct ising_measured_row *row)
{
    const int64_t words = row->words;
    const int64_t sides = count_unlike(row->even, row->odd, words) +
                          count_unlike(row->even + 1, row->odd, words - 1) +
                          __builtin_popcount(row->even[0] ^ row->beside_first);
    const int64_t down =
        count_unlike(row->even, row->even_below, words) + count_unlike(row->odd, row->odd_below, words);
    return (struct ising_row_counts){sides + down, count_up(row->even, words) + count_up(row->odd, words)};
}

const struct ising_functions ISA_OWN(ising_functions) = {.instruction_set = ISA_NAME,
                                                         .flip = flip,
                                                         .draw = draw_quads,
                                                         .draw_only = draw_only,
                                                         .open_bonds = open_bonds,
                                                         .spread = spread,
                                                         .gather = gather,
                                                         .count_row = count_row};
