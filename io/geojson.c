// Features of GeoJSON documents (see the header).
#include "io/geojson.h"

#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

bool geojson_is(const cJSON *document)
{
    static const char *const words[] = {"FeatureCollection",  "Feature",    "Point",
                                        "MultiPoint",         "LineString", "MultiLineString",
                                        "GeometryCollection", "Polygon",    "MultiPolygon"};
    const char *type = json_text(document, "type");
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(type, words[k]) == 0)
            return true;
    return false;
}

// Without "crs" positions are longitudes and latitudes (RFC 7946, 4); programs write one for other systems
// (GeoJSON 2008, 3).
static bool is_in_degrees(const cJSON *document)
{
    const char *name = json_text(json_member(json_member(document, "crs"), "properties"), "name");
    return !name[0] || strstr(name, "CRS84") || strstr(name, "EPSG::4326") || strstr(name, "EPSG:4326");
}

enum status geojson_begin(struct geojson *g, const char *path, const cJSON *document, bool is_geographic)
{
    const char *type = json_text(document, "type");
    *g = (struct geojson){.path = path, .is_geographic = is_geographic};
    if (strcmp(type, "Feature") == 0) {
        g->next = document;
    } else if (strcmp(type, "FeatureCollection") == 0) {
        const cJSON *features = json_member(document, "features");
        if (!cJSON_IsArray(features))
            return FAIL(STATUS_DATA, "%s: a FeatureCollection without a list \"features\"", path);
        g->next = features->child;
    } else {
        return FAIL(STATUS_DATA, "%s: a bare %.40s, expected a FeatureCollection, whose features have names",
                    path, type);
    }
    if (!g->next)
        return FAIL(STATUS_DATA, "%s: has no features", path);
    if (is_in_degrees(document) != is_geographic)
        return FAIL(STATUS_DATA, "%s: %s", path,
                    is_geographic
                        ? "its \"crs\" is not in longitude and latitude, but the grid is"
                        : "positions are longitudes and latitudes (RFC 7946), but the grid is a plane "
                          "in metres: expected a member \"crs\" that names the plane's system");
    return STATUS_OK;
}

bool geojson_next(struct geojson *g)
{
    g->feature = g->next;
    if (!g->feature)
        return false;
    g->next = g->feature->next;
    g->number++;
    snprintf(g->about, sizeof g->about, "%.256s: feature %zu", g->path, g->number);
    return true;
}

enum status geojson_name(const struct geojson *g, const char *property, char name[PLACE_NAME_BYTES])
{
    const cJSON *properties = json_member(g->feature, "properties");
    const cJSON *item = json_member(properties, property);
    if (!item)
        item = cJSON_GetObjectItem(properties, property); // in upper or lower case
    char number[32];
    if (cJSON_IsNumber(item)) {
        snprintf(number, sizeof number, "%.15g", item->valuedouble);
        return place_set_name(g->about, number, name);
    }
    if (!cJSON_IsString(item))
        return FAIL(STATUS_DATA,
                    "%s: no property \"%.40s\" that is a text or a number, from which its name comes",
                    g->about, property);
    return place_set_name(g->about, item->valuestring, name);
}

enum status geojson_geometry(const struct geojson *g, const char *const *types, size_t *type,
                             const cJSON **coordinates)
{
    const cJSON *geometry = json_member(g->feature, "geometry");
    const char *word = json_text(geometry, "type");
    for (*type = 0; types[*type] && strcmp(types[*type], word) != 0;)
        ++*type;
    if (!types[*type])
        return FAIL(STATUS_DATA, "%s: its geometry is %s%.40s, expected %s%s%s", g->about,
                    word[0] ? "a " : "missing", word, types[0], types[1] ? " or " : "",
                    types[1] ? types[1] : "");
    *coordinates = json_member(geometry, "coordinates");
    if (!cJSON_IsArray(*coordinates))
        return FAIL(STATUS_DATA, "%s: \"coordinates\" is not a list", g->about);
    return STATUS_OK;
}

enum status geojson_position(const struct geojson *g, const cJSON *position, double *x, double *y)
{
    const cJSON *first = cJSON_IsArray(position) ? position->child : NULL;
    const cJSON *second = first ? first->next : NULL;
    if (!cJSON_IsNumber(first) || !cJSON_IsNumber(second))
        return FAIL(STATUS_DATA, "%s: a position is not a list of two numbers, [%s]", g->about,
                    g->is_geographic ? "longitude, latitude" : "x, y");
    *x = first->valuedouble;
    *y = second->valuedouble;
    return place_check(g->about, g->is_geographic, *x, *y);
}
