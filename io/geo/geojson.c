// Features as GeoJSON (RFC 7946): see features.h. Longitudes lie in −180 … 180, lines are cut at the
// antimeridian (geo_lines_wrap).
#include "io/geo/features.h"

#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum status put_text(FILE *stream, const char *text)
{
    cJSON *item = cJSON_CreateString(text);
    char *quoted = item ? utf8_print_json_line(item) : NULL;
    if (quoted)
        fputs(quoted, stream);
    cJSON_Delete(item);
    cJSON_free(quoted);
    return quoted ? STATUS_OK : FAIL(STATUS_SYSTEM, "not enough memory for a text of GeoJSON");
}

static void put_number(FILE *stream, double value, int digits)
{
    if (isfinite(value))
        fprintf(stream, "%.*g", digits, value);
    else
        fputs("null", stream);
}

static enum status put_geometry(FILE *stream, const struct geo_table *table, size_t row)
{
    const cJSON *geometry = table->geometries ? table->geometries[row] : NULL;
    if (geometry) {
        char *text = cJSON_PrintUnformatted(geometry);
        if (!text)
            return FAIL(STATUS_SYSTEM, "not enough memory for a geometry of GeoJSON");
        fputs(text, stream);
        cJSON_free(text);
        return STATUS_OK;
    }
    if (!isfinite(table->x[row]) || !isfinite(table->y[row])) {
        fputs("null", stream);
        return STATUS_OK;
    }
    fputs("{\"type\":\"Point\",\"coordinates\":[", stream);
    put_number(stream, geo_longitude(table->x[row]), 12);
    fputc(',', stream);
    put_number(stream, table->y[row], 12);
    fputs("]}", stream);
    return STATUS_OK;
}

static enum status put_row(FILE *stream, const struct geo_table *table, size_t row)
{
    fputs("{\"type\":\"Feature\",\"properties\":{", stream);
    for (int c = 0; c < table->column_count; c++) {
        const struct geo_column *column = &table->columns[c];
        fputs(c > 0 ? "," : "", stream);
        CHECK(put_text(stream, column->name));
        fputc(':', stream);
        if (column->texts)
            CHECK(put_text(stream, column->texts[row]));
        else
            put_number(stream, column->values[row], 9);
    }
    fputs("},\"geometry\":", stream);
    CHECK(put_geometry(stream, table, row));
    fputc('}', stream);
    return STATUS_OK;
}

// All lines of a level are one feature.
static enum status put_level(FILE *stream, const struct geo_line_set *set, const struct geo_lines *lines)
{
    fputs("{\"type\":\"Feature\",\"properties\":{\"what\":", stream);
    CHECK(put_text(stream, set->title));
    fputc(',', stream);
    CHECK(put_text(stream, set->name));
    fputc(':', stream);
    put_number(stream, lines->level, 9);
    fputs(",\"units\":", stream);
    CHECK(put_text(stream, set->units));
    fputs("},\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":[", stream);
    for (size_t k = 0; k < lines->line_count; k++) {
        fputs(k > 0 ? ",[" : "[", stream);
        for (size_t p = lines->lines[k].first; p < lines->lines[k].first + lines->lines[k].count; p++)
            fprintf(stream, "%s[%.12g,%.12g]", p > lines->lines[k].first ? "," : "", lines->points[p][0],
                    lines->points[p][1]);
        fputc(']', stream);
    }
    fputs("]}}", stream);
    return STATUS_OK;
}

static enum status put_note(FILE *stream, const struct geo_note *note)
{
    fputc(',', stream);
    CHECK(put_text(stream, note->name));
    fputc(':', stream);
    if (note->text)
        return put_text(stream, note->text);
    fputs(note->count > 1 ? "[" : "", stream);
    for (int k = 0; k < note->count; k++) {
        fputs(k > 0 ? "," : "", stream);
        put_number(stream, note->values[k], 9);
    }
    fputs(note->count > 1 ? "]" : "", stream);
    return STATUS_OK;
}

static bool has_unit(const struct geo_table *table, int c)
{
    const char *units = table->columns[c].units;
    return units && units[0] && strcmp(units, "1") != 0;
}

// Of a property of several tables once; it has the same unit in all.
static bool is_named_before(const struct geo_table *const *tables, const struct geo_table *const *table,
                            int c)
{
    for (; tables < table; tables++)
        for (int k = 0; k < (*tables)->column_count; k++)
            if (has_unit(*tables, k) && strcmp((*tables)->columns[k].name, (*table)->columns[c].name) == 0)
                return true;
    return false;
}

static enum status put_units(FILE *stream, const struct geo_table *const *tables)
{
    const char *between = "";
    fputs(",\"units\":{", stream);
    for (const struct geo_table *const *table = tables; *table; table++)
        for (int c = 0; c < (*table)->column_count; c++) {
            if (!has_unit(*table, c) || is_named_before(tables, table, c))
                continue;
            fputs(between, stream);
            CHECK(put_text(stream, (*table)->columns[c].name));
            fputc(':', stream);
            CHECK(put_text(stream, (*table)->columns[c].units));
            between = ",";
        }
    fputc('}', stream);
    return STATUS_OK;
}

// Members that RFC 7946 does not name are allowed (6.1), and passed over by programs that do not know them.
static enum status put_about(FILE *stream, const struct geo_about *about,
                             const struct geo_table *const *tables)
{
    fputs("{\"type\":\"FeatureCollection\",\"generator\":", stream);
    CHECK(put_text(stream, about->source));
    for (int k = 0; k < about->note_count; k++)
        CHECK(put_note(stream, &about->notes[k]));
    if (*tables)
        CHECK(put_units(stream, tables));
    return STATUS_OK;
}

static enum status put_all(FILE *stream, const struct geo_about *about, const struct geo_table *const *tables,
                           const struct geo_line_set *sets, int set_count)
{
    const char *between = "\n";
    CHECK(put_about(stream, about, tables));
    fputs(",\"features\":[", stream);
    for (; *tables; tables++)
        for (size_t row = 0; row < (*tables)->rows; row++) {
            fputs(between, stream);
            CHECK(put_row(stream, *tables, row));
            between = ",\n";
        }
    for (int s = 0; s < set_count; s++)
        for (int k = 0; k < sets[s].count; k++) {
            if (sets[s].lines[k].line_count == 0)
                continue;
            fputs(between, stream);
            CHECK(put_level(stream, &sets[s], &sets[s].lines[k]));
            between = ",\n";
        }
    fputs("\n]}\n", stream);
    return STATUS_OK;
}

enum status geo_json_write(const char *path, const struct geo_about *about,
                           const struct geo_table *const *tables, const struct geo_line_set *sets,
                           int set_count)
{
    struct whole_file file;
    CHECK(whole_file_begin(&file, path));
    return whole_file_end(&file, put_all(file.stream, about, tables, sets, set_count));
}
