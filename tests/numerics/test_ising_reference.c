// The reference of the Ising model against every state of a small lattice, the exact energies of a larger
// one, and the mean size of its clusters: each method, periodic and helical, with a field and with a negative
// coupling.
#include "tests/support/test.h"

#include "core/memory_plan.h"
#include "models/ising/analysis.h"
#include "models/ising/random.h"
#include "models/ising/solver.h"

#include "tests/support/numbers.h"

static const struct ising_backend *const reference = &ising_backend_reference;

enum { REPLICAS = 8, EVERY = 2 };

struct chain {
    struct memory_plan plan;
    struct solver *solver;
    double *energy, *magnetisation, *clusters;
    struct ising_series series;
};

static void run(struct chain *c, const struct ising_physics *physics, double beta, size_t times)
{
    const struct ising_setup setup = {.physics = physics};
    const double sites = (double)ising_sites(&physics->lattice);
    struct ising_measure measures[REPLICAS];
    memory_plan_begin(&c->plan);
    assert_int_equal(reference->plan(&setup, &c->plan, "", &c->solver), STATUS_OK);
    assert_int_equal(memory_plan_reserve(&c->plan, 1u << 30, 0), STATUS_OK);
    memset(reference->words(c->solver), 0xff, REPLICAS * ising_lattice_words(&physics->lattice) * 4);
    assert_int_equal(solver_touch(&reference->head, c->solver, false), STATUS_OK);
    reference->set_temperature(c->solver, 3, beta);
    c->energy = owned_zeros(3 * times * REPLICAS, sizeof *c->energy);
    c->magnetisation = c->energy + times * REPLICAS;
    c->clusters = c->magnetisation + times * REPLICAS;
    int64_t sweep = 100;
    assert_int_equal(reference->head.advance(c->solver, 0, sweep), STATUS_OK);
    assert_int_equal(reference->measure(c->solver, measures), STATUS_OK);
    for (size_t t = 0; t < times; t++, sweep += EVERY) {
        assert_int_equal(reference->head.advance(c->solver, sweep, EVERY), STATUS_OK);
        assert_int_equal(reference->measure(c->solver, measures), STATUS_OK);
        for (size_t k = 0; k < REPLICAS; k++) {
            c->energy[t * REPLICAS + k] = -(physics->coupling * (double)measures[k].bonds +
                                            physics->field * (double)measures[k].spins) /
                                          sites;
            c->magnetisation[t * REPLICAS + k] = (double)measures[k].spins / sites;
            c->clusters[t * REPLICAS + k] = (double)measures[k].clusters / sites;
        }
    }
    c->series = (struct ising_series){.times = times,
                                      .replicas = REPLICAS,
                                      .energy = c->energy,
                                      .magnetisation = c->magnetisation,
                                      .clusters = c->clusters,
                                      .beta = beta,
                                      .sites = sites};
}

static void end(struct chain *c)
{
    memory_plan_release(&c->plan); // before the solver, which holds the pointers to its arrays
    solver_destroy(&reference->head, c->solver);
}

static void estimate(const struct chain *c, struct ising_estimate estimates[ISING_QUANTITIES])
{
    const size_t autocorrelation = ising_scratch_count(c->series.times, c->series.replicas, 0);
    double *scratch = owned_zeros((autocorrelation + 64 * ISING_BLOCK_SUMS), sizeof *scratch);
    const struct ising_autocorrelation slowest =
        ising_autocorrelate(&c->series, ISING_OF_ABSOLUTE_MAGNETISATION, 0, NULL, scratch);
    const struct ising_blocks blocks = ising_choose_blocks(&c->series, 20 * slowest.time, 64);
    assert_true(slowest.is_closed);
    assert_true(blocks.count >= 16);
    ising_estimate(&c->series, &blocks, estimates, scratch);
}

// ---- all states of a 4 × 4 lattice

