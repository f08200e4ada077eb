// Job → checked parameters of a tsunami run. Opens input files and reads their headers and tables; no array
// of the grid is read or reserved here.
#include "models/params.h"
#include "models/tsunami/params_private.h"

#include "core/log.h"
#include "io/date.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct job_part_rules tsunami_nested_rules = {
    .inherited = "physics|method|limiter|output|backend|precision|time.duration|time.origin",
    .left_out =
        "output.directory|output.fields.longitude|output.fields.latitude|output.fields.x|output.fields.y|"
        "output.points|output.zones|output.threat_levels|output.travel_time|"
        "output.travel_time_share|output.products",
};

static const char elevation_resolution_key[] = "output.fields.resolution.elevation",
                  velocity_resolution_key[] = "output.fields.resolution.velocity";

static const char *const field_names[TSUNAMI_FIELD_COUNT] = {"eta", "u", "v", "speed", "flux"};
static const char *const maxima_names[TSUNAMI_MAXIMA_COUNT] = {
    "depth",     "max_eta",       "time_of_max",         "max_speed",      "max_flux",
    "max_depth", "hazard_rating", "inundation_duration", "first_drawdown", "arrival"};

static enum status read_range(const struct job *job, const char *key, bool *is_given, double range[2])
{
    *is_given = job_has(job, key);
    if (!*is_given)
        return STATUS_OK;
    if (job_list_length(job, key) != 2)
        return job_fail(job, key, "needs two values, lower and upper limit");
    range[0] = job_list_quantity(job, key, 0);
    range[1] = job_list_quantity(job, key, 1);
    return STATUS_OK;
}

void tsunami_params_warn_of_override(const struct job *job, const char *key, bool overrides, const char *path,
                                     const char *set_aside)
{
    const char *block_end = strrchr(key, '.');
    char block[96];
    snprintf(block, sizeof block, "%.*s", (int)(block_end - key), key);
    if (set_aside[0])
        job_warn(job, overrides ? key : block, "%s: %s", path, set_aside);
    else if (overrides)
        job_warn(job, key, "has no effect: nothing that is given beside it contradicts %s", path);
}

static enum status open_bathymetry(const struct job *job, struct tsunami_params *p)
{
    CHECK_KEY(job, "domain.bathymetry.file",
              path_find(job_string(job, "domain.bathymetry.file"), job_directory(job), p->bathymetry_path));
    const char *positive = job_string(job, "domain.bathymetry.positive");
    const char *axes = job_string(job, "domain.bathymetry.axes");
    const struct grid_request request = {
        .path = p->bathymetry_path,
        .variable = job_string(job, "domain.bathymetry.variable"),
        .positive = !positive                     ? GRID_AS_FILE
                    : strcmp(positive, "up") == 0 ? GRID_POSITIVE_UP
                                                  : GRID_POSITIVE_DOWN,
        .units = job_string(job, "domain.bathymetry.units"),
        .overrides = job_boolean(job, "domain.bathymetry.override"),
        .target_units = "m",
        .format = GRID_FORMAT_AUTO,
        .time_index = -1,
        .axes = !axes                        ? GRID_AXES_AS_FILE
                : strcmp(axes, "plane") == 0 ? GRID_AXES_PLANE
                                             : GRID_AXES_GEOGRAPHIC,
    };
    CHECK_KEY(job, "domain.bathymetry", grid_open(&request, &p->bathymetry));
    return STATUS_OK;
}

const char *tsunami_params_bathymetry_unit(const struct job *job, const struct tsunami_params *params)
{
    const char *units = job_string(job, "domain.bathymetry.units");
    return units ? units : grid_info(params->bathymetry)->file_units;
}

