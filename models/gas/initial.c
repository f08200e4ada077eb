// The particles at the start: see initial.h.
#include "models/gas/initial.h"

#include "core/statistics.h"
#include "models/gas/initial_private.h"
#include "models/gas/potential.h"
#include "models/team.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum start { START_LATTICE, START_RANDOM, START_FILE, STARTS };
enum { BLOCK = STATISTICS_BLOCK, WINDOW = 64 * BLOCK };

static const char *const blocks[STARTS] = {"particles.lattice", "particles.random", "particles.file"};

struct gas_initial {
    const struct job *job;
    const struct gas_physics *physics; // after the fit
    enum start start;
    size_t count;
    double mass; // of all, where the file has none
    bool has_masses;
    uint64_t seed;
    bool is_drawn, is_moving; // velocities are drawn; the file has some that are not 0
    double temperature;       // of the drawn ones; NaN: the thermostat's
    struct gas_lattice lattice;
    struct gas_grid grid;
    double near; // two drawn particles that are nearer are too near for the step
    struct gas_file *file;
    struct gas_particle *particles; // of a file all; else a window
    double *scratch;
};

// ---- making it

static const char *key_in(const struct gas_initial *initial, const char *name, char key[64])
{
    snprintf(key, 64, "%s.%s", blocks[initial->start], name);
    return key;
}

static void read_common(struct gas_initial *initial)
{
    const struct job *job = initial->job;
    char key[64];
    initial->seed = (uint64_t)job_integer(job, key_in(initial, "seed", key));
    initial->temperature = job_number(job, key_in(initial, "temperature", key)); // NaN if it is not there
}

static void use_generator(struct gas_initial *initial)
{
    char key[64];
    read_common(initial);
    initial->is_drawn = true;
    initial->count = (size_t)job_integer(initial->job, key_in(initial, "count", key));
    initial->mass = job_number(initial->job, key_in(initial, "mass", key));
    if (initial->start == START_LATTICE) {
        const char *kind = job_string(initial->job, "particles.lattice.kind");
        initial->lattice.is_triangular = strcmp(kind, "triangular") == 0;
        initial->lattice.jitter = job_number(initial->job, "particles.lattice.jitter");
    }
}

static enum status use_file(struct gas_initial *initial)
{
    const struct job *job = initial->job;
    const bool is_at_rest = job_boolean(job, "particles.file.at_rest");
    read_common(initial);
    initial->is_drawn = !isnan(initial->temperature);
    if (is_at_rest && initial->is_drawn)
        return job_fail(job, "particles.file.temperature",
                        "the particles are at rest (at_rest), too: one of the two is expected");
    CHECK(gas_file_open(job, !is_at_rest && !initial->is_drawn, &initial->file));
    initial->count = gas_file_base(initial->file)->count;
    initial->has_masses = gas_file_masses(initial->file, &initial->mass);
    return gas_file_survey(initial->file, &initial->is_moving);
}

enum status gas_initial_create(const struct job *job, struct gas_initial **initial, size_t *count)
{
    int found = 0;
    struct gas_initial *made = *initial = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for the particles at the start");
    made->job = job;
    for (int k = 0; k < STARTS; k++)
        if (job_has(job, blocks[k])) {
            made->start = (enum start)k;
            found++;
        }
    if (found != 1)
        return job_fail(job, "particles", "needs one of lattice, random and file, not %d of them", found);
    if (made->start == START_FILE)
        CHECK(use_file(made));
    else
        use_generator(made);
    *count = made->count;
    return STATUS_OK;
}

void gas_initial_destroy(struct gas_initial *initial)
{
    if (!initial)
        return;
    gas_file_close(initial->file);
    free(initial);
}

bool gas_initial_masses(const struct gas_initial *initial, double *mass)
{
    *mass = initial->has_masses ? 1 : initial->mass;
    return initial->has_masses;
}

int gas_initial_inputs(const struct gas_initial *initial, const char **paths)
{
    return initial->file ? particles_file_inputs(gas_file_base(initial->file), paths) : 0;
}

// ---- whether it fits

