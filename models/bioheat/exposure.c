// The exposure of each tissue: its largest temperature, its dose, their positions, and the verdict by the
// levels of the ITRUSST consensus for transcranial ultrasound. Independent of files.
#include "core/log.h"
#include "io/json_file.h"
#include "models/bioheat/cell_terms.h"
#include "models/bioheat/drained.h"
#include "models/bioheat/instance.h"
#include "models/bioheat/lost_heat.h"
#include "models/bioheat/media.h"
#include "models/bioheat/results.h"
#include "models/bioheat/rounding.h"
#include "models/bioheat/step.h"
#include "models/team.h"
#include "parallel/relay.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Aubry et al., ITRUSST consensus on biophysical safety for transcranial ultrasound stimulation, Brain
// Stimulation 18(6), 2025 (arXiv:2311.05359v3), abstract: no significant risk if no warmer than 39 °C, or a
// rise of no more than 2 K from a baseline of 37 °C; or a dose within that of the tissue, 2 CEM43 (brain), 16
// (bone), 21 (skin). They are not limits of safety.
static const double safe_c = 39, safe_rise_k = 2;

void bioheat_drop(struct bioheat *b, enum bioheat_lack lack, const char *format, ...)
{
    const size_t used = strlen(b->dropped);
    const char *before = used > 0 ? "; " : "";
    va_list list;
    b->lacks |= (int)lack;
    snprintf(b->dropped + used, sizeof b->dropped - used, "%s", before);
    va_start(list, format);
    vsnprintf(b->dropped + strlen(b->dropped), sizeof b->dropped - strlen(b->dropped), format, list);
    va_end(list);
}

// ---- heat that faces carry off

// A dose alone does not show it.
static void doubt_unkept(struct bioheat *b)
{
    if (!b->params.physics.has_maximum && b->params.physics.dose != BIOHEAT_DOSE_OFF &&
        bioheat_has_drains(&b->params.grid))
        bioheat_drop(b, BIOHEAT_LACKS_DRAINED,
                     "whether faces of the domain carry heat off is not known without output.maxima");
}

// Full fields have no labels: all of their cells are judged as one.
static int label_at(const struct bioheat *b, uint64_t index)
{
    return b->media->has_labels ? (*b->media->labels)[index] : 0;
}

// The records of a cell: doses (NaN: not kept) and the largest temperature with its time.
struct kept {
    double first_min, second_min, largest_k, at_s;
};

static void add_cell(struct bioheat *b, const size_t cell[BIOHEAT_AXES], struct kept kept)
{
    const double dose_min = kept.first_min;
    const struct bioheat_params *p = &b->params;
    const uint64_t index = bioheat_index(&p->grid, cell[BIOHEAT_Z], cell[BIOHEAT_Y], cell[BIOHEAT_X]);
    if (bioheat_role_at(b, index) != BIOHEAT_TISSUE)
        return;
    struct bioheat_exposure *e = &b->exposures.of[label_at(b, index)];
    const double largest_c = bioheat_temperature_c(kept.largest_k, p->reference_c);
    if (e->cells == 0)
        e->largest_c = e->largest_dose_min = e->largest_second_min = e->largest_at_s = NAN;
    e->cells++;
    bioheat_drained_add(b, cell, kept.largest_k);
    if (largest_c > e->largest_c || (isnan(e->largest_c) && !isnan(largest_c))) {
        e->largest_c = largest_c;
        e->largest_at_s = b->start_s + kept.at_s;
        memcpy(e->warmest, cell, sizeof e->warmest);
    }
    if (dose_min > e->largest_dose_min || (isnan(e->largest_dose_min) && !isnan(dose_min))) {
        e->largest_dose_min = dose_min;
        memcpy(e->most_dosed, cell, sizeof e->most_dosed);
    }
    e->largest_second_min = fmax(e->largest_second_min, kept.second_min);
    if (dose_min >= p->lesion_dose_min)
        e->lesion_m3 += bioheat_cell_volume_m3(&p->grid);
    e->hot_cells += largest_c > BIOHEAT_HOT_C;
    bioheat_histogram_add(b, cell, bioheat_tissue_slot(b, index), largest_c, dose_min, kept.second_min);
}

