// Cluster updates (state.h, CLUSTERS) of the fast CPU version. SWENDSEN_WANG: strips of rows are labelled by themselves, joined at their edges, and turned; a
// label is always its cluster's least site, so that no order of joining shows. WOLFF: a cluster grows from its seed, a replica a thread.
#include "models/ising/openmp_solver.h"

#include "models/team.h"

#include <stdlib.h>
#include <string.h>

// The most rows of a strip; a replica has its own strips.
enum { STRIP_ROWS = 64 };

struct ising_clusters {
    struct ising_solver *solver;
    int64_t strips; // of a replica
    // SWENDSEN_WANG: labels, and sizes by label. WOLFF: who has been visited (in which update), and who is still to be looked at.
    uint32_t *first, *second; // [replicas][N]
    // SWENDSEN_WANG. Of each strip's last row, which bonds lead out of it: [columns] down, and one to the right.
    uint8_t *edges; // [replicas][strips][columns + 1]
    uint8_t *rows;  // [threads ≥ any][ROW_KINDS][columns padded]
    size_t row_bytes;
};

// Of a row and the one below: spins; whether the bonds' words are below the threshold, [columns][2].
enum { ROW_OWN, ROW_BELOW, ROW_DRAWN, ROW_DRAWN_DOWN, ROW_KINDS };

static int64_t strips_of(const struct ising_solver *s)
{
    return (s->layout.rows + STRIP_ROWS - 1) / STRIP_ROWS;
}

enum status ising_clusters_plan(struct ising_solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const size_t replicas = (size_t)lattice->replicas, sites = (size_t)ising_sites(lattice);
    struct ising_clusters *c = calloc(1, sizeof *c);
    s->clusters = c;
    if (!c)
        return FAIL(STATUS_SYSTEM, "no memory for the clusters");
    c->solver = s;
    c->strips = strips_of(s);
    // Bonds are drawn in batches, the first of which may begin before the row.
    c->row_bytes = ((size_t)lattice->columns + ISING_BATCH) / ISING_BATCH * ISING_BATCH + ISING_BATCH;
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, replicas, sites, (void **)&c->first, "%slabels",
                          prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, replicas, sites, (void **)&c->second, "%sclusters",
                          prefix));
    if (s->setup.physics->method == ISING_WOLFF)
        return STATUS_OK;
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, replicas * (size_t)c->strips,
                          (size_t)lattice->columns + 1, (void **)&c->edges, "%sedges of strips", prefix));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, replicas * (size_t)c->strips * ROW_KINDS,
                           c->row_bytes, (void **)&c->rows, "%srows of spins", prefix);
}

void ising_clusters_touch(struct ising_clusters *c)
{
    const struct ising_lattice *lattice = &c->solver->setup.physics->lattice;
    memset(c->first, 0, (size_t)lattice->replicas * (size_t)ising_sites(lattice) * sizeof *c->first);
}

void ising_clusters_destroy(struct ising_clusters *c)
{
    free(c);
}

// ---- SWENDSEN_WANG

// Labels lead to lesser ones. Strips are labelled side by side, but none touches another's.
static uint32_t root_of(const uint32_t *labels, uint32_t site)
{
    while (labels[site] != site)
        site = labels[site];
    return site;
}

static void join(uint32_t *labels, uint32_t a, uint32_t b)
{
    uint32_t root_a = root_of(labels, a), root_b = root_of(labels, b);
    const uint32_t least = root_a < root_b ? root_a : root_b;
    labels[root_a] = labels[root_b] = least;
    labels[a] = labels[b] = least; // shortens the way for whoever comes next
}

// A row's spins, one a byte.
static void spread_row(const struct ising_solver *s, int64_t replica, int64_t row, uint8_t *spins)
{
    const struct ising_words *l = &s->layout;
    for (int plane = 0; plane < 2; plane++) {
        const uint32_t *words = &s->words[ising_word_at(l, replica, plane, row, 0)];
        for (int bit = 0; bit < l->bits; bit++)
            for (int64_t word = 0; word < l->words; word++)
                spins[2 * (bit * l->words + word) + plane] = words[word] >> bit & 1;
    }
}

