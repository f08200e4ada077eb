// Bodies from a file, in the job's units: opened, checked once, and then read into place.
#include "core/statistics.h"
#include "io/job/units.h"
#include "io/units.h"
#include "models/nbody/initial_private.h"
#include "models/nbody/units.h"
#include "models/particles/file.h"

#include <stdlib.h>
#include <string.h>

enum { POSITION = PARTICLES_POSITION, VELOCITY = PARTICLES_VELOCITY, MASS = PARTICLES_MASS };
enum { QUANTITIES = PARTICLES_FILE_QUANTITIES };
enum { BINADES = 4300 }; // more than the exponents of doubles

// In the job's units (m, m/s, kg, or unitless): beyond these, sums over the bodies and powers of distances
// leave the range of doubles. The observable universe is 1e27 m wide.
static const double most[QUANTITIES] = {[POSITION] = 1e30, [VELOCITY] = 1e30, [MASS] = 1e100};
static const double least_size = 1e-30; // of the box around all bodies

struct nbody_file {
    struct particles_file file;
    double slope[QUANTITIES];
    double body_mass; // if there are no masses
    bool is_centred, is_si;
    double centre[NBODY_AXES], drift[NBODY_AXES]; // taken away from all: centre of mass, its velocity
};

// ---- opening

static const char *const si_units[QUANTITIES] = {"m", "m s-1", "kg"};

static const char *const unit_keys[QUANTITIES] = {
    "particles.file.units.position", "particles.file.units.velocity", "particles.file.units.mass"};

// In units "nbody" a file whose numbers have a unit is refused.
static enum status settle_units(void *context, enum particles_quantity q)
{
    struct nbody_file *file = context;
    const struct job *job = file->file.job;
    const struct particles_info *info = particles_info(file->file.parts[q]);
    const char *own = job_string(job, unit_keys[q]);
    const char *units = own ? own : info->units;
    double offset;
    file->slope[q] = 1;
    if (!file->is_si)
        return particles_file_is_bare(&file->file, q)
                   ? STATUS_OK
                   : job_fail(job, "units",
                              "%s: variable %s is in \"%s\", but the job is in units nbody (G = 1); did you "
                              "mean si?",
                              info->path, info->variable, info->units);
    if (!units[0])
        return job_fail(job, unit_keys[q], "%s: variable %s does not say its units: %s?", info->path,
                        info->variable, si_units[q]);
    CHECK_ABOUT(units_conversion(units, si_units[q], &file->slope[q], &offset),
                "%s: variable %s: units \"%s\"", info->path, info->variable, units);
    return STATUS_OK;
}

// The job's units against those that the file states.
static enum status check_units(const struct nbody_file *file)
{
    struct units_override override = {.job = file->file.job, .key = "particles.file.override"};
    for (int q = 0; q < QUANTITIES; q++) {
        if (!file->file.parts[q])
            continue;
        const struct particles_info *info = particles_info(file->file.parts[q]);
        const struct stated_units stated = {
            .path = info->path, .variable = info->variable, .units = info->units};
        CHECK(job_units_check(&override, unit_keys[q], &stated));
    }
    job_units_end(&override, file->file.path);
    return STATUS_OK;
}

enum status nbody_file_open(const struct job *job, struct nbody_file **file)
{
    static const char mass_key[] = "particles.file.body_mass";
    struct nbody_file *made = *file = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for a file of bodies");
    made->is_si = nbody_units_is_si(job);
    made->is_centred = job_boolean(job, "particles.file.centred");
    made->body_mass = job_has(job, mass_key) ? job_reduced(job, mass_key) : NAN;
    made->file = (struct particles_file){.job = job,
                                         .one = "body",
                                         .many = "bodies",
                                         .mass_key = mass_key,
                                         .most = NBODY_COUNT_MAX,
                                         .has_velocities = !job_boolean(job, "particles.file.at_rest"),
                                         .settle_units = settle_units,
                                         .context = made};
    CHECK(particles_file_open(&made->file));
    return made->is_si ? check_units(made) : STATUS_OK;
}

void nbody_file_close(struct nbody_file *file)
{
    if (file)
        particles_file_close(&file->file);
    free(file);
}

