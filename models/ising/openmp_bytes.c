// Spins stored one per byte, row by row, for the methods of the fast CPU version that use bytes. Also the
// sweeps with one random number per spin: METROPOLIS_INTEGER by rows of a sublattice, METROPOLIS_RANDOM spin
// by spin, one replica per thread.
#include "models/ising/openmp_solver.h"

#include "models/team.h"

enum { ROWS_PIECE_SITES = 1 << 14 }; // sites that a thread handles at a time

bool ising_has_bytes(enum ising_method method)
{
    return method == ISING_METROPOLIS_INTEGER || method == ISING_METROPOLIS_RANDOM || method == ISING_WOLFF;
}

enum status ising_bytes_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const int64_t first = s->setup.shares ? s->own.first - 1 : 0;
    return memory_plan_add_rows(plan, MEMORY_HOST, ELEMENT_U8, (size_t)first,
                                (size_t)(first + s->layout.held * lattice->replicas),
                                (size_t)lattice->columns, (void **)&s->bytes, "%sspins, one a byte", prefix);
}

// A row of the own ones of all replicas.
struct line {
    int64_t replica, row;
};

static struct line line_of(const struct solver *s, int64_t number)
{
    return (struct line){number / ising_own_rows(s), s->own.first + number % ising_own_rows(s)};
}

static uint8_t *row_of(const struct solver *s, int64_t replica, int64_t row)
{
    return s->bytes + (replica * s->layout.held + row) * s->setup.physics->lattice.columns;
}

static uint32_t *words_of(const struct solver *s, int plane, struct line line)
{
    return &s->words[ising_word_at(&s->layout, line.replica, plane, line.row, 0)];
}

static void spread_row(void *context, size_t number)
{
    const struct solver *s = context;
    const struct line line = line_of(s, (int64_t)number);
    s->functions->spread(words_of(s, 0, line), words_of(s, 1, line), s->layout.words, s->layout.bits,
                         row_of(s, line.replica, line.row));
}

static void gather_row(void *context, size_t number)
{
    const struct solver *s = context;
    const struct line line = line_of(s, (int64_t)number);
    if (s->is_stale && !s->is_stale[line.replica])
        return;
    s->functions->gather(row_of(s, line.replica, line.row), s->layout.words, s->layout.bits,
                         words_of(s, 0, line), words_of(s, 1, line));
}

void ising_bytes_spread(struct solver *s)
{
    team_for(s->threads, (size_t)(s->layout.replicas * ising_own_rows(s)), spread_row, s);
}

void ising_bytes_gather(struct solver *s)
{
    team_for(s->threads, (size_t)(s->layout.replicas * ising_own_rows(s)), gather_row, s);
    for (int64_t k = 0; s->is_stale && k < s->layout.replicas; k++)
        s->is_stale[k] = false;
}

// ---- METROPOLIS_INTEGER

// up: number of its neighbours that are up.
static bool flips(const struct ising_rule *rule, uint8_t spin, int up, uint32_t random)
{
    return random < rule->thresholds[spin][up];
}

// Updates the spins k = first … of a row's plane, at most a batch; their random words follow each other.
static void flip_row_part(const struct solver *s, struct line line, int plane, int64_t first, int64_t length,
                          const uint32_t *random)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const int64_t columns = lattice->columns;
    uint8_t *own = row_of(s, line.replica, line.row);
    const uint8_t *above = row_of(s, line.replica, ising_row_above(&s->layout, line.row));
    const uint8_t *below = row_of(s, line.replica, ising_row_below(&s->layout, line.row));
    const bool is_helical = lattice->boundary == ISING_HELICAL;
    for (int64_t k = 0; k < length; k++) {
        const int64_t x = 2 * (first + k) + plane;
        const uint8_t left = x > 0 ? own[x - 1] : is_helical ? above[columns - 1] : own[columns - 1];
        const uint8_t right = x < columns - 1 ? own[x + 1] : is_helical ? below[0] : own[0];
        own[x] ^= flips(&s->rule, own[x], left + right + above[x] + below[x], random[k]);
    }
}

