// What volumes are: see info_volume.h.
#include "cli/info_volume.h"

#include "cli/info_job.h"
#include "cli/info_meaning.h"
#include "io/json_file.h"
#include "io/path.h"
#include "io/units.h"
#include "io/utf8.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS = 256 };

// ---- gathering

static void look_at(struct info_volume *v, const double *values, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const double value = values[n];
        v->missing += isnan(value) ? 1 : 0;
        v->infinite += isinf(value) ? 1 : 0;
        v->are_labels &= value >= 0 && value < LABELS && value == floor(value);
        if (!isfinite(value))
            continue;
        v->least = fmin(v->least, value);
        v->most = fmax(v->most, value);
    }
}

static enum status read_values(struct volume *volume, struct info_volume *v)
{
    const size_t plane = v->cells[VOLUME_Y] * v->cells[VOLUME_X];
    double *values = malloc((2 * plane + 1) * sizeof *values);
    enum status status =
        values ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for a plane of %zu values", plane);
    v->least = INFINITY;
    v->most = -INFINITY;
    v->are_labels = v->units[0] == '\0' || strcmp(v->units, "1") == 0;
    for (size_t z = 0; z < v->cells[VOLUME_Z] && status == STATUS_OK; z++) {
        status = volume_read(volume, z, 1, values, values + plane);
        if (status == STATUS_OK)
            look_at(v, values, plane);
    }
    free(values);
    return status;
}

static bool has_places(const struct volume_info *info)
{
    return info->has_origin[VOLUME_Z] && info->has_origin[VOLUME_Y] && info->has_origin[VOLUME_X];
}

static enum status add_volume(struct volume *volume, const char *name, struct info_volumes *volumes)
{
    const struct volume_info *info = volume_info(volume);
    struct info_volume *v = &volumes->list[volumes->count];
    if (!has_places(info) || volumes->count == INFO_VOLUMES_MAX)
        return STATUS_OK;
    *v = (struct info_volume){.name = name, .records = info->records};
    utf8_copy(v->units, sizeof v->units, info->units);
    memcpy(v->cells, info->cells, sizeof v->cells);
    for (int axis = 0; axis < VOLUME_AXES; axis++) {
        v->origin_m[axis] = info->origin_m[axis];
        v->spacing_m[axis] = info->has_spacing[axis] ? info->spacing_m[axis] : NAN;
    }
    CHECK(read_values(volume, v));
    volumes->count++;
    return STATUS_OK;
}

enum status info_volumes_gather(const char *path, const struct result_file *listing, const char *variable,
                                int64_t record, struct info_volumes *volumes)
{
    *volumes = (struct info_volumes){.record = record};
    volumes->is_state = result_find(listing, "rise") && result_find(listing, "reference_temperature");
    for (size_t k = 0; k < result_variable_count(listing); k++) {
        const struct result_variable *item = result_variable_at(listing, k);
        struct volume *volume;
        if (item->rank < VOLUME_AXES || item->is_text || (variable && strcmp(variable, item->name) != 0))
            continue;
        if (volume_open(path, item->name, item->rank > VOLUME_AXES ? 0 : -1, &volume) != STATUS_OK) {
            status_clear(); // it is something else
            continue;
        }
        if (record > 0 && volume_info(volume)->records > 1 && has_places(volume_info(volume))) {
            volume_close(volume);
            CHECK(volume_open(path, item->name, record, &volume));
        }
        const enum status status = add_volume(volume, item->name, volumes);
        volume_close(volume);
        CHECK(status);
    }
    return STATUS_OK;
}

// ---- the lines of a job

static bool converts(const char *units, const char *target)
{
    double slope, offset;
    const bool does = units[0] && units_conversion(units, target, &slope, &offset) == STATUS_OK;
    status_clear();
    return does;
}

// Pa and J m-3 have one dimension; a pressure's unit names no energy.
static bool is_pressure(const char *units)
{
    return converts(units, "Pa") && !strchr(units, 'J') && !strstr(units, "cal") && !strchr(units, 'N') &&
           !strstr(units, "kg");
}

