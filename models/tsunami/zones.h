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
    int threat;
};

// With the records of all grids on the host. scratch: as many bytes as the widest grid has columns.
// heights_m: the coastal height of each point of the run, NaN if nothing arrived.
void tsunami_zone_evaluate(const struct tsunami *run, size_t zone, const double *heights_m,
                           unsigned char *scratch, struct tsunami_zone_result *result);

// The threat of a height: how many of the levels, which ascend, it reaches. NaN: 0.
int tsunami_threat(const double *levels_m, int count, double height_m);

#endif
