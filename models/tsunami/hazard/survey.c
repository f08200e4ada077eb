// What the members' results have in common: grids, points, zones, stations. Each file is opened before
// anything is reserved, so that what does not fit together is refused at once, with the file and the place.
#include "models/tsunami/hazard/private.h"

#include "core/log.h"
#include "io/json_file.h"
#include "io/output/finished.h"
#include "io/path.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUN_BYTES_MAX = 64 << 20 };

static const char *const fields[HAZARD_FIELDS] = {[HAZARD_ETA] = "max_eta", [HAZARD_FLOW] = "max_depth"};

enum status hazard_path(const struct hazard_member *member, const char *grid, const char *file,
                        char path[PATH_BYTES])
{
    return snprintf(path, PATH_BYTES, "%s/%s%s%s", member->folder, grid, grid[0] ? "." : "", file) <
                   PATH_BYTES
               ? STATUS_OK
               : FAIL(STATUS_NO_INPUT, "%.80s...: the path is too long", member->folder);
}

static bool has_file(const struct hazard_member *member, const char *grid, const char *file)
{
    char path[PATH_BYTES];
    return hazard_path(member, grid, file, path) == STATUS_OK && access(path, F_OK) == 0;
}

// ---- run.json

static enum status note_nested(struct hazard *h, const cJSON *run)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, json_member(run, "nested"))
    {
        const char *name = json_text(item, "name");
        if (!name[0] || strchr(name, '/') || !has_file(&h->request->members[0], name, "maxima.nc"))
            continue;
        if (h->grid_count == HAZARD_GRIDS_MAX)
            return FAIL(STATUS_DATA, "%s: has more than %d grids", h->request->members[0].folder,
                        (int)HAZARD_GRIDS_MAX);
        struct hazard_grid *grid = &h->grids[h->grid_count++];
        if (snprintf(grid->name, sizeof grid->name, "%s", name) >= (int)sizeof grid->name)
            return FAIL(STATUS_DATA, "%s: the name of the grid %.80s is too long",
                        h->request->members[0].folder, name);
    }
    return STATUS_OK;
}

// The origin of the times counts only if all members state the same.
static void note_origin(struct hazard *h, const cJSON *run, size_t member)
{
    const char *origin = json_text(run, "time_origin");
    if (member == 0)
        snprintf(h->origin, sizeof h->origin, "%s", origin);
    else if (strcmp(h->origin, origin) != 0)
        h->origin[0] = '\0';
}

// The first key in which two objects differ; "": none.
static const char *first_difference(const cJSON *a, const cJSON *b)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, a)
    {
        if (!cJSON_Compare(item, json_member(b, item->string), true))
            return item->string;
    }
    cJSON_ArrayForEach(item, b)
    {
        if (!json_member(a, item->string))
            return item->string;
    }
    return "";
}

static void print_value(const cJSON *object, const char *key, char text[64])
{
    char *value = cJSON_PrintUnformatted(json_member(object, key));
    snprintf(text, 64, "%s", value ? value : "not set");
    cJSON_free(value);
}

static enum status compare_settings(const char *path, const cJSON *actual, const cJSON *expected,
                                    const char *member)
{
    char wanted[64], found[64];
    if (actual && !cJSON_IsObject(actual))
        return FAIL(STATUS_DATA, "%s: settings: expected an object", path);
    const char *key = first_difference(expected, actual);
    if (!key[0])
        return STATUS_OK;
    print_value(expected, key, wanted);
    print_value(actual, key, found);
    return FAIL(STATUS_DATA,
                "%s: its run had %.80s: %s, and the batch's run %s has %s: the folder holds another run: "
                "remove it and run the batch again (--resume), or leave the run out (--leave-out)",
                path, key, found, member, wanted);
}

// A folder that was moved in from elsewhere, or results of a later run with other settings, would be counted
// as the member that the batch has run.
static enum status check_settings(const char *path, const cJSON *run, const struct hazard_member *member)
{
    cJSON *expected = member->settings ? cJSON_Parse(member->settings) : NULL;
    const enum status status =
        expected ? compare_settings(path, json_member(run, "settings"), expected, member->name) : STATUS_OK;
    cJSON_Delete(expected);
    return status;
}

