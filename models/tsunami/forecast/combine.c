// Combines unit sources (see combine.h): chooses them, checks that their grids and times agree, and checks
// the folder of the results. The gauges are in combine_gauges.c, reading and writing in combine_write.c.
#include "models/tsunami/forecast/combine_private.h"

#include "core/log.h"
#include "io/output/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- the request

static enum status choose_sources(struct combine *c)
{
    const struct combine_request *request = c->request;
    c->count = request->slips->count;
    c->uses = calloc(c->count, sizeof *c->uses);
    if (!c->uses)
        return FAIL(STATUS_SYSTEM, "no memory for %zu unit sources", c->count);
    for (size_t k = 0; k < c->count; k++) {
        size_t index;
        CHECK(database_find(request->database, request->slips->slips[k].name, &index));
        const struct database_source *source = database_at(request->database, index);
        for (size_t earlier = 0; earlier < k; earlier++)
            if (c->uses[earlier].source == source)
                return FAIL(STATUS_DATA, "unit source %s is named twice, as %s and %s", source->name,
                            request->slips->slips[earlier].name, request->slips->slips[k].name);
        c->uses[k] = (struct combine_use){source, request->slips->slips[k].slip_m / source->slip_m};
    }
    return STATUS_OK;
}

// Results in the database's folder would later count as a unit source; results in a source's folder would
// replace the source.
static enum status check_directory(const struct combine *c)
{
    const char *directory = c->request->directory, *database = database_folder(c->request->database);
    char place[PATH_BYTES];
    struct stat folder, at;
    if (snprintf(place, sizeof place, "%s", directory) >= (int)sizeof place)
        return FAIL(STATUS_CANNOT_CREATE, "%.80s...: the path is too long", directory);
    for (int up = 0; up < 2; up++) {
        if (stat(database, &folder) == 0 && stat(place, &at) == 0 && at.st_dev == folder.st_dev &&
            at.st_ino == folder.st_ino)
            return FAIL(STATUS_DATA,
                        "%s: lies in the database %s, where it would be taken for a unit source: expected a "
                        "folder elsewhere",
                        directory, database);
        // Continue with the parent folder.
        for (size_t length = strlen(place); length > 1 && place[length - 1] == '/'; length--)
            place[length - 1] = '\0';
        char *slash = strrchr(place, '/');
        if (!slash)
            snprintf(place, sizeof place, ".");
        else
            slash[slash == place] = '\0'; // "/" stays
    }
    // Files of a combination that was killed are overwritten, but a run that was stopped is not.
    CHECK(output_check_published(directory));
    const enum status found = output_find_checkpoint(directory, place);
    if (found != STATUS_NO_INPUT) {
        status_clear();
        return FAIL(STATUS_DATA, "%s: holds a run that was stopped: expected another folder", directory);
    }
    status_clear();
    return STATUS_OK;
}

static enum status check_leftover(const struct combine *c, const char *name, bool is_made)
{
    char path[PATH_BYTES];
    if (!is_made && snprintf(path, sizeof path, "%s/%s", c->request->directory, name) < PATH_BYTES &&
        access(path, F_OK) == 0)
        return FAIL(STATUS_DATA,
                    "%s: belongs to another result, and this combination writes no such file: expected "
                    "another folder",
                    path);
    return STATUS_OK;
}

// ---- agreement of the sources

enum status combine_check_axis(const char *name, const char *path, const double *values, size_t length,
                               const char *first_path, const double *first, size_t first_length,
                               double period)
{
    if (length != first_length)
        return FAIL(STATUS_DATA,
                    "%s: %zu entries of %s, %s has %zu: unit sources must have the same grid and times", path,
                    length, name, first_path, first_length);
    double spacing = INFINITY;
    for (size_t k = 1; k < length; k++)
        spacing = fmin(spacing, fabs(first[k] - first[k - 1]));
    const double shift = period > 0 ? period * round((first[0] - values[0]) / period) : 0;
    for (size_t k = 0; k < length; k++) {
        const double tolerance = fmax(isfinite(spacing) ? 1e-3 * spacing : 1e-9, 0x1p-22 * fabs(first[k]));
        if (!(fabs(values[k] + shift - first[k]) <= tolerance))
            return FAIL(STATUS_DATA,
                        "%s: %s[%zu] is %.9g, in %s %.9g: unit sources must have the same grid and times",
                        path, name, k, values[k], first_path, first[k]);
    }
    return STATUS_OK;
}

