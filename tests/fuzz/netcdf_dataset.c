// Any netCDF file: as another program's (io/netcdf/dataset.h), and as one of the program's own results
// (io/netcdf/result.h).
#include "io/netcdf/dataset.h"
#include "io/netcdf/result.h"

#include "tests/fuzz/support/fuzz.h"
#include "tests/fuzz/support/netcdf_bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 1 << 14 };

static const char *const dimensions[] = {"time",    "lat",    "lon", "x",        "y",
                                         "station", "strlen", "z",   "threshold"};
static const char *const variables[] = {"eta",   "name", "max_eta",    "temperature", "label",
                                        "group", "mass", "lat_bounds", "station_name"};
static const char *const units[] = {
    "m", "s",       "degrees_north", "degrees_east", "seconds since 2011-03-11", "km", "1",
    "K", "lat lon", "timeseries_id", "lat_bounds"};

static void read_variable(struct dataset *file, const struct dataset_variable *variable)
{
    struct netcdf_packing packing;
    size_t count = 1, start[DATASET_RANK_MAX] = {0};
    for (int k = 0; k < variable->rank; k++) {
        FUZZ_EXPECT(variable->dimension_names[k] != NULL, "dimension %d has no name", k);
        dataset_coordinate(file, variable, k);
        dataset_labels(file, variable, k);
        count = count > VALUES_MAX || variable->lengths[k] > VALUES_MAX ? VALUES_MAX + 1
                                                                        : count * variable->lengths[k];
    }
    if (variable->kind == DATASET_NUMBERS && count <= VALUES_MAX &&
        fuzz_ok(dataset_packing(file, variable, &packing))) {
        double *values = malloc((count + 1) * sizeof *values);
        dataset_cache_bytes(variable);
        if (fuzz_ok(dataset_read(file, variable, &packing, start, variable->lengths, values)))
            for (size_t k = 0; k < count; k++) // NaN is "missing"; what is infinite stands in the file so
                FUZZ_EXPECT(!isnan(values[k]) || values[k] != values[k], "value %zu", k);
        free(values);
    }
    double *line = NULL;
    char(*labels)[DATASET_TEXT_BYTES] = NULL;
    size_t length = 0;
    if (variable->rank <= 1 && count <= VALUES_MAX &&
        fuzz_ok(dataset_read_line(file, variable, &line, &length)))
        FUZZ_EXPECT(length == count, "a line of %zu numbers, not %zu", length, count);
    free(line);
    if (variable->kind == DATASET_TEXT && count <= VALUES_MAX &&
        fuzz_ok(dataset_read_labels(file, variable, &labels, &length)))
        for (size_t k = 0; k < length; k++)
            FUZZ_EXPECT(strnlen(labels[k], DATASET_TEXT_BYTES) < DATASET_TEXT_BYTES, "label %zu has no end",
                        k);
    free(labels);
}

static void try_dataset(const char *path)
{
    struct dataset *file = NULL;
    if (!fuzz_ok(dataset_open(path, &file))) {
        FUZZ_EXPECT(!file, "a file that was refused is handed out");
        return;
    }
    for (size_t k = 0; k < dataset_count(file); k++) {
        const struct dataset_variable *variable = dataset_at(file, k);
        FUZZ_EXPECT(dataset_find(file, variable->name) != NULL, "%s is listed, and not found",
                    variable->name);
        if (variable->kind != DATASET_OTHER)
            read_variable(file, variable);
    }
    dataset_close(file);
}

static void read_result(struct result_file *file, const struct result_variable *variable,
                        struct fuzz_bytes *bytes)
{
    double *values = NULL;
    char **texts = NULL, text[64];
    size_t length = 0, count = 1;
    const size_t leading[RESULT_RANK_MAX] = {0};
    struct result_map map = {0};
    result_attribute(file, variable->name, "units", text, sizeof text);
    for (int k = 0; k < variable->rank; k++)
        count = count > VALUES_MAX || variable->lengths[k] > VALUES_MAX ? VALUES_MAX + 1
                                                                        : count * variable->lengths[k];
    if (count > VALUES_MAX)
        return;
    if (variable->is_text) {
        if (fuzz_ok(result_read_texts(file, variable->name, &texts, &length)))
            result_free_texts(texts, length);
        return;
    }
    if (fuzz_ok(result_read_all(file, variable->name, &values, &length)))
        FUZZ_EXPECT(length == count, "%zu numbers, not %zu", length, count);
    free(values);
    if (variable->rank < 2)
        return;
    const struct result_window window = {{fuzz_number(bytes), fuzz_number(bytes)},
                                         {fuzz_number(bytes), fuzz_number(bytes)}};
    if (fuzz_ok(result_read_map(file, variable->name, variable->rank > 2 ? leading : NULL,
                                fuzz_below(bytes, 4), 16, 12, fuzz_flag(bytes) ? &window : NULL, &map)))
        FUZZ_EXPECT(map.nx >= 1 && map.nx <= 16 && map.ny >= 1 && map.ny <= 12 && isfinite(map.x_step) &&
                        isfinite(map.y_step),
                    "a map of %zu x %zu", map.nx, map.ny);
    result_map_free(&map);
}

static void try_result(const char *path, struct fuzz_bytes *bytes)
{
    struct result_file *file = NULL;
    char text[64];
    if (!fuzz_ok(result_open(path, &file)))
        return;
    result_attribute(file, NULL, "title", text, sizeof text);
    for (size_t k = 0; k < result_variable_count(file); k++)
        read_result(file, result_variable_at(file, k), bytes);
    result_close(file);
}

FUZZ_HARNESS(netcdf_dataset)
{
    static const struct netcdf_words words = {
        dimensions, FUZZ_COUNT(dimensions), variables, FUZZ_COUNT(variables), units, FUZZ_COUNT(units)};
    struct fuzz_bytes bytes = {data, size};
    const uint8_t kind = fuzz_byte(&bytes);
    const char *path = netcdf_from_bytes(&bytes, &words, "data.nc");
    if (!path)
        return -1;
    if (kind & 1)
        try_dataset(path);
    else
        try_result(path, &bytes);
    fuzz_files_closed();
    return 0;
}
