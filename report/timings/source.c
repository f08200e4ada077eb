// The authors' figures beside ours: a panel for each of their tables, a line for each of its rows.
#include "report/timings/internal.h"

#include "io/json_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What may differ from row to row of ours: shown once over the panel, if all rows agree, else beside each
// mark.
enum trait { SIZE, PRECISION, THREADS, TRAITS };
struct traits {
    char text[TRAITS][CHART_TEXT_BYTES];
};

struct sheet {
    const struct timings_file *file;
    struct chart_panel *panel;
    struct traits all; // of every row of ours
    bool agrees[TRAITS];
    bool has_grids; // the author's rows are of several sizes, which stand in the names
    bool is_ratio;  // of two times, as the source states it
    double least, most;
};

static void extend(struct sheet *sheet, double value)
{
    if (isnan(value))
        return;
    sheet->least = fmin(sheet->least, value);
    sheet->most = fmax(sheet->most, value);
}

// ---- what was timed here

static enum status read_traits(const struct timings_file *file, const char *where, const cJSON *row,
                               struct traits *traits)
{
    const char *precision;
    double product, threads;
    bool is_device, has_rung;
    *traits = (struct traits){0};
    if (json_member(row, "size"))
        CHECK(timings_size(file, where, row, "size", &product, traits->text[SIZE]));
    CHECK(timings_text(file, where, row, "precision", false, &precision));
    CHECK(timings_flag(file, where, row, "has_rung", &has_rung));
    CHECK(timings_flag(file, where, row, "is_device", &is_device));
    CHECK(timings_number(file, where, row, "threads", false, &threads));
    snprintf(traits->text[PRECISION], CHART_TEXT_BYTES, "%.40s", precision);
    if (is_device)
        snprintf(traits->text[THREADS], CHART_TEXT_BYTES, "a device");
    else if (threads > 0)
        snprintf(traits->text[THREADS], CHART_TEXT_BYTES, "%.0f thread%s", threads, threads > 1 ? "s" : "");
    return STATUS_OK;
}

// Finds the traits in which all rows of ours agree, and whether the author's sizes differ.
static enum status compare_rows(struct sheet *sheet, int table, const cJSON *rows)
{
    const cJSON *row, *grid = json_member(cJSON_GetArrayItem(rows, 0), "grid");
    int number = 0;
    bool is_first = true;
    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *its = json_member(row, "grid");
        struct traits traits;
        char where[64];
        sheet->has_grids = sheet->has_grids || (grid && its && !cJSON_Compare(grid, its, true));
        snprintf(where, sizeof where, "tables[%d].rows[%d]", table, number++);
        CHECK(read_traits(sheet->file, where, row, &traits));
        if (!cJSON_IsNumber(json_member(row, "ours")))
            continue;
        for (int k = 0; k < TRAITS; k++)
            sheet->agrees[k] =
                is_first || (sheet->agrees[k] && strcmp(traits.text[k], sheet->all.text[k]) == 0);
        if (is_first)
            sheet->all = traits;
        is_first = false;
    }
    return STATUS_OK;
}

// ---- rows

// What tells a row of the authors' table from the others.
static enum status read_name(const struct sheet *sheet, const char *where, const cJSON *row,
                             char name[CHART_TEXT_BYTES])
{
    const struct timings_file *file = sheet->file;
    const char *rung, *machine, *stage, *ours;
    char block[CHART_TEXT_BYTES] = "", size[CHART_TEXT_BYTES];
    double product;
    CHECK(timings_text(file, where, row, "rung", true, &rung));
    CHECK(timings_text(file, where, row, "machine", true, &machine));
    CHECK(timings_text(file, where, row, "stage", false, &stage));
    CHECK(timings_text(file, where, row, "ours_is", false, &ours));
    if (json_member(row, "authors_block"))
        CHECK(timings_block(file, where, row, "authors_block", block));
    snprintf(name, CHART_TEXT_BYTES, "%.60s%s%.40s%s%.30s, %.80s", rung, stage[0] ? ", " : "", stage,
             block[0] ? ", " : "", block, machine);
    if (sheet->has_grids && json_member(row, "grid")) {
        CHECK(timings_size(file, where, row, "grid", &product, size));
        timings_append(name, CHART_TEXT_BYTES, ", ", size);
    }
    if (cJSON_IsNumber(json_member(row, "ours")))
        timings_append(name, CHART_TEXT_BYTES, "; here ", ours);
    return STATUS_OK;
}

// Rows that the names do not tell apart (of several shapes or grids) are counted.
static enum status add_name(struct chart_panel *panel, const char *name, size_t *number)
{
    char counted[CHART_TEXT_BYTES];
    const size_t rows = panel->name_count;
    CHECK(chart_name(panel, name, number));
    for (int count = 2; panel->name_count == rows; count++) {
        snprintf(counted, sizeof counted, "%.230s (%d)", name, count);
        CHECK(chart_name(panel, counted, number));
    }
    return STATUS_OK;
}

