// The fast CPU version of the Ising model: 32 spins a word, words in lanes (openmp_isa.c). Sweeps are in
// openmp_spins.c and openmp_bytes.c, clusters in openmp_clusters.c and openmp_wolff.c,
// what ranks exchange in openmp_ranks.c. This file: the plan, measurements, and what goes in and out.
#include "models/ising/openmp_solver.h"

#include "core/clock.h"
#include "models/arrays.h"
#include "models/team.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEASURED_WORDS = 1 << 14 }; // that a thread counts at a time

static bool openmp_has_method(const struct ising_setup *setup, char *why, size_t bytes)
{
    const struct ising_physics *physics = setup->physics;
    const bool has_bits = physics->method == ISING_METROPOLIS || physics->method == ISING_HEAT_BATH ||
                          physics->method == ISING_METROPOLIS_INTEGER;
    if (has_bits || ising_sites(&physics->lattice) <= INT32_MAX)
        return true;
    snprintf(why, bytes, "a site has 31 bits there; take fewer sites, or metropolis or heat-bath");
    return false;
}

static enum status openmp_plan(const struct ising_setup *setup, struct memory_plan *plan, const char *prefix,
                               struct solver **solver)
{
    const struct ising_lattice *lattice = &setup->physics->lattice;
    const size_t replicas = (size_t)lattice->replicas;
    struct solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the OpenMP solver");
    s->setup = *setup;
    s->functions = ISA_TABLE(ising_functions);
    s->threads = omp_get_max_threads();
    s->layout = ising_words_of(lattice);
    s->own = (struct share){0, lattice->rows};
    CHECK(ising_ranks_plan(s, plan, prefix));
    const struct array_row arrays[] = {
        {ELEMENT_I32, setup->shares ? 0 : replicas, ising_lattice_words(lattice), &s->words, "spins"},
        {ELEMENT_I64, 1, replicas, &s->flipped, "cluster sizes"},
        {ELEMENT_I64, 1, replicas, &s->counted, "cluster sizes of this rank"},
        {ELEMENT_I64, 2, replicas * (size_t)ising_own_rows(s), &s->sums, "sums of rows"},
    };
    CHECK(ARRAYS_PLAN(plan, prefix, arrays));
    if (ising_has_bytes(setup->physics->method))
        CHECK(ising_bytes_plan(s, plan, prefix));
    if (setup->physics->method == ISING_WOLFF)
        return ising_wolff_plan(s, plan, prefix);
    return setup->physics->method == ISING_SWENDSEN_WANG ? ising_clusters_plan(s, plan, prefix) : STATUS_OK;
}

static uint32_t *openmp_words(const struct solver *s)
{
    return s->own_words ? s->own_words : s->words;
}

// Of the own rows of all replicas, in both planes.
static size_t word_count(const struct solver *s)
{
    return 2 * (size_t)s->layout.replicas * (size_t)(ising_own_rows(s) * s->layout.words);
}

static enum status openmp_touch(struct solver *s, bool is_loaded)
{
    const uint32_t mask = ising_word_mask(s->layout.bits);
    uint32_t *words = openmp_words(s);
    for (size_t k = 0; k < word_count(s); k++)
        words[k] &= mask;
    ising_take_words(s);
    for (int64_t k = 0; !is_loaded && k < s->layout.replicas; k++)
        s->flipped[k] = 0;
    if (s->bytes)
        ising_bytes_spread(s);
    s->times = (struct ising_stage_times){.sweeps = 0};
    return STATUS_OK;
}

static enum status openmp_fetch(struct solver *s)
{
    ising_give_words(s);
    return STATUS_OK;
}

static int openmp_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    const size_t replicas = (size_t)s->layout.replicas;
    arrays[0] = (struct checkpoint_array){"spins", openmp_words(s), word_count(s) * sizeof *s->words};
    arrays[1] = (struct checkpoint_array){"cluster sizes", s->flipped, replicas * sizeof *s->flipped};
    return 2;
}

static void openmp_set_temperature(struct solver *s, uint32_t number, double beta)
{
    const double coupling = fabs(s->setup.physics->coupling);
    s->rule = ising_rule_of(s->setup.physics, number, beta);
    s->bond_threshold = ising_threshold(-expm1(-2 * beta * coupling));
}

// ---- steps and measurements

// Of the clusters of the last sweeps.
static enum status take_clusters(struct solver *s)
{
    const bool adds = s->setup.physics->method == ISING_WOLFF;
    CHECK(ising_add_ranks(s, s->counted, (size_t)s->layout.replicas));
    for (int64_t k = 0; k < s->layout.replicas; k++) {
        s->flipped[k] = (adds ? s->flipped[k] : 0) + s->counted[k];
        s->counted[k] = 0;
    }
    return STATUS_OK;
}

static enum status openmp_advance(struct solver *s, int64_t first_sweep, int64_t count)
{
    const double start_s = clock_now_s();
    const enum ising_method method = s->setup.physics->method;
    const bool has_clusters = ising_has_clusters(method);
    for (int64_t sweep = first_sweep; sweep < first_sweep + count; sweep++) {
        s->sweep = (uint32_t)sweep;
        CHECK(method == ISING_SWENDSEN_WANG ? ising_clusters_update(s, sweep == first_sweep + count - 1)
              : method == ISING_WOLFF       ? ising_wolff_update(s)
              : s->bytes                    ? ising_bytes_sweep(s)
                                            : ising_sweep_spins(s));
    }
    if (has_clusters)
        CHECK(take_clusters(s));
    if (s->bytes)
        ising_bytes_gather(s);
    *(has_clusters ? &s->times.clusters_s : &s->times.sweeps_s) += clock_now_s() - start_s;
    s->times.sweeps += count;
    return STATUS_OK;
}

