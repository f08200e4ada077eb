// Rows of a benchmark as panels: times and rates over sizes with the limits of the machine and where one
// becomes faster than another; speed-up and efficiency over threads; of one size a list. Many series are
// divided, by methods, among groups of panels with the same axes. The authors' times and rates have panels of
// their own.
#include "report/timings/internal.h"

#include "io/json_file.h"
#include "report/style.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_MOST = 8, NAMES_MOST = 36 };
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
    const char *kind; // of the rows
    bool by_threads;  // what the lines run over: else sizes
    bool has_sizes;   // whether their names need the size
    bool has_one_size;
    int *parts; // of each row: the number of its group of panels, from 0
    int part, part_count;
    int group, scale;
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

// Of the kind, and of what the lines run over.
static bool is_of_kind(const struct sheet *sheet, const struct timings_row *row)
{
    return strcmp(row->kind, sheet->kind) == 0 && sheet->by_threads == (row->threads > 0);
}

static bool is_of(const struct sheet *sheet, const struct timings_row *row)
{
    return is_of_kind(sheet, row) && sheet->parts[row - sheet->file->rows] == sheet->part;
}

// ---- parts

static void name_series(const struct sheet *sheet, const struct timings_row *row, char name[CHART_TEXT_BYTES])
{
    if (sheet->has_sizes) {
        char size[CHART_TEXT_BYTES];
        timings_counted(sheet->file, row->size_text, size);
        snprintf(name, CHART_TEXT_BYTES, "%.150s, %.80s", row->name, size);
    } else
        snprintf(name, CHART_TEXT_BYTES, "%s", row->name);
}

static bool is_one_series(const struct sheet *sheet, const struct timings_row *a, const struct timings_row *b)
{
    return strcmp(a->name, b->name) == 0 && (!sheet->has_sizes || strcmp(a->size_text, b->size_text) == 0);
}

// The part of an earlier row of the same series; −1: it has none.
static int part_of_series(const struct sheet *sheet, const struct timings_row *row)
{
    for (const struct timings_row *before = sheet->file->rows; before < row; before++)
        if (is_of_kind(sheet, before) && is_one_series(sheet, before, row))
            return sheet->parts[before - sheet->file->rows];
    return -1;
}

static int count_series(const struct sheet *sheet, const char *method)
{
    int count = 0;
    for (size_t k = 0; k < sheet->file->row_count; k++) {
        const struct timings_row *row = &sheet->file->rows[k];
        count += is_of_kind(sheet, row) && (!method || strcmp(row->method, method) == 0) &&
                 part_of_series(sheet, row) < 0;
    }
    return count;
}

// Whether `row` is the first of its kind (of the part, if `in_part`) with its method.
static bool begins_method(const struct sheet *sheet, const struct timings_row *row, bool in_part)
{
    if (!(in_part ? is_of(sheet, row) : is_of_kind(sheet, row)))
        return false;
    for (const struct timings_row *before = sheet->file->rows; before < row; before++)
        if ((in_part ? is_of(sheet, before) : is_of_kind(sheet, before)) &&
            strcmp(before->method, row->method) == 0)
            return false;
    return true;
}

// Gives the rows of a method their parts; a series more than `used` may begin a new part.
static void divide_method(struct sheet *sheet, const char *method, int *part, int *used)
{
    for (size_t k = 0; k < sheet->file->row_count; k++) {
        const struct timings_row *row = &sheet->file->rows[k];
        if (!is_of_kind(sheet, row) || strcmp(row->method, method) != 0)
            continue;
        const int known = part_of_series(sheet, row);
        if (known < 0 && *used == SERIES_MOST) {
            ++*part;
            *used = 0;
        }
        sheet->parts[k] = known < 0 ? *part : known;
        *used += known < 0;
    }
}

// Gives each row of the kind its part: whole methods, as long as they have at most SERIES_MOST series
// together.
static void divide(struct sheet *sheet)
{
    const bool is_divided = count_series(sheet, NULL) > SERIES_MOST;
    int part = 0, used = 0;
    memset(sheet->parts, 0, sheet->file->row_count * sizeof *sheet->parts);
    for (size_t k = 0; k < sheet->file->row_count && is_divided; k++) {
        const struct timings_row *row = &sheet->file->rows[k];
        if (!begins_method(sheet, row, false))
            continue;
        if (used > 0 && used + count_series(sheet, row->method) > SERIES_MOST) {
            part++;
            used = 0;
        }
        divide_method(sheet, row->method, &part, &used);
    }
    sheet->part_count = part + 1;
}

