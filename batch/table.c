// The live table on standard error (see the header). Elsewhere than on a terminal also a line with the counts
// once a minute. The text is made in table_text.c.
//
// The cursor rests on the table's first line. A message (core/log.h) erases from the cursor on, so it
// replaces the table and stands above the next one. After a kill the terminal needs no repair.
#include "batch/table.h"

#include "batch/figures.h"
#include "batch/totals.h"
#include "core/clock.h"
#include "core/log.h"
#include "core/progress.h"

#include <langinfo.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    TABLE_BYTES = 1 << 16,
    COLUMNS_DEFAULT = 80,
    ROWS_DEFAULT = 24,
    FAILURES_LISTED_MAX = 20,
};

static const double terminal_interval_s = 0.1, plain_interval_s = 60;

static struct {
    bool is_open, is_quiet, is_terminal, is_drawn;
    double drawn_s, cost_s; // when the table was last drawn, and how long that took
    struct batch_table_view view;
    char text[TABLE_BYTES], screen[2 * TABLE_BYTES];
} table;

static int usable_cores(const struct batch *batch)
{
    cpu_set_t set;
    const struct batch_limits *limits = &batch->queue->limits;
    const int cores =
        sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return limits->cores > 0 && (limits->may_exceed || limits->cores < cores) ? limits->cores : cores;
}

void batch_table_open(bool is_quiet)
{
    const char *terminal = getenv("TERM");
    memset(&table, 0, sizeof table);
    table.is_open = true;
    table.is_quiet = is_quiet;
    table.is_terminal = isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
    table.view.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    table.drawn_s = table.is_terminal ? 0 : clock_now_s();
}

static size_t at_most(size_t value, size_t otherwise, size_t most)
{
    return value == 0 ? otherwise : value > most ? most : value;
}

static void measure_terminal(void)
{
    struct winsize size = {0};
    (void)ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
    // The last column and the last line stay empty: filling them makes terminals wrap or scroll.
    table.view.columns = at_most(size.ws_col, COLUMNS_DEFAULT, BATCH_TABLE_COLUMNS_MAX) - 1;
    table.view.rows = at_most(size.ws_row, ROWS_DEFAULT, BATCH_TABLE_ROWS_MAX) - 1;
}

// One write, which erases each line as it replaces it: the table does not flicker.
static void draw(const struct batch *batch)
{
    measure_terminal();
    table.view.now_s = clock_now_s();
    table.view.cores = usable_cores(batch);
    const size_t lines = batch_table_format(batch, &table.view, table.text, sizeof table.text);
    size_t used = (size_t)snprintf(table.screen, sizeof table.screen, "\033[?25l\r");
    for (const char *line = table.text; *line;) {
        const size_t length = strcspn(line, "\n");
        used += (size_t)snprintf(table.screen + used, sizeof table.screen - used, "%.*s\033[K\n", (int)length,
                                 line);
        line += length + 1;
    }
    used += (size_t)snprintf(table.screen + used, sizeof table.screen - used, "\033[J");
    if (lines > 0)
        used += (size_t)snprintf(table.screen + used, sizeof table.screen - used, "\033[%zuA", lines);
    used += (size_t)snprintf(table.screen + used, sizeof table.screen - used, "\r\033[?25h");
    table.is_drawn = log_transient(STDERR_FILENO, table.screen, used, true);
    if (!table.is_drawn)
        table.is_open = false; // the terminal is closed: the batch continues without a table
    table.drawn_s = clock_now_s();
    table.cost_s = table.drawn_s - table.view.now_s;
}

static void print_line(const char *text)
{
    char line[BATCH_MESSAGE_BYTES + 512];
    const int length = snprintf(line, sizeof line, "fathom: %s\n", text);
    if (length > 0 && !log_transient(STDERR_FILENO, line, strlen(line), false))
        table.is_open = false;
}

void batch_table_draw(const struct batch *batch)
{
    if (!table.is_open || table.is_quiet)
        return;
    // A table of very many runs takes time: at most a twentieth of all.
    const double interval_s = !table.is_terminal                        ? plain_interval_s
                              : terminal_interval_s > 20 * table.cost_s ? terminal_interval_s
                                                                        : 20 * table.cost_s;
    const double now_s = clock_now_s();
    if (now_s - table.drawn_s < interval_s)
        return;
    if (table.is_terminal)
        draw(batch);
    else {
        char counts[256];
        print_line(batch_table_format_counts(batch, now_s, counts, sizeof counts));
        table.drawn_s = now_s;
    }
}

static void forget_failure(size_t run)
{
    size_t kept = 0;
    for (size_t k = 0; k < table.view.failure_count; k++)
        if (table.view.failures[k] != run)
            table.view.failures[kept++] = table.view.failures[k];
    table.view.failure_count = kept;
}

static void remember_failure(size_t run)
{
    struct batch_table_view *view = &table.view;
    forget_failure(run); // only the last failure of a run
    if (view->failure_count == BATCH_TABLE_FAILURES)
        memmove(view->failures, view->failures + 1, --view->failure_count * sizeof *view->failures);
    view->failures[view->failure_count++] = run;
}

