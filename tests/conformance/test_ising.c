// Conformance of the Ising model's fast versions: every back end gives the same lattice as the reference, bit
// for bit, and the same measurements, for every method, boundary, field and shape of rows and words. The
// reference has no arithmetic in common with them, only the numbering of the random words.
#include "tests/support/test.h"

#include "core/memory_plan.h"
#include "models/ising/solver.h"
#include "tests/support/backend_test.h"

#include <omp.h>

static const struct ising_backend *backend;

struct lattice {
    const struct ising_backend *backend;
    struct memory_plan plan;
    struct solver *solver;
};

// Each spin is random; the same seed gives the same spins. The unused bits of a word are set, too.
static void open_lattice(struct lattice *l, const struct ising_backend *of,
                         const struct ising_physics *physics)
{
    static struct ising_setup setup;
    setup = (struct ising_setup){.physics = physics};
    l->backend = of;
    memory_plan_begin(&l->plan);
    assert_int_equal(of->plan(&setup, &l->plan, "", &l->solver), STATUS_OK);
    assert_int_equal(memory_plan_reserve(&l->plan, (size_t)1 << 31, (size_t)1 << 31), STATUS_OK);
    if (of->head.warm_up)
        assert_int_equal(of->head.warm_up(l->solver), STATUS_OK);
    uint32_t *words = of->words(l->solver);
    const size_t count = (size_t)physics->lattice.replicas * ising_lattice_words(&physics->lattice);
    uint32_t state = 12345;
    for (size_t k = 0; k < count; k++) {
        state = state * 1664525u + 1013904223u;
        words[k] = state ^ state >> 13;
    }
    assert_int_equal(solver_touch(&of->head, l->solver, false), STATUS_OK);
}

static void close_lattice(struct lattice *l)
{
    memory_plan_release(&l->plan); // before the solver, which holds the pointers to its arrays
    solver_destroy(&l->backend->head, l->solver);
}

static const uint32_t *words_of(struct lattice *l)
{
    if (l->backend->head.fetch)
        assert_int_equal(l->backend->head.fetch(l->solver), STATUS_OK);
    return l->backend->words(l->solver);
}

static void assert_same_words(const struct ising_physics *physics, struct lattice *a, struct lattice *b)
{
    const size_t count = (size_t)physics->lattice.replicas * ising_lattice_words(&physics->lattice);
    const int bits = ising_word_bits(physics->lattice.columns);
    const uint32_t mask = bits == 32 ? ~(uint32_t)0 : ((uint32_t)1 << bits) - 1;
    const uint32_t *first = words_of(a), *second = words_of(b);
    for (size_t k = 0; k < count; k++)
        if ((first[k] & mask) != (second[k] & mask))
            fail_msg("%lld x %lld, %lld replicas, boundary %d, method %d, J %g, B %g: word %zu: %08x, "
                     "reference %08x",
                     (long long)physics->lattice.columns, (long long)physics->lattice.rows,
                     (long long)physics->lattice.replicas, physics->lattice.boundary, physics->method,
                     physics->coupling, physics->field, k, second[k] & mask, first[k] & mask);
}

static void assert_same_measures(const struct ising_physics *physics, struct lattice *a, struct lattice *b)
{
    const size_t replicas = (size_t)physics->lattice.replicas;
    struct ising_measure *measures = owned_zeros(2 * replicas, sizeof *measures);
    assert_int_equal(a->backend->measure(a->solver, measures), STATUS_OK);
    assert_int_equal(b->backend->measure(b->solver, measures + replicas), STATUS_OK);
    for (size_t k = 0; k < replicas; k++) {
        assert_int_equal(measures[k].spins, measures[replicas + k].spins);
        assert_int_equal(measures[k].bonds, measures[replicas + k].bonds);
        assert_int_equal(measures[k].clusters, measures[replicas + k].clusters);
    }
}

static void assert_same_correlations(const struct ising_physics *physics, struct lattice *a,
                                     struct lattice *b)
{
    const int64_t distances[] = {1, 2, physics->lattice.columns / 2, physics->lattice.rows - 1};
    const size_t length = (size_t)physics->lattice.replicas * ising_correlations_length(&physics->lattice, 4);
    int64_t *sums = owned_zeros(2 * length, sizeof *sums);
    assert_int_equal(a->backend->correlate(a->solver, 4, distances, sums), STATUS_OK);
    assert_int_equal(b->backend->correlate(b->solver, 4, distances, sums + length), STATUS_OK);
    for (size_t k = 0; k < length; k++)
        assert_int_equal(sums[k], sums[length + k]);
}

