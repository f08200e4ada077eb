// The heat source of a job, from its parts. Maps are in maps.c, points and boxes in places.c
// and rows.c, factors over time in time.c, a streamed field in stream.c and
// ring.c.
#include "models/bioheat/source/private.h"

#include "core/log.h"
#include "io/json_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void warn_of_unused(const struct bioheat_heating *heating)
{
    for (size_t k = 0; k < heating->time_count; k++)
        if (!heating->times[k].is_used)
            log_warning("%s is used by no source", heating->times[k].where);
}

static void describe_terms(struct bioheat_heating *heating)
{
    struct bioheat_source *source = &heating->source;
    source->layer_count = heating->map_count;
    if (heating->stream) {
        struct source_stream *stream = heating->stream;
        stream->first_layer = heating->map_count;
        // Linear: two records act in a step, three if a record's time lies within it; one more is read
        // meanwhile.
        stream->slot_count = stream->axis.is_linear ? SOURCE_SLOTS_MAX : SOURCE_SLOTS_MAX - 1;
        source->layer_count += stream->slot_count;
    }
    for (int k = 0; k < source->layer_count; k++)
        source->layers[k] = (const void *const *)&heating->layers[k];
    source->point_count = heating->points.places;
    source->points = (const size_t(*)[BIOHEAT_AXES])heating->point_cells;
    source->box_count = heating->boxes.places;
    source->boxes = heating->box_cells;
}

static enum status read_source(struct bioheat_heating *heating, const struct job *job,
                               struct bioheat_domain *domain)
{
    heating->first_index = (size_t)job_integer(job, "source.first_index");
    CHECK(source_times_read(heating, job));
    CHECK(source_maps_read(heating, job));
    CHECK(source_pressure_read(heating, job, domain));
    CHECK(source_points_read(heating, job));
    CHECK(source_boxes_read(heating, job));
    CHECK(source_stream_read(heating, job));
    const char *paths[SOURCE_FILES_MAX];
    if (bioheat_heating_inputs(heating, paths) > SOURCE_FILES_MAX)
        return job_fail(job, "source", "more than %d files", SOURCE_FILES_MAX);
    warn_of_unused(heating);
    describe_terms(heating);
    return STATUS_OK;
}

enum status bioheat_heating_create(const struct job *job, const struct bioheat_grid *grid,
                                   enum element precision, struct bioheat_domain *domain,
                                   struct bioheat_heating **created)
{
    *created = NULL;
    struct bioheat_heating *heating = calloc(1, sizeof *heating);
    if (!heating)
        return FAIL(STATUS_SYSTEM, "no memory for the heating");
    heating->grid = grid;
    heating->precision = precision;
    heating->domain = domain;
    const enum status status = read_source(heating, job, domain);
    if (status != STATUS_OK) {
        bioheat_heating_destroy(heating);
        return status;
    }
    *created = heating;
    return STATUS_OK;
}

void bioheat_heating_destroy(struct bioheat_heating *heating)
{
    if (!heating)
        return;
    for (int k = 0; k < heating->map_count; k++) {
        field_file_close(heating->maps[k].file);
        source_pressure_free(heating->maps[k].pressure);
    }
    for (size_t k = 0; k < heating->time_count; k++)
        source_time_free(&heating->times[k]);
    source_rows_free(&heating->points);
    source_rows_free(&heating->boxes);
    source_stream_free(heating->stream);
    free(heating->times);
    free(heating->maps);
    free(heating->point_cells);
    free(heating->point_firsts);
    free(heating->point_sums);
    free(heating->box_cells);
    free(heating);
}

const struct bioheat_source *bioheat_heating_source(const struct bioheat_heating *heating)
{
    return &heating->source;
}

