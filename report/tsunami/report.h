// The parts of a tsunami's report: grids, gauges and their figures, maps. Internal to report/tsunami/.
#ifndef FATHOM_REPORT_TSUNAMI_REPORT_H
#define FATHOM_REPORT_TSUNAMI_REPORT_H

#include "report/map.h"
#include "report/model.h"
#include "report/panels.h"
#include "report/style.h"

extern const struct report_model report_tsunami;

enum {
    REPORT_GRIDS_MAX = 32,
    REPORT_GAUGES_DRAWN_MAX = 48, // more are in the table only
};

// The sections of the page: indices in the model's list.
enum report_tsunami_section {
    TSUNAMI_POINTS, // forecast points and zones
    TSUNAMI_AMPLITUDE,
    TSUNAMI_GRIDS, // nested grids, and the flooded land
    TSUNAMI_LAND,  // the same of a run without nested grids
    TSUNAMI_SNAPSHOTS,
    TSUNAMI_GAUGES,
    TSUNAMI_SOURCE,
    TSUNAMI_DIAGNOSTICS,
};

// One gauge, in the finest of the grids that hold it. NaN where a figure does not exist.
struct report_gauge {
    char name[64];
    size_t grid, station;       // index of the grid, and in its gauges.nc
    double longitude, latitude; // x, y (m) on plane grids
    double distance_m;          // to the grid's nearest wet node
    double depth_m;             // where the values are taken
    // The first time at which the surface, on land the depth of the flow, stands arrival_threshold_m above
    // the level below; as in maxima.nc.
    double arrival_s;
    // The level from which the arrival counts: the one that the source left; NaN: unknown, and the first
    // value of the series is used. Until level_from_s it changes linearly from level_at_start_m to level_m.
    double level_at_start_m, level_m, level_from_s;
    double first_peak_s, first_peak_m;
    double maximum_s, maximum_m, minimum_m;
    double observed_peak_s, observed_peak_m;
    struct panels_series model;    // empty beyond REPORT_GAUGES_DRAWN_MAX
    struct panels_series observed; // empty without a record
    char observed_file[256];       // as named in run.json, "" if none
    bool is_observed_missing;      // named, but not found
};

// The water on land, by run.json. NaN where a figure does not exist.
struct report_run_up {
    double highest_m, x, y, ground_m, time_s;
    double inundation_m, inundation_x, inundation_y; // distance from the shore, and where
    double flooded_area_m2;
};

// A grid of the run: the outermost, or one nested in another.
struct report_grid {
    char name[64];             // "" is the outermost
    int parent;                // its index; −1: none
    int depth;                 // grids around it: of two at one place the deeper is the finer
    bool is_flooding;          // the shore moves: results on land too, and the depth is negative there
    const cJSON *run;          // its part of run.json; NULL if absent
    struct report_files files; // owned, but those of the outermost grid
    double largest_m;          // of max_eta, NaN if unknown, and where
    double largest_x, largest_y;
    double largest_flow_m; // depth of the water on land, NaN if unknown
    struct report_run_up run_up;
};

enum { REPORT_THREAT_LEVELS_MAX = 8 };

// A forecast point (points.nc). NaN where a figure does not exist.
struct report_point {
    char name[96];
    double longitude, latitude;     // x, y (m) on plane grids
    double distance_m, depth_m;     // of the node taken
    double arrival_s, first_motion; // 1 rise, −1 fall
    double first_crest_m, first_crest_s, crest_m, crest_s, trough_m, trough_s, duration_s;
    double source_level_m; // from which crests and troughs count, above the sea at rest
    double coastal_height_m, travel_s, earliest_s;
    double threat;                                      // 0 … number of levels
    double is_in_source, is_unfinished, is_lower_bound; // 1 or 0
    char skipped[16]; // why it has no node: "outside", "no water", "cut off"; "": it has one
};

// A forecast zone (zones.nc).
struct report_zone {
    char name[96];
    double points, nodes, crest_m, longitude, latitude, arrival_s, threat;
    double is_lower_bound; // 1 or 0
};

