// Outlines of forecast zones on a page's map.
#ifndef FATHOM_REPORT_WEB_ZONES_H
#define FATHOM_REPORT_WEB_ZONES_H

#include "core/status.h"
#include "io/zones_file.h"

struct cJSON;

// The threat level of zone k; −1: not known.
typedef int web_zones_level(const void *context, const struct zones_file *zones, size_t k);

// Adds the outlines of all zones to the map, each in the colour of its level (dashed: not known; higher
// levels than there are colours have the last one). STATUS_SYSTEM.
enum status web_zones_add(struct cJSON *map, const struct zones_file *zones, web_zones_level *level_of,
                          const void *context);

#endif
