// Dates with a time of day, in UTC, from which the time axes of results count.
#ifndef FATHOM_IO_DATE_H
#define FATHOM_IO_DATE_H

#include "core/status.h"

#include <stdbool.h>

enum { DATE_BYTES = 32 };

// For messages about the dates that date_convert reads.
#define DATE_EXAMPLE "2011-03-11T05:46:23Z"

// Reads "2011-03-11 05:46:24" with a space or T between, seconds or their fraction where they are given, and
// nothing or "Z" or "UTC" after it; `canonical` gets "2011-03-11 05:46:24", with a fraction of up to nine
// digits if it is not zero. STATUS_CONFIGURATION, with the text in the message: no such day or time, a date
// without a time, or another zone. Zones are refused, as a reader of results may not know them.
enum status date_read(const char *text, char canonical[DATE_BYTES]);
// Seconds since 1970 of such a date, or of a day alone, from midnight on. False: it has another form.
bool date_epoch(const char *text, double *epoch_s);

enum date_kind {
    DATE_INVALID,
    DATE_DAY,      // without a time of day
    DATE_MIDNIGHT, // 00:00:00 as it is written: in many files a day alone
    DATE_TIME
};

// A date of another program's file: also a day alone, '/' for '-', and a zone ("Z", "UTC", "+09:00", "-0330",
// "+09"; none is UTC), from which it is converted; a leap second becomes the next minute's first, digits of a
// fraction beyond the ninth are cut. `canonical` gets the date in UTC as above, "" if it is invalid.
enum date_kind date_convert(const char *text, char canonical[DATE_BYTES]);
// The same of milliseconds since 1970. False: beyond the years 0 to 9999, or NaN.
bool date_of_epoch_ms(double epoch_ms, char canonical[DATE_BYTES]);

#endif