static enum status take_run(struct hazard *h, const char *path, const cJSON *run, size_t member)
{
    const char *model = json_text(run, "model");
    const double duration_s = json_number(run, "steps") * json_number(run, "step_s");
    if (strcmp(model, "tsunami") != 0)
        return FAIL(
            STATUS_DATA,
            "%s: is a run of the model %.40s, expected tsunami: choose the entry of the queue (--entry)",
            path, model[0] ? model : "(none)");
    CHECK(check_settings(path, run, &h->request->members[member]));
    if (isfinite(duration_s)) {
        h->shortest_s = member == 0 ? duration_s : fmin(h->shortest_s, duration_s);
        h->duration_s = fmax(h->duration_s, duration_s);
        h->step_s = fmax(h->step_s, json_number(run, "step_s"));
    }
    note_origin(h, run, member);
    if (member > 0)
        return STATUS_OK;
    h->grid_count = has_file(&h->request->members[0], "", "maxima.nc");
    return h->grid_count > 0 ? note_nested(h, run) : STATUS_OK;
}

// It must be there if its run wrote it, and as it was written. Without a checksum in run.json (of an earlier
// version, or a large file) nothing is compared; what the first member has and others lack is found later.
static enum status check_file(const struct hazard *h, const cJSON *run, const char *grid, const char *file,
                              size_t member)
{
    const struct hazard_member *m = &h->request->members[member];
    char name[HAZARD_NAME_BYTES + 16];
    bool has_sum;
    snprintf(name, sizeof name, "%s%s%s", grid, grid[0] ? "." : "", file);
    if (!has_file(m, grid, file)) {
        const bool is_listed = json_text(json_member(run, output_finished_hashes), name)[0] != '\0';
        return is_listed ? FAIL(STATUS_NO_INPUT, "%s/%s is missing: its run.json lists it", m->folder, name)
                         : STATUS_OK;
    }
    return output_finished_check_file(run, m->folder, name, &has_sum);
}

