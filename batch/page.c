// The page of a batch (see the header): failures first, then unfinished runs, sweeps, single runs, pictures.
#include "batch/page.h"

#include "batch/totals.h"
#include "core/clock.h"
#include "core/progress.h"
#include "io/units.h"
#include "io/whole_file.h"
#include "report/html.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A table cell of up to WHOLE_BYTES is not wrapped. The page shows the first SHOWN_BYTES of a setting's
// value; summary.json has the whole value.
enum { WHAT_BYTES = BATCH_MESSAGE_BYTES + 128, WHOLE_BYTES = 24, SHOWN_BYTES = 120 };

// ---- cells

static void begin_cell(FILE *page, const char *text)
{
    fputs(strlen(text) > WHOLE_BYTES ? "<td class=\"long\">" : "<td>", page);
}

void batch_page_text(FILE *page, const char *text)
{
    begin_cell(page, text);
    (strlen(text) > WHOLE_BYTES ? html_breakable : html_text)(page, text);
    fputs("</td>", page);
}

void batch_page_name(FILE *page, const struct batch *batch, size_t number)
{
    const struct batch_run *run = &batch->runs[number];
    const char *name = batch->queue->jobs[number].name; // letters, digits, . - _: needs no escape
    const bool is_link = run->state == BATCH_PASSED || run->attempts > 0;
    begin_cell(page, name);
    if (is_link)
        fprintf(page, "<a href=\"%s/%s\">", name,
                run->state == BATCH_PASSED && run->has_report ? "report.html" : "");
    if (strlen(name) > WHOLE_BYTES)
        html_name(page, name);
    else
        fputs(name, page);
    fputs(is_link ? "</a></td>" : "</td>", page);
}

void batch_page_state(FILE *page, const struct batch *batch, size_t number)
{
    const struct batch_run *run = &batch->runs[number];
    const size_t warnings = batch_run_warnings(batch, number);
    if (run->state == BATCH_PASSED && batch_run_exceeded(batch, number))
        fputs("<td class=\"bad\"><b>EXCEEDED</b>", page);
    else if (run->state == BATCH_PASSED && batch_run_unjudged(batch, number))
        fputs("<td><b class=\"warned\">not judged</b>", page);
    else
        fprintf(page, "<td class=\"%s\">%s",
                run->state == BATCH_PASSED   ? "good"
                : run->state == BATCH_FAILED ? "bad"
                                             : "soft",
                batch_state_word(run->state));
    if (warnings > 0)
        fprintf(page, "<br><a class=\"warned\" href=\"#warnings\">%zu warning%s</a>", warnings,
                warnings == 1 ? "" : "s");
    fputs("</td>", page);
}

void batch_page_duration(FILE *page, double seconds)
{
    char text[64];
    fprintf(page, "<td>%s</td>",
            seconds > 0 ? progress_format_duration(seconds, text, sizeof text) : "&ndash;");
}

static void put_bytes(FILE *page, size_t bytes)
{
    char text[32];
    fprintf(page, "<td>%s</td>",
            bytes > 0 ? units_format_bytes((double)bytes, text, sizeof text) : "&ndash;");
}

// The log of the run's standard output and error, if it exists.
static void put_log_link(FILE *page, const struct batch *batch, size_t number)
{
    char file[BATCH_NAME_MAX + 16], path[PATH_BYTES + BATCH_NAME_MAX + 32];
    snprintf(file, sizeof file, "_logs/%s.log", batch->queue->jobs[number].name);
    snprintf(path, sizeof path, "%s/%s", batch->queue->directory, file);
    if (access(path, R_OK) == 0)
        fprintf(page, "<td><a href=\"%s\">log</a></td>", file);
    else
        fputs("<td></td>", page);
}

static void put_settings(FILE *page, const struct batch_job *job)
{
    for (size_t k = job->setting_count - job->varied_count; k < job->setting_count; k++) {
        const struct batch_setting *setting = &job->settings[k];
        char value[SHOWN_BYTES + 8];
        const bool is_text = setting->value[0] == '"' && !strchr(setting->value, '\\');
        const size_t length = strlen(setting->value) - (is_text ? 2 : 0);
        snprintf(value, sizeof value, "%.*s%s", length < SHOWN_BYTES ? (int)length : SHOWN_BYTES,
                 setting->value + (is_text ? 1 : 0), length > SHOWN_BYTES ? "..." : "");
        batch_clean_text(value);
        html_text(page, setting->key);
        fputs(length > WHOLE_BYTES ? " <span>" : " <span class=\"whole\">", page);
        html_breakable(page, value);
        fputs(k + 1 < job->setting_count ? "</span>, " : "</span>", page);
    }
}

