// Features as KML 2.2 (OGC 07-147r2): see features.h. Elements stand in the order of its schema. No picture
// is linked, so that the file is complete by itself.
#include "io/geo/features.h"

#include "io/xml.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

// aabbggrr, of threat as on the page of a report (report/web/page.css): green, yellow, orange, red, purple;
// and of lines.
static const char *const colours[GEO_COLOURS] = {"ff4f7d2f", "ff00b4e0", "ff054ac9", "ff1e26b3", "ff5c0a7a"},
                         *const line_colours[GEO_COLOURS] = {"ffb0b0b0", "ff30d8f8", "ff2088f0", "ff2020d8",
                                                             "ffa02890"};
static const char unknown[] = "ff8a8a8a";

static void put_element(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, "<%s>", name);
    xml_text(stream, text);
    fprintf(stream, "</%s>", name);
}

static void put_style(FILE *stream, const char *id, int k, const char *colour)
{
    fprintf(stream, "<Style id=\"%s", id);
    if (k >= 0)
        fprintf(stream, "%d", k);
    fprintf(stream,
            "\"><IconStyle><color>%s</color></IconStyle><LineStyle><color>%s</color><width>2</width>"
            "</LineStyle><PolyStyle><color>80%s</color></PolyStyle></Style>\n",
            colour, colour, colour + 2);
}

static void put_styles(FILE *stream)
{
    put_style(stream, "unknown", -1, unknown);
    for (int k = 0; k < GEO_COLOURS; k++)
        put_style(stream, "level", k, colours[k]);
    for (int k = 0; k < GEO_COLOURS; k++)
        put_style(stream, "line", k, line_colours[k]);
}

static void put_value(FILE *stream, const char *name, const char *units, const char *text)
{
    char shown[320];
    const bool has_unit = units && units[0] && strcmp(units, "1") != 0;
    snprintf(shown, sizeof shown, "%.200s%s%.80s%s", name, has_unit ? " (" : "", has_unit ? units : "",
             has_unit ? ")" : "");
    fputs("<Data", stream);
    xml_attribute(stream, "name", name);
    fputc('>', stream);
    put_element(stream, "displayName", shown);
    put_element(stream, "value", text);
    fputs("</Data>", stream);
}

static void put_properties(FILE *stream, const struct geo_table *table, size_t row)
{
    char text[32];
    fputs("<ExtendedData>", stream);
    for (int c = 0; c < table->column_count; c++) {
        const struct geo_column *column = &table->columns[c];
        if (column->texts ? !column->texts[row][0] : !isfinite(column->values[row]))
            continue;
        if (!column->texts)
            snprintf(text, sizeof text, "%.9g", column->values[row]);
        put_value(stream, column->name, column->units, column->texts ? column->texts[row] : text);
    }
    fputs("</ExtendedData>", stream);
}

// ---- geometries

static void put_positions(FILE *stream, const cJSON *positions)
{
    const cJSON *position;
    fputs("<coordinates>", stream);
    cJSON_ArrayForEach(position, positions)
    {
        const cJSON *x = cJSON_GetArrayItem(position, 0), *y = cJSON_GetArrayItem(position, 1);
        if (cJSON_IsNumber(x) && cJSON_IsNumber(y))
            fprintf(stream, "%.12g,%.12g ", geo_longitude(x->valuedouble), y->valuedouble);
    }
    fputs("</coordinates>", stream);
}

static void put_polygon(FILE *stream, const cJSON *rings)
{
    const cJSON *ring;
    fputs("<Polygon>", stream);
    cJSON_ArrayForEach(ring, rings)
    {
        const char *kind = ring == rings->child ? "outerBoundaryIs" : "innerBoundaryIs";
        fprintf(stream, "<%s><LinearRing>", kind);
        put_positions(stream, ring);
        fprintf(stream, "</LinearRing></%s>", kind);
    }
    fputs("</Polygon>", stream);
}

static bool put_polygons(FILE *stream, const cJSON *geometry)
{
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(geometry, "type"), *polygon,
                *coordinates = cJSON_GetObjectItemCaseSensitive(geometry, "coordinates");
    if (!cJSON_IsString(type) || !cJSON_IsArray(coordinates))
        return false;
    if (strcmp(type->valuestring, "Polygon") == 0) {
        put_polygon(stream, coordinates);
        return true;
    }
    if (strcmp(type->valuestring, "MultiPolygon") != 0)
        return false;
    fputs("<MultiGeometry>", stream);
    cJSON_ArrayForEach(polygon, coordinates) put_polygon(stream, polygon);
    fputs("</MultiGeometry>", stream);
    return true;
}

