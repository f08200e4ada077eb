// The blocks `physics` and `domain` of a gas job: forces, thermostat, box and walls.
#include "models/gas/params_private.h"
#include "models/params.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

// ---- names

const char *const gas_potential_names[GAS_POTENTIALS] = {[GAS_NO_FORCE] = "none",
                                                         [GAS_LOG] = "log",
                                                         [GAS_REAL_GAS] = "real-gas",
                                                         [GAS_CONDENSING] = "condensing",
                                                         [GAS_LENNARD_JONES] = "lennard-jones",
                                                         [GAS_LENNARD_JONES_FORCE_SHIFTED] =
                                                             "lj-force-shifted"};
const char *const gas_wall_names[GAS_WALLS] = {[GAS_REFLECT] = "reflect",
                                               [GAS_VELOCITY_FLIP] = "velocity-flip",
                                               [GAS_FLIP_AND_MIRROR] = "flip-and-mirror",
                                               [GAS_A_PRIORI] = "a-priori",
                                               [GAS_DAMPED] = "damped",
                                               [GAS_PERIODIC] = "periodic",
                                               [GAS_SOFT] = "soft",
                                               [GAS_FIELD_CORRECTED] = "field-corrected"};
const char *const gas_side_names[GAS_SIDES] = {
    [GAS_LEFT] = "left", [GAS_RIGHT] = "right", [GAS_BOTTOM] = "bottom", [GAS_TOP] = "top"};

// ---- vectors

// [x, y], each from `low` to `high` in size; `to` stays if the key is not there.
static enum status read_vector(const struct job *job, const char *key, double low, double high, double *to)
{
    const cJSON *item = job_json(job, key);
    if (!item)
        return STATUS_OK;
    if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != GAS_AXES)
        return job_fail(job, key, "a list of two numbers, [x, y], is expected");
    for (int axis = 0; axis < GAS_AXES; axis++) {
        const cJSON *number = cJSON_GetArrayItem(item, axis);
        if (!cJSON_IsNumber(number))
            return job_fail(job, key,
                            "number %d of the two is not a number: bare numbers, [x, y], are expected",
                            axis + 1);
        const double value = number->valuedouble;
        if (!(value >= low && value <= high))
            return job_fail(job, key, "%g is out of range: %g to %g is expected", value, low, high);
        to[axis] = value;
    }
    return STATUS_OK;
}

// ---- physics

static void read_potential(const struct job *job, struct gas_physics *physics)
{
    physics->potential = (enum gas_potential)params_choice(job_string(job, "physics.potential.name"),
                                                           gas_potential_names, GAS_POTENTIALS);
    physics->attraction = job_number(job, "physics.potential.attraction");
    physics->attraction2 = job_number(job, "physics.potential.attraction2");
    physics->repulsion =
        job_has(job, "physics.potential.repulsion")
            ? job_number(job, "physics.potential.repulsion")
            : physics->attraction + (physics->potential == GAS_CONDENSING ? physics->attraction2 : 0);
    physics->well_depth = job_number(job, "physics.potential.well_depth");
    physics->diameter = job_number(job, "physics.potential.diameter");
    physics->softening = job_number(job, "physics.potential.softening");
    physics->has_repulsion_everywhere = job_boolean(job, "physics.potential.repulsion_everywhere");
    physics->is_smooth = job_boolean(job, "physics.potential.smooth");
    if (!gas_has_cut_off(physics))
        return;
    physics->cut_off = job_has(job, "physics.potential.cut_off")
                           ? job_number(job, "physics.potential.cut_off")
                       : gas_is_lennard_jones(physics) ? 2.5 * physics->diameter
                                                       : 2;
}

static void read_thermostat(const struct job *job, struct gas_physics *physics)
{
    if (!job_has(job, "physics.thermostat"))
        return;
    physics->thermostat =
        strcmp(job_string(job, "physics.thermostat.name"), "bussi") == 0 ? GAS_BUSSI : GAS_LANGEVIN;
    physics->temperature = job_number(job, "physics.thermostat.temperature");
    physics->friction = job_number(job, "physics.thermostat.friction");
    physics->relaxation_time = job_number(job, "physics.thermostat.relaxation_time");
    physics->seed = (uint64_t)job_integer(job, "physics.thermostat.seed");
}

