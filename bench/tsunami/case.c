// How `fathom bench tsunami` times one variant: plans, reserves, warms up, repeats, releases.
// Knows no options' text and no table.
#include "bench/tsunami/private.h"
#include "core/clock.h"
#include "core/statistics.h"

#include <math.h>

enum { HOST_STEPS = 10 };

// A repetition on a device lasts at least so long: its clock resolves half a microsecond, and starting it
// costs a few.
static const double device_repetition_s = 0.05;

struct stopwatch {
    const struct tsunami_backend *backend;
    struct tsunami_solver *solver;
    double host_s;
    struct device_times device;
};

static enum status wait_for(const struct stopwatch *watch)
{
    struct tsunami_unsound found = {.step = -1};
    return watch->backend->finish ? watch->backend->finish(watch->solver, &found) : STATUS_OK;
}

// Seconds that `steps` steps from `first_step` on take, begun steps awaited, by the device's clock if it has
// counted all.
static enum status time_steps(struct stopwatch *watch, int64_t first_step, int steps, double *seconds,
                              bool *is_device_clock)
{
    const struct tsunami_backend *backend = watch->backend;
    const bool has_clock = backend->times != NULL && backend->finish != NULL;
    struct device_times before = {0}, after = {0};
    if (has_clock)
        before = backend->times(watch->solver);
    const double begin_s = clock_now_s();
    CHECK(backend->advance(watch->solver, first_step, steps));
    CHECK(wait_for(watch));
    *seconds = clock_now_s() - begin_s;
    if (has_clock)
        after = backend->times(watch->solver);
    *is_device_clock =
        after.is_measured && after.uncounted == before.uncounted && after.compute_s > before.compute_s;
    if (*is_device_clock)
        *seconds = after.compute_s - before.compute_s;
    return STATUS_OK;
}

// Runs some steps first: code is loaded, caches and clocks are up. They tell how many steps make a
// repetition.
static enum status warm_up(struct stopwatch *watch, const struct bench_options *options, int *steps,
                           int64_t *step)
{
    double seconds;
    bool is_device_clock;
    const bool is_device = watch->backend->fetch != NULL;
    const int warm = is_device ? HOST_STEPS : 2;
    CHECK(time_steps(watch, 0, 2, &seconds, &is_device_clock));
    *step = 2;
    *steps = options->common.steps > 0 ? options->common.steps : HOST_STEPS;
    if (!is_device)
        return STATUS_OK;
    CHECK(time_steps(watch, *step, warm, &seconds, &is_device_clock));
    *step += warm;
    if (options->common.steps == 0)
        *steps = (int)fmin(BENCH_STEPS_MAX, fmax(HOST_STEPS, ceil(device_repetition_s / (seconds / warm))));
    // The clock rates of a device take their time to settle.
    CHECK(time_steps(watch, *step, *steps, &seconds, &is_device_clock));
    *step += *steps;
    return STATUS_OK;
}

// backend: the entry's table for the row's method.
static enum status time_variant(struct bench_grid *grid, const struct bench_options *options,
                                const struct tsunami_backend *backend, struct tsunami_solver *solver,
                                struct bench_row *row)
{
    struct stopwatch watch = {.backend = backend, .solver = solver};
    const bool is_reference = tsunami_backend_of(row->entry->backend) == &tsunami_backend_reference;
    const int repeat = is_reference ? 1 : options->common.repeat;
    double seconds[BENCH_REPEAT_MAX];
    int64_t step = 1;
    CHECK(backend->start(solver));
    row->wet_nodes = bench_grid_set_state(grid, backend, solver);
    backend->record(solver, 0);
    if (is_reference) { // slow: one step, and one to warm up
        row->steps = 1;
        CHECK(backend->advance(solver, 0, 1));
    } else {
        CHECK(warm_up(&watch, options, &row->steps, &step));
    }
    row->is_device_clock = true;
    for (int k = 0; k < repeat; k++, step += row->steps) {
        bool is_device_clock;
        CHECK(time_steps(&watch, step, row->steps, &seconds[k], &is_device_clock));
        row->is_device_clock &= is_device_clock;
    }
    row->step_ms = 1e3 * statistics_median(seconds, (size_t)repeat) / row->steps;
    return bench_grid_check_state(grid, backend, solver);
}

// Plans, reserves, times and releases: what one variant took is free for the next, on the device too.
enum status bench_variant(const struct bench_options *options, double step_s, struct bench_row *row)
{
    struct bench_grid grid = {0};
    const struct tsunami_backend *const backend =
        tsunami_backend_for(tsunami_backend_of(row->entry->backend), row->method);
    static struct memory_plan plan;
    memory_plan_begin(&plan);
    bench_grid_set_physics(&grid, options, row->method);
    const struct tsunami_setup setup = {.geometry = &grid.geometry,
                                        .physics = &grid.physics,
                                        .records = &grid.records,
                                        .depth_m = (const double *const *)&grid.depth_m,
                                        .precision = row->precision,
                                        .step_s = step_s,
                                        .device = row->entry->device,
                                        // Land that is dry all about would be skipped: no figure of the work.
                                        .skips_quiet_tiles = !tsunami_method_floods(row->method)};
    struct tsunami_solver *solver = NULL;
    enum status status = bench_grid_plan(&grid, options, row->precision, &plan);
    if (status == STATUS_OK)
        status = backend->plan(&setup, &plan, "", &solver);
    if (status == STATUS_OK)
        status = memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX);
    if (status == STATUS_OK && backend->warm_up)
        status = backend->warm_up(solver);
    if (status == STATUS_OK) {
        bench_grid_fill(&grid, options);
        status = time_variant(&grid, options, backend, solver, row);
    }
    memory_plan_release(&plan);
    if (solver)
        backend->destroy(solver);
    CHECK(status);
    const int read_records = !options->has_maxima ? 0 : grid.floods ? 2 : 1; // the highest and deepest so far
    row->nodes_per_s = (double)options->nx * (double)options->ny / (row->step_ms / 1e3);
    row->bytes_per_node = 7.0 * (double)element_bytes(row->precision) + read_records * 4.0;
    row->gigabytes_per_s = row->bytes_per_node * row->nodes_per_s / 1e9;
    return STATUS_OK;
}
