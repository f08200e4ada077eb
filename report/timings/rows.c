// Rows of a benchmark as panels: times and rates over sizes with the limits of the machine, the authors' and
// where one becomes faster than another; speed-up and efficiency over threads; of one size a list.
#include "report/timings/internal.h"

#include "io/json_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum quantity { TIME, RATE, MEMORY, OPERATIONS, OF_ARITHMETIC, SPEED_UP, EFFICIENCY, QUANTITIES };
static const char *const titles[QUANTITIES] = {[TIME] = "Time of a step",
                                               [RATE] = "Rate",
                                               [MEMORY] = "Memory traffic",
                                               [OPERATIONS] = "Arithmetic",
                                               [OF_ARITHMETIC] = "Part of the arithmetic alone",
                                               [SPEED_UP] = "Speed-up",
                                               [EFFICIENCY] = "Efficiency"};
static const char *const units[QUANTITIES] = {[TIME] = "time of a step (ms)",
                                              [RATE] = NULL,
                                              [MEMORY] = "least traffic (GB/s)",
                                              [OPERATIONS] = "operations (GFLOP/s)",
                                              [OF_ARITHMETIC] = "of the rate of arithmetic alone (%)",
                                              [SPEED_UP] = "times as fast as one thread",
                                              [EFFICIENCY] = "speed-up a thread (%)"};

struct sheet {
    const struct timings_file *file;
    struct chart *chart;
    const char *kind;           // of the rows
    bool by_threads, has_sizes; // what the lines run over; whether their names need the size
    bool has_authors;
    int group;
};

static double value_of(const struct timings_row *row, enum quantity quantity)
{
    const double values[QUANTITIES] = {[TIME] = row->step_ms,
                                       [RATE] = row->rate,
                                       [MEMORY] = row->gb_s,
                                       [OPERATIONS] = row->flop_s / 1e9,
                                       [OF_ARITHMETIC] = 100 * row->of_arithmetic,
                                       [SPEED_UP] = row->speed_up,
                                       [EFFICIENCY] = 100 * row->efficiency};
    return values[quantity];
}

// ---- series

static void name_series(const struct sheet *sheet, const struct timings_row *row, char name[CHART_TEXT_BYTES])
{
    if (sheet->has_sizes)
        snprintf(name, CHART_TEXT_BYTES, "%.100s, %.50s", row->name, row->size_text);
    else
        snprintf(name, CHART_TEXT_BYTES, "%s", row->name);
}

static bool is_of(const struct sheet *sheet, const struct timings_row *row)
{
    return strcmp(row->kind, sheet->kind) == 0 && sheet->by_threads == (row->threads > 0);
}

// A number for each back end and method, in their order; both precisions and all sizes share it.
static int colour_of(const struct timings_file *file, const struct timings_row *row)
{
    int colour = 0;
    for (const struct timings_row *one = file->rows; strcmp(one->base, row->base) != 0; one++) {
        bool is_first = true;
        for (const struct timings_row *before = file->rows; before < one; before++)
            is_first = is_first && strcmp(before->base, one->base) != 0;
        colour += is_first;
    }
    return colour;
}

static struct chart_series *find_series(struct chart_panel *panel, const char *name)
{
    for (size_t s = 0; s < panel->series_count; s++)
        if (strcmp(panel->series[s].name, name) == 0)
            return &panel->series[s];
    return NULL;
}

static int compare_points(const void *first, const void *second)
{
    const struct chart_point *a = first, *b = second;
    return (a->x > b->x) - (a->x < b->x);
}

static void sort_points(struct chart_panel *panel)
{
    for (size_t s = 0; s < panel->series_count; s++)
        if (panel->series[s].count > 1)
            qsort(panel->series[s].points, panel->series[s].count, sizeof *panel->series[s].points,
                  compare_points);
}