// Reading the records of rows takes longer than to judge them, as doses are computed: the team reads so many
// rows as it has threads, and one thread judges them in their order.
struct reading {
    struct bioheat *b;
    int64_t step;
    size_t first_row; // z ny + y
};

enum { READ_DOSE, READ_LARGEST, READ_AT, READ_SECOND };

static double *read_buffer(const struct bioheat *b, size_t item, size_t what)
{
    return b->rows + (item * BIOHEAT_ROW_BUFFERS + what) * b->params.grid.cells[BIOHEAT_X];
}

static void read_row(void *context, size_t item)
{
    const struct reading *r = context;
    struct bioheat *b = r->b;
    const size_t nx = b->params.grid.cells[BIOHEAT_X], ny = b->params.grid.cells[BIOHEAT_Y],
                 row = r->first_row + item;
    double *second = read_buffer(b, item, READ_SECOND);
    b->backend->get_records(b->base.solver, r->step, row / ny, row % ny, 0, nx,
                            read_buffer(b, item, READ_DOSE), read_buffer(b, item, READ_LARGEST),
                            read_buffer(b, item, READ_AT));
    if (b->params.physics.second_dose != BIOHEAT_DOSE_OFF)
        b->backend->get_second_dose(b->base.solver, r->step, row / ny, row % ny, 0, nx, second);
    else
        for (size_t x = 0; x < nx; x++)
            second[x] = NAN;
}

static void add_row(struct bioheat *b, size_t row, size_t item)
{
    const size_t ny = b->params.grid.cells[BIOHEAT_Y];
    const double *dose = read_buffer(b, item, READ_DOSE), *largest = read_buffer(b, item, READ_LARGEST),
                 *at_s = read_buffer(b, item, READ_AT), *second = read_buffer(b, item, READ_SECOND);
    for (size_t x = 0; x < b->params.grid.cells[BIOHEAT_X]; x++)
        add_cell(b, (size_t[]){row / ny, row % ny, x},
                 (struct kept){dose[x], second[x], largest[x], at_s[x]});
}

static void add_own_rows(struct bioheat *b, int64_t step)
{
    const struct bioheat_params *p = &b->params;
    const struct bioheat_planes own = bioheat_own(&p->grid);
    const size_t ny = p->grid.cells[BIOHEAT_Y], most = (size_t)b->threads, end = own.end * ny;
    for (size_t row = own.first * ny; row < end; row += most) {
        const size_t count = most < end - row ? most : end - row;
        struct reading reading = {b, step, row};
        team_for(b->threads, count, read_row, &reading);
        for (size_t item = 0; item < count; item++)
            add_row(b, row + item, item);
    }
}

// What each rank continues through its planes.
static int list_parts(struct bioheat *b, struct relay_part parts[5 + HISTOGRAM_KINDS])
{
    struct bioheat_volumes *v = &b->volumes;
    int count = 0;
    parts[count++] = (struct relay_part){&b->exposures, sizeof b->exposures};
    parts[count++] = (struct relay_part){v->all, sizeof v->all};
    parts[count++] = (struct relay_part){v->target, sizeof v->target};
    parts[count++] = (struct relay_part){&v->target_cells, sizeof v->target_cells};
    parts[count++] = (struct relay_part){v->target_largest, sizeof v->target_largest};
    for (int kind = 0; kind < HISTOGRAM_KINDS; kind++)
        if (v->cells[kind])
            parts[count++] = (struct relay_part){
                v->cells[kind], (size_t)b->tissues.count *
                                    (size_t)bioheat_histogram_thresholds((enum histogram_kind)kind) *
                                    sizeof *v->cells[kind]};
    return count;
}

static void doubt_steps(struct bioheat *b);
static void doubt_rounding(struct bioheat *b);
static void doubt_drained(struct bioheat *b);
static void doubt_layers(struct bioheat *b);
static void tell_believed(struct bioheat *b);
static void tell_kept(struct bioheat *b);

