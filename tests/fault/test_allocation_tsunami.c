// After the seal no rank of a divided tsunami grid asks for memory, whatever its method: the ranks are
// threads of the test, and the C library's allocators are replaced by ones that keep count.
#include "core/memory_plan.h"
#include "models/tsunami/solver.h"
#include "parallel/ranks.h"
#include "parallel/shares.h"
#include "tests/fault/allocation_books.h"
#include "tests/support/test.h"
#include "tests/support/thread_ranks.h"

#include <math.h>
#include <omp.h>

enum { RANKS = 3, NX = 48, NY = 90, STEPS = 5, PITCH = NX + 2 * TSUNAMI_HALO_COLUMNS };

static double axis_x[NX], axis_y[NY], distance[NY + 2], ones[NY + 2], zeros[NY + 2];
static double depth_m[NY * PITCH];
static const double *const depth = depth_m;
static struct tsunami_geometry whole;
static atomic_int failures;

static void fill_geometry(void)
{
    for (size_t k = 0; k < NY + 2; k++) {
        distance[k] = 1000;
        ones[k] = 1;
    }
    for (size_t i = 0; i < NX; i++)
        axis_x[i] = 1000 * (double)i;
    for (size_t j = 0; j < NY; j++)
        axis_y[j] = 1000 * (double)j;
    for (size_t k = 0; k < NY * PITCH; k++)
        depth_m[k] = k % PITCH < 40 ? 100 : -5;
    whole = (struct tsunami_geometry){.nx = NX,
                                      .ny = NY,
                                      .pitch = PITCH,
                                      .x = axis_x,
                                      .y = axis_y,
                                      .x_distance_m = distance + 1,
                                      .y_distance_m = distance + 1,
                                      .cos_latitude = ones + 1,
                                      .tan_over_radius = zeros + 1,
                                      .coriolis_per_s = zeros + 1,
                                      .gravity_m_s2 = 9.81};
}

static enum status meet(struct ranks *ranks)
{
    int64_t nothing = 0;
    return ranks_largest(ranks, TRANSPORT_STEPS, &nothing, 1);
}

// A hill of water in the south, over this rank's rows.
static enum status compute(const struct tsunami_backend *backend, struct solver *solver,
                           struct tsunami_rows own)
{
    double eta_m[NX], none[NX] = {0};
    struct tsunami_invalid found = {.step = -1};
    for (size_t row = own.first; row < own.end; row++) {
        for (size_t i = 0; i < NX; i++)
            eta_m[i] = i < 40 && row < 20 ? 1 : fmax(0, -depth_m[row * PITCH + i]);
        backend->set(solver, row, 0, NX, eta_m, none, none);
    }
    CHECK(solver_touch(&backend->head, solver, false));
    CHECK(backend->head.advance(solver, 0, STEPS));
    return backend->finish(solver, &found);
}

static enum status run(struct ranks *ranks, const struct tsunami_backend *backend,
                       const struct tsunami_setup *setup, struct memory_plan *plan, struct solver **solver)
{
    CHECK(backend->plan(setup, plan, "", solver));
    CHECK(memory_plan_reserve(plan, SIZE_MAX, SIZE_MAX));
    CHECK(meet(ranks));
    if (ranks->rank == 0)
        reset_books();
    CHECK(meet(ranks));
    memory_plan_seal(plan);
    CHECK(backend->start(*solver));
    CHECK(compute(backend, *solver, tsunami_own(setup->geometry)));
    CHECK(meet(ranks));
    return memory_plan_is_valid(plan) ? STATUS_OK : FAIL(STATUS_SOFTWARE, "the plan is not valid");
}

static void work(struct ranks *ranks, void *shared)
{
    const struct tsunami_physics *physics = shared;
    const struct tsunami_backend *backend = tsunami_backend_for(&tsunami_backend_openmp, physics->method);
    const struct tsunami_records records = {.wet_depth_m = 0.1};
    const struct shares_request request = {
        .rows = NY, .ranks = RANKS, .least = (int64_t)backend->least_rows(physics, NX, NY), .what = "rows"};
    struct tsunami_geometry geometry = whole;
    struct share shares[RANKS];
    struct memory_plan plan;
    struct solver *solver = NULL;
    const struct tsunami_setup setup = {.geometry = &geometry,
                                        .physics = physics,
                                        .records = &records,
                                        .depth_m = &depth,
                                        .precision = ELEMENT_F32,
                                        .step_s = 10,
                                        .skips_quiet_tiles = true,
                                        .ranks = ranks,
                                        .shares = shares};
    omp_set_num_threads(1);
    memory_plan_begin(&plan);
    bool is_right = shares_cut(&request, shares) == STATUS_OK;
    geometry.own = (struct tsunami_rows){(size_t)shares[ranks->rank].first, (size_t)shares[ranks->rank].end};
    if (!is_right || run(ranks, backend, &setup, &plan, &solver) != STATUS_OK)
        atomic_fetch_add(&failures, 1);
    memory_plan_release(&plan);
    solver_destroy(&backend->head, solver);
}

TEST(divided_tsunami)
{
    if (!IS_COUNTING)
        skip_because("allocations cannot be counted under a sanitizer");
    fill_geometry();
    for (int method = 0; method < TSUNAMI_METHODS; method++) {
        const bool floods = tsunami_method_floods((enum tsunami_method)method);
        struct tsunami_physics physics = {.method = (enum tsunami_method)method,
                                          .manning_n = 0.02,
                                          .wall_depth_m = floods ? -(double)INFINITY : 1,
                                          .minimum_depth_m = 0.01,
                                          .smagorinsky = method == TSUNAMI_MUSCL_HANCOCK ? 0.2 : 0};
        thread_ranks_run(RANKS, work, &physics);
        assert_int_equal(failures, 0);
        if (forbidden_count != 0)
            fail_msg("method %d: %ld allocations after the seal, the first of %zu bytes", method,
                     forbidden_count, forbidden_bytes);
    }
}
