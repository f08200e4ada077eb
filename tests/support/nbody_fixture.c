// The N-body solver of a test: see the header.
#include "tests/support/nbody_fixture.h"
#include "tests/support/numbers.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/statuses.h"

struct particle_set {
    struct particle_set_setup setup;
    struct nbody_physics physics;
    struct nbody_setup solver_setup;
    struct memory_plan plan;
    struct solver *solver;
};

static void set_up(struct particle_set *s)
{
    s->physics = s->setup.physics;
    if (!(s->physics.step > 0))
        s->physics.step = 0x1p-8;
    if (!(s->physics.tree.theta > 0))
        s->physics.tree.theta = 0.6;
    s->solver_setup = (struct nbody_setup){.physics = &s->physics,
                                           .count = s->setup.count,
                                           .precision = s->setup.precision,
                                           .device = s->setup.device};
}

bool particle_set_is_possible(const struct particle_set_setup *setup)
{
    struct particle_set s = {.setup = *setup};
    char why[256] = "";
    set_up(&s);
    return !setup->backend->has_method || setup->backend->has_method(&s.solver_setup, why, sizeof why);
}

static void plan_solver(struct particle_set *s)
{
    const int before = threads_choose(s->setup.threads, 2);
    assert_ok(s->setup.backend->plan(&s->solver_setup, &s->plan, "particle_set ", &s->solver));
    if (s->setup.wanted)
        assert_ok(s->setup.backend->plan_results(s->solver, s->setup.wanted, &s->plan, "particle_set "));
    omp_set_num_threads(before);
}

struct particle_set *particle_set_open(const struct particle_set_setup *setup)
{
    struct particle_set *s = zeros_new(1, sizeof *s);
    s->setup = *setup;
    set_up(s);
    memory_plan_begin(&s->plan);
    plan_solver(s);
    solver_reserve(&s->plan);
    assert_ok(solver_warm_up(&setup->backend->head, s->solver));
    return s;
}

void particle_set_close(struct particle_set *s)
{
    memory_plan_release(&s->plan); // clears the pointers that the solver holds: it must still be there
    solver_destroy(&s->setup.backend->head, s->solver);
    free(s);
}

struct solver *particle_set_solver(const struct particle_set *s)
{
    return s->solver;
}

// In pieces of no round size, as a model may.
enum { PIECE = 1237 };

void particle_set_set(struct particle_set *s, const struct nbody_body *bodies)
{
    for (size_t first = 0; first < s->setup.count; first += PIECE) {
        const size_t left = s->setup.count - first;
        s->setup.backend->set(s->solver, first, left < PIECE ? left : PIECE, bodies + first);
    }
    assert_ok(solver_touch(&s->setup.backend->head, s->solver, false));
}

void particle_set_get(struct particle_set *s, struct nbody_body *bodies)
{
    assert_ok(solver_fetch(&s->setup.backend->head, s->solver));
    for (size_t first = 0; first < s->setup.count; first += PIECE) {
        const size_t left = s->setup.count - first;
        s->setup.backend->get(s->solver, first, left < PIECE ? left : PIECE, bodies + first);
    }
}

void particle_set_advance(struct particle_set *s, int64_t first_step, int64_t count)
{
    assert_ok(s->setup.backend->head.advance(s->solver, first_step, count));
    if (s->setup.backend->finish) {
        struct nbody_nonfinite found = {.step = -1};
        assert_ok(s->setup.backend->finish(s->solver, &found));
        assert_int_equal(found.step, -1);
    }
}

void particle_set_evaluate(struct particle_set *s, bool is_direct, struct nbody_field *field)
{
    assert_ok(s->setup.backend->evaluate(s->solver, is_direct));
    for (size_t first = 0; first < s->setup.count; first += PIECE) {
        const size_t left = s->setup.count - first;
        s->setup.backend->get_field(s->solver, first, left < PIECE ? left : PIECE, field + first);
    }
}

void particle_set_copy_checkpoint(struct particle_set *from, struct particle_set *to)
{
    solver_copy_checkpoint(&from->setup.backend->head, from->solver, to->solver, true);
}

void particle_set_assert_copy_goes_on(const struct particle_set_setup *setup, const struct nbody_body *start)
{
    struct nbody_body *whole = particle_set_bodies_new(setup->count),
                      *copied = particle_set_bodies_new(setup->count);
    struct particle_set *a = particle_set_open(setup), *b = particle_set_open(setup);
    particle_set_set(a, start);
    particle_set_set(b, start);
    particle_set_advance(a, 0, 5);
    particle_set_copy_checkpoint(a, b);
    particle_set_advance(a, 5, 5);
    particle_set_advance(b, 5, 3);
    particle_set_advance(b, 8, 2);
    particle_set_get(a, whole);
    particle_set_get(b, copied);
    assert_memory_equal(whole, copied, setup->count * sizeof *whole);
    particle_set_close(a);
    particle_set_close(b);
}

void particle_set_field_of(const struct particle_set_setup *setup, const struct nbody_body *bodies,
                           struct nbody_field *field)
{
    struct particle_set *s = particle_set_open(setup);
    particle_set_set(s, bodies);
    particle_set_evaluate(s, true, field);
    particle_set_close(s);
}

// ---- bodies

struct nbody_body *particle_set_bodies_new(size_t count)
{
    return owned_zeros(count, sizeof(struct nbody_body));
}

struct nbody_field *particle_set_field_new(size_t count)
{
    return owned_zeros(count, sizeof(struct nbody_field));
}