// "80 to" 89 is an interval; "at most" 2 is a bound.
static void read_bound(const char *bound, struct chart_point *point)
{
    char *end;
    const double from = strtod(bound, &end);
    point->is_open = bound[0] != '\0';
    point->has_from = end != bound && strcmp(end, " to") == 0 && isfinite(from) && from > 0;
    if (point->has_from)
        point->from = from;
}

static enum status add_ours(struct sheet *sheet, const char *where, const cJSON *row, size_t number)
{
    struct traits traits;
    struct chart_point point = {.y = (double)number};
    double ratio;
    CHECK(timings_any_number(sheet->file, where, row, "ours", &point.x));
    CHECK(timings_any_number(sheet->file, where, row, "ratio", &ratio));
    CHECK(timings_flag(sheet->file, where, row, "is_estimate", &point.is_open));
    CHECK(read_traits(sheet->file, where, row, &traits));
    if (isnan(point.x))
        return STATUS_OK;
    timings_text_of(point.x, point.is_open ? "~" : "", point.text);
    if (!isnan(ratio) && !sheet->is_ratio) {
        char times[40];
        // Three digits, and no exponent.
        const double digit = ratio >= 1000 ? pow(10, floor(log10(ratio)) - 2) : 0;
        snprintf(times, sizeof times, digit > 0 ? " (%.0f ×)" : " (%.3g ×)",
                 digit > 0 ? round(ratio / digit) * digit : ratio);
        timings_append(point.text, sizeof point.text, "", times);
    }
    for (int k = 0; k < TRAITS; k++)
        if (!sheet->agrees[k])
            timings_append(point.text, sizeof point.text, k == SIZE ? " at " : ", ", traits.text[k]);
    extend(sheet, point.x);
    return chart_add_point(&sheet->panel->series[1], &point);
}

static enum status add_row(struct sheet *sheet, const char *where, const cJSON *row)
{
    const char *bound;
    char name[CHART_TEXT_BYTES], before[48] = "";
    size_t number;
    struct chart_point point = {0};
    CHECK(read_name(sheet, where, row, name));
    CHECK(timings_text(sheet->file, where, row, "bound", false, &bound));
    CHECK(timings_number(sheet->file, where, row, "value", true, &point.x));
    CHECK(add_name(sheet->panel, name, &number));
    point.y = (double)number;
    read_bound(bound, &point);
    if (bound[0] != '\0')
        snprintf(before, sizeof before, "%.38s ", bound);
    timings_text_of(point.x, before, point.text);
    extend(sheet, point.x);
    extend(sheet, point.has_from ? point.from : NAN);
    CHECK(chart_add_point(&sheet->panel->series[0], &point));
    return add_ours(sheet, where, row, number);
}

// ---- panels

// Size and precision of the author and ours, as far as they agree; then those of each; then the threads.
static void write_setup(const struct sheet *sheet, const char *size, const char *precision)
{
    char *aside = sheet->panel->aside;
    const size_t bytes = sizeof sheet->panel->aside;
    const char *const authors[TRAITS] = {size[0]            ? size
                                         : sheet->has_grids ? "several sizes"
                                                            : "size not stated",
                                         precision, ""};
    for (int whose = 0; whose < 3; whose++) { // both, the author, here
        static const char *const heads[] = {"; author and here: ", "; author: ", "; here: "};
        const char *joint = heads[whose];
        for (int k = 0; k < TRAITS; k++) {
            const char *here = sheet->agrees[k] ? sheet->all.text[k] : "";
            const bool is_one = here[0] != '\0' && strcmp(here, authors[k]) == 0;
            const char *text = is_one != (whose == 0) ? "" : whose == 2 ? here : authors[k];
            timings_append(aside, bytes, joint, text);
            joint = text[0] != '\0' ? ", " : joint;
        }
    }
}

