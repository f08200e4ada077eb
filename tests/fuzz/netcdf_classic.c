// The header of netCDF's classic formats, as io reads it itself to find files that were cut off. The library
// sees none of it.
#include "io/netcdf/netcdf.h"
#include "tests/fuzz/support/fuzz.h"

FUZZ_HARNESS(netcdf_classic)
{
    fuzz_ok(netcdf_check_length(fuzz_write("classic.nc", data, size)));
    return 0;
}
