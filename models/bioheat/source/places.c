// Positions of points and boxes: lists in the job or in a file, as cells, positions or addresses, all within
// the grid.
#include "models/bioheat/source/private.h"

#include "core/log.h"
#include "io/units.h"
#include "models/bioheat/body/frame.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY_BYTES = 2400 };

// A position along the axes, in cells from the middle of cell 0, and the form in which it was given: a
// position (m) as it stands in the job or its file.
struct place {
    double cells[BIOHEAT_AXES], given_m[BIOHEAT_AXES];
    bool is_position;
};

// Entry `index` of a list. Messages call it "source.points: point 3" or "source.boxes: box 3, first corner".
struct entry {
    struct bioheat_heating *heating;
    struct source_rows *rows;
    size_t index;
    const char *corner; // of a box, while one is read; else NULL
};

enum { CORNERS = 2 };
static const char *const corner_names[CORNERS] = {"first", "last"};

static bool are_boxes(const struct bioheat_heating *heating, const struct source_rows *rows)
{
    return rows == &heating->boxes;
}

static const char *entry_text(const struct entry *entry, char text[ENTRY_BYTES])
{
    const struct source_rows *rows = entry->rows;
    const char *corner = entry->corner ? entry->corner : "";
    if (rows->path[0])
        snprintf(text, ENTRY_BYTES, "%.2000s: variable %.200s: %s %zu%s%s", rows->path, rows->variable->name,
                 rows->noun, entry->index, corner[0] ? ", corner " : "", corner);
    else
        snprintf(text, ENTRY_BYTES, "%.500s: %s %zu%s%s", rows->where, rows->noun, entry->index,
                 corner[0] ? ", corner " : "", corner);
    return text;
}

static enum status fail_entry(const struct entry *entry, const char *axis, double value, const char *expected)
{
    char text[ENTRY_BYTES];
    return FAIL(entry->rows->path[0] ? STATUS_DATA : STATUS_CONFIGURATION, "%s: %s is %.10g, expected %s",
                entry_text(entry, text), axis, value, expected);
}

// A cell's index, counted as in the job.
static enum status place_by_number(const struct entry *entry, int axis, double number, struct place *place)
{
    const struct bioheat_heating *heating = entry->heating;
    char expected[96];
    const double cell = number - (double)heating->first_index;
    const size_t cells = heating->grid->cells[axis];
    snprintf(expected, sizeof expected, "a cell of the grid, a whole number from %zu to %zu",
             heating->first_index, heating->first_index + cells - 1);
    if (!(cell == floor(cell)) || cell < 0 || cell >= (double)cells)
        return fail_entry(entry, bioheat_axis_names[axis], number, expected);
    place->cells[axis] = cell;
    return STATUS_OK;
}

// A position along the slices, within the grid's outer faces, half a cell beyond the middles of the outermost
// cells.
static enum status place_along(const struct entry *entry, int axis, double position_m, struct place *place)
{
    const struct bioheat_grid *grid = entry->heating->grid;
    static const char *const names[BIOHEAT_AXES] = {"z (m)", "y (m)", "x (m)"};
    char expected[128];
    const double origin_m = grid->origin_m[axis], spacing_m = grid->spacing_m[axis];
    const double last = (double)grid->cells[axis] - 1, cells = (position_m - origin_m) / spacing_m;
    snprintf(expected, sizeof expected, "a place within the grid, %.10g to %.10g m%s",
             origin_m - 0.5 * spacing_m, origin_m + (last + 0.5) * spacing_m,
             grid->frame.is_tilted ? " along its tilted slices" : "");
    if (!(cells >= -0.5 - 1e-9 && cells <= last + 0.5 + 1e-9))
        return fail_entry(entry, names[axis], position_m, expected);
    place->cells[axis] = cells;
    return STATUS_OK;
}

