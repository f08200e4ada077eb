// How `fathom bench ising` times one row: plans, reserves, starts cold, times sweeps with measurements among
// them, compares the energy with the exact one at a temperature whose equilibrium is near, releases. Knows no
// options' text and no table.
#include "bench/ising/private.h"

#include "models/ising/exact.h"

#include <math.h>
#include <string.h>

enum {
    RECORDS = 64,      // measurements that a back end with a memory of its own keeps
    MEASUREMENTS = 32, // of the check
    SETTLE = 200,      // sweeps before them, from the cold start; cluster updates a tenth
    BUDGETS_OF_CHECK = 4
};

struct stopwatch {
    const struct ising_backend *backend;
    struct ising_solver *solver;
    const struct ising_lattice *lattice;
    int every;
    bool has_records;
    size_t records;                 // captured and not sent yet
    struct ising_measure *measures; // [RECORDS][replicas]
    int64_t turned, turned_sweeps;  // sites of all replicas, as measured
};

static void add_turned(struct stopwatch *watch, size_t records)
{
    for (size_t k = 0; k < records * (size_t)watch->lattice->replicas; k++)
        watch->turned += watch->measures[k].clusters;
    watch->turned_sweeps += (int64_t)records * watch->every;
}

static enum status send_records(struct stopwatch *watch)
{
    if (watch->records == 0)
        return STATUS_OK;
    CHECK(watch->backend->send(watch->solver, 0, watch->records, watch->measures));
    CHECK(watch->backend->await(watch->solver, 0));
    add_turned(watch, watch->records);
    watch->records = 0;
    return STATUS_OK;
}

static enum status measure(struct stopwatch *watch)
{
    if (!watch->has_records) {
        CHECK(watch->backend->measure(watch->solver, watch->measures));
        add_turned(watch, 1);
        return STATUS_OK;
    }
    CHECK(watch->backend->capture(watch->solver, 0, watch->records++));
    return watch->records == RECORDS ? send_records(watch) : STATUS_OK;
}

// Sweeps, a measurement after every so many of the whole run; all of it is done when this returns.
static enum status advance(void *context, int64_t first_step, int64_t count)
{
    struct stopwatch *watch = context;
    for (int64_t step = first_step; step < first_step + count;) {
        const int64_t left = first_step + count - step, until = watch->every - step % watch->every;
        const int64_t sweeps = until < left ? until : left;
        CHECK(watch->backend->advance(watch->solver, step, sweeps));
        step += sweeps;
        if (step % watch->every == 0)
            CHECK(measure(watch));
    }
    CHECK(send_records(watch));
    return watch->backend->finish ? watch->backend->finish(watch->solver) : STATUS_OK;
}

static struct device_times times_of(const void *context)
{
    const struct stopwatch *watch = context;
    return watch->backend->times(watch->solver);
}

// All spins up.
static enum status start_cold(const struct stopwatch *watch)
{
    const size_t words = (size_t)watch->lattice->replicas * ising_lattice_words(watch->lattice);
    memset(watch->backend->words(watch->solver), 0xff, words * sizeof(uint32_t));
    return watch->backend->touch(watch->solver, false);
}

static enum status time_row(const struct bench_options *options, struct stopwatch *watch,
                            struct bench_row *row)
{
    const bool has_clock = watch->backend->times != NULL && watch->backend->finish != NULL;
    struct bench_work work =
        bench_work_of(row->entry->backend, watch, advance, has_clock ? times_of : NULL, options->every);
    CHECK(start_cold(watch));
    watch->backend->set_temperature(watch->solver, 0, options->beta);
    if (ising_has_clusters(row->method)) { // their sizes settle
        CHECK(advance(watch, 0, SETTLE / 10));
        work.step = SETTLE / 10;
        watch->turned = watch->turned_sweeps = 0;
    }
    CHECK(bench_time(&options->common, options->budget_s, &work, &row->time));
    row->turned = (double)ising_sites(watch->lattice);
    if (row->method == ISING_WOLFF && watch->turned_sweeps > 0)
        row->turned =
            (double)watch->turned / ((double)watch->turned_sweeps * (double)watch->lattice->replicas);
    return STATUS_OK;
}

// ---- the energy