static enum status read_window(const struct job *job, struct tsunami_params *p)
{
    const bool is_geographic = grid_info(p->bathymetry)->is_geographic;
    const char *const keys[2][2] = {{"domain.longitude", "domain.latitude"}, {"domain.x", "domain.y"}};
    for (int k = 0; k < 2; k++)
        if (job_has(job, keys[is_geographic ? 1 : 0][k]))
            return job_fail(job, keys[is_geographic ? 1 : 0][k], "the grid %s has %s; use %s",
                            p->bathymetry_path,
                            is_geographic ? "longitudes and latitudes" : "x and y in metres",
                            keys[is_geographic ? 0 : 1][k]);
    struct grid_window_request *request = &p->window_request;
    CHECK(read_range(job, keys[is_geographic ? 0 : 1][0], &request->has_x, request->x_range));
    CHECK(read_range(job, keys[is_geographic ? 0 : 1][1], &request->has_y, request->y_range));
    request->missing_value = job_quantity(job, "domain.bathymetry.missing");
    request->outside_value = NAN;
    if (job_has(job, "domain.spacing")) {
        const char *unit = is_geographic ? "degree" : "m";
        CHECK_KEY(job, "domain.spacing",
                  units_parse_quantity(job_string(job, "domain.spacing"), unit, &request->spacing[0]));
        if (!(request->spacing[0] > 0))
            return job_fail(job, "domain.spacing", "must be larger than 0");
        request->spacing[1] = request->spacing[0];
    }
    CHECK_KEY(job, "domain", grid_window_resolve(p->bathymetry, request, &p->window));
    return STATUS_OK;
}

static const char *const edge_keys[TSUNAMI_SIDES] = {"domain.edges.west", "domain.edges.east",
                                                     "domain.edges.south", "domain.edges.north"};

static enum tsunami_edge edge_of(const char *word)
{
    return strcmp(word, "open") == 0   ? TSUNAMI_EDGE_OPEN
           : strcmp(word, "wall") == 0 ? TSUNAMI_EDGE_WALL
                                       : TSUNAMI_EDGE_PERIODIC;
}

// A nested grid's edges are given by its parent unless the job has them.
static enum status read_nested_edges(const struct job *job, struct tsunami_params *p)
{
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        p->edges[side] =
            job_has(job, edge_keys[side]) ? edge_of(job_string(job, edge_keys[side])) : TSUNAMI_EDGE_GIVEN;
        if (p->edges[side] == TSUNAMI_EDGE_PERIODIC)
            return job_fail(job, edge_keys[side],
                            "a nested grid cannot be periodic; its edges are open, wall, or, where nothing "
                            "is said, given by its parent");
    }
    return STATUS_OK;
}

static enum status read_edges(const struct job *job, struct tsunami_params *p)
{
    if (p->is_nested)
        return read_nested_edges(job, p);
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        p->edges[side] = edge_of(job_string(job, edge_keys[side]));
    for (int side = 0; side < TSUNAMI_SIDES; side += 2)
        if ((p->edges[side] == TSUNAMI_EDGE_PERIODIC) != (p->edges[side + 1] == TSUNAMI_EDGE_PERIODIC))
            return job_fail(job, edge_keys[side], "periodic needs the opposite edge periodic too");
    if (p->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC && p->window.is_geographic && !p->window.covers_globe)
        return job_fail(
            job, edge_keys[TSUNAMI_WEST],
            "periodic in longitude needs a domain once round the Earth, without a repeated column");
    if (p->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC && p->window.is_geographic)
        return job_fail(job, edge_keys[TSUNAMI_SOUTH], "periodic in latitude has no meaning on the sphere");
    return STATUS_OK;
}

static double smallest_difference(const double *axis, size_t count)
{
    double smallest = INFINITY;
    for (size_t k = 0; k + 1 < count; k++)
        smallest = fmin(smallest, axis[k + 1] - axis[k]);
    return smallest;
}

double tsunami_params_spacing_m(const struct tsunami_params *p)
{
    const struct grid_window *w = &p->window;
    const double dx = smallest_difference(w->x, w->nx), dy = smallest_difference(w->y, w->ny);
    if (!w->is_geographic)
        return fmin(dx, dy);
    const double radian = acos(-1.0) / 180;
    const double furthest = fmax(fabs(w->y[0]), fabs(w->y[w->ny - 1]));
    return p->earth_radius_m * radian * fmin(dy, dx * cos(furthest * radian));
}

