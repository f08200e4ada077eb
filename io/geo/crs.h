// Coordinate reference systems by their EPSG codes: whether a code exists, and what its coordinates are in.
// By PROJ's data base; a build without GeoTIFF (FATHOM_GEOTIFF) knows none. Independent of files and models.
#ifndef FATHOM_IO_GEO_CRS_H
#define FATHOM_IO_GEO_CRS_H

#include "core/status.h"

#include <stdbool.h>

enum { GEO_CRS_NAME_BYTES = 128, GEO_CRS_WGS84 = 4326 };

struct geo_crs {
    int code;                      // EPSG's
    bool is_geographic;            // longitude and latitude in degrees from Greenwich; else x and y in metres
    char name[GEO_CRS_NAME_BYTES]; // "WGS 84 / UTM zone 54N"
};

// What a build without GeoTIFF lacks: "libgeotiff-dev, libproj-dev" or "FATHOM_GEOTIFF=OFF"; "" = nothing.
const char *geo_missing(void);

// Finds the system of a code. `about` begins the messages: a file's name, or "". STATUS_DATA: the code is
// unknown, the system is neither geographic nor projected, or its coordinates are not in degrees or metres.
// STATUS_CANNOT_CREATE: a build without GeoTIFF.
enum status geo_crs_find(const char *about, int code, struct geo_crs *crs);

// Whether distances on the plane of a projected system are those on the ground, within 2 %, at each of some
// places (x, y); places beyond the projection do not count. definition: "EPSG:3857", or PROJ's "+proj=merc
// ...". STATUS_DATA: at one they are not, with its scale. A definition that PROJ does not know is
// not checked.
enum status geo_crs_check_scale(const char *about, const char *definition, const double (*places)[2],
                                int count);

// Reads "EPSG:32654". STATUS_DATA: the text has another form.
enum status geo_crs_parse(const char *about, const char *text, struct geo_crs *crs);

#endif
