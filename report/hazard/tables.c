// The tables of the hazard page: the points with the probability of each level of threat, and the members.
#include "models/tsunami/export/notice.h"
#include "report/hazard/report.h"
#include "report/html.h"
#include "report/page.h"
#include "report/web/map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- points

static void write_share(FILE *page, double share, const char *colour)
{
    char text[STYLE_TEXT_BYTES];
    // The colour of the level, the stronger the more likely it is.
    if (share > 0)
        fprintf(page, "<td data-sort=\"%.9g\" style=\"text-align:right;background:%s%02x\">", share, colour,
                (unsigned)(20 + 110 * fmin(1, share)));
    else
        fprintf(page, "<td data-sort=\"%s\" style=\"text-align:right\">", isnan(share) ? "" : "0");
    html_text(page, share > 0 || isnan(share) ? report_hazard_percent(share, text) : "0");
    fputs("</td>", page);
}

// The highest level first; at last what was not reached.
static void write_shares(FILE *page, const double *shares, size_t states)
{
    for (size_t k = states; k-- > 1;) {
        const size_t level = k - 1 < WEB_MAP_LEVEL_UNKNOWN ? k - 1 : WEB_MAP_LEVEL_UNKNOWN - 1;
        write_share(page, shares[k], web_map_levels[level]);
    }
    write_share(page, shares[0], web_map_levels[WEB_MAP_LEVEL_UNKNOWN]);
}

static const double least_m = 0.001; // rounding errors are no heights

static void write_height(FILE *page, const double *percentiles_m)
{
    char text[STYLE_TEXT_BYTES], low[STYLE_TEXT_BYTES], high[STYLE_TEXT_BYTES], under[160];
    const bool is_none = percentiles_m[HAZARD_SHOWN_PERCENTILES - 1] < least_m;
    snprintf(under, sizeof under, "%s – %s", style_length(percentiles_m[0], low),
             style_length(percentiles_m[HAZARD_SHOWN_PERCENTILES - 1], high));
    report_table_value(page, percentiles_m[2], is_none ? "< 1 mm" : style_length(percentiles_m[2], text),
                       is_none || isnan(percentiles_m[2]) ? "" : under);
}

static void write_place(FILE *page, const struct report_hazard_state *state, size_t point)
{
    const struct report_hazard_points *p = &state->points;
    char text[STYLE_TEXT_BYTES];
    if (state->is_geographic)
        style_place(p->x[point], p->y[point], 2, text);
    else
        snprintf(text, sizeof text, "x %.6g, y %.6g", p->x[point], p->y[point]);
    report_table_row(page, p->names[point], text);
}

// What is to be known beside the numbers.
static void write_doubts(FILE *page, const struct report_hazard_points *p, size_t point)
{
    char text[256] = "", part[STYLE_TEXT_BYTES];
    size_t used = 0;
    if (p->lower_bound[point] > 0)
        used += (size_t)snprintf(text, sizeof text, "lower bounds in %s",
                                 report_hazard_percent(p->lower_bound[point], part));
    if (p->unfinished[point] > 0)
        used += (size_t)snprintf(text + used, sizeof text - used, "%shigher waves may follow in %s",
                                 used ? "; " : "", report_hazard_percent(p->unfinished[point], part));
    if (!(p->weight[point] > 0))
        snprintf(text + used, sizeof text - used, "%sno node with water near it", used ? "; " : "");
    else if (p->weight[point] < 1 - 1e-9)
        snprintf(text + used, sizeof text - used, "%sa node in %s of the members only", used ? "; " : "",
                 report_hazard_percent(p->weight[point], part));
    fputs("<td style=\"white-space:normal;min-width:9em\"><small>", page);
    html_text(page, text);
    fputs("</small></td></tr>\n", page);
}

