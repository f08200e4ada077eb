// Any netCDF file as waves over time, latitude and longitude: the program's own fields and NOAA's form
// (io/formats/propagation_file.h). What is accepted has axes that ascend, and values that a wave may have.
#include "io/formats/propagation_file.h"

#include "tests/fuzz/support/fuzz.h"
#include "tests/fuzz/support/netcdf_bytes.h"

#include <math.h>
#include <stdlib.h>

enum { VALUES_MAX = 1 << 12 };

static const char *const dimensions[] = {"TIME", "LAT", "lon", "lat", "LON", "depth", "time"};
static const char *const variables[] = {"eta", "u", "v", "HA", "UA", "VA"};
static const char *const units[] = {
    "degrees_east", "degrees_north",           "m", "CENTIMETERS", "CENTIMETERS/SECOND",
    "SECONDS",      "seconds since 2011-03-11"};

static void check_axis(const double *values, size_t length, const char *name)
{
    for (size_t k = 0; k < length; k++)
        FUZZ_EXPECT(isfinite(values[k]) && (k == 0 || values[k] > values[k - 1]), "%s[%zu] is %g", name, k,
                    values[k]);
}

static void try_quantity(const char *path, enum propagation_quantity quantity, struct fuzz_bytes *bytes)
{
    struct propagation_file *file = NULL;
    bool has = false;
    fuzz_ok(propagation_has(path, quantity, &has));
    if (!fuzz_ok(propagation_open(path, quantity, &file))) {
        FUZZ_EXPECT(!file, "a file that was refused is handed out");
        return;
    }
    const struct propagation_info *info = propagation_info(file);
    FUZZ_EXPECT(has && info->records >= 1 && info->rows >= 2 && info->columns >= 2,
                "%zu records of %zu x %zu", info->records, info->rows, info->columns);
    check_axis(info->times_s, info->records, "time");
    check_axis(info->latitudes, info->rows, "latitude");
    check_axis(info->longitudes, info->columns, "longitude");
    const size_t row = fuzz_below(bytes, info->rows < 256 ? info->rows : 256),
                 column = fuzz_below(bytes, info->columns < 256 ? info->columns : 256);
    const struct propagation_block block = {.record =
                                                fuzz_below(bytes, info->records < 256 ? info->records : 256),
                                            .records = 1,
                                            .row = row,
                                            .rows = info->rows - row,
                                            .column = column,
                                            .columns = info->columns - column};
    if (block.rows <= VALUES_MAX && block.columns <= VALUES_MAX && block.rows * block.columns <= VALUES_MAX) {
        double *values = malloc(block.rows * block.columns * sizeof *values);
        if (fuzz_ok(propagation_read(file, &block, values)))
            for (size_t k = 0; k < block.rows * block.columns; k++)
                FUZZ_EXPECT(!isinf(values[k]), "value %zu is infinite", k);
        free(values);
    }
    propagation_close(file);
}

FUZZ_HARNESS(netcdf_propagation)
{
    static const struct netcdf_words words = {
        dimensions, FUZZ_COUNT(dimensions), variables, FUZZ_COUNT(variables), units, FUZZ_COUNT(units)};
    struct fuzz_bytes bytes = {data, size};
    const enum propagation_quantity quantity =
        (enum propagation_quantity)fuzz_below(&bytes, PROPAGATION_QUANTITIES);
    const char *path = netcdf_from_bytes(&bytes, &words, "data.nc");
    if (!path)
        return -1;
    try_quantity(path, quantity, &bytes);
    fuzz_files_closed();
    return 0;
}
