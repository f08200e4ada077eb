// Rows of a table as text (see the header).
#include "io/csv_rows.h"

#include "io/utf8.h"

#include <stdio.h>
#include <string.h>

char *csv_rows_next_line(struct csv_rows *csv)
{
    while (*csv->next) {
        char *line = csv->next;
        const size_t length = strcspn(line, "\n");
        csv->next += length + (line[length] == '\n');
        line[length] = '\0';
        if (length > 0 && line[length - 1] == '\r')
            line[length - 1] = '\0';
        snprintf(csv->about, sizeof csv->about, "%.256s: line %zu", csv->path, ++csv->line);
        if (line[strspn(line, " \t")] && line[strspn(line, " \t")] != '#')
            return line;
    }
    return NULL;
}

void csv_rows_trim(char **text)
{
    *text += strspn(*text, " \t");
    size_t length = strlen(*text);
    while (length > 0 && strchr(" \t", (*text)[length - 1]))
        (*text)[--length] = '\0';
}

// A quoted field: without its quotes, two of which stand for one. Returns what follows it, NULL: no end.
static char *unquote(char *field)
{
    char *to = field, *from = field + 1;
    for (; *from; from++) {
        if (*from == '"' && from[1] != '"')
            break;
        from += *from == '"';
        *to++ = *from;
    }
    if (*from != '"')
        return NULL;
    *to = '\0';
    return from + 1;
}

enum status csv_rows_split(struct csv_rows *csv, char *line)
{
    csv->field_count = 0;
    for (;;) {
        if (csv->field_count == CSV_FIELDS_MAX)
            return FAIL(STATUS_DATA, "%s: more than %d columns", csv->about, CSV_FIELDS_MAX);
        line += strspn(line, csv->separator == '\t' ? " " : " \t");
        char *field = line, *rest = line;
        if (*field == '"') {
            rest = unquote(field);
            if (!rest)
                return FAIL(STATUS_DATA, "%s: a quotation mark is not closed", csv->about);
            rest += strspn(rest, csv->separator == '\t' ? " " : " \t");
            if (*rest && *rest != csv->separator)
                return FAIL(STATUS_DATA, "%s: text follows a closing quotation mark", csv->about);
        } else {
            rest += strcspn(rest, (const char[]){csv->separator, '\0'});
        }
        const bool is_last = *rest == '\0';
        *rest = '\0';
        csv_rows_trim(&field);
        csv->fields[csv->field_count++] = field;
        if (is_last)
            return STATUS_OK;
        line = rest + 1;
    }
}

static bool is_blank(const struct csv_rows *csv)
{
    for (size_t k = 0; k < csv->field_count; k++)
        if (csv->fields[k][0])
            return false;
    return true;
}

enum status csv_rows_next(struct csv_rows *csv, bool *is_there)
{
    char *line;
    while ((line = csv_rows_next_line(csv))) {
        CHECK(csv_rows_split(csv, line));
        if (!is_blank(csv))
            break;
    }
    *is_there = line != NULL;
    return STATUS_OK;
}

// A line that only a carriage return ends would be taken for a part of the one before.
static enum status check_line_ends(const char *path, const char *text)
{
    size_t line = 1;
    for (const char *c = text; *c; c++) {
        if (*c == '\r' && c[1] != '\n' && c[1] != '\0')
            return FAIL(STATUS_DATA,
                        "%s: line %zu: a carriage return (CR) without a line feed: lines must end with LF or "
                        "CR LF",
                        path, line);
        line += *c == '\n';
    }
    return STATUS_OK;
}

// Spreadsheets of Western languages write Windows-1252, of which Latin-1 is a part.
static enum status check_encoding(const char *path, const char *text)
{
    size_t line = 1;
    for (const char *c = text; *c; c += utf8_length(c)) {
        if (utf8_length(c) == 0)
            return FAIL(
                STATUS_DATA,
                "%s: line %zu: is not UTF-8 text: iconv -f WINDOWS-1252 -t UTF-8 converts it if it is in "
                "Latin-1 or Windows-1252",
                path, line);
        line += *c == '\n';
    }
    return STATUS_OK;
}

char csv_rows_separator(const char *line)
{
    return strchr(line, ';') ? ';' : strchr(line, ',') ? ',' : '\t';
}

enum status csv_rows_check(const char *path, const char *text)
{
    CHECK(check_line_ends(path, text));
    return check_encoding(path, text);
}
