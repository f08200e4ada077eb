// The 27 temperatures of Karkoulis' (2010) study on small lattices: compares means with exact values, and
// tests with χ² whether the stated errors are correct.
#include "models/ising/exact.h"
#include "validate/ising/ising_job.h"
#include "validate/ising/source_betas.h"
#include "validate/ising/suites.h"

#include <stdio.h>

enum { COUNT = ISING_SOURCE_BETAS, QUANTITIES = 5 };
static const char *const quantities[QUANTITIES] = {"energy", "specific_heat", "absolute_magnetisation",
                                                   "susceptibility", "binder_cumulant"};
static const char *const shown[QUANTITIES] = {"e", "c", "|m|", "chi", "U4"};
static const char kaufman[] =
    "Kaufman (1949) with the derivatives of Ferdinand & Fisher (1969), computed here";
static const char matrices[] = "transfer matrices of the helical lattice, six digits";

// Compares one quantity at all temperatures with its known values.
static enum status measure_quantity(struct validation_run *run, const char *name, int quantity,
                                    const struct ising_estimate *known, const char *source)
{
    struct ising_column column;
    enum status status = ising_column_read(run, name, quantities[quantity], &column);
    if (status == STATUS_OK && column.count != COUNT)
        status = FAIL(STATUS_DATA, "results.nc of the job %s has %zu temperatures", name, column.count);
    if (status == STATUS_OK) {
        const struct ising_chi2 chi2 = ising_chi2(column.at, known, COUNT);
        status = validation_compare(run, "betas/chi2", "1", source, chi2.sum / COUNT, 1.185,
                                    "%s, %s: chi2/27", name, shown[quantity]);
        if (status == STATUS_OK)
            status = validation_compare(run, "errors", "1", source, chi2.largest, 0,
                                        "%s, %s: largest deviation of 27, in standard errors", name,
                                        shown[quantity]);
    }
    ising_column_free(&column);
    return status;
}

static enum status run_betas(struct validation_run *run, enum ising_boundary boundary, int side,
                             const char *name)
{
    // The slowest autocorrelation time, that of |m| at beta = 0.44, is 3 sweeps of 8 x 8 sites and 10 of 16 x
    // 16.
    const int64_t slowness = side > 8 ? 4 : 1;
    const struct ising_job job = {.method = ISING_METROPOLIS,
                                  .boundary = boundary,
                                  .columns = side,
                                  .replicas = case_is_full(run) ? 4096 : 128,
                                  .betas = ising_source_betas,
                                  .temperatures = COUNT,
                                  .seed = 27,
                                  .count = 400 * slowness,
                                  .thermalisation = 100 * slowness,
                                  .every = slowness,
                                  .blocks = 64,
                                  .output = "\"series\": false"};
    return ising_job_run(run, &job, name, NULL);
}

// ---- periodic

static enum status draw_energies(struct validation_run *run, const char *name, int side)
{
    enum { NODES = 401 };
    struct validation_picture *picture;
    struct ising_column column;
    double beta[NODES], energy[NODES], infinite[NODES];
    char title[VALIDATION_NAME_BYTES];
    for (int k = 0; k < NODES; k++) {
        beta[k] = 0.1 + 0.8 * (k + 1e-3) / NODES;
        energy[k] = ising_exact_periodic(side, side, beta[k]).energy;
        infinite[k] = ising_exact_infinite(beta[k]).energy;
    }
    snprintf(title, sizeof title, "Energy per site, L = %d", side);
    CHECK(validation_picture(run, title, "beta", "e", "Periodic lattice; Kaufman's formula and Onsager's.",
                             &picture));
    CHECK(validation_line(run, picture, "this lattice, exact", false, beta, energy, NODES));
    CHECK(validation_line(run, picture, "infinite, exact", false, beta, infinite, NODES));
    enum status status = ising_column_read(run, name, "energy", &column);
    if (status == STATUS_OK)
        status = ising_draw_values(run, picture, "run", ising_source_betas, column.at, column.count);
    ising_column_free(&column);
    return status;
}

static enum status measure_periodic(struct validation_run *run, int side)
{
    char name[32];
    struct ising_estimate energy[COUNT], heat[COUNT];
    snprintf(name, sizeof name, "periodic-%d", side);
    for (int k = 0; k < COUNT; k++) {
        const struct ising_exact exact = ising_exact_periodic(side, side, ising_source_betas[k]);
        energy[k] = (struct ising_estimate){exact.energy, 0};
        heat[k] = (struct ising_estimate){exact.specific_heat, 0};
    }
    CHECK(run_betas(run, ISING_PERIODIC, side, name));
    CHECK(measure_quantity(run, name, 0, energy, kaufman));
    CHECK(measure_quantity(run, name, 1, heat, kaufman));
    return draw_energies(run, name, side);
}

// ---- helical

static enum status measure_helical(struct validation_run *run)
{
    static const char name[] = "helical-8";
    // Half a unit of the table's last digit.
    static const double rounding[QUANTITIES] = {1e-6, 5e-7, 5e-7, 5e-6, 5e-6};
    CHECK(run_betas(run, ISING_HELICAL, 8, name));
    for (int q = 0; q < QUANTITIES; q++) {
        struct ising_estimate known[COUNT];
        for (int k = 0; k < COUNT; k++) {
            const struct ising_helical_means *means = &ising_helical_means[k];
            const double values[QUANTITIES] = {2 * means->energy_per_bond, means->specific_heat,
                                               means->absolute, means->susceptibility, means->binder};
            known[k] = (struct ising_estimate){values[q], rounding[q]};
        }
        CHECK(measure_quantity(run, name, q, known, matrices));
    }
    return STATUS_OK;
}

enum status ising_case_betas(struct validation_run *run)
{
    CHECK(measure_helical(run));
    CHECK(measure_periodic(run, 8));
    if (case_is_full(run))
        CHECK(measure_periodic(run, 16));
    return case_note(run, "helical-8", "Metropolis at 27 temperatures, 64 blocks of replicas; helical");
}
