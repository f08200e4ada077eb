// Series over time (see series.h): what does not depend on the kind of file: units, checks, interpolation.
#include "io/formats/series_private.h"

#include "core/ascending.h"
#include "io/path.h"
#include "io/time_units.h"
#include "io/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status series_is_netcdf(const char *path, bool *is_netcdf)
{
    unsigned char head[8] = {0};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return FAIL(path_open_status(errno), "%s: %s", path, strerror(errno));
    const size_t length = fread(head, 1, sizeof head, stream);
    const int error = ferror(stream) ? errno : 0;
    fclose(stream); // opened for reading: nothing can be lost
    if (error != 0)
        return FAIL(error == EISDIR ? STATUS_NO_INPUT : STATUS_IO, "%s: %s", path, strerror(error));
    if (length == 0)
        return FAIL(STATUS_DATA, "%s: the file is empty", path);
    *is_netcdf = memcmp(head, "CDF", 3) == 0 || memcmp(head, "\211HDF\r\n\032\n", sizeof head) == 0;
    return STATUS_OK;
}

// From "UNIT since DATE" to seconds since the caller's origin, or else since that same date.
static enum status set_dated_unit(struct series *series, const struct series_request *request,
                                  const char *unit, const char *calendar)
{
    char target[256];
    const char *date = strcasestr(unit, " since ");
    if (request->origin)
        snprintf(target, sizeof target, "seconds since %s", request->origin);
    else
        snprintf(target, sizeof target, "seconds%s", date);
    CHECK_ABOUT(time_units_conversion(unit, calendar, target, request->origin ? "standard" : calendar,
                                      &series->slopes[0], &series->offsets[0]),
                "%s: %s", series->path, series->names[0]);
    return STATUS_OK;
}

// Compares the caller's unit with the file's. Units with a date ("s since …") are not compared here;
// set_dated_unit handles them.
static enum status check_unit(struct series *series, const struct series_request *request, int k,
                              const char *unit_of_file)
{
    const struct series_column *column = series_column_of(request, k);
    bool contradict;
    if (!column->unit || !column->unit_key || !unit_of_file || !unit_of_file[0] ||
        (k == 0 && (time_units_have_date(column->unit) || time_units_have_date(unit_of_file))))
        return STATUS_OK;
    CHECK_ABOUT(units_contradict(column->unit, unit_of_file, &contradict), "%s: %s", series->path,
                series->names[k]);
    if (!contradict)
        return STATUS_OK;
    if (!request->overrides)
        return FAIL(STATUS_CONFIGURATION,
                    "%s: %s: \"%s\": \"%s\" contradicts the file, which states units = \"%s\": leave it out; "
                    "if the file is wrong, add \"override\": true",
                    series->path, series->names[k], column->unit_key, column->unit, unit_of_file);
    snprintf(series->info.set_aside, sizeof series->info.set_aside,
             "%.60s read in %.30s, although the file states units = \"%.30s\"", series->names[k],
             column->unit, unit_of_file);
    return STATUS_OK;
}

enum status series_set_unit(struct series *series, const struct series_request *request, int k,
                            const char *unit_of_file, const char *calendar)
{
    const struct series_column *column = series_column_of(request, k);
    const char *unit = column->unit ? column->unit : unit_of_file;
    series->targets[k] = column->target;
    series->limit[k] = column->limit;
    CHECK(check_unit(series, request, k, unit_of_file));
    if (!unit || !unit[0])
        return FAIL(STATUS_DATA, "%s states no unit of %s: give \"%s\", for example \"%s\"", series->path,
                    series->names[k], column->unit_key, column->target);
    if (k == 0 && time_units_have_date(unit))
        return set_dated_unit(series, request, unit, calendar ? calendar : "");
    CHECK_ABOUT(units_conversion(unit, column->target, &series->slopes[k], &series->offsets[k]), "%s: %s",
                series->path, series->names[k]);
    return STATUS_OK;
}

static void note_range(struct series_info *info, int k, double value, bool is_first)
{
    info->lowest[k] = is_first ? value : fmin(info->lowest[k], value);
    info->highest[k] = is_first ? value : fmax(info->highest[k], value);
}

static void note_contradiction(struct series *series, const struct series_pass *pass, const double *sample,
                               uint64_t place)
{
    for (int k = 1; k < series->columns; k++) {
        const double difference = fabs(sample[k] - pass->last_values[k - 1]);
        if (difference <= series->info.contradiction)
            continue;
        series->info.contradiction = difference;
        series->info.contradiction_s = sample[0];
        series->info.contradiction_place = place;
    }
}

