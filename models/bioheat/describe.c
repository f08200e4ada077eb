// The heat model's part of run.json and of the plan's JSON: grid, media, physics, sensors, results.
#include "io/json_file.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/body/tissues.h"
#include "models/bioheat/instance.h"
#include "models/bioheat/lost_heat.h"

#include <cjson/cJSON.h>
#include <string.h>

static void describe_grid(const struct bioheat *b, cJSON *report)
{
    const struct bioheat_grid *g = &b->params.body.grid;
    cJSON *grid = cJSON_AddObjectToObject(report, "grid");
    cJSON *cells = cJSON_AddObjectToObject(grid, "cells"),
          *spacing = cJSON_AddObjectToObject(grid, "spacing_m"),
          *origin = cJSON_AddObjectToObject(grid, "first_cell_m"),
          *faces = cJSON_AddObjectToObject(grid, "faces");
    for (int axis = BIOHEAT_AXES - 1; axis >= 0; axis--) {
        cJSON_AddNumberToObject(cells, bioheat_axis_names[axis], (double)g->cells[axis]);
        cJSON_AddNumberToObject(spacing, bioheat_axis_names[axis], g->spacing_m[axis]);
        cJSON_AddNumberToObject(origin, bioheat_axis_names[axis], g->origin_m[axis]);
        for (int side = 0; side < 2; side++)
            cJSON_AddStringToObject(faces, bioheat_face_names[axis][side],
                                    bioheat_face_kinds[g->faces[axis][side].kind]);
    }
}

// With source.pressure also how it takes up sound: the attenuation at the frequency, and the given one at 1
// MHz with its exponent.
static void describe_acoustics(const struct bioheat_tissue *t, double frequency_hz, cJSON *item)
{
    if (isnan(frequency_hz))
        return;
    cJSON_AddNumberToObject(item, "sound_speed_m_s", t->sound_speed_m_s);
    cJSON_AddNumberToObject(item, "attenuation_np_m",
                            t->attenuation_np_m * pow(1e-6 * frequency_hz, t->attenuation_exponent));
    cJSON_AddNumberToObject(item, "attenuation_at_1_mhz_np_m", t->attenuation_np_m);
    cJSON_AddNumberToObject(item, "attenuation_exponent", t->attenuation_exponent);
}

// What x, y and z of positions are, here and in the tables; the axes of netCDF files run along the slices.
static void describe_positions(const struct bioheat *b, cJSON *report)
{
    static const char *const frames[] = {[BIOHEAT_FRAME_NONE] = "domain",
                                         [BIOHEAT_FRAME_SCANNER] =
                                             "scanner, x to the right, y to the front, z up (RAS+)",
                                         [BIOHEAT_FRAME_UNKNOWN] = "image, orientation unknown"};
    const struct bioheat_frame *frame = &b->params.body.grid.frame;
    const struct nifti_place *place = bioheat_domain_place(b->params.domain);
    cJSON *positions = cJSON_AddObjectToObject(report, "positions");
    cJSON_AddStringToObject(positions, "frame", frames[frame->kind]);
    if (!place)
        return;
    cJSON_AddNumberToObject(positions, "tilt_degree", nifti_place_tilt_degree(place));
    cJSON *rows = cJSON_AddArrayToObject(positions, "scanner_from_axes");
    double affine[3][4];
    bioheat_frame_affine(&b->params.body.grid, affine);
    for (int row = 0; row < 3; row++)
        cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(affine[row], 4));
}

static void describe_tissues(const struct bioheat *b, cJSON *media)
{
    struct bioheat_sound sound;
    bioheat_heating_sound(b->heating, &sound);
    static const char *const roles[] = {
        [BIOHEAT_TISSUE] = "tissue", [BIOHEAT_HELD] = "kept", [BIOHEAT_VOID] = "void"};
    cJSON *list = cJSON_AddArrayToObject(media, "tissues");
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const struct bioheat_medium *m = &b->media->table[label];
        if (!b->media->is_used[label])
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddNumberToObject(item, "label", label);
        cJSON_AddStringToObject(item, "name", b->params.body.label_names[label]);
        cJSON_AddStringToObject(item, "role", roles[m->role]);
        cJSON_AddNumberToObject(item, "cells", (double)bioheat_domain_label_cells(b->params.domain, label));
        if (m->role != BIOHEAT_VOID) {
            const struct bioheat_tissue *t = bioheat_domain_tissue(b->params.domain, label);
            cJSON_AddNumberToObject(item, "density_kg_m3", t->density_kg_m3);
            cJSON_AddNumberToObject(item, "specific_heat_j_kg_k", t->specific_heat_j_kg_k);
            cJSON_AddNumberToObject(item, "conductivity_w_m_k", m->conductivity_w_m_k);
            cJSON_AddNumberToObject(item, "heat_capacity_j_m3_k", m->heat_capacity_j_m3_k);
            cJSON_AddNumberToObject(item, "perfusion_w_m3_k", m->perfusion_w_m3_k);
            describe_acoustics(t, m->role == BIOHEAT_TISSUE ? sound.frequency_hz : NAN, item);
        }
        cJSON_AddItemToArray(list, item);
    }
}