// ---- series

// Whether two rows have one colour: both precisions have, and all sizes, unless their names tell them.
static bool is_alike(const struct sheet *sheet, const struct timings_row *a, const struct timings_row *b)
{
    return is_of(sheet, a) && is_of(sheet, b) && strcmp(a->base, b->base) == 0 &&
           (!sheet->has_sizes || strcmp(a->size_text, b->size_text) == 0);
}

// A number for each colour of the part, in the order of the rows.
static int colour_of(const struct sheet *sheet, const struct timings_row *row)
{
    int colour = 0;
    for (const struct timings_row *one = sheet->file->rows; !is_alike(sheet, one, row); one++) {
        bool is_first = is_of(sheet, one);
        for (const struct timings_row *before = sheet->file->rows; before < one; before++)
            is_first = is_first && !is_alike(sheet, before, one);
        colour += is_first;
    }
    return colour;
}

// A colour for each back end and method, a mark for each back end; double precision has dashes.
static enum status find_series(const struct sheet *sheet, struct chart_panel *panel,
                               const struct timings_row *row, struct chart_series **series)
{
    char name[CHART_TEXT_BYTES];
    name_series(sheet, row, name);
    *series = chart_find_series(panel, name);
    if (*series)
        return STATUS_OK;
    CHECK(chart_add_series(panel, name, series));
    (*series)->colour = colour_of(sheet, row);
    (*series)->mark = row->backend_number;
    (*series)->style = row->is_double ? CHART_DASHED : CHART_SOLID;
    return STATUS_OK;
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

static const char estimate_note[] = "hollow: estimate, because one step takes longer than --budget";

static enum status add_series(const struct sheet *sheet, struct chart_panel *panel, enum quantity quantity)
{
    bool has_estimates = false;
    for (size_t k = 0; k < sheet->file->row_count; k++) {
        const struct timings_row *row = &sheet->file->rows[k];
        const struct chart_point point = {.x = sheet->by_threads ? row->threads : row->size,
                                          .y = value_of(row, quantity),
                                          .is_open = row->is_estimate};
        struct chart_series *series;
        if (!is_of(sheet, row) || isnan(point.y))
            continue;
        CHECK(find_series(sheet, panel, row, &series));
        CHECK(chart_add_point(series, &point));
        has_estimates = has_estimates || point.is_open;
    }
    sort_points(panel);
    return has_estimates ? chart_add_note(panel, estimate_note) : STATUS_OK;
}

// ---- limits of the machine, and where one becomes faster

static bool has_backend(const struct sheet *sheet, const char *name, const char *precision,
                        enum quantity quantity)
{
    for (size_t k = 0; k < sheet->file->row_count; k++) {
        const struct timings_row *row = &sheet->file->rows[k];
        if (is_of(sheet, row) && strcmp(row->backend, name) == 0 && !isnan(value_of(row, quantity)) &&
            (!precision || row->is_double == (strcmp(precision, "double") == 0)))
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
        char name[CHART_TEXT_BYTES], number[96];
        double gb_s;
        bool is_there = false;
        CHECK(timings_number(sheet->file, "copy_gb_s", rates, rate->string, true, &gb_s));
        for (size_t k = 0; k < panel->limit_count; k++)
            is_there = is_there || panel->limits[k].at == gb_s;
        if (is_there || !has_backend(sheet, rate->string, NULL, MEMORY))
            continue;
        timings_text_of(gb_s, "", number);
        snprintf(name, sizeof name, "copy rate, %.80s: %s GB/s", rate->string, number);
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
        char name[CHART_TEXT_BYTES], number[96];
        double fma_per_s;
        CHECK(timings_text(sheet->file, "limits", limit, "backend", true, &backend));
        CHECK(timings_text(sheet->file, "limits", limit, "precision", true, &precision));
        CHECK(timings_number(sheet->file, "limits", limit, "fma_per_s", true, &fma_per_s));
        if (!has_backend(sheet, backend, precision, OPERATIONS))
            continue;
        timings_text_of(2 * fma_per_s / 1e9, "", number);
        snprintf(name, sizeof name, "multiply-adds alone, %.60s, %.20s: %s GFLOP/s", backend, precision,
                 number);
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
    return quantity == OF_ARITHMETIC ? chart_add_limit(panel, "arithmetic alone: 100 %", 100) : STATUS_OK;
}

// Whether the text has a word: between its ends, blanks, colons, and commas that a blank follows.
static bool has_word(const char *text, const char *word)
{
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        const char *end = at + strlen(word);
        if ((at == text || at[-1] == ' ') && (strchr(" :", *end) || strncmp(end, ", ", 2) == 0))
            return true;
    }
    return false;
}

// Whether "METHOD, PRECISION: one rather than another" speaks of a method of the part.
static bool has_method(const struct sheet *sheet, const char *faster)
{
    for (size_t k = 0; k < sheet->file->row_count; k++)
        if (is_of(sheet, &sheet->file->rows[k]) && has_word(faster, sheet->file->rows[k].method))
            return true;
    return false;
}

// "vtcs2, float: cuda rather than openmp" becomes "from 9500 nodes on cuda is faster than openmp: vtcs2,
// float".
static void name_crossover(const struct sheet *sheet, const char *faster, double at,
                           char name[CHART_TEXT_BYTES])
{
    static const char rather[] = " rather than ";
    const char *colon = strstr(faster, ": "), *than = colon ? strstr(colon, rather) : NULL;
    const double unit = pow(10, floor(log10(at)) - 1);
    char number[STYLE_TEXT_BYTES], place[CHART_TEXT_BYTES];
    timings_counted(sheet->file, style_decade(round(at / unit) * unit, number), place);
    if (than)
        snprintf(name, CHART_TEXT_BYTES, "from %.80s on %.*s is faster than %.60s: %.*s", place,
                 (int)(than - colon - 2), colon + 2, than + strlen(rather), (int)(colon - faster), faster);
    else
        snprintf(name, CHART_TEXT_BYTES, "faster from %.80s on: %.120s", place, faster);
}

// A crossover at 0 is one at every size, and null is one at none: neither is a place.
static enum status add_crossovers(const struct sheet *sheet, struct chart_panel *panel)
{
    const cJSON *list = timings_any_list(sheet->file->json, "crossovers"), *item;
    const size_t length = strlen(sheet->kind);
    cJSON_ArrayForEach(item, list)
    {
        const cJSON *from = json_member(item, "from");
        const char *faster;
        char name[CHART_TEXT_BYTES];
        CHECK(timings_text(sheet->file, "crossovers", item, "faster", true, &faster));
        if (cJSON_IsNull(from) || (cJSON_IsNumber(from) && from->valuedouble == 0))
            continue;
        double at;
        CHECK(timings_number(sheet->file, "crossovers", item, "from", true, &at));
        if (length > 0 && (strncmp(faster, sheet->kind, length) != 0 || faster[length] != ','))
            continue;
        faster += length > 0 ? length + 2 : 0;
        if (sheet->part_count > 1 && !has_method(sheet, faster))
            continue;
        name_crossover(sheet, faster, at, name);
        CHECK(chart_add_mark(panel, name, at));
    }
    return STATUS_OK;
}

// ---- panels

// The kind, the size if all rows have one, and, where the series are divided, the methods.
static void write_aside(const struct sheet *sheet, struct chart_panel *panel)
{
    const struct timings_row *rows = sheet->file->rows, *any = NULL;
    char size[CHART_TEXT_BYTES];
    snprintf(panel->aside, sizeof panel->aside, "%.80s", sheet->kind);
    for (size_t k = 0; k < sheet->file->row_count && !any; k++)
        any = is_of(sheet, &rows[k]) ? &rows[k] : NULL;
    if (any && sheet->has_one_size) {
        timings_counted(sheet->file, any->size_text, size);
        timings_append(panel->aside, sizeof panel->aside, "; ", size);
    }
    for (size_t k = 0; k < sheet->file->row_count; k++)
        if (sheet->part_count > 1 && begins_method(sheet, &rows[k], true))
            timings_append(panel->aside, sizeof panel->aside, "; ", rows[k].method);
}

static enum status start_panel(const struct sheet *sheet, enum quantity quantity, struct chart_panel **new)
{
    CHECK(chart_add_panel(sheet->chart, CHART_LINES, sheet->group, new));
    struct chart_panel *panel = *new;
    snprintf(panel->title, sizeof panel->title, "%s", titles[quantity]);
    write_aside(sheet, panel);
    snprintf(panel->x_name, sizeof panel->x_name, "%s",
             sheet->by_threads ? "threads" : sheet->file->model->counted);
    snprintf(panel->y_name, sizeof panel->y_name, "%s",
             quantity == RATE ? sheet->file->model->rate_name : units[quantity]);
    panel->has_whole_x = sheet->by_threads || sheet->file->model->is_square;
    panel->is_x_logarithmic = true;
    panel->is_y_logarithmic = quantity != EFFICIENCY;
    panel->scale = sheet->part_count > 1 ? sheet->scale + (int)quantity : 0;
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

static bool has_estimates(const struct sheet *sheet)
{
    for (size_t k = 0; k < sheet->file->row_count; k++)
        if (is_of(sheet, &sheet->file->rows[k]) && sheet->file->rows[k].is_estimate)
            return true;
    return false;
}

static enum status start_list(const struct sheet *sheet, struct chart_panel **panel,
                              struct chart_series **series)
{
    CHECK(chart_add_panel(sheet->chart, CHART_POINTS, sheet->group, panel));
    CHECK(chart_add_series(*panel, "time of a step", series));
    (*series)->style = CHART_ALONE;
    snprintf((*panel)->title, sizeof(*panel)->title, "%s%s", titles[TIME],
             has_estimates(sheet) ? " (hollow and ~: estimate)" : "");
    write_aside(sheet, *panel);
    snprintf((*panel)->x_name, sizeof(*panel)->x_name, "%s", units[TIME]);
    return STATUS_OK;
}

// Of one size: the methods one below the other.
static enum status add_list(const struct sheet *sheet)
{
    struct chart_panel *panel = NULL;
    struct chart_series *series = NULL;
    double least = INFINITY, most = 0;
    for (size_t k = 0; k < sheet->file->row_count; k++) {
        const struct timings_row *row = &sheet->file->rows[k];
        struct chart_point point = {.x = row->step_ms, .is_open = row->is_estimate};
        char name[CHART_TEXT_BYTES];
        size_t number;
        if (!is_of(sheet, row))
            continue;
        if (!panel || panel->name_count == NAMES_MOST)
            CHECK(start_list(sheet, &panel, &series));
        name_series(sheet, row, name);
        CHECK(chart_name(panel, name, &number));
        point.y = (double)number;
        timings_text_of(row->step_ms, row->is_estimate ? "~" : "", point.text);
        CHECK(chart_add_point(series, &point));
        least = fmin(least, row->step_ms);
        most = fmax(most, row->step_ms);
        panel->is_x_logarithmic = most > 10 * least;
    }
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
            if (!is_of_kind(sheet, a) || !is_of_kind(sheet, b) || a->size == b->size)
                continue;
            *has_several = true;
            *has_line = *has_line || strcmp(a->name, b->name) == 0;
        }
}

static enum status add_kind(struct sheet *sheet)
{
    bool has_line, has_several, has_any = false;
    for (size_t k = 0; k < sheet->file->row_count; k++)
        has_any = has_any || is_of_kind(sheet, &sheet->file->rows[k]);
    if (!has_any)
        return STATUS_OK;
    look_at_sizes(sheet, &has_line, &has_several);
    sheet->has_one_size = !has_several;
    sheet->has_sizes = has_several && (sheet->by_threads || !has_line);
    const bool is_list = !sheet->by_threads && !has_line;
    if (is_list)
        memset(sheet->parts, 0, sheet->file->row_count * sizeof *sheet->parts);
    else
        divide(sheet);
    sheet->part_count = is_list ? 1 : sheet->part_count;
    sheet->scale += QUANTITIES;
    for (sheet->part = 0; sheet->part < sheet->part_count; sheet->part++) {
        CHECK(is_list             ? add_list(sheet)
              : sheet->by_threads ? add_over_threads(sheet)
                                  : add_over_sizes(sheet));
        sheet->group++;
    }
    return STATUS_OK;
}

static enum status add_kinds(struct sheet *sheet)
{
    const struct timings_file *file = sheet->file;
    for (size_t k = 0; k < file->row_count; k++) {
        bool is_first = true;
        for (size_t before = 0; before < k; before++)
            is_first = is_first && strcmp(file->rows[before].kind, file->rows[k].kind) != 0;
        sheet->kind = file->rows[k].kind;
        for (int by_threads = 0; is_first && by_threads < 2; by_threads++) {
            sheet->by_threads = by_threads == 1;
            CHECK(add_kind(sheet));
        }
    }
    return STATUS_OK;
}

enum status timings_add_rows(const struct timings_file *file, struct chart *chart, int *group)
{
    struct sheet sheet = {.file = file, .chart = chart, .group = *group};
    sheet.parts = calloc(file->row_count + 1, sizeof *sheet.parts);
    if (!sheet.parts)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for its rows", file->path);
    const enum status status = add_kinds(&sheet);
    free(sheet.parts);
    *group = sheet.group;
    return status;
}
