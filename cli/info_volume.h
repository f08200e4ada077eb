// `fathom info` of volumes over z, y, x with positions (netCDF, HDF5), the inputs and results of heat jobs:
// their cells, the range of their values, and the lines with which a job uses them. Internal to cli/info*.c.
#ifndef FATHOM_CLI_INFO_VOLUME_H
#define FATHOM_CLI_INFO_VOLUME_H

#include "core/status.h"
#include "io/formats/volume.h"
#include "io/netcdf/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

enum { INFO_VOLUMES_MAX = 32 };

// One of the file's; all but `name` as io/formats/volume.h has them.
struct info_volume {
    const char *name; // of the list
    char units[RESULT_UNITS_BYTES];
    size_t records, cells[VOLUME_AXES];
    double origin_m[VOLUME_AXES], spacing_m[VOLUME_AXES]; // NaN: one cell
    double least, most;                                   // of the finite values of the record
    size_t missing, infinite;
    bool are_labels; // whole numbers from 0 to 255, without a unit
};

struct info_volumes {
    size_t count; // 0: the file has none
    int64_t record;
    bool is_state; // the end of a heat run (state.nc)
    struct info_volume list[INFO_VOLUMES_MAX];
};

// Finds the variables (`variable` NULL: all) with three axes that have a unit of length each, and reads the
// record, if they have so many. STATUS_DATA, STATUS_IO, STATUS_SYSTEM: reading failed; STATUS_DATA: there is
// no such record.
enum status info_volumes_gather(const char *path, const struct result_file *listing, const char *variable,
                                int64_t record, struct info_volumes *volumes);

// The lines of the text. STATUS_SYSTEM.
enum status info_volumes_print(const char *path, const struct info_volumes *volumes);

// "volumes".
void info_volumes_add(struct cJSON *report, const char *path, const struct info_volumes *volumes);

#endif