// Several maps may lie in one file. Counts all, stores at most SOURCE_FILES_MAX.
static void add_input(const char *path, const char **paths, int *count)
{
    const int stored = *count < SOURCE_FILES_MAX ? *count : SOURCE_FILES_MAX;
    if (!path[0])
        return;
    for (int k = 0; k < stored; k++)
        if (strcmp(paths[k], path) == 0)
            return;
    if (*count < SOURCE_FILES_MAX)
        paths[*count] = path;
    ++*count;
}

int bioheat_heating_inputs(const struct bioheat_heating *heating, const char **paths)
{
    int count = 0;
    for (int k = 0; k < heating->map_count; k++)
        add_input(heating->maps[k].path, paths, &count);
    for (size_t k = 0; k < heating->time_count; k++)
        add_input(heating->times[k].path, paths, &count);
    add_input(heating->points.path, paths, &count);
    add_input(heating->boxes.path, paths, &count);
    if (heating->stream)
        add_input(heating->stream->path, paths, &count);
    return count;
}

static enum status fit_rows(struct source_rows *rows, const struct bioheat_heating *heating)
{
    if (rows->places == 0)
        return STATUS_OK;
    CHECK_ABOUT(source_axis_fit(&rows->axis, heating->start_s, heating->step_s, heating->steps), "%s",
                rows->where);
    return source_last_check_rows(rows, heating->steps);
}

enum status bioheat_heating_plan(struct bioheat_heating *heating, struct memory_plan *plan, double step_s,
                                 int64_t steps, double start_s)
{
    heating->start_s = start_s;
    heating->step_s = step_s;
    heating->steps = steps;
    for (size_t k = 0; k < heating->time_count; k++)
        CHECK(source_time_fit(heating, &heating->times[k]));
    CHECK(fit_rows(&heating->points, heating));
    CHECK(fit_rows(&heating->boxes, heating));
    CHECK(source_maps_plan(heating, plan));
    CHECK(source_rows_plan(&heating->points, plan));
    CHECK(source_rows_plan(&heating->boxes, plan));
    return source_stream_plan(heating, plan);
}

enum status bioheat_heating_prepare(struct bioheat_heating *heating)
{
    CHECK(source_maps_prepare(heating));
    CHECK(source_rows_prepare(&heating->points));
    CHECK(source_rows_prepare(&heating->boxes));
    return source_stream_prepare(heating);
}

static void step_amplitudes(const struct bioheat_heating *heating, int64_t step, double *amplitudes)
{
    for (int k = 0; k < heating->map_count; k++)
        amplitudes[k] = source_time_mean(heating->maps[k].amplitude, step, heating->start_s, heating->step_s);
    if (heating->stream)
        source_stream_means(heating, step, amplitudes + heating->stream->first_layer);
    amplitudes += heating->source.layer_count;
    source_rows_means(&heating->points, step, amplitudes);
    source_rows_means(&heating->boxes, step, amplitudes + heating->points.places);
}

void bioheat_heating_amplitudes(const struct bioheat_heating *heating, int64_t first_step, int64_t count,
                                double *amplitudes)
{
    const size_t terms = bioheat_terms(&heating->source);
    for (int64_t n = 0; n < count; n++)
        step_amplitudes(heating, first_step + n, amplitudes + (size_t)n * terms);
}

bool bioheat_heating_is_switched(const struct bioheat_heating *heating, const double *before,
                                 const double *after)
{
    const size_t terms = bioheat_terms(&heating->source), maps = (size_t)heating->map_count;
    const bool has_records = source_stream_is_switched(heating->stream);
    for (size_t k = 0; k < terms; k++) {
        const bool is_streamed = k >= maps && k < (size_t)heating->source.layer_count;
        if ((!is_streamed || has_records) &&
            fabs(after[k] - before[k]) > 0.5 * fmax(fabs(after[k]), fabs(before[k])))
            return true;
    }
    return false;
}

// ---- the report

