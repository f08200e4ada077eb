// The systems of `fathom bench gas`: their physics, and particles in a state that a run would have. Fluids
// are brought to equilibrium with a few thousand particles in a periodic box; more are copies of that box
// side by side, each particle with a velocity of its own.
#include "bench/gas/private.h"

#include "models/gas/initial_private.h"
#include "models/gas/method.h"
#include "models/gas/params_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FLUID_PARTICLES = 4096, FLUID_STEPS = 2000, PIECE = 4096, SOURCE_CELLS = 50 };

static const double fluid_density = 0.7, fluid_temperature = 1;
static const double source_box = 5000, source_count = 262144;
static const uint64_t seed = 1;

const char *const gas_bench_system_names[BENCH_SYSTEMS] = {
    [BENCH_LOG] = "log",
    [BENCH_LOG_2500] = "log-2500",
    [BENCH_CONDENSING] = "condensing",
    [BENCH_CONDENSING_2500] = "condensing-2500",
    [BENCH_REAL_GAS] = "real-gas",
    [BENCH_LENNARD_JONES] = "lennard-jones",
    [BENCH_FORCE_SHIFTED] = "lj-force-shifted",
};

static bool has_source_cells(enum bench_system system)
{
    return system == BENCH_LOG_2500 || system == BENCH_CONDENSING_2500;
}

// Two differences, two multiply-adds for the square, two for the sums; of what ends at the cut-off a
// comparison, a multiply-add and two products or sums more; of Lennard-Jones a comparison, a multiply-add and
// four products; its force's shift two more.
int gas_bench_pair_operations(enum bench_system system)
{
    static const int operations[BENCH_SYSTEMS] = {6, 6, 10, 10, 10, 12, 14};
    return operations[system];
}

// ---- physics

// A fluid of `count` particles is side² copies of one of few; of the last ones some are left out.
static size_t side_of(size_t count)
{
    return (size_t)ceil(sqrt((double)count / FLUID_PARTICLES));
}

static size_t fluid_count(size_t count)
{
    const size_t copies = side_of(count) * side_of(count);
    return (count + copies - 1) / copies;
}

static void set_square(struct gas_physics *physics, double side, enum gas_wall wall)
{
    for (int axis = 0; axis < GAS_AXES; axis++)
        physics->box[axis] = side;
    for (int k = 0; k < GAS_SIDES; k++)
        physics->walls[k] = wall;
}

// ln r in the source document's box; particles move little in a step, whatever their number.
static void set_log(struct gas_physics *physics)
{
    set_square(physics, source_box, GAS_REFLECT);
    physics->attraction = 1e-6;
    physics->softening = 1;
    physics->step = 0.01;
}

// As dense as the source document's 262 144 in its box; the force vanishes at 8, particles are 10 apart.
static void set_condensing(struct gas_physics *physics, size_t count)
{
    set_square(physics, source_box * sqrt((double)count / source_count), GAS_REFLECT);
    physics->attraction = 1e-3;
    physics->attraction2 = 1;
    physics->repulsion = 64;
    physics->softening = 1;
    physics->cut_off = 20;
    physics->step = 0.05;
}

static void set_fluid(struct gas_physics *physics, size_t count)
{
    const double side = sqrt((double)fluid_count(count) / fluid_density);
    set_square(physics, side * (double)side_of(count), GAS_PERIODIC);
    physics->attraction = physics->potential == GAS_REAL_GAS ? 0 : 1;
    physics->repulsion = physics->well_depth = physics->diameter = 1;
    physics->cut_off = 2.5;
    physics->step = 0.005;
}

static void set_regions(const struct bench_options *options, enum bench_system system,
                        struct gas_params *params)
{
    struct gas_physics *physics = &params->physics;
    struct gas_regions *regions = &physics->regions;
    *regions = (struct gas_regions){.near = options->near, .far = options->far, .order = options->order};
    gas_choose_regions(params, regions);
    if (!has_source_cells(system) && options->columns == 0)
        return;
    const int wanted = options->columns > 0 ? options->columns : SOURCE_CELLS;
    const double most = physics->cut_off > 0 ? floor(physics->box[GAS_X] / physics->cut_off) : wanted;
    regions->columns = regions->rows = most < wanted ? (int)fmax(most, 1) : wanted;
}