// Its mean and standard error, by the correlation of neighbours in the series: τ of an exponential decay.
static void find_mean(const double *energy, size_t count, struct bench_check *check)
{
    double sum = 0, square = 0, product = 0;
    for (size_t k = 0; k < count; k++)
        sum += energy[k];
    const double mean = sum / (double)count;
    for (size_t k = 0; k < count; k++)
        square += (energy[k] - mean) * (energy[k] - mean);
    for (size_t k = 1; k < count; k++)
        product += (energy[k] - mean) * (energy[k - 1] - mean);
    const double rho = square > 0 ? fmin(0.9, fmax(0, product / square)) : 0;
    check->energy = mean;
    check->error = sqrt(square / ((double)count * (double)(count - 1)) * (1 + rho) / (1 - rho));
}

static enum status check_energy(const struct bench_options *options, struct stopwatch *watch,
                                struct bench_row *row)
{
    const bool has_clusters = ising_has_clusters(row->method);
    const int64_t settle = has_clusters ? SETTLE / 10 : SETTLE, every = has_clusters ? 3 : options->every;
    const double sites = (double)ising_sites(watch->lattice) * (double)watch->lattice->replicas;
    double energy[MEASUREMENTS];
    row->check.sweeps = settle + MEASUREMENTS * every;
    if (watch->lattice->boundary != ISING_PERIODIC ||
        1e-3 * row->time.step_ms * (double)row->check.sweeps > BUDGETS_OF_CHECK * options->budget_s)
        return STATUS_OK;
    CHECK(start_cold(watch));
    watch->backend->set_temperature(watch->solver, 1, options->check_beta);
    CHECK(watch->backend->advance(watch->solver, 0, settle));
    for (int k = 0; k < MEASUREMENTS; k++) {
        int64_t bonds = 0;
        CHECK(watch->backend->advance(watch->solver, settle + k * every, every));
        CHECK(watch->backend->measure(watch->solver, watch->measures));
        for (int64_t r = 0; r < watch->lattice->replicas; r++)
            bonds += watch->measures[r].bonds;
        energy[k] = -(double)bonds / sites;
    }
    row->check.measurements = MEASUREMENTS;
    row->check.exact =
        ising_exact_periodic((int)watch->lattice->columns, (int)watch->lattice->rows, options->check_beta)
            .energy;
    find_mean(energy, MEASUREMENTS, &row->check);
    return STATUS_OK;
}

static enum status plan_row(const struct ising_setup *setup, struct memory_plan *plan,
                            struct stopwatch *watch)
{
    const struct ising_wanted wanted = {.slots = 1, .frame_records = RECORDS};
    CHECK(watch->backend->plan(setup, plan, "", &watch->solver));
    if (watch->has_records)
        CHECK(watch->backend->plan_results(watch->solver, &wanted, plan, ""));
    return memory_plan_add(plan, MEMORY_PINNED, ELEMENT_U8, RECORDS,
                           (size_t)watch->lattice->replicas * sizeof *watch->measures,
                           (void **)&watch->measures, "measures on the host");
}

static enum status run_solver(const struct bench_options *options, struct stopwatch *watch,
                              struct bench_row *row)
{
    if (watch->backend->warm_up)
        CHECK(watch->backend->warm_up(watch->solver));
    CHECK(time_row(options, watch, row));
    return check_energy(options, watch, row);
}

// Plans, reserves, times and releases: what one row took is free for the next, on a device too.
enum status ising_bench_run_row(const struct bench_options *options, struct bench_row *row)
{
    static struct memory_plan plan;
    const struct ising_physics physics = {
        .lattice = row->lattice, .coupling = 1, .method = row->method, .seed = 1};
    const struct ising_setup setup = {
        .physics = &physics, .device = row->entry->device, .has_whole_spins = row->has_whole_spins};
    struct stopwatch watch = {.backend = (const struct ising_backend *)row->entry->backend,
                              .lattice = &physics.lattice,
                              .every = options->every};
    watch.has_records = watch.backend->plan_results != NULL;
    memory_plan_begin(&plan);
    enum status status = plan_row(&setup, &plan, &watch);
    if (status == STATUS_OK)
        status = memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX);
    if (status == STATUS_OK)
        status = run_solver(options, &watch, row);
    memory_plan_release(&plan);
    if (watch.solver)
        watch.backend->destroy(watch.solver);
    CHECK(status);
    row->has_run = true;
    return STATUS_OK;
}
