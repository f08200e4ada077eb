// Figures and the table of tissues on the page of a heat report, from run.json. Parts that are missing are
// left out.
#include "report/bioheat/report.h"
#include "report/html.h"
#include "report/page.h"
#include "report/tiles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cJSON *tissues_of(const struct report *report)
{
    return json_member(json_member(report->run, "thermal_safety"), "tissues");
}

// The numbers of tissues that kept the limits, exceeded them, or could not be judged.
static void count_verdicts(const struct report *report, int *passed, int *exceeded, int *unknown)
{
    const cJSON *item;
    *passed = *exceeded = *unknown = 0;
    cJSON_ArrayForEach(item, tissues_of(report))
    {
        const char *verdict = json_text(item, "verdict");
        *passed += strcmp(verdict, "passed") == 0;
        *exceeded += strcmp(verdict, "exceeded") == 0;
        *unknown += strcmp(verdict, "not judged") == 0;
    }
}

static void write_verdict_tile(FILE *page, const struct report *report)
{
    int passed, exceeded, unknown;
    char note[2 * STYLE_TEXT_BYTES];
    count_verdicts(report, &passed, &exceeded, &unknown);
    if (passed + exceeded + unknown == 0)
        return;
    snprintf(note, sizeof note, "%d\u00A0passed, %d\u00A0EXCEEDED, %d\u00A0not\u00A0judged", passed, exceeded,
             unknown);
    fprintf(page,
            "<div class=\"tile%s\"><b class=\"%s\">%s</b><span>thermal safety "
            "(ITRUSST)</span><span>%s</span></div>\n",
            exceeded > 0 ? " alarm" : "",
            exceeded > 0  ? "bad"
            : unknown > 0 ? "soft"
                          : "good",
            exceeded > 0  ? "EXCEEDED"
            : unknown > 0 ? "not judged"
                          : "passed",
            note);
}

static void write_temperature_tile(FILE *page, const char *label, double temperature_c, double at_s)
{
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES + 16] = "", duration[STYLE_TEXT_BYTES];
    if (!isfinite(temperature_c))
        return;
    snprintf(text, sizeof text, "%.1f °C", temperature_c);
    if (isfinite(at_s))
        snprintf(note, sizeof note, "after %s", style_duration(at_s, duration));
    report_tile(page, text, label, note);
}

static void write_place_tile(FILE *page, const char *label, const double place_mm[HEAT_AXES])
{
    char text[STYLE_TEXT_BYTES];
    if (!isfinite(place_mm[HEAT_X]))
        return;
    snprintf(text, sizeof text, "(%.4g,\u00A0%.4g,\u00A0%.4g)\u00A0mm", place_mm[HEAT_X], place_mm[HEAT_Y],
             place_mm[HEAT_Z]);
    report_tile(page, text, label, "");
}

void report_bioheat_figures(FILE *page, const struct report *report)
{
    const struct report_heat *heat = report->state;
    char note[STYLE_TEXT_BYTES];
    write_verdict_tile(page, report);
    write_temperature_tile(page,
                           heat->largest_is_of_records ? "largest temperature at the records"
                                                       : "largest temperature over the run",
                           heat->largest_c, heat->at_s);
    write_place_tile(page, "position of the hottest cell", heat->place_mm);
    write_temperature_tile(page, "at the end, in the last frame", heat->end_c, NAN);
    if (isfinite(heat->end_c))
        write_place_tile(page, "its position at the end", heat->end_place_mm);
    const cJSON *run = json_member(json_member(report->run, "diagnostics"), "run");
    const double dose_min = json_number(run, "largest_dose_min"),
                 lesion_m3 = json_number(run, "lesion_volume_m3");
    if (cJSON_IsNull(json_member(run, "largest_dose_min")))
        report_tile(page, "∞", "largest dose (CEM43)", "");
    report_tile_number(page, "%.3g min", dose_min, "largest dose (CEM43)", "");
    report_tile_number(page, "%.3g mm³", lesion_m3 * 1e9, "with the dose of a lesion", "");
    const cJSON *cells = json_member(json_member(report->run, "grid"), "cells");
    const double nx = json_number(cells, "x"), ny = json_number(cells, "y"), nz = json_number(cells, "z");
    snprintf(note, sizeof note, "%g × %g × %g", nx, ny, nz);
    report_tile_number(page, "%.3g million", nx * ny * nz / 1e6, "cells", note);
    if (heat->sensors > 0)
        report_tile_number(page, "%.0f", (double)heat->sensors, heat->sensors == 1 ? "sensor" : "sensors",
                           "");
    report_tile_duration(page, report);
}

// A number, and under it a position in mm; "–" if it is not finite.
static void write_extreme(FILE *page, const char *format, double value, const cJSON *place)
{
    char text[STYLE_TEXT_BYTES], under[STYLE_TEXT_BYTES] = "";
    snprintf(text, sizeof text, format, value);
    if (isfinite(json_number(place, "x_m")))
        snprintf(under, sizeof under, "at (%.4g, %.4g, %.4g) mm", 1e3 * json_number(place, "x_m"),
                 1e3 * json_number(place, "y_m"), 1e3 * json_number(place, "z_m"));
    report_table_cell(page, isnan(value) ? "–" : text, under);
}

static void write_row(FILE *page, const cJSON *item)
{
    const char *verdict = json_text(item, "verdict");
    const double at_s = json_number(item, "largest_at_s");
    const bool is_infinite = cJSON_IsTrue(json_member(item, "dose_is_infinite"));
    char text[STYLE_TEXT_BYTES];
    report_table_row(page, json_text(item, "tissue"), "");
    write_extreme(page, "%.2f °C", json_number(item, "largest_temperature_c"),
                  json_member(item, "largest_place"));
    report_table_cell(page, isfinite(at_s) ? style_duration(at_s, text) : "", "");
    write_extreme(page, is_infinite ? "∞" : "%.3g",
                  is_infinite ? INFINITY : json_number(item, "largest_dose_min"),
                  json_member(item, "largest_dose_place"));
    report_table_number(page, "%g", json_number(item, "dose_limit_min"));
    report_table_number(page, "%.3g", 1e9 * json_number(item, "lesion_volume_m3"));
    fprintf(page, "<td class=\"%s\">",
            strcmp(verdict, "passed") == 0     ? "good"
            : strcmp(verdict, "exceeded") == 0 ? "bad"
                                               : "soft");
    html_text(page, json_text(item, "reason"));
    fputs("</td></tr>\n", page);
}

bool report_bioheat_has_tissues(const struct report *report)
{
    return cJSON_GetArraySize(tissues_of(report)) > 0;
}

void report_bioheat_tissue_table(FILE *page, const struct report *report)
{
    static const char *const headings[] = {
        "Tissue", "Largest temperature", "After",         "Largest dose (CEM43, min)",
        "Limit",  "Lesion (mm³)",        "Thermal safety"};
    const cJSON *item;
    report_table_begin(page, headings, sizeof headings / sizeof *headings);
    cJSON_ArrayForEach(item, tissues_of(report)) write_row(page, item);
    report_table_end(page, NULL);
    html_breakable_within(page, "<p class=\"soft\">The criterion of thermal safety: ",
                          json_text(json_member(report->run, "thermal_safety"), "rule"), ".</p>\n");
}