enum status bioheat_exposure_find(struct bioheat *b, int64_t step)
{
    memset(&b->exposures, 0, sizeof b->exposures);
    bioheat_histogram_begin(b);
    bioheat_drained_begin(b);
    struct relay_part parts[5 + HISTOGRAM_KINDS];
    const int part_count = list_parts(b, parts);
    CHECK(relay_take(b->base.ranks, parts, part_count));
    add_own_rows(b, step);
    CHECK(relay_pass(b->base.ranks, parts, part_count));
    bioheat_histogram_end(b);
    b->exposures.is_known = true;
    bioheat_drained_end(b);
    doubt_unkept(b);
    doubt_steps(b);
    doubt_rounding(b);
    doubt_drained(b);
    doubt_layers(b);
    tell_believed(b);
    tell_kept(b);
    return STATUS_OK;
}

enum verdict { VERDICT_UNKNOWN, VERDICT_PASSED, VERDICT_EXCEEDED };

static const char *const verdict_words[] = {
    [VERDICT_UNKNOWN] = "not judged", [VERDICT_PASSED] = "passed", [VERDICT_EXCEEDED] = "exceeded"};

// The rise above the body's own temperature, the arterial one. The reference temperature is chosen for the
// numerics (docs/bioheat.md, section 10), and must not decide a verdict.
static double largest_rise_k(const struct bioheat *b, const struct bioheat_exposure *e)
{
    return e->largest_c - b->params.arterial_c;
}

// Without the largest temperatures of an earlier exposure those of this run do not show that the tissue
// stayed cool.
static bool has_all_largest(const struct bioheat *b)
{
    return !b->chain || bioheat_chain_has_largest(b->chain);
}

// The dose that is judged: of two definitions the larger.
static double judged_min(const struct bioheat_exposure *e)
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
    const double known_min = judged_min(e);
    return isnan(known_min) ? steady_dose_min(b, e->largest_c) : known_min;
}

// The consensus assumes a baseline of 37 °C. Above it a rise of 2 K is warmer than 39 °C, and with a fever
// harmful for hours: then it counts only as long as the dose is within its level, the strictest of the
// consensus where a tissue has none of it, and only of arterial temperatures that a body has.
static bool is_within_rise(const struct bioheat *b, int label)
{
    static const double strictest_min = 2;
    const struct bioheat_exposure *e = &b->exposures.of[label];
    const double arterial_c = b->params.arterial_c, own_min = b->params.safety_dose_min[label],
                 limit_min = b->params.is_consensus_limit[label] ? own_min : fmin(own_min, strictest_min);
    return arterial_c >= BIOHEAT_BODY_LEAST_C && arterial_c <= BIOHEAT_BODY_MOST_C &&
           largest_rise_k(b, e) <= safe_rise_k && most_dose_min(b, e) <= limit_min;
}

static bool is_within_level(const struct bioheat *b, int label)
{
    return b->exposures.of[label].largest_c <= safe_c || is_within_rise(b, label);
}

static bool is_cool(const struct bioheat *b, int label)
{
    return has_all_largest(b) && is_within_level(b, label);
}

double bioheat_exposure_level_c(const struct bioheat *b)
{
    const double arterial_c = b->params.arterial_c;
    return arterial_c <= BIOHEAT_BODY_MOST_C ? fmax(safe_c, arterial_c + safe_rise_k) : safe_c;
}

// Nothing may pass by temperatures at which tissue boils or freezes, wherever they were: the heat that this
// takes, and what it does to tissue, are not in the model.
static bool is_model_right(const struct bioheat *b)
{
    double at_s;
    return !b->warnings.is_hot && !b->warnings.is_cold &&
           !(bioheat_exposure_largest_c(b, &at_s) > BIOHEAT_BOILING_C);
}

static bool is_within_limit(const struct bioheat *b, int label)
{
    return judged_min(&b->exposures.of[label]) <= b->params.safety_dose_min[label];
}

