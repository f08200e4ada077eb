// The authors' figures beside ours: a panel for each of their tables, a line for each of its rows.
#include "report/timings/internal.h"

#include "io/json_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct sheet {
    const struct timings_file *file;
    struct chart_panel *panel;
    double least, most;
};

static void extend(struct sheet *sheet, double value)
{
    if (isnan(value))
        return;
    sheet->least = fmin(sheet->least, value);
    sheet->most = fmax(sheet->most, value);
}

// The size that ours was timed at, if it is not the author's; else "".
static enum status read_own_size(const struct timings_file *file, const char *where, const cJSON *row,
                                 char text[CHART_TEXT_BYTES])
{
    char authors[CHART_TEXT_BYTES];
    double product;
    text[0] = '\0';
    if (!json_member(row, "size") || !json_member(row, "grid"))
        return STATUS_OK;
    CHECK(timings_size(file, where, row, "grid", &product, authors));
    CHECK(timings_size(file, where, row, "size", &product, text));
    if (strcmp(authors, text) == 0)
        text[0] = '\0';
    return STATUS_OK;
}

// What tells a row of the authors' table from the others.
static enum status read_name(const struct timings_file *file, const char *where, const cJSON *row,
                             char name[CHART_TEXT_BYTES])
{
    const char *rung, *machine, *stage;
    char block[CHART_TEXT_BYTES] = "";
    CHECK(timings_text(file, where, row, "rung", true, &rung));
    CHECK(timings_text(file, where, row, "machine", true, &machine));
    CHECK(timings_text(file, where, row, "stage", false, &stage));
    if (json_member(row, "authors_block"))
        CHECK(timings_block(file, where, row, "authors_block", block));
    snprintf(name, CHART_TEXT_BYTES, "%.40s%s%.30s%s%.20s, %.50s", rung, stage[0] ? ", " : "", stage,
             block[0] ? ", " : "", block, machine);
    return STATUS_OK;
}

// Rows that the names do not tell apart (of several shapes or grids) are counted.
static enum status add_name(struct chart_panel *panel, const char *name, size_t *number)
{
    char counted[CHART_TEXT_BYTES];
    const size_t rows = panel->name_count;
    CHECK(chart_name(panel, name, number));
    for (int count = 2; panel->name_count == rows; count++) {
        snprintf(counted, sizeof counted, "%.140s (%d)", name, count);
        CHECK(chart_name(panel, counted, number));
    }
    return STATUS_OK;
}

static enum status add_row(struct sheet *sheet, const char *where, const cJSON *row)
{
    const char *bound;
    char name[CHART_TEXT_BYTES], size[CHART_TEXT_BYTES];
    double value, ours;
    size_t number;
    struct chart_panel *panel = sheet->panel;
    CHECK(read_name(sheet->file, where, row, name));
    CHECK(read_own_size(sheet->file, where, row, size));
    CHECK(timings_text(sheet->file, where, row, "bound", false, &bound));
    CHECK(timings_number(sheet->file, where, row, "value", true, &value));
    CHECK(timings_any_number(sheet->file, where, row, "ours", &ours));
    CHECK(add_name(panel, name, &number));
    const bool is_estimate = cJSON_IsTrue(json_member(row, "is_estimate"));
    struct chart_point authors = {.x = value, .y = (double)number, .is_open = bound[0] != '\0'},
                       here = {.x = ours, .y = (double)number, .is_open = is_estimate};
    snprintf(authors.text, sizeof authors.text, "%.16s%s%.4g", bound, bound[0] ? " " : "", value);
    snprintf(here.text, sizeof here.text, "%s%.4g%s%.40s", is_estimate ? "~" : "", ours,
             size[0] ? " at " : "", size);
    CHECK(chart_add_point(&panel->series[0], &authors));
    if (!isnan(ours))
        CHECK(chart_add_point(&panel->series[1], &here));
    extend(sheet, value);
    extend(sheet, ours);
    return STATUS_OK;
}

static enum status start_panel(struct sheet *sheet, struct chart *chart, const char *where,
                               const cJSON *table, int group)
{
    const char *place, *quantity, *unit, *precision, *authors;
    char name[CHART_TEXT_BYTES], size[CHART_TEXT_BYTES] = "";
    double year, product;
    const cJSON *first = cJSON_GetArrayItem(json_member(table, "rows"), 0);
    const cJSON *source = json_member(sheet->file->json, "source");
    CHECK(timings_text(sheet->file, where, table, "place", true, &place));
    CHECK(timings_text(sheet->file, where, table, "quantity", true, &quantity));
    CHECK(timings_text(sheet->file, where, table, "unit", true, &unit));
    CHECK(timings_text(sheet->file, where, table, "precision", false, &precision));
    if (json_member(first, "grid"))
        CHECK(timings_size(sheet->file, where, first, "grid", &product, size));
    CHECK(timings_text(sheet->file, "source", source, "authors", true, &authors));
    CHECK(timings_number(sheet->file, "source", source, "year", true, &year));
    CHECK(chart_add_panel(chart, CHART_POINTS, group, &sheet->panel));
    const bool has_unit = strcmp(unit, "1") != 0;
    snprintf(sheet->panel->title, CHART_TEXT_BYTES, "%s", place);
    snprintf(sheet->panel->aside, CHART_TEXT_BYTES, "%.60s%s%.60s", size, size[0] && precision[0] ? ", " : "",
             precision);
    snprintf(sheet->panel->x_name, CHART_TEXT_BYTES, "%.120s%s%.20s%s", quantity, has_unit ? " (" : "",
             has_unit ? unit : "", has_unit ? ")" : "");
    struct chart_series *series;
    snprintf(name, sizeof name, "%.100s, %.0f", authors, year);
    CHECK(chart_add_series(sheet->panel, name, &series));
    series->style = CHART_ALONE;
    series->colour = 1;
    CHECK(chart_add_series(sheet->panel, "here", &series));
    series->style = CHART_ALONE;
    return STATUS_OK;
}

static enum status add_table(const struct timings_file *file, struct chart *chart, int number,
                             const cJSON *table, int group)
{
    struct sheet sheet = {.file = file, .least = INFINITY};
    const cJSON *rows, *row;
    char where[64];
    int count = 0;
    snprintf(where, sizeof where, "tables[%d]", number);
    CHECK(timings_list(file, where, table, "rows", &rows));
    CHECK(start_panel(&sheet, chart, where, table, group));
    cJSON_ArrayForEach(row, rows)
    {
        snprintf(where, sizeof where, "tables[%d].rows[%d]", number, count++);
        CHECK(add_row(&sheet, where, row));
    }
    sheet.panel->is_x_logarithmic = sheet.least > 0 && sheet.most > 10 * sheet.least;
    return STATUS_OK;
}

enum status timings_add_source(const struct timings_file *file, struct chart *chart, int *group)
{
    const cJSON *tables, *table;
    int number = 0;
    if (!json_member(file->json, "tables"))
        return STATUS_OK;
    CHECK(timings_list(file, "", file->json, "tables", &tables));
    cJSON_ArrayForEach(table, tables)
    {
        CHECK(add_table(file, chart, number++, table, *group));
    }
    ++*group;
    return STATUS_OK;
}
