// Times that count from a date ("hours since 2011-03-11 05:46:24"), through udunits2. Units without a date
// are io/units.h's, and so is the unit system. Independent of files. Not thread-safe.
#ifndef FATHOM_IO_TIME_UNITS_H
#define FATHOM_IO_TIME_UNITS_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

// Whether the text has the form "UNIT since DATE".
bool time_units_have_date(const char *units);

// Returns the unit alone: "ms" of "ms since 2020-01-01"; the whole text if it has no date.
void time_units_without_date(const char *units, char *unit, size_t bytes);

// value_in_to = slope * value_in_from + offset; both units have a date. `*_calendar`: CF's attribute ("":
// standard). The offset is exactly 0 if the texts of the dates are equal; else it is the time between the two
// dates, by udunits2, whose calendar is CF's "standard" (mixed Julian and Gregorian). STATUS_DATA: an unknown
// unit or date, different calendars, or different dates in a calendar that udunits2 does not have.
enum status time_units_conversion(const char *from, const char *from_calendar, const char *to,
                                  const char *to_calendar, double *slope, double *offset);

#endif
