// A series: numbers over time, from a text table or a netCDF file, in the caller's units. Independent of the
// meaning of the numbers. Not thread-safe (netCDF-C is not).
//
// series_open reads the whole file once, checks every sample and counts the samples. series_read reads it
// again and fills the caller's arrays; it allocates nothing that grows with the file. Both use the same code.
//
// Text: one sample per line; columns are separated by blanks or tabs, or by one comma or semicolon; # begins
// a comment; empty lines are ignored, and so are as many lines at the start as the caller asks for. netCDF:
// one-dimensional variables (other dimensions of length 1 are allowed), whose dimension has a coordinate
// variable of times; packed values are unpacked.
#ifndef FATHOM_IO_FORMATS_SERIES_H
#define FATHOM_IO_FORMATS_SERIES_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SERIES_VALUES_MAX = 2 };

struct series_column {
    int number;           // of a text table's column, from 1; 0 = not given
    const char *variable; // of a netCDF file; NULL = not given
    // NULL = the file's unit (a text table states none). A unit that contradicts the file's is refused unless
    // series_request.overrides is set or `unit_key` is NULL.
    const char *unit;
    const char *target; // unit of the values returned: "s", "m", "m s-1"
    double limit;       // in `target`: largest permitted |value|; 0 = any finite value
    const char *key;    // the job key of the column, for messages: "eta"
    // The job key of the unit, for messages: "eta_unit". NULL: the unit is the caller's own, and the values
    // are read in it, whatever the file states.
    const char *unit_key;
};

struct series_request {
    const char *path;
    struct series_column time;                      // not given: column 1, or the coordinate variable
    struct series_column values[SERIES_VALUES_MAX]; // not given: column 2, 3, or the only series of the file
    int value_count;
    bool overrides; // the user states that the file's units are wrong and those of the columns are right
    int skip_lines; // of a text table
    // A sample with the time of the one before it is ignored, without an error, because buoys that change
    // their interval report that time twice.
    bool may_repeat;
    const char
        *origin; // the date that times count from, if the file's do from one; NULL: the file's own date
};

struct series_info {
    size_t samples;
    double first_s, last_s;
    double lowest[SERIES_VALUES_MAX], highest[SERIES_VALUES_MAX]; // over all samples
    bool is_netcdf;
    // Of the samples ignored because their time had been given (may_repeat): the largest difference of a
    // value from the one kept, the time, and the line (or index). 0: none differs.
    double contradiction, contradiction_s;
    uint64_t contradiction_place;
    char set_aside[192]; // for a warning: the units of the file that those of the columns replace; "": none
};

struct series;

// STATUS_NO_INPUT: the file is missing. STATUS_DATA, with the line (or index) and the column (or variable):
// the file is neither text nor netCDF, it has no such column or variable, a unit is missing, unknown or of
// another quantity, a value is not finite or too large, the times do not increase strictly, or there are
// fewer than 2 samples. STATUS_CONFIGURATION: a unit contradicts that of the file. The texts of the request
// are not used after the call.
enum status series_open(const struct series_request *request, struct series **series);
const struct series_info *series_info(const struct series *series);

// Finds out by the first bytes whether a file is netCDF; else it is a text table. STATUS_NO_INPUT, STATUS_IO;
// STATUS_DATA: the file is empty.
enum status series_is_netcdf(const char *path, bool *is_netcdf);

// Fills times_s[samples] and values[k][samples]. A file that was changed since it was opened → STATUS_DATA.
enum status series_read(struct series *series, double *times_s, double *const values[SERIES_VALUES_MAX]);
void series_close(struct series *series); // NULL: does nothing

// Interpolates linearly between the samples. Returns the exact value at the time of a sample, and NaN before
// the first sample and after the last.
double series_at(const double *times_s, const double *values, size_t samples, double time_s);

#endif
