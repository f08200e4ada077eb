// Shared by the files of models/tsunami/hazard/: the members' common grids, points and stations, and the
// memory of a block.
#ifndef FATHOM_MODELS_TSUNAMI_HAZARD_PRIVATE_H
#define FATHOM_MODELS_TSUNAMI_HAZARD_PRIVATE_H

#include "core/memory_plan.h"
#include "core/weighted.h"
#include "io/formats/points_result.h"
#include "io/formats/zones_result.h"
#include "io/netcdf/result.h"
#include "io/netcdf/write.h"
#include "io/zones_file.h"
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

// Quantities of a forecast zone of which all members' values are kept. The height is that from which its
// threat comes: the largest elevation, or the height at the coast of a point in it.
enum hazard_zone_quantity {
    HAZARD_ZONE_CREST,
    HAZARD_ZONE_HEIGHT,
    HAZARD_ZONE_ARRIVAL,
    HAZARD_ZONE_QUANTITIES
};

struct hazard_zones {
    struct zones_file first; // of the first member, with the outlines
    double threat_levels_m[POINTS_LEVELS_MAX];
    size_t threat_level_count;
    // The points in zone k: their numbers in h->points are point_of[point_end[k − 1]] … (zone 0: from 0 on).
    size_t *point_end, *point_of;
    // [zone][member]. NaN: in no member has the zone water, and an arrival is infinite if none came.
    double *values[HAZARD_ZONE_QUANTITIES];
    double *reached;     // [zone][member]: 1, or 0 if nothing is known of the zone, or no wave can have come
    double *lower_bound; // [zone]: the share of weight of members that say so
    struct zones_nodes nodes; // the outlines, as the file has them
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
    struct hazard_zones zones;
    struct hazard_series series;
    double duration_s;         // of the longest run
    double shortest_s, step_s; // the shortest run; the longest step
    char origin[128];          // of the times, if all members have the same: "2011-03-11 05:46:24"
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

// zones.c — the same for forecast zones. take: compares a member's zones.nc with the first one's, which is
// kept, as are the points in each zone. read: after the points.
enum status hazard_zones_take(struct hazard *h, size_t member);
enum status hazard_zones_plan(struct hazard *h);
enum status hazard_zones_read(struct hazard *h);
void hazard_zones_free(struct hazard_zones *zones);

// places.c — the statistics of one point or zone, from the values of all members there, [member].
// The entries of the values that are not NaN. Returns how many.
size_t hazard_entries(const struct hazard *h, const double *values, struct weighted_value *entries);
// The share of all weight of each state: [0]: not reached, [1 + k]: k levels reached by the heights. NaN
// heights do not count; `reached` is 1 or 0. Returns the share of the members that count, to which these sum.
double hazard_states(const struct hazard *h, const double *heights_m, const double *reached,
                     double shares[HAZARD_THRESHOLDS_MAX + 2]);
// Of arrivals. NaN: none; no value there.
struct hazard_arrival {
    double earliest_s, median_s, probability, percentiles_s[HAZARD_PERCENTILES];
};
struct hazard_arrival hazard_arrival_of(const struct hazard *h, const double *values_s);
// A time that is never is missing.
double hazard_finite_or_missing(double time_s);
// Row `place` of variables of ensemble.nc: `length` values; mean, percentiles and exceedance of heights; the
// states' shares of the members that count (sum: their weight).
enum status hazard_put_row(struct hazard *h, int id, size_t place, size_t length, const double *values);
struct hazard_height_ids {
    int mean, percentile, exceedance;
};
enum status hazard_put_heights(struct hazard *h, const struct hazard_height_ids *ids, size_t place,
                               const double *values_m);
enum status hazard_put_states(struct hazard *h, int id, size_t place,
                              const double shares[HAZARD_THRESHOLDS_MAX + 2], double sum);

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

// maps.c, series.c, points_file.c, zones_file.c — the parts of the file h->writer: definitions before
// nc_enddef, then values.
struct hazard_dimensions {
    int percentile, threshold, member, row, column, arrival, point, zone, station, time, curve, state;
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
    struct hazard_height_ids heights[2];
    int curve[2], values[HAZARD_QUANTITIES];
    int earliest, median, probability;
};
enum status hazard_points_define(struct hazard *h, const struct hazard_dimensions *dimensions,
                                 struct hazard_point_ids *ids);
enum status hazard_points_write(struct hazard *h, const struct hazard_point_ids *ids);

struct hazard_zone_ids {
    struct hazard_height_ids heights;
    int names, states, lower_bound, values[HAZARD_ZONE_QUANTITIES];
    int arrivals, earliest, probability, outlines[ZONES_RESULT_PARTS];
};
enum status hazard_zones_define(struct hazard *h, const struct hazard_dimensions *dimensions,
                                struct hazard_zone_ids *ids);
enum status hazard_zones_write(struct hazard *h, const struct hazard_zone_ids *ids);

struct hazard_series_ids {
    int names, x, y, time, mean, percentile, largest, largest_of;
};
enum status hazard_series_plan(struct hazard *h);
enum status hazard_series_define(struct hazard *h, const struct hazard_dimensions *dimensions,
                                 struct hazard_series_ids *ids);
enum status hazard_series_write(struct hazard *h, const struct hazard_series_ids *ids);

// tables.c — hazard_points.csv, exceedance.csv and hazard_zones.csv.
enum status hazard_tables_write(struct hazard *h);

#endif
