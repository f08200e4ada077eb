// The gas solver of a test: see the header.
#include "tests/support/gas_fixture.h"
#include "tests/support/numbers.h"
#include "tests/support/solver_fixture.h"
#include "tests/support/statuses.h"

struct container {
    struct container_setup setup;
    struct gas_physics physics;
    struct gas_setup solver_setup;
    struct memory_plan plan;
    struct solver *solver;
};

static void set_up(struct container *v)
{
    v->physics = v->setup.physics;
    if (!(v->physics.step > 0))
        v->physics.step = 0x1p-8;
    if (v->physics.lists.neighbours == 0)
        v->physics.lists.neighbours = 96;
    v->solver_setup = (struct gas_setup){.physics = &v->physics,
                                         .count = v->setup.count,
                                         .has_masses = v->setup.has_masses,
                                         .mass = v->setup.mass > 0 ? v->setup.mass : 1,
                                         .precision = v->setup.precision,
                                         .device = v->setup.device};
}

static void plan_solver(struct container *v)
{
    const int before = threads_choose(v->setup.threads, 2);
    assert_ok(v->setup.backend->plan(&v->solver_setup, &v->plan, "container ", &v->solver));
    if (v->setup.wanted)
        assert_ok(v->setup.backend->plan_results(v->solver, v->setup.wanted, &v->plan, "container "));
    omp_set_num_threads(before);
}

struct container *container_open(const struct container_setup *setup)
{
    struct container *v = zeros_new(1, sizeof *v);
    v->setup = *setup;
    set_up(v);
    memory_plan_begin(&v->plan);
    plan_solver(v);
    solver_reserve(&v->plan);
    assert_ok(solver_warm_up(&setup->backend->head, v->solver));
    return v;
}

void container_close(struct container *v)
{
    memory_plan_release(&v->plan); // clears the pointers that the solver holds: it must still be there
    solver_destroy(&v->setup.backend->head, v->solver);
    free(v);
}

struct solver *container_solver(const struct container *v)
{
    return v->solver;
}

// In pieces of no round size, as a model may.
enum { PIECE = 1237 };

static size_t piece_length(const struct container *v, size_t first)
{
    return v->setup.count - first < PIECE ? v->setup.count - first : PIECE;
}

void container_set(struct container *v, const struct gas_particle *particles)
{
    for (size_t first = 0; first < v->setup.count; first += PIECE)
        v->setup.backend->set(v->solver, first, piece_length(v, first), particles + first);
    assert_ok(solver_touch(&v->setup.backend->head, v->solver, false));
}

void container_get(struct container *v, struct gas_particle *particles)
{
    assert_ok(solver_fetch(&v->setup.backend->head, v->solver));
    for (size_t first = 0; first < v->setup.count; first += PIECE)
        v->setup.backend->get(v->solver, first, piece_length(v, first), particles + first);
}

static void expect_sound(struct gas_finding found)
{
    if (found.error != GAS_NO_ERROR)
        fail_msg("after step %lld: error %d of particle %lld (and %lld)", (long long)found.step,
                 (int)found.error, (long long)found.id, (long long)found.partner);
}

void container_try(struct container *v, int64_t first_step, int64_t count)
{
    struct gas_finding found = {.error = GAS_NO_ERROR};
    assert_ok(v->setup.backend->head.advance(v->solver, first_step, count));
    if (v->setup.backend->finish)
        assert_ok(v->setup.backend->finish(v->solver, &found));
}

struct gas_finding container_guard(struct container *v, int64_t step)
{
    struct gas_finding found = {.error = GAS_NO_ERROR};
    assert_ok(v->setup.backend->guard(v->solver, step, &found));
    if (v->setup.backend->finish) // a device tells later
        assert_ok(v->setup.backend->finish(v->solver, &found));
    return found;
}

void container_advance(struct container *v, int64_t first_step, int64_t count)
{
    container_try(v, first_step, count);
    expect_sound(container_guard(v, first_step + count));
}

