// Gauge lists: read, cropped to the domain, moved to wet nodes. Independent of solvers and of the output.
#include "models/tsunami/gauges.h"

#include "models/tsunami/axis.h"
#include "models/tsunami/nearby.h"

#include "core/log.h"
#include "io/json_file.h"
#include "io/suggest.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAUGE_FILE_BYTES_MAX = 4 << 20, GAUGES_MAX = 10000 };

static enum status check_keys(const cJSON *object, const char *const *known, size_t count, const char *path,
                              const char *where)
{
    const char *unknown = json_unknown_key(object, known, count);
    if (!unknown)
        return STATUS_OK;
    const char *nearest = suggest_word(unknown, known, count);
    return FAIL(STATUS_DATA, "%s: %s: unknown key \"%s\"%s%s%s", path, where, unknown,
                nearest ? " (did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?)" : "");
}

static enum status read_coordinate(const cJSON *item, const char *path, const struct gauge *gauge,
                                   const char *key, const char *unit, double *value)
{
    if (!cJSON_IsString(item))
        return FAIL(STATUS_DATA, "%s: gauge %s: \"%s\" must be a text with a unit, like \"%s\"", path,
                    gauge->name, key, strcmp(unit, "m") == 0 ? "1200 m" : "148.694 degree");
    CHECK_ABOUT(units_parse_quantity(item->valuestring, unit, value), "%s: gauge %s: %s", path, gauge->name,
                key);
    return STATUS_OK;
}

static enum status read_small_integer(const cJSON *object, const char *key, const char *path,
                                      const char *gauge, int *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item)
        return STATUS_OK;
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= 10000) ||
        item->valuedouble != floor(item->valuedouble))
        return FAIL(STATUS_DATA, "%s: gauge %s: observed.%s must be a whole number from 0 to 10000", path,
                    gauge, key);
    *value = item->valueint;
    return STATUS_OK;
}

static enum status read_observed(const cJSON *object, const char *path, struct gauge *gauge)
{
    static const char *const known[] = {"file", "format", "time_column", "value_column", "skip_lines"};
    if (!object)
        return STATUS_OK;
    char where[GAUGE_NAME_MAX + 24];
    snprintf(where, sizeof where, "gauge %s: observed", gauge->name);
    if (!cJSON_IsObject(object))
        return FAIL(STATUS_DATA, "%s: %s must be an object", path, where);
    CHECK(check_keys(object, known, sizeof known / sizeof *known, path, where));
    const cJSON *file = cJSON_GetObjectItemCaseSensitive(object, "file");
    if (!cJSON_IsString(file) || strlen(file->valuestring) >= GAUGE_TEXT_MAX)
        return FAIL(STATUS_DATA, "%s: %s: \"file\" must be a text of less than %d characters", path, where,
                    GAUGE_TEXT_MAX);
    snprintf(gauge->observed_file, sizeof gauge->observed_file, "%s", file->valuestring);
    gauge->observed_value_column = 1;
    CHECK(read_small_integer(object, "time_column", path, gauge->name, &gauge->observed_time_column));
    CHECK(read_small_integer(object, "value_column", path, gauge->name, &gauge->observed_value_column));
    return read_small_integer(object, "skip_lines", path, gauge->name, &gauge->observed_skip_lines);
}

static enum status read_gauge(const cJSON *item, size_t index, const char *path, struct gauge *gauge)
{
    static const char *const known[] = {"name", "longitude",   "latitude", "x",
                                        "y",    "description", "observed", "required"};
    char where[48];
    snprintf(where, sizeof where, "gauge number %zu", index + 1);
    if (!cJSON_IsObject(item))
        return FAIL(STATUS_DATA, "%s: %s must be an object", path, where);
    CHECK(check_keys(item, known, sizeof known / sizeof *known, path, where));
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
    if (!cJSON_IsString(name) || !name->valuestring[0] || strlen(name->valuestring) >= GAUGE_NAME_MAX)
        return FAIL(STATUS_DATA, "%s: %s: \"name\" must be a text of 1 to %d characters", path, where,
                    GAUGE_NAME_MAX - 1);
    snprintf(gauge->name, sizeof gauge->name, "%s", name->valuestring);
    const cJSON *description = cJSON_GetObjectItemCaseSensitive(item, "description");
    if (cJSON_IsString(description))
        snprintf(gauge->description, sizeof gauge->description, "%s", description->valuestring);
    const cJSON *required = cJSON_GetObjectItemCaseSensitive(item, "required");
    if (required && !cJSON_IsBool(required))
        return FAIL(STATUS_DATA, "%s: gauge %s: \"required\" must be true or false", path, gauge->name);
    gauge->is_required = cJSON_IsTrue(required);
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(item, "x");
    if (x) {
        CHECK(read_coordinate(x, path, gauge, "x", "m", &gauge->x));
        CHECK(read_coordinate(cJSON_GetObjectItemCaseSensitive(item, "y"), path, gauge, "y", "m", &gauge->y));
    } else {
        CHECK(read_coordinate(cJSON_GetObjectItemCaseSensitive(item, "longitude"), path, gauge, "longitude",
                              "degree", &gauge->x));
        CHECK(read_coordinate(cJSON_GetObjectItemCaseSensitive(item, "latitude"), path, gauge, "latitude",
                              "degree", &gauge->y));
    }
    return read_observed(cJSON_GetObjectItemCaseSensitive(item, "observed"), path, gauge);
}

