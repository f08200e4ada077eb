// Dates with a time of day, in UTC, from which the time axes of results count.
#ifndef FATHOM_IO_DATE_H
#define FATHOM_IO_DATE_H

#include "core/status.h"

#include <stdbool.h>

enum { DATE_BYTES = 32 };

// Reads "2011-03-11 05:46:24" with a space or T between, seconds or their fraction where they are given, and
// nothing or "Z" or "UTC" after it; `canonical` gets "2011-03-11 05:46:24", with a fraction of up to nine
// digits if it is not zero. STATUS_CONFIGURATION, with the text in the message: no such day or time, a date
// without a time, or another zone. Zones are refused, as a reader of results may not know them.
enum status date_read(const char *text, char canonical[DATE_BYTES]);
// Seconds since 1970 of such a date, or of a day alone, from midnight on. False: it has another form.
bool date_epoch(const char *text, double *epoch_s);

#endif
