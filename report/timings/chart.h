// Pictures of panels with keys: lines over linear or logarithmic axes with limits and marks, points or bars
// beside names, coloured cells. Independent of the meaning of the numbers. Internal to report/timings/.
#ifndef FATHOM_REPORT_TIMINGS_CHART_H
#define FATHOM_REPORT_TIMINGS_CHART_H

#include "core/status.h"
#include "report/plot.h"
#include "report/text_size.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHART_TEXT_BYTES = 256, CHART_LINES_MAX = 5, CHART_PAGES_MAX = 16 };

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
    CHART_ALONE,  // points without a line
    CHART_NOTE    // a line of the key, without points
};

struct chart_point {
    double x, y;   // POINTS, BARS, CELLS: y, CELLS: x too, is the number of a name, from 0
    double from;   // (with has_from) x and this are the ends of an interval
    double value;  // CELLS: decides on the colour, from 1 (best) on
    bool has_from; // POINTS
    bool is_open;  // drawn hollow: not a measured value
    char text[96]; // POINTS, BARS, CELLS: beside or in the mark
};

struct chart_series {
    char name[CHART_TEXT_BYTES]; // in the key
    enum chart_style style;
    int colour, mark; // numbers in the lists of colours and of marks, from 0
    size_t count;
    struct chart_point *points;
};

// A limit (a height in a panel of lines) or a mark (a place along x), with its name. It has a letter in the
// panel, which the key explains.
struct chart_line {
    char name[CHART_TEXT_BYTES];
    double at;
};

struct chart_panel {
    enum chart_kind kind;
    int group; // panels of one group stand together, with one key: the series of all of them
    int scale; // panels of lines with one number above 0 have the same axes
    char title[CHART_TEXT_BYTES], aside[2 * CHART_TEXT_BYTES];
    char x_name[CHART_TEXT_BYTES], y_name[CHART_TEXT_BYTES]; // with units; CELLS have no y_name
    bool is_x_logarithmic, is_y_logarithmic;
    bool has_whole_x; // x are whole numbers, and its ticks powers of two
    size_t series_count, limit_count, mark_count, name_count, column_count;
    struct chart_series *series;
    struct chart_line *limits, *marks;
    char (*names)[CHART_TEXT_BYTES];   // of POINTS and BARS; CELLS: of the rows
    char (*columns)[CHART_TEXT_BYTES]; // CELLS
};

struct chart {
    char title[CHART_TEXT_BYTES];
    size_t line_count;
    char lines[CHART_LINES_MAX][4 * CHART_TEXT_BYTES]; // under the title
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
enum status chart_add_note(struct chart_panel *panel, const char *text);
// The number of the name in a list, in which it is added if it is not there.
enum status chart_name(struct chart_panel *panel, const char *name, size_t *number);
enum status chart_column(struct chart_panel *panel, const char *name, size_t *number);
struct chart_series *chart_find_series(const struct chart_panel *panel, const char *name); // or NULL
void chart_remove_panel(struct chart *chart, size_t number);
void chart_free(struct chart *chart);

// ---- chart_layout.c: where all lies. Lengths are pixels of a picture 1600 wide, from its left and top.

enum { CHART_WIDTH = 1600, CHART_KEY_MAX = 64 };
// Sizes of texts in points.
extern const double chart_heading_pt, chart_title_pt, chart_aside_pt, chart_key_pt, chart_name_pt,
    chart_value_pt, chart_line_pt;

// A line of a key: one of the two is not NULL.
struct chart_entry {
    const struct chart_series *series;
    const struct chart_line *line;
    char letter; // of a line
    struct text_lines text;
    double left, top; // of its mark
};
struct chart_key {
    size_t page, count;
    enum chart_kind kind;
    struct chart_entry entries[CHART_KEY_MAX];
};

struct chart_place {
    size_t page;
    struct plot_box box; // of the axes
    double left, top;    // of the title
    char letter;         // of its first mark; its limits follow
    struct text_lines title, aside;
};

struct chart_layout {
    size_t page_count, key_count;
    double heights[CHART_PAGES_MAX];
    struct text_lines *headings; // of the pages
    struct text_lines lines[CHART_LINES_MAX];
    struct chart_place *places; // of the panels
    struct chart_key *keys;
};

// *layout is to be freed by chart_layout_free, even after a failure. STATUS_SYSTEM: no memory.
enum status chart_lay_out(const struct chart *chart, struct chart_layout *layout);
void chart_layout_free(struct chart_layout *layout);
// The lines of a name beside a panel.
struct text_lines chart_name_lines(const char *name);

// ---- chart_draw.c

// Draws a page as folder/name. STATUS_CANNOT_CREATE, STATUS_IO, STATUS_SYSTEM (gnuplot): an earlier picture
// of that name is then as it was.
enum status chart_draw(const struct chart *chart, const struct chart_layout *layout, size_t page,
                       const char *folder, const char *name, int width_px);
// The height that a page gets in that width.
int chart_height_px(const struct chart_layout *layout, size_t page, int width_px);

#endif
