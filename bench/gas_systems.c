// The systems of `fathom bench gas`: see gas_systems.h. A fluid of a few thousand particles is brought to
// equilibrium in a periodic box. Larger fluids are copies of that box side by side, with different
// velocities.
#include "bench/gas_systems.h"

#include "models/gas/initial_private.h"
#include "models/gas/method.h"
#include "models/gas/params_private.h"
#include "models/solver.h"

#include <stdio.h>
#include <stdlib.h>

enum { FLUID_PARTICLES = 4096, FLUID_STEPS = 2000, SOURCE_CELLS = 50, SEED = 1 };

static const double fluid_density = 0.7, fluid_temperature = 1;
// The box of Balen's thesis (Zagreb 2016), and the number of particles in it, which together give the
// density.
static const double source_box = 5000, source_count = 262144;

const char *const bench_gas_system_names[BENCH_GAS_SYSTEMS + 1] = {
    [BENCH_GAS_LOG] = "log",
    [BENCH_GAS_LOG_2500] = "log-2500",
    [BENCH_GAS_CONDENSING] = "condensing",
    [BENCH_GAS_CONDENSING_2500] = "condensing-2500",
    [BENCH_GAS_REAL_GAS] = "real-gas",
    [BENCH_GAS_LENNARD_JONES] = "lennard-jones",
    [BENCH_GAS_FORCE_SHIFTED] = "lj-force-shifted",
};

// Potential, walls and step as in a job. With ln r alone, particles move little in a step, whatever
// their number. Condensing: the force vanishes at the distance 8, and neighbours are 10 apart.
#define LOG_R "{\"name\": \"log\", \"attraction\": 1e-6, \"softening\": 1}"
#define CONDENSING                                                                                           \
    "{\"name\": \"condensing\", \"attraction\": 1e-3, \"attraction2\": 1, \"repulsion\": 64,"                \
    " \"softening\": 1, \"cut_off\": 20}"
static const struct system {
    const char *potential, *walls;
    double step;
    bool has_source_cells;
} systems[BENCH_GAS_SYSTEMS] = {
    [BENCH_GAS_LOG] = {LOG_R, "reflect", 0.01, false},
    [BENCH_GAS_LOG_2500] = {LOG_R, "reflect", 0.01, true},
    [BENCH_GAS_CONDENSING] = {CONDENSING, "reflect", 0.05, false},
    [BENCH_GAS_CONDENSING_2500] = {CONDENSING, "reflect", 0.05, true},
    [BENCH_GAS_REAL_GAS] = {"{\"name\": \"real-gas\", \"attraction\": 0, \"repulsion\": 1, \"cut_off\": 2.5}",
                            "periodic", 0.005, false},
    [BENCH_GAS_LENNARD_JONES] = {"{\"name\": \"lennard-jones\"}", "periodic", 0.005, false},
    [BENCH_GAS_FORCE_SHIFTED] = {"{\"name\": \"lj-force-shifted\"}", "periodic", 0.005, false},
};
static const double condensing_cut_off = 20;

static bool is_log(enum bench_gas_system system)
{
    return system <= BENCH_GAS_LOG_2500;
}

static bool is_fluid(enum bench_gas_system system)
{
    return system >= BENCH_GAS_REAL_GAS;
}

// ---- jobs

// A fluid of `count` particles consists of side² copies of a smaller one; the last copies may lack particles.
static size_t side_of(size_t count)
{
    return (size_t)ceil(sqrt((double)count / FLUID_PARTICLES));
}

static size_t fluid_count(size_t count)
{
    const size_t copies = side_of(count) * side_of(count);
    return (count + copies - 1) / copies;
}

static double box_of(enum bench_gas_system system, size_t count)
{
    if (is_fluid(system))
        return sqrt((double)fluid_count(count) / fluid_density) * (double)side_of(count);
    return is_log(system) ? source_box : source_box * sqrt((double)count / source_count);
}

// Writes the block `regions` of a method with regions; cells must be as wide as the cut-off.
static void describe_regions(const struct bench *bench, enum bench_gas_system system, double box, char *text,
                             size_t bytes)
{
    char cells[BENCH_LABEL_BYTES] = "";
    const double wanted =
        bench->value[BENCH_GAS_COLUMNS] > 0 ? bench->value[BENCH_GAS_COLUMNS] : SOURCE_CELLS;
    const double most = is_log(system) ? wanted : fmax(1, floor(box / condensing_cut_off));
    if (systems[system].has_source_cells || bench->value[BENCH_GAS_COLUMNS] > 0)
        snprintf(cells, sizeof cells, ", \"columns\": %.0f, \"rows\": %.0f", fmin(most, wanted),
                 fmin(most, wanted));
    snprintf(text, bytes, ", \"regions\": {\"near\": %.17g, \"far\": %.17g, \"order\": %.0f%s}",
             bench->value[BENCH_GAS_NEAR], bench->value[BENCH_GAS_FAR], bench->value[BENCH_GAS_ORDER], cells);
}

