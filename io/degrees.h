// Degrees as people write them: 155.06W, 19°44.5'N, 19 44 30 S, N 19.73. Independent of files.
#ifndef FATHOM_IO_DEGREES_H
#define FATHOM_IO_DEGREES_H

#include <stdbool.h>

struct degrees {
    double value;    // with its sign, but without that of the letter
    char hemisphere; // 'N', 'S', 'E', 'W'; '\0': no letter
    bool is_signed;
    int parts; // 1: degrees; 2: and minutes; 3: and seconds
};

// One number with or without its marks (° ' "), or two or three with marks or blanks between them, of which
// the last alone has decimals and those after the first are less than 60; a letter before or behind, or a
// sign. False: the text is something else.
bool degrees_read(const char *text, struct degrees *degrees);

// The hemisphere that a word names (N, s, West, ...), as a capital letter; '\0': none.
char degrees_hemisphere(const char *word);

#endif
