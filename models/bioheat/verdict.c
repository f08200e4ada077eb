// The verdict on the exposure of a tissue: see verdict.h.
#include "models/bioheat/verdict.h"

#include "models/bioheat/cell_terms.h"
#include "models/bioheat/results.h"

#include <math.h>

// Aubry et al., ITRUSST consensus on biophysical safety for transcranial ultrasound stimulation, Brain
// Stimulation 18(6), 2025 (arXiv:2311.05359v3), abstract: no significant risk if no warmer than 39 °C, or a
// rise of no more than 2 K from a baseline of 37 °C; or a dose within that of the tissue, 2 CEM43 (brain), 16
// (bone), 21 (skin). They are not limits of safety.
static const double safe_c = 39, safe_rise_k = 2;

// The rise above the body's own temperature, the arterial one. The reference temperature is chosen for the
// numerics (docs/bioheat.md, section 10), and must not decide a verdict.
double bioheat_largest_rise_k(const struct bioheat *b, const struct bioheat_exposure *e)
{
    return e->largest_c - b->params.body.arterial_c;
}

// Without the largest temperatures of an earlier exposure those of this run do not show that the tissue
// stayed cool.
static bool has_all_largest(const struct bioheat *b)
{
    return !b->chain || bioheat_chain_has_largest(b->chain);
}

// The dose that is judged: of two definitions the larger.
double bioheat_judged_min(const struct bioheat_exposure *e)
{
    return fmax(e->largest_dose_min, e->largest_second_min);
}

static double clock_of_chain_min(const struct bioheat *b)
{
    return (b->start_s + (double)b->steps * b->step_s) / 60;
}

// The dose of one temperature throughout, without a cut-off.
static double steady_dose_min(const struct bioheat *b, double temperature_c)
{
    const double above_k = temperature_c - BIOHEAT_DOSE_REFERENCE_C;
    return clock_of_chain_min(b) * pow(above_k < 0 ? 4 : 2, above_k);
}

// The dose, or where none is kept, what the largest temperature throughout would have given.
static double most_dose_min(const struct bioheat *b, const struct bioheat_exposure *e)
{
    const double known_min = bioheat_judged_min(e);
    return isnan(known_min) ? steady_dose_min(b, e->largest_c) : known_min;
}

// The consensus assumes a baseline of 37 °C. Above it a rise of 2 K is warmer than 39 °C, and with a fever
// harmful for hours: then it counts only as long as the dose is within its level, the strictest of the
// consensus where a tissue has none of it, and only of arterial temperatures that a body has.
static bool is_within_rise(const struct bioheat *b, int label)
{
    static const double strictest_min = 2;
    const struct bioheat_exposure *e = &b->exposures.of[label];
    const double arterial_c = b->params.body.arterial_c, own_min = b->params.body.safety_dose_min[label],
                 limit_min =
                     b->params.body.is_consensus_limit[label] ? own_min : fmin(own_min, strictest_min);
    return arterial_c >= BIOHEAT_BODY_LEAST_C && arterial_c <= BIOHEAT_BODY_MOST_C &&
           bioheat_largest_rise_k(b, e) <= safe_rise_k && most_dose_min(b, e) <= limit_min;
}

static bool is_within_level(const struct bioheat *b, int label)
{
    return b->exposures.of[label].largest_c <= safe_c || is_within_rise(b, label);
}

bool bioheat_is_cool(const struct bioheat *b, int label)
{
    return has_all_largest(b) && is_within_level(b, label);
}

double bioheat_exposure_level_c(const struct bioheat *b)
{
    const double arterial_c = b->params.body.arterial_c;
    return arterial_c <= BIOHEAT_BODY_MOST_C ? fmax(safe_c, arterial_c + safe_rise_k) : safe_c;
}

// Nothing may pass by temperatures at which tissue boils or freezes, wherever they were: the heat that this
// takes, and what it does to tissue, are not in the model.
bool bioheat_is_model_right(const struct bioheat *b)
{
    double at_s;
    return !b->warnings.is_hot && !b->warnings.is_cold &&
           !(bioheat_exposure_largest_c(b, &at_s) > BIOHEAT_BOILING_C);
}

