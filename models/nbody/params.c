// Job → checked parameters of an N-body run: see params.h.
#include "models/limits.h"
#include "models/nbody/params_private.h"

#include "models/nbody/initial.h"
#include "models/nbody/units.h"
#include "models/params.h"

#include <math.h>
#include <string.h>

const char *const nbody_method_names[NBODY_METHODS] = {[NBODY_DIRECT] = "direct",
                                                       [NBODY_DIRECT_TILED] = "direct-tiled",
                                                       [NBODY_DIRECT_NAIVE] = "direct-naive",
                                                       [NBODY_BARNES_HUT] = "barnes-hut"};

static enum status read_whole(const struct job *job, struct nbody_params *p)
{
    const struct backend *backend;
    p->precision = params_precision(job);
    CHECK(params_backend(job, &nbody_backends, &backend, &p->device));
    p->backend = (const struct nbody_backend *)backend; // whose first member it is
    return nbody_units_check_keys(job);
}

static enum status read_method(const struct job *job, struct nbody_params *p)
{
    static const char *const integrators[] = {[NBODY_LEAPFROG] = "leapfrog", [NBODY_SOURCE_STEP] = "source"};
    static const char *const openings[] = {[NBODY_OPENING_OFFSET] = "offset",
                                           [NBODY_OPENING_SIZE] = "size",
                                           [NBODY_OPENING_DISTANCE] = "distance"};
    struct nbody_physics *physics = &p->physics;
    physics->method =
        (enum nbody_method)params_choice(job_string(job, "method.name"), nbody_method_names, NBODY_METHODS);
    physics->integrator =
        (enum nbody_integrator)params_choice(job_string(job, "method.integrator"), integrators, 2);
    physics->tree.opening = (enum nbody_opening)params_choice(job_string(job, "method.opening"), openings, 3);
    physics->tree.has_quadrupole = strcmp(job_string(job, "method.multipole"), "quadrupole") == 0;
    physics->tree.theta = job_number(job, "method.theta");
    if (physics->method != NBODY_BARNES_HUT || physics->tree.opening != NBODY_OPENING_DISTANCE)
        return STATUS_OK;
    if (!job_has(job, "method.distance"))
        return job_fail(job, "method.distance", "is missing: with opening distance it has no default");
    physics->tree.distance = job_reduced(job, "method.distance") / p->units.length;
    return STATUS_OK;
}

static enum status read_steps(const struct job *job, struct nbody_params *p)
{
    const char *unit = p->units.is_si ? "s" : "";
    // As the job has them: in the run's units an absurd step may be 0.
    CHECK(limits_count_steps(job, job_reduced(job, "time.duration"), job_reduced(job, "time.step"), unit,
                             &p->steps));
    p->duration = job_reduced(job, "time.duration") / p->units.time;
    p->step = p->physics.step = job_reduced(job, "time.step") / p->units.time;
    if (!isfinite(p->duration) || !(p->step > 0))
        return job_fail(job, "time", "duration %g and step %g are beyond what can be counted with",
                        job_reduced(job, "time.duration"), job_reduced(job, "time.step"));
    if (p->step > p->duration * (1 + 1e-12))
        return job_fail(job, "time.step", "is longer than the run: %.6g of a duration of %.6g",
                        job_reduced(job, "time.step"), job_reduced(job, "time.duration"));
    return limits_count_steps(job, p->duration, p->step, "", &p->steps);
}

enum status nbody_params_read(const struct job *job, struct nbody_params *p)
{
    memset(p, 0, sizeof *p);
    CHECK(read_whole(job, p));
    CHECK(nbody_initial_create(job, &p->initial, &p->count));
    const struct nbody_extent extent = nbody_initial_extent(p->initial);
    p->units = nbody_units_make(nbody_units_is_si(job), extent.length, extent.mass);
    p->physics.softening = job_reduced(job, "physics.softening") / p->units.length;
    CHECK(read_method(job, p));
    CHECK(read_steps(job, p));
    CHECK(nbody_params_read_outputs(job, p));
    CHECK(nbody_params_check(job, p));
    nbody_params_warn_of_idle_keys(job, p);
    return nbody_initial_check_apart(p->initial, &p->units, p->physics.softening, p->precision);
}

void nbody_params_free(struct nbody_params *p)
{
    nbody_initial_destroy(p->initial);
    p->initial = NULL;
}
