// Pictures of panels in one or two columns, each with a time axis, as gnuplot commands. Knows pixels and
// series; does not know what is drawn.
#ifndef FATHOM_REPORT_PANELS_H
#define FATHOM_REPORT_PANELS_H

#include "report/context.h"
#include "report/plot.h"
#include "report/style.h"

// A series over time; values may be NaN.
struct panels_series {
    size_t count;
    double *times_s; // since the start of the model time
    float *values_m;
};
void panels_free_series(struct panels_series *series);

// Where the panels stand; pixels.
struct panels {
    size_t columns, rows;
    double left, top, right, bottom, gap_x, gap_y, width, height;
};
struct panels panels_layout(double picture_width, double scale, size_t count, double height);
int panels_height(const struct panels *panels);           // of the whole picture
int panels_width(const struct panels *panels);            // of the whole picture
struct plot_box panels_area(const struct panels *panels); // of all panels

// Before the first panel: grid lines, borders, tics.
void panels_begin(struct plot *plot);

// The box of panel k, row by row.
struct plot_box panels_box_of(const struct panels *panels, size_t k);
void panels_box(struct plot *plot, const struct panels *panels, size_t k);
// Sets the numbers of columns and rows for `count` panels in at most `columns` columns.
void panels_arrange(struct panels *panels, size_t count, size_t columns);

// The picture's title, with the job's under it.
void panels_heading(struct plot *plot, const struct report *report, double left, const char *title);

// Colours by name in the upper right corner, in place of a key in every panel. From right to left.
struct panels_legend_entry {
    const char *mark, *name, *colour;
    double width; // at a scale of 1, in pixels
};
void panels_legend(struct plot *plot, double right, const struct panels_legend_entry *entries, size_t count);

// After a panel with an image: takes away the colour bar and the heading, which are drawn once.
void panels_end_image(struct plot *plot);

// Prepares an empty plot over the panels, which carries the labels of the whole picture.
void panels_empty_plot(struct plot *plot);

// A panel's title at its left, and something in grey at its right.
void panels_title(struct plot *plot, const char *title, const char *aside);

// The time axis in its unit, with at most about `most` round steps; the data stay in that unit too.
void panels_time_axis(struct plot *plot, double begin_s, double end_s, struct style_time_unit unit, int most,
                      bool has_label);

// Points of a series within a time range, in the axis' units; at most about twice `most`: of each stretch the
// least and the greatest, so that no peak is lost. The caller frees xy, which is NULL after a failure.
struct panel_points {
    size_t count;
    float *xy;
};
enum status panels_thin_out(const struct panels_series *series, double begin_s, double end_s,
                            double time_unit_s, double value_unit, size_t most, struct panel_points *points);

#endif
