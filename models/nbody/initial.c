// The bodies at the start: see initial.h.
#include "models/nbody/initial.h"

#include "core/statistics.h"
#include "models/nbody/initial_private.h"
#include "models/nbody/units.h"
#include "models/team.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const struct nbody_recipe *const recipes[] = {&nbody_recipe_plummer, &nbody_recipe_cube,
                                                     &nbody_recipe_sphere,  &nbody_recipe_encounter,
                                                     &nbody_recipe_kepler,  &nbody_recipe_figure_eight};
enum { RECIPES = sizeof recipes / sizeof *recipes };

enum { BLOCK = STATISTICS_BLOCK, WINDOW = 64 * BLOCK };

// What a group was before it was put to rest.
struct group_sums {
    struct running_sum mass, moments[2 * NBODY_AXES], squares; // Σ m, Σ m x, Σ m v, Σ m v²
};

struct nbody_initial {
    struct nbody_generator generator;
    struct nbody_file *file; // NULL: generated
    struct nbody_extent extent;
    struct nbody_body *bodies; // of a file all; else a window
    double *scratch;
    size_t count;
};

// ---- making it

static enum status use_generator(const struct job *job, const struct nbody_recipe *recipe,
                                 struct nbody_initial *initial)
{
    struct nbody_generator *g = &initial->generator;
    CHECK(recipe->read(job, g));
    const double reach = g->radius * (recipe->reach > 0 ? recipe->reach : g->cutoff);
    const struct nbody_units units = nbody_units_make(nbody_units_is_si(job), g->radius, g->mass);
    initial->count = g->count;
    initial->extent = (struct nbody_extent){
        .length = g->radius,
        .mass = g->mass,
        .largest_position = reach,
        .size = 2 * reach,
        .largest_velocity = sqrt(g->mass / units.mass * units.length / g->radius) * units.velocity};
    g->radius /= units.length;
    g->mass /= units.mass;
    g->sample = recipe->sample;
    g->group_count = 1;
    g->groups[0] = (struct nbody_group){.count = g->count, .kinetic = NAN};
    return recipe->prepare ? recipe->prepare(g) : STATUS_OK;
}

static enum status use_file(const struct job *job, struct nbody_initial *initial)
{
    CHECK(nbody_file_open(job, &initial->file));
    initial->count = nbody_file_base(initial->file)->count;
    return nbody_file_survey(initial->file, &initial->extent);
}

enum status nbody_initial_create(const struct job *job, struct nbody_initial **initial, size_t *count)
{
    static const char choices[] =
        "file, plummer, uniform-cube, cold-collapse, encounter, kepler and figure-eight";
    const struct nbody_recipe *chosen = NULL;
    int blocks = job_has(job, "particles.file");
    struct nbody_initial *made = *initial = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "no memory for the bodies at the start");
    for (int k = 0; k < RECIPES; k++)
        if (job_has(job, recipes[k]->key)) {
            chosen = recipes[k];
            blocks++;
        }
    if (blocks != 1)
        return job_fail(job, "particles", "needs one of %s, not %d of them", choices, blocks);
    CHECK(chosen ? use_generator(job, chosen, made) : use_file(job, made));
    *count = made->count;
    return STATUS_OK;
}

void nbody_initial_destroy(struct nbody_initial *initial)
{
    if (!initial)
        return;
    nbody_file_close(initial->file);
    nbody_galaxies_free(initial->generator.galaxies);
    free(initial);
}

struct nbody_extent nbody_initial_extent(const struct nbody_initial *initial)
{
    return initial->extent;
}

int nbody_initial_inputs(const struct nbody_initial *initial, const char **paths)
{
    return initial->file ? particles_file_inputs(nbody_file_base(initial->file), paths) : 0;
}

// ---- bodies of a file that lie at one point

struct place {
    double position[NBODY_AXES];
    size_t body;
};

static int compare_places(const void *first, const void *second)
{
    const struct place *a = first, *b = second;
    for (int axis = 0; axis < NBODY_AXES; axis++)
        if (a->position[axis] != b->position[axis])
            return a->position[axis] < b->position[axis] ? -1 : 1;
    return a->body < b->body ? -1 : a->body > b->body;
}

static enum status read_places(const struct nbody_initial *initial, const struct nbody_units *units,
                               enum element precision, struct place *places, struct nbody_body *block)
{
    double *scratch = (double *)(block + NBODY_FILE_BLOCK);
    for (size_t first = 0; first < initial->count; first += NBODY_FILE_BLOCK) {
        const size_t left = initial->count - first, count = left < NBODY_FILE_BLOCK ? left : NBODY_FILE_BLOCK;
        CHECK(nbody_file_read(initial->file, first, count, block, scratch));
        for (size_t i = 0; i < count; i++) {
            places[first + i].body = first + i;
            for (int axis = 0; axis < NBODY_AXES; axis++) {
                const double x = block[i].position[axis] / units->length;
                places[first + i].position[axis] =
                    precision == ELEMENT_F32 ? element_rounded_to_single(x) : x;
            }
        }
    }
    return STATUS_OK;
}

