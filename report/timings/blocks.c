// Rungs by the shape of their blocks: bars, or cells where there are several sizes; and the rungs of the
// Ising model over sizes, which its benchmark reports in a form of their own ("ladder").
#include "report/timings/internal.h"

#include "io/json_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A rung timed with one shape of blocks on one size.
struct shape_time {
    char name[CHART_TEXT_BYTES]; // of the rung, and of the case where there are several
    char shape[32], size[64];
    double ms;                  // NaN: not timed
    double side, beta, threads; // of the Ising model; threads of a block, 0: it has none
    const char *rung;
};

struct shape_list {
    const struct timings_file *file;
    size_t count;
    struct shape_time *times;
};

// ---- reading

static enum status read_block(const struct timings_file *file, const char *where, const cJSON *item,
                              struct shape_time *time)
{
    const char *precision;
    char text[CHART_TEXT_BYTES];
    double step_s, product, threads;
    bool is_device;
    CHECK(timings_text(file, where, item, "rung", true, &time->rung));
    CHECK(timings_text(file, where, item, "precision", false, &precision));
    CHECK(timings_size(file, where, item, "size", &product, text));
    snprintf(time->size, sizeof time->size, "%.60s", text);
    CHECK(timings_size(file, where, item, "block", &time->threads, text));
    CHECK(timings_block(file, where, item, "block", text));
    snprintf(time->shape, sizeof time->shape, "%.30s", text);
    CHECK(timings_number(file, where, item, "step_s", false, &step_s));
    CHECK(timings_number(file, where, item, "threads", false, &threads));
    CHECK(timings_flag(file, where, item, "is_device", &is_device));
    time->ms = 1e3 * step_s;
    snprintf(time->name, sizeof time->name, "%.80s%s%.40s", time->rung, precision[0] ? ", " : "", precision);
    return STATUS_OK;
}

static enum status read_ising_rung(const struct timings_file *file, const char *where, const cJSON *item,
                                   struct shape_time *time)
{
    double x, y;
    CHECK(timings_text(file, where, item, "rung", true, &time->rung));
    CHECK(timings_number(file, where, item, "side", true, &time->side));
    CHECK(timings_number(file, where, item, "beta", true, &time->beta));
    CHECK(timings_number(file, where, item, "block_x", false, &x));
    CHECK(timings_number(file, where, item, "block_y", false, &y));
    CHECK(timings_number(file, where, item, "sweep_ms", false, &time->ms));
    time->threads = isnan(x) ? 0 : x * y;
    snprintf(time->size, sizeof time->size, "%.0f", time->side);
    snprintf(time->shape, sizeof time->shape, "%.0f × %.0f", x, y);
    snprintf(time->name, sizeof time->name, "%.80s, β = %.3f", time->rung, time->beta);
    return STATUS_OK;
}

typedef enum status read_item(const struct timings_file *file, const char *where, const cJSON *item,
                              struct shape_time *time);

static enum status read_times(const struct timings_file *file, const char *label, const cJSON *list,
                              read_item *read, struct shape_list *times)
{
    const cJSON *item;
    times->file = file;
    times->times = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *times->times);
    if (!times->times)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
    cJSON_ArrayForEach(item, list)
    {
        char where[64];
        snprintf(where, sizeof where, "%s[%zu]", label, times->count);
        CHECK(read(file, where, item, &times->times[times->count++]));
    }
    return STATUS_OK;
}

// ---- panels of shapes

static double fastest(const struct shape_list *list, const struct shape_time *like)
{
    double least = INFINITY;
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->times[k].name, like->name) == 0 && strcmp(list->times[k].size, like->size) == 0)
            least = fmin(least, list->times[k].ms);
    return least;
}

static double fastest_of(const struct shape_list *list, const char *name)
{
    double least = INFINITY;
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->times[k].name, name) == 0)
            least = fmin(least, list->times[k].ms);
    return least;
}

static bool is_first_of_its_name(const struct shape_list *list, size_t k)
{
    for (size_t before = 0; before < k; before++)
        if (strcmp(list->times[before].name, list->times[k].name) == 0)
            return false;
    return true;
}