static enum verdict judge_run(const struct bioheat *b, int label)
{
    const struct bioheat_exposure *e = &b->exposures.of[label];
    const double limit_min = b->params.safety_dose_min[label];
    if (is_cool(b, label))
        return is_model_right(b) ? VERDICT_PASSED : VERDICT_UNKNOWN;
    if (is_within_limit(b, label))
        return is_model_right(b) && b->params.is_consensus_limit[label] ? VERDICT_PASSED : VERDICT_UNKNOWN;
    if (isnan(e->largest_c) || isnan(judged_min(e)) || isnan(limit_min))
        return VERDICT_UNKNOWN;
    // With a dose beyond the limit only the temperature could have been within it.
    return has_all_largest(b) || !is_within_level(b, label) ? VERDICT_EXCEEDED : VERDICT_UNKNOWN;
}

// ---- the error of the steps

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
static enum verdict judge_warmer(struct bioheat *b, int label, double error_k)
{
    struct bioheat_exposure *e = &b->exposures.of[label];
    const struct bioheat_exposure found = *e;
    const struct bioheat_physics *physics = &b->params.physics;
    e->largest_c += error_k;
    e->largest_dose_min = warmer_dose_min(b, physics->dose, found.largest_dose_min, found.largest_c, error_k);
    e->largest_second_min =
        warmer_dose_min(b, physics->second_dose, found.largest_second_min, found.largest_c, error_k);
    const enum verdict verdict = judge_run(b, label);
    *e = found;
    return verdict;
}

// Whether what passes would pass then, too.
static bool is_sure_by(struct bioheat *b, double error_k)
{
    bool is_sure = true;
    for (int label = 0; label < BIOHEAT_LABELS && is_sure; label++)
        is_sure = b->exposures.of[label].cells == 0 || judge_run(b, label) != VERDICT_PASSED ||
                  judge_warmer(b, label, error_k) == VERDICT_PASSED;
    return is_sure;
}

// Errors below BIOHEAT_TOLD_RISE_K are negligible. NaN: not known.
static void doubt_steps(struct bioheat *b)
{
    const double error_k = bioheat_step_error_k(&b->params);
    if (error_k < BIOHEAT_TOLD_RISE_K || b->lacks & BIOHEAT_LACKS_STEPS || is_sure_by(b, error_k))
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
    if (!(lost_k >= BIOHEAT_TOLD_RISE_K) || b->lacks & BIOHEAT_LACKS_STEPS || is_sure_by(b, lost_k + added_k))
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
    const bool is_much = !is_sure_by(b, drained_k + added_k);
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
        is_sure_by(b, all.layers_rise_k + added_k + (b->lacks & BIOHEAT_LACKS_STEPS ? 0 : error_k)))
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
    if (rise_k < BIOHEAT_TOLD_RISE_K || is_sure_by(b, rise_k + bioheat_drained_rise_k(b, drained)))
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
        has_pass |= b->exposures.of[label].cells > 0 && judge_run(b, label) == VERDICT_PASSED;
    for (int label = 0; label < BIOHEAT_LABELS && has_pass && b->media->has_labels; label++) {
        const char *name = b->params.label_names[label];
        if (bioheat_domain_is_unsolved_tissue(b->params.domain, label) &&
            b->media->table[label].role == BIOHEAT_HELD && strcmp(name, "blood") != 0 &&
            !(b->params.safety_dose_min[label] >= level_of_skin_min))
            log_warning("tissues.fixed_temperature: label %d, \"%s\", is tissue that keeps its temperature, "
                        "and carries off heat: the pass holds only if something keeps it",
                        label, name);
    }
}

