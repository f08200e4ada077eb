// `fathom info` of a field of acoustic pressure by k-Wave or BabelBrain (HDF5): its form, what is known of
// its values, and the lines with which a heat job uses it. Internal to cli/info*.c.
#ifndef FATHOM_CLI_INFO_PRESSURE_H
#define FATHOM_CLI_INFO_PRESSURE_H

#include "core/status.h"

#include <stdbool.h>

// Whether a file is a netCDF or HDF5 file of such a form.
bool info_pressure_is_for(const char *path);

// Reads all values of the variable (NULL: the only one that the form names) and prints them. STATUS_DATA,
// STATUS_NO_INPUT: as io/formats/pressure_file.h; STATUS_SYSTEM.
enum status info_pressure(const char *path, const char *variable, bool as_json);

#endif