const struct particles_file *nbody_file_base(const struct nbody_file *file)
{
    return &file->file;
}

// ---- reading

static enum status refuse(const struct nbody_file *file, int q, size_t body, int axis, double value)
{
    char complaint[64];
    if (q == MASS && value < 0)
        snprintf(complaint, sizeof complaint, "%g: a mass below 0", value);
    else
        snprintf(complaint, sizeof complaint, "%g%s%s: at most %g is expected", value, file->is_si ? " " : "",
                 file->is_si ? si_units[q] : "", most[q]);
    return particles_file_refuse(&file->file, (enum particles_quantity)q, body, axis, value, complaint);
}

// The scratch holds a vector of each body, and then one of three variables.
static enum status read_quantity(struct nbody_file *file, int q, size_t first, size_t count,
                                 struct nbody_body *bodies, double *scratch)
{
    const int components = q == MASS ? 1 : NBODY_AXES;
    CHECK(particles_read(file->file.parts[q], first, count, scratch, scratch + 3 * NBODY_FILE_BLOCK));
    for (size_t i = 0; i < count; i++) {
        double *to = q == POSITION   ? bodies[i].position
                     : q == VELOCITY ? bodies[i].velocity
                                     : &bodies[i].mass;
        for (int k = 0; k < components; k++) {
            const double value = scratch[i * (size_t)components + (size_t)k] * file->slope[q];
            if (!(fabs(value) <= most[q]) || (q == MASS && value < 0))
                return refuse(file, q, first + i, k, value);
            to[k] = value;
        }
    }
    return STATUS_OK;
}

enum status nbody_file_read(struct nbody_file *file, size_t first, size_t count, struct nbody_body *bodies,
                            double *scratch)
{
    for (size_t i = 0; i < count; i++)
        bodies[i] = (struct nbody_body){.mass = file->body_mass};
    for (int q = 0; q < QUANTITIES; q++)
        if (file->file.parts[q])
            CHECK(read_quantity(file, q, first, count, bodies, scratch));
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < NBODY_AXES; k++) {
            bodies[i].position[k] -= file->centre[k];
            bodies[i].velocity[k] -= file->drift[k];
        }
    return STATUS_OK;
}

// ---- the survey

struct survey {
    struct nbody_body bodies[NBODY_FILE_BLOCK];
    double scratch[4 * NBODY_FILE_BLOCK];
    struct running_sum mass, moments[2 * NBODY_AXES];
    double low[2 * NBODY_AXES], high[2 * NBODY_AXES];       // of positions, then of velocities
    size_t lowest[2 * NBODY_AXES], highest[2 * NBODY_AXES]; // which bodies
    double binades[BINADES]; // mass by the exponent of the distance from the centre of mass
};

static double component(const struct nbody_body *body, int k)
{
    return k < NBODY_AXES ? body->position[k] : body->velocity[k - NBODY_AXES];
}

static void add_block(struct survey *survey, size_t first, size_t count)
{
    double values[NBODY_FILE_BLOCK];
    for (size_t i = 0; i < count; i++)
        values[i] = survey->bodies[i].mass;
    running_sum_add(&survey->mass, values, count);
    for (int k = 0; k < 2 * NBODY_AXES; k++) {
        for (size_t i = 0; i < count; i++) {
            const double value = component(&survey->bodies[i], k);
            if (value < survey->low[k]) {
                survey->low[k] = value;
                survey->lowest[k] = first + i;
            }
            if (value > survey->high[k]) {
                survey->high[k] = value;
                survey->highest[k] = first + i;
            }
            values[i] = survey->bodies[i].mass * value;
        }
        running_sum_add(&survey->moments[k], values, count);
    }
}

static void add_distances(struct survey *survey, const double centre[NBODY_AXES], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct nbody_body *body = &survey->bodies[i];
        const double r = hypot(hypot(body->position[0] - centre[0], body->position[1] - centre[1]),
                               body->position[2] - centre[2]);
        const int binade = r > 0 ? ilogb(r) + BINADES / 2 : 0;
        survey->binades[binade] += body->mass;
    }
}