static enum status place_by_position(const struct entry *entry, struct place *place)
{
    double along_m[BIOHEAT_AXES];
    bioheat_slices_of_given(entry->heating->grid, place->given_m, along_m);
    place->is_position = true;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        CHECK(place_along(entry, axis, along_m[axis], place));
    return STATUS_OK;
}

// A box is aligned with the slices. Between tilted ones it is as long as its corners say, about the middle
// that they have in scanner coordinates.
static enum status place_corners(struct entry *entry, struct place corners[CORNERS])
{
    const struct bioheat_grid *grid = entry->heating->grid;
    double middle_m[BIOHEAT_AXES], along_m[BIOHEAT_AXES];
    if (!corners[0].is_position || !corners[1].is_position)
        return STATUS_OK;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        middle_m[axis] = 0.5 * (corners[0].given_m[axis] + corners[1].given_m[axis]);
    bioheat_slices_of_given(grid, middle_m, along_m);
    for (int c = 0; c < CORNERS; c++) {
        entry->corner = corner_names[c];
        for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
            const double given_m = corners[c].given_m[axis];
            CHECK(place_along(entry, axis,
                              grid->frame.is_tilted ? along_m[axis] + given_m - middle_m[axis] : given_m,
                              &corners[c]));
        }
    }
    entry->corner = NULL;
    return STATUS_OK;
}

// ---- an entry: a point, or the two corners of a box

static size_t nearest(double cells, size_t count)
{
    const double cell = floor(cells + 0.5);
    return cell < 0 ? 0 : cell >= (double)count ? count - 1 : (size_t)cell;
}

// Of positions: the cells whose middles lie between the corners.
static enum status set_box(const struct entry *entry, const struct place corners[CORNERS])
{
    char text[ENTRY_BYTES];
    struct bioheat_box *box = &entry->heating->box_cells[entry->index];
    const enum status wrong = entry->rows->path[0] ? STATUS_DATA : STATUS_CONFIGURATION;
    for (int a = 0; a < BIOHEAT_AXES; a++) {
        const double from = corners[0].cells[a], to = corners[1].cells[a];
        if (from > to)
            return FAIL(wrong, "%s: its first corner lies beyond its last along %s: the corners are swapped",
                        entry_text(entry, text), bioheat_axis_names[a]);
        const double first = ceil(from - 1e-9), last = floor(to + 1e-9);
        if (first > last)
            return FAIL(wrong, "%s: no middle of a cell lies between its corners along %s",
                        entry_text(entry, text), bioheat_axis_names[a]);
        box->first[a] = nearest(first, entry->heating->grid->cells[a]);
        box->last[a] = nearest(last, entry->heating->grid->cells[a]);
    }
    return STATUS_OK;
}

static enum status set_entry(struct entry *entry, struct place corners[CORNERS])
{
    entry->corner = NULL;
    entry->rows->has_numbers |= !corners[0].is_position;
    if (are_boxes(entry->heating, entry->rows)) {
        CHECK(place_corners(entry, corners));
        return set_box(entry, corners);
    }
    if (corners[0].is_position)
        CHECK(place_by_position(entry, &corners[0]));
    for (int a = 0; a < BIOHEAT_AXES; a++)
        entry->heating->point_cells[entry->index][a] =
            nearest(corners[0].cells[a], entry->heating->grid->cells[a]);
    return STATUS_OK;
}

// ---- in the job

