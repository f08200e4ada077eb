// Conservation in an isolated gas: energy without drift, momentum, and the way back when all velocities are
// reversed.
#include "validate/gas/gas_job.h"
#include "validate/gas/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1024, STEPS = 100000, EVERY = 100 };
static const double pi = 3.14159265358979323846, step = 0.005;

// ---- energy and momentum

struct alone {
    const char *potential, *precision, *energy_tolerance, *momentum_tolerance;
};

static enum status run_alone(struct validation_run *run, const char *name, const struct alone *alone)
{
    struct case_job job = gas_job_new(step, STEPS, EVERY);
    case_job_set(&job, "particles", GAS_JOB_FILE("melt/final.nc"));
    case_job_set(&job, "domain", GAS_JOB_MELT_DENSITY);
    case_job_set(&job, "physics", "{\"potential\": {\"name\": \"%s\"}}", alone->potential);
    case_job_set(&job, "method", "{\"name\": \"cells\"}");
    return case_job_run_once(run, &job, name, NULL, alone->precision);
}

// The largest |P(t) − P(0)|, divided by Σ m|v| of Maxwell's speeds at temperature 1.
static enum status find_momentum_change(const struct validation_run *run, const char *name, double *change)
{
    double *momentum, worst = 0;
    size_t records, width;
    CHECK(body_job_series(run, name, "momentum", &momentum, &records, &width));
    for (size_t k = 0; k < records && width == 2; k++)
        worst = body_worse(worst, hypot(momentum[2 * k] - momentum[0], momentum[2 * k + 1] - momentum[1]));
    free(momentum);
    *change = worst / (COUNT * sqrt(pi / 2));
    return width == 2 ? STATUS_OK : FAIL(STATUS_DATA, "momentum has %zu components", width);
}

static enum status measure_alone(struct validation_run *run, const struct alone *alone,
                                 struct validation_picture *picture)
{
    char name[64];
    double drift, momentum;
    snprintf(name, sizeof name, "%s-%s", alone->potential, alone->precision);
    CHECK(run_alone(run, name, alone));
    CHECK(gas_job_drift(run, name, &drift));
    CHECK(find_momentum_change(run, name, &momentum));
    CHECK(validation_compare(run, alone->energy_tolerance, "1", "energy is conserved", drift, 0,
                             "%s, %s: drift of the energy a particle", alone->potential, alone->precision));
    CHECK(validation_compare(run, alone->momentum_tolerance, "1", "momentum is conserved", momentum, 0,
                             "%s, %s: largest |dP| / sum of m|v|", alone->potential, alone->precision));
    CHECK(gas_job_draw_energy(run, name, name, picture));
    return case_note(run, name, "%d particles, density 0.7, temperature 1, periodic; last", COUNT);
}

enum status gas_case_conserved(struct validation_run *run)
{
    static const struct alone cases[] = {
        {"lj-force-shifted", "double", "conserved/force-shifted-double", "conserved/momentum-double"},
        {"lj-force-shifted", "single", "conserved/force-shifted-single", "conserved/momentum-single"},
        {"lennard-jones", "double", "conserved/lennard-jones", "conserved/momentum-double"},
        {"lennard-jones", "single", "conserved/lennard-jones", "conserved/momentum-single"},
    };
    struct validation_picture *picture;
    CHECK(validation_picture(run, "Energy of a Lennard-Jones fluid on its own", "time", "(E - E0)/N",
                             "The force of lennard-jones jumps by 0.039 at its end; that of lj-force-shifted "
                             "does not. Drift: the fitted slope times the length.",
                             &picture));
    CHECK(gas_job_melt(run, COUNT, "lj-force-shifted", "double"));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (case_precision_is_chosen(run, cases[k].precision))
            CHECK(measure_alone(run, &cases[k], picture));
    return STATUS_OK;
}

// ---- back in time

enum { FEW = 400, BACK_STEPS = 400 };

static enum status run_way(struct validation_run *run, const char *name, const char *particles,
                           const char *precision)
{
    struct case_job job = gas_job_new(step, BACK_STEPS, BACK_STEPS);
    case_job_set(&job, "particles", "%s", particles);
    case_job_set(&job, "domain", GAS_JOB_MELT_DENSITY);
    case_job_set(&job, "physics", "{\"potential\": {\"name\": \"lj-force-shifted\"}}");
    case_job_set(&job, "method", "{\"name\": \"cells\", \"integrator\": \"leapfrog\"}");
    return case_job_run_once(run, &job, name, NULL, precision);
}

static enum status turn(const struct validation_run *run)
{
    struct body_set middle;
    enum status status = body_set_read(run, "forth", &middle);
    for (size_t k = 0; k < 3 * middle.count && status == STATUS_OK; k++)
        middle.velocity[k] *= -1;
    if (status == STATUS_OK)
        status = body_set_write(run, &middle, "middle.nc");
    body_set_free(&middle);
    return status;
}

// The largest distance of a particle from where it began, in a periodic box.
static enum status find_return(const struct validation_run *run, double *worst)
{
    const double side = sqrt(FEW / 0.7);
    struct body_set start, end = {0};
    enum status status = body_set_read(run, "melt", &start);
    if (status == STATUS_OK)
        status = body_set_read(run, "back", &end);
    if (status == STATUS_OK && start.count != end.count)
        status = FAIL(STATUS_DATA, "%zu particles at the start, %zu at the end", start.count, end.count);
    *worst = 0;
    for (size_t k = 0; k < start.count && status == STATUS_OK; k++)
        *worst =
            body_worse(*worst, hypot(remainder(end.position[3 * k] - start.position[3 * k], side),
                                     remainder(end.position[3 * k + 1] - start.position[3 * k + 1], side)));
    body_set_free(&start);
    body_set_free(&end);
    return status;
}

enum status gas_case_reverse(struct validation_run *run)
{
    CHECK(gas_job_melt(run, FEW, "lj-force-shifted", "double"));
    for (const char *const *precision = case_precisions(run); *precision; precision++) {
        double returned;
        char tolerance[48];
        CHECK(run_way(run, "forth", GAS_JOB_FILE("melt/final.nc"), *precision));
        CHECK(turn(run));
        CHECK(run_way(run, "back", GAS_JOB_FILE("middle.nc"), *precision));
        CHECK(find_return(run, &returned));
        snprintf(tolerance, sizeof tolerance, "reversed/%s", *precision);
        CHECK(validation_compare(run, tolerance, "1", "leapfrog is the same in both directions of time",
                                 returned, 0, "%s: largest distance from the start, %d steps and back",
                                 *precision, BACK_STEPS));
        CHECK(case_note(run, "back", "%d particles, density 0.7, periodic; last, back", FEW));
    }
    return STATUS_OK;
}
