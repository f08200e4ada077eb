// Records and the sources' series, read for an inversion (see the header).
#include "models/tsunami/forecast/invert_stations.h"

#include "core/log.h"
#include "io/formats/series.h"
#include "io/units.h"
#include "models/tsunami/forecast/far_field.h"

#include <stdlib.h>

// Values of one time that differ by more are reported. They are not refused: buoys give some times twice, as
// means over 15 s and over a minute, which may differ by decimetres while an earthquake shakes them.
static const double doubtful_m = 0.01;

static enum status count_bytes(struct invert_data *data, size_t samples)
{
    char most[24];
    data->bytes += 2 * sizeof(double) * (double)samples;
    if (data->bytes > INVERT_BYTES_MAX)
        return FAIL(
            STATUS_CONFIGURATION, "the series of %zu sources at %zu stations are more than %s: choose fewer",
            data->source_count, data->station_count, units_format_bytes(INVERT_BYTES_MAX, most, sizeof most));
    return STATUS_OK;
}

// ---- records

static enum status fill_record(struct series *series, struct invert_data *data, size_t s)
{
    const size_t samples = series_info(series)->samples;
    CHECK(count_bytes(data, samples));
    double *numbers = malloc(2 * samples * sizeof *numbers);
    if (!numbers)
        return FAIL(STATUS_SYSTEM, "not enough memory for a record of %zu samples", samples);
    data->records[s] = numbers;
    data->stations[s].observed =
        (struct invert_series){.samples = samples, .times_s = numbers, .eta_m = numbers + samples};
    return series_read(series, numbers, (double *const[SERIES_VALUES_MAX]){numbers + samples});
}

static enum status read_record(const struct invert_choice *choice, const char *origin,
                               struct invert_data *data, size_t s)
{
    bool is_netcdf;
    struct series *series;
    CHECK(series_is_netcdf(choice->record, &is_netcdf));
    struct series_request request = {.path = choice->record,
                                     .time = {.unit = is_netcdf ? NULL : "s",
                                              .target = "s",
                                              .key = "time",
                                              .unit_key = "the unit of time"},
                                     .values = {{.unit = is_netcdf ? NULL : "m",
                                                 .target = "m",
                                                 .limit = INVERT_ELEVATION_M,
                                                 .key = "elevation",
                                                 .unit_key = "the unit of elevation"}},
                                     .value_count = 1,
                                     .may_repeat = true,
                                     .skip_lines = is_netcdf ? 0 : choice->skip_lines,
                                     .origin = origin};
    if (!is_netcdf) {
        request.time.number = choice->time_column;
        request.values[0].number = choice->value_column;
    }
    CHECK(series_open(&request, &series));
    const struct series_info *info = series_info(series);
    if (info->contradiction > doubtful_m)
        log_warning(
            "%s: %s %llu: the time %.9g s is given again, with a value that differs by %.3g m; the first "
            "value of a time is used",
            choice->record, is_netcdf ? "sample" : "line", (unsigned long long)info->contradiction_place,
            info->contradiction_s, info->contradiction);
    const enum status status = fill_record(series, data, s);
    series_close(series);
    return status;
}

// ---- sources

static enum status read_source(const struct database *database, size_t index,
                               const struct invert_choice *choice, struct invert_data *data, size_t s,
                               size_t j)
{
    struct database_series *series = &data->sources[s * data->source_count + j];
    const struct database_place place = {.name = choice->is_named ? choice->name : NULL,
                                         .longitude = choice->longitude,
                                         .latitude = choice->latitude};
    CHECK(database_read_series(database, index, &place, series));
    const struct far_field sea = {data->far_field_depth_m, database_at(database, index)->is_dispersive};
    if (sea.depth_m > 0)
        CHECK(far_field_correct(&sea, series->times_s, series->eta_m, series->samples));
    data->units[s * data->source_count + j] = (struct invert_series){
        .samples = series->samples, .times_s = series->times_s, .eta_m = series->eta_m};
    if (series->samples < 1)
        return FAIL(STATUS_DATA, "no samples");
    return count_bytes(data, series->samples);
}

static enum status read_station(const struct database *database, const size_t *sources,
                                const struct invert_choice *choice, const char *origin,
                                struct invert_data *data, size_t s)
{
    data->stations[s] = (struct invert_station){.name = choice->name,
                                                .unit = data->units + s * data->source_count,
                                                .is_fitted = choice->role == INVERT_FITTED,
                                                .is_forecast = choice->role == INVERT_FORECAST,
                                                .begin_s = choice->begin_s,
                                                .end_s = choice->end_s,
                                                .weight = choice->weight,
                                                .shift_s = choice->shift_s};
    CHECK_ABOUT(read_record(choice, origin, data, s), "station %s", choice->name);
    for (size_t j = 0; j < data->source_count; j++)
        CHECK_ABOUT(read_source(database, sources[j], choice, data, s, j), "station %s, source %s",
                    choice->name, database_at(database, sources[j])->name);
    return STATUS_OK;
}

enum status invert_data_read(const struct database *database, const size_t *sources, size_t source_count,
                             const struct invert_choice *choices, size_t choice_count, const char *origin,
                             double far_field_depth_m, struct invert_data *data)
{
    const size_t series = choice_count * source_count;
    *data = (struct invert_data){
        .station_count = choice_count, .source_count = source_count, .far_field_depth_m = far_field_depth_m};
    data->stations = calloc(choice_count + 1, sizeof *data->stations);
    data->records = calloc(choice_count + 1, sizeof *data->records);
    data->source_names = calloc(source_count + 1, sizeof *data->source_names);
    data->sources = calloc(series + 1, sizeof *data->sources);
    data->units = calloc(series + 1, sizeof *data->units);
    if (!data->stations || !data->records || !data->source_names || !data->sources || !data->units)
        return FAIL(STATUS_SYSTEM, "not enough memory for %zu series", series);
    for (size_t j = 0; j < source_count; j++)
        data->source_names[j] = database_at(database, sources[j])->name;
    for (size_t s = 0; s < choice_count; s++)
        CHECK(read_station(database, sources, &choices[s], origin, data, s));
    return STATUS_OK;
}

void invert_data_free(struct invert_data *data)
{
    for (size_t k = 0; data->sources && k < data->station_count * data->source_count; k++)
        database_series_free(&data->sources[k]);
    for (size_t s = 0; data->records && s < data->station_count; s++)
        free(data->records[s]);
    free(data->stations);
    free(data->records);
    free(data->source_names);
    free(data->sources);
    free(data->units);
    *data = (struct invert_data){0};
}
