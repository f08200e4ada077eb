// Particles from a file, in reduced units: opened, looked through once and then read again into place. Knows no back end.
#include "io/particles.h"
#include "io/path.h"
#include "io/units.h"
#include "models/gas/initial_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSITION, VELOCITY, MASS, QUANTITIES };
enum { COMPONENTS = 3 }; // in the file

static const double most = 1e12; // of any number; keys.c

struct gas_file {
    const struct job *job;
    char path[PATH_BYTES], mass_path[PATH_BYTES]; // mass_path: "" for the same
    struct particles *parts[QUANTITIES];          // NULL: none
    double particle_mass;                         // if there are no masses
    size_t count;
};

// ---- opening

// A file must not say that it holds metres; AMBER's fixed words are let pass, since every reader of such trajectories wants them
// there.
static enum status check_units(const struct gas_file *file, int q)
{
    static const char *const amber[QUANTITIES] = {"angstrom", "angstrom/picosecond", ""};
    const struct particles_info *info = particles_info(file->parts[q]);
    double slope, offset;
    if (!info->units[0] || strcmp(info->units, "1") == 0 || strcmp(info->units, amber[q]) == 0)
        return STATUS_OK;
    if (units_conversion(info->units, "1", &slope, &offset) == STATUS_OK && slope == 1)
        return STATUS_OK;
    status_clear();
    return FAIL(STATUS_DATA,
                "%s: variable %s is in \"%s\": numbers in reduced units, without a unit, are expected",
                info->path, info->variable, info->units);
}

static enum status open_quantity(struct gas_file *file, int q)
{
    static const enum particles_quantity kinds[QUANTITIES] = {PARTICLES_POSITION, PARTICLES_VELOCITY,
                                                              PARTICLES_MASS};
    static const char *const keys[QUANTITIES] = {"particles.file.position", "particles.file.velocity",
                                                 "particles.file.mass"};
    const struct job *job = file->job;
    const bool is_elsewhere = q == MASS && file->mass_path[0];
    const int64_t frame =
        job_has(job, "particles.file.frame") ? job_integer(job, "particles.file.frame") : -1;
    CHECK(particles_open(is_elsewhere ? file->mass_path : file->path, kinds[q], job_string(job, keys[q]),
                         is_elsewhere ? -1 : frame, &file->parts[q]));
    const struct particles_info *info = particles_info(file->parts[q]);
    const struct particles_info *places = particles_info(file->parts[POSITION]);
    if (q == POSITION) {
        file->count = info->count;
        if (frame >= 0 && info->frames == 0)
            return job_fail(job, "particles.file.frame", "%s: variable %s has no frames", info->path,
                            info->variable);
    }
    if (q == VELOCITY && info->frames != places->frames)
        return FAIL(STATUS_DATA, "%s: variable %s has %zu frames, but %s has %zu", info->path, info->variable,
                    info->frames, places->variable, places->frames);
    if (info->count != file->count)
        return FAIL(STATUS_DATA, "%s: variable %s has %zu particles, but %s has %zu", info->path,
                    info->variable, info->count, places->variable, file->count);
    return check_units(file, q);
}

static enum status find_paths(struct gas_file *file)
{
    const struct job *job = file->job;
    CHECK_KEY(job, "particles.file.file",
              path_find(job_string(job, "particles.file.file"), job_directory(job), file->path));
    if (job_has(job, "particles.file.mass_file"))
        CHECK_KEY(
            job, "particles.file.mass_file",
            path_find(job_string(job, "particles.file.mass_file"), job_directory(job), file->mass_path));
    return STATUS_OK;
}

