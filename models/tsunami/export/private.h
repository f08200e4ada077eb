// What the files of models/tsunami/products share. Private to them.
#ifndef FATHOM_MODELS_TSUNAMI_EXPORT_PRIVATE_H
#define FATHOM_MODELS_TSUNAMI_EXPORT_PRIVATE_H

#include "io/geo/contour.h"
#include "io/geo/features.h"
#include "io/netcdf/result.h"
#include "models/tsunami/export/export.h"

enum tsunami_result_kind {
    TSUNAMI_RESULT_POINTS,
    TSUNAMI_RESULT_ZONES,
    TSUNAMI_RESULT_GAUGES,
    TSUNAMI_RESULT_MAPS,
    TSUNAMI_RESULT_ENSEMBLE, // points, zones and maps of fathom hazard
    TSUNAMI_RESULT_OTHER,
};

enum tsunami_result_kind tsunami_result_kind_of(const struct result_file *file);

// ---- notes.c: what is true of all of a product

enum { EXPORT_NOTES_MAX = 8, EXPORT_NOTE_BYTES = 640 };

struct export_notes {
    struct geo_note notes[EXPORT_NOTES_MAX];
    char texts[EXPORT_NOTES_MAX][EXPORT_NOTE_BYTES];
    int count;
};

// Appends what a result states and the notes do not have yet.
void export_notes_read(const struct result_file *file, struct export_notes *notes);

// ---- tables.c: points and zones

struct export_table {
    struct geo_table table;
    struct geo_column *columns; // owned, and what they refer to
    double *levels;             // owned: by which the features are coloured
    struct cJSON **geometries;  // owned: the zones' polygons; NULL: none
    double *places;             // owned: of features that are no points; NULL: none
};

// Reads points.nc or zones.nc. In any case export_table_free afterwards.
enum status export_table_read(const struct result_file *file, const struct tsunami_export *product,
                              struct export_table *table);
void export_table_free(struct export_table *table);
// The numbers of a column; NULL: there is no such column, or it has texts.
const double *export_table_values(const struct export_table *table, const char *name);
enum status export_no_memory(const struct result_file *file); // STATUS_SYSTEM
// Adds the zones' polygons, where the format has them; `prefix` as zones_result_read.
enum status export_table_polygons(const struct result_file *file, const struct tsunami_export *product,
                                  const char *prefix, struct export_table *table);

// ---- ensemble.c: points or zones of ensemble.nc. In any case export_table_free afterwards.
enum status export_ensemble_read(const struct result_file *file, const struct tsunami_export *product,
                                 bool is_zones, struct export_table *table);

// The polygons of zones by their names, geometries of GeoJSON: from the product's zones_file, else from the
// result. geometries[count]: NULL before, and after where a zone has none.
enum status export_polygons(const struct result_file *file, const struct tsunami_export *product,
                            const char *prefix, char *const *names, size_t count, struct cJSON **geometries);

// The origin that the result states, in seconds since 1970; false: it states none.
enum { EXPORT_UTC_BYTES = 32 };
bool export_origin(const struct result_file *file, const char *variable, double *origin_s);
// "2011-03-11T05:46:24Z" of seconds since 1970, rounded down; "" for NaN.
void export_utc(double moment_s, char text[EXPORT_UTC_BYTES]);

// ---- series.c: gauges.nc as a table over time

enum status export_series_write(const struct result_file *file, const char *output);

// ---- maps.c: maxima.nc, travel_time.nc

// A variable over the last two dimensions; of one more, one of its layers.
struct export_map {
    const struct result_file *file;
    const struct result_variable *variable;
    char long_name[160];
    size_t leading;     // the layer: index in the dimension before them
    const char *axis;   // that dimension: "threshold", "percentile" ...
    double layer_value; // the coordinate of the layer; NaN: the variable has two dimensions
    bool is_geographic;
    size_t nx, ny;
    double *x, *y; // owned; longitudes that all lie beyond 180 degrees are taken back by 360
};

// Whether a variable is a map of the results (and not an axis or the depth).
bool export_is_map(const struct result_file *file, const struct result_variable *variable);
enum status export_map_open(const struct result_file *file, const struct result_variable *variable,
                            size_t leading, struct export_map *map);
void export_map_close(struct export_map *map);
// The layer that the product asks for. STATUS_CONFIGURATION, with those that there are: no such layer, or
// several and none was chosen.
enum status export_map_layer(const struct result_file *file, const struct result_variable *variable,
                             const struct tsunami_export *product, size_t *layer);
// The stem of the GeoTIFF's name: "max_eta", "flow_depth", "arrival", "arrival_0.1m".
void export_map_stem(const struct export_map *map, char stem[64]);
// Provides a row (0 = southernmost) of the struct export_map at `context`.
enum status export_map_row(void *context, size_t row, double *values);
enum status export_map_write(struct export_map *map, const struct tsunami_export *product);

// ---- lines.c: contours of the largest elevation, isochrones

enum { EXPORT_SETS_MAX = 12 };

struct export_lines {
    struct geo_line_set sets[EXPORT_SETS_MAX];
    char titles[EXPORT_SETS_MAX][96];
    int count;
};

// Appends the sets of a file of maps; STATUS_DATA on a plane.
enum status export_lines_read(const struct result_file *file, struct export_lines *lines);
void export_lines_free(struct export_lines *lines);

#endif
