// The serial reference of the Ising model: a byte a spin, one site after the other, written from state.h. THE
// SPECIFICATION: the fast versions are tested against it and must make the same lattice, bit for bit.
#include "models/ising/reference.h"

#include "core/clock.h"
#include "models/arrays.h"

#include <stdlib.h>

struct solver {
    struct ising_setup setup;
    int8_t *spins;    // [replicas][rows][columns]
    uint32_t *words;  // spins packed in words, as exchanged with the model
    uint64_t *labels; // of clusters; NULL for methods without clusters
    int64_t *flipped; // [replicas]: cluster sizes for the next measurement
    struct philox_key key;
    double beta;
    struct ising_stage_times times;
};

static enum status reference_plan(const struct ising_setup *setup, struct memory_plan *plan,
                                  const char *prefix, struct solver **solver)
{
    const struct ising_lattice *lattice = &setup->physics->lattice;
    const size_t replicas = (size_t)lattice->replicas, sites = (size_t)ising_sites(lattice);
    struct solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the reference solver");
    s->setup = *setup;
    const struct array_row arrays[] = {
        {ELEMENT_U8, replicas, sites, &s->spins, "reference spins"},
        {ELEMENT_I32, replicas, ising_lattice_words(lattice), &s->words, "reference words"},
        {ELEMENT_I64, 1, replicas, &s->flipped, "reference cluster sizes"},
        {ELEMENT_I64, ising_has_clusters(setup->physics->method) ? 2 : 0, sites, &s->labels,
         "reference labels"},
    };
    return ARRAYS_PLAN(plan, prefix, arrays);
}

static struct reference_replica replica_at(const struct solver *s, int64_t number)
{
    const struct ising_physics *physics = s->setup.physics;
    return (struct reference_replica){.physics = physics,
                                      .spins = s->spins + number * (int64_t)ising_sites(&physics->lattice),
                                      .number = number,
                                      .key = s->key,
                                      .beta = s->beta};
}

// ---- in and out

static uint32_t *reference_words(const struct solver *s)
{
    return s->words;
}

// The word and the bit of site (x, y).
static uint32_t *word_of(const struct solver *s, int64_t replica, int64_t x, int64_t y, int *bit)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const int64_t words = ising_row_words(lattice->columns), k = x / 2;
    *bit = (int)(k / words);
    return &s->words[((replica * 2 + x % 2) * lattice->rows + y) * words + k % words];
}

static void for_sites(struct solver *s, void (*body)(int8_t *spin, uint32_t *word, int bit))
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    int8_t *spin = s->spins;
    for (int64_t replica = 0; replica < lattice->replicas; replica++)
        for (int64_t y = 0; y < lattice->rows; y++)
            for (int64_t x = 0; x < lattice->columns; x++) {
                int bit;
                uint32_t *word = word_of(s, replica, x, y, &bit);
                body(spin++, word, bit);
            }
}

static void unpack(int8_t *spin, uint32_t *word, int bit)
{
    *spin = *word >> bit & 1 ? 1 : -1;
}

static void pack(int8_t *spin, uint32_t *word, int bit)
{
    const uint32_t mask = (uint32_t)1 << bit;
    *word = *spin > 0 ? *word | mask : *word & ~mask;
}

static enum status reference_touch(struct solver *s, bool is_loaded)
{
    for_sites(s, unpack);
    for (int64_t k = 0; !is_loaded && k < s->setup.physics->lattice.replicas; k++)
        s->flipped[k] = 0;
    s->times = (struct ising_stage_times){.sweeps = 0};
    return STATUS_OK;
}

static enum status reference_fetch(struct solver *s)
{
    for_sites(s, pack);
    return STATUS_OK;
}

static int reference_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const size_t replicas = (size_t)lattice->replicas;
    arrays[0] = (struct checkpoint_array){"spins", s->words,
                                          replicas * ising_lattice_words(lattice) * sizeof *s->words};
    arrays[1] = (struct checkpoint_array){"cluster sizes", s->flipped, replicas * sizeof *s->flipped};
    return 2;
}

// ---- neighbours

static uint64_t wrapped(uint64_t value, int64_t step, uint64_t length)
{
    return (value + length + (uint64_t)step) % length;
}

void reference_neighbours(const struct ising_lattice *lattice, uint64_t site,
                          uint64_t neighbours[ISING_NEIGHBOURS])
{
    const uint64_t columns = (uint64_t)lattice->columns, rows = (uint64_t)lattice->rows;
    const uint64_t x = site % columns, y = site / columns;
    neighbours[ISING_DOWN] = wrapped(y, 1, rows) * columns + x;
    neighbours[ISING_UP] = wrapped(y, -1, rows) * columns + x;
    neighbours[ISING_RIGHT] = y * columns + wrapped(x, 1, columns);
    neighbours[ISING_LEFT] = y * columns + wrapped(x, -1, columns);
    if (lattice->boundary == ISING_HELICAL) {
        neighbours[ISING_RIGHT] = wrapped(site, 1, columns * rows);
        neighbours[ISING_LEFT] = wrapped(site, -1, columns * rows);
    }
}

