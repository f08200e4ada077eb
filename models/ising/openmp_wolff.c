// Updates of WOLFF (state.h, CLUSTERS) of the fast CPU version. A cluster grows from its seed; spins are
// stored one per byte (openmp_bytes.c). A thread updates one replica. Bonds are drawn for several sites at a
// time.
//
// Several ranks: each grows the cluster in its own rows as far as it can. Sites that it reaches in the rows
// beside are marked there, and their ranks grow on from them, until no rank has a new site. The cluster is
// that of one rank, because whether a bond is open does not depend on when it is looked at.
#include "models/ising/openmp_solver.h"

#include "models/arrays.h"
#include "models/team.h"
#include "parallel/ranks.h"

#include <stdlib.h>

enum {
    TOGETHER = ISING_BATCH / 4, // sites whose bonds are drawn together
    VISITED = 2,                // the bit that marks a site of the cluster, beside the bit of the spin
    FEW = 16                    // a cluster of less than 1/FEW of the own sites is flipped in the words, too
};

static uint64_t own_sites(const struct solver *s)
{
    return (uint64_t)(ising_own_rows(s) * s->setup.physics->lattice.columns);
}

enum status ising_wolff_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const size_t replicas = (size_t)s->layout.replicas;
    const struct array_row arrays[] = {
        {ELEMENT_I32, replicas, own_sites(s) + 1, &s->queue, "sites of clusters"}, // and one not taken
        {ELEMENT_I32, 1, replicas, &s->queued, "numbers of sites of clusters"},
        {ELEMENT_U8, 1, replicas, &s->is_stale, "where words are stale"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

// Sites `first` … `first` + `own` − 1 are this rank's; `spins` has a row more on each side.
struct growth {
    const struct solver *solver;
    uint64_t before; // number of sites of the replicas before this one
    uint64_t first, own, threshold;
    uint8_t *spins; // where site 0 is, or would be
    uint32_t *queue, length;
};

static struct growth growth_of(const struct solver *s, size_t replica)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    return (struct growth){.solver = s,
                           .before = replica * ising_sites(lattice),
                           .first = (uint64_t)(s->own.first * lattice->columns),
                           .own = own_sites(s),
                           .threshold = s->bond_threshold,
                           .spins = s->bytes + (int64_t)replica * s->layout.held * lattice->columns,
                           .queue = s->queue + replica * (own_sites(s) + 1),
                           .length = s->queued[replica]};
}

// Draws the random words of the bonds of some sites: `own`, of the bonds to the right and down, and those of
// the bonds from the left and from above.
struct bonds {
    uint64_t beside[TOGETHER][4];
    uint32_t own[ISING_BATCH], left[ISING_BATCH], above[ISING_BATCH];
};

static void draw_bonds(const struct growth *g, const uint32_t *sites, uint32_t count, struct bonds *bonds)
{
    const struct solver *s = g->solver;
    const uint32_t purpose = ising_purpose(ISING_USE_BONDS, 0, 0);
    uint64_t own[TOGETHER] = {0}, left[TOGETHER] = {0}, above[TOGETHER] = {0};
    for (uint32_t k = 0; k < count; k++) {
        ising_sites_beside(&s->setup.physics->lattice, sites[k], bonds->beside[k]);
        own[k] = (g->before + sites[k]) / 2; // a quad has two sites' words
        left[k] = (g->before + bonds->beside[k][ISING_BESIDE_LEFT]) / 2;
        above[k] = (g->before + bonds->beside[k][ISING_BESIDE_ABOVE]) / 2;
    }
    s->functions->draw(&s->rule.key, own, s->sweep, purpose, bonds->own);
    s->functions->draw(&s->rule.key, left, s->sweep, purpose, bonds->left);
    s->functions->draw(&s->rule.key, above, s->sweep, purpose, bonds->above);
}

// Where a neighbour lies in memory. Of several ranks: those beyond a border are in the rows beside, which do
// not wrap around. shift: from the site to it on the whole lattice.
static inline int64_t place_of(const struct growth *g, uint32_t site, uint64_t beside, int64_t shift,
                               bool is_divided)
{
    const struct ising_lattice *lattice = &g->solver->setup.physics->lattice;
    const bool is_in_row = shift == 1 || shift == -1;
    if (!is_divided || (is_in_row && lattice->boundary == ISING_PERIODIC))
        return (int64_t)beside;
    return (int64_t)site + shift;
}

// The site at `place` joins the cluster if its bond is drawn, its spin is parallel (antiferromagnet:
// antiparallel), and it was not visited. There is no branch, because a branch on random values cannot be
// predicted.
static inline void try_site(struct growth *g, int64_t place, uint8_t wanted, uint32_t random, bool is_divided)
{
    const bool joins = (random < g->threshold) & (g->spins[place] == wanted);
    const bool is_own = !is_divided || (uint64_t)place - g->first < g->own;
    g->queue[g->length] = (uint32_t)place;
    g->length += joins & is_own;
    g->spins[place] ^= joins ? 1 | VISITED : 0;
}

static inline void try_neighbours(struct growth *growth, const uint32_t *sites, uint32_t count,
                                  bool is_divided)
{
    struct growth copy = *growth, *g = &copy; // its members stay in registers: bytes could alias them
    const uint8_t unlike = g->solver->rule.unlike & 1;
    const int64_t columns = g->solver->setup.physics->lattice.columns;
    struct bonds bonds;
    draw_bonds(growth, sites, count, &bonds);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t site = sites[k];
        const uint8_t wanted = (g->spins[site] & 1) ^ 1 ^ unlike; // the site is flipped already
        const uint64_t right = bonds.beside[k][ISING_BESIDE_RIGHT],
                       below = bonds.beside[k][ISING_BESIDE_BELOW];
        const uint64_t left = bonds.beside[k][ISING_BESIDE_LEFT], above = bonds.beside[k][ISING_BESIDE_ABOVE];
        const uint32_t *own = &bonds.own[4 * k + 2 * (site & 1)];
        const uint32_t of_left = bonds.left[4 * k + 2 * (left & 1)],
                       of_above = bonds.above[4 * k + 2 * (above & 1) + 1];
        try_site(g, place_of(g, site, right, 1, is_divided), wanted, own[0], is_divided);
        try_site(g, place_of(g, site, below, columns, is_divided), wanted, own[1], is_divided);
        try_site(g, place_of(g, site, left, -1, is_divided), wanted, of_left, is_divided);
        try_site(g, place_of(g, site, above, -columns, is_divided), wanted, of_above, is_divided);
    }
    growth->length = g->length;
}