static enum status settle_temperature(struct gas_initial *initial)
{
    const struct gas_physics *physics = initial->physics;
    char key[64];
    key_in(initial, "temperature", key);
    if (initial->is_drawn && isnan(initial->temperature)) {
        if (physics->thermostat == GAS_NO_THERMOSTAT)
            return job_fail(initial->job, key, "is missing: there is no thermostat to take it from");
        initial->temperature = physics->temperature;
    }
    const bool is_moving = initial->is_drawn ? initial->temperature > 0 : initial->is_moving;
    if (physics->thermostat == GAS_BUSSI && !is_moving)
        return job_fail(
            initial->job, key,
            "the particles are at rest, and thermostat bussi, which scales velocities, needs some: "
            "a temperature above 0 is expected");
    return STATUS_OK;
}

static enum status fit_random(struct gas_initial *initial)
{
    static const double pi = 3.14159265358979323846;
    // Random sequential addition of discs ends at 0.547 (Feder 1980, doi:10.1016/0022-5193(80)90358-6), and
    // is slow before it.
    static const double most = 0.5;
    static const char key[] = "particles.random.distance";
    const struct gas_physics *physics = initial->physics;
    const double distance =
        job_has(initial->job, key) ? job_number(initial->job, key) : 0.9 * gas_core(physics);
    const double covered =
        (double)initial->count * pi / 4 * distance * distance / (physics->box[GAS_X] * physics->box[GAS_Y]);
    if (covered > most)
        return job_fail(initial->job, key,
                        "%zu discs of diameter %.6g cover %.3g of the box: at most %g can be reached at "
                        "random; a lattice, a larger box or a shorter distance is expected",
                        initial->count, distance, covered, most);
    initial->near = gas_near_distance(physics, initial->mass);
    gas_grid_shape(&initial->grid, physics, fmax(distance, initial->near), initial->count);
    initial->grid.distance = distance;
    return STATUS_OK;
}

static enum status refuse_near(const struct gas_initial *initial, const char *key, const char *who, double r)
{
    const double masses[2] = {initial->mass, initial->mass};
    return job_fail(initial->job, key,
                    "%s: %.6g apart, with an energy of %.3g that drives them %.3g further within one step of "
                    "%g; more than %.3g apart, or a smaller time.step, is expected",
                    who, r, gas_near_energy(initial->physics, r), gas_near_path(initial->physics, masses, r),
                    initial->physics->step, gas_near_distance(initial->physics, initial->mass));
}

static enum status fit_lattice(struct gas_initial *initial)
{
    const struct gas_physics *physics = initial->physics;
    struct gas_lattice *lattice = &initial->lattice;
    gas_lattice_fit(lattice, physics, initial->count);
    const double x = physics->box[GAS_X] / (double)lattice->columns,
                 y = physics->box[GAS_Y] / (double)lattice->rows;
    const double beside = lattice->columns > 1 ? x : INFINITY, above = lattice->rows == 1 ? INFINITY
                                                                       : lattice->is_triangular
                                                                           ? hypot(x / 2, y)
                                                                           : y;
    const double nearest = fmin(beside, above);
    return gas_is_too_near(physics, (const double[2]){initial->mass, initial->mass}, nearest)
               ? refuse_near(initial, "particles.lattice", "neighbouring sites are too near", nearest)
               : STATUS_OK;
}

// The distance at which F/r of a pair leaves what single precision holds (1e38) with room for sums and
// squares; where no distance is too short, 0.
static double overflow_distance(const struct gas_physics *physics)
{
    static const double largest = 1e30;
    if (gas_is_lennard_jones(physics)) // 48 e σ¹²/r¹⁴
        return physics->diameter *
               pow(48 * physics->well_depth / (physics->diameter * physics->diameter * largest), 1.0 / 14);
    if (!gas_has_cut_off(physics)) // LOG adds nothing at one point
        return 0;
    if (physics->softening > 0 && physics->repulsion / pow(physics->softening, 4) < largest)
        return 0;
    return fmax(pow(physics->repulsion / largest, 0.25), 1 / largest); // R/r⁴
}

enum status gas_initial_fit(struct gas_initial *initial, const struct gas_physics *physics)
{
    initial->physics = physics;
    CHECK(settle_temperature(initial));
    switch (initial->start) {
    case START_LATTICE:
        return fit_lattice(initial);
    case START_RANDOM:
        return fit_random(initial);
    case START_FILE:
        return gas_file_check_apart(initial->file, physics, overflow_distance(physics));
    case STARTS:
        break;
    }
    return STATUS_OK;
}

