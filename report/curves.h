// Pictures of panels with curves, in two columns. Each panel has its own axes, and names of its curves beside
// their ends or in a corner. Independent of the meaning of the numbers. Internal to report/.
#ifndef FATHOM_REPORT_CURVES_H
#define FATHOM_REPORT_CURVES_H

#include "report/context.h"

enum { CURVES_MAX = 8, CURVE_UNIT_BYTES = 32 };

enum curve_style {
    CURVE_LINE,
    CURVE_DASHED, // a theory beside measurements
    CURVE_BARS,   // a histogram
    CURVE_MARKS   // few points, and lines between them
};

struct curve {
    char name[CURVE_UNIT_BYTES];
    enum curve_style style;
    double *values; // [panel's count]; owned
};

struct curve_panel {
    const char *title, *formula; // the formula may be NULL
    char unit[CURVE_UNIT_BYTES]; // "" for none
    size_t count;
    const double *x;    // ascending; [count]
    double x_unit;      // unit of the axis, in units of x
    const char *x_name; // with the unit
    bool is_logarithmic, has_zero;
    bool is_x_logarithmic, has_x_zero;
    bool has_key; // names in the upper right corner
    int curve_count;
    struct curve curves[CURVES_MAX];
};

// Adds a curve of zeroes; the panel owns `*values` [panel's count]. STATUS_SYSTEM: no memory.
enum status curves_add(struct curve_panel *panel, enum curve_style style, const char *name, double **values);
void curves_free(struct curve_panel *panels, size_t count);

// A curve of (values − offset) / divisor in one of the panels.
struct curve_row {
    int panel;
    enum curve_style style;
    const char *name;
    const double *values; // [the panel's count]; NULL: no such curve
    double divisor, offset;
};
// Adds all these curves. STATUS_SYSTEM: no memory.
enum status curves_fill(struct curve_panel *panels, const struct curve_row *rows, size_t count);

// Reads variables over time: numbers, or vectors of `width`. values[k] is owned by the caller; it stays NULL
// if the file has no variable of that shape.
struct curve_variable {
    const char *name;
    size_t width;
};
enum status curves_read(const struct result_file *file, const struct curve_variable *variables,
                        size_t variable_count, size_t times, double **values);

struct curves_picture {
    int section;
    const char *file, *title, *caption;
};
// Draws the panels that have a curve of more than one point; without such a panel there is no picture.
enum status curves_draw(struct report *report, const struct curves_picture *picture,
                        const struct curve_panel *panels, size_t count);

#endif