void combine_note_date(struct combine *c, const char *date)
{
    if (!c->has_date && !c->is_date_open && date[0]) {
        snprintf(c->date, sizeof c->date, "%s", date);
        c->has_date = true;
    } else if (!c->has_date || strcmp(c->date, date) != 0) {
        c->is_date_open = true;
    }
}

static enum status keep(double **kept, const double *values, size_t length)
{
    *kept = malloc(length * sizeof **kept);
    if (!*kept)
        return FAIL(STATUS_SYSTEM, "no memory for an axis of %zu entries", length);
    memcpy(*kept, values, length * sizeof **kept);
    return STATUS_OK;
}

static enum status take_first(struct combine *c, const struct propagation_info *info)
{
    c->records = info->records;
    c->rows = info->rows;
    c->columns = info->columns;
    snprintf(c->first_path, sizeof c->first_path, "%s", info->path);
    CHECK(keep(&c->times_s, info->times_s, info->records));
    CHECK(keep(&c->latitudes, info->latitudes, info->rows));
    return keep(&c->longitudes, info->longitudes, info->columns);
}

// The sum is stored as the sources are, if all of them are rounded; resolution 0: not.
static void note_rounding(struct combine *c, int quantity, size_t use, const struct propagation_info *info)
{
    double *resolution = &c->resolutions[quantity];
    const bool is_rounded =
        info->resolution > 0 && (use == 0 || *resolution > 0) && !c->request->is_unrounded;
    *resolution = is_rounded ? fmax(*resolution, info->resolution) : 0;
    c->roundings[quantity] += fabs(c->uses[use].factor) * info->rounding;
}

static enum status take_file(struct combine *c, const struct propagation_file *file)
{
    const struct propagation_info *info = propagation_info(file);
    const size_t cache_bytes = propagation_cache_bytes(file);
    c->cache_bytes = cache_bytes > c->cache_bytes ? cache_bytes : c->cache_bytes;
    c->is_double = c->is_double || info->is_double;
    combine_note_date(c, info->date);
    if (!c->times_s)
        return take_first(c, info);
    CHECK(combine_check_axis("time (s)", info->path, info->times_s, info->records, c->first_path, c->times_s,
                             c->records, 0));
    CHECK(combine_check_axis("latitude", info->path, info->latitudes, info->rows, c->first_path, c->latitudes,
                             c->rows, 0));
    return combine_check_axis("longitude", info->path, info->longitudes, info->columns, c->first_path,
                              c->longitudes, c->columns, 360);
}

// Whether all sources have a quantity.
static enum status find_quantity(struct combine *c, enum propagation_quantity quantity)
{
    char path[PATH_BYTES];
    size_t with = 0;
    const char *without = NULL;
    for (size_t k = 0; k < c->count; k++) {
        bool has = database_fields_path(c->uses[k].source, quantity, path);
        // The quantity of a NOAA file is in its name; a file that differs is refused when it is opened.
        if (has && c->uses[k].source->form == DATABASE_RESULT)
            CHECK(propagation_has(path, quantity, &has));
        with += has;
        if (!has)
            without = c->uses[k].source->name;
    }
    c->has[quantity] = with == c->count;
    if (with > 0 && with < c->count)
        log_warning("%s is left out: %s has none", propagation_name(quantity), without);
    return STATUS_OK;
}

