// Bodies at the start for tests of what they are samples of: made from a job's block `particles`, without a
// back end and a run; and measures of them. Header only. What goes wrong in here
// fails the running test.
#ifndef FATHOM_TESTS_SUPPORT_NBODY_START_H
#define FATHOM_TESTS_SUPPORT_NBODY_START_H

#include "models/nbody/initial.h"
#include "models/nbody/params.h"
#include "models/nbody/units.h"
#include "tests/support/asserts.h"
#include "tests/support/kolmogorov.h"
#include "tests/support/model_job.h"

static const double pi = 3.14159265358979323846;

// ---- bodies of a job's block `particles`

struct solver {
    struct nbody_body *bodies;
};

static inline void start_keep(struct solver *solver, size_t first, size_t count,
                              const struct nbody_body *bodies)
{
    memcpy(solver->bodies + first, bodies, count * sizeof *bodies);
}

static const struct nbody_backend start_keeper = {.set = start_keep};

static struct nbody_units start_units; // of the last start_make

// The bodies of a block such as {"plummer": {"count": 100}}; malloc'ed. `wanted_units`: "nbody" or "si".
static inline struct nbody_body *start_make(const char *wanted_units, const char *particles, size_t *count)
{
    static struct memory_plan plan;
    const bool is_si = strcmp(wanted_units, "si") == 0;
    const char *time = is_si ? "'1 s'" : "1";
    struct nbody_initial *initial = NULL;
    struct job *job =
        model_job(nbody_keys,
                  "{'fathom': 1, 'model': 'nbody', 'units': '%s', 'particles': %s, 'physics': {'softening': "
                  "0}, 'time': {'duration': %s, 'step': %s}, 'output': {'directory': 'out'}}",
                  wanted_units, particles, time, time);
    assert_ok(nbody_initial_create(job, &initial, count));
    const struct nbody_extent extent = nbody_initial_extent(initial);
    start_units = nbody_units_make(is_si, extent.length, extent.mass);
    struct solver solver = {owned_zeros(*count, sizeof(struct nbody_body))};
    memory_plan_begin(&plan);
    assert_int_equal(nbody_initial_plan(initial, &plan), STATUS_OK);
    assert_int_equal(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX), STATUS_OK);
    assert_int_equal(nbody_initial_prepare(initial), STATUS_OK);
    assert_int_equal(nbody_initial_apply(initial, &start_units, &start_keeper, &solver), STATUS_OK);
    memory_plan_release(&plan);
    nbody_initial_destroy(initial);
    job_free(job);
    return solver.bodies;
}

// ---- measures

static inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double distance(const double *a, const double *b)
{
    const double d[] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

struct centre {
    double mass, position[3], velocity[3], spread, speed; // Σ m |x|, Σ m |v|
};

// In long double: a plain sum of 270 001 equal masses is off by 2e-12 itself.
static inline struct centre centre_of(const struct nbody_body *bodies, size_t count)
{
    long double mass = 0, spread = 0, speed = 0, position[3] = {0}, velocity[3] = {0};
    for (size_t i = 0; i < count; i++) {
        const struct nbody_body *b = &bodies[i];
        mass += b->mass;
        spread += b->mass * sqrt(dot(b->position, b->position));
        speed += b->mass * sqrt(dot(b->velocity, b->velocity));
        for (int k = 0; k < 3; k++) {
            position[k] += (long double)b->mass * b->position[k];
            velocity[k] += (long double)b->mass * b->velocity[k];
        }
    }
    struct centre c = {.mass = (double)mass, .spread = (double)spread, .speed = (double)speed};
    for (int k = 0; k < 3; k++) {
        c.position[k] = (double)(position[k] / mass);
        c.velocity[k] = (double)(velocity[k] / mass);
    }
    return c;
}

static inline void assert_centred(const struct nbody_body *bodies, size_t count, double mass)
{
    const struct centre c = centre_of(bodies, count);
    assert_true(fabs(c.mass - mass) < 1e-12 * mass);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(c.position[k]) * c.mass < 1e-13 * c.spread);
        assert_true(fabs(c.velocity[k]) * c.mass <= 1e-13 * c.speed);
    }
}

static inline double kinetic(const struct nbody_body *bodies, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += 0.5 * bodies[i].mass * dot(bodies[i].velocity, bodies[i].velocity);
    return sum;
}

static inline double potential(const struct nbody_body *bodies, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            sum -= bodies[i].mass * bodies[j].mass / distance(bodies[i].position, bodies[j].position);
    return sum;
}

#endif