int reference_field(const struct reference_replica *replica, uint64_t site)
{
    uint64_t neighbours[ISING_NEIGHBOURS];
    int sum = 0;
    reference_neighbours(&replica->physics->lattice, site, neighbours);
    for (int n = 0; n < ISING_NEIGHBOURS; n++)
        sum += replica->spins[neighbours[n]];
    return sum;
}

// ---- steps and measurements

static void reference_set_temperature(struct solver *s, uint32_t number, double beta)
{
    s->key = ising_key(s->setup.physics->seed, number);
    s->beta = beta;
}

static enum status reference_advance(struct solver *s, int64_t first_sweep, int64_t count)
{
    const double start_s = clock_now_s();
    const bool by_clusters = ising_has_clusters(s->setup.physics->method),
               is_wolff = s->setup.physics->method == ISING_WOLFF;
    for (int64_t sweep = first_sweep; sweep < first_sweep + count; sweep++)
        for (int64_t k = 0; k < s->setup.physics->lattice.replicas; k++) {
            const struct reference_replica replica = replica_at(s, k);
            if (by_clusters)
                s->flipped[k] = (is_wolff ? s->flipped[k] : 0) +
                                reference_update_clusters(&replica, (uint32_t)sweep, s->labels);
            else
                reference_sweep_spins(&replica, (uint32_t)sweep);
        }
    s->times.sweeps += count;
    s->times.sweeps_s += clock_now_s() - start_s;
    return STATUS_OK;
}

static enum status reference_measure(struct solver *s, struct ising_measure *measures)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const double start_s = clock_now_s();
    uint64_t neighbours[ISING_NEIGHBOURS];
    for (int64_t k = 0; k < lattice->replicas; k++) {
        const int8_t *spins = replica_at(s, k).spins;
        struct ising_measure measure = {.clusters = s->flipped[k]};
        for (uint64_t site = 0; site < ising_sites(lattice); site++) {
            reference_neighbours(lattice, site, neighbours);
            measure.spins += spins[site];
            measure.bonds += spins[site] * (spins[neighbours[ISING_RIGHT]] + spins[neighbours[ISING_DOWN]]);
        }
        s->flipped[k] = s->setup.physics->method == ISING_WOLFF ? 0 : s->flipped[k];
        measures[k] = measure;
    }
    s->times.measures++;
    s->times.measures_s += clock_now_s() - start_s;
    return STATUS_OK;
}

// Σ s s' over the sites whose partner lies `distance` to the right, or below.
static int64_t correlation_at(const struct ising_lattice *lattice, const int8_t *spins, int64_t distance,
                              bool is_down)
{
    int64_t sum = 0;
    for (int64_t site = 0; site < lattice->columns * lattice->rows; site++) {
        const int64_t x = site % lattice->columns, y = site / lattice->columns;
        int64_t other;
        if (is_down)
            other = (y + distance) % lattice->rows * lattice->columns + x;
        else if (lattice->boundary == ISING_HELICAL)
            other = (site + distance) % (lattice->columns * lattice->rows);
        else
            other = y * lattice->columns + (x + distance) % lattice->columns;
        sum += spins[site] * spins[other];
    }
    return sum;
}

static enum status reference_correlate(struct solver *s, size_t distances, const int64_t *distance,
                                       int64_t *correlations)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    for (int64_t k = 0; k < lattice->replicas; k++) {
        const int8_t *spins = replica_at(s, k).spins;
        int64_t *to = correlations + (size_t)k * ising_correlations_length(lattice, distances);
        for (int is_down = 0; is_down < 2; is_down++)
            for (size_t d = 0; d < distances; d++)
                *to++ = correlation_at(lattice, spins, distance[d], is_down);
        int64_t *rows = to, *columns = to + lattice->rows;
        for (int64_t line = 0; line < lattice->rows + lattice->columns; line++)
            to[line] = 0;
        for (int64_t y = 0; y < lattice->rows; y++)
            for (int64_t x = 0; x < lattice->columns; x++) {
                rows[y] += spins[y * lattice->columns + x];
                columns[x] += spins[y * lattice->columns + x];
            }
    }
    return STATUS_OK;
}

// ---- the table

static void reference_stages(const struct solver *s, struct ising_stage_times *times)
{
    *times = s->times;
}

const struct ising_backend ising_backend_reference = {
    .head = {.name = "reference",
             .summary = "serial, a byte a spin, plain: the specification",
             .touch = reference_touch,
             .fetch = reference_fetch,
             .advance = reference_advance,
             .checkpoint_arrays = reference_checkpoint_arrays},
    .plan = reference_plan,
    .words = reference_words,
    .set_temperature = reference_set_temperature,
    .measure = reference_measure,
    .correlate = reference_correlate,
    .stages = reference_stages,
};
