// Public data files as tables of numbers: read strictly, so that a damaged or another file is refused.
// Independent of models.
#ifndef FATHOM_VALIDATE_CASE_TABLE_H
#define FATHOM_VALIDATE_CASE_TABLE_H

#include "core/status.h"
#include "validate/case_job.h"

#include <stdbool.h>
#include <stddef.h>

enum { CASE_COLUMNS_MAX = 16 };

struct case_table {
    char path[PATH_BYTES]; // for messages
    size_t rows;
    int columns;
    double *values; // [rows][columns], owned
};

// Reads a text file of `columns` numbers a line, separated by blanks, tabs or one comma; nothing between two
// commas is NaN, and so is the word. Headings: all before the first line that holds numbers only (a heading
// may begin with one: "30 sec of data"). From there on each line must hold `columns` of them, or nothing.
// may_be_short: columns at a line's end may be missing, and are NaN. Not so, or fewer than two lines →
// STATUS_DATA, naming file, line, what is there and what was expected.
enum status case_read_table(const char *path, int columns, bool may_be_short, struct case_table *table);
// The same of a benchmark file; and a series at once, times in its first column, values in its second. Buoys'
// records may hold a time twice.
enum status case_read_benchmark(const struct validation_run *run, const char *file, int columns,
                                bool may_be_short, struct case_table *table);
enum status case_read_record(const struct validation_run *run, const char *file, struct case_series *series);
void case_table_free(struct case_table *table);

static inline double case_table_at(const struct case_table *table, size_t row, int column)
{
    return table->values[row * (size_t)table->columns + (size_t)column];
}

// Two of its columns as a series, rows with a NaN left out. Times must ascend → STATUS_DATA, naming the file
// and the time.
enum status case_table_series(const struct case_table *table, int time_column, int value_column,
                              struct case_series *series);

#endif
