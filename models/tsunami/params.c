// Job → checked parameters of a tsunami run. Opens input files and reads their headers and tables; no array
// of the grid is read or reserved here.
#include "models/tsunami/params.h"

#include "io/units.h"
#include "models/tsunami/backends.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const tsunami_field_names[TSUNAMI_FIELD_COUNT] = {"eta", "u", "v", "speed", "flux"};

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

static enum status open_bathymetry(const struct job *job, struct tsunami_params *p)
{
    CHECK_ABOUT(path_find(job_string(job, "domain.bathymetry.file"), job_directory(job), p->bathymetry_path),
                "%s: domain.bathymetry.file", job_path(job));
    const char *positive = job_string(job, "domain.bathymetry.positive");
    const char *axes = job_string(job, "domain.bathymetry.axes");
    const struct grid_request request = {
        .path = p->bathymetry_path,
        .variable = job_string(job, "domain.bathymetry.variable"),
        .positive = !positive                     ? GRID_AS_FILE
                    : strcmp(positive, "up") == 0 ? GRID_POSITIVE_UP
                                                  : GRID_POSITIVE_DOWN,
        .units = job_string(job, "domain.bathymetry.units"),
        .target_units = "m",
        .format = GRID_FORMAT_AUTO,
        .time_index = -1,
        .axes = !axes                        ? GRID_AXES_AS_FILE
                : strcmp(axes, "plane") == 0 ? GRID_AXES_PLANE
                                             : GRID_AXES_GEOGRAPHIC,
    };
    return grid_open(&request, &p->bathymetry);
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
        CHECK_ABOUT(units_parse_quantity(job_string(job, "domain.spacing"), unit, &request->spacing[0]),
                    "%s: domain.spacing", job_path(job));
        if (!(request->spacing[0] > 0))
            return job_fail(job, "domain.spacing", "must be larger than 0");
        request->spacing[1] = request->spacing[0];
    }
    CHECK_ABOUT(grid_window_resolve(p->bathymetry, request, &p->window), "%s: domain", job_path(job));
    return STATUS_OK;
}

static enum status read_edges(const struct job *job, struct tsunami_params *p)
{
    static const char *const keys[TSUNAMI_SIDES] = {"domain.edges.west", "domain.edges.east",
                                                    "domain.edges.south", "domain.edges.north"};
    for (int side = 0; side < TSUNAMI_SIDES; side++) {
        const char *word = job_string(job, keys[side]);
        p->edges[side] = strcmp(word, "open") == 0   ? TSUNAMI_EDGE_OPEN
                         : strcmp(word, "wall") == 0 ? TSUNAMI_EDGE_WALL
                                                     : TSUNAMI_EDGE_PERIODIC;
    }
    for (int side = 0; side < TSUNAMI_SIDES; side += 2)
        if ((p->edges[side] == TSUNAMI_EDGE_PERIODIC) != (p->edges[side + 1] == TSUNAMI_EDGE_PERIODIC))
            return job_fail(job, keys[side], "periodic needs the opposite edge periodic too");
    if (p->edges[TSUNAMI_WEST] == TSUNAMI_EDGE_PERIODIC && p->window.is_geographic && !p->window.covers_globe)
        return job_fail(
            job, keys[TSUNAMI_WEST],
            "periodic in longitude needs a domain once round the Earth, without a repeated column");
    if (p->edges[TSUNAMI_SOUTH] == TSUNAMI_EDGE_PERIODIC && p->window.is_geographic)
        return job_fail(job, keys[TSUNAMI_SOUTH], "periodic in latitude has no meaning on the sphere");
    return STATUS_OK;
}

static void read_physics(const struct job *job, struct tsunami_params *p)
{
    p->physics.method = strcmp(job_string(job, "method"), "vtcs2") == 0 ? TSUNAMI_VTCS2 : TSUNAMI_VTCS2_O2;
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
}

