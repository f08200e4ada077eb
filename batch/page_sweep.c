// A batch's page: the runs of an entry with a sweep or an ensemble, as a table and as curves (see page.h).
#include "batch/page.h"

#include "batch/percentiles.h"
#include "batch/totals.h"
#include "batch/weights.h"
#include "core/log.h"
#include "io/json_file.h"
#include "io/path.h"
#include "report/html.h"
#include "report/plot.h"
#include "report/style.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURE_WIDTH = 1200, PANEL_HEIGHT = 380, POINTS_LEAST = 3 };

struct sweep {
    const struct batch *batch;
    const struct batch_group *group;
    size_t count;                  // runs shown: the first BATCH_PAGE_ROWS_MAX
    struct batch_figures *figures; // of each
    const char *chosen[BATCH_PAGE_FIGURES_MAX];
    size_t chosen_count;
};

static const struct batch_run *run_at(const struct sweep *sweep, size_t k)
{
    return &sweep->batch->runs[sweep->group->first + k];
}

static const struct batch_setting *varied_at(const struct sweep *sweep, size_t k)
{
    const struct batch_job *job = &sweep->batch->queue->jobs[sweep->group->first + k];
    return job->settings + job->setting_count - job->varied_count;
}

// Runs that differ only in a seed are samples: their mean is of interest, their order is not.
static bool is_sampled(const struct sweep *sweep)
{
    const struct batch_job *job = &sweep->batch->queue->jobs[sweep->group->first];
    const char *key = job->varied_count == 1 ? varied_at(sweep, 0)[0].key : "";
    const size_t length = strlen(key);
    return length >= 4 && strcmp(key + length - 4, "seed") == 0;
}

// ---- the figures in the table: all ended runs have them, and they are of the whole run or differ between
// runs

// Whether the figure has the name of the last part of a varied key. Such a figure would repeat the setting.
static bool is_varied(const struct sweep *sweep, const char *name)
{
    const struct batch_job *job = &sweep->batch->queue->jobs[sweep->group->first];
    for (size_t k = 0; k < job->varied_count; k++) {
        const char *key = varied_at(sweep, 0)[k].key, *point = strrchr(key, '.');
        if (strcmp(point ? point + 1 : key, name) == 0)
            return true;
    }
    return false;
}

// Whether the figure is the error NAME_error of a mean value NAME. Without a figure NAME, NAME_error is an
// independent figure (the error of an energy).
static bool is_error_of_another(const struct batch_figures *figures, const char *name)
{
    static const char suffix[] = "_error";
    char mean[BATCH_FIGURE_NAME_BYTES];
    const size_t length = strlen(name), end = sizeof suffix - 1;
    if (length <= end || strcmp(name + length - end, suffix) != 0)
        return false;
    snprintf(mean, sizeof mean, "%.*s", (int)(length - end), name);
    return !isnan(batch_figures_find(figures, mean));
}

// Whether all ended runs have the figure; *differs: its values differ.
static bool has_all(const struct sweep *sweep, const char *name, bool *differs)
{
    double smallest = INFINITY, largest = -INFINITY;
    for (size_t k = 0; k < sweep->count; k++) {
        if (!sweep->figures[k].is_known)
            continue;
        const double value = batch_figures_find(&sweep->figures[k], name);
        if (isnan(value))
            return false;
        smallest = fmin(smallest, value);
        largest = fmax(largest, value);
    }
    *differs = largest - smallest > 1e-9 * fmax(fabs(smallest), fabs(largest));
    return true;
}

static bool is_shown(const struct sweep *sweep, const char *name)
{
    bool differs;
    return has_all(sweep, name, &differs) && (differs || batch_figure_is_of_run(name));
}

// Chooses the first figure of each grid, so that every nested grid has one, then the others in their order.
static void choose_figures(struct sweep *sweep)
{
    size_t first = 0;
    while (first < sweep->count && !sweep->figures[first].is_known)
        first++;
    if (first == sweep->count)
        return;
    const struct batch_figures *figures = &sweep->figures[first];
    for (size_t n = 0; n < 2 * figures->count && sweep->chosen_count < BATCH_PAGE_FIGURES_MAX; n++) {
        const size_t k = n % figures->count;
        const char *name = figures->figures[k].name;
        if (batch_figure_is_first(figures, k) == (n < figures->count) && strncmp(name, "start.", 6) != 0 &&
            !is_varied(sweep, name) && !is_error_of_another(figures, name) && is_shown(sweep, name))
            sweep->chosen[sweep->chosen_count++] = name;
    }
}

