// The loops of okada_row.c, compiled once per instruction set (models/isa.h).
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_OKADA_ROW_ISA_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_OKADA_ROW_ISA_H

#include "models/isa.h"
#include "models/tsunami/earthquake/okada.h"

#include <stddef.h>

enum { OKADA_ROW_BLOCK = 256 }; // points that are computed together; a row may have any number

// A row for the great circle's distance of its points from a place: hav(distance/radius) = haversine_y +
// cosines × hav(longitude − longitude_deg).
struct okada_fade {
    double longitude_deg, haversine_y, cosines; // cosines: of both latitudes, multiplied
    double earth_radius_m, extent_m;            // > 0
};
// Where a row lies, seen from the middle of the fault's lower edge.
struct okada_row {
    const struct fault_frame *frame; // its fault is not vertical
    double north_m;
};

struct okada_row_functions {
    // east_m: of each point from the middle of the lower edge. A point with is_singular ≠ 0 has no value yet.
    void (*uplift)(const struct okada_row *row, const double *east_m, size_t count, double *up_m,
                   double *is_singular);
    void (*fade)(const struct okada_fade *fade, const double *x_deg, size_t count, double *weights);
};

ISA_TABLES(okada_row_functions);

#endif
