// The limits of an ensemble's numbers: see ensemble_check.h.
#include "models/tsunami/export/ensemble_check.h"

#include "io/netcdf/result.h"
#include "io/place.h"
#include "io/points_file.h"
#include "io/zones_file.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the limits

enum kind { PERCENTILE, THRESHOLD, LATITUDE, LONGITUDE, HEIGHT, SHARE, VALUE };

static const struct {
    double least, most;
    bool is_axis; // ascends, and misses no value
    const char *expected;
} limits[] = {[PERCENTILE] = {0, 100, true, "percentiles from 0 to 100, ascending"},
              [THRESHOLD] = {DBL_MIN, FLT_MAX, true, "heights above 0, ascending"},
              [LATITUDE] = {-90, 90, true, "latitudes from -90 to 90, ascending"},
              [LONGITUDE] = {-360, 720, true, "longitudes from -360 to 720, ascending"}, // domain.longitude
              [HEIGHT] = {0, FLT_MAX, false, "a finite height, 0 or more"},
              [SHARE] = {0, 1 + 1e-6, false, "a probability from 0 to 1"}, // sums of weights are rounded
              [VALUE] = {-FLT_MAX, FLT_MAX, false, "a finite value, in single precision"}};

static const struct rule {
    const char *variable;
    enum kind kind;
    bool is_map;
} rules[] = {{"percentile", PERCENTILE, false},
             {"threshold", THRESHOLD, false},
             {"curve_height", THRESHOLD, false},
             {"lat", LATITUDE, false},
             {"lon", LONGITUDE, false},
             {"max_eta_mean", HEIGHT, true},
             {"max_eta_percentile", HEIGHT, true},
             {"max_eta_exceedance", SHARE, true},
             {"flow_depth_mean", HEIGHT, true},
             {"flow_depth_percentile", HEIGHT, true},
             {"flow_depth_exceedance", SHARE, true},
             {"arrival_probability", SHARE, true},
             {"crest_mean", HEIGHT, false},
             {"crest_percentile", HEIGHT, false},
             {"crest_exceedance", SHARE, false},
             {"crest_curve", SHARE, false},
             {"coastal_height_mean", HEIGHT, false},
             {"coastal_height_percentile", HEIGHT, false},
             {"coastal_height_exceedance", SHARE, false},
             {"coastal_height_curve", SHARE, false},
             {"threat_probability", SHARE, false},
             {"arrival_probability_at_point", SHARE, false},
             {"weight_of_members", SHARE, false},
             {"lower_bound", SHARE, false},
             {"unfinished", SHARE, false},
             {"zone_crest_mean", HEIGHT, false},
             {"zone_crest_percentile", HEIGHT, false},
             {"zone_crest_exceedance", SHARE, false},
             {"zone_threat_probability", SHARE, false},
             {"zone_arrival_probability", SHARE, false},
             {"zone_lower_bound", SHARE, false},
             {"series_percentile", VALUE, false},
             {"series_max_percentile", VALUE, false}};

enum { RULES = sizeof rules / sizeof *rules };

// ---- values

// "[3][12]" of an index in the file's order.
static void print_index(const struct result_variable *variable, size_t index, char text[96])
{
    size_t parts[RESULT_RANK_MAX], used = 0;
    for (int k = variable->rank; k-- > 0;) {
        parts[k] = index % variable->lengths[k];
        index /= variable->lengths[k];
    }
    text[0] = '\0';
    for (int k = 0; k < variable->rank; k++)
        used += (size_t)snprintf(text + used, 96 - used, "[%zu]", parts[k]);
}

static enum status check_values(const struct result_file *file, const char *variable, enum kind kind,
                                size_t first, const double *values, size_t count)
{
    const bool is_axis = limits[kind].is_axis;
    for (size_t k = 0; k < count; k++) {
        const bool is_within = values[k] >= limits[kind].least && values[k] <= limits[kind].most;
        if (is_axis ? is_within && (k == 0 || values[k] > values[k - 1]) : is_within || isnan(values[k]))
            continue;
        char index[96];
        print_index(result_find(file, variable), first + k, index);
        return FAIL(STATUS_DATA, "%s: %s%s is %g, expected %s", result_path(file), variable, index, values[k],
                    limits[kind].expected);
    }
    return STATUS_OK;
}

enum status export_values_check(const struct result_file *file, const char *variable, size_t first,
                                const double *values, size_t count)
{
    size_t r = 0;
    while (r < RULES && strcmp(rules[r].variable, variable) != 0)
        r++;
    return check_values(file, variable, r < RULES ? rules[r].kind : VALUE, first, values, count);
}