// ---- the table

// Columns after the run's name: the varied settings, the weight, state, wall-clock time, check, figures.
enum { COLUMN_STATE, COLUMN_DURATION, COLUMN_CHECK, COLUMNS_OF_ALL };

// As many columns as fit on a sheet of A4 in small type. More columns are divided into several tables.
enum { COLUMNS_MAX = 12, COLUMNS_PLAIN_MAX = 9 };

// Writes a text without its quotes and other values as JSON, cut to the length of a cell. summary.json has
// the full value.
static void put_value(FILE *page, const char *value)
{
    enum { SHOWN_BYTES = 120 };
    char shown[SHOWN_BYTES + 4];
    cJSON *item = cJSON_Parse(value);
    const char *text = cJSON_IsString(item) ? item->valuestring : value;
    snprintf(shown, sizeof shown, "%.*s", SHOWN_BYTES, text);
    batch_clean_text(shown);
    if (strlen(text) > SHOWN_BYTES)
        strcat(shown, "…");
    batch_page_text(page, shown);
    cJSON_Delete(item);
}

static void put_figure(FILE *page, double value)
{
    if (isnan(value))
        fputs("<td>&ndash;</td>", page);
    else if (isinf(value))
        fputs("<td>∞</td>", page);
    else
        fprintf(page, "<td>%.6g</td>", value);
}

static size_t count_varied(const struct sweep *sweep)
{
    return sweep->batch->queue->jobs[sweep->group->first].varied_count;
}

static bool has_weights(const struct sweep *sweep)
{
    return batch_weights_given(sweep->batch, sweep->group->first);
}

// Columns before those that all tables have: the varied settings, and the weight.
static size_t count_leading(const struct sweep *sweep)
{
    return count_varied(sweep) + has_weights(sweep);
}

static void put_column_name(FILE *page, const struct sweep *sweep, size_t column)
{
    static const char *const names[COLUMNS_OF_ALL] = {"state", "wall-clock", "check"};
    char label[BATCH_FIGURE_NAME_BYTES];
    const size_t varied = count_varied(sweep), leading = count_leading(sweep);
    fputs("<th>", page);
    if (column < varied)
        html_name(page, varied_at(sweep, 0)[column].key);
    else if (column < leading)
        fputs("weight", page);
    else if (column < leading + COLUMNS_OF_ALL)
        fputs(names[column - leading], page);
    else
        html_name(page, batch_figure_label(sweep->chosen[column - leading - COLUMNS_OF_ALL], label));
    fputs("</th>", page);
}

static void put_cell(FILE *page, const struct sweep *sweep, size_t k, size_t column)
{
    const size_t varied = count_varied(sweep), leading = count_leading(sweep);
    char verdict[BATCH_VERDICT_BYTES];
    if (column < varied)
        put_value(page, varied_at(sweep, k)[column].value);
    else if (column < leading)
        put_figure(page, sweep->batch->queue->jobs[sweep->group->first + k].weight);
    else if (column == leading + COLUMN_STATE)
        batch_page_state(page, sweep->batch, sweep->group->first + k);
    else if (column == leading + COLUMN_DURATION)
        batch_page_duration(page, run_at(sweep, k)->total_s);
    else if (column == leading + COLUMN_CHECK)
        batch_page_text(page, batch_figures_verdict(&sweep->figures[k], verdict));
    else
        put_figure(page,
                   batch_figures_find(&sweep->figures[k], sweep->chosen[column - leading - COLUMNS_OF_ALL]));
}

static void put_statistics_row(FILE *page, const struct sweep *sweep, const char *name, const double *values,
                               size_t first, size_t end)
{
    const size_t before = count_leading(sweep) + COLUMNS_OF_ALL;
    fprintf(page, "<tr><th>%s</th>", name);
    for (size_t column = first; column < end; column++)
        if (column < before)
            fputs("<td></td>", page);
        else
            fprintf(page, "<td>%.6g</td>", values[column - before]);
    fputs("</tr>\n", page);
}

