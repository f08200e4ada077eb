// A medium from a CT (domain.ct): air is void, soft tissue is one tissue, and bone has the density that
// follows from its Hounsfield units, cell by cell.
#include "models/bioheat/body/domain_private.h"

#include "core/log.h"
#include "models/params.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

enum status domain_open_ct(struct bioheat_domain *d)
{
    static const char key[] = "domain.ct.file";
    struct domain_input *density = &d->inputs[INPUT_DENSITY];
    struct media_ct *ct = &d->ct;
    CHECK_KEY(d->job, key, path_find(job_string(d->job, key), job_directory(d->job), density->path));
    // All four quantities follow from the one volume, which the first of them holds.
    for (int kind = INPUT_DENSITY; kind <= INPUT_PERFUSION; kind++) {
        if (kind == INPUT_PERFUSION && !job_boolean(d->job, "physics.perfusion"))
            continue;
        d->inputs[kind].key = d->inputs[kind].file_key = key;
        d->inputs[kind].variable = job_string(d->job, "domain.ct.variable");
        memcpy(d->inputs[kind].path, density->path, sizeof density->path);
    }
    ct->relation = (enum bioheat_ct_relation)params_choice(job_string(d->job, "domain.ct.relation"),
                                                           bioheat_ct_relations, BIOHEAT_CT_RELATIONS);
    ct->bone_from_hu = job_number(d->job, "domain.ct.bone_from");
    ct->air_below_hu = job_number(d->job, "domain.ct.air_below");
    if (!(ct->air_below_hu < ct->bone_from_hu))
        return job_fail(d->job, "domain.ct.air_below", "%g HU is not below domain.ct.bone_from, %g HU",
                        ct->air_below_hu, ct->bone_from_hu);
    ct->low_hu = INFINITY;
    ct->high_hu = -INFINITY;
    d->perfusion_kind = BIOHEAT_PERFUSION_HEAT;
    return domain_open_input(d, INPUT_DENSITY);
}

static enum status read_tissue(struct bioheat_domain *d, const char *key, struct bioheat_tissue *tissue,
                               struct bioheat_medium *medium)
{
    const struct bioheat_body *body = d->body;
    cJSON *name = cJSON_CreateString(job_string(d->job, key));
    const enum status status = bioheat_tissue_of_job(d->job, key, name, body->tissues, tissue);
    cJSON_Delete(name);
    CHECK(status);
    return bioheat_tissue_medium(d->job, key, tissue, BIOHEAT_TISSUE, body->has_perfusion,
                                 body->blood_density_kg_m3, body->blood_specific_heat_j_kg_k, medium);
}

enum status domain_read_ct_tissues(struct bioheat_domain *d)
{
    CHECK(read_tissue(d, "domain.ct.soft_tissue", &d->ct.soft, &d->ct.soft_medium));
    return read_tissue(d, "domain.ct.bone", &d->ct.bone, &d->ct.bone_medium);
}

// A quantity of a cell in its canonical unit.
static double quantity(const struct media_ct *ct, int kind, double hu)
{
    const bool is_bone = hu >= ct->bone_from_hu;
    const struct bioheat_tissue *tissue = is_bone ? &ct->bone : &ct->soft;
    const struct bioheat_medium *medium = is_bone ? &ct->bone_medium : &ct->soft_medium;
    const double density = is_bone ? bioheat_ct_density(ct->relation, hu) : ct->soft.density_kg_m3;
    switch (kind) {
    case INPUT_DENSITY:
        return density;
    case INPUT_SPECIFIC_HEAT:
        return tissue->specific_heat_j_kg_k;
    case INPUT_CONDUCTIVITY:
        return hu < ct->air_below_hu ? 0 : medium->conductivity_w_m_k; // 0: void
    default: // a perfusion of a mass of tissue grows with the density
        return isnan(tissue->perfusion[BIOHEAT_PERFUSION_PER_MASS])
                   ? medium->perfusion_w_m3_k
                   : medium->perfusion_w_m3_k * density / tissue->density_kg_m3;
    }
}

// Each plane once.
static void count_cells(struct media_ct *ct, const double *hu, size_t cells, size_t first, size_t planes)
{
    if (first != ct->counted_planes)
        return;
    ct->counted_planes += planes;
    for (size_t i = 0; i < cells; i++) {
        ct->cells[hu[i] < ct->air_below_hu ? CT_AIR : hu[i] >= ct->bone_from_hu ? CT_BONE : CT_SOFT]++;
        ct->dense_cells += hu[i] >= fmax(BIOHEAT_CT_DENSE_HU, ct->bone_from_hu);
        ct->beyond_cells += hu[i] >= ct->bone_from_hu && bioheat_ct_is_beyond(ct->relation, hu[i]);
        const double bin = floor((hu[i] - BIOHEAT_CT_LOWEST_HU) / CT_AIR_BIN_HU);
        if (bin >= 0 && bin < CT_AIR_BINS)
            ct->air_bins[(int)bin]++;
    }
}