static void describe_amplitude(const struct source_time *amplitude, cJSON *item)
{
    if (amplitude->kind == SOURCE_CONSTANT)
        cJSON_AddNumberToObject(item, "amplitude", amplitude->constant);
    else
        cJSON_AddStringToObject(item, "amplitude", amplitude->name);
    if (amplitude->kind == SOURCE_PULSES)
        cJSON_AddNumberToObject(item, "on_s", protocol_on_s(&amplitude->given));
}

static void describe_maps(const struct bioheat_heating *heating, cJSON *source)
{
    const bool has_maps = heating->map_count > 0 && !heating->maps[0].pressure;
    cJSON *maps = has_maps ? cJSON_AddArrayToObject(source, "maps") : NULL;
    for (int k = 0; k < heating->map_count; k++) {
        const struct source_map *map = &heating->maps[k];
        cJSON *item = map->pressure ? cJSON_AddObjectToObject(source, "pressure") : cJSON_CreateObject();
        if (!map->pressure)
            cJSON_AddStringToObject(item, "name", map->name);
        cJSON_AddStringToObject(item, "file", map->path);
        if (map->pressure) {
            source_pressure_describe(heating, map, item);
        } else {
            cJSON_AddStringToObject(item, "variable", field_file_info(map->file)->variable);
            cJSON_AddStringToObject(item, "values", map->has_means ? "means" : "middles");
            cJSON_AddItemToArray(maps, item);
        }
        describe_amplitude(map->amplitude, item);
    }
}

static void describe_rows(const struct source_rows *rows, const char *name, cJSON *source)
{
    if (rows->places == 0)
        return;
    cJSON *item = cJSON_AddObjectToObject(source, name);
    cJSON_AddNumberToObject(item, "count", (double)rows->places);
    cJSON_AddNumberToObject(item, "rows", (double)rows->axis.records);
    if (rows->path[0])
        cJSON_AddStringToObject(item, "file", rows->path);
}

static void describe_stream(const struct source_stream *stream, cJSON *source)
{
    const struct field_file_info *info = field_file_info(stream->file);
    cJSON *item = cJSON_AddObjectToObject(source, "stream");
    cJSON_AddStringToObject(item, "file", stream->path);
    cJSON_AddStringToObject(item, "variable", info->variable);
    cJSON_AddNumberToObject(item, "records", (double)stream->axis.records);
    cJSON_AddStringToObject(item, "layers_hold", stream->is_averaged ? "means of steps" : "records");
    cJSON_AddNumberToObject(item, "layers", stream->slot_count);
    cJSON_AddBoolToObject(item, "in_memory", stream->is_in_memory);
    cJSON_AddNumberToObject(item, "layers_read", (double)stream->pieces_read);
    cJSON_AddNumberToObject(item, "bytes_read", stream->bytes_read);
    cJSON_AddNumberToObject(item, "read_s", stream->read_s);
    cJSON_AddNumberToObject(item, "stall_s", stream->stall_s);
}

void bioheat_heating_describe(const struct bioheat_heating *heating, struct cJSON *report)
{
    if (bioheat_terms(&heating->source) == 0)
        return;
    cJSON *source = cJSON_AddObjectToObject(report, "source");
    describe_maps(heating, source);
    source_pulses_describe(heating, source);
    describe_rows(&heating->points, "points", source);
    describe_rows(&heating->boxes, "boxes", source);
    if (heating->stream)
        describe_stream(heating->stream, source);
    const struct bioheat_lost lost = bioheat_heating_lost(heating);
    json_add_number(source, "fixed_layers_share", lost.layers_share);
    if (bioheat_has_layers(heating->grid)) {
        json_add_number(source, "fixed_layers_rise_k", lost.layers_rise_k);
        cJSON_AddBoolToObject(source, "fixed_layers_rise_is_bound", lost.is_bound);
        json_add_number(source, "solved_cells_rise_k", lost.solved_rise_k);
    }
    json_add_number(source, "unsolved_share", lost.unsolved_share);
}