static enum status add_series(const struct sheet *sheet, struct chart_panel *panel, enum quantity quantity)
{
    for (size_t k = 0; k < sheet->file->row_count; k++) {
        const struct timings_row *row = &sheet->file->rows[k];
        const struct chart_point point = {.x = sheet->by_threads ? row->threads : row->size,
                                          .y = value_of(row, quantity),
                                          .is_open = row->is_estimate};
        char name[CHART_TEXT_BYTES];
        if (!is_of(sheet, row) || isnan(point.y))
            continue;
        name_series(sheet, row, name);
        struct chart_series *series = find_series(panel, name);
        if (!series) {
            CHECK(chart_add_series(panel, name, &series));
            series->colour = colour_of(sheet->file, row);
            series->style = row->is_double ? CHART_DASHED : CHART_SOLID;
        }
        CHECK(chart_add_point(series, &point));
    }
    sort_points(panel);
    return STATUS_OK;
}

// ---- limits of the machine, and where one becomes faster

static bool has_backend(const struct sheet *sheet, const char *name, enum quantity quantity)
{
    for (size_t k = 0; k < sheet->file->row_count; k++) {
        const struct timings_row *row = &sheet->file->rows[k];
        if (is_of(sheet, row) && strcmp(row->backend, name) == 0 && !isnan(value_of(row, quantity)))
            return true;
    }
    return false;
}

// One memory may have several back ends: each rate stands there once.
static enum status add_copy_rates(const struct sheet *sheet, struct chart_panel *panel)
{
    const cJSON *rates = json_member(sheet->file->json, "copy_gb_s"), *rate;
    cJSON_ArrayForEach(rate, rates)
    {
        char name[CHART_TEXT_BYTES];
        double gb_s;
        bool is_there = false;
        CHECK(timings_number(sheet->file, "copy_gb_s", rates, rate->string, true, &gb_s));
        for (size_t k = 0; k < panel->limit_count; k++)
            is_there = is_there || panel->limits[k].at == gb_s;
        if (is_there || !has_backend(sheet, rate->string, MEMORY))
            continue;
        snprintf(name, sizeof name, "copy rate, %.80s", rate->string);
        CHECK(chart_add_limit(panel, name, gb_s));
    }
    return STATUS_OK;
}

static enum status add_arithmetic_rates(const struct sheet *sheet, struct chart_panel *panel)
{
    const cJSON *limits = timings_any_list(sheet->file->json, "limits"), *limit;
    cJSON_ArrayForEach(limit, limits)
    {
        const char *backend, *precision;
        char name[CHART_TEXT_BYTES];
        double fma_per_s;
        CHECK(timings_text(sheet->file, "limits", limit, "backend", true, &backend));
        CHECK(timings_text(sheet->file, "limits", limit, "precision", true, &precision));
        CHECK(timings_number(sheet->file, "limits", limit, "fma_per_s", true, &fma_per_s));
        if (!has_backend(sheet, backend, OPERATIONS))
            continue;
        snprintf(name, sizeof name, "multiply-adds alone, %.60s, %.20s", backend, precision);
        CHECK(chart_add_limit(panel, name, 2 * fma_per_s / 1e9));
    }
    return STATUS_OK;
}

static enum status add_limits(const struct sheet *sheet, struct chart_panel *panel, enum quantity quantity)
{
    if (quantity == MEMORY)
        return add_copy_rates(sheet, panel);
    if (quantity == OPERATIONS)
        return add_arithmetic_rates(sheet, panel);
    return quantity == OF_ARITHMETIC ? chart_add_limit(panel, "arithmetic alone", 100) : STATUS_OK;
}

// A crossover at 0 is one at every size, and null is one at none: neither is a place.
static enum status add_crossovers(const struct sheet *sheet, struct chart_panel *panel)
{
    const cJSON *list = timings_any_list(sheet->file->json, "crossovers"), *item;
    cJSON_ArrayForEach(item, list)
    {
        const cJSON *from = json_member(item, "from");
        const size_t length = strlen(sheet->kind);
        const char *faster;
        CHECK(timings_text(sheet->file, "crossovers", item, "faster", true, &faster));
        if (cJSON_IsNull(from) || (cJSON_IsNumber(from) && from->valuedouble == 0))
            continue;
        double at;
        CHECK(timings_number(sheet->file, "crossovers", item, "from", true, &at));
        if (length > 0 && (strncmp(faster, sheet->kind, length) != 0 || faster[length] != ','))
            continue;
        CHECK(chart_add_mark(panel, length > 0 ? faster + length + 2 : faster, at));
    }
    return STATUS_OK;
}