static void describe_media(const struct bioheat *b, cJSON *report)
{
    cJSON *media = cJSON_AddObjectToObject(report, "media");
    cJSON_AddStringToObject(media, "kind",
                            !b->media->has_labels  ? "fields"
                            : b->media->is_uniform ? "uniform"
                                                   : "labels");
    bioheat_domain_describe_ct(b->params.domain, media);
    if (!b->media->has_labels)
        return;
    const cJSON *factors = job_json(b->base.job, "tissues.scale");
    cJSON_AddStringToObject(media, "tissue_set", job_string(b->base.job, "tissues.set"));
    if (factors)
        cJSON_AddItemToObject(media, "tissue_scale", cJSON_Duplicate(factors, 1));
    describe_tissues(b, media);
}

// null: not known.
static void add_estimate(cJSON *physics, const char *name, double error_k)
{
    if (isnan(error_k))
        cJSON_AddNullToObject(physics, name);
    else
        cJSON_AddNumberToObject(physics, name, error_k);
}

static void describe_physics(const struct bioheat *b, cJSON *report)
{
    const struct bioheat_params *p = &b->params;
    const double switch_error_k = p->choice.awaits_stream ? (double)NAN : p->choice.switch_error_k;
    cJSON *physics = cJSON_AddObjectToObject(report, "physics");
    cJSON_AddStringToObject(physics, "method", bioheat_methods[p->physics.method]);
    cJSON_AddStringToObject(physics, "dose", bioheat_doses[p->physics.dose]);
    if (p->physics.second_dose != BIOHEAT_DOSE_OFF)
        cJSON_AddStringToObject(physics, "second_dose", bioheat_doses[p->physics.second_dose]);
    cJSON_AddNumberToObject(physics, "lesion_dose_min", p->lesion_dose_min);
    cJSON_AddNumberToObject(physics, "reference_temperature_c", p->body.reference_c);
    cJSON_AddNumberToObject(physics, "arterial_temperature_c", p->body.arterial_c);
    if (p->physics.method == BIOHEAT_RKL2) {
        cJSON_AddNumberToObject(physics, "stages", p->physics.stages);
        cJSON_AddNumberToObject(physics, "substeps", p->physics.substeps);
        cJSON_AddNumberToObject(physics, "substep_stages", p->physics.substep_stages);
        cJSON_AddStringToObject(physics, "switches", p->choice.is_resolved ? "resolved" : "averaged");
        add_estimate(physics, "switch_error_estimate_k", switch_error_k);
        add_estimate(physics, "start_error_estimate_k", p->choice.start_error_k);
        add_estimate(physics, "step_error_estimate_k", p->choice.error_k);
        if (!isnan(p->choice.tolerance_k))
            cJSON_AddNumberToObject(physics, "step_tolerance_k", p->choice.tolerance_k);
    } else if (bioheat_heating_changes(b->heating)) {
        cJSON_AddStringToObject(physics, "switches", p->choice.is_resolved ? "resolved" : "averaged");
        add_estimate(physics, "switch_error_estimate_k", switch_error_k);
        add_estimate(physics, "truncation_error_estimate_k", p->choice.curve_error_k);
    }
    if (b->media->has_labels && !b->media->is_uniform)
        cJSON_AddStringToObject(physics, "interfaces",
                                p->body.interfaces == BIOHEAT_QUADRATIC ? "quadratic" : "two-point");
    cJSON_AddNumberToObject(physics, "step_limit_s", p->limit.step_s);
    if (p->limit.label >= 0)
        cJSON_AddStringToObject(physics, "step_limit_set_by", p->body.label_names[p->limit.label]);
}

// Position of the largest temperature of one record. It is left out, because readers would take it for that
// of the whole run, which thermal_safety has.
static bool is_place(int variable)
{
    return variable == BIOHEAT_LARGEST_INDEX || variable >= BIOHEAT_DIAGNOSTIC_X;
}

static void add_diagnostics(const struct bioheat *b, cJSON *parent, const char *name, const double *values)
{
    const struct stream *stream = &b->streams[BIOHEAT_STREAM_DIAGNOSTICS];
    cJSON *object = cJSON_AddObjectToObject(parent, name);
    for (int v = 0; v < stream->variable_count; v++) {
        char text[80];
        if (is_place(v))
            continue;
        snprintf(text, sizeof text, "%s%s%s", stream->variables[v].name,
                 strcmp(stream->variables[v].units, "1") != 0 ? "_" : "",
                 strcmp(stream->variables[v].units, "1") != 0 ? stream->variables[v].units : "");
        if (isfinite(values[v]))
            cJSON_AddNumberToObject(object, text, values[v]);
        else
            cJSON_AddNullToObject(object, text);
    }
}

static void add_known(cJSON *object, const char *name, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, name, value);
    else if (!isnan(value)) // of an infinite dose
        cJSON_AddNullToObject(object, name);
}

