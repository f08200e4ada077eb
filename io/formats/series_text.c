// Series in text tables (see series.h): lines, their columns and numbers, through one fixed buffer.
#include "io/formats/series_private.h"
#include "io/path.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BUFFER_BYTES = 1 << 16, LINE_BYTES = 4096, SHOWN_BYTES = 40 };

struct text_series {
    FILE *stream;
    int skip_lines;
    int numbers[SERIES_COLUMNS_MAX]; // of the columns, from 1
    uint64_t line;                   // of the last one that was read, from 1
    char buffer[BUFFER_BYTES];       // the stream's
    char text[LINE_BYTES];
};

static void close_text(void *state)
{
    struct text_series *text = state;
    if (text->stream)
        fclose(text->stream); // opened for reading: nothing can be lost
    free(text);
}

static enum status rewind_text(const struct series *series, struct text_series *text)
{
    if (fseeko(text->stream, 0, SEEK_SET) != 0)
        return FAIL(STATUS_IO, "%s: %s", series->path, strerror(errno));
    text->line = 0;
    return STATUS_OK;
}

// Reads the next line, without its end, into text->text; *found = false at the end of the file.
static enum status next_line(const struct series *series, struct text_series *text, bool *found)
{
    size_t length = 0;
    int byte = getc_unlocked(text->stream);
    *found = byte != EOF;
    text->line++;
    for (; byte != EOF && byte != '\n'; byte = getc_unlocked(text->stream)) {
        if (byte == '\0')
            return FAIL(STATUS_DATA, "%s: line %llu holds a zero byte: neither a text table nor netCDF",
                        series->path, (unsigned long long)text->line);
        if (length + 1 == sizeof text->text)
            return FAIL(STATUS_DATA, "%s: line %llu is longer than %zu bytes: is this a table?", series->path,
                        (unsigned long long)text->line, sizeof text->text - 1);
        text->text[length++] = (char)byte;
    }
    text->text[length] = '\0';
    return ferror(text->stream) ? FAIL(STATUS_IO, "%s: %s", series->path, strerror(errno)) : STATUS_OK;
}

// Returns the line without comments, a byte-order mark and the blanks around it.
static char *bare_line(struct text_series *text)
{
    char *line = text->text;
    if (text->line == 1 && strncmp(line, "\357\273\277", 3) == 0)
        line += 3;
    char *end = line + strcspn(line, "#");
    while (end > line && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    while (isspace((unsigned char)*line))
        line++;
    return line;
}

// Cuts the next field off *rest, without the blanks and quotation marks around it. separator '\0': blanks.
static bool next_field(char **rest, char separator, char **field)
{
    if (!*rest)
        return false;
    char *at = *rest + strspn(*rest, " \t\r\v\f");
    char *end = separator ? strchr(at, separator) : at + strcspn(at, " \t\r\v\f");
    if (!end)
        end = at + strlen(at);
    *rest = *end ? end + 1 : NULL;
    *end = '\0';
    if (!separator && *rest && !(*rest)[strspn(*rest, " \t\r\v\f")])
        *rest = NULL;
    while (end > at && isspace((unsigned char)end[-1]))
        *--end = '\0';
    if (end - at >= 2 && *at == '"' && end[-1] == '"') {
        end[-1] = '\0';
        at++;
    }
    *field = at;
    return true;
}

static bool parse_number(char *word, double *value)
{
    for (char *c = word; *c; c++)
        if ((*c == 'D' || *c == 'd') && c > word && (isdigit((unsigned char)c[-1]) || c[-1] == '.'))
            *c = 'E'; // Fortran writes 1.0D+03
    char *end = word;
    *value = strtod(word, &end);
    return end != word && *end == '\0' && !isinf(*value);
}

static enum status parse_line(const struct series *series, const struct text_series *text, char *line,
                              double raw[SERIES_COLUMNS_MAX])
{
    const unsigned long long number = text->line;
    const bool has_semicolon = strchr(line, ';') != NULL, has_comma = strchr(line, ',') != NULL;
    if (has_semicolon && has_comma)
        return FAIL(STATUS_DATA,
                    "%s: line %llu has both semicolons and commas: decimal commas are not read, write points",
                    series->path, number);
    const char separator = has_semicolon ? ';' : has_comma ? ',' : '\0';
    int count = 0, taken = 0;
    char *field;
    for (char *rest = line; next_field(&rest, separator, &field);) {
        count++;
        for (int k = 0; k < series->columns; k++) {
            if (text->numbers[k] != count)
                continue;
            taken++;
            if (field[0] == '\0')
                raw[k] = NAN;
            else if (!parse_number(field, &raw[k]))
                return FAIL(STATUS_DATA,
                            "%s: line %llu, %s: \"%.*s\" is not a number (lines of a heading are passed over "
                            "with \"skip_lines\")",
                            series->path, number, series->names[k], SHOWN_BYTES, field);
        }
    }
    if (taken == series->columns)
        return STATUS_OK;
    int needed = 0;
    for (int k = 0; k < series->columns; k++)
        needed = text->numbers[k] > needed ? text->numbers[k] : needed;
    return FAIL(STATUS_DATA, "%s: line %llu has %d column%s, expected at least %d", series->path, number,
                count, count == 1 ? "" : "s", needed);
}

static enum status run_text(struct series *series, struct series_pass *pass)
{
    struct text_series *text = series->state;
    CHECK(rewind_text(series, text));
    for (;;) {
        double raw[SERIES_COLUMNS_MAX];
        bool found;
        CHECK(next_line(series, text, &found));
        if (!found)
            break;
        if (text->line <= (uint64_t)text->skip_lines)
            continue;
        char *line = bare_line(text);
        if (!*line)
            continue;
        CHECK(parse_line(series, text, line, raw));
        CHECK(series_take(series, pass, raw, "line", text->line));
    }
    return STATUS_OK;
}

static const struct series_reader text_reader = {run_text, close_text};

enum status series_open_text(const struct series_request *request, struct series *series)
{
    struct stat about;
    struct text_series *text = calloc(1, sizeof *text);
    if (!text)
        return FAIL(STATUS_SYSTEM, "%s: out of memory", series->path);
    series->state = text;
    series->reader = &text_reader;
    text->skip_lines = request->skip_lines;
    text->stream = fopen(series->path, "rb");
    if (!text->stream)
        return FAIL(path_open_status(errno), "%s: %s", series->path, strerror(errno));
    (void)setvbuf(text->stream, text->buffer, _IOFBF, sizeof text->buffer); // else a smaller one
    if (fstat(fileno(text->stream), &about) != 0 || !S_ISREG(about.st_mode))
        return FAIL(STATUS_NO_INPUT, "%s: not a regular file", series->path);
    for (int k = 0; k < series->columns; k++) {
        const struct series_column *column = series_column_of(request, k);
        if (column->variable)
            return FAIL(STATUS_DATA,
                        "%s is a text table: \"%s\" must be the number of a column, from 1, not \"%s\"",
                        series->path, column->key, column->variable);
        text->numbers[k] = column->number > 0 ? column->number : k + 1;
        snprintf(series->names[k], sizeof series->names[k], "column %d", text->numbers[k]);
        CHECK(series_set_unit(series, request, k, NULL, NULL));
    }
    return STATUS_OK;
}