// ---- the authors

// Their times and rates are points of their own; the key of the first panel lists all.
static enum status add_authors(const struct sheet *sheet, struct chart_panel *panel, enum quantity quantity)
{
    static const char *const keys[QUANTITIES] = {
        [TIME] = "step_s", [RATE] = "work_per_s", [OPERATIONS] = "flop_s"};
    static const double scales[QUANTITIES] = {[TIME] = 1e3, [RATE] = 1, [OPERATIONS] = 1e-9};
    const cJSON *list = timings_any_list(sheet->file->json, "peers"), *item;
    if (!sheet->has_authors || !keys[quantity])
        return STATUS_OK;
    cJSON_ArrayForEach(item, list)
    {
        const char *rung, *machine;
        char name[CHART_TEXT_BYTES], size[CHART_TEXT_BYTES];
        struct chart_point point = {0};
        CHECK(timings_text(sheet->file, "peers", item, "rung", true, &rung));
        CHECK(timings_text(sheet->file, "peers", item, "machine", true, &machine));
        CHECK(timings_size(sheet->file, "peers", item, "size", &point.x, size));
        CHECK(timings_number(sheet->file, "peers", item, keys[quantity], false, &point.y));
        if (quantity != TIME && isnan(point.y))
            continue;
        snprintf(name, sizeof name, "%.60s, %.60s", rung, machine);
        struct chart_series *series = find_series(panel, name);
        if (!series) {
            CHECK(chart_add_series(panel, name, &series));
            series->style = CHART_ALONE;
            series->colour = (int)panel->series_count + 7; // marks that no line of ours has
        }
        point.y *= scales[quantity];
        if (!isnan(point.y))
            CHECK(chart_add_point(series, &point));
    }
    return STATUS_OK;
}

// ---- panels

static enum status start_panel(const struct sheet *sheet, enum quantity quantity, struct chart_panel **new)
{
    CHECK(chart_add_panel(sheet->chart, CHART_LINES, sheet->group, new));
    struct chart_panel *panel = *new;
    snprintf(panel->title, sizeof panel->title, "%s", titles[quantity]);
    snprintf(panel->aside, sizeof panel->aside, "%s", sheet->kind);
    snprintf(panel->x_name, sizeof panel->x_name, "%s",
             sheet->by_threads ? "threads" : sheet->file->model->counted);
    snprintf(panel->y_name, sizeof panel->y_name, "%s",
             quantity == RATE ? sheet->file->model->rate_name : units[quantity]);
    panel->x_step_least = sheet->by_threads;
    panel->is_x_logarithmic = panel->is_y_logarithmic = quantity != SPEED_UP && quantity != EFFICIENCY;
    return add_series(sheet, panel, quantity);
}

static bool has_values(const struct sheet *sheet, enum quantity quantity)
{
    for (size_t k = 0; k < sheet->file->row_count; k++)
        if (is_of(sheet, &sheet->file->rows[k]) && !isnan(value_of(&sheet->file->rows[k], quantity)))
            return true;
    return false;
}

static enum status add_over_sizes(const struct sheet *sheet)
{
    const enum quantity last = has_values(sheet, OPERATIONS) ? OPERATIONS : OF_ARITHMETIC;
    const enum quantity shown[] = {TIME, RATE, MEMORY, last};
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        struct chart_panel *panel;
        if (!has_values(sheet, shown[k]))
            continue;
        CHECK(start_panel(sheet, shown[k], &panel));
        CHECK(add_authors(sheet, panel, shown[k]));
        CHECK(add_limits(sheet, panel, shown[k]));
        if (shown[k] == TIME)
            CHECK(add_crossovers(sheet, panel));
    }
    return STATUS_OK;
}

// The line of a program whose threads do not hinder each other.
static enum status add_ideal(struct chart_panel *panel, enum quantity quantity)
{
    struct chart_series *ideal;
    double most = 1;
    for (size_t s = 0; s < panel->series_count; s++)
        for (size_t k = 0; k < panel->series[s].count; k++)
            most = fmax(most, panel->series[s].points[k].x);
    CHECK(chart_add_series(panel, "ideal", &ideal));
    ideal->style = CHART_IDEAL;
    CHECK(chart_add_point(ideal, &(struct chart_point){.x = 1, .y = quantity == SPEED_UP ? 1 : 100}));
    return chart_add_point(ideal, &(struct chart_point){.x = most, .y = quantity == SPEED_UP ? most : 100});
}