// The first cell of planes `first` … end - 1 that is beyond a CT's range: STATUS_DATA, with its place.
static enum status check_planes(const struct bioheat_domain *d, size_t first, size_t end, double *values,
                                double *scratch)
{
    const struct domain_input *input = &d->inputs[INPUT_DENSITY];
    const size_t cells = domain_plane_cells(d);
    char place[MEDIA_PLACE_BYTES];
    for (size_t z = first; z < end; z++) {
        CHECK(volume_read(input->volume, z, 1, values, scratch));
        for (size_t i = 0; i < cells; i++)
            CHECK(bioheat_ct_check_value(input->path, domain_place(&d->body->grid, z * cells + i, place),
                                         values[i]));
    }
    return STATUS_OK;
}

enum status domain_read_ct(struct bioheat_domain *d, int kind, size_t first, size_t count, double *values,
                           double *scratch)
{
    struct media_ct *ct = &d->ct;
    const struct domain_input *input = &d->inputs[INPUT_DENSITY];
    const size_t cells = count * domain_plane_cells(d), base = first * domain_plane_cells(d);
    CHECK(volume_read(input->volume, first, count, values, scratch));
    if (kind == INPUT_DENSITY)
        count_cells(ct, values, cells, first, count);
    for (size_t i = 0; i < cells; i++) {
        const double hu = values[i];
        if (!(hu >= BIOHEAT_CT_LOWEST_HU && hu <= BIOHEAT_CT_HIGHEST_HU)) {
            // The survey reads the planes behind an insulated face first.
            char place[MEDIA_PLACE_BYTES];
            if (first > ct->counted_planes)
                CHECK(check_planes(d, ct->counted_planes, first, values, scratch));
            return bioheat_ct_check_value(input->path, domain_place(&d->body->grid, base + i, place), hu);
        }
        ct->low_hu = fmin(ct->low_hu, hu);
        ct->high_hu = fmax(ct->high_hu, hu);
        values[i] = quantity(ct, kind, hu);
    }
    return STATUS_OK;
}

// The most common of the low values is that of the air around the head: one of air that is far from -1000 HU
// shows a slope that was lost. The mean of the five bins, for noise, that have the most; NaN: there are
// hardly any such values.
static double common_air_hu(const struct media_ct *ct)
{
    enum { WIDTH = 5 };
    size_t most = 0, low_cells = 0;
    double common_hu = NAN;
    for (size_t k = 0; k < CT_AIR_BINS; k++)
        low_cells += ct->air_bins[k];
    for (size_t k = 0; k + WIDTH <= CT_AIR_BINS; k++) {
        size_t cells = 0;
        double sum = 0;
        for (size_t n = k; n < k + WIDTH; n++) {
            cells += ct->air_bins[n];
            sum += ((double)n + 0.5) * (double)ct->air_bins[n];
        }
        if (cells > most) {
            most = cells;
            common_hu = BIOHEAT_CT_LOWEST_HU + CT_AIR_BIN_HU * sum / (double)cells;
        }
    }
    const double all = (double)ct->cells[CT_SOFT] + (double)ct->cells[CT_BONE] + (double)ct->cells[CT_AIR];
    return (double)low_cells > 0.01 * all ? common_hu : (double)NAN;
}

static void warn_of_air(const struct bioheat_domain *d)
{
    static const double air_hu = -1000, usual_hu = 150;
    const double common_hu = common_air_hu(&d->ct);
    if (fabs(common_hu - air_hu) > usual_hu)
        job_warn(d->job, "domain.ct.file",
                 "%s: the most common of the values below -300 HU is about %.0f HU; air has -1000 HU: were "
                 "slope or intercept lost, or the values scaled?",
                 d->inputs[INPUT_DENSITY].path, common_hu);
}

// A slope that is too large does not show in air that was set to -1000 HU, as of a pseudo-CT, but in bone
// that is denser than any.
static void warn_of_dense_bone(const struct bioheat_domain *d)
{
    static const double usual_share = 0.05;
    const double bone = (double)d->ct.cells[CT_BONE], dense = (double)d->ct.dense_cells;
    if (dense > usual_share * bone)
        job_warn(
            d->job, "domain.ct.file",
            "%s: %.3g %% of the bone has %g HU or more, the largest %g HU; the dense bone of a skull has "
            "1000 to 2000: was its slope applied twice, or is it too large?",
            d->inputs[INPUT_DENSITY].path, 100 * dense / bone, BIOHEAT_CT_DENSE_HU, d->ct.high_hu);
}

// A slope that is too small does not show in such air either, but leaves no dense bone. Half of the least
// that the dense bone of a skull has, as coarse cells mix it with what lies beside it.
static void warn_of_soft_bone(const struct bioheat_domain *d)
{
    static const double densest_hu = 500;
    if (d->ct.cells[CT_BONE] > 0 && d->ct.high_hu < densest_hu)
        job_warn(
            d->job, "domain.ct.file",
            "%s: the densest bone has %g HU; the dense bone of a skull has 1000 to 2000: was its slope lost, "
            "or is it too small?",
            d->inputs[INPUT_DENSITY].path, d->ct.high_hu);
}

