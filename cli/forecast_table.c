// The table of `fathom forecast`, and what stands below it: see forecast_print.h.
#include "cli/forecast_print.h"

#include "io/date.h"
#include "models/tsunami/export/notice.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- the table

struct table {
    const struct forecast_choices *choices;
    const struct points_result *result;
    bool has_origin, has_colours;
    bool has_levels; // the source moved the sea's level at a point
    double origin_s;
    int name_columns, threat_columns;
};

static const double shown_least_m = 0.005; // heights have two decimals
static const double far_m = 20e3;          // a node farther away may lie off another coast

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

// earliest_s: rounded down to a minute, for it is a time to be ready at.
static void print_times(const struct table *t, double earliest_s, double time_s)
{
    char text[40];
    if (!t->has_origin)
        return;
    const double ready_s = 60 * floor((t->origin_s + earliest_s) / 60);
    printf("  %11s", isnan(earliest_s) ? "-" : forecast_clock_text(ready_s, false, text));
    printf("  %11s", isnan(time_s) ? "-" : forecast_clock_text(t->origin_s + time_s, false, text));
    const double offset_s = 3600 * t->choices->options->utc_offset_h;
    if (t->choices->options->has_utc_offset)
        printf("  %11s",
               isnan(time_s) ? "-" : forecast_clock_text(t->origin_s + time_s + offset_s, false, text));
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
        printf("  %6.2f", fabs(height_m) < shown_least_m ? 0 : height_m); // no "-0.00"
}

// In the source there is no way to travel.
static void print_travel_time(const struct points_result *r, size_t k)
{
    if (forecast_value(r, POINTS_IN_SOURCE, k) == 1)
        printf("  %6s", "source");
    else
        print_span(forecast_value(r, POINTS_TRAVEL_TIME, k));
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
    const double threat = forecast_value(r, POINTS_THREAT, k),
                 motion = forecast_value(r, POINTS_FIRST_MOTION, k);
    const int level = isnan(threat) ? 0 : (int)threat;
    if (forecast_is_skipped(r, k)) {
        print_skipped(t, k);
        return;
    }
    if (t->has_colours)
        fputs(colours[level < COLOURS ? level : COLOURS - 1], stdout);
    print_name(r->names[k], t->name_columns);
    print_times(t, forecast_value(r, POINTS_EARLIEST, k), forecast_value(r, POINTS_ARRIVAL, k));
    print_span(forecast_value(r, POINTS_ARRIVAL, k));
    print_travel_time(r, k);
    printf("  %-4s", motion > 0 ? "rise" : motion < 0 ? "fall" : "-");
    print_height(forecast_value(r, POINTS_FIRST_CREST, k));
    print_span(forecast_value(r, POINTS_FIRST_CREST_TIME, k));
    const double crest_m = forecast_value(r, POINTS_CREST, k);
    print_height(crest_m);
    // A crest of 0.00 m has no time.
    print_span(crest_m >= shown_least_m ? forecast_value(r, POINTS_CREST_TIME, k) : (double)NAN);
    if (t->has_levels)
        print_height(forecast_value(r, POINTS_SOURCE_LEVEL, k));
    print_height(forecast_value(r, POINTS_COASTAL_HEIGHT, k));
    char text[16] = "not reached";
    if (!isnan(threat))
        snprintf(text, sizeof text, "%d%s", level,
                 forecast_may_be_higher(r, k) && level < (int)r->threat_level_count ? "+" : "");
    printf("  %-*s  %3.0f  %5.0f", t->threat_columns, text, 1e-3 * forecast_value(r, POINTS_DISTANCE, k),
           forecast_value(r, POINTS_DEPTH, k));
    puts(t->has_colours && level > 0 ? "\033[0m" : "");
}

static void print_heading(const struct table *t)
{
    char local[32] = "";
    const struct forecast_options *o = t->choices->options;
    if (t->has_origin && o->has_utc_offset)
        snprintf(local, sizeof local, "  UTC%+-8g", o->utc_offset_h);
    printf("%-*s%s%s  %6s  %6s  %-4s  %6s  %6s  %6s  %6s%s  %6s  %-*s  %3s  %5s\n", t->name_columns, "point",
           t->has_origin ? "  UTC          UTC        " : "", local, "after", "travel", "by", "first",
           "after", "crest", "after", t->has_levels ? "   level" : "", "coast", t->threat_columns, "threat",
           "to", "depth");
    printf("%-*s%s%s  %6s  %6s  %-4s  %6s  %6s  %6s  %6s%s  %6s  %-*s  %3s  %5s\n", t->name_columns, "",
           t->has_origin ? "  earliest     arrival    " : "", local[0] ? "  arrival    " : "", "h:min",
           "h:min", "", "m", "h:min", "m", "h:min", t->has_levels ? "       m" : "", "m", t->threat_columns,
           "", "km", "m");
}

static bool has_colours(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !getenv("NO_COLOR") && terminal && strcmp(terminal, "dumb") != 0;
}

struct counts {
    size_t skipped, silent, unreached, unfinished, in_source, early, late, far;
    size_t first_silent, first_early, first_late, first_far;
    bool are_lower_bounds;
};