static enum status check_files(const struct hazard *h, const cJSON *run, size_t member)
{
    static const char *const files[] = {"maxima.nc", "points.nc", "zones.nc", "gauges.nc"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        CHECK(check_file(h, run, "", files[k], member));
    for (size_t g = 1; g < h->grid_count; g++)
        CHECK(check_file(h, run, h->grids[g].name, "maxima.nc", member));
    return STATUS_OK;
}

static enum status read_run(struct hazard *h, size_t member)
{
    char path[PATH_BYTES];
    cJSON *run = NULL;
    CHECK(hazard_path(&h->request->members[member], "", "run.json", path));
    CHECK(path_check_file(path));
    CHECK(json_file_read(path, RUN_BYTES_MAX, &run));
    enum status status = take_run(h, path, run, member);
    if (status == STATUS_OK)
        status = check_files(h, run, member);
    cJSON_Delete(run);
    return status;
}

// ---- maps

static enum status same_axis(const char *path, const char *first, const char *name, const double *values,
                             size_t count, const double *expected, size_t expected_count)
{
    if (count != expected_count)
        return FAIL(STATUS_DATA, "%s: %zu entries of %s, %s has %zu: members must have the same %s", path,
                    count, name, first, expected_count, name);
    for (size_t k = 0; k < count; k++)
        if (values[k] != expected[k] && !(isnan(values[k]) && isnan(expected[k])))
            return FAIL(STATUS_DATA, "%s: %s[%zu] is %.9g, in %s %.9g: members must have the same %s", path,
                        name, k, values[k], first, expected[k], name);
    return STATUS_OK;
}

// Reads an axis and compares it with the one that is kept; the first one is kept.
static enum status take_axis(const struct result_file *file, const char *first, const char *name,
                             double **kept, size_t *kept_count)
{
    double *values;
    size_t count;
    CHECK(result_read_all(file, name, &values, &count));
    if (!*kept) {
        *kept = values;
        *kept_count = count;
        return STATUS_OK;
    }
    const enum status status = same_axis(result_path(file), first, name, values, count, *kept, *kept_count);
    free(values);
    return status;
}

static enum status begin_grid(const struct result_file *file, struct hazard_grid *grid)
{
    const bool is_geographic = result_find(file, "lon") != NULL;
    grid->x_name = is_geographic ? "lon" : "x";
    grid->y_name = is_geographic ? "lat" : "y";
    const struct result_variable *x = result_find(file, grid->x_name), *y = result_find(file, grid->y_name);
    if (!x || !y || !result_find(file, fields[HAZARD_ETA]))
        return FAIL(STATUS_DATA, "%s: holds no largest elevations over a grid (max_eta and its axes)",
                    result_path(file));
    snprintf(grid->x_units, sizeof grid->x_units, "%.31s", x->units);
    snprintf(grid->y_units, sizeof grid->y_units, "%.31s", y->units);
    return STATUS_OK;
}

static enum status take_arrivals(const struct result_file *file, const char *first, struct hazard_grid *grid,
                                 bool is_first)
{
    double *values = NULL;
    size_t count = 0;
    if (result_find(file, "arrival") && result_find(file, "threshold"))
        CHECK(result_read_all(file, "threshold", &values, &count));
    enum status status = STATUS_OK;
    if (is_first && count <= HAZARD_ARRIVALS_MAX) {
        grid->arrival_count = count;
        memcpy(grid->arrivals_m, values ? values : grid->arrivals_m, count * sizeof *values);
    } else if (is_first)
        status = FAIL(STATUS_DATA, "%s: %zu thresholds of arrival: expected at most %d", result_path(file),
                      count, (int)HAZARD_ARRIVALS_MAX);
    else
        status = same_axis(result_path(file), first, "threshold", values, count, grid->arrivals_m,
                           grid->arrival_count);
    free(values);
    return status;
}

// The maps have the shape of the grid, and heights are in metres.
static enum status check_maps(const struct result_file *file, const struct hazard_grid *grid)
{
    const char *const names[] = {fields[HAZARD_ETA], fields[HAZARD_FLOW], "depth", "arrival"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const struct result_variable *v = result_find(file, names[k]);
        const int rank = k == 3 ? 3 : 2;
        const bool has_planes =
            k < 3 || grid->arrival_count == 0 || !v || v->lengths[0] == grid->arrival_count;
        if (v && (!has_planes || v->rank != rank || v->is_text || v->lengths[rank - 2] != grid->rows ||
                  v->lengths[rank - 1] != grid->columns))
            return FAIL(STATUS_DATA, "%s: %s does not lie on the file's grid of %zu × %zu nodes",
                        result_path(file), names[k], grid->columns, grid->rows);
        if (v && k < 3 && strcmp(v->units, "m") != 0)
            return FAIL(STATUS_DATA, "%s: %s is in \"%s\", expected \"m\"", result_path(file), names[k],
                        v->units);
    }
    return STATUS_OK;
}

static enum status take_grid(struct hazard *h, const struct result_file *file, const char *first,
                             struct hazard_grid *grid, size_t member)
{
    if (member == 0)
        CHECK(begin_grid(file, grid));
    CHECK(take_axis(file, first, grid->x_name, &grid->x, &grid->columns));
    CHECK(take_axis(file, first, grid->y_name, &grid->y, &grid->rows));
    if (grid->columns == 0 || grid->rows == 0)
        return FAIL(STATUS_DATA, "%s: its grid has %zu × %zu nodes", result_path(file), grid->columns,
                    grid->rows);
    CHECK(take_arrivals(file, first, grid, member == 0));
    CHECK(check_maps(file, grid));
    for (int f = 0; f < HAZARD_FIELDS; f++) {
        const bool has = result_find(file, fields[f]) && (f != HAZARD_FLOW || result_find(file, "depth"));
        if (member > 0 && f == HAZARD_ETA && !has)
            return FAIL(STATUS_DATA, "%s: has no %s", result_path(file), fields[f]);
        if (member > 0 && grid->has[f] && !has)
            log_warning("%s: has no %s: the depth of the flow is left out", result_path(file), fields[f]);
        grid->has[f] = has && (member == 0 || grid->has[f]);
    }
    (void)h;
    return STATUS_OK;
}

static enum status survey_grid(struct hazard *h, struct hazard_grid *grid, size_t member)
{
    char path[PATH_BYTES], first[PATH_BYTES];
    struct result_file *file;
    CHECK(hazard_path(&h->request->members[0], grid->name, "maxima.nc", first));
    CHECK(hazard_path(&h->request->members[member], grid->name, "maxima.nc", path));
    CHECK(result_open(path, &file));
    const enum status status = take_grid(h, file, first, grid, member);
    result_close(file);
    return status;
}

// ---- points

static enum status same_number(const char *path, const char *first, const char *name, double value,
                               double expected)
{
    return value == expected || (isnan(value) && isnan(expected))
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s: %s is %g, in %s %g: members must have the same", path, name, value,
                      first, expected);
}

