// Figures and tables of runs of the Ising model on a report's page.
#include "report/html.h"
#include "report/ising/report.h"
#include "report/page.h"
#include "report/tiles.h"

#include <math.h>
#include <stdio.h>

// "−0.70711(12)": the error in units of the last digits.
static const char *estimate_text(double value, double error, char text[STYLE_TEXT_BYTES])
{
    const int digits = error > 0 ? (int)fmin(fmax(1 - floor(log10(error)), 0), 12) : 0;
    const char *sign = value < 0 ? "−" : "";
    if (!isfinite(value))
        snprintf(text, STYLE_TEXT_BYTES, "–");
    else if (error > 0 && isfinite(error))
        snprintf(text, STYLE_TEXT_BYTES, "%s%.*f(%.0f)", sign, digits, fabs(value),
                 ceil(error * pow(10, digits) - 1e-9));
    else
        snprintf(text, STYLE_TEXT_BYTES, "%s%.6g", sign, fabs(value));
    return text;
}

static void write_chi_tile(FILE *page, const struct ising_difference *difference, const char *label)
{
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES];
    if (difference->count == 0)
        return;
    snprintf(text, sizeof text, "%.2f", difference->chi_squared / (double)difference->count);
    snprintf(note, sizeof note, "%zu temperature%s", difference->count, difference->count == 1 ? "" : "s");
    report_tile(page, text, label, note);
}

static void write_run_tiles(FILE *page, const struct ising_run *run)
{
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES];
    const struct ising_facts *facts = &run->facts;
    if (isfinite(facts->columns)) {
        snprintf(text, sizeof text, "%.0f × %.0f", facts->columns, facts->rows);
        snprintf(note, sizeof note, facts->replicas > 1 ? "%.15s, %.0f replicas" : "%.15s", facts->boundary,
                 facts->replicas);
        report_tile(page, text, "spins", note);
    }
    if (facts->method[0])
        report_tile(page, facts->method, "method", facts->backend);
    if (run->count > 0) {
        snprintf(text, sizeof text, "%zu", run->count);
        snprintf(note, sizeof note, run->count > 1 ? "β = %.4g … %.4g" : "β = %.6g", run->beta[0],
                 run->beta[run->count - 1]);
        report_tile(page, text, run->count > 1 ? "temperatures" : "temperature", note);
    }
    const struct ising_difference energy = report_ising_against_exact(run, ISING_FIGURE_ENERGY),
                                  heat = report_ising_against_exact(run, ISING_FIGURE_SPECIFIC_HEAT);
    write_chi_tile(page, &energy, "χ²/n of e, exact");
    write_chi_tile(page, &heat, "χ²/n of c, exact");
    if (report_ising_count_unreliable(run) > 0) {
        snprintf(text, sizeof text, "%zu", report_ising_count_unreliable(run));
        report_tile(page, text, "not reliable", "too few measurements");
    }
}

void report_ising_figures(FILE *page, const struct report *report)
{
    const struct report_ising *ising = report->state;
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES];
    if (ising->count == 1)
        write_run_tiles(page, &ising->runs[0]);
    if (ising->count < 2)
        return;
    snprintf(text, sizeof text, "%zu", ising->count);
    snprintf(note, sizeof note, "%.28s … %.28s", ising->runs[0].name, ising->runs[ising->count - 1].name);
    report_tile(page, text, "runs", note);
}

static void write_estimate(FILE *page, const struct ising_run *run, enum ising_figure figure, size_t k)
{
    char text[STYLE_TEXT_BYTES];
    const double value = run->value[figure][k], error = run->error[figure][k],
                 sigmas = (value - report_ising_exact_of_lattice(run, figure, run->beta[k])) / error;
    fprintf(page, "<td>%s", estimate_text(value, error, text));
    if (isfinite(sigmas))
        fprintf(page, "<small>%s%.1f σ</small>", sigmas < 0 ? "−" : "+", fabs(sigmas));
    fputs("</td>", page);
}