// Opens every source's fields and sets has, axes, is_double, cache_bytes. Without common fields `has` is all
// false.
static enum status survey_fields(struct combine *c)
{
    char path[PATH_BYTES];
    struct propagation_file *file;
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        CHECK(find_quantity(c, (enum propagation_quantity)q));
        for (size_t k = 0; c->has[q] && k < c->count; k++) {
            if (!database_fields_path(c->uses[k].source, (enum propagation_quantity)q, path))
                return FAIL(STATUS_IO, "%s: does not exist any more", path);
            CHECK(propagation_open(path, (enum propagation_quantity)q, &file));
            note_rounding(c, q, k, propagation_info(file));
            const enum status status = take_file(c, file);
            propagation_close(file);
            CHECK(status);
        }
    }
    return STATUS_OK;
}

// ---- the combination

static enum status combine_all(struct combine *c)
{
    CHECK(choose_sources(c));
    CHECK(check_directory(c));
    for (size_t k = 0; k < c->count; k++)
        CHECK(database_check_files(c->uses[k].source, !c->request->is_gauges_only));
    if (!c->request->is_gauges_only)
        CHECK(survey_fields(c));
    CHECK(combine_cut(c));
    CHECK(combine_gauges_read(c));
    if (c->request->is_gauges_only && c->gauges.stations == 0)
        return FAIL(STATUS_DATA,
                    "%s: the unit sources have no gauges in common to add: run them with "
                    "output.gauges",
                    database_folder(c->request->database));
    if (c->request->far_field_depth_m > 0 && c->gauges.stations == 0)
        return FAIL(STATUS_DATA,
                    "%s: the far-field correction delays the waves at gauges, and the unit sources have none "
                    "in common: run them with output.gauges, or give the slips as NAME=SLIP, which have no "
                    "correction",
                    database_folder(c->request->database));
    const bool has_fields = c->has[PROPAGATION_ETA] || c->has[PROPAGATION_U] || c->has[PROPAGATION_V];
    if (!has_fields && c->gauges.stations == 0)
        return FAIL(STATUS_DATA, "%s: the unit sources have neither fields nor gauges in common",
                    database_folder(c->request->database));
    if (c->request->noaa && !has_fields)
        return FAIL(STATUS_DATA, "%s: the unit sources have no fields in common to write in NOAA's form",
                    database_folder(c->request->database));
    CHECK(check_leftover(c, "fields.nc", has_fields));
    CHECK(check_leftover(c, "maxima.nc", c->has[PROPAGATION_ETA]));
    CHECK(check_leftover(c, "gauges.nc", c->gauges.stations > 0));
    if (c->request->origin || c->is_date_open)
        snprintf(c->date, sizeof c->date, "%s", c->request->origin ? c->request->origin : "");
    return combine_write(c);
}

static void describe(const struct combine *c)
{
    struct combination *result = c->result;
    memcpy(result->has, c->has, sizeof result->has);
    result->records = c->records;
    result->rows = c->rows;
    result->columns = c->columns;
    result->stations = c->gauges.stations;
    result->station_records = c->gauges.records;
    result->is_double = c->is_double;
    snprintf(result->date, sizeof result->date, "%s", c->date);
    if (c->records > 0) {
        result->latitude[0] = c->latitudes[0];
        result->latitude[1] = c->latitudes[c->rows - 1];
        result->longitude[0] = c->longitudes[0];
        result->longitude[1] = c->longitudes[c->columns - 1];
        result->last_s = c->times_s[c->records - 1];
    } else if (c->gauges.records > 0) {
        result->last_s = c->gauges.times_s[c->gauges.records - 1];
    }
}

enum status combine(const struct combine_request *request, struct combination *result)
{
    struct combine c = {.request = request,
                        .result = result,
                        .memory_bytes = request->memory_bytes ? request->memory_bytes : COMBINE_MEMORY_BYTES};
    *result = (struct combination){
        .largest_m = NAN, .largest_latitude = NAN, .largest_longitude = NAN, .largest_time_s = NAN};
    const enum status status = combine_all(&c);
    if (status == STATUS_OK)
        describe(&c);
    free(c.uses);
    free(c.times_s);
    free(c.latitudes);
    free(c.longitudes);
    combine_gauges_free(&c.gauges);
    return status;
}
