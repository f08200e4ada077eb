// Stands in for the reader of GeoTIFF grids in a build without its libraries.
#include "io/geo/crs.h"
#include "io/grid/internal.h"

enum status grid_open_geotiff(const struct grid_request *request, struct grid_file *file)
{
    (void)file;
    return FAIL(STATUS_DATA,
                "%s: this build is without GeoTIFF (%s): install libgeotiff-dev, libtiff-dev and libproj-dev "
                "and build again, or convert it to netCDF (gdal_translate -of netCDF)",
                request->path, geo_missing());
}