enum status gas_params_read_physics(const struct job *job, struct gas_params *p)
{
    struct gas_physics *physics = &p->physics;
    read_potential(job, physics);
    read_thermostat(job, physics);
    physics->limiters.energy = job_number(job, "physics.limiters.mean_energy");
    physics->limiters.jump = job_number(job, "physics.limiters.speed_jump");
    physics->integrator =
        strcmp(job_string(job, "method.integrator"), "leapfrog") == 0 ? GAS_LEAPFROG : GAS_SYMPLECTIC_EULER;
    return read_vector(job, "physics.gravity", -1e12, 1e12, physics->gravity);
}

// ---- walls

static enum status read_wall(const struct job *job, const char *key, const cJSON *item, enum gas_wall *wall)
{
    static const char expected[] =
        "reflect, velocity-flip, flip-and-mirror, a-priori, damped, periodic, soft and field-corrected";
    const char *word = cJSON_GetStringValue(item);
    if (!word)
        return job_fail(job, key, "no text is given: the kind of a wall, one of %s, is expected", expected);
    for (int k = 0; k < GAS_WALLS; k++)
        if (strcmp(word, gas_wall_names[k]) == 0) {
            *wall = (enum gas_wall)k;
            return STATUS_OK;
        }
    const char *nearest = suggest_word(word, gas_wall_names, GAS_WALLS);
    return job_fail(job, key, "\"%.40s\" is not a kind of wall: one of %s is expected%s%s%s", word, expected,
                    nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
}

static enum status read_side(const struct job *job, const cJSON *item, struct gas_physics *physics)
{
    char key[80];
    snprintf(key, sizeof key, "domain.walls.%.40s", item->string);
    for (int side = 0; side < GAS_SIDES; side++)
        if (strcmp(item->string, gas_side_names[side]) == 0)
            return read_wall(job, key, item, &physics->walls[side]);
    return job_fail(job, key, "unknown side: left, right, bottom and top are expected");
}

static enum status read_walls(const struct job *job, struct gas_physics *physics)
{
    const cJSON *item = job_json(job, "domain.walls");
    for (int side = 0; side < GAS_SIDES; side++)
        physics->walls[side] = GAS_REFLECT;
    if (cJSON_IsObject(item)) {
        for (const cJSON *child = item->child; child; child = child->next)
            CHECK(read_side(job, child, physics));
    } else if (item) {
        enum gas_wall wall;
        CHECK(read_wall(job, "domain.walls", item, &wall));
        for (int side = 0; side < GAS_SIDES; side++)
            physics->walls[side] = wall;
    }
    physics->damping = job_has(job, "domain.damping") ? job_number(job, "domain.damping") : 0;
    physics->stiffness = job_has(job, "domain.stiffness") ? job_number(job, "domain.stiffness") : 0;
    if (gas_has_wall(physics, GAS_DAMPED) && !job_has(job, "domain.damping"))
        return job_fail(job, "domain.damping",
                        "is missing: damped walls need the share of speed that is lost");
    if (gas_has_wall(physics, GAS_SOFT) && !job_has(job, "domain.stiffness"))
        return job_fail(job, "domain.stiffness", "is missing: soft walls need their force per depth");
    return STATUS_OK;
}

// ---- box

enum status gas_params_read_box(const struct job *job, struct gas_params *p)
{
    static const double shortest = 1e-8, longest = 1e8; // as the lengths in keys.c
    double *box = p->physics.box;
    const bool has_size = job_has(job, "domain.size");
    if (has_size == job_has(job, "domain.density"))
        return job_fail(job, "domain", "one of size and density is expected, not %s",
                        has_size ? "both" : "none");
    CHECK(read_vector(job, "domain.size", shortest, longest, box));
    if (!has_size) {
        const double area = (double)p->count / job_number(job, "domain.density");
        box[GAS_X] = sqrt(area * job_number(job, "domain.aspect"));
        box[GAS_Y] = area / box[GAS_X];
        if (!(fmin(box[GAS_X], box[GAS_Y]) >= shortest && fmax(box[GAS_X], box[GAS_Y]) <= longest))
            return job_fail(job, "domain.density",
                            "%g makes a box of %g by %g: sides from %g to %g are expected",
                            job_number(job, "domain.density"), box[GAS_X], box[GAS_Y], shortest, longest);
    }
    return read_walls(job, &p->physics);
}
