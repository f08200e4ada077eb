// Results of a tsunami as products for maps and tables: CSV, GeoJSON, KML, GeoTIFF. Decides which variables
// of which result become which product; the files are io/geo's. Reads finished results only: points.nc,
// zones.nc, gauges.nc, maxima.nc, travel_time.nc of a run, ensemble.nc of an ensemble. Independent of the
// run's state.
#ifndef FATHOM_MODELS_TSUNAMI_EXPORT_EXPORT_H
#define FATHOM_MODELS_TSUNAMI_EXPORT_EXPORT_H

#include "core/status.h"
#include "io/path.h"

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

enum tsunami_format {
    TSUNAMI_CSV,
    TSUNAMI_GEOJSON,
    TSUNAMI_KML,
    TSUNAMI_GEOTIFF,
    TSUNAMI_FORMATS,
    TSUNAMI_NO_FORMAT = TSUNAMI_FORMATS,
};

enum { TSUNAMI_EXPORT_INPUTS_MAX = 5 };

// "csv", "geojson", "kml", "geotiff": as output.products names them.
extern const char *const tsunami_format_names[TSUNAMI_FORMATS];

// The format that a file's suffix stands for: .csv; .geojson, .json; .kml; .tif, .tiff.
enum tsunami_format tsunami_format_of(const char *path);

// One product from one or (KML, GeoJSON) several results.
struct tsunami_export {
    const char *inputs[TSUNAMI_EXPORT_INPUTS_MAX]; // paths; NULL: none
    const char *output;
    enum tsunami_format format;
    const char *variable; // GeoTIFF: of the map; NULL = the first of it
    // GeoTIFF of a variable with layers (thresholds, percentiles): which; else the first of a run's result.
    bool has_layer;
    size_t layer;   // by its index
    const char *at; // by its value: "95", "1 m"; NULL: not so
    int crs;        // EPSG code; 0 = none
    bool crs_is_geographic;
    // GeoJSON with the polygons of zones, and the property with their names, instead of those that zones.nc
    // holds; NULL or "": none. A zone without a polygon is drawn as a point.
    const char *zones_file, *zones_name;
    const char *title, *source; // "Tohoku 2011", "Fathom 0.1.0"
};

// Whether a netCDF file is one of those results. Records no failure.
bool tsunami_export_is_of(const char *path);

// Writes it, whole or not at all. STATUS_DATA: the input has nothing for this format (the message says what
// it holds), or it lies on a plane where degrees are needed; STATUS_CANNOT_CREATE, STATUS_IO.
enum status tsunami_export_write(const struct tsunami_export *product);

// All products of a run's folder that its results allow.
struct tsunami_exports {
    const char *directory;
    bool wanted[TSUNAMI_FORMATS];
    const char *const *grids; // names of nested grids, [grid_count]
    size_t grid_count;
    int crs;
    const char *title, *source;
    bool only_names; // nothing is written
};

// Writes them under the names of docs/products.md, and appends the names to `names` (a cJSON array).
enum status tsunami_exports_write(const struct tsunami_exports *products, struct cJSON *names);

// The names that a run's products may have, whatever its results are, for a check against its inputs: true if
// `name` may be one of them.
bool tsunami_exports_may_write(const bool *wanted, const char *name);

#endif
