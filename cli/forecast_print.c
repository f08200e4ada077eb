// What `fathom forecast` prints: see forecast_print.h.
#include "cli/forecast_print.h"

#include "cli/options.h"
#include "io/date.h"
#include "io/json_file.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

// ---- times

// To the nearest minute: "03-11 06:12"; with seconds for machines.
static const char *clock_text(double epoch_s, bool is_for_machines, char text[40])
{
    const time_t seconds = (time_t)(is_for_machines ? llround(epoch_s) : 60 * llround(epoch_s / 60));
    struct tm date;
    text[0] = '\0';
    if (gmtime_r(&seconds, &date))
        strftime(text, 40, is_for_machines ? "%Y-%m-%dT%H:%M:%SZ" : "%m-%d %H:%M", &date);
    return text;
}

// ---- the table

struct table {
    const struct forecast_choices *choices;
    const struct points_result *result;
    bool has_origin, has_colours;
    double origin_s;
    int name_columns;
};

static double value(const struct points_result *r, enum points_quantity quantity, size_t k)
{
    return r->values[quantity][k];
}

static bool is_skipped(const struct points_result *r, size_t k)
{
    return r->skipped[k][0] != '\0';
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
    const int by_arrival = compare(value(sorted, POINTS_ARRIVAL, a), value(sorted, POINTS_ARRIVAL, b));
    const int by_travel = compare(value(sorted, POINTS_TRAVEL_TIME, a), value(sorted, POINTS_TRAVEL_TIME, b));
    const int by_node = is_skipped(sorted, a) - is_skipped(sorted, b);
    return by_node != 0      ? by_node
           : by_arrival != 0 ? by_arrival
           : by_travel != 0  ? by_travel
                             : (a > b) - (a < b);
}

static size_t *sort_points(const struct points_result *result)
{
    size_t *order = malloc((result->count + 1) * sizeof *order);
    for (size_t k = 0; order && k < result->count; k++)
        order[k] = k;
    sorted = result;
    if (order)
        qsort(order, result->count, sizeof *order, compare_points);
    return order;
}

