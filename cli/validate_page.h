// The page of `fathom validate --html`: one self-contained HTML file, and its pictures beside it.
#ifndef FATHOM_CLI_VALIDATE_PAGE_H
#define FATHOM_CLI_VALIDATE_PAGE_H

#include "validate/runner.h"

// Checks before the validation that the folder can be made and written to, and that gnuplot is installed.
// STATUS_CANNOT_CREATE, STATUS_SYSTEM (with the package to install).
enum status validate_page_check(const char *directory);

// Draws every picture (directory/pictures/SUITE-CASE-N.png) and writes directory/validation.html, which
// contains them.
enum status validate_page_write(const char *directory, const struct validation_list *list);

// validate_plot.c: picture number `number` of a case, as a PNG in the folder `pictures`; its name goes to
// `file`.
enum { VALIDATE_PICTURE_WIDTH = 1200, VALIDATE_PICTURE_HEIGHT = 560, VALIDATE_FILE_BYTES = 320 };
// Maps are square.
static inline int validate_picture_height(const struct validation_picture *picture)
{
    return picture->is_map ? VALIDATE_PICTURE_WIDTH : VALIDATE_PICTURE_HEIGHT;
}
enum status validate_draw(const char *pictures, const struct validation_item *item, int number,
                          char file[VALIDATE_FILE_BYTES]);

#endif
