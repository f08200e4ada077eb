// Faults and water: warns, before the run, of faults under land, which cause no wave; finds the bodies of
// water that a fault moves. Knows no state and no solver.
#include "models/tsunami/axis.h"
#include "models/tsunami/instance.h"
#include "models/tsunami/sea.h"

#include "core/log.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Sampling points along and across a fault's plane; and around it, for its uplift.
enum { PLANE_POINTS = 9, UPLIFT_POINTS = 25, NAMES_BYTES = 240 };

// A fault acts where its uplift is at least this share of its largest.
static const double acting_share = 0.1;

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

// Whatever its sign.
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

// Faults wholly under land: 0: those that still act on water beside it, 1: the others.
struct land_faults {
    size_t acting, count[2];
    char names[2][NAMES_BYTES];
};

struct tsunami_on_land tsunami_source_warn_of_land(const struct tsunami *run)
{
    const struct tsunami_source *source = run->levels[0]->params.source;
    struct land_faults land = {0};
    for (size_t k = 0; k < source->faults.count; k++) {
        const struct fault *fault = &source->faults.faults[k];
        char name[80];
        if (fault->slip_m == 0)
            continue;
        land.acting++;
        if (is_plane_under_water(run, fault))
            continue;
        const int kind = acts_on_water(run, fault) ? 0 : 1;
        name_of(source, k, name, sizeof name);
        land.count[kind]++;
        add_name(land.names[kind], name);
    }
    const bool is_one = land.acting == 1, are_all = land.count[0] + land.count[1] == land.acting;
    if (land.count[1] > 0)
        log_warning("source: %zu of %zu fault%s under land: no water lies over the plane, nor where the "
                    "ground rises or sinks by a tenth of its most, so that no wave begins there: fault %s%s",
                    land.count[1], land.acting, is_one ? " is" : "s are", land.names[1],
                    land.count[1] == land.acting ? "; is the bathymetry right, are the faults' places?" : "");
    if (land.count[0] > 0 && are_all)
        log_warning("source: the whole source is under land, and moves water only beside it: fault %s",
                    land.names[0]);
    else if (land.count[0] > 0)
        log_info("source: %zu of %zu faults are wholly under land, and move water beside it: fault %s",
                 land.count[0], land.acting, land.names[0]);
    return (struct tsunami_on_land){.on_land = land.count[1], .all = land.acting};
}