static enum status add_over_threads(const struct sheet *sheet)
{
    static const enum quantity shown[] = {SPEED_UP, EFFICIENCY, TIME};
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++) {
        struct chart_panel *panel;
        if (!has_values(sheet, shown[k]))
            continue;
        CHECK(start_panel(sheet, shown[k], &panel));
        if (shown[k] != TIME)
            CHECK(add_ideal(panel, shown[k]));
    }
    return STATUS_OK;
}

// Of one size: the methods one below the other.
static enum status add_list(const struct sheet *sheet)
{
    struct chart_panel *panel;
    struct chart_series *series;
    double least = INFINITY, most = 0;
    CHECK(chart_add_panel(sheet->chart, CHART_POINTS, sheet->group, &panel));
    CHECK(chart_add_series(panel, "time of a step", &series));
    snprintf(panel->title, sizeof panel->title, "%s", titles[TIME]);
    snprintf(panel->aside, sizeof panel->aside, "%s", sheet->kind);
    snprintf(panel->x_name, sizeof panel->x_name, "%s", units[TIME]);
    for (size_t k = 0; k < sheet->file->row_count; k++) {
        const struct timings_row *row = &sheet->file->rows[k];
        struct chart_point point = {.x = row->step_ms, .is_open = row->is_estimate};
        char name[CHART_TEXT_BYTES];
        size_t number;
        if (!is_of(sheet, row))
            continue;
        snprintf(name, sizeof name, "%.100s, %.50s", row->name, row->size_text);
        CHECK(chart_name(panel, name, &number));
        point.y = (double)number;
        snprintf(point.text, sizeof point.text, "%s%.4g", row->is_estimate ? "~" : "", row->step_ms);
        CHECK(chart_add_point(series, &point));
        least = fmin(least, row->step_ms);
        most = fmax(most, row->step_ms);
    }
    panel->is_x_logarithmic = most > 10 * least;
    return STATUS_OK;
}

// Whether a series has several sizes, and whether there are several sizes at all.
static void look_at_sizes(const struct sheet *sheet, bool *has_line, bool *has_several)
{
    const struct timings_file *file = sheet->file;
    *has_line = *has_several = false;
    for (size_t k = 0; k < file->row_count; k++)
        for (size_t other = 0; other < k; other++) {
            const struct timings_row *a = &file->rows[k], *b = &file->rows[other];
            if (!is_of(sheet, a) || !is_of(sheet, b) || a->size == b->size)
                continue;
            *has_several = true;
            *has_line = *has_line || strcmp(a->name, b->name) == 0;
        }
}

static enum status add_kind(struct sheet *sheet)
{
    bool has_line, has_several;
    if (!has_values(sheet, TIME))
        return STATUS_OK;
    look_at_sizes(sheet, &has_line, &has_several);
    sheet->has_sizes = sheet->by_threads && has_several;
    CHECK(sheet->by_threads ? add_over_threads(sheet) : has_line ? add_over_sizes(sheet) : add_list(sheet));
    sheet->group++;
    sheet->has_authors = false;
    return STATUS_OK;
}

enum status timings_add_rows(const struct timings_file *file, struct chart *chart, int *group)
{
    struct sheet sheet = {.file = file, .chart = chart, .has_authors = true, .group = *group};
    for (size_t k = 0; k < file->row_count; k++) {
        bool is_first = true;
        for (size_t before = 0; before < k; before++)
            is_first = is_first && strcmp(file->rows[before].kind, file->rows[k].kind) != 0;
        sheet.kind = file->rows[k].kind;
        for (int by_threads = 0; is_first && by_threads < 2; by_threads++) {
            sheet.by_threads = by_threads == 1;
            CHECK(add_kind(&sheet));
        }
    }
    *group = sheet.group;
    return STATUS_OK;
}
