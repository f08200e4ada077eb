// The text of a batch's live table (see table.h).
#include "batch/table.h"

#include "batch/totals.h"
#include "core/progress.h"
#include "io/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum {
    LINE_BYTES = 4 * BATCH_TABLE_COLUMNS_MAX + 64,
    NAME_COLUMNS_MIN = 8,
    NAME_COLUMNS_MAX = 28,
    // Of "  45.2 %  |######..........|". At this width progress_format_line omits the model's time.
    BAR_COLUMNS = 28,
    PERCENT_COLUMNS = 8, // without bar
};

double batch_table_remaining_s(const struct batch *batch, double now_s)
{
    double passed_s = 0, work_s = 0, longest_s = 0;
    size_t passed = 0, waiting = 0, running = 0, unknown = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        const struct batch_run *run = &batch->runs[k];
        if (batch->only != SIZE_MAX && batch->only != k)
            continue;
        passed_s += run->state == BATCH_PASSED ? run->total_s : 0;
        passed += run->state == BATCH_PASSED;
        waiting += run->state == BATCH_WAITING || run->state == BATCH_PLANNING || run->state == BATCH_PLANNED;
        if (run->state != BATCH_RUNNING)
            continue;
        running++;
        const double so_far_s = now_s - run->started_s;
        double left_s = run->remaining_s;
        if (isnan(left_s) && run->fraction > 0)
            left_s = so_far_s * (1 / run->fraction - 1);
        if (isnan(left_s))
            unknown++;
        else {
            work_s += left_s;
            longest_s = fmax(longest_s, left_s);
            if (passed == 0)
                passed_s += so_far_s + left_s;
        }
    }
    const size_t known = passed > 0 ? passed : running - unknown;
    if (known == 0)
        return waiting + unknown > 0 ? (double)NAN : work_s;
    work_s += (double)(waiting + unknown) * passed_s / (double)known;
    return fmax(longest_s, work_s / (double)(running > 0 ? running : 1));
}

char *batch_table_format_counts(const struct batch *batch, double now_s, char *text, size_t bytes)
{
    const struct batch_totals t = batch_count(batch);
    const double left_s = batch_table_remaining_s(batch, now_s);
    char elapsed[64], left[64], stopped[48] = "", exceeded[48] = "", unjudged[48] = "", warned[48] = "",
                                estimate[96] = "";
    progress_format_duration(batch->earlier_s + now_s - batch->started_s, elapsed, sizeof elapsed);
    if (t.stopped > 0)
        snprintf(stopped, sizeof stopped, ", %zu stopped", t.stopped);
    if (t.exceeded > 0)
        snprintf(exceeded, sizeof exceeded, ", %zu EXCEEDED", t.exceeded);
    if (t.unjudged > 0)
        snprintf(unjudged, sizeof unjudged, ", %zu not judged", t.unjudged);
    if (t.warned > 0)
        snprintf(warned, sizeof warned, ", %zu with warnings", t.warned);
    if (t.running > 0 && left_s > 0) // false for NaN; no estimate if only reports are still drawn
        snprintf(estimate, sizeof estimate, ", about %s left",
                 progress_format_duration(left_s, left, sizeof left));
    snprintf(text, bytes, "%zu of %zu done, %zu running, %zu waiting, %zu failed%s%s%s%s; %s%s", t.finished,
             t.runs, t.running, t.waiting, t.failed, exceeded, unjudged, warned, stopped, elapsed, estimate);
    return text;
}