// All blocks of the file: sums and box, or (with a centre) distances from it.
static enum status scan(struct nbody_file *file, struct survey *survey, const double *centre)
{
    for (size_t first = 0; first < file->file.count; first += NBODY_FILE_BLOCK) {
        const size_t left = file->file.count - first,
                     count = left < NBODY_FILE_BLOCK ? left : NBODY_FILE_BLOCK;
        CHECK(nbody_file_read(file, first, count, survey->bodies, survey->scratch));
        if (centre)
            add_distances(survey, centre, count);
        else
            add_block(survey, first, count);
    }
    return STATUS_OK;
}

// The power of two below the distance that holds half of the mass: the run's length, in SI units. Scaling by
// it is exact.
static double half_mass_binade(const struct survey *survey, double mass)
{
    double sum = 0;
    for (int k = 0; k < BINADES; k++) {
        sum += survey->binades[k];
        if (sum >= 0.5 * mass && k > 0)
            return ldexp(1, k - BINADES / 2);
    }
    return NAN;
}

// Component k of the bodies lies between these, from `middle`.
static void stretch(const struct survey *survey, int k, double middle, double *largest, size_t *body)
{
    if (survey->high[k] - middle > *largest) {
        *largest = survey->high[k] - middle;
        *body = survey->highest[k];
    }
    if (middle - survey->low[k] > *largest) {
        *largest = middle - survey->low[k];
        *body = survey->lowest[k];
    }
}

static enum status finish_survey(struct nbody_file *file, struct survey *survey, struct nbody_extent *extent)
{
    double centre[2 * NBODY_AXES]; // and its velocity
    *extent = (struct nbody_extent){.mass = running_sum_total(&survey->mass)};
    if (!(extent->mass > 0) || !isfinite(extent->mass))
        return FAIL(STATUS_DATA, "%s: the masses add up to %g: a finite number above 0 is expected",
                    file->file.path, extent->mass);
    for (int k = 0; k < 2 * NBODY_AXES; k++) {
        centre[k] = running_sum_total(&survey->moments[k]) / extent->mass;
        stretch(survey, k, file->is_centred ? centre[k] : 0,
                k < NBODY_AXES ? &extent->largest_position : &extent->largest_velocity,
                k < NBODY_AXES ? &extent->furthest : &extent->fastest);
        extent->size = k < NBODY_AXES ? fmax(extent->size, survey->high[k] - survey->low[k]) : extent->size;
    }
    if (extent->size == 0)
        return FAIL(STATUS_DATA, "%s: variable %s: all %zu bodies lie at one point, (%g, %g, %g)",
                    file->file.path, particles_file_positions(&file->file), file->file.count, survey->low[0],
                    survey->low[1], survey->low[2]);
    if (extent->size < least_size)
        return FAIL(STATUS_DATA,
                    "%s: variable %s: all %zu bodies lie within a box of %g%s: at least %g is expected",
                    file->file.path, particles_file_positions(&file->file), file->file.count, extent->size,
                    file->is_si ? " m" : "", least_size);
    CHECK(scan(file, survey, centre));
    const double half = half_mass_binade(survey, extent->mass);
    extent->length =
        half > 0 && isfinite(half) ? half : ldexp(1, ilogb(extent->size)); // half of the mass at one point
    extent->offset = file->is_centred ? 0 : hypot(hypot(centre[0], centre[1]), centre[2]);
    if (file->is_centred) {
        memcpy(file->centre, centre, sizeof file->centre);
        memcpy(file->drift, centre + NBODY_AXES, sizeof file->drift);
    }
    return STATUS_OK;
}

enum status nbody_file_survey(struct nbody_file *file, struct nbody_extent *extent)
{
    struct survey *survey = calloc(1, sizeof *survey);
    if (!survey)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read it", file->file.path);
    for (int k = 0; k < 2 * NBODY_AXES; k++) {
        survey->low[k] = INFINITY;
        survey->high[k] = -INFINITY;
    }
    enum status status = scan(file, survey, NULL);
    if (status == STATUS_OK)
        status = finish_survey(file, survey, extent);
    free(survey);
    return status;
}
