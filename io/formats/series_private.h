// Shared by series.c, series_text.c and series_netcdf.c only. A reader (one per kind of file) passes each
// sample in the file's units to series_take, which converts, checks, counts and stores it.
#ifndef FATHOM_IO_FORMATS_SERIES_PRIVATE_H
#define FATHOM_IO_FORMATS_SERIES_PRIVATE_H

#include "io/formats/series.h"
#include "io/path.h"

#include <stdint.h>
#include <stdio.h>

enum { SERIES_COLUMNS_MAX = 1 + SERIES_VALUES_MAX, SERIES_COLUMN_NAME_BYTES = 128 };

// One pass through the file. Without arrays it counts.
struct series_pass {
    double *times_s;
    double *const *values;
    size_t samples;
    double first_s, last_s, last_values[SERIES_VALUES_MAX];
};

struct series_reader {
    // The whole file, from its start.
    enum status (*run)(struct series *series, struct series_pass *pass);
    void (*close)(void *state);
};

// Column 0 is the time.
struct series {
    char path[PATH_BYTES];
    struct series_info info;
    bool may_repeat;
    int columns;
    char names[SERIES_COLUMNS_MAX][SERIES_COLUMN_NAME_BYTES]; // for messages: "column 2", "variable eta"
    const char *targets[SERIES_COLUMNS_MAX];                  // the caller's literals
    double slopes[SERIES_COLUMNS_MAX], offsets[SERIES_COLUMNS_MAX], limit[SERIES_COLUMNS_MAX];
    const struct series_reader *reader;
    void *state;
};

// The request's columns in the order of struct series.
static inline const struct series_column *series_column_of(const struct series_request *request, int k)
{
    return k == 0 ? &request->time : &request->values[k - 1];
}

// Openers: set names, units (series_set_unit for every column), reader and state. After a failure
// series_close releases what they have set.
enum status series_open_text(const struct series_request *request, struct series *series);
enum status series_open_netcdf(const struct series_request *request, struct series *series);

// Sets the conversion of column k, from the unit of the request or else from that of the file ("" or NULL:
// the file states none).
enum status series_set_unit(struct series *series, const struct series_request *request, int k,
                            const char *unit_of_file, const char *calendar);

// Takes one sample in the file's units; `where` names its position for messages ("line", 12; "index", 3).
enum status series_take(struct series *series, struct series_pass *pass, const double *raw, const char *where,
                        uint64_t place);

#endif