static enum status read_document(const cJSON *document, const char *path, struct gauge_list *list)
{
    static const char *const known[] = {"fathom_gauges", "title", "source", "comment", "gauges"};
    if (!cJSON_IsObject(document))
        return FAIL(STATUS_DATA, "%s: a gauge list must be a JSON object", path);
    CHECK(check_keys(document, known, sizeof known / sizeof *known, path, "gauge list"));
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(document, "fathom_gauges");
    if (!cJSON_IsNumber(version) || version->valuedouble != 1)
        return FAIL(STATUS_DATA, "%s: not a gauge list: \"fathom_gauges\": 1 is missing", path);
    const cJSON *gauges = cJSON_GetObjectItemCaseSensitive(document, "gauges");
    const int count = cJSON_GetArraySize(gauges);
    if (!cJSON_IsArray(gauges) || count < 1 || count > GAUGES_MAX)
        return FAIL(STATUS_DATA, "%s: \"gauges\" must be a list of 1 to %d gauges", path, GAUGES_MAX);
    list->gauges = calloc((size_t)count, sizeof *list->gauges);
    if (!list->gauges)
        return FAIL(STATUS_SYSTEM, "no memory for %d gauges", count);
    for (const cJSON *item = gauges->child; item; item = item->next) {
        struct gauge *gauge = &list->gauges[list->count];
        CHECK(read_gauge(item, list->count, path, gauge));
        for (size_t k = 0; k < list->count; k++)
            if (strcmp(list->gauges[k].name, gauge->name) == 0)
                return FAIL(STATUS_DATA, "%s: gauge %s appears twice", path, gauge->name);
        list->count++;
    }
    return STATUS_OK;
}

enum status gauge_list_read(const char *path, struct gauge_list *list)
{
    *list = (struct gauge_list){0};
    cJSON *document;
    CHECK(json_file_read(path, GAUGE_FILE_BYTES_MAX, &document));
    enum status status = read_document(document, path, list);
    cJSON_Delete(document);
    if (status != STATUS_OK)
        gauge_list_free(list);
    return status;
}

void gauge_list_free(struct gauge_list *list)
{
    free(list->gauges);
    free(list->left_out);
    *list = (struct gauge_list){0};
}

static enum status leave_out(struct gauge_list *list, const struct gauge *gauge, bool is_on_land)
{
    struct gauge_left_out *more =
        realloc(list->left_out, (list->left_out_count + 1) * sizeof *list->left_out);
    if (!more)
        return FAIL(STATUS_SYSTEM, "no memory for %zu gauges", list->left_out_count + 1);
    list->left_out = more;
    struct gauge_left_out *last = &list->left_out[list->left_out_count++];
    *last = (struct gauge_left_out){.x = gauge->x, .y = gauge->y, .is_on_land = is_on_land};
    memcpy(last->name, gauge->name, sizeof last->name);
    return STATUS_OK;
}

static bool is_inside(const struct grid_window *window, const struct gauge *gauge)
{
    const double half_dx = 0.5 * (window->x[1] - window->x[0]), half_dy = 0.5 * (window->y[1] - window->y[0]);
    return gauge->x >= window->x[0] - half_dx && gauge->x <= window->x[window->nx - 1] + half_dx &&
           gauge->y >= window->y[0] - half_dy && gauge->y <= window->y[window->ny - 1] + half_dy;
}

enum status gauge_list_crop(struct gauge_list *list, const struct grid_window *window, const char *path,
                            bool is_inherited)
{
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++) {
        struct gauge gauge = list->gauges[k];
        if (window->is_geographic)
            gauge.x = axis_longitude(window, gauge.x);
        if (is_inside(window, &gauge)) {
            list->gauges[kept++] = gauge;
            continue;
        }
        if (is_inherited)
            continue;
        if (gauge.is_required)
            return FAIL(
                STATUS_CONFIGURATION,
                "%s: gauge %s at (%g, %g) is required, and lies outside the domain (%g to %g, %g to %g)",
                path, gauge.name, gauge.x, gauge.y, window->x[0], window->x[window->nx - 1], window->y[0],
                window->y[window->ny - 1]);
        CHECK(leave_out(list, &gauge, false));
    }
    if (kept == 0 && !is_inherited)
        return FAIL(STATUS_CONFIGURATION, "%s: no gauge lies in the domain (%g to %g, %g to %g)", path,
                    window->x[0], window->x[window->nx - 1], window->y[0], window->y[window->ny - 1]);
    list->count = kept;
    return STATUS_OK;
}

