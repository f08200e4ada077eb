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

// Of an ablation (check.itrusst: false) the run is not judged, whatever its tissues are.
static bool is_judged(const struct report *report)
{
    const cJSON *item;
    bool is = true;
    cJSON_ArrayForEach(item, json_member(report->run, "findings"))
    {
        if (strncmp(json_text(item, "rule"), "thermal safety", strlen("thermal safety")) == 0)
            is = strcmp(json_text(item, "verdict"), "not judged") != 0;
    }
    return is;
}

// What stands for "exceeded" on the page.
static const char *exceeded_word(const struct report *report)
{
    return is_judged(report) ? "EXCEEDED" : "beyond the levels";
}

static void write_verdict_tile(FILE *page, const struct report *report)
{
    int passed, exceeded, unknown;
    char note[2 * STYLE_TEXT_BYTES];
    count_verdicts(report, &passed, &exceeded, &unknown);
    if (passed + exceeded + unknown == 0)
        return;
    const bool has_exceeded = exceeded > 0 && is_judged(report), is_open = !is_judged(report) || unknown > 0;
    snprintf(note, sizeof note, "%d\u00A0passed, %d\u00A0%s, %d\u00A0not\u00A0judged", passed, exceeded,
             exceeded_word(report), unknown);
    fprintf(page,
            "<div class=\"tile%s\"><b class=\"%s\">%s</b><span>thermal safety "
            "(ITRUSST)</span><span>%s</span></div>\n",
            has_exceeded ? " alarm" : "",
            has_exceeded ? "bad"
            : is_open    ? "soft"
                         : "good",
            has_exceeded ? "EXCEEDED"
            : is_open    ? "not judged"
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
    // Positions of several digits are longer than a tile is wide: each coordinate stays whole.
    snprintf(text, sizeof text, "(%.4g, %.4g, %.4g)\u00A0mm", place_mm[HEAT_X], place_mm[HEAT_Y],
             place_mm[HEAT_Z]);
    report_tile_place(page, text, label);
}

// Infinity, which JSON cannot express, is null there.
static double dose_of(const cJSON *run, const char *name)
{
    return cJSON_IsNull(json_member(run, name)) ? (double)INFINITY : json_number(run, name);
}

// Of two doses the larger, as the verdict has it.
static void write_dose_tile(FILE *page, const cJSON *run)
{
    char text[STYLE_TEXT_BYTES] = "∞";
    const double first_min = dose_of(run, "largest_dose_min"),
                 second_min = dose_of(run, "largest_second_dose_min"),
                 largest_min = fmax(first_min, second_min);
    if (isnan(largest_min))
        return;
    if (isfinite(largest_min))
        snprintf(text, sizeof text, "%.3g min", largest_min);
    report_tile(page, text, "largest dose (CEM43)", isnan(second_min) ? "" : "the larger of two definitions");
}

// The sphere of output.target, and how far the hottest cell is from its middle.
static void write_target_tile(FILE *page, const cJSON *target)
{
    char text[STYLE_TEXT_BYTES], note[2 * STYLE_TEXT_BYTES] = "";
    const double largest_c = json_number(target, "largest_temperature_degC"),
                 distance_m = json_number(target, "hottest_distance_m");
    if (!isfinite(largest_c))
        return;
    snprintf(text, sizeof text, "%.1f °C", largest_c);
    if (isfinite(distance_m))
        snprintf(note, sizeof note, "the hottest cell is %.3g mm away", 1e3 * distance_m);
    report_tile(page, text, "largest temperature in the target", note);
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
    write_target_tile(page, json_member(report->run, "target"));
    write_temperature_tile(page, "at the end, in the last frame", heat->end_c, NAN);
    if (isfinite(heat->end_c))
        write_place_tile(page, "its position at the end", heat->end_place_mm);
    const cJSON *run = json_member(json_member(report->run, "diagnostics"), "run");
    const double lesion_m3 = json_number(run, "lesion_volume_m3");
    write_dose_tile(page, run);
    const bool is_large = lesion_m3 >= 1e-6;
    report_tile_number(page, is_large ? "%.3g cm³" : "%.3g mm³", lesion_m3 * (is_large ? 1e6 : 1e9),
                       "with the dose of a lesion", "");
    const cJSON *cells = json_member(json_member(report->run, "grid"), "cells");
    const double nx = json_number(cells, "x"), ny = json_number(cells, "y"), nz = json_number(cells, "z");
    snprintf(note, sizeof note, "%g × %g × %g", nx, ny, nz);
    report_tile_number(page, "%.3g million", nx * ny * nz / 1e6, "cells", note);
    if (heat->sensors > 0)
        report_tile_number(page, "%.0f", (double)heat->sensors, heat->sensors == 1 ? "sensor" : "sensors",
                           "");
    report_tile_duration(page, report);
}

// A cell with a number, and under it a position in mm; "–" if it is not finite. The number that decided the
// verdict is bold, and says so.
static void write_extreme(FILE *page, const char *text, const cJSON *place, bool is_decisive)
{
    fputs(is_decisive ? "<td><b>" : "<td>", page);
    html_text(page, text);
    fputs(is_decisive ? "</b><small>decides</small>" : "", page);
    if (isfinite(json_number(place, "x_m"))) {
        char under[STYLE_TEXT_BYTES];
        snprintf(under, sizeof under, "at (%.4g, %.4g, %.4g) mm", 1e3 * json_number(place, "x_m"),
                 1e3 * json_number(place, "y_m"), 1e3 * json_number(place, "z_m"));
        html_small(page, under);
    }
    fputs("</td>", page);
}

// Three digits, but thousands without a power of ten.
static const char *plain_format(double value)
{
    return value >= 1e3 && value < 1e5 ? "%.0f" : "%.3g";
}

static void write_dose(FILE *page, const cJSON *item, const char *name, const cJSON *place, bool is_decisive)
{
    char text[STYLE_TEXT_BYTES] = "–";
    const double dose_min = json_number(item, name);
    if (cJSON_IsNull(json_member(item, name)))
        snprintf(text, sizeof text, "∞");
    else if (isfinite(dose_min))
        snprintf(text, sizeof text, plain_format(dose_min), dose_min);
    write_extreme(page, text, place, is_decisive);
}

// "not judged (no limit of dose for this tissue)": the verdict, and in small letters the reason, which may
// take several lines.
static void write_verdict(FILE *page, const cJSON *item, const char *exceeded)
{
    const char *verdict = json_text(item, "verdict"), *reason = json_text(item, "reason");
    const size_t length = strcspn(reason, "("), word = length > 0 && reason[length] ? length - 1 : length;
    char text[STYLE_TEXT_BYTES];
    fprintf(page, "<td class=\"long %s\">",
            strcmp(verdict, "passed") == 0     ? "good"
            : strcmp(verdict, "exceeded") == 0 ? "bad"
                                               : "soft");
    if (strcmp(verdict, "exceeded") == 0)
        snprintf(text, sizeof text, "%s", exceeded);
    else
        snprintf(text, sizeof text, "%.*s", (int)word, reason);
    html_within(page, "<b>", text, "</b>");
    if (reason[length]) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(reason + length + 1, ")"), reason + length + 1);
        html_small(page, text);
    }
    fputs("</td>", page);
}

