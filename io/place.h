// Names and positions of places, as the readers of points and of zones accept them. Independent of formats.
#ifndef FATHOM_IO_PLACE_H
#define FATHOM_IO_PLACE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { PLACE_NAME_BYTES = 64 };

// STATUS_DATA, the message beginning with `about`: a position that cannot be (degrees east and north if
// is_geographic, else metres), a name that is empty, too long, not UTF-8, or has control characters or such
// as turn the direction of writing. Blanks at its ends are left out.
enum status place_check(const char *about, bool is_geographic, double x, double y);
enum status place_set_name(const char *about, const char *text, char name[PLACE_NAME_BYTES]);
// STATUS_DATA: two of `count` records of `record_bytes`, which begin with a name, have the same;
// `same` gets their numbers from 0, in order.
enum status place_check_names(const char *path, const void *records, size_t count, size_t record_bytes,
                              size_t same[2]);

#endif
