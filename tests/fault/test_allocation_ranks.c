// After the seal no rank of a divided Ising run asks for memory, whatever its method: the ranks are threads
// of the test, and the C library's allocators are replaced by ones that keep count.
#include "core/memory_plan.h"
#include "models/ising/solver.h"
#include "parallel/shares.h"
#include "tests/fault/allocation_books.h"
#include "tests/support/test.h"
#include "tests/support/thread_ranks.h"

#include <omp.h>

enum { RANKS = 3, DISTANCES = 2, REPLICAS = 2 };

static const struct ising_backend *const backend = &ising_backend_openmp;
static atomic_int failures;

// The lattice is so large that none of its arrays would fit a function's frame.
static struct ising_physics physics_of(enum ising_method method)
{
    return (struct ising_physics){
        .lattice = {256, 64, REPLICAS, ISING_HELICAL}, .coupling = 1, .method = method, .seed = 5};
}

static enum status meet(struct ranks *ranks)
{
    int64_t nothing = 0;
    return ranks_largest(ranks, TRANSPORT_STEPS, &nothing, 1);
}

static enum status compute(struct solver *solver)
{
    static const int64_t distances[DISTANCES] = {1, 40};
    static _Thread_local int64_t correlations[REPLICAS * (2 * DISTANCES + 256 + 64)];
    struct ising_measure measures[REPLICAS];
    CHECK(solver_touch(&backend->head, solver, false));
    CHECK(backend->head.advance(solver, 0, 4));
    CHECK(backend->measure(solver, measures));
    CHECK(backend->correlate(solver, DISTANCES, distances, correlations));
    return solver_fetch(&backend->head, solver);
}

static enum status run(struct ranks *ranks, struct ising_setup *setup, struct memory_plan *plan,
                       struct solver **solver)
{
    CHECK(backend->plan(setup, plan, "", solver));
    CHECK(memory_plan_reserve(plan, SIZE_MAX, SIZE_MAX));
    CHECK(solver_warm_up(&backend->head, *solver));
    backend->set_temperature(*solver, 0, 0.44);
    CHECK(meet(ranks));
    if (ranks->rank == 0)
        reset_books();
    CHECK(meet(ranks));
    memory_plan_seal(plan);
    CHECK(compute(*solver));
    CHECK(meet(ranks));
    return memory_plan_is_valid(plan) ? STATUS_OK : FAIL(STATUS_SOFTWARE, "the plan is not valid");
}

static void work(struct ranks *ranks, void *shared)
{
    const struct ising_physics *physics = shared;
    const struct shares_request request = {
        .rows = physics->lattice.rows, .ranks = RANKS, .least = 1, .what = "rows"};
    struct share shares[RANKS];
    struct ising_setup setup = {.physics = physics, .ranks = ranks, .shares = shares};
    struct memory_plan plan;
    struct solver *solver = NULL;
    omp_set_num_threads(1);
    memory_plan_begin(&plan);
    if (shares_cut(&request, shares) != STATUS_OK || run(ranks, &setup, &plan, &solver) != STATUS_OK)
        atomic_fetch_add(&failures, 1);
    memory_plan_release(&plan);
    solver_destroy(&backend->head, solver);
}

TEST(divided_ising)
{
    static const enum ising_method methods[] = {ISING_METROPOLIS, ISING_METROPOLIS_INTEGER, ISING_HEAT_BATH,
                                                ISING_SWENDSEN_WANG, ISING_WOLFF};
    if (!IS_COUNTING)
        skip_because("allocations cannot be counted under a sanitizer");
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct ising_physics physics = physics_of(methods[k]);
        thread_ranks_run(RANKS, work, &physics);
        assert_int_equal(failures, 0);
        if (forbidden_count != 0)
            fail_msg("method %d: %ld allocations after the seal, the first of %zu bytes", (int)methods[k],
                     forbidden_count, forbidden_bytes);
    }
}