// "mean of 20 runs, 3 of them not judged"
static void name_statistics(const char *name, size_t runs, size_t unjudged, char text[112])
{
    char others[48] = "";
    if (unjudged > 0)
        snprintf(others, sizeof others, ", %zu of them not judged", unjudged);
    snprintf(text, 112, "%s of %zu runs%s", name, runs, others);
}

// Whether a run's figures are part of the statistics: not those of one that failed its check.
static bool is_counted(const struct sweep *sweep, size_t k)
{
    return run_at(sweep, k)->state == BATCH_PASSED && sweep->figures[k].is_known;
}

// Writes the mean and the standard deviation (of a sample, with n − 1) over the runs that ended without a
// failure, and over how many: their figures count, whether a rule of safety could be evaluated or not.
static void put_statistics(FILE *page, const struct sweep *sweep, size_t first, size_t end)
{
    double mean[BATCH_PAGE_FIGURES_MAX] = {0}, deviation[BATCH_PAGE_FIGURES_MAX] = {0};
    size_t runs = 0, unjudged = 0;
    char name[112];
    for (size_t k = 0; k < sweep->count; k++) {
        runs += is_counted(sweep, k);
        unjudged += is_counted(sweep, k) && batch_run_unjudged(sweep->batch, sweep->group->first + k);
    }
    if (!is_sampled(sweep) || end <= count_leading(sweep) + COLUMNS_OF_ALL || runs < 2)
        return;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < sweep->count; k++)
            for (size_t f = 0; f < sweep->chosen_count && is_counted(sweep, k); f++) {
                const double value = batch_figures_find(&sweep->figures[k], sweep->chosen[f]);
                if (pass == 0)
                    mean[f] += value / (double)runs;
                else
                    deviation[f] += (value - mean[f]) * (value - mean[f]) / (double)(runs - 1);
            }
    for (size_t f = 0; f < sweep->chosen_count; f++)
        deviation[f] = sqrt(deviation[f]);
    name_statistics("mean", runs, unjudged, name);
    put_statistics_row(page, sweep, name, mean, first, end);
    name_statistics("standard deviation", runs, unjudged, name);
    put_statistics_row(page, sweep, name, deviation, first, end);
}

static void put_table(FILE *page, const struct sweep *sweep, size_t first, size_t end)
{
    fprintf(page, "<table class=\"runs%s\"><thead><tr><th>run</th>",
            end - first > COLUMNS_PLAIN_MAX ? " compact" : "");
    for (size_t column = first; column < end; column++)
        put_column_name(page, sweep, column);
    fputs("</tr></thead><tbody>\n", page);
    for (size_t k = 0; k < sweep->count; k++) {
        fputs("<tr>", page);
        batch_page_name(page, sweep->batch, sweep->group->first + k);
        for (size_t column = first; column < end; column++)
            put_cell(page, sweep, k, column);
        fputs("</tr>\n", page);
    }
    put_statistics(page, sweep, first, end);
    fputs("</tbody></table>", page);
}

// Divides the columns into as few tables as possible, of about the same width.
static void put_tables(FILE *page, const struct sweep *sweep, size_t all)
{
    const size_t columns = count_leading(sweep) + COLUMNS_OF_ALL + sweep->chosen_count;
    const size_t tables = (columns + COLUMNS_MAX - 1) / COLUMNS_MAX;
    for (size_t table = 0; table < tables; table++) {
        fputs("<div class=\"card scroll\" tabindex=\"0\">", page);
        put_table(page, sweep, table * columns / tables, (table + 1) * columns / tables);
        if (all > sweep->count && table + 1 == tables)
            fprintf(page, "<p class=\"soft\">and %zu more: <a href=\"summary.json\">summary.json</a></p>",
                    all - sweep->count);
        fputs("</div>\n", page);
    }
}

// ---- weights

