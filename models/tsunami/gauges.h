// Gauges: places where time series are recorded. A list is read from JSON (docs/tsunami.md). Each gauge has
// the nearest wet node, and takes its values from there or, bilinear, from the wet nodes around it.
#ifndef FATHOM_MODELS_TSUNAMI_GAUGES_H
#define FATHOM_MODELS_TSUNAMI_GAUGES_H

#include "core/status.h"
#include "io/grid/grid.h"
#include "models/tsunami/state.h"

#include <stdbool.h>
#include <stddef.h>

enum { GAUGE_NAME_MAX = 32, GAUGE_TEXT_MAX = 160, GAUGE_SEARCH_NODES = 3, GAUGE_SEARCH_NODES_MAX = 1000 };

struct gauge {
    char name[GAUGE_NAME_MAX];
    char description[GAUGE_TEXT_MAX];
    double x, y;      // degrees east and north, or m; as given
    bool is_required; // the run fails if it cannot record here
    // Observed values, for the report; "": none.
    char observed_file[GAUGE_TEXT_MAX];
    int observed_time_column, observed_value_column, observed_skip_lines;
    // Filled in by gauge_list_consider.
    bool has_node;
    size_t column, row;
    double node_x, node_y, node_depth_m, distance_m; // of the nearest wet node
    double depth_m;                                  // still water at the gauge, by its weights
    struct tsunami_gauge_place place;                // final after gauge_list_settle
};

// A gauge that is left out.
struct gauge_left_out {
    char name[GAUGE_NAME_MAX];
    double x, y;
    bool is_on_land; // else: outside the domain
};

struct gauge_list {
    struct gauge *gauges; // owned
    size_t count;
    struct gauge_left_out *left_out; // owned
    size_t left_out_count;
};

// Largest distance of the wet node: nodes in each direction or, if not NaN, metres.
struct gauge_search {
    size_t nodes;
    double length_m;
};

// Reads a gauge file. Errors name the file, the gauge and the key.
enum status gauge_list_read(const char *path, struct gauge_list *list);
void gauge_list_free(struct gauge_list *list);

// Leaves out gauges outside the window, so that one list serves many domains. STATUS_CONFIGURATION: a
// required one, or all are outside. With is_inherited (the list is that of a grid around this one) neither is
// an error. Longitudes are changed to the window's turn.
enum status gauge_list_crop(struct gauge_list *list, const struct grid_window *window, const char *path,
                            bool is_inherited);

// Between which nodes each gauge lies, before the rows are considered. is_periodic: of x and y; the first and
// the last node of such an axis are neighbours. Beyond the outermost node of another axis (half a cell) that
// node's value holds. Without interpolation the nearest wet node stands for each gauge.
void gauge_list_locate(struct gauge_list *list, const struct grid_window *window, const bool is_periodic[2],
                       bool interpolates);

// Considers one row of depths (nx values, wet: > wall_depth_m) for every gauge: each keeps the nearest wet
// node within `search`, and of the nodes around it those that are sea: deeper than wall_depth_m and than 0.
void gauge_list_consider(struct gauge_list *list, const struct grid_window *window, double earth_radius_m,
                         size_t row, const double *depth_m, double wall_depth_m,
                         const struct gauge_search *search);

// After all rows: leaves out gauges without a node, which lie on land. The others get their weights: of the
// nodes around them that are sea, with the sum 1, if the nearest wet node is one of these; else that node
// alone. `others`: the lists of all grids of the run; a gauge with a node in one of them is left to that
// grid, with a line in the log. STATUS_CONFIGURATION, naming it: another required gauge, or a list without
// any gauge in all grids. With is_inherited nothing is logged.
enum status gauge_list_settle(struct gauge_list *list, const char *path, const struct gauge_search *search,
                              const struct gauge_list *const *others, size_t other_count, bool is_inherited);

// Warns of each gauge left out, or once if they are many; then each has its line in the log.
void gauge_list_warn_left_out(const struct gauge_list *list, const char *path,
                              const struct gauge_search *search);

#endif
