// Grids in netCDF files: bathymetry and displacements as others write them.
#include "tests/fuzz/support/grid_calls.h"
#include "tests/fuzz/support/netcdf_bytes.h"

static const char *const dimensions[] = {"x",        "y",    "lon", "lat", "longitude",
                                         "latitude", "time", "X",   "Y",   "i"};
static const char *const variables[] = {"z", "depth", "elevation", "ROSE", "bathy", "lat", "lon", "crs"};
static const char *const units[] = {"degrees_east", "degrees_north",           "m", "METERS", "km",
                                    "m s-1",        "seconds since 2011-03-11"};

FUZZ_HARNESS(netcdf_grid)
{
    static const struct netcdf_words words = {
        dimensions, FUZZ_COUNT(dimensions), variables, FUZZ_COUNT(variables), units, FUZZ_COUNT(units)};
    struct fuzz_bytes bytes = {data, size};
    struct grid_calls calls;
    struct grid_variable_list list;
    grid_calls_request(&bytes, NULL, &calls);
    calls.request.path = netcdf_from_bytes(&bytes, &words, "grid.nc");
    if (!calls.request.path)
        return -1;
    if (fuzz_ok(grid_list_variables(calls.request.path, &list)))
        FUZZ_EXPECT(list.count <= GRID_LIST_MAX, "%zu variables listed", list.count);
    grid_calls_make(&calls.request, &bytes);
    fuzz_files_closed();
    return 0;
}
