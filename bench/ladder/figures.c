// See figures.h.
#include "bench/ladder/figures.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 20, WHERE_BYTES = 4200 };

static const struct {
    const char *unit;
    enum ladder_measure measure;
    double scale;
} units[] = {{"s", LADDER_TIME, 1},         {"ms", LADDER_TIME, 1e-3},  {"us", LADDER_TIME, 1e-6},
             {"min", LADDER_TIME, 60},      {"1/s", LADDER_RATE, 1},    {"M/s", LADDER_RATE, 1e6},
             {"G/s", LADDER_RATE, 1e9},     {"1/ns", LADDER_RATE, 1e9}, {"GFLOP/s", LADDER_OPERATIONS, 1e9},
             {"GB/s", LADDER_BYTES, 1e9},   {"1", LADDER_SPEED_UP, 1},  {"%", LADDER_SAVING, 1},
             {"frames/s", LADDER_FRAMES, 1}};

static const char *const measures[] = {"time",   "operations", "bytes",  "rate",  "speed-up",
                                       "saving", "more",       "frames", "share", "nothing"};

static bool is_relative(enum ladder_measure measure)
{
    return measure == LADDER_SPEED_UP || measure == LADDER_SAVING;
}

// A text that is there and not empty; where it is left out, `initial`, unless that is NULL. `where`: in
// messages, "FILE: tables[0]".
static enum status read_text(const char *where, const cJSON *object, const char *key, const char *initial,
                             const char **text)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    *text = initial;
    if (!item && initial)
        return STATUS_OK;
    if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
        return FAIL(STATUS_DATA, "%s: %s: a text that is not empty is expected", where, key);
    *text = item->valuestring;
    return STATUS_OK;
}

static enum status read_number(const char *where, const cJSON *object, const char *key, double initial,
                               double *number)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    *number = initial;
    if (!item && !isnan(initial))
        return STATUS_OK;
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || !(item->valuedouble > 0))
        return FAIL(STATUS_DATA, "%s: %s: a number above 0 is expected", where, key);
    *number = item->valuedouble;
    return STATUS_OK;
}

static enum status read_whole(const char *where, const cJSON *object, const char *key, int initial,
                              int *number)
{
    double value;
    CHECK(read_number(where, object, key, initial, &value));
    if (value != floor(value) || value > 1e9)
        return FAIL(STATUS_DATA, "%s: %s: a whole number up to 1e9 is expected, not %g", where, key, value);
    *number = (int)value;
    return STATUS_OK;
}

// Up to three whole numbers; all stay as they are where the list is left out or empty, further ones become 1.
static enum status read_sizes(const char *where, const cJSON *object, const char *key,
                              long long sizes[LADDER_AXES])
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
    const int count = cJSON_GetArraySize(list);
    if (!list || (cJSON_IsArray(list) && count == 0))
        return STATUS_OK;
    bool is_good = cJSON_IsArray(list) && count <= LADDER_AXES;
    for (int k = 0; is_good && k < LADDER_AXES; k++) {
        const cJSON *item = cJSON_GetArrayItem(list, k);
        const double value = k < count && cJSON_IsNumber(item) ? item->valuedouble : k < count ? 0 : 1;
        is_good = value >= 1 && value <= 1e9 && value == floor(value);
        sizes[k] = is_good ? (long long)value : 0;
    }
    return is_good ? STATUS_OK
                   : FAIL(STATUS_DATA, "%s: %s: a list of 1 to %d whole numbers from 1 to 1e9 is expected",
                          where, key, LADDER_AXES);
}

static enum status check_keys(const char *where, const cJSON *object, const char *const *known, size_t count)
{
    if (!cJSON_IsObject(object))
        return FAIL(STATUS_DATA, "%s: an object is expected", where);
    const char *unknown = json_unknown_key(object, known, count);
    return unknown ? FAIL(STATUS_DATA, "%s: unknown key \"%s\"", where, unknown) : STATUS_OK;
}

