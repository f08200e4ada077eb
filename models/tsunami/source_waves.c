// Waves given by the job: series at the edges of the outermost grid, step by step; and the water's state at
// the start, from a file or as a solitary wave. Independent of the output.
#include "models/tsunami/instance.h"
#include "models/tsunami/source_field.h"

#include "core/log.h"

#include <math.h>

// ---- what comes in at an edge

static bool is_given(const struct tsunami_level *t, int side)
{
    return t->params.owns_source && t->params.source->waves[side].series;
}

// One record a step: a solver takes the edges as linear over a step, however fine the series.
enum status tsunami_waves_plan(struct tsunami_level *t, struct memory_plan *memory)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const struct tsunami_wave *wave = &t->params.source->waves[side];
        if (!is_given(t, side))
            continue;
        const size_t records = (size_t)t->steps + 1, samples = series_info(wave->series)->samples;
        const int columns = wave->has_velocity ? 3 : 2;
        t->given[side] =
            (struct tsunami_given_edge){.nodes = 1,
                                        .slots = records,
                                        .steps_per_record = 1,
                                        .has_velocity = wave->has_velocity || wave->is_travelling,
                                        .keeps_discharge = wave->keeps_discharge};
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, records, TSUNAMI_FIELDS,
                              (void **)&t->given[side].values, "wave %s", tsunami_side_names[side]));
        CHECK(memory_plan_add(memory, MEMORY_HOST, ELEMENT_F64, (size_t)columns, samples,
                              (void **)&t->wave_samples[side], "series %s", tsunami_side_names[side]));
    }
    return tsunami_field_plan(t, memory);
}

static enum status fail_on_land(const struct tsunami_level *t, enum tsunami_side side)
{
    return job_fail(
        t->job, "source.edges",
        "%s: a wave is given at an edge that is land all along: none of its nodes is deeper than %g m",
        tsunami_side_names[side], fmax(0, t->params.physics.wall_depth_m));
}

enum status tsunami_waves_check(const struct tsunami_level *t)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (is_given(t, side) && t->survey.edge_nodes[side] == 0)
            return fail_on_land(t, (enum tsunami_side)side);
    if (!tsunami_field_is_given(t))
        return STATUS_OK;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (t->params.edges[side] == TSUNAMI_EDGE_GIVEN && t->survey.edge_nodes[side] > 0)
            return STATUS_OK;
    return job_fail(t->job, "source.edges.field",
                    "no wave can come in: none of the nodes at the open edges is deeper than %g m",
                    fmax(0, t->params.physics.wall_depth_m));
}

// Height of the simple wave that enters at a side: one invariant is given, the other that of still water.
static double highest_at(const struct tsunami_level *t, int side, double depth_m)
{
    const struct tsunami_wave *wave = &t->params.source->waves[side];
    const struct series_info *info = series_info(wave->series);
    const double gravity = t->params.gravity_m_s2, c0 = sqrt(gravity * depth_m);
    const double e = sqrt(gravity * fmax(0, depth_m + info->highest[0])) - c0;
    const double inward = side == TSUNAMI_WEST || side == TSUNAMI_SOUTH ? info->highest[1] : -info->lowest[1];
    const double c = fmax(0, c0 + (wave->has_velocity ? 0.25 * (inward + 2 * e) : e));
    return fmax(0, c * c / gravity - depth_m);
}

struct tsunami_highest tsunami_waves_highest(const struct tsunami_level *t)
{
    static const char *const places[TSUNAMI_SIDES] = {"at the western edge", "at the eastern edge",
                                                      "at the southern edge", "at the northern edge"};
    struct tsunami_highest highest = {.depth_m = NAN};
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const double depth_m = t->survey.edge_depth_m[side];
        const double height_m = is_given(t, side) ? highest_at(t, side, depth_m) : 0;
        if (height_m > highest.height_m)
            highest = (struct tsunami_highest){places[side], height_m, depth_m};
    }
    const struct tsunami_solitary *solitary = &t->params.source->solitary;
    if (solitary->is_given && solitary->height_m > highest.height_m)
        highest = (struct tsunami_highest){"as a solitary wave", solitary->height_m, NAN};
    return highest;
}

// The water along one line of nodes: number of wet nodes and their mean depth. `place`: the line's column or
// row.
struct line_water {
    size_t nodes;
    double mean_depth_m, deepest_m;
};

static struct line_water line_water(const struct tsunami_level *t, bool is_column, size_t place)
{
    const struct tsunami_geometry *g = &t->geometry;
    const size_t count = is_column ? g->ny : g->nx;
    struct line_water water = {0};
    for (size_t k = 0; k < count; k++) {
        const double depth = is_column ? t->depth_m[k * g->pitch + place] : t->depth_m[place * g->pitch + k];
        if (!(depth > fmax(0, t->params.physics.wall_depth_m)))
            continue;
        water.nodes++;
        water.mean_depth_m += depth;
        water.deepest_m = fmax(water.deepest_m, depth);
    }
    if (water.nodes > 0)
        water.mean_depth_m /= (double)water.nodes;
    return water;
}

