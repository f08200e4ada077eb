// Tables of scenarios (see the header).
#include "batch/scenarios.h"

#include "batch/queue.h"
#include "core/statistics.h"
#include "io/csv_rows.h"
#include "io/json_file.h"
#include "io/path.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEADING_BYTES = 240 };

struct column {
    enum { COLUMN_KEY, COLUMN_WEIGHT, COLUMN_NAME } kind;
    size_t axis; // of a key
    char heading[HEADING_BYTES], unit[BATCH_UNIT_BYTES];
};

struct table {
    const struct job *document;
    struct batch_pool **pool;
    struct batch_axes *axes;
    char path[PATH_BYTES];
    struct csv_rows rows;
    struct column columns[CSV_FIELDS_MAX];
    size_t column_count, count, capacity, count_max;
    bool has_names, has_weights;
    double *weights;    // [capacity]
    const char **names; // [capacity]
    size_t *lines;      // [capacity] of the names
};

static enum status fail_memory(const struct table *table)
{
    return FAIL(STATUS_SYSTEM, "%s: no memory to read it", table->path);
}

// ---- the line of names

// "source.earthquake.depth (km)": the key, and the unit of its numbers.
static enum status split_heading(struct table *table, char *field, struct column *column)
{
    char *open = strpbrk(field, "([");
    column->unit[0] = '\0';
    if (open) {
        char quantity[BATCH_UNIT_BYTES + 8];
        double converted;
        snprintf(column->unit, sizeof column->unit, "%.*s", (int)strcspn(open + 1, ")]"), open + 1);
        *open = '\0';
        csv_rows_trim(&field);
        snprintf(quantity, sizeof quantity, "1 %s", column->unit);
        if (units_parse_quantity(quantity, column->unit, &converted) != STATUS_OK)
            return status_prefix(STATUS_DATA, "%s: column %.60s", table->rows.about, field);
    }
    if (strlen(field) >= HEADING_BYTES)
        return FAIL(STATUS_DATA, "%s: the name of column %zu is longer than %d bytes", table->rows.about,
                    table->column_count + 1, HEADING_BYTES - 1);
    strcpy(column->heading, field);
    return STATUS_OK;
}

static enum status take_heading(struct table *table, char *field)
{
    struct column *column = &table->columns[table->column_count];
    CHECK(split_heading(table, field, column));
    for (size_t k = 0; k < table->column_count; k++)
        if (strcmp(table->columns[k].heading, column->heading) == 0)
            return FAIL(STATUS_DATA, "%s: the column %.60s appears twice", table->rows.about,
                        column->heading);
    table->column_count++;
    column->kind = strcasecmp(column->heading, "weight") == 0 ? COLUMN_WEIGHT
                   : strcasecmp(column->heading, "name") == 0 ? COLUMN_NAME
                                                              : COLUMN_KEY;
    if (column->kind != COLUMN_KEY) {
        table->has_names = table->has_names || column->kind == COLUMN_NAME;
        table->has_weights = table->has_weights || column->kind == COLUMN_WEIGHT;
        return column->unit[0]
                   ? FAIL(STATUS_DATA, "%s: the column %s has no unit", table->rows.about, column->heading)
                   : STATUS_OK;
    }
    char where[CSV_ABOUT_BYTES + HEADING_BYTES];
    struct batch_axis *axis;
    snprintf(where, sizeof where, "scenarios: %s: column \"%s\"", table->rows.about, column->heading);
    column->axis = table->axes->count;
    return batch_axes_add(table->document, where, column->heading, table->pool, table->axes, &axis);
}

static enum status read_heading(struct table *table)
{
    char *line = csv_rows_next_line(&table->rows);
    if (!line)
        return FAIL(STATUS_DATA, "%s: is empty: expected a line of job keys and \"weight\", then scenarios",
                    table->path);
    table->rows.separator = csv_rows_separator(line);
    CHECK(csv_rows_split(&table->rows, line));
    for (size_t k = 0; k < table->rows.field_count; k++)
        CHECK(take_heading(table, table->rows.fields[k]));
    if (!table->has_weights || table->axes->count == 0)
        return FAIL(STATUS_DATA,
                    "%s: no column %s: the first line must name %s, with commas, semicolons or "
                    "tabs between them",
                    table->rows.about, table->has_weights ? "with a job key" : "weight",
                    "job keys and \"weight\"");
    return STATUS_OK;
}

