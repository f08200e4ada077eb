// The common length of two series of intervals (see the header).
#include "gpu/overlap.h"

#include <math.h>

static enum overlap_side other(enum overlap_side side)
{
    return side == OVERLAP_FIRST ? OVERLAP_SECOND : OVERLAP_FIRST;
}

static const struct overlap_interval *kept(const struct overlap *o, enum overlap_side side, int index)
{
    return &o->kept[side][(o->head[side] + index) % OVERLAP_KEPT_MAX];
}

static void drop_first(struct overlap *o, enum overlap_side side)
{
    o->head[side] = (o->head[side] + 1) % OVERLAP_KEPT_MAX;
    o->count[side]--;
}

// Every pair is met once: when its second interval is added.
static void meet(struct overlap *o, enum overlap_side side, struct overlap_interval interval)
{
    const enum overlap_side kept_side = other(side);
    for (int k = o->count[kept_side] - 1; k >= 0; k--) {
        const struct overlap_interval *met = kept(o, kept_side, k);
        if (met->end_s <= interval.begin_s)
            break; // as do all before it
        const double length = fmin(met->end_s, interval.end_s) - fmax(met->begin_s, interval.begin_s);
        o->common_s += fmax(0, length);
    }
    // Later intervals of this series begin after this one's end.
    while (o->count[kept_side] > 0 && kept(o, kept_side, 0)->end_s <= interval.end_s)
        drop_first(o, kept_side);
}

static void keep(struct overlap *o, enum overlap_side side, struct overlap_interval interval)
{
    if (o->count[side] == OVERLAP_KEPT_MAX) {
        drop_first(o, side);
        o->dropped++;
    }
    o->kept[side][(o->head[side] + o->count[side]) % OVERLAP_KEPT_MAX] = interval;
    o->count[side]++;
}

void overlap_add(struct overlap *o, enum overlap_side side, double begin_s, double end_s)
{
    const struct overlap_interval interval = {fmax(begin_s, o->last_end_s[side]), end_s};
    if (!(interval.end_s > interval.begin_s))
        return;
    o->last_end_s[side] = end_s;
    o->total_s[side] += interval.end_s - interval.begin_s;
    meet(o, side, interval);
    if (interval.end_s > o->last_end_s[other(side)]) // else the other series is past it already
        keep(o, side, interval);
}

void overlap_settle(struct overlap *o, enum overlap_side side)
{
    o->count[other(side)] = 0;
}
