// The tables of forecast points and zones on the page of a tsunami.
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

// Without an arrival and without a threat: no wave can have come yet.
// is_unfinished: the threat may become higher.
static void write_threat(FILE *page, const struct report_forecast *forecast, double threat, double arrival_s,
                         bool is_unfinished)
{
    char text[STYLE_TEXT_BYTES];
    if (!isfinite(threat)) {
        report_table_cell(page, isfinite(arrival_s) ? "–" : "not reached", "");
        return;
    }
    fprintf(page, "<td data-sort=\"%.0f\"><b class=\"threat threat-%.0f\">", threat,
            fmax(0, fmin(5, threat)));
    html_text(page, report_tsunami_threat_text(forecast, threat, text));
    fprintf(page, "</b>%s</td>", is_unfinished ? "<small>or more</small>" : "");
}

static void write_motion(FILE *page, double first_motion)
{
    if (isfinite(first_motion) && first_motion != 0)
        report_table_value(page, first_motion, first_motion > 0 ? "▲ rise" : "▼ fall", "");
    else
        report_table_value(page, NAN, "–", "");
}

enum { COLUMNS = 11 }; // of the table of points

static void write_point(FILE *page, const struct report *report, const struct report_point *point,
                        bool has_travel)
{
    const struct report_forecast *forecast = &report_tsunami_waves(report)->forecast;
    char text[STYLE_TEXT_BYTES], node[STYLE_TEXT_BYTES + 16] = "";
    report_table_row(page, point->name,
                     report_tsunami_position(report, point->longitude, point->latitude, 2, text));
    if (point->skipped[0]) {
        fprintf(page, "<td colspan=\"%d\" data-sort=\"\">", has_travel ? COLUMNS - 1 : COLUMNS - 2);
        html_text(page, "skipped: ");
        html_text(page, report_tsunami_skipped_text(point));
        fputs("</td></tr>\n", page);
        return;
    }
    write_arrival(page, report, point->arrival_s);
    write_threat(page, forecast, point->threat, point->arrival_s, point->is_unfinished == 1);
    write_height(page, report, point->coastal_height_m, NAN);
    write_motion(page, point->first_motion);
    write_height(page, report, point->first_crest_m, point->first_crest_s);
    write_height(page, report, point->crest_m, point->crest_s);
    write_height(page, report, point->trough_m, point->trough_s);
    report_table_value(page, point->duration_s, style_duration(point->duration_s, text), "");
    if (isfinite(point->distance_m))
        snprintf(node, sizeof node, "%s away", style_length(point->distance_m, text));
    report_table_value(page, point->depth_m, style_length(point->depth_m, text), node);
    if (has_travel)
        report_table_value(page, point->travel_s, style_duration(point->travel_s, text),
                           point->is_in_source == 1 ? "in the source" : "");
    fputs("</tr>\n", page);
}

static void write_points(FILE *page, const struct report *report)
{
    static const char *const headings[COLUMNS] = {
        "Point",           "Arrival",          "Threat",           "Height at<br>the coast",
        "First<br>motion", "First<br>crest",   "Largest<br>crest", "Deepest<br>trough",
        "Duration",        "Depth<br>of node", "Travel<br>time"};
    const struct report_forecast *forecast = &report_tsunami_waves(report)->forecast;
    char text[STYLE_TEXT_BYTES];
    bool has_travel = false;
    for (size_t k = 0; k < forecast->point_count; k++)
        has_travel |= isfinite(forecast->points[k].travel_s);
    report_table_sortable(page, headings, sizeof headings / sizeof *headings - (has_travel ? 0 : 1));
    for (size_t k = 0; k < forecast->point_count; k++)
        write_point(page, report, &forecast->points[k], has_travel);
    report_table_end(page, NULL);
    fputs("<p class=\"soft\">Arrival: the first change of the surface", page);
    if (isfinite(forecast->threshold_m))
        fprintf(page, " by %s", style_length(forecast->threshold_m, text));
    fputs(
        "; –: not within the run. Heights and times are those at the node taken; the height at the coast is "
        "that of Green's law",
        page);
    if (isfinite(forecast->green_depth_m))
        fprintf(page, " for a depth of %s", style_length(forecast->green_depth_m, text));
    fputs(", by which the threat is judged. not reached: no wave can have come within the run; or more: the "
          "run "
          "ended so early that higher waves may follow. Times of crests count from the start.</p>\n",
          page);
}

static void write_zones(FILE *page, const struct report *report)
{
    static const char *const headings[] = {"Zone", "Earliest<br>arrival", "Threat", "Largest<br>elevation",
                                           "at"};
    const struct report_forecast *forecast = &report_tsunami_waves(report)->forecast;
    char text[STYLE_TEXT_BYTES];
    report_table_sortable(page, headings, sizeof headings / sizeof *headings);
    for (size_t k = 0; k < forecast->zone_count; k++) {
        const struct report_zone *zone = &forecast->zones[k];
        report_table_row(page, zone->name, "");
        write_arrival(page, report, zone->arrival_s);
        write_threat(page, forecast, zone->threat, zone->arrival_s, false);
        write_height(page, report, zone->crest_m, NAN);
        report_table_cell(page, report_tsunami_position(report, zone->longitude, zone->latitude, 2, text),
                          "");
        fputs("</tr>\n", page);
    }
    report_table_end(page, NULL);
}

void report_tsunami_point_table(FILE *page, const struct report *report)
{
    const struct report_forecast *forecast = &report_tsunami_waves(report)->forecast;
    double epoch_s;
    if (report_page_epoch(report, &epoch_s))
        fputs("<p class=\"offset-place\"></p>\n", page);
    if (forecast->point_count > 0)
        write_points(page, report);
    if (forecast->zone_count > 0)
        write_zones(page, report);
}
