// Two bodies of masses 7:3 on an ellipse of eccentricity 0.5, from the apocentre on: energy over a hundred
// orbits, the orders of both integrators, and time reversed.
#include "validate/closed/kepler.h"
#include "validate/nbody/body_job.h"
#include "validate/nbody/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char particles[] = "{\"kepler\": {\"eccentricity\": 0.5, \"mass_ratio\": 0.42857142857142855}}";
static const struct kepler_orbit orbit = {1, 0.5};

struct pair_run {
    const char *particles, *integrator, *precision;
    int64_t orbits, steps, every; // steps of an orbit
};

static enum status run_pair(struct validation_run *run, const char *name, const struct pair_run *pair)
{
    struct case_job job = body_job_new(0);
    case_job_set(&job, "particles", "%s", pair->particles);
    case_job_set(&job, "method.integrator", "\"%s\"", pair->integrator);
    body_job_time(&job, kepler_period(&orbit) / (double)pair->steps, pair->orbits * pair->steps, pair->every);
    return case_job_run_once(run, &job, name, NULL, pair->precision);
}

// ---- energy

enum { ORBITS = 100, STEPS = 400, EVERY = 10, PARTS = 10 };

// Largest in each of PARTS equal parts.
static void worst_of_parts(const double *error, size_t records, double worst[PARTS])
{
    for (size_t part = 0; part < PARTS; part++)
        worst[part] =
            body_largest_change(error, part * (records - 1) / PARTS, (part + 1) * (records - 1) / PARTS + 1);
}

static enum status measure_energy(struct validation_run *run, const char *precision,
                                  struct validation_picture *picture)
{
    const struct pair_run pair = {particles, "leapfrog", precision, ORBITS, STEPS, EVERY};
    double *error = NULL, worst[PARTS];
    size_t records = 0;
    char name[32];
    snprintf(name, sizeof name, "energy-%s", precision);
    CHECK(run_pair(run, name, &pair));
    CHECK(body_job_series(run, name, "energy_error", &error, &records, NULL));
    worst_of_parts(error, records, worst);
    const double largest = body_largest_change(error, 0, records);
    const enum status status = validation_line_even(run, picture, precision, false, 0,
                                                    (double)ORBITS / (double)(records - 1), error, records);
    free(error);
    CHECK(status);
    CHECK(validation_compare(run, "kepler/energy", "1", "energy is conserved", largest, 0,
                             "%s: largest |dE/E|, %d steps an orbit", precision, STEPS));
    char tolerance[48];
    snprintf(tolerance, sizeof tolerance, "kepler/drift-%s", precision);
    CHECK(validation_compare(run, tolerance, "1", "no drift", worst[PARTS - 1], worst[0],
                             "%s: last 10 orbits against the first 10", precision));
    return case_note(run, name, "masses 7:3, e = 0.5, %d orbits; last", ORBITS);
}

enum status nbody_case_kepler_energy(struct validation_run *run)
{
    struct validation_picture *picture;
    CHECK(validation_picture(run, "Energy of a pair, e = 0.5", "orbits", "(E - E0)/|E0|",
                             "Leapfrog: the error comes and goes with the pericentre, and does not grow.",
                             &picture));
    for (const char *const *precision = case_precisions(run); *precision; precision++)
        CHECK(measure_energy(run, *precision, picture));
    return STATUS_OK;
}

// ---- orders

// Distance of the separation after one orbit from that at the start.
static enum status error_after_orbit(struct validation_run *run, const char *integrator, int64_t steps,
                                     double *error)
{
    const struct pair_run pair = {particles, integrator, "double", 1, steps, steps};
    double exact[3], velocity[3];
    struct body_set end = {0};
    char name[48];
    snprintf(name, sizeof name, "%s-%lld", integrator, (long long)steps);
    CHECK(run_pair(run, name, &pair));
    enum status status = body_set_read(run, name, &end);
    if (status == STATUS_OK && end.count != 2)
        status = FAIL(STATUS_DATA, "the job %s ended with %zu bodies", name, end.count);
    if (status == STATUS_OK) {
        double apart[3];
        for (int axis = 0; axis < 3; axis++)
            apart[axis] = end.position[3 + axis] - end.position[axis];
        // The second body lies at +x of the first at apocentre.
        kepler_state(&orbit, 0.5 * kepler_period(&orbit), exact, velocity);
        for (int axis = 0; axis < 3; axis++)
            exact[axis] = -exact[axis];
        *error = body_distance(apart, exact);
    }
    body_set_free(&end);
    return status;
}

