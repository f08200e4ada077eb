// The staggered grid of "c-grid-6" (Arakawa's C grid): elevations at the nodes; eastward velocities at the
// faces between a node and its eastern neighbour, northward ones at those to the northern one; vorticity at
// the corners north-east of the nodes. Index (i, j) of a face or a corner is that of its south-western
// node. Depths, distances and the reach of stencils, the same for every back end. Knows no state and no
// scheme.
#ifndef FATHOM_MODELS_TSUNAMI_C_GRID_H
#define FATHOM_MODELS_TSUNAMI_C_GRID_H

#include "models/tsunami/c_grid_codes.h"
#include "models/tsunami/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline int c_grid_reach(int code, int side)
{
    return (code >> side) & 3;
}

// The code of a node; nodes beyond the domain are land, or on periodic edges those of the other side.
int c_grid_code(const struct tsunami_setup *setup, ptrdiff_t column, ptrdiff_t row);

// Still depths (m), 0 on land: of a node; of its eastern or northern face, 0 where it is closed (interpolated
// over four nodes, and kept between 0.9 times the smaller and 1.1 times the larger depth of its two nodes; on
// an edge that is open the edge node's); of its corner, the mean of the faces about it that are not closed.
double c_grid_depth_m(const struct tsunami_setup *setup, ptrdiff_t column, ptrdiff_t row);
double c_grid_face_depth_m(const struct tsunami_setup *setup, ptrdiff_t column, ptrdiff_t row, bool along_x);
double c_grid_corner_depth_m(const struct tsunami_setup *setup, ptrdiff_t column, ptrdiff_t row);

// Whether a face is one of an open edge: between an edge's node and the outside.
bool c_grid_is_open_face(const struct tsunami_geometry *geometry, ptrdiff_t column, ptrdiff_t row,
                         bool along_x);

// Of order 2, 4 or 6: the weights of the three differences f(+1/2) − f(−1/2), f(+3/2) − f(−3/2), f(+5/2) −
// f(−5/2), and of the sums of the same pairs in a mean (Fornberg 1988, Math. Comp. 51, 699–706, table 2
// and its means).
void c_grid_weights(int order, double difference[3], double mean[3]);

// Distances along an axis (m; on the sphere along x at the equator): `face_m` of the nodes on either side of
// a face, `node_m` of the faces on either side of a node, both as differences of order 6 of the positions, so
// that the order holds where the spacing varies smoothly. Along y also the cosine of the latitude (1 on a
// plane) at the nodes and at the faces, and f (1/s) at the faces' latitude.
struct c_grid_line {
    double face_m, node_m, cos_node, cos_face, coriolis_per_s;
};
// Of index −C_GRID_HALO … n − 1 + C_GRID_HALO.
struct c_grid_line c_grid_line(const struct tsunami_setup *setup, bool along_x, ptrdiff_t index);

#ifdef __cplusplus
}
#endif

#endif