static void flip_words(const struct growth *g, int64_t replica)
{
    const struct solver *s = g->solver;
    const uint32_t columns = (uint32_t)s->setup.physics->lattice.columns;
    for (uint32_t k = 0; k < g->length; k++) {
        const struct ising_bit at =
            ising_bit_of(&s->layout, replica, g->queue[k] % columns, g->queue[k] / columns);
        s->words[at.word] ^= (uint32_t)1 << at.bit;
    }
}

// ---- one update

// Marks a site that is not visited, and appends it.
static void take_site(struct growth *g, uint64_t site)
{
    g->spins[site] ^= 1 | VISITED;
    g->queue[g->length++] = (uint32_t)site;
}

static uint32_t draw_seed(const struct solver *s, size_t replica)
{
    const uint32_t random =
        ising_random_word(s->rule.key, replica, s->sweep, ising_purpose(ISING_USE_SEED, 0, 0));
    return (uint32_t)ising_random_below(random, ising_sites(&s->setup.physics->lattice));
}

// Grows on from the site number `next` of the queue.
static inline void grow_from(struct growth *g, uint32_t next, bool is_divided)
{
    for (uint32_t count; next < g->length; next += count) {
        count = g->length - next < TOGETHER ? g->length - next : TOGETHER;
        try_neighbours(g, &g->queue[next], count, is_divided);
    }
}

static void end_growth(struct solver *s, const struct growth *g, size_t replica)
{
    for (uint32_t k = 0; k < g->length; k++)
        g->spins[g->queue[k]] &= 1;
    if ((uint64_t)g->length * FEW < g->own)
        flip_words(g, (int64_t)replica);
    else
        s->is_stale[replica] = true;
    s->counted[replica] += g->length;
    s->queued[replica] = 0;
}

static void grow_alone(void *context, size_t replica)
{
    struct solver *s = context;
    struct growth g = growth_of(s, replica);
    take_site(&g, draw_seed(s, replica));
    grow_from(&g, 0, false);
    end_growth(s, &g, replica);
}

// ---- one update of several ranks. `queued` has the sites of the cluster so far.

// Takes the sites that neighbours have marked in the rows at the border.
static uint32_t take_marked(struct growth *g, const struct solver *s, size_t replica)
{
    const size_t columns = (size_t)s->setup.physics->lattice.columns;
    const uint64_t rows[] = {g->first, g->first + g->own - columns};
    const uint32_t before = g->length;
    for (int border = 0; border < 2; border++) {
        const uint8_t *marked = ising_returned_bytes(s, border, replica);
        for (size_t x = 0; x < columns; x++)
            if ((marked[x] & VISITED) && !(g->spins[rows[border] + x] & VISITED))
                take_site(g, rows[border] + x);
    }
    return g->length - before;
}

static void grow_first(void *context, size_t replica)
{
    struct solver *s = context;
    struct growth g = growth_of(s, replica);
    const uint32_t seed = draw_seed(s, replica);
    if (seed - g.first < g.own)
        take_site(&g, seed);
    grow_from(&g, 0, true);
    s->queued[replica] = g.length;
}

static void grow_on(void *context, size_t replica)
{
    struct solver *s = context;
    struct growth g = growth_of(s, replica);
    const uint32_t taken = take_marked(&g, s, replica);
    grow_from(&g, g.length - taken, true);
    s->queued[replica] = g.length;
}

static void end_divided(void *context, size_t replica)
{
    struct solver *s = context;
    const struct growth g = growth_of(s, replica);
    end_growth(s, &g, replica);
}

static int64_t queued_sites(const struct solver *s)
{
    int64_t sites = 0;
    for (int64_t k = 0; k < s->layout.replicas; k++)
        sites += s->queued[k];
    return sites;
}

static enum status grow_divided(struct solver *s)
{
    const size_t replicas = (size_t)s->layout.replicas;
    int64_t grown = 1;
    CHECK(ising_swap_bytes(s));
    team_for(s->threads, replicas, grow_first, s);
    while (grown > 0) {
        const int64_t before = queued_sites(s);
        CHECK(ising_return_bytes(s));
        team_for(s->threads, replicas, grow_on, s);
        grown = queued_sites(s) - before;
        CHECK(ranks_largest(s->setup.ranks, TRANSPORT_STEPS, &grown, 1));
    }
    team_for(s->threads, replicas, end_divided, s);
    return STATUS_OK;
}

enum status ising_wolff_update(struct solver *s)
{
    if (s->setup.shares)
        return grow_divided(s);
    team_for(s->threads, (size_t)s->layout.replicas, grow_alone, s);
    return STATUS_OK;
}