// early: a smaller uplift outside the source's edge moves the sea before the wave from it comes. late: the
// first waves are lower than what counts as an arrival.
static struct counts count_points(const struct points_result *r)
{
    static const double early_s = 300, late_s = 1800;
    struct counts n = {0};
    for (size_t k = 0; k < r->count; k++) {
        const double arrival_s = forecast_value(r, POINTS_ARRIVAL, k),
                     travel_s = forecast_value(r, POINTS_TRAVEL_TIME, k);
        if (forecast_is_skipped(r, k)) {
            n.skipped++;
            continue;
        }
        if (isnan(arrival_s) && n.silent++ == 0)
            n.first_silent = k;
        if (arrival_s < travel_s - early_s && n.early++ == 0)
            n.first_early = k;
        if (arrival_s > travel_s + late_s && n.late++ == 0)
            n.first_late = k;
        if (forecast_value(r, POINTS_DISTANCE, k) > far_m && n.far++ == 0)
            n.first_far = k;
        n.are_lower_bounds = n.are_lower_bounds || forecast_value(r, POINTS_LOWER_BOUND, k) == 1;
        n.unreached += isnan(forecast_value(r, POINTS_THREAT, k)) ? 1 : 0;
        n.unfinished += forecast_value(r, POINTS_UNFINISHED, k) == 1;
        n.in_source += forecast_value(r, POINTS_IN_SOURCE, k) == 1;
    }
    return n;
}

static bool is_same_node(const struct points_result *r, size_t a, size_t b)
{
    return !forecast_is_skipped(r, a) && !forecast_is_skipped(r, b) &&
           forecast_value(r, POINTS_NODE_LONGITUDE, a) == forecast_value(r, POINTS_NODE_LONGITUDE, b) &&
           forecast_value(r, POINTS_NODE_LATITUDE, a) == forecast_value(r, POINTS_NODE_LATITUDE, b);
}

// Points that one node stands for have one forecast.
static void print_shared(const struct points_result *r)
{
    enum { SHOWN = 4 };
    size_t count = 0;
    for (size_t a = 0; a < r->count; a++)
        for (size_t b = a + 1; b < r->count; b++) {
            if (!is_same_node(r, a, b))
                continue;
            if (++count <= SHOWN)
                printf("%s%s = %s", count == 1 ? "\none node stands for: " : ", ", r->names[a], r->names[b]);
            break; // of more than two the next pair follows from b
        }
    if (count > 0)
        puts(count > SHOWN ? ", ..." : "");
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
    if (n.are_lower_bounds)
        puts("\n+: the grid has too few nodes across the source, so that all waves are too low: heights and "
             "threats are\nlower bounds, and 0+ is no all-clear: choose a finer --spacing, or a longer "
             "--within");
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
    if (n.late > 0)
        printf("\nafter is more than half an hour later than travel at %zu of %zu points (%s%s): the first "
               "waves "
               "there\nare lower than 3 cm: count on earliest\n",
               n.late, kept, r->names[n.first_late], n.late > 1 ? ", ..." : "");
    if (n.far > 0)
        printf("\nthe node of %zu of %zu points (%s%s) lies more than %g km away, where the waves may be "
               "others\n",
               n.far, kept, r->names[n.first_far], n.far > 1 ? ", ..." : "", 1e-3 * far_m);
    print_shared(r);
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

// What the columns mean, and from what level each height counts.
static void print_legend(const struct table *t)
{
    const struct points_result *r = t->result;
    puts("\nafter: hours and minutes after the earthquake, the first of them to a change of the surface by 3 "
         "cm.\n"
         "travel: of a long wave from the edge of the uplift.");
    if (t->has_origin)
        puts("earliest: of travel and after the smaller: a time to be ready at, for lower waves may come "
             "before\n"
             "arrival.");
    printf("first, crest: above the level that the source left at the node%s.\n",
           t->has_levels ? ", which stands under level, above the\nsea at rest" : " (here the sea at rest)");
    puts("coast: above the sea at rest, or a coast that sank with the sea floor: height by Green's law from "
         "crest,\n"
         "over a sea floor that rose from crest and level.");
    printf("threat: how many of the levels ");
    for (size_t k = 0; k < r->threat_level_count; k++)
        printf("%s%g", k > 0 ? ", " : "", r->threat_levels_m[k]);
    puts(" m coast reaches.\nto, depth: distance and depth of the node that stands for the point.");
}

enum status forecast_print_table(const struct forecast_choices *c, const struct forecast_results *results)
{
    enum { NAME_LEAST = 5, NAME_MOST = 28 };
    const struct points_result *result = results->points;
    struct table table = {.choices = c, .result = result, .has_colours = has_colours()};
    size_t *order = forecast_sort_points(result);
    if (!order)
        return FAIL(STATUS_SYSTEM, "no memory for a table of %zu points", result->count);
    table.has_origin = c->origin[0] && date_epoch(c->origin, &table.origin_s);
    table.name_columns = NAME_LEAST;
    for (size_t k = 0; k < result->count; k++)
        if (width_of(result->names[k]) > table.name_columns)
            table.name_columns = width_of(result->names[k]);
    if (table.name_columns > NAME_MOST)
        table.name_columns = NAME_MOST;
    table.threat_columns = (int)strlen("threat");
    for (size_t k = 0; k < result->count; k++) {
        table.has_levels |= fabs(forecast_value(result, POINTS_SOURCE_LEVEL, k)) >= shown_least_m;
        if (isnan(forecast_value(result, POINTS_THREAT, k)) && !forecast_is_skipped(result, k))
            table.threat_columns = (int)strlen("not reached");
    }
    printf("%s, %s\n\n", c->title, c->origin[0] ? "times in UTC" : "times after the earthquake");
    print_heading(&table);
    for (size_t k = 0; k < result->count; k++)
        print_row(&table, order[k]);
    print_legend(&table);
    print_notes(result);
    print_warnings(results->warnings);
    puts("\n" TSUNAMI_NOTICE "\ndocs/event-forecast.md states the limits.");
    free(order);
    return STATUS_OK;
}