static enum status measure_order(struct validation_run *run, const char *integrator, int64_t coarsest,
                                 int count, double order, struct validation_picture *picture)
{
    double errors[4], steps[4];
    char tolerance[48];
    snprintf(tolerance, sizeof tolerance, "kepler/order-%s", integrator);
    for (int k = 0; k < count; k++) {
        steps[k] = (double)(coarsest << k);
        CHECK(error_after_orbit(run, integrator, coarsest << k, &errors[k]));
    }
    for (int k = 1; k < count; k++)
        CHECK(validation_compare(
            run, tolerance, "1", "Kepler's orbit closes after its period", log2(errors[k - 1] / errors[k]),
            order, "%s: order, %.0f to %.0f steps an orbit", integrator, steps[k - 1], steps[k]));
    return validation_line(run, picture, integrator, false, steps, errors, (size_t)count);
}

enum status nbody_case_kepler_order(struct validation_run *run)
{
    struct validation_picture *picture;
    CHECK(validation_picture(run, "Order of the integrators", "steps of an orbit", "distance from the start",
                             "After one orbit of a pair, e = 0.5.", &picture));
    picture->is_logarithmic = true;
    CHECK(measure_order(run, "leapfrog", 500, 4, 2, picture));
    CHECK(measure_order(run, "source", 16000, 3, 1, picture));
    return case_note(run, "leapfrog-500", "one orbit, e = 0.5; first");
}

// ---- back in time

static enum status run_back(struct validation_run *run, const char *precision, int64_t orbits,
                            struct body_set *middle, double *returned)
{
    static const char back[] = "{\"file\": {\"file\": \"middle.nc\"}}";
    const struct pair_run forth = {particles, "leapfrog", precision, orbits, STEPS, STEPS},
                          again = {back, "leapfrog", precision, orbits, STEPS, STEPS};
    struct body_set end = {0};
    CHECK(run_pair(run, "forth", &forth));
    CHECK(body_set_read(run, "forth", middle));
    for (size_t k = 0; k < 3 * middle->count; k++)
        middle->velocity[k] *= -1;
    CHECK(body_set_write(run, middle, "middle.nc"));
    CHECK(run_pair(run, "back", &again));
    enum status status = body_set_read(run, "back", &end);
    // Furthest apart: 1.5, parted by the masses.
    if (status == STATUS_OK)
        *returned = fmax(body_distance(end.position, (const double[]){-0.45, 0, 0}),
                         body_distance(end.position + 3, (const double[]){1.05, 0, 0}));
    body_set_free(&end);
    return status;
}

enum status nbody_case_kepler_reverse(struct validation_run *run)
{
    for (const char *const *precision = case_precisions(run); *precision; precision++) {
        const int64_t orbits = strcmp(*precision, "double") == 0 ? ORBITS : 10;
        struct body_set middle = {0};
        double returned = NAN;
        char tolerance[48];
        snprintf(tolerance, sizeof tolerance, "kepler/reversed-%s", *precision);
        const enum status status = run_back(run, *precision, orbits, &middle, &returned);
        body_set_free(&middle);
        CHECK(status);
        CHECK(validation_compare(run, tolerance, "1", "leapfrog is the same in both directions of time",
                                 returned, 0, "%s: distance after %lld orbits and back", *precision,
                                 (long long)orbits));
        CHECK(case_note(run, "back", "e = 0.5; last, back"));
    }
    return STATUS_OK;
}
