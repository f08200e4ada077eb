// The exposure of each tissue: its largest temperature, its dose, their positions, and what is said of them.
// verdict.c judges it, doubts.c asks what could change a pass. Independent of files.
#include "core/log.h"
#include "io/json_file.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/cell_terms.h"
#include "models/bioheat/doubts.h"
#include "models/bioheat/drained.h"
#include "models/bioheat/instance.h"
#include "models/bioheat/lost_heat.h"
#include "models/bioheat/results.h"
#include "models/bioheat/verdict.h"
#include "models/team.h"
#include "parallel/relay.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    const uint64_t index = bioheat_index(&p->body.grid, cell[BIOHEAT_Z], cell[BIOHEAT_Y], cell[BIOHEAT_X]);
    if (bioheat_role_at(b, index) != BIOHEAT_TISSUE)
        return;
    struct bioheat_exposure *e = &b->exposures.of[label_at(b, index)];
    const double largest_c = bioheat_temperature_c(kept.largest_k, p->body.reference_c);
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
        e->lesion_m3 += bioheat_cell_volume_m3(&p->body.grid);
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
    return b->rows + (item * BIOHEAT_ROW_BUFFERS + what) * b->params.body.grid.cells[BIOHEAT_X];
}

static void read_row(void *context, size_t item)
{
    const struct reading *r = context;
    struct bioheat *b = r->b;
    const size_t nx = b->params.body.grid.cells[BIOHEAT_X], ny = b->params.body.grid.cells[BIOHEAT_Y],
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
    const size_t ny = b->params.body.grid.cells[BIOHEAT_Y];
    const double *dose = read_buffer(b, item, READ_DOSE), *largest = read_buffer(b, item, READ_LARGEST),
                 *at_s = read_buffer(b, item, READ_AT), *second = read_buffer(b, item, READ_SECOND);
    for (size_t x = 0; x < b->params.body.grid.cells[BIOHEAT_X]; x++)
        add_cell(b, (size_t[]){row / ny, row % ny, x},
                 (struct kept){dose[x], second[x], largest[x], at_s[x]});
}

static void add_own_rows(struct bioheat *b, int64_t step)
{
    const struct bioheat_params *p = &b->params;
    const struct bioheat_planes own = bioheat_own(&p->body.grid);
    const size_t ny = p->body.grid.cells[BIOHEAT_Y], most = (size_t)b->threads, end = own.end * ny;
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
    bioheat_doubt(b);
    return STATUS_OK;
}

static const char *const verdict_words[] = {
    [BIOHEAT_UNJUDGED] = "not judged", [BIOHEAT_PASSED] = "passed", [BIOHEAT_EXCEEDED] = "exceeded"};

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
    return find_lacking(b) && bioheat_judge_run(b, label) == BIOHEAT_PASSED;
}

static enum bioheat_verdict judge(const struct bioheat *b, int label)
{
    return is_lacking(b, label) ? BIOHEAT_UNJUDGED : bioheat_judge_run(b, label);
}

const char *bioheat_tissue_name(const struct bioheat *b, int label)
{
    return b->media->has_labels ? b->params.body.label_names[label] : "all cells";
}

// "passed", or why it was not judged.
static const char *verdict_text(const struct bioheat *b, int label)
{
    const struct bioheat_exposure *e = &b->exposures.of[label];
    switch (judge(b, label)) {
    case BIOHEAT_PASSED:
        return bioheat_is_cool(b, label) ? "passed (temperature)" : "passed (dose)";
    case BIOHEAT_EXCEEDED:
        return "EXCEEDED";
    case BIOHEAT_UNJUDGED:
        break;
    }
    if (is_lacking(b, label))
        return find_lacking(b);
    if (!bioheat_is_model_right(b))
        return "not judged (there were temperatures below -50 or above 100 degC, where the model is not "
               "right)";
    if (bioheat_is_within_limit(b, label))
        return "not judged (within a limit of dose of the job's own, which is not ITRUSST's)";
    return isnan(b->params.body.safety_dose_min[label]) ? "not judged (no limit of dose for this tissue)"
           : isnan(e->largest_c)                        ? "not judged (no largest temperatures were kept)"
           : isnan(e->largest_dose_min)                 ? "not judged (no dose was kept)"
                                        : "not judged (an earlier exposure kept no largest temperatures)";
}

// The number that decided, for readers of the table: with two doses the larger. NULL: not judged.
static const char *decided_by(const struct bioheat *b, int label)
{
    const struct bioheat_exposure *e = &b->exposures.of[label];
    const enum bioheat_verdict verdict = judge(b, label);
    if (verdict == BIOHEAT_UNJUDGED)
        return NULL;
    if (verdict == BIOHEAT_PASSED && bioheat_is_cool(b, label))
        return "temperature";
    return e->largest_second_min > e->largest_dose_min ? "second dose" : "dose";
}

