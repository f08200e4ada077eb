// The gauges of a combination: read from every source's gauges.nc, checked against the first one's, added
// (see combine.h). Independent of fields.
#include "models/tsunami/forecast/combine_private.h"
#include "models/tsunami/forecast/database_gauges.h"
#include "models/tsunami/forecast/far_field.h"

#include "core/log.h"
#include "io/netcdf/dataset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEEDED_CONSTANTS = 2 }; // the position; a source may lack the others

// ---- the first source's decide

static enum status take_storage(struct combine_gauges *g, const struct database_gauges *part)
{
    struct dataset *file;
    CHECK(dataset_open(part->path, &file));
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        const struct dataset_variable *variable =
            dataset_find(file, propagation_name((enum propagation_quantity)q));
        g->is_double = g->is_double || (variable && !dataset_is_single(variable));
    }
    dataset_close(file);
    return STATUS_OK;
}

static enum status take_first(struct combine *c, struct database_gauges *part)
{
    struct combine_gauges *g = &c->gauges;
    g->stations = part->stations;
    g->records = part->records;
    const size_t length = g->stations * g->records;
    if (length / g->stations != g->records || length > c->memory_bytes / sizeof(double) / 8)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: %zu records of %zu gauges do not fit in the memory allowed (%zu bytes)", part->path,
                    g->records, g->stations, c->memory_bytes);
    for (int k = 0; k < TSUNAMI_GAUGE_CONSTANTS; k++) {
        const char *name = tsunami_gauge_constant_name(k, true);
        size_t count;
        if (k >= NEEDED_CONSTANTS && !result_find(part->file, name))
            continue;
        CHECK(result_read_all(part->file, name, &g->constants[k], &count));
        if (count != g->stations)
            return FAIL(STATUS_DATA, "%s: %s has %zu entries for %zu gauges", part->path, name, count,
                        g->stations);
    }
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        g->has[q] = result_find(part->file, propagation_name((enum propagation_quantity)q)) != NULL;
        if (g->has[q] && !(g->sums[q] = calloc(length, sizeof *g->sums[q])))
            return FAIL(STATUS_SYSTEM, "%s: no memory for %zu values", part->path, length);
    }
    g->names = part->names;
    g->times_s = part->times_s;
    part->names = NULL;
    part->times_s = NULL;
    return STATUS_OK;
}

static enum status check_like_first(const struct combine *c, const struct database_gauges *part,
                                    const char *first_path)
{
    const struct combine_gauges *g = &c->gauges;
    CHECK(combine_check_axis("time (s)", part->path, part->times_s, part->records, first_path, g->times_s,
                             g->records, 0));
    if (part->stations != g->stations)
        return FAIL(STATUS_DATA, "%s: %zu gauges, %s has %zu: unit sources must have the same gauges",
                    part->path, part->stations, first_path, g->stations);
    for (size_t k = 0; k < g->stations; k++) {
        if (strcmp(part->names[k], g->names[k]) != 0)
            return FAIL(STATUS_DATA, "%s: gauge %zu is %s, in %s %s: unit sources must have the same gauges",
                        part->path, k, part->names[k], first_path, g->names[k]);
        const double turns = round((part->longitudes[k] - g->constants[0][k]) / 360);
        if (!(fabs(part->longitudes[k] - 360 * turns - g->constants[0][k]) <= 1e-4) ||
            !(fabs(part->latitudes[k] - g->constants[1][k]) <= 1e-4))
            return FAIL(STATUS_DATA, "%s: gauge %s lies at %.6g, %.6g, in %s at %.6g, %.6g", part->path,
                        g->names[k], part->longitudes[k], part->latitudes[k], first_path, g->constants[0][k],
                        g->constants[1][k]);
    }
    return STATUS_OK;
}

enum { TOGETHER = 64 }; // gauges that are corrected at a time

// Gauges `first` to `end` of values [records][stations], which have `series` as room. A gauge that is dry or
// outside (not finite) stays as it is.
static enum status correct_some(const struct combine_gauges *g, const struct far_field *sea, double *values,
                                size_t first, size_t end, double *series)
{
    double *finite[TOGETHER] = {NULL};
    size_t stations[TOGETHER] = {0}, count = 0;
    for (size_t s = first; s < end; s++) {
        double *one = series + count * g->records;
        bool is_finite = true;
        for (size_t k = 0; k < g->records; k++) {
            one[k] = values[k * g->stations + s];
            is_finite = is_finite && isfinite(one[k]);
        }
        finite[count] = one;
        stations[count] = s;
        count += is_finite;
    }
    CHECK(far_field_correct_all(sea, g->times_s, finite, count, g->records));
    for (size_t n = 0; n < count; n++)
        for (size_t k = 0; k < g->records; k++)
            values[k * g->stations + stations[n]] = finite[n][k];
    return STATUS_OK;
}