// line: of the own rows of all replicas.
static void measure_row(struct solver *s, int64_t line)
{
    const struct ising_words *l = &s->layout;
    const int64_t replica = line / ising_own_rows(s), row = s->own.first + line % ising_own_rows(s);
    const int64_t below = ising_row_below(l, row);
    const struct ising_neighbour_places beside = ising_neighbour_places(l, replica, 0, row, 0);
    const struct ising_measured_row words = {
        .even = &s->words[ising_word_at(l, replica, 0, row, 0)],
        .odd = &s->words[ising_word_at(l, replica, 1, row, 0)],
        .even_below = &s->words[ising_word_at(l, replica, 0, below, 0)],
        .odd_below = &s->words[ising_word_at(l, replica, 1, below, 0)],
        .beside_first =
            ising_rotate_word(l->bits, 0, s->words[beside.at[ISING_OTHER_SIDE]], s->words[beside.seam]),
        .words = l->words};
    const struct ising_row_counts counts = s->functions->count_row(&words);
    s->sums[2 * line] = counts.unlike;
    s->sums[2 * line + 1] = counts.up;
}

static int64_t measured_rows(const struct solver *s)
{
    return (MEASURED_WORDS + s->layout.words - 1) / s->layout.words;
}

static void measure_rows(void *context, size_t item)
{
    struct solver *s = context;
    const int64_t lines = s->layout.replicas * ising_own_rows(s), rows = measured_rows(s);
    const int64_t first = (int64_t)item * rows, end = first + rows < lines ? first + rows : lines;
    for (int64_t line = first; line < end; line++)
        measure_row(s, line);
}

// The first number of each replica's row sums becomes that of all its rows: [replicas][2].
static void add_rows(struct solver *s)
{
    const int64_t rows = ising_own_rows(s);
    for (int64_t k = 0; k < s->layout.replicas; k++) {
        int64_t unlike = 0, up = 0;
        for (int64_t line = k * rows; line < (k + 1) * rows; line++) {
            unlike += s->sums[2 * line];
            up += s->sums[2 * line + 1];
        }
        s->sums[2 * k] = unlike;
        s->sums[2 * k + 1] = up;
    }
}

static enum status openmp_measure(struct solver *s, struct ising_measure *measures)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const int64_t sites = lattice->columns * lattice->rows;
    const double start_s = clock_now_s();
    const int64_t lines = lattice->replicas * ising_own_rows(s), rows = measured_rows(s);
    CHECK(ising_swap_words(s));
    team_for(s->threads, (size_t)((lines + rows - 1) / rows), measure_rows, s);
    add_rows(s);
    CHECK(ising_add_ranks(s, s->sums, 2 * (size_t)lattice->replicas));
    for (int64_t k = 0; k < lattice->replicas; k++) {
        measures[k] = (struct ising_measure){.bonds = 2 * sites - 2 * s->sums[2 * k],
                                             .spins = 2 * s->sums[2 * k + 1] - sites,
                                             .clusters = s->flipped[k]};
        if (s->setup.physics->method == ISING_WOLFF)
            s->flipped[k] = 0;
    }
    s->times.measures++;
    s->times.measures_s += clock_now_s() - start_s;
    return STATUS_OK;
}

// ---- the table

static void openmp_stages(const struct solver *s, struct ising_stage_times *times)
{
    *times = s->times;
}

static const char *openmp_instruction_set(void)
{
    return ISA_TABLE(ising_functions)->instruction_set;
}

// By all threads together; of some repeats the quickest, which others' work only lowers.
static enum status openmp_measure_draws(int device, double *words_per_s)
{
    enum { REPEATS = 6 }; // even: the same words twice are none
    const struct ising_functions *functions = ISA_TABLE(ising_functions);
    const uint64_t words = (uint64_t)1 << 24;
    uint32_t sink = 0;
    (void)device;
    *words_per_s = 0;
    for (int k = 0; k < REPEATS; k++) {
        const double start_s = clock_now_s();
#pragma omp parallel reduction(^ : sink)
        sink ^= functions->draw_only(words);
        const double seconds = clock_now_s() - start_s;
        *words_per_s = fmax(*words_per_s, (double)words * omp_get_max_threads() / seconds);
    }
    return sink == 0 ? STATUS_OK : FAIL(STATUS_SOFTWARE, "the generator's words are not the same each time");
}

static void openmp_destroy(struct solver *s)
{
    if (s)
        ising_clusters_free(s->clusters);
    free(s);
}

const struct ising_backend ising_backend_openmp = {
    .head = {.name = "openmp",
             .summary = "all processor cores, 32 spins a word",
             .warm_up = solver_warm_up_team,
             .touch = openmp_touch,
             .fetch = openmp_fetch,
             .advance = openmp_advance,
             .checkpoint_arrays = openmp_checkpoint_arrays,
             .instruction_set = openmp_instruction_set,
             .destroy = openmp_destroy},
    .has_method = openmp_has_method,
    .is_divided = true,
    .plan = openmp_plan,
    .words = openmp_words,
    .set_temperature = openmp_set_temperature,
    .measure = openmp_measure,
    .correlate = ising_correlate,
    .stages = openmp_stages,
    .measure_draws = openmp_measure_draws,
};
