// The tables of forecast points and zones on the page of a tsunami.
#include "models/tsunami/export/notice.h"
#include "report/html.h"
#include "report/page.h"
#include "report/tsunami/report.h"

#include <math.h>

bool report_tsunami_has_points(const struct report *report)
{
    const struct report_forecast *forecast = &report_tsunami_waves(report)->forecast;
    return forecast->point_count + forecast->zone_count > 0;
}

// "< 1 mm" where no wave came: rounding errors are no heights.
static void write_height(FILE *page, const struct report *report, double height_m, double time_s)
{
    char height[STYLE_TEXT_BYTES + 4], text[STYLE_TEXT_BYTES], time[STYLE_TEXT_BYTES] = "";
    const double least_m = report_tsunami_least_height_m(report_tsunami_waves(report));
    const bool is_none = fabs(height_m) < least_m;
    if (isfinite(time_s) && !is_none)
        style_duration(time_s, time);
    snprintf(height, sizeof height, "%s%s", is_none ? "< " : "",
             style_length(is_none ? least_m : height_m, text));
    report_table_value(page, height_m, height, isfinite(height_m) ? time : "");
}

static void write_arrival(FILE *page, const struct report *report, double arrival_s)
{
    char text[STYLE_TEXT_BYTES];
    report_table_time(page, report, arrival_s, style_duration(arrival_s, text));
}

// What is known of a threat beside its height.
struct doubt {
    bool is_unfinished;  // the run ended early
    bool is_lower_bound; // the grid does not resolve the source
};

static void write_threat(FILE *page, const struct report_forecast *forecast, double threat, double arrival_s,
                         struct doubt doubt)
{
    char text[STYLE_TEXT_BYTES];
    const int colour = report_tsunami_threat_colour(threat, doubt.is_unfinished || doubt.is_lower_bound);
    if (!isfinite(threat)) {
        // Without an arrival no wave can have come yet.
        report_table_cell(page, isfinite(arrival_s) ? "–" : "not reached", "");
        return;
    }
    fprintf(page, "<td data-sort=\"%.0f\"><b class=\"threat threat-", threat);
    if (colour < 0)
        fputs("unknown\">", page);
    else
        fprintf(page, "%d\">", colour);
    html_text(page, report_tsunami_threat_text(forecast, threat, doubt.is_lower_bound, text));
    fprintf(page, "</b>%s</td>",
            doubt.is_lower_bound  ? "<small>a lower bound</small>"
            : doubt.is_unfinished ? "<small>or more</small>"
                                  : "");
}

// The threat stands beside the name, so that a phone shows both.
enum { COLUMNS = 11 }; // of the table of points, with the level of the source

// Which columns a table of points has.
struct columns {
    bool has_earliest, has_level;
};

static void write_node(FILE *page, const struct report_point *point)
{
    char text[STYLE_TEXT_BYTES], node[STYLE_TEXT_BYTES + 16] = "";
    if (isfinite(point->distance_m))
        snprintf(node, sizeof node, "%s away", style_length(point->distance_m, text));
    report_table_value(page, point->depth_m, style_length(point->depth_m, text), node);
}

static void write_motion_and_arrival(FILE *page, const struct report *report,
                                     const struct report_point *point)
{
    char text[STYLE_TEXT_BYTES], shown[STYLE_TEXT_BYTES + 8];
    const double motion = point->first_motion;
    snprintf(shown, sizeof shown, "%s%s", style_duration(point->arrival_s, text),
             motion > 0   ? " ▲"
             : motion < 0 ? " ▼"
                          : "");
    report_table_time(page, report, point->arrival_s, shown);
}

// A time to be ready at is rounded down, to what the page shows of it: the minute of a clock; seconds of a
// span of less than an hour, else minutes.
static void write_earliest(FILE *page, const struct report *report, const struct report_point *point)
{
    char text[STYLE_TEXT_BYTES];
    double epoch_s = 0;
    const double time_s = point->earliest_s, unit_s = time_s < 3600 ? 1 : 60;
    const bool has_origin = report_page_epoch(report, &epoch_s);
    const double clock_s = has_origin ? 60 * floor((epoch_s + time_s) / 60) - epoch_s : time_s;
    if (point->is_in_source == 1)
        report_table_value(page, 0, "at once", "in the source");
    else
        report_table_time(page, report, clock_s, style_duration(unit_s * floor(time_s / unit_s), text));
}

static void write_point(FILE *page, const struct report *report, const struct report_point *point,
                        struct columns columns)
{
    const struct report_forecast *forecast = &report_tsunami_waves(report)->forecast;
    char text[STYLE_TEXT_BYTES];
    report_table_row(page, point->name,
                     report_tsunami_position(report, point->longitude, point->latitude, 2, text));
    if (point->skipped[0]) {
        fprintf(page, "<td colspan=\"%d\" data-sort=\"\">",
                COLUMNS - 1 - !columns.has_earliest - !columns.has_level);
        html_text(page, "skipped: ");
        html_text(page, report_tsunami_skipped_text(point));
        fputs("</td></tr>\n", page);
        return;
    }
    write_threat(page, forecast, point->threat, point->arrival_s,
                 (struct doubt){.is_unfinished = point->is_unfinished == 1,
                                .is_lower_bound = point->is_lower_bound == 1});
    write_height(page, report, point->coastal_height_m, NAN);
    if (columns.has_earliest)
        write_earliest(page, report, point);
    write_motion_and_arrival(page, report, point);
    write_height(page, report, point->first_crest_m, point->first_crest_s);
    write_height(page, report, point->crest_m, point->crest_s);
    write_height(page, report, point->trough_m, point->trough_s);
    if (columns.has_level)
        write_height(page, report, point->source_level_m, NAN);
    report_table_value(page, point->duration_s, style_duration(point->duration_s, text), "");
    write_node(page, point);
    fputs("</tr>\n", page);
}

