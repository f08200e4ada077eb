// The order of the work: what the members have in common, the memory, then the files (see hazard.h).
#include "models/tsunami/hazard/hazard.h"

#include "core/log.h"
#include "core/memory_limits.h"
#include "io/path.h"
#include "io/units.h"
#include "models/tsunami/hazard/private.h"

#include <dirent.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const double hazard_percentiles[HAZARD_PERCENTILES] = {5, 15, 50, 85, 95};

enum {
    LIBRARY_BYTES = 64 << 20, // netCDF-C, HDF5's caches, the points of one member
    THREADS_MAX = 256,
};
static const size_t default_memory_bytes = (size_t)1 << 30;

// ---- choices

static void choose_thresholds(struct hazard *h)
{
    static const double usual_m[] = {0.3, 1, 3};
    struct hazard_result *result = h->result;
    const struct points_result *points = &h->points.first;
    const struct hazard_zones *zones = &h->zones;
    const double *from = usual_m;
    result->threshold_count = sizeof usual_m / sizeof *usual_m;
    if (h->request->threshold_count > 0) {
        from = h->request->thresholds_m;
        result->threshold_count = h->request->threshold_count;
    } else if (points->threat_level_count > 0) {
        from = points->threat_levels_m;
        result->threshold_count = points->threat_level_count;
    } else if (zones->threat_level_count > 0) {
        from = zones->threat_levels_m;
        result->threshold_count = zones->threat_level_count;
    }
    memcpy(result->thresholds_m, from, result->threshold_count * sizeof *from);
}

// Heights from 1 mm to 1 km to 1 %, times of the run in 1024 parts. A histogram is used where it takes less
// memory than the values of all members.
static void choose_quantiles(struct hazard *h)
{
    enum { PARTS = 1024 };
    struct hazard_result *result = h->result;
    h->heights = weighted_bins_in_ratio(1e-3, 1e3, 1.02);
    h->times = weighted_bins_at_distance(1.001 * fmax(h->duration_s, 1), PARTS);
    const size_t kept = h->request->member_count * sizeof(float),
                 bins = h->times.count * sizeof(double); // the longer one
    result->quantiles = h->request->quantiles;
    if (result->quantiles == HAZARD_AUTO)
        result->quantiles = kept <= bins ? HAZARD_EXACT : HAZARD_HISTOGRAM;
    if (result->quantiles == HAZARD_EXACT)
        return;
    double none;
    weighted_bins_errors(&h->heights, &result->relative_error, &result->absolute_m);
    weighted_bins_errors(&h->times, &none, &result->arrival_error_s);
}

static void choose_curve(struct hazard *h)
{
    for (int k = 0; k < HAZARD_CURVE; k++)
        h->curve_m[k] = 0.01 * pow(10, k / 20.0);
}

// ---- memory

// The whole of a grid may be more than can be counted: the block is smaller then.
static size_t product(size_t a, size_t b)
{
    size_t all;
    return __builtin_mul_overflow(a, b, &all) ? SIZE_MAX : all;
}

static enum status plan_block(struct hazard *h, size_t limit)
{
    size_t least = 1, most = 1;
    for (size_t g = 0; g < h->grid_count; g++) {
        const size_t row = hazard_maps_row_bytes(h, &h->grids[g]), all = product(row, h->grids[g].rows);
        least = row > least ? row : least;
        most = all > most ? all : most;
    }
    if (h->series.stations > 0) {
        const size_t time = hazard_series_time_bytes(h), all = product(time, h->series.times);
        least = time > least ? time : least;
        most = all > most ? all : most;
    }
    const size_t planned = memory_plan_host_bytes(h->memory) + MEMORY_ALIGNMENT,
                 room = limit > planned ? limit - planned : 0;
    if (room < least) {
        char needed[24], allowed[24];
        return FAIL(STATUS_CONFIGURATION,
                    "%zu members need %s of memory at least, %s are allowed: give more (--memory)",
                    h->request->member_count,
                    units_format_bytes((double)(planned + least), needed, sizeof needed),
                    units_format_bytes((double)limit, allowed, sizeof allowed));
    }
    h->block_bytes = room < most ? room : most;
    return memory_plan_add(h->memory, MEMORY_HOST, ELEMENT_U8, 1, h->block_bytes, (void **)&h->block,
                           "values of a block");
}

