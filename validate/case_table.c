// Public data files as tables of numbers (see case_table.h).
#include "validate/case_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

// The numbers of a line. −1: something in it is not a number. 0: an empty line. More than fit:
// counted, not stored.
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

static enum status add_row(struct case_table *table, size_t *room, const double *numbers, const char *path)
{
    const size_t columns = (size_t)table->columns;
    if (table->rows == *room) {
        *room = 2 * *room + 256;
        double *values = realloc(table->values, *room * columns * sizeof *values);
        if (!values)
            return FAIL(STATUS_SYSTEM, "%s: not enough memory for %zu lines", path, *room);
        table->values = values;
    }
    memcpy(table->values + table->rows++ * columns, numbers, columns * sizeof *numbers);
    return STATUS_OK;
}

// A line's numbers, which may end early if that is allowed; the rest is NaN.
static enum status check_row(const char *path, size_t number, int count, const struct case_table *table,
                             bool may_be_short, double numbers[CASE_COLUMNS_MAX])
{
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

static enum status read_lines(FILE *file, const char *path, bool may_be_short, struct case_table *table)
{
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
        CHECK(check_row(path, number, count, table, may_be_short, numbers));
        CHECK(add_row(table, &room, numbers, path));
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
    FILE *file = fopen(path, "r");
    if (!file)
        return FAIL(STATUS_NO_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    const enum status status = read_lines(file, path, may_be_short, table);
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

enum status case_table_series(const struct case_table *table, const char *path, int time_column,
                              int value_column, struct case_series *series)
{
    *series = (struct case_series){.time_s = malloc((table->rows + 1) * sizeof *series->time_s),
                                   .value = malloc((table->rows + 1) * sizeof *series->value)};
    enum status status =
        series->time_s && series->value
            ? STATUS_OK
            : FAIL(STATUS_SYSTEM, "%s: not enough memory for %zu samples", path, table->rows);
    for (size_t k = 0; k < table->rows && status == STATUS_OK; k++) {
        const double time_s = case_table_at(table, k, time_column),
                     value = case_table_at(table, k, value_column);
        if (isnan(time_s) || isnan(value))
            continue;
        if (series->count > 0 && !(time_s > series->time_s[series->count - 1]))
            status = FAIL(STATUS_DATA, "%s: the time %g follows on %g: expected times that ascend", path,
                          time_s, series->time_s[series->count - 1]);
        series->time_s[series->count] = time_s;
        series->value[series->count++] = value;
    }
    if (status != STATUS_OK)
        case_series_free(series);
    return status;
}
