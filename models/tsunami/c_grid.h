// The staggered grid of "c-grid-6" (Arakawa's C grid): elevations at the nodes; eastward velocities at the
// faces between a node and its eastern neighbour, northward ones at those to the northern one; vorticity at
// the corners north-east of the nodes. Index (i, j) of a face or a corner is that of its south-western node.
// Computes depths, distances and the reach of stencils, which are the same for every back end. Independent of
// state and scheme.
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

// The code of a node. Nodes beyond the domain are land; beyond a periodic edge they are the nodes of the
// opposite side.
int c_grid_code(const struct tsunami_setup *setup, ptrdiff_t column, ptrdiff_t row);

// Still-water depths (m), 0 on land. Of a node. Of its eastern or northern face: interpolated over four
// nodes, but at least 0.9 times the smaller and at most 1.1 times the larger depth of its two nodes; 0 if the
// face is closed; on an open edge that of the edge's node. Of its corner: the mean of the adjacent faces that
// are not closed.
double c_grid_depth_m(const struct tsunami_setup *setup, ptrdiff_t column, ptrdiff_t row);
double c_grid_face_depth_m(const struct tsunami_setup *setup, ptrdiff_t column, ptrdiff_t row, bool along_x);
double c_grid_corner_depth_m(const struct tsunami_setup *setup, ptrdiff_t column, ptrdiff_t row);

// Whether a face lies on an open edge, between a node on the edge and the outside.
bool c_grid_is_open_face(const struct tsunami_geometry *geometry, ptrdiff_t column, ptrdiff_t row,
                         bool along_x);

// For order 2, 4 or 6: the weights of the three differences f(+1/2) − f(−1/2), f(+3/2) − f(−3/2), f(+5/2) −
// f(−5/2) in a derivative, and of the sums of the same pairs in a mean (Fornberg 1988, Math. Comp. 51,
// 699–706, table 2 and its means).
void c_grid_weights(int order, double difference[3], double mean[3]);

// Distances along an axis (m; on the sphere along x at the equator): `face_m` is the distance of the nodes on
// both sides of a face, `node_m` that of the faces on both sides of a node. Both are differences of order 6
// of the positions, so that the scheme keeps its order if the spacing varies smoothly. Along y also the
// cosine of the latitude (1 on a plane) at the nodes and at the faces, and the Coriolis parameter f (1/s) at
// the faces' latitude.
struct c_grid_line {
    double face_m, node_m, cos_node, cos_face, coriolis_per_s;
};
// `index`: −C_GRID_HALO … n − 1 + C_GRID_HALO.
struct c_grid_line c_grid_line(const struct tsunami_setup *setup, bool along_x, ptrdiff_t index);

#ifdef __cplusplus
}
#endif

#endif
