// Tables as comma-separated values: see features.h.
#include "io/geo/features.h"

#include <math.h>
#include <string.h>

void geo_csv_text(FILE *stream, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n;")]) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', stream);
        fputc(*c, stream);
    }
    fputc('"', stream);
}

void geo_csv_number(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, "%.9g", value);
}

void geo_csv_heading(FILE *stream, const char *name, const char *units)
{
    char text[320];
    const bool has_unit = units && units[0] && strncmp(units, "degree", 6) != 0 && strcmp(units, "1") != 0;
    snprintf(text, sizeof text, "%.200s%s%.80s", name, has_unit ? "_" : "", has_unit ? units : "");
    for (char *c = text + strlen(name); has_unit && *c; c++)
        if (*c == ' ')
            *c = '_';
    geo_csv_text(stream, text);
}

static bool is_coordinate(const struct geo_column *column)
{
    return column->units && strncmp(column->units, "degree", 6) == 0;
}

const char *geo_note_text(const struct geo_note *note, char text[128])
{
    if (note->text)
        return note->text;
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < note->count && used < 100; k++)
        used += (size_t)snprintf(text + used, 128 - used, "%s%.9g", k > 0 ? " " : "", note->values[k]);
    return text;
}

static void write_rows(FILE *stream, const struct geo_about *about, const struct geo_table *table)
{
    char text[128];
    for (int c = 0; c < table->column_count; c++) {
        fputs(c > 0 ? "," : "", stream);
        geo_csv_heading(stream, table->columns[c].name, table->columns[c].units);
    }
    for (int k = 0; k < about->note_count; k++) {
        fputc(',', stream);
        geo_csv_text(stream, about->notes[k].name);
    }
    fputs("\r\n", stream);
    for (size_t row = 0; row < table->rows; row++) {
        for (int c = 0; c < table->column_count; c++) {
            const struct geo_column *column = &table->columns[c];
            fputs(c > 0 ? "," : "", stream);
            if (column->texts)
                geo_csv_text(stream, column->texts[row]);
            else if (is_coordinate(column) && isfinite(column->values[row]))
                fprintf(stream, "%.12g", column->values[row]);
            else
                geo_csv_number(stream, column->values[row]);
        }
        for (int k = 0; k < about->note_count; k++) {
            fputc(',', stream);
            geo_csv_text(stream, geo_note_text(&about->notes[k], text));
        }
        fputs("\r\n", stream);
    }
}

enum status geo_csv_write(const char *path, const struct geo_about *about, const struct geo_table *table)
{
    struct whole_file file;
    CHECK(whole_file_begin(&file, path));
    write_rows(file.stream, about, table);
    return whole_file_end(&file, STATUS_OK);
}