static enum status read_physics(const struct job *job, const struct bench_row *row, struct gas_params *p)
{
    *p = (struct gas_params){.count = (size_t)row->size[0],
                             .mass = 1,
                             // whose first member it is
                             .backend = (const struct gas_backend *)row->entry->backend};
    CHECK(gas_params_read_physics(job, p));
    CHECK(gas_params_read_box(job, p));
    p->physics.step = job_number(job, "time.step");
    CHECK(gas_params_read_method(job, p));
    return gas_params_check_method(job, p);
}

// `more`: text of further members of the block `physics`.
static enum status read_system(const struct bench *bench, const struct bench_row *row, const char *more,
                               struct gas_params *params)
{
    const struct system *system = &systems[row->kind];
    const double box = box_of((enum bench_gas_system)row->kind, (size_t)row->size[0]);
    const bool has_cells = row->method == GAS_CELLS;
    char method[BENCH_TEXT_BYTES] = "";
    struct job *job = NULL;
    if (has_cells && !is_fluid((enum bench_gas_system)row->kind))
        describe_regions(bench, (enum bench_gas_system)row->kind, box, method, sizeof method);
    else if (has_cells && bench->value[BENCH_GAS_SKIN] > 0)
        snprintf(method, sizeof method, ", \"skin\": %.17g", bench->value[BENCH_GAS_SKIN]);
    CHECK(bench_read_job(
        bench, &job,
        "{\"fathom\": 1, \"model\": \"gas\", \"backend\": \"%s\", \"domain\": {\"size\": [%.17g, %.17g], "
        "\"walls\": \"%s\"}, \"physics\": {\"potential\": %s%s}, \"method\": {\"name\": \"%s\"%s}, \"time\": "
        "{\"duration\": 1, \"step\": %.17g}, \"output\": {\"directory\": \"bench\"}}",
        row->entry->label, box, box, system->walls, system->potential, more,
        has_cells ? "cells" : "all-pairs", method, system->step));
    const enum status status = read_physics(job, row, params);
    job_free(job);
    return status;
}

enum status bench_gas_read(const struct bench *bench, const struct bench_row *row, struct gas_params *params)
{
    return read_system(bench, row, "", params);
}

// ---- particles

static void draw_velocity(size_t id, double temperature, struct gas_particle *particle)
{
    static const double pi = 3.14159265358979323846;
    double two[2];
    gas_draw_two(SEED, GAS_DRAW_VELOCITY, id, two);
    const double speed = sqrt(-2 * log(two[0]) * temperature);
    particle->velocity[GAS_X] = speed * cos(2 * pi * two[1]);
    particle->velocity[GAS_Y] = speed * sin(2 * pi * two[1]);
    particle->mass = 1;
}

// Places the particles on a lattice, each displaced from its site by up to `jitter` spacings.
static void place_on_lattice(const struct gas_physics *physics, size_t count, double jitter,
                             double temperature, struct gas_particle *particles)
{
    struct gas_lattice lattice = {.is_triangular = true, .jitter = jitter};
    gas_lattice_fit(&lattice, physics, count);
#pragma omp parallel for schedule(static)
    for (size_t id = 0; id < count; id++) {
        gas_lattice_position(&lattice, physics, count, SEED, id, particles[id].position);
        draw_velocity(id, temperature, &particles[id]);
    }
}

static void place_anywhere(const struct gas_physics *physics, size_t count, struct gas_particle *particles)
{
#pragma omp parallel for schedule(static)
    for (size_t id = 0; id < count; id++) {
        double two[2];
        gas_draw_two(SEED, GAS_DRAW_PLACES, id, two);
        for (int axis = 0; axis < GAS_AXES; axis++)
            particles[id].position[axis] = two[axis] * physics->box[axis];
        draw_velocity(id, fluid_temperature, &particles[id]);
    }
}

// ---- fluids

static struct {
    int system;
    size_t count;
    struct gas_particle *particles;
    double potential; // a particle
} fluid;

static enum status find_potential(struct solver *solver)
{
    double sum = 0;
    CHECK(gas_backend_openmp.evaluate(solver, false));
    for (size_t k = 0; k < fluid.count; k++) {
        struct gas_field field;
        gas_backend_openmp.get_field(solver, k, 1, &field);
        sum += field.potential;
    }
    fluid.potential = sum / (double)fluid.count;
    return STATUS_OK;
}