void batch_page_label(FILE *page, const struct batch *batch, size_t number)
{
    char title[sizeof batch->runs[number].needs.title];
    const struct batch_job *job = &batch->queue->jobs[number];
    snprintf(title, sizeof title, "%s", batch->runs[number].needs.title);
    if (job->varied_count > 0)
        put_settings(page, job);
    else
        html_breakable(page, batch_clean_text(title));
}

static void put_label(FILE *page, const struct batch *batch, size_t number)
{
    fputs("<td class=\"long\">", page);
    batch_page_label(page, batch, number);
    fputs("</td>", page);
}

// ---- the head

static void put_tile(FILE *page, const char *class, const char *value, const char *label, const char *note)
{
    fprintf(page, "<div class=\"tile\"><b class=\"%s\">%s</b>%s<span>", class, value, label);
    html_breakable(page, note);
    fputs("</span></div>\n", page);
}

static void put_tiles(FILE *page, const struct batch *batch, const struct batch_totals *t)
{
    char value[64], elapsed[64], sum[64], note[128];
    double wall_s = 0;
    size_t attempts = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        wall_s += batch->runs[k].total_s;
        attempts += (size_t)batch->runs[k].attempts;
    }
    fputs("<div class=\"tiles\">\n", page);
    if (t->exceeded > 0) {
        snprintf(value, sizeof value, "%zu EXCEEDED", t->exceeded);
        put_tile(page, "bad", value, "a safety level", "see below");
    }
    snprintf(value, sizeof value, "%zu", t->passed);
    snprintf(note, sizeof note, "of %zu runs", t->runs);
    put_tile(page, t->passed == t->runs && t->warned == 0 ? "good" : "", value, "passed", note);
    if (t->unjudged > 0) {
        snprintf(value, sizeof value, "%zu not judged", t->unjudged);
        put_tile(page, "warned", value, "of those that are done", "see below");
    }
    if (t->warned > 0) {
        snprintf(value, sizeof value, "%zu with warnings", t->warned);
        snprintf(note, sizeof note, "of %zu runs; texts below", t->runs);
        put_tile(page, "warned", value, "whatever their state", note);
    }
    snprintf(value, sizeof value, "%zu", t->failed);
    put_tile(page, t->failed > 0 ? "bad" : "", value, "failed", t->failed > 0 ? "see below" : "");
    if (t->finished < t->runs) {
        snprintf(value, sizeof value, "%zu", t->runs - t->finished);
        snprintf(note, sizeof note, "%zu running, %zu stopped, %zu waiting", t->running, t->stopped,
                 t->waiting);
        put_tile(page, "", value, "not done", note);
    }
    snprintf(note, sizeof note, "runs together %s, %zu %s", progress_format_duration(wall_s, sum, sizeof sum),
             attempts, attempts == 1 ? "attempt" : "attempts");
    put_tile(page, "",
             progress_format_duration(batch->earlier_s + clock_now_s() - batch->started_s, elapsed,
                                      sizeof elapsed),
             "wall-clock", note);
    fputs("</div>\n", page);
}

static void put_head(FILE *page, const struct batch *batch, const struct batch_totals *t)
{
    char title[PATH_BYTES], host[128] = "";
    (void)gethostname(host, sizeof host - 1);
    snprintf(title, sizeof title, "%.*s", PATH_BYTES - 1,
             batch->queue->title && batch->queue->title[0] ? batch->queue->title : batch->queue->directory);
    html_begin(page, batch_clean_text(title));
    html_within(page, "<p class=\"soft\">", batch->queue->path ? batch->queue->path : "", "");
    fprintf(page, " · started %.10s %.5s UTC", batch->started_at,
            strlen(batch->started_at) > 11 ? batch->started_at + 11 : "");
    if (host[0])
        html_within(page, " · on ", host, "");
    fputs("</p>\n", page);
    put_tiles(page, batch, t);
}

static void put_foot(FILE *page)
{
    char date[HTML_DATE_BYTES];
    fprintf(page,
            "<footer>Fathom " FATHOM_VERSION " · written %s · <a href=\"summary.json\">summary.json</a> · <a "
            "href=\"junit.xml\">junit.xml</a></footer>\n</main>\n</body>\n</html>\n",
            html_date(date));
}

// ---- tables

static void end_table(FILE *page, size_t rows)
{
    fputs("</tbody></table>", page);
    if (rows > BATCH_PAGE_ROWS_MAX)
        fprintf(page, "<p class=\"soft\">and %zu more: <a href=\"summary.json\">summary.json</a></p>",
                rows - BATCH_PAGE_ROWS_MAX);
    fputs("</div>\n", page);
}

