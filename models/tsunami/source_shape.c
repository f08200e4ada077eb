// Sums over faults, and the largest uplift by trials.
#include "models/tsunami/source_shape.h"

#include "io/json_file.h"
#include "models/tsunami/earthquake/okada_row.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

enum { TABLE_FAULTS_MAX = 20000, SIDE_LEAST = 11, SIDE_MOST = 81, REFINEMENTS = 8 };

static const double degree_rad = 3.14159265358979323846 / 180.0;
// Okada's formula in all.
static const double evaluations = 2e5;

// A fault's edge as offsets in degrees (or m) from its reference point.
static void corner_of(const struct fault *fault, bool is_geographic, double radius_m, double along_m,
                      double left_m, double *x, double *y)
{
    double east_m, north_m;
    fault_place(fault, along_m, left_m, &east_m, &north_m);
    const double scale = is_geographic ? radius_m * degree_rad : 1;
    *x = fault->longitude_deg + east_m / (is_geographic ? scale * cos(fault->latitude_deg * degree_rad) : 1);
    *y = fault->latitude_deg + north_m / scale;
}

static void widen(struct source_shape *shape, const struct fault *fault, bool is_geographic, double radius_m)
{
    const double out_m = fault->width_m * cos(fault->dip_deg * degree_rad);
    for (int k = 0; k < 4; k++) {
        double x, y;
        corner_of(fault, is_geographic, radius_m, (k & 1 ? 0.5 : -0.5) * fault->length_m, k & 2 ? out_m : 0,
                  &x, &y);
        if (is_geographic && shape->faults > 0) // on the same side of the antimeridian as the first fault
            x += 360 * nearbyint((shape->west_deg - x) / 360);
        shape->west_deg = fmin(shape->west_deg, x);
        shape->east_deg = fmax(shape->east_deg, x);
        shape->south_deg = fmin(shape->south_deg, y);
        shape->north_deg = fmax(shape->north_deg, y);
    }
    const double top_m = fmax(0, fault_top_depth_m(fault)); // 0 but for rounding
    shape->shallowest_m = fmin(shape->shallowest_m, top_m);
    shape->deepest_m = fmax(shape->deepest_m, top_m + fault->width_m * sin(fault->dip_deg * degree_rad));
}

static double uplift_m(const struct fault_table *table, double radius_m, double x, double y)
{
    double sum_m = 0;
    for (size_t k = 0; k < table->count; k++)
        if (table->faults[k].slip_m != 0)
            sum_m += (table->is_geographic ? fault_displacement_sphere(&table->faults[k], x, y, radius_m)
                                           : fault_displacement_plane(&table->faults[k], x, y))
                         .up_m;
    return sum_m;
}

// The same at `count` places of a row, at most SIDE_MOST.
static void find_row(const struct fault_table *table, double radius_m, const double *x, size_t count,
                     double y, double *uplifts_m)
{
    double up_m[SIDE_MOST];
    memset(uplifts_m, 0, count * sizeof *uplifts_m);
    for (size_t k = 0; k < table->count; k++) {
        if (table->faults[k].slip_m == 0)
            continue;
        const struct fault_frame frame = fault_frame_of(&table->faults[k]);
        const struct fault_parallel parallel = fault_frame_parallel(&frame, y, radius_m);
        if (table->is_geographic)
            okada_row_on_sphere(&frame, &parallel, x, count, up_m);
        else
            okada_row_on_plane(&frame, x, y, count, up_m);
        for (size_t i = 0; i < count; i++)
            uplifts_m[i] += up_m[i];
    }
}

// From the best place of the raster by ever smaller steps. sign −1: the largest subsidence.
static double climb(const struct fault_table *table, double radius_m, double sign, double best_m, double x,
                    double y, double step_x, double step_y)
{
    for (int k = 0; k < REFINEMENTS; k++) {
        double next_x = x, next_y = y;
        step_x /= 2;
        step_y /= 2;
        for (int trial = 0; trial < 8; trial++) {
            static const int east[] = {1, 1, 0, -1, -1, -1, 0, 1}, north[] = {0, 1, 1, 1, 0, -1, -1, -1};
            const double try_x = x + east[trial] * step_x, try_y = y + north[trial] * step_y,
                         value_m = sign * uplift_m(table, radius_m, try_x, try_y);
            if (value_m > best_m) {
                best_m = value_m;
                next_x = try_x;
                next_y = try_y;
            }
        }
        x = next_x;
        y = next_y;
    }
    return best_m;
}