void container_evaluate(struct container *v, bool is_by_pairs, struct gas_field *field)
{
    assert_ok(v->setup.backend->evaluate(v->solver, is_by_pairs));
    for (size_t first = 0; first < v->setup.count; first += PIECE)
        v->setup.backend->get_field(v->solver, first, piece_length(v, first), field + first);
}

struct gas_counts container_counts(const struct container *v)
{
    struct gas_stage_times times;
    struct gas_counts counts;
    v->setup.backend->stages(v->solver, &times, &counts);
    return counts;
}

void container_copy_checkpoint(struct container *from, struct container *to)
{
    solver_copy_checkpoint(&from->setup.backend->head, from->solver, to->solver, true);
}

void container_field_of(const struct container_setup *setup, const struct gas_particle *particles,
                        bool is_by_pairs, struct gas_field *field)
{
    struct container *v = container_open(setup);
    container_set(v, particles);
    container_evaluate(v, is_by_pairs, field);
    container_close(v);
}

// ---- physics

struct gas_physics container_physics(enum gas_potential potential, double box_x, double box_y)
{
    const bool is_lennard_jones =
        potential == GAS_LENNARD_JONES || potential == GAS_LENNARD_JONES_FORCE_SHIFTED;
    return (struct gas_physics){.potential = potential,
                                .attraction = potential == GAS_NO_FORCE || is_lennard_jones ? 0 : 1,
                                .attraction2 = potential == GAS_CONDENSING ? 3 : 0,
                                .repulsion = 2,
                                .softening = is_lennard_jones ? 0 : 0.125,
                                .well_depth = 1,
                                .diameter = 1,
                                .cut_off = potential == GAS_NO_FORCE || potential == GAS_LOG ? 0
                                           : is_lennard_jones                                ? 2.5
                                                                                             : 1.5,
                                .box = {box_x, box_y},
                                .damping = 0.25,
                                .stiffness = 200,
                                .temperature = 0.8,
                                .friction = 2,
                                .relaxation_time = 0.5,
                                .seed = 29};
}

void container_set_walls(struct gas_physics *physics, enum gas_wall wall)
{
    for (int side = 0; side < GAS_SIDES; side++)
        physics->walls[side] = wall;
}

void container_use_cells(struct gas_physics *physics, int columns, int rows)
{
    const bool has_end = !(fabs(physics->attraction) > 0) && physics->cut_off > 0;
    physics->method = GAS_CELLS;
    if (has_end)
        physics->lists.skin = 0.3;
    else
        physics->regions =
            (struct gas_regions){.columns = columns, .rows = rows, .near = 2, .far = 4, .order = 1};
}

// ---- particles

struct gas_particle *container_particles_new(size_t count)
{
    return owned_zeros(count, sizeof(struct gas_particle));
}

struct gas_field *container_field_new(size_t count)
{
    return owned_zeros(count, sizeof(struct gas_field));
}

// Not in the order of ids, so that a sort has work: particle k stands at the place k · stride mod count; no
// factor is common to both.
static size_t stride_for(size_t count)
{
    static const size_t primes[] = {7, 11, 13, 17};
    for (size_t k = 0; k < sizeof primes / sizeof *primes; k++)
        if (count % primes[k] != 0)
            return primes[k];
    return 1;
}

void container_lattice(const struct container_setup *setup, double jitter, double temperature, uint64_t seed,
                       struct gas_particle *particles)
{
    const double *box = setup->physics.box;
    const size_t count = setup->count;
    const size_t columns = (size_t)ceil(sqrt((double)count * box[GAS_X] / box[GAS_Y]));
    const size_t rows = (count + columns - 1) / columns, stride = stride_for(count);
    const double half = sqrt(3 * temperature);
    uint64_t random = random_from(seed);
    for (size_t k = 0; k < count; k++) {
        const size_t place = k * stride % count;
        const double column = (double)(place % columns) + 0.5, row = (double)(place / columns) + 0.5;
        struct gas_particle *p = &particles[k];
        p->position[GAS_X] = (column + next_uniform(&random, -jitter, jitter)) * box[GAS_X] / (double)columns;
        p->position[GAS_Y] = (row + next_uniform(&random, -jitter, jitter)) * box[GAS_Y] / (double)rows;
        p->velocity[GAS_X] = next_uniform(&random, -half, half) + 0.05;
        p->velocity[GAS_Y] = next_uniform(&random, -half, half) - 0.025;
        p->mass = next_uniform(&random, 0.5, 1.5);
        if (!setup->has_masses)
            p->mass = setup->mass > 0 ? setup->mass : 1;
    }
}