#define CHECK_KEYS(where, object, ...)                                                                       \
    CHECK(check_keys(where, object, (const char *const[]){__VA_ARGS__},                                      \
                     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

static enum status read_list(const char *where, const cJSON *object, const char *key, const cJSON **list)
{
    *list = cJSON_GetObjectItemCaseSensitive(object, key);
    const int count = cJSON_GetArraySize(*list);
    return cJSON_IsArray(*list) && count > 0 && count <= LADDER_ROWS_MAX
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s: %s: a list of 1 to %d objects is expected", where, key,
                      LADDER_ROWS_MAX);
}

static enum status read_row(const char *where, const cJSON *item, struct ladder_figure *row)
{
    long long block[LADDER_AXES] = {0};
    CHECK_KEYS(where, item, "rung", "machine", "value", "bound", "differs", "grid", "block", "threads",
               "stage");
    CHECK(read_text(where, item, "rung", NULL, &row->rung));
    CHECK(read_text(where, item, "machine", NULL, &row->machine));
    CHECK(read_number(where, item, "value", NAN, &row->value));
    CHECK(read_text(where, item, "bound", "", &row->bound));
    CHECK(read_text(where, item, "differs", "", &row->differs));
    CHECK(read_text(where, item, "stage", "", &row->stage));
    CHECK(read_sizes(where, item, "grid", row->size));
    CHECK(read_sizes(where, item, "block", block));
    for (int axis = 0; axis < LADDER_AXES; axis++)
        row->block[axis] = (int)block[axis];
    return read_whole(where, item, "threads", 0, &row->threads);
}

static enum status read_unit(const char *where, const cJSON *item, struct ladder_table *table)
{
    const char *measure;
    CHECK(read_text(where, item, "unit", NULL, &table->unit));
    CHECK(read_text(where, item, "measures", "", &measure));
    CHECK(read_text(where, item, "of", "", &table->of));
    CHECK(read_whole(where, item, "of_threads", 0, &table->of_threads));
    CHECK(read_text(where, item, "not_measured", "", &table->why));
    table->measure = LADDER_NOTHING;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(units[k].unit, table->unit) == 0 &&
            (!is_relative(units[k].measure) || table->of[0] != '\0')) {
            table->measure = units[k].measure;
            table->unit_scale = units[k].scale;
        }
    if (measure[0] == '\0')
        return STATUS_OK;
    if (strcmp(measure, measures[LADDER_NOTHING]) == 0)
        table->measure = LADDER_NOTHING;
    else if (strcmp(measure, measures[LADDER_SHARE]) == 0 && strcmp(table->unit, "%") == 0)
        table->measure = LADDER_SHARE;
    else if (strcmp(measure, measures[LADDER_MORE]) == 0 && table->measure == LADDER_SAVING)
        table->measure = LADDER_MORE;
    if (strcmp(measure, measures[table->measure]) != 0)
        return FAIL(
            STATUS_DATA,
            "%s: measures: \"%s\" is not what the unit \"%s\" says (time: s, ms, us, min; rate: 1/s, "
            "M/s, G/s, 1/ns; operations: GFLOP/s; bytes: GB/s; speed-up: 1, with \"of\"; saving, more: "
            "%%, with \"of\"; frames: frames/s; share: %%; nothing: any)",
            where, measure, table->unit);
    return STATUS_OK;
}

static enum status read_table(const char *where, const cJSON *item, struct ladder_table *table)
{
    const cJSON *rows, *row;
    long long size[LADDER_AXES] = {0};
    CHECK_KEYS(where, item, "id", "place", "quantity", "unit", "measures", "steps", "of", "of_threads",
               "grid", "precision", "not_measured", "part_of_step", "rows");
    CHECK(read_text(where, item, "id", NULL, &table->id));
    CHECK(read_text(where, item, "place", NULL, &table->place));
    CHECK(read_text(where, item, "quantity", NULL, &table->quantity));
    CHECK(read_text(where, item, "precision", "", &table->precision));
    CHECK(read_unit(where, item, table));
    table->is_part = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(item, "part_of_step"));
    CHECK(read_whole(where, item, "steps", 1, &table->steps));
    CHECK(read_sizes(where, item, "grid", size));
    CHECK(read_list(where, item, "rows", &rows));
    table->rows = calloc((size_t)cJSON_GetArraySize(rows), sizeof *table->rows);
    if (!table->rows)
        return FAIL(STATUS_SYSTEM, "%s: no memory for its rows", where);
    cJSON_ArrayForEach(row, rows)
    {
        char name[WHERE_BYTES + 32];
        struct ladder_figure *figure = &table->rows[table->row_count];
        snprintf(name, sizeof name, "%s.rows[%d]", where, table->row_count++);
        memcpy(figure->size, size, sizeof size);
        CHECK(read_row(name, row, figure));
    }
    return STATUS_OK;
}

static enum status read_source(const char *path, const cJSON *json, struct ladder_figures *figures)
{
    char where[WHERE_BYTES];
    const cJSON *source = cJSON_GetObjectItemCaseSensitive(json, "source");
    snprintf(where, sizeof where, "%s: source", path);
    CHECK_KEYS(where, source, "authors", "year", "title");
    CHECK(read_text(where, source, "authors", NULL, &figures->authors));
    CHECK(read_text(where, source, "title", NULL, &figures->title));
    return read_whole(where, source, "year", 0, &figures->year);
}

enum status ladder_figures_read(const char *path, struct ladder_figures *figures)
{
    const cJSON *tables, *table;
    *figures = (struct ladder_figures){0};
    CHECK(json_file_read(path, FILE_BYTES_MAX, &figures->json));
    CHECK_KEYS(path, figures->json, "source", "tables");
    CHECK(read_source(path, figures->json, figures));
    CHECK(read_list(path, figures->json, "tables", &tables));
    figures->tables = calloc((size_t)cJSON_GetArraySize(tables), sizeof *figures->tables);
    if (!figures->tables)
        return FAIL(STATUS_SYSTEM, "%s: no memory for its tables", path);
    cJSON_ArrayForEach(table, tables)
    {
        char where[WHERE_BYTES];
        snprintf(where, sizeof where, "%s: tables[%d]", path, figures->table_count);
        CHECK(read_table(where, table, &figures->tables[figures->table_count++]));
    }
    return STATUS_OK;
}

void ladder_figures_free(struct ladder_figures *figures)
{
    for (int k = 0; k < figures->table_count; k++)
        free(figures->tables[k].rows);
    free(figures->tables);
    cJSON_Delete(figures->json);
    *figures = (struct ladder_figures){0};
}