// The forecast: points in the order of their arrival, those without one last; zones as the file has them.
struct report_forecast {
    struct report_point *points;
    struct report_zone *zones;
    size_t point_count, zone_count;
    double levels_m[REPORT_THREAT_LEVELS_MAX]; // of threat, ascending
    size_t level_count;
    double threshold_m, green_depth_m; // NaN: not stated
};

// The state of the report.
struct report_waves {
    struct report_grid grids[REPORT_GRIDS_MAX]; // the outermost first, then as run.json has them
    size_t grid_count;
    bool is_geographic;
    double arrival_threshold_m; // of the gauges: the job's lowest, else 1 cm
    struct report_gauge *gauges;
    size_t gauge_count;
    bool gauges_have_positions;
    double far_field_m; // depth of the ocean over which the gauges are corrected; 0: not
    struct report_forecast forecast;
    struct style_scale maximum_scale; // of the largest elevation on the page's map
    struct style_scale frame_scale;   // of the snapshots; its high end is 0 without them
};
struct report_waves *report_tsunami_waves(const struct report *report);

// grids.c — opens the nested grids, notes what run.json states of all.
enum status report_tsunami_open_grids(struct report *report);
void report_tsunami_close_grids(struct report_waves *waves);
// " · NAME" for titles, "" for the outermost.
const char *report_tsunami_grid_suffix(const struct report_grid *grid, char text[96]);
// A picture's name for that grid: "maximum.png", of a nested one "NAME_maximum.png".
const char *report_tsunami_grid_file(const struct report_grid *grid, const char *picture, char file[64]);
// grid_table.c
void report_tsunami_grid_table(FILE *page, const struct report *report);

// The moment magnitude: the source's own (*is_stated), else that of its faults for a rigidity of 40 GPa;
// NaN: none.
double report_tsunami_magnitude(const struct report *report, bool *is_stated);

// A position as text: degrees with that many decimals, or "x 1.5, y 2"; "" if it is not finite.
const char *report_tsunami_position(const struct report *report, double x, double y, int decimals,
                                    char text[STYLE_TEXT_BYTES]);

// gauges.c — reads gauges.nc and the observed records, computes the figures. Without gauges: nothing.
enum status report_tsunami_read_gauges(struct report *report);
void report_tsunami_free_gauges(struct report_waves *waves);
// The size of a gauge's record: its largest height or its deepest fall. NaN of a record without values.
double report_tsunami_gauge_size_m(const struct report_gauge *gauge);
// Heights below this are not drawn at full height and are not stated as figures: a thousandth of the largest
// height in the run to the nearest power of ten, at most 1 mm, at least 1 µm. Where no wave arrived, a record
// holds rounding errors.
double report_tsunami_least_height_m(const struct report_waves *waves);

// The model's first crest after `start_s`, in heights above the level that the source left: the first
// maximum at least a fifth as high as the highest value after start_s, to which the level rises and after
// which it falls to less than half, or the gauge dries. Returns its index, or `count` if the record has no
// crest.
size_t report_tsunami_first_crest(const struct report_gauge *gauge, double start_s);

// The largest value between two times: its index, or `count` without any.
size_t report_tsunami_largest_between(const struct panels_series *series, double begin_s, double end_s);

// points.c — reads points.nc and zones.nc; without them the forecast stays empty.
enum status report_tsunami_read_forecast(struct report *report);
void report_tsunami_free_forecast(struct report_forecast *forecast);
// The point with the largest coastal height (else crest), and the one with the earliest arrival; NULL: none.
const struct report_point *report_tsunami_worst_point(const struct report_forecast *forecast);
const struct report_point *report_tsunami_first_point(const struct report_forecast *forecast);
// The height that a point is judged by: on the coast, else of the crest.
double report_tsunami_point_height_m(const struct report_point *point);
// Of a point without a node: why.
const char *report_tsunami_skipped_text(const struct report_point *point);
// Whether neither nodes nor points of the grid lie in a zone.
bool report_tsunami_is_dry(const struct report_zone *zone);
// "0.3 – 1 m" of a level of threat; of a lower bound "≥ 0.3 m".
const char *report_tsunami_threat_text(const struct report_forecast *forecast, double threat,
                                       bool is_lower_bound, char text[STYLE_TEXT_BYTES]);
