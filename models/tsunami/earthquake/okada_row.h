// A fault's uplift along a row of points, several points at once: Okada's formula (okada.h) for grids, and
// the weight by which a source fades with the distance. Pure functions: no state, no allocation, safe from
// any thread; a point's value has the same bits in whichever row it stands, and for every instruction set.
//
// What okada.c computes corner by corner is gathered here: the logarithms of the four corners are one of
// their product, and the arctangents of two corners the angle of one product of complex numbers, so that a
// point costs two logarithms and four angles in place of eight each. Differs from okada.c by less than 10⁻¹³
// of the slip (tests/numerics/test_okada_row.c); on the lines where terms are singular its value is
// okada.c's.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_OKADA_ROW_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_OKADA_ROW_H

#include "models/tsunami/earthquake/okada.h"
#include "models/tsunami/earthquake/okada_row_isa.h"

#include <stddef.h>

// Final uplift (m) at `count` longitudes on a parallel, as fault_frame_at has it; x_deg, up_m: [count].
void okada_row_on_sphere(const struct fault_frame *frame, const struct fault_parallel *parallel,
                         const double *x_deg, size_t count, double *up_m);
// The same on a plane, as fault_frame_plane has it; x_m: [count].
void okada_row_on_plane(const struct fault_frame *frame, const double *x_m, double y_m, size_t count,
                        double *up_m);

// By what a source is multiplied at `count` longitudes: 1 up to half the extent, 0 from the extent on,
// between them half a cosine. Within 10⁻¹⁴. x_deg, weights: [count].
void okada_row_fade(const struct okada_fade *fade, const double *x_deg, size_t count, double *weights);

#endif
