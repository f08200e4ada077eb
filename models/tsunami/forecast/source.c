// The earthquake of a forecast: see source.h.
#include "models/tsunami/forecast/source.h"

#include "io/path.h"
#include "models/tsunami/params_private.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static enum status place(struct forecast_source *source, const struct fault_table *table, const char *about)
{
    if (!table->is_geographic)
        return FAIL(STATUS_DATA, "%s: its faults lie on a plane; a forecast needs longitudes and latitudes",
                    about);
    source->shape = source_shape_of(table, forecast_earth_radius_m, true);
    if (source->shape.faults == 0)
        return FAIL(STATUS_DATA, "%s: none of its faults slips", about);
    source->box = (struct forecast_box){source->shape.west_deg, source->shape.east_deg,
                                        source->shape.south_deg, source->shape.north_deg};
    return STATUS_OK;
}

static enum status read_earthquake(const struct job *job, struct forecast_source *source)
{
    struct tsunami_earthquake quake = {0};
    struct fault fault;
    CHECK(tsunami_params_read_earthquake(job, forecast_earth_radius_m, &quake, &fault));
    source->format = quake.path[0] ? quake.format : EARTHQUAKE_NONE;
    snprintf(source->name, sizeof source->name, "%s", quake.event.name);
    snprintf(source->place, sizeof source->place, "%s", quake.event.place);
    snprintf(source->time, sizeof source->time, "%s", quake.event.time);
    source->moment_n_m = quake.plane.moment_n_m;
    source->style = earthquake_style_of(fault.rake_deg);
    const struct fault_table table = {&fault, 1, true};
    return place(source, &table, quake.path[0] ? quake.path : "the earthquake");
}

static enum status read_rupture(const struct job *job, struct forecast_source *source)
{
    char path[PATH_BYTES];
    struct tsunami_rupture rupture = {0};
    struct fault_table table = {0};
    CHECK_KEY(job, "source.faults",
              path_find(cJSON_GetStringValue(job_json(job, "source.faults")), job_directory(job), path));
    CHECK(tsunami_params_read_rupture(job, path, &rupture, &table));
    source->is_rupture = true;
    source->format = rupture.format;
    snprintf(source->name, sizeof source->name, "%s", rupture.title);
    snprintf(source->time, sizeof source->time, "%s", rupture.time);
    enum status status = place(source, &table, path);
    // As in run.json: rows of a file that names no moment have NOAA's rigidity.
    source->moment_n_m = isnan(rupture.moment_n_m) || !rupture.is_given
                             ? earthquake_rigidity_pa * source->shape.area_m2 * source->shape.mean_slip_m
                             : rupture.moment_n_m;
    fault_table_free(&table);
    return status;
}

enum status forecast_source_read(const struct job *job, struct forecast_source *source)
{
    *source = (struct forecast_source){0};
    if (job_has(job, "source.earthquake"))
        CHECK(read_earthquake(job, source));
    else
        CHECK(read_rupture(job, source));
    source->magnitude = earthquake_magnitude(source->moment_n_m);
    return STATUS_OK;
}