static cJSON *add_path(cJSON *job, const char *outer, const char *inner)
{
    return cJSON_AddObjectToObject(cJSON_AddObjectToObject(job, outer), inner);
}

static void add_file(cJSON *use, const char *path, const struct info_volume *v)
{
    cJSON_AddStringToObject(use, "file", path);
    cJSON_AddStringToObject(use, "variable", v->name);
}

// One of the fields of a medium, of which a job needs all.
static bool add_medium(cJSON *job, const char *path, const struct info_volume *v)
{
    static const char *const media[][2] = {
        {"density", "kg m-3"}, {"specific_heat", "J kg-1 K-1"}, {"conductivity", "W m-1 K-1"}};
    for (size_t k = 0; k < sizeof media / sizeof *media; k++) {
        if (!converts(v->units, media[k][1]))
            continue;
        cJSON *fields = add_path(job, "domain", "fields");
        cJSON_AddStringToObject(fields, "file", path);
        cJSON_AddStringToObject(fields, media[k][0], v->name);
        return true;
    }
    return false;
}

// NULL: what it is to a job is not known by its unit. *use: how a run would check it; of heat and media not
// by their values alone.
static cJSON *job_lines(const char *path, const struct info_volume *v, enum info_use *use)
{
    *use = INFO_NOTHING;
    cJSON *job = cJSON_CreateObject();
    if (converts(v->units, "W m-3") && v->records > 1) {
        add_file(add_path(job, "source", "stream"), path, v);
    } else if (converts(v->units, "W m-3")) {
        add_file(cJSON_AddObjectToObject(add_path(job, "source", "maps"), v->name), path, v);
    } else if (is_pressure(v->units)) {
        cJSON *pressure = add_path(job, "source", "pressure");
        add_file(pressure, path, v);
        *use = INFO_PRESSURE;
        cJSON_AddStringToObject(pressure, "frequency", "?");
        cJSON_AddStringToObject(pressure, "kind", "?");
    } else if (converts(v->units, "K")) {
        cJSON *initial = cJSON_AddObjectToObject(job, "initial");
        *use = INFO_TEMPERATURE;
        add_file(initial, path, v);
        if (v->records > 1)
            cJSON_AddStringToObject(initial, "record", "?");
    } else if (v->are_labels) {
        *use = INFO_LABELS;
        add_file(add_path(job, "domain", "labels"), path, v);
        cJSON_AddStringToObject(cJSON_AddObjectToObject(job, "tissues"), "labels", "?");
    } else if (!add_medium(job, path, v)) {
        cJSON_Delete(job);
        return NULL;
    }
    return job;
}

// The lines, or why a run would refuse them: a file with such values, or cells of such a size or place.
static cJSON *allowed_lines(const char *path, const struct info_volume *v, char refused[INFO_REFUSED_BYTES])
{
    enum info_use use;
    cJSON *job = job_lines(path, v, &use);
    refused[0] = '\0';
    if (job && use == INFO_NOTHING && v->missing > 0)
        snprintf(refused, INFO_REFUSED_BYTES, "%s: variable %s: %zu values are missing; expected numbers",
                 path, v->name, v->missing);
    info_refused(use, &(struct bioheat_input){.path = path, .variable = v->name}, refused);
    if (refused[0]) {
        cJSON_Delete(job);
        job = NULL;
    }
    return job;
}

// Of the end of a run, from which another exposure can continue: by its folder.
static cJSON *state_lines(const char *path)
{
    char folder[PATH_BYTES];
    cJSON *initial = cJSON_CreateObject();
    utf8_copy(folder, sizeof folder, path);
    char *end = strrchr(folder, '/');
    if (end)
        *end = '\0';
    cJSON_AddStringToObject(initial, "from", end ? folder : ".");
    return initial;
}

// ---- text

static void print_axes(const struct info_volume *v)
{
    for (int axis = VOLUME_X; axis >= VOLUME_Z; axis--) {
        printf("%c          %zu cell%s", "zyx"[axis], v -> cells[axis], v -> cells[axis] == 1 ? "" : "s");
        if (!isnan(v->spacing_m[axis]))
            printf(" of %.6g mm", 1e3 * v->spacing_m[axis]);
        printf(", the first at %.6g mm\n", 1e3 * v->origin_m[axis]);
    }
}

