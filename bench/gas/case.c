// How `fathom bench gas` times one row: plans, reserves, looks at the regions' error, warms up, repeats,
// releases. Knows no options' text and no table.
#include "bench/gas/private.h"

#include "core/statistics.h"

#include <omp.h>
#include <stdlib.h>

enum {
    SET_AT_A_TIME = 1 << 16,
    LIST_STEPS = 40 // of a repetition with lists, at least: some rebuilds are among them
};

struct stopwatch {
    const struct gas_backend *backend;
    struct gas_solver *solver;
    struct gas_finding found; // after the last steps
};

static enum status set_particles(const struct bench_particles *particles, const struct stopwatch *watch)
{
    for (size_t first = 0; first < particles->count; first += SET_AT_A_TIME) {
        const size_t left = particles->count - first;
        watch->backend->set(watch->solver, first, left < SET_AT_A_TIME ? left : SET_AT_A_TIME,
                            particles->particles + first);
    }
    return watch->backend->touch(watch->solver, false);
}

// Of the particles at the start, by every pair in double.
static enum status find_error(const struct stopwatch *watch, const struct gas_setup *setup,
                              struct bench_row *row)
{
    const int threads = omp_get_max_threads();
    CHECK(watch->backend->evaluate(watch->solver, false));
    if (watch->backend->fetch)
        CHECK(watch->backend->fetch(watch->solver));
    struct gas_particle *scratch = calloc((size_t)threads * STATISTICS_BLOCK, sizeof *scratch);
    if (!scratch)
        return FAIL(STATUS_SYSTEM, "bench gas: no memory for the exact forces");
    row->error =
        gas_find_regions_error(watch->backend, watch->solver, setup, threads, scratch, STATISTICS_BLOCK);
    free(scratch);
    return STATUS_OK;
}

// ---- time

static enum status advance(void *context, int64_t first_step, int64_t count)
{
    struct stopwatch *watch = context;
    CHECK(watch->backend->advance(watch->solver, first_step, count));
    return watch->backend->finish ? watch->backend->finish(watch->solver, &watch->found) : STATUS_OK;
}

static struct device_times times_of(const void *context)
{
    const struct stopwatch *watch = context;
    return watch->backend->times(watch->solver);
}

// Bytes that a step moves at least, a particle: both halves of the kicks and the drift read places,
// velocities and forces and write the first two; sums of forces read places and write forces; with lists,
// those are read. Of a sort everything is read and written, of lists the new ones written. Neighbours' places
// are counted once: they are the particles' own.
static double bytes_per_particle(const struct bench_row *row, double rebuilds)
{
    const double pair = GAS_AXES * sizeof(double), index = sizeof(uint32_t);
    const double moves = 8 * pair, sums = 2 * pair, lists = index * row->neighbours;
    const double sort = 2 * (2 * pair + index);
    return row->way == BENCH_PAIRS     ? moves + sums
           : row->way == BENCH_REGIONS ? moves + sums + sort
                                       : moves + sums + lists + rebuilds * (sort + pair + lists);
}

// `steps`: that were run, timed or not; the back end's own times may be of a sample of them.
static void note_work(const struct stopwatch *watch, int64_t rebuilds_before, int64_t steps,
                      struct bench_row *row)
{
    struct gas_phase_times times;
    struct gas_counts counts;
    watch->backend->phases(watch->solver, &times, &counts);
    for (int phase = 0; times.steps > 0 && phase < GAS_PHASES; phase++)
        row->phase_ms[phase] = 1e3 * times.seconds[phase] / (double)times.steps;
    row->pairs = counts.pairs > 0 ? counts.pairs : (double)row->count * (double)(row->count - 1);
    row->neighbours = row->way == BENCH_LISTS ? counts.neighbours : 0;
    row->rebuilds_per_step =
        row->way == BENCH_LISTS ? (double)(counts.rebuilds - rebuilds_before) / (double)steps : 0;
    row->bytes = (double)row->count * bytes_per_particle(row, row->rebuilds_per_step);
}

static enum status time_row(const struct bench_options *options, struct stopwatch *watch,
                            struct bench_row *row)
{
    const bool has_clock = watch->backend->times != NULL && watch->backend->finish != NULL;
    struct bench_work work = bench_work_of(row->entry->backend, watch, advance, has_clock ? times_of : NULL,
                                           row->way == BENCH_LISTS ? LIST_STEPS : 1);
    struct gas_phase_times times;
    struct gas_counts counts;
    watch->backend->phases(watch->solver, &times, &counts);
    CHECK(bench_time(&options->common, options->budget_s, &work, &row->time));
    note_work(watch, counts.rebuilds, work.step, row);
    if (!watch->backend->finish)
        CHECK(watch->backend->guard(watch->solver, work.step, &watch->found));
    if (watch->found.trouble != GAS_SOUND)
        return FAIL(STATUS_SOFTWARE, "%s: the benchmark is unsound after step %lld, particle %lld",
                    watch->backend->head.name, (long long)watch->found.step, (long long)watch->found.id);
    return STATUS_OK;
}

static enum status run_solver(const struct bench_options *options, const struct bench_particles *particles,
                              const struct gas_setup *setup, struct stopwatch *watch, struct bench_row *row)
{
    if (watch->backend->warm_up)
        CHECK(watch->backend->warm_up(watch->solver));
    CHECK(set_particles(particles, watch));
    if (row->way == BENCH_REGIONS)
        CHECK(find_error(watch, setup, row));
    return time_row(options, watch, row);
}

// Plans, reserves, times and releases: what one row took is free for the next, on a device too.
enum status gas_bench_run_row(const struct bench_options *options, const struct bench_particles *particles,
                              struct bench_row *row)
{
    static struct memory_plan plan;
    struct gas_params params;
    gas_bench_set_up(options, row->system, row->method, row->count, row->entry->backend, &params);
    row->potential =
        particles->fluid && particles->fluid_system == row->system ? particles->fluid_potential : 0;
    const struct gas_setup setup = {.physics = &params.physics,
                                    .count = row->count,
                                    .mass = params.mass,
                                    .precision = row->precision,
                                    .device = row->entry->device};
    struct stopwatch watch = {.backend = (const struct gas_backend *)row->entry->backend};
    memory_plan_begin(&plan);
    enum status status = watch.backend->plan(&setup, &plan, "", &watch.solver);
    if (status == STATUS_OK)
        status = memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX);
    if (status == STATUS_OK)
        status = run_solver(options, particles, &setup, &watch, row);
    memory_plan_release(&plan);
    if (watch.solver)
        watch.backend->destroy(watch.solver);
    CHECK(status);
    row->has_run = true;
    return STATUS_OK;
}
