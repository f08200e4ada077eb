// Describes moment tensors and finite faults: magnitude, moment, planes, patches, extent, and the lines of a
// job.
#include "cli/info_earthquake.h"

#include "cli/info_job.h"
#include "cli/options.h"
#include "io/json_file.h"
#include "io/utf8.h"
#include "models/tsunami/earthquake/plane.h"
#include "models/tsunami/earthquake/recognise.h"
#include "models/tsunami/source_shape.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double earth_radius_m = 6371e3;
// Of an upper edge that breaks the sea floor, as nearly as a grid can tell: there the uplift has a step.
static const double trace_m = 500;

bool info_earthquake_is_for(const char *path)
{
    enum earthquake_format format;
    if (earthquake_recognise_file(path, &format) != STATUS_OK) {
        status_clear(); // others say what is wrong with it
        return false;
    }
    return format != EARTHQUAKE_NONE;
}

static void print_head(const char *path, enum earthquake_format format)
{
    printf("file       %s\nformat     %s\n", UTF8_SHOWN(path), earthquake_format_name(format));
}

// ---- moment tensors

static void print_point(const char *label, const struct earthquake_point *point)
{
    if (isnan(point->longitude_deg) || isnan(point->latitude_deg))
        return;
    printf("%-10s longitude %g, latitude %g", label, point->longitude_deg, point->latitude_deg);
    if (!isnan(point->depth_m))
        printf(", depth %g km", 1e-3 * point->depth_m);
    putchar('\n');
}

// A reverse mechanism needs no plane; of others the job must name one.
static bool needs_plane(const struct earthquake_event *event)
{
    return event->has_mechanism &&
           earthquake_style_of(event->solution.planes[0].rake_deg) != EARTHQUAKE_REVERSE;
}

static cJSON *job_of_event(const char *path, const char *wanted, const struct earthquake_event *event)
{
    cJSON *job = cJSON_CreateObject();
    cJSON_AddStringToObject(job, "file", path);
    if (wanted)
        cJSON_AddStringToObject(job, "event", wanted);
    static const char *const angles[] = {"strike", "dip", "rake"};
    for (int k = 0; k < 3 && !event->has_mechanism; k++)
        cJSON_AddStringToObject(job, angles[k], "?");
    if (needs_plane(event))
        cJSON_AddStringToObject(job, "plane", "?");
    if (earthquake_event_lacks_moment(event))
        cJSON_AddStringToObject(job, "magnitude", "?");
    return job;
}

static void print_planes(const struct earthquake_solution *solution)
{
    for (int k = 0; k < 2; k++)
        printf("%-10s %s: strike %.1f, dip %.1f, rake %.1f degree (%s)\n", k == 0 ? "planes" : "",
               k == 0 ? "shallow" : "steep", solution->planes[k].strike_deg, solution->planes[k].dip_deg,
               solution->planes[k].rake_deg,
               earthquake_style_name(earthquake_style_of(solution->planes[k].rake_deg)));
}

static void print_moment(const struct earthquake_event *event)
{
    const struct earthquake_solution *solution = &event->solution;
    const struct earthquake_tensor *m = &event->tensor;
    printf("moment     Mw %.2f, %.4g N m", earthquake_magnitude(solution->moment_n_m), solution->moment_n_m);
    if (event->is_from_planes)
        printf(" (of the magnitude; the file has nodal planes, no tensor)");
    if (solution->clvd > 0.05)
        printf(", %.0f %% no double couple", 100 * solution->clvd);
    printf("\ntensor     Mrr %.4g, Mtt %.4g, Mpp %.4g, Mrt %.4g, Mrp %.4g, Mtp %.4g N m\n", m->rr, m->tt,
           m->pp, m->rt, m->rp, m->tp);
}

static void print_magnitude(const struct earthquake_event *event)
{
    if (isnan(event->magnitude))
        return;
    const char *type =
        event->magnitude_type[0] ? event->magnitude_type : "the file does not say of which type";
    printf("magnitude  %g (%s)%s%s\n", event->magnitude, type,
           earthquake_event_lacks_moment(event) ? ", not a moment magnitude" : "",
           event->has_mechanism ? "" : ", no mechanism");
}

