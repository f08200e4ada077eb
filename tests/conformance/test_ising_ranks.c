// The Ising model divided among ranks, which are threads of the test: the spins, measurements and
// correlations of one rank, bit for bit, for every method that is divided, both boundaries, shares that end
// within quads of random words, rows of one word, and ranks that have a single row.
#include "tests/support/test.h"

#include "core/memory_plan.h"
#include "models/ising/solver.h"
#include "parallel/shares.h"
#include "tests/support/thread_ranks.h"

#include <omp.h>
#include <stdatomic.h>
#include <string.h>

TEST_SUITE(.limit_s = 300);

enum { SWEEPS = 3, TEMPERATURES = 2, DISTANCES = 4 };
enum { COUNTS = 4 };
static const int counts[COUNTS] = {2, 3, 5, 6}; // of ranks
static const double betas[TEMPERATURES] = {0.43, 0.7};

static const struct ising_backend *const backend = &ising_backend_openmp;
static atomic_int wrong;

static bool expect(bool is_right)
{
    if (!is_right)
        atomic_fetch_add(&wrong, 1);
    return is_right;
}

// What one rank has before and after the sweeps.
struct expected {
    const struct ising_physics *physics;
    uint32_t *before, *after;
    struct ising_measure *measures[TEMPERATURES];
    int64_t *correlations;
};

static size_t row_bytes(const struct ising_physics *physics)
{
    return (size_t)ising_row_words(physics->lattice.columns) * sizeof(uint32_t);
}

// Copies rows of the whole, [replicas][2][rows], from or to a rank's own.
static void copy_rows(const struct ising_physics *physics, struct share rows, uint32_t *whole, uint32_t *own,
                      bool is_out)
{
    const size_t bytes = row_bytes(physics), length = (size_t)(rows.end - rows.first) * bytes;
    for (size_t plane = 0; plane < 2 * (size_t)physics->lattice.replicas; plane++) {
        char *all = (char *)whole + (plane * (size_t)physics->lattice.rows + (size_t)rows.first) * bytes;
        char *part = (char *)own + plane * length;
        memcpy(is_out ? part : all, is_out ? all : part, length);
    }
}

static bool has_same_rows(const struct ising_physics *physics, struct share rows, const uint32_t *a,
                          const uint32_t *b)
{
    const size_t bytes = row_bytes(physics), length = (size_t)(rows.end - rows.first) * bytes;
    for (size_t plane = 0; plane < 2 * (size_t)physics->lattice.replicas; plane++) {
        const size_t at = (plane * (size_t)physics->lattice.rows + (size_t)rows.first) * bytes;
        if (memcmp((const char *)a + at, (const char *)b + at, length) != 0)
            return false;
    }
    return true;
}

// Fills in the measures at each temperature, the words and the correlations. Returns whether every call
// succeeded.
static bool compute(struct ising_setup *setup, struct share own, const struct expected *from, uint32_t *words,
                    struct ising_measure *measures[TEMPERATURES], int64_t *correlations)
{
    const int64_t distances[DISTANCES] = {1, 2, setup->physics->lattice.columns / 2,
                                          setup->physics->lattice.rows - 1};
    struct memory_plan plan;
    struct solver *solver = NULL;
    memory_plan_begin(&plan);
    bool is_right = backend->plan(setup, &plan, "", &solver) == STATUS_OK &&
                    memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX) == STATUS_OK;
    if (is_right) {
        copy_rows(setup->physics, own, from->before, backend->words(solver), true);
        is_right = solver_touch(&backend->head, solver, false) == STATUS_OK;
        for (int k = 0; k < TEMPERATURES && is_right; k++) { // clusters of all sizes
            backend->set_temperature(solver, (uint32_t)k, betas[k]);
            is_right = backend->head.advance(solver, k * SWEEPS, SWEEPS) == STATUS_OK &&
                       backend->measure(solver, measures[k]) == STATUS_OK;
        }
        is_right = is_right && backend->correlate(solver, DISTANCES, distances, correlations) == STATUS_OK &&
                   solver_fetch(&backend->head, solver) == STATUS_OK;
        copy_rows(setup->physics, own, words, backend->words(solver), false);
    }
    memory_plan_release(&plan);
    solver_destroy(&backend->head, solver);
    return is_right;
}

