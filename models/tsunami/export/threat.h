// The level of threat of a place of an ensemble, by which the report and the products colour it.
#ifndef FATHOM_MODELS_TSUNAMI_EXPORT_THREAT_H
#define FATHOM_MODELS_TSUNAMI_EXPORT_THREAT_H

#include <stdbool.h>
#include <stddef.h>

// How many of the thresholds are reached; -1: unknown, or none, but the height may be more than computed
// (not all members reached the place yet, end too early, or are lower bounds). thresholds_m: [count],
// ascending.
// Of a point: by the 95th percentile of its height at the coast, in m.
int export_threat_of_point(double height_m, const double *thresholds_m, size_t count, bool may_be_higher);
// Of a zone: the highest level that more than 5 % of the weight reach. shares: [2 + count], of "not reached"
// and of each level.
int export_threat_of_zone(const double *shares, size_t count, bool may_be_higher);

#endif
