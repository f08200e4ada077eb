// Maps of the page as JSON: see map.h.
#include "report/web/map.h"

#include "io/json_file.h"
#include "report/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const web_map_levels[WEB_MAP_LEVELS] = {"#2f7d4f", "#e0b400", "#c94a05", "#b3261e",
                                                    "#7a0a5c", "#3d0a4d", "#8a8a8a"};

static enum status out_of_memory(void)
{
    return FAIL(STATUS_SYSTEM, "report: not enough memory for the page's map");
}

// To a decimal place that is smaller than `unit`, so that the text is short.
static double rounded(double value, double unit)
{
    char text[64];
    snprintf(text, sizeof text, "%.*f", (int)fmax(0, fmin(12, ceil(-log10(unit)))), value);
    return isfinite(value) ? strtod(text, NULL) : 0;
}

static void add_numbers(cJSON *object, const char *name, const double *values, size_t count)
{
    cJSON *list = cJSON_AddArrayToObject(object, name);
    for (size_t k = 0; k < count; k++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(values[k]));
}

cJSON *web_map_add(cJSON *data, const char *id, const struct map_view *view)
{
    cJSON *maps = cJSON_GetObjectItem(data, "maps");
    if (!maps)
        maps = cJSON_AddArrayToObject(data, "maps");
    cJSON *map = json_append_object(maps);
    const double bounds[] = {view->x[0], view->y[0], view->x[1], view->y[1]};
    cJSON_AddStringToObject(map, "id", id);
    cJSON_AddBoolToObject(map, "is_geographic", view->is_geographic);
    cJSON_AddNumberToObject(map, "y_weight", view->y_weight);
    cJSON_AddNumberToObject(map, "metres_per_unit", view->metres_per_unit);
    add_numbers(map, "bounds", bounds, 4);
    return map;
}

// ---- images

// west, south, east, north of the image's outer edges.
static void add_bounds(cJSON *object, const struct result_map *map)
{
    const double bounds[] = {map->x_first - 0.5 * map->x_step, map->y_first - 0.5 * map->y_step,
                             map->x_first + ((double)map->nx - 0.5) * map->x_step,
                             map->y_first + ((double)map->ny - 0.5) * map->y_step};
    add_numbers(object, "bounds", bounds, 4);
}

static enum status add_image(cJSON *object, const char *name, const struct result_map *map,
                             const unsigned char *indices, const struct image_palette *palette, size_t *bytes)
{
    char *uri;
    CHECK(image_uri(indices, map->nx, map->ny, palette, &uri));
    *bytes = strlen(uri);
    cJSON *text = cJSON_CreateString(uri);
    free(uri);
    if (!text)
        return out_of_memory();
    if (name)
        cJSON_AddItemToObject(object, name, text);
    else
        cJSON_AddItemToArray(object, text);
    return STATUS_OK;
}

static enum status add_field_image(cJSON *object, const char *name, const struct web_map_field *field,
                                   const struct map_pair *pair, size_t steps, size_t *bytes)
{
    const struct result_map *map = &pair->values;
    const struct image_palette palette = image_palette_of(field->palette, STYLE_COLOURS, steps);
    const size_t count = map->nx * map->ny;
    const double unit_size = field->unit_size > 0 ? field->unit_size : 1;
    unsigned char *indices = malloc(count);
    if (!indices)
        return out_of_memory();
    for (size_t k = 0; k < count; k++) {
        const bool is_shown =
            !field->is_on_water_only || pair->ground.values || pair->water.values[k] >= 0.5f;
        const double place = style_scale_position(field->scale, (double)map->values[k] / unit_size);
        const double step = fmin(floor(place * (double)steps), (double)steps - 1);
        indices[k] = is_shown && isfinite(place) ? (unsigned char)(1 + step) : 0;
    }
    const enum status status = add_image(object, name, map, indices, &palette, bytes);
    free(indices);
    return status;
}

enum status web_map_base(cJSON *map, const struct map_pair *pair)
{
    static const struct image_palette palette = {3, {0, 0xfff3f5f7u, 0xffc9c6c0u}};
    const struct result_map *water = &pair->water;
    unsigned char *indices = malloc(water->nx * water->ny);
    if (!indices)
        return out_of_memory();
    for (size_t k = 0; k < water->nx * water->ny; k++)
        indices[k] = water->values[k] >= 0.5f ? 1 : 2;
    cJSON *base = cJSON_AddObjectToObject(map, "base");
    size_t bytes;
    add_bounds(base, water);
    const enum status status = add_image(base, "image", water, indices, &palette, &bytes);
    free(indices);
    return status;
}