void report_ising_temperature_table(FILE *page, const struct report *report)
{
    const struct ising_run *run = ((const struct report_ising *)report->state)->runs;
    static const char *const heads[] = {"β",  "T",      "e",        "|m|", "c",        "χ",
                                        "U₄", "τ of e", "τ of |m|", "Cut", "Measured", "Reliable"};
    static const enum ising_figure shown[] = {
        ISING_FIGURE_ENERGY, ISING_FIGURE_ABSOLUTE,   ISING_FIGURE_SPECIFIC_HEAT, ISING_FIGURE_SUSCEPTIBILITY,
        ISING_FIGURE_BINDER, ISING_FIGURE_TAU_ENERGY, ISING_FIGURE_TAU_ABSOLUTE};
    report_table_begin(page, heads, sizeof heads / sizeof *heads);
    for (size_t k = 0; k < run->count; k++) {
        fprintf(page, "<tr><th scope=\"row\">%.8g</th><td>%.6g</td>", run->beta[k], 1 / run->beta[k]);
        for (size_t f = 0; f < sizeof shown / sizeof *shown; f++)
            write_estimate(page, run, shown[f], k);
        for (int c = 0; c < 2; c++) {
            char text[STYLE_TEXT_BYTES];
            report_table_cell(page,
                              style_number(c == 0 ? run->thermalisation[k] : run->measurements[k], text), "");
        }
        fputs(run->is_reliable[k] == 0 ? "<td class=\"bad\">no</td></tr>\n" : "<td>yes</td></tr>\n", page);
    }
    report_table_end(page, "In brackets the standard error of the last digits; below e and c the number of "
                           "errors by which they lie above the exact value of the periodic lattice "
                           "(Kaufman). τ and the thermalisation that was cut: sweeps.");
}

static void write_ratio_cell(FILE *page, const struct ising_difference *difference)
{
    if (difference->count == 0)
        fputs("<td>–</td>", page);
    else
        fprintf(page, "<td>%.2f<small>of %zu</small></td>",
                difference->chi_squared / (double)difference->count, difference->count);
}

static void write_crossings(FILE *page, const struct report_ising *ising)
{
    char text[STYLE_TEXT_BYTES];
    bool is_open = false;
    for (size_t k = 0; k < ising->count; k++) {
        const size_t next = report_ising_next_size(ising, k);
        double error = NAN, beta = next < ising->count
                                       ? report_ising_crossing(&ising->runs[k], &ising->runs[next], &error)
                                       : NAN;
        if (!isfinite(beta))
            continue;
        fputs(is_open ? ", " : "<p>Binder's cumulants cross at β = ", page);
        fprintf(page, "%s (", estimate_text(beta, error, text));
        html_text(page, ising->runs[k].name);
        html_within(page, " and ", ising->runs[next].name, ")");
        is_open = true;
    }
    if (is_open)
        fprintf(page,
                "; exact for the infinite lattice: %.7f. By linear interpolation between the temperatures, "
                "which must be close to each other near β_c.</p>\n",
                report_ising_critical_beta(&ising->runs[0]));
}

void report_ising_run_table(FILE *page, const struct report *report)
{
    static const char *const headings[] = {"Run",          "Folder",       "Method",    "Back end",
                                           "Temperatures", "Not reliable", "χ²/n of e", "χ²/n of c"};
    const struct report_ising *ising = report->state;
    report_table_begin(page, headings, sizeof headings / sizeof *headings);
    for (size_t k = 0; k < ising->count; k++) {
        const struct ising_run *run = &ising->runs[k];
        const struct ising_difference energy = report_ising_against_exact(run, ISING_FIGURE_ENERGY),
                                      heat = report_ising_against_exact(run, ISING_FIGURE_SPECIFIC_HEAT);
        report_table_row(page, run->name, "");
        report_table_cell(page, run->directory, "");
        report_table_cell(page, run->facts.method, "");
        report_table_cell(page, run->facts.backend, "");
        fprintf(page, "<td>%zu</td><td>%zu</td>", run->count, report_ising_count_unreliable(run));
        write_ratio_cell(page, &energy);
        write_ratio_cell(page, &heat);
        fputs("</tr>\n", page);
    }
    report_table_end(page,
                     "χ²/n: the mean square of (value − exact)/error over the reliable temperatures; exact "
                     "is Kaufman's periodic lattice of that size. About 1 where the errors are true.");
    write_crossings(page, ising);
}

void report_ising_pair_table(FILE *page, const struct report *report)
{
    static const char *const headings[] = {"One", "Other", "e", "|m|", "c", "χ"};
    const struct report_ising *ising = report->state;
    report_table_begin(page, headings, sizeof headings / sizeof *headings);
    for (size_t a = 0; a < ising->count; a++)
        for (size_t b = a + 1; b < ising->count; b++) {
            if (!report_ising_is_same_lattice(&ising->runs[a], &ising->runs[b]))
                continue;
            report_table_row(page, ising->runs[a].name, "");
            report_table_cell(page, ising->runs[b].name, "");
            for (int f = 0; f < ISING_COMPARED; f++) {
                const struct ising_difference difference =
                    report_ising_compare(&ising->runs[a], &ising->runs[b], ising_compared[f]);
                write_ratio_cell(page, &difference);
            }
            fputs("</tr>\n", page);
        }
    report_table_end(page, "The mean square of R/δR, R = 2 (a − b)/(a + b), over the temperatures that both "
                           "have: about 1 where they agree.");
}