enum status series_take(struct series *series, struct series_pass *pass, const double *raw, const char *where,
                        uint64_t place)
{
    double sample[SERIES_COLUMNS_MAX] = {0};
    for (int k = 0; k < series->columns; k++) {
        const double slope = series->slopes[k], offset = series->offsets[k];
        sample[k] = slope == 1 && offset == 0 ? raw[k] : slope * raw[k] + offset;
        if (!isfinite(sample[k]))
            return FAIL(STATUS_DATA, "%s: %s %llu, %s: missing value; every sample must have one",
                        series->path, where, (unsigned long long)place, series->names[k]);
        if (series->limit[k] > 0 && fabs(sample[k]) > series->limit[k])
            return FAIL(STATUS_DATA,
                        "%s: %s %llu, %s: %g %s is beyond ±%g %s; is it a missing value, or in another unit?",
                        series->path, where, (unsigned long long)place, series->names[k], sample[k],
                        series->targets[k], series->limit[k], series->targets[k]);
        if (k > 0)
            note_range(&series->info, k - 1, sample[k], pass->samples == 0);
    }
    if (pass->samples > 0 && sample[0] == pass->last_s && series->may_repeat) {
        note_contradiction(series, pass, sample, place);
        return STATUS_OK;
    }
    if (pass->samples > 0 && !(sample[0] > pass->last_s))
        return FAIL(STATUS_DATA, "%s: %s %llu, %s: the time %.9g s is not after the one before, %.9g s",
                    series->path, where, (unsigned long long)place, series->names[0], sample[0],
                    pass->last_s);
    if (pass->times_s) {
        if (pass->samples == series->info.samples)
            return FAIL(STATUS_DATA, "%s: has more samples than when it was opened: it was changed since",
                        series->path);
        pass->times_s[pass->samples] = sample[0];
        for (int k = 1; k < series->columns; k++)
            pass->values[k - 1][pass->samples] = sample[k];
    }
    if (pass->samples == 0)
        pass->first_s = sample[0];
    pass->last_s = sample[0];
    memcpy(pass->last_values, sample + 1, sizeof pass->last_values);
    pass->samples++;
    return STATUS_OK;
}

static enum status open_series(const struct series_request *request, struct series *series)
{
    struct series_pass pass = {0};
    if ((size_t)snprintf(series->path, sizeof series->path, "%s", request->path) >= sizeof series->path)
        return FAIL(STATUS_NO_INPUT, "%.60s...: the name is too long", request->path);
    series->columns = 1 + request->value_count;
    series->may_repeat = request->may_repeat;
    CHECK(series_is_netcdf(series->path, &series->info.is_netcdf));
    CHECK((series->info.is_netcdf ? series_open_netcdf : series_open_text)(request, series));
    CHECK(series->reader->run(series, &pass));
    if (pass.samples < 2)
        return FAIL(STATUS_DATA, "%s: %zu sample%s, expected at least 2", series->path, pass.samples,
                    pass.samples == 1 ? "" : "s");
    series->info.samples = pass.samples;
    series->info.first_s = pass.first_s;
    series->info.last_s = pass.last_s;
    return STATUS_OK;
}

enum status series_open(const struct series_request *request, struct series **series)
{
    *series = NULL;
    struct series *opened = calloc(1, sizeof *opened);
    if (!opened)
        return FAIL(STATUS_SYSTEM, "%s: out of memory", request->path);
    const enum status status = open_series(request, opened);
    if (status != STATUS_OK) {
        series_close(opened);
        return status;
    }
    *series = opened;
    return STATUS_OK;
}

const struct series_info *series_info(const struct series *series)
{
    return &series->info;
}

enum status series_read(struct series *series, double *times_s, double *const values[SERIES_VALUES_MAX])
{
    struct series_pass pass = {.times_s = times_s, .values = values};
    CHECK(series->reader->run(series, &pass));
    if (pass.samples != series->info.samples)
        return FAIL(STATUS_DATA, "%s: has fewer samples than when it was opened: it was changed since",
                    series->path);
    return STATUS_OK;
}

void series_close(struct series *series)
{
    if (series && series->reader)
        series->reader->close(series->state);
    free(series);
}

double series_at(const double *times_s, const double *values, size_t samples, double time_s)
{
    if (!(time_s >= times_s[0] && time_s <= times_s[samples - 1]))
        return NAN;
    const size_t k = ascending_place(times_s, samples, time_s);
    if (time_s == times_s[k])
        return values[k];
    const double share = (time_s - times_s[k]) / (times_s[k + 1] - times_s[k]);
    return values[k] + share * (values[k + 1] - values[k]);
}
