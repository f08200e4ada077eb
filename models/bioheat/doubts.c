// What could change a pass: see doubts.h.
#include "models/bioheat/doubts.h"

#include "core/log.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/drained.h"
#include "models/bioheat/lost_heat.h"
#include "models/bioheat/rounding.h"
#include "models/bioheat/step.h"
#include "models/bioheat/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A dose alone does not show it.
static void doubt_unkept(struct bioheat *b)
{
    if (!b->params.physics.has_maximum && b->params.physics.dose != BIOHEAT_DOSE_OFF &&
        bioheat_has_drains(&b->params.body.grid))
        bioheat_drop(b, BIOHEAT_LACKS_DRAINED,
                     "whether faces of the domain carry heat off is not known without output.maxima");
}

// Errors below BIOHEAT_TOLD_RISE_K are negligible. NaN: not known.
static void doubt_steps(struct bioheat *b)
{
    const double error_k = bioheat_step_error_k(&b->params);
    if (error_k < BIOHEAT_TOLD_RISE_K || b->lacks & BIOHEAT_LACKS_STEPS || bioheat_is_sure_by(b, error_k))
        return;
    char reason[128] = "the error of rkl2's steps is not known of a stream";
    if (!isnan(error_k))
        snprintf(reason, sizeof reason,
                 "the error of the steps, up to about %.2g K, is more than what is left to the levels",
                 error_k);
    bioheat_drop(b, BIOHEAT_LACKS_STEPS, "%s", reason);
    log_warning("time.step: %s: thermal safety is not judged as passed; %s", reason,
                isnan(error_k) ? "take another method" : "shorter steps, or a smaller time.tolerance, help");
}

// The same of what single precision may have lost, on top of the error of the steps and of what faces carry
// off.
static void doubt_rounding(struct bioheat *b)
{
    char face[BIOHEAT_FACE_BYTES];
    const double lost_k = bioheat_rounding_k(b), error_k = bioheat_step_error_k(&b->params),
                 drained_k = bioheat_drained_rise_k(b, face),
                 added_k = (error_k >= BIOHEAT_TOLD_RISE_K ? error_k : 0) +
                           (drained_k >= BIOHEAT_TOLD_RISE_K ? drained_k : 0);
    if (!(lost_k >= BIOHEAT_TOLD_RISE_K) || b->lacks & BIOHEAT_LACKS_STEPS ||
        bioheat_is_sure_by(b, lost_k + added_k))
        return;
    bioheat_drop(
        b, BIOHEAT_LACKS_STEPS,
        "single precision may have lost up to %.2g K by rounding over the steps, more than is left to "
        "the levels",
        lost_k);
    log_warning(
        "precision: the roundings of single precision sum up to at most %.2g K over the steps, which is "
        "more than is left to the levels: thermal safety is not judged as passed; take longer steps, "
        "a physics.reference_temperature near the temperatures, or double precision",
        lost_k);
}

// The same of what faces carry off. An error of the steps that leaves a pass may come on top.
static void doubt_drained(struct bioheat *b)
{
    char face[BIOHEAT_FACE_BYTES];
    const double drained_k = bioheat_drained_rise_k(b, face), error_k = bioheat_step_error_k(&b->params),
                 added_k = error_k >= BIOHEAT_TOLD_RISE_K && !(b->lacks & BIOHEAT_LACKS_STEPS) ? error_k : 0;
    if (!(drained_k >= BIOHEAT_TOLD_RISE_K) || b->lacks & BIOHEAT_LACKS_DRAINED)
        return;
    const bool is_much = !bioheat_is_sure_by(b, drained_k + added_k);
    if (is_much)
        bioheat_drop(b, BIOHEAT_LACKS_DRAINED,
                     "with more tissue beyond the faces that carry heat off, %s most, it could be warmer by "
                     "up to %.2g K",
                     face, drained_k);
    log_warning("domain.faces: faces carry off heat, %s most: with more tissue beyond them it could be "
                "warmer by up to %.2g K%s; take a larger domain or insulated faces, or, where a liquid flows "
                "past, convective ones of up to 2e4 W/(m2 K)",
                face, drained_k, bioheat_tell_unjudged(is_much));
}

// The same of heat in layers of fixed faces, on top of both.
static void doubt_layers(struct bioheat *b)
{
    char face[BIOHEAT_FACE_BYTES];
    const struct bioheat_lost all = bioheat_lost_of_chain(b);
    const double error_k = bioheat_step_error_k(&b->params), drained_k = bioheat_drained_rise_k(b, face),
                 added_k = b->lacks & BIOHEAT_LACKS_DRAINED ? 0 : drained_k;
    if (!bioheat_lost_is_bounded(b) || b->lacks & BIOHEAT_LACKS_LAYERS ||
        bioheat_is_sure_by(b, all.layers_rise_k + added_k + (b->lacks & BIOHEAT_LACKS_STEPS ? 0 : error_k)))
        return;
    bioheat_drop(b, BIOHEAT_LACKS_LAYERS,
                 "%.3g %% of the source's heat lies in layers of fixed faces, and could have warmed by up to "
                 "%.2g K",
                 100 * all.layers_share, all.layers_rise_k);
    log_warning("domain.faces: what the source gives to the layers of cells at fixed faces, %.3g %% of its "
                "heat, could have warmed by up to %.2g K: that, with what faces carry off (%.2g K), is more "
                "than what is left to the levels, and thermal safety is not judged as passed",
                100 * all.layers_share, all.layers_rise_k, drained_k);
}

// A statement of the job that a pass depends on.
static void tell_believed(struct bioheat *b)
{
    char face[BIOHEAT_FACE_BYTES], drained[BIOHEAT_FACE_BYTES];
    const double rise_k = bioheat_believed_rise_k(b, face);
    if (rise_k < BIOHEAT_TOLD_RISE_K || bioheat_is_sure_by(b, rise_k + bioheat_drained_rise_k(b, drained)))
        return;
    log_warning(
        "domain.faces: tissue lies at convective faces that keep it nearly at the temperature "
        "outside, %s most: the pass holds only if a liquid flows past them; if the tissue goes on, it "
        "could be warmer by up to %.2g K",
        face, rise_k);
}

// So is that of a temperature which tissue keeps, other than skin (in water) and blood (which flows).
static void tell_kept(struct bioheat *b)
{
    static const double level_of_skin_min = 21;
    bool has_pass = false;
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        has_pass |= b->exposures.of[label].cells > 0 && bioheat_judge_run(b, label) == BIOHEAT_PASSED;
    for (int label = 0; label < BIOHEAT_LABELS && has_pass && b->media->has_labels; label++) {
        const char *name = b->params.body.label_names[label];
        if (bioheat_domain_is_unsolved_tissue(b->params.domain, label) &&
            b->media->table[label].role == BIOHEAT_HELD && strcmp(name, "blood") != 0 &&
            !(b->params.body.safety_dose_min[label] >= level_of_skin_min))
            log_warning("tissues.fixed_temperature: label %d, \"%s\", is tissue that keeps its temperature, "
                        "and carries off heat: the pass holds only if something keeps it",
                        label, name);
    }
}

void bioheat_doubt(struct bioheat *b)
{
    doubt_unkept(b);
    doubt_steps(b);
    doubt_rounding(b);
    doubt_drained(b);
    doubt_layers(b);
    tell_believed(b);
    tell_kept(b);
}
