// Rows of a table as text: fields between commas, semicolons or tabs, that may stand in quotes (RFC 4180);
// lines that begin with # and rows without anything between their separators are passed over. Lines end with
// LF or CR LF. Independent of what the columns mean.
#ifndef FATHOM_IO_CSV_ROWS_H
#define FATHOM_IO_CSV_ROWS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CSV_FIELDS_MAX = 256, CSV_ABOUT_BYTES = 320 };

struct csv_rows {
    const char *path;
    char separator;
    char *next;                   // the rest of the text, which is changed
    size_t line;                  // number of the current one, from 1
    char about[CSV_ABOUT_BYTES];  // "FILE: line 12"
    char *fields[CSV_FIELDS_MAX]; // of the current row, without quotes and blanks around them
    size_t field_count;
};

// Whether the text can be read at all. STATUS_DATA, with the line: it is not UTF-8, or has a carriage return
// without a line feed, which would make one line of two.
enum status csv_rows_check(const char *path, const char *text);

// The separator that a line of names has: a semicolon, else a comma, else a tab.
char csv_rows_separator(const char *line);

// The next line that is neither blank nor a comment; NULL at the end.
char *csv_rows_next_line(struct csv_rows *rows);

// Divides a line into its fields. STATUS_DATA: too many, a quotation mark that is not closed, text after one.
enum status csv_rows_split(struct csv_rows *rows, char *line);

// The fields of the next row with anything in it: spreadsheets end tables with rows of separators.
enum status csv_rows_next(struct csv_rows *rows, bool *is_there);

// Cuts blanks and tabs off both ends.
void csv_rows_trim(char **text);

#endif
