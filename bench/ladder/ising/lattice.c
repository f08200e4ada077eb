// See lattice.h: what all rungs share, and the serial rung.
#include "bench/ladder/ising/lattice.h"

#include "bench/ladder/ising/device.h"
#include "bench/ladder/ising/minstd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *ising_ladder_refusal(const struct ising_ladder_setup *setup)
{
    const bool is_host = setup->memory == ISING_LADDER_HOST;
    const int across = is_host ? 1 : 2 * setup->block_x, down = is_host ? 1 : 2 * setup->block_y;
    if (setup->side < 4 || setup->side > 1 << 14 || (setup->side & (setup->side - 1)) != 0)
        return "a rung needs a side of a power of two, 4 to 16384";
    if (!(setup->beta >= 1e-6 && setup->beta <= 1000))
        return "a rung needs a beta from 1e-6 to 1000";
    if (!is_host && (setup->block_x < 4 || setup->block_y < 2 || setup->block_x * setup->block_y > 256))
        return "a rung needs blocks of 4 x 2 to 256 threads";
    if (setup->side % across != 0 || setup->side % down != 0)
        return "the side is no multiple of twice the block's";
    return NULL;
}

static struct ising_ladder_chance chance_of(double beta, int product)
{
    const double probability = exp(-2 * beta * product);
    return (struct ising_ladder_chance){(float)probability, (uint32_t)ising_threshold(probability)};
}

const char *ising_ladder_open(struct ising_ladder *lattice, const struct ising_ladder_setup *setup)
{
    const char *refusal = ising_ladder_refusal(setup);
    *lattice = (struct ising_ladder){.setup = *setup, .key = ising_key(setup->seed, 0)};
    if (refusal)
        return refusal;
    for (int product = 2; product < ISING_LADDER_CHANCES; product += 2)
        lattice->chance[product] = chance_of(setup->beta, product);
    if (setup->memory != ISING_LADDER_HOST)
        return ising_ladder_device_open(lattice);
    const size_t sites = (size_t)setup->side * (size_t)setup->side;
    lattice->spins = malloc(sites * sizeof *lattice->spins);
    if (!lattice->spins)
        return "no memory for the spins";
    for (size_t site = 0; site < sites; site++)
        lattice->spins[site] = 1;
    minstd_make_seeds(setup->seed, 1, &lattice->seed);
    return NULL;
}

const char *ising_ladder_set(struct ising_ladder *lattice, const int32_t *spins)
{
    const size_t sites = (size_t)lattice->setup.side * (size_t)lattice->setup.side;
    if (lattice->setup.memory != ISING_LADDER_HOST)
        return ising_ladder_device_set(lattice, spins);
    memcpy(lattice->spins, spins, sites * sizeof *spins);
    return NULL;
}

const char *ising_ladder_get(struct ising_ladder *lattice, int32_t *spins)
{
    const size_t sites = (size_t)lattice->setup.side * (size_t)lattice->setup.side;
    if (lattice->setup.memory != ISING_LADDER_HOST)
        return ising_ladder_device_get(lattice, spins);
    memcpy(spins, lattice->spins, sites * sizeof *spins);
    return NULL;
}

void ising_ladder_close(struct ising_ladder *lattice)
{
    ising_ladder_device_close(lattice);
    free(lattice->spins);
    lattice->spins = NULL;
}

// ---- the serial program

static int32_t sum_of_neighbours(const struct ising_ladder *lattice, int site)
{
    const int side = lattice->setup.side, sites = side * side;
    const int32_t *spins = lattice->spins;
    const int right = site + 1 >= sites ? site + 1 - sites : site + 1,
              left = site - 1 < 0 ? site - 1 + sites : site - 1,
              below = site + side >= sites ? site + side - sites : site + side,
              above = site - side < 0 ? site - side + sites : site - side;
    return spins[right] + spins[left] + spins[below] + spins[above];
}

static double next_uniform(struct ising_ladder *lattice)
{
    lattice->seed = minstd_next(lattice->seed);
    return minstd_uniform(lattice->seed);
}

// Attempt number `pick` of a sweep.
static void attempt(struct ising_ladder *lattice, uint32_t sweep, int pick)
{
    const bool has_minstd = lattice->setup.draws == ISING_LADDER_MINSTD;
    const int sites = lattice->setup.side * lattice->setup.side;
    const uint32_t purpose = ising_purpose(ISING_USE_SPINS, 0, 0);
    const uint64_t word = 2 * (uint64_t)pick;
    const int site =
        has_minstd
            ? (int)(next_uniform(lattice) * sites)
            : (int)ising_random_below(ising_random_word(lattice->key, word, sweep, purpose), (uint64_t)sites);
    const int product = lattice->spins[site] * sum_of_neighbours(lattice, site);
    bool flips = product <= 0;
    if (!flips && has_minstd)
        flips = (float)next_uniform(lattice) < lattice->chance[product].probability;
    else if (!flips)
        flips =
            ising_random_word(lattice->key, word + 1, sweep, purpose) < lattice->chance[product].threshold;
    if (flips)
        lattice->spins[site] = -lattice->spins[site];
}

static void measure(const struct ising_ladder *lattice, int32_t *energy, int32_t *magnetisation)
{
    const int side = lattice->setup.side, sites = side * side;
    *energy = *magnetisation = 0;
    for (int site = 0; site < sites; site++) {
        const int32_t right = lattice->spins[site + 1 < sites ? site + 1 : 0],
                      below = lattice->spins[site + side < sites ? site + side : site + side - sites];
        *energy -= lattice->spins[site] * (right + below);
        *magnetisation += lattice->spins[site];
    }
}

const char *ising_ladder_advance(struct ising_ladder *lattice, uint32_t first, int count, int32_t *energy,
                                 int32_t *magnetisation)
{
    const int sites = lattice->setup.side * lattice->setup.side;
    if (lattice->setup.memory != ISING_LADDER_HOST)
        return ising_ladder_device_advance(lattice, first, count, energy, magnetisation);
    for (int k = 0; k < count; k++) {
        for (int pick = 0; pick < sites; pick++)
            attempt(lattice, first + (uint32_t)k, pick);
        measure(lattice, &energy[k], &magnetisation[k]);
    }
    return NULL;
}
