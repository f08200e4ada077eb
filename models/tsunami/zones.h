// Forecast zones (output.zones): the largest elevation, the earliest arrival and the threat in each polygon,
// from the records of the nodes in it, each of the finest grid there, and from the points in it. Independent
// of solvers and of the files' formats.
#ifndef FATHOM_MODELS_TSUNAMI_ZONES_H
#define FATHOM_MODELS_TSUNAMI_ZONES_H

#include <stddef.h>

struct tsunami;

// NaN: no node was wet, nothing arrived.
struct tsunami_zone_result {
    size_t points, nodes; // in it; nodes: those with a record
    double crest_m, crest_x, crest_y;
    double arrival_s;
    // NaN: nothing reached a level, and in the zone, or at one of its points, no wave can have come yet; or
    // the zone has neither nodes nor points.
    double threat;
};

// What is known of the run beside the records: of each point its coastal height (NaN: nothing arrived) and
// its travel time (NaN: unknown); and the map of travel times of the outermost grid, [ny][nx], or NULL.
struct tsunami_zone_input {
    const double *heights_m, *point_travel_s;
    const float *travel_s;
};

// Before its nodes are noted.
void tsunami_zone_begin(struct tsunami_zone_result *result);
// Adds this rank's nodes of a grid, with its records on the host. scratch: as many bytes as the widest grid
// has columns.
void tsunami_zone_note_nodes(const struct tsunami *run, int level, size_t zone, unsigned char *scratch,
                             struct tsunami_zone_result *result);
// With the nodes of all ranks: adds the points, and judges.
void tsunami_zone_evaluate(const struct tsunami *run, size_t zone, const struct tsunami_zone_input *input,
                           unsigned char *scratch, struct tsunami_zone_result *result);

// The threat of a height: how many of the levels, which ascend, it reaches. NaN: 0.
int tsunami_threat(const double *levels_m, int count, double height_m);

#endif