static struct columns columns_of(const struct report *report)
{
    const struct report_waves *waves = report_tsunami_waves(report);
    const double least_m = report_tsunami_least_height_m(waves);
    struct columns columns = {false, false};
    for (size_t k = 0; k < waves->forecast.point_count; k++) {
        const struct report_point *point = &waves->forecast.points[k];
        columns.has_earliest |= isfinite(point->travel_s);
        columns.has_level |= fabs(point->source_level_m) >= least_m;
    }
    return columns;
}

static void write_headings(FILE *page, struct columns columns)
{
    static const char *const all[COLUMNS] = {
        "Point",           "Threat",           "Height at<br>the coast", "Earliest<br>possible",   "Arrival",
        "First<br>crest",  "Largest<br>crest", "Deepest<br>trough",      "Level of<br>the source", "Duration",
        "Depth<br>of node"};
    const char *headings[COLUMNS];
    size_t count = 0;
    for (size_t k = 0; k < COLUMNS; k++)
        if ((k != 3 || columns.has_earliest) && (k != 8 || columns.has_level))
            headings[count++] = all[k];
    report_table_sortable(page, headings, count);
}

static void write_meaning(FILE *page, const struct report_forecast *forecast, struct columns columns)
{
    char text[STYLE_TEXT_BYTES];
    fputs("<p class=\"soft\">Arrival: the first change of the surface", page);
    if (isfinite(forecast->threshold_m))
        fprintf(page, " by %s", style_length(forecast->threshold_m, text));
    fputs(", ▲ a rise, ▼ a fall; –: not within the run.", page);
    if (columns.has_earliest)
        fputs(" Earliest possible: of a long wave from the edge of the uplift, or the arrival if that is "
              "earlier; lower waves may come hours before the arrival: be ready then.",
              page);
    fputs(columns.has_level ? " Crests and troughs, at the node taken, count from the level that the source "
                              "left there, which "
                              "is given above the sea at rest."
                            : " Crests and troughs, at the node taken, count from the sea at rest.",
          page);
    fputs(" The height at the coast, by which the threat is judged, is that of Green's law", page);
    if (isfinite(forecast->green_depth_m))
        fprintf(page, " for a depth of %s", style_length(forecast->green_depth_m, text));
    fputs(columns.has_level ? ", from the largest crest, over a sea floor that rose from crest and level."
                            : ".",
          page);
    fputs(
        " Not reached: no wave can have come within the run; or more: the run ended so early that higher "
        "waves "
        "may follow; a lower bound: the grid has too few nodes across the source, so that all waves are too "
        "low. Times of crests count from the start.</p>\n",
        page);
}

static void write_points(FILE *page, const struct report *report)
{
    const struct report_forecast *forecast = &report_tsunami_waves(report)->forecast;
    const struct columns columns = columns_of(report);
    write_headings(page, columns);
    for (size_t k = 0; k < forecast->point_count; k++)
        write_point(page, report, &forecast->points[k], columns);
    report_table_end(page, NULL);
    write_meaning(page, forecast, columns);
}

static void write_zone(FILE *page, const struct report *report, const struct report_zone *zone)
{
    char text[STYLE_TEXT_BYTES];
    report_table_row(page, zone->name, "");
    if (report_tsunami_is_dry(zone)) {
        fputs("<td colspan=\"4\" data-sort=\"\">no water of the grid in this zone: nothing is known of "
              "it</td></tr>\n",
              page);
        return;
    }
    write_threat(page, &report_tsunami_waves(report)->forecast, zone->threat, zone->arrival_s,
                 (struct doubt){.is_lower_bound = zone->is_lower_bound == 1});
    write_arrival(page, report, zone->arrival_s);
    write_height(page, report, zone->crest_m, NAN);
    report_table_cell(page, report_tsunami_position(report, zone->longitude, zone->latitude, 2, text), "");
    fputs("</tr>\n", page);
}

static void write_zones(FILE *page, const struct report *report)
{
    static const char *const headings[] = {"Zone", "Threat", "Earliest<br>arrival", "Largest<br>elevation",
                                           "at"};
    const struct report_forecast *forecast = &report_tsunami_waves(report)->forecast;
    report_table_sortable(page, headings, sizeof headings / sizeof *headings);
    for (size_t k = 0; k < forecast->zone_count; k++)
        write_zone(page, report, &forecast->zones[k]);
    report_table_end(page, "Largest elevation: of the surface above the sea at rest, anywhere in the zone.");
}

void report_tsunami_point_table(FILE *page, const struct report *report)
{
    const struct report_forecast *forecast = &report_tsunami_waves(report)->forecast;
    double epoch_s;
    fputs("<p><b>" TSUNAMI_NOTICE "</b></p>\n", page);
    if (report_page_epoch(report, &epoch_s))
        fputs("<p class=\"offset-place\"></p>\n", page);
    if (forecast->point_count > 0)
        write_points(page, report);
    if (forecast->zone_count > 0)
        write_zones(page, report);
}
