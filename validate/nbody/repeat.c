// The same bits from two runs, and from one that was stopped and went on; and the same run in both systems of
// units.
#include "models/nbody/units.h"
#include "validate/nbody/body_job.h"
#include "validate/nbody/suites.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const precisions[] = {"double", "single"};

// ---- bits

enum { BODIES = 2048, STEPS = 64, METHODS = 2 };
static const char *const method_names[METHODS] = {"direct", "barnes-hut"};

static enum status new_job(struct cJSON **job, const char *method, int64_t steps)
{
    char particles[VALIDATION_TEXT_BYTES];
    snprintf(particles, sizeof particles, "{\"plummer\": {\"count\": %d}}", BODIES);
    CHECK(body_job_new(job, particles, 0.01));
    enum status status = case_job_set_format(*job, "method.name", "\"%s\"", method);
    return status == STATUS_OK ? body_job_time(*job, 0x1p-8, steps, 4) : status;
}

struct trio {
    char once[64], again[64], parts[64];
    int stops;
};

static enum status run_trio(struct validation_run *run, const char *method, const char *precision,
                            struct trio *trio)
{
    struct cJSON *job;
    snprintf(trio->once, sizeof trio->once, "%s-%s", method, precision);
    snprintf(trio->again, sizeof trio->again, "%.40s-again", trio->once);
    CHECK(new_job(&job, method, STEPS));
    enum status status = case_job_run(run, job, trio->once, NULL, precision);
    if (status == STATUS_OK)
        status = case_job_run(run, job, trio->again, NULL, precision);
    if (status == STATUS_OK)
        status = body_run_in_parts(run, job, trio->once, precision, trio->parts, &trio->stops);
    cJSON_Delete(job);
    return status;
}

static enum status measure_bits(struct validation_run *run, const char *method, const char *precision)
{
    static const char source[] = "the same job in a piece";
    struct trio trio;
    double different;
    CHECK(run_trio(run, method, precision, &trio));
    CHECK(body_count_differences(run, trio.once, trio.again, &different));
    CHECK(body_measure(run, "repeat/differences", source, different, 0,
                       "%s, %s: run again, numbers that differ", method, precision));
    if (trio.stops == 0)
        return validation_leave_out(run, "stopped and resumed", "%s, %s: it ended before it could be stopped",
                                    method, precision);
    CHECK(body_count_differences(run, trio.once, trio.parts, &different));
    CHECK(body_measure(run, "repeat/differences", source, different, 0, "%s, %s: parts, numbers that differ",
                       method, precision));
    return body_note(run, trio.once, "%d bodies, each run once, again and in parts; last, in %d parts",
                     BODIES, trio.stops + 1);
}

enum status nbody_case_repeat(struct validation_run *run)
{
    for (int m = 0; m < METHODS; m++)
        for (int p = 0; p < 2; p++)
            if (case_precision_is_asked(run, precisions[p]))
                CHECK(measure_bits(run, method_names[m], precisions[p]));
    return STATUS_OK;
}

// ---- units

// A star cluster of 1e5 solar masses and a scale radius of 2 pc, and the same one in units in which both are
// 1: softening, step and duration as parts of the radius and of √(a³/GM).
enum { UNIT_BODIES = 512, UNIT_STEPS = 128 };
static const double cluster_kg = 1e5 * 1.98841e30, cluster_m = 2 * 3.0856775814913673e16, softening = 0.05,
                    step = 0x1p-6;

static enum status run_si(struct validation_run *run, const char *name, double time_s)
{
    struct cJSON *job;
    char particles[VALIDATION_TEXT_BYTES];
    snprintf(particles, sizeof particles,
             "{\"plummer\": {\"count\": %d, \"mass\": \"%.17g kg\", \"radius\": \"%.17g m\"}}", UNIT_BODIES,
             cluster_kg, cluster_m);
    CHECK(body_job_new(&job, particles, 0));
    enum status status = case_job_set(job, "units", "\"si\"");
    if (status == STATUS_OK)
        status = case_job_set_format(job, "physics.softening", "\"%.17g m\"", softening * cluster_m);
    if (status == STATUS_OK)
        status = case_job_set_format(job, "time.step", "\"%.17g s\"", step * time_s);
    if (status == STATUS_OK)
        status = case_job_set_format(job, "time.duration", "\"%.17g s\"", step * time_s * UNIT_STEPS);
    if (status == STATUS_OK)
        status = case_job_run(run, job, name, NULL, "double");
    cJSON_Delete(job);
    return status;
}

static enum status run_bare(struct validation_run *run, const char *name)
{
    struct cJSON *job;
    char particles[VALIDATION_TEXT_BYTES];
    snprintf(particles, sizeof particles, "{\"plummer\": {\"count\": %d, \"mass\": 1, \"radius\": 1}}",
             UNIT_BODIES);
    CHECK(body_job_new(&job, particles, softening));
    enum status status = body_job_time(job, step, UNIT_STEPS, UNIT_STEPS);
    if (status == STATUS_OK)
        status = case_job_run(run, job, name, NULL, "double");
    cJSON_Delete(job);
    return status;
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
    CHECK(
        body_measure(run, "units/bodies", source, place, 0, "largest difference of a position, scale radii"));
    CHECK(body_measure(run, "units/bodies", source, speed, 0, "of a velocity, sqrt(GM/a)"));
    return body_measure(run, "units/bodies", source, mass, 0, "of a mass, of itself");
}

enum status nbody_case_units(struct validation_run *run)
{
    const double time_s = sqrt(pow(cluster_m, 3) / (NBODY_GRAVITY_M3_KG_S2 * cluster_kg));
    struct body_set si = {0}, bare = {0};
    CHECK(run_si(run, "si", time_s));
    CHECK(run_bare(run, "bare"));
    enum status status = body_set_read(run, "si", &si);
    if (status == STATUS_OK)
        status = body_set_read(run, "bare", &bare);
    if (status == STATUS_OK)
        status = measure_units(run, &si, &bare, time_s);
    body_set_free(&si);
    body_set_free(&bare);
    CHECK(status);
    return body_note(run, "bare", "%d bodies, a Plummer sphere; units nbody", UNIT_BODIES);
}
