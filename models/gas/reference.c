// The serial reference of the gas model: double, plain, written from state.h. THE SPECIFICATION: the fast
// versions are tested against it, and it shares no arithmetic with them. It has no lists: within a cut-off it
// evaluates all pairs.
#include "models/gas/reference.h"

#include "core/clock.h"
#include "core/statistics.h"
#include "models/arrays.h"

#include <math.h>
#include <stdlib.h>

struct solver {
    struct gas_setup setup;
    struct gas_particle *particles;
    struct gas_field *field;    // pairs, soft walls and gravity, of the particles as they stand
    struct gas_field *other;    // of evaluate by every pair
    double (*before)[GAS_AXES]; // velocities at the step's beginning; NULL unless jumps are limited
    bool shows_other;
    struct reference_regions *regions;
    struct gas_finding found;
    struct gas_counts counts;
    struct gas_stage_times times;
};

static enum status reference_plan(const struct gas_setup *setup, struct memory_plan *plan, const char *prefix,
                                  struct solver **solver)
{
    struct solver *s = calloc(1, sizeof *s);
    *solver = s;
    if (!s)
        return FAIL(STATUS_SYSTEM, "no memory for the reference solver");
    s->setup = *setup;
    const size_t n = setup->count, jumps = setup->physics->limiters.jump > 0 ? n : 0;
    const size_t field_numbers = sizeof(struct gas_field) / sizeof(double);
    const struct array_row arrays[] = {
        {ELEMENT_F64, n, sizeof(struct gas_particle) / sizeof(double), &s->particles, "reference particles"},
        {ELEMENT_F64, n, field_numbers, &s->field, "reference field"},
        {ELEMENT_F64, n, field_numbers, &s->other, "reference field by direct summation"},
        {ELEMENT_F64, jumps, GAS_AXES, &s->before, "reference velocities before"},
    };
    CHECK(ARRAYS_PLAN(plan, prefix, arrays));
    return setup->physics->regions.columns > 0 && setup->physics->method == GAS_CELLS
               ? reference_regions_plan(&s->setup, plan, prefix, &s->regions)
               : STATUS_OK;
}

static void reference_get(const struct solver *s, size_t first, size_t count, struct gas_particle *particles)
{
    for (size_t k = 0; k < count; k++)
        particles[k] = s->particles[first + k];
}

static void reference_set(struct solver *s, size_t first, size_t count, const struct gas_particle *particles)
{
    for (size_t k = 0; k < count; k++)
        s->particles[first + k] = particles[k];
}

static void reference_get_field(const struct solver *s, size_t first, size_t count, struct gas_field *field)
{
    for (size_t k = 0; k < count; k++)
        field[k] = (s->shows_other ? s->other : s->field)[first + k];
}

// ---- forces

static void add_outer_forces(const struct solver *s, struct gas_field *field)
{
    const struct gas_physics *physics = s->setup.physics;
    for (size_t i = 0; i < s->setup.count; i++) {
        const struct gas_particle *particle = &s->particles[i];
        for (int axis = 0; axis < GAS_AXES; axis++) {
            field[i].force[axis] += particle->mass * physics->gravity[axis];
            field[i].potential -= particle->mass * physics->gravity[axis] * particle->position[axis];
        }
        reference_add_soft_walls(physics, particle->position, &field[i]);
    }
}

static void note(struct solver *s, struct gas_finding found, int64_t step)
{
    if (s->found.error != GAS_NO_ERROR || found.error == GAS_NO_ERROR)
        return;
    s->found = found;
    s->found.step = step;
}

static void sum_forces(struct solver *s, int64_t step)
{
    struct gas_finding found = {.error = GAS_NO_ERROR, .partner = -1};
    const double start_s = clock_now_s();
    if (s->regions)
        reference_regions_sum(s->regions, s->particles, s->field);
    else
        reference_sum_pairs(s->setup.physics, s->setup.count, s->particles, s->field, &found);
    add_outer_forces(s, s->field);
    note(s, found, step);
    s->shows_other = false;
    s->counts.pairs = (double)s->setup.count * ((double)s->setup.count - 1);
    s->times.seconds[GAS_STAGE_FORCE] += clock_now_s() - start_s;
}

static enum status reference_touch(struct solver *s, bool is_loaded)
{
    s->found = (struct gas_finding){.error = GAS_NO_ERROR, .step = -1, .partner = -1};
    if (!is_loaded)
        s->counts = (struct gas_counts){.rebuilds = 0};
    sum_forces(s, 0);
    s->times = (struct gas_stage_times){.steps = 0};
    return STATUS_OK;
}

