// What a run starts from: the small jobs, in each of which one input file is made of the fuzzer's bytes, of
// the shape that the job expects or another; read, prepared, and a step or two.
#include "tests/fuzz/support/model_calls.h"
#include "tests/fuzz/support/netcdf_bytes.h"

#include <stdio.h>
#include <string.h>

static const char *const dimensions[] = {"lat",  "lon",     "z",   "y",      "x",       "time",
                                         "body", "spatial", "row", "column", "replica", "record"};
static const char *const variables[] = {
    "z",       "label",       "q", "position", "velocity", "mass", "spins", "spins_packed",
    "columns", "coordinates", "x", "y",        "eta",      "u",    "v",     "temperature"};
static const char *const units[] = {"m", "mm",   "W m-3", "s",  "degrees_north", "degrees_east",
                                    "1", "degC", "K",     "kg", "km/s",          "down"};

FUZZ_HARNESS(start)
{
    static const struct netcdf_words words = {
        dimensions, FUZZ_COUNT(dimensions), variables, FUZZ_COUNT(variables), units, FUZZ_COUNT(units)};
    static const struct {
        const char *file; // takes the place of it in the job
        int job;
    } starts[] = {{"grid.nc", 0},      {"lift.nc", 1},      {"bay.nc", 1},
                  {"plane.asc", 2},    {"head.nc", 3},      {"heating.nc", 3},
                  {"particles.nc", 6}, {"particles.nc", 8}, {"spins.nc", 10}};
    char job[2048];
    struct fuzz_bytes bytes = {data, size};
    model_calls_inputs();
    const size_t which = fuzz_below(&bytes, FUZZ_COUNT(starts));
    const char *text = model_jobs[starts[which].job], *at = strstr(text, starts[which].file);
    FUZZ_EXPECT(at, "%s is not in job %d", starts[which].file, starts[which].job);
    snprintf(job, sizeof job, "%.*sgiven.nc%s", (int)(at - text), text, at + strlen(starts[which].file));
    if (!netcdf_from_bytes(&bytes, &words, "given.nc"))
        return -1;
    model_calls_make(fuzz_write("job.json", job, strlen(job)));
    return 0;
}