// No sines and powers of the C library, whose last bits differ from one to another: every start is the same
// everywhere.
static void in_the_ball(uint64_t *random, double place[NBODY_AXES])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < NBODY_AXES; k++) {
            place[k] = next_uniform(random, -1, 1);
            square += place[k] * place[k];
        }
    } while (square > 1);
}

static struct nbody_body body_of(const double x[NBODY_AXES], const double v[NBODY_AXES], double mass)
{
    struct nbody_body body = {.mass = element_rounded_to_single(mass)};
    for (int k = 0; k < NBODY_AXES; k++) {
        body.position[k] = element_rounded_to_single(x[k]);
        body.velocity[k] = element_rounded_to_single(v[k]);
    }
    return body;
}

// A ball's place times its distance squared: a density that falls as r^−2.
void particle_set_cluster(size_t count, uint64_t seed, struct nbody_body *bodies)
{
    uint64_t random = random_from(seed);
    for (size_t k = 0; k < count; k++) {
        double x[NBODY_AXES], v[NBODY_AXES];
        in_the_ball(&random, x);
        in_the_ball(&random, v);
        const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            x[axis] = 1.5 * x[axis] * square + 0.1 * (axis + 1);
            v[axis] = 0.5 * v[axis] + 0.02 * axis;
        }
        bodies[k] = body_of(x, v, next_uniform(&random, 0.2, 1.8) / (double)count);
    }
}

void particle_set_cube(size_t count, uint64_t seed, struct nbody_body *bodies)
{
    static const double rest[NBODY_AXES] = {0};
    uint64_t random = random_from(seed);
    for (size_t k = 0; k < count; k++) {
        double x[NBODY_AXES];
        for (int axis = 0; axis < NBODY_AXES; axis++)
            x[axis] = next_uniform(&random, 0, 1);
        bodies[k] = body_of(x, rest, 1 / (double)count);
    }
}

void particle_set_awkward(enum particle_set_shape shape, size_t count, uint64_t seed,
                          struct nbody_body *bodies)
{
    particle_set_cluster(count, seed, bodies);
    for (size_t k = 0; k < count; k++) {
        double *const x = bodies[k].position;
        switch (shape) {
        case PARTICLE_SET_TWINS: // half of them at two points
            if (k % 2 == 0)
                x[0] = k % 4 == 0 ? 0.25 : -0.5, x[1] = 0.125, x[2] = -0.75;
            break;
        case PARTICLE_SET_MASSLESS:
            if (k % 3 != 1)
                bodies[k].mass = 0;
            break;
        case PARTICLE_SET_TWO_CLUSTERS: // each of 1e-3 of their distance
            for (int axis = 0; axis < NBODY_AXES; axis++)
                x[axis] = element_rounded_to_single(1e-3 * x[axis] + (k % 2 == 0 ? 0.5 : -0.5));
            break;
        case PARTICLE_SET_LINE:
            x[1] = x[2] = 0.25;
            break;
        case PARTICLE_SET_SHAPES:
            break;
        }
    }
}

// ---- comparison

static double length(const double a[NBODY_AXES])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double distance(const double a[NBODY_AXES], const double b[NBODY_AXES])
{
    const double apart[NBODY_AXES] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length(apart);
}

struct particle_set_error particle_set_acceleration_error(size_t count, const struct nbody_field *a,
                                                          const struct nbody_field *b)
{
    struct particle_set_error error = {0};
    double squares = 0, errors = 0;
    for (size_t k = 0; k < count; k++)
        squares += length(b[k].acceleration) * length(b[k].acceleration);
    const double floor = 1e-3 * sqrt(squares / (double)count) + 1e-300;
    for (size_t k = 0; k < count; k++) {
        const double one =
            distance(a[k].acceleration, b[k].acceleration) / fmax(length(b[k].acceleration), floor);
        errors += one * one;
        if (worse(error.largest, one) > error.largest) {
            error.largest = worse(error.largest, one);
            error.where = k;
        }
    }
    error.rms = sqrt(errors / (double)count);
    return error;
}

double particle_set_potential_error(size_t count, const struct nbody_field *a, const struct nbody_field *b)
{
    double largest = 0;
    for (size_t k = 0; k < count; k++) {
        const double one = fabs(a[k].potential - b[k].potential) / (fabs(b[k].potential) + 1e-300);
        largest = worse(largest, one);
    }
    return largest;
}

void particle_set_body_error(size_t count, const struct nbody_body *a, const struct nbody_body *b,
                             double *position_error, double *velocity_error)
{
    double place = 1e-300, speed = 1e-300;
    *position_error = *velocity_error = 0;
    for (size_t k = 0; k < count; k++) {
        const double x = distance(a[k].position, b[k].position), v = distance(a[k].velocity, b[k].velocity);
        *position_error = worse(*position_error, x);
        *velocity_error = worse(*velocity_error, v);
        place = fmax(place, length(b[k].position));
        speed = fmax(speed, length(b[k].velocity));
    }
    *position_error /= place;
    *velocity_error /= speed;
}

const char *particle_set_method_name(enum nbody_method method)
{
    static const char *const names[NBODY_METHODS] = {"direct", "direct-tiled", "direct-naive", "barnes-hut"};
    return names[method];
}

const char *particle_set_integrator_name(enum nbody_integrator integrator)
{
    return integrator == NBODY_LEAPFROG ? "leapfrog" : "source";
}

const char *particle_set_precision_name(enum element precision)
{
    return precision == ELEMENT_F32 ? "single" : "double";
}
