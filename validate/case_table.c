// Public data files as tables of numbers (see case_table.h).
#include "validate/case_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

// Reads the numbers of a line and returns how many there are: 0 for an empty line, −1 if it holds something
// else. Numbers that do not fit are counted but not stored.
static int read_numbers(const char *line, double numbers[CASE_COLUMNS_MAX])
{
    int count = 0;
    bool is_after_comma = false;
    for (line += strspn(line, blanks); *line || is_after_comma;) {
        double value = NAN;
        char *end = (char *)line;
        if (*line && *line != ',') {
            value = strtod(line, &end);
            if (end == line || (*end && *end != ',' && !strchr(blanks, *end)))
                return -1;
        }
        if (count < CASE_COLUMNS_MAX)
            numbers[count] = value;
        count++;
        line = end + strspn(end, blanks);
        is_after_comma = *line == ',';
        line += is_after_comma;
        line += strspn(line, blanks);
    }
    return count;
}

static enum status add_row(struct case_table *table, size_t *room, const double *numbers)
{
    const size_t columns = (size_t)table->columns;
    if (table->rows == *room) {
        *room = 2 * *room + 256;
        double *values = realloc(table->values, *room * columns * sizeof *values);
        if (!values)
            return FAIL(STATUS_SYSTEM, "%s: not enough memory for %zu lines", table->path, *room);
        table->values = values;
    }
    memcpy(table->values + table->rows++ * columns, numbers, columns * sizeof *numbers);
    return STATUS_OK;
}

// Reads the numbers of a line. If a short line is allowed, the missing numbers are NaN.
static enum status check_row(const struct case_table *table, size_t number, int count, bool may_be_short,
                             double numbers[CASE_COLUMNS_MAX])
{
    const char *path = table->path;
    if (count < 0)
        return FAIL(STATUS_DATA, "%s: line %zu: expected %d numbers, found something else", path, number,
                    table->columns);
    if (count > table->columns || (count < table->columns && !may_be_short))
        return FAIL(STATUS_DATA, "%s: line %zu: expected %d numbers, found %d", path, number, table->columns,
                    count);
    for (int k = count; k < table->columns; k++)
        numbers[k] = NAN;
    return STATUS_OK;
}

static enum status read_lines(FILE *file, bool may_be_short, struct case_table *table)
{
    const char *path = table->path;
    char line[4096];
    size_t room = 0, number = 0;
    while (fgets(line, sizeof line, file)) {
        double numbers[CASE_COLUMNS_MAX];
        number++;
        if (!strchr(line, '\n') && !feof(file))
            return FAIL(STATUS_DATA, "%s: line %zu: longer than %zu characters", path, number, sizeof line);
        const int count = read_numbers(line, numbers);
        if (count == 0 || (count < 0 && table->rows == 0))
            continue;
        CHECK(check_row(table, number, count, may_be_short, numbers));
        CHECK(add_row(table, &room, numbers));
    }
    if (ferror(file))
        return FAIL(STATUS_IO, "%s: reading failed: %s", path, strerror(errno));
    return table->rows >= 2 ? STATUS_OK
                            : FAIL(STATUS_DATA, "%s: holds %zu lines of %d numbers, expected a table", path,
                                   table->rows, table->columns);
}

enum status case_read_table(const char *path, int columns, bool may_be_short, struct case_table *table)
{
    *table = (struct case_table){.columns = columns};
    snprintf(table->path, sizeof table->path, "%s", path);
    FILE *file = fopen(path, "r");
    if (!file)
        return FAIL(STATUS_NO_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    const enum status status = read_lines(file, may_be_short, table);
    fclose(file);
    if (status != STATUS_OK)
        case_table_free(table);
    return status;
}

void case_table_free(struct case_table *table)
{
    free(table->values);
    *table = (struct case_table){0};
}

// may_repeat: two equal times may follow each other.
static enum status make_series(const struct case_table *table, int time_column, int value_column,
                               bool may_repeat, struct case_series *series)
{
    *series = (struct case_series){.time_s = malloc((table->rows + 1) * sizeof *series->time_s),
                                   .value = malloc((table->rows + 1) * sizeof *series->value)};
    enum status status =
        series->time_s && series->value
            ? STATUS_OK
            : FAIL(STATUS_SYSTEM, "%s: not enough memory for %zu samples", table->path, table->rows);
    for (size_t k = 0; k < table->rows && status == STATUS_OK; k++) {
        const double time_s = case_table_at(table, k, time_column),
                     value = case_table_at(table, k, value_column);
        if (isnan(time_s) || isnan(value))
            continue;
        const double before_s = series->count > 0 ? series->time_s[series->count - 1] : -INFINITY;
        if (!(time_s > before_s || (may_repeat && time_s == before_s)))
            status = FAIL(STATUS_DATA, "%s: the time %g follows on %g: expected times that ascend",
                          table->path, time_s, before_s);
        series->time_s[series->count] = time_s;
        series->value[series->count++] = value;
    }
    if (status != STATUS_OK)
        case_series_free(series);
    return status;
}

enum status case_table_series(const struct case_table *table, int time_column, int value_column,
                              struct case_series *series)
{
    return make_series(table, time_column, value_column, false, series);
}

enum status case_read_benchmark(const struct validation_run *run, const char *file, int columns,
                                bool may_be_short, struct case_table *table)
{
    char path[PATH_BYTES];
    validation_benchmark_path(run, file, path);
    return case_read_table(path, columns, may_be_short, table);
}

enum status case_read_record(const struct validation_run *run, const char *file, struct case_series *series)
{
    struct case_table table;
    CHECK(case_read_benchmark(run, file, 2, false, &table));
    const enum status status = make_series(&table, 0, 1, true, series);
    case_table_free(&table);
    return status;
}