// Which runs have no results, and what the weights of the others now are.
static void put_weights(FILE *page, const struct batch *batch, const struct batch_group *group)
{
    cJSON *all = batch_weights_make(batch, group->first, group->last);
    const cJSON *left_out = json_member(all, "left_out"), *item;
    if (left_out && left_out->child) {
        fputs("<div class=\"card\">", page);
        cJSON_ArrayForEach(item, left_out)
        {
            html_within(page, "<p class=\"bad\">Left out: ", json_text(item, "name"), "");
            fprintf(page, ", weight %.6g: ", json_member(item, "weight")->valuedouble);
            html_breakable(page, json_text(item, "reason"));
            fputs("</p>\n", page);
        }
        const double sum = json_member(all, "members_sum")->valuedouble;
        fprintf(page,
                "<p class=\"soft\">The weights of the %.0f runs with results have a sum of %.6g; each counts "
                "as its part of it, 1/%.6g times the weight in the table.</p></div>\n",
                json_member(all, "members")->valuedouble, sum, sum);
    }
    cJSON_Delete(all);
}

// ---- percentiles

// Of fewer runs the outer percentiles would be interpolated between two of them: they say less than the least
// and the largest value, with their runs.
enum { OUTER_LEAST = 20 };

static bool is_shown_percentile(int p, double members)
{
    return members >= OUTER_LEAST || (batch_percentiles[p] > 5 && batch_percentiles[p] < 95);
}

// A value, and under it the run that has it.
static void put_extreme(FILE *page, const cJSON *object, const char *name, const char *name_of)
{
    const cJSON *value = json_member(object, name);
    char text[64] = "∞";
    if (cJSON_IsNumber(value))
        snprintf(text, sizeof text, "%.6g", value->valuedouble);
    html_within(page, "<td>", text, "");
    html_small(page, json_text(object, name_of));
    fputs("</td>", page);
}

// One row for each number with percentiles; lists are in summary.json.
static void put_percentile_rows(FILE *page, const cJSON *tree, const char *path, double members)
{
    const cJSON *item;
    char name[160];
    cJSON_ArrayForEach(item, tree)
    {
        const cJSON *least = cJSON_IsObject(item) ? json_member(item, "p5") : NULL;
        snprintf(name, sizeof name, "%s%s%s", path, path[0] ? ": " : "", item->string);
        if (cJSON_IsObject(item) && !least && strcmp(item->string, "thresholds") != 0)
            put_percentile_rows(page, item, strcmp(item->string, "tissues") == 0 ? path : name, members);
        if (!least || cJSON_IsArray(least))
            continue;
        fputs("<tr><td class=\"long\">", page);
        html_breakable(page, name);
        fputs("</td>", page);
        put_extreme(page, item, "min", "min_of");
        const cJSON *value = item->child;
        for (int p = 0; p < BATCH_PERCENTILES && value; p++, value = value->next)
            if (is_shown_percentile(p, members))
                put_figure(page, cJSON_IsNumber(value) ? value->valuedouble : (double)INFINITY);
        put_extreme(page, item, "max", "max_of");
        fputs("</tr>\n", page);
    }
}

