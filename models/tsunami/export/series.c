// gauges.nc as a table: a line for each time, columns for each gauge and quantity. One record is read at a
// time.
#include "models/tsunami/export/private.h"

#include <stdlib.h>
#include <string.h>

enum { QUANTITIES_MAX = 8 };

struct series {
    const struct result_file *file;
    const struct result_variable *quantities[QUANTITIES_MAX];
    int quantity_count;
    size_t records, stations;
    char **names;
    size_t name_count;
    double *times_s, *values; // [records]; one record
    size_t time_count;
};

static enum status open_series(struct series *series)
{
    const struct result_file *file = series->file;
    const char *station = NULL;
    for (size_t k = 0; k < result_variable_count(file); k++) {
        const struct result_variable *variable = result_variable_at(file, k);
        if (variable->is_text || variable->rank != 2 || strcmp(variable->dimensions[0], "time") != 0 ||
            series->quantity_count == QUANTITIES_MAX)
            continue;
        series->quantities[series->quantity_count++] = variable;
        station = variable->dimensions[1];
        series->records = variable->lengths[0];
        series->stations = variable->lengths[1];
    }
    if (!station || !result_find(file, "time") || !result_find(file, "name"))
        return FAIL(STATUS_DATA, "%s: has no series of gauges", result_path(file));
    CHECK(result_read_texts(file, "name", &series->names, &series->name_count));
    CHECK(result_read_all(file, "time", &series->times_s, &series->time_count));
    if (series->name_count != series->stations || series->time_count != series->records)
        return FAIL(STATUS_DATA, "%s: %zu names of %zu gauges, %zu times of %zu records", result_path(file),
                    series->name_count, series->stations, series->time_count, series->records);
    series->values = malloc((series->stations + 1) * sizeof *series->values);
    return series->values ? STATUS_OK
                          : FAIL(STATUS_SYSTEM, "%s: not enough memory for a record", result_path(file));
}

static void write_heading(FILE *stream, const struct series *series, bool has_date)
{
    char name[400];
    fputs(has_date ? "time_s,time_utc" : "time_s", stream);
    for (int q = 0; q < series->quantity_count; q++)
        for (size_t k = 0; k < series->stations; k++) {
            snprintf(name, sizeof name, "%.250s %.100s", series->names[k], series->quantities[q]->name);
            fputc(',', stream);
            geo_csv_heading(stream, name, series->quantities[q]->units);
        }
    fputs("\r\n", stream);
}

static enum status write_records(FILE *stream, const struct series *series)
{
    double origin_s = 0;
    char date[EXPORT_UTC_BYTES];
    const bool has_date = export_origin(series->file, "time", &origin_s);
    write_heading(stream, series, has_date);
    for (size_t t = 0; t < series->records; t++) {
        const size_t start[2] = {t, 0}, count[2] = {1, series->stations};
        geo_csv_number(stream, series->times_s[t]);
        if (has_date) {
            export_utc(origin_s + series->times_s[t] + 0.5, date);
            fprintf(stream, ",%s", date);
        }
        for (int q = 0; q < series->quantity_count; q++) {
            CHECK(result_read(series->file, series->quantities[q]->name, start, count, series->values));
            for (size_t k = 0; k < series->stations; k++) {
                fputc(',', stream);
                geo_csv_number(stream, series->values[k]);
            }
        }
        fputs("\r\n", stream);
    }
    return STATUS_OK;
}

enum status export_series_write(const struct result_file *file, const char *output)
{
    struct series series = {.file = file};
    struct whole_file text;
    enum status status = open_series(&series);
    if (status == STATUS_OK)
        status = whole_file_begin(&text, output);
    if (status == STATUS_OK)
        status = whole_file_end(&text, write_records(text.stream, &series));
    if (series.names)
        result_free_texts(series.names, series.name_count);
    free(series.times_s);
    free(series.values);
    return status;
}
