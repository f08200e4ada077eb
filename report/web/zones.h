// Outlines of forecast zones on a page's map.
#ifndef FATHOM_REPORT_WEB_ZONES_H
#define FATHOM_REPORT_WEB_ZONES_H

#include "core/status.h"
#include "io/zones_file.h"

struct cJSON;

// Adds the outlines of all zones to the map: zone k in the colour of threat level levels[k] (−1: not known,
// dashed; higher levels than there are colours have the last one). STATUS_SYSTEM.
enum status web_zones_add(struct cJSON *map, const struct zones_file *zones, const int *levels);

#endif
