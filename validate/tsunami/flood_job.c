// Makes the jobs of the cases with flooding, and reads their maps (see flood.h).
#include "validate/tsunami/flood.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct case_job flood_job_new(const struct flood_job *wanted)
{
    static const char *const keys[4] = {"domain.edges.west", "domain.edges.east", "domain.edges.south",
                                        "domain.edges.north"};
    struct case_job job = case_job_parse(
        "{\"fathom\": 1, \"model\": \"tsunami\", \"precision\": \"double\", \"method\": \"muscl-hancock\", "
        "\"domain\": {\"bathymetry\": {\"variable\": \"depth\"}}, \"physics\": {\"coriolis\": false}, "
        "\"time\": {}, \"output\": {\"precision\": \"double\", \"maxima\": true}}");
    case_job_set(&job, "title", "\"%s\"", wanted->title);
    case_job_set(&job, "domain.bathymetry.file", "\"%s\"", wanted->bathymetry);
    case_job_set(&job, "physics.manning_n", "%.9g", wanted->manning_n);
    case_job_set(&job, "time.duration", "\"%.9g s\"", wanted->duration_s);
    if (wanted->has_dispersion)
        case_job_set(&job, "physics.dispersion", "true");
    for (int side = 0; side < 4; side++)
        if (wanted->edges[side])
            case_job_set(&job, keys[side], "\"%s\"", wanted->edges[side]);
    if (wanted->fields_every_s > 0) {
        case_job_set(&job, "output.fields.every", "\"%.9g s\"", wanted->fields_every_s);
        case_job_set(&job, "output.fields.variables",
                     wanted->has_velocity ? "[\"eta\", \"u\", \"v\"]" : "[\"eta\"]");
    }
    return job;
}

static enum status write_series(const struct validation_run *run, const char *file,
                                const struct case_series *series)
{
    enum { LINE = 64 };
    char *text = malloc(LINE * (series->count + 1));
    if (!text)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for %zu samples", file, series->count);
    int length = snprintf(text, LINE, "# time (s), elevation (m)\n");
    for (size_t k = 0; k < series->count; k++)
        length += snprintf(text + length, LINE, "%.12g,%.12g\n", series->time_s[k], series->value[k]);
    enum status status = case_write_text(run, file, text);
    free(text);
    return status;
}

void flood_give_wave(const struct validation_run *run, struct case_job *job, const char *file,
                     const struct case_series *series, bool is_travelling)
{
    if (job->status == STATUS_OK)
        job->status = write_series(run, file, series);
    case_job_set(job, "source.edges.west",
                 "{\"file\": \"%s\", \"time\": 1, \"eta\": 2, \"time_unit\": \"s\", \"eta_unit\": \"m\", "
                 "\"travelling\": %s}",
                 file, is_travelling ? "true" : "false");
}

// ---- maps

void flood_map_free(struct flood_map *map)
{
    double *const arrays[] = {map->time_s, map->x_m,   map->y_m,    map->eta_m,
                              map->u_m_s,  map->v_m_s, map->depth_m};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
    *map = (struct flood_map){0};
}

static enum status read_axis(const struct validation_run *run, const char *job, const char *file,
                             const char *name, size_t expected, double **values)
{
    size_t shape[4];
    CHECK(case_read_variable(run, job, file, name, values, shape));
    return shape[0] == expected ? STATUS_OK
                                : FAIL(STATUS_DATA, "%s of the job %s: %s has %zu values, expected %zu", file,
                                       job, name, shape[0], expected);
}

static enum status read_fields(const struct validation_run *run, const char *job, bool has_velocity,
                               struct flood_map *map)
{
    size_t shape[4];
    CHECK(case_read_variable(run, job, "fields.nc", "eta", &map->eta_m, shape));
    map->records = shape[0];
    map->ny = shape[1];
    map->nx = shape[2];
    CHECK(read_axis(run, job, "fields.nc", "time", map->records, &map->time_s));
    CHECK(read_axis(run, job, "fields.nc", "x", map->nx, &map->x_m));
    CHECK(read_axis(run, job, "fields.nc", "y", map->ny, &map->y_m));
    if (has_velocity) {
        CHECK(case_read_variable(run, job, "fields.nc", "u", &map->u_m_s, shape));
        CHECK(case_read_variable(run, job, "fields.nc", "v", &map->v_m_s, shape));
    }
    return map->records > 0 ? STATUS_OK : FAIL(STATUS_DATA, "fields.nc of the job %s holds no map", job);
}

enum status flood_read_fields(const struct validation_run *run, const char *job, bool has_velocity,
                              struct flood_map *map)
{
    *map = (struct flood_map){0};
    enum status status = read_fields(run, job, has_velocity, map);
    if (status != STATUS_OK)
        flood_map_free(map);
    return status;
}

static enum status read_maxima(const struct validation_run *run, const char *job, const char *file,
                               bool is_geographic, struct flood_map *map)
{
    size_t shape[4];
    CHECK(case_read_variable(run, job, file, "max_eta", &map->eta_m, shape));
    map->records = 1;
    map->ny = shape[0];
    map->nx = shape[1];
    CHECK(case_read_variable(run, job, file, "depth", &map->depth_m, shape));
    CHECK(read_axis(run, job, file, is_geographic ? "lon" : "x", map->nx, &map->x_m));
    return read_axis(run, job, file, is_geographic ? "lat" : "y", map->ny, &map->y_m);
}

enum status flood_read_maxima(const struct validation_run *run, const char *job, const char *file,
                              bool is_geographic, struct flood_map *map)
{
    *map = (struct flood_map){0};
    enum status status = read_maxima(run, job, file, is_geographic, map);
    if (status != STATUS_OK)
        flood_map_free(map);
    return status;
}

enum status flood_record_at(const struct flood_map *map, double time_s, double within_s, size_t *record)
{
    *record = 0;
    for (size_t k = 1; k < map->records; k++)
        if (fabs(map->time_s[k] - time_s) < fabs(map->time_s[*record] - time_s))
            *record = k;
    return fabs(map->time_s[*record] - time_s) <= 0.5 * within_s
               ? STATUS_OK
               : FAIL(STATUS_DATA, "fields.nc holds no map of %g s; the nearest is of %g s", time_s,
                      map->time_s[*record]);
}