void gas_bench_set_up(const struct bench_options *options, enum bench_system system, enum gas_method method,
                      size_t count, const struct backend *backend, struct gas_params *params)
{
    static const enum gas_potential potentials[BENCH_SYSTEMS] = {GAS_LOG,
                                                                 GAS_LOG,
                                                                 GAS_CONDENSING,
                                                                 GAS_CONDENSING,
                                                                 GAS_REAL_GAS,
                                                                 GAS_LENNARD_JONES,
                                                                 GAS_LENNARD_JONES_FORCE_SHIFTED};
    struct gas_physics *physics = &params->physics;
    *params = (struct gas_params){.count = count,
                                  .mass = 1,
                                  .backend = (const struct gas_backend *)backend}; // whose first member it is
    physics->potential = potentials[system];
    physics->method = method;
    physics->temperature = fluid_temperature;
    if (physics->potential == GAS_LOG)
        set_log(physics);
    else if (physics->potential == GAS_CONDENSING)
        set_condensing(physics, count);
    else
        set_fluid(physics, count);
    physics->lists.skin = options->skin > 0 ? options->skin : gas_usual_skin(physics->cut_off);
    physics->lists.neighbours = gas_likely_neighbours(params);
    if (method == GAS_CELLS && gas_has_log(physics))
        set_regions(options, system, params);
}

// ---- particles

static void draw_velocity(size_t id, double temperature, struct gas_particle *particle)
{
    static const double pi = 3.14159265358979323846;
    double two[2];
    gas_draw_two(seed, GAS_DRAW_VELOCITY, id, two);
    const double speed = sqrt(-2 * log(two[0]) * temperature);
    particle->velocity[GAS_X] = speed * cos(2 * pi * two[1]);
    particle->velocity[GAS_Y] = speed * sin(2 * pi * two[1]);
    particle->mass = 1;
}

// On a lattice, each off its site by up to `jitter` spacings.
static void place_on_lattice(const struct gas_physics *physics, size_t count, double jitter,
                             double temperature, struct gas_particle *particles)
{
    struct gas_lattice lattice = {.is_triangular = true, .jitter = jitter};
    gas_lattice_fit(&lattice, physics, count);
#pragma omp parallel for schedule(static)
    for (size_t id = 0; id < count; id++) {
        gas_lattice_place(&lattice, physics, count, seed, id, particles[id].position);
        draw_velocity(id, temperature, &particles[id]);
    }
}

static void place_anywhere(const struct gas_physics *physics, size_t count, struct gas_particle *particles)
{
#pragma omp parallel for schedule(static)
    for (size_t id = 0; id < count; id++) {
        double two[2];
        gas_draw_two(seed, GAS_DRAW_PLACES, id, two);
        for (int axis = 0; axis < GAS_AXES; axis++)
            particles[id].position[axis] = two[axis] * physics->box[axis];
        draw_velocity(id, fluid_temperature, &particles[id]);
    }
}

// Of the particles as they are: their potential energy a particle.
static enum status find_potential(struct gas_solver *solver, size_t count, double *potential)
{
    double sum = 0;
    CHECK(gas_backend_openmp.evaluate(solver, false));
    for (size_t k = 0; k < count; k++) {
        struct gas_field field;
        gas_backend_openmp.get_field(solver, k, 1, &field);
        sum += field.potential;
    }
    *potential = sum / (double)count;
    return STATUS_OK;
}

static enum status run_fluid(struct gas_solver *solver, struct bench_particles *p)
{
    const struct gas_backend *backend = &gas_backend_openmp;
    struct gas_finding found = {.trouble = GAS_SOUND};
    backend->set(solver, 0, p->fluid_count, p->fluid);
    CHECK(backend->touch(solver, false));
    CHECK(backend->advance(solver, 0, FLUID_STEPS));
    CHECK(backend->guard(solver, FLUID_STEPS, &found));
    if (found.trouble != GAS_SOUND)
        return FAIL(STATUS_SOFTWARE, "bench gas: the fluid is unsound after step %lld, particle %lld",
                    (long long)found.step, (long long)found.id);
    backend->get(solver, 0, p->fluid_count, p->fluid);
    return find_potential(solver, p->fluid_count, &p->fluid_potential);
}