static enum status read_object(const struct entry *entry, const cJSON *object, struct place *place)
{
    char text[ENTRY_BYTES];
    *place = (struct place){0};
    if (!cJSON_IsObject(object))
        return FAIL(STATUS_CONFIGURATION, "%s: an object {\"x\", \"y\", \"z\"} is expected",
                    entry_text(entry, text));
    for (const cJSON *child = object->child; child; child = child->next)
        if (strlen(child->string) != 1 || !strchr("xyz", child->string[0]))
            return FAIL(STATUS_CONFIGURATION, "%s: unknown key %.40s (known are x, y, z)",
                        entry_text(entry, text), child->string);
    int positions = 0, numbers = 0;
    const struct bioheat_grid *grid = entry->heating->grid;
    // A position on a tilted plane needs all three.
    const bool needs_all = grid->frame.is_tilted && !grid->frame.is_given_along_slices &&
                           cJSON_IsString(cJSON_GetObjectItemCaseSensitive(object, "x"));
    for (int a = 0; a < BIOHEAT_AXES; a++) {
        const char *name = bioheat_axis_names[a];
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
        place->given_m[a] = grid->origin_m[a];
        if (!item && a == BIOHEAT_Z && grid->cells[a] == 1 && !needs_all)
            continue; // a plane
        if (cJSON_IsNumber(item)) {
            numbers++;
            CHECK(place_by_number(entry, a, item->valuedouble, place));
            continue;
        }
        if (!cJSON_IsString(item))
            return FAIL(STATUS_CONFIGURATION,
                        "%s: %s: %s; a cell's number, or a position such as \"12 mm\", is expected",
                        entry_text(entry, text), name, item ? "neither number nor text" : "missing");
        CHECK_ABOUT(units_parse_quantity(item->valuestring, "m", &place->given_m[a]), "%s: %s",
                    entry_text(entry, text), name);
        positions++;
        place->is_position = true;
    }
    if (positions && numbers)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: a cell's number beside a position: one of the two kinds is expected",
                    entry_text(entry, text));
    return STATUS_OK;
}

static enum status read_list(struct entry entry, const struct job *job, const cJSON *list)
{
    for (const cJSON *item = list->child; item; item = item->next, entry.index++) {
        struct place corners[CORNERS];
        if (!are_boxes(entry.heating, entry.rows)) {
            CHECK(read_object(&entry, item, &corners[0]));
            CHECK(set_entry(&entry, corners));
            continue;
        }
        for (const cJSON *child = cJSON_IsObject(item) ? item->child : NULL; child; child = child->next)
            if (strcmp(child->string, corner_names[0]) != 0 && strcmp(child->string, corner_names[1]) != 0)
                return job_fail(job, "source.boxes.at", "box %zu: unknown key %.40s (known are first, last)",
                                entry.index, child->string);
        for (int c = 0; c < CORNERS; c++) {
            entry.corner = corner_names[c];
            CHECK(read_object(&entry, cJSON_GetObjectItemCaseSensitive(item, corner_names[c]), &corners[c]));
        }
        CHECK(set_entry(&entry, corners));
    }
    return STATUS_OK;
}

// ---- in a file

// Numbers of the variable `at`: [places][columns]; one column: addresses.
struct table {
    double *values, slope; // slope: to metres, of positions
    size_t columns;
    bool is_position;
};

static enum status read_variable(struct source_rows *rows, const struct job *job, const char *key,
                                 bool has_corners, struct table *table)
{
    const cJSON *name = job_json(job, key);
    if (!cJSON_IsString(name))
        return job_fail(job, key, "the name of a variable in %s is expected", rows->path);
    const struct dataset_variable *v = dataset_find(rows->dataset, name->valuestring);
    if (!v)
        return job_fail(job, key, "%s has no variable %s", rows->path, name->valuestring);
    rows->variable = v; // for messages, until the values are found
    const int rank = has_corners ? 3 : 2;
    const bool is_list = !has_corners && v->rank == 1;
    const bool is_shaped =
        v->rank == rank && v->lengths[rank - 1] == BIOHEAT_AXES && (!has_corners || v->lengths[1] == CORNERS);
    if (v->kind != DATASET_NUMBERS || !(is_list || is_shaped) || v->lengths[0] == 0)
        return FAIL(STATUS_DATA, "%s: variable %s: expected %s", rows->path, v->name,
                    has_corners ? "corners [box][2][3] in the order z, y, x"
                                : "cells or positions [point][3] in the order z, y, x, or addresses [point]");
    double offset = 0;
    table->slope = 1;
    table->is_position = !is_list && v->units[0] != '\0' && strcmp(v->units, "1") != 0;
    if (table->is_position)
        CHECK_ABOUT(units_conversion(v->units, "m", &table->slope, &offset), "%s: variable %s", rows->path,
                    v->name);
    table->columns = is_list ? 1 : has_corners ? CORNERS * BIOHEAT_AXES : BIOHEAT_AXES;
    rows->places = v->lengths[0];
    table->values = malloc(rows->places * table->columns * sizeof *table->values);
    if (!table->values)
        return FAIL(STATUS_SYSTEM, "%s: variable %s: no memory for %zu entries", rows->path, v->name,
                    rows->places);
    struct netcdf_packing packing;
    const size_t start[DATASET_RANK_MAX] = {0};
    CHECK(dataset_packing(rows->dataset, v, &packing));
    return dataset_read(rows->dataset, v, &packing, start, v->lengths, table->values);
}