static bool has_method(const struct ising_physics *physics)
{
    char why[256];
    const struct ising_setup setup = {.physics = physics};
    return !backend->has_method || backend->has_method(&setup, why, sizeof why);
}

// Compares at two temperatures, starting from a sweep number above 0.
static void compare_with(const struct ising_backend *other, const struct ising_physics *physics, int sweeps)
{
    struct lattice plain, fast;
    if (!has_method(physics) || backend == other || backend == &ising_backend_reference)
        return;
    open_lattice(&plain, other, physics);
    open_lattice(&fast, backend, physics);
    assert_same_words(physics, &plain, &fast);
    assert_same_measures(physics, &plain, &fast);
    for (uint32_t number = 0; number < 2; number++) {
        struct lattice *both[] = {&plain, &fast};
        for (int k = 0; k < 2; k++) {
            both[k]->backend->set_temperature(both[k]->solver, number, number == 0 ? 0.43 : 0.3);
            assert_int_equal(both[k]->backend->head.advance(both[k]->solver, 1000 * number + 7, sweeps),
                             STATUS_OK);
        }
        assert_same_measures(physics, &plain, &fast);
        assert_same_words(physics, &plain, &fast);
    }
    assert_same_correlations(physics, &plain, &fast);
    close_lattice(&plain);
    close_lattice(&fast);
}

static void compare(const struct ising_physics *physics, int sweeps)
{
    compare_with(&ising_backend_reference, physics, sweeps);
}

// Rows of one word and of many, words of 1 … 32 spins, quads that cross rows and replicas.
static const struct {
    int64_t columns, rows, replicas;
} shapes[] = {{2, 2, 1},   {4, 4, 5},     {8, 6, 3},    {34, 4, 2},   {62, 8, 1},   {64, 64, 3}, {66, 10, 2},
              {128, 6, 1}, {192, 130, 1}, {256, 16, 2}, {1024, 8, 1}, {4096, 6, 1}, {8320, 2, 1}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

TEST(every_method_gives_the_lattice_of_the_reference)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int boundary = ISING_PERIODIC; boundary <= ISING_HELICAL; boundary++)
            for (int method = 0; method < ISING_METHODS; method++) {
                const struct ising_physics physics = {.lattice = {shapes[shape].columns, shapes[shape].rows,
                                                                  shapes[shape].replicas,
                                                                  (enum ising_boundary)boundary},
                                                      .coupling = 1,
                                                      .method = (enum ising_method)method,
                                                      .seed = 99 + (uint64_t)shape};
                compare(&physics, 3);
            }
}

// Any number of rows, for methods without sublattices.
TEST(odd_numbers_of_rows)
{
    static const enum ising_method methods[] = {ISING_METROPOLIS_RANDOM, ISING_WOLFF, ISING_SWENDSEN_WANG};
    for (int m = 0; m < 3; m++)
        for (int boundary = ISING_PERIODIC; boundary <= ISING_HELICAL; boundary++) {
            const struct ising_physics physics = {.lattice = {70, 67, 3, (enum ising_boundary)boundary},
                                                  .coupling = 1,
                                                  .method = methods[m],
                                                  .seed = 17};
            compare(&physics, 3);
        }
}

// Lattices with more words than one thread block can hold; then, compared with a fast version, with more
// words than the device has threads. Rows with and without whole quads of words.
TEST(large_lattices)
{
    static const struct {
        struct ising_lattice lattice;
        enum ising_method method;
        double field;
    } large[] = {{{256, 258, 1, ISING_PERIODIC}, ISING_METROPOLIS, 0},
                 {{130, 66, 3, ISING_PERIODIC}, ISING_METROPOLIS, 0}, // a replica begins within a quad
                 {{74, 30, 3, ISING_HELICAL}, ISING_METROPOLIS, 0},
                 {{1024, 66, 1, ISING_HELICAL}, ISING_HEAT_BATH, 0},
                 {{74, 40, 1, ISING_PERIODIC}, ISING_METROPOLIS, 0.1},
                 {{8192, 4400, 1, ISING_PERIODIC}, ISING_METROPOLIS, 0},
                 {{8250, 4400, 1, ISING_HELICAL}, ISING_HEAT_BATH, 0},
                 {{8192, 4400, 1, ISING_HELICAL}, ISING_METROPOLIS, -0.2}};
    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        const struct ising_physics physics = {.lattice = large[k].lattice,
                                              .coupling = 1,
                                              .field = large[k].field,
                                              .method = large[k].method,
                                              .seed = 40 + k};
        compare_with(k < 5 ? &ising_backend_reference : &ising_backend_openmp, &physics, 2);
    }
}