static const char *const method_names[] = {[TSUNAMI_VTCS2] = "vtcs2",
                                           [TSUNAMI_VTCS2_O2] = "vtcs2-o2",
                                           [TSUNAMI_MUSCL_HANCOCK] = "muscl-hancock",
                                           [TSUNAMI_VTCS2_SHORE] = "vtcs2-shore",
                                           [TSUNAMI_C_GRID_6] = "c-grid-6"};

const char *tsunami_method_name(enum tsunami_method method)
{
    return method_names[method];
}

static enum tsunami_method method_of(const char *name)
{
    for (size_t k = 0; k < sizeof method_names / sizeof *method_names; k++)
        if (strcmp(method_names[k], name) == 0)
            return (enum tsunami_method)k;
    return TSUNAMI_VTCS2_O2; // not reached: the table of keys has all names
}

static const char *const limiter_names[] = {
    [TSUNAMI_VAN_LEER] = "van-leer", [TSUNAMI_MC] = "mc", [TSUNAMI_THIRD_ORDER] = "third-order"};

const char *tsunami_limiter_name(enum tsunami_limiter limiter)
{
    return limiter_names[limiter];
}

// A child need not have its parent's method, so an inherited limiter may find no slopes.
static enum status read_limiter(const struct job *job, struct tsunami_params *p)
{
    const char *name = job_string(job, "limiter");
    if (!tsunami_method_has_cells(p->physics.method)) {
        if (job_has(job, "limiter") && !job_is_inherited(job, "limiter"))
            return job_fail(job, "limiter", "method \"%s\" limits no slopes; \"%s\" does: leave one out",
                            tsunami_method_name(p->physics.method),
                            tsunami_method_name(TSUNAMI_MUSCL_HANCOCK));
        return STATUS_OK;
    }
    for (size_t k = 0; k < sizeof limiter_names / sizeof *limiter_names; k++)
        if (strcmp(limiter_names[k], name) == 0)
            p->physics.limiter = (enum tsunami_limiter)k;
    return STATUS_OK;
}

// A child need not have its parent's method, nor its parent's type of it.
static enum status read_eddy_viscosity(const struct job *job, struct tsunami_params *p)
{
    static const char type_key[] = "physics.eddy_viscosity.type",
                      value_key[] = "physics.eddy_viscosity.value",
                      coefficient_key[] = "physics.eddy_viscosity.coefficient";
    if (!job_has(job, type_key))
        return STATUS_OK;
    const bool is_constant = strcmp(job_string(job, type_key), "constant") == 0;
    const char *other_key = is_constant ? coefficient_key : value_key;
    if (!tsunami_method_stirs(p->physics.method))
        return job_is_inherited(job, type_key)
                   ? STATUS_OK
                   : job_fail(job, "physics.eddy_viscosity", "method \"%s\" has none; \"%s\" has",
                              tsunami_method_name(p->physics.method),
                              tsunami_method_name(TSUNAMI_MUSCL_HANCOCK));
    if (job_has(job, other_key) && !job_is_inherited(job, other_key))
        return job_fail(job, other_key, "is of the type \"%s\", this one is \"%s\": leave one out",
                        is_constant ? "smagorinsky" : "constant", job_string(job, type_key));
    if (is_constant && !job_has(job, value_key))
        return job_fail(job, value_key,
                        "is missing: the type \"constant\" needs it, for example "
                        "\"0.5 m2 s-1\"");
    p->physics.eddy_viscosity_m2_s = is_constant ? job_quantity(job, value_key) : 0;
    p->physics.smagorinsky = is_constant ? 0 : job_number(job, coefficient_key);
    return STATUS_OK;
}