// Why heat of the plan is not in the run, for a tissue; NULL: all is.
static const char *find_lacking(const struct bioheat *b)
{
    static const struct {
        int lacks;
        const char *reason;
    } all[] = {
        {BIOHEAT_LACKS_BEFORE | BIOHEAT_LACKS_AFTER, "not judged (the run is only a part of the plan)"},
        {BIOHEAT_LACKS_BEFORE, "not judged (the run begins after a part of the plan)"},
        {BIOHEAT_LACKS_AFTER, "not judged (the run ends before the plan)"},
        {BIOHEAT_LACKS_EARLIER, "not judged (the run continues one that did not pass)"},
        {BIOHEAT_LACKS_LAYERS, "not judged (heat in layers of fixed faces is left out)"},
        {BIOHEAT_LACKS_UNSOLVED, "not judged (heat in cells that are not solved is left out)"},
        {BIOHEAT_LACKS_UNHEATED, "not judged (pressure in tissue that is not solved gives no heat)"},
        {BIOHEAT_LACKS_BODY, "not judged (start or blood are not at 35 to 40 degC)"},
        {BIOHEAT_LACKS_STEPS, "not judged (the error of the steps is too large)"},
        {BIOHEAT_LACKS_SOUND, "not judged (the pressure is zero in all tissue)"},
        {BIOHEAT_LACKS_DRAINED, "not judged (faces of the domain carry heat off)"}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if ((b->lacks & all[k].lacks) == all[k].lacks)
            return all[k].reason;
    return NULL;
}

enum { LACKING_BYTES = 1600 };

// "the run ends before the plan, protocol plan: 3 of 10 trains; ...: ", or "". Where a level is exceeded in
// this run, the verdict does not come from the runs before it.
static const char *tell_lacking(const struct bioheat *b, char *text, size_t bytes)
{
    const char *earlier = b->chain && !bioheat_exposure_exceeds(b) ? bioheat_chain_lacking(b->chain) : "",
               *cut = b->cut.text;
    snprintf(text, bytes, "%s%s%s%s%s%s%s",
             !cut[0]             ? ""
             : !b->cut.is_before ? "the run ends before the plan, "
             : b->cut.is_after   ? "the run is only a part of the plan, "
                                 : "the run begins after a part of the plan, ",
             cut, cut[0] && earlier[0] ? "; " : "", earlier,
             (cut[0] || earlier[0]) && b->dropped[0] ? "; " : "", b->dropped,
             cut[0] || earlier[0] || b->dropped[0] ? ": " : "");
    return text;
}

// The heat that is not in the run could only change a pass.
static bool is_lacking(const struct bioheat *b, int label)
{
    return find_lacking(b) && judge_run(b, label) == VERDICT_PASSED;
}

static enum verdict judge(const struct bioheat *b, int label)
{
    return is_lacking(b, label) ? VERDICT_UNKNOWN : judge_run(b, label);
}

const char *bioheat_tissue_name(const struct bioheat *b, int label)
{
    return b->media->has_labels ? b->params.label_names[label] : "all cells";
}

// "passed", or why it was not judged.
static const char *verdict_text(const struct bioheat *b, int label)
{
    const struct bioheat_exposure *e = &b->exposures.of[label];
    switch (judge(b, label)) {
    case VERDICT_PASSED:
        return is_cool(b, label) ? "passed (temperature)" : "passed (dose)";
    case VERDICT_EXCEEDED:
        return "EXCEEDED";
    case VERDICT_UNKNOWN:
        break;
    }
    if (is_lacking(b, label))
        return find_lacking(b);
    if (!is_model_right(b))
        return "not judged (there were temperatures below -50 or above 100 degC, where the model is not "
               "right)";
    if (is_within_limit(b, label))
        return "not judged (within a limit of dose of the job's own, which is not ITRUSST's)";
    return isnan(b->params.safety_dose_min[label]) ? "not judged (no limit of dose for this tissue)"
           : isnan(e->largest_c)                   ? "not judged (no largest temperatures were kept)"
           : isnan(e->largest_dose_min)            ? "not judged (no dose was kept)"
                                        : "not judged (an earlier exposure kept no largest temperatures)";
}

// The number that decided, for readers of the table: with two doses the larger. NULL: not judged.
static const char *decided_by(const struct bioheat *b, int label)
{
    const struct bioheat_exposure *e = &b->exposures.of[label];
    const enum verdict verdict = judge(b, label);
    if (verdict == VERDICT_UNKNOWN)
        return NULL;
    if (verdict == VERDICT_PASSED && is_cool(b, label))
        return "temperature";
    return e->largest_second_min > e->largest_dose_min ? "second dose" : "dose";
}

static void log_tissue(const struct bioheat *b, int label)
{
    const struct bioheat_exposure *e = &b->exposures.of[label];
    char place[BIOHEAT_PLACE_BYTES], warmest[160] = "", dose[160] = "";
    if (!isnan(e->largest_c))
        snprintf(warmest, sizeof warmest, ": %.2f °C at %s after %.4g s", e->largest_c,
                 bioheat_place(&b->params.grid, e->warmest, place), e->largest_at_s);
    if (!isnan(e->largest_dose_min))
        snprintf(dose, sizeof dose, ", %.3g CEM43 at %s", e->largest_dose_min,
                 bioheat_place(&b->params.grid, e->most_dosed, place));
    char limit[48] = "", second[64] = "";
    if (!isnan(e->largest_second_min))
        snprintf(second, sizeof second, ", %.3g by %s", e->largest_second_min,
                 bioheat_doses[b->params.physics.second_dose]);
    if (!isnan(b->params.safety_dose_min[label]))
        snprintf(limit, sizeof limit, " (limit %g CEM43)", b->params.safety_dose_min[label]);
    const bool is_warning = judge(b, label) == VERDICT_EXCEEDED && b->params.safety != BIOHEAT_SAFETY_IGNORED;
    (is_warning ? log_warning : log_info)("%s%s%s%s%s: %s", bioheat_tissue_name(b, label), warmest, dose,
                                          second, limit, verdict_text(b, label));
}

static void add_place(cJSON *object, const struct bioheat *b, const char *name,
                      const size_t cell[BIOHEAT_AXES])
{
    cJSON *place = cJSON_AddObjectToObject(object, name);
    double at_m[BIOHEAT_AXES];
    bioheat_cell_scanner_m(&b->params.grid, cell, at_m);
    cJSON_AddNumberToObject(place, "x_m", at_m[BIOHEAT_X]);
    cJSON_AddNumberToObject(place, "y_m", at_m[BIOHEAT_Y]);
    cJSON_AddNumberToObject(place, "z_m", at_m[BIOHEAT_Z]);
}

static cJSON *describe_tissue(const struct bioheat *b, int label)
{
    const struct bioheat_exposure *e = &b->exposures.of[label];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "tissue", bioheat_tissue_name(b, label));
    if (b->media->has_labels)
        cJSON_AddNumberToObject(item, "label", label);
    cJSON_AddNumberToObject(item, "cells", (double)e->cells);
    cJSON_AddStringToObject(item, "verdict", verdict_words[judge(b, label)]);
    cJSON_AddStringToObject(item, "reason", verdict_text(b, label));
    if (decided_by(b, label))
        cJSON_AddStringToObject(item, "decided_by", decided_by(b, label));
    if (!isnan(e->largest_c)) {
        cJSON_AddNumberToObject(item, "largest_temperature_c", e->largest_c);
        cJSON_AddNumberToObject(item, "largest_rise_k", largest_rise_k(b, e));
        cJSON_AddNumberToObject(item, "largest_at_s", e->largest_at_s);
        add_place(item, b, "largest_place", e->warmest);
    }
    if (!isnan(e->largest_dose_min)) {
        cJSON_AddNumberToObject(item, "largest_dose_min", e->largest_dose_min);
        if (isinf(e->largest_dose_min))
            cJSON_AddBoolToObject(item, "dose_is_infinite", true);
        if (!isnan(e->largest_second_min)) {
            cJSON_AddNumberToObject(item, "largest_second_dose_min", e->largest_second_min);
            if (isinf(e->largest_second_min))
                cJSON_AddBoolToObject(item, "second_dose_is_infinite", true);
            cJSON_AddStringToObject(item, "dose_definition", bioheat_doses[b->params.physics.dose]);
            cJSON_AddStringToObject(item, "second_dose_definition",
                                    bioheat_doses[b->params.physics.second_dose]);
        }
        add_place(item, b, "largest_dose_place", e->most_dosed);
        cJSON_AddNumberToObject(item, "lesion_volume_m3", e->lesion_m3);
    }
    if (!isnan(b->params.safety_dose_min[label])) {
        cJSON_AddNumberToObject(item, "dose_limit_min", b->params.safety_dose_min[label]);
        cJSON_AddBoolToObject(item, "dose_limit_by_itrusst", b->params.is_consensus_limit[label]);
    }
    return item;
}

