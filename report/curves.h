// Pictures of panels with curves, in two columns: each panel with its own axes, its curves named beside their
// ends or in a corner. Knows numbers, names and pixels; does not know what is drawn. Internal to report/.
#ifndef FATHOM_REPORT_CURVES_H
#define FATHOM_REPORT_CURVES_H

#include "report/context.h"

enum { CURVES_MAX = 8, CURVE_UNIT_BYTES = 32 };

enum curve_look {
    CURVE_LINE,
    CURVE_DASHED, // a theory beside what was measured
    CURVE_BARS,   // a histogram
    CURVE_MARKS   // few points, and lines between them
};

struct curve {
    char name[CURVE_UNIT_BYTES];
    enum curve_look look;
    double *values; // [panel's count]; owned
};

struct curve_panel {
    const char *title, *formula; // what is shown; the formula may be NULL
    char unit[CURVE_UNIT_BYTES]; // "" for none
    size_t count;
    const double *x;    // ascending; [count]
    double x_unit;      // what a unit on the axis is in those of x
    const char *x_name; // with the unit
    bool is_logarithmic, has_zero;
    bool is_x_logarithmic, has_x_zero;
    bool has_key; // names in the upper right corner
    int curve_count;
    struct curve curves[CURVES_MAX];
};

// Room for a curve's values, zeroes; NULL if there is no memory.
double *curve_add(struct curve_panel *panel, enum curve_look look, const char *name);
void curves_free(struct curve_panel *panels, size_t count);

// A variable over `count` times, of one number or a vector of `width`; *values stays NULL where there is none
// of that shape.
enum status curves_read(const struct result_file *file, size_t count, const char *name, size_t width,
                        double **values);

struct curves_picture {
    enum report_section section;
    const char *file, *title, *caption;
};
// Those panels that have curves of more than one point; no picture without any.
enum status report_draw_curves(struct report *report, const struct curves_picture *picture,
                               const struct curve_panel *panels, size_t count);

#endif
