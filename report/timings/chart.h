// One picture of panels with keys: lines over linear or logarithmic axes with limits and marks, points or
// bars beside names, coloured cells. Independent of the meaning of the numbers. Internal to report/timings/.
#ifndef FATHOM_REPORT_TIMINGS_CHART_H
#define FATHOM_REPORT_TIMINGS_CHART_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHART_TEXT_BYTES = 160 };

enum chart_kind {
    CHART_LINES,  // y over x
    CHART_POINTS, // x beside the names, one below the other
    CHART_BARS,   // likewise, from 0 on
    CHART_CELLS   // value in the cells of two lists of names
};

enum chart_style {
    CHART_SOLID,  // a line with its points
    CHART_DASHED, // likewise
    CHART_IDEAL,  // a grey dashed line
    CHART_ALONE   // points without a line
};

struct chart_point {
    double x, y;   // POINTS, BARS, CELLS: y, CELLS: x too, is the number of a name, from 0
    double value;  // CELLS: decides on the colour, from 1 (best) on
    bool is_open;  // drawn hollow: not a measured value
    char text[64]; // POINTS, BARS, CELLS: beside or in the mark
};

struct chart_series {
    char name[CHART_TEXT_BYTES]; // in the key
    enum chart_style style;
    int colour; // number in the list of colours, from 0
    size_t count;
    struct chart_point *points;
};

// A limit (a height in a panel of lines) or a mark (a place along x), with its name.
struct chart_line {
    char name[CHART_TEXT_BYTES];
    double at;
};

struct chart_panel {
    enum chart_kind kind;
    int group; // panels of one group stand together, with one key: the series of the first of them
    char title[CHART_TEXT_BYTES], aside[CHART_TEXT_BYTES];
    char x_name[CHART_TEXT_BYTES], y_name[CHART_TEXT_BYTES]; // with units
    bool is_x_logarithmic, is_y_logarithmic;
    double x_step_least; // between ticks of a linear axis; 0: any
    size_t series_count, limit_count, mark_count, name_count, column_count;
    struct chart_series *series;
    struct chart_line *limits, *marks;
    char (*names)[CHART_TEXT_BYTES];   // of POINTS and BARS; CELLS: of the rows
    char (*columns)[CHART_TEXT_BYTES]; // CELLS
};

struct chart {
    char title[CHART_TEXT_BYTES], second[4 * CHART_TEXT_BYTES];
    size_t panel_count;
    struct chart_panel *panels;
};

// Each adds to the end of a list. What it points *new to stays until the next one is added to the same list.
// STATUS_SYSTEM: no memory.
enum status chart_add_panel(struct chart *chart, enum chart_kind kind, int group, struct chart_panel **new);
enum status chart_add_series(struct chart_panel *panel, const char *name, struct chart_series **new);
enum status chart_add_point(struct chart_series *series, const struct chart_point *point);
enum status chart_add_limit(struct chart_panel *panel, const char *name, double at);
enum status chart_add_mark(struct chart_panel *panel, const char *name, double at);
// The number of the name in a list, in which it is added if it is not there.
enum status chart_name(struct chart_panel *panel, const char *name, size_t *number);
enum status chart_column(struct chart_panel *panel, const char *name, size_t *number);
void chart_free(struct chart *chart);

// The height that the picture gets in that width, both in pixels.
int chart_height(const struct chart *chart, int width_px);
// Draws folder/name. STATUS_CANNOT_CREATE, STATUS_IO, STATUS_SYSTEM (gnuplot): an earlier picture of that
// name is then as it was.
enum status chart_draw(const struct chart *chart, const char *folder, const char *name, int width_px);

#endif
