// Particles at the start for tests: made from a job's text, without a back end and a run.
// Header only. What goes wrong in here fails the running test.
#ifndef FATHOM_TESTS_SUPPORT_GAS_START_H
#define FATHOM_TESTS_SUPPORT_GAS_START_H

#include "models/gas/initial.h"
#include "models/gas/params.h"
#include "tests/support/asserts.h"
#include "tests/support/model_job.h"

struct solver {
    struct gas_particle *particles;
};

static inline void start_keep(struct solver *solver, size_t first, size_t count,
                              const struct gas_particle *particles)
{
    memcpy(solver->particles + first, particles, count * sizeof *particles);
}

static const struct gas_backend start_keeper = {.set = start_keep};

static struct gas_physics start_physics; // of the last start_try

static inline enum status start_prepare(struct gas_params *p, struct solver *solver)
{
    static struct memory_plan plan;
    memory_plan_begin(&plan);
    assert_int_equal(gas_initial_plan(p->initial, &plan), STATUS_OK);
    assert_int_equal(memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX), STATUS_OK);
    const enum status status = gas_initial_prepare(p->initial);
    if (status == STATUS_OK) {
        solver->particles = owned_zeros(p->count, sizeof *solver->particles);
        gas_initial_apply(p->initial, &start_keeper, solver);
    }
    memory_plan_release(&plan);
    return status;
}

// The particles of the blocks given as members of a job ("'particles': ..., 'domain': ..., 'physics': ..."),
// malloc'ed; NULL: refused, status_message() states why.
static inline struct gas_particle *start_try(const char *blocks, size_t *count)
{
    static struct gas_params p;
    struct solver solver = {NULL};
    *count = 0;
    struct job *job = model_job(gas_keys,
                                "{'fathom': 1, 'model': 'gas', 'backend': 'reference', %s, 'time': "
                                "{'duration': 1, 'step': 0.001}, 'output': {'directory': 'out'}}",
                                blocks);
    if (gas_params_read(job, &p) == STATUS_OK) {
        start_physics = p.physics;
        *count = p.count;
        (void)start_prepare(&p, &solver);
    }
    gas_params_free(&p);
    job_free(job);
    return solver.particles;
}

static inline struct gas_particle *start_make(const char *blocks, size_t *count)
{
    struct gas_particle *particles = start_try(blocks, count);
    if (!particles)
        fail_msg("%s", status_message());
    return particles;
}

static inline void expect_refusal(const char *blocks, const char *fragment)
{
    size_t count;
    struct gas_particle *particles = start_try(blocks, &count);
    if (particles || !strstr(status_message(), fragment))
        fail_msg("%s: \"%s\" does not say \"%s\"", particles ? "not refused" : "refused", status_message(),
                 fragment);
    status_clear();
}

#define START_NO_FORCE ", 'physics': {'potential': {'name': 'none'}}"

// ---- measures

static inline double start_kinetic(const struct gas_particle *particles, size_t count)
{
    long double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double *v = particles[i].velocity;
        sum += 0.5L * particles[i].mass * ((long double)v[0] * v[0] + (long double)v[1] * v[1]);
    }
    return (double)sum;
}

// |Σ m v| over Σ m |v| on an axis; 0 if all are at rest.
static inline double start_momentum(const struct gas_particle *particles, size_t count, int axis)
{
    long double sum = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        const long double momentum = (long double)particles[i].mass * particles[i].velocity[axis];
        sum += momentum;
        all += momentum > 0 ? momentum : -momentum;
    }
    return all > 0 ? (double)((sum > 0 ? sum : -sum) / all) : 0;
}

// In the nearest image.
static inline double start_distance(const struct gas_particle *a, const struct gas_particle *b)
{
    double square = 0;
    for (int axis = 0; axis < GAS_AXES; axis++) {
        double r = a->position[axis] - b->position[axis];
        if (gas_is_periodic(&start_physics, axis))
            r -= start_physics.box[axis] * rint(r / start_physics.box[axis]);
        square += r * r;
    }
    return sqrt(square);
}

#endif
