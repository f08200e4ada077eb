// Shared by the files of models/tsunami/hazard/: the members' common grids, points and stations, and the
// memory of a block.
#ifndef FATHOM_MODELS_TSUNAMI_HAZARD_PRIVATE_H
#define FATHOM_MODELS_TSUNAMI_HAZARD_PRIVATE_H

#include "core/memory_plan.h"
#include "core/weighted.h"
#include "io/formats/points_result.h"
#include "io/netcdf/result.h"
#include "io/netcdf/write.h"
#include "models/tsunami/hazard/hazard.h"

enum {
    HAZARD_GRIDS_MAX = 32,
    HAZARD_ARRIVALS_MAX = 8, // thresholds of arrival
    HAZARD_CURVE = 81,       // heights of an exceedance curve: 1 cm … 100 m, 20 a decade
    HAZARD_NAME_BYTES = 64,
};

// What a map shows.
enum hazard_field { HAZARD_ETA, HAZARD_FLOW, HAZARD_FIELDS };

// A grid of the members: the outermost, or a nested one.
struct hazard_grid {
    char name[HAZARD_NAME_BYTES]; // "": the outermost
    const char *x_name, *y_name;  // of its axes: lon, lat or x, y
    char x_units[32], y_units[32];
    size_t columns, rows;
    double *x, *y;
    bool has[HAZARD_FIELDS];
    size_t arrival_count;
    double arrivals_m[HAZARD_ARRIVALS_MAX];
};

// Quantities of a point of which all members' values are kept.
enum hazard_quantity { HAZARD_CREST, HAZARD_COASTAL, HAZARD_ARRIVAL, HAZARD_QUANTITIES };

struct hazard_points {
    struct points_result first;        // of the first member
    double *values[HAZARD_QUANTITIES]; // [point][member]; NaN: the point has no node in that member
    double *reached;                   // [point][member]: 1, or 0 if no wave can have come within the run
    double *lower_bound, *unfinished;  // [point]: the share of weight of members that say so
};

struct hazard_series {
    size_t stations, times;
    char (*names)[DATASET_TEXT_BYTES];
    double *times_s, *x, *y; // x, y: NULL without positions
    double *largest_m;       // [station][member] the largest elevation of the series
    char units[160];         // of the times
};

struct hazard {
    const struct hazard_request *request;
    struct hazard_result *result;
    double *weights; // [member], of sum 1
    struct hazard_grid grids[HAZARD_GRIDS_MAX];
    size_t grid_count; // 0: no maps
    struct hazard_points points;
    struct hazard_series series;
    double duration_s; // of the longest run
    char origin[128];  // of the times, if all members have the same: "2011-03-11 05:46:24"
    double curve_m[HAZARD_CURVE];
    struct weighted_bins heights, times;
    int threads;
    struct memory_plan *memory;
    unsigned char *block;           // scratch of maps and series
    size_t block_bytes;             // of it
    struct weighted_value *entries; // [threads][TILE][member]
    struct netcdf_writer writer;    // of the file at hand
};

enum { HAZARD_TILE = 16 }; // nodes whose values are brought together at a time

// survey.c — compares the members' files and fills grids, points and series (without values).
enum status hazard_survey(struct hazard *h);
void hazard_free(struct hazard *h);
// DIR/NAME.maxima.nc of a member.
enum status hazard_path(const struct hazard_member *member, const char *grid, const char *file,
                        char path[PATH_BYTES]);

// points.c — declares, reads and judges the points' values. load: a member's points.nc in the order of the
// names, for which points have a node depends on the source, and those without stand behind the others.
enum status hazard_points_load(const char *path, struct points_result *points);
enum status hazard_points_plan(struct hazard *h);
enum status hazard_points_read(struct hazard *h);
// The entries of a quantity of one point: of the members in which the point has a node. Returns how many.
size_t hazard_points_entries(const struct hazard *h, enum hazard_quantity quantity, size_t point,
                             struct weighted_value *entries);
// The share of all weight of each state: [0]: not reached, [1 + k]: k levels reached. Returns the share of
// the members in which the point has a node, to which these sum.
double hazard_points_states(const struct hazard *h, size_t point, double shares[HAZARD_THRESHOLDS_MAX + 2]);

// The bytes that a row of a grid's maps, or a time of the series, takes in the block.
size_t hazard_maps_row_bytes(const struct hazard *h, const struct hazard_grid *grid);
size_t hazard_series_time_bytes(const struct hazard *h);

// define.c — variables of a file. `rank` dimensions; fill: has _FillValue NaN.
struct hazard_variable {
    const char *name, *long_name, *units, *standard_name, *coordinates, *comment;
    int type, rank, dimensions[4];
    bool has_fill;
};
enum status hazard_define(struct hazard *h, const struct hazard_variable *variable, int *id);
enum status hazard_define_axis(struct hazard *h, const char *name, const char *long_name, const char *units,
                               size_t length, int *dimension, int *id);
enum status hazard_define_names(struct hazard *h, const char *name, const char *long_name, int dimension,
                                const char *strlen_name, size_t bytes, int *id);
enum status hazard_put(struct hazard *h, int id, const double *values);
enum status hazard_put_block(struct hazard *h, int id, const size_t *start, const size_t *count,
                             const float *values);
enum status hazard_put_names(struct hazard *h, int id, size_t count, size_t bytes, const char *names,
                             size_t stride);

// maps.c, series.c, points_file.c — the parts of the file h->writer: definitions before nc_enddef, then
// values.
struct hazard_dimensions {
    int percentile, threshold, member, row, column, arrival, point, station, time, curve, state;
};
struct hazard_map_ids {
    int mean[HAZARD_FIELDS], percentile[HAZARD_FIELDS], exceedance[HAZARD_FIELDS];
    int earliest, median, probability;
};
enum status hazard_maps_define(struct hazard *h, const struct hazard_grid *grid,
                               const struct hazard_dimensions *dimensions, struct hazard_map_ids *ids);
enum status hazard_maps_write(struct hazard *h, const struct hazard_grid *grid,
                              const struct hazard_map_ids *ids);

struct hazard_point_ids {
    int names, x, y, node_x, node_y, depth, weight, lower_bound, unfinished, states;
    int mean[2], percentile[2], exceedance[2], curve[2], values[HAZARD_QUANTITIES];
    int earliest, median, probability;
};
enum status hazard_points_define(struct hazard *h, const struct hazard_dimensions *dimensions,
                                 struct hazard_point_ids *ids);
enum status hazard_points_write(struct hazard *h, const struct hazard_point_ids *ids);

struct hazard_series_ids {
    int names, x, y, time, mean, percentile, largest, largest_of;
};
enum status hazard_series_plan(struct hazard *h);
enum status hazard_series_define(struct hazard *h, const struct hazard_dimensions *dimensions,
                                 struct hazard_series_ids *ids);
enum status hazard_series_write(struct hazard *h, const struct hazard_series_ids *ids);

// tables.c — hazard_points.csv and exceedance.csv.
enum status hazard_tables_write(struct hazard *h);

#endif