static enum status open_file(struct gas_file *file, bool has_velocities)
{
    const struct job *job = file->job;
    const bool has_mass = job_has(job, "particles.file.particle_mass");
    if (has_mass && (job_has(job, "particles.file.mass") || job_has(job, "particles.file.mass_file")))
        return job_fail(job, "particles.file.particle_mass",
                        "the masses are to come from a file, too: one of the two is expected");
    file->particle_mass = has_mass ? job_number(job, "particles.file.particle_mass") : NAN;
    CHECK(find_paths(file));
    CHECK_KEY(job, "particles.file", open_quantity(file, POSITION));
    if (has_velocities)
        CHECK_KEY(job, "particles.file", open_quantity(file, VELOCITY));
    if (!has_mass)
        CHECK_KEY(job, "particles.file (masses; or particle_mass)", open_quantity(file, MASS));
    if (file->count < 2 || file->count > GAS_COUNT_MAX)
        return FAIL(STATUS_DATA, "%s: variable %s has %zu particle%s: 2 to %d are expected", file->path,
                    gas_file_positions(file), file->count, file->count == 1 ? "" : "s", GAS_COUNT_MAX);
    return STATUS_OK;
}

enum status gas_file_open(const struct job *job, bool has_velocities, struct gas_file **file)
{
    struct gas_file *made = *file = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for a file of particles");
    made->job = job;
    return open_file(made, has_velocities);
}

void gas_file_close(struct gas_file *file)
{
    if (!file)
        return;
    for (int q = 0; q < QUANTITIES; q++)
        particles_close(file->parts[q]);
    free(file);
}

size_t gas_file_count(const struct gas_file *file)
{
    return file->count;
}

const char *gas_file_path(const struct gas_file *file)
{
    return file->path;
}

const char *gas_file_positions(const struct gas_file *file)
{
    return particles_info(file->parts[POSITION])->variable;
}

bool gas_file_masses(const struct gas_file *file, double *mass)
{
    *mass = file->particle_mass;
    return file->parts[MASS];
}

int gas_file_inputs(const struct gas_file *file, const char **paths)
{
    paths[0] = file->path;
    paths[1] = file->mass_path;
    return file->mass_path[0] ? 2 : 1;
}

size_t gas_file_cache_bytes(const struct gas_file *file)
{
    size_t bytes = 0;
    for (int q = 0; q < QUANTITIES; q++)
        bytes += file->parts[q] ? particles_cache_bytes(file->parts[q]) : 0;
    return bytes;
}

// ---- reading

static enum status refuse(const struct gas_file *file, int q, size_t id, int axis, double value)
{
    const struct particles_info *info = particles_info(file->parts[q]);
    char where[24] = "", shown[80] = "missing or not a number";
    if (info->components > 1)
        snprintf(where, sizeof where, ", component %c", "xyz"[axis]);
    if (isinf(value))
        snprintf(shown, sizeof shown, "%g: not finite", value);
    else if (q == MASS && value <= 0)
        snprintf(shown, sizeof shown, "%g: a mass above 0 is expected", value);
    else if (!isnan(value))
        snprintf(shown, sizeof shown, "%g: at most %g is expected", value, most);
    return FAIL(STATUS_DATA, "%s: variable %s: particle %zu (counted from 0)%s: %s", info->path,
                info->variable, id, where, shown);
}

