// Energies, momenta and radii of the present state, with the same bits for any number of threads; the series
// of records; and the guard against non-finite bodies.
#include "core/log.h"
#include "models/nbody/body_terms.h"
#include "models/nbody/instance.h"
#include "models/team.h"

#include <math.h>
#include <omp.h>
#include <string.h>

// Relative change of the energy beyond which the run warns once.
static const double error_worth_a_warning = 0.01;

enum status nbody_diagnostics_plan(struct nbody *n, struct memory_plan *memory)
{
    const size_t scratch = (size_t)n->threads * NBODY_BLOCK;
    if (!nbody_makes_results(n))
        return STATUS_OK;
    const bool is_ours = n->params.outputs.diagnostics_every > 0 && !n->backend->capture;
    const bool has_check = n->params.outputs.check_steps > 0;
    _Static_assert(sizeof(struct nbody_body) == 7 * sizeof(double), "a body is seven numbers");
    _Static_assert(sizeof(struct nbody_field) == 4 * sizeof(double), "a field is four numbers");
    CHECK(
        memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, scratch, 7, (void **)&n->bodies, "scratch bodies"));
    if (is_ours || n->params.outputs.has_accelerations)
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, scratch, 4, (void **)&n->fields,
                              "scratch fields"));
    if (!is_ours && !has_check)
        return STATUS_OK;
    CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_U8, NBODY_TERMS, block_sum_bytes(n->params.count),
                          (void **)&n->sums, "diagnostic sums"));
    return nbody_radii_plan(&n->radii, n->params.count, memory);
}

struct nbody_body *nbody_scratch_bodies(const struct nbody *n)
{
    return n->bodies + (size_t)omp_get_thread_num() * NBODY_BLOCK;
}

struct nbody_field *nbody_scratch_fields(const struct nbody *n)
{
    return n->fields + (size_t)omp_get_thread_num() * NBODY_BLOCK;
}

// ---- sums

struct diagnosis {
    struct nbody *n;
    bool has_field;
    struct block_sum sums[NBODY_TERMS];
    double totals[NBODY_TERMS], centre[NBODY_AXES];
};

static void sum_block(void *context, size_t block)
{
    struct diagnosis *d = context;
    struct nbody *n = d->n;
    const size_t first = block * NBODY_BLOCK, count = nbody_block_length(n, block);
    struct nbody_body *bodies = nbody_scratch_bodies(n);
    const struct nbody_field *fields = NULL;
    n->backend->get(n->base.solver, first, count, bodies);
    if (d->has_field) {
        n->backend->get_field(n->base.solver, first, count, nbody_scratch_fields(n));
        fields = nbody_scratch_fields(n);
    }
    for (size_t k = 0; k < count; k++) {
        static const struct nbody_field no_field;
        const struct nbody_field *field = fields ? &fields[k] : &no_field;
        double terms[NBODY_TERMS];
        nbody_terms_of_body(bodies[k].mass, bodies[k].position, bodies[k].velocity, field->acceleration,
                            field->potential, terms);
        for (int term = 0; term < NBODY_TERMS; term++)
            block_sum_add(&d->sums[term], first + k, terms[term]);
    }
}

static void set_radii_block(void *context, size_t block)
{
    struct diagnosis *d = context;
    struct nbody *n = d->n;
    const size_t first = block * NBODY_BLOCK, count = nbody_block_length(n, block);
    struct nbody_body *bodies = nbody_scratch_bodies(n);
    n->backend->get(n->base.solver, first, count, bodies);
    for (size_t k = 0; k < count; k++)
        nbody_radii_set(&n->radii, first + k, nbody_distance(bodies[k].position, d->centre), bodies[k].mass);
}

// The sums, and the bodies ready for nbody_radii_find.
static void sum_up(struct diagnosis *d)
{
    struct nbody *n = d->n;
    const size_t bytes = block_sum_bytes(n->params.count);
    for (size_t k = 0; k < NBODY_TERMS; k++) {
        // The plan gave exactly these bytes: this cannot fail.
        (void)block_sum_init(&d->sums[k], n->params.count, (char *)n->sums + k * bytes, bytes);
    }
    team_for(n->threads, nbody_blocks(n), sum_block, d);
    for (size_t k = 0; k < NBODY_TERMS; k++)
        d->totals[k] = block_sum_total(&d->sums[k]);
    for (int axis = 0; axis < NBODY_AXES; axis++)
        d->centre[axis] = d->totals[NBODY_TERM_CENTRE + axis] / d->totals[NBODY_TERM_MASS];
    team_for(n->threads, nbody_blocks(n), set_radii_block, d);
}

enum status nbody_diagnose(struct nbody *n, double values[NBODY_RECORD_VALUES])
{
    struct diagnosis d = {.n = n, .has_field = true};
    CHECK(n->backend->evaluate(n->base.solver, n->params.has_direct_potential));
    if (!nbody_makes_results(n))
        return STATUS_OK;
    CHECK(instance_fetch(&n->base));
    sum_up(&d);
    nbody_record_of_terms(d.totals, values);
    nbody_radii_find(&n->radii, d.totals[NBODY_TERM_MASS], nbody_lagrangian_shares, NBODY_RADII,
                     values + NBODY_LAGRANGIAN);
    return STATUS_OK;
}