static void compare(struct ranks *ranks, void *shared)
{
    const struct expected *one = shared;
    const struct ising_lattice *lattice = &one->physics->lattice;
    const size_t replicas = (size_t)lattice->replicas, words = replicas * ising_lattice_words(lattice);
    const size_t length = replicas * ising_correlations_length(lattice, DISTANCES);
    struct share shares[THREAD_RANKS_MAX];
    struct ising_setup setup = {.physics = one->physics, .ranks = ranks, .shares = shares};
    const struct shares_request request = {
        .rows = lattice->rows, .ranks = ranks->count, .least = 1, .what = "rows"};
    struct ising_measure *measures[2] = {calloc(replicas, sizeof **measures),
                                         calloc(replicas, sizeof **measures)};
    uint32_t *after = calloc(words, sizeof *after);
    int64_t *correlations = calloc(length, sizeof *correlations);
    omp_set_num_threads(1); // of this thread
    if (expect(shares_cut(&request, shares) == STATUS_OK) &&
        expect(compute(&setup, shares[ranks->rank], one, after, measures, correlations))) {
        for (int k = 0; k < TEMPERATURES; k++)
            expect(memcmp(measures[k], one->measures[k], replicas * sizeof **measures) == 0);
        expect(memcmp(correlations, one->correlations, length * sizeof *correlations) == 0);
        expect(has_same_rows(one->physics, shares[ranks->rank], after, one->after));
    }
    free(measures[0]);
    free(measures[1]);
    free(after);
    free(correlations);
}

static void run_on(const struct ising_physics *physics)
{
    const struct ising_lattice *lattice = &physics->lattice;
    const size_t replicas = (size_t)lattice->replicas, words = replicas * ising_lattice_words(lattice);
    struct expected one = {.physics = physics,
                           .before = owned_zeros(words, sizeof(uint32_t)),
                           .after = owned_zeros(words, sizeof(uint32_t)),
                           .measures = {owned_zeros(replicas, sizeof(struct ising_measure)),
                                        owned_zeros(replicas, sizeof(struct ising_measure))},
                           .correlations = owned_zeros(
                               replicas * ising_correlations_length(lattice, DISTANCES), sizeof(int64_t))};
    struct ising_setup setup = {.physics = physics};
    uint32_t state = 12345;
    for (size_t k = 0; k < words; k++) {
        state = state * 1664525u + 1013904223u;
        one.before[k] = state ^ state >> 13;
    }
    assert_true(
        compute(&setup, (struct share){0, lattice->rows}, &one, one.after, one.measures, one.correlations));
    for (int k = 0; k < COUNTS && counts[k] <= lattice->rows; k++) {
        const int count = counts[k];
        wrong = 0;
        thread_ranks_run(count, compare, &one);
        if (wrong != 0)
            fail_msg("%d ranks, %lld x %lld, %lld replicas, boundary %d, method %d", count,
                     (long long)lattice->columns, (long long)lattice->rows, (long long)lattice->replicas,
                     lattice->boundary, physics->method);
    }
}

// An odd number of rows: clusters only.
static const struct {
    int64_t columns, rows, replicas;
} shapes[] = {{2, 2, 1},     {4, 4, 5},    {8, 6, 3},    {34, 4, 2}, {62, 8, 1}, {64, 64, 3}, {66, 10, 2},
              {192, 130, 1}, {256, 16, 2}, {1024, 8, 1}, {2, 3, 2},  {12, 7, 3}, {38, 25, 1}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void run_method(enum ising_method method)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int boundary = ISING_PERIODIC; boundary <= ISING_HELICAL; boundary++) {
            const int sign = (shape + boundary) % 2 ? -1 : 1;
            if (shapes[shape].rows % 2 != 0 && !ising_has_clusters(method))
                continue;
            const struct ising_physics physics = {.lattice = {shapes[shape].columns, shapes[shape].rows,
                                                              shapes[shape].replicas,
                                                              (enum ising_boundary)boundary},
                                                  .coupling = sign,
                                                  .field = sign < 0 && !ising_has_clusters(method) ? 0.3 : 0,
                                                  .method = method,
                                                  .seed = 99 + (uint64_t)shape};
            run_on(&physics);
        }
}

TEST(metropolis)
{
    run_method(ISING_METROPOLIS);
}

TEST(metropolis_integer)
{
    run_method(ISING_METROPOLIS_INTEGER);
}

TEST(heat_bath)
{
    run_method(ISING_HEAT_BATH);
}

TEST(swendsen_wang)
{
    run_method(ISING_SWENDSEN_WANG);
}

TEST(wolff)
{
    run_method(ISING_WOLFF);
}