static enum status reference_evaluate(struct solver *s, bool is_by_pairs)
{
    struct gas_finding found = {.error = GAS_NO_ERROR};
    s->shows_other = is_by_pairs && s->regions;
    if (s->shows_other) {
        reference_sum_pairs(s->setup.physics, s->setup.count, s->particles, s->other, &found);
        add_outer_forces(s, s->other);
    }
    return STATUS_OK;
}

// ---- a step

static void acceleration_of(const struct solver *s, size_t i, double *acceleration)
{
    for (int axis = 0; axis < GAS_AXES; axis++)
        acceleration[axis] = s->field[i].force[axis] / s->particles[i].mass;
}

static void kick(struct solver *s, size_t i, double time)
{
    double acceleration[GAS_AXES];
    acceleration_of(s, i, acceleration);
    for (int axis = 0; axis < GAS_AXES; axis++)
        s->particles[i].velocity[axis] += acceleration[axis] * time;
}

static void drift(struct solver *s, size_t i, double time, double kick_time)
{
    double acceleration[GAS_AXES];
    acceleration_of(s, i, acceleration);
    reference_drift(s->setup.physics, time, kick_time, acceleration, &s->particles[i]);
}

static void apply_a_priori_walls(struct solver *s, size_t i)
{
    double acceleration[GAS_AXES];
    acceleration_of(s, i, acceleration);
    reference_apply_a_priori_walls(s->setup.physics, acceleration, &s->particles[i]);
}

static void add_noise(struct solver *s, size_t i, int64_t step)
{
    const struct gas_physics *physics = s->setup.physics;
    const double c = exp(-physics->friction * physics->step);
    const double width = sqrt((1 - c * c) * physics->temperature / s->particles[i].mass);
    double normals[GAS_AXES];
    reference_noise(physics, step, i, normals);
    for (int axis = 0; axis < GAS_AXES; axis++)
        s->particles[i].velocity[axis] = c * s->particles[i].velocity[axis] + width * normals[axis];
}

static double kinetic_of(const struct gas_particle *particle)
{
    const double *v = particle->velocity;
    return particle->mass * (v[GAS_X] * v[GAS_X] + v[GAS_Y] * v[GAS_Y]) / 2;
}

static double kinetic_energy(const struct solver *s)
{
    struct running_sum sum = {0};
    for (size_t i = 0; i < s->setup.count; i++) {
        const double energy = kinetic_of(&s->particles[i]);
        running_sum_add(&sum, &energy, 1);
    }
    return running_sum_total(&sum);
}

static void rescale(struct solver *s, int64_t step)
{
    const struct gas_physics *physics = s->setup.physics;
    const double factor =
        reference_bussi_factor(physics, step, gas_degrees(physics, s->setup.count), kinetic_energy(s));
    for (size_t i = 0; i < s->setup.count; i++)
        for (int axis = 0; axis < GAS_AXES; axis++)
            s->particles[i].velocity[axis] *= factor;
}

// Balen's (2016) limiters.
static void limit_jump(struct solver *s, size_t i)
{
    const double *before = s->before[i];
    double *v = s->particles[i].velocity;
    if (hypot(v[GAS_X], v[GAS_Y]) <= s->setup.physics->limiters.jump * hypot(before[GAS_X], before[GAS_Y]))
        return;
    v[GAS_X] = before[GAS_X];
    v[GAS_Y] = before[GAS_Y];
    s->counts.limited_jumps++;
}

static void limit_energies(struct solver *s)
{
    const double limit = s->setup.physics->limiters.energy;
    if (limit <= 0)
        return;
    const double most = limit * kinetic_energy(s) / (double)s->setup.count;
    for (size_t i = 0; i < s->setup.count; i++) {
        const double energy = kinetic_of(&s->particles[i]);
        if (energy <= most)
            continue;
        for (int axis = 0; axis < GAS_AXES; axis++)
            s->particles[i].velocity[axis] *= sqrt(most / energy);
        s->counts.limited_energy++;
    }
}

static void move(struct solver *s, size_t i, int64_t step)
{
    const struct gas_physics *physics = s->setup.physics;
    const double time = physics->step;
    apply_a_priori_walls(s, i);
    if (physics->integrator == GAS_SYMPLECTIC_EULER) {
        kick(s, i, time);
        drift(s, i, time, time);
        return;
    }
    kick(s, i, time / 2);
    if (physics->thermostat != GAS_LANGEVIN) {
        drift(s, i, time, time / 2);
        return;
    }
    drift(s, i, time / 2, time / 2);
    add_noise(s, i, step);
    drift(s, i, time / 2, time / 2);
}

