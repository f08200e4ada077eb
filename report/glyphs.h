// Which characters a picture can show. gnuplot draws a character that no installed font has as a box with its
// number, which in its boxed labels covers the whole picture; a page in a browser has no such problem.
#ifndef FATHOM_REPORT_GLYPHS_H
#define FATHOM_REPORT_GLYPHS_H

#include <stddef.h>

// Copies `text` (UTF-8) without the characters beyond U+2E80 (Chinese, Japanese, Korean, symbols) for which
// fontconfig's fc-list finds no font, and without blanks at the end. Returns `copy`. Not thread-safe.
const char *glyphs_copy(const char *text, char *copy, size_t bytes);

#endif