// A row begins within a quad of random words if its number of spins is not a multiple of 4.
static void flip_row(const struct solver *s, struct line line, int plane)
{
    const int64_t spins = s->setup.physics->lattice.columns / 2;
    const uint64_t begin = (uint64_t)((line.replica * s->layout.rows + line.row) * spins), before = begin % 4;
    const uint32_t purpose = ising_purpose(ISING_USE_SPINS, s->sublattice, 0);
    for (int64_t k = 0; k < spins;) {
        uint64_t quads[ISING_BATCH / 4];
        uint32_t random[ISING_BATCH];
        const int64_t skipped = k == 0 ? (int64_t)before : 0, room = ISING_BATCH - skipped;
        const int64_t length = spins - k < room ? spins - k : room;
        for (uint64_t q = 0; q < ISING_BATCH / 4; q++)
            quads[q] = (begin + (uint64_t)k) / 4 + q;
        s->functions->draw(&s->rule.key, quads, s->sweep, purpose, random);
        flip_row_part(s, line, plane, k, length, random + skipped);
        k += length;
    }
}

static int64_t piece_rows(const struct solver *s)
{
    const int64_t columns = s->setup.physics->lattice.columns;
    return (ROWS_PIECE_SITES + columns - 1) / columns;
}

static void flip_rows(void *context, size_t item)
{
    const struct solver *s = context;
    const int64_t lines = s->layout.replicas * ising_own_rows(s), rows = piece_rows(s);
    const int64_t first = (int64_t)item * rows, end = first + rows < lines ? first + rows : lines;
    for (int64_t number = first; number < end; number++) {
        const struct line line = line_of(s, number);
        const int plane = ising_sublattice_plane(s->layout.is_helical, s->sublattice, line.row);
        if (plane >= 0)
            flip_row(s, line, plane);
    }
}

// ---- METROPOLIS_RANDOM

static void flip_site(const struct solver *s, uint8_t *spins, uint64_t site, uint32_t random)
{
    uint64_t beside[4];
    ising_sites_beside(&s->setup.physics->lattice, site, beside);
    const int up = spins[beside[0]] + spins[beside[1]] + spins[beside[2]] + spins[beside[3]];
    spins[site] ^= flips(&s->rule, spins[site], up, random);
}

// Pick n uses the random words 2n and 2n + 1. The number of sites N is even, so that the first pick of a
// replica begins a quad.
static void pick_sites(void *context, size_t replica)
{
    const struct solver *s = context;
    const uint64_t sites = ising_sites(&s->setup.physics->lattice), first = 2 * replica * sites;
    const uint32_t purpose = ising_purpose(ISING_USE_SPINS, 0, 0);
    uint8_t *spins = s->bytes + replica * sites;
    for (uint64_t word = 0; word < 2 * sites; word += ISING_BATCH) {
        uint64_t quads[ISING_BATCH / 4];
        uint32_t random[ISING_BATCH];
        for (uint64_t q = 0; q < ISING_BATCH / 4; q++)
            quads[q] = (first + word) / 4 + q;
        s->functions->draw(&s->rule.key, quads, s->sweep, purpose, random);
        for (uint64_t k = 0; k < ISING_BATCH && word + k < 2 * sites; k += 2)
            flip_site(s, spins, ising_random_below(random[k], sites), random[k + 1]);
    }
}

enum status ising_bytes_sweep(struct solver *s)
{
    const int64_t lines = s->layout.replicas * ising_own_rows(s), rows = piece_rows(s);
    if (s->setup.physics->method == ISING_METROPOLIS_RANDOM) {
        team_for(s->threads, (size_t)s->layout.replicas, pick_sites, s);
        return STATUS_OK;
    }
    for (s->sublattice = 0; s->sublattice < ising_sublattices(s->setup.physics->lattice.boundary);
         s->sublattice++) {
        CHECK(ising_swap_bytes(s));
        team_for(s->threads, (size_t)((lines + rows - 1) / rows), flip_rows, s);
    }
    return STATUS_OK;
}