// Inward speed of a simple wave over still water: u = 2(√(g(d + η)) − √(g d)), without the cancellation
// (Stoker 1957, Water Waves, §10.8).
static double travelling_speed(double gravity_m_s2, double depth_m, double eta_m)
{
    const double c0 = sqrt(gravity_m_s2 * depth_m), c = sqrt(gravity_m_s2 * fmax(0, depth_m + eta_m));
    return 2 * gravity_m_s2 * fmax(-depth_m, eta_m) / (c + c0);
}

static void fill_records(struct tsunami_level *t, enum tsunami_side side, double depth_m)
{
    const struct tsunami_wave *wave = &t->params.source->waves[side];
    const size_t samples = series_info(wave->series)->samples;
    const double *times = t->wave_samples[side], *eta = times + samples, *velocity = eta + samples;
    const bool is_along_x = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    const double inwards = side == TSUNAMI_WEST || side == TSUNAMI_SOUTH ? 1 : -1;
    for (size_t r = 0; r < t->given[side].slots; r++) {
        const double time_s = t->start_s + (double)r * t->step_s - wave->start_s;
        double *record = t->given[side].values + r * TSUNAMI_FIELDS;
        double across = 0;
        record[0] = series_at(times, eta, samples, time_s);
        if (wave->has_velocity)
            across = series_at(times, velocity, samples, time_s);
        else if (wave->is_travelling)
            across = inwards * travelling_speed(t->geometry.gravity_m_s2, depth_m, record[0]);
        record[1] = is_along_x ? across : 0;
        record[2] = is_along_x ? 0 : across;
    }
}

// The first sample of the run whose level lies below the bed all along the edge.
static void warn_of_no_water(const struct tsunami_level *t, enum tsunami_side side, double deepest_m)
{
    const struct tsunami_wave *wave = &t->params.source->waves[side];
    const size_t samples = series_info(wave->series)->samples;
    const double *times = t->wave_samples[side], *eta = times + samples;
    for (size_t k = 0; k < samples; k++) {
        const double time_s = wave->start_s + times[k];
        if (eta[k] > -deepest_m || time_s < t->start_s || time_s > t->start_s + (double)t->steps * t->step_s)
            continue;
        log_warning("source.edges.%s: %s: at %g s of the file the level is %g m, below the bed of the whole "
                    "edge (%g m deep at most): there is no water to come in%s",
                    tsunami_side_names[side], wave->path, times[k], eta[k], deepest_m,
                    wave->keeps_discharge ? ", and no discharge can be kept" : "");
        return;
    }
}

static enum status read_wave(struct tsunami_level *t, enum tsunami_side side)
{
    const struct tsunami_wave *wave = &t->params.source->waves[side];
    const struct series_info *info = series_info(wave->series);
    double *samples = t->wave_samples[side];
    double *const values[SERIES_VALUES_MAX] = {samples + info->samples, samples + 2 * info->samples};
    const bool is_column = side == TSUNAMI_WEST || side == TSUNAMI_EAST;
    const size_t last = is_column ? t->geometry.nx - 1 : t->geometry.ny - 1;
    const struct line_water water =
        line_water(t, is_column, side == TSUNAMI_WEST || side == TSUNAMI_SOUTH ? 0 : last);
    if (water.nodes == 0)
        return fail_on_land(t, side);
    CHECK(series_read(wave->series, samples, values));
    warn_of_no_water(t, side, water.deepest_m);
    fill_records(t, side, water.mean_depth_m);
    const double end_s = t->start_s + (double)t->steps * t->step_s, last_s = wave->start_s + info->last_s;
    if (last_s < end_s)
        log_info("source.edges.%s: the wave is given until %g s; from then on the edge is open",
                 tsunami_side_names[side], last_s);
    return STATUS_OK;
}

// ---- a solitary wave

// Index of the coordinate nearest to `value`.
static size_t nearest_index(const double *axis, size_t count, double value)
{
    size_t nearest = 0;
    for (size_t k = 1; k < count; k++)
        if (fabs(axis[k] - value) < fabs(axis[nearest] - value))
            nearest = k;
    return nearest;
}

static bool is_solitary_along_x(const struct tsunami_solitary *wave)
{
    return wave->toward == TSUNAMI_WEST || wave->toward == TSUNAMI_EAST;
}

// Sets a solitary wave's depth from the outermost grid, for all grids of the run.
static enum status settle_solitary(struct tsunami_level *t)
{
    struct tsunami_solitary *wave = &t->params.source->solitary;
    const struct tsunami_geometry *g = &t->geometry;
    if (!wave->is_given || !isnan(wave->depth_m))
        return STATUS_OK;
    const bool is_along_x = is_solitary_along_x(wave);
    const size_t place = nearest_index(is_along_x ? g->x : g->y, is_along_x ? g->nx : g->ny, wave->crest_m);
    const struct line_water water = line_water(t, is_along_x, place);
    if (water.nodes == 0)
        return job_fail(t->job, "source.solitary.crest", "there is no water at %c = %g m",
                        is_along_x ? 'x' : 'y', wave->crest_m);
    wave->depth_m = water.mean_depth_m;
    log_detail("source.solitary: travels on a depth of %g m, the bathymetry's at its crest", wave->depth_m);
    CHECK_ABOUT(tsunami_solitary_check(wave), "%s", job_path(t->job));
    return STATUS_OK;
}

