// A small text file, line by line, for the readers of this folder. Internal to models/tsunami/earthquake.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_TEXT_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_TEXT_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { EARTHQUAKE_BYTES_MAX = 64 << 20, EARTHQUAKE_ABOUT_BYTES = 512, EARTHQUAKE_NUMBERS_MAX = 32 };

struct earthquake_text {
    const char *path;                   // in messages
    char *next;                         // the rest; NULL at the end
    size_t number;                      // of the line read last, from 1
    char about[EARTHQUAKE_ABOUT_BYTES]; // "FILE: line 12"
};

// `text` is changed by reading: each line's end becomes a 0. It must outlive the struct.
void earthquake_text_begin(struct earthquake_text *text, const char *path, char *content);

// The next line without its end and without a carriage return before it; NULL at the end.
char *earthquake_text_line(struct earthquake_text *text);

// The text from its first character that is not blank.
char *earthquake_text_skip(const char *text);
bool earthquake_text_is_blank(const char *line);
bool earthquake_text_begins(const char *line, const char *prefix); // blanks before it do not count

// A finite decimal number at the beginning of a text; *end: what follows. False: there is none ("nan",
// "0x1p3").
bool earthquake_text_number(const char *text, const char **end, double *value);

// The number after "NAME =" or "NAME:" in a line, NaN without one, and of a text like "1,5" or "1.2.3", which
// is no number; a unit may follow. NAME stands alone: LEN is not found in VALLEN. Upper and lower case are
// the same.
double earthquake_text_value(const char *line, const char *name);

// Numbers separated by blanks (or by commas too) from the line's beginning to its end or to what is no
// number; returns how many, at most EARTHQUAKE_NUMBERS_MAX. *rest: what follows.
size_t earthquake_text_numbers(char *line, double *numbers, char **rest);

#endif
