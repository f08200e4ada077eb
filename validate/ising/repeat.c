// The same bits: the back end against the plain reference, on one core, and from a run that was stopped and
// resumed. And the energies do not depend on the spins with which a temperature begins.
#include "validate/ising/ising_job.h"
#include "validate/ising/suites.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double betas[2] = {0.42, 0.45};
enum { SWEEPS = 600 };

struct way {
    const char *name;
    enum ising_method method;
    enum ising_boundary boundary;
    int64_t columns, rows, replicas;
    double coupling, field;
};
static const struct way ways[] = {
    {"metropolis, 128 x 32", ISING_METROPOLIS, ISING_PERIODIC, 128, 32, 1, 1, 0},
    {"metropolis, helical, 62 x 30", ISING_METROPOLIS, ISING_HELICAL, 62, 30, 2, 1, 0},
    {"metropolis, J = -1, B = 0.2, 66 x 18", ISING_METROPOLIS, ISING_PERIODIC, 66, 18, 2, -1, 0.2},
    {"heat-bath, 192 x 16", ISING_HEAT_BATH, ISING_PERIODIC, 192, 16, 1, 1, 0},
    {"heat-bath, helical, 8 x 8", ISING_HEAT_BATH, ISING_HELICAL, 8, 8, 17, 1, 0},
    {"wolff, 64 x 32", ISING_WOLFF, ISING_PERIODIC, 64, 32, 2, 1, 0},
    {"swendsen-wang, helical, 64 x 32", ISING_SWENDSEN_WANG, ISING_HELICAL, 64, 32, 1, 1, 0},
};
enum { WAYS = sizeof ways / sizeof *ways };

// The words of eight spins at the end, and the energies and magnetisations on the way.
static const struct case_variable compared[] = {
    {"final.nc", "spins_packed"}, {"series.nc", "energy"}, {"series.nc", "magnetisation"}, {NULL, NULL}};

// ---- runs

static struct ising_job job_of(const struct way *way)
{
    return (struct ising_job){.method = way->method,
                              .boundary = way->boundary,
                              .columns = way->columns,
                              .rows = way->rows,
                              .replicas = way->replicas,
                              .coupling = way->coupling,
                              .field = way->field,
                              .start = "hot",
                              .betas = betas,
                              .temperatures = 2,
                              .seed = 7,
                              .count = SWEEPS / 2,
                              .thermalisation = 100,
                              .every = 10};
}

static enum status measure_reference(struct validation_run *run, const struct way *way, const char *once)
{
    char plain[64];
    double different;
    const struct ising_job job = job_of(way);
    snprintf(plain, sizeof plain, "%s-reference", once);
    CHECK(ising_job_run(run, &job, plain, "reference"));
    CHECK(case_count_differences(run, once, plain, compared, &different));
    return validation_compare(run, "repeat/differences", "1",
                              "the back end reference: plain, serial, a byte a spin", different, 0,
                              "%s: as the reference", way->name);
}

// Runs are separate processes, which inherit this one's number of threads.
static enum status measure_one_core(struct validation_run *run, const struct way *way, const char *once)
{
    char again[64];
    double different;
    const struct ising_job job = job_of(way);
    const int threads = omp_get_max_threads();
    snprintf(again, sizeof again, "%s-again", once);
    omp_set_num_threads(1);
    const enum status status = ising_job_run(run, &job, again, NULL);
    omp_set_num_threads(threads);
    CHECK(status);
    CHECK(case_count_differences(run, once, again, compared, &different));
    return validation_compare(run, "repeat/differences", "1", "the same job", different, 0,
                              "%s: again on one core", way->name);
}

static enum status measure_legs(struct validation_run *run, const struct way *way, const char *once)
{
    char legs[64];
    double different;
    int stops = 0;
    const struct ising_job job = job_of(way);
    struct case_job made = ising_job_new(&job);
    const enum status status = ising_job_run_in_legs(run, &made, once, legs, &stops);
    case_job_free(&made);
    CHECK(status);
    if (stops == 0)
        return validation_leave_out(run, "stopped and resumed", "%s: it ended before it could be stopped",
                                    way->name);
    CHECK(case_count_differences(run, once, legs, compared, &different));
    return validation_compare(run, "repeat/differences", "1", "the same job", different, 0,
                              "%s: stopped and resumed", way->name);
}

enum status ising_case_repeat(struct validation_run *run)
{
    for (int k = 0; k < WAYS; k++) {
        char once[32];
        const struct ising_job job = job_of(&ways[k]);
        snprintf(once, sizeof once, "way-%d", k);
        CHECK(ising_job_run(run, &job, once, NULL));
        CHECK(measure_reference(run, &ways[k], once));
        CHECK(measure_one_core(run, &ways[k], once));
        CHECK(measure_legs(run, &ways[k], once));
    }
    return case_note(run, "way-0", "bytes of eight spins after %d sweeps, energies and magnetisations; first",
                     SWEEPS);
}

// ---- from one temperature to the next, or each on its own

enum status ising_case_order(struct validation_run *run)
{
    static const double steps[] = {0.30, 0.36, 0.42, 0.45, 0.48};
    enum { STEPS = sizeof steps / sizeof *steps };
    static const char *const names[] = {"temper", "independent"};
    struct ising_column columns[2] = {{0}, {0}};
    enum status status = STATUS_OK;
    for (int order = 0; order < 2 && status == STATUS_OK; order++) {
        const struct ising_job job = {.method = ISING_HEAT_BATH,
                                      .columns = 16,
                                      .replicas = 64,
                                      .start = order ? "cold" : "hot",
                                      .betas = steps,
                                      .temperatures = STEPS,
                                      .is_independent = order == 1,
                                      .seed = 11 + (uint64_t)order,
                                      .count = 1000,
                                      .thermalisation = 400,
                                      .every = 5};
        status = ising_job_run(run, &job, names[order], NULL);
        if (status == STATUS_OK)
            status = ising_column_read(run, names[order], "energy", &columns[order]);
    }
    if (status == STATUS_OK && (columns[0].count != STEPS || columns[1].count != STEPS))
        status = FAIL(STATUS_DATA, "%zu and %zu temperatures, expected %d", columns[0].count,
                      columns[1].count, STEPS);
    for (int k = 0; k < STEPS && status == STATUS_OK; k++)
        status = ising_measure(run, "each temperature from its own start", columns[0].at[k], columns[1].at[k],
                               "beta = %g: e", steps[k]);
    ising_column_free(&columns[0]);
    ising_column_free(&columns[1]);
    CHECK(status);
    return case_note(run, names[0],
                     "heat-bath, L = 16: hot and from one to the next, cold and on its own; first");
}
