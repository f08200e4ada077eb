// The parts of the report of an ensemble's hazard (ensemble.nc): points, maps, curves, series. Internal to
// report/hazard/.
#ifndef FATHOM_REPORT_HAZARD_REPORT_H
#define FATHOM_REPORT_HAZARD_REPORT_H

#include "report/map.h"
#include "report/model.h"
#include "report/style.h"

extern const struct report_model report_hazard;

enum {
    HAZARD_GRIDS_MAX_SHOWN = 12,
    HAZARD_LEVELS_MAX = 16,
    HAZARD_SHOWN_PERCENTILES = 5,
    HAZARD_MAPS_MAX = 4, // thresholds and times with a map of their own
};

// The sections of the page: indices in the model's list.
enum report_hazard_section {
    HAZARD_POINTS,
    HAZARD_ZONES,
    HAZARD_MAPS,
    HAZARD_CURVES,
    HAZARD_SERIES,
    HAZARD_MEMBERS,
};

// All of the points; [count] each, or [count][second].
struct report_hazard_points {
    size_t count, states, curve_count; // states: not reached, and one more than there are thresholds
    char **names;
    double *x, *y, *weight, *lower_bound, *unfinished;
    double *shares;                          // [state]
    double *coastal_m, *crest_m;             // [percentile]
    double *coastal_curve, *crest_curve;     // [height]
    double *curve_m;                         // [height], of all
    double *earliest_s, *median_s, *arrival; // arrival: probability
    size_t *order;                           // by the 95th percentile at the coast, the largest first
};

// All of the forecast zones; [count] each, or [count][second].
struct report_hazard_zones {
    size_t count;
    char **names;
    double *shares;                                 // [state], as of points
    double *crest_m, *arrival_s;                    // [percentile]
    double *earliest_s, *probability, *lower_bound; // probability: of an arrival
};

struct report_hazard_series {
    size_t count, times;
    char **names;
    double *x, *y, *times_s; // x, y: NULL without positions
    double *percentile_m;    // [percentile][time][gauge]
    double *largest_m;       // [gauge][percentile] of the largest elevations
    double *observed_m;      // [gauge] the largest one of the record; NaN: none
};

// Where an observed value lies.
enum report_hazard_place { HAZARD_NOT_OBSERVED, HAZARD_BELOW, HAZARD_WITHIN, HAZARD_ABOVE };

struct report_hazard_state {
    struct result_file *files[HAZARD_GRIDS_MAX_SHOWN]; // the outermost grid's first
    char grids[HAZARD_GRIDS_MAX_SHOWN][64];
    size_t grid_count;
    bool is_geographic;
    double thresholds_m[HAZARD_LEVELS_MAX], percentiles[HAZARD_SHOWN_PERCENTILES];
    size_t threshold_count;
    struct report_hazard_points points;
    struct report_hazard_zones zones;
    struct report_hazard_series series;
};
struct report_hazard_state *report_hazard_state(const struct report *report);

// read.c — reads the files; free in any case.
enum status report_hazard_read(struct report *report);
void report_hazard_free(struct report *report);
// observed.c — the records of the gauges. One that cannot be used causes a warning.
enum status report_hazard_read_observed(struct report *report);
// With respect to the 5th and the 95th percentile of the members' largest elevations, which belong to within.
enum report_hazard_place report_hazard_place_of(const struct report_hazard_series *series, size_t gauge);
// "0.3 – 1 m", of a threat that so many thresholds make.
const char *report_hazard_level_text(const struct report_hazard_state *state, size_t level,
                                     char text[STYLE_TEXT_BYTES]);
// The level that the 95th percentile at the coast reaches; −1: none, but it may be higher (not reached yet,
// lower bounds, more waves to come in some members).
int report_hazard_level(const struct report_hazard_state *state, size_t point);
// The same of a zone: of the elevation in it and the heights at the coast of its points.
int report_hazard_zone_level(const struct report_hazard_state *state, size_t zone);
// "35 %", "< 1 %", "> 99 %"; "–" for NaN.
const char *report_hazard_percent(double share, char *text);

// maps.c — pictures of maps; curves.c — exceedance curves and series.
enum status report_hazard_draw_maps(struct report *report);
enum status report_hazard_draw_curves(struct report *report);
enum status report_hazard_draw_series(struct report *report);
// A map with the share of water; map_free_pair in any case.
enum status report_hazard_read_pair(const struct report_hazard_state *state, size_t grid,
                                    const char *variable, size_t plane, const struct map_part *part,
                                    struct map_pair *pair);
struct style_scale report_hazard_height_scale(const struct result_map *map);
struct style_scale report_hazard_time_scale(const struct result_map *map, struct style_time_unit *unit);

// tables.c — points, zones and members. web.c — the page's map and series.
void report_hazard_point_table(FILE *page, const struct report *report);
void report_hazard_zone_table(FILE *page, const struct report *report);
void report_hazard_gauge_table(FILE *page, const struct report *report);
void report_hazard_member_table(FILE *page, const struct report *report);
enum status report_hazard_web(struct report *report, bool has_maps, bool has_charts);

#endif