static void find_uplifts(const struct fault_table *table, double radius_m, struct source_shape *shape)
{
    const double per_side = sqrt(evaluations / (double)shape->faults);
    const int side = (int)fmax(SIDE_LEAST, fmin(SIDE_MOST, per_side));
    const double margin = 0.15, width = shape->east_deg - shape->west_deg,
                 height = shape->north_deg - shape->south_deg;
    const double step_x = (1 + 2 * margin) * width / (side - 1),
                 step_y = (1 + 2 * margin) * height / (side - 1);
    double best_m[2] = {0, 0}, place[2][2] = {{0}};
    double x[SIDE_MOST], row_m[SIDE_MOST];
    for (int i = 0; i < side; i++)
        x[i] = shape->west_deg - margin * width + i * step_x;
    for (int j = 0; j < side; j++) {
        const double y = fmax(-89.9, shape->south_deg - margin * height + j * step_y);
        find_row(table, radius_m, x, (size_t)side, y, row_m);
        for (int i = 0; i < side; i++)
            for (int way = 0; way < 2; way++)
                if ((way == 0 ? row_m[i] : -row_m[i]) > best_m[way]) {
                    best_m[way] = fabs(row_m[i]);
                    place[way][0] = x[i];
                    place[way][1] = y;
                }
    }
    if (shape->faults * REFINEMENTS * 16 <= evaluations)
        for (int way = 0; way < 2; way++)
            best_m[way] = best_m[way] > 0 ? climb(table, radius_m, way == 0 ? 1 : -1, best_m[way],
                                                  place[way][0], place[way][1], step_x, step_y)
                                          : 0;
    shape->largest_uplift_m = best_m[0];
    shape->largest_subsidence_m = best_m[1];
}

struct source_shape source_shape_of(const struct fault_table *table, double earth_radius_m, bool is_whole)
{
    struct source_shape shape = {.west_deg = INFINITY,
                                 .east_deg = -INFINITY,
                                 .south_deg = INFINITY,
                                 .north_deg = -INFINITY,
                                 .shallowest_m = INFINITY};
    double potency_m3 = 0;
    for (size_t k = 0; k < table->count; k++) {
        const struct fault *fault = &table->faults[k];
        if (fault->slip_m == 0)
            continue;
        const double area_m2 = fault->length_m * fault->width_m;
        widen(&shape, fault, table->is_geographic, earth_radius_m);
        shape.faults++;
        shape.area_m2 += area_m2;
        potency_m3 += area_m2 * fabs(fault->slip_m);
        shape.largest_slip_m = fmax(shape.largest_slip_m, fabs(fault->slip_m));
        shape.last_s = fmax(shape.last_s, fault->start_s + fault->rise_s);
    }
    if (shape.faults == 0)
        return (struct source_shape){0};
    shape.mean_slip_m = potency_m3 / shape.area_m2;
    if (is_whole)
        find_uplifts(table, earth_radius_m, &shape);
    return shape;
}

double source_shape_across_m(const struct source_shape *shape, bool is_geographic, double earth_radius_m)
{
    const double middle = 0.5 * (shape->south_deg + shape->north_deg) * degree_rad,
                 unit_m = is_geographic ? earth_radius_m * degree_rad : 1,
                 east_m = (shape->east_deg - shape->west_deg) * unit_m * (is_geographic ? cos(middle) : 1),
                 north_m = (shape->north_deg - shape->south_deg) * unit_m;
    return shape->area_m2 / hypot(east_m, north_m);
}

// ---- JSON

static const char *const reference_words[] = {
    [FAULT_CENTRE] = "centre", [FAULT_TOP_CENTRE] = "top_centre", [FAULT_BOTTOM_CENTRE] = "bottom_centre",
    [FAULT_SIFT] = "sift",     [FAULT_TOP_CORNER] = "top_corner",
};
enum { REFERENCES = sizeof reference_words / sizeof *reference_words };

static cJSON *row_of(const struct fault *fault)
{
    const double values[] = {fault->longitude_deg, fault->latitude_deg, fault->depth_m, fault->length_m,
                             fault->width_m,       fault->strike_deg,   fault->dip_deg, fault->rake_deg,
                             fault->slip_m,        fault->start_s,      fault->rise_s};
    return cJSON_CreateDoubleArray(values, sizeof values / sizeof *values);
}

