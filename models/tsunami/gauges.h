// Gauges: where time series are recorded. A list is read from JSON (docs/tsunami.md gives the form) and each
// gauge is then moved to the nearest wet node.
#ifndef FATHOM_MODELS_TSUNAMI_GAUGES_H
#define FATHOM_MODELS_TSUNAMI_GAUGES_H

#include "core/status.h"
#include "io/grid.h"

#include <stdbool.h>
#include <stddef.h>

enum { GAUGE_NAME_MAX = 32, GAUGE_TEXT_MAX = 160 };

struct gauge {
    char name[GAUGE_NAME_MAX];
    char description[GAUGE_TEXT_MAX];
    double x, y; // degrees east and north, or m; as given
    // Where observed values stand, for the report: "" = none.
    char observed_file[GAUGE_TEXT_MAX];
    int observed_time_column, observed_value_column, observed_skip_lines;
    // Filled in by gauge_list_consider.
    bool has_node;
    size_t column, row;
    double node_x, node_y, node_depth_m, distance_m;
};

struct gauge_list {
    struct gauge *gauges; // owned
    size_t count;
};

// Reads a gauge file. Errors name the file, the gauge and the key.
enum status gauge_list_read(const char *path, struct gauge_list *list);
void gauge_list_free(struct gauge_list *list);

// Drops gauges outside the window (naming them in the log, so that one list serves many domains); none left →
// STATUS_CONFIGURATION. With may_be_empty neither is worth a word. Longitudes are taken to the window's own turn.
enum status gauge_list_crop(struct gauge_list *list, const struct grid_window *window, const char *path,
                            bool may_be_empty);

// Offers one row of depths (nx values, wet: > wall_depth_m) to every gauge: each keeps the nearest wet node
// seen so far, within `reach` nodes in each direction.
void gauge_list_consider(struct gauge_list *list, const struct grid_window *window, double earth_radius_m,
                         size_t row, const double *depth_m, double wall_depth_m, size_t reach);

// After all rows: drops gauges without a node, which lie on land, with a line in the log; each must have a node in one of
// `others`, the lists of the run's other grids, else STATUS_CONFIGURATION, naming it.
enum status gauge_list_settle(struct gauge_list *list, const char *path, size_t reach,
                              const struct gauge_list *const *others, size_t other_count);

#endif