static void write_point(FILE *page, const struct report *report, size_t point)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    const struct report_hazard_points *p = &state->points;
    char text[STYLE_TEXT_BYTES], under[STYLE_TEXT_BYTES + 8];
    write_place(page, state, point);
    write_shares(page, p->shares + point * p->states, p->states);
    write_height(page, p->coastal_m + point * HAZARD_SHOWN_PERCENTILES);
    write_height(page, p->crest_m + point * HAZARD_SHOWN_PERCENTILES);
    report_table_time(page, report, p->earliest_s[point], style_duration(p->earliest_s[point], text));
    snprintf(under, sizeof under, "in %s", report_hazard_percent(p->arrival[point], text));
    report_table_value(page, p->median_s[point], style_duration(p->median_s[point], text),
                       p->arrival[point] > 0 ? under : "");
    write_doubts(page, p, point);
}

// The first heading, the levels of threat, and the rest.
static void write_headings(FILE *page, const struct report_hazard_state *state, const char *first,
                           const char *const *rest, size_t rest_count)
{
    enum { MOST = HAZARD_LEVELS_MAX + 9 };
    char levels[HAZARD_LEVELS_MAX + 1][STYLE_TEXT_BYTES + 80];
    const char *headings[MOST];
    size_t count = 0;
    headings[count++] = first;
    for (size_t k = state->threshold_count + 1; k-- > 0;) {
        char text[STYLE_TEXT_BYTES];
        const size_t colour = k < WEB_MAP_LEVEL_UNKNOWN ? k : WEB_MAP_LEVEL_UNKNOWN - 1;
        report_hazard_level_text(state, k, text);
        const char *sign = strncmp(text, "< ", 2) == 0 ? "&lt; " : "";
        snprintf(levels[k], sizeof levels[k], "<b class=\"threat threat-%zu\">%s%s</b>", colour, sign,
                 text + (sign[0] ? 2 : 0));
        headings[count++] = levels[k];
    }
    for (size_t k = 0; k < rest_count; k++)
        headings[count++] = rest[k];
    report_table_sortable(page, headings, count);
}

// What stands above points and zones, once.
static void write_notice(FILE *page, const double *lower_bound, size_t count)
{
    double largest = 0;
    char text[STYLE_TEXT_BYTES];
    fputs("<p><b>" HAZARD_NOTICE "</b></p>\n", page);
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, lower_bound[k]);
    if (largest > 0)
        fprintf(
            page,
            "<p><b>In %s of the members all waves are too low</b>, for the grid has too few nodes across the "
            "source: heights are lower bounds, and a small threat is no all-clear.</p>\n",
            report_hazard_percent(largest, text));
}

void report_hazard_point_table(FILE *page, const struct report *report)
{
    static const char *const rest[] = {"Not<br>reached",      "Height at<br>the coast", "Largest<br>crest",
                                       "Earliest<br>arrival", "Median<br>arrival",      "Note"};
    const struct report_hazard_state *state = report_hazard_state(report);
    double epoch_s;
    write_notice(page, state->points.lower_bound, state->points.count);
    if (state->points.count == 0)
        return;
    if (report_page_epoch(report, &epoch_s))
        fputs("<p class=\"offset-place\"></p>\n", page);
    write_headings(page, state, "Point", rest, sizeof rest / sizeof *rest);
    for (size_t k = 0; k < state->points.count; k++)
        write_point(page, report, state->points.order[k]);
    report_table_end(page, NULL);
    fputs("<p class=\"soft\">Coloured: the probability of each level of threat, that is the weight of the "
          "members "
          "whose height at the coast (Green's law) lies there. Not reached: no wave can have come within the "
          "run, so that nothing is known yet. Heights: the median, and below it the 5th and 95th "
          "percentiles; where "
          "no wave reached the threshold of arrival the height at the coast is 0. Earliest arrival: in any "
          "member. Median arrival: by which it has "
          "come in "
          "half of the members (–: in fewer), and in how many it comes at all. A percentile is the smallest "
          "value up to which the members have "
          "at least that share of the weight.</p>\n",
          page);
}

// ---- zones

