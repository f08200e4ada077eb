// Pictures of panels with points, error bars and lines, each with its own abscissae: measurements beside
// theory. Independent of the meaning of the numbers. Internal to report/. (One abscissa for all curves:
// curves.h.)
#ifndef FATHOM_REPORT_POINTS_H
#define FATHOM_REPORT_POINTS_H

#include "report/context.h"

enum { POINTS_SETS_MAX = 100, POINTS_LEGEND_MAX = 24, POINTS_NAME_BYTES = 40 };

enum points_style {
    POINTS_MARKS,  // with their error bars
    POINTS_HOLLOW, // the same, for values that are not reliable
    POINTS_THIN,   // a thin line, from mark to mark
    POINTS_LINE,
    POINTS_DASHED,
    POINTS_ACROSS // in a legend: a panel's mark
};

struct point_set {
    enum points_style style;
    const char *colour; // "#rrggbb"
    size_t count;
    double *x, *y, *error; // owned; non-finite values are not drawn
};

struct points_panel {
    const char *title, *aside, *x_name; // aside: in grey at the right, or NULL
    double x_low, x_high;               // equal: the range of the data
    double y_least;                     // lower end of a logarithmic axis; 0: the least of the data
    double mark;                        // a dashed vertical line at this abscissa, if in the range; 0: none
    bool has_zero, is_x_logarithmic;
    bool is_y_logarithmic; // only if values differ by a large factor
    int set_count;
    struct point_set sets[POINTS_SETS_MAX];
};

// Adds a set of zeroes without errors. Too many sets, or no memory: STATUS_SYSTEM.
enum status points_add(struct points_panel *panel, enum points_style style, const char *colour, size_t count,
                       struct point_set **set);
// Converts the centres (evenly spaced) and heights of a histogram's bins to its outline, from the first bin
// that is not empty to the last one. STATUS_SYSTEM: no memory.
enum status points_outline(struct point_set *set);
void points_free(struct points_panel *panels, size_t count);

// Beside the panels, at the right: the meaning of each colour.
struct points_legend {
    enum points_style style;
    const char *colour;
    char name[POINTS_NAME_BYTES];
};

struct points_picture {
    int section;
    const char *file, *title, *caption;
    int legend_count;
    struct points_legend legend[POINTS_LEGEND_MAX];
};
// Adds a line to the legend; does nothing after POINTS_LEGEND_MAX lines.
void points_name(struct points_picture *picture, enum points_style style, const char *colour,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

// Draws the panels that have a finite point; without such a panel there is no picture.
enum status points_draw(struct report *report, const struct points_picture *picture,
                        const struct points_panel *panels, size_t count);

// If `filled` is STATUS_OK: points_draw. Otherwise returns `filled`. Frees the panels in any case.
enum status points_finish(struct report *report, const struct points_picture *picture,
                          struct points_panel *panels, size_t count, enum status filled);

#endif
