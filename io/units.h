// Quantities with units, through udunits2. Not thread-safe: used before the seal only.
#ifndef FATHOM_IO_UNITS_H
#define FATHOM_IO_UNITS_H

#include "core/status.h"

#include <stddef.h>

// Parses "24 h", "4 arcmin", "-60 degree", "1.5e3 m" and converts to `unit` ("s", "m", "degree", "m s-1", "1").
// A bare number is refused unless `unit` is "1". Not finite → refused. STATUS_CONFIGURATION with the reason (text,
// what was expected, an example). "degree", "degree_north", "degrees_east", "arcmin", "arcmin", "deg" are angles.
enum status units_parse_quantity(const char *text, const char *unit, double *value);

// value_in_to = slope * value_in_from + offset. Accepts what real files hold besides udunits' own spellings:
// "METERS", "meters", "deg E", "degrees_east", "cm", "degC". Unknown or not convertible → STATUS_DATA.
enum status units_conversion(const char *from, const char *to, double *slope, double *offset);

// "3 min 20 s", "24 h", "1.5 km": a value for people, at most three significant digits. Returns `text`.
const char *units_format_duration(double seconds, char *text, size_t bytes);
const char *units_format_bytes(double bytes_value, char *text, size_t bytes);

// Releases the unit system (for leak checkers).
void units_release(void);

#endif