// The row of a failed or unfinished run.
static void put_unpassed_row(FILE *page, const struct batch *batch, size_t number)
{
    char what[WHAT_BYTES];
    const struct batch_run *run = &batch->runs[number];
    fputs("<tr>", page);
    batch_page_name(page, batch, number);
    batch_page_state(page, batch, number);
    html_breakable_within(page, "<td class=\"long\">", batch_describe(batch, number, what, sizeof what),
                          "</td>");
    put_label(page, batch, number);
    fprintf(page, "<td>%d</td>", run->attempts);
    batch_page_duration(page, run->total_s);
    put_log_link(page, batch, number);
    fputs("</tr>\n", page);
}

static void put_unpassed_runs(FILE *page, const struct batch *batch, const char *heading, bool failed)
{
    size_t count = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        const enum batch_state state = batch->runs[k].state;
        if ((state == BATCH_FAILED) != failed || state == BATCH_PASSED)
            continue;
        if (count++ == 0)
            fprintf(page,
                    "<h2>%s</h2>\n<div class=\"card scroll\"><table "
                    "class=\"runs\"><thead><tr><th>run</th><th>state</th><th>what "
                    "happened</th><th>settings</th><th>attempts</th><th>wall-clock</th><th></th></tr></"
                    "thead><tbody>\n",
                    heading);
        if (count <= BATCH_PAGE_ROWS_MAX)
            put_unpassed_row(page, batch, k);
    }
    if (count > 0)
        end_table(page, count);
}

// Writes figures of the whole run in one cell: the first SHOWN_MAX of the outermost grid, and the first of
// each nested grid.
static void put_run_figures(FILE *page, const struct batch_figures *figures)
{
    enum { SHOWN_MAX = 4, NESTED_MAX = 8 };
    char label[BATCH_FIGURE_NAME_BYTES];
    size_t outer = 0, nested = 0;
    fputs("<td>", page);
    for (size_t k = 0; k < figures->count; k++) {
        const char *name = figures->figures[k].name;
        const bool is_nested = batch_figure_is_nested(name);
        if (!batch_figure_is_of_run(name) || (is_nested && !batch_figure_is_first(figures, k)) ||
            (is_nested ? nested == NESTED_MAX : outer == SHOWN_MAX))
            continue;
        fputs(outer + nested > 0 ? "<br>" : "", page);
        ++*(is_nested ? &nested : &outer);
        html_text(page, batch_figure_label(figures->figures[k].name, label));
        if (isinf(figures->figures[k].value))
            fputs(" ∞", page);
        else
            fprintf(page, " %.6g", figures->figures[k].value);
    }
    fputs("</td>", page);
}

static void put_single_row(FILE *page, const struct batch *batch, size_t number)
{
    const struct batch_run *run = &batch->runs[number];
    struct batch_figures figures;
    char verdict[BATCH_VERDICT_BYTES];
    batch_figures_read_ended(batch, number, &figures);
    fputs("<tr>", page);
    batch_page_name(page, batch, number);
    batch_page_state(page, batch, number);
    put_label(page, batch, number);
    put_run_figures(page, &figures);
    fprintf(page, "<td>%s</td><td>%s</td>", run->needs.model, run->needs.backend);
    batch_page_duration(page, run->total_s);
    if (run->cores > 0)
        fprintf(page, "<td>%d</td>", run->cores);
    else
        fputs("<td>&ndash;</td>", page); // not started
    put_bytes(page, run->needs.host_bytes);
    put_bytes(page, run->needs.device_bytes);
    batch_page_text(page, batch_figures_verdict(&figures, verdict));
    fputs("</tr>\n", page);
}

// The findings of the runs for which `is_listed` is true, `count` of them.
static void put_findings(FILE *page, const struct batch *batch, size_t count, const char *head,
                         const char *class, bool (*is_listed)(const struct batch *batch, size_t run))
{
    char finding[BATCH_FINDING_BYTES];
    size_t shown = 0;
    if (count == 0)
        return;
    fputs(head, page);
    for (size_t k = 0; k < batch->queue->count && shown < BATCH_PAGE_ROWS_MAX; k++) {
        if (!is_listed(batch, k))
            continue;
        shown++;
        fputs("<tr>", page);
        batch_page_name(page, batch, k);
        fprintf(page, "<td class=\"long %s\">", class);
        html_breakable(page, batch_finding_text(batch, k, finding));
        fputs("</td>", page);
        put_label(page, batch, k);
        fputs("</tr>\n", page);
    }
    end_table(page, count);
}

// The runs with exceeded safety levels.
static void put_exceeded(FILE *page, const struct batch *batch, size_t exceeded)
{
    put_findings(page, batch, exceeded,
                 "<h2 class=\"bad\">EXCEEDED</h2>\n<div class=\"card scroll alarm\"><table "
                 "class=\"runs\"><thead><tr><th>run</th><th>what was exceeded, in the whole "
                 "run</th><th>settings</th></tr></thead><tbody>\n",
                 "bad", batch_run_exceeded);
}