// Which of a row's bonds are drawn, to the right and down: quads of right, down, right, down.
static void draw_row(const struct ising_solver *s, uint64_t first_site, int64_t columns, uint8_t *right,
                     uint8_t *down)
{
    const uint32_t purpose = ising_purpose(ISING_USE_BONDS, 0, 0);
    for (int64_t x = 0; x < columns; x += ISING_BATCH / 2) {
        uint64_t quads[ISING_BATCH / 4];
        uint32_t words[ISING_BATCH];
        for (int k = 0; k < ISING_BATCH / 4; k++)
            quads[k] = (first_site + (uint64_t)x) / 2 + (uint64_t)k;
        s->functions->draw(&s->rule.key, quads, s->sweep, purpose, words);
        for (int k = 0; k < ISING_BATCH / 2; k++) {
            right[x + k] = words[2 * k] < s->bond_threshold;
            down[x + k] = words[2 * k + 1] < s->bond_threshold;
        }
    }
}

static void label_strip(void *context, size_t item)
{
    const struct ising_clusters *c = context;
    const struct ising_solver *s = c->solver;
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const int64_t columns = lattice->columns, replica = (int64_t)item / c->strips;
    const int64_t first = (int64_t)item % c->strips * STRIP_ROWS;
    const int64_t end = first + STRIP_ROWS < lattice->rows ? first + STRIP_ROWS : lattice->rows;
    const uint64_t sites = ising_sites(lattice);
    uint32_t *labels = c->first + (uint64_t)replica * sites;
    uint8_t *rows = c->rows + item * ROW_KINDS * c->row_bytes,
            *edges = c->edges + item * ((size_t)columns + 1);
    uint8_t *own = rows + ROW_OWN * c->row_bytes, *below = rows + ROW_BELOW * c->row_bytes;
    uint8_t *right = rows + ROW_DRAWN * c->row_bytes, *down = rows + ROW_DRAWN_DOWN * c->row_bytes;
    const uint8_t unlike = s->rule.unlike & 1;
    for (int64_t site = first * columns; site < end * columns; site++)
        labels[site] = (uint32_t)site;
    spread_row(s, replica, first, own);
    for (int64_t y = first; y < end; y++) {
        const bool is_last = y == end - 1;
        const uint32_t start = (uint32_t)(y * columns);
        spread_row(s, replica, (y + 1) % lattice->rows, below);
        draw_row(s, (uint64_t)replica * sites + start, columns, right, down);
        for (int64_t x = 0; x < columns; x++) {
            const uint32_t site = start + (uint32_t)x;
            const bool opens_down = down[x] && (own[x] ^ below[x]) == unlike, turns = x == columns - 1;
            const uint8_t beside = !turns                               ? own[x + 1]
                                   : lattice->boundary == ISING_HELICAL ? below[0]
                                                                        : own[0];
            const bool opens_right = right[x] && (own[x] ^ beside) == unlike;
            const bool leaves = turns && lattice->boundary == ISING_HELICAL && is_last;
            if (opens_down && !is_last)
                join(labels, site, site + (uint32_t)columns);
            if (opens_right && !leaves)
                join(labels, site, turns && lattice->boundary == ISING_PERIODIC ? start : site + 1);
            if (is_last)
                edges[x] = opens_down;
            if (leaves)
                edges[columns] = opens_right;
        }
        if (lattice->boundary == ISING_PERIODIC)
            edges[columns] = 0;
        uint8_t *swap = own;
        own = below;
        below = swap;
    }
}

