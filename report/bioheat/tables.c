// Figures and the table of tissues on a heat report's page, from run.json. Needs none of its parts: what is
// there is shown.
#include "report/bioheat/report.h"
#include "report/html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cJSON *part(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = part(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = part(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static const cJSON *tissues_of(const struct report *report)
{
    return part(part(report->run, "thermal_safety"), "tissues");
}

// How many tissues exceeded what is allowed, passed, or could not be judged.
static void count_verdicts(const struct report *report, int *passed, int *exceeded, int *unknown)
{
    const cJSON *item;
    *passed = *exceeded = *unknown = 0;
    cJSON_ArrayForEach(item, tissues_of(report))
    {
        const char *verdict = text_of(item, "verdict");
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
            "<div class=\"tile%s\"><b class=\"%s\">%s</b><span>thermal safety (ITRUSST)</span><span>%s</span>"
            "</div>\n",
            exceeded > 0 ? " alarm" : "",
            exceeded > 0  ? "bad"
            : unknown > 0 ? "soft"
                          : "good",
            exceeded > 0  ? "EXCEEDED"
            : unknown > 0 ? "open"
                          : "passed",
            note);
}

static void write_temperature_tile(FILE *page, const char *label, double temperature_c,
                                   const double place_mm[HEAT_AXES])
{
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "";
    if (!isfinite(temperature_c))
        return;
    snprintf(text, sizeof text, "%.1f °C", temperature_c);
    if (isfinite(place_mm[HEAT_X]))
        snprintf(note, sizeof note, "at (%.4g,\u00A0%.4g,\u00A0%.4g)\u00A0mm", place_mm[HEAT_X],
                 place_mm[HEAT_Y], place_mm[HEAT_Z]);
    report_html_tile(page, text, label, note);
}

void report_html_heat_figures(FILE *page, const struct report *report)
{
    const struct report_heat *heat = &report->heat;
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "";
    write_temperature_tile(
        page, heat->largest_is_of_records ? "largest temperature at the records" : "largest temperature",
        heat->largest_c, heat->place_mm);
    write_temperature_tile(page, "at the end, in the last frame", heat->end_c, heat->end_place_mm);
    const cJSON *run = part(part(report->run, "diagnostics"), "run");
    const double dose_min = number(run, "largest_dose_min"), lesion_m3 = number(run, "lesion_volume_m3");
    if (cJSON_IsNull(part(run, "largest_dose_min")))
        report_html_tile(page, "∞", "largest dose (CEM43)", "");
    else if (isfinite(dose_min)) {
        snprintf(text, sizeof text, "%.3g min", dose_min);
        report_html_tile(page, text, "largest dose (CEM43)", "");
    }
    if (isfinite(lesion_m3)) {
        snprintf(text, sizeof text, "%.3g mm³", lesion_m3 * 1e9);
        report_html_tile(page, text, "with the dose of a lesion", "");
    }
    write_verdict_tile(page, report);
    const cJSON *cells = part(part(report->run, "grid"), "cells");
    if (isfinite(number(cells, "x"))) {
        snprintf(text, sizeof text, "%.3g million",
                 number(cells, "x") * number(cells, "y") * number(cells, "z") / 1e6);
        snprintf(note, sizeof note, "%g × %g × %g", number(cells, "x"), number(cells, "y"),
                 number(cells, "z"));
        report_html_tile(page, text, "cells", note);
    }
    if (heat->sensors > 0) {
        snprintf(text, sizeof text, "%zu", heat->sensors);
        report_html_tile(page, text, heat->sensors == 1 ? "sensor" : "sensors", "");
    }
}

static void write_place(FILE *page, const cJSON *place)
{
    if (isfinite(number(place, "x_m")))
        fprintf(page, "<small>at (%.4g, %.4g, %.4g) mm</small>", 1e3 * number(place, "x_m"),
                1e3 * number(place, "y_m"), 1e3 * number(place, "z_m"));
}

static void write_number(FILE *page, const char *format, double value)
{
    if (isfinite(value))
        fprintf(page, format, value);
    else
        fputs("–", page);
}

static void write_row(FILE *page, const cJSON *item)
{
    const char *verdict = text_of(item, "verdict");
    char text[STYLE_TEXT_BYTES];
    fputs("<tr><th>", page);
    html_text(page, text_of(item, "tissue"));
    fputs("</th><td>", page);
    write_number(page, "%.2f °C", number(item, "largest_temperature_c"));
    write_place(page, part(item, "largest_place"));
    fputs("</td><td>", page);
    if (isfinite(number(item, "largest_at_s")))
        fputs(style_duration(number(item, "largest_at_s"), text), page);
    fputs("</td><td>", page);
    if (cJSON_IsTrue(part(item, "dose_is_infinite")))
        fputs("∞", page);
    else
        write_number(page, "%.3g", number(item, "largest_dose_min"));
    write_place(page, part(item, "largest_dose_place"));
    fputs("</td><td>", page);
    write_number(page, "%g", number(item, "dose_limit_min"));
    fputs("</td><td>", page);
    write_number(page, "%.3g", 1e9 * number(item, "lesion_volume_m3"));
    fprintf(page, "</td><td class=\"%s\">",
            strcmp(verdict, "passed") == 0     ? "good"
            : strcmp(verdict, "exceeded") == 0 ? "bad"
                                               : "soft");
    html_text(page, text_of(item, "reason"));
    fputs("</td></tr>\n", page);
}

void report_html_heat_tissues(FILE *page, const struct report *report)
{
    const cJSON *item;
    if (cJSON_GetArraySize(tissues_of(report)) == 0)
        return;
    fputs("<h2>What each tissue got</h2>\n<div class=\"card\"><div class=\"scroll\"><table "
          "class=\"gauges\"><thead><tr>"
          "<th>Tissue</th><th>Largest temperature</th><th>After</th><th>Largest dose (CEM43, "
          "min)</th><th>Limit</th>"
          "<th>Lesion (mm³)</th><th>Thermal safety</th></tr></thead><tbody>\n",
          page);
    cJSON_ArrayForEach(item, tissues_of(report)) write_row(page, item);
    fputs("</tbody></table></div><p class=\"soft\">Thermal safety is judged by the ", page);
    html_breakable(page, text_of(part(report->run, "thermal_safety"), "rule"));
    fputs(".</p></div>\n", page);
}