// ---- of the whole run

double bioheat_exposure_largest_c(const struct bioheat *b, double *at_s)
{
    double largest_c = NAN;
    *at_s = NAN;
    for (int label = 0; label < BIOHEAT_LABELS && b->exposures.is_known; label++) {
        const struct bioheat_exposure *e = &b->exposures.of[label];
        if (e->cells == 0 || !(isnan(largest_c) || e->largest_c > largest_c))
            continue;
        largest_c = e->largest_c;
        *at_s = e->largest_at_s;
    }
    return largest_c;
}

double bioheat_exposure_largest_dose_min(const struct bioheat *b)
{
    double largest_min = NAN;
    for (int label = 0; label < BIOHEAT_LABELS && b->exposures.is_known; label++)
        if (b->exposures.of[label].cells > 0)
            largest_min = fmax(largest_min, b->exposures.of[label].largest_dose_min);
    return largest_min;
}

double bioheat_exposure_largest_second_min(const struct bioheat *b)
{
    double largest_min = NAN;
    for (int label = 0; label < BIOHEAT_LABELS && b->exposures.is_known; label++)
        if (b->exposures.of[label].cells > 0)
            largest_min = fmax(largest_min, b->exposures.of[label].largest_second_min);
    return largest_min;
}

double bioheat_exposure_hot_m3(const struct bioheat *b)
{
    double at_s;
    uint64_t cells = 0;
    if (isnan(bioheat_exposure_largest_c(b, &at_s)))
        return NAN;
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        cells += b->exposures.of[label].hot_cells;
    return (double)cells * bioheat_cell_volume_m3(&b->params.grid);
}