// Where the shore moves, depths are relative to the grid's spacing: thinner water does not flow (minimum
// depth), or does not count in the results (wet depth).
static void read_flooding(const struct job *job, struct tsunami_params *p)
{
    static const double wet_share = 1e-2, wet_depth_m = 0.05;
    // Finite volumes tolerate thin sheets; VTCS-2's shoreline is its outermost node of this depth.
    const double minimum_share = tsunami_method_has_cells(p->physics.method) ? 1e-4 : 5e-3;
    const double spacing_m = tsunami_params_spacing_m(p);
    p->physics.wall_depth_m = -INFINITY;
    p->physics.minimum_depth_m = job_has(job, "physics.minimum_depth")
                                     ? job_quantity(job, "physics.minimum_depth")
                                     : minimum_share * spacing_m;
    p->wet_depth_m = fmax(p->physics.minimum_depth_m, fmin(wet_share * spacing_m, wet_depth_m));
    p->steepness_limit = 0; // a step in the bottom is no harm to it
}

static enum status read_physics(const struct job *job, struct tsunami_params *p)
{
    p->physics.method = method_of(job_string(job, "method"));
    CHECK(read_limiter(job, p));
    p->plane_coriolis_per_s =
        job_has(job, "physics.coriolis_parameter") ? job_quantity(job, "physics.coriolis_parameter") : 0;
    p->physics.has_coriolis =
        job_boolean(job, "physics.coriolis") && (p->window.is_geographic || p->plane_coriolis_per_s != 0);
    p->physics.has_curvature = job_boolean(job, "physics.curvature") && p->window.is_geographic;
    p->physics.manning_n = job_number(job, "physics.manning_n");
    p->physics.wall_depth_m = job_quantity(job, "physics.wall_depth");
    p->steepness_limit = job_number(job, "physics.steepness_limit");
    p->gravity_m_s2 = job_quantity(job, "physics.gravity");
    p->earth_radius_m = job_quantity(job, "physics.earth_radius");
    p->earth_rotation_rad_s = job_quantity(job, "physics.rotation_rate");
    const bool can_disperse = tsunami_method_disperses(p->physics.method);
    // A child need not have its parent's method.
    p->physics.has_dispersion = job_boolean(job, "physics.dispersion") &&
                                (can_disperse || !job_is_inherited(job, "physics.dispersion"));
    if (p->physics.has_dispersion && !can_disperse)
        return job_fail(job, "physics.dispersion", "method \"%s\" has none; \"%s\" has",
                        tsunami_method_name(p->physics.method), tsunami_method_name(TSUNAMI_MUSCL_HANCOCK));
    CHECK(read_eddy_viscosity(job, p));
    if (tsunami_method_floods(p->physics.method))
        read_flooding(job, p);
    return STATUS_OK;
}

enum status tsunami_params_check_companions(const struct job *job, const struct tsunami_companions *pairs,
                                            size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (job_has(job, pairs[k].key) && !job_has(job, pairs[k].needs))
            return job_fail(job, pairs[k].key, "has no effect without %s", pairs[k].needs);
    return STATUS_OK;
}

static enum status check_companions(const struct job *job, const struct tsunami_params *p)
{
    static const struct tsunami_companions pairs[] = {
        {"output.fields.variables", "output.fields.every"}, {"output.fields.stride", "output.fields.every"},
        {"output.fields.longitude", "output.fields.every"}, {"output.fields.latitude", "output.fields.every"},
        {"output.fields.x", "output.fields.every"},         {"output.fields.y", "output.fields.every"},
        {elevation_resolution_key, "output.fields.every"},  {velocity_resolution_key, "output.fields.every"}};
    CHECK(tsunami_params_check_companions(job, pairs, sizeof pairs / sizeof *pairs));
    const bool is_geographic = p->window.is_geographic;
    const char *const misplaced[2][3] = {
        {"output.fields.longitude", "output.fields.latitude", ""},
        {"output.fields.x", "output.fields.y", "physics.coriolis_parameter"}};
    for (int k = 0; k < 3; k++)
        if (misplaced[is_geographic][k][0] && job_has(job, misplaced[is_geographic][k]))
            return job_fail(job, misplaced[is_geographic][k], "is for %s, this one is in %s",
                            is_geographic ? "plane grids" : "geographic grids",
                            is_geographic ? "degrees" : "metres");
    return STATUS_OK;
}

