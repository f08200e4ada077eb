// The fast CPU version of the Ising model: 32 spins a word, words in lanes (openmp_isa.c), clusters in openmp_clusters.c. This file: the
// plan, sweeps by phases, measurements, and what goes in and out.
#include "models/ising/openmp_solver.h"

#include "core/clock.h"
#include "models/isa.h"
#include "models/team.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Words that a thread handles at a time.
enum { PIECE = 64 * ISING_BATCH };

static const struct ising_functions *choose_functions(void)
{
    switch (isa_best()) {
    case ISA_AVX512:
        return &ising_functions_avx512;
    case ISA_AVX2:
        return &ising_functions_avx2;
    case ISA_GENERIC:
        break;
    }
    return &ising_functions_generic;
}

static bool has_clusters(const struct ising_physics *physics)
{
    return physics->method == ISING_WOLFF || physics->method == ISING_SWENDSEN_WANG;
}

static bool openmp_has_method(const struct ising_setup *setup, char *why, size_t bytes)
{
    if (setup->physics->method != ISING_METROPOLIS_INTEGER &&
        setup->physics->method != ISING_METROPOLIS_RANDOM)
        return true;
    snprintf(why, bytes,
             "it is the reference's, to compare with: 32 spins at a time are decided bit by bit; take "
             "metropolis");
    return false;
}

static enum status openmp_plan(const struct ising_setup *setup, struct memory_plan *plan, const char *prefix,
                               struct ising_solver **solver)
{
    const struct ising_lattice *lattice = &setup->physics->lattice;
    const size_t replicas = (size_t)lattice->replicas;
    struct ising_solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the OpenMP solver");
    s->setup = *setup;
    s->functions = choose_functions();
    s->threads = omp_get_max_threads();
    s->layout = ising_words_of(lattice);
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, replicas, ising_lattice_words(lattice),
                          (void **)&s->words, "%sspins", prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I64, 1, replicas, (void **)&s->turned, "%scluster sizes",
                          prefix));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I64, 2, replicas * (size_t)lattice->rows,
                          (void **)&s->sums, "%ssums of rows", prefix));
    return has_clusters(setup->physics) ? ising_clusters_plan(s, plan, prefix) : STATUS_OK;
}

static void do_nothing(void *context, size_t item)
{
    (void)context;
    (void)item;
}

// The threads are made here: nothing may be allocated later.
static enum status openmp_warm_up(struct ising_solver *s)
{
    team_for(s->threads, (size_t)s->threads, do_nothing, NULL);
    return STATUS_OK;
}

static uint32_t *openmp_words(const struct ising_solver *s)
{
    return s->words;
}

static enum status openmp_touch(struct ising_solver *s, bool is_loaded)
{
    const uint32_t mask = ising_word_mask(s->layout.bits);
    const size_t words = (size_t)s->layout.replicas * ising_lattice_words(&s->setup.physics->lattice);
    for (size_t k = 0; k < words; k++)
        s->words[k] &= mask;
    for (int64_t k = 0; !is_loaded && k < s->layout.replicas; k++)
        s->turned[k] = 0;
    s->times = (struct ising_phase_times){.sweeps = 0};
    return STATUS_OK;
}

static int openmp_checkpoint_arrays(struct ising_solver *s, struct checkpoint_array *arrays)
{
    const size_t replicas = (size_t)s->layout.replicas;
    const size_t words = replicas * ising_lattice_words(&s->setup.physics->lattice);
    arrays[0] = (struct checkpoint_array){"spins", s->words, words * sizeof *s->words};
    arrays[1] = (struct checkpoint_array){"cluster sizes", s->turned, replicas * sizeof *s->turned};
    return 2;
}

static void openmp_set_temperature(struct ising_solver *s, uint32_t number, double beta)
{
    const double coupling = fabs(s->setup.physics->coupling);
    s->rule = ising_rule_of(s->setup.physics, number, beta);
    s->bond_threshold = ising_threshold(-expm1(-2 * beta * coupling));
}

// ---- a sweep. Words of a phase are numbered through all rows and replicas.

