// Bodies in a netCDF file: see particles.h.
#include "io/formats/particles.h"

#include "io/netcdf/dataset.h"
#include "io/netcdf/netcdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, NAMES_MAX = 4 };

static const struct {
    const char *noun;
    const char *names[NAMES_MAX]; // of one variable; the first that exists is used
    const char *components[AXES]; // or of three variables
    const char *text;
} quantities[] = {
    [PARTICLES_POSITION] = {"positions",
                            {"position", "positions", "coordinates", "pos"},
                            {"x", "y", "z"},
                            "position, positions, coordinates, pos, or x y z"},
    [PARTICLES_VELOCITY] = {"velocities",
                            {"velocity", "velocities", "vel"},
                            {"vx", "vy", "vz"},
                            "velocity, velocities, vel, or vx vy vz"},
    [PARTICLES_MASS] = {"masses", {"mass", "masses", "m"}, {NULL}, "mass, masses, or m"},
};

struct particles {
    struct dataset *file;
    enum particles_quantity quantity;
    int variable_count; // 1, or 3
    const struct dataset_variable *variables[AXES];
    struct netcdf_packing packings[AXES];
    char name[AXES * DATASET_NAME_BYTES];
    struct particles_info info;
    size_t frame;
};

// ---- which variables

static enum status fail_absent(const struct particles *p)
{
    char known[DATASET_LIST_BYTES];
    dataset_list(p->file, NULL, NULL, known, sizeof known);
    return FAIL(STATUS_DATA, "%s: no %s: expected a variable %s (it has: %s)", p->info.path,
                quantities[p->quantity].noun, quantities[p->quantity].text, known);
}

// Adds the variable with that name.
static enum status add_variable(struct particles *p, const char *name)
{
    char use[32];
    snprintf(use, sizeof use, " for the %s", quantities[p->quantity].noun);
    return dataset_require(p->file, name, use, &p->variables[p->variable_count++]);
}