// Copies as many whole characters as fit into `columns`. A text that is cut ends with "..."; `fills`: a short
// one is padded with blanks. Returns the bytes written; `text` has room for 4 · columns + 1.
static size_t put_fitted(const char *source, size_t columns, bool is_utf8, bool fills, char *text)
{
    size_t used = 0, width = 0, cut_used = 0, cut_width = 0;
    mbstate_t state = {0};
    while (*source) {
        wchar_t character = (unsigned char)*source < 0x80 ? (wchar_t)*source : L'?';
        size_t length = is_utf8 ? mbrtowc(&character, source, strlen(source), &state) : 1;
        int cells = is_utf8 && length < (size_t)-2 ? wcwidth(character) : 1;
        const bool is_plain = length < (size_t)-2 && cells >= 0 && (is_utf8 || (unsigned char)*source < 0x80);
        if (!is_plain) {
            length = 1;
            cells = 1;
            state = (mbstate_t){0};
        }
        if (width + (size_t)cells > columns) {
            used = cut_used +
                   (size_t)snprintf(text + cut_used, 4, "%.*s", columns > 3 ? 3 : (int)columns, "...");
            width = cut_width + (columns > 3 ? 3 : columns);
            break;
        }
        memcpy(text + used, is_plain ? source : "?", length);
        used += length;
        width += (size_t)cells;
        source += length;
        if (width + 3 <= columns) {
            cut_used = used;
            cut_width = width;
        }
    }
    for (; fills && width < columns; width++)
        text[used++] = ' ';
    text[used] = '\0';
    return used;
}

struct writer {
    const struct batch_table_view *view;
    char *text;
    size_t bytes, used, lines;
};

static void put_line(struct writer *writer, const char *line)
{
    char fitted[LINE_BYTES];
    const size_t length = put_fitted(line, writer->view->columns, writer->view->is_utf8, false, fitted);
    if (writer->lines >= writer->view->rows || writer->used + length + 2 > writer->bytes)
        return;
    memcpy(writer->text + writer->used, fitted, length);
    writer->used += length;
    writer->text[writer->used++] = '\n';
    writer->text[writer->used] = '\0';
    writer->lines++;
}

static void put_title(struct writer *writer, const struct batch *batch)
{
    char title[PATH_BYTES];
    const char *given =
        batch->queue->title && batch->queue->title[0] ? batch->queue->title : batch->queue->directory;
    snprintf(title, sizeof title, "%.*s", PATH_BYTES - 1, given);
    put_line(writer, batch_clean_text(title));
}

// "4 of 8 cores, 3.2 GB of 16 GB of memory"
static void put_use(struct writer *writer, const struct batch *batch)
{
    char line[256], host[32], limit[32], most[48] = "";
    size_t host_bytes = 0;
    int cores = 0;
    for (size_t k = 0; k < batch->queue->count; k++)
        if (batch->runs[k].state == BATCH_RUNNING) {
            host_bytes += batch->runs[k].needs.host_bytes;
            cores += batch->runs[k].cores;
        }
    if (batch->queue->limits.host_bytes != SIZE_MAX)
        snprintf(most, sizeof most, " of %s",
                 units_format_bytes((double)batch->queue->limits.host_bytes, limit, sizeof limit));
    snprintf(line, sizeof line, "%d of %d cores, %s%s of memory in use", cores, writer->view->cores,
             units_format_bytes((double)host_bytes, host, sizeof host), most);
    put_line(writer, line);
}

static void format_bar(const struct batch_run *run, const struct batch_table_view *view, size_t columns,
                       char *text, size_t bytes)
{
    const struct progress_view progress = {
        .fraction = run->fraction, .duration_s = 1, .rate_per_s = NAN, .remaining_s = NAN};
    if (run->state == BATCH_RUNNING)
        progress_format_line(&progress, columns, view->is_utf8, text, bytes);
    else
        snprintf(text, bytes, "%s", "drawing its report");
}

