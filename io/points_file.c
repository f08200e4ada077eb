// Lists of named places (see the header).
#include "io/points_file.h"

#include "io/geojson.h"
#include "io/json_file.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ABOUT_BYTES = 320, FIELDS_MAX = 256, UNIT_BYTES = 32 };

static enum status add_point(struct points_file *list, const char *path,
                             const struct points_file_point *point)
{
    if (list->count == POINTS_MAX)
        return FAIL(STATUS_DATA, "%s: more than %d points", path, POINTS_MAX);
    if ((list->count & (list->count - 1)) == 0) { // room for the next power of two
        const size_t room = list->count == 0 ? 1 : 2 * list->count;
        struct points_file_point *more = realloc(list->points, room * sizeof *more);
        if (!more)
            return FAIL(STATUS_SYSTEM, "no memory for %zu points", room);
        list->points = more;
    }
    list->points[list->count++] = *point;
    return STATUS_OK;
}

// ---- CSV

enum column { COLUMN_NAME, COLUMN_X, COLUMN_Y, COLUMNS };

struct csv {
    const char *path;
    bool is_geographic;
    char separator;
    char *next; // the rest of the text
    size_t line;
    char about[ABOUT_BYTES]; // "FILE: line 12"
    char *fields[FIELDS_MAX];
    size_t field_count, heading_count;
    struct {
        bool is_there;
        size_t field;
        double slope, offset; // to degrees or metres
    } columns[COLUMNS];
};

// The next line that is neither blank nor a comment; NULL at the end.
static char *next_line(struct csv *csv)
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

static void trim(char **text)
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

static enum status split(struct csv *csv, char *line)
{
    csv->field_count = 0;
    for (;;) {
        if (csv->field_count == FIELDS_MAX)
            return FAIL(STATUS_DATA, "%s: more than %d columns", csv->about, FIELDS_MAX);
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
        trim(&field);
        csv->fields[csv->field_count++] = field;
        if (is_last)
            return STATUS_OK;
        line = rest + 1;
    }
}

// "longitude (degrees)": the name before the unit; *unit: "" without one.
static void split_unit(char *field, char unit[UNIT_BYTES])
{
    char *open = strpbrk(field, "([");
    unit[0] = '\0';
    if (!open)
        return;
    snprintf(unit, UNIT_BYTES, "%.*s", (int)strcspn(open + 1, ")]"), open + 1);
    *open = '\0';
    trim(&field);
}

// Which of the columns a name means; COLUMNS: another. *is_degrees: of a position.
static enum column column_of(const char *name, bool *is_degrees)
{
    static const struct {
        const char *name;
        enum column column;
        bool is_degrees;
    } names[] = {{"name", COLUMN_NAME, false}, {"longitude", COLUMN_X, true}, {"lon", COLUMN_X, true},
                 {"long", COLUMN_X, true},     {"latitude", COLUMN_Y, true},  {"lat", COLUMN_Y, true},
                 {"x", COLUMN_X, false},       {"y", COLUMN_Y, false}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcasecmp(name, names[k].name) == 0) {
            *is_degrees = names[k].is_degrees;
            return names[k].column;
        }
    return COLUMNS;
}

static const char *column_name(enum column column, bool is_geographic)
{
    static const char *const names[COLUMNS][2] = {{"name", "name"}, {"x", "longitude"}, {"y", "latitude"}};
    return names[column][is_geographic];
}