// "5 nodes", 5, or "2 km".
static enum status read_gauge_search(const struct job *job, struct gauge_search *search)
{
    static const char key[] = "output.gauges.search";
    const cJSON *item = job_json(job, key);
    double nodes = GAUGE_SEARCH_NODES;
    *search = (struct gauge_search){.length_m = NAN};
    if (cJSON_IsNumber(item)) {
        nodes = item->valuedouble;
    } else if (item) {
        char unit[8] = "", more[2] = "";
        const char *text = cJSON_IsString(item) ? item->valuestring : NULL;
        if (!text)
            return job_fail(job, key, "must be a number of nodes, or a text like \"3 nodes\" or \"2 km\"");
        const bool are_nodes = sscanf(text, "%lf %7s %1s", &nodes, unit, more) == 2 &&
                               (strcmp(unit, "nodes") == 0 || strcmp(unit, "node") == 0);
        if (!are_nodes) {
            CHECK_KEY(job, key, units_parse_quantity(text, "m", &search->length_m));
            if (!(search->length_m > 0))
                return job_fail(job, key, "%g m is not more than 0", search->length_m);
            return STATUS_OK;
        }
    }
    if (!(nodes >= 0 && nodes <= GAUGE_SEARCH_NODES_MAX) || nodes != floor(nodes))
        return job_fail(job, key, "%g nodes: a whole number from 0 to %d is expected", nodes,
                        GAUGE_SEARCH_NODES_MAX);
    search->nodes = (size_t)nodes;
    return STATUS_OK;
}

// Of an inherited list a nested grid takes the gauges inside it, which may be none.
static enum status read_gauges(const struct job *job, struct tsunami_params *p)
{
    CHECK(read_gauge_search(job, &p->gauge_search));
    p->has_inherited_gauges = job_is_inherited(job, "output.gauges.file");
    CHECK_KEY(job, "output.gauges.file",
              path_find(job_string(job, "output.gauges.file"), job_directory(job), p->gauges_path));
    CHECK(gauge_list_read(p->gauges_path, &p->gauges));
    p->gauges_every_s = job_quantity(job, "output.gauges.every");
    p->gauges_interpolate = strcmp(job_string(job, "output.gauges.interpolation"), "bilinear") == 0;
    const enum status status =
        gauge_list_crop(&p->gauges, &p->window, p->gauges_path, p->has_inherited_gauges);
    // A failure of a nested grid's list is reported with its key.
    return status == STATUS_OK || !p->is_nested ? status : job_blame(job, "output.gauges.file", status);
}

// A nested grid may have the key from its parent, whose variables are others.
static enum status read_resolutions(const struct job *job, struct tsunami_params *p)
{
    const bool has_velocity = p->fields[TSUNAMI_U] || p->fields[TSUNAMI_V] || p->fields[TSUNAMI_SPEED];
    const struct {
        const char *key, *words;
        bool is_used;
        double *value;
    } keys[] = {
        {elevation_resolution_key, "eta", p->fields[TSUNAMI_ETA], &p->elevation_resolution_m},
        {velocity_resolution_key, "u, v or speed", has_velocity, &p->velocity_resolution_m_s},
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        *keys[k].value = job_has(job, keys[k].key) ? job_quantity(job, keys[k].key) : 0;
        if (*keys[k].value > 0 && !keys[k].is_used && !p->is_nested)
            return job_fail(job, keys[k].key, "has no effect without %s among output.fields.variables",
                            keys[k].words);
    }
    return STATUS_OK;
}