static void join_strips(const struct ising_clusters *c, int64_t replica)
{
    const struct ising_lattice *lattice = &c->solver->setup.physics->lattice;
    const uint64_t sites = ising_sites(lattice);
    uint32_t *labels = c->first + (uint64_t)replica * sites;
    for (int64_t strip = 0; strip < c->strips; strip++) {
        const uint8_t *edges =
            c->edges + (size_t)(replica * c->strips + strip) * ((size_t)lattice->columns + 1);
        const int64_t end =
            (strip + 1) * STRIP_ROWS < lattice->rows ? (strip + 1) * STRIP_ROWS : lattice->rows;
        const uint32_t start = (uint32_t)((end - 1) * lattice->columns);
        const uint32_t below = (uint32_t)(end % lattice->rows * lattice->columns);
        for (uint32_t x = 0; x < (uint32_t)lattice->columns; x++)
            if (edges[x])
                join(labels, start + x, below + x);
        if (edges[lattice->columns])
            join(labels, start + (uint32_t)lattice->columns - 1, below);
    }
}

static void join_replica(void *context, size_t item)
{
    join_strips(context, (int64_t)item);
}

enum { SITES_PIECE = 65536 };

static uint64_t all_sites(const struct ising_clusters *c)
{
    const struct ising_lattice *lattice = &c->solver->setup.physics->lattice;
    return ising_sites(lattice) * (uint64_t)lattice->replicas;
}

static uint64_t piece_end(const struct ising_clusters *c, size_t item)
{
    const uint64_t end = (item + 1) * (uint64_t)SITES_PIECE, all = all_sites(c);
    return end < all ? end : all;
}

// Each site's root, into the second array.
static void find_roots(void *context, size_t item)
{
    const struct ising_clusters *c = context;
    const uint64_t sites = ising_sites(&c->solver->setup.physics->lattice);
    for (uint64_t at = item * (uint64_t)SITES_PIECE; at < piece_end(c, item); at++) {
        const uint32_t *labels = c->first + at / sites * sites;
        c->second[at] = root_of(labels, (uint32_t)(at % sites));
    }
}

static void clear_sizes(void *context, size_t item)
{
    const struct ising_clusters *c = context;
    const uint64_t first = item * (uint64_t)SITES_PIECE;
    memset(&c->first[first], 0, (size_t)(piece_end(c, item) - first) * sizeof *c->first);
}

// Sizes into the first array, at the roots; sums of integers have no order.
static void count_sizes(void *context, size_t item)
{
    const struct ising_clusters *c = context;
    const uint64_t sites = ising_sites(&c->solver->setup.physics->lattice);
    for (uint64_t at = item * (uint64_t)SITES_PIECE; at < piece_end(c, item); at++) {
        uint32_t *size = &c->first[at / sites * sites + c->second[at]];
#pragma omp atomic
        (*size)++;
    }
}

static void square_sizes(void *context, size_t replica)
{
    const struct ising_clusters *c = context;
    const uint64_t sites = ising_sites(&c->solver->setup.physics->lattice);
    int64_t squares = 0;
    for (uint64_t site = 0; site < sites; site++)
        squares += (int64_t)c->first[replica * sites + site] * c->first[replica * sites + site];
    c->solver->turned[replica] = squares;
}

// A row's words are one thread's.
static void turn_row(void *context, size_t item)
{
    const struct ising_clusters *c = context;
    struct ising_solver *s = c->solver;
    const struct ising_words *l = &s->layout;
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const uint64_t sites = ising_sites(lattice);
    const int64_t replica = (int64_t)item / l->rows, row = (int64_t)item % l->rows;
    const uint32_t purpose = ising_purpose(ISING_USE_TURNS, 0, 0);
    const uint64_t before = (uint64_t)replica * sites;
    const uint32_t *roots = c->second + before + (uint64_t)(row * lattice->columns);
    uint32_t last = ~(uint32_t)0, turns = 0;
    for (int64_t x = 0; x < lattice->columns; x++) {
        if (roots[x] != last) {
            last = roots[x];
            turns = ising_random_word(s->rule.key, before + last, s->sweep, purpose) & 1;
        }
        const struct ising_bit at = ising_bit_of(l, replica, x, row);
        s->words[at.word] ^= turns << at.bit;
    }
}