static enum status find_pair(const struct nbody_initial *initial, const struct nbody_units *units,
                             enum element precision, const struct place *places)
{
    for (size_t i = 1; i < initial->count; i++) {
        const struct place *a = &places[i - 1], *b = &places[i];
        if (a->position[0] != b->position[0] || a->position[1] != b->position[1] ||
            a->position[2] != b->position[2])
            continue;
        return FAIL(STATUS_DATA,
                    "%s: bodies %zu and %zu (counted from 0) lie at one point%s, (%g, %g, %g)%s%s, and "
                    "without physics.softening their attraction has no bound",
                    nbody_file_base(initial->file)->path, a->body, b->body,
                    precision == ELEMENT_F32 ? " of single precision" : "", a->position[0] * units->length,
                    a->position[1] * units->length, a->position[2] * units->length, units->is_si ? " " : "",
                    units->is_si ? units->length_name : "");
    }
    return STATUS_OK;
}

enum status nbody_initial_check_apart(const struct nbody_initial *initial, const struct nbody_units *units,
                                      double softening, enum element precision)
{
    if (!initial->file || softening > 0)
        return STATUS_OK;
    const size_t block_bytes =
        NBODY_FILE_BLOCK * sizeof(struct nbody_body) + 4 * NBODY_FILE_BLOCK * sizeof(double);
    struct place *places = malloc(initial->count * sizeof *places);
    struct nbody_body *block = malloc(block_bytes);
    enum status status = STATUS_OK;
    if (!places || !block)
        status = FAIL(STATUS_SYSTEM, "%s: no memory to search for bodies at one point",
                      nbody_file_base(initial->file)->path);
    else
        status = read_places(initial, units, precision, places, block);
    if (status == STATUS_OK) {
        qsort(places, initial->count, sizeof *places, compare_places);
        status = find_pair(initial, units, precision, places);
    }
    free(block);
    free(places);
    return status;
}

// ---- plan, prepare

enum status nbody_initial_plan(struct nbody_initial *initial, struct memory_plan *plan)
{
    const size_t numbers = sizeof(struct nbody_body) / sizeof(double);
    if (!initial->file) {
        const size_t rows = initial->count < WINDOW ? initial->count : WINDOW;
        return memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, rows, numbers, (void **)&initial->bodies,
                               "window of bodies at the start");
    }
    const size_t cache_bytes = particles_file_cache_bytes(nbody_file_base(initial->file));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, initial->count, numbers, (void **)&initial->bodies,
                          "bodies at the start"));
    CHECK(memory_plan_add(plan, MEMORY_HOST, ELEMENT_F64, 4, NBODY_FILE_BLOCK, (void **)&initial->scratch,
                          "block of the file of bodies"));
    return cache_bytes > 0 ? memory_plan_add_library(plan, cache_bytes, "netCDF chunks of the bodies")
                           : STATUS_OK;
}

enum status nbody_initial_prepare(struct nbody_initial *initial)
{
    if (!initial->file)
        return STATUS_OK;
    for (size_t first = 0; first < initial->count; first += NBODY_FILE_BLOCK) {
        const size_t left = initial->count - first, count = left < NBODY_FILE_BLOCK ? left : NBODY_FILE_BLOCK;
        CHECK(nbody_file_read(initial->file, first, count, initial->bodies + first, initial->scratch));
    }
    return STATUS_OK;
}

// ---- generated bodies

// Bodies first … first + count − 1 about their groups' centres, as sampled.
struct sample_work {
    struct nbody_initial *initial;
    size_t first, count;
};

enum { SAMPLED = 64 }; // bodies that a thread takes at a time

static void sample_piece(void *context, size_t piece)
{
    const struct sample_work *work = context;
    const struct nbody_generator *g = &work->initial->generator;
    for (size_t i = piece * SAMPLED; i < work->count && i < (piece + 1) * SAMPLED; i++) {
        struct nbody_draws draws = {.key = philox_key_from_seed(g->seed), .index = work->first + i};
        work->initial->bodies[i] = (struct nbody_body){0};
        g->sample(g, &draws, work->first + i, &work->initial->bodies[i]);
    }
}

static void sample(struct nbody_initial *initial, size_t first, size_t count)
{
    struct sample_work work = {initial, first, count};
    team_for(omp_get_max_threads(), (count + SAMPLED - 1) / SAMPLED, sample_piece, &work);
}