static void write_zone(FILE *page, const struct report *report, size_t zone)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    const struct report_hazard_zones *z = &state->zones;
    const size_t states = state->threshold_count + 2;
    const double *arrival_s = z->arrival_s + zone * HAZARD_SHOWN_PERCENTILES;
    char text[STYLE_TEXT_BYTES], under[STYLE_TEXT_BYTES + 8], note[STYLE_TEXT_BYTES + 24] = "";
    const bool has_water = !isnan(z->shares[zone * states]);
    report_table_row(page, z->names[zone], "");
    write_shares(page, z->shares + zone * states, states);
    write_height(page, z->crest_m + zone * HAZARD_SHOWN_PERCENTILES);
    report_table_time(page, report, z->earliest_s[zone], style_duration(z->earliest_s[zone], text));
    snprintf(under, sizeof under, "in %s", report_hazard_percent(z->probability[zone], text));
    report_table_value(page, arrival_s[2], style_duration(arrival_s[2], text),
                       z->probability[zone] > 0 ? under : "");
    if (z->lower_bound[zone] > 0)
        snprintf(note, sizeof note, "lower bounds in %s", report_hazard_percent(z->lower_bound[zone], text));
    report_table_cell(page, has_water ? note : "no water", "");
    fputs("</tr>\n", page);
}

void report_hazard_zone_table(FILE *page, const struct report *report)
{
    static const char *const rest[] = {"Not<br>reached", "Largest<br>elevation", "Earliest<br>arrival",
                                       "Median<br>arrival", "Note"};
    const struct report_hazard_state *state = report_hazard_state(report);
    if (state->zones.count == 0)
        return;
    if (state->points.count == 0)
        write_notice(page, state->zones.lower_bound, state->zones.count);
    write_headings(page, state, "Zone", rest, sizeof rest / sizeof *rest);
    for (size_t k = 0; k < state->zones.count; k++)
        write_zone(page, report, k);
    report_table_end(page,
                     "Of each member the largest elevation and the earliest arrival in the zone, with its "
                     "points. Coloured: the probability that the larger of the elevation and of the heights "
                     "at the coast of the zone's points has that level. Not reached: also members in which "
                     "the zone has no water.");
}

// ---- gauges

static bool has_records(const struct report_hazard_series *s)
{
    for (size_t g = 0; g < s->count; g++)
        if (report_hazard_place_of(s, g) != HAZARD_NOT_OBSERVED)
            return true;
    return false;
}

static void write_length(FILE *page, double length_m)
{
    char text[STYLE_TEXT_BYTES];
    report_table_value(page, length_m, length_m < least_m ? "< 1 mm" : style_length(length_m, text), "");
}

static void write_gauge(FILE *page, const struct report_hazard_state *state, size_t g, bool is_compared)
{
    static const char *const words[] = {[HAZARD_NOT_OBSERVED] = "",
                                        [HAZARD_BELOW] = "below",
                                        [HAZARD_WITHIN] = "within",
                                        [HAZARD_ABOVE] = "above"};
    static const size_t shown[] = {2, 0, 4};
    const struct report_hazard_series *s = &state->series;
    const enum report_hazard_place place = report_hazard_place_of(s, g);
    char text[STYLE_TEXT_BYTES] = "";
    if (s->x && s->y && state->is_geographic)
        style_place(s->x[g], s->y[g], 2, text);
    report_table_row(page, s->names[g], text);
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
        write_length(page, s->largest_m[g * HAZARD_SHOWN_PERCENTILES + shown[k]]);
    if (is_compared) {
        if (place == HAZARD_NOT_OBSERVED)
            report_table_cell(page, "", "");
        else
            write_length(page, s->observed_m[g]);
        report_table_cell(page, words[place], "");
    }
    fputs("</tr>\n", page);
}

