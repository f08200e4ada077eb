// Figures and tables of an N-body run on a report's page, from run.json and from what the series say. Needs
// none of their parts: what is there is shown.
#include "report/nbody/report.h"

#include <math.h>
#include <stdio.h>

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
    const double count = report_json_number(cJSON_GetObjectItemCaseSensitive(report->run, "bodies"), "count"),
                 theta = report_json_number(report->run, "theta");
    snprintf(note, sizeof note, isfinite(theta) ? "%.24s, θ = %g" : "%.24s",
             report_json_text(report->run, "method"), theta);
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

void report_html_nbody_phases(FILE *page, const struct report *report)
{
    static const struct report_phase phases[] = {
        {"box_s", "box about the bodies"},
        {"sort_s", "keys and sort"},
        {"build_s", "cells of the tree"},
        {"summarise_s", "masses and moments of the cells"},
        {"force_s", "forces"},
        {"integrate_s", "kicks and drifts"},
    };
    report_html_phases(page, report, phases, sizeof phases / sizeof *phases);
}
