// The end of a report's page: a summary of the run, and everything else that run.json holds, folded away.
// Uses the names in run.json; each of them may be missing.
#include "io/date.h"
#include "report/html.h"
#include "report/model.h"
#include "report/page.h"
#include "report/style.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

// Parts that other sections of the page show.
static bool is_shown_elsewhere(const char *name)
{
    static const char *const names[] = {"gauges",  "warnings", "nested",       "run_up",   "thermal_safety",
                                        "sensors", "phases",   "temperatures", "findings", "hazard"};
    return is_one_of(name, names, sizeof names / sizeof *names);
}

// Details of the computation.
static bool is_internal(const char *name)
{
    static const char *const names[] = {"inputs",   "files",        "diagnostics", "reference_check",
                                        "checks",   "timings",      "memory",      "device_times",
                                        "pipeline", "distributions"};
    return is_one_of(name, names, sizeof names / sizeof *names);
}

// ---- the summary

void report_page_row(FILE *page, const char *name, const char *text)
{
    if (text[0] == '\0')
        return;
    fprintf(page, "<tr><th>%s</th><td>", name);
    html_breakable(page, text);
    fputs("</td></tr>\n", page);
}

bool report_page_origin(const struct report *report, char *text, size_t bytes)
{
    const char *since = strstr(report->time_units, "since ");
    text[0] = '\0';
    if (!since || strstr(since, "1970-01-01"))
        return false;
    since += strlen("since ");
    const size_t length = strlen(since);
    const bool is_iso = length > 11 && since[10] == 'T', has_z = length > 0 && since[length - 1] == 'Z';
    const bool has_zone = has_z || (length > 11 && strpbrk(since + 11, "+-")) || strstr(since, "UTC");
    snprintf(text, bytes, "%.*s%s", (int)(length - (has_z ? 1 : 0)), since, has_z || !has_zone ? " UTC" : "");
    if (is_iso && bytes > 10)
        text[10] = ' ';
    return true;
}

bool report_page_epoch(const struct report *report, double *epoch_s)
{
    char text[sizeof report->time_units + 8];
    return report_page_origin(report, text, sizeof text) && date_epoch(text, epoch_s);
}

void report_page_tell_epoch(struct report *report)
{
    double epoch_s;
    if (report_page_epoch(report, &epoch_s))
        cJSON_AddNumberToObject(report->web, "origin_s", epoch_s);
}

void report_page_clock(FILE *page, const struct report *report, double time_s, const char *before,
                       const char *after)
{
    double epoch_s;
    struct tm utc;
    char text[40];
    if (!isfinite(time_s) || fabs(time_s) > 1e11 || !report_page_epoch(report, &epoch_s))
        return;
    const time_t moment = (time_t)floor(epoch_s + time_s + 30); // to the minute
    if (!gmtime_r(&moment, &utc) || strftime(text, sizeof text, "%e %b %H:%M UTC", &utc) == 0)
        return;
    fprintf(page, "%s<time class=\"clock\" data-t=\"%.0f\">%s</time>%s", before, epoch_s + time_s,
            text + strspn(text, " "), after);
}

static void write_origin(FILE *page, const struct report *report)
{
    char text[sizeof report->time_units + 8];
    if (report_page_origin(report, text, sizeof text))
        report_page_row(page, "Origin time", text);
}

static void write_time(FILE *page, const struct report *report)
{
    char text[160], duration[STYLE_TEXT_BYTES];
    const double steps = json_number(report->run, "steps"), step_s = json_number(report->run, "step_s");
    if (!(steps > 0 && step_s > 0)) // a model without seconds
        return;
    snprintf(text, sizeof text, "%s in %.0f steps of %.6g s", style_duration(steps * step_s, duration), steps,
             step_s);
    report_page_row(page, "Duration", text);
}

