// Travel times of the first wave (output.travel_time): the eikonal equation |grad T| = 1/sqrt(g d) on the
// outermost grid, on the sphere or a plane, by fast marching. Independent of solvers and of the state.
//
// Nodes are accepted in the order of their times (Sethian 1996, PNAS 93, 1591); the differences are those of
// the second order where two accepted nodes lie behind a node, at equal distances, the farther one with the
// earlier time, and of the first elsewhere (Sethian 1999, SIAM Review 41, 199, section 4). Land, and water no
// deeper than physics.wall_depth, is a wall.
#ifndef FATHOM_MODELS_TSUNAMI_TRAVEL_TIME_H
#define FATHOM_MODELS_TSUNAMI_TRAVEL_TIME_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_plan;
struct tsunami_geometry;
struct tsunami_level;
struct tsunami_point;

// Of one grid: [ny][nx] nodes, x fastest. 16 bytes a node.
struct tsunami_march {
    const struct tsunami_geometry *geometry;
    const double *depth_m; // [ny][geometry->pitch], positive down
    double wall_depth_m;   // land: no deeper than this
    float *time_s;         // [ny][nx]: INFINITY where no wave comes
    uint32_t *place;       // [ny][nx]: in the heap
    uint64_t *heap;        // [ny · nx]: time and node, the earliest first
    size_t heap_count;
};

// At most so many nodes.
#define TSUNAMI_MARCH_NODES_MAX ((size_t)UINT32_MAX - 2)

// Before the start: every time becomes INFINITY. Then tsunami_march_begin at each node of the start, whose
// time (s) it sets for good unless it has an earlier one or is land; tsunami_march_run finds all others.
void tsunami_march_clear(struct tsunami_march *march);
void tsunami_march_begin(struct tsunami_march *march, size_t column, size_t row, double time_s);
void tsunami_march_run(struct tsunami_march *march);

// Of a run.
struct tsunami_travel {
    struct tsunami_march march;
    bool has_source; // it begins where the source shifts the surface
};

enum status tsunami_travel_plan(struct tsunami_travel *travel, struct tsunami_level *t,
                                struct memory_plan *memory);
// With the source at the start of the run: from the nodes whose surface the whole source shifts by at least
// the job's share of the largest shift; without such a node from the node nearest to the first fault, or
// nowhere, with a warning.
void tsunami_travel_find(struct tsunami_travel *travel, struct tsunami_level *t);
// To a point: the time at its node, or from the nearest nodes with a time. NaN: no wave comes. *is_in_source
// becomes true if that node is one of those from which the waves start; else it stays.
double tsunami_travel_at(const struct tsunami_travel *travel, const struct tsunami_level *t,
                         const struct tsunami_point *point, bool *is_in_source);
// The map [ny][nx], NaN where no wave comes.
void tsunami_travel_copy(const struct tsunami_travel *travel, float *record);

#endif
