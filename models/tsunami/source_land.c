// Sources and water: warns, before the run, of sources under land, which cause no wave; finds the bodies of
// water that a fault moves. Independent of the state and of solvers.
#include "models/tsunami/axis.h"
#include "models/tsunami/instance.h"
#include "models/tsunami/sea.h"
#include "models/tsunami/source_shape.h"

#include "core/log.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sampling points along and across a fault's plane; and around it, for its uplift.
enum { PLANE_POINTS = 9, UPLIFT_POINTS = 25, NAMES_BYTES = 240 };

// A source acts where its uplift, or its elevation, is at least this share of its largest.
static const double acting_share = 0.1;

// At most this many faults under land are checked for shallow water, because that reads rows again.
enum { SHALLOW_FAULTS = 16 };

// The node nearest to a value, which may lie half a spacing beyond the axis; false: further out.
static bool nearest(const double *axis, size_t count, double value, size_t *node)
{
    const size_t low = axis_interval(axis, count, value);
    const double half = 0.5 * (axis[low + 1] - axis[low]);
    *node = axis_nearest(axis, count, value);
    return fabs(value - axis[*node]) <= half * (1 + 1e-9);
}

// The grid's node at a place, in any turn of longitude; false: outside.
static bool find_node(const struct grid_window *w, double x, double y, size_t *column, size_t *row)
{
    if (w->is_geographic)
        x = axis_longitude(w, x);
    return nearest(w->x, w->nx, x, column) && nearest(w->y, w->ny, y, row);
}

// Whether one of the grids has water there.
static bool is_water(const struct tsunami *run, double x, double y)
{
    for (int k = 0; k < run->level_count; k++) {
        const struct tsunami_level *t = run->levels[k];
        size_t column, row;
        if (find_node(&t->params.window, x, y, &column, &row) && tsunami_sea_is_wet(t->sea, column, row))
            return true;
    }
    return false;
}

// A rectangle around a fault, larger than its plane by a margin on all sides. A point in it has coordinates 0
// … 1.
struct about {
    const struct fault *fault;
    double first_m[2], length_m[2]; // along strike, and to the left of it, from the middle of the lower edge
};

static struct about about_fault(const struct fault *fault, double margin_m)
{
    const double across_m = fault->width_m * cos(fault->dip_deg * acos(-1.0) / 180);
    return (struct about){.fault = fault,
                          .first_m = {-0.5 * fault->length_m - margin_m, -margin_m},
                          .length_m = {fault->length_m + 2 * margin_m, across_m + 2 * margin_m}};
}

// Number `k` of count × count points.
static void place_of(const struct tsunami_params *p, const struct about *about, int k, int count, double *x,
                     double *y)
{
    const double along = (double)(k / count) / (count - 1), left = (double)(k % count) / (count - 1);
    const struct fault *fault = about->fault;
    const double radian = acos(-1.0) / 180, degree_m = p->earth_radius_m * radian;
    double east_m, north_m;
    fault_place(fault, about->first_m[0] + along * about->length_m[0],
                about->first_m[1] + left * about->length_m[1], &east_m, &north_m);
    *x = fault->longitude_deg +
         (p->window.is_geographic ? east_m / (degree_m * cos(fault->latitude_deg * radian)) : east_m);
    *y = fault->latitude_deg + (p->window.is_geographic ? north_m / degree_m : north_m);
}

// Depth of a fault's lower edge: the margin around its plane in which it acts.
static double deepest_m(const struct fault *fault)
{
    return fault_top_depth_m(fault) + fault->width_m * sin(fault->dip_deg * acos(-1.0) / 180);
}

// The magnitude of the vertical displacement.
static double uplift_m(const struct tsunami_params *p, const struct fault *fault, double x, double y)
{
    return fabs(p->window.is_geographic ? fault_displacement_sphere(fault, x, y, p->earth_radius_m).up_m
                                        : fault_displacement_plane(fault, x, y).up_m);
}

static bool is_plane_under_water(const struct tsunami *run, const struct fault *fault)
{
    const struct about plane = about_fault(fault, 0);
    for (int k = 0; k < PLANE_POINTS * PLANE_POINTS; k++) {
        double x, y;
        place_of(&run->levels[0]->params, &plane, k, PLANE_POINTS, &x, &y);
        if (is_water(run, x, y))
            return true;
    }
    return false;
}