// `names` holds one name, or three.
static enum status find_named(struct particles *p, const char *names)
{
    char copy[AXES * DATASET_NAME_BYTES], *rest = copy;
    if (snprintf(copy, sizeof copy, "%s", names) >= (int)sizeof copy)
        return FAIL(STATUS_DATA, "%s: a name of a variable is too long", p->info.path);
    for (char *name = strtok_r(copy, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        if (p->variable_count == AXES || (p->variable_count > 0 && p->info.components == 1))
            return FAIL(STATUS_DATA, "%s: variables \"%.80s\" for the %s: expected one name%s", p->info.path,
                        names, quantities[p->quantity].noun, p->info.components == 1 ? "" : ", or three");
        CHECK(add_variable(p, name));
    }
    if (p->variable_count != 1 && p->variable_count != AXES)
        return FAIL(STATUS_DATA, "%s: variables \"%.80s\" for the %s: expected one name, or three",
                    p->info.path, names, quantities[p->quantity].noun);
    return STATUS_OK;
}

static enum status find_usual(struct particles *p)
{
    for (int k = 0; k < NAMES_MAX && quantities[p->quantity].names[k]; k++) {
        p->variables[0] = dataset_find(p->file, quantities[p->quantity].names[k]);
        p->variable_count = 1;
        if (p->variables[0])
            return STATUS_OK;
    }
    p->variable_count = 0;
    for (int axis = 0; axis < AXES && quantities[p->quantity].components[axis]; axis++) {
        const char *name = quantities[p->quantity].components[axis];
        if (axis == 0 && !dataset_find(p->file, name))
            break;
        CHECK(add_variable(p, name));
    }
    return p->variable_count == AXES ? STATUS_OK : fail_absent(p);
}

// ---- their shape

static void shape_text(const struct dataset_variable *variable, char text[static 128])
{
    size_t used = (size_t)snprintf(text, 128, "(");
    for (int k = 0; k < variable->rank && used < 100; k++)
        used += (size_t)snprintf(text + used, 128 - used, "%s%zu", k ? ", " : "", variable->lengths[k]);
    snprintf(text + used, 128 - used, ")");
}

static enum status check_shape(struct particles *p, const struct dataset_variable *variable)
{
    const bool is_vector = p->info.components == AXES && p->variable_count == 1;
    const int plain = is_vector ? 2 : 1;
    const bool has_frames = variable->rank == plain + 1;
    char shape[128];
    shape_text(variable, shape);
    if (variable->kind != DATASET_NUMBERS)
        return FAIL(STATUS_DATA, "%s: variable %s does not hold numbers", p->info.path, variable->name);
    if ((variable->rank != plain && !has_frames) ||
        (is_vector && variable->lengths[plain - 1 + has_frames] != AXES))
        return FAIL(STATUS_DATA, "%s: variable %s has the shape %s: expected %s", p->info.path,
                    variable->name, shape,
                    is_vector ? "(bodies, 3) or (frames, bodies, 3)" : "(bodies) or (frames, bodies)");
    const size_t count = variable->lengths[has_frames], frames = has_frames ? variable->lengths[0] : 0;
    if (has_frames && frames == 0)
        return FAIL(STATUS_DATA, "%s: variable %s has no frames", p->info.path, variable->name);
    if (variable != p->variables[0] && (count != p->info.count || frames != p->info.frames))
        return FAIL(STATUS_DATA, "%s: variable %s has the shape %s, unlike %s", p->info.path, variable->name,
                    shape, p->variables[0]->name);
    if (strcmp(variable->units, p->variables[0]->units) != 0)
        return FAIL(STATUS_DATA, "%s: variable %s is in \"%s\", but %s in \"%s\"", p->info.path,
                    variable->name, variable->units, p->variables[0]->name, p->variables[0]->units);
    p->info.count = count;
    p->info.frames = frames;
    return count > 0 ? STATUS_OK
                     : FAIL(STATUS_DATA, "%s: variable %s has no bodies", p->info.path, variable->name);
}

static enum status open_particles(const char *variable, int64_t frame, struct particles *p)
{
    p->info.path = dataset_path(p->file);
    p->info.components = p->quantity == PARTICLES_MASS ? 1 : AXES;
    CHECK(variable ? find_named(p, variable) : find_usual(p));
    p->info.units = p->variables[0]->units;
    for (int k = 0; k < p->variable_count; k++) {
        CHECK(check_shape(p, p->variables[k]));
        CHECK(dataset_packing(p->file, p->variables[k], &p->packings[k]));
        strncat(p->name, k ? " " : "", sizeof p->name - strlen(p->name) - 1);
        strncat(p->name, p->variables[k]->name, sizeof p->name - strlen(p->name) - 1);
    }
    p->info.variable = p->name;
    if (p->info.frames > 0 && frame >= 0 && (uint64_t)frame >= p->info.frames)
        return FAIL(STATUS_DATA, "%s: variable %s: frame %lld was asked for, it has %zu (counted from 0)",
                    p->info.path, p->name, (long long)frame, p->info.frames);
    p->frame = p->info.frames == 0 ? 0 : frame >= 0 ? (size_t)frame : p->info.frames - 1;
    return STATUS_OK;
}

enum status particles_open(const char *path, enum particles_quantity quantity, const char *variable,
                           int64_t frame, struct particles **particles)
{
    struct particles *made = *particles = calloc(1, sizeof *made);
    if (!made)
        return FAIL(STATUS_SYSTEM, "%s: no memory to open it", path);
    made->quantity = quantity;
    enum status status = dataset_open(path, &made->file);
    if (status == STATUS_OK)
        status = open_particles(variable, frame, made);
    if (status != STATUS_OK) {
        particles_close(made);
        *particles = NULL;
    }
    return status;
}

void particles_close(struct particles *particles)
{
    if (!particles)
        return;
    dataset_close(particles->file);
    free(particles);
}

const struct particles_info *particles_info(const struct particles *particles)
{
    return &particles->info;
}

size_t particles_cache_bytes(const struct particles *particles)
{
    size_t bytes = 0;
    for (int k = 0; k < particles->variable_count; k++)
        bytes += dataset_cache_bytes(particles->variables[k]);
    return bytes;
}

// ---- values

enum status particles_read(struct particles *p, size_t first, size_t count, double *values, double *scratch)
{
    const size_t components = p->info.components, has_frames = p->info.frames > 0;
    size_t starts[AXES] = {p->frame, first, 0}, counts[AXES] = {1, count, AXES};
    netcdf_prepare_thread();
    if (p->variable_count == 1)
        return dataset_read(p->file, p->variables[0], &p->packings[0], starts + !has_frames,
                            counts + !has_frames, values);
    for (size_t k = 0; k < components; k++) {
        CHECK(dataset_read(p->file, p->variables[k], &p->packings[k], starts + !has_frames,
                           counts + !has_frames, scratch));
        for (size_t i = 0; i < count; i++)
            values[i * components + k] = scratch[i];
    }
    return STATUS_OK;
}