// The worst of the tissues' verdicts: one exceeded, one not judged, or all passed.
static enum verdict judge_all(const struct bioheat *b)
{
    enum verdict worst = VERDICT_PASSED;
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const enum verdict verdict = b->exposures.of[label].cells > 0 ? judge(b, label) : VERDICT_PASSED;
        if (verdict == VERDICT_EXCEEDED)
            return VERDICT_EXCEEDED;
        worst = verdict == VERDICT_UNKNOWN ? VERDICT_UNKNOWN : worst;
    }
    return worst;
}

bool bioheat_exposure_exceeds(const struct bioheat *b)
{
    return b->exposures.is_known && judge_all(b) == VERDICT_EXCEEDED;
}

// "brain: 45.30 degC (level 39 degC), 2.62 CEM43 (level 2)", of each tissue with this verdict, as far as the
// text has space.
static void list_tissues(const struct bioheat *b, enum verdict verdict, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const struct bioheat_exposure *e = &b->exposures.of[label];
        char item[256];
        if (e->cells == 0 || judge(b, label) != verdict)
            continue;
        if (verdict == VERDICT_EXCEEDED)
            snprintf(item, sizeof item, "%s%.64s: %.2f degC (level %g degC), %.3g CEM43 (level %g)",
                     used > 0 ? "; " : "", bioheat_tissue_name(b, label), e->largest_c,
                     bioheat_exposure_level_c(b), judged_min(e), b->params.safety_dose_min[label]);
        else // what is lacking stands before the list
            snprintf(item, sizeof item, "%s%.64s: %s", used > 0 ? "; " : "", bioheat_tissue_name(b, label),
                     is_lacking(b, label) ? verdict_words[verdict] : verdict_text(b, label));
        if (used + strlen(item) + sizeof "; ..." > bytes) {
            snprintf(text + used, bytes - used, "; ...");
            return;
        }
        used += (size_t)snprintf(text + used, bytes - used, "%s", item);
    }
}

enum { TISSUES_BYTES = 600 };

