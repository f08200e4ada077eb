// The verdict on the exposure of a tissue by the levels of the ITRUSST consensus for transcranial ultrasound,
// from the numbers that bioheat_exposure_find found. Labels are those of cells that are tissue.
#ifndef FATHOM_MODELS_BIOHEAT_VERDICT_H
#define FATHOM_MODELS_BIOHEAT_VERDICT_H

#include "models/bioheat/instance.h"

enum bioheat_verdict { BIOHEAT_UNJUDGED, BIOHEAT_PASSED, BIOHEAT_EXCEEDED };

// By these numbers alone, whatever the run lacks.
enum bioheat_verdict bioheat_judge_run(const struct bioheat *b, int label);
// What it rests on: the temperature, the dose, temperatures that the model knows.
bool bioheat_is_cool(const struct bioheat *b, int label);
bool bioheat_is_within_limit(const struct bioheat *b, int label);
bool bioheat_is_model_right(const struct bioheat *b);

// Whether every tissue that passes would pass, too, if all of it had been warmer by so many K.
bool bioheat_is_sure_by(struct bioheat *b, double error_k);

double bioheat_judged_min(const struct bioheat_exposure *e);
double bioheat_largest_rise_k(const struct bioheat *b, const struct bioheat_exposure *e);

#endif
