// Series over time, from text tables and from netCDF files.
#include "io/formats/series.h"

#include "tests/fuzz/support/fuzz.h"
#include "tests/fuzz/support/netcdf_bytes.h"

#include <math.h>
#include <stdlib.h>

static const char *const dimensions[] = {"time", "t", "station", "x", "record"};
static const char *const variables[] = {"eta", "time", "sea_level", "velocity", "u", "t"};
static const char *const units[] = {
    "s", "m", "cm", "min", "h", "m s-1", "seconds since 2011-03-11 05:46:24", "days since 2000-01-01"};

struct own {
    char texts[8][FUZZ_TEXT_BYTES];
    int next;
};

static struct series_column column_from(struct fuzz_bytes *bytes, const char *target, const char *key,
                                        struct own *own)
{
    const uint8_t flags = fuzz_byte(bytes);
    struct series_column column = {.target = target, .key = key, .unit_key = "unit"};
    if (flags & 1)
        column.number = flags >> 5;
    if (flags & 2)
        column.variable = fuzz_text(bytes, variables, FUZZ_COUNT(variables), own->texts[own->next++]);
    if (flags & 4)
        column.unit = fuzz_text(bytes, units, FUZZ_COUNT(units), own->texts[own->next++]);
    if (flags & 8)
        column.limit = 1000;
    return column;
}

static void read_back(struct series *series, const struct series_request *request)
{
    const struct series_info *info = series_info(series);
    FUZZ_EXPECT(info->samples >= 2, "%zu samples were accepted", info->samples);
    double *times = malloc(info->samples * sizeof *times), *values[SERIES_VALUES_MAX] = {NULL};
    for (int k = 0; k < request->value_count; k++)
        values[k] = malloc(info->samples * sizeof **values);
    FUZZ_EXPECT(fuzz_ok(series_read(series, times, values)), "a series that was opened cannot be read");
    FUZZ_EXPECT(times[0] == info->first_s && times[info->samples - 1] == info->last_s, "first or last time");
    for (size_t i = 0; i < info->samples; i++) {
        FUZZ_EXPECT(isfinite(times[i]) && (i == 0 || times[i] > times[i - 1]), "time %zu: %g", i, times[i]);
        for (int k = 0; k < request->value_count; k++) {
            const double value = values[k][i];
            FUZZ_EXPECT(isfinite(value) && value >= info->lowest[k] && value <= info->highest[k],
                        "value %zu: %g of %g … %g", i, value, info->lowest[k], info->highest[k]);
            FUZZ_EXPECT(series_at(times, values[k], info->samples, times[i]) == value,
                        "interpolated at its own time");
        }
    }
    FUZZ_EXPECT(isnan(series_at(times, values[0], info->samples, nextafter(info->first_s, -INFINITY))),
                "before the first");
    free(times);
    for (int k = 0; k < request->value_count; k++)
        free(values[k]);
}

FUZZ_HARNESS(series)
{
    static const struct netcdf_words words = {
        dimensions, FUZZ_COUNT(dimensions), variables, FUZZ_COUNT(variables), units, FUZZ_COUNT(units)};
    enum { FRONT_BYTES = 24 };
    if (size < FRONT_BYTES)
        return -1;
    struct fuzz_bytes front = {data, FRONT_BYTES}, rest = {data + FRONT_BYTES, size - FRONT_BYTES};
    const uint8_t flags = fuzz_byte(&front);
    struct own own = {0};
    struct series_request request = {.value_count = 1 + (flags & 1), .skip_lines = flags >> 5};
    request.time = column_from(&front, "s", "time", &own);
    for (int k = 0; k < request.value_count; k++)
        request.values[k] = column_from(&front, k ? "m s-1" : "m", k ? "velocity" : "eta", &own);
    if (flags & 4)
        request.origin = flags & 8 ? "2011-03-11 05:46:24" : "1993-07-12 13:17:12";
    request.path = flags & 2 ? netcdf_from_bytes(&rest, &words, "series.nc")
                             : fuzz_write("series.txt", rest.at, rest.left);
    if (!request.path)
        return -1;
    struct series *series = NULL;
    if (fuzz_ok(series_open(&request, &series)))
        read_back(series, &request);
    series_close(series);
    fuzz_files_closed();
    return 0;
}
