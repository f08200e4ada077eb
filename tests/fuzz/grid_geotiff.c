// GeoTIFF grids: the first bytes are the request, the rest is the file.
#include "tests/fuzz/support/grid_calls.h"

FUZZ_HARNESS(grid_geotiff)
{
    enum { FRONT_BYTES = 32 };
    if (size < FRONT_BYTES + 8)
        return -1;
    struct fuzz_bytes front = {data, FRONT_BYTES};
    struct grid_calls calls;
    grid_calls_request(&front, fuzz_write("grid.tif", data + FRONT_BYTES, size - FRONT_BYTES), &calls);
    calls.request.format = GRID_FORMAT_GEOTIFF;
    grid_calls_make(&calls.request, &front);
    fuzz_files_closed();
    return 0;
}