// Whether the rung was timed with several shapes on one size, and on several sizes.
static void look_at(const struct shape_list *list, const char *name, bool *has_shapes, bool *has_sizes)
{
    *has_shapes = *has_sizes = false;
    for (size_t k = 0; k < list->count; k++)
        for (size_t other = 0; other < k; other++) {
            const struct shape_time *a = &list->times[k], *b = &list->times[other];
            if (strcmp(a->name, name) != 0 || strcmp(b->name, name) != 0 || isnan(a->ms) || isnan(b->ms))
                continue;
            const bool is_one_size = strcmp(a->size, b->size) == 0;
            *has_sizes = *has_sizes || !is_one_size;
            *has_shapes = *has_shapes || (is_one_size && strcmp(a->shape, b->shape) != 0);
        }
}

static enum status add_bars(struct chart *chart, const struct shape_list *list, const char *name, int group)
{
    struct chart_panel *panel;
    struct chart_series *series;
    CHECK(chart_add_panel(chart, CHART_BARS, group, &panel));
    CHECK(chart_add_series(panel, name, &series));
    snprintf(panel->title, sizeof panel->title, "%.100s: time of a step by the shape of blocks", name);
    snprintf(panel->x_name, sizeof panel->x_name, "time of a step (ms)");
    for (size_t k = 0; k < list->count; k++) {
        const struct shape_time *time = &list->times[k];
        struct chart_point point = {.x = time->ms};
        size_t number;
        if (strcmp(time->name, name) != 0 || isnan(time->ms))
            continue;
        CHECK(chart_name(panel, time->shape, &number));
        point.y = (double)number;
        timings_text_of(time->ms, "", point.text);
        if (time->ms == fastest(list, time))
            strcat(point.text, ", fastest");
        timings_counted(list->file, time->size, panel->aside);
        CHECK(chart_add_point(series, &point));
    }
    return STATUS_OK;
}

static enum status add_cells(struct chart *chart, const struct shape_list *list, const char *name, int group)
{
    struct chart_panel *panel;
    struct chart_series *series;
    CHECK(chart_add_panel(chart, CHART_CELLS, group, &panel));
    CHECK(chart_add_series(panel, name, &series));
    snprintf(panel->title, sizeof panel->title, "%s", name);
    snprintf(panel->aside, sizeof panel->aside,
             "time of a %s (ms) by the shape of blocks and the size; white: the fastest of the size",
             list->times[0].beta > 0 ? "sweep" : "step");
    snprintf(panel->x_name, sizeof panel->x_name, "%s",
             list->file->model->is_square ? list->file->model->counted : "size");
    for (size_t k = 0; k < list->count; k++) {
        const struct shape_time *time = &list->times[k];
        size_t row, column;
        if (strcmp(time->name, name) != 0 || isnan(time->ms) || time->threads == 0)
            continue;
        CHECK(chart_name(panel, time->shape, &row));
        CHECK(chart_column(panel, time->size, &column));
        struct chart_point point = {
            .x = (double)column, .y = (double)row, .value = time->ms / fastest(list, time)};
        snprintf(point.text, sizeof point.text, "%.3g", time->ms);
        CHECK(chart_add_point(series, &point));
    }
    return STATUS_OK;
}

// `shows_one`: rungs that were timed with one shape alone, too.
static enum status add_shapes(struct chart *chart, const struct shape_list *list, bool shows_one, int *group)
{
    for (size_t k = 0; k < list->count; k++) {
        const char *name = list->times[k].name;
        bool has_shapes, has_sizes;
        if (!is_first_of_its_name(list, k))
            continue;
        look_at(list, name, &has_shapes, &has_sizes);
        has_shapes = has_shapes || (shows_one && isfinite(fastest_of(list, name)));
        if (has_shapes && has_sizes)
            CHECK(add_cells(chart, list, name, *group));
        else if (has_shapes)
            CHECK(add_bars(chart, list, name, *group));
    }
    ++*group;
    return STATUS_OK;
}

