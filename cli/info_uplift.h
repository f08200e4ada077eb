// A grid that may be the sea floor's uplift, for `fathom info`: GeoClaw's displacement, a grid over time, or
// one that is called so. Its range over all records, and the lines with which a job uses it as a source.
// Internal to cli/info*.c.
#ifndef FATHOM_CLI_INFO_UPLIFT_H
#define FATHOM_CLI_INFO_UPLIFT_H

#include "core/status.h"
#include "io/grid/grid.h"

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

struct info_uplift {
    bool is_wanted; // else the rest is empty
    bool is_stated; // by the format or the name; else it has a time axis, and may be something else
    // Over all records, in the file's units, and when: s after the first record, NaN without a time axis.
    double minimum, maximum, minimum_s, maximum_s;
    double last_minimum, last_maximum; // of the last record
    size_t missing;                    // of all records
};

// Whether the lines are wanted, and is_stated. standard_name: the variable's, "" = none; a quantity of the
// water is no uplift.
void info_uplift_recognise(const struct grid_info *info, const char *standard_name,
                           struct info_uplift *uplift);

// Finds the ranges. Reads at most scan->rows_most rows of each record, and leaves record `record` selected.
// Statuses of grid_scan.
enum status info_uplift_gather(struct grid_file *file, const struct grid_scan *scan, size_t record,
                               struct info_uplift *uplift);

// The lines of the text, after the record's own. STATUS_SYSTEM.
enum status info_uplift_print(const struct grid_file *file, const struct info_uplift *uplift);

// "over_time", "displacement" and "to_decide".
void info_uplift_add(struct cJSON *report, const struct grid_file *file, const struct info_uplift *uplift);

#endif
