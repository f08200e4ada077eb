// Updates of WOLFF (state.h, CLUSTERS) of the fast CPU version. A cluster grows from its seed; spins are
// stored one per byte (openmp_bytes.c). A thread updates one replica. Bonds are drawn for several sites at a
// time.
#include "models/ising/openmp_solver.h"

#include "models/team.h"

#include <stdlib.h>

enum {
    TOGETHER = ISING_BATCH / 4, // sites whose bonds are drawn together
    VISITED = 2,                // the bit that marks a site of the cluster, beside the bit of the spin
    FEW = 16                    // a cluster of less than 1/FEW of the lattice is flipped in the words, too
};

enum status ising_wolff_plan(struct solver *s, struct memory_plan *plan, const char *prefix)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const size_t replicas = (size_t)lattice->replicas, sites = (size_t)ising_sites(lattice);
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, replicas, sites + 1, (void **)&s->queue,
                          "%ssites of clusters", prefix)); // and one that is not taken
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_U8, 1, replicas, (void **)&s->is_stale,
                           "%swhere words are stale", prefix);
}

struct growth {
    const struct solver *solver;
    uint64_t before; // number of sites of the replicas before this one
    uint8_t *spins;
    uint32_t *queue, length;
};

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

// `other` joins the cluster if its bond is drawn, its spin is parallel (antiferromagnet: antiparallel), and
// it was not visited. There is no branch, because a branch on random values cannot be predicted.
static inline void try_site(struct growth *g, uint64_t other, uint8_t wanted, uint32_t random)
{
    const bool joins = (random < g->solver->bond_threshold) & (g->spins[other] == wanted);
    g->queue[g->length] = (uint32_t)other;
    g->length += joins;
    g->spins[other] ^= joins ? 1 | VISITED : 0;
}

static void try_neighbours(struct growth *g, const uint32_t *sites, uint32_t count)
{
    const uint8_t unlike = g->solver->rule.unlike & 1;
    struct bonds bonds;
    draw_bonds(g, sites, count, &bonds);
    for (uint32_t k = 0; k < count; k++) {
        const uint8_t wanted = (g->spins[sites[k]] & 1) ^ 1 ^ unlike; // the site is flipped already
        const uint64_t *beside = bonds.beside[k];
        const uint64_t left = beside[ISING_BESIDE_LEFT], above = beside[ISING_BESIDE_ABOVE];
        const uint32_t *own = &bonds.own[4 * k + 2 * (sites[k] & 1)];
        try_site(g, beside[ISING_BESIDE_RIGHT], wanted, own[0]);
        try_site(g, beside[ISING_BESIDE_BELOW], wanted, own[1]);
        try_site(g, left, wanted, bonds.left[4 * k + 2 * (left & 1)]);
        try_site(g, above, wanted, bonds.above[4 * k + 2 * (above & 1) + 1]);
    }
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

static void grow(void *context, size_t replica)
{
    struct solver *s = context;
    const uint64_t sites = ising_sites(&s->setup.physics->lattice);
    struct growth g = {.solver = s,
                       .before = replica * sites,
                       .spins = s->bytes + replica * sites,
                       .queue = s->queue + replica * (sites + 1)};
    const uint32_t random =
        ising_random_word(s->rule.key, replica, s->sweep, ising_purpose(ISING_USE_SEED, 0, 0));
    g.queue[g.length++] = (uint32_t)ising_random_below(random, sites);
    g.spins[g.queue[0]] ^= 1 | VISITED;
    for (uint32_t next = 0, count; next < g.length; next += count) {
        count = g.length - next < TOGETHER ? g.length - next : TOGETHER;
        try_neighbours(&g, &g.queue[next], count);
    }
    for (uint32_t k = 0; k < g.length; k++)
        g.spins[g.queue[k]] &= 1;
    if ((uint64_t)g.length * FEW < sites)
        flip_words(&g, (int64_t)replica);
    else
        s->is_stale[replica] = true;
    s->flipped[replica] += g.length;
}

void ising_wolff_update(struct solver *s)
{
    team_for(s->threads, (size_t)s->layout.replicas, grow, s);
}
