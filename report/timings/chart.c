// See chart.h: the lists.
#include "report/timings/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Makes room for one more, zeroed.
static enum status grow(void **list, size_t *count, size_t bytes)
{
    char *grown = realloc(*list, (*count + 1) * bytes);
    if (!grown)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for a picture");
    memset(grown + *count * bytes, 0, bytes);
    *list = grown;
    ++*count;
    return STATUS_OK;
}

enum status chart_add_panel(struct chart *chart, enum chart_kind kind, int group, struct chart_panel **new)
{
    CHECK(grow((void **)&chart->panels, &chart->panel_count, sizeof *chart->panels));
    *new = &chart->panels[chart->panel_count - 1];
    (*new)->kind = kind;
    (*new)->group = group;
    return STATUS_OK;
}

enum status chart_add_series(struct chart_panel *panel, const char *name, struct chart_series **new)
{
    CHECK(grow((void **)&panel->series, &panel->series_count, sizeof *panel->series));
    *new = &panel->series[panel->series_count - 1];
    snprintf((*new)->name, sizeof(*new)->name, "%s", name);
    return STATUS_OK;
}

enum status chart_add_point(struct chart_series *series, const struct chart_point *point)
{
    CHECK(grow((void **)&series->points, &series->count, sizeof *series->points));
    series->points[series->count - 1] = *point;
    return STATUS_OK;
}

static enum status add_line(struct chart_line **lines, size_t *count, const char *name, double at)
{
    CHECK(grow((void **)lines, count, sizeof **lines));
    struct chart_line *line = &(*lines)[*count - 1];
    snprintf(line->name, sizeof line->name, "%s", name);
    line->at = at;
    return STATUS_OK;
}

enum status chart_add_limit(struct chart_panel *panel, const char *name, double at)
{
    return add_line(&panel->limits, &panel->limit_count, name, at);
}

enum status chart_add_mark(struct chart_panel *panel, const char *name, double at)
{
    return add_line(&panel->marks, &panel->mark_count, name, at);
}

enum status chart_add_note(struct chart_panel *panel, const char *text)
{
    struct chart_series *series;
    CHECK(chart_add_series(panel, text, &series));
    series->style = CHART_NOTE;
    return STATUS_OK;
}

struct chart_series *chart_find_series(const struct chart_panel *panel, const char *name)
{
    for (size_t s = 0; s < panel->series_count; s++)
        if (strcmp(panel->series[s].name, name) == 0)
            return &panel->series[s];
    return NULL;
}

static enum status find_or_add(char (**names)[CHART_TEXT_BYTES], size_t *count, const char *name,
                               size_t *number)
{
    for (*number = 0; *number < *count; ++*number)
        if (strcmp((*names)[*number], name) == 0)
            return STATUS_OK;
    CHECK(grow((void **)names, count, sizeof **names));
    snprintf((*names)[*number], sizeof **names, "%s", name);
    return STATUS_OK;
}

enum status chart_name(struct chart_panel *panel, const char *name, size_t *number)
{
    return find_or_add(&panel->names, &panel->name_count, name, number);
}

enum status chart_column(struct chart_panel *panel, const char *name, size_t *number)
{
    return find_or_add(&panel->columns, &panel->column_count, name, number);
}

static void free_panel(struct chart_panel *panel)
{
    for (size_t s = 0; s < panel->series_count; s++)
        free(panel->series[s].points);
    free(panel->series);
    free(panel->limits);
    free(panel->marks);
    free(panel->names);
    free(panel->columns);
}

void chart_remove_panel(struct chart *chart, size_t number)
{
    struct chart_panel *panel = &chart->panels[number];
    free_panel(panel);
    chart->panel_count--;
    memmove(panel, panel + 1, (chart->panel_count - number) * sizeof *panel);
}

void chart_free(struct chart *chart)
{
    for (size_t p = 0; p < chart->panel_count; p++)
        free_panel(&chart->panels[p]);
    free(chart->panels);
    *chart = (struct chart){0};
}