// Delays the values [records][stations] as far_field.h says.
static enum status correct(const struct combine_gauges *g, const struct far_field *sea, double *values)
{
    double *series = malloc(TOGETHER * g->records * sizeof *series);
    enum status status = series ? STATUS_OK : FAIL(STATUS_SYSTEM, "no memory for series of gauges");
    for (size_t first = 0; first < g->stations && status == STATUS_OK; first += TOGETHER) {
        const size_t end = g->stations - first < TOGETHER ? g->stations : first + TOGETHER;
        status = correct_some(g, sea, values, first, end, series);
    }
    free(series);
    return status == STATUS_OK ? STATUS_OK : status_prefix(status, "far field");
}

// The correction of the sum is the sum of the corrections, as long as that of all sources is the same.
static bool is_corrected_once(const struct combine *c)
{
    for (size_t k = 1; k < c->count; k++)
        if (c->uses[k].source->is_dispersive != c->uses[0].source->is_dispersive)
            return false;
    return true;
}

static struct far_field sea_of(const struct combine *c, const struct combine_use *use)
{
    return (struct far_field){c->request->far_field_depth_m, use->source->is_dispersive};
}

static enum status add_part(struct combine *c, const struct database_gauges *part,
                            const struct combine_use *use, bool is_first)
{
    struct combine_gauges *g = &c->gauges;
    const double factor = use->factor;
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++) {
        const struct result_variable *variable;
        double *values, slope;
        size_t count;
        if (!g->has[q])
            continue;
        CHECK(database_gauges_find(part, (enum propagation_quantity)q, &variable, &slope));
        if (!variable) {
            log_warning("%s of the gauges is left out: %s has none",
                        propagation_name((enum propagation_quantity)q), part->path);
            g->has[q] = false;
            continue;
        }
        CHECK(result_read_all(part->file, variable->name, &values, &count));
        const struct far_field sea = sea_of(c, use);
        const enum status status = sea.depth_m > 0 && !is_corrected_once(c)
                                       ? status_prefix(correct(g, &sea, values), "%s", part->path)
                                       : STATUS_OK;
        for (size_t k = 0; k < count; k++)
            g->sums[q][k] =
                is_first ? factor * (slope * values[k]) : g->sums[q][k] + factor * (slope * values[k]);
        free(values);
        CHECK(status);
    }
    return STATUS_OK;
}

static enum status add_source(struct combine *c, size_t index, char first_path[PATH_BYTES])
{
    struct database_gauges part = {0};
    enum status status = database_gauges_open(c->uses[index].source, &part);
    if (status == STATUS_OK)
        combine_note_date(c, part.date);
    if (status == STATUS_OK)
        status = take_storage(&c->gauges, &part);
    if (status == STATUS_OK && index == 0) {
        snprintf(first_path, PATH_BYTES, "%s", part.path);
        status = take_first(c, &part);
    } else if (status == STATUS_OK) {
        status = check_like_first(c, &part, first_path);
    }
    if (status == STATUS_OK)
        status = add_part(c, &part, &c->uses[index], index == 0);
    database_gauges_close(&part);
    return status;
}

enum status combine_gauges_read(struct combine *c)
{
    char first_path[PATH_BYTES];
    size_t with = 0;
    const char *without = NULL;
    for (size_t k = 0; k < c->count; k++) {
        const struct database_source *source = c->uses[k].source;
        const bool has = database_gauges_are_there(source);
        with += has;
        if (!has)
            without = source->name;
    }
    if (with > 0 && with < c->count)
        log_warning("the gauges are left out: %s has no gauges.nc", without);
    for (size_t k = 0; with == c->count && k < c->count; k++)
        CHECK(add_source(c, k, first_path));
    const struct far_field sea = sea_of(c, &c->uses[0]);
    for (int q = 0; q < PROPAGATION_QUANTITIES && sea.depth_m > 0 && is_corrected_once(c); q++)
        if (c->gauges.has[q] && c->gauges.stations > 0)
            CHECK(correct(&c->gauges, &sea, c->gauges.sums[q]));
    return STATUS_OK;
}

void combine_gauges_free(struct combine_gauges *g)
{
    result_free_texts(g->names, g->stations);
    free(g->times_s);
    for (int k = 0; k < TSUNAMI_GAUGE_CONSTANTS; k++)
        free(g->constants[k]);
    for (int q = 0; q < PROPAGATION_QUANTITIES; q++)
        free(g->sums[q]);
}
