// Records and the sources' series, read for an inversion (see the header).
#include "models/tsunami/forecast/invert_stations.h"

#include "core/log.h"
#include "io/formats/series.h"
#include "io/units.h"
#include "models/tsunami/forecast/database_gauges.h"
#include "models/tsunami/forecast/far_field.h"

#include <stdlib.h>
#include <string.h>

// Values of one time that differ by more are reported. They are not refused: buoys give some times twice, as
// means over 15 s and over a minute, which may differ by decimetres while an earthquake shakes them.
static const double doubtful_m = 0.01;

static enum status count_bytes(struct invert_data *data, size_t numbers)
{
    char most[24];
    data->bytes += sizeof(double) * (double)numbers;
    if (data->bytes > (double)data->bytes_most)
        return FAIL(STATUS_CONFIGURATION,
                    "the series of %zu sources at %zu stations take more than %s: choose fewer, or give more "
                    "memory (--memory)",
                    data->source_count, data->station_count,
                    units_format_bytes((double)data->bytes_most, most, sizeof most));
    return STATUS_OK;
}

// ---- records

static enum status fill_record(struct series *series, struct invert_data *data, size_t s)
{
    const size_t samples = series_info(series)->samples;
    CHECK(count_bytes(data, 2 * samples));
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

// Of all series with the same times one keeps them. fresh[station_count]: those of one source.
static void share_times(struct invert_data *data, struct database_series *fresh)
{
    for (size_t s = 0; s < data->station_count; s++) {
        double *own = fresh[s].times_s;
        if (fresh[s].borrows_times || own == data->times_s)
            continue;
        if (data->times != fresh[s].samples || memcmp(own, data->times_s, data->times * sizeof *own) != 0) {
            data->times_s = own;
            data->times = fresh[s].samples;
            continue;
        }
        for (size_t other = 0; other < data->station_count; other++)
            if (fresh[other].times_s == own) {
                fresh[other].times_s = data->times_s;
                fresh[other].borrows_times = true;
            }
        free(own);
    }
}

// Those with the same times together. fresh[station_count]: of one source.
static enum status correct(const struct database_source *source, const struct invert_data *data,
                           const struct database_series *fresh)
{
    const struct far_field sea = {data->far_field_depth_m, source->is_dispersive};
    double *together[INVERT_STATIONS_MAX] = {NULL};
    bool is_done[INVERT_STATIONS_MAX] = {false};
    for (size_t s = 0; s < data->station_count && sea.depth_m > 0; s++) {
        size_t count = 0;
        for (size_t other = s; other < data->station_count; other++)
            if (!is_done[other] && fresh[other].times_s == fresh[s].times_s) {
                together[count++] = fresh[other].eta_m;
                is_done[other] = true;
            }
        CHECK_ABOUT(far_field_correct_all(&sea, fresh[s].times_s, together, count, fresh[s].samples),
                    "source %s", source->name);
    }
    return STATUS_OK;
}

static enum status take_series(struct invert_data *data, size_t s, size_t j)
{
    const struct database_series *series = &data->sources[s * data->source_count + j];
    if (series->samples < 1)
        return FAIL(STATUS_DATA, "no samples");
    data->units[s * data->source_count + j] = (struct invert_series){
        .samples = series->samples, .times_s = series->times_s, .eta_m = series->eta_m};
    return count_bytes(data, (series->borrows_times ? 1 : 2) * series->samples);
}

// places and fresh: [station_count].
static enum status read_source(const struct database *database, size_t index,
                               const struct database_place *places, struct database_series *fresh,
                               struct invert_data *data, size_t j)
{
    size_t failed;
    const char *name = database_at(database, index)->name;
    const enum status status =
        database_read_places(database, index, places, data->station_count, fresh, &failed);
    if (status != STATUS_OK)
        return status_prefix(status, "station %s, source %s", data->stations[failed].name, name);
    share_times(data, fresh);
    for (size_t s = 0; s < data->station_count; s++)
        data->sources[s * data->source_count + j] = fresh[s];
    for (size_t s = 0; s < data->station_count; s++)
        CHECK_ABOUT(take_series(data, s, j), "station %s, source %s", data->stations[s].name, name);
    return correct(database_at(database, index), data, fresh);
}

static enum status read_sources(const struct database *database, const size_t *sources,
                                const struct invert_choice *choices, struct invert_data *data)
{
    struct database_place *places = calloc(data->station_count + 1, sizeof *places);
    struct database_series *fresh = calloc(data->station_count + 1, sizeof *fresh);
    enum status status = places && fresh ? STATUS_OK
                                         : FAIL(STATUS_SYSTEM, "not enough memory for a list of %zu stations",
                                                data->station_count);
    for (size_t s = 0; s < data->station_count && status == STATUS_OK; s++)
        places[s] = (struct database_place){.name = choices[s].is_named ? choices[s].name : NULL,
                                            .longitude = choices[s].longitude,
                                            .latitude = choices[s].latitude};
    for (size_t j = 0; j < data->source_count && status == STATUS_OK; j++) {
        const struct database_source *source = database_at(database, sources[j]);
        status = database_check_files(source, !database_gauges_are_there(source));
        if (status == STATUS_OK)
            status = read_source(database, sources[j], places, fresh, data, j);
    }
    free(places);
    free(fresh);
    return status;
}

static enum status read_station(const struct invert_choice *choice, const char *origin,
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
    return STATUS_OK;
}

enum status invert_data_read(const struct database *database, const size_t *sources, size_t source_count,
                             const struct invert_choice *choices, size_t choice_count, const char *origin,
                             double far_field_depth_m, size_t bytes_most, struct invert_data *data)
{
    const size_t series = choice_count * source_count;
    *data = (struct invert_data){.station_count = choice_count,
                                 .source_count = source_count,
                                 .far_field_depth_m = far_field_depth_m,
                                 .bytes_most = bytes_most};
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
        CHECK(read_station(&choices[s], origin, data, s));
    return read_sources(database, sources, choices, data);
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
