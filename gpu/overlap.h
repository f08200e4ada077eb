// The time during which two activities overlap: the total length of the intersections of two series of
// intervals, as the intervals become known. Memory is fixed. Independent of devices and of the clock.
//
// The intervals of one series are added in ascending order and do not overlap each other. An interval is kept
// until no later interval of the other series can intersect it.
#ifndef FATHOM_GPU_OVERLAP_H
#define FATHOM_GPU_OVERLAP_H

#include <stdint.h>

enum overlap_side { OVERLAP_FIRST, OVERLAP_SECOND, OVERLAP_SIDES };
enum { OVERLAP_KEPT_MAX = 1024 };

struct overlap_interval {
    double begin_s, end_s;
};

// Start from {0}.
struct overlap {
    struct overlap_interval kept[OVERLAP_SIDES][OVERLAP_KEPT_MAX];
    int head[OVERLAP_SIDES], count[OVERLAP_SIDES];
    double last_end_s[OVERLAP_SIDES];
    double total_s[OVERLAP_SIDES]; // sums of lengths
    double common_s;               // of the intersections
    int64_t dropped;               // intervals that could not be kept: common_s may then be too small
};

// Adds an interval of one series. The part before the end of the last one is cut off (a clock's rounding).
void overlap_add(struct overlap *overlap, enum overlap_side side, double begin_s, double end_s);

// States that no later interval of `side` begins before the kept ones of the other series end; drops these.
void overlap_settle(struct overlap *overlap, enum overlap_side side);

#endif