static void turn_all(struct ising_clusters *c)
{
    const struct ising_solver *s = c->solver;
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const size_t replicas = (size_t)lattice->replicas;
    const size_t pieces = (size_t)((all_sites(c) + SITES_PIECE - 1) / SITES_PIECE);
    team_for(s->threads, replicas * (size_t)c->strips, label_strip, c);
    team_for(s->threads, replicas, join_replica, c);
    team_for(s->threads, pieces, find_roots, c);
    team_for(s->threads, pieces, clear_sizes, c);
    team_for(s->threads, pieces, count_sizes, c);
    team_for(s->threads, replicas, square_sizes, c);
    team_for(s->threads, replicas * (size_t)lattice->rows, turn_row, c);
}

// ---- WOLFF

struct growth {
    const struct ising_clusters *clusters;
    int64_t replica;
    uint32_t *visited, *queue;
    uint32_t length, mark;
};

static void visit(struct growth *g, int64_t x, int64_t y)
{
    struct ising_solver *s = g->clusters->solver;
    const uint32_t site = (uint32_t)(y * s->setup.physics->lattice.columns + x);
    const struct ising_bit at = ising_bit_of(&s->layout, g->replica, x, y);
    g->visited[site] = g->mark;
    g->queue[g->length++] = site;
    s->words[at.word] ^= (uint32_t)1 << at.bit;
}

// The bond from `owner` in a direction (0 right, 1 down).
static bool is_drawn(const struct growth *g, uint64_t owner, uint64_t direction)
{
    const struct ising_solver *s = g->clusters->solver;
    const uint64_t sites = ising_sites(&s->setup.physics->lattice);
    const uint64_t word = 2 * ((uint64_t)g->replica * sites + owner) + direction;
    return ising_random_word(s->rule.key, word, s->sweep, ising_purpose(ISING_USE_BONDS, 0, 0)) <
           s->bond_threshold;
}

// A site that has been turned already looks at those beside it: `spin` is what it was.
static void look_beside(struct growth *g, uint32_t site)
{
    const struct ising_solver *s = g->clusters->solver;
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const int64_t columns = lattice->columns, rows = lattice->rows, x = site % columns, y = site / columns;
    const uint32_t spin = 1 ^ ising_spin(s, g->replica, x, y), unlike = s->rule.unlike & 1;
    const bool is_helical = lattice->boundary == ISING_HELICAL;
    const int64_t below = (y + 1) % rows, above = (y + rows - 1) % rows;
    const int64_t beside[4][2] = {{(x + 1) % columns, is_helical && x == columns - 1 ? below : y},
                                  {x, below},
                                  {(x + columns - 1) % columns, is_helical && x == 0 ? above : y},
                                  {x, above}};
    for (int n = 0; n < 4; n++) {
        const uint64_t other = (uint64_t)(beside[n][1] * columns + beside[n][0]);
        if (g->visited[other] == g->mark ||
            (spin ^ ising_spin(s, g->replica, beside[n][0], beside[n][1])) != unlike)
            continue;
        if (is_drawn(g, n < 2 ? site : other, (uint64_t)n % 2))
            visit(g, beside[n][0], beside[n][1]);
    }
}

static void grow(void *context, size_t replica)
{
    const struct ising_clusters *c = context;
    const struct ising_solver *s = c->solver;
    const uint64_t sites = ising_sites(&s->setup.physics->lattice);
    const int64_t columns = s->setup.physics->lattice.columns;
    struct growth g = {.clusters = c,
                       .replica = (int64_t)replica,
                       .visited = c->first + replica * sites,
                       .queue = c->second + replica * sites,
                       .mark = s->sweep + 1};
    const int64_t seed = (int64_t)ising_random_below(
        ising_random_word(s->rule.key, replica, s->sweep, ising_purpose(ISING_USE_SEED, 0, 0)), sites);
    visit(&g, seed % columns, seed / columns);
    for (uint32_t next = 0; next < g.length; next++)
        look_beside(&g, g.queue[next]);
    s->turned[replica] += g.length;
}

void ising_clusters_update(struct ising_solver *s)
{
    if (s->setup.physics->method == ISING_WOLFF)
        team_for(s->threads, (size_t)s->layout.replicas, grow, s->clusters);
    else
        turn_all(s->clusters);
}