void web_map_legend(cJSON *layer, const struct web_map_field *field)
{
    static const char *const kinds[] = {"linear", "logarithmic", "symmetric"};
    double ticks[STYLE_TICKS_MAX];
    char text[STYLE_TEXT_BYTES];
    cJSON *legend = cJSON_AddObjectToObject(layer, "legend");
    const size_t count = style_scale_ticks(field->scale, ticks);
    cJSON *colours = cJSON_AddArrayToObject(legend, "colours"),
          *list = cJSON_AddArrayToObject(legend, "ticks");
    cJSON_AddStringToObject(legend, "kind", kinds[field->scale->kind]);
    json_add_number(legend, "low", field->scale->low);
    json_add_number(legend, "high", field->scale->high);
    if (field->unit)
        cJSON_AddStringToObject(legend, "unit", field->unit);
    if (field->note)
        cJSON_AddStringToObject(legend, "note", field->note);
    for (size_t k = 0; k < STYLE_COLOURS; k++)
        cJSON_AddItemToArray(colours, cJSON_CreateString(field->palette[k]));
    for (size_t k = 0; k < count; k++) {
        cJSON *tick = json_append_object(list);
        json_add_number(tick, "at", rounded(style_scale_position(field->scale, ticks[k]), 1e-4));
        cJSON_AddStringToObject(tick, "text", field->format(ticks[k], text));
    }
}

enum status web_map_overlay(cJSON *map, const struct web_map_field *field, const struct map_pair *pair,
                            cJSON **overlay, size_t *bytes)
{
    cJSON *list = cJSON_GetObjectItem(map, "overlays");
    if (!list)
        list = cJSON_AddArrayToObject(map, "overlays");
    *overlay = json_append_object(list);
    cJSON_AddStringToObject(*overlay, "name", field->name);
    web_map_legend(*overlay, field);
    add_bounds(*overlay, &pair->values);
    return add_field_image(*overlay, "image", field, pair, WEB_MAP_STEPS, bytes);
}

enum status web_map_inset(cJSON *overlay, const struct web_map_field *field, const struct map_pair *pair,
                          size_t *bytes)
{
    cJSON *list = cJSON_GetObjectItem(overlay, "insets");
    if (!list)
        list = cJSON_AddArrayToObject(overlay, "insets");
    cJSON *inset = json_append_object(list);
    add_bounds(inset, &pair->values);
    return add_field_image(inset, "image", field, pair, WEB_MAP_STEPS, bytes);
}

cJSON *web_map_frames(cJSON *map, const struct web_map_field *field)
{
    cJSON *frames = cJSON_AddObjectToObject(map, "frames");
    cJSON_AddStringToObject(frames, "name", field->name);
    web_map_legend(frames, field);
    cJSON_AddArrayToObject(frames, "times_s");
    cJSON_AddArrayToObject(frames, "images");
    return frames;
}

enum status web_map_frame(cJSON *frames, const struct web_map_field *field, const struct map_pair *pair,
                          double time_s, size_t *bytes)
{
    if (!cJSON_HasObjectItem(frames, "bounds"))
        add_bounds(frames, &pair->values);
    cJSON_AddItemToArray(cJSON_GetObjectItem(frames, "times_s"), cJSON_CreateNumber(time_s));
    return add_field_image(cJSON_GetObjectItem(frames, "images"), NULL, field, pair, WEB_MAP_FRAME_STEPS,
                           bytes);
}

// ---- lines

// Distance of point k from the straight line between two others.
static double distance_from(const float *xy, size_t first, size_t last, size_t k)
{
    const double ax = xy[2 * first], ay = xy[2 * first + 1], dx = (double)xy[2 * last] - ax,
                 dy = (double)xy[2 * last + 1] - ay, px = (double)xy[2 * k] - ax,
                 py = (double)xy[2 * k + 1] - ay, length = hypot(dx, dy);
    const double along = length > 0 ? fmax(0, fmin(1, (px * dx + py * dy) / (length * length))) : 0;
    return hypot(px - along * dx, py - along * dy);
}

// By halves with an explicit stack: a half is at most as long as its whole, and the deeper is done first.
size_t web_map_simplify(const float *xy, size_t count, double tolerance, bool *keep)
{
    enum { STACK = 128 };
    size_t stack[STACK][2], depth = 0, kept = 0;
    for (size_t k = 0; k < count; k++)
        keep[k] = k == 0 || k + 1 == count;
    if (count > 2) {
        stack[depth][0] = 0;
        stack[depth++][1] = count - 1;
    }
    while (depth > 0) {
        const size_t first = stack[--depth][0], last = stack[depth][1];
        size_t farthest = first;
        double most = tolerance;
        for (size_t k = first + 1; k < last; k++) {
            const double distance = distance_from(xy, first, last, k);
            if (distance > most) {
                most = distance;
                farthest = k;
            }
        }
        if (farthest == first)
            continue;
        keep[farthest] = true;
        const bool has_space = depth + 2 <= STACK;
        for (size_t k = first + 1; k < last && !has_space; k++) // not reached in practice: keeps every point
            keep[k] = true;
        if (!has_space)
            continue;
        // The shorter part on top: the stack is then no deeper than the logarithm of `count`.
        const bool is_first_longer = farthest - first > last - farthest;
        stack[depth][0] = is_first_longer ? first : farthest;
        stack[depth++][1] = is_first_longer ? farthest : last;
        stack[depth][0] = is_first_longer ? farthest : first;
        stack[depth++][1] = is_first_longer ? last : farthest;
    }
    for (size_t k = 0; k < count; k++)
        kept += keep[k];
    return kept;
}