static void write_backend(FILE *page, const struct report *report)
{
    char text[256];
    const char *backend = json_text(report->run, "backend"), *precision = json_text(report->run, "precision");
    if (backend[0] == '\0')
        return;
    snprintf(text, sizeof text, "%s, %s back end, %s precision", json_text(report->run, "program"), backend,
             precision);
    report_page_row(page, "Computed by", text);
}

// The verdicts, with the messages of failed ones.
static void write_checks(FILE *page, const struct report *report)
{
    const cJSON *check, *message;
    cJSON_ArrayForEach(check, json_member(report->run, "checks"))
    {
        fputs("<tr><th>Check</th><td>", page);
        report_page_value(page, "verdict", json_member(check, "verdict"), false);
        message = json_member(check, "message");
        if (cJSON_IsString(message)) {
            html_breakable_within(page, "<small>", message->valuestring, "</small>");
        }
        fputs("</td></tr>\n", page);
    }
}

static void write_summary(FILE *page, const struct report *report)
{
    char written[32] = "";
    const char *history = json_text(report->run, "history"); // "2026-01-31T12:00:00Z fathom run …"
    fputs("<div class=\"card\"><h3>Summary</h3><table><tbody>\n", page);
    report_page_row(page, "Model", json_text(report->run, "model"));
    write_origin(page, report);
    if (report->model->summary)
        report->model->summary(page, report);
    write_time(page, report);
    report_page_row(page, "Job", json_text(report->run, "job"));
    write_backend(page, report);
    if (history[0] >= '0' && history[0] <= '9')
        snprintf(written, sizeof written, "%.*s", (int)strspn(history, "0123456789-T:Z"), history);
    if (written[0] && written[strlen(written) - 1] == ':') // a history that names the program after a colon
        written[strlen(written) - 1] = '\0';
    report_page_row(page, "Started", written);
    write_checks(page, report);
    fputs("</tbody></table></div>\n", page);
}

// ---- everything else

// Parts whose main figures are in the summary.
static bool is_summarised(const struct report *report, const cJSON *item)
{
    const cJSON *source = json_member(report->run, "source");
    if (strcmp(item->string, "source") == 0)
        return isfinite(json_number(source, "faults")) && cJSON_GetArraySize(source) <= 2;
    return strcmp(item->string, "grid") == 0 && isfinite(json_number(item, "nx"));
}

static void write_plain_values(FILE *page, const struct report *report)
{
    fputs("<div class=\"card\"><h3>Job</h3><table><tbody>\n", page);
    const cJSON *item;
    cJSON_ArrayForEach(item, report->run)
    {
        if (cJSON_IsObject(item) || cJSON_IsArray(item) || cJSON_IsNull(item) || !item->string)
            continue;
        fputs("<tr><th>", page);
        report_page_name(page, item->string);
        fputs("</th><td>", page);
        report_page_value(page, item->string, item, report->model->has_small_lengths);
        fputs("</td></tr>\n", page);
    }
    fputs("</tbody></table></div>\n", page);
}

static void write_blocks(FILE *page, const struct report *report, bool is_folded)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, report->run)
    {
        if (!item->string || !item->child || is_shown_elsewhere(item->string))
            continue;
        if ((is_internal(item->string) || is_summarised(report, item)) == is_folded)
            report_page_block(page, item->string, item, report->model->has_small_lengths);
    }
}

// The gauges and the grids have their own tables, the warnings are at the top of the page.
void report_page_run(FILE *page, const struct report *report)
{
    if (!report->run)
        return;
    fputs("<h2>The run</h2>\n<div class=\"grid\">\n", page);
    write_summary(page, report);
    write_blocks(page, report, false);
    fputs(
        "</div>\n"
        "<details><summary>Everything that run.json holds: files, checks in detail, times, memory</summary>\n"
        "<div class=\"grid\">\n",
        page);
    write_plain_values(page, report);
    write_blocks(page, report, true);
    fputs("</div></details>\n", page);
}
