// Cluster updates (state.h, CLUSTERS), serial and simple: labels decrease until no open bond joins two
// different labels.
#include "models/ising/reference.h"

#include <math.h>

static bool is_open(const struct reference_replica *r, uint32_t sweep, uint64_t site, int direction,
                    uint64_t neighbour)
{
    const uint64_t sites = ising_sites(&r->physics->lattice);
    const int sign = r->physics->coupling < 0 ? -1 : 1;
    if (sign * r->spins[site] * r->spins[neighbour] < 0)
        return false;
    const uint64_t word = 2 * ((uint64_t)r->number * sites + site) + (uint64_t)direction;
    const uint64_t threshold = ising_threshold(-expm1(-2 * r->beta * fabs(r->physics->coupling)));
    return ising_random_word(r->key, word, sweep, ising_purpose(ISING_USE_BONDS, 0, 0)) < threshold;
}

// Follows the labels to the smallest site of a cluster: each label is a smaller site, or the site itself.
static uint64_t root_of(uint64_t *labels, uint64_t site)
{
    while (labels[site] != site)
        site = labels[site] = labels[labels[site]];
    return site;
}

static void join(uint64_t *labels, uint64_t a, uint64_t b)
{
    a = root_of(labels, a);
    b = root_of(labels, b);
    if (a < b)
        labels[b] = a;
    else
        labels[a] = b;
}

static void label_clusters(const struct reference_replica *r, uint32_t sweep, uint64_t *labels)
{
    const uint64_t sites = ising_sites(&r->physics->lattice);
    uint64_t neighbours[ISING_NEIGHBOURS];
    for (uint64_t site = 0; site < sites; site++)
        labels[site] = site;
    for (uint64_t site = 0; site < sites; site++) {
        reference_neighbours(&r->physics->lattice, site, neighbours);
        for (int direction = ISING_RIGHT; direction <= ISING_DOWN; direction++)
            if (is_open(r, sweep, site, direction, neighbours[direction]))
                join(labels, site, neighbours[direction]);
    }
    for (uint64_t site = 0; site < sites; site++)
        labels[site] = root_of(labels, site);
}

static int64_t flip_one_cluster(const struct reference_replica *r, uint32_t sweep, const uint64_t *labels)
{
    const uint64_t sites = ising_sites(&r->physics->lattice);
    const uint32_t random =
        ising_random_word(r->key, (uint64_t)r->number, sweep, ising_purpose(ISING_USE_SEED, 0, 0));
    const uint64_t cluster = labels[ising_random_below(random, sites)];
    int64_t flipped = 0;
    for (uint64_t site = 0; site < sites; site++)
        if (labels[site] == cluster) {
            r->spins[site] = (int8_t)-r->spins[site];
            flipped++;
        }
    return flipped;
}

static int64_t flip_clusters(const struct reference_replica *r, uint32_t sweep, uint64_t *labels)
{
    const uint64_t sites = ising_sites(&r->physics->lattice);
    const uint32_t purpose = ising_purpose(ISING_USE_FLIPS, 0, 0);
    for (uint64_t site = 0; site < sites; site++) {
        const uint64_t word = (uint64_t)r->number * sites + labels[site];
        if (ising_random_word(r->key, word, sweep, purpose) & 1)
            r->spins[site] = (int8_t)-r->spins[site];
    }
    uint64_t *sizes = labels + sites;
    int64_t squares = 0;
    for (uint64_t site = 0; site < sites; site++)
        sizes[site] = 0;
    for (uint64_t site = 0; site < sites; site++)
        sizes[labels[site]]++;
    for (uint64_t site = 0; site < sites; site++)
        squares += (int64_t)(sizes[site] * sizes[site]);
    return squares;
}

int64_t reference_update_clusters(const struct reference_replica *r, uint32_t sweep, uint64_t *labels)
{
    label_clusters(r, sweep, labels);
    return r->physics->method == ISING_WOLFF ? flip_one_cluster(r, sweep, labels)
                                             : flip_clusters(r, sweep, labels);
}