// Whether a line is too small to be seen.
static bool is_speck(const float *xy, size_t count, double tolerance)
{
    for (size_t k = 1; k < count; k++)
        if (hypot((double)xy[2 * k] - (double)xy[0], (double)xy[2 * k + 1] - (double)xy[1]) > tolerance)
            return false;
    return true;
}

static enum status add_path(cJSON *paths, const float *xy, size_t count, double tolerance)
{
    const double unit = tolerance > 0 ? 0.5 * tolerance : 1e-6;
    if (count < 2 || is_speck(xy, count, tolerance))
        return STATUS_OK;
    bool *keep = malloc(count * sizeof *keep);
    if (!keep)
        return out_of_memory();
    web_map_simplify(xy, count, tolerance, keep);
    cJSON *path = cJSON_CreateArray();
    for (size_t k = 0; k < 2 * count; k++)
        if (keep[k / 2])
            cJSON_AddItemToArray(path, cJSON_CreateNumber(rounded((double)xy[k], unit)));
    cJSON_AddItemToArray(paths, path);
    free(keep);
    return STATUS_OK;
}

static void add_labels(cJSON *object, const struct map_labels *labels)
{
    cJSON *list = cJSON_AddArrayToObject(object, "labels");
    for (size_t k = 0; k < labels->count; k++) {
        cJSON *label = json_append_object(list);
        json_add_number(label, "x", rounded(labels->labels[k].x, 1e-4));
        json_add_number(label, "y", rounded(labels->labels[k].y, 1e-4));
        cJSON_AddStringToObject(label, "text", labels->labels[k].text);
    }
}

enum status web_map_lines(cJSON *parent, const struct web_map_line *line, const struct contour_points *points,
                          const struct map_labels *labels)
{
    if (!points || points->count == 0)
        return STATUS_OK;
    cJSON *list = cJSON_GetObjectItem(parent, "lines");
    if (!list)
        list = cJSON_AddArrayToObject(parent, "lines");
    cJSON *object = json_append_object(list);
    cJSON_AddStringToObject(object, "name", line->name);
    cJSON_AddStringToObject(object, "colour", line->colour);
    cJSON_AddNumberToObject(object, "width", line->width);
    cJSON_AddNumberToObject(object, "opacity", line->opacity > 0 ? line->opacity : 1);
    cJSON_AddBoolToObject(object, "is_dashed", line->is_dashed);
    cJSON_AddBoolToObject(object, "is_off", line->is_off);
    cJSON *paths = cJSON_AddArrayToObject(object, "paths");
    if (labels && labels->count > 0)
        add_labels(object, labels);
    size_t first = 0;
    for (size_t k = 0; k <= points->count; k++) {
        if (k < points->count && !isnan(points->xy[2 * k]))
            continue;
        CHECK(add_path(paths, points->xy + 2 * first, k - first, line->tolerance));
        first = k + 1;
    }
    return STATUS_OK;
}

// ---- marks

double web_map_x(const cJSON *map, double x)
{
    const cJSON *bounds = json_member(map, "bounds");
    if (!cJSON_IsTrue(json_member(map, "is_geographic")) || cJSON_GetArraySize(bounds) != 4)
        return x;
    const double west = cJSON_GetArrayItem(bounds, 0)->valuedouble,
                 east = cJSON_GetArrayItem(bounds, 2)->valuedouble, turned = x + 360 * ceil((west - x) / 360);
    return turned <= east ? turned : x + 360 * round((0.5 * (west + east) - x) / 360);
}

cJSON *web_map_mark(cJSON *map, const char *kind, const char *name, double x, double y, int level)
{
    cJSON *list = cJSON_GetObjectItem(map, "marks");
    if (!list)
        list = cJSON_AddArrayToObject(map, "marks");
    cJSON *mark = json_append_object(list);
    cJSON_AddStringToObject(mark, "kind", kind);
    cJSON_AddStringToObject(mark, "name", name);
    json_add_number(mark, "x", web_map_x(map, x));
    json_add_number(mark, "y", y);
    if (level >= 0)
        cJSON_AddNumberToObject(mark, "level", level);
    cJSON_AddArrayToObject(mark, "rows");
    return mark;
}

void web_map_row(cJSON *mark, const char *name, const char *value)
{
    cJSON *rows = cJSON_GetObjectItem(mark, "rows"), *row = cJSON_CreateArray();
    cJSON_AddItemToArray(row, cJSON_CreateString(name));
    cJSON_AddItemToArray(row, cJSON_CreateString(value));
    cJSON_AddItemToArray(rows, row);
}