static enum status same_points(const char *path, const char *first, const struct points_result *a,
                               const struct points_result *b)
{
    if (a->count != b->count)
        return FAIL(STATUS_DATA, "%s: %zu points, %s has %zu: members must have the same points", path,
                    a->count, first, b->count);
    CHECK(same_number(path, first, "threshold_m", a->threshold_m, b->threshold_m));
    CHECK(same_number(path, first, "green_depth_m", a->green_depth_m, b->green_depth_m));
    CHECK(same_axis(path, first, "threat_levels_m", a->threat_levels_m, a->threat_level_count,
                    b->threat_levels_m, b->threat_level_count));
    for (size_t k = 0; k < a->count; k++)
        for (int q = POINTS_LONGITUDE; q <= POINTS_LATITUDE; q++)
            if (strcmp(a->names[k], b->names[k]) != 0 || a->values[q][k] != b->values[q][k])
                return FAIL(
                    STATUS_DATA,
                    "%s: point %zu is %s at %.9g, in %s %s at %.9g: members must have the same points", path,
                    k + 1, a->names[k], a->values[q][k], first, b->names[k], b->values[q][k]);
    return STATUS_OK;
}

static enum status take_points(struct hazard *h, struct points_result *points, size_t member)
{
    char path[PATH_BYTES], first[PATH_BYTES];
    CHECK(hazard_path(&h->request->members[0], "", "points.nc", first));
    CHECK(hazard_path(&h->request->members[member], "", "points.nc", path));
    CHECK(hazard_points_load(path, points));
    return member == 0 ? STATUS_OK : same_points(path, first, points, &h->points.first);
}

static enum status survey_points(struct hazard *h, size_t member)
{
    struct points_result points;
    if (member == 0)
        return take_points(h, &h->points.first, 0);
    const enum status status = take_points(h, &points, member);
    points_result_free(&points);
    return status;
}

// ---- series

static enum status keep_names(const struct result_file *file, struct hazard_series *series)
{
    char **names;
    size_t count;
    CHECK(result_read_texts(file, "name", &names, &count));
    series->names = calloc(count + 1, sizeof *series->names);
    for (size_t k = 0; k < count && series->names; k++)
        snprintf(series->names[k], sizeof series->names[k], "%.255s", names[k]);
    series->stations = count;
    result_free_texts(names, count);
    return series->names ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for %zu stations", count);
}

// Gauges of one name may have been moved between the runs.
static enum status take_positions(const struct result_file *file, const char *first,
                                  struct hazard_series *series)
{
    size_t count = series->stations, rows = series->stations;
    const char *x = result_find(file, "lon") ? "lon" : "x", *y = result_find(file, "lat") ? "lat" : "y";
    const bool has_positions = result_find(file, x) && result_find(file, y);
    if (!has_positions && !series->x)
        return STATUS_OK;
    if (!has_positions)
        return FAIL(STATUS_DATA, "%s: its gauges have no positions, those of %s have", result_path(file),
                    first);
    CHECK(take_axis(file, first, x, &series->x, &count));
    CHECK(take_axis(file, first, y, &series->y, &rows));
    if (count != series->stations || rows != series->stations)
        return FAIL(STATUS_DATA, "%s: %zu and %zu positions of %zu gauges", result_path(file), count, rows,
                    series->stations);
    return STATUS_OK;
}

static enum status same_stations(const struct result_file *file, const struct hazard_series *series)
{
    char **names;
    size_t count;
    CHECK(result_read_texts(file, "name", &names, &count));
    enum status status = STATUS_OK;
    if (count != series->stations)
        status =
            FAIL(STATUS_DATA, "%s: %zu gauges, the first member has %zu: members must have the same gauges",
                 result_path(file), count, series->stations);
    for (size_t k = 0; k < count && status == STATUS_OK; k++)
        if (strcmp(names[k], series->names[k]) != 0)
            status = FAIL(STATUS_DATA,
                          "%s: gauge %zu is %s, in the first member %s: members must have the same gauges",
                          result_path(file), k + 1, names[k], series->names[k]);
    result_free_texts(names, count);
    return status;
}