static cJSON *table_of(const struct fault_table *table, enum fault_reference reference)
{
    const char *const geographic[] = {"longitude", "latitude"}, *const plane[] = {"x", "y"};
    const char *const names[] = {"depth", "length", "width", "strike", "dip",
                                 "rake",  "slip",   "start", "rise"};
    const char *const units[] = {"m", "m", "m", "degree", "degree", "degree", "m", "s", "s"};
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "fathom_faults", 1);
    cJSON_AddStringToObject(object, "reference", reference_words[reference]);
    cJSON *columns = cJSON_AddArrayToObject(object, "columns"),
          *unit_list = cJSON_AddArrayToObject(object, "units");
    for (int k = 0; k < 2; k++) {
        cJSON_AddItemToArray(columns, cJSON_CreateString(table->is_geographic ? geographic[k] : plane[k]));
        cJSON_AddItemToArray(unit_list, cJSON_CreateString(table->is_geographic ? "degree" : "m"));
    }
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        cJSON_AddItemToArray(columns, cJSON_CreateString(names[k]));
        cJSON_AddItemToArray(unit_list, cJSON_CreateString(units[k]));
    }
    cJSON *rows = cJSON_AddArrayToObject(object, "rows");
    for (size_t k = 0; k < table->count && k < TABLE_FAULTS_MAX; k++)
        if (table->faults[k].reference == reference)
            cJSON_AddItemToArray(rows, row_of(&table->faults[k]));
    return object;
}

cJSON *source_shape_tables(const struct fault_table *table)
{
    cJSON *list = cJSON_CreateArray();
    for (int reference = 0; reference < REFERENCES; reference++) {
        size_t count = 0;
        for (size_t k = 0; k < table->count; k++)
            count += table->faults[k].reference == (enum fault_reference)reference;
        if (count > 0)
            cJSON_AddItemToArray(list, table_of(table, (enum fault_reference)reference));
    }
    return list;
}

static void add_point(cJSON *report, const char *name, const struct earthquake_point *point)
{
    if (isnan(point->longitude_deg) && isnan(point->latitude_deg))
        return;
    cJSON *object = cJSON_AddObjectToObject(report, name);
    json_add_number(object, "longitude", point->longitude_deg);
    json_add_number(object, "latitude", point->latitude_deg);
    json_add_number(object, "depth_m", point->depth_m);
}

void source_shape_add_event(cJSON *report, const struct earthquake_event *event, int chosen)
{
    const struct earthquake_tensor *m = &event->tensor;
    const double values[] = {m->rr, m->tt, m->pp, m->rt, m->rp, m->tp};
    static const char *const names[] = {"mrr", "mtt", "mpp", "mrt", "mrp", "mtp"};
    if (event->name[0])
        cJSON_AddStringToObject(report, "event", event->name);
    if (event->place[0])
        cJSON_AddStringToObject(report, "place", event->place);
    if (event->time[0])
        cJSON_AddStringToObject(report, "time", event->time);
    add_point(report, "hypocentre", &event->hypocentre);
    add_point(report, "centroid", &event->centroid);
    if (!isnan(event->magnitude))
        cJSON_AddNumberToObject(report, "event_magnitude", event->magnitude);
    if (event->magnitude_type[0])
        cJSON_AddStringToObject(report, "event_magnitude_type", event->magnitude_type);
    if (!event->has_mechanism)
        return;
    if (!earthquake_event_lacks_moment(event)) {
        cJSON *tensor = cJSON_AddObjectToObject(report, "tensor_n_m");
        for (int k = 0; k < 6; k++)
            cJSON_AddNumberToObject(tensor, names[k], values[k]);
        cJSON_AddNumberToObject(report, "tensor_moment_n_m", event->solution.moment_n_m);
        cJSON_AddNumberToObject(report, "tensor_magnitude", earthquake_magnitude(event->solution.moment_n_m));
    }
    cJSON_AddBoolToObject(report, "is_from_planes", event->is_from_planes);
    cJSON_AddNumberToObject(report, "clvd", event->solution.clvd);
    cJSON *planes = cJSON_AddArrayToObject(report, "nodal_planes");
    for (int k = 0; k < 2; k++) {
        const struct earthquake_mechanism *plane = &event->solution.planes[k];
        cJSON *object = json_append_object(planes);
        cJSON_AddStringToObject(object, "plane", k == 0 ? "shallow" : "steep");
        cJSON_AddNumberToObject(object, "strike", plane->strike_deg);
        cJSON_AddNumberToObject(object, "dip", plane->dip_deg);
        cJSON_AddNumberToObject(object, "rake", plane->rake_deg);
        if (chosen >= 0)
            cJSON_AddBoolToObject(object, "is_chosen", k == chosen);
    }
}