static void log_tissue(const struct bioheat *b, int label)
{
    const struct bioheat_exposure *e = &b->exposures.of[label];
    char place[BIOHEAT_PLACE_BYTES], warmest[160] = "", dose[160] = "";
    if (!isnan(e->largest_c))
        snprintf(warmest, sizeof warmest, ": %.2f °C at %s after %.4g s", e->largest_c,
                 bioheat_place(&b->params.body.grid, e->warmest, place), e->largest_at_s);
    if (!isnan(e->largest_dose_min))
        snprintf(dose, sizeof dose, ", %.3g CEM43 at %s", e->largest_dose_min,
                 bioheat_place(&b->params.body.grid, e->most_dosed, place));
    char limit[48] = "", second[64] = "";
    if (!isnan(e->largest_second_min))
        snprintf(second, sizeof second, ", %.3g by %s", e->largest_second_min,
                 bioheat_doses[b->params.physics.second_dose]);
    if (!isnan(b->params.body.safety_dose_min[label]))
        snprintf(limit, sizeof limit, " (limit %g CEM43)", b->params.body.safety_dose_min[label]);
    const bool is_warning = judge(b, label) == BIOHEAT_EXCEEDED && b->params.safety != BIOHEAT_SAFETY_IGNORED;
    (is_warning ? log_warning : log_info)("%s%s%s%s%s: %s", bioheat_tissue_name(b, label), warmest, dose,
                                          second, limit, verdict_text(b, label));
}

static void add_place(cJSON *object, const struct bioheat *b, const char *name,
                      const size_t cell[BIOHEAT_AXES])
{
    cJSON *place = cJSON_AddObjectToObject(object, name);
    double at_m[BIOHEAT_AXES];
    bioheat_cell_scanner_m(&b->params.body.grid, cell, at_m);
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
        cJSON_AddNumberToObject(item, "largest_rise_k", bioheat_largest_rise_k(b, e));
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
    if (!isnan(b->params.body.safety_dose_min[label])) {
        cJSON_AddNumberToObject(item, "dose_limit_min", b->params.body.safety_dose_min[label]);
        cJSON_AddBoolToObject(item, "dose_limit_by_itrusst", b->params.body.is_consensus_limit[label]);
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
    return (double)cells * bioheat_cell_volume_m3(&b->params.body.grid);
}

// The worst of the tissues' verdicts: one exceeded, one not judged, or all passed.
static enum bioheat_verdict judge_all(const struct bioheat *b)
{
    enum bioheat_verdict worst = BIOHEAT_PASSED;
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const enum bioheat_verdict verdict =
            b->exposures.of[label].cells > 0 ? judge(b, label) : BIOHEAT_PASSED;
        if (verdict == BIOHEAT_EXCEEDED)
            return BIOHEAT_EXCEEDED;
        worst = verdict == BIOHEAT_UNJUDGED ? BIOHEAT_UNJUDGED : worst;
    }
    return worst;
}

bool bioheat_exposure_exceeds(const struct bioheat *b)
{
    return b->exposures.is_known && judge_all(b) == BIOHEAT_EXCEEDED;
}

// "brain: 45.30 degC (level 39 degC), 2.62 CEM43 (level 2)", of each tissue with this verdict, as far as the
// text has space.
static void list_tissues(const struct bioheat *b, enum bioheat_verdict verdict, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const struct bioheat_exposure *e = &b->exposures.of[label];
        char item[256];
        if (e->cells == 0 || judge(b, label) != verdict)
            continue;
        if (verdict == BIOHEAT_EXCEEDED)
            snprintf(item, sizeof item, "%s%.64s: %.2f degC (level %g degC), %.3g CEM43 (level %g)",
                     used > 0 ? "; " : "", bioheat_tissue_name(b, label), e->largest_c,
                     bioheat_exposure_level_c(b), bioheat_judged_min(e),
                     b->params.body.safety_dose_min[label]);
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
    if (b->params.safety != BIOHEAT_SAFETY_REPORTED || judge_all(b) != BIOHEAT_UNJUDGED)
        return;
    list_tissues(b, BIOHEAT_UNJUDGED, tissues, sizeof tissues);
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
    const enum bioheat_verdict verdict = b->exposures.is_known ? judge_all(b) : BIOHEAT_UNJUDGED;
    if (b->params.safety != BIOHEAT_SAFETY_CHECKED || verdict == BIOHEAT_PASSED)
        return STATUS_OK;
    list_tissues(b, verdict, tissues, sizeof tissues);
    return FAIL(STATUS_CHECK_FAILED, "check.itrusst: thermal safety (ITRUSST) %s: %s%s",
                verdict == BIOHEAT_EXCEEDED ? "EXCEEDED" : "not judged",
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
    const enum bioheat_verdict verdict = is_ignored ? BIOHEAT_UNJUDGED : judge_all(b);
    cJSON *list = cJSON_AddArrayToObject(report, "findings"), *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    list_tissues(b, verdict, tissues, sizeof tissues);
    cJSON_AddStringToObject(item, "rule", "thermal safety (ITRUSST)");
    cJSON_AddStringToObject(item, "verdict", verdict_words[verdict]);
    snprintf(message, sizeof message, "%s", tell_lacking(b, lacking, sizeof lacking));
    snprintf(message + strlen(message), sizeof message - strlen(message), "%s",
             is_ignored                  ? "check.itrusst is false in the job"
             : verdict == BIOHEAT_PASSED ? "each tissue is within the levels"
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
    if (face[0] || bioheat_has_drains(&b->params.body.grid))
        json_add_number(safety, "carried_off_rise_k", drained_k);
    cJSON *list = cJSON_AddArrayToObject(safety, "tissues");
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (b->exposures.of[label].cells > 0)
            cJSON_AddItemToArray(list, describe_tissue(b, label));
}