// The quantity with its size and, if it is a ratio of two times, what it is compared with.
static enum status write_titles(struct sheet *sheet, const char *where, const cJSON *table)
{
    const char *place, *quantity, *unit, *precision, *of;
    char size[CHART_TEXT_BYTES] = "", counted[CHART_TEXT_BYTES] = "";
    double product;
    struct chart_panel *panel = sheet->panel;
    const cJSON *first = cJSON_GetArrayItem(json_member(table, "rows"), 0);
    CHECK(timings_text(sheet->file, where, table, "place", true, &place));
    CHECK(timings_text(sheet->file, where, table, "quantity", true, &quantity));
    CHECK(timings_text(sheet->file, where, table, "unit", true, &unit));
    CHECK(timings_text(sheet->file, where, table, "precision", false, &precision));
    CHECK(timings_text(sheet->file, where, table, "of", false, &of));
    if (json_member(first, "grid") && !sheet->has_grids)
        CHECK(timings_size(sheet->file, where, first, "grid", &product, size));
    if (size[0] != '\0')
        timings_counted(sheet->file, size, counted);
    const bool has_unit = strcmp(unit, "1") != 0;
    sheet->is_ratio = of[0] != '\0' && !has_unit;
    snprintf(panel->title, sizeof panel->title, "%.120s%s%.60s", quantity, size[0] ? ", " : "", counted);
    panel->title[0] = (char)toupper((unsigned char)panel->title[0]);
    snprintf(panel->x_name, sizeof panel->x_name, "%.120s%s%.20s%s", quantity, has_unit ? " (" : "",
             has_unit ? unit : "", has_unit ? ")" : "");
    if (sheet->is_ratio)
        snprintf(panel->aside, sizeof panel->aside, "the source states a speed-up over %.60s; ", of);
    timings_append(panel->aside, sizeof panel->aside, "", place);
    write_setup(sheet, size, precision);
    return STATUS_OK;
}

static enum status add_key(const struct timings_file *file, struct chart_panel *panel)
{
    struct chart_series *series;
    char name[CHART_TEXT_BYTES];
    const char *authors;
    double year;
    const cJSON *source = json_member(file->json, "source");
    CHECK(timings_text(file, "source", source, "authors", true, &authors));
    CHECK(timings_number(file, "source", source, "year", true, &year));
    snprintf(name, sizeof name, "author: %.150s, %.0f (hollow: a bound or about)", authors, year);
    CHECK(chart_add_series(panel, name, &series));
    series->style = CHART_ALONE;
    series->colour = 1;
    CHECK(chart_add_series(panel, "here (×: so many times better than the author's; hollow and ~: estimate)",
                           &series));
    series->style = CHART_ALONE;
    return STATUS_OK;
}

static enum status add_table(const struct timings_file *file, struct chart *chart, int number,
                             const cJSON *table, int group)
{
    struct sheet sheet = {.file = file, .least = INFINITY, .agrees = {true, true, true}};
    const cJSON *rows, *row;
    char where[64];
    int count = 0;
    snprintf(where, sizeof where, "tables[%d]", number);
    CHECK(timings_list(file, where, table, "rows", &rows));
    CHECK(compare_rows(&sheet, number, rows));
    CHECK(chart_add_panel(chart, CHART_POINTS, group, &sheet.panel));
    CHECK(write_titles(&sheet, where, table));
    CHECK(add_key(file, sheet.panel));
    cJSON_ArrayForEach(row, rows)
    {
        snprintf(where, sizeof where, "tables[%d].rows[%d]", number, count++);
        CHECK(add_row(&sheet, where, row));
    }
    sheet.panel->is_x_logarithmic = sheet.least > 0 && sheet.most > 10 * sheet.least;
    return STATUS_OK;
}

// Adds the place in the source, up to a bracket, to titles that are alike.
static void tell_apart(const struct chart *chart, size_t first, const cJSON *tables)
{
    for (size_t p = first; p < chart->panel_count; p++) {
        struct chart_panel *panel = &chart->panels[p];
        const size_t length = strlen(panel->title);
        const char *place =
            cJSON_GetStringValue(json_member(cJSON_GetArrayItem(tables, (int)(p - first)), "place"));
        bool is_like = false;
        for (size_t other = first; other < chart->panel_count; other++)
            is_like =
                is_like || (other != p && strncmp(chart->panels[other].title, panel->title, length) == 0 &&
                            strchr(":", chart->panels[other].title[length]));
        size_t bytes = strcspn(place, "(;");
        while (bytes > 0 && place[bytes - 1] == ' ')
            bytes--;
        if (is_like)
            snprintf(panel->title + length, sizeof panel->title - length, ": %.*s", (int)bytes, place);
    }
}

enum status timings_add_source(const struct timings_file *file, struct chart *chart, int *group,
                               int *left_out)
{
    const cJSON *tables, *table;
    const size_t first = chart->panel_count;
    int number = 0;
    *left_out = 0;
    if (!json_member(file->json, "tables"))
        return STATUS_OK;
    CHECK(timings_list(file, "", file->json, "tables", &tables));
    cJSON_ArrayForEach(table, tables)
    {
        CHECK(add_table(file, chart, number++, table, *group));
    }
    tell_apart(chart, first, tables);
    for (size_t p = chart->panel_count; p-- > first;) {
        if (chart->panels[p].series[1].count > 0)
            continue;
        chart_remove_panel(chart, p);
        ++*left_out;
    }
    *group += chart->panel_count > first;
    return STATUS_OK;
}