void container_cluster(const struct container_setup *setup, double temperature, uint64_t seed,
                       struct gas_particle *particles)
{
    uint64_t random = random_from(seed + 1);
    container_lattice(setup, 0.45, temperature, seed, particles);
    for (size_t k = 0; k < setup->count; k++)
        for (int axis = 0; axis < GAS_AXES && k % 3 == 0; axis++) {
            const double length = setup->physics.box[axis], place = next_uniform(&random, 0, 0.25);
            particles[k].position[axis] = length * (k % 2 == 0 ? place : 0.4 + place);
        }
}

// ---- comparison

void container_particle_error(const struct container_setup *setup, const struct gas_particle *a,
                              const struct gas_particle *b, double *position_error, double *velocity_error)
{
    const double *box = setup->physics.box;
    double speed = 1e-300;
    *position_error = *velocity_error = 0;
    for (size_t k = 0; k < setup->count; k++) {
        double r[GAS_AXES];
        for (int axis = 0; axis < GAS_AXES; axis++) {
            r[axis] = a[k].position[axis] - b[k].position[axis];
            if (gas_is_periodic(&setup->physics, axis))
                r[axis] -= box[axis] * round(r[axis] / box[axis]);
        }
        const double *v = b[k].velocity;
        *position_error = worse(*position_error, hypot(r[GAS_X], r[GAS_Y]));
        *velocity_error =
            worse(*velocity_error, hypot(a[k].velocity[GAS_X] - v[GAS_X], a[k].velocity[GAS_Y] - v[GAS_Y]));
        speed = fmax(speed, hypot(v[GAS_X], v[GAS_Y]));
    }
    *position_error /= sqrt(box[GAS_X] * box[GAS_Y] / (double)setup->count);
    *velocity_error /= speed;
}

struct container_field_error container_field_error(size_t count, const struct gas_field *a,
                                                   const struct gas_field *b)
{
    struct container_field_error error = {0, 0, 0};
    double force = 1e-300, potential = 1e-300, virial = 1e-300;
    for (size_t k = 0; k < count; k++) {
        error.force = worse(
            error.force, hypot(a[k].force[GAS_X] - b[k].force[GAS_X], a[k].force[GAS_Y] - b[k].force[GAS_Y]));
        error.potential = worse(error.potential, fabs(a[k].potential - b[k].potential));
        error.virial = worse(error.virial, fabs(a[k].virial - b[k].virial));
        force += b[k].force[GAS_X] * b[k].force[GAS_X] + b[k].force[GAS_Y] * b[k].force[GAS_Y];
        potential += b[k].potential * b[k].potential;
        virial += b[k].virial * b[k].virial;
    }
    error.force /= sqrt(force / (double)count);
    error.potential /= sqrt(potential / (double)count);
    error.virial /= sqrt(virial / (double)count);
    return error;
}

// ---- names

const char *container_potential_name(enum gas_potential potential)
{
    static const char *const names[GAS_POTENTIALS] = {"none",       "log",           "real-gas",
                                                      "condensing", "lennard-jones", "lj-force-shifted"};
    return names[potential];
}

const char *container_method_name(const struct gas_physics *physics)
{
    return physics->method == GAS_ALL_PAIRS ? "all-pairs"
           : physics->regions.columns == 0  ? "lists"
           : physics->regions.order == 0    ? "regions of order 0"
                                            : "regions of order 1";
}

const char *container_wall_name(enum gas_wall wall)
{
    static const char *const names[GAS_WALLS] = {"reflect",  "velocity-flip",  "flip-and-mirror",
                                                 "a-priori", "damped",         "periodic",
                                                 "soft",     "field-corrected"};
    return names[wall];
}

const char *container_precision_name(enum element precision)
{
    return precision == ELEMENT_F32 ? "single" : "double";
}