static enum status read_heading(struct csv *csv)
{
    bool has_other[COLUMNS] = {false}; // of the other kind of grid
    for (size_t k = 0; k < csv->field_count; k++) {
        char unit[UNIT_BYTES];
        bool is_degrees;
        split_unit(csv->fields[k], unit);
        const enum column column = column_of(csv->fields[k], &is_degrees);
        if (column == COLUMNS)
            continue;
        if (column != COLUMN_NAME && is_degrees != csv->is_geographic) {
            has_other[column] = true;
            continue;
        }
        if (csv->columns[column].is_there)
            return FAIL(STATUS_DATA, "%s: the column %s appears twice", csv->about,
                        column_name(column, csv->is_geographic));
        csv->columns[column].is_there = true;
        csv->columns[column].field = k;
        csv->columns[column].slope = 1;
        csv->columns[column].offset = 0;
        if (column != COLUMN_NAME && unit[0])
            CHECK_ABOUT(units_conversion(unit, csv->is_geographic ? "degree" : "m",
                                         &csv->columns[column].slope, &csv->columns[column].offset),
                        "%s: column %s", csv->about, csv->fields[k]);
    }
    for (enum column c = COLUMN_X; c < COLUMNS; c++)
        if (!csv->columns[c].is_there && has_other[c])
            return FAIL(STATUS_DATA, "%s: the columns are %s, but the grid is %s: expected %s", csv->about,
                        csv->is_geographic ? "x and y in metres" : "degrees",
                        csv->is_geographic ? "in longitude and latitude" : "a plane in metres",
                        csv->is_geographic ? "longitude, latitude" : "x, y");
    for (enum column c = COLUMN_NAME; c < COLUMNS; c++)
        if (!csv->columns[c].is_there)
            return FAIL(STATUS_DATA,
                        "%s: no column %s: the first line must name the columns name, %s, with commas, "
                        "semicolons or tabs between them",
                        csv->about, column_name(c, csv->is_geographic),
                        csv->is_geographic ? "longitude, latitude" : "x, y");
    return STATUS_OK;
}

static enum status read_number(const struct csv *csv, enum column column, double *value)
{
    const char *field = csv->fields[csv->columns[column].field];
    char *end;
    *value = strtod(field, &end); // which reads 0x10, too
    if (end == field || *end || field[strspn(field, "+-.0123456789eE")] || !isfinite(*value))
        return FAIL(STATUS_DATA, "%s: %s is \"%.40s\", expected a number%s", csv->about,
                    column_name(column, csv->is_geographic), field,
                    strchr(field, ',') ? " with a point before its decimals" : "");
    *value = csv->columns[column].slope * *value + csv->columns[column].offset;
    return STATUS_OK;
}