// "[13/40] NAME passed in 3 min 20 s", "... failed: why", "... is retried: why"
static void print_ended(const struct batch *batch, size_t number)
{
    const struct batch_run *run = &batch->runs[number];
    const struct batch_totals totals = batch_count(batch);
    char duration[64], what[BATCH_MESSAGE_BYTES + 128], finding[BATCH_FINDING_BYTES],
        line[BATCH_MESSAGE_BYTES + BATCH_FINDING_BYTES + 448];
    batch_describe(batch, number, what, sizeof what);
    progress_format_duration(run->total_s, duration, sizeof duration);
    const char *outcome = run->state == BATCH_WAITING ? "is retried" : batch_state_word(run->state);
    const int used = snprintf(line, sizeof line, "[%zu/%zu] %s ", totals.finished, totals.runs,
                              batch->queue->jobs[number].name);
    char *rest = line + used;
    const size_t left = sizeof line - (size_t)used;
    if (run->state == BATCH_PASSED && batch_run_exceeded(batch, number))
        snprintf(rest, left, "ended in %s; %s%s%s", duration, batch_finding_text(batch, number, finding),
                 what[0] ? "; " : "", what);
    else if (run->state == BATCH_PASSED && batch_run_unjudged(batch, number))
        snprintf(rest, left, "done, not judged, in %s; %s%s%s", duration,
                 batch_finding_text(batch, number, finding), what[0] ? "; " : "", what);
    else if (run->state == BATCH_PASSED)
        snprintf(rest, left, "passed in %s%s%s", duration, what[0] ? "; " : "", what);
    else if (run->state == BATCH_STOPPED && what[0])
        snprintf(rest, left, "%s", what);
    else
        snprintf(rest, left, "%s%s%s", outcome, what[0] ? ": " : "", what);
    const size_t warnings = batch_run_warnings(batch, number), length = strlen(line);
    if (warnings > 0)
        snprintf(line + length, sizeof line - length, "; %zu warning%s", warnings, warnings == 1 ? "" : "s");
    print_line(line);
}

void batch_table_ended(const struct batch *batch, size_t run)
{
    const struct batch_run *ended = &batch->runs[run];
    const bool has_failed =
        ended->state == BATCH_FAILED || (ended->state == BATCH_WAITING && ended->cause != BATCH_CAUSE_NONE);
    if (has_failed)
        remember_failure(run);
    else
        forget_failure(run);
    if (!table.is_open || (table.is_quiet && !has_failed))
        return;
    if (!table.is_terminal || table.is_quiet)
        print_ended(batch, run);
}

// The runs for which `is_listed` is true, each with its finding.
static void list_findings(const struct batch *batch, bool (*is_listed)(const struct batch *batch, size_t run))
{
    char finding[BATCH_FINDING_BYTES], line[BATCH_FINDING_BYTES + BATCH_NAME_MAX + 64];
    size_t listed = 0;
    for (size_t k = 0; k < batch->queue->count && listed < FAILURES_LISTED_MAX; k++) {
        if (batch->runs[k].state == BATCH_FAILED || !is_listed(batch, k))
            continue;
        listed++;
        snprintf(line, sizeof line, "%s: %s", batch->queue->jobs[k].name,
                 batch_finding_text(batch, k, finding));
        print_line(line);
    }
}

static void list_failures(const struct batch *batch)
{
    size_t listed = 0, failed = 0;
    for (size_t k = 0; k < batch->queue->count; k++) {
        char what[BATCH_MESSAGE_BYTES + 128], line[BATCH_MESSAGE_BYTES + 256];
        if (batch->runs[k].state != BATCH_FAILED)
            continue;
        failed++;
        if (listed == FAILURES_LISTED_MAX)
            continue;
        listed++;
        snprintf(line, sizeof line, "failed: %s: %s", batch->queue->jobs[k].name,
                 batch_describe(batch, k, what, sizeof what));
        print_line(line);
    }
    if (failed > listed) {
        char line[96];
        snprintf(line, sizeof line, "failed: %zu more; see summary.json", failed - listed);
        print_line(line);
    }
}

void batch_table_close(const struct batch *batch)
{
    if (!table.is_open)
        return;
    if (table.is_drawn) // removes the table: the last counts follow
        (void)log_transient(STDERR_FILENO, "\r\033[J\033[?25h", 10, false);
    const struct batch_totals totals = batch_count(batch);
    if (!table.is_quiet || totals.failed + totals.exceeded > 0) {
        char counts[256];
        if (table.is_terminal)
            list_failures(batch);
        if (table.is_terminal || table.is_quiet)
            list_findings(batch, batch_run_exceeded);
        if (table.is_terminal && !table.is_quiet)
            list_findings(batch, batch_run_unjudged);
        print_line(batch_table_format_counts(batch, clock_now_s(), counts, sizeof counts));
    }
    table.is_open = false;
}
