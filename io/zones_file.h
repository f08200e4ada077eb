// Forecast zones: named areas from a GeoJSON file (RFC 7946) of Polygons and MultiPolygons, and whether a
// point lies in one. Independent of grids and of models.
#ifndef FATHOM_IO_ZONES_FILE_H
#define FATHOM_IO_ZONES_FILE_H

#include "io/place.h"

enum { ZONES_MAX = 5000, ZONES_FILE_BYTES_MAX = 256 << 20 };

// A ring: positions first … first + count − 1; the last is the first again. Counter-clockwise; holes, which
// follow the ring that they are in, clockwise, whatever the file has.
struct zones_file_ring {
    size_t first, count;
    bool is_hole;
};

struct zones_file_zone {
    char name[PLACE_NAME_BYTES]; // UTF-8, not empty; no two zones have the same
    size_t first_ring, ring_count;
    double x_range[2], y_range[2]; // the box around all rings
};

struct zones_file {
    bool is_geographic;
    struct zones_file_zone *zones; // [zone_count], owned, in the order of the file
    size_t zone_count;
    struct zones_file_ring *rings; // owned
    size_t ring_count;
    double *positions; // [position_count][2]: longitude and latitude in degrees, or x and y in metres; owned
    size_t position_count;
};

// A ring with a side of more than 180 degrees and less than 360 of longitude is taken to cross the
// antimeridian, with a warning, if it is narrower than 180 degrees then.
// Reads zones for a grid in degrees (is_geographic) or in metres, whose names are the property `name` of the
// features (NULL: "name"). STATUS_NO_INPUT, STATUS_IO; STATUS_DATA, with one line that names the file, the
// feature, the value, and what was expected: another geometry, no features, a ring that is not closed or has
// fewer than four positions, a latitude beyond 90 degrees, degrees for a plane in metres and the reverse, a
// name that is missing, repeated or too long. After a failure it is empty.
enum status zones_file_read(const char *path, const char *name, bool is_geographic, struct zones_file *zones);
void zones_file_free(struct zones_file *zones);

// Whether a point lies in zone number k: inside an odd number of its rings, so that holes do not count (the
// crossing rule: Shimrat 1962, CACM 5, 434). Longitudes may differ from the zone's by 360 degrees. Of two
// zones with a common side a point on it lies in one.
bool zones_file_contains(const struct zones_file *zones, size_t k, double x, double y);

// The same for a row of points, x ascending: inside[i], which the caller has set to 0, becomes 1 where point
// i lies in the zone. False if none can.
bool zones_file_mark_row(const struct zones_file *zones, size_t k, double y, const double *x, size_t count,
                         unsigned char *inside);

#endif