static enum status check_whole(const struct result_file *file, const struct rule *rule)
{
    double *values = NULL;
    size_t count;
    if (!result_find(file, rule->variable))
        return STATUS_OK;
    CHECK(result_read_all(file, rule->variable, &values, &count));
    const enum status status = check_values(file, rule->variable, rule->kind, 0, values, count);
    free(values);
    return status;
}

// ---- counts

static enum status check_dimension(const struct result_file *file, const struct result_variable *variable,
                                   int d)
{
    static const struct {
        const char *name;
        size_t most;
    } dimensions[] = {{"point", POINTS_MAX},
                      {"zone", ZONES_MAX},
                      {"member", ENSEMBLE_MEMBERS_MAX},
                      {"threshold", ENSEMBLE_THRESHOLDS_MAX}};
    for (size_t k = 0; k < sizeof dimensions / sizeof *dimensions; k++)
        if (strcmp(variable->dimensions[d], dimensions[k].name) == 0 &&
            variable->lengths[d] > dimensions[k].most)
            return FAIL(STATUS_DATA, "%s: %s has %zu entries along %s, expected %zu at most",
                        result_path(file), variable->name, variable->lengths[d], dimensions[k].name,
                        dimensions[k].most);
    return STATUS_OK;
}

static enum status check_counts(const struct result_file *file)
{
    for (size_t k = 0; k < result_variable_count(file); k++)
        for (int d = 0; d < result_variable_at(file, k)->rank; d++)
            CHECK(check_dimension(file, result_variable_at(file, k), d));
    return STATUS_OK;
}

// ---- positions

static enum status check_positions(const struct result_file *file, const char *const names[2])
{
    const struct result_variable *variable = result_find(file, names[0]);
    double *x = NULL, *y = NULL;
    size_t count, others;
    if (!variable || !result_find(file, names[1]))
        return STATUS_OK;
    const bool is_geographic = strncmp(variable->units, "degree", 6) == 0;
    enum status status = result_read_all(file, names[0], &x, &count);
    if (status == STATUS_OK)
        status = result_read_all(file, names[1], &y, &others);
    if (status == STATUS_OK && count != others)
        status = FAIL(STATUS_DATA, "%s: %s has %zu entries, expected %zu, as %s has", result_path(file),
                      names[1], others, count, names[0]);
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        char about[RESULT_NAME_BYTES];
        snprintf(about, sizeof about, "%s[%zu], %s[%zu]", names[0], k, names[1], k);
        status = place_check(about, is_geographic, x[k], y[k]);
        if (status != STATUS_OK)
            status = status_prefix(status, "%s", result_path(file));
    }
    free(x);
    free(y);
    return status;
}

// ---- all of it

enum status export_ensemble_check(const struct result_file *file)
{
    static const char *const positions[][2] = {{"point_x", "point_y"}, {"station_x", "station_y"}};
    CHECK(check_counts(file));
    for (size_t r = 0; r < RULES; r++)
        if (!rules[r].is_map)
            CHECK(check_whole(file, &rules[r]));
    for (size_t k = 0; k < sizeof positions / sizeof *positions; k++)
        CHECK(check_positions(file, positions[k]));
    return STATUS_OK;
}

// A variable over [layer,] row, column; others are the reader's.
static enum status check_map(const struct result_file *file, const struct result_variable *variable,
                             enum kind kind)
{
    const int rank = variable->rank;
    if (rank < 2 || rank > 3)
        return STATUS_OK;
    const size_t layers = rank == 3 ? variable->lengths[0] : 1, ny = variable->lengths[rank - 2],
                 nx = variable->lengths[rank - 1];
    double *row = calloc(nx + 1, sizeof *row);
    enum status status =
        row ? STATUS_OK : FAIL(STATUS_SYSTEM, "%s: not enough memory for a row", result_path(file));
    for (size_t k = 0; k < layers * ny && status == STATUS_OK; k++) {
        const size_t start[3] = {k / ny, k % ny, 0}, count[3] = {1, 1, nx};
        status = result_read(file, variable->name, start + (3 - rank), count + (3 - rank), row);
        if (status == STATUS_OK)
            status = check_values(file, variable->name, kind, k * nx, row, nx);
    }
    free(row);
    return status;
}

enum status export_ensemble_check_maps(const struct result_file *file)
{
    for (size_t r = 0; r < RULES; r++) {
        const struct result_variable *variable = result_find(file, rules[r].variable);
        if (variable && rules[r].is_map && rules[r].kind == HEIGHT)
            CHECK(check_map(file, variable, HEIGHT));
    }
    return STATUS_OK;
}