// "run": of every step of the run and of the exposures before it. A dose never falls, so its last record has
// the largest; cells of fixed temperature never change, so the records suffice for them. "records": extremes
// of the records of the diagnostics, for quantities that are not kept at every step.
static void describe_extremes(const struct bioheat *b, cJSON *diagnostics)
{
    const struct bioheat_extremes *e = &b->extremes;
    double at_s;
    const double tissue_c = bioheat_exposure_largest_c(b, &at_s);
    const bool is_of_tissue = isnan(e->largest_c) || tissue_c >= e->largest_c, is_of_steps = !isnan(tissue_c);
    cJSON *run = cJSON_AddObjectToObject(diagnostics, "run"),
          *records = cJSON_AddObjectToObject(diagnostics, "records"), *largest = is_of_steps ? run : records;
    add_known(largest, "largest_temperature_degC", is_of_tissue ? tissue_c : e->largest_c);
    add_known(run, "largest_dose_min", fmax(e->largest_dose_min, bioheat_exposure_largest_dose_min(b)));
    add_known(run, "largest_second_dose_min", bioheat_exposure_largest_second_min(b));
    add_known(run, "lesion_volume_m3", e->lesion_volume_m3);
    add_known(run, "ever_hot_volume_m3", bioheat_exposure_hot_m3(b));
    add_known(largest, "largest_temperature_at_s", is_of_tissue ? at_s : e->largest_at_s);
    add_known(records, "hot_volume_m3", e->hot_volume_m3);
    add_known(records, "smallest_temperature_degC", e->smallest_c);
}

static void describe_results(const struct bioheat *b, cJSON *report)
{
    if (!b->has_first)
        return;
    cJSON *diagnostics = cJSON_AddObjectToObject(report, "diagnostics");
    describe_extremes(b, diagnostics);
    add_diagnostics(b, diagnostics, "start", b->first);
    add_diagnostics(b, diagnostics, "end", b->last);
    cJSON_AddNumberToObject(diagnostics, "heat_change_J", b->last[BIOHEAT_HEAT_J] - b->first[BIOHEAT_HEAT_J]);
    if (b->base.check.moments > 0) {
        const struct check_quantity *q = &b->base.check.quantities[0];
        cJSON *check = cJSON_AddObjectToObject(report, "reference_check");
        cJSON_AddNumberToObject(check, "steps", (double)b->base.check.moments);
        cJSON_AddNumberToObject(check, "largest_difference_k", q->size);
        cJSON_AddNumberToObject(check, "tolerance_k", b->params.check_tolerance_k);
    }
    bioheat_exposure_describe(b, report);
    bioheat_mechanical_describe(b, report);
    bioheat_histogram_describe(b, report);
    bioheat_marks_describe(b, report);
}

static void describe_transducer(const struct bioheat *b, cJSON *report)
{
    static const char *const keys[BIOHEAT_AXES] = {"z_m", "y_m", "x_m"};
    if (!b->params.has_transducer)
        return;
    cJSON *place = cJSON_AddObjectToObject(report, "transducer");
    for (int axis = BIOHEAT_AXES - 1; axis >= 0; axis--)
        cJSON_AddNumberToObject(place, keys[axis], b->params.transducer_m[axis]);
}

// That of all runs so far, as "source" has it of this one. Of an earlier version's state it is not known.
static void describe_chain_heat(const struct bioheat *b, cJSON *chain)
{
    const struct bioheat_lost all = bioheat_lost_of_chain(b);
    if (!bioheat_chain_carried(b->chain))
        return;
    json_add_number(chain, "fixed_layers_share", all.layers_share);
    json_add_number(chain, "fixed_layers_rise_k", all.layers_rise_k);
    cJSON_AddBoolToObject(chain, "fixed_layers_rise_is_bound", all.is_bound);
    json_add_number(chain, "solved_cells_rise_k", all.solved_rise_k);
    json_add_number(chain, "unsolved_share", all.unsolved_share);
}

void bioheat_describe(void *instance, cJSON *report)
{
    const struct bioheat *b = instance;
    describe_grid(b, report);
    describe_positions(b, report);
    describe_media(b, report);
    describe_physics(b, report);
    if (b->chain) {
        cJSON *chain = cJSON_AddObjectToObject(report, "continues");
        cJSON_AddStringToObject(chain, "from", bioheat_chain_path(b->chain));
        cJSON_AddNumberToObject(chain, "at_s", bioheat_chain_end_s(b->chain));
        if (bioheat_chain_lacking(b->chain)[0])
            cJSON_AddStringToObject(chain, "not_judged", bioheat_chain_lacking(b->chain));
        describe_chain_heat(b, chain);
    }
    bioheat_heating_describe(b->heating, report);
    if (b->cut.text[0])
        cJSON_AddStringToObject(report, "unfinished_plan", b->cut.text);
    describe_results(b, report);
    bioheat_sensors_describe(b, report);
    describe_transducer(b, report);
}