static enum status append_faults(struct fault_table *to, struct fault_table *from)
{
    struct fault *joined = realloc(to->faults, (to->count + from->count) * sizeof *joined);
    if (!joined) {
        fault_table_free(from);
        return FAIL(STATUS_SYSTEM, "no memory for %zu faults", to->count + from->count);
    }
    memcpy(joined + to->count, from->faults, from->count * sizeof *joined);
    to->faults = joined;
    to->count += from->count;
    to->is_geographic = from->is_geographic;
    fault_table_free(from);
    return STATUS_OK;
}

static enum status read_sift(const struct job *job, struct tsunami_params *p)
{
    const size_t count = job_list_length(job, "source.sift.slips");
    if (!job_has(job, "source.sift.table") || count == 0)
        return job_fail(job, "source.sift",
                        "needs both \"table\" and \"slips\", with at least one unit source");
    CHECK_ABOUT(path_find(job_string(job, "source.sift.table"), job_directory(job), p->sift_path),
                "%s: source.sift.table", job_path(job));
    const char **names = calloc(count, sizeof *names);
    double *slips = calloc(count, sizeof *slips);
    enum status status =
        names && slips ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for %zu unit sources", count);
    struct fault_table table = {0};
    if (status == STATUS_OK) {
        for (size_t k = 0; k < count; k++) {
            names[k] = job_map_name(job, "source.sift.slips", k);
            slips[k] = job_map_number(job, "source.sift.slips", k);
        }
        status = fault_table_read_sift(p->sift_path, names, slips, count, &table);
    }
    free(names);
    free(slips);
    CHECK(status);
    return append_faults(&p->faults, &table);
}

static enum status read_fault_table(const struct job *job, struct tsunami_params *p)
{
    struct fault_table table = {0};
    const char *name = cJSON_GetStringValue(job_json(job, "source.faults"));
    if (name) {
        CHECK_ABOUT(path_find(name, job_directory(job), p->faults_path), "%s: source.faults", job_path(job));
        CHECK(fault_table_read(p->faults_path, &table));
    } else {
        CHECK_ABOUT(fault_table_parse(job_json(job, "source.faults"), "source.faults", &table), "%s",
                    job_path(job));
    }
    return append_faults(&p->faults, &table);
}

// Every fault's reference point must lie in the domain: a forgotten minus sign must not give a calm forecast.
static enum status check_faults(const struct job *job, const struct tsunami_params *p)
{
    const struct grid_window *w = &p->window;
    for (size_t k = 0; k < p->faults.count; k++) {
        const struct fault *fault = &p->faults.faults[k];
        if (p->faults.is_geographic != w->is_geographic)
            return job_fail(job, "source", "fault %zu is given in %s, the grid in %s", k + 1,
                            p->faults.is_geographic ? "degrees" : "metres",
                            w->is_geographic ? "degrees" : "metres");
        double x = fault->longitude_deg;
        if (w->is_geographic)
            x -= 360 * nearbyint((x - 0.5 * (w->x[0] + w->x[w->nx - 1])) / 360);
        if (x < w->x[0] || x > w->x[w->nx - 1] || fault->latitude_deg < w->y[0] ||
            fault->latitude_deg > w->y[w->ny - 1])
            return job_fail(job, "source",
                            "fault %zu at (%g, %g) lies outside the domain (%g to %g, %g to %g)", k + 1,
                            fault->longitude_deg, fault->latitude_deg, w->x[0], w->x[w->nx - 1], w->y[0],
                            w->y[w->ny - 1]);
    }
    return STATUS_OK;
}

// Where a displacement or initial file leaves open what its axes mean, they are the bathymetry's.
static enum status open_plain_grid(const struct job *job, const char *file_key, const char *path,
                                   const char *variable, const char *units, const char *target_units,
                                   bool may_have_times, bool is_geographic, struct grid_file **file)
{
    const struct grid_request request = {
        .path = path,
        .variable = variable,
        .positive = GRID_PLAIN,
        .units = units,
        .target_units = target_units,
        .time_index = may_have_times ? 0 : -1,
        .axes = is_geographic ? GRID_AXES_GEOGRAPHIC : GRID_AXES_PLANE,
    };
    CHECK_ABOUT(grid_open(&request, file), "%s: %s", job_path(job), file_key);
    return STATUS_OK;
}