// ---- plan, prepare

static enum status plan_grid(struct gas_initial *initial, struct memory_plan *plan)
{
    struct gas_grid *grid = &initial->grid;
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, initial->count, GAS_AXES, (void **)&grid->positions,
                          "positions at the start"));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, initial->count, 1, (void **)&grid->next,
                          "next in the cell at the start"));
    return memory_plan_add(plan, MEMORY_HOST, ELEMENT_I32, gas_grid_cells(grid), 1, (void **)&grid->heads,
                           "cells at the start");
}

enum status gas_initial_plan(struct gas_initial *initial, struct memory_plan *plan)
{
    const size_t numbers = sizeof(struct gas_particle) / sizeof(double);
    if (!initial->file) {
        if (initial->start == START_RANDOM)
            CHECK(plan_grid(initial, plan));
        const size_t rows = initial->count < WINDOW ? initial->count : WINDOW;
        return memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, rows, numbers, (void **)&initial->particles,
                               "window of particles at the start");
    }
    const size_t cache_bytes = particles_file_cache_bytes(gas_file_base(initial->file));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, initial->count, numbers,
                          (void **)&initial->particles, "particles at the start"));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, 4, GAS_FILE_BLOCK, (void **)&initial->scratch,
                          "block of the file of particles"));
    return cache_bytes > 0 ? memory_plan_add_library(plan, cache_bytes, "netCDF chunks of the particles")
                           : STATUS_OK;
}

static enum status read_file(struct gas_initial *initial)
{
    for (size_t first = 0; first < initial->count; first += GAS_FILE_BLOCK) {
        const size_t left = initial->count - first, count = left < GAS_FILE_BLOCK ? left : GAS_FILE_BLOCK;
        struct gas_particle *particles = initial->particles + first;
        CHECK(gas_file_read(initial->file, first, count, particles, initial->scratch));
        CHECK(gas_file_take_in(initial->file, initial->physics, first, count, particles));
    }
    return STATUS_OK;
}

// Random positions keep a distance, which the job may make too short for its step.
static enum status check_random(struct gas_initial *initial)
{
    struct gas_grid *grid = &initial->grid;
    if (!(initial->near > grid->distance))
        return STATUS_OK;
    grid->distance = initial->near;
    gas_grid_clear(grid);
    for (size_t id = 0; id < initial->count; id++) {
        const int64_t other = gas_grid_find_near(grid, grid->positions[id], initial->mass);
        if (other >= 0) {
            char who[120];
            snprintf(who, sizeof who, "particles %zu and %zu (counted from 0) are too near", (size_t)other,
                     id);
            return refuse_near(initial, "particles.random.distance", who,
                               gas_grid_distance(grid, grid->positions[other], grid->positions[id]));
        }
        gas_grid_add(grid, id);
    }
    return STATUS_OK;
}

enum status gas_initial_prepare(struct gas_initial *initial)
{
    size_t placed;
    if (initial->file)
        return read_file(initial);
    if (initial->start == START_LATTICE)
        return STATUS_OK;
    if (gas_random_positions(&initial->grid, initial->count, initial->seed, &placed))
        return check_random(initial);
    return job_fail(
        initial->job, "particles.random",
        "particle %zu (counted from 0) of %zu found no position at a distance of %.6g from all before it",
        placed, initial->count, initial->grid.distance);
}

// ---- setting the particles

struct sample_work {
    const struct gas_initial *initial;
    struct gas_particle *particles; // of `first` on
    size_t first, count;
};

enum { SAMPLED = 1024 }; // by one thread at a time

// Normal numbers of the deviation √(T/m) (Box and Muller).
static void draw_velocity(const struct gas_initial *initial, size_t id, struct gas_particle *particle)
{
    static const double pi = 3.14159265358979323846;
    double two[2];
    gas_draw_two(initial->seed, GAS_DRAW_VELOCITY, id, two);
    const double length = sqrt(-2 * log(two[0]) * initial->temperature / particle->mass);
    particle->velocity[GAS_X] = length * cos(2 * pi * two[1]);
    particle->velocity[GAS_Y] = length * sin(2 * pi * two[1]);
}