static enum status place_of_address(const struct entry *entry, double address, struct place *place)
{
    const struct bioheat_grid *grid = entry->heating->grid;
    char expected[96];
    const double number = address - (double)entry->heating->first_index;
    snprintf(expected, sizeof expected, "an address of the grid, a whole number from %zu to %zu",
             entry->heating->first_index, entry->heating->first_index + bioheat_cells(grid) - 1);
    if (!(number == floor(number)) || number < 0 || number >= (double)bioheat_cells(grid))
        return fail_entry(entry, "its address", address, expected);
    size_t cell[BIOHEAT_AXES];
    bioheat_cell_at(grid, (uint64_t)number, cell);
    for (int a = 0; a < BIOHEAT_AXES; a++)
        place->cells[a] = (double)cell[a];
    return STATUS_OK;
}

static enum status place_of_triple(const struct entry *entry, const double *triple, bool is_position,
                                   double slope, struct place *place)
{
    *place = (struct place){0};
    place->is_position = is_position;
    for (int a = 0; a < BIOHEAT_AXES; a++)
        if (is_position)
            place->given_m[a] = slope * triple[a];
        else
            CHECK(place_by_number(entry, a, triple[a], place));
    return STATUS_OK;
}

static enum status set_file_entries(struct entry entry, const struct table *table)
{
    const bool has_corners = are_boxes(entry.heating, entry.rows);
    for (; entry.index < entry.rows->places; entry.index++) {
        struct place corners[CORNERS] = {0};
        const double *numbers = table->values + entry.index * table->columns;
        for (int c = 0; c < (has_corners ? CORNERS : 1); c++) {
            entry.corner = has_corners ? corner_names[c] : NULL;
            CHECK(table->columns == 1 ? place_of_address(&entry, numbers[0], &corners[c])
                                      : place_of_triple(&entry, numbers + c * BIOHEAT_AXES,
                                                        table->is_position, table->slope, &corners[c]));
        }
        CHECK(set_entry(&entry, corners));
    }
    return STATUS_OK;
}

// ---- points and boxes

static enum status open_rows(struct source_rows *rows, const struct job *job, const char *key,
                             const char *noun)
{
    char file_key[64], override_key[64];
    rows->key = key;
    rows->noun = noun;
    snprintf(rows->where, sizeof rows->where, "%.400s: %s", job_path(job), key);
    snprintf(file_key, sizeof file_key, "%s.file", key);
    snprintf(override_key, sizeof override_key, "%s.override", key);
    if (!job_has(job, file_key))
        return job_has(job, override_key) ? job_fail(job, override_key, "has no effect without %s", file_key)
                                          : STATUS_OK;
    CHECK_KEY(job, file_key, path_find(job_string(job, file_key), job_directory(job), rows->path));
    CHECK_KEY(job, file_key, dataset_open(rows->path, &rows->dataset));
    return STATUS_OK;
}