static bool have_same_axes(const struct info_volume *a, const struct info_volume *b)
{
    return memcmp(a->cells, b->cells, sizeof a->cells) == 0 &&
           memcmp(a->origin_m, b->origin_m, sizeof a->origin_m) == 0;
}

static enum status print_volume(const char *path, const struct info_volumes *volumes, size_t k)
{
    const struct info_volume *v = &volumes->list[k];
    printf("volume     %s: %zu × %zu × %zu cells along x, y, z", UTF8_SHOWN(v->name), v->cells[VOLUME_X],
           v->cells[VOLUME_Y], v->cells[VOLUME_Z]);
    if (v->records > 1)
        printf(", %zu records (below: record %lld)", v->records, (long long)volumes->record);
    putchar('\n');
    if (k == 0 || !have_same_axes(v, v - 1))
        print_axes(v);
    if (v->least <= v->most)
        printf("values     %.7g … %.7g %s, %zu missing", v->least, v->most,
               v->units[0] ? UTF8_SHOWN(v->units) : "(no units)", v->missing);
    else
        printf("values     none is finite, %zu missing", v->missing);
    printf(v->infinite > 0 ? ", %zu infinite\n" : "\n", v->infinite);
    if (volumes->is_state)
        return STATUS_OK;
    char refused[INFO_REFUSED_BYTES];
    cJSON *job = allowed_lines(path, v, refused);
    if (job)
        return info_job_print(NULL, job);
    if (refused[0]) {
        printf("refused    by a run: %s\n", UTF8_SHOWN(refused));
        return STATUS_OK;
    }
    printf("in a job   not known from %s%s\n", v->units[0] ? "the unit " : "values without a unit",
           v->units[0] ? UTF8_SHOWN(v->units) : "");
    return STATUS_OK;
}

enum status info_volumes_print(const char *path, const struct info_volumes *volumes)
{
    for (size_t k = 0; k < volumes->count; k++)
        CHECK(print_volume(path, volumes, k));
    return volumes->is_state ? info_job_print("initial", state_lines(path)) : STATUS_OK;
}

// ---- JSON

void info_volumes_add(cJSON *report, const char *path, const struct info_volumes *volumes)
{
    static const char *const sizes[] = {"cells_z", "cells_y", "cells_x"},
                             *const firsts[] = {"first_z_m", "first_y_m", "first_x_m"},
                             *const spacings[] = {"spacing_z_m", "spacing_y_m", "spacing_x_m"};
    cJSON *list = cJSON_AddArrayToObject(report, "volumes");
    for (size_t k = 0; k < volumes->count; k++) {
        const struct info_volume *v = &volumes->list[k];
        cJSON *item = json_append_object(list);
        cJSON_AddStringToObject(item, "variable", v->name);
        cJSON_AddStringToObject(item, "units", v->units);
        cJSON_AddNumberToObject(item, "records", (double)v->records);
        cJSON_AddNumberToObject(item, "record", v->records > 1 ? (double)volumes->record : 0);
        for (int axis = VOLUME_X; axis >= VOLUME_Z; axis--) {
            cJSON_AddNumberToObject(item, sizes[axis], (double)v->cells[axis]);
            json_add_number(item, firsts[axis], v->origin_m[axis]);
            json_add_number(item, spacings[axis], v->spacing_m[axis]);
        }
        json_add_number(item, "minimum", v->least);
        json_add_number(item, "maximum", v->most);
        cJSON_AddNumberToObject(item, "missing", (double)v->missing);
        cJSON_AddNumberToObject(item, "infinite", (double)v->infinite);
        char refused[INFO_REFUSED_BYTES] = "";
        cJSON *job = volumes->is_state ? NULL : allowed_lines(path, v, refused);
        if (job)
            cJSON_AddItemToObject(item, "job", job);
        if (refused[0])
            cJSON_AddStringToObject(cJSON_AddObjectToObject(item, "refused"), "message", refused);
    }
    if (volumes->is_state)
        cJSON_AddItemToObject(cJSON_AddObjectToObject(report, "job"), "initial", state_lines(path));
}