// A displacement or initial grid must share some ground with the domain.
static enum status check_overlap(const struct job *job, const char *key, const struct grid_file *file,
                                 const struct grid_window *w)
{
    const struct grid_info *info = grid_info(file);
    if (info->is_geographic != w->is_geographic)
        return job_fail(job, key, "%s is in %s, the bathymetry in %s", grid_path(file),
                        info->is_geographic ? "degrees" : "metres", w->is_geographic ? "degrees" : "metres");
    bool overlaps = false;
    for (int turn = -1; turn <= 1; turn++) {
        const double shift = w->is_geographic ? 360.0 * turn : 0;
        overlaps |= info->x[0] + shift <= w->x[w->nx - 1] && info->x[info->nx - 1] + shift >= w->x[0];
    }
    overlaps = overlaps && info->y[0] <= w->y[w->ny - 1] && info->y[info->ny - 1] >= w->y[0];
    if (!overlaps)
        return job_fail(job, key, "%s (%g to %g, %g to %g) lies outside the domain (%g to %g, %g to %g)",
                        grid_path(file), info->x[0], info->x[info->nx - 1], info->y[0], info->y[info->ny - 1],
                        w->x[0], w->x[w->nx - 1], w->y[0], w->y[w->ny - 1]);
    return STATUS_OK;
}

static enum status read_grids_of_source(const struct job *job, struct tsunami_params *p)
{
    if (job_has(job, "source.displacement.file")) {
        CHECK_ABOUT(
            path_find(job_string(job, "source.displacement.file"), job_directory(job), p->displacement_path),
            "%s: source.displacement.file", job_path(job));
        CHECK(open_plain_grid(job, "source.displacement", p->displacement_path,
                              job_string(job, "source.displacement.variable"),
                              job_string(job, "source.displacement.units"), "m", true,
                              p->window.is_geographic, &p->displacement));
        CHECK(check_overlap(job, "source.displacement", p->displacement, &p->window));
        if (grid_info(p->displacement)->records > 1 && !grid_info(p->displacement)->times_s)
            return job_fail(job, "source.displacement", "%s has several records, but no time axis",
                            p->displacement_path);
        p->displacement_start_s = job_quantity(job, "source.displacement.start");
        p->displacement_rise_s = job_quantity(job, "source.displacement.rise");
    }
    if (!job_has(job, "source.initial.file"))
        return STATUS_OK;
    static const char *const keys[TSUNAMI_FIELDS] = {"source.initial.eta", "source.initial.u",
                                                     "source.initial.v"};
    CHECK_ABOUT(path_find(job_string(job, "source.initial.file"), job_directory(job), p->initial_path),
                "%s: source.initial.file", job_path(job));
    for (int f = 0; f < TSUNAMI_FIELDS; f++) {
        p->initial_variables[f] = job_string(job, keys[f]);
        if (f > 0 && !p->initial_variables[f])
            continue;
        CHECK(open_plain_grid(job, keys[f], p->initial_path, p->initial_variables[f], NULL,
                              f == 0 ? "m" : "m s-1", false, p->window.is_geographic, &p->initial[f]));
        CHECK(check_overlap(job, keys[f], p->initial[f], &p->window));
    }
    return STATUS_OK;
}

static enum status read_source(const struct job *job, struct tsunami_params *p)
{
    p->fault_extent_m = job_quantity(job, "source.extent");
    p->has_slope_term = job_boolean(job, "source.horizontal");
    if (job_has(job, "source.faults"))
        CHECK(read_fault_table(job, p));
    if (job_has(job, "source.sift.table") || job_has(job, "source.sift.slips"))
        CHECK(read_sift(job, p));
    CHECK(check_faults(job, p));
    CHECK(read_grids_of_source(job, p));
    if (p->faults.count == 0 && !p->displacement && !p->initial[0])
        return job_fail(job, "source", "nothing starts a wave: give faults, sift, displacement or initial");
    return STATUS_OK;
}