static void add_to_sums(struct group_sums *sums, const struct nbody_body *bodies, size_t count)
{
    double values[BLOCK];
    for (size_t i = 0; i < count; i++)
        values[i] = bodies[i].mass;
    running_sum_add(&sums->mass, values, count);
    for (int k = 0; k < 2 * NBODY_AXES; k++) {
        for (size_t i = 0; i < count; i++)
            values[i] = bodies[i].mass *
                        (k < NBODY_AXES ? bodies[i].position[k] : bodies[i].velocity[k - NBODY_AXES]);
        running_sum_add(&sums->moments[k], values, count);
    }
    for (size_t i = 0; i < count; i++) {
        const double *v = bodies[i].velocity;
        values[i] = bodies[i].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    running_sum_add(&sums->squares, values, count);
}

// The part of bodies first … first + count − 1 that is the group's.
static size_t common_part(const struct nbody_group *group, size_t first, size_t count, size_t *begin)
{
    const size_t end = first + count, group_end = group->first + group->count;
    *begin = first > group->first ? first : group->first;
    const size_t last = end < group_end ? end : group_end;
    return last > *begin ? last - *begin : 0;
}

static void sum_groups(struct nbody_initial *initial, struct group_sums sums[static NBODY_GROUPS_MAX])
{
    const struct nbody_generator *g = &initial->generator;
    for (size_t first = 0; first < initial->count; first += WINDOW) {
        const size_t left = initial->count - first, count = left < WINDOW ? left : WINDOW;
        sample(initial, first, count);
        for (int k = 0; k < g->group_count; k++) {
            size_t begin;
            const size_t part = common_part(&g->groups[k], first, count, &begin);
            for (size_t i = 0; i < part; i += BLOCK)
                add_to_sums(&sums[k], initial->bodies + (begin - first) + i,
                            part - i < BLOCK ? part - i : BLOCK);
        }
    }
}

// How a group's bodies are moved: x → x + shift, v → factor · v + kick.
struct motion {
    double shift[NBODY_AXES], kick[NBODY_AXES], factor;
};

static struct motion motion_of(const struct nbody_group *group, const struct group_sums *sums)
{
    struct motion motion = {.factor = 1};
    const double mass = running_sum_total(&sums->mass);
    double mean[NBODY_AXES], own = running_sum_total(&sums->squares);
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        mean[axis] = running_sum_total(&sums->moments[NBODY_AXES + axis]) / mass;
        own -= mass * mean[axis] * mean[axis];
    }
    if (!isnan(group->kinetic))
        motion.factor = own > 0 ? sqrt(2 * group->kinetic / own) : 0;
    for (int axis = 0; axis < NBODY_AXES; axis++) {
        motion.shift[axis] = group->position[axis] - running_sum_total(&sums->moments[axis]) / mass;
        motion.kick[axis] = group->velocity[axis] - motion.factor * mean[axis];
    }
    return motion;
}

static void move(struct nbody_body *bodies, size_t count, const struct motion *motion)
{
    for (size_t i = 0; i < count; i++)
        for (int axis = 0; axis < NBODY_AXES; axis++) {
            bodies[i].position[axis] += motion->shift[axis];
            bodies[i].velocity[axis] = motion->factor * bodies[i].velocity[axis] + motion->kick[axis];
        }
}

static void apply_generator(struct nbody_initial *initial, const struct nbody_backend *backend,
                            struct solver *solver)
{
    const struct nbody_generator *g = &initial->generator;
    struct group_sums sums[NBODY_GROUPS_MAX] = {0};
    struct motion motions[NBODY_GROUPS_MAX];
    sum_groups(initial, sums);
    for (int k = 0; k < g->group_count; k++)
        motions[k] = motion_of(&g->groups[k], &sums[k]);
    for (size_t first = 0; first < initial->count; first += WINDOW) {
        const size_t left = initial->count - first, count = left < WINDOW ? left : WINDOW;
        sample(initial, first, count);
        for (int k = 0; k < g->group_count; k++) {
            size_t begin;
            const size_t part = common_part(&g->groups[k], first, count, &begin);
            move(initial->bodies + (begin - first), part, &motions[k]);
        }
        backend->set(solver, first, count, initial->bodies);
    }
}

static void apply_file(struct nbody_initial *initial, const struct nbody_units *units,
                       const struct nbody_backend *backend, struct solver *solver)
{
    struct nbody_body block[256];
    for (size_t first = 0; first < initial->count; first += 256) {
        const size_t left = initial->count - first, count = left < 256 ? left : 256;
        for (size_t i = 0; i < count; i++) {
            block[i] = initial->bodies[first + i];
            block[i].mass /= units->mass;
            for (int axis = 0; axis < NBODY_AXES; axis++) {
                block[i].position[axis] /= units->length;
                block[i].velocity[axis] /= units->velocity;
            }
        }
        backend->set(solver, first, count, block);
    }
}

enum status nbody_initial_apply(struct nbody_initial *initial, const struct nbody_units *units,
                                const struct nbody_backend *backend, struct solver *solver)
{
    if (initial->file)
        apply_file(initial, units, backend, solver);
    else
        apply_generator(initial, backend, solver);
    return STATUS_OK;
}
