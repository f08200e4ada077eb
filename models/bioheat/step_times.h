// Which steps end at the times that matter: the end of the run, the records of fields and sensors, and where
// the source is switched; of method rkl2 the cheapest of them within the allowed error. Knows no job and no
// array.
#ifndef FATHOM_MODELS_BIOHEAT_STEP_TIMES_H
#define FATHOM_MODELS_BIOHEAT_STEP_TIMES_H

#include "models/bioheat/settings.h"
#include "models/bioheat/source/source.h"

// Of explicit methods: a part of the run's duration, the longest of at most 0.9 of the limit; or one that is
// a part of the intervals of sensors and fields (0: none) too, else of the sensors' alone, else of the
// fields' alone, if it is at least 0.8 as long.
double bioheat_automatic_step_s(double limit_s, double duration_s, double sensors_s, double fields_s);

// Estimates (K) of a step's error: of the method, with the part of the temperatures at the start, and of
// switches of the source within the step. NaN: not known before the run.
struct bioheat_step_error {
    double method_k, switches_k, start_k;
};

struct bioheat_step_search {
    const struct bioheat_params *params;
    struct bioheat_heating *heating;
    struct bioheat_step_error (*error)(void *context, double step_s);
    void *context;
    double longest_s, tolerance_k;
    // resolved: only steps that end at all switches; averaged: those are not looked for.
    bool wants_resolved, wants_averaged;
};

// The step of the fewest stages a second of model time whose error is allowed. They count 1.25 times if the
// inner levels of pulses are averaged, 1.5 times if no switch is met on purpose, and twice for each of fields
// and sensors that is missed. All are parts of the run's duration; only where switches must be resolved and
// no part of it does that, the run ends later. If none is allowed, the cheapest of those whose error of the
// method is allowed and whose error at switches is at most a quarter more than the least, unless shorter
// steps keep the tolerance at up to four times its cost; else the shortest.
double bioheat_step_search(const struct bioheat_step_search *search);

// Of the end of the run, fields and sensors.
enum { BIOHEAT_STEP_RECORDS = 3 };
// The longest step, up to longest_s, that ends at all switches of the source and at the first `records` of
// these; 0: none does.
double bioheat_step_between(const struct bioheat_params *params, struct bioheat_heating *heating, int records,
                            double longest_s);

// No shorter steps are looked for so that they end at switches.
double bioheat_step_shortest_s(const struct bioheat_params *params);

// Whether steps end at all times at which the source is switched.
bool bioheat_step_meets_switches(struct bioheat_heating *heating, double step_s);

#endif