// Points around a fault, as far as its lower edge is deep: places and size of the uplift. Returns the
// largest.
struct uplift_points {
    double x[UPLIFT_POINTS * UPLIFT_POINTS], y[UPLIFT_POINTS * UPLIFT_POINTS],
        up_m[UPLIFT_POINTS * UPLIFT_POINTS];
};

static double find_uplift(const struct tsunami_params *p, const struct fault *fault,
                          struct uplift_points *points)
{
    const struct about about = about_fault(fault, deepest_m(fault));
    double most_m = 0;
    for (int k = 0; k < UPLIFT_POINTS * UPLIFT_POINTS; k++) {
        place_of(p, &about, k, UPLIFT_POINTS, &points->x[k], &points->y[k]);
        points->up_m[k] = uplift_m(p, fault, points->x[k], points->y[k]);
        most_m = fmax(most_m, points->up_m[k]);
    }
    return most_m;
}

// Whether there is water where the fault acts.
static bool acts_on_water(const struct tsunami *run, const struct fault *fault)
{
    struct uplift_points points;
    const double most_m = find_uplift(&run->levels[0]->params, fault, &points);
    double most_on_water_m = 0;
    for (int k = 0; k < UPLIFT_POINTS * UPLIFT_POINTS; k++)
        if (is_water(run, points.x[k], points.y[k]))
            most_on_water_m = fmax(most_on_water_m, points.up_m[k]);
    return most_on_water_m > 0 && most_on_water_m >= acting_share * most_m;
}

// Opens the outermost grid's bodies of water at the points where a fault acts.
static void open_sea_about(const struct tsunami_level *t, const struct fault *fault)
{
    struct uplift_points points;
    const double most_m = find_uplift(&t->params, fault, &points);
    for (int k = 0; k < UPLIFT_POINTS * UPLIFT_POINTS; k++) {
        size_t column, row;
        if (points.up_m[k] >= acting_share * most_m &&
            find_node(&t->params.window, points.x[k], points.y[k], &column, &row))
            tsunami_sea_open(t->sea, column, row);
    }
}

void tsunami_source_open_sea(struct tsunami_level *t)
{
    const struct fault_table *faults = &t->params.source->faults;
    for (size_t k = 0; k < faults->count; k++) {
        const struct fault *fault = &faults->faults[k];
        size_t column, row;
        if (fault->slip_m == 0)
            continue;
        if (find_node(&t->params.window, fault->longitude_deg, fault->latitude_deg, &column, &row))
            tsunami_sea_open(t->sea, column, row);
        open_sea_about(t, fault);
    }
}

void tsunami_source_measure_sea(struct tsunami_level *t)
{
    const struct fault_table *faults = &t->params.source->faults;
    struct uplift_points points;
    for (size_t k = 0; k < faults->count; k++) {
        const struct fault *fault = &faults->faults[k];
        if (fault->slip_m == 0)
            continue;
        const struct about about = about_fault(fault, deepest_m(fault));
        const double area_m2 = about.length_m[0] * about.length_m[1] / (UPLIFT_POINTS * UPLIFT_POINTS);
        const double most_m = find_uplift(&t->params, fault, &points);
        for (int i = 0; i < UPLIFT_POINTS * UPLIFT_POINTS; i++) {
            size_t column, row;
            if (points.up_m[i] >= acting_share * most_m &&
                find_node(&t->params.window, points.x[i], points.y[i], &column, &row))
                tsunami_sea_add_moved(t->sea, column, row, area_m2 * points.up_m[i]);
        }
    }
}

// The name of a unit source ("acszb13"), or the number of a table's row, in the order of the job: tables
// first.
static void name_of(const struct tsunami_source *source, size_t index, char *name, size_t bytes)
{
    const size_t units = source->sift_slips ? (size_t)cJSON_GetArraySize(source->sift_slips) : 0;
    const size_t rows = source->faults.count - units;
    if (index < rows)
        snprintf(name, bytes, "%zu", index + 1);
    else
        snprintf(name, bytes, "%s", cJSON_GetArrayItem(source->sift_slips, (int)(index - rows))->string);
}