// Words first … first + length − 1 of one row, to place `to` of the batch.
static void take_row(const struct ising_solver *s, int64_t line, int64_t first, int64_t length, int64_t to,
                     struct ising_batch *batch)
{
    const struct ising_words *l = &s->layout;
    const int64_t replica = line / l->rows, row = line % l->rows;
    const int plane = ising_phase_plane(l->is_helical, s->phase, row);
    const size_t bytes = (size_t)length * sizeof(uint32_t);
    if (plane < 0) {
        memset(&batch->valid[to], 0, bytes);
        return;
    }
    const int64_t above = row == 0 ? l->rows - 1 : row - 1, below = row == l->rows - 1 ? 0 : row + 1;
    const int64_t step = plane == 0 ? -1 : 1;
    memcpy(&batch->spins[to], &s->words[ising_word_at(l, replica, plane, row, first)], bytes);
    memcpy(&batch->neighbours[ISING_ABOVE][to], &s->words[ising_word_at(l, replica, plane, above, first)],
           bytes);
    memcpy(&batch->neighbours[ISING_BELOW][to], &s->words[ising_word_at(l, replica, plane, below, first)],
           bytes);
    const uint32_t *side = &s->words[ising_word_at(l, replica, 1 - plane, row, 0)];
    memcpy(&batch->neighbours[ISING_SAME_SIDE][to], &side[first], bytes);
    const int64_t end = plane == 0 ? 0 : l->words - 1; // the word whose neighbours turn round
    for (int64_t k = 0; k < length; k++) {
        batch->valid[to + k] = ising_word_mask(l->bits);
        if (first + k != end)
            batch->neighbours[ISING_OTHER_SIDE][to + k] = side[first + k + step];
    }
    if (end >= first && end < first + length) {
        uint32_t neighbours[ISING_NEIGHBOUR_WORDS];
        ising_neighbour_words(l, s->words, replica, plane, row, end, neighbours);
        batch->neighbours[ISING_OTHER_SIDE][to + end - first] = neighbours[ISING_OTHER_SIDE];
    }
}

// Runs body for each piece of a row in the batch that begins with this word; returns how many words there are.
static int64_t for_rows(const struct ising_solver *s, int64_t first_word, struct ising_batch *batch,
                        void (*body)(const struct ising_solver *s, int64_t line, int64_t first,
                                     int64_t length, int64_t to, struct ising_batch *batch))
{
    const struct ising_words *l = &s->layout;
    const int64_t all = l->replicas * l->rows * l->words;
    int64_t to = 0;
    while (to < ISING_BATCH && first_word + to < all) {
        const int64_t word = first_word + to, first = word % l->words;
        const int64_t left = l->words - first, room = ISING_BATCH - to;
        body(s, word / l->words, first, left < room ? left : room, to, batch);
        to += left < room ? left : room;
    }
    return to;
}

static void give_row(const struct ising_solver *s, int64_t line, int64_t first, int64_t length, int64_t to,
                     struct ising_batch *batch)
{
    const struct ising_words *l = &s->layout;
    const int plane = ising_phase_plane(l->is_helical, s->phase, line % l->rows);
    if (plane >= 0)
        memcpy(&s->words[ising_word_at(l, line / l->rows, plane, line % l->rows, first)], &batch->spins[to],
               (size_t)length * sizeof(uint32_t));
}

static void turn_piece(void *context, size_t item)
{
    const struct ising_solver *s = context;
    struct ising_batch batch;
    const int64_t all = s->layout.replicas * s->layout.rows * s->layout.words;
    for (int64_t first = (int64_t)item * PIECE; first < (int64_t)(item + 1) * PIECE && first < all;
         first += ISING_BATCH) {
        const int64_t taken = for_rows(s, first, &batch, take_row);
        memset(&batch.valid[taken], 0, (size_t)(ISING_BATCH - taken) * sizeof *batch.valid);
        for (int k = 0; k < ISING_BATCH / 4; k++)
            batch.quads[k] = (uint64_t)first / 4 + (uint64_t)k;
        s->functions->turn(&s->rule, s->sweep, s->phase, &batch);
        for_rows(s, first, &batch, give_row);
    }
}

static void sweep_spins(struct ising_solver *s)
{
    const int64_t all = s->layout.replicas * s->layout.rows * s->layout.words;
    const int phases = ising_phases(s->setup.physics->lattice.boundary);
    for (s->phase = 0; s->phase < phases; s->phase++)
        team_for(s->threads, (size_t)((all + PIECE - 1) / PIECE), turn_piece, s);
}

static enum status openmp_advance(struct ising_solver *s, int64_t first_sweep, int64_t count)
{
    const double start_s = clock_now_s();
    const bool by_clusters = has_clusters(s->setup.physics);
    for (int64_t sweep = first_sweep; sweep < first_sweep + count; sweep++) {
        s->sweep = (uint32_t)sweep;
        if (by_clusters)
            ising_clusters_update(s);
        else
            sweep_spins(s);
    }
    *(by_clusters ? &s->times.clusters_s : &s->times.sweeps_s) += clock_now_s() - start_s;
    s->times.sweeps += count;
    return STATUS_OK;
}

// ---- measurements

