// How `fathom bench nbody` times one row: makes the bodies, plans, reserves, looks at the error, warms up,
// repeats, releases. Knows no options' text and no table.
#include "bench/nbody/private.h"

#include "core/statistics.h"
#include "models/nbody/force_error.h"
#include "models/nbody/initial_private.h"

#include <stdlib.h>

enum { SET_AT_A_TIME = 1 << 16 };
static const uint64_t seed = 1;

struct stopwatch {
    const struct nbody_backend *backend;
    struct nbody_solver *solver;
};

// ---- the bodies

enum status nbody_bench_make_bodies(const struct bench_options *options, size_t count,
                                    struct bench_bodies *bodies)
{
    static const double pi = 3.14159265358979323846;
    const struct nbody_recipe *recipe = options->is_cube ? &nbody_recipe_cube : &nbody_recipe_plummer;
    struct nbody_generator generator = {
        .count = count, .seed = seed, .mass = 1, .radius = options->is_cube ? 1 : 3 * pi / 16, .cutoff = 30};
    free(bodies->bodies);
    *bodies = (struct bench_bodies){.count = count, .samples = count < BENCH_SAMPLES ? count : BENCH_SAMPLES};
    bodies->bodies = calloc(count, sizeof *bodies->bodies);
    if (!bodies->bodies)
        return FAIL(STATUS_SYSTEM, "bench nbody: no memory for %zu bodies", count);
    CHECK(recipe->prepare(&generator));
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < count; k++) {
        struct nbody_draws draws = {.key = philox_key_from_seed(seed), .index = k};
        generator.sample(&generator, &draws, k, &bodies->bodies[k]);
    }
    return STATUS_OK;
}

static enum status set_bodies(const struct bench_bodies *bodies, const struct stopwatch *watch)
{
    for (size_t first = 0; first < bodies->count; first += SET_AT_A_TIME) {
        const size_t left = bodies->count - first;
        watch->backend->set(watch->solver, first, left < SET_AT_A_TIME ? left : SET_AT_A_TIME,
                            bodies->bodies + first);
    }
    return watch->backend->touch(watch->solver, false);
}

// Of the bodies at the start, so that the exact ones serve all rows of a number and a precision.
static enum status find_errors(const struct bench_options *options, struct bench_bodies *bodies,
                               const struct stopwatch *watch, struct bench_row *row)
{
    static const double percents[BENCH_ERRORS] = {50, 90, 99, 100};
    double errors[BENCH_SAMPLES];
    const int kind = bench_kind(row->precision);
    if (!bodies->has_exact[kind])
        nbody_exact_accelerations(bodies->count, bodies->bodies, row->precision, options->softening,
                                  bodies->samples, bodies->exact[kind]);
    bodies->has_exact[kind] = true;
    if (watch->backend->fetch) // the field lies elsewhere
        CHECK(watch->backend->evaluate(watch->solver, false));
    nbody_relative_errors(watch->backend, watch->solver, bodies->count, bodies->samples, bodies->exact[kind],
                          errors);
    for (int k = 0; k < BENCH_ERRORS; k++)
        row->errors[k] = statistics_percentile(errors, bodies->samples, percents[k]);
    return STATUS_OK;
}

// ---- time

static enum status advance(void *context, int64_t first_step, int64_t count)
{
    const struct stopwatch *watch = context;
    struct nbody_unsound found = {.step = -1};
    CHECK(watch->backend->advance(watch->solver, first_step, count));
    return watch->backend->finish ? watch->backend->finish(watch->solver, &found) : STATUS_OK;
}

static struct device_times times_of(const void *context)
{
    const struct stopwatch *watch = context;
    return watch->backend->times(watch->solver);
}

static enum status time_row(const struct bench_options *options, struct stopwatch *watch,
                            struct bench_row *row)
{
    const bool has_clock = watch->backend->times != NULL && watch->backend->finish != NULL;
    struct bench_work work =
        bench_work_of(row->entry->backend, watch, advance, has_clock ? times_of : NULL, 1);
    struct nbody_phase_times times;
    CHECK(bench_time(&options->common, options->budget_s, &work, &row->time));
    watch->backend->phases(watch->solver, &times, &row->counts);
    for (int phase = 0; times.steps > 0 && phase < NBODY_PHASES; phase++)
        row->phase_ms[phase] = 1e3 * times.seconds[phase] / (double)times.steps;
    row->step_ms = row->time.step_ms;
    return STATUS_OK;
}

// What was computed must be numbers.
static enum status check_state(const struct bench_bodies *bodies, const struct stopwatch *watch)
{
    if (watch->backend->fetch)
        CHECK(watch->backend->fetch(watch->solver));
    for (size_t k = 0; k < bodies->samples; k++) {
        struct nbody_body body;
        const size_t id = nbody_sample_id(k, bodies->samples, bodies->count);
        watch->backend->get(watch->solver, id, 1, &body);
        for (int axis = 0; axis < NBODY_AXES; axis++)
            if (!isfinite(body.position[axis]) || !isfinite(body.velocity[axis]))
                return FAIL(STATUS_SOFTWARE, "%s: after the benchmark body %zu is nowhere",
                            watch->backend->head.name, id);
    }
    return STATUS_OK;
}

static void count_work(struct bench_row *row)
{
    const double n = (double)row->count, cells = row->counts.cell_interactions;
    const bool is_tree = row->method == NBODY_BARNES_HUT;
    const double pairs = is_tree ? row->counts.body_interactions : n * n;
    row->interactions = is_tree ? pairs + cells : pairs;
    row->flops = BENCH_PAIR_FLOPS * pairs + (is_tree ? BENCH_CELL_FLOPS * cells : 0);
}

static enum status run_solver(const struct bench_options *options, struct bench_bodies *bodies,
                              struct stopwatch *watch, struct bench_row *row)
{
    if (watch->backend->warm_up)
        CHECK(watch->backend->warm_up(watch->solver));
    CHECK(set_bodies(bodies, watch));
    CHECK(find_errors(options, bodies, watch, row));
    CHECK(time_row(options, watch, row));
    return check_state(bodies, watch);
}

// Plans, reserves, times and releases: what one row took is free for the next, on a device too.
enum status nbody_bench_run_row(const struct bench_options *options, struct bench_bodies *bodies,
                                struct bench_row *row)
{
    static struct memory_plan plan;
    const struct nbody_physics physics = {.method = row->method,
                                          .softening = options->softening,
                                          .step = 0x1p-12, // the bodies stay about where they are
                                          .tree = {.has_quadrupole = true, .theta = options->theta}};
    const struct nbody_setup setup = {
        .physics = &physics, .count = row->count, .precision = row->precision, .device = row->entry->device};
    struct stopwatch watch = {.backend = (const struct nbody_backend *)row->entry->backend};
    memory_plan_begin(&plan);
    enum status status = watch.backend->plan(&setup, &plan, "", &watch.solver);
    if (status == STATUS_OK)
        status = memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX);
    if (status == STATUS_OK)
        status = run_solver(options, bodies, &watch, row);
    memory_plan_release(&plan);
    if (watch.solver)
        watch.backend->destroy(watch.solver);
    CHECK(status);
    count_work(row);
    row->has_run = true;
    return STATUS_OK;
}