void nbody_find_scale(struct nbody *n)
{
    static const double shares[] = {0.5, 0.99};
    struct diagnosis d = {.n = n};
    double radii[2];
    sum_up(&d);
    const double mass = d.totals[NBODY_TERM_MASS];
    nbody_radii_find(&n->radii, mass, shares, 2, radii);
    // Half of the mass at one point has no radius.
    const double radius = radii[0] > 0 ? radii[0] : radii[1] > 0 ? radii[1] : 1;
    n->scale = (struct nbody_scale){.length = radius, .velocity = sqrt(mass / radius)};
}

// ---- records

// From G = 1 to the units of the results.
static void scale_record(const struct nbody_units *units, double values[NBODY_RECORD_VALUES])
{
    const double momentum = units->mass * units->velocity;
    values[NBODY_KINETIC] *= units->energy;
    values[NBODY_POTENTIAL] *= units->energy;
    values[NBODY_MOMENTUM_SCALE] *= momentum;
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        values[NBODY_MOMENTUM + axis] *= momentum;
        values[NBODY_ANGULAR_MOMENTUM + axis] *= momentum * units->length;
        values[NBODY_CENTRE + axis] *= units->length;
    }
    for (int k = 0; k < NBODY_RADII; k++)
        values[NBODY_LAGRANGIAN + k] *= units->length;
}

static void keep_error(struct nbody *n, double error, double time)
{
    struct nbody_series *series = &n->series;
    const bool is_tree = n->params.physics.method == NBODY_BARNES_HUT;
    if (!(fabs(error) > series->largest_error))
        return;
    series->largest_error = fabs(error);
    series->largest_error_time = time;
    if (series->largest_error <= error_worth_a_warning || series->is_warned)
        return;
    series->is_warned = 1;
    log_warning("the energy has changed by %.2g of itself at time %g: steps are too long for the closest "
                "bodies; a smaller time.step or a larger physics.softening%s helps",
                error, time, is_tree ? ", or a smaller method.theta," : "");
}

void nbody_diagnostics_complete(struct nbody *n, double values[NBODY_RECORD_VALUES], double time)
{
    struct nbody_series *series = &n->series;
    scale_record(&n->params.units, values);
    values[NBODY_TOTAL_ENERGY] = values[NBODY_KINETIC] + values[NBODY_POTENTIAL];
    const double energy =
        series->records > 0 ? series->first[NBODY_TOTAL_ENERGY] : values[NBODY_TOTAL_ENERGY];
    values[NBODY_ENERGY_ERROR] = energy != 0 ? (values[NBODY_TOTAL_ENERGY] - energy) / fabs(energy) : NAN;
    if (series->records++ == 0) {
        memcpy(series->first, values, sizeof series->first);
        series->first_time = time;
    }
    memcpy(series->last, values, sizeof series->last);
    series->last_time = time;
    keep_error(n, values[NBODY_ENERGY_ERROR], time);
}

// ---- the guard

static bool is_finite(const struct nbody_body *body)
{
    bool finite = true;
    for (int axis = 0; axis < NBODY_AXES; axis++)
        finite = finite && isfinite(body->position[axis]) && isfinite(body->velocity[axis]);
    return finite;
}

struct search {
    struct nbody *n;
    size_t id; // of the first non-finite body; SIZE_MAX: none
};

static void search_block(void *context, size_t block)
{
    struct search *s = context;
    struct nbody *n = s->n;
    const size_t first = block * NBODY_BLOCK, count = nbody_block_length(n, block);
    struct nbody_body *bodies = nbody_scratch_bodies(n);
    n->backend->get(n->base.solver, first, count, bodies);
    for (size_t k = 0; k < count; k++) {
        if (is_finite(&bodies[k]))
            continue;
#pragma omp critical(search) // a minimum: the order does not matter
        s->id = first + k < s->id ? first + k : s->id;
        return;
    }
}

enum status nbody_judge(const struct nbody *n, const struct nbody_nonfinite *found)
{
    const double *x = found->body.position, *v = found->body.velocity;
    const struct nbody_units *u = &n->params.units;
    if (found->step < 0)
        return STATUS_OK;
    return FAIL(STATUS_DATA,
                "body %lld became non-finite by step %lld (time %g): its position is (%g, %g, %g), its "
                "velocity (%g, %g, %g); a smaller time.step or a larger physics.softening may help",
                (long long)found->id, (long long)found->step, nbody_time(n, found->step), x[0] * u->length,
                x[1] * u->length, x[2] * u->length, v[0] * u->velocity, v[1] * u->velocity,
                v[2] * u->velocity);
}

enum status nbody_guard(void *context, int64_t step)
{
    struct nbody *n = context;
    struct nbody_nonfinite found = {.step = -1};
    if (!nbody_makes_results(n))
        return STATUS_OK;
    if (n->backend->guard) {
        CHECK(n->backend->guard(n->base.solver, step, &found));
        return nbody_judge(n, &found);
    }
    CHECK(instance_fetch(&n->base));
    struct search search = {n, SIZE_MAX};
    team_for(n->threads, nbody_blocks(n), search_block, &search);
    if (search.id == SIZE_MAX)
        return STATUS_OK;
    found.step = step;
    found.id = (int64_t)search.id;
    n->backend->get(n->base.solver, search.id, 1, &found.body);
    return nbody_judge(n, &found);
}
