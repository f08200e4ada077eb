// Karkoulis' (2010) comparison of two programs: its serial one picks sites at random, its parallel one
// takes them sublattice by sublattice.
// Both on its own lattice at its 27 temperatures, of independent random numbers; R = 2 (a - b)/(a + b) of
// every quantity.
#include "validate/ising/ising_job.h"
#include "validate/ising/source_betas.h"
#include "validate/ising/suites.h"

#include <math.h>
#include <stdio.h>

enum { COUNT = ISING_SOURCE_BETAS, QUANTITIES = 4 };
static const char *const quantities[QUANTITIES] = {"energy", "absolute_magnetisation", "specific_heat",
                                                   "susceptibility"};
static const char *const shown[QUANTITIES] = {"e", "|m|", "c", "chi"};
static const char source[] = "sites picked at random, as the serial program of Karkoulis (2010) does";

// The slowest autocorrelation times, at beta = 0.44, are 6, 20 and 90 sweeps of sites at random.
static enum status run_program(struct validation_run *run, enum ising_method method, int side,
                               const char *name)
{
    const int64_t slowness = (int64_t)(side / 8) * (side / 8);
    const int64_t more = case_is_full(run) && side < 32 ? 4 : 1; // sites at random take long
    const struct ising_job job = {.method = method,
                                  .boundary = ISING_HELICAL,
                                  .columns = side,
                                  .replicas = 64,
                                  .betas = ising_source_betas,
                                  .temperatures = COUNT,
                                  .seed = 45000 + (uint64_t)method,
                                  .count = 200 * more * slowness,
                                  .thermalisation = 50 * slowness,
                                  .every = slowness,
                                  .blocks = 64,
                                  .output = "\"series\": false"};
    return ising_job_run(run, &job, name, NULL);
}

// ---- R

static struct ising_estimate ratio_of(struct ising_estimate a, struct ising_estimate b)
{
    const double sum = a.value + b.value;
    return (struct ising_estimate){2 * (a.value - b.value) / sum,
                                   4 * hypot(b.value * a.error, a.value * b.error) / (sum * sum)};
}

static enum status draw_ratios(struct validation_run *run, int side,
                               const struct ising_estimate ratios[QUANTITIES][COUNT])
{
    struct validation_picture *picture;
    char title[VALIDATION_NAME_BYTES];
    snprintf(title, sizeof title, "Two programs, L = %d", side);
    CHECK(validation_picture(run, title, "beta", "log10 |R|",
                             "R = 2 (a - b)/(a + b). The line is the standard error of R of the energy.",
                             &picture));
    for (int q = 0; q < QUANTITIES; q++) {
        double y[COUNT];
        for (int k = 0; k < COUNT; k++)
            y[k] = log10(fmax(fabs(ratios[q][k].value), 1e-12));
        CHECK(validation_line(run, picture, shown[q], true, ising_source_betas, y, COUNT));
    }
    double error[COUNT];
    for (int k = 0; k < COUNT; k++)
        error[k] = log10(ratios[0][k].error);
    return validation_line(run, picture, "error of e's", false, ising_source_betas, error, COUNT);
}

static enum status read_ratios(const struct validation_run *run, const char *one, const char *other,
                               int quantity, struct ising_estimate ratios[COUNT])
{
    struct ising_column a, b = {0};
    enum status status = ising_column_read(run, one, quantities[quantity], &a);
    if (status == STATUS_OK)
        status = ising_column_read(run, other, quantities[quantity], &b);
    if (status == STATUS_OK && (a.count != COUNT || b.count != COUNT))
        status = FAIL(STATUS_DATA, "%zu and %zu temperatures, expected %d", a.count, b.count, COUNT);
    for (int k = 0; k < COUNT && status == STATUS_OK; k++)
        ratios[k] = ratio_of(a.at[k], b.at[k]);
    ising_column_free(&a);
    ising_column_free(&b);
    return status;
}

static enum status compare_programs(struct validation_run *run, int side)
{
    char one[32], other[32];
    struct ising_estimate ratios[QUANTITIES][COUNT], none[COUNT] = {{0, 0}};
    snprintf(one, sizeof one, "sublattices-%d", side);
    snprintf(other, sizeof other, "random-%d", side);
    CHECK(run_program(run, ISING_METROPOLIS, side, one));
    CHECK(run_program(run, ISING_METROPOLIS_RANDOM, side, other));
    for (int q = 0; q < QUANTITIES; q++) {
        CHECK(read_ratios(run, one, other, q, ratios[q]));
        const struct ising_chi2 chi2 = ising_chi2(ratios[q], none, COUNT);
        CHECK(validation_compare(run, "betas/chi2", "1", source, chi2.sum / COUNT, 1.185,
                                 "L = %d: chi2/27 of R of %s", side, shown[q]));
        CHECK(validation_compare(run, "errors", "1", source, chi2.largest, 0,
                                 "L = %d: furthest R of %s, in its errors", side, shown[q]));
    }
    return draw_ratios(run, side, ratios);
}

enum status ising_case_programs(struct validation_run *run)
{
    static const int sides[] = {8, 16, 32};
    const int count = case_is_full(run) ? 3 : 1;
    for (int k = 0; k < count; k++)
        CHECK(compare_programs(run, sides[k]));
    return case_note(run, "sublattices-8",
                     "helical lattices, L = 8 to %d, 27 temperatures; by sublattices, L = 8",
                     sides[count - 1]);
}
