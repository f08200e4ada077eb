// Grids in text and in Surfer's binary forms: MOST, ESRI ASCII, Surfer 6 and 7, GeoClaw tt3. The first bytes
// are the request, the rest is the file; netCDF has harnesses of its own.
#include "tests/fuzz/support/grid_calls.h"

FUZZ_HARNESS(grid_text)
{
    enum { FRONT_BYTES = 32 };
    static const char *const names[] = {"grid",     "grid.most", "grid.asc", "grid.grd",
                                        "grid.tt3", "grid.corr", "grid.xyz"};
    if (size < FRONT_BYTES ||
        (size > FRONT_BYTES + 3 && (data[FRONT_BYTES] == 'C' || data[FRONT_BYTES] == 0x89)))
        return -1;
    struct fuzz_bytes front = {data, FRONT_BYTES};
    struct grid_calls calls;
    const char *name = names[fuzz_below(&front, FUZZ_COUNT(names))];
    grid_calls_request(&front, fuzz_write(name, data + FRONT_BYTES, size - FRONT_BYTES), &calls);
    grid_calls_make(&calls.request, &front);
    fuzz_files_closed();
    return 0;
}