// ---- rows

// Whether C reads a text as a number that JSON does not allow: +3, .5, 0x10.
static bool resembles_number(const char *text)
{
    char *end;
    if (!isdigit((unsigned char)text[strspn(text, "+-.")]))
        return false;
    (void)strtod(text, &end);
    return end != text && *end == '\0';
}

static enum status fail_value(const struct table *table, const struct column *column, const char *field,
                              const char *expected)
{
    return FAIL(STATUS_DATA, "%s: column %s: \"%.40s\", expected %s", table->rows.about, column->heading,
                field, expected);
}

static bool has_control(const char *field)
{
    for (const char *c = field; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            return true;
    return false;
}

static enum status take_value(const struct table *table, const struct column *column, const char *field,
                              const char **text)
{
    static const char where[] = "scenarios";
    cJSON *item = cJSON_ParseWithOpts(field, NULL, 1);
    const bool is_number = cJSON_IsNumber(item) && isfinite(item->valuedouble);
    const double value = is_number ? item->valuedouble : 0;
    const bool is_plain = is_number || cJSON_IsBool(item);
    if (!is_plain) {
        cJSON_Delete(item);
        item = NULL;
        if (resembles_number(field))
            return fail_value(table, column, field, "a number such as 0.5, -12 or 1e-3");
        if (column->unit[0])
            return fail_value(table, column, field, "a number, whose unit stands in the heading");
        if (has_control(field))
            return fail_value(table, column, "", "a text without control characters");
        item = cJSON_CreateString(field);
        if (!item)
            return fail_memory(table);
    }
    enum status status;
    if (!column->unit[0])
        status = batch_value_text(table->document, where, item, table->pool, text);
    else if (is_number)
        status = batch_quantity_write(table->document, where, value, column->unit, table->pool, text);
    else
        status = fail_value(table, column, field, "a number, whose unit stands in the heading");
    cJSON_Delete(item);
    return status;
}

static enum status take_weight(struct table *table, const struct column *column, const char *field)
{
    char *end;
    const double weight = strtod(field, &end); // which reads 0x10 and inf, too
    if (end == field || *end || field[strspn(field, "+-.0123456789eE")] || !(weight > 0) || weight > 1)
        return fail_value(table, column, field, "a number above 0, and at most 1");
    table->weights[table->count] = weight;
    return STATUS_OK;
}

static enum status take_name(struct table *table, const struct column *column, const char *field)
{
    const char *mistake = batch_name_mistake(field);
    if (mistake)
        return FAIL(STATUS_DATA, "%s: column %s: \"%.70s\" cannot be the name of a run: %s",
                    table->rows.about, column->heading, field, mistake);
    table->names[table->count] = batch_pool_text(table->pool, field);
    table->lines[table->count] = table->rows.line;
    return table->names[table->count] ? STATUS_OK : fail_memory(table);
}

static enum status take_row(struct table *table)
{
    const struct csv_rows *rows = &table->rows;
    if (rows->field_count != table->column_count)
        return FAIL(STATUS_DATA, "%s: has %zu fields, but the heading has %zu%s", rows->about,
                    rows->field_count, table->column_count,
                    rows->separator == ',' ? ": a field with a comma needs quotation marks" : "");
    if (table->count == table->capacity)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: more scenarios than the %zu for which the queue has capacity (%d runs in total)",
                    rows->about, table->capacity, BATCH_JOBS_MAX);
    for (size_t k = 0; k < table->column_count; k++) {
        const struct column *column = &table->columns[k];
        const char *field = rows->fields[k];
        if (!field[0])
            return FAIL(STATUS_DATA, "%s: column %s: is empty; expected a value", rows->about,
                        column->heading);
        if (column->kind == COLUMN_WEIGHT)
            CHECK(take_weight(table, column, field));
        else if (column->kind == COLUMN_NAME)
            CHECK(take_name(table, column, field));
        else
            CHECK(take_value(table, column, field, &table->axes->axes[column->axis].values[table->count]));
    }
    table->count++;
    return STATUS_OK;
}