static struct nearby_columns within_nodes(const struct gauge *gauge, const struct grid_window *window,
                                          size_t row, size_t reach)
{
    const size_t j = axis_nearest(window->y, window->ny, gauge->y);
    if (row + reach < j || row > j + reach)
        return (struct nearby_columns){0, 0};
    const size_t i = axis_nearest(window->x, window->nx, gauge->x);
    return (struct nearby_columns){i > reach ? i - reach : 0,
                                   i + reach < window->nx - 1 ? i + reach + 1 : window->nx};
}

// Finds the two entries of an axis between which a value lies, and the weight of the second. Beyond an end it
// is the end itself, or the two entries across the edge of a periodic axis, a mean spacing apart
// (geometry.c).
static double locate(const double *axis, size_t count, double value, bool is_periodic, size_t places[2])
{
    const double spacing = (axis[count - 1] - axis[0]) / (double)(count - 1);
    double share;
    if (is_periodic && !(value >= axis[0] && value <= axis[count - 1])) {
        places[0] = count - 1;
        places[1] = 0;
        share = value > axis[0] ? (value - axis[count - 1]) / spacing : 1 - (axis[0] - value) / spacing;
    } else {
        places[0] = axis_interval(axis, count, value);
        places[1] = places[0] + 1;
        share = (value - axis[places[0]]) / (axis[places[1]] - axis[places[0]]);
    }
    share = fmin(fmax(share, 0), 1);
    return share < 1e-6 || share > 1 - 1e-6 ? round(share) : share; // the node itself
}

void gauge_list_locate(struct gauge_list *list, const struct grid_window *window, const bool is_periodic[2],
                       bool interpolates)
{
    for (size_t k = 0; k < list->count; k++) {
        struct gauge *gauge = &list->gauges[k];
        struct tsunami_gauge_place *place = &gauge->place;
        const double x = locate(window->x, window->nx, gauge->x, is_periodic[0], place->columns);
        const double y = locate(window->y, window->ny, gauge->y, is_periodic[1], place->rows);
        const double weights[TSUNAMI_CORNERS] = {(1 - y) * (1 - x), (1 - y) * x, y * (1 - x), y * x};
        for (int c = 0; c < TSUNAMI_CORNERS; c++)
            place->weights[c] = interpolates ? weights[c] : 0;
    }
}

// Only those nodes around a gauge that are sea have a weight.
static void consider_corners(struct gauge *gauge, size_t row, const double *depth_m, double wall_depth_m)
{
    struct tsunami_gauge_place *place = &gauge->place;
    for (int c = 0; c < TSUNAMI_CORNERS; c++)
        if (place->rows[c / 2] == row && !(depth_m[place->columns[c % 2]] > fmax(0, wall_depth_m)))
            place->weights[c] = 0;
}

void gauge_list_consider(struct gauge_list *list, const struct grid_window *window, double earth_radius_m,
                         size_t row, const double *depth_m, double wall_depth_m,
                         const struct gauge_search *search)
{
    const bool is_length = !isnan(search->length_m);
    for (size_t k = 0; k < list->count; k++) {
        struct gauge *gauge = &list->gauges[k];
        consider_corners(gauge, row, depth_m, wall_depth_m);
        const struct nearby_columns stretch =
            is_length ? nearby_columns_of(window, earth_radius_m, gauge->x, gauge->y, row, search->length_m)
                      : within_nodes(gauge, window, row, search->nodes);
        for (size_t column = stretch.first; column < stretch.end; column++) {
            if (!(depth_m[column] > wall_depth_m))
                continue;
            const double distance = nearby_distance_m(window, earth_radius_m, gauge->x, gauge->y,
                                                      window->x[column], window->y[row]);
            if ((gauge->has_node && distance >= gauge->distance_m) ||
                (is_length && distance > search->length_m))
                continue;
            gauge->has_node = true;
            gauge->column = column;
            gauge->row = row;
            gauge->node_x = window->x[column];
            gauge->node_y = window->y[row];
            gauge->node_depth_m = gauge->depth_m = depth_m[column];
            gauge->distance_m = distance;
        }
    }
}