// What the file does not tell.
static void print_open(const struct earthquake_event *event)
{
    if (!event->has_mechanism)
        printf("to decide  strike, dip and rake, each with a unit: the file does not have them\n");
    if (needs_plane(event))
        printf("to decide  plane: \"shallow\" or \"steep\"; the tensor does not tell which one slipped\n");
    if (earthquake_event_lacks_moment(event))
        printf("to decide  magnitude (Mw): %s of great earthquakes is too small\n", event->magnitude_type);
}

static enum status print_event(const char *path, const char *wanted, const struct earthquake_event *event)
{
    if (event->name[0] || event->place[0])
        printf("event      %s%s%s%s%s\n", event->name, event->place[0] ? ", " : "", event->place,
               event->time[0] ? ", " : "", event->time);
    print_point("hypocentre", &event->hypocentre);
    print_point("centroid", &event->centroid);
    print_magnitude(event);
    if (event->has_mechanism && !earthquake_event_lacks_moment(event))
        print_moment(event);
    if (event->has_mechanism)
        print_planes(&event->solution);
    CHECK(info_job_print("source.earthquake", job_of_event(path, wanted, event)));
    print_open(event);
    return STATUS_OK;
}

static enum status show_event(const char *path, const char *wanted, bool as_json)
{
    struct earthquake_event event;
    enum earthquake_format format;
    CHECK(earthquake_read_event(path, wanted, &event, &format));
    if (!as_json) {
        print_head(path, format);
        return print_event(path, wanted, &event);
    }
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "file", path);
    cJSON_AddStringToObject(report, "format", earthquake_format_name(format));
    source_shape_add_event(report, &event, -1);
    cJSON_AddItemToObject(report, "earthquake", job_of_event(path, wanted, &event));
    return options_print_json(report);
}

// ---- finite faults

// Rows of a file that names no moment have that of NOAA's rigidity.
static double moment_of(const struct earthquake_rupture *rupture, const struct source_shape *shape)
{
    return isnan(rupture->moment_n_m) ? earthquake_rigidity_pa * shape->area_m2 * shape->mean_slip_m
                                      : rupture->moment_n_m;
}

static enum status print_rupture(const char *path, const struct earthquake_rupture *rupture,
                                 const struct source_shape *shape)
{
    const double moment_n_m = moment_of(rupture, shape), potency_m3 = shape->area_m2 * shape->mean_slip_m;
    const bool is_geographic = rupture->faults.is_geographic;
    if (rupture->title[0])
        printf("title      %s\n", rupture->title);
    if (rupture->time[0])
        printf("origin     %s\n", rupture->time);
    print_point("hypocentre", &rupture->hypocentre);
    printf("moment     Mw %.2f, %.4g N m (%s%.3g GPa)\n", earthquake_magnitude(moment_n_m), moment_n_m,
           isnan(rupture->moment_n_m) ? "the file states none: with a rigidity of "
                                      : "on average a rigidity of ",
           1e-9 * moment_n_m / potency_m3);
    printf("patches    %zu", rupture->faults.count);
    if (rupture->segments > 0 && rupture->segments < rupture->faults.count)
        printf(" in %zu segment%s", rupture->segments, rupture->segments == 1 ? "" : "s");
    printf(", %zu slip\n", shape->faults);
    printf("slip       largest %.4g m, mean %.3g m, over %.4g km2\n", shape->largest_slip_m,
           shape->mean_slip_m, 1e-6 * shape->area_m2);
    printf("extent     %s %.7g … %.7g, %s %.7g … %.7g, depth %.4g … %.4g km\n",
           is_geographic ? "longitude" : "x", shape->west_deg, shape->east_deg,
           is_geographic ? "latitude" : "y", shape->south_deg, shape->north_deg, 1e-3 * shape->shallowest_m,
           1e-3 * shape->deepest_m);
    if (shape->last_s > 0)
        printf("time       the last patch stops after %.4g s\n", shape->last_s);
    printf("uplift     largest %.3g m, largest subsidence %.3g m%s\n", shape->largest_uplift_m,
           shape->largest_subsidence_m,
           shape->shallowest_m < trace_m
               ? ", beside the trace of a plane that reaches the sea floor: a grid has less"
               : "");
    if (rupture->moved_down_m > 0)
        printf("depth      moved down by up to %.3g km, so that no patch breaks the sea floor\n",
               1e-3 * rupture->moved_down_m);
    return info_job_print("source.faults", cJSON_CreateString(path));
}