static void count_all_states(const struct ising_physics *physics, double beta, double exact[ISING_QUANTITIES])
{
    const bool is_helical = physics->lattice.boundary == ISING_HELICAL;
    double z = 0, e1 = 0, e2 = 0, absolute = 0, m2 = 0, m4 = 0, m1 = 0;
    for (unsigned state = 0; state < 65536; state++) {
        int bonds = 0, spins = 0;
        for (int site = 0; site < 16; site++) {
            const int right = is_helical ? (site + 1) % 16 : site / 4 * 4 + (site + 1) % 4;
            const int down = (site + 4) % 16, spin = (int)(state >> site & 1) * 2 - 1;
            spins += spin;
            bonds += spin * ((int)(state >> right & 1) * 2 - 1) + spin * ((int)(state >> down & 1) * 2 - 1);
        }
        const double e = -(physics->coupling * bonds + physics->field * spins) / 16, m = spins / 16.0;
        const double weight = exp(-beta * 16 * (e + 2.2));
        z += weight;
        e1 += weight * e;
        e2 += weight * e * e;
        m1 += weight * m;
        absolute += weight * fabs(m);
        m2 += weight * m * m;
        m4 += weight * m * m * m * m;
    }
    exact[ISING_ENERGY] = e1 / z;
    exact[ISING_SPECIFIC_HEAT] = beta * beta * 16 * (e2 / z - e1 / z * (e1 / z));
    exact[ISING_MAGNETISATION] = m1 / z;
    exact[ISING_ABSOLUTE] = absolute / z;
    exact[ISING_SQUARE] = m2 / z;
    exact[ISING_SUSCEPTIBILITY] = beta * 16 * (m2 / z - absolute / z * (absolute / z));
    exact[ISING_BINDER] = 1 - m4 / z / (3 * (m2 / z) * (m2 / z));
    exact[ISING_CLUSTER] = m2 / z; // with J > 0
}

static const char *const names[ISING_QUANTITIES] = {
    "energy", "specific heat", "magnetisation", "|m|", "m²", "susceptibility", "U4", "clusters"};

static void check_small_lattice(const struct ising_physics *physics, double beta, size_t times)
{
    struct chain chain;
    struct ising_estimate estimates[ISING_QUANTITIES];
    double exact[ISING_QUANTITIES];
    run(&chain, physics, beta, times);
    estimate(&chain, estimates);
    count_all_states(physics, beta, exact);
    const bool has_clusters = ising_has_clusters(physics->method);
    if (physics->method == ISING_WOLFF)
        estimates[ISING_CLUSTER] = (struct ising_estimate){estimates[ISING_CLUSTER].value / EVERY,
                                                           estimates[ISING_CLUSTER].error / EVERY};
    if (physics->method == ISING_SWENDSEN_WANG)
        estimates[ISING_CLUSTER] =
            (struct ising_estimate){estimates[ISING_CLUSTER].value / 16, estimates[ISING_CLUSTER].error / 16};
    for (int q = 0; q < ISING_QUANTITIES; q++)
        if (q != ISING_CLUSTER || (has_clusters && physics->coupling > 0))
            assert_near(names[q], estimates[q].value, exact[q], 4.5 * estimates[q].error);
    end(&chain);
}

TEST(every_method_samples_all_states)
{
    for (int method = 0; method < ISING_METHODS; method++)
        for (int boundary = ISING_PERIODIC; boundary <= ISING_HELICAL; boundary++) {
            const struct ising_physics physics = {.lattice = {4, 4, REPLICAS, (enum ising_boundary)boundary},
                                                  .coupling = 1,
                                                  .method = (enum ising_method)method,
                                                  .seed = 20 + (uint64_t)method};
            check_small_lattice(&physics, 0.35, 3000);
        }
}

TEST(fields_and_antiferromagnets)
{
    for (int method = 0; method < ISING_METHODS; method++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const bool has_clusters = method == ISING_WOLFF || method == ISING_SWENDSEN_WANG;
            const struct ising_physics physics = {.lattice = {4, 4, REPLICAS, ISING_PERIODIC},
                                                  .coupling = sign,
                                                  .field = has_clusters ? 0 : 0.1,
                                                  .method = (enum ising_method)method,
                                                  .seed = 40 + (uint64_t)method};
            check_small_lattice(&physics, 0.3, 3000);
        }
}