// Checks the step's displacement: at most the cut-off, or the shorter side of the box. A non-finite velocity
// fails.
static void check_displacement(struct solver *s, size_t i, int64_t step)
{
    const struct gas_physics *physics = s->setup.physics;
    const double *v = s->particles[i].velocity, speed = hypot(v[GAS_X], v[GAS_Y]);
    const double most =
        physics->cut_off > 0 ? physics->cut_off : fmin(physics->box[GAS_X], physics->box[GAS_Y]);
    const enum gas_error error = !isfinite(v[GAS_X]) || !isfinite(v[GAS_Y]) ? GAS_NOT_FINITE
                                 : speed * physics->step > most             ? GAS_TOO_FAST
                                                                            : GAS_NO_ERROR;
    note(s,
         (struct gas_finding){.error = error, .id = (int64_t)i, .partner = -1, .particle = s->particles[i]},
         step);
}

static void note_velocities(struct solver *s)
{
    for (size_t i = 0; i < s->setup.count && s->before; i++)
        for (int axis = 0; axis < GAS_AXES; axis++)
            s->before[i][axis] = s->particles[i].velocity[axis];
}

static void advance_one(struct solver *s, int64_t step)
{
    const struct gas_physics *physics = s->setup.physics;
    const size_t count = s->setup.count;
    const double start_s = clock_now_s();
    note_velocities(s);
    for (size_t i = 0; i < count; i++) {
        move(s, i, step);
        check_displacement(s, i, step + 1);
    }
    s->times.seconds[GAS_STAGE_MOVE] += clock_now_s() - start_s;
    sum_forces(s, step + 1);
    for (size_t i = 0; i < count && physics->integrator == GAS_LEAPFROG; i++)
        kick(s, i, physics->step / 2);
    if (physics->thermostat == GAS_BUSSI)
        rescale(s, step);
    for (size_t i = 0; i < count && s->before; i++)
        limit_jump(s, i);
    limit_energies(s);
    s->times.steps++;
}

static enum status reference_advance(struct solver *s, int64_t first_step, int64_t count)
{
    for (int64_t n = 0; n < count; n++)
        advance_one(s, first_step + n);
    return STATUS_OK;
}

// ---- what else a back end has

static int reference_checkpoint_arrays(struct solver *s, struct checkpoint_array *arrays)
{
    arrays[0] = (struct checkpoint_array){"particles", s->particles, s->setup.count * sizeof *s->particles};
    arrays[1] = (struct checkpoint_array){"counts", &s->counts, sizeof s->counts};
    return 2;
}

static bool is_finite(const struct gas_particle *particle)
{
    for (int axis = 0; axis < GAS_AXES; axis++)
        if (!isfinite(particle->position[axis]) || !isfinite(particle->velocity[axis]))
            return false;
    return true;
}

// Outside by more than a side of the box: no wall holds the particle.
static bool has_escaped(const struct gas_physics *physics, const struct gas_particle *particle)
{
    for (int axis = 0; axis < GAS_AXES; axis++)
        if (fabs(particle->position[axis] - physics->box[axis] / 2) > 1.5 * physics->box[axis])
            return true;
    return false;
}

static enum status reference_guard(struct solver *s, int64_t step, struct gas_finding *found)
{
    for (size_t i = 0; i < s->setup.count; i++) {
        const enum gas_error error = !is_finite(&s->particles[i])                      ? GAS_NOT_FINITE
                                     : has_escaped(s->setup.physics, &s->particles[i]) ? GAS_ESCAPED
                                                                                       : GAS_NO_ERROR;
        note(s,
             (struct gas_finding){
                 .error = error, .id = (int64_t)i, .partner = -1, .particle = s->particles[i]},
             step);
    }
    *found = s->found;
    return STATUS_OK;
}

static void reference_stages(const struct solver *s, struct gas_stage_times *times, struct gas_counts *counts)
{
    *times = s->times;
    *counts = s->counts;
}

static void reference_destroy(struct solver *s)
{
    if (s)
        free(s->regions);
    free(s);
}

const struct gas_backend gas_backend_reference = {
    .head = {.name = "reference",
             .summary = "serial, double precision, plain: the specification",
             .touch = reference_touch,
             .advance = reference_advance,
             .checkpoint_arrays = reference_checkpoint_arrays,
             .destroy = reference_destroy},
    .plan = reference_plan,
    .get = reference_get,
    .set = reference_set,
    .evaluate = reference_evaluate,
    .get_field = reference_get_field,
    .guard = reference_guard,
    .stages = reference_stages,
};
