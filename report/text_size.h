// How wide a text is in a picture, and where its lines break, so that no text runs over another one or over
// the frame. Pure functions: use no files, no gnuplot process.
#ifndef FATHOM_REPORT_TEXT_SIZE_H
#define FATHOM_REPORT_TEXT_SIZE_H

#include <stdbool.h>
#include <stddef.h>

enum { TEXT_LINES_MAX = 6, TEXT_LINE_BYTES = 256 };

// Of a text (UTF-8) in DejaVu Sans, the font of plot_font, in a picture of scale 1 (1600 pixels wide).
// Characters beyond ASCII count as wide ones.
double text_size_px(const char *text, double points, bool is_bold);

// From the middle of a line to that of the next.
double text_size_line_px(double points);

struct text_lines {
    size_t count;
    char text[TEXT_LINES_MAX][TEXT_LINE_BYTES];
};
// Breaks a text at blanks, or inside a word that is wider than a line. What does not fit into `most` lines
// (at most TEXT_LINES_MAX) is cut, with "…". A text of nothing has no lines.
struct text_lines text_size_break(const char *text, double points, bool is_bold, double width_px,
                                  size_t most);

#endif