static enum status plan_memory(struct hazard *h)
{
    const size_t limit = h->request->memory_bytes > 0 ? h->request->memory_bytes : default_memory_bytes;
    h->threads = omp_get_max_threads() < THREADS_MAX ? omp_get_max_threads() : THREADS_MAX;
    memory_plan_begin(h->memory);
    memory_plan_add_program(h->memory, memory_limits_resident(""));
    CHECK(memory_plan_add_library(h->memory, LIBRARY_BYTES, "netCDF and files"));
    CHECK(hazard_points_plan(h));
    CHECK(hazard_zones_plan(h));
    CHECK(hazard_series_plan(h));
    CHECK(memory_plan_add(h->memory, MEMORY_HOST, ELEMENT_F64, (size_t)h->threads * HAZARD_TILE,
                          2 * h->request->member_count, (void **)&h->entries, "values and weights of nodes"));
    CHECK(plan_block(h, limit));
    h->result->planned_bytes = memory_plan_host_bytes(h->memory);
    return memory_plan_reserve(h->memory, limit, SIZE_MAX);
}

static enum status check_disk(const struct hazard *h)
{
    const double planes = 1 + HAZARD_PERCENTILES + (double)h->result->threshold_count;
    double bytes = 1 << 20;
    uint64_t free_bytes;
    char needed[24], there[24];
    for (size_t g = 0; g < h->grid_count; g++)
        bytes += (double)h->grids[g].rows * (double)h->grids[g].columns * sizeof(float) *
                 (planes * (1 + h->grids[g].has[HAZARD_FLOW]) + 3 * (double)h->grids[g].arrival_count);
    bytes += (double)h->points.first.count * (double)(HAZARD_QUANTITIES * h->request->member_count + 300) *
             sizeof(double);
    bytes += (double)h->zones.first.zone_count *
             (double)(HAZARD_ZONE_QUANTITIES * h->request->member_count + 100) * sizeof(double);
    bytes += 2 * (double)(h->zones.nodes.node_count + h->zones.nodes.ring_count) * sizeof(double);
    bytes += (double)(h->series.stations * h->series.times) * (1 + HAZARD_PERCENTILES) * sizeof(float);
    CHECK(path_free_bytes(h->request->directory, &free_bytes));
    return bytes <= (double)free_bytes
               ? STATUS_OK
               : FAIL(STATUS_IO, "%s: the results take %s, and %s are free on that disk",
                      h->request->directory, units_format_bytes(bytes, needed, sizeof needed),
                      units_format_bytes((double)free_bytes, there, sizeof there));
}

// ---- a file

struct ids {
    struct hazard_dimensions dimensions;
    struct hazard_map_ids maps;
    struct hazard_point_ids points;
    struct hazard_zone_ids zones;
    struct hazard_series_ids series;
    int percentile, threshold, row, column, arrival, weight, names, curve, time;
};

static void describe_quantiles(const struct hazard *h, char text[512])
{
    const struct hazard_result *result = h->result;
    if (result->quantiles == HAZARD_EXACT)
        snprintf(text, 512, "exact: of all members' values in single precision");
    else
        snprintf(
            text, 512,
            "histogram of %zu bins from 1 mm to 1 km at each node: a percentile differs from that of the "
            "values by at most %.3g %% of it, or %g m; the median arrival by at most %.3g s; means, "
            "exceedance and earliest arrivals are exact",
            h->heights.count, 100 * result->relative_error, result->absolute_m, result->arrival_error_s);
}