// Parts that do not fit are left out: first the model, then the cores, then the remaining time. On a narrow
// terminal a percentage replaces the bar.
static void put_running(struct writer *writer, const struct batch *batch, size_t number, size_t name_columns)
{
    enum { BAR, LEFT, PLACE, MODEL, PARTS };
    const struct batch_run *run = &batch->runs[number];
    char parts[PARTS][160] = {"", "", "", ""}, name[4 * NAME_COLUMNS_MAX + 8], duration[64], line[LINE_BYTES];
    const size_t columns = writer->view->columns;
    put_fitted(batch->queue->jobs[number].name, name_columns, writer->view->is_utf8, true, name);
    format_bar(run, writer->view, columns < name_columns + 2 + BAR_COLUMNS ? PERCENT_COLUMNS : BAR_COLUMNS,
               parts[BAR], sizeof parts[BAR]);
    if (!isnan(run->remaining_s) && run->state == BATCH_RUNNING)
        snprintf(parts[LEFT], sizeof parts[LEFT], "  %s left",
                 progress_format_duration(run->remaining_s, duration, sizeof duration));
    snprintf(parts[PLACE], sizeof parts[PLACE], "  %d core%s", run->cores, run->cores == 1 ? "" : "s");
    if (batch->queue->jobs[number].ranks > 1)
        snprintf(parts[PLACE], sizeof parts[PLACE], "  %d %s, %d cores", batch->queue->jobs[number].ranks,
                 run->device >= 0 ? "devices" : "ranks", run->cores);
    else if (run->device >= 0)
        snprintf(parts[PLACE], sizeof parts[PLACE], "  %d core%s, device %d", run->cores,
                 run->cores == 1 ? "" : "s", run->device);
    snprintf(parts[MODEL], sizeof parts[MODEL], "  %s, %s", run->needs.model, run->needs.backend);
    // Columns in use. The bar always counts as BAR_COLUMNS; the other parts are ASCII.
    size_t used =
        name_columns + 2 + BAR_COLUMNS + strlen(parts[LEFT]) + strlen(parts[PLACE]) + strlen(parts[MODEL]);
    for (int part = MODEL; part > BAR && used > columns; part--) {
        used -= strlen(parts[part]);
        parts[part][0] = '\0';
    }
    snprintf(line, sizeof line, "%s  %s%s%s%s", name, parts[BAR], parts[LEFT], parts[PLACE], parts[MODEL]);
    put_line(writer, line);
}

static void put_all_running(struct writer *writer, const struct batch *batch, size_t lines_kept)
{
    size_t name_columns = NAME_COLUMNS_MIN, running = 0, shown = 0;
    for (size_t k = 0; k < batch->queue->count; k++)
        if (batch->runs[k].state == BATCH_RUNNING || batch->runs[k].state == BATCH_DRAWING) {
            const size_t length = strlen(batch->queue->jobs[k].name);
            name_columns = length > name_columns ? length : name_columns;
            running++;
        }
    if (name_columns > NAME_COLUMNS_MAX)
        name_columns = NAME_COLUMNS_MAX;
    const size_t lines =
        writer->view->rows > writer->lines + lines_kept ? writer->view->rows - writer->lines - lines_kept : 0;
    const size_t most = running <= lines ? running : lines > 0 ? lines - 1 : 0;
    for (size_t k = 0; k < batch->queue->count && shown < most; k++)
        if (batch->runs[k].state == BATCH_RUNNING || batch->runs[k].state == BATCH_DRAWING) {
            put_running(writer, batch, k, name_columns);
            shown++;
        }
    if (shown < running && lines > 0) {
        char line[64];
        snprintf(line, sizeof line, "... and %zu more running", running - shown);
        put_line(writer, line);
    }
}

static void put_failures(struct writer *writer, const struct batch *batch)
{
    const struct batch_table_view *view = writer->view;
    for (size_t k = 0; k < view->failure_count; k++) {
        const size_t number = view->failures[k];
        const struct batch_run *run = &batch->runs[number];
        char what[BATCH_MESSAGE_BYTES + 128], line[BATCH_MESSAGE_BYTES + 256];
        snprintf(line, sizeof line, "%s %s: %s",
                 run->state == BATCH_FAILED ? "failed:" : "again:", batch->queue->jobs[number].name,
                 batch_describe(batch, number, what, sizeof what));
        put_line(writer, line);
    }
}

size_t batch_table_format(const struct batch *batch, const struct batch_table_view *view, char *text,
                          size_t bytes)
{
    struct writer writer = {.view = view, .text = text, .bytes = bytes};
    char counts[256];
    text[0] = '\0';
    // Shows the newest failures, in at most a third of the lines.
    struct batch_table_view less = *view;
    const size_t most = view->rows / 3;
    if (less.failure_count > most) {
        memmove(less.failures, view->failures + view->failure_count - most, most * sizeof *less.failures);
        less.failure_count = most;
    }
    writer.view = &less;
    put_title(&writer, batch);
    put_line(&writer, batch_table_format_counts(batch, view->now_s, counts, sizeof counts));
    put_use(&writer, batch);
    put_all_running(&writer, batch, less.failure_count);
    put_failures(&writer, batch);
    return writer.lines;
}
