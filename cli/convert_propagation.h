// `fathom convert --as propagation FIELDS.nc NAME`: eta, u, v of a run as NOAA's propagation database has
// them, in NAME_ha.nc, NAME_ua.nc, NAME_va.nc. Uses io only.
#ifndef FATHOM_CLI_CONVERT_PROPAGATION_H
#define FATHOM_CLI_CONVERT_PROPAGATION_H

#include "core/status.h"

#include <stdbool.h>

struct convert_propagation {
    const char *path;
    const char *output; // NAME, or NAME_ha.nc
    const char *history;
    bool as_json;
};

// Record by record; no file gets its name before all are complete. The input needs eta (or HA). STATUS_DATA,
// STATUS_NO_INPUT, STATUS_CANNOT_CREATE, STATUS_IO, STATUS_SYSTEM.
enum status convert_propagation(const struct convert_propagation *request);

#endif