static enum status write_attributes(struct hazard *h, const char *what)
{
    static const char comment[] =
        "Percentiles are the inverse of the weighted distribution: the smallest value up to which the "
        "members "
        "have at least that share of the weight (numpy's \"inverted_cdf\"). Exceedance is the weight of the "
        "members above the threshold. Probabilities are those of the members and their weights alone. No "
        "official warning.";
    char title[512], quantiles[512];
    const int file = h->writer.ncid;
    const char *path = h->writer.path;
    const struct hazard_result *result = h->result;
    const int counts[2] = {(int)h->request->member_count, (int)h->request->left_out};
    const double numbers[4] = {result->weight / h->request->weight, result->relative_error,
                               result->absolute_m, result->arrival_error_s};
    static const char *const names[4] = {"weight_of_members_with_results", "percentile_relative_bound",
                                         "percentile_absolute_bound_m", "arrival_median_bound_s"};
    snprintf(title, sizeof title, "%s: %s", h->request->title, what);
    describe_quantiles(h, quantiles);
    CHECK(netcdf_write_texts(
        file, NC_GLOBAL, path,
        NETCDF_TEXTS({"Conventions", "CF-1.8"}, {"title", title}, {"source", h->request->source},
                     {"history", h->request->history},
                     {"references", "Hyndman and Fan (1996), definition 1, with weights"},
                     {"comment", comment}, {"time_origin", h->origin}, {"percentiles_of_maps", quantiles})));
    NC_CHECK_WRITE(nc_put_att_int(file, NC_GLOBAL, "members", NC_INT, 1, &counts[0]), path,
                   "writing an attribute");
    NC_CHECK_WRITE(nc_put_att_int(file, NC_GLOBAL, "members_left_out", NC_INT, 1, &counts[1]), path,
                   "writing an attribute");
    for (int k = 0; k < 4; k++)
        NC_CHECK_WRITE(nc_put_att_double(file, NC_GLOBAL, names[k], NC_DOUBLE, 1, &numbers[k]), path,
                       "writing an attribute");
    return STATUS_OK;
}

static enum status define_common(struct hazard *h, struct ids *ids)
{
    struct hazard_dimensions *d = &ids->dimensions;
    CHECK(hazard_define_axis(h, "percentile", "percentile", "percent", HAZARD_PERCENTILES, &d->percentile,
                             &ids->percentile));
    CHECK(hazard_define_axis(h, "threshold", "height that is exceeded", "m", h->result->threshold_count,
                             &d->threshold, &ids->threshold));
    NC_CHECK_WRITE(nc_def_dim(h->writer.ncid, "member", h->request->member_count, &d->member), h->writer.path,
                   "writing a dimension");
    CHECK(hazard_define_names(h, "member_name", "name of the run", d->member, "member_strlen",
                              HAZARD_NAME_BYTES + 1, &ids->names));
    const struct hazard_variable weight = {
        "weight", "weight of the member; all sum to 1", "1", NULL, NULL, NULL, NC_DOUBLE, 1, {d->member},
        false};
    return hazard_define(h, &weight, &ids->weight);
}

static enum status define_grid(struct hazard *h, const struct hazard_grid *grid, struct ids *ids)
{
    struct hazard_dimensions *d = &ids->dimensions;
    CHECK(hazard_define_axis(h, grid->y_name, grid->y_name, grid->y_units, grid->rows, &d->row, &ids->row));
    CHECK(hazard_define_axis(h, grid->x_name, grid->x_name, grid->x_units, grid->columns, &d->column,
                             &ids->column));
    if (grid->arrival_count > 0)
        CHECK(hazard_define_axis(h, "arrival_threshold", "elevation that counts as an arrival", "m",
                                 grid->arrival_count, &d->arrival, &ids->arrival));
    const bool is_geographic = strcmp(grid->x_name, "lon") == 0;
    CHECK(netcdf_write_texts(
        h->writer.ncid, ids->column, h->writer.path,
        NETCDF_TEXTS({"standard_name", is_geographic ? "longitude" : "projection_x_coordinate"},
                     {"axis", "X"})));
    CHECK(netcdf_write_texts(
        h->writer.ncid, ids->row, h->writer.path,
        NETCDF_TEXTS({"standard_name", is_geographic ? "latitude" : "projection_y_coordinate"},
                     {"axis", "Y"})));
    return hazard_maps_define(h, grid, d, &ids->maps);
}

static enum status define_places(struct hazard *h, struct ids *ids)
{
    struct hazard_dimensions *d = &ids->dimensions;
    const int file = h->writer.ncid;
    const char *path = h->writer.path;
    const size_t points = h->points.first.count, zones = h->zones.first.zone_count;
    char units[192];
    if (points + zones > 0)
        NC_CHECK_WRITE(nc_def_dim(file, "state", h->result->threshold_count + 2, &d->state), path,
                       "writing a dimension");
    if (points > 0) {
        NC_CHECK_WRITE(nc_def_dim(file, "point", points, &d->point), path, "writing a dimension");
        CHECK(hazard_define_axis(h, "curve_height", "height of the exceedance curves", "m", HAZARD_CURVE,
                                 &d->curve, &ids->curve));
        CHECK(hazard_points_define(h, d, &ids->points));
    }
    if (zones > 0) {
        NC_CHECK_WRITE(nc_def_dim(file, "zone", zones, &d->zone), path, "writing a dimension");
        CHECK(hazard_zones_define(h, d, &ids->zones));
    }
    if (h->series.stations == 0)
        return STATUS_OK;
    NC_CHECK_WRITE(nc_def_dim(file, "station", h->series.stations, &d->station), path, "writing a dimension");
    if (h->origin[0])
        snprintf(units, sizeof units, "seconds since %s", h->origin);
    else
        snprintf(units, sizeof units, "s");
    CHECK(hazard_define_axis(h, "time", "time since the start of the run", units, h->series.times, &d->time,
                             &ids->time));
    ids->series.time = ids->time;
    return hazard_series_define(h, d, &ids->series);
}

