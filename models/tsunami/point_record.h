// What a forecast point keeps of the surface at its node, updated after every step. In double on every back
// end, with comparisons and single sums alone, by the same code for host and device: the same bits from the
// same state. The definitions: docs/points.md.
#ifndef FATHOM_MODELS_TSUNAMI_POINT_RECORD_H
#define FATHOM_MODELS_TSUNAMI_POINT_RECORD_H

#include "core/host_device.h"
#include "models/tsunami/results.h"

// The first crest: the highest change since the threshold was reached from which the surface then fell by the
// threshold, so that a ripple on the rise does not count as a crest.
static FATHOM_HOST_DEVICE void tsunami_point_follow_crest(struct tsunami_point_state *p, double change_m,
                                                          double threshold_m, double time_s)
{
    if (!isnan(p->first_crest_m))
        return;
    if (change_m >= threshold_m && change_m > p->rising_m) {
        p->rising_m = change_m;
        p->rising_s = time_s;
    } else if (change_m <= p->rising_m - threshold_m) {
        p->first_crest_m = p->rising_m;
        p->first_crest_s = p->rising_s;
    }
}

// change_m: of the surface from the level that arrivals count from. above_m: above that level and the sea at
// rest, whichever is higher: over ground that sank the sea comes back, and would stay above the level for
// good. is_step: at the end of a step, not at the start of the run.
static FATHOM_HOST_DEVICE void tsunami_point_follow(struct tsunami_point_state *p, double change_m,
                                                    double above_m, double threshold_m, double time_s,
                                                    bool is_step)
{
    if (change_m > p->crest_m) {
        p->crest_m = change_m;
        p->crest_s = time_s;
    }
    if (change_m < p->trough_m) {
        p->trough_m = change_m;
        p->trough_s = time_s;
    }
    if (is_step && above_m >= threshold_m)
        p->steps_above += 1;
    if (isnan(p->arrival_s) && fabs(change_m) >= threshold_m) {
        p->arrival_s = time_s;
        p->first_motion = change_m > 0 ? 1 : -1;
    }
    tsunami_point_follow_crest(p, change_m, threshold_m, time_s);
}

// Of a node; dry ones keep nothing. level_m: what arrivals count from, 0: the sea at rest. The surface is
// rounded to single as in every record, so that a sea at its level has not changed.
static FATHOM_HOST_DEVICE void tsunami_point_record(struct tsunami_point_state *p, struct tsunami_node node,
                                                    float level_m, double threshold_m, double time_s,
                                                    bool is_step)
{
    if (isnan(node.eta_m) || tsunami_node_is_dry(node))
        return;
    const double eta_m = (double)(float)node.eta_m;
    tsunami_point_follow(p, eta_m - (double)level_m, eta_m - fmax(0.0, (double)level_m), threshold_m, time_s,
                         is_step);
}

#endif