// Of a run whose exit code does not say it.
static void warn_of_unjudged(const struct bioheat *b)
{
    char tissues[TISSUES_BYTES], lacking[LACKING_BYTES];
    if (b->params.safety != BIOHEAT_SAFETY_REPORTED || judge_all(b) != VERDICT_UNKNOWN)
        return;
    list_tissues(b, VERDICT_UNKNOWN, tissues, sizeof tissues);
    log_warning("thermal safety (ITRUSST): not judged: %s%s", tell_lacking(b, lacking, sizeof lacking),
                tissues);
}

void bioheat_exposure_log(void *instance)
{
    const struct bioheat *b = instance;
    if (!b->exposures.is_known)
        return;
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const struct bioheat_exposure *e = &b->exposures.of[label];
        if (e->cells > 0 && (!isnan(e->largest_c) || !isnan(e->largest_dose_min)))
            log_tissue(b, label);
    }
    warn_of_unjudged(b);
    bioheat_target_log(b);
    bioheat_mechanical_log(b);
}

static enum status thermal_verdict(const struct bioheat *b)
{
    char tissues[TISSUES_BYTES], lacking[LACKING_BYTES];
    const enum verdict verdict = b->exposures.is_known ? judge_all(b) : VERDICT_UNKNOWN;
    if (b->params.safety != BIOHEAT_SAFETY_CHECKED || verdict == VERDICT_PASSED)
        return STATUS_OK;
    list_tissues(b, verdict, tissues, sizeof tissues);
    return FAIL(STATUS_CHECK_FAILED, "check.itrusst: thermal safety (ITRUSST) %s: %s%s",
                verdict == VERDICT_EXCEEDED ? "EXCEEDED" : "not judged",
                tell_lacking(b, lacking, sizeof lacking), tissues);
}

enum status bioheat_exposure_verdict(void *instance)
{
    return bioheat_mechanical_verdict(instance, thermal_verdict(instance));
}

// For readers of any model: a rule, its verdict, and the reason.
static void describe_finding(const struct bioheat *b, cJSON *report)
{
    char tissues[TISSUES_BYTES], lacking[LACKING_BYTES], message[TISSUES_BYTES + LACKING_BYTES + 64];
    const bool is_ignored = b->params.safety == BIOHEAT_SAFETY_IGNORED;
    const enum verdict verdict = is_ignored ? VERDICT_UNKNOWN : judge_all(b);
    cJSON *list = cJSON_AddArrayToObject(report, "findings"), *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    list_tissues(b, verdict, tissues, sizeof tissues);
    cJSON_AddStringToObject(item, "rule", "thermal safety (ITRUSST)");
    cJSON_AddStringToObject(item, "verdict", verdict_words[verdict]);
    snprintf(message, sizeof message, "%s", tell_lacking(b, lacking, sizeof lacking));
    snprintf(message + strlen(message), sizeof message - strlen(message), "%s",
             is_ignored                  ? "check.itrusst is false in the job"
             : verdict == VERDICT_PASSED ? "each tissue is within the levels"
                                         : tissues);
    cJSON_AddStringToObject(item, "message", message);
}

void bioheat_exposure_describe(const struct bioheat *b, cJSON *report)
{
    if (!b->exposures.is_known)
        return;
    describe_finding(b, report);
    cJSON *safety = cJSON_AddObjectToObject(report, "thermal_safety");
    cJSON_AddStringToObject(
        safety, "rule",
        "levels of the ITRUSST consensus (arXiv:2311.05359v3) for no significant risk: passed if a tissue "
        "got no warmer than 39 degC, or if its dose is within the tissue's level (brain 2, bone 16, skin 21 "
        "CEM43); with an arterial temperature of 37 to 40 degC also if it rose by no more than 2 K above it "
        "and its dose, or without one what the whole time at its largest temperature would give, is within "
        "the tissue's level, or 2 CEM43 where it has none");
    char face[BIOHEAT_FACE_BYTES];
    const double drained_k = bioheat_drained_rise_k(b, face);
    if (face[0] || bioheat_has_drains(&b->params.grid))
        json_add_number(safety, "carried_off_rise_k", drained_k);
    cJSON *list = cJSON_AddArrayToObject(safety, "tissues");
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (b->exposures.of[label].cells > 0)
            cJSON_AddItemToArray(list, describe_tissue(b, label));
}