TEST(fields_and_couplings_of_either_sign)
{
    static const double couplings[] = {1, -1, 0.5, 0}, fields[] = {0, 0.1, -2};
    for (int c = 0; c < 4; c++)
        for (int f = 0; f < 3; f++)
            for (int boundary = ISING_PERIODIC; boundary <= ISING_HELICAL; boundary++)
                for (int method = 0; method < ISING_METHODS; method++) {
                    const bool has_clusters = method == ISING_WOLFF || method == ISING_SWENDSEN_WANG;
                    const struct ising_physics physics = {
                        .lattice = {72, 12, 2, (enum ising_boundary)boundary},
                        .coupling = couplings[c],
                        .field = fields[f],
                        .method = (enum ising_method)method,
                        .seed = 5};
                    if (!has_clusters || f == 0)
                        compare(&physics, 3);
                }
}

TEST(after_a_thousand_sweeps)
{
    const enum ising_method methods[] = {ISING_METROPOLIS, ISING_HEAT_BATH, ISING_SWENDSEN_WANG};
    for (int m = 0; m < 3; m++) {
        const struct ising_physics physics = {
            .lattice = {64, 64, 1, ISING_PERIODIC}, .coupling = 1, .method = methods[m], .seed = 2};
        compare(&physics, 1000);
    }
}

// The sweeps are done in one call or in many, and by different numbers of threads.
TEST(pieces_and_threads_change_no_bit)
{
    const int threads = omp_get_max_threads();
    for (int method = 0; method < ISING_METHODS; method++) {
        const struct ising_physics physics = {.lattice = {128, 200, 3, ISING_PERIODIC},
                                              .coupling = 1,
                                              .method = (enum ising_method)method,
                                              .seed = 3};
        struct lattice whole, cut;
        if (!has_method(&physics))
            continue;
        open_lattice(&whole, backend, &physics);
        omp_set_num_threads(threads == 1 ? 3 : 1);
        open_lattice(&cut, backend, &physics);
        omp_set_num_threads(threads);
        backend->set_temperature(whole.solver, 0, 0.44);
        backend->set_temperature(cut.solver, 0, 0.44);
        assert_int_equal(backend->head.advance(whole.solver, 0, 6), STATUS_OK);
        for (int sweep = 0; sweep < 6; sweep += 2)
            assert_int_equal(backend->head.advance(cut.solver, sweep, 2), STATUS_OK);
        assert_same_words(&physics, &whole, &cut);
        assert_same_measures(&physics, &whole, &cut);
        close_lattice(&whole);
        close_lattice(&cut);
    }
}

// Every instruction set of this machine (FATHOM_ISA chooses a smaller one) gives the same lattice as the
// largest one.
TEST(instruction_sets_change_no_bit)
{
    static const char *const sets[] = {"generic", "avx2"};
    for (int set = 0; set < 2; set++)
        for (int shape = 0; shape < SHAPES; shape++)
            for (int method = 0; method < ISING_METHODS; method++) {
                const bool has_clusters = method == ISING_WOLFF || method == ISING_SWENDSEN_WANG;
                const struct ising_physics physics = {.lattice = {shapes[shape].columns, shapes[shape].rows,
                                                                  shapes[shape].replicas,
                                                                  (enum ising_boundary)(shape % 2)},
                                                      .coupling = shape % 3 == 0 ? -1 : 1,
                                                      .field = has_clusters || shape % 4 < 2 ? 0 : 0.3,
                                                      .method = (enum ising_method)method,
                                                      .seed = 11};
                struct lattice best, less;
                if (!has_method(&physics))
                    continue;
                open_lattice(&best, backend, &physics);
                assert_int_equal(setenv("FATHOM_ISA", sets[set], 1), 0);
                open_lattice(&less, backend, &physics);
                assert_int_equal(unsetenv("FATHOM_ISA"), 0);
                backend->set_temperature(best.solver, 0, 0.44);
                backend->set_temperature(less.solver, 0, 0.44);
                assert_int_equal(backend->head.advance(best.solver, 0, 2), STATUS_OK);
                assert_int_equal(backend->head.advance(less.solver, 0, 2), STATUS_OK);
                assert_same_words(&physics, &best, &less);
                assert_same_measures(&physics, &best, &less);
                close_lattice(&best);
                close_lattice(&less);
            }
}

static void use(const struct backend *head)
{
    backend = (const struct ising_backend *)head;
}

static int run(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    return backend_test_main(argc, argv, &ising_backends, use, tests, count);
}

TEST_SUITE(.run = run);