// Keys that mean nothing without another one: a forgotten half of a pair must not pass in silence.
static enum status check_companions(const struct job *job, const struct tsunami_params *p)
{
    static const struct {
        const char *key, *needs;
    } pairs[] = {{"source.initial.eta", "source.initial.file"},
                 {"source.initial.u", "source.initial.file"},
                 {"source.initial.v", "source.initial.file"},
                 {"source.displacement.variable", "source.displacement.file"},
                 {"source.displacement.units", "source.displacement.file"},
                 {"source.displacement.start", "source.displacement.file"},
                 {"source.displacement.rise", "source.displacement.file"},
                 {"output.fields.variables", "output.fields.every"},
                 {"output.fields.stride", "output.fields.every"},
                 {"output.fields.longitude", "output.fields.every"},
                 {"output.fields.latitude", "output.fields.every"},
                 {"output.fields.x", "output.fields.every"},
                 {"output.fields.y", "output.fields.every"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (job_has(job, pairs[k].key) && !job_has(job, pairs[k].needs))
            return job_fail(job, pairs[k].key, "has no effect without %s", pairs[k].needs);
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
            p->fields[f] |=
                strcmp(job_list_string(job, "output.fields.variables", k), tsunami_field_names[f]) == 0;
    p->fields_stride = (size_t)job_integer(job, "output.fields.stride");
    bool has_crop;
    p->fields_x[0] = p->fields_y[0] = NAN;
    CHECK(read_range(job, p->window.is_geographic ? "output.fields.longitude" : "output.fields.x", &has_crop,
                     p->fields_x));
    CHECK(read_range(job, p->window.is_geographic ? "output.fields.latitude" : "output.fields.y", &has_crop,
                     p->fields_y));
    p->has_maxima = job_boolean(job, "output.maxima");
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
    p->drawdown_m = job_has(job, "output.drawdown") ? job_quantity(job, "output.drawdown") : 0;
    if (!job_has(job, "output.gauges"))
        return STATUS_OK;
    CHECK_ABOUT(path_find(job_string(job, "output.gauges.file"), job_directory(job), p->gauges_path),
                "%s: output.gauges.file", job_path(job));
    CHECK(gauge_list_read(p->gauges_path, &p->gauges));
    p->gauges_every_s = job_quantity(job, "output.gauges.every");
    return gauge_list_crop(&p->gauges, &p->window, p->gauges_path);
}

enum status tsunami_params_read(const struct job *job, struct tsunami_params *p)
{
    memset(p, 0, sizeof *p);
    CHECK_ABOUT(tsunami_backend_read(job_string(job, "backend"), &p->backend, &p->device), "%s: backend",
                job_path(job));
    p->precision = strcmp(job_string(job, "precision"), "double") == 0 ? ELEMENT_F64 : ELEMENT_F32;
    p->duration_s = job_quantity(job, "time.duration");
    p->step_s = job_quantity(job, "time.step");
    p->time_origin = job_string(job, "time.origin");
    CHECK(open_bathymetry(job, p));
    CHECK(read_window(job, p));
    CHECK(read_edges(job, p));
    read_physics(job, p);
    CHECK(read_source(job, p));
    p->check_steps = job_has(job, "check.reference_steps") ? job_integer(job, "check.reference_steps") : 0;
    p->check_tolerance_m = job_has(job, "check.tolerance") ? job_quantity(job, "check.tolerance")
                           : p->precision == ELEMENT_F32   ? 1e-5
                                                           : 1e-9;
    return read_outputs(job, p);
}

void tsunami_params_free(struct tsunami_params *p)
{
    grid_close(p->bathymetry);
    grid_close(p->displacement);
    for (int f = 0; f < TSUNAMI_FIELDS; f++)
        grid_close(p->initial[f]);
    grid_window_free(&p->window);
    fault_table_free(&p->faults);
    gauge_list_free(&p->gauges);
}
