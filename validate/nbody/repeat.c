// The same bits from two runs, and from one that was stopped and resumed; and the same run in both systems of
// units.
#include "models/nbody/units.h"
#include "validate/nbody/body_job.h"
#include "validate/nbody/suites.h"

#include <math.h>
#include <stdio.h>

// ---- bits

enum { BODIES = 2048, STEPS = 64 };

static enum status measure_bits(struct validation_run *run, const char *method, const char *precision)
{
    char name[64], what[64];
    int legs;
    snprintf(name, sizeof name, "%s-%s", method, precision);
    snprintf(what, sizeof what, "%s, %s", method, precision);
    struct case_job job = body_job_new(0.01);
    case_job_set(&job, "particles", "{\"plummer\": {\"count\": %d}}", BODIES);
    case_job_set(&job, "method.name", "\"%s\"", method);
    body_job_time(&job, 0x1p-8, STEPS, 4);
    const enum status status =
        body_measure_repeat(run, &job, &(struct body_repeat){name, what, precision, false}, &legs);
    case_job_free(&job);
    CHECK(status);
    return legs > 0
               ? case_note(
                     run, name,
                     "%d bodies; each run once, again, and stopped and resumed (the last one in %d legs)",
                     BODIES, legs)
               : STATUS_OK;
}

enum status nbody_case_repeat(struct validation_run *run)
{
    static const char *const methods[] = {"direct", "barnes-hut"};
    for (int m = 0; m < 2; m++)
        for (const char *const *precision = case_precisions(run); *precision; precision++)
            CHECK(measure_bits(run, methods[m], *precision));
    return STATUS_OK;
}

// ---- units

// A star cluster of 1e5 solar masses and a scale radius of 2 pc, and the same one in units in which both are
// 1: softening, step and duration in units of the radius and of √(a³/GM).
enum { UNIT_BODIES = 512, UNIT_STEPS = 128 };
static const double cluster_kg = 1e5 * 1.98841e30, cluster_m = 2 * 3.0856775814913673e16, softening = 0.05,
                    step = 0x1p-6;

static enum status run_si(struct validation_run *run, const char *name, double time_s)
{
    struct case_job job = body_job_new(0);
    case_job_set(&job, "particles",
                 "{\"plummer\": {\"count\": %d, \"mass\": \"%.17g kg\", \"radius\": \"%.17g m\"}}",
                 UNIT_BODIES, cluster_kg, cluster_m);
    case_job_set(&job, "units", "\"si\"");
    case_job_set(&job, "physics.softening", "\"%.17g m\"", softening * cluster_m);
    case_job_set(&job, "time.step", "\"%.17g s\"", step * time_s);
    case_job_set(&job, "time.duration", "\"%.17g s\"", step * time_s * UNIT_STEPS);
    return case_job_run_once(run, &job, name, NULL, "double");
}

static enum status run_reduced(struct validation_run *run, const char *name)
{
    struct case_job job = body_job_new(softening);
    case_job_set(&job, "particles", "{\"plummer\": {\"count\": %d, \"mass\": 1, \"radius\": 1}}",
                 UNIT_BODIES);
    body_job_time(&job, step, UNIT_STEPS, UNIT_STEPS);
    return case_job_run_once(run, &job, name, NULL, "double");
}

static enum status measure_units(struct validation_run *run, const struct body_set *si,
                                 const struct body_set *bare, double time_s)
{
    double place = 0, speed = 0, mass = 0;
    if (si->count != bare->count)
        return FAIL(STATUS_DATA, "%zu bodies in units si, %zu in units nbody", si->count, bare->count);
    for (size_t k = 0; k < si->count; k++) {
        double x[3], v[3];
        for (size_t axis = 0; axis < 3; axis++) {
            x[axis] = si->position[3 * k + axis] / cluster_m;
            v[axis] = si->velocity[3 * k + axis] * time_s / cluster_m;
        }
        place = body_worse(place, body_distance(x, &bare->position[3 * k]));
        speed = body_worse(speed, body_distance(v, &bare->velocity[3 * k]));
        mass = body_worse(mass, fabs(si->mass[k] / cluster_kg - bare->mass[k]) * (double)bare->count);
    }
    static const char source[] = "the same cluster in units of its mass and radius";
    CHECK(validation_compare(run, "units/bodies", "1", source, place, 0,
                             "largest difference of a position, scale radii"));
    CHECK(validation_compare(run, "units/bodies", "1", source, speed, 0, "of a velocity, sqrt(GM/a)"));
    return validation_compare(run, "units/bodies", "1", source, mass, 0, "of a mass, of itself");
}

enum status nbody_case_units(struct validation_run *run)
{
    const double time_s = sqrt(pow(cluster_m, 3) / (NBODY_GRAVITY_M3_KG_S2 * cluster_kg));
    struct body_set si = {0}, bare = {0};
    CHECK(run_si(run, "si", time_s));
    CHECK(run_reduced(run, "bare"));
    enum status status = body_set_read(run, "si", &si);
    if (status == STATUS_OK)
        status = body_set_read(run, "bare", &bare);
    if (status == STATUS_OK)
        status = measure_units(run, &si, &bare, time_s);
    body_set_free(&si);
    body_set_free(&bare);
    CHECK(status);
    return case_note(run, "bare", "%d bodies, a Plummer sphere; units nbody", UNIT_BODIES);
}
