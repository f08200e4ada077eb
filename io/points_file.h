// Lists of named places that people write: towns, harbours, tide gauges. Independent of grids and of models.
//
// Read by content:
//   CSV       a line of names, then a place a line; fields are separated by the comma, the semicolon or the
//             tab that the line of names has, and may stand in quotes (RFC 4180). Columns in any order, in
//             upper or lower case: name; longitude and latitude (lon, lat), or x and y on a plane. Without a
//             unit in parentheses behind the column's name, degrees, and metres. Degrees may have a letter
//             (155.06W), minutes and seconds (io/degrees.h), and their hemispheres in columns of their own
//             (ns, ew, hemisphere; or N and S, E and W alone beside each of both). Decimal commas count if
//             semicolons or tabs separate the fields and no coordinate has a point. Other columns are left
//             out; lines that begin with #, and those without anything between their separators, are passed
//             over. Lines end with LF or CR LF; no line has more fields than the line of names.
//   GeoJSON   Features of type Point (RFC 7946) with a property "name". Degrees; metres where a member "crs"
//             names another system than CRS84 or EPSG:4326.
//   JSON      a list of gauges ({"fathom_gauges": 1, "gauges": [...]}, docs/tsunami.md): name and position.
#ifndef FATHOM_IO_POINTS_FILE_H
#define FATHOM_IO_POINTS_FILE_H

#include "io/place.h"

enum { POINTS_NAME_BYTES = PLACE_NAME_BYTES, POINTS_MAX = 20000, POINTS_FILE_BYTES_MAX = 16 << 20 };

struct points_file_point {
    char name[POINTS_NAME_BYTES]; // UTF-8, not empty; no two points have the same
    // Degrees east (−360 … 360) and north (−90 … 90), as given; on a plane metres.
    double x, y;
    size_t line; // of a CSV, from 1; 0 in the other formats
};

struct points_file {
    struct points_file_point *points; // [count], owned, in the order of the file
    size_t count;                     // at least 1
};

// Reads a list for a grid in degrees (is_geographic) or in metres. STATUS_NO_INPUT, STATUS_IO; STATUS_DATA,
// with one line that names the file, the row or the feature, the value, and what was expected: a missing or
// repeated column, a value that is not a number, a latitude beyond 90 degrees, no points, degrees for a plane
// in metres and the reverse, a name that is missing, repeated or too long. After a failure it is empty.
enum status points_file_read(const char *path, bool is_geographic, struct points_file *points);
void points_file_free(struct points_file *points);

#endif