bool bioheat_is_within_limit(const struct bioheat *b, int label)
{
    return bioheat_judged_min(&b->exposures.of[label]) <= b->params.body.safety_dose_min[label];
}

enum bioheat_verdict bioheat_judge_run(const struct bioheat *b, int label)
{
    const struct bioheat_exposure *e = &b->exposures.of[label];
    const double limit_min = b->params.body.safety_dose_min[label];
    if (bioheat_is_cool(b, label))
        return bioheat_is_model_right(b) ? BIOHEAT_PASSED : BIOHEAT_UNJUDGED;
    if (bioheat_is_within_limit(b, label))
        return bioheat_is_model_right(b) && b->params.body.is_consensus_limit[label] ? BIOHEAT_PASSED
                                                                                     : BIOHEAT_UNJUDGED;
    if (isnan(e->largest_c) || isnan(bioheat_judged_min(e)) || isnan(limit_min))
        return BIOHEAT_UNJUDGED;
    // With a dose beyond the limit only the temperature could have been within it.
    return has_all_largest(b) || !is_within_level(b, label) ? BIOHEAT_EXCEEDED : BIOHEAT_UNJUDGED;
}

// ---- if all had been warmer

// At most the dose by cem43-from-39 of cells that only the error brings to 43 degC, from when on R is 1/2
// at 39 to 43 degC, too: up to 2^4 times the dose, and no more than that of 43 degC and the error throughout.
static double reaching_dose_min(const struct bioheat *b, double found_min, double error_k)
{
    static const double span_k = BIOHEAT_DOSE_REFERENCE_C - BIOHEAT_DOSE_ISO_LEAST_C;
    const double clock_min = clock_of_chain_min(b);
    return fmin(pow(2, span_k + error_k) * found_min + pow(2, error_k - span_k) * clock_min,
                pow(2, error_k) * clock_min);
}

// Of a dose, at most what it would be if all had been warmer by the error: it grows by 1/R a kelvin, which is
// at most 4 (R = 1/4 below 43 degC). Below the cut-off of a definition there was none, and there all of the
// time could have been spent, warmer by the error.
static double warmer_dose_min(const struct bioheat *b, enum bioheat_dose definition, double found_min,
                              double largest_c, double error_k)
{
    static const double factor_per_k = 4;
    const bool is_iso = definition == BIOHEAT_DOSE_ISO, is_cut = is_iso || definition == BIOHEAT_DOSE_KWAVE;
    const double cut_c = is_iso ? BIOHEAT_DOSE_ISO_LEAST_C : BIOHEAT_DOSE_KWAVE_LEAST_C,
                 below_min = is_cut ? steady_dose_min(b, fmin(cut_c, largest_c) + error_k) : 0,
                 warmer_min = pow(factor_per_k, error_k) * found_min + below_min;
    if (!is_iso || largest_c + error_k < BIOHEAT_DOSE_REFERENCE_C)
        return warmer_min;
    return largest_c + error_k > BIOHEAT_DOSE_ISO_MOST_C
               ? (double)INFINITY
               : fmax(warmer_min, reaching_dose_min(b, found_min, error_k));
}

// The verdict if all had been warmer by the error.
static enum bioheat_verdict judge_warmer(struct bioheat *b, int label, double error_k)
{
    struct bioheat_exposure *e = &b->exposures.of[label];
    const struct bioheat_exposure found = *e;
    const struct bioheat_physics *physics = &b->params.physics;
    e->largest_c += error_k;
    e->largest_dose_min = warmer_dose_min(b, physics->dose, found.largest_dose_min, found.largest_c, error_k);
    e->largest_second_min =
        warmer_dose_min(b, physics->second_dose, found.largest_second_min, found.largest_c, error_k);
    const enum bioheat_verdict verdict = bioheat_judge_run(b, label);
    *e = found;
    return verdict;
}

// Whether what passes would pass then, too.
bool bioheat_is_sure_by(struct bioheat *b, double error_k)
{
    bool is_sure = true;
    for (int label = 0; label < BIOHEAT_LABELS && is_sure; label++)
        is_sure = b->exposures.of[label].cells == 0 || bioheat_judge_run(b, label) != BIOHEAT_PASSED ||
                  judge_warmer(b, label, error_k) == BIOHEAT_PASSED;
    return is_sure;
}