// Characters, each of which is taken to be one column wide.
static int width_of(const char *text)
{
    int columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

static void print_name(const char *name, int columns)
{
    int shown = 0;
    const char *end = name;
    while (*end && (((unsigned char)*end & 0xc0) == 0x80 || shown < columns))
        shown += ((unsigned char)*end++ & 0xc0) != 0x80;
    printf("%.*s%*s", (int)(end - name), name, columns - shown, "");
}

static void print_time(const struct table *t, double time_s)
{
    char text[40];
    if (!t->has_origin)
        return;
    printf("  %11s", isnan(time_s) ? "-" : clock_text(t->origin_s + time_s, false, text));
    const double offset_s = 3600 * t->choices->options->utc_offset_h;
    if (t->choices->options->has_utc_offset)
        printf("  %11s", isnan(time_s) ? "-" : clock_text(t->origin_s + time_s + offset_s, false, text));
}

static void print_span(double time_s)
{
    const long minutes = isnan(time_s) ? 0 : lround(time_s / 60);
    if (isnan(time_s))
        printf("  %6s", "-");
    else
        printf("  %3ld:%02ld", minutes / 60, minutes % 60);
}

static void print_height(double height_m)
{
    if (isnan(height_m))
        printf("  %6s", "-");
    else
        printf("  %6.2f", height_m);
}

// In the source there is no way to travel.
static void print_travel_time(const struct points_result *r, size_t k)
{
    if (value(r, POINTS_IN_SOURCE, k) == 1)
        printf("  %6s", "source");
    else
        print_span(value(r, POINTS_TRAVEL_TIME, k));
}

static void print_skipped(const struct table *t, size_t k)
{
    const char *reason = t->result->skipped[k];
    const double search_km = t->choices->search_km;
    print_name(t->result->names[k], t->name_columns);
    if (strcmp(reason, "outside") == 0)
        puts("  skipped: outside the domain");
    else if (strcmp(reason, "cut off") == 0)
        printf("  skipped: the grid cuts off the water within %g km from the source's\n", search_km);
    else
        printf("  skipped: no water of the grid deep enough within %g km\n", search_km);
}

static void print_row(const struct table *t, size_t k)
{
    static const char *const colours[] = {"", "\033[33m", "\033[35m", "\033[1;31m"};
    enum { COLOURS = sizeof colours / sizeof *colours };
    const struct points_result *r = t->result;
    const double threat = value(r, POINTS_THREAT, k), motion = value(r, POINTS_FIRST_MOTION, k);
    const int level = isnan(threat) ? 0 : (int)threat;
    if (is_skipped(r, k)) {
        print_skipped(t, k);
        return;
    }
    if (t->has_colours)
        fputs(colours[level < COLOURS ? level : COLOURS - 1], stdout);
    print_name(r->names[k], t->name_columns);
    print_time(t, value(r, POINTS_ARRIVAL, k));
    print_span(value(r, POINTS_ARRIVAL, k));
    print_travel_time(r, k);
    printf("  %-4s", motion > 0 ? "rise" : motion < 0 ? "fall" : "-");
    print_height(value(r, POINTS_FIRST_CREST, k));
    print_span(value(r, POINTS_FIRST_CREST_TIME, k));
    print_height(value(r, POINTS_CREST, k));
    print_span(value(r, POINTS_CREST_TIME, k));
    print_height(value(r, POINTS_COASTAL_HEIGHT, k));
    if (isnan(threat))
        printf("  not reached");
    else
        printf("  %d%s", level, value(r, POINTS_UNFINISHED, k) == 1 ? "+" : "");
    puts(t->has_colours && level > 0 ? "\033[0m" : "");
}

static void print_heading(const struct table *t)
{
    char local[32] = "";
    const struct forecast_options *o = t->choices->options;
    if (t->has_origin && o->has_utc_offset)
        snprintf(local, sizeof local, "  UTC%+-8g", o->utc_offset_h);
    printf("%-*s%s%s  %6s  %6s  %-4s  %6s  %6s  %6s  %6s  %6s  %s\n", t->name_columns, "point",
           t->has_origin ? "  UTC        " : "", local, "after", "travel", "by", "first", "after", "crest",
           "after", "coast", "threat");
    printf("%-*s%s%s  %6s  %6s  %-4s  %6s  %6s  %6s  %6s  %6s\n", t->name_columns, "",
           t->has_origin ? "  arrival    " : "", local[0] ? "  arrival    " : "", "h:min", "h:min", "", "m",
           "h:min", "m", "h:min", "m");
}

static bool has_colours(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !getenv("NO_COLOR") && terminal && strcmp(terminal, "dumb") != 0;
}

struct counts {
    size_t skipped, silent, unreached, unfinished, in_source, early;
    size_t first_silent, first_early;
};

// early: a smaller uplift outside the source's edge moves the sea before the wave from it comes.
static struct counts count_points(const struct points_result *r)
{
    static const double early_s = 300;
    struct counts n = {0};
    for (size_t k = 0; k < r->count; k++) {
        const double arrival_s = value(r, POINTS_ARRIVAL, k), travel_s = value(r, POINTS_TRAVEL_TIME, k);
        if (is_skipped(r, k)) {
            n.skipped++;
            continue;
        }
        if (isnan(arrival_s) && n.silent++ == 0)
            n.first_silent = k;
        if (arrival_s < travel_s - early_s && n.early++ == 0)
            n.first_early = k;
        n.unreached += isnan(value(r, POINTS_THREAT, k)) ? 1 : 0;
        n.unfinished += value(r, POINTS_UNFINISHED, k) == 1;
        n.in_source += value(r, POINTS_IN_SOURCE, k) == 1;
    }
    return n;
}

// What single rows mean.
static void print_notes(const struct points_result *r)
{
    const struct counts n = count_points(r);
    const size_t kept = r->count - n.skipped;
    if (n.skipped > 0)
        printf("\nskipped: nothing is known of %zu of %zu points\n", n.skipped, r->count);
    if (n.silent > 0)
        printf(
            "\nno arrival within the run at %zu of %zu points (%s%s): the first wave is lower than 3 cm, or "
            "comes later\n",
            n.silent, kept, r->names[n.first_silent], n.silent > 1 ? ", ..." : "");
    if (n.unreached > 0)
        printf(
            "not reached: at %zu of them no wave can have come within the run, and there is no threat level: "
            "see\ntravel, and choose more --hours\n",
            n.unreached);
    if (n.unfinished > 0)
        printf("\n+: at %zu of %zu points the run ended while the sea was at its highest, or soon after the "
               "first\nwave: heights and threat may become higher: choose more --hours\n",
               n.unfinished, kept);
    if (n.in_source > 0)
        printf("\nsource: %zu of %zu points lie where the source moves the sea itself: there is no time "
               "before the\nfirst motion\n",
               n.in_source, kept);
    if (n.early > 0)
        printf("\nafter is earlier than travel at %zu of %zu points (%s%s): travel is that of a wave from "
               "the edge\nof a tenth of the largest uplift; smaller uplift nearer to a point moves the sea "
               "by 3 cm before\n",
               n.early, kept, r->names[n.first_early], n.early > 1 ? ", ..." : "");
}

// Each once: one text may have been said in several parts of a stopped run.
static bool is_repeated(const cJSON *warnings, const cJSON *warning)
{
    const cJSON *other;
    cJSON_ArrayForEach(other, warnings)
    {
        if (other == warning)
            return false;
        if (cJSON_IsString(other) && strcmp(other->valuestring, warning->valuestring) == 0)
            return true;
    }
    return false;
}

static void print_warnings(const cJSON *warnings)
{
    const cJSON *warning;
    cJSON_ArrayForEach(warning, warnings)
    {
        if (cJSON_IsString(warning) && !is_repeated(warnings, warning))
            printf("%swarning: %s\n", warning == warnings->child ? "\n" : "", warning->valuestring);
    }
}

enum status forecast_print_table(const struct forecast_choices *c, const struct forecast_results *results)
{
    enum { NAME_LEAST = 5, NAME_MOST = 28 };
    const struct points_result *result = results->points;
    struct table table = {.choices = c, .result = result, .has_colours = has_colours()};
    size_t *order = sort_points(result);
    if (!order)
        return FAIL(STATUS_SYSTEM, "no memory for a table of %zu points", result->count);
    table.has_origin = c->origin[0] && date_epoch(c->origin, &table.origin_s);
    table.name_columns = NAME_LEAST;
    for (size_t k = 0; k < result->count; k++)
        if (width_of(result->names[k]) > table.name_columns)
            table.name_columns = width_of(result->names[k]);
    if (table.name_columns > NAME_MOST)
        table.name_columns = NAME_MOST;
    printf("%s, %s\n\n", c->title, c->origin[0] ? "times in UTC" : "times after the earthquake");
    print_heading(&table);
    for (size_t k = 0; k < result->count; k++)
        print_row(&table, order[k]);
    printf(
        "\nafter: hours and minutes after the earthquake, the first of them to a change of the surface by 3 "
        "cm.\ntravel: of a long wave from the edge of the uplift. coast: height at the coast by Green's law, "
        "from\ncrest, over a sea floor that rose from the height above the sea at rest. threat: by coast, "
        "levels from\n%s m.\n",
        c->options->threat);
    print_notes(result);
    print_warnings(results->warnings);
    puts("\nA forecast of one source: docs/event-forecast.md states the limits.");
    free(order);
    return STATUS_OK;
}

// ---- JSON

static cJSON *event_json(const struct forecast_choices *c)
{
    const struct forecast_source *s = &c->source;
    cJSON *event = cJSON_CreateObject();
    if (c->options->event_path)
        cJSON_AddStringToObject(event, "file", c->options->event_path);
    cJSON_AddStringToObject(event, "name", s->name);
    cJSON_AddStringToObject(event, "place", s->place);
    cJSON_AddStringToObject(event, "origin", c->origin);
    cJSON_AddNumberToObject(event, "magnitude", s->magnitude);
    cJSON_AddNumberToObject(event, "moment_n_m", s->moment_n_m);
    cJSON_AddNumberToObject(event, "faults", (double)s->shape.faults);
    json_add_number(event, "largest_slip_m", s->shape.largest_slip_m);
    json_add_number(event, "largest_uplift_m", s->shape.largest_uplift_m);
    return event;
}

static cJSON *choices_json(const struct forecast_choices *c, const char *job_path)
{
    const struct forecast_box *box = &c->domain.box;
    const double longitude[] = {box->west_deg, box->east_deg}, latitude[] = {box->south_deg, box->north_deg};
    cJSON *choices = cJSON_CreateObject();
    if (job_path)
        cJSON_AddStringToObject(choices, "job", job_path);
    cJSON_AddStringToObject(choices, "directory", c->options->directory);
    cJSON_AddItemToObject(choices, "longitude", cJSON_CreateDoubleArray(longitude, 2));
    cJSON_AddItemToObject(choices, "latitude", cJSON_CreateDoubleArray(latitude, 2));
    cJSON_AddBoolToObject(choices, "is_globe", c->domain.is_globe);
    if (c->domain.ocean)
        cJSON_AddStringToObject(choices, "ocean", c->domain.ocean);
    cJSON_AddNumberToObject(choices, "farthest_m", c->domain.farthest_m);
    cJSON_AddNumberToObject(choices, "spacing_arcmin", c->spacing.arcmin);
    cJSON_AddNumberToObject(choices, "nodes", c->spacing.nodes);
    cJSON_AddNumberToObject(choices, "steps", c->spacing.steps);
    cJSON_AddNumberToObject(choices, "estimate_s", c->spacing.estimate_s);
    cJSON_AddNumberToObject(choices, "source_nodes", c->source_nodes);
    cJSON_AddNumberToObject(choices, "hours", c->hours);
    cJSON_AddNumberToObject(choices, "last_arrival_s", c->last_arrival_s);
    cJSON_AddStringToObject(choices, "last_point", c->points.points[c->last].name);
    cJSON_AddNumberToObject(choices, "points_reached", (double)c->reached);
    cJSON_AddStringToObject(choices, "bathymetry", c->bathymetry);
    cJSON_AddStringToObject(choices, "method", c->options->method);
    if (c->relation)
        cJSON_AddStringToObject(choices, "relation", c->relation);
    return choices;
}

static void add_points(const struct forecast_choices *c, const struct points_result *r, const size_t *order,
                       cJSON *list)
{
    double origin_s = 0;
    const bool has_origin = c->origin[0] && date_epoch(c->origin, &origin_s);
    for (size_t k = 0; k < r->count; k++) {
        char text[40];
        cJSON *point = json_append_object(list);
        cJSON_AddStringToObject(point, "name", r->names[order[k]]);
        if (is_skipped(r, order[k]))
            cJSON_AddStringToObject(point, "skipped", r->skipped[order[k]]);
        const double arrival_s = value(r, POINTS_ARRIVAL, order[k]);
        if (has_origin && !isnan(arrival_s))
            cJSON_AddStringToObject(point, "arrival_utc", clock_text(origin_s + arrival_s, true, text));
        for (int q = 0; q < POINTS_IN_SOURCE; q++)
            json_add_number(point, points_result_names[q], value(r, (enum points_quantity)q, order[k]));
        if (is_skipped(r, order[k]))
            continue;
        cJSON_AddBoolToObject(point, "is_in_source", value(r, POINTS_IN_SOURCE, order[k]) == 1);
        cJSON_AddBoolToObject(point, "is_unfinished", value(r, POINTS_UNFINISHED, order[k]) == 1);
    }
}

enum status forecast_print_json(const struct forecast_choices *c, const char *job_path,
                                const struct forecast_results *results)
{
    const struct points_result *result = results ? results->points : NULL;
    cJSON *report = cJSON_CreateObject();
    cJSON_AddItemToObject(report, "event", event_json(c));
    cJSON_AddItemToObject(report, "choices", choices_json(c, job_path));
    size_t *order = result ? sort_points(result) : NULL;
    if (result && order)
        add_points(c, result, order, cJSON_AddArrayToObject(report, "points"));
    free(order);
    if (results && results->warnings)
        cJSON_AddItemToObject(report, "warnings", cJSON_Duplicate(results->warnings, true));
    return options_print_json(report);
}
