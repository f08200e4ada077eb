// The products of a run: checked against its inputs and its grids when it is planned, and written when its
// results are finished.
#include "models/tsunami/export_run.h"

#include "io/geo/geotiff.h"
#include "models/tsunami/export/export.h"
#include "models/tsunami/instance.h"
#include "version.h"

#include <cjson/cJSON.h>
#include <string.h>

// Bytes of a feature of GeoJSON or KML, of a number of a table, and of a piece of a line: at most.
static const double feature_bytes = 3400, number_bytes = 16, piece_bytes = 60;
// Pieces of lines, of all levels, per node: of waves that the grid resolves.
static const double pieces_per_node = 2;

static bool has_any(const struct tsunami_params *p)
{
    for (int format = 0; format < TSUNAMI_FORMATS; format++)
        if (p->products[format])
            return true;
    return false;
}

static bool may_write(const void *wanted, const char *name)
{
    return tsunami_exports_may_write(wanted, name);
}

static double bytes_of(const struct tsunami *run, const struct tsunami_level *t)
{
    const bool *wanted = run->levels[0]->params.products;
    const struct grid_window *w = &t->params.window;
    const double nodes = (double)w->nx * (double)w->ny, gauges = (double)t->params.gauges.count;
    const int maps = t->streams[STREAM_MAXIMA].variable_count + (int)t->records.arrival_count;
    double bytes = 0;
    if (wanted[TSUNAMI_CSV] && gauges > 0)
        bytes +=
            (3 * gauges + 2) * number_bytes * ((double)t->steps * t->step_s / t->params.gauges_every_s + 2);
    for (int format = TSUNAMI_GEOJSON; format <= TSUNAMI_KML; format++)
        bytes += wanted[format] ? gauges * feature_bytes : 0;
    if (t->params.has_maxima)
        bytes += (wanted[TSUNAMI_GEOJSON] + wanted[TSUNAMI_KML]) * nodes * pieces_per_node * piece_bytes;
    if (wanted[TSUNAMI_GEOTIFF] && t->params.has_maxima)
        bytes += maps * geo_tiff_file_bytes(w->nx, w->ny);
    return bytes;
}

// Points, zones with their polygons, and the map of travel times.
static double bytes_of_places(const struct tsunami_params *p)
{
    const int tables = p->products[TSUNAMI_CSV] + p->products[TSUNAMI_GEOJSON] + p->products[TSUNAMI_KML],
              drawings = p->products[TSUNAMI_GEOJSON] + p->products[TSUNAMI_KML];
    const double nodes = (double)p->window.nx * (double)p->window.ny;
    double bytes =
        tables * (double)(p->points.count + p->points.skipped + p->zones.file.zone_count) * feature_bytes +
        drawings * (double)p->zones.file.position_count * piece_bytes;
    if (p->has_travel_time)
        bytes += drawings * nodes * pieces_per_node * piece_bytes +
                 p->products[TSUNAMI_GEOTIFF] * geo_tiff_file_bytes(p->window.nx, p->window.ny);
    return bytes;
}

void tsunami_run_exports_describe(const struct tsunami *run, struct cJSON *report)
{
    if (!run->levels[0]->params.zones.path[0])
        return;
    cJSON *zones = cJSON_AddObjectToObject(report, "zones");
    cJSON_AddStringToObject(zones, "file", run->levels[0]->params.zones.path);
    cJSON_AddStringToObject(zones, "name", job_string(run->levels[0]->job, "output.zones.name"));
}

enum status tsunami_run_exports_plan(struct tsunami *run, struct model_plan *plan)
{
    const struct tsunami_params *p = &run->levels[0]->params;
    if (!has_any(p))
        return STATUS_OK;
    CHECK(model_keep_inputs(run->levels[0]->job, "output.products", plan, may_write,
                            run->levels[0]->params.products));
    plan->product_bytes = 4 * feature_bytes + bytes_of_places(p); // the first: headings
    for (int k = 0; k < run->level_count; k++) {
        const struct tsunami_level *t = run->levels[k];
        if (p->products[TSUNAMI_GEOTIFF] && !(t->params.window.is_uniform_x && t->params.window.is_uniform_y))
            return job_fail(t->job, "output.products",
                            "geotiff: the nodes of %s are not evenly spaced, which a GeoTIFF needs: give "
                            "domain.spacing, or choose other products",
                            t->params.bathymetry_path);
        plan->product_bytes += bytes_of(run, t);
    }
    return STATUS_OK;
}

static enum status write_or_list(const struct tsunami *run, const char *directory, bool only_names,
                                 struct cJSON *names)
{
    const struct tsunami_params *p = &run->levels[0]->params;
    const char *grids[TSUNAMI_LEVELS_MAX], *title = job_string(run->levels[0]->job, "title");
    if (!has_any(p))
        return STATUS_OK;
    for (int k = 1; k < run->level_count; k++)
        grids[k - 1] = run->levels[k]->name;
    struct tsunami_exports products = {.directory = directory,
                                       .grids = grids,
                                       .grid_count = (size_t)run->level_count - 1,
                                       .crs = p->crs,
                                       .title = title ? title : "Tsunami",
                                       .source = "Fathom " FATHOM_VERSION,
                                       .only_names = only_names};
    memcpy(products.wanted, p->products, sizeof products.wanted);
    return tsunami_exports_write(&products, names);
}

enum status tsunami_run_exports_write(void *instance, const char *directory, struct cJSON *report,
                                      struct cJSON *names)
{
    (void)report;
    return write_or_list(instance, directory, false, names);
}

enum status tsunami_run_exports_list(void *instance, const char *directory, struct cJSON *names)
{
    return write_or_list(instance, directory, true, names);
}