static enum status print_rupture_json(const char *path, enum earthquake_format format,
                                      const struct earthquake_rupture *rupture,
                                      const struct source_shape *shape)
{
    const double moment_n_m = moment_of(rupture, shape);
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "file", path);
    cJSON_AddStringToObject(report, "format", earthquake_format_name(format));
    cJSON_AddStringToObject(report, "title", rupture->title);
    if (rupture->time[0])
        cJSON_AddStringToObject(report, "time", rupture->time);
    cJSON_AddNumberToObject(report, "moment_n_m", moment_n_m);
    cJSON_AddNumberToObject(report, "magnitude", earthquake_magnitude(moment_n_m));
    cJSON_AddBoolToObject(report, "states_moment", !isnan(rupture->moment_n_m));
    cJSON_AddNumberToObject(report, "patches", (double)rupture->faults.count);
    cJSON_AddNumberToObject(report, "patches_that_slip", (double)shape->faults);
    cJSON_AddNumberToObject(report, "segments", (double)rupture->segments);
    cJSON_AddNumberToObject(report, "largest_slip_m", shape->largest_slip_m);
    cJSON_AddNumberToObject(report, "mean_slip_m", shape->mean_slip_m);
    cJSON_AddNumberToObject(report, "area_m2", shape->area_m2);
    const double x[] = {shape->west_deg, shape->east_deg}, y[] = {shape->south_deg, shape->north_deg},
                 depth[] = {shape->shallowest_m, shape->deepest_m};
    const bool is_geographic = rupture->faults.is_geographic;
    cJSON_AddItemToObject(report, is_geographic ? "longitude" : "x", cJSON_CreateDoubleArray(x, 2));
    cJSON_AddItemToObject(report, is_geographic ? "latitude" : "y", cJSON_CreateDoubleArray(y, 2));
    cJSON_AddItemToObject(report, "depth_m", cJSON_CreateDoubleArray(depth, 2));
    cJSON_AddNumberToObject(report, "last_s", shape->last_s);
    cJSON_AddNumberToObject(report, "largest_uplift_m", shape->largest_uplift_m);
    cJSON_AddNumberToObject(report, "largest_subsidence_m", shape->largest_subsidence_m);
    cJSON_AddNumberToObject(report, "moved_down_m", rupture->moved_down_m);
    cJSON_AddItemToObject(report, "fault_tables", source_shape_tables(&rupture->faults));
    return options_print_json(report);
}

static enum status show_rupture(const char *path, bool as_json)
{
    struct earthquake_rupture rupture;
    enum earthquake_format format;
    CHECK(earthquake_read_rupture(path, NULL, &rupture, &format));
    const struct source_shape shape = source_shape_of(&rupture.faults, earth_radius_m, true);
    enum status status;
    if (shape.faults == 0) {
        status = FAIL(STATUS_DATA, "%s: none of its faults slips", path);
    } else if (as_json) {
        status = print_rupture_json(path, format, &rupture, &shape);
    } else {
        print_head(path, format);
        status = print_rupture(path, &rupture, &shape);
    }
    earthquake_rupture_free(&rupture);
    return status;
}

enum status info_earthquake(const char *path, const char *wanted, bool as_json)
{
    enum earthquake_format format;
    CHECK(earthquake_recognise_file(path, &format));
    if (wanted && !earthquake_format_is_event(format))
        return FAIL(STATUS_USAGE, "--event is for files of moment tensors, %s is a %s", path,
                    earthquake_format_name(format));
    return earthquake_format_is_event(format) ? show_event(path, wanted, as_json)
                                              : show_rupture(path, as_json);
}
