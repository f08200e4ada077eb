// Virial coefficients of the truncated and shifted Lennard-Jones potential, from the energies that a run
// reports for two particles, so heavy that they move uniformly, one away from the other.
#include "validate/closed/virial.h"
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES = 3601, TEMPERATURES = 5 };
static const char name[] = "apart", file[] = "pair.nc";
static const double first = 0.7, last = 2.5, mass = 1e12, step = 0x1p-10;
static const char source[] = "independent quadrature of the potential truncated and shifted at 2.5";

// The first at rest at (10, 20), the other to the right of it.
static enum status write_pair(const struct validation_run *run)
{
    struct body_set pair = {0};
    enum status status = body_set_new(&pair, 2);
    for (size_t k = 0; k < 2 && status == STATUS_OK; k++) {
        pair.position[3 * k] = 10 + (k > 0 ? first : 0);
        pair.position[3 * k + 1] = 20;
        pair.velocity[3 * k] = k > 0 ? (last - first) / (NODES - 1) / step : 0;
        pair.mass[k] = mass;
    }
    if (status == STATUS_OK)
        status = body_set_write(run, &pair, file);
    body_set_free(&pair);
    return status;
}

static enum status run_apart(struct validation_run *run, const char *precision)
{
    CHECK(write_pair(run));
    struct case_job job = gas_job_new(step, NODES - 1, 1);
    case_job_set(&job, "particles", GAS_JOB_FILE("pair.nc"));
    case_job_set(&job, "domain", "{\"size\": [40, 40]}");
    case_job_set(&job, "physics", "{\"potential\": {\"name\": \"lennard-jones\"}}");
    case_job_set(&job, "method", "{\"name\": \"cells\"}");
    return case_job_run_once(run, &job, name, NULL, precision);
}

static enum status draw_potential(struct validation_run *run, const double *energy, const char *precision)
{
    struct validation_picture *picture;
    char title[VALIDATION_NAME_BYTES];
    double *r = case_axis_values(&(struct case_axis){NODES, first, (last - first) / (NODES - 1)});
    size_t begin = 0;
    if (!r)
        return FAIL(STATUS_SYSTEM, "not enough memory for a line");
    while (begin < NODES - 1 && energy[begin] > 1)
        begin++;
    snprintf(title, sizeof title, "Lennard-Jones potential, %s precision", precision);
    enum status status = validation_picture(run, title, "distance", "energy",
                                            "As a run reports it for two particles.", &picture);
    if (status == STATUS_OK)
        status = validation_line(run, picture, "run", false, r + begin, energy + begin, NODES - begin);
    free(r);
    return status;
}

static enum status measure_coefficients(struct validation_run *run, const char *precision,
                                        const double *energy)
{
    static const double known[TEMPERATURES][2] = {
        {0.60, -3.444487}, {0.80, -1.658940}, {1.00, -0.817957}, {1.50, 0.091950}, {2.00, 0.467482}};
    const struct virial_potential potential = {first, last, NODES, energy};
    char tolerance[48];
    snprintf(tolerance, sizeof tolerance, "virial/%s", precision);
    for (int k = 0; k < TEMPERATURES; k++)
        CHECK(validation_compare(run, tolerance, "1", source, virial_second(&potential, known[k][0]),
                                 known[k][1], "%s: B2(%.2f)", precision, known[k][0]));
    CHECK(validation_compare(run, "virial/third", "1", source, virial_third(&potential, 1), 2.33627,
                             "%s: B3(1.00)", precision));
    return draw_potential(run, energy, precision);
}

enum status gas_case_virial(struct validation_run *run)
{
    for (const char *const *precision = case_precisions(run); *precision; precision++) {
        double *energy;
        size_t records;
        CHECK(run_apart(run, *precision));
        CHECK(body_job_series(run, name, "energy_potential", &energy, &records, NULL));
        const enum status status =
            records == NODES
                ? measure_coefficients(run, *precision, energy)
                : FAIL(STATUS_DATA, "%zu records of the diagnostics, expected %d", records, NODES);
        free(energy);
        CHECK(status);
        CHECK(case_note(run, name, "two particles that move apart from %g to %g; last", first, last));
    }
    return STATUS_OK;
}
