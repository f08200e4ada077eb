// Stands in for the readers and writers of GeoTIFF in a build without its libraries.
#include "io/geo/crs.h"
#include "io/geo/geotiff.h"

#define HOW                                                                                                  \
    "this build is without GeoTIFF (" FATHOM_GEOTIFF_MISSING                                                 \
    "): install libgeotiff-dev, libtiff-dev and libproj-dev and build again"

const char *geo_missing(void)
{
    return FATHOM_GEOTIFF_MISSING;
}

enum status geo_crs_find(const char *about, int code, struct geo_crs *crs)
{
    *crs = (struct geo_crs){.code = code};
    return FAIL(STATUS_CANNOT_CREATE, "%s: EPSG:%d: %s", about, code, HOW);
}

enum status geo_crs_check_scale(const char *about, const char *definition, const double (*places)[2],
                                int count)
{
    (void)about, (void)definition, (void)places, (void)count;
    return STATUS_OK;
}

enum status geo_crs_parse(const char *about, const char *text, struct geo_crs *crs)
{
    *crs = (struct geo_crs){0};
    return FAIL(STATUS_CANNOT_CREATE, "%s: %.80s: %s", about, text, HOW);
}

enum status geo_tiff_write(const struct geo_tiff *map)
{
    return FAIL(STATUS_CANNOT_CREATE, "%s: %s", map->path, HOW);
}

double geo_tiff_file_bytes(size_t nx, size_t ny)
{
    return (double)nx * (double)ny * sizeof(float);
}