// What maxima.nc holds of what the run has.
static enum status read_maxima_variables(const struct job *job, struct tsunami_params *p)
{
    static const char key[] = "output.maxima_variables";
    for (int v = 0; v < TSUNAMI_MAXIMA_COUNT; v++)
        p->maxima[v] = !job_has(job, key);
    if (!job_has(job, key))
        return STATUS_OK;
    if (!p->has_maxima)
        return job_fail(job, key, "needs \"maxima\": true: it says what maxima.nc holds");
    if (job_list_length(job, key) == 0)
        return job_fail(job, key, "must name a variable; \"maxima\": false writes none");
    for (size_t k = 0; k < job_list_length(job, key); k++)
        for (int v = 0; v < TSUNAMI_MAXIMA_COUNT; v++)
            p->maxima[v] |= strcmp(job_list_string(job, key, k), maxima_names[v]) == 0;
    return STATUS_OK;
}

static enum status read_outputs(const struct job *job, struct tsunami_params *p)
{
    CHECK(check_companions(job, p));
    p->output_element =
        strcmp(job_string(job, "output.precision"), "double") == 0 ? ELEMENT_F64 : ELEMENT_F32;
    p->fields_every_s = job_has(job, "output.fields.every") ? job_quantity(job, "output.fields.every") : 0;
    p->diagnostics_every_s = job_has(job, "output.diagnostics.every")
                                 ? job_quantity(job, "output.diagnostics.every")
                             : p->fields_every_s > 0 ? p->fields_every_s
                                                     : p->duration_s / 100;
    for (size_t k = 0; k < job_list_length(job, "output.fields.variables"); k++)
        for (int f = 0; f < TSUNAMI_FIELD_COUNT; f++)
            p->fields[f] |= strcmp(job_list_string(job, "output.fields.variables", k), field_names[f]) == 0;
    CHECK(read_resolutions(job, p));
    p->fields_stride = (size_t)job_integer(job, "output.fields.stride");
    bool has_crop;
    p->fields_x[0] = p->fields_y[0] = NAN;
    CHECK(read_range(job, p->window.is_geographic ? "output.fields.longitude" : "output.fields.x", &has_crop,
                     p->fields_x));
    CHECK(read_range(job, p->window.is_geographic ? "output.fields.latitude" : "output.fields.y", &has_crop,
                     p->fields_y));
    p->has_maxima = job_boolean(job, "output.maxima");
    CHECK(read_maxima_variables(job, p));
    p->has_deformation = job_boolean(job, "output.deformation");
    const size_t arrivals = job_list_length(job, "output.arrival");
    if (arrivals > TSUNAMI_ARRIVALS_MAX)
        return job_fail(job, "output.arrival", "at most %d thresholds", TSUNAMI_ARRIVALS_MAX);
    p->arrival_count = (int)arrivals;
    for (size_t k = 0; k < arrivals; k++) {
        p->arrival_m[k] = job_list_quantity(job, "output.arrival", k);
        if (k > 0 && p->arrival_m[k] <= p->arrival_m[k - 1])
            return job_fail(job, "output.arrival", "thresholds must ascend");
    }
    if (arrivals > 0 && !p->has_maxima)
        return job_fail(job, "output.arrival", "needs \"maxima\": true, from which arrivals are found");
    if (job_has(job, "output.drawdown") && !p->has_maxima)
        return job_fail(job, "output.drawdown", "needs \"maxima\": true: it is written to maxima.nc");
    p->counts_from_source = strcmp(job_string(job, "output.arrival_from"), "source") == 0;
    p->drawdown_m = job_has(job, "output.drawdown") ? job_quantity(job, "output.drawdown") : 0;
    if (!p->is_nested)
        CHECK(tsunami_params_read_products(job, p));
    return job_has(job, "output.gauges") ? read_gauges(job, p) : STATUS_OK;
}

