// The features of a GeoJSON document (RFC 7946), one after the other, for the readers of points and of zones.
// Independent of what the features are.
#ifndef FATHOM_IO_GEOJSON_H
#define FATHOM_IO_GEOJSON_H

#include "io/place.h"

struct cJSON;

enum { GEOJSON_ABOUT_BYTES = 320 };

struct geojson {
    const char *path;
    bool is_geographic;
    const struct cJSON *feature, *next; // the present one
    size_t number;                      // of the present one, from 1
    char about[GEOJSON_ABOUT_BYTES];    // "FILE: feature 3", for messages
};

// Whether a document claims to be GeoJSON: its "type" is a word of RFC 7946.
bool geojson_is(const struct cJSON *document);

// STATUS_DATA: no Feature or FeatureCollection, no features, or degrees for a plane (and the reverse).
enum status geojson_begin(struct geojson *geojson, const char *path, const struct cJSON *document,
                          bool is_geographic);

// Moves to the next feature; false after the last.
bool geojson_next(struct geojson *geojson);

// Of the present feature. name: the text or number of a property. geometry: its type, one of `types` (NULL at
// the end), and its coordinates. position: of two numbers or three, checked. STATUS_DATA otherwise.
enum status geojson_name(const struct geojson *geojson, const char *property, char name[PLACE_NAME_BYTES]);
enum status geojson_geometry(const struct geojson *geojson, const char *const *types, size_t *type,
                             const struct cJSON **coordinates);
enum status geojson_position(const struct geojson *geojson, const struct cJSON *position, double *x,
                             double *y);

#endif