void report_hazard_gauge_table(FILE *page, const struct report *report)
{
    const struct report_hazard_state *state = report_hazard_state(report);
    const struct report_hazard_series *s = &state->series;
    static const char *const headings[] = {
        "Gauge",    "Largest elevation:<br>median",          "5th<br>percentile", "95th<br>percentile",
        "Observed", "Between the 5th and<br>95th percentile"};
    const bool is_compared = has_records(s);
    size_t observed = 0, within = 0;
    char note[400];
    if (s->count == 0)
        return;
    report_table_sortable(page, headings, is_compared ? 6 : 4);
    for (size_t g = 0; g < s->count; g++) {
        write_gauge(page, state, g, is_compared);
        observed += report_hazard_place_of(s, g) != HAZARD_NOT_OBSERVED;
        within += report_hazard_place_of(s, g) == HAZARD_WITHIN;
    }
    int length = snprintf(note, sizeof note,
                          "Of the largest elevation above the sea at rest in each member's whole series.");
    if (is_compared)
        snprintf(note + length, sizeof note - (size_t)length,
                 " Of %zu gauge%s with a record, the largest observed elevation of %zu lies between the 5th "
                 "and the 95th percentile. The record counts from the time on when the 95th percentile of "
                 "the members' series has a tenth of its largest value: before it are seismic waves.",
                 observed, observed == 1 ? "" : "s", within);
    report_table_end(page, note);
}

// ---- members

enum { LISTED_MAX = 60, LEFT_OUT_MAX = 200 };

static void write_left_out(FILE *page, const cJSON *list)
{
    static const char *const headings[] = {"Left out", "Weight", "Why"};
    const cJSON *item;
    int count = 0;
    if (cJSON_GetArraySize(list) == 0)
        return;
    report_table_begin(page, headings, 3);
    cJSON_ArrayForEach(item, list)
    {
        if (count++ == LEFT_OUT_MAX)
            break;
        report_table_row(page, json_text(item, "name"), "");
        report_table_number(page, "%.4g", json_number(item, "weight"));
        report_table_cell(page, json_text(item, "reason"), "");
        fputs("</tr>\n", page);
    }
    report_table_end(page, count > LEFT_OUT_MAX ? "run.json names the others." : NULL);
}

static void write_members(FILE *page, const cJSON *list)
{
    static const char *const headings[] = {"Member", "Weight", "Of the rest"};
    const cJSON *item;
    int count = 0;
    report_table_begin(page, headings, 3);
    cJSON_ArrayForEach(item, list)
    {
        if (count++ == LISTED_MAX)
            break;
        report_table_row(page, json_text(item, "name"), "");
        report_table_number(page, "%.4g", json_number(item, "weight"));
        report_table_number(page, "%.4g", json_number(item, "weight_of_rest"));
        fputs("</tr>\n", page);
    }
    report_table_end(page, count > LISTED_MAX ? "The first of them; run.json has all." : NULL);
}

void report_hazard_member_table(FILE *page, const struct report *report)
{
    const cJSON *hazard = json_member(report->run, "hazard"), *members = json_member(hazard, "members"),
                *left_out = json_member(hazard, "left_out");
    const double weight = json_number(hazard, "weight_of_members");
    const bool is_exact = strcmp(json_text(hazard, "quantiles_of_maps"), "histogram") != 0;
    fprintf(page, "<p>%d members, %s.", cJSON_GetArraySize(members),
            cJSON_IsTrue(json_member(hazard, "has_weights")) ? "with the weights of the batch"
                                                             : "of equal weights");
    if (cJSON_GetArraySize(left_out) > 0)
        fprintf(
            page,
            " <b>%d run%s left out: the members have %.4g of all weight, and their weights were divided by "
            "it.</b>",
            cJSON_GetArraySize(left_out), cJSON_GetArraySize(left_out) == 1 ? " is" : "s are", weight);
    if (is_exact)
        fputs(" Percentiles of maps are exact.</p>\n", page);
    else
        fprintf(page,
                " Percentiles of maps are from a histogram: they differ from those of the values by at most "
                "%.3g %%, "
                "or %g m; the median arrivals by at most %.3g s.</p>\n",
                100 * json_number(hazard, "percentile_relative_bound"),
                json_number(hazard, "percentile_absolute_bound_m"),
                json_number(hazard, "arrival_median_bound_s"));
    write_left_out(page, left_out);
    write_members(page, members);
}