static void put_geometry(FILE *stream, const struct geo_table *table, size_t row)
{
    if (table->geometries && table->geometries[row] && put_polygons(stream, table->geometries[row]))
        return;
    if (isfinite(table->x[row]) && isfinite(table->y[row]))
        fprintf(stream, "<Point><coordinates>%.12g,%.12g</coordinates></Point>", geo_longitude(table->x[row]),
                table->y[row]);
}

static void put_table(FILE *stream, const struct geo_table *table)
{
    fputs("<Folder>", stream);
    put_element(stream, "name", table->title);
    fputc('\n', stream);
    for (size_t row = 0; row < table->rows; row++) {
        const double level = table->levels ? table->levels[row] : (double)NAN;
        fputs("<Placemark>", stream);
        if (table->name_column >= 0)
            put_element(stream, "name", table->columns[table->name_column].texts[row]);
        if (isnan(level))
            fputs("<styleUrl>#unknown</styleUrl>", stream);
        else
            fprintf(stream, "<styleUrl>#level%d</styleUrl>",
                    level > 0 ? (int)fmin(level, GEO_COLOURS - 1) : 0);
        put_properties(stream, table, row);
        put_geometry(stream, table, row);
        fputs("</Placemark>\n", stream);
    }
    fputs("</Folder>\n", stream);
}

// ---- lines

static void put_level(FILE *stream, const struct geo_line_set *set, int k)
{
    const struct geo_lines *lines = &set->lines[k];
    char label[96], text[32];
    snprintf(label, sizeof label, "%.6g %.40s", lines->level * set->shown_factor, set->shown_as);
    snprintf(text, sizeof text, "%.9g", lines->level);
    fputs("<Placemark>", stream);
    put_element(stream, "name", label);
    const int colour = set->count > 1 ? (GEO_COLOURS - 1) * k / (set->count - 1) : 0;
    fprintf(stream, "<styleUrl>#line%d</styleUrl><ExtendedData>", colour);
    put_value(stream, set->name, set->units, text);
    fputs("</ExtendedData><MultiGeometry>", stream);
    for (size_t l = 0; l < lines->line_count; l++) {
        fputs("<LineString><tessellate>1</tessellate><coordinates>", stream);
        for (size_t p = lines->lines[l].first; p < lines->lines[l].first + lines->lines[l].count; p++)
            fprintf(stream, "%.12g,%.12g ", lines->points[p][0], lines->points[p][1]);
        fputs("</coordinates></LineString>", stream);
    }
    fputs("</MultiGeometry></Placemark>\n", stream);
}

static void put_lines(FILE *stream, const struct geo_line_set *set)
{
    fputs("<Folder>", stream);
    put_element(stream, "name", set->title);
    fputc('\n', stream);
    for (int k = 0; k < set->count; k++)
        if (set->lines[k].line_count > 0)
            put_level(stream, set, k);
    fputs("</Folder>\n", stream);
}

static void put_description(FILE *stream, const struct geo_about *about)
{
    char text[128];
    fputs("<description>", stream);
    xml_text(stream, about->source);
    for (int k = 0; k < about->note_count; k++) {
        fprintf(stream, "\n%s: ", about->notes[k].name);
        xml_text(stream, geo_note_text(&about->notes[k], text));
    }
    fputs("</description>", stream);
}

enum status geo_kml_write(const char *path, const struct geo_about *about,
                          const struct geo_table *const *tables, const struct geo_line_set *sets,
                          int set_count)
{
    struct whole_file file;
    CHECK(whole_file_begin(&file, path));
    FILE *stream = file.stream;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n"
          "<Document>",
          stream);
    put_element(stream, "name", about->title);
    put_description(stream, about);
    fputc('\n', stream);
    put_styles(stream);
    for (; *tables; tables++)
        put_table(stream, *tables);
    for (int s = 0; s < set_count; s++)
        put_lines(stream, &sets[s]);
    fputs("</Document>\n</kml>\n", stream);
    return whole_file_end(&file, STATUS_OK);
}
