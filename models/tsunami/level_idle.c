// Warns of keys in a job that have no effect. (Mistakes are refused by params*.c.) Independent of the state.
#include "models/tsunami/instance.h"

#include <string.h>

// Why the key has no effect in a grid; NULL: it has.
typedef const char *idle_reason(const struct tsunami_level *t);

static const char *no_shore_moves(const struct tsunami_level *t)
{
    return tsunami_level_floods(t) ? NULL : "with this method no shore moves";
}

static const char *no_wall_stands(const struct tsunami_level *t)
{
    return tsunami_level_floods(t) ? "with this method the shore moves, and no depth is a wall" : NULL;
}

static const char *bottom_stays(const struct tsunami_level *t)
{
    return tsunami_level_floods(t) ? "with this method the bottom stays as it is" : NULL;
}

static bool is_plane(const struct tsunami_level *t)
{
    return !t->params.window.is_geographic;
}

static const char *plane_does_not_turn(const struct tsunami_level *t)
{
    return job_boolean(t->job, "physics.coriolis") && is_plane(t) && t->params.plane_coriolis_per_s == 0
               ? "a plane grid turns with physics.coriolis_parameter, which is 0"
               : NULL;
}

static const char *rotation_is_off(const struct tsunami_level *t)
{
    return job_boolean(t->job, "physics.coriolis") ? NULL : "physics.coriolis is false";
}

static const char *plane_is_not_curved(const struct tsunami_level *t)
{
    return job_boolean(t->job, "physics.curvature") && is_plane(t) ? "the grid is a plane" : NULL;
}

static const char *plane_has_no_radius(const struct tsunami_level *t)
{
    return is_plane(t) ? "the grid is a plane" : NULL;
}

static const char *no_earth_turns(const struct tsunami_level *t)
{
    return is_plane(t) ? "a plane grid turns with physics.coriolis_parameter" : rotation_is_off(t);
}

static const char *no_fault_slips(const struct tsunami_level *t)
{
    return t->params.source->faults.count == 0 ? "the job has no faults" : NULL;
}

static const char *nothing_lifts_slopes(const struct tsunami_level *t)
{
    return t->params.source->has_slope_term ? no_fault_slips(t) : NULL;
}

static const char *uplift_has_its_times(const struct tsunami_level *t)
{
    const struct grid_file *file = t->params.source->displacement;
    return file && grid_info(file)->records > 1 ? "the file has a time axis, which is followed" : NULL;
}

static const char *land_is_never_flooded(const struct tsunami_level *t)
{
    return t->params.source->initial_floods_land ? no_shore_moves(t) : NULL;
}

static const char *nothing_is_checked(const struct tsunami_level *t)
{
    return t->params.check_steps == 0 ? "no steps are checked without check.reference_steps" : NULL;
}

static const char *nothing_is_counted(const struct tsunami_level *t)
{
    return t->params.arrival_count > 0 || t->params.drawdown_m > 0 || t->params.points.count > 0
               ? NULL
               : "the job asks for neither output.arrival nor output.drawdown";
}

static const struct idle_key {
    const char *key;
    idle_reason *reason;
    bool is_of_run; // reported once for the run, and valid for all of its grids
} idle_keys[] = {
    {"physics.minimum_depth", no_shore_moves, false},
    {"physics.wall_depth", no_wall_stands, false},
    {"physics.steepness_limit", bottom_stays, false},
    {"physics.coriolis", plane_does_not_turn, false},
    {"physics.coriolis_parameter", rotation_is_off, false},
    {"physics.curvature", plane_is_not_curved, false},
    {"physics.earth_radius", plane_has_no_radius, false},
    {"physics.rotation_rate", no_earth_turns, false},
    {"source.extent", no_fault_slips, false},
    {"source.horizontal", nothing_lifts_slopes, false},
    {"source.displacement.rise", uplift_has_its_times, false},
    {"source.initial.floods_land", land_is_never_flooded, true},
    {"check.tolerance", nothing_is_checked, false},
    {"output.arrival_from", nothing_is_counted, false},
};

// Whether a grid's part of the job has the key. Keys of the source and the check count for the outermost grid
// alone.
static bool has_key(const struct tsunami_level *t, const char *key)
{
    const bool is_of_run = strncmp(key, "source.", 7) == 0 || strncmp(key, "check.", 6) == 0;
    return !(t->parent && is_of_run) && job_has(t->job, key);
}

// The grid in whose part of the job the key is written.
static const struct tsunami_level *owner_of(const struct tsunami_level *t, const char *key)
{
    while (t->parent && job_is_inherited(t->job, key))
        t = t->parent;
    return t;
}

// Why a grid's own key has no effect there and in the grids that inherit it.
static const char *reason_of(const struct tsunami *run, const struct tsunami_level *t,
                             const struct idle_key *idle)
{
    const char *reason = idle->reason(t);
    for (int k = 0; k < run->level_count && reason; k++) {
        const struct tsunami_level *other = run->levels[k];
        const bool counts = idle->is_of_run || (has_key(other, idle->key) && owner_of(other, idle->key) == t);
        if (other != t && counts && !idle->reason(other))
            reason = NULL;
    }
    return reason;
}

void tsunami_warn_of_idle_keys(const struct tsunami *run)
{
    for (int k = 0; k < run->level_count; k++) {
        const struct tsunami_level *t = run->levels[k];
        for (size_t i = 0; i < sizeof idle_keys / sizeof *idle_keys; i++) {
            const char *key = idle_keys[i].key;
            if (!has_key(t, key) || owner_of(t, key) != t)
                continue;
            const char *reason = reason_of(run, t, &idle_keys[i]);
            if (reason)
                job_warn(t->job, key, "has no effect: %s", reason);
        }
    }
}