// The scratch holds a vector of each particle, and then one of three variables.
static enum status read_quantity(struct gas_file *file, int q, size_t first, size_t count,
                                 struct gas_particle *particles, double *scratch)
{
    const int components = q == MASS ? 1 : GAS_AXES;
    const size_t stride = q == MASS ? 1 : COMPONENTS;
    CHECK(particles_read(file->parts[q], first, count, scratch, scratch + COMPONENTS * GAS_FILE_BLOCK));
    for (size_t i = 0; i < count; i++) {
        double *to = q == POSITION   ? particles[i].position
                     : q == VELOCITY ? particles[i].velocity
                                     : &particles[i].mass;
        for (int k = 0; k < components; k++) {
            const double value = scratch[i * stride + (size_t)k];
            if (!(fabs(value) <= most) || (q == MASS && value <= 0))
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
    for (int q = 0; q < QUANTITIES; q++)
        if (file->parts[q])
            CHECK(read_quantity(file, q, first, count, particles, scratch));
    return STATUS_OK;
}

static size_t block_from(const struct gas_file *file, size_t first)
{
    return file->count - first < GAS_FILE_BLOCK ? file->count - first : GAS_FILE_BLOCK;
}

// ---- looking through

struct look {
    struct gas_particle particles[GAS_FILE_BLOCK];
    double scratch[(COMPONENTS + 1) * GAS_FILE_BLOCK];
};

static enum status look_through(struct gas_file *file, struct look *look, bool *is_moving)
{
    for (size_t first = 0; first < file->count; first += GAS_FILE_BLOCK) {
        const size_t count = block_from(file, first);
        CHECK(gas_file_read(file, first, count, look->particles, look->scratch));
        for (size_t i = 0; i < count; i++) {
            const double *v = look->particles[i].velocity;
            *is_moving |= v[GAS_X] != 0 || v[GAS_Y] != 0;
        }
    }
    return STATUS_OK;
}

enum status gas_file_survey(struct gas_file *file, bool *is_moving)
{
    struct look *look = malloc(sizeof *look);
    *is_moving = false;
    if (!look)
        return FAIL(STATUS_SYSTEM, "%s: no memory to look through it", file->path);
    const enum status status = look_through(file, look, is_moving);
    free(look);
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
                return FAIL(
                    STATUS_DATA,
                    "%s: variable %s: particle %zu (counted from 0), component %c: %.9g lies outside the "
                    "box, 0 to %.9g",
                    file->path, gas_file_positions(file), first + i, "xy"[axis], *x, length);
        }
    return STATUS_OK;
}

static enum status refuse_pair(const struct gas_file *file, const struct gas_grid *grid, size_t a, size_t b)
{
    const double *first = grid->places[a], *second = grid->places[b];
    return FAIL(
        STATUS_DATA,
        "%s: variable %s: particles %zu and %zu (counted from 0) overlap: they lie at (%.9g, %.9g) and "
        "(%.9g, %.9g); nearer than %.3g the force overflows",
        file->path, gas_file_positions(file), a, b, first[GAS_X], first[GAS_Y], second[GAS_X], second[GAS_Y],
        grid->distance);
}

static enum status find_overlap(struct gas_file *file, struct gas_grid *grid, struct look *look)
{
    gas_grid_clear(grid);
    for (size_t first = 0; first < file->count; first += GAS_FILE_BLOCK) {
        const size_t count = block_from(file, first);
        CHECK(gas_file_read(file, first, count, look->particles, look->scratch));
        CHECK(gas_file_take_in(file, grid->physics, first, count, look->particles));
        for (size_t i = 0; i < count; i++) {
            memcpy(grid->places[first + i], look->particles[i].position, sizeof *grid->places);
            const int64_t other = grid->distance > 0 ? gas_grid_find_near(grid, grid->places[first + i]) : -1;
            if (other >= 0)
                return refuse_pair(file, grid, (size_t)other, first + i);
            gas_grid_add(grid, first + i);
        }
    }
    return STATUS_OK;
}

enum status gas_file_check_apart(struct gas_file *file, const struct gas_physics *physics, double distance)
{
    struct gas_grid grid;
    gas_grid_shape(&grid, physics, distance, file->count);
    struct look *look = malloc(sizeof *look);
    grid.heads = malloc(gas_grid_cells(&grid) * sizeof *grid.heads);
    grid.next = malloc(file->count * sizeof *grid.next);
    grid.places = malloc(file->count * sizeof *grid.places);
    const enum status status =
        look && grid.heads && grid.next && grid.places
            ? find_overlap(file, &grid, look)
            : FAIL(STATUS_SYSTEM, "%s: no memory to look for particles that overlap", file->path);
    free(grid.places);
    free(grid.next);
    free(grid.heads);
    free(look);
    return status;
}