// A room without air, or a head that is mostly bone, is a CT whose intercept or slope was lost.
void domain_tell_ct(const struct bioheat_domain *d)
{
    const struct media_ct *ct = &d->ct;
    const char *path = d->inputs[INPUT_DENSITY].path;
    const double tissue = (double)(ct->cells[CT_SOFT] + ct->cells[CT_BONE]),
                 all = tissue + (double)ct->cells[CT_AIR];
    log_info(
        "domain.ct: %zu cells of air (%.3g %%), %zu of soft tissue (%.3g %%), %zu of bone (%.3g %%); %g to "
        "%g HU",
        ct->cells[CT_AIR], 100 * (double)ct->cells[CT_AIR] / all, ct->cells[CT_SOFT],
        100 * (double)ct->cells[CT_SOFT] / all, ct->cells[CT_BONE], 100 * (double)ct->cells[CT_BONE] / all,
        ct->low_hu, ct->high_hu);
    if (ct->cells[CT_AIR] == 0)
        job_warn(
            d->job, "domain.ct.air_below",
            "%s has no air: no value lies below %g HU, the smallest is %g; around a head there is air of "
            "-1000 HU: was the intercept lost (-1024 HU), or the image cut at the skin?",
            path, ct->air_below_hu, ct->low_hu);
    warn_of_air(d);
    warn_of_dense_bone(d);
    warn_of_soft_bone(d);
    if ((double)ct->cells[CT_BONE] > 0.5 * tissue)
        job_warn(d->job, "domain.ct.bone_from",
                 "%s: %.0f %% of what is not air is bone, by %g HU or more: was the intercept lost?", path,
                 100 * (double)ct->cells[CT_BONE] / tissue, ct->bone_from_hu);
    if (ct->beyond_cells > 0)
        job_warn(
            d->job, "domain.ct.relation",
            "%s: %zu cells would be denser than %g kg/m3, to which %s is used (ct.h): they have its values "
            "there; is it metal?",
            path, ct->beyond_cells, BIOHEAT_CT_DENSEST_KG_M3, bioheat_ct_relations[ct->relation]);
}

enum status domain_check_ct(const struct bioheat_domain *d)
{
    const struct media_ct *ct = &d->ct;
    CHECK(bioheat_ct_check_range(d->inputs[INPUT_DENSITY].path, ct->low_hu, ct->high_hu));
    if (ct->high_hu < ct->bone_from_hu)
        job_warn(d->job, "domain.ct.bone_from", "%s has no bone: its largest value is %g HU",
                 d->inputs[INPUT_DENSITY].path, ct->high_hu);
    return STATUS_OK;
}

void bioheat_domain_describe_ct(const struct bioheat_domain *d, struct cJSON *media)
{
    static const double frequency_hz = 1e6;
    const struct media_ct *ct = &d->ct;
    if (!d->has_ct)
        return;
    cJSON *item = cJSON_AddObjectToObject(media, "ct");
    const double ends[2] = {fmax(ct->low_hu, ct->bone_from_hu), ct->high_hu};
    double density[2], speed[2], attenuation[2];
    cJSON_AddStringToObject(item, "relation", bioheat_ct_relations[ct->relation]);
    cJSON_AddItemToObject(item, "range_hu", cJSON_CreateDoubleArray((double[]){ct->low_hu, ct->high_hu}, 2));
    cJSON_AddNumberToObject(item, "air_cells", (double)ct->cells[CT_AIR]);
    cJSON_AddNumberToObject(item, "soft_tissue_cells", (double)ct->cells[CT_SOFT]);
    cJSON_AddNumberToObject(item, "bone_cells", (double)ct->cells[CT_BONE]);
    cJSON_AddNumberToObject(item, "dense_bone_cells", (double)ct->dense_cells);
    cJSON_AddNumberToObject(item, "cells_beyond_relation", (double)ct->beyond_cells);
    cJSON_AddNumberToObject(item, "air_below_hu", ct->air_below_hu);
    cJSON_AddNumberToObject(item, "bone_from_hu", ct->bone_from_hu);
    cJSON_AddStringToObject(item, "soft_tissue", ct->soft.name);
    cJSON_AddStringToObject(item, "bone", ct->bone.name);
    if (ends[0] > ends[1])
        return;
    for (int k = 0; k < 2; k++) {
        density[k] = bioheat_ct_density(ct->relation, ends[k]);
        speed[k] = bioheat_ct_sound_speed(ct->relation, density[k]);
        attenuation[k] = bioheat_ct_attenuation(ct->relation, density[k], frequency_hz);
    }
    cJSON_AddItemToObject(item, "bone_density_kg_m3", cJSON_CreateDoubleArray(density, 2));
    cJSON_AddItemToObject(item, "bone_sound_speed_m_s", cJSON_CreateDoubleArray(speed, 2));
    if (isfinite(attenuation[0]))
        cJSON_AddItemToObject(item, "bone_attenuation_np_m_at_1_mhz",
                              cJSON_CreateDoubleArray(attenuation, 2));
}