static void sample_one(const struct gas_initial *initial, size_t id, struct gas_particle *particle)
{
    if (!initial->file)
        *particle = (struct gas_particle){.mass = initial->mass};
    if (initial->start == START_LATTICE)
        gas_lattice_position(&initial->lattice, initial->physics, initial->count, initial->seed, id,
                             particle->position);
    if (initial->start == START_RANDOM)
        memcpy(particle->position, initial->grid.positions[id], sizeof particle->position);
    if (initial->is_drawn)
        draw_velocity(initial, id, particle);
}

static void sample_piece(void *context, size_t piece)
{
    const struct sample_work *work = context;
    for (size_t i = piece * SAMPLED; i < work->count && i < (piece + 1) * SAMPLED; i++)
        sample_one(work->initial, work->first + i, &work->particles[i]);
}

// Particles first … first + count − 1, at most a window, with velocities as drawn.
static struct gas_particle *sample(const struct gas_initial *initial, size_t first, size_t count)
{
    struct gas_particle *particles = initial->particles + (initial->file ? first : 0);
    struct sample_work work = {initial, particles, first, count};
    team_for(omp_get_max_threads(), (count + SAMPLED - 1) / SAMPLED, sample_piece, &work);
    return particles;
}

static size_t window_from(const struct gas_initial *initial, size_t first)
{
    return initial->count - first < WINDOW ? initial->count - first : WINDOW;
}

struct sums {
    struct running_sum mass, momentum[GAS_AXES], squares; // Σ m, Σ m v, Σ m v²
};

static void add_to_sums(struct sums *sums, const struct gas_particle *particles, size_t count)
{
    double values[BLOCK];
    for (size_t i = 0; i < count; i++)
        values[i] = particles[i].mass;
    running_sum_add(&sums->mass, values, count);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        for (size_t i = 0; i < count; i++)
            values[i] = particles[i].mass * particles[i].velocity[axis];
        running_sum_add(&sums->momentum[axis], values, count);
    }
    for (size_t i = 0; i < count; i++) {
        const double *v = particles[i].velocity;
        values[i] = particles[i].mass * (v[GAS_X] * v[GAS_X] + v[GAS_Y] * v[GAS_Y]);
    }
    running_sum_add(&sums->squares, values, count);
}

// v → factor · (v − mean): the centre of mass at rest, 2K = degrees · T.
struct motion {
    double mean[GAS_AXES], factor;
};

static struct motion motion_of(const struct gas_initial *initial)
{
    struct motion motion = {.factor = 1};
    struct sums sums = {0};
    if (!initial->is_drawn)
        return motion;
    for (size_t first = 0; first < initial->count; first += WINDOW) {
        const size_t count = window_from(initial, first);
        const struct gas_particle *particles = sample(initial, first, count);
        for (size_t i = 0; i < count; i += BLOCK)
            add_to_sums(&sums, particles + i, count - i < BLOCK ? count - i : BLOCK);
    }
    const double mass = running_sum_total(&sums.mass);
    double own = running_sum_total(&sums.squares);
    for (int axis = 0; axis < GAS_AXES; axis++) {
        motion.mean[axis] = running_sum_total(&sums.momentum[axis]) / mass;
        own -= mass * motion.mean[axis] * motion.mean[axis];
    }
    const double wanted = gas_degrees(initial->physics, initial->count) * initial->temperature;
    motion.factor = own > 0 ? sqrt(wanted / own) : 0;
    return motion;
}

void gas_initial_apply(struct gas_initial *initial, const struct gas_backend *backend, struct solver *solver)
{
    const struct motion motion = motion_of(initial);
    for (size_t first = 0; first < initial->count; first += WINDOW) {
        const size_t count = window_from(initial, first);
        struct gas_particle *particles = sample(initial, first, count);
        for (size_t i = 0; i < count && initial->is_drawn; i++)
            for (int axis = 0; axis < GAS_AXES; axis++)
                particles[i].velocity[axis] =
                    motion.factor * (particles[i].velocity[axis] - motion.mean[axis]);
        backend->set(solver, first, count, particles);
    }
}