static enum status put_members(struct hazard *h, const struct ids *ids)
{
    const size_t count = h->request->member_count;
    char(*names)[HAZARD_NAME_BYTES + 1] = calloc(count + 1, sizeof *names);
    if (!names)
        return FAIL(STATUS_SYSTEM, "no memory for the names of %zu members", count);
    for (size_t k = 0; k < count; k++)
        snprintf(names[k], sizeof names[k], "%s", h->request->members[k].name);
    const enum status status =
        hazard_put_names(h, ids->names, count, HAZARD_NAME_BYTES + 1, names[0], sizeof *names);
    free(names);
    CHECK(status);
    CHECK(hazard_put(h, ids->percentile, hazard_percentiles));
    CHECK(hazard_put(h, ids->threshold, h->result->thresholds_m));
    return hazard_put(h, ids->weight, h->weights);
}

// The outermost grid's file has the points, zones and series, too.
static enum status write_values(struct hazard *h, const struct hazard_grid *grid, const struct ids *ids,
                                bool is_first)
{
    CHECK(put_members(h, ids));
    if (is_first && h->points.first.count > 0) {
        CHECK(hazard_put(h, ids->curve, h->curve_m));
        CHECK(hazard_points_write(h, &ids->points));
    }
    if (is_first && h->zones.first.zone_count > 0)
        CHECK(hazard_zones_write(h, &ids->zones));
    if (is_first && h->series.stations > 0)
        CHECK(hazard_series_write(h, &ids->series));
    if (!grid)
        return STATUS_OK;
    CHECK(hazard_put(h, ids->row, grid->y));
    CHECK(hazard_put(h, ids->column, grid->x));
    if (grid->arrival_count > 0)
        CHECK(hazard_put(h, ids->arrival, grid->arrivals_m));
    return hazard_maps_write(h, grid, &ids->maps);
}

static enum status write_content(struct hazard *h, const struct hazard_grid *grid, bool is_first)
{
    struct ids *ids = calloc(1, sizeof *ids);
    if (!ids)
        return FAIL(STATUS_SYSTEM, "no memory to write the results");
    enum status status = write_attributes(h, "statistics of the ensemble");
    if (status == STATUS_OK)
        status = define_common(h, ids);
    if (status == STATUS_OK && grid)
        status = define_grid(h, grid, ids);
    if (status == STATUS_OK && is_first)
        status = define_places(h, ids);
    if (status == STATUS_OK && nc_enddef(h->writer.ncid) != NC_NOERR)
        status = FAIL(STATUS_IO, "%s: writing the definitions failed", h->writer.path);
    if (status == STATUS_OK)
        status = write_values(h, grid, ids, is_first);
    free(ids);
    return status;
}

static void note_file(struct hazard *h, const char *name)
{
    struct hazard_result *result = h->result;
    if (result->file_count < sizeof result->files / sizeof *result->files)
        snprintf(result->files[result->file_count++], sizeof *result->files, "%s", name);
}

static enum status write_file(struct hazard *h, const struct hazard_grid *grid, bool is_first)
{
    char name[HAZARD_NAME_BYTES + 16], path[PATH_BYTES + sizeof name];
    snprintf(name, sizeof name, "%s%sensemble.nc", grid ? grid->name : "", grid && grid->name[0] ? "." : "");
    snprintf(path, sizeof path, "%s/%s", h->request->directory, name);
    enum status status = netcdf_writer_create(&h->writer, path, NC_NETCDF4);
    if (status == STATUS_OK)
        status = write_content(h, grid, is_first);
    if (status == STATUS_OK)
        status = netcdf_writer_publish(&h->writer);
    if (status != STATUS_OK)
        netcdf_writer_abandon(&h->writer);
    else
        note_file(h, name);
    return status;
}

// ---- all