// What of the members a reader may not take for runs that passed: ", 1 failed its check, 2 not judged".
static void put_kinds(FILE *page, const cJSON *all)
{
    static const char *const kinds[][2] = {
        {"exceeded", "EXCEEDED"}, {"failed", "failed their check"}, {"not_judged", "not judged"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const double runs = json_member(all, kinds[k][0])->valuedouble;
        if (runs > 0)
            fprintf(page, ", %.0f %s", runs, kinds[k][1]);
    }
}

// Uncertainty: the spread of what the runs have under "distributions" of run.json.
static void put_percentiles(FILE *page, const struct batch *batch, const struct batch_group *group)
{
    cJSON *all = batch_percentiles_make(batch, group->first, group->last);
    const cJSON *left_out = json_member(all, "left_out"), *item;
    if (!all)
        return;
    const double members = json_member(all, "members")->valuedouble;
    fprintf(page,
            "<div class=\"card scroll\" tabindex=\"0\"><table class=\"runs\"><thead><tr><th>spread over %.0f "
            "runs",
            members);
    put_kinds(page, all);
    fputs("</th><th>least</th>", page);
    for (int p = 0; p < BATCH_PERCENTILES; p++)
        if (is_shown_percentile(p, members))
            fprintf(page, "<th>%g %%</th>", batch_percentiles[p]);
    fputs("<th>largest</th></tr></thead><tbody>\n", page);
    put_percentile_rows(page, all, "", members);
    fputs("</tbody></table>", page);
    fprintf(page,
            "<p class=\"soft\">Percentiles are those of these runs, linear between them; they are "
            "probabilities only if the runs are samples.%s</p>",
            members < OUTER_LEAST ? " Of fewer than 20 runs those of 5 and 95 % are left out." : "");
    cJSON_ArrayForEach(item, left_out)
    {
        html_within(page, "<p class=\"bad\">Left out: ", json_text(item, "name"), ": ");
        html_breakable(page, json_text(item, "reason"));
        fputs("</p>\n", page);
    }
    fputs("</div>\n", page);
    cJSON_Delete(all);
}

// ---- curves

// The number in a setting's value, 0.025 or "1 km", and the unit after it. NaN if the value does not begin
// with a number.
static double number_of(const char *value, char unit[32])
{
    char *end;
    const char *text = value + (*value == '"');
    const double number = strtod(text, &end);
    snprintf(unit, 32, "%.*s", (int)strcspn(end, "\""), end);
    return end == text || !isfinite(number) ? (double)NAN : number;
}

// Pairs of the setting and each chosen figure of the runs that passed: [setting, figures …]. 0 if there is
// nothing to draw.
static size_t collect_points(const struct sweep *sweep, double *points, char unit[32])
{
    size_t count = 0;
    char other[32];
    for (size_t k = 0; k < sweep->count; k++) {
        if (run_at(sweep, k)->state != BATCH_PASSED)
            continue;
        double *point = points + count * (1 + BATCH_PAGE_FIGURES_MAX);
        point[0] = number_of(varied_at(sweep, k)[0].value, count == 0 ? unit : other);
        if (isnan(point[0]) || (count > 0 && strcmp(unit, other) != 0))
            return 0;
        for (size_t f = 0; f < sweep->chosen_count; f++)
            point[1 + f] = batch_figures_find(&sweep->figures[k], sweep->chosen[f]);
        count++;
    }
    return count >= POINTS_LEAST ? count : 0;
}

// The chosen figures that can be drawn: a dose that is infinite in all runs has no curve. Returns how many.
static size_t list_panels(const struct sweep *sweep, const double *points, size_t count,
                          size_t panels[BATCH_PAGE_FIGURES_MAX])
{
    size_t all = 0;
    for (size_t f = 0; f < sweep->chosen_count; f++) {
        bool is_finite = false;
        for (size_t k = 0; k < count; k++)
            is_finite = is_finite || isfinite(points[k * (1 + BATCH_PAGE_FIGURES_MAX) + 1 + f]);
        if (is_finite)
            panels[all++] = f;
    }
    return all;
}

// Panel `panel` of `panels`, with the chosen figure `figure`.
static void put_panel(struct plot *plot, const struct sweep *sweep, size_t figure, size_t panel,
                      size_t panels, const char *data, const char *x_label)
{
    char quoted[256], font[64], label[BATCH_FIGURE_NAME_BYTES];
    const size_t columns = panels > 1 ? 2 : 1, row = panel / 2, column = panel % 2;
    const double width = (double)PICTURE_WIDTH / (double)columns;
    const struct plot_box box = {.left = (double)column * width + 100,
                                 .top = (double)row * PANEL_HEIGHT + 50,
                                 .width = width - 130,
                                 .height = PANEL_HEIGHT - 120};
    plot_box(plot, &box);
    fprintf(plot->script,
            "set grid linecolor rgb '#e4e4e4' linewidth 0.6 linetype 1\nset border 3\nset tics font '%s'\n",
            plot_font(plot, 11, false, font));
    fprintf(plot->script, "set xlabel %s font '%s'\n", style_quote(x_label, 60, quoted, sizeof quoted),
            plot_font(plot, 12, false, font));
    fprintf(plot->script, "set title %s font '%s'\n",
            style_quote(batch_figure_label(sweep->chosen[figure], label), 60, quoted, sizeof quoted),
            plot_font(plot, 13, true, font));
    fprintf(plot->script,
            "set format y '%%.6g'\nset offsets graph 0.03, graph 0.03, graph 0.08, graph 0.08\n");
    fprintf(plot->script, "plot '%s' binary format='", data);
    for (size_t k = 0; k <= BATCH_PAGE_FIGURES_MAX; k++)
        fputs("%double", plot->script);
    fprintf(plot->script,
            "' using 1:%zu with %s pointtype 7 pointsize 0.8 linewidth 1.2 linecolor rgb '#1f5f99' notitle\n",
            figure + 2, is_sampled(sweep) ? "points" : "linespoints");
}

static enum status draw(struct plot *plot, const struct sweep *sweep, const size_t *figures, size_t panels,
                        const double *points, size_t count, const char *x_label)
{
    char data[PLOT_FILE_BYTES];
    CHECK(plot_data(plot, points, count * (1 + BATCH_PAGE_FIGURES_MAX) * sizeof *points, data));
    fputs("set multiplot\n", plot->script);
    for (size_t panel = 0; panel < panels; panel++)
        put_panel(plot, sweep, figures[panel], panel, panels, data, x_label);
    return STATUS_OK;
}

static int compare_points(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// OUTPUT/_pictures: no run can have this name.
static enum status draw_curves(FILE *page, const struct sweep *sweep, double *points, size_t count,
                               const char *unit)
{
    char pictures[PATH_BYTES + 16], name[BATCH_NAME_MAX + 8], path[PATH_BYTES + 128], label[256];
    const char *key = varied_at(sweep, 0)[0].key;
    size_t figures[BATCH_PAGE_FIGURES_MAX];
    const size_t panels = list_panels(sweep, points, count, figures);
    const int height = (int)(panels + 1) / 2 * PANEL_HEIGHT;
    struct plot plot;
    if (panels == 0)
        return STATUS_OK;
    snprintf(pictures, sizeof pictures, "%s/_pictures", sweep->batch->queue->directory);
    snprintf(name, sizeof name, "%s.png", sweep->group->name);
    snprintf(path, sizeof path, "%s/%s", pictures, name);
    snprintf(label, sizeof label, "%.180s%s%s%s", key, unit[0] ? " (" : "", unit + (unit[0] == ' '),
             unit[0] ? ")" : "");
    qsort(points, count, (1 + BATCH_PAGE_FIGURES_MAX) * sizeof *points, compare_points);
    CHECK(path_make_directory(pictures));
    enum status status = plot_start(&plot, pictures, name, PICTURE_WIDTH, height, 1);
    if (status == STATUS_OK)
        status = draw(&plot, sweep, figures, panels, points, count, label);
    CHECK(plot_finish(&plot, status));
    fprintf(page, "<figure><a href=\"_pictures/%s\">", name); // letters, digits, . - _
    CHECK(html_png(page, path, PICTURE_WIDTH, height, label));
    html_within(page, "</a><figcaption>The figures of run.json against ", label, "</figcaption></figure>\n");
    return STATUS_OK;
}

// Without gnuplot, or when a picture fails, the page is written without it.
static void put_curves(FILE *page, const struct sweep *sweep)
{
    char unit[32];
    const struct batch_job *job = &sweep->batch->queue->jobs[sweep->group->first];
    if (job->varied_count != 1 || sweep->chosen_count == 0 || status_message()[0])
        return;
    double *points = calloc(sweep->count, (1 + BATCH_PAGE_FIGURES_MAX) * sizeof *points);
    const size_t count = points ? collect_points(sweep, points, unit) : 0;
    if (count > 0 && draw_curves(page, sweep, points, count, unit) != STATUS_OK) {
        log_warning("the page has no curves of %s: %s", sweep->group->name, status_message());
        status_clear();
    }
    free(points);
}

enum status batch_page_sweep(FILE *page, const struct batch *batch, const struct batch_group *group,
                             bool draws)
{
    const size_t all = group->last - group->first;
    struct sweep sweep = {
        .batch = batch, .group = group, .count = all < BATCH_PAGE_ROWS_MAX ? all : BATCH_PAGE_ROWS_MAX};
    sweep.figures = calloc(sweep.count, sizeof *sweep.figures);
    if (!sweep.figures)
        return FAIL(STATUS_SYSTEM, "not enough memory for the page's table of %s", group->name);
    for (size_t k = 0; k < sweep.count; k++)
        batch_figures_read_ended(batch, group->first + k, &sweep.figures[k]);
    choose_figures(&sweep);
    fprintf(page, "<h2>%s</h2>\n", group->name);
    if (draws)
        put_curves(page, &sweep);
    put_tables(page, &sweep, all);
    put_weights(page, batch, group);
    put_percentiles(page, batch, group);
    free(sweep.figures);
    return STATUS_OK;
}
