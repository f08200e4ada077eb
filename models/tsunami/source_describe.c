// The faults of a run's source in its plan and in run.json: magnitude, size, slip, largest uplift, where the
// numbers come from. Independent of the state.
#include "models/tsunami/instance.h"
#include "models/tsunami/source_shape.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// The moment of all faults: as their files and earthquakes state it, else with earthquake_rigidity_pa.
static double total_moment_n_m(const struct tsunami_source *source)
{
    const struct fault_table *table = &source->faults;
    const bool has_quake = source->earthquake.is_given;
    const bool has_stated = source->rupture.is_given && !isnan(source->rupture.moment_n_m);
    double moment_n_m = has_quake ? source->earthquake.plane.moment_n_m : 0;
    moment_n_m += has_stated ? source->rupture.moment_n_m : 0;
    const size_t first = has_stated ? source->rupture_faults : 0;
    for (size_t k = first; k < table->count; k++)
        if (!(has_quake && k >= source->rupture_faults && // the earthquake's come behind source.faults
              k < source->rupture_faults + source->earthquake.faults))
            moment_n_m += earthquake_rigidity_pa * table->faults[k].length_m * table->faults[k].width_m *
                          fabs(table->faults[k].slip_m);
    return moment_n_m;
}

static void print_quake(const struct tsunami_earthquake *quake, double largest_slip_m, char *text,
                        size_t bytes)
{
    const struct fault *fault = &quake->plane.fault;
    const char *title = earthquake_relation_title(quake->relation);
    if (quake->has_random_slip)
        snprintf(text, bytes,
                 "one plane of %.4g km by %.4g km (%s) in %zu by %zu patches of random slip (seed %" PRIu64
                 "), mean slip %.3g m, largest %.3g m",
                 1e-3 * fault->length_m, 1e-3 * fault->width_m, quake->plane.is_scaled ? title : "as given",
                 quake->random.along, quake->random.down, quake->random.seed, fault->slip_m, largest_slip_m);
    else
        snprintf(text, bytes,
                 "one plane of %.4g km by %.4g km (%s), slip %.3g m, strike %.0f, dip %.0f, rake %.0f",
                 1e-3 * fault->length_m, 1e-3 * fault->width_m, quake->plane.is_scaled ? title : "as given",
                 fault->slip_m, fault->strike_deg, fault->dip_deg, fault->rake_deg);
}

static void describe_summary(const struct tsunami_source *source, const struct source_shape *shape,
                             double moment_n_m, cJSON *report)
{
    char parts[256], text[512];
    if (source->earthquake.is_given && source->faults.count == source->earthquake.faults)
        print_quake(&source->earthquake, shape->largest_slip_m, parts, sizeof parts);
    else if (shape->faults == 1)
        snprintf(parts, sizeof parts, "one fault of %.4g km2, slip %.3g m", 1e-6 * shape->area_m2,
                 shape->largest_slip_m);
    else
        snprintf(parts, sizeof parts, "%zu faults that slip, %.4g km2, largest slip %.3g m, mean %.3g m",
                 shape->faults, 1e-6 * shape->area_m2, shape->largest_slip_m, shape->mean_slip_m);
    snprintf(text, sizeof text, "Mw %.2f (%.4g N m), %s\nlargest uplift %.3g m, largest subsidence %.3g m",
             earthquake_magnitude(moment_n_m), moment_n_m, parts, shape->largest_uplift_m,
             shape->largest_subsidence_m);
    cJSON_AddStringToObject(report, "summary", text);
}

static void describe_relation(const struct tsunami_earthquake *quake, cJSON *report)
{
    const struct earthquake_plane *plane = &quake->plane;
    if (!plane->is_scaled)
        return;
    cJSON *relation = cJSON_AddObjectToObject(report, "relation");
    cJSON_AddStringToObject(relation, "name", earthquake_relation_name(quake->relation));
    cJSON_AddStringToObject(relation, "title", earthquake_relation_title(quake->relation));
    json_add_number(relation, "sigma_log10_length", plane->size.sigma_length);
    json_add_number(relation, "sigma_log10_width", plane->size.sigma_width);
    json_add_number(relation, "sigma_log10_area", plane->size.sigma_area);
}