static void add_name(char names[NAMES_BYTES], const char *name)
{
    const size_t used = strlen(names);
    if (used + strlen(name) + 8 < NAMES_BYTES)
        snprintf(names + used, NAMES_BYTES - used, "%s%s", used > 0 ? ", " : "", name);
    else if (used + 5 < NAMES_BYTES && names[used - 1] != '.')
        snprintf(names + used, NAMES_BYTES - used, ", ...");
}

// The largest depth over a fault's plane in one grid; 0: land, or no node there.
static enum status read_plane_depth(const struct tsunami_level *t, const struct tsunami_params *outermost,
                                    const struct fault *fault, struct grid_sampler *sampler, double *row_m,
                                    double *depth_m)
{
    const struct about plane = about_fault(fault, 0);
    for (int k = 0; k < PLANE_POINTS * PLANE_POINTS; k++) {
        double x, y;
        size_t column, row;
        place_of(outermost, &plane, k, PLANE_POINTS, &x, &y);
        if (!find_node(&t->params.window, x, y, &column, &row))
            continue;
        CHECK(grid_sampler_row(sampler, row, row_m));
        *depth_m = fmax(*depth_m, row_m[column]);
    }
    return STATUS_OK;
}

// Finds the largest depth (m) over a fault under land that physics.wall_depth makes land; 0: true land.
static enum status find_shallow_water(const struct tsunami *run, const struct fault *fault, double *depth_m)
{
    *depth_m = 0;
    for (int k = 0; k < run->level_count; k++) {
        const struct tsunami_level *t = run->levels[k];
        const struct tsunami_params *p = &t->params;
        if (tsunami_level_floods(t))
            continue;
        struct grid_sampler *sampler = NULL;
        double *row_m = malloc(p->window.nx * sizeof *row_m);
        if (!row_m)
            return FAIL(STATUS_SYSTEM, "no memory for a row of %zu depths", p->window.nx);
        enum status status = grid_sampler_open(p->bathymetry, &p->window, &p->window_request, &sampler);
        if (status == STATUS_OK)
            status = read_plane_depth(t, &run->levels[0]->params, fault, sampler, row_m, depth_m);
        grid_sampler_close(sampler);
        free(row_m);
        CHECK(status);
    }
    return STATUS_OK;
}

// ---- what the source moves

// Volumes (m3) that the faults lift or lower in the domain, and the part that is water; and the sums of their
// largest displacements of water: more than the source's.
struct moved {
    double whole_m3, water_m3, water_m;
    bool is_sample; // of the faults
};

static void add_moved(const struct tsunami *run, const struct fault *fault, struct moved *moved)
{
    const struct tsunami_params *p = &run->levels[0]->params;
    const struct about about = about_fault(fault, deepest_m(fault));
    const double area_m2 = about.length_m[0] * about.length_m[1] / (UPLIFT_POINTS * UPLIFT_POINTS);
    struct uplift_points points;
    double most_m = 0;
    (void)find_uplift(p, fault, &points);
    for (int k = 0; k < UPLIFT_POINTS * UPLIFT_POINTS; k++) {
        size_t column, row;
        if (!find_node(&p->window, points.x[k], points.y[k], &column, &row))
            continue;
        moved->whole_m3 += area_m2 * points.up_m[k];
        if (!is_water(run, points.x[k], points.y[k]))
            continue;
        moved->water_m3 += area_m2 * points.up_m[k];
        most_m = fmax(most_m, points.up_m[k]);
    }
    moved->water_m += most_m;
}

// A source that is there, but moves hardly any water: a wrong place, depth or unit.
static void warn_of_little(const struct tsunami *run, const char *place)
{
    enum { FAULTS_MOST = 400 }; // looked at
    static const double little_m = 0.01;
    const struct fault_table *faults = &run->levels[0]->params.source->faults;
    const size_t stride = faults->count / FAULTS_MOST + 1;
    struct moved moved = {.is_sample = stride > 1};
    for (size_t k = 0; k < faults->count; k += stride)
        if (faults->faults[k].slip_m != 0)
            add_moved(run, &faults->faults[k], &moved);
    if (!(moved.whole_m3 > 0))
        return;
    if (moved.water_m3 < acting_share * moved.whole_m3)
        log_warning(
            "%s: the source lies almost wholly under land: only %.2g %% of what rises or sinks is sea "
            "floor: are the places right, longitude and latitude, their signs?",
            place, 100 * moved.water_m3 / moved.whole_m3);
    else if (!moved.is_sample && moved.water_m < little_m)
        log_warning(
            "%s: the source moves hardly any water: the sea floor rises or sinks by at most %.2g cm: are "
            "magnitude, depth and slip right?",
            place, 100 * moved.water_m);
}