// The list in the job, with its length; NULL in *list: it is in the file.
static enum status find_list(struct source_rows *rows, const struct job *job, const char *key,
                             const cJSON **list)
{
    *list = NULL;
    if (rows->dataset)
        return STATUS_OK;
    *list = job_json(job, key);
    if (!cJSON_IsArray(*list) || cJSON_GetArraySize(*list) == 0)
        return job_fail(job, key, "a list with at least one %s is expected%s", rows->noun,
                        cJSON_IsString(*list) ? " (a variable's name needs file)" : "");
    rows->places = (size_t)cJSON_GetArraySize(*list);
    return STATUS_OK;
}

// `cells` gets an entry of `entry_bytes` for each place; owned.
static enum status read_places(struct bioheat_heating *heating, struct source_rows *rows,
                               const struct job *job, const char *key, const char *noun, void **cells,
                               size_t entry_bytes)
{
    char at_key[64];
    const cJSON *list;
    struct table table = {0};
    const struct entry first = {heating, rows, 0, NULL};
    if (!job_has(job, key))
        return STATUS_OK;
    snprintf(at_key, sizeof at_key, "%s.at", key);
    CHECK(open_rows(rows, job, key, noun));
    CHECK(find_list(rows, job, at_key, &list));
    enum status status =
        list ? STATUS_OK : read_variable(rows, job, at_key, are_boxes(heating, rows), &table);
    if (status == STATUS_OK) {
        *cells = calloc(rows->places, entry_bytes);
        status = !*cells ? FAIL(STATUS_SYSTEM, "%s: no memory for %zu entries", rows->where, rows->places)
                 : list  ? read_list(first, job, list)
                         : set_file_entries(first, &table);
    }
    free(table.values);
    CHECK(status);
    if (rows->has_numbers && heating->grid->frame.order.is_reordered)
        log_warning(
            "%s: cells are counted along ascending x, y, z of the run, which are not the image's voxels "
            "i, j, k; positions with a unit are the scanner's",
            rows->where);
    return source_rows_read(rows, job);
}

// ---- points of one cell

struct point_cell {
    size_t cell, point;
};

static int compare_cells(const void *a, const void *b)
{
    const struct point_cell *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static enum status find_firsts(struct bioheat_heating *heating)
{
    const size_t count = heating->points.places, *cells = heating->grid->cells;
    if (count == 0)
        return STATUS_OK;
    struct point_cell *points = malloc(count * sizeof *points);
    heating->point_firsts = malloc(count * sizeof *heating->point_firsts);
    heating->point_sums = malloc(count * sizeof *heating->point_sums);
    if (!points || !heating->point_firsts || !heating->point_sums) {
        free(points);
        return FAIL(STATUS_SYSTEM, "%s: no memory for %zu points", heating->points.where, count);
    }
    for (size_t p = 0; p < count; p++) {
        const size_t *at = heating->point_cells[p];
        points[p].cell =
            (at[BIOHEAT_Z] * cells[BIOHEAT_Y] + at[BIOHEAT_Y]) * cells[BIOHEAT_X] + at[BIOHEAT_X];
        points[p].point = p;
    }
    qsort(points, count, sizeof *points, compare_cells);
    for (size_t k = 0, first = 0; k < count; k++) {
        first = points[k].cell == points[first].cell ? first : k;
        heating->point_firsts[points[k].point] = points[first].point;
    }
    free(points);
    return STATUS_OK;
}

enum status source_points_read(struct bioheat_heating *heating, const struct job *job)
{
    CHECK(read_places(heating, &heating->points, job, "source.points", "point",
                      (void **)&heating->point_cells, sizeof *heating->point_cells));
    return find_firsts(heating);
}

enum status source_boxes_read(struct bioheat_heating *heating, const struct job *job)
{
    return read_places(heating, &heating->boxes, job, "source.boxes", "box", (void **)&heating->box_cells,
                       sizeof *heating->box_cells);
}
