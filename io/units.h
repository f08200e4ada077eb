// Quantities with units, through udunits2. Independent of jobs or files. Not thread-safe: used before the
// seal only. The unit system is read at the first call (STATUS_SYSTEM if it is not installed) and kept until
// units_release.
#ifndef FATHOM_IO_UNITS_H
#define FATHOM_IO_UNITS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

// Parses one number and one unit, "24 h", "4 arcmin", "-60 degree", "1.5e3 m", "10 degC", with or without a
// blank between, and converts to `unit` ("s", "m", "degree", "m s-1", "K", "1"). STATUS_CONFIGURATION with
// the reason, what was expected and an example, if: the number is missing or not finite, it has no unit
// (allowed only if `unit` is "1"), the unit is unknown (the nearest known one is named), or it measures
// something else.
//
// Spellings: those of udunits2 (min = minute, h = hour, d = day, degree, arcmin, arcsec, degree_east, m/s = m
// s-1, ...) and: hrs; mins; deg, degs, "decimal degrees" = degree; degE, degN, "deg E", "degrees north", ...
// (west and south count negative); nmi = nautical_mile (udunits2 alone takes it for a nanomile); kn, kts =
// knot; "deg C" = degC. More strictly than udunits2, an angle is not a pure number, and 10 Hz is not a tenth
// of a second.
//
// Where the unit is a whole multiple or a whole part of the other (arcmin to degree, cm to m), the result is
// correctly rounded: "20 arcmin" is the double nearest to one third of a degree.
enum status units_parse_quantity(const char *text, const char *unit, double *value);

// The unit that messages name first among those of its kind, "mm" where a program's lengths are small; NULL:
// none. It changes no value.
void units_suggest_first(const char *word);

// Parses a difference, such as a tolerance, like units_parse_quantity: 1 K of temperatures in degC is 1,
// though 1 K as a temperature is -272.15 degC.
enum status units_parse_difference(const char *text, const char *unit, double *value);

// Parses an amount of memory, "2 GB" (powers of 1000) or "512 MiB" (of 1024), to bytes, rounded to a whole
// number. STATUS_CONFIGURATION: a missing number or unit, an unknown unit (the message names the nearest
// known one), more than 9 PB.
enum status units_parse_bytes(const char *text, double *bytes);

// value_in_to = slope * value_in_from + offset. Accepts what real files hold besides the above: "METERS",
// "M", "deg E", "1e-3 m". Unknown, a date ("seconds since ..."), or not convertible → STATUS_DATA.
enum status units_conversion(const char *from, const char *to, double *slope, double *offset);

// Finds out whether a user's unit contradicts the one that a file states: "cm" contradicts "m", but "metres"
// does not, nor does a unit that differs by less than a millionth ("parsec" and "pc"). An unreadable unit of
// the file, "" and "1" contradict nothing. STATUS_DATA: the user's unit is unknown.
enum status units_contradict(const char *given, const char *stated, bool *contradict);

// Write a duration or a size for messages, with at most three significant digits: "850 ms", "3 min 20 s", "24
// h", "2.5 d"; "512 B", "1.5 GB" (powers of 1000). Returns `text`; 24 bytes are always enough.
const char *units_format_duration(double seconds, char *text, size_t bytes);
const char *units_format_bytes(double bytes_value, char *text, size_t bytes);
// units_format_bytes as an argument of a message; the text is valid until the end of the enclosing block.
#define UNITS_BYTES(value) units_format_bytes((double)(value), (char[24]){0}, 24)

// Writes a unit as it follows a number: " m"; "" for a pure number ("1" or "").
enum { UNITS_AFTER_BYTES = 96 };
const char *units_after(const char *units, char text[UNITS_AFTER_BYTES]);

// Returns the unit system; units.c owns it.
struct ut_system;
enum status units_system(struct ut_system **system);

// Releases the unit system (for leak checkers).
void units_release(void);

#endif