// The finest grid at the middle of the faults; its spacing, m.
static double spacing_at(const struct tsunami *run, const struct source_shape *shape)
{
    const double radian = acos(-1.0) / 180, x = 0.5 * (shape->west_deg + shape->east_deg),
                 y = 0.5 * (shape->south_deg + shape->north_deg);
    double spacing_m = 0;
    for (int k = 0; k < run->level_count; k++) { // parents before their children
        const struct tsunami_params *p = &run->levels[k]->params;
        const struct grid_window *w = &p->window;
        size_t column, row;
        if (k == 0 || find_node(w, x, y, &column, &row))
            spacing_m = (w->y[1] - w->y[0]) * (w->is_geographic ? p->earth_radius_m * radian : 1);
    }
    return spacing_m;
}

// Of earthquakes and files of faults; faults that stand in the job are anything's: +infinity.
static double nodes_across(const struct tsunami *run)
{
    const struct tsunami_params *p = &run->levels[0]->params;
    const struct tsunami_source *source = p->source;
    if (!source->earthquake.is_given && !source->faults_path[0])
        return (double)INFINITY;
    const struct source_shape shape = source_shape_of(&source->faults, p->earth_radius_m, false);
    if (shape.faults == 0)
        return (double)INFINITY;
    return source_shape_across_m(&shape, p->window.is_geographic, p->earth_radius_m) /
           spacing_at(run, &shape);
}

bool tsunami_source_is_resolved(const struct tsunami *run)
{
    return nodes_across(run) >= SOURCE_SHAPE_NODES_LEAST;
}

static void warn_of_few_nodes(const struct tsunami *run, const char *place)
{
    const double nodes = nodes_across(run);
    if (nodes < SOURCE_SHAPE_NODES_LEAST)
        log_warning("%s: the source is about %.2g nodes across, which makes its waves too low: a finer "
                    "domain.spacing there resolves it",
                    place, nodes);
}

// ---- faults under land

// Faults wholly under land. Index 0: those that move water beside the land, index 1: those that move none.
struct land_faults {
    size_t acting; // all faults with slip
    size_t count[2];
    size_t shallow;   // of count[1], those under water that physics.wall_depth makes land
    double shallow_m; // largest depth of that water
    char names[2][NAMES_BYTES];
};

// "source.faults: FILE"
static void name_place(const struct tsunami *run, char *place, size_t bytes)
{
    const struct tsunami_source *source = run->levels[0]->params.source;
    const char *path = source->sift_slips ? source->sift_path : source->faults_path;
    const bool has_table = job_has(run->levels[0]->job, "source.faults"),
               has_quake = source->earthquake.is_given;
    const char *key = has_quake && !has_table && !source->sift_slips ? "source.earthquake"
                      : !source->sift_slips                          ? "source.faults"
                      : has_table || has_quake                       ? "source"
                                                                     : "source.sift";
    snprintf(place, bytes, "%s%s%s", key, path[0] ? ": " : "", path);
}

static void warn_of_faults(const struct tsunami *run, const struct land_faults *land, const char *place)
{
    const struct tsunami_params *p = &run->levels[0]->params;
    const bool is_one = land->acting == 1, are_all = land->count[0] + land->count[1] == land->acting;
    char cause[160] = "";
    if (land->shallow > 0)
        snprintf(cause, sizeof cause,
                 "; the water there, at most %.3g m deep, is land by physics.wall_depth, %g m",
                 land->shallow_m, p->physics.wall_depth_m);
    else if (land->count[1] == land->acting)
        snprintf(cause, sizeof cause, "; is the bathymetry right, are the faults' places?");
    // The patches of a random slip are one plane, some of which may lie under land as that of one slip may.
    const struct tsunami_source *source = p->source;
    const bool is_plane =
        source->earthquake.has_random_slip && source->earthquake.faults == source->faults.count;
    if (is_plane && land->count[1] > 0 && land->count[1] < land->acting)
        log_info("%s: %zu of %zu patches are under land, and move no water", place, land->count[1],
                 land->acting);
    else if (land->count[1] > 0)
        log_warning("%s: %zu of %zu fault%s under land: no water lies over the plane, nor where the "
                    "ground rises or sinks by a tenth of its most, so that no wave begins there: fault %s%s",
                    place, land->count[1], land->acting, is_one ? " is" : "s are", land->names[1], cause);
    if (land->count[0] > 0 && are_all)
        log_warning("%s: the whole source is under land, and moves water only beside it: fault %s", place,
                    land->names[0]);
    else if (land->count[0] > 0)
        log_info("%s: %zu of %zu faults are wholly under land, and move water beside it: fault %s", place,
                 land->count[0], land->acting, land->names[0]);
}