static void put_unjudged(FILE *page, const struct batch *batch, size_t unjudged)
{
    put_findings(page, batch, unjudged,
                 "<h2>Not judged</h2>\n<div class=\"card scroll\"><table "
                 "class=\"runs\"><thead><tr><th>run</th><th>what was not judged, and "
                 "why</th><th>settings</th></tr></thead><tbody>\n",
                 "", batch_run_unjudged);
}

// Lists the first TEXTS_MAX warnings of a run; summary.json has all of them.
static void put_warning_texts(FILE *page, const struct batch *batch, size_t number)
{
    enum { TEXTS_MAX = 10, TEXT_BYTES = 600 };
    cJSON *texts = batch_figures_warnings(batch, number);
    const cJSON *item;
    size_t count = 0;
    fputs("<td class=\"long\">", page);
    cJSON_ArrayForEach(item, texts)
    {
        char text[TEXT_BYTES + 8];
        if (count++ >= TEXTS_MAX)
            continue;
        snprintf(text, sizeof text, "%.*s%s", TEXT_BYTES, item->valuestring,
                 strlen(item->valuestring) > TEXT_BYTES ? "..." : "");
        html_breakable_within(page, "<p>", batch_clean_text(text), "</p>");
    }
    if (count > TEXTS_MAX)
        fprintf(page, "<p class=\"soft\">and %zu more: <a href=\"summary.json\">summary.json</a></p>",
                count - TEXTS_MAX);
    fputs("</td>", page);
    cJSON_Delete(texts);
}

static void put_warnings(FILE *page, const struct batch *batch, size_t warned)
{
    size_t shown = 0;
    if (warned == 0)
        return;
    fputs("<h2 id=\"warnings\">Warnings</h2>\n<div class=\"card scroll\"><table "
          "class=\"runs\"><thead><tr><th>run</th><th>warnings</th><th>settings</th></tr></thead><tbody>\n",
          page);
    for (size_t k = 0; k < batch->queue->count && shown < BATCH_PAGE_ROWS_MAX; k++) {
        if (batch_run_warnings(batch, k) == 0)
            continue;
        shown++;
        fputs("<tr>", page);
        batch_page_name(page, batch, k);
        put_warning_texts(page, batch, k);
        put_label(page, batch, k);
        fputs("</tr>\n", page);
    }
    end_table(page, warned);
}

static bool is_single(const struct batch_group *group)
{
    return group->last == group->first + 1;
}

// The next entry of the queue, beginning with run `first`; false after the last.
static bool next_group(const struct batch *batch, size_t first, struct batch_group *group)
{
    const struct batch_job *jobs = batch->queue->jobs;
    if (first >= batch->queue->count)
        return false;
    *group = (struct batch_group){.first = first, .last = first + 1};
    while (group->last < batch->queue->count && jobs[group->last].entry == jobs[first].entry)
        group->last++;
    batch_entry_name(&jobs[first], group->name);
    return true;
}

static void put_singles(FILE *page, const struct batch *batch)
{
    struct batch_group group = {0};
    size_t count = 0;
    while (next_group(batch, group.last, &group)) {
        if (!is_single(&group))
            continue;
        if (count++ == 0)
            fputs("<h2>Single runs</h2>\n<div class=\"card scroll\"><table class=\"runs "
                  "compact\"><thead><tr><th>run</th><th>state</th><th>title</th><th>whole "
                  "run</th><th>model</th><th>back "
                  "end</th><th>wall-clock</th><th>cores</th><th>memory</th><th>of the "
                  "device</th><th>check</th></tr></thead><tbody>\n",
                  page);
        if (count <= BATCH_PAGE_ROWS_MAX)
            put_single_row(page, batch, group.first);
    }
    if (count > 0)
        end_table(page, count);
}

static enum status put_page(FILE *page, const struct batch *batch)
{
    const struct batch_totals totals = batch_count(batch);
    put_head(page, batch, &totals);
    put_exceeded(page, batch, totals.exceeded);
    put_unpassed_runs(page, batch, "Failed", true);
    put_unpassed_runs(page, batch, "Not done", false);
    put_unjudged(page, batch, totals.unjudged);
    struct batch_group group = {0};
    while (next_group(batch, group.last, &group))
        if (!is_single(&group))
            CHECK(batch_page_sweep(page, batch, &group, totals.running + totals.waiting == 0));
    put_singles(page, batch);
    put_warnings(page, batch, totals.warned);
    batch_page_pictures(page, batch);
    put_foot(page);
    return STATUS_OK;
}

enum status batch_page_write(const struct batch *batch)
{
    char path[PATH_BYTES + 32];
    struct whole_file file;
    if (batch->only != SIZE_MAX)
        return STATUS_OK;
    snprintf(path, sizeof path, "%s/index.html", batch->queue->directory);
    CHECK(whole_file_begin(&file, path));
    return whole_file_end(&file, put_page(file.stream, batch));
}
