// One picture by gnuplot: a fresh temporary folder with a script and binary data files, the gnuplot process,
// and the PNG published only when it is complete. Independent of what is drawn.
#ifndef FATHOM_REPORT_PLOT_H
#define FATHOM_REPORT_PLOT_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PLOT_PATH_BYTES = 4096, PLOT_FILE_BYTES = 64 };

struct plot {
    FILE *script; // gnuplot commands go here
    int width_px, height_px;
    double scale; // of fonts, lines and margins: 1 for a picture 1600 pixels wide
    char folder[PLOT_PATH_BYTES];
    char target[PLOT_PATH_BYTES]; // the PNG's final, absolute path
    char part[PLOT_PATH_BYTES];   // its name until it is complete
    int data_files;
};

// Checks that gnuplot can be run and has the pngcairo terminal. Otherwise STATUS_SYSTEM; the message names
// the Debian package.
enum status plot_check_gnuplot(void);

// Opens the script (UTF-8, pngcairo, no enhanced text: names may hold _ and ^). `pictures` must exist; the
// picture becomes pictures/name. Every plot_start is followed by exactly one plot_finish.
enum status plot_start(struct plot *plot, const char *pictures, const char *name, int width_px, int height_px,
                       double scale);

// Stores `bytes` of data as a file beside the script, and writes its name (which needs no escapes inside '…')
// to `file`.
enum status plot_data(struct plot *plot, const void *data, size_t bytes, char file[PLOT_FILE_BYTES]);

// Stores `count` points (x, y) and plots them. `lead` ("plot ", ", " or "") is written before the data,
// `format` ("with lines …") and " notitle" after them.
enum status plot_xy(struct plot *plot, const char *lead, const float *xy, size_t count, const char *format,
                    ...) __attribute__((format(printf, 5, 6)));

// An image of nx × ny values (y, x) in the palette's colours; the first one lies at (x_first, y_first).
struct plot_image {
    size_t nx, ny;
    double x_first, y_first, x_step, y_step;
};
enum status plot_image(struct plot *plot, const char *lead, const struct plot_image *image,
                       const float *values);

// If `drawn` is STATUS_OK: runs gnuplot, checks that it succeeded and wrote a PNG, and publishes the PNG.
// Otherwise returns `drawn`. Removes the temporary folder in any case.
enum status plot_finish(struct plot *plot, enum status drawn);

// The box of one set of axes: pixels from the left and the top of the picture.
struct plot_box {
    double left, top, width, height;
};
void plot_box(struct plot *plot, const struct plot_box *box);

// Writes the picture's title, and under it a second line (NULL: none), from `left` pixels on; both are cut to
// `space` pixels.
void plot_heading(struct plot *plot, const char *title, const char *second, double left, double space);

// plot_palette sets a palette of `count` colours at equal steps. plot_font writes a font clause in the
// picture's scale to `text` and returns it.
void plot_palette(struct plot *plot, const char *const *colours, size_t count);
const char *plot_font(const struct plot *plot, double points, bool bold, char text[64]);

#endif