// A helical lattice needs four sublattices: with two, the means would be wrong by a hundred standard errors
// (e and |m| by transfer matrices, to six digits).
TEST(a_helical_lattice_has_four_sublattices)
{
    const struct ising_physics physics = {
        .lattice = {8, 8, REPLICAS, ISING_HELICAL}, .coupling = 1, .method = ISING_METROPOLIS, .seed = 77};
    struct chain chain;
    struct ising_estimate estimates[ISING_QUANTITIES];
    run(&chain, &physics, 0.3, 4000);
    estimate(&chain, estimates);
    assert_true(estimates[ISING_ENERGY].error < 0.002);
    assert_near("energy", estimates[ISING_ENERGY].value, 2 * -0.356182, 4 * estimates[ISING_ENERGY].error);
    assert_near("|m|", estimates[ISING_ABSOLUTE].value, 0.274017, 4 * estimates[ISING_ABSOLUTE].error);
    end(&chain);
}

// ---- words, thresholds, correlations

TEST(words_hold_every_spin_once)
{
    static const int64_t columns[] = {2, 4, 6, 8, 62, 64, 66, 130, 128, 192, 2048};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        const int bits = ising_word_bits(columns[k]);
        assert_true(bits >= 1 && bits <= 32);
        assert_int_equal(bits * ising_row_words(columns[k]), columns[k] / 2);
    }
    assert_int_equal(ising_word_bits(64), 32);
    assert_int_equal(ising_word_bits(62), 31);
    assert_int_equal(ising_word_bits(66), 11);
    assert_true(ising_threshold(1) == (uint64_t)1 << 32);
    assert_true(ising_threshold(0.5) == (uint64_t)1 << 31);
    assert_true(ising_threshold(0) == 0);
}

// One spin is down and all others are up, so every sum is known.
TEST(measures_and_correlations_are_counted)
{
    const struct ising_physics physics = {
        .lattice = {8, 6, 1, ISING_PERIODIC}, .coupling = 1, .method = ISING_METROPOLIS, .seed = 1};
    const struct ising_setup setup = {.physics = &physics};
    struct memory_plan plan;
    struct solver *solver;
    struct ising_measure measure;
    const int64_t distances[] = {1, 3};
    int64_t correlations[2 * 2 + 6 + 8];
    memory_plan_begin(&plan);
    assert_int_equal(reference->plan(&setup, &plan, "", &solver), STATUS_OK);
    assert_int_equal(memory_plan_reserve(&plan, 1u << 20, 0), STATUS_OK);
    uint32_t *words = reference->words(solver);
    memset(words, 0xff, ising_lattice_words(&physics.lattice) * sizeof *words);
    // Site (5, 2): plane 1, k = 2; a row of four spins has one word.
    words[(1 * 6 + 2) * 1] &= ~(uint32_t)4;
    assert_int_equal(solver_touch(&reference->head, solver, false), STATUS_OK);
    assert_int_equal(reference->measure(solver, &measure), STATUS_OK);
    assert_int_equal(measure.spins, 46);
    assert_int_equal(measure.bonds, 96 - 8);
    assert_int_equal(reference->correlate(solver, 2, distances, correlations), STATUS_OK);
    for (int k = 0; k < 4; k++)
        assert_int_equal(correlations[k], 48 - 4);
    for (int y = 0; y < 6; y++)
        assert_int_equal(correlations[4 + y], y == 2 ? 6 : 8);
    for (int x = 0; x < 8; x++)
        assert_int_equal(correlations[10 + x], x == 5 ? 4 : 6);
    words[0] = 0;
    assert_int_equal(reference->head.fetch(solver), STATUS_OK);
    assert_true((words[0] & 15) == 15);
    assert_true((words[6 + 2] & 15) == 11);
    memory_plan_release(&plan);
    solver_destroy(&reference->head, solver);
}