static enum status find_land_faults(const struct tsunami *run, struct land_faults *land)
{
    const struct tsunami_source *source = run->levels[0]->params.source;
    for (size_t k = 0; k < source->faults.count; k++) {
        const struct fault *fault = &source->faults.faults[k];
        char name[80];
        if (fault->slip_m == 0)
            continue;
        land->acting++;
        if (is_plane_under_water(run, fault))
            continue;
        const int kind = acts_on_water(run, fault) ? 0 : 1;
        name_of(source, k, name, sizeof name);
        land->count[kind]++;
        add_name(land->names[kind], name);
        double shallow_m = 0;
        if (kind == 1 && land->count[1] <= SHALLOW_FAULTS)
            CHECK(find_shallow_water(run, fault, &shallow_m));
        land->shallow += shallow_m > 0;
        land->shallow_m = fmax(land->shallow_m, shallow_m);
    }
    return STATUS_OK;
}

// A displacement or an initial elevation that nowhere acts on water. All levels sample the same file.
// is_alone: without other records (a moved bottom may come back to 0) or currents.
static void warn_of_grid(const struct tsunami *run, const char *key, const char *path, bool is_initial,
                         bool is_alone)
{
    struct tsunami_reach all = {0};
    for (int k = 0; k < run->level_count; k++) {
        const struct tsunami_survey *survey = &run->levels[k]->survey;
        const struct tsunami_reach *one = is_initial ? &survey->initial : &survey->displacement;
        all.most_m = fmax(all.most_m, one->most_m);
        all.on_water_m = fmax(all.on_water_m, one->on_water_m);
        all.on_shallow_m = fmax(all.on_shallow_m, one->on_shallow_m);
    }
    if (all.most_m == 0 && is_alone)
        job_warn(run->levels[0]->job, key,
                 "%s: its values are 0 at every node of the domain: it starts no wave", path);
    if (all.most_m == 0 || all.on_water_m >= acting_share * all.most_m)
        return;
    char cause[160];
    const bool is_shallow = all.on_shallow_m >= acting_share * all.most_m;
    if (is_shallow)
        snprintf(cause, sizeof cause, "the water there is land by physics.wall_depth, %g m",
                 run->levels[0]->params.physics.wall_depth_m);
    else
        snprintf(cause, sizeof cause, "are the file's places right, is domain.bathymetry.positive?");
    job_warn(
        run->levels[0]->job, key,
        "%s: the source is under land: its values reach %.3g m, but at most %.3g m where there is water, so "
        "that %s: %s",
        path, all.most_m, all.on_water_m, all.on_water_m > 0 ? "hardly a wave begins" : "no wave begins",
        cause);
}

enum status tsunami_source_warn_of_land(const struct tsunami *run, struct tsunami_on_land *faults)
{
    const struct tsunami_source *source = run->levels[0]->params.source;
    struct land_faults land = {0};
    CHECK(find_land_faults(run, &land));
    char place[2 * PATH_BYTES + 64];
    name_place(run, place, sizeof place);
    warn_of_faults(run, &land, place);
    if (land.acting > land.count[1])
        warn_of_little(run, place);
    warn_of_few_nodes(run, place);
    if (source->displacement)
        warn_of_grid(run, "source.displacement", source->displacement_path, false,
                     grid_info(source->displacement)->records == 1);
    if (source->initial[0])
        warn_of_grid(run, "source.initial", source->initial_path, true,
                     !source->initial[TSUNAMI_U] && !source->initial[TSUNAMI_V]);
    *faults = (struct tsunami_on_land){.on_land = land.count[1] - land.shallow, .all = land.acting};
    return STATUS_OK;
}
