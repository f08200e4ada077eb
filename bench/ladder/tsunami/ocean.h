// The ocean on which the rungs of the tsunami ladder are timed, and those that tests make. In double
// precision, on the host; independent of the rungs.
#ifndef FATHOM_BENCH_LADDER_TSUNAMI_OCEAN_H
#define FATHOM_BENCH_LADDER_TSUNAMI_OCEAN_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Fields are [ny][nx], from the south west on. The four edges are open; a coast is a wall.
struct tsunami_ladder_ocean {
    size_t nx, ny;
    bool is_spherical;
    double step_s, gravity_m_s2;
    double *x, *y;           // nodes: degrees, or m on a plane
    double *depth;           // still depth, m; 0 or less: land
    double *eta, *u, *v;     // at the start; m, m/s east and north; of no meaning on land
    double *x_gap, *y_gap;   // [nx + 1], [ny + 1], m: entry k from node k − 1 to k (on the sphere: at the
                             // equator); the first and the last are those beside them
    double *cosine;          // [ny] cos φ, 1 on a plane
    double *tan_over_radius; // [ny] tan φ / R, 1/m, 0 on a plane
};

// Room for an ocean of 3 nodes or more each way, all numbers 0. *ocean is to be freed even if this fails.
enum status tsunami_ladder_ocean_new(size_t nx, size_t ny, struct tsunami_ladder_ocean *ocean);
// Distances, cosines and tangents from x, y and is_spherical.
void tsunami_ladder_ocean_measure(struct tsunami_ladder_ocean *ocean);
// The ladder's own: columns 4 arc-minutes apart and rows as far, about the equator (at the author's size
// from 65° S to 65° N); 1500 to 5500 m deep, shelves of 200 m about a continent in the west and six islands;
// a swell of 0.5 m in all the water, and steps of 10 s (shorter where they would not be stable).
enum status tsunami_ladder_ocean_make(size_t nx, size_t ny, struct tsunami_ladder_ocean *ocean);
void tsunami_ladder_ocean_free(struct tsunami_ladder_ocean *ocean);

#ifdef __cplusplus
}
#endif

#endif