// Edges of a staggered grid cannot be given.
static enum status check_given_edges(const struct job *job, const struct tsunami_params *p)
{
    if (!tsunami_method_is_staggered(p->physics.method))
        return STATUS_OK;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        if (p->edges[side] == TSUNAMI_EDGE_GIVEN)
            return job_fail(
                job, "method", "\"%s\" has no edges at which %s: choose \"%s\" or a method whose shore moves",
                tsunami_method_name(p->physics.method),
                p->is_nested ? "a nested grid takes its parent's waves" : "waves are given (source.edges)",
                tsunami_method_name(TSUNAMI_VTCS2_O2));
    return STATUS_OK;
}

// The keys of the run as a whole.
static enum status read_whole(const struct job *job, const struct tsunami_params *outermost,
                              struct tsunami_params *p)
{
    p->precision = params_precision(job);
    p->duration_s = job_quantity(job, "time.duration");
    if (job_has(job, "time.origin"))
        CHECK_KEY(job, "time.origin", date_read(job_string(job, "time.origin"), p->time_origin));
    if (!outermost) {
        const struct backend *backend;
        CHECK(params_backend(job, &tsunami_backends, &backend, &p->device));
        p->backend = (const struct tsunami_backend *)backend; // whose first member it is
        return STATUS_OK;
    }
    p->is_nested = true;
    p->source = outermost->source;
    p->backend = outermost->backend;
    p->device = outermost->device;
    return STATUS_OK;
}

static const double origins_apart_s = 60;

void tsunami_params_warn_of_origin(const char *key, const char *origin, const char *time, const char *path)
{
    double origin_s, time_s;
    if (!date_epoch(origin, &origin_s) || !date_epoch(time, &time_s) ||
        fabs(origin_s - time_s) <= origins_apart_s)
        return;
    log_warning("%s: %s, but %s states %s for the earthquake: the dates of the results count from %s", key,
                origin, path, time, key);
}

// Without a time of its own the job has that of the earthquake's file. After the source, whose series with
// dates count from the job's alone.
static void take_origin(struct tsunami_params *p)
{
    const struct tsunami_source *source = p->source;
    const bool has_quake = source->earthquake.path[0] && source->earthquake.event.time[0];
    const char *time = has_quake ? source->earthquake.event.time : source->rupture.time,
               *path = has_quake ? source->earthquake.path : source->faults_path;
    if (p->time_origin[0])
        tsunami_params_warn_of_origin("time.origin", p->time_origin, time, path);
    if (p->time_origin[0] || !time[0])
        return;
    if (date_read(time, p->time_origin) != STATUS_OK) {
        log_warning("time.origin: %s; the times of the results have no date", status_message());
        return;
    }
    log_info("time.origin: %s, the time of the earthquake in %s", p->time_origin, path);
}

enum status tsunami_params_read(const struct job *job, const struct tsunami_params *outermost,
                                struct tsunami_params *p)
{
    memset(p, 0, sizeof *p);
    CHECK(read_whole(job, outermost, p));
    p->step_s = job_quantity(job, "time.step");
    CHECK(open_bathymetry(job, p));
    CHECK(read_window(job, p));
    CHECK(read_edges(job, p));
    CHECK(read_physics(job, p));
    if (!outermost) {
        CHECK(tsunami_params_read_source(job, p));
        take_origin(p);
        p->check_steps = params_check_steps(job);
        p->check_tolerance_m = job_has(job, "check.tolerance") ? job_quantity(job, "check.tolerance")
                               : p->precision == ELEMENT_F32   ? 1e-5
                                                               : 1e-9;
    }
    CHECK(check_given_edges(job, p));
    CHECK(read_outputs(job, p));
    return tsunami_params_read_exports(job, p);
}

void tsunami_params_free(struct tsunami_params *p)
{
    grid_close(p->bathymetry);
    if (p->owns_source)
        tsunami_source_free(p->source);
    grid_window_free(&p->window);
    gauge_list_free(&p->gauges);
    tsunami_params_free_products(p);
}