static void describe_random_slip(const struct tsunami_earthquake *quake, cJSON *report)
{
    const struct random_slip *slip = &quake->random;
    if (!quake->has_random_slip)
        return;
    cJSON *object = cJSON_AddObjectToObject(report, "random_slip");
    cJSON_AddNumberToObject(object, "seed", (double)slip->seed);
    cJSON_AddStringToObject(object, "correlation", random_slip_title(quake->scaling));
    cJSON_AddNumberToObject(object, "along_strike_m", slip->correlation.along_m);
    cJSON_AddNumberToObject(object, "down_dip_m", slip->correlation.down_m);
    cJSON_AddNumberToObject(object, "hurst", slip->correlation.hurst);
    cJSON_AddNumberToObject(object, "variation", slip->variation);
    cJSON_AddNumberToObject(object, "patches_along_strike", (double)slip->along);
    cJSON_AddNumberToObject(object, "patches_down_dip", (double)slip->down);
    cJSON_AddNumberToObject(object, "taper", slip->taper);
    cJSON_AddNumberToObject(object, "taper_top", slip->taper_top);
}

static void describe_quake(const struct tsunami_earthquake *quake, cJSON *report)
{
    const struct fault *fault = &quake->plane.fault;
    cJSON *object = cJSON_AddObjectToObject(report, "earthquake");
    if (quake->path[0]) {
        cJSON_AddStringToObject(object, "file", quake->path);
        cJSON_AddStringToObject(object, "format", earthquake_format_name(quake->format));
    }
    if (quake->has_event)
        source_shape_add_event(object, &quake->event, quake->chosen);
    cJSON_AddStringToObject(object, "point", quake->is_centroid ? "centroid" : "hypocentre");
    cJSON_AddNumberToObject(object, "longitude", quake->point.longitude_deg);
    cJSON_AddNumberToObject(object, "latitude", quake->point.latitude_deg);
    cJSON_AddNumberToObject(object, "depth_m", quake->point.depth_m);
    cJSON_AddNumberToObject(object, "moment_n_m", quake->plane.moment_n_m);
    cJSON_AddNumberToObject(object, "magnitude", earthquake_magnitude(quake->plane.moment_n_m));
    cJSON_AddNumberToObject(object, "rigidity_pa", quake->rigidity_pa);
    describe_relation(quake, object);
    cJSON_AddNumberToObject(object, "length_m", fault->length_m);
    cJSON_AddNumberToObject(object, "width_m", fault->width_m);
    cJSON_AddNumberToObject(object, "slip_m", fault->slip_m);
    cJSON_AddNumberToObject(object, "moved_down_m", quake->plane.moved_down_m);
    describe_random_slip(quake, object);
}

void tsunami_source_describe_faults(const struct tsunami_source *source, double earth_radius_m, cJSON *report)
{
    if (source->faults.count == 0)
        return;
    const struct source_shape shape = source_shape_of(&source->faults, earth_radius_m, true);
    if (shape.faults == 0)
        return;
    const double moment_n_m = total_moment_n_m(source);
    describe_summary(source, &shape, moment_n_m, report);
    json_add_number(report, "moment_n_m", moment_n_m);
    json_add_number(report, "moment_magnitude", earthquake_magnitude(moment_n_m));
    cJSON_AddNumberToObject(report, "faults_that_slip", (double)shape.faults);
    cJSON_AddNumberToObject(report, "area_m2", shape.area_m2);
    cJSON_AddNumberToObject(report, "largest_slip_m", shape.largest_slip_m);
    cJSON_AddNumberToObject(report, "mean_slip_m", shape.mean_slip_m);
    cJSON_AddNumberToObject(report, "largest_uplift_m", shape.largest_uplift_m);
    cJSON_AddNumberToObject(report, "largest_subsidence_m", shape.largest_subsidence_m);
    if (source->earthquake.is_given)
        describe_quake(&source->earthquake, report);
    if (source->rupture.is_given) {
        cJSON *rupture = cJSON_AddObjectToObject(report, "finite_fault");
        cJSON_AddStringToObject(rupture, "file", source->faults_path);
        cJSON_AddStringToObject(rupture, "format", earthquake_format_name(source->rupture.format));
        cJSON_AddStringToObject(rupture, "title", source->rupture.title);
        if (source->rupture.time[0])
            cJSON_AddStringToObject(rupture, "time", source->rupture.time);
        cJSON_AddNumberToObject(rupture, "segments", (double)source->rupture.segments);
        json_add_number(rupture, "moment_n_m", source->rupture.moment_n_m);
        cJSON_AddNumberToObject(rupture, "moved_down_m", source->rupture.moved_down_m);
    }
    cJSON_AddItemToObject(report, "fault_tables", source_shape_tables(&source->faults));
}
