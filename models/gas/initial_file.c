// Particles from a file, in reduced units: opened, checked once, and then read into the arrays.
#include "models/gas/initial_private.h"
#include "models/particles/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSITION = PARTICLES_POSITION, VELOCITY = PARTICLES_VELOCITY, MASS = PARTICLES_MASS };
enum { COMPONENTS = 3 }; // in the file

static const double most = 1e12, least_mass = 1e-12; // as keys.c has them

struct gas_file {
    struct particles_file file;
    double particle_mass; // if there are no masses
    double lightest;      // after the survey
};

// ---- opening

// A file whose numbers have a unit is refused.
static enum status check_units(void *context, enum particles_quantity q)
{
    const struct gas_file *file = context;
    const struct particles_info *info = particles_info(file->file.parts[q]);
    if (particles_file_is_bare(&file->file, q))
        return STATUS_OK;
    return FAIL(STATUS_DATA,
                "%s: variable %s is in \"%s\": numbers in reduced units, without a unit, are expected",
                info->path, info->variable, info->units);
}

enum status gas_file_open(const struct job *job, bool has_velocities, struct gas_file **file)
{
    static const char mass_key[] = "particles.file.particle_mass";
    struct gas_file *made = *file = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for a file of particles");
    made->particle_mass = job_has(job, mass_key) ? job_number(job, mass_key) : NAN;
    made->file = (struct particles_file){.job = job,
                                         .one = "particle",
                                         .many = "particles",
                                         .mass_key = mass_key,
                                         .most = GAS_COUNT_MAX,
                                         .has_velocities = has_velocities,
                                         .settle_units = check_units,
                                         .context = made};
    return particles_file_open(&made->file);
}

void gas_file_close(struct gas_file *file)
{
    if (file)
        particles_file_close(&file->file);
    free(file);
}

const struct particles_file *gas_file_base(const struct gas_file *file)
{
    return &file->file;
}

bool gas_file_masses(const struct gas_file *file, double *mass)
{
    *mass = file->particle_mass;
    return file->file.parts[MASS];
}

// ---- reading

static enum status refuse(const struct gas_file *file, int q, size_t id, int axis, double value)
{
    char complaint[80];
    snprintf(complaint, sizeof complaint, "%g: %s %g is expected", value,
             q == MASS && value < least_mass ? "a mass of at least" : "at most",
             q == MASS && value < least_mass ? least_mass : most);
    return particles_file_refuse(&file->file, (enum particles_quantity)q, id, axis, value, complaint);
}

// The scratch holds a vector of each particle, and then one of three variables.
static enum status read_quantity(struct gas_file *file, int q, size_t first, size_t count,
                                 struct gas_particle *particles, double *scratch)
{
    const int components = q == MASS ? 1 : GAS_AXES;
    const size_t stride = q == MASS ? 1 : COMPONENTS;
    CHECK(particles_read(file->file.parts[q], first, count, scratch, scratch + COMPONENTS * GAS_FILE_BLOCK));
    for (size_t i = 0; i < count; i++) {
        double *to = q == POSITION   ? particles[i].position
                     : q == VELOCITY ? particles[i].velocity
                                     : &particles[i].mass;
        for (int k = 0; k < components; k++) {
            const double value = scratch[i * stride + (size_t)k];
            if (!(fabs(value) <= most) || (q == MASS && value < least_mass))
                return refuse(file, q, first + i, k, value);
            to[k] = value;
        }
    }
    return STATUS_OK;
}

enum status gas_file_read(struct gas_file *file, size_t first, size_t count, struct gas_particle *particles,
                          double *scratch)
{
    for (size_t i = 0; i < count; i++)
        particles[i] = (struct gas_particle){.mass = file->particle_mass};
    for (int q = 0; q < PARTICLES_FILE_QUANTITIES; q++)
        if (file->file.parts[q])
            CHECK(read_quantity(file, q, first, count, particles, scratch));
    return STATUS_OK;
}

static size_t block_from(const struct gas_file *file, size_t first)
{
    return file->file.count - first < GAS_FILE_BLOCK ? file->file.count - first : GAS_FILE_BLOCK;
}

// ---- the survey

struct survey {
    struct gas_particle particles[GAS_FILE_BLOCK];
    double scratch[(COMPONENTS + 1) * GAS_FILE_BLOCK];
};

static enum status survey_all(struct gas_file *file, struct survey *survey, bool *is_moving)
{
    for (size_t first = 0; first < file->file.count; first += GAS_FILE_BLOCK) {
        const size_t count = block_from(file, first);
        CHECK(gas_file_read(file, first, count, survey->particles, survey->scratch));
        for (size_t i = 0; i < count; i++) {
            const double *v = survey->particles[i].velocity;
            file->lightest = fmin(file->lightest, survey->particles[i].mass);
            *is_moving |= v[GAS_X] != 0 || v[GAS_Y] != 0;
        }
    }
    return STATUS_OK;
}