enum status timings_add_blocks(const struct timings_file *file, struct chart *chart, int *group)
{
    struct shape_list times = {0};
    const cJSON *list;
    if (!json_member(file->json, "blocks"))
        return STATUS_OK;
    CHECK(timings_list(file, "", file->json, "blocks", &list));
    enum status status = read_times(file, "blocks", list, read_block, &times);
    if (status == STATUS_OK)
        status = add_shapes(chart, &times, true, group);
    free(times.times);
    return status;
}

// ---- rungs of the Ising model over sizes

// Of a rung at one temperature and size: the time with the largest block. Others are of --table blocks.
static bool has_largest_block(const struct shape_list *list, const struct shape_time *time)
{
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->times[k].name, time->name) == 0 && list->times[k].side == time->side &&
            list->times[k].threads > time->threads)
            return false;
    return !isnan(time->ms);
}

static enum status add_ising_mark(const struct timings_file *file, struct chart_panel *panel, double beta)
{
    const cJSON *list = timings_any_list(json_member(file->json, "ladder"), "crossovers"), *item;
    cJSON_ArrayForEach(item, list)
    {
        const cJSON *from = json_member(item, "from_side");
        char name[CHART_TEXT_BYTES];
        if (json_number(item, "beta") != beta || !cJSON_IsNumber(from) || !(from->valuedouble > 0))
            continue;
        snprintf(name, sizeof name, "the device is faster from L = %.3g on, β = %.3f", from->valuedouble,
                 beta);
        CHECK(chart_add_mark(panel, name, from->valuedouble));
    }
    return STATUS_OK;
}

static enum status add_temperature(const struct timings_file *file, const struct shape_list *list,
                                   double beta, struct chart *chart, int group)
{
    struct chart_panel *panel;
    CHECK(chart_add_panel(chart, CHART_LINES, group, &panel));
    snprintf(panel->title, sizeof panel->title, "Time of a sweep");
    snprintf(panel->aside, sizeof panel->aside, "β = %.3f", beta);
    snprintf(panel->x_name, sizeof panel->x_name, "%s", file->model->counted);
    panel->has_whole_x = true;
    snprintf(panel->y_name, sizeof panel->y_name, "time of a sweep (ms)");
    panel->is_x_logarithmic = panel->is_y_logarithmic = true;
    for (size_t k = 0; k < list->count; k++) {
        const struct shape_time *time = &list->times[k];
        struct chart_series *series = NULL;
        if (time->beta != beta || !has_largest_block(list, time))
            continue;
        for (size_t s = 0; s < panel->series_count; s++)
            if (strcmp(panel->series[s].name, time->rung) == 0)
                series = &panel->series[s];
        if (!series) {
            CHECK(chart_add_series(panel, time->rung, &series));
            series->colour = series->mark = (int)panel->series_count - 1;
        }
        CHECK(chart_add_point(series, &(struct chart_point){.x = time->side, .y = time->ms}));
    }
    return add_ising_mark(file, panel, beta);
}

static enum status add_temperatures(const struct timings_file *file, const struct shape_list *list,
                                    struct chart *chart, int *group)
{
    bool has_any = false;
    for (size_t k = 0; k < list->count; k++) {
        bool is_first = !isnan(list->times[k].ms);
        for (size_t before = 0; before < k; before++)
            is_first = is_first &&
                       (list->times[before].beta != list->times[k].beta || isnan(list->times[before].ms));
        if (is_first)
            CHECK(add_temperature(file, list, list->times[k].beta, chart, *group));
        has_any = has_any || is_first;
    }
    *group += has_any;
    return STATUS_OK;
}

enum status timings_add_ising_rungs(const struct timings_file *file, struct chart *chart, int *group)
{
    struct shape_list times = {0};
    const cJSON *ladder = json_member(file->json, "ladder"), *list = json_member(ladder, "rows");
    if (!ladder || (cJSON_IsArray(list) && cJSON_GetArraySize(list) == 0))
        return STATUS_OK;
    CHECK(timings_list(file, "ladder", ladder, "rows", &list));
    enum status status = read_times(file, "ladder.rows", list, read_ising_rung, &times);
    if (status == STATUS_OK)
        status = add_temperatures(file, &times, chart, group);
    if (status == STATUS_OK)
        status = add_shapes(chart, &times, false, group);
    free(times.times);
    return status;
}
