// Tiles at the top of a report's page: see tiles.h.
#include "report/tiles.h"

#include "report/html.h"
#include "report/style.h"

#include <math.h>
#include <string.h>

static void write_tile(FILE *page, const char *class, const char *value, const char *label, const char *note)
{
    fprintf(page, "<div class=\"tile\"><b%s>", class);
    html_text(page, value);
    html_within(page, "</b><span>", label, "</span><span>");
    html_breakable(page, note);
    fputs("</span></div>\n", page);
}

void report_tile(FILE *page, const char *value, const char *label, const char *note)
{
    write_tile(page, "", value, label, note);
}

void report_tile_place(FILE *page, const char *place, const char *label)
{
    write_tile(page, " class=\"place\"", place, label, "");
}

void report_tile_number(FILE *page, const char *format, double value, const char *label, const char *note)
{
    char text[STYLE_TEXT_BYTES];
    if (!isfinite(value))
        return;
    snprintf(text, sizeof text, format, value);
    report_tile(page, text, label, note);
}

void report_tile_count(FILE *page, double count, const char *label, const char *note)
{
    const bool is_large = count >= 1e6;
    report_tile_number(page, is_large ? "%.3g million" : "%.0f", is_large ? count / 1e6 : count, label, note);
}

void report_tile_duration(FILE *page, const struct report *report)
{
    char text[STYLE_TEXT_BYTES];
    if (report->duration_s > 0)
        report_tile(page, style_duration(report->duration_s, text), "of model time", "");
}

const char *report_tile_time(double time_s, char *text)
{
    if (fabs(time_s) > 0 && fabs(time_s) < 1)
        snprintf(text, STYLE_TEXT_BYTES, "%.3g ms", time_s * 1000);
    else
        style_duration(time_s, text);
    return text;
}

int report_tile_verdict(const char *word)
{
    static const char *const good[] = {"passed", "pass", "ok"}, *const bad[] = {"failed", "fail"};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        if (strcmp(word, good[k]) == 0)
            return 1;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (strcmp(word, bad[k]) == 0)
            return -1;
    return 0;
}

// The job's comparisons with the reference implementation or a reference file. They judge the computation,
// not whether its results keep a safety limit: the tile must not be taken for such a verdict, nor show one.
// Older results do not say which checks were computed; they have a record of the steps alone.
static void write_check_tile(FILE *page, const struct report *report)
{
    const cJSON *check = cJSON_GetArrayItem(json_member(report->run, "checks"), 0);
    const cJSON *own = json_member(check, "against_reference");
    const bool has_steps = json_member(report->run, "reference_check") != NULL;
    if (!check)
        return;
    const int verdict = own         ? report_tile_verdict(own->valuestring ? own->valuestring : "")
                        : has_steps ? report_tile_verdict(json_text(check, "verdict"))
                                    : 0;
    if (verdict == 0)
        write_tile(page, " class=\"soft\"", "not checked", "against the reference",
                   "no numerical check was asked for");
    else
        write_tile(page, verdict < 0 ? " class=\"bad\"" : " class=\"good\"",
                   verdict < 0 ? "✗ differs" : "✓ agrees", "numerical check against the reference", "");
}

void report_tiles_of_run(FILE *page, const struct report *report)
{
    char text[STYLE_TEXT_BYTES], note[STYLE_TEXT_BYTES] = "";
    const cJSON *grid = json_member(report->run, "grid"), *timings = json_member(report->run, "timings");
    const double nx = json_number(grid, "nx"), ny = json_number(grid, "ny"),
                 step_s = json_number(report->run, "step_s"), total_s = json_number(timings, "total_s"),
                 rate_per_s = json_number(timings, "rate_per_s");
    if (isfinite(nx) && isfinite(ny)) {
        snprintf(text, sizeof text, "%.0f × %.0f", nx, ny);
        if (isfinite(step_s))
            snprintf(note, sizeof note, "step %.4g s", step_s);
        report_tile(page, text, "nodes", note);
    }
    const char *backend = json_text(report->run, "backend"), *precision = json_text(report->run, "precision"),
               *unit = json_text(timings, "rate_unit");
    snprintf(note, sizeof note, "%.24s%s%.24s", backend, backend[0] && precision[0] ? ", " : "", precision);
    if (isfinite(total_s))
        report_tile(page, report_tile_time(total_s, text), "to compute", note);
    if (rate_per_s > 0 && unit[0]) {
        const char *prefix;
        const double factor = style_si_prefix(rate_per_s, &prefix);
        snprintf(text, sizeof text, "%.3g %s", rate_per_s / factor, prefix);
        snprintf(note, sizeof note, "%.40s", unit);
        report_tile(page, text, note, "during the time steps");
    }
    write_check_tile(page, report);
}