static enum status take_series(struct hazard *h, const struct result_file *file, size_t member)
{
    struct hazard_series *series = &h->series;
    char first[PATH_BYTES];
    const struct result_variable *eta = result_find(file, "eta"), *time = result_find(file, "time");
    if (!eta || !time || eta->rank != 2 || eta->is_text || !result_find(file, "name"))
        return FAIL(STATUS_DATA, "%s: holds no series of gauges (name, time, eta)", result_path(file));
    CHECK(hazard_path(&h->request->members[0], "", "gauges.nc", first));
    CHECK(member == 0 ? keep_names(file, series) : same_stations(file, series));
    CHECK(take_positions(file, first, series));
    CHECK(take_axis(file, first, "time", &series->times_s, &series->times));
    if (series->times == 0)
        return FAIL(STATUS_DATA, "%s: its series have no values", result_path(file));
    if (eta->lengths[0] != series->times || eta->lengths[1] != series->stations)
        return FAIL(STATUS_DATA, "%s: eta has %zu × %zu values, expected %zu times × %zu gauges",
                    result_path(file), eta->lengths[0], eta->lengths[1], series->times, series->stations);
    return STATUS_OK;
}

static enum status survey_series(struct hazard *h, size_t member)
{
    char path[PATH_BYTES];
    struct result_file *file;
    CHECK(hazard_path(&h->request->members[member], "", "gauges.nc", path));
    CHECK(result_open(path, &file));
    const enum status status = take_series(h, file, member);
    result_close(file);
    return status;
}

// ---- all

// What the first member has, all must have.
static enum status survey_member(struct hazard *h, size_t member)
{
    const struct hazard_member *first = &h->request->members[0];
    CHECK(read_run(h, member));
    for (size_t g = 0; g < h->grid_count; g++)
        CHECK(survey_grid(h, &h->grids[g], member));
    if (has_file(first, "", "points.nc"))
        CHECK(survey_points(h, member));
    if (has_file(first, "", "zones.nc"))
        CHECK(hazard_zones_take(h, member));
    if (has_file(first, "", "gauges.nc"))
        CHECK(survey_series(h, member));
    return STATUS_OK;
}

static enum status normalise_weights(struct hazard *h)
{
    double sum = 0;
    h->weights = calloc(h->request->member_count + 1, sizeof *h->weights);
    if (!h->weights)
        return FAIL(STATUS_SYSTEM, "no memory for %zu members", h->request->member_count);
    for (size_t k = 0; k < h->request->member_count; k++)
        sum += h->request->members[k].weight;
    if (!(sum > 0))
        return FAIL(STATUS_DATA, "the %zu members with results have no weight", h->request->member_count);
    for (size_t k = 0; k < h->request->member_count; k++)
        h->weights[k] = h->request->members[k].weight / sum;
    h->result->weight = sum;
    return STATUS_OK;
}

enum status hazard_survey(struct hazard *h)
{
    CHECK(normalise_weights(h));
    for (size_t k = 0; k < h->request->member_count; k++)
        CHECK_ABOUT(survey_member(h, k), "member %s", h->request->members[k].name);
    if (h->duration_s - h->shortest_s > h->step_s)
        log_warning(
            "the members do not run equally long, %g to %g s: waves that come after a member's end do "
            "not count in it",
            h->shortest_s, h->duration_s);
    if (h->grid_count == 0 && h->points.first.count == 0 && h->zones.first.zone_count == 0 &&
        h->series.stations == 0)
        return FAIL(
            STATUS_DATA,
            "%s: holds none of maxima.nc, points.nc, zones.nc and gauges.nc: nothing to evaluate (the "
            "job's output.maxima, output.points, output.zones, output.gauges)",
            h->request->members[0].folder);
    return STATUS_OK;
}

void hazard_free(struct hazard *h)
{
    for (size_t g = 0; g < h->grid_count; g++) {
        free(h->grids[g].x);
        free(h->grids[g].y);
    }
    points_result_free(&h->points.first);
    hazard_zones_free(&h->zones);
    free(h->series.names);
    free(h->series.times_s);
    free(h->series.x);
    free(h->series.y);
    free(h->weights);
}
