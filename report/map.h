// One map in a picture: its box, axes, colours, lines, marks and colour bar, as gnuplot commands. Independent
// of the variable that is drawn.
#ifndef FATHOM_REPORT_MAP_H
#define FATHOM_REPORT_MAP_H

#include "report/context.h"
#include "report/contour.h"
#include "report/plot.h"
#include "report/style.h"

// The part of the world that a map shows.
struct map_view {
    bool is_geographic;
    double metres_per_unit; // plane grids
    double x[2], y[2];
    double y_weight; // length of a unit of y as a multiple of one of x, at the middle latitude
    double aspect;   // width / height as drawn
};
struct map_view map_view_of(const struct result_map *map);

// The values of a map, and on the same pixels the fraction of water at rest (0 … 1). For runs with flooding
// also the elevation of the ground, by which land is shaded; the values are then drawn on land, too.
// Otherwise ground.values is NULL.
struct map_pair {
    struct result_map values, water, ground;
};

void map_free_pair(struct map_pair *pair);

// Index of the largest value (or magnitude); nx·ny if all are NaN.
size_t map_find_largest(const struct result_map *map, bool by_magnitude);

// The part of a variable that a map shows, on at most nx × ny pixels.
struct map_part {
    size_t nx, ny;
    const struct result_window *window; // NULL: all of it
};
// The whole variable, on as many pixels as the largest map of this report has.
struct map_part map_largest_part(const struct report *report);

// The layers of a map, from bottom to top: land and water, the values (transparent for NaN and on land),
// level lines, the coast.
struct map_layers {
    const struct map_pair *pair;
    const struct style_scale *scale;
    const struct contour_points *minor, *major, *dashed; // or NULL
    const struct contour_points *boxes;                  // of nested grids, or NULL
};

// The texts on level lines. Short lines and crowded lines have none.
enum { MAP_LABELS_MAX = 160 };
struct map_labels {
    size_t count;
    struct {
        double x, y;
        char text[STYLE_TEXT_BYTES];
    } labels[MAP_LABELS_MAX];
};

// Adds `text` to each of the lines points[begin …] with at least `least` points.
void map_label_lines(struct map_labels *labels, const struct map_view *view,
                     const struct contour_points *points, size_t begin, size_t least, const char *text);

// A mark at a position, with its name.
struct map_mark {
    double x, y;
    char text[STYLE_TEXT_BYTES];
    bool is_dot; // false: a triangle
};

typedef const char *map_tick_text(double value, char *text); // text: STYLE_TEXT_BYTES

// Additional space at the left of a map for its latitudes, in pixels at a scale of 1; 0: none is needed.
double map_label_space(const struct map_view *view);

// Parts of a script. Write the box, axes and labels before map_script_layers, which writes the plot command.
void map_script_axis(struct plot *plot, const struct map_view *view, char axis, int most, bool has_labels);
void map_script_colour_bar(struct plot *plot, const struct plot_box *box, const struct style_scale *scale,
                           map_tick_text *format, const char *unit);
enum status map_script_layers(struct plot *plot, const struct map_layers *layers);

// Draws lines on a map; call it after the map's plot command. Draws nothing if `points` is NULL or empty.
enum status map_script_lines(struct plot *plot, const struct contour_points *points, const char *style);

// A picture of one map with its colour bar.
struct map_single {
    const char *file, *title, *caption;
    int section;
    const char *const *palette;
    map_tick_text *format;
    const char *unit; // written over the colour bar; NULL if the tick texts have it
    const struct map_mark *marks;
    size_t mark_count;
    const struct map_layers *layers;
    const struct map_labels *labels; // or NULL
    bool is_unlisted;                // not among the report's pictures
};
enum status map_draw_single(struct report *report, const struct map_single *single);

#endif
