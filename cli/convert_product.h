// `fathom convert RESULT OUT.csv|.geojson|.kml|.tif`: products of the results of a tsunami
// (models/tsunami/export/export.h).
#ifndef FATHOM_CLI_CONVERT_PRODUCT_H
#define FATHOM_CLI_CONVERT_PRODUCT_H

#include "models/tsunami/export/export.h"

#include <stdbool.h>
#include <stdint.h>

struct convert_product {
    const char *path; // a result file, or the folder of a run
    const char *output;
    const char *variable; // of a GeoTIFF; NULL
    int64_t record;       // of a GeoTIFF: which of its layers; -1: not given
    const char *at;       // the same by its value, "95" or "1 m"; NULL
    const char *crs;      // "EPSG:32654"; NULL: as in run.json beside the result
    const char *zones_file, *zones_name;
    bool as_json;
};

bool convert_product_is_folder(const char *path);

// STATUS_USAGE: an option that the format does not have; STATUS_NO_INPUT: a folder without such results; as
// tsunami_export_write.
enum status convert_product(const struct convert_product *request);

#endif
