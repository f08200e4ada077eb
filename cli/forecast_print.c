// What `fathom forecast` prints of its choices, and what its tables share: see forecast_print.h.
#include "cli/forecast_print.h"

#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- the choices

static const char *latitude_text(double deg, char text[16])
{
    snprintf(text, 16, "%g%s", fabs(deg), deg < 0 ? "S" : "N");
    return text;
}

static const char *longitude_text(double deg, char text[16])
{
    const double turned = remainder(deg, 360);
    snprintf(text, 16, "%g%s", fabs(turned), turned < 0 ? "W" : "E");
    return text;
}

static const char *hours_text(double seconds, char text[40])
{
    const long minutes = lround(seconds / 60);
    snprintf(text, 40, "%ld h %02ld min", minutes / 60, minutes % 60);
    return text;
}

static void print_event(const struct forecast_choices *c)
{
    const struct forecast_source *s = &c->source;
    const struct source_shape *shape = &s->shape;
    char west[16], east[16], south[16], north[16];
    printf("event      Mw %.2f%s%s%s%s", s->magnitude, s->name[0] ? ", " : "", s->name,
           s->place[0] ? ", " : "", s->place);
    if (c->origin[0])
        printf(", %s UTC", c->origin);
    printf(
        "\nsource     %zu fault%s, %.3g km2, largest slip %.3g m, %s to %s, %s to %s; uplift up to %.2g m\n",
        shape->faults, shape->faults == 1 ? "" : "s", 1e-6 * shape->area_m2, shape->largest_slip_m,
        longitude_text(s->box.west_deg, west), longitude_text(s->box.east_deg, east),
        latitude_text(s->box.south_deg, south), latitude_text(s->box.north_deg, north),
        shape->largest_uplift_m);
    if (c->relation)
        printf("           relation %s (--relation): the mechanism is %s, and the default is for thrusts\n",
               c->relation, earthquake_style_name(s->style));
}

static void print_domain(const struct forecast_choices *c)
{
    const struct forecast_box *box = &c->domain.box;
    char west[16], east[16], south[16], north[16];
    if (c->domain.is_globe)
        printf("domain     the whole Earth, %s to %s", latitude_text(box->south_deg, south),
               latitude_text(box->north_deg, north));
    else
        printf("domain     %s to %s, %s to %s", longitude_text(box->west_deg, west),
               longitude_text(box->east_deg, east), latitude_text(box->south_deg, south),
               latitude_text(box->north_deg, north));
    if (!isnan(c->options->domain_deg[0]))
        printf(": as given");
    else
        printf(": source, points and the ways between them with a margin%s%s",
               c->domain.ocean ? ", and " : "", c->domain.ocean ? c->domain.ocean : "");
    printf("%s\n", c->is_clipped ? "; cut to the bathymetry" : "");
    printf("           the farthest point, %s, lies %.0f km away\n",
           c->points.points[c->domain.farthest].name, 1e-3 * c->domain.farthest_m);
}

static void print_spacing(const struct forecast_choices *c)
{
    const struct forecast_spacing *s = &c->spacing;
    char estimate[24], within[24];
    units_format_duration(s->estimate_s, estimate, sizeof estimate);
    units_format_duration(c->options->within_s, within, sizeof within);
    printf("spacing    %g arcmin, %.3g nodes, about %.0f steps, some %s of computing (%s, %d thread%s): ",
           s->arcmin, s->nodes, s->steps, estimate, c->backend, c->threads, c->threads == 1 ? "" : "s");
    if (!isnan(c->options->spacing_arcmin))
        puts("as given");
    else if (s->is_late)
        printf("the coarsest; it takes longer than %s\n", within);
    else if (s->is_files)
        printf("about as fine as the bathymetry (%.3g arcmin)\n", c->file_spacing_arcmin);
    else
        printf("the finest that takes no longer than %s\n", within);
    if (c->source_nodes < SOURCE_SHAPE_NODES_LEAST)
        printf("           the source is about %.2g nodes across, which makes its waves too low: %s\n",
               c->source_nodes,
               s->is_files ? "a finer bathymetry resolves it"
                           : "a smaller domain or a longer --within allows more");
}

void forecast_print_choices(const struct forecast_choices *c, const char *job_path)
{
    char last[40];
    print_event(c);
    printf("points     %zu of %s", c->points.count, c->options->points);
    if (c->reached < c->points.count)
        printf("; %zu lie more than a degree from the sea that the waves reach",
               c->points.count - c->reached);
    putchar('\n');
    print_domain(c);
    print_spacing(c);
    printf("duration   %g h: ", c->hours);
    if (!isnan(c->options->hours))
        printf("as given; ");
    printf("the first wave comes to %s last, after %s", c->points.points[c->last].name,
           hours_text(c->last_arrival_s, last));
    if (isnan(c->options->hours))
        printf("; and %g h of waves", c->options->after_h);
    printf("\nmethod     %s, coasts are walls, the largest stable step\n", c->options->method);
    printf("outputs    %s/: points, maxima, arrivals, travel times\n", c->options->directory);
    if (!job_path) {
        printf("job        not written: %s has results or files of its own\n\n", c->options->directory);
        return;
    }
    printf("job        %s (fathom run --restart %s repeats the run)\n\n", job_path, job_path);
}

// ---- times and points

const char *forecast_clock_text(double epoch_s, bool is_for_machines, char text[40])
{
    const time_t seconds = (time_t)(is_for_machines ? llround(epoch_s) : 60 * llround(epoch_s / 60));
    struct tm date;
    text[0] = '\0';
    if (gmtime_r(&seconds, &date))
        strftime(text, 40, is_for_machines ? "%Y-%m-%dT%H:%M:%SZ" : "%m-%d %H:%M", &date);
    return text;
}

double forecast_value(const struct points_result *r, enum points_quantity quantity, size_t k)
{
    return r->values[quantity][k];
}

bool forecast_is_skipped(const struct points_result *r, size_t k)
{
    return r->skipped[k][0] != '\0';
}

bool forecast_may_be_higher(const struct points_result *r, size_t k)
{
    return forecast_value(r, POINTS_UNFINISHED, k) == 1 || forecast_value(r, POINTS_LOWER_BOUND, k) == 1;
}

// Of what qsort compares.
static const struct points_result *sorted;

static int compare(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

static int compare_points(const void *first, const void *second)
{
    const size_t a = *(const size_t *)first, b = *(const size_t *)second;
    const int by_arrival =
        compare(forecast_value(sorted, POINTS_ARRIVAL, a), forecast_value(sorted, POINTS_ARRIVAL, b));
    const int by_travel =
        compare(forecast_value(sorted, POINTS_TRAVEL_TIME, a), forecast_value(sorted, POINTS_TRAVEL_TIME, b));
    const int by_node = forecast_is_skipped(sorted, a) - forecast_is_skipped(sorted, b);
    return by_node != 0      ? by_node
           : by_arrival != 0 ? by_arrival
           : by_travel != 0  ? by_travel
                             : (a > b) - (a < b);
}

size_t *forecast_sort_points(const struct points_result *result)
{
    size_t *order = malloc((result->count + 1) * sizeof *order);
    for (size_t k = 0; order && k < result->count; k++)
        order[k] = k;
    sorted = result;
    if (order)
        qsort(order, result->count, sizeof *order, compare_points);
    return order;
}
