// Pictures of panels in rows and columns, as gnuplot commands: panels of curves with their own axes, or
// images that share colours. Independent of the meaning of the series.
#ifndef FATHOM_REPORT_PANELS_H
#define FATHOM_REPORT_PANELS_H

#include "report/context.h"
#include "report/map.h"
#include "report/plot.h"
#include "report/style.h"

// A series over time; values may be NaN.
struct panels_series {
    size_t count;
    double *times_s; // since the start of the model time
    float *values_m;
};
void panels_free_series(struct panels_series *series);

// The layout of the panels, in pixels.
struct panels {
    size_t columns, rows;
    double left, top, right, bottom, gap_x, gap_y, width, height;
};
struct panels panels_layout(double picture_width, double scale, size_t count, double height);
int panels_height(const struct panels *panels); // of the whole picture

// The box of panel k, row by row.
void panels_box(struct plot *plot, const struct panels *panels, size_t k);
// Sets the numbers of columns and rows for `count` panels in at most `columns` columns.
void panels_arrange(struct panels *panels, size_t count, size_t columns);

// Writes the picture's title, with the job's title under it.
void panels_heading(struct plot *plot, const struct report *report, double left, const char *title);

// A legend of the colours in the upper right corner, instead of a key in every panel. Entries go from right
// to left.
struct panels_legend_entry {
    const char *mark, *name, *colour;
    double width; // at a scale of 1, in pixels
};
void panels_legend(struct plot *plot, double right, const struct panels_legend_entry *entries, size_t count);

// Writes a text at the upper left or right corner of a panel (at most one at each), shifted by dx, dy
// characters. `font`: of plot_font; `more`: further gnuplot clauses of the label.
enum panels_corner { PANELS_LEFT = 1, PANELS_RIGHT = 2 };
void panels_text(struct plot *plot, enum panels_corner corner, double dx, double dy, const char *font,
                 const char *more, const char *text);
// A setup for texts in boxes ("boxed bs 1").
extern const char panels_boxed_text[];
extern const char panels_grey[]; // a label's colour

// A panel's title at its left, and an aside in grey at its right.
void panels_title(struct plot *plot, const char *title, const char *aside);

// Sets the ticks of a logarithmic axis at 1, 2, 5 of each decade, or at 1 only; at equal steps, where it has
// less than a decade. At most about `most`, 0: all.
void panels_log_ticks(struct plot *plot, char axis, double low, double high, size_t most);

// Sets a linear or a logarithmic axis, with ticks at about `most` round numbers.
void panels_value_axis(struct plot *plot, char axis, double low, double high, bool is_logarithmic, int most);

// Sets a linear axis with ticks outside; is_shown: with numbers and a name.
void panels_axis(struct plot *plot, char axis, double low, double high, double step, const char *name,
                 bool is_shown);

// Sets the time axis in a unit, which the data must have, too; at most about `most` round steps.
void panels_time_axis(struct plot *plot, double begin_s, double end_s, struct style_time_unit unit, int most,
                      bool has_label);

// Panels with images or dots: all in the same colours, with one colour bar.
struct panels_images {
    double points;     // size of the axes' numbers
    const char *setup; // gnuplot statements before the first panel
    const char *const *palette;
    size_t colours;                  // of the palette; 0: none
    const struct style_scale *scale; // of the colour bar; NULL: none
    map_tick_text *format;
    const char *unit; // over the colour bar, or NULL
};

// A picture of panels: listed, and drawn panel by panel.
struct panels_picture {
    int section;
    const char *file, *title, *caption;
    const char *heading; // in the picture; NULL: the title
    const struct panels *layout;
    size_t count;
    const void *content; // of the two functions below
    enum status (*panel)(struct plot *plot, const struct report *report, const void *content, size_t k);
    void (*legend)(struct plot *plot, const void *content); // (optional) over the whole picture
    const struct panels_images *images;                     // NULL: curves
    double least_width_px;                                  // of images
};
enum status panels_draw(struct report *report, const struct panels_picture *picture);

// Reduces a series within a time range to at most about 2·`most` points, in the axis' units: the least and
// the greatest value of each interval, so that no peak is lost. The caller frees xy, which is NULL after a
// failure.
struct panel_points {
    size_t count;
    float *xy;
};
enum status panels_thin_out(const struct panels_series *series, double begin_s, double end_s,
                            double time_unit_s, double value_unit, size_t most, struct panel_points *points);

#endif