enum status tsunami_waves_read(struct tsunami_level *t)
{
    if (!t->params.owns_source)
        return STATUS_OK;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (is_given(t, side))
            CHECK(read_wave(t, (enum tsunami_side)side));
    CHECK(tsunami_field_read(t));
    return settle_solitary(t);
}

// η and velocity along the axis at a distance from the crest. The profile is Boussinesq's (1872), of the
// first order, or Serre's (1953), exact in his equations; u = √(g/d) η is what Synolakis (1987), J. Fluid
// Mech. 185, 523–545, starts his computations with; u = c η/(d + η) with c = √(g(d + H)) is mass conservation
// in the frame of the steady wave (Goring 1978, Caltech report KH-R-38).
static void solitary_at(const struct tsunami_solitary *wave, double gravity_m_s2, double distance_m,
                        double *eta_m, double *u_m_s)
{
    const double d = wave->depth_m, height = wave->height_m;
    const double sech = 1 / cosh(tsunami_solitary_decay_per_m(wave) * distance_m);
    const double forward = wave->toward == TSUNAMI_EAST || wave->toward == TSUNAMI_NORTH ? 1 : -1;
    *eta_m = height * sech * sech;
    *u_m_s = forward * (wave->is_exact ? sqrt(gravity_m_s2 * (d + height)) * *eta_m / (d + *eta_m)
                                       : sqrt(gravity_m_s2 / d) * *eta_m);
}

// ---- the state at the start

// Adds the solitary wave to a row: where the bottom lies below 0.
static void add_solitary(const struct tsunami_level *t, size_t row, double *eta_m, double *u_m_s,
                         double *v_m_s)
{
    const struct tsunami_solitary *wave = &t->params.source->solitary;
    const struct tsunami_geometry *g = &t->geometry;
    const bool is_along_x = is_solitary_along_x(wave);
    for (size_t i = 0; i < g->nx; i++) {
        double eta, along;
        if (!(t->depth_m[row * g->pitch + i] > 0))
            continue;
        solitary_at(wave, g->gravity_m_s2, (is_along_x ? g->x[i] : g->y[row]) - wave->crest_m, &eta, &along);
        eta_m[i] += eta;
        *(is_along_x ? &u_m_s[i] : &v_m_s[i]) += along;
    }
}

// Where the shore moves: land is wet only if the job floods it, and η is nowhere below the ground. Films too
// thin to flow are removed, except on the undisturbed sea: rounding in a file makes no puddles.
static void dry_row(const struct tsunami_level *t, size_t row, double *eta_m, double *u_m_s, double *v_m_s)
{
    const double *depth = t->depth_m + row * t->geometry.pitch;
    for (size_t i = 0; i < t->geometry.nx; i++) {
        const double flow_m = eta_m[i] + depth[i];
        const bool may_be_wet = depth[i] > 0 || t->params.source->initial_floods_land;
        const bool is_sea_undrawn = depth[i] > 0 && eta_m[i] >= 0;
        if (is_sea_undrawn || (may_be_wet && flow_m > t->params.physics.minimum_depth_m))
            continue;
        eta_m[i] = -depth[i];
        u_m_s[i] = v_m_s[i] = 0;
    }
}

static enum status set_state(struct tsunami_level *t)
{
    const size_t nx = t->geometry.nx;
    double *rows[TSUNAMI_FIELDS];
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        rows[f] = tsunami_row_buffer(t, f);
    for (size_t j = t->own.first; j < t->own.end; j++) {
        for (int f = 0; f < TSUNAMI_FIELDS; f++)
            for (size_t i = 0; i < nx; i++)
                rows[f][i] = t->initial[f] ? (double)t->initial[f][j * nx + i] : 0;
        if (t->params.source->solitary.is_given)
            add_solitary(t, j, rows[0], rows[1], rows[2]);
        if (tsunami_level_floods(t))
            dry_row(t, j, rows[0], rows[1], rows[2]);
        t->backend->set(t->solver, j, 0, nx, rows[0], rows[1], rows[2]);
    }
    return solver_touch(&t->backend->head, t->solver, false);
}

enum status tsunami_source_start(struct tsunami_level *t)
{
    if (t->initial[0] || t->params.source->solitary.is_given)
        CHECK(set_state(t));
    if (!t->params.owns_source || !t->backend->take_edges)
        return STATUS_OK;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (t->params.source->waves[side].series) // all edges of a grid have as many slots
            return t->backend->take_edges(t->solver, 0, t->given[side].slots);
    if (tsunami_field_is_given(t))
        return t->backend->take_edges(t->solver, 0, tsunami_field_slots(t));
    return STATUS_OK;
}