static enum status run_fluid(struct solver *solver)
{
    const struct gas_backend *backend = &gas_backend_openmp;
    struct gas_finding found = {.error = GAS_NO_ERROR};
    backend->set(solver, 0, fluid.count, fluid.particles);
    CHECK(solver_touch(&backend->head, solver, false));
    CHECK(backend->head.advance(solver, 0, FLUID_STEPS));
    CHECK(backend->guard(solver, FLUID_STEPS, &found));
    if (found.error != GAS_NO_ERROR)
        return FAIL(STATUS_SOFTWARE, "bench gas: the fluid is invalid after step %lld, particle %lld",
                    (long long)found.step, (long long)found.id);
    backend->get(solver, 0, fluid.count, fluid.particles);
    return find_potential(solver);
}

// Brings the fluid to equilibrium by a Langevin thermostat, from a lattice with thermal velocities.
static enum status melt(const struct gas_physics *physics)
{
    static struct memory_plan plan;
    const struct gas_setup setup = {
        .physics = physics, .count = fluid.count, .mass = 1, .precision = ELEMENT_F64};
    struct solver *solver = NULL;
    place_on_lattice(physics, fluid.count, 0, fluid_temperature, fluid.particles);
    memory_plan_begin(&plan);
    enum status status = gas_backend_openmp.plan(&setup, &plan, "", &solver);
    if (status == STATUS_OK)
        status = memory_plan_reserve(&plan, SIZE_MAX, SIZE_MAX);
    if (status == STATUS_OK)
        status = run_fluid(solver);
    memory_plan_release(&plan);
    if (solver)
        solver_destroy(&gas_backend_openmp.head, solver);
    return status;
}

static enum status make_fluid(const struct bench *bench, const struct bench_row *like, size_t count)
{
    static const char thermostat[] =
        ", \"thermostat\": {\"name\": \"langevin\", \"temperature\": 1, \"friction\": 1, \"seed\": 1}";
    const struct bench_entry openmp = {.backend = &gas_backend_openmp.head, .label = "openmp"};
    struct bench_row row = *like;
    struct gas_params params;
    if (fluid.particles && fluid.system == like->kind && fluid.count == count)
        return STATUS_OK;
    free(fluid.particles);
    fluid.system = like->kind;
    fluid.count = count;
    fluid.particles = calloc(count, sizeof *fluid.particles);
    if (!fluid.particles)
        return FAIL(STATUS_SYSTEM, "bench gas: no memory for %zu particles", count);
    row.entry = &openmp;
    row.size[0] = (long long)count;
    row.method = GAS_CELLS;
    CHECK(read_system(bench, &row, thermostat, &params));
    return melt(&params.physics);
}

// Particle `id` is in copy number id mod side².
static void copy_fluid(const struct gas_physics *physics, size_t count, struct gas_particle *particles)
{
    const size_t side = side_of(count), copies = side * side;
#pragma omp parallel for schedule(static)
    for (size_t id = 0; id < count; id++) {
        const size_t at[GAS_AXES] = {id % copies % side, id % copies / side};
        const struct gas_particle *from = &fluid.particles[id / copies];
        for (int axis = 0; axis < GAS_AXES; axis++) {
            const double length = physics->box[axis] / (double)side;
            particles[id].position[axis] = from->position[axis] + (double)at[axis] * length;
        }
        draw_velocity(id, fluid_temperature, &particles[id]);
    }
}

enum status bench_gas_make_particles(const struct bench *bench, const struct bench_row *row,
                                     struct bench_gas_particles *p)
{
    struct gas_params params;
    const size_t count = (size_t)row->size[0];
    const enum bench_gas_system system = (enum bench_gas_system)row->kind;
    if (p->particles && p->system == system && p->count == count)
        return STATUS_OK;
    free(p->particles);
    *p = (struct bench_gas_particles){
        .system = system, .count = count, .particles = calloc(count, sizeof *p->particles), .potential = NAN};
    if (!p->particles)
        return FAIL(STATUS_SYSTEM, "bench gas: no memory for %zu particles", count);
    CHECK(bench_gas_read(bench, row, &params));
    if (is_log(system))
        place_anywhere(&params.physics, count, p->particles);
    else if (!is_fluid(system))
        place_on_lattice(&params.physics, count, 0.1, 0.2, p->particles);
    else {
        CHECK(make_fluid(bench, row, fluid_count(count)));
        copy_fluid(&params.physics, count, p->particles);
        p->potential = fluid.potential;
    }
    return STATUS_OK;
}

void bench_gas_free(struct bench_gas_particles *p)
{
    free(p->particles);
    free(fluid.particles);
    fluid.particles = NULL;
    *p = (struct bench_gas_particles){.count = 0};
}