// A run's own folder is no place for these results: its run.json would be replaced.
static enum status check_directory(const struct hazard *h)
{
    static const char *const others[] = {"journal.jsonl", "maxima.nc", "points.nc", "gauges.nc", "partial"};
    char path[PATH_BYTES + 32];
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        snprintf(path, sizeof path, "%s/%s", h->request->directory, others[k]);
        if (access(path, F_OK) == 0)
            return FAIL(STATUS_CANNOT_CREATE,
                        "%s: holds other results (%s): choose another folder with --output",
                        h->request->directory, others[k]);
    }
    return STATUS_OK;
}

static void find_lower_bound(struct hazard *h)
{
    double *const largest = &h->result->lower_bound;
    for (size_t k = 0; k < h->points.first.count; k++)
        *largest = fmax(*largest, h->points.lower_bound[k]);
    for (size_t k = 0; k < h->zones.first.zone_count; k++)
        *largest = fmax(*largest, h->zones.lower_bound[k]);
}

static enum status write_all(struct hazard *h)
{
    CHECK(hazard_points_read(h));
    CHECK(hazard_zones_read(h));
    find_lower_bound(h);
    for (size_t g = 0; g < h->grid_count; g++)
        CHECK(write_file(h, &h->grids[g], g == 0));
    if (h->grid_count == 0)
        CHECK(write_file(h, NULL, true));
    CHECK(hazard_tables_write(h));
    if (h->points.first.count > 0) {
        note_file(h, "hazard_points.csv");
        note_file(h, "exceedance.csv");
    }
    if (h->zones.first.zone_count > 0)
        note_file(h, "hazard_zones.csv");
    return STATUS_OK;
}

// What a killed process left half written.
static void remove_unfinished(const char *directory)
{
    DIR *entries = opendir(directory);
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[PATH_BYTES + 300];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (strstr(entry->d_name, "ensemble.nc.partial."))
            unlink(path);
    }
    if (entries)
        closedir(entries);
}

// Tables of earlier results that these do not have.
static void remove_stale(const struct hazard *h)
{
    static const char *const tables[] = {"hazard_points.csv", "exceedance.csv", "hazard_zones.csv"};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        char path[PATH_BYTES + 32];
        bool is_new = false;
        for (size_t f = 0; f < h->result->file_count; f++)
            is_new = is_new || strcmp(h->result->files[f], tables[k]) == 0;
        snprintf(path, sizeof path, "%s/%s", h->request->directory, tables[k]);
        if (!is_new)
            (void)unlink(path);
    }
}

static enum status write_sealed(struct hazard *h)
{
    int lock = -1;
    CHECK(check_disk(h));
    CHECK(path_make_directory(h->request->directory));
    CHECK(path_lock_directory(h->request->directory, 2, &lock));
    remove_unfinished(h->request->directory);
    memory_plan_seal(h->memory);
    memory_thread_may_allocate = true; // the thread of the files: netCDF-C allocates
    const enum status status = write_all(h);
    memory_thread_may_allocate = false;
    if (status == STATUS_OK)
        remove_stale(h);
    if (lock >= 0)
        close(lock);
    return status;
}

static enum status make(struct hazard *h)
{
    CHECK(check_directory(h));
    CHECK(path_check_directory(h->request->directory));
    CHECK(hazard_survey(h));
    choose_thresholds(h);
    choose_quantiles(h);
    choose_curve(h);
    h->result->members = h->request->member_count;
    h->result->grids = h->grid_count;
    h->result->points = h->points.first.count;
    h->result->zones = h->zones.first.zone_count;
    h->result->stations = h->series.stations;
    CHECK(plan_memory(h));
    const enum status status = write_sealed(h);
    memory_plan_release(h->memory);
    return status;
}

enum status hazard_make(const struct hazard_request *request, struct hazard_result *result)
{
    *result = (struct hazard_result){0};
    if (request->member_count == 0)
        return FAIL(STATUS_DATA, "no member has results");
    struct hazard *h = calloc(1, sizeof *h);
    struct memory_plan *memory = calloc(1, sizeof *memory);
    enum status status = STATUS_OK;
    if (!h || !memory)
        status = FAIL(STATUS_SYSTEM, "no memory for the members' statistics");
    if (status == STATUS_OK) {
        h->request = request;
        h->result = result;
        h->memory = memory;
        status = make(h);
        hazard_free(h);
    }
    free(memory);
    free(h);
    return status;
}
