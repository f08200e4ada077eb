// How long two things went on at the same time: the total length of what two series of intervals have in
// common, as the intervals become known. Fixed memory, however long it goes on. Knows no device and no
// clock.
//
// The intervals of one side come in ascending order and do not overlap each other. An interval is kept until
// nothing that is still to come of the other side can reach back to it; overlap_settle says when that is.
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
    double total_s[OVERLAP_SIDES]; // lengths, added up
    double common_s;               // of both
    int64_t dropped;               // intervals that could not be kept: common_s may then be too small
};

// Adds an interval of one side. What lies before the side's last end is cut off (a clock's rounding): an
// interval that is all before it counts nothing.
void overlap_add(struct overlap *overlap, enum overlap_side side, double begin_s, double end_s);

// Nothing still to come of `side` begins before what is kept of the other side ends: that is let go.
void overlap_settle(struct overlap *overlap, enum overlap_side side);

#endif