// A lattice with the velocities of its temperature, on which a Langevin thermostat works until it is a fluid.
static enum status melt(const struct gas_physics *physics, struct bench_particles *p)
{
    static struct memory_plan plan;
    const struct gas_setup setup = {
        .physics = physics, .count = p->fluid_count, .mass = 1, .precision = ELEMENT_F64};
    struct gas_solver *solver = NULL;
    place_on_lattice(physics, p->fluid_count, 0, fluid_temperature, p->fluid);
    memory_plan_begin(&plan);
    enum status status = gas_backend_openmp.plan(&setup, &plan, "", &solver);
    if (status == STATUS_OK)
        status = memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX);
    if (status == STATUS_OK)
        status = run_fluid(solver, p);
    memory_plan_release(&plan);
    if (solver)
        gas_backend_openmp.destroy(solver);
    return status;
}

static enum status make_fluid(const struct bench_options *options, enum bench_system system, size_t count,
                              struct bench_particles *p)
{
    struct gas_params params;
    if (p->fluid && p->fluid_system == system && p->fluid_count == count)
        return STATUS_OK;
    free(p->fluid);
    p->fluid_system = system;
    p->fluid_count = count;
    p->fluid = calloc(count, sizeof *p->fluid);
    if (!p->fluid)
        return FAIL(STATUS_SYSTEM, "bench gas: no memory for %zu particles", count);
    gas_bench_set_up(options, system, GAS_CELLS, count, NULL, &params);
    if (params.physics.box[GAS_X] < 3 * (params.physics.cut_off + params.physics.lists.skin))
        params.physics.method = GAS_ALL_PAIRS;
    params.physics.thermostat = GAS_LANGEVIN;
    params.physics.friction = 1;
    params.physics.seed = seed;
    return melt(&params.physics, p);
}

// Particle `id` is in copy number id mod side².
static void copy_fluid(const struct bench_particles *p, const struct gas_physics *physics)
{
    const size_t side = side_of(p->count), copies = side * side;
#pragma omp parallel for schedule(static)
    for (size_t id = 0; id < p->count; id++) {
        const size_t at[GAS_AXES] = {id % copies % side, id % copies / side};
        const struct gas_particle *from = &p->fluid[id / copies];
        for (int axis = 0; axis < GAS_AXES; axis++) {
            const double length = physics->box[axis] / (double)side;
            p->particles[id].position[axis] = from->position[axis] + (double)at[axis] * length;
        }
        draw_velocity(id, fluid_temperature, &p->particles[id]);
    }
}

enum status gas_bench_make_particles(const struct bench_options *options, enum bench_system system,
                                     size_t count, struct bench_particles *p)
{
    struct gas_params params;
    if (p->particles && p->system == system && p->count == count)
        return STATUS_OK;
    free(p->particles);
    p->system = system;
    p->count = count;
    p->particles = calloc(count, sizeof *p->particles);
    if (!p->particles)
        return FAIL(STATUS_SYSTEM, "bench gas: no memory for %zu particles", count);
    gas_bench_set_up(options, system, GAS_ALL_PAIRS, count, NULL, &params);
    if (params.physics.potential == GAS_LOG)
        place_anywhere(&params.physics, count, p->particles);
    else if (params.physics.potential == GAS_CONDENSING)
        place_on_lattice(&params.physics, count, 0.1, 0.2, p->particles);
    else {
        CHECK(make_fluid(options, system, fluid_count(count), p));
        copy_fluid(p, &params.physics);
    }
    return STATUS_OK;
}

void gas_bench_free(struct bench_particles *p)
{
    free(p->particles);
    free(p->fluid);
    *p = (struct bench_particles){.count = 0};
}
