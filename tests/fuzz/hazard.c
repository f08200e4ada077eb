// Any netCDF files as the results of two members of an ensemble: maxima.nc, points.nc and gauges.nc, read and
// evaluated as `fathom hazard` does (models/tsunami/hazard/). What is accepted gives files that open.
#include "models/tsunami/hazard/hazard.h"
#include "io/netcdf/result.h"

#include "tests/fuzz/support/fuzz.h"
#include "tests/fuzz/support/netcdf_bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const dimensions[] = {"lat", "lon", "threshold", "point", "time", "station", "x", "y"};
static const char *const variables[] = {"max_eta", "max_depth", "depth", "arrival", "eta",   "name",
                                        "skipped", "crest",     "lat",   "lon",     "threat"};
static const char *const units[] = {"degrees_east", "degrees_north", "m", "s", "seconds since 2011-03-11"};

static const char *const files[] = {"maxima.nc", "points.nc", "gauges.nc"};

static void check_share(double value)
{
    FUZZ_EXPECT(isnan(value) || (value >= 0 && value <= 1), "a probability is %g", value);
}

static void check_result(const struct hazard_result *result)
{
    struct result_file *file = NULL;
    double *values;
    size_t count;
    FUZZ_EXPECT(fuzz_ok(result_open(fuzz_path("out/ensemble.nc"), &file)), "the result cannot be opened");
    static const char *const shares[] = {"max_eta_exceedance", "arrival_probability", "crest_exceedance"};
    for (size_t k = 0; k < FUZZ_COUNT(shares); k++) {
        if (!result_find(file, shares[k]))
            continue;
        FUZZ_EXPECT(fuzz_ok(result_read_all(file, shares[k], &values, &count)), "%s", shares[k]);
        for (size_t i = 0; i < count; i++)
            check_share(values[i]);
        free(values);
    }
    result_close(file);
    FUZZ_EXPECT(result->members == 2, "%zu members", result->members);
}

FUZZ_HARNESS(hazard)
{
    static const char run[] = "{\"model\": \"tsunami\", \"steps\": 10, \"step_s\": 60}";
    static const struct netcdf_words words = {
        dimensions, FUZZ_COUNT(dimensions), variables, FUZZ_COUNT(variables), units, FUZZ_COUNT(units)};
    struct fuzz_bytes bytes = {data, size};
    const char *folder = fuzz_folder();
    char out[64];
    bool has_any = false;
    const bool is_exact = fuzz_flag(&bytes);
    const size_t wanted = 1 + fuzz_below(&bytes, 7);
    fuzz_write("run.json", run, sizeof run - 1);
    for (size_t k = 0; k < FUZZ_COUNT(files); k++) {
        (void)unlink(fuzz_path(files[k]));
        if (wanted & (1u << k))
            has_any |= netcdf_from_bytes(&bytes, &words, files[k]) != NULL;
    }
    if (!has_any)
        return -1;
    snprintf(out, sizeof out, "%s", fuzz_path("out"));
    const struct hazard_member members[] = {{"a", folder, 0.25}, {"b", folder, 0.75}};
    const struct hazard_request request = {.members = members,
                                           .member_count = 2,
                                           .weight = 1,
                                           .directory = out,
                                           .memory_bytes = (size_t)4 << 30,
                                           .quantiles = is_exact ? HAZARD_EXACT : HAZARD_HISTOGRAM,
                                           .title = "fuzz",
                                           .source = "fuzz",
                                           .history = "fuzz"};
    struct hazard_result result;
    (void)unlink(fuzz_path("out/ensemble.nc"));
    if (fuzz_ok(hazard_make(&request, &result)))
        check_result(&result);
    fuzz_files_closed();
    return 0;
}