// Bonds whose ends differ, to the right, to the left and below of a row's spins of even x, and below of those of odd x; spins up.
static void measure_row(void *context, size_t item)
{
    struct ising_solver *s = context;
    const struct ising_words *l = &s->layout;
    const int64_t replica = (int64_t)item / l->rows, row = (int64_t)item % l->rows;
    int64_t unlike = 0, up = 0;
    for (int plane = 0; plane < 2; plane++) {
        const uint32_t *spins = &s->words[ising_word_at(l, replica, plane, row, 0)];
        for (int64_t word = 0; word < l->words; word++) {
            uint32_t neighbours[ISING_NEIGHBOUR_WORDS];
            ising_neighbour_words(l, s->words, replica, plane, row, word, neighbours);
            up += __builtin_popcount(spins[word]);
            unlike += __builtin_popcount(spins[word] ^ neighbours[ISING_BELOW]);
            if (plane == 0)
                unlike += __builtin_popcount(spins[word] ^ neighbours[ISING_SAME_SIDE]) +
                          __builtin_popcount(spins[word] ^ neighbours[ISING_OTHER_SIDE]);
        }
    }
    s->sums[2 * item] = unlike;
    s->sums[2 * item + 1] = up;
}

static enum status openmp_measure(struct ising_solver *s, struct ising_measure *measures)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    const int64_t sites = lattice->columns * lattice->rows;
    const double start_s = clock_now_s();
    team_for(s->threads, (size_t)(lattice->replicas * lattice->rows), measure_row, s);
    for (int64_t k = 0; k < lattice->replicas; k++) {
        int64_t unlike = 0, up = 0;
        for (int64_t line = k * lattice->rows; line < (k + 1) * lattice->rows; line++) {
            unlike += s->sums[2 * line];
            up += s->sums[2 * line + 1];
        }
        measures[k] = (struct ising_measure){
            .bonds = 2 * sites - 2 * unlike, .spins = 2 * up - sites, .clusters = s->turned[k]};
        if (s->setup.physics->method == ISING_WOLFF)
            s->turned[k] = 0;
    }
    s->times.measures++;
    s->times.measures_s += clock_now_s() - start_s;
    return STATUS_OK;
}

struct correlating {
    const struct ising_solver *solver;
    size_t distances;
    const int64_t *distance;
    int64_t *to; // of the replica
    int64_t replica;
};

static int64_t correlate_at(const struct correlating *c, int64_t distance, bool is_down)
{
    const struct ising_lattice *lattice = &c->solver->setup.physics->lattice;
    int64_t unlike = 0;
    for (int64_t y = 0; y < lattice->rows; y++)
        for (int64_t x = 0; x < lattice->columns; x++) {
            int64_t other_x = is_down ? x : x + distance, other_y = is_down ? y + distance : y;
            if (lattice->boundary == ISING_HELICAL)
                other_y += other_x / lattice->columns;
            unlike += ising_spin(c->solver, c->replica, x, y) !=
                      ising_spin(c->solver, c->replica, other_x % lattice->columns, other_y % lattice->rows);
        }
    return lattice->columns * lattice->rows - 2 * unlike;
}

static void correlate_item(void *context, size_t item)
{
    const struct correlating *c = context;
    c->to[item] = correlate_at(c, c->distance[item % c->distances], item >= c->distances);
}

static enum status openmp_correlate(struct ising_solver *s, size_t distances, const int64_t *distance,
                                    int64_t *correlations)
{
    const struct ising_lattice *lattice = &s->setup.physics->lattice;
    struct correlating c = {.solver = s, .distances = distances, .distance = distance, .to = correlations};
    for (c.replica = 0; c.replica < lattice->replicas; c.replica++) {
        team_for(s->threads, 2 * distances, correlate_item, &c);
        int64_t *rows = c.to + 2 * distances, *columns = rows + lattice->rows;
        for (int64_t line = 0; line < lattice->rows + lattice->columns; line++)
            rows[line] = 0;
        for (int64_t y = 0; y < lattice->rows; y++)
            for (int64_t x = 0; x < lattice->columns; x++) {
                const int spin = ising_spin(s, c.replica, x, y) ? 1 : -1;
                rows[y] += spin;
                columns[x] += spin;
            }
        c.to += ising_correlations_length(lattice, distances);
    }
    return STATUS_OK;
}

// ---- the table

static void openmp_phases(const struct ising_solver *s, struct ising_phase_times *times)
{
    *times = s->times;
}

static const char *openmp_instruction_set(void)
{
    return choose_functions()->instruction_set;
}

static void openmp_destroy(struct ising_solver *s)
{
    if (s && s->clusters)
        ising_clusters_destroy(s->clusters);
    free(s);
}

const struct ising_backend ising_backend_openmp = {
    .head = {.name = "openmp", .summary = "all processor cores, 32 spins a word"},
    .has_method = openmp_has_method,
    .plan = openmp_plan,
    .warm_up = openmp_warm_up,
    .words = openmp_words,
    .touch = openmp_touch,
    .set_temperature = openmp_set_temperature,
    .advance = openmp_advance,
    .measure = openmp_measure,
    .correlate = openmp_correlate,
    .checkpoint_arrays = openmp_checkpoint_arrays,
    .phases = openmp_phases,
    .instruction_set = openmp_instruction_set,
    .destroy = openmp_destroy,
};