// The level by which a threat is coloured; −1: it is not known, or none was reached but may be.
int report_tsunami_threat_colour(double threat, bool may_be_higher);
// point_table.c — the tables of points and zones.
void report_tsunami_point_table(FILE *page, const struct report *report);
bool report_tsunami_has_points(const struct report *report);

// isochrones.c — a line every step; every first, second or third line is strong and has a label.
struct report_isochrones {
    struct contour_points minor, major;
    struct map_labels labels;
    double step_s;
};
// `map`: times in s. `lines` is empty before; free it also after a failure.
enum status report_tsunami_trace_isochrones(const struct result_map *map, double latest_s,
                                            struct report_isochrones *lines);
void report_tsunami_free_isochrones(struct report_isochrones *lines);
const char *report_tsunami_isochrone_label(double time_s, double step_s, char *text);

// maps.c, snapshots.c — the scales of colours of maxima, of arrivals (in `unit`), and of elevations.
struct style_scale report_tsunami_amplitude_scale(const struct report *report, const struct result_map *map,
                                                  bool is_elevation);
struct style_scale report_tsunami_time_scale(const struct result_map *map, double latest_s,
                                             struct style_time_unit unit);
struct style_scale report_tsunami_elevation_scale(const struct report *report, double typical_m,
                                                  double high_m);

// pair.c — a map of arrivals: 0 in the source's area, which was lifted by the threshold or more at once, and
// from there did not rise as much again. The same part of the same grid.
enum status report_tsunami_mark_source(const struct report_grid *grid, double threshold_m,
                                       const struct map_part *part, struct map_pair *arrivals);

// maps.c — appends the rectangles of the grids nested directly in this one, and their names.
enum status report_tsunami_trace_nested(const struct report *report, const struct report_grid *grid,
                                        struct contour_points *boxes, struct map_labels *labels);

// web.c — the map and the series of the page's script. web_marks.c — points, gauges, faults, the mechanism.
enum status report_tsunami_web(struct report *report, bool has_maps, bool has_charts);
enum status report_tsunami_web_marks(const struct report *report, cJSON *map);
enum status report_tsunami_web_faults(const struct report *report, cJSON *map);

// observed.c — two columns "time value" (s, m), separated by blanks, tabs, commas or semicolons; `skip_lines`
// lines are left out, and empty lines and those that start with #. Columns count from 0. Not readable →
// STATUS_NO_INPUT; a line without numbers there, or times that decrease → STATUS_DATA with its number.
enum status report_tsunami_read_observed(const char *path, int time_column, int value_column, int skip_lines,
                                         struct panels_series *series);
// Where a record is: as given, in the result folder, in the folder of --observations (with and without the
// folders in its name).
bool report_tsunami_find_observed(const struct report *report, const char *file,
                                  char found[REPORT_PATH_BYTES]);
// The records that run.json names for the gauges of all grids.
void report_tsunami_read_records(struct report *report);

// pair.c — reads a map with its water and ground; map_free_pair also after a failure. The share of water
// comes from the depth if there is one on the same grid, else from the variable's own missing values.
// `leading`: as in result_read_map, NULL for zeroes.
enum status report_tsunami_read_pair(const struct report_grid *grid, const struct result_file *file,
                                     const char *variable, const size_t *leading,
                                     enum result_reduction reduction, const struct map_part *part,
                                     struct map_pair *pair);

// maps.c — maximum, arrival, deformation, other maxima; flood.c — the flooded land of each grid on which the
// shore moves; snapshots.c — some times of the fields; gauge_panels.c — gauges against time; gauge_table.c.
enum status report_tsunami_draw_maps(struct report *report);
enum status report_tsunami_draw_floods(struct report *report);
enum status report_tsunami_draw_snapshots(struct report *report);
// animation.c — the frames, if the options ask for them: pictures/animation.webp.
enum status report_tsunami_draw_animation(struct report *report);
enum status report_tsunami_draw_gauges(struct report *report);
void report_tsunami_gauge_table(FILE *page, const struct report *report);

#endif
