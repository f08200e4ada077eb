// Figures and tables of an N-body run on a report's page, from run.json and from what the series say. Needs none of their parts:
// what is there is shown.
#include "cli/report_nbody.h"

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

static void write_size_tile(FILE *page, double value, const char *format, const char *label, const char *note)
{
    char text[STYLE_TEXT_BYTES];
    if (!isfinite(value))
        return;
    snprintf(text, sizeof text, format, value);
    report_html_tile(page, text, label, note);
}

void report_html_nbody_figures(FILE *page, const struct report *report)
{
    const struct report_nbody *n = &report->nbody;
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "";
    const double count = number(part(report->run, "bodies"), "count"), theta = number(report->run, "theta");
    snprintf(note, sizeof note, isfinite(theta) ? "%.24s, θ = %g" : "%.24s", text_of(report->run, "method"),
             theta);
    if (count >= 1e6)
        write_size_tile(page, count / 1e6, "%.3g million", "bodies", note);
    else
        write_size_tile(page, count, "%.0f", "bodies", note);
    if (report->duration_s > 0) {
        const struct nbody_unit unit = nbody_time_unit(report, report->duration_s);
        snprintf(text, sizeof text, "%.4g%s%s", report->duration_s / unit.size, unit.name[0] ? " " : "",
                 unit.name);
        report_html_tile(page, text, unit.name[0] ? "of model time" : "of model time (N-body units)", "");
    }
    write_size_tile(page, n->energy_change, "%.2g", "largest |ΔE/E₀|", "over the run");
    write_size_tile(page, n->momentum_change, "%.2g", "largest |ΔP|", "as a part of Σ m|v|");
    write_size_tile(page, n->virial_ratio, "%.3f", "virial ratio 2K/|W|", "at the end");
}

// The names of run.json's phases, and what they are.
static const struct {
    const char *key, *text;
} phases[] = {
    {"box_s", "box about the bodies"},
    {"sort_s", "keys and sort"},
    {"build_s", "cells of the tree"},
    {"summarise_s", "masses and moments of the cells"},
    {"force_s", "forces"},
    {"integrate_s", "kicks and drifts"},
};

void report_html_nbody_phases(FILE *page, const struct report *report)
{
    const cJSON *all = part(report->run, "phases");
    const double steps = number(all, "timed_steps");
    double total = 0;
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++)
        total += isfinite(number(all, phases[k].key)) ? number(all, phases[k].key) : 0;
    if (!(total > 0) || !(steps > 0))
        return;
    fprintf(page, "<h2>Where the time went</h2>\n<div class=\"card\"><div class=\"scroll\"><table "
                  "class=\"gauges\"><thead>"
                  "<tr><th>Phase</th><th>ms a step</th><th>Share</th></tr></thead><tbody>\n");
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++) {
        const double seconds = number(all, phases[k].key);
        if (seconds > 0)
            fprintf(page, "<tr><th>%s</th><td>%.3g</td><td>%.1f %%</td></tr>\n", phases[k].text,
                    1e3 * seconds / steps, 100 * seconds / total);
    }
    fprintf(page,
            "<tr><th>all</th><td>%.3g</td><td></td></tr></tbody></table></div><p class=\"soft\">Mean of %.0f "
            "steps "
            "that were timed.</p></div>\n",
            1e3 * total / steps, steps);
}