static bool has_second_dose(const struct report *report)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, tissues_of(report))
    {
        if (json_member(item, "largest_second_dose_min"))
            return true;
    }
    return false;
}

static void write_row(FILE *page, const cJSON *item, bool has_second, const char *exceeded)
{
    const char *decider = json_text(item, "decided_by");
    const double at_s = json_number(item, "largest_at_s"),
                 largest_c = json_number(item, "largest_temperature_c");
    char text[STYLE_TEXT_BYTES] = "–";
    report_table_row(page, json_text(item, "tissue"), "");
    write_verdict(page, item, exceeded); // first: narrow windows cut off what is on the right
    if (isfinite(largest_c))
        snprintf(text, sizeof text, "%.2f °C", largest_c);
    write_extreme(page, text, json_member(item, "largest_place"), strcmp(decider, "temperature") == 0);
    report_table_cell(page, isfinite(at_s) ? style_duration(at_s, text) : "", "");
    write_dose(page, item, "largest_dose_min", json_member(item, "largest_dose_place"),
               strcmp(decider, "dose") == 0);
    if (has_second)
        write_dose(page, item, "largest_second_dose_min", NULL, strcmp(decider, "second dose") == 0);
    report_table_number(page, "%g", json_number(item, "dose_limit_min"));
    const double lesion_mm3 = 1e9 * json_number(item, "lesion_volume_m3");
    report_table_number(page, plain_format(lesion_mm3), lesion_mm3);
    fputs("</tr>\n", page);
}

bool report_bioheat_has_tissues(const struct report *report)
{
    return cJSON_GetArraySize(tissues_of(report)) > 0;
}

// The heading of a dose by its definition.
static const char *dose_heading(const cJSON *physics, const char *name)
{
    static const char *const words[][2] = {{"cem43-from-37", "Dose from 37 °C<br>(CEM43, min)"},
                                           {"cem43-from-39", "Dose from 39 °C<br>(CEM43, min)"}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(json_text(physics, name), words[k][0]) == 0)
            return words[k][1];
    return "Dose<br>(CEM43, min)";
}

void report_bioheat_tissue_table(FILE *page, const struct report *report)
{
    const cJSON *physics = json_member(report->run, "physics"), *item;
    const bool has_second = has_second_dose(report);
    const char *headings[8] = {"Tissue", "Thermal safety", "Largest<br>temperature", "After",
                               dose_heading(physics, "dose")};
    size_t count = 5;
    if (has_second)
        headings[count++] = dose_heading(physics, "second_dose");
    headings[count++] = "Limit<br>(CEM43, min)";
    headings[count++] = "Lesion<br>(mm³)";
    report_table_begin(page, headings, count);
    cJSON_ArrayForEach(item, tissues_of(report)) write_row(page, item, has_second, exceeded_word(report));
    report_table_end(page, NULL);
    html_breakable_within(page, "<p class=\"soft\">The criterion of thermal safety: ",
                          json_text(json_member(report->run, "thermal_safety"), "rule"), ".</p>\n");
}