enum status gas_file_survey(struct gas_file *file, bool *is_moving)
{
    struct survey *survey = malloc(sizeof *survey);
    *is_moving = false;
    file->lightest = INFINITY;
    if (!survey)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read it", file->file.path);
    const enum status status = survey_all(file, survey, is_moving);
    free(survey);
    return status;
}

// ---- the box

static bool is_soft(const struct gas_physics *physics, int axis, double x)
{
    return physics->walls[2 * axis + (x > 0)] == GAS_SOFT;
}

enum status gas_file_take_in(const struct gas_file *file, const struct gas_physics *physics, size_t first,
                             size_t count, struct gas_particle *particles)
{
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < GAS_AXES; axis++) {
            const double length = physics->box[axis];
            double *x = &particles[i].position[axis];
            if (gas_is_periodic(physics, axis)) {
                *x -= length * floor(*x / length);
                *x = *x < length ? *x : 0;
                continue;
            }
            const double depth = is_soft(physics, axis, *x) ? length / 2 : 0;
            if (!(*x >= -depth && *x <= length + depth))
                return FAIL(STATUS_DATA,
                            "%s: variable %s: particle %zu (counted from 0), component %c: %.9g lies outside "
                            "the box, 0 to %.9g",
                            file->file.path, particles_file_positions(&file->file), first + i, "xy"[axis], *x,
                            length);
        }
    return STATUS_OK;
}

static enum status refuse_pair(const struct gas_file *file, const struct gas_grid *grid, size_t a, size_t b)
{
    const double *first = grid->positions[a], *second = grid->positions[b];
    const double masses[2] = {grid->masses[a], grid->masses[b]}, r = gas_grid_distance(grid, first, second);
    if (r < grid->overflow)
        return FAIL(STATUS_DATA,
                    "%s: variable %s: particles %zu and %zu (counted from 0) overlap: they lie at (%.9g, "
                    "%.9g) and (%.9g, %.9g); nearer than %.3g the force overflows",
                    file->file.path, particles_file_positions(&file->file), a, b, first[GAS_X], first[GAS_Y],
                    second[GAS_X], second[GAS_Y], grid->overflow);
    return FAIL(STATUS_DATA,
                "%s: variable %s: particles %zu and %zu (counted from 0) are too near: %.6g apart, with an "
                "energy of %.3g that drives them %.3g further within one step of %g; more than %.3g apart, "
                "or a smaller time.step, is expected",
                file->file.path, particles_file_positions(&file->file), a, b, r,
                gas_near_energy(grid->physics, r), gas_near_path(grid->physics, masses, r),
                grid->physics->step, gas_near_distance(grid->physics, 2 / (1 / masses[0] + 1 / masses[1])));
}

static enum status find_overlap(struct gas_file *file, struct gas_grid *grid, double *masses,
                                struct survey *survey)
{
    gas_grid_clear(grid);
    for (size_t first = 0; first < file->file.count; first += GAS_FILE_BLOCK) {
        const size_t count = block_from(file, first);
        CHECK(gas_file_read(file, first, count, survey->particles, survey->scratch));
        CHECK(gas_file_take_in(file, grid->physics, first, count, survey->particles));
        for (size_t i = 0; i < count; i++) {
            memcpy(grid->positions[first + i], survey->particles[i].position, sizeof *grid->positions);
            masses[first + i] = survey->particles[i].mass;
            const int64_t other =
                grid->distance > 0 ? gas_grid_find_near(grid, grid->positions[first + i], masses[first + i])
                                   : -1;
            if (other >= 0)
                return refuse_pair(file, grid, (size_t)other, first + i);
            gas_grid_add(grid, first + i);
        }
    }
    return STATUS_OK;
}

enum status gas_file_check_apart(struct gas_file *file, const struct gas_physics *physics, double overflow)
{
    struct gas_grid grid;
    double *masses = malloc(file->file.count * sizeof *masses);
    gas_grid_shape(&grid, physics, fmax(overflow, gas_near_distance(physics, file->lightest)),
                   file->file.count);
    grid.overflow = overflow;
    grid.masses = masses;
    struct survey *survey = malloc(sizeof *survey);
    grid.heads = malloc(gas_grid_cells(&grid) * sizeof *grid.heads);
    grid.next = malloc(file->file.count * sizeof *grid.next);
    grid.positions = malloc(file->file.count * sizeof *grid.positions);
    const enum status status =
        survey && masses && grid.heads && grid.next && grid.positions
            ? find_overlap(file, &grid, masses, survey)
            : FAIL(STATUS_SYSTEM, "%s: no memory to search for particles that overlap", file->file.path);
    free(grid.positions);
    free(grid.next);
    free(grid.heads);
    free(masses);
    free(survey);
    return status;
}
