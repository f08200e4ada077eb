// The results of forecast points, read back: see points_result.h.
#include "io/formats/points_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const points_result_names[POINTS_QUANTITIES] = {
    "longitude",   "latitude",     "node_longitude", "node_latitude",    "distance",       "depth",
    "arrival",     "first_motion", "first_crest",    "first_crest_time", "crest",          "crest_time",
    "trough",      "trough_time",  "duration",       "source_level",     "coastal_height", "threat",
    "travel_time", "earliest",     "in_source",      "unfinished",       "lower_bound"};

static enum status read_quantity(const struct dataset *file, const char *name, size_t count, double **values)
{
    const struct dataset_variable *variable;
    size_t length;
    CHECK(dataset_require(file, name, NULL, &variable));
    CHECK(dataset_read_line(file, variable, values, &length));
    return length == count ? STATUS_OK
                           : FAIL(STATUS_DATA, "%s: %s has %zu values, expected one for each of %zu points",
                                  dataset_path(file), name, length, count);
}

// On a plane positions have other names.
static const char *name_of(const struct dataset *file, int quantity)
{
    static const char *const plane[] = {"x", "y", "node_x", "node_y"};
    const char *name = points_result_names[quantity];
    return quantity <= POINTS_NODE_LATITUDE && !dataset_find(file, name) &&
                   dataset_find(file, plane[quantity])
               ? plane[quantity]
               : name;
}

static double one_number(const struct dataset *file, const char *name)
{
    double value;
    return dataset_numbers(file, NULL, name, &value, 1) == 1 ? value : (double)NAN;
}

static enum status read_all(const struct dataset *file, struct points_result *result)
{
    const struct dataset_variable *names, *skipped;
    size_t length;
    CHECK(dataset_require(file, "name", NULL, &names));
    CHECK(dataset_read_labels(file, names, &result->names, &result->count));
    CHECK(dataset_require(file, "skipped", NULL, &skipped));
    CHECK(dataset_read_labels(file, skipped, &result->skipped, &length));
    if (length != result->count)
        return FAIL(STATUS_DATA, "%s: skipped has %zu texts, expected one for each of %zu points",
                    dataset_path(file), length, result->count);
    result->threshold_m = one_number(file, "threshold_m");
    result->green_depth_m = one_number(file, "green_depth_m");
    result->threat_level_count =
        dataset_numbers(file, NULL, "threat_levels_m", result->threat_levels_m, POINTS_LEVELS_MAX);
    for (int k = 0; k < POINTS_QUANTITIES; k++)
        CHECK(read_quantity(file, name_of(file, k), result->count, &result->values[k]));
    result->is_geographic = dataset_find(file, points_result_names[POINTS_LONGITUDE]) != NULL;
    return STATUS_OK;
}

enum status points_result_read(const char *path, struct points_result *result)
{
    struct dataset *file = NULL;
    memset(result, 0, sizeof *result);
    CHECK(dataset_open(path, &file));
    const enum status status = read_all(file, result);
    dataset_close(file);
    return status;
}

void points_result_free(struct points_result *result)
{
    free(result->names);
    free(result->skipped);
    for (int k = 0; k < POINTS_QUANTITIES; k++)
        free(result->values[k]);
    memset(result, 0, sizeof *result);
}
