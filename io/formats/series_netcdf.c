// Series in netCDF files (see series.h): which variables they are, and their values in blocks.
#include "io/formats/series_private.h"

#include "io/netcdf/dataset.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_SAMPLES = 4096 };

struct netcdf_series {
    struct dataset *file;
    const struct dataset_variable *variables[SERIES_COLUMNS_MAX];
    struct netcdf_packing packings[SERIES_COLUMNS_MAX];
    size_t samples;
    double block[SERIES_COLUMNS_MAX][BLOCK_SAMPLES];
};

static void close_netcdf(void *state)
{
    struct netcdf_series *netcdf = state;
    dataset_close(netcdf->file);
    free(netcdf);
}

// The dimension along which a variable is a series, if all others have length 1; −1: it is not a series. A
// variable of one value is one along its first dimension.
static int series_dimension(const struct dataset_variable *variable)
{
    int along = variable->rank > 0 ? 0 : -1;
    int longer = 0;
    for (int k = 0; k < variable->rank; k++)
        if (variable->lengths[k] != 1) {
            along = k;
            longer++;
        }
    return variable->kind == DATASET_NUMBERS && longer <= 1 ? along : -1;
}

static bool is_over_time(const struct dataset_variable *variable, const void *file)
{
    const int along = series_dimension(variable);
    const struct dataset_variable *coordinate =
        along < 0 || variable->is_auxiliary ? NULL : dataset_coordinate(file, variable, along);
    return coordinate && coordinate != variable && coordinate->role == NETCDF_ROLE_TIME;
}

// The only variable that is a series over time, if the caller named none.
static enum status find_only(const struct series *series, const struct netcdf_series *netcdf, const char *key,
                             const struct dataset_variable **found)
{
    char names[DATASET_LIST_BYTES];
    const size_t count = dataset_list(netcdf->file, is_over_time, netcdf->file, names, sizeof names);
    *found = NULL;
    for (size_t k = 0; k < dataset_count(netcdf->file); k++)
        if (is_over_time(dataset_at(netcdf->file, k), netcdf->file))
            *found = dataset_at(netcdf->file, k);
    if (count == 1)
        return STATUS_OK;
    if (count == 0)
        return FAIL(
            STATUS_DATA,
            "%s: no variable is a series over time (one dimension, with a coordinate variable of times)",
            series->path);
    return FAIL(STATUS_DATA, "%s: several series: name one with \"%s\": %s", series->path, key, names);
}

static enum status find_variable(const struct series *series, const struct netcdf_series *netcdf,
                                 const struct series_column *column, const struct dataset_variable **found)
{
    CHECK(dataset_require(netcdf->file, column->variable, NULL, found));
    if (series_dimension(*found) < 0)
        return FAIL(STATUS_DATA, "%s: variable %s is not a series: expected numbers along one dimension",
                    series->path, column->variable);
    return STATUS_OK;
}

// Value columns first: the time's is found from theirs.
static enum status find_variables(const struct series_request *request, const struct series *series,
                                  struct netcdf_series *netcdf)
{
    for (int k = series->columns - 1; k >= 0; k--) {
        const struct series_column *column = series_column_of(request, k);
        const struct dataset_variable **variable = &netcdf->variables[k];
        if (column->number > 0)
            return FAIL(STATUS_DATA, "%s is netCDF: \"%s\" must be the name of a variable, not a number",
                        series->path, column->key);
        if (column->variable) {
            CHECK(find_variable(series, netcdf, column, variable));
        } else if (k > 0) {
            CHECK(find_only(series, netcdf, column->key, variable));
        } else {
            const struct dataset_variable *value = netcdf->variables[1];
            *variable = dataset_coordinate(netcdf->file, value, series_dimension(value));
            if (!*variable)
                return FAIL(STATUS_DATA,
                            "%s: variable %s has no coordinate variable of times: name one with \"%s\"",
                            series->path, value->name, column->key);
        }
    }
    return STATUS_OK;
}

static enum status check_shape(const struct series *series, struct netcdf_series *netcdf)
{
    const struct dataset_variable *time = netcdf->variables[0];
    const int along = series_dimension(time);
    netcdf->samples = time->lengths[along];
    for (int k = 1; k < series->columns; k++) {
        const struct dataset_variable *variable = netcdf->variables[k];
        const int own = series_dimension(variable);
        if (variable == time)
            return FAIL(STATUS_DATA, "%s: variable %s is both the time and a value", series->path,
                        time->name);
        if (variable->dimensions[own] != time->dimensions[along])
            return FAIL(STATUS_DATA, "%s: variables %s and %s are not along the same dimension", series->path,
                        time->name, variable->name);
    }
    return STATUS_OK;
}

static enum status run_netcdf(struct series *series, struct series_pass *pass)
{
    struct netcdf_series *netcdf = series->state;
    for (size_t first = 0; first < netcdf->samples; first += BLOCK_SAMPLES) {
        const size_t left = netcdf->samples - first, length = left < BLOCK_SAMPLES ? left : BLOCK_SAMPLES;
        for (int k = 0; k < series->columns; k++) {
            const struct dataset_variable *variable = netcdf->variables[k];
            size_t start[DATASET_RANK_MAX] = {0}, count[DATASET_RANK_MAX];
            for (int d = 0; d < variable->rank; d++)
                count[d] = 1;
            start[series_dimension(variable)] = first;
            count[series_dimension(variable)] = length;
            CHECK(dataset_read(netcdf->file, variable, &netcdf->packings[k], start, count, netcdf->block[k]));
        }
        for (size_t i = 0; i < length; i++) {
            double raw[SERIES_COLUMNS_MAX];
            for (int k = 0; k < series->columns; k++)
                raw[k] = netcdf->block[k][i];
            CHECK(series_take(series, pass, raw, "index", first + i));
        }
    }
    return STATUS_OK;
}

static const struct series_reader netcdf_reader = {run_netcdf, close_netcdf};

enum status series_open_netcdf(const struct series_request *request, struct series *series)
{
    struct netcdf_series *netcdf = calloc(1, sizeof *netcdf);
    if (!netcdf)
        return FAIL(STATUS_SYSTEM, "%s: out of memory", series->path);
    series->state = netcdf;
    series->reader = &netcdf_reader;
    if (request->skip_lines > 0)
        return FAIL(STATUS_DATA, "%s is netCDF: \"skip_lines\" is for text tables", series->path);
    CHECK(dataset_open(series->path, &netcdf->file));
    CHECK(find_variables(request, series, netcdf));
    CHECK(check_shape(series, netcdf));
    for (int k = 0; k < series->columns; k++) {
        const struct dataset_variable *variable = netcdf->variables[k];
        snprintf(series->names[k], sizeof series->names[k], "variable %.100s", variable->name);
        CHECK(dataset_packing(netcdf->file, variable, &netcdf->packings[k]));
        CHECK(series_set_unit(series, request, k, variable->units, variable->calendar));
    }
    return STATUS_OK;
}