static enum status read_row(const struct csv *csv, struct points_file_point *point)
{
    if (csv->field_count > csv->heading_count)
        return FAIL(
            STATUS_DATA, "%s: has %zu fields, but the heading has %zu%s", csv->about, csv->field_count,
            csv->heading_count,
            csv->separator == ',' ? ": decimals need a point, and a field with a comma quotation marks" : "");
    for (enum column c = COLUMN_NAME; c < COLUMNS; c++)
        if (csv->columns[c].field >= csv->field_count)
            return FAIL(STATUS_DATA, "%s: has %zu fields, and none in the column %s", csv->about,
                        csv->field_count, column_name(c, csv->is_geographic));
    point->line = csv->line;
    CHECK(place_set_name(csv->about, csv->fields[csv->columns[COLUMN_NAME].field], point->name));
    CHECK(read_number(csv, COLUMN_X, &point->x));
    CHECK(read_number(csv, COLUMN_Y, &point->y));
    return place_check(csv->about, csv->is_geographic, point->x, point->y);
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

static enum status read_csv(const char *path, char *text, bool is_geographic, struct points_file *list)
{
    struct csv csv = {.path = path, .is_geographic = is_geographic, .next = text};
    CHECK(check_line_ends(path, text));
    char *line = next_line(&csv);
    if (!line)
        return FAIL(STATUS_DATA, "%s: is empty: expected a line of column names, then points", path);
    csv.separator = strchr(line, ';') ? ';' : strchr(line, ',') ? ',' : '\t';
    CHECK(split(&csv, line));
    csv.heading_count = csv.field_count;
    CHECK(read_heading(&csv));
    while ((line = next_line(&csv))) {
        struct points_file_point point;
        CHECK(split(&csv, line));
        CHECK(read_row(&csv, &point));
        CHECK(add_point(list, path, &point));
    }
    return list->count > 0 ? STATUS_OK : FAIL(STATUS_DATA, "%s: has column names, but no points", path);
}

// ---- GeoJSON and JSON

static enum status read_geojson(const char *path, const cJSON *document, bool is_geographic,
                                struct points_file *list)
{
    static const char *const types[] = {"Point", NULL};
    struct geojson g;
    CHECK(geojson_begin(&g, path, document, is_geographic));
    while (geojson_next(&g)) {
        struct points_file_point point = {.line = 0};
        const cJSON *coordinates;
        size_t type;
        CHECK(geojson_geometry(&g, types, &type, &coordinates));
        CHECK(geojson_name(&g, "name", point.name));
        CHECK(geojson_position(&g, coordinates, &point.x, &point.y));
        CHECK(add_point(list, path, &point));
    }
    return STATUS_OK;
}

static enum status read_quantity(const cJSON *gauge, const char *about, const char *key, const char *unit,
                                 double *value)
{
    const cJSON *item = json_member(gauge, key);
    if (!cJSON_IsString(item))
        return FAIL(STATUS_DATA, "%s: \"%s\" must be a text with a unit, like \"%s\"", about, key,
                    strcmp(unit, "m") == 0 ? "1200 m" : "148.694 degree");
    CHECK_ABOUT(units_parse_quantity(item->valuestring, unit, value), "%s: %s", about, key);
    return STATUS_OK;
}

static enum status read_gauge(const cJSON *gauge, const char *about, bool is_geographic,
                              struct points_file_point *point)
{
    const char *const keys[2] = {column_name(COLUMN_X, is_geographic), column_name(COLUMN_Y, is_geographic)};
    const char *unit = is_geographic ? "degree" : "m";
    if (!cJSON_IsString(json_member(gauge, "name")))
        return FAIL(STATUS_DATA, "%s: no text \"name\"", about);
    CHECK(place_set_name(about, json_text(gauge, "name"), point->name));
    if (!json_member(gauge, keys[0]) && json_member(gauge, column_name(COLUMN_X, !is_geographic)))
        return FAIL(STATUS_DATA, "%s: is in %s, but the grid is %s: expected %s, %s", about,
                    is_geographic ? "metres" : "degrees",
                    is_geographic ? "in longitude and latitude" : "a plane in metres", keys[0], keys[1]);
    CHECK(read_quantity(gauge, about, keys[0], unit, &point->x));
    CHECK(read_quantity(gauge, about, keys[1], unit, &point->y));
    return place_check(about, is_geographic, point->x, point->y);
}

static enum status read_gauges(const char *path, const cJSON *document, bool is_geographic,
                               struct points_file *list)
{
    const cJSON *gauges = json_member(document, "gauges");
    if (!json_member(document, "fathom_gauges"))
        return FAIL(STATUS_DATA,
                    "%s: neither GeoJSON (\"type\": \"FeatureCollection\") nor a list of gauges "
                    "(\"fathom_gauges\": 1)",
                    path);
    if (!cJSON_IsArray(gauges) || !gauges->child)
        return FAIL(STATUS_DATA, "%s: \"gauges\" must be a list of at least one gauge", path);
    for (const cJSON *item = gauges->child; item; item = item->next) {
        struct points_file_point point = {.line = 0};
        char about[ABOUT_BYTES];
        snprintf(about, sizeof about, "%.256s: gauge number %zu", path, list->count + 1);
        CHECK(read_gauge(item, about, is_geographic, &point));
        CHECK(add_point(list, path, &point));
    }
    return STATUS_OK;
}

static enum status read_json(const char *path, bool is_geographic, struct points_file *list)
{
    cJSON *document;
    CHECK(json_file_read(path, POINTS_FILE_BYTES_MAX, &document));
    const enum status status =
        (geojson_is(document) ? read_geojson : read_gauges)(path, document, is_geographic, list);
    cJSON_Delete(document);
    return status;
}

static enum status check_names(const char *path, const struct points_file *list)
{
    size_t same[2];
    const enum status status = place_check_names(path, list->points, list->count, sizeof *list->points, same);
    if (status != STATUS_DATA || list->points[same[0]].line == 0)
        return status;
    return status_append(status, "in lines %zu and %zu", list->points[same[0]].line,
                         list->points[same[1]].line);
}

static enum status read_any(const char *path, bool is_geographic, struct points_file *list)
{
    char *text;
    size_t length;
    CHECK(text_file_read(path, POINTS_FILE_BYTES_MAX, &text, &length));
    char *begin = text + (strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0); // a byte order mark
    const char first = begin[strspn(begin, " \t\r\n")];
    enum status status = first == '{' || first == '[' ? read_json(path, is_geographic, list)
                                                      : read_csv(path, begin, is_geographic, list);
    free(text);
    CHECK(status);
    return check_names(path, list);
}

enum status points_file_read(const char *path, bool is_geographic, struct points_file *points)
{
    *points = (struct points_file){0};
    const enum status status = read_any(path, is_geographic, points);
    if (status != STATUS_OK)
        points_file_free(points);
    return status;
}

void points_file_free(struct points_file *points)
{
    free(points->points);
    *points = (struct points_file){0};
}