// ---- the whole table

static int compare_names(const void *a, const void *b)
{
    return strcmp(**(const char *const *const *)a, **(const char *const *const *)b);
}

static enum status check_names(const struct table *table)
{
    const char ***sorted = malloc(table->count * sizeof *sorted);
    if (!sorted)
        return fail_memory(table);
    for (size_t k = 0; k < table->count; k++)
        sorted[k] = &table->names[k];
    qsort(sorted, table->count, sizeof *sorted, compare_names);
    enum status status = STATUS_OK;
    for (size_t k = 1; k < table->count && status == STATUS_OK; k++)
        if (strcmp(*sorted[k - 1], *sorted[k]) == 0) {
            const size_t a = table->lines[sorted[k - 1] - table->names],
                         b = table->lines[sorted[k] - table->names];
            status = FAIL(STATUS_DATA, "%s: line %zu: column name: \"%s\" is also the name in line %zu",
                          table->path, a > b ? a : b, *sorted[k], a > b ? b : a);
        }
    free(sorted);
    return status;
}

static enum status check_weights(const struct table *table)
{
    const double sum = statistics_block_sum(table->weights, table->count);
    if (fabs(sum - 1) <= BATCH_WEIGHTS_TOLERANCE)
        return STATUS_OK;
    return FAIL(STATUS_DATA, "%s: column weight: the sum of its %zu weights is %.9g, expected 1 within %g",
                table->path, table->count, sum, BATCH_WEIGHTS_TOLERANCE);
}

static enum status allocate(struct table *table, const char *text)
{
    size_t lines = 1;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    table->capacity = lines < table->count_max ? lines : table->count_max;
    table->weights = batch_pool_take(table->pool, table->capacity * sizeof *table->weights);
    table->names = batch_pool_take(table->pool, table->capacity * sizeof *table->names);
    table->lines = batch_pool_take(table->pool, table->capacity * sizeof *table->lines);
    bool has_all = table->weights && table->names && table->lines;
    for (size_t k = 0; k < table->axes->count; k++) {
        table->axes->axes[k].values =
            batch_pool_take(table->pool, table->capacity * sizeof *table->axes->axes[k].values);
        has_all = has_all && table->axes->axes[k].values;
    }
    return has_all ? STATUS_OK : fail_memory(table);
}

static enum status read_text(struct table *table, char *text)
{
    static const char mark[] = "\xEF\xBB\xBF"; // of UTF-8, by spreadsheets
    CHECK(csv_rows_check(table->path, text));
    table->rows.path = table->path;
    table->rows.next = strncmp(text, mark, 3) == 0 ? text + 3 : text;
    CHECK(read_heading(table));
    CHECK(allocate(table, table->rows.next));
    for (bool is_there = true; is_there;) {
        CHECK(csv_rows_next(&table->rows, &is_there));
        if (is_there)
            CHECK(take_row(table));
    }
    if (table->count == 0)
        return FAIL(STATUS_DATA, "%s: has column names, but no scenarios", table->path);
    if (table->has_names)
        CHECK(check_names(table));
    CHECK(check_weights(table));
    for (size_t k = 0; k < table->axes->count; k++)
        table->axes->axes[k].count = table->count;
    table->axes->members = table->count;
    table->axes->weights = table->weights;
    table->axes->names = table->has_names ? table->names : NULL;
    return STATUS_OK;
}

static enum status read_file(struct table *table)
{
    const struct job *document = table->document;
    char *text;
    size_t length;
    CHECK_KEY(document, "scenarios",
              path_find(job_string(document, "scenarios"), job_directory(document), table->path));
    CHECK(text_file_read(table->path, BATCH_SCENARIOS_BYTES_MAX, &text, &length));
    const enum status status = read_text(table, text);
    free(text);
    return status;
}

enum status batch_scenarios_read(const struct job *document, size_t count_max, struct batch_pool **pool,
                                 struct batch_axes *axes)
{
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        return FAIL(STATUS_SYSTEM, "%s: no memory to read it", job_path(document));
    table->document = document;
    table->pool = pool;
    table->axes = axes;
    table->count_max = count_max;
    const enum status status = read_file(table);
    free(table);
    return status;
}