static void settle_place(struct gauge *gauge)
{
    struct tsunami_gauge_place *place = &gauge->place;
    double sum = 0;
    place->nearest = TSUNAMI_CORNERS;
    for (int c = 0; c < TSUNAMI_CORNERS; c++) {
        sum += place->weights[c];
        if (place->rows[c / 2] == gauge->row && place->columns[c % 2] == gauge->column &&
            place->weights[c] > 0)
            place->nearest = c;
    }
    if (place->nearest == TSUNAMI_CORNERS)
        *place = (struct tsunami_gauge_place){
            .rows = {gauge->row, gauge->row}, .columns = {gauge->column, gauge->column}, .weights = {1}};
    else
        for (int c = 0; c < TSUNAMI_CORNERS; c++)
            place->weights[c] /= sum;
}

static bool has_node(const struct gauge_list *list, const char *name)
{
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->gauges[k].name, name) == 0)
            return list->gauges[k].has_node;
    return false;
}

enum { SEARCH_TEXT_BYTES = 48 };

static const char *search_text(const struct gauge_search *search, char text[SEARCH_TEXT_BYTES])
{
    if (isnan(search->length_m))
        snprintf(text, SEARCH_TEXT_BYTES, "%zu node%s", search->nodes, search->nodes == 1 ? "" : "s");
    else
        snprintf(text, SEARCH_TEXT_BYTES, "%.6g m", search->length_m);
    return text;
}

enum status gauge_list_settle(struct gauge_list *list, const char *path, const struct gauge_search *search,
                              const struct gauge_list *const *others, size_t other_count, bool is_inherited)
{
    char text[SEARCH_TEXT_BYTES];
    size_t kept = 0, elsewhere = 0;
    const size_t count = list->count;
    for (size_t k = 0; k < count; k++) {
        const struct gauge gauge = list->gauges[k];
        if (gauge.has_node) {
            list->gauges[kept] = gauge;
            settle_place(&list->gauges[kept++]);
            continue;
        }
        bool is_elsewhere = false;
        for (size_t other = 0; other < other_count; other++)
            is_elsewhere |= has_node(others[other], gauge.name);
        elsewhere += is_elsewhere;
        if (is_elsewhere)
            log_info(
                "%s: gauge %s lies on land in one grid; it is recorded in the grid in which it lies in water",
                path, gauge.name);
        else if (gauge.is_required && !is_inherited)
            return FAIL(STATUS_CONFIGURATION,
                        "%s: gauge %s at (%g, %g) is required, and lies on land: no wet node within %s "
                        "(output.gauges.search)",
                        path, gauge.name, gauge.x, gauge.y, search_text(search, text));
        else if (!is_inherited)
            CHECK(leave_out(list, &gauge, true));
    }
    list->count = kept;
    if (kept + elsewhere == 0 && count > 0 && !is_inherited) {
        const struct gauge_left_out *first = &list->left_out[list->left_out_count - count];
        return FAIL(STATUS_CONFIGURATION,
                    "%s: no gauge is left: all %zu in the domain lie on land, the first of them %s at (%g, "
                    "%g), with no wet node within %s (output.gauges.search)",
                    path, count, first->name, first->x, first->y, search_text(search, text));
    }
    return STATUS_OK;
}

void gauge_list_warn_left_out(const struct gauge_list *list, const char *path,
                              const struct gauge_search *search)
{
    enum { WARNINGS_MAX = 8 }; // because the report of the run holds a limited number of warnings
    char text[SEARCH_TEXT_BYTES], names[200] = "";
    const bool are_few = list->left_out_count <= WARNINGS_MAX;
    size_t named = 0; // as many of the first ones as fit
    for (size_t k = 0; k < list->left_out_count; k++) {
        const struct gauge_left_out *gauge = &list->left_out[k];
        char line[GAUGE_NAME_MAX + 160];
        if (gauge->is_on_land)
            snprintf(line, sizeof line,
                     "gauge %s at (%g, %g) is left out: it lies on land, and no wet node is within %s",
                     gauge->name, gauge->x, gauge->y, search_text(search, text));
        else
            snprintf(line, sizeof line, "gauge %s at (%g, %g) is left out: it lies outside the domain",
                     gauge->name, gauge->x, gauge->y);
        if (are_few)
            log_warning("%s: %s", path, line);
        else
            log_info("%s: %s", path, line);
        const size_t length = strlen(names);
        if (named == k && length + strlen(gauge->name) + 3 < sizeof names) {
            snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", gauge->name);
            named++;
        }
    }
    char rest[48] = "";
    if (named < list->left_out_count)
        snprintf(rest, sizeof rest, ", and %zu more", list->left_out_count - named);
    if (!are_few)
        log_warning("%s: %zu gauges are left out, on land or outside the domain: %s%s", path,
                    list->left_out_count, names, rest);
}
