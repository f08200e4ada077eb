// Lists of named places (see the header).
#include "io/points_file.h"

#include "io/geojson.h"
#include "io/json_file.h"
#include "io/points_csv.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ABOUT_BYTES = 320 };

static const char *const axis_names[2][2] = {{"x", "y"}, {"longitude", "latitude"}};

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
    const char *const keys[2] = {axis_names[is_geographic][0], axis_names[is_geographic][1]};
    const char *unit = is_geographic ? "degree" : "m";
    if (!cJSON_IsString(json_member(gauge, "name")))
        return FAIL(STATUS_DATA, "%s: no text \"name\"", about);
    CHECK(place_set_name(about, json_text(gauge, "name"), point->name));
    if (!json_member(gauge, keys[0]) && json_member(gauge, axis_names[!is_geographic][0]))
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

struct list {
    const char *path;
    struct points_file *points;
};

static enum status take_row(void *context, const struct points_csv_row *row)
{
    const struct list *list = context;
    struct points_file_point point = {.x = row->x, .y = row->y, .line = row->line};
    memcpy(point.name, row->name, sizeof point.name);
    return add_point(list->points, list->path, &point);
}

static enum status check_names(const char *path, const struct points_file *list)
{
    size_t same[2];
    const enum status status = place_check_names(path, list->points, list->count, sizeof *list->points, same);
    if (status != STATUS_DATA)
        return status;
    if (list->points[same[0]].line == 0) // of JSON each entry is a point
        return status_append(status, "in entries %zu and %zu of its list", same[0] + 1, same[1] + 1);
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
    struct list table = {path, list};
    enum status status = first == '{' || first == '['
                             ? read_json(path, is_geographic, list)
                             : points_csv_read(path, begin, is_geographic, take_row, &table);
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
