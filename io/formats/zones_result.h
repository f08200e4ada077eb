// The outlines of forecast zones in a run's zones.nc and in an ensemble's ensemble.nc, by CF-1.8, 7.5: made
// of the zones that were read, and read back. Rings are closed and counter-clockwise, holes clockwise.
// Independent of models.
#ifndef FATHOM_IO_FORMATS_ZONES_RESULT_H
#define FATHOM_IO_FORMATS_ZONES_RESULT_H

#include "io/netcdf/result.h"
#include "io/zones_file.h"

enum zones_result_part {
    ZONES_RESULT_NODES,      // [zone] of all rings of a zone
    ZONES_RESULT_RING_NODES, // [ring]
    ZONES_RESULT_HOLES,      // [ring] 0 or 1
    ZONES_RESULT_X,          // [node]
    ZONES_RESULT_Y,
    ZONES_RESULT_PARTS
};

// Names of the variables in zones.nc: on a plane [0], in degrees [1].
enum { ZONES_RESULT_NAME_BYTES = 40 };
extern const char *const zones_result_names[2][ZONES_RESULT_PARTS];
extern const char *const zones_result_long_names[ZONES_RESULT_PARTS];
// "1", "m", "degrees_east" or "degrees_north".
const char *zones_result_units(enum zones_result_part part, bool is_geographic);

struct zones_nodes {
    size_t ring_count, node_count;
    double *parts[ZONES_RESULT_PARTS]; // owned
};

// STATUS_SYSTEM. zones_nodes_free in any case.
enum status zones_nodes_make(const struct zones_file *zones, struct zones_nodes *nodes);
void zones_nodes_free(struct zones_nodes *nodes);

// Reads names and rings from variables whose names are `prefix` ("" in zones.nc, "zone_" in ensemble.nc) and
// those above; positions in degrees or metres, as the names say. If the file has no outlines (of another
// program), zone_count is 0. STATUS_DATA: numbers that contradict each other, a ring that is not closed or of
// fewer than four nodes. zones_file_free in any case.
enum status zones_result_read(const struct result_file *file, const char *prefix, struct zones_file *zones);

#endif
