// The medium of a run, its tissues, and a first pass over its values before the run: see domain.h.
#include "models/bioheat/body/domain_private.h"

#include "core/log.h"
#include "io/nifti.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// A density (kg/m³) below which a tissue is a gas: even inflated lung has 394.
static const double gas_density_kg_m3 = 100;
// A gas is refused if it shortens the step so many times.
static const double gas_share = 2;

void bioheat_domain_close(struct bioheat_domain *d)
{
    if (!d)
        return;
    domain_close_inputs(d);
    bioheat_label_table_close(&d->label_table);
    free(d->contacts);
    free(d);
}

const struct bioheat_media *bioheat_domain_media(const struct bioheat_domain *d)
{
    return &d->media;
}

const struct nifti_place *bioheat_domain_place(const struct bioheat_domain *d)
{
    return d->has_place ? &d->place : NULL;
}

int bioheat_domain_inputs(const struct bioheat_domain *d, const char **paths)
{
    int count = 0;
    for (int k = 0; k < INPUTS; k++) {
        bool is_new = domain_has(d, k);
        for (int j = 0; j < count; j++)
            is_new &= strcmp(paths[j], d->inputs[k].path) != 0;
        if (is_new)
            paths[count++] = d->inputs[k].path;
    }
    if (d->label_table.path[0])
        paths[count++] = d->label_table.path;
    return count;
}

// ---- tissues

static enum status set_medium(struct bioheat_domain *d, int label, const char *key, enum bioheat_role role)
{
    struct bioheat_body *body = d->body;
    const struct bioheat_tissue *tissue = &d->tissues[label];
    memcpy(body->label_names[label], tissue->name, BIOHEAT_NAME_BYTES);
    body->safety_dose_min[label] = tissue->safety_dose_min;
    body->is_consensus_limit[label] = tissue->is_consensus_limit;
    return bioheat_tissue_medium(d->job, key, tissue, role, body->has_perfusion, body->blood_density_kg_m3,
                                 body->blood_specific_heat_j_kg_k, &d->media.table[label]);
}

// The uniform medium is label 1. Its block is read as a tissue.
static enum status read_uniform(struct bioheat_domain *d)
{
    static const char *const members[] = {
        "tissue",    "density",     "specific_heat", "conductivity",
        "perfusion", "sound_speed", "attenuation",   "attenuation_exponent"};
    const cJSON *block = job_json(d->job, "domain.uniform");
    cJSON *own = cJSON_CreateObject();
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        const cJSON *member = cJSON_GetObjectItemCaseSensitive(block, members[k]);
        if (member)
            cJSON_AddItemToObject(own, members[k], cJSON_Duplicate(member, 1));
    }
    const enum status status =
        bioheat_tissue_of_job(d->job, "domain.uniform", own, d->body->tissues, &d->tissues[1]);
    cJSON_Delete(own);
    CHECK(status);
    d->has_tissue[1] = true;
    return set_medium(d, 1, "domain.uniform", BIOHEAT_TISSUE);
}

static enum status read_label(const struct job *job, const char *key, const char *text, int *label)
{
    char *end;
    const long number = strtol(text, &end, 10);
    if (end == text || *end || number < 0 || number >= BIOHEAT_LABELS)
        return job_fail(job, key, "\"%.40s\" is not a label: expected a whole number from 0 to 255", text);
    *label = (int)number;
    return STATUS_OK;
}

static enum status read_role(struct bioheat_domain *d, const char *key, enum bioheat_role role,
                             bool has_role[])
{
    const cJSON *list = job_json(d->job, key);
    if (list && !cJSON_IsArray(list))
        return job_fail(d->job, key, "expected a list of labels, like [0]");
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next) {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble < BIOHEAT_LABELS) ||
            item->valuedouble != floor(item->valuedouble))
            return job_fail(d->job, key, "expected whole numbers from 0 to 255");
        const int label = item->valueint;
        if (has_role[label])
            return job_fail(d->job, key, "label %d is listed twice, here or in tissues.void", label);
        has_role[label] = true;
        d->media.table[label].role = role;
    }
    return STATUS_OK;
}

// The list of labels of fixed temperature, by its name or the one that it had before.
static enum status find_held(const struct job *job, const char **key)
{
    static const char name[] = "tissues.fixed_temperature", old_name[] = "tissues.kept";
    *key = name;
    if (!job_has(job, old_name))
        return STATUS_OK;
    if (job_has(job, name))
        return job_fail(job, old_name, "is the old name of %s, which the job has too", name);
    job_warn(job, old_name, "is now called %s; the next version will not accept the old name", name);
    *key = old_name;
    return STATUS_OK;
}

// The tissue of a label: an entry of the job, or of the table that it names.
static enum status read_entry(struct bioheat_domain *d, const char *key, const cJSON *item, int label)
{
    CHECK(bioheat_tissue_of_job(d->job, key, item, d->body->tissues, &d->tissues[label]));
    d->has_tissue[label] = true;
    if (d->media.table[label].role != BIOHEAT_VOID)
        return set_medium(d, label, key, d->media.table[label].role);
    memcpy(d->body->label_names[label], d->tissues[label].name, BIOHEAT_NAME_BYTES); // all that counts
    return STATUS_OK;
}

// The name of a table of labels that stands for the block, or in it; NULL: none.
static enum status name_table(const struct job *job, const cJSON *labels, const char **name)
{
    const cJSON *own = cJSON_IsObject(labels) ? cJSON_GetObjectItemCaseSensitive(labels, "table") : labels;
    *name = cJSON_IsString(own) ? own->valuestring : NULL;
    if (own && own != labels && !*name)
        return job_fail(job, "tissues.labels.table", "expected the name of a table, like \"simnibs-charm\"");
    if (!cJSON_IsObject(labels) && !*name)
        return job_fail(job, "tissues.labels",
                        labels ? "expected an object, like {\"1\": \"skin\"}, or the name of a table"
                               : "is missing: {\"1\": \"skin\", ...} gives the tissue of each label");
    return STATUS_OK;
}

// Labels of the table that the job itself does not describe.
static enum status read_table(struct bioheat_domain *d, const char *name, bool has_role[])
{
    struct bioheat_label_table *table = &d->label_table;
    CHECK(bioheat_label_table_open(d->job, "tissues.labels", name, table));
    for (const cJSON *item = table->air ? table->air->child : NULL; item; item = item->next) {
        const int label = item->valueint;
        if (label < 0 || label >= BIOHEAT_LABELS || has_role[label] || d->has_tissue[label])
            continue;
        has_role[label] = d->is_of_table[label] = true;
        d->media.table[label].role = BIOHEAT_VOID;
    }
    for (const cJSON *item = table->labels->child; item; item = item->next) {
        int label = 0;
        char key[128];
        CHECK(read_label(d->job, "tissues.labels", item->string, &label));
        snprintf(key, sizeof key, "tissues.labels (table %.60s).%d", name, label);
        if (d->has_tissue[label])
            continue;
        CHECK(read_entry(d, key, item, label));
        d->is_of_table[label] = true;
    }
    return STATUS_OK;
}

static enum status read_labels(struct bioheat_domain *d)
{
    const char *held_key, *table;
    const cJSON *labels = job_json(d->job, "tissues.labels");
    bool has_role[BIOHEAT_LABELS] = {false};
    CHECK(read_role(d, "tissues.void", BIOHEAT_VOID, has_role));
    CHECK(find_held(d->job, &held_key));
    CHECK(read_role(d, held_key, BIOHEAT_HELD, has_role));
    CHECK(name_table(d->job, labels, &table));
    for (const cJSON *item = cJSON_IsObject(labels) ? labels->child : NULL; item; item = item->next) {
        int label = 0;
        char key[64];
        if (strcmp(item->string, "table") == 0)
            continue;
        CHECK(read_label(d->job, "tissues.labels", item->string, &label));
        snprintf(key, sizeof key, "tissues.labels.%d", label);
        if (d->has_tissue[label])
            return job_fail(d->job, key, "is given twice");
        CHECK(read_entry(d, key, item, label));
    }
    if (table)
        CHECK(read_table(d, table, has_role));
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        if (!has_role[label] || d->has_tissue[label])
            continue;
        if (d->media.table[label].role == BIOHEAT_HELD)
            return job_fail(d->job, held_key,
                            "label %d needs a tissue in tissues.labels: heat passes to and from it", label);
        snprintf(d->body->label_names[label], BIOHEAT_NAME_BYTES, "void");
    }
    return STATUS_OK;
}

enum status bioheat_domain_read_tissues(struct bioheat_domain *d)
{
    struct bioheat_body *body = d->body;
    d->media.blood_heat_capacity_j_m3_k = body->blood_density_kg_m3 * body->blood_specific_heat_j_kg_k;
    d->media.arterial_theta_k = body->arterial_c - body->reference_c;
    d->media.contrast_limit = body->contrast_limit;
    d->media.interfaces = body->interfaces;
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        body->safety_dose_min[label] = NAN;
    static const char *const keys[] = {"tissues.labels", "tissues.void", "tissues.fixed_temperature",
                                       "tissues.kept"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (d->kind != DOMAIN_LABELS && job_has(d->job, keys[k]))
            return job_fail(d->job, keys[k], "is for a volume of labels (domain.labels); this job has none");
    return d->kind == DOMAIN_UNIFORM  ? read_uniform(d)
           : d->kind == DOMAIN_LABELS ? read_labels(d)
           : d->has_ct                ? domain_read_ct_tissues(d)
                                      : STATUS_OK;
}

enum status bioheat_domain_acoustics(const struct bioheat_domain *d, double frequency_hz,
                                     struct bioheat_acoustics acoustics[BIOHEAT_LABELS])
{
    if (!d->media.has_labels)
        return job_fail(d->job, "source.pressure",
                        "needs tissues: a domain of labels or a uniform one, not domain.%s",
                        d->has_ct ? "ct" : "fields");
    memset(acoustics, 0, BIOHEAT_LABELS * sizeof *acoustics);
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        char key[64] = "domain.uniform";
        if (d->kind == DOMAIN_LABELS)
            snprintf(key, sizeof key, "tissues.labels.%d", label);
        if (d->media.is_used[label] && d->media.table[label].role == BIOHEAT_TISSUE)
            CHECK(bioheat_tissue_acoustics(d->job, key, &d->tissues[label], frequency_hz, &acoustics[label]));
    }
    return STATUS_OK;
}

const char *bioheat_domain_image_path(const struct bioheat_domain *d)
{
    return d->kind == DOMAIN_LABELS && nifti_is(d->inputs[INPUT_LABELS].path) ? d->inputs[INPUT_LABELS].path
                                                                              : NULL;
}

const struct bioheat_tissue *bioheat_domain_tissue(const struct bioheat_domain *d, int label)
{
    return &d->tissues[label];
}

const char *bioheat_domain_label_hash(const struct bioheat_domain *d)
{
    return d->label_hash_text;
}

size_t bioheat_domain_label_cells(const struct bioheat_domain *d, int label)
{
    return d->label_cells[label];
}

const char *bioheat_domain_label_name(const struct bioheat_domain *d, int label)
{
    return d->body->label_names[label];
}

bool bioheat_domain_is_unsolved_tissue(const struct bioheat_domain *d, int label)
{
    const char *name = d->body->label_names[label];
    if (d->kind != DOMAIN_LABELS || !d->media.is_used[label] || d->media.table[label].role == BIOHEAT_TISSUE)
        return false;
    if (d->has_tissue[label])
        return strcmp(name, "air") != 0 && strcmp(name, "water") != 0;
    return label != 0 && !d->is_of_table[label];
}

enum status bioheat_domain_read_labels(struct bioheat_domain *d, size_t z, uint8_t *labels, double *planes)
{
    const size_t cells = domain_plane_cells(d);
    if (d->kind == DOMAIN_UNIFORM) {
        memset(labels, 1, cells);
        return STATUS_OK;
    }
    CHECK(domain_read_input(d, INPUT_LABELS, z, 1, planes, planes + cells));
    for (size_t i = 0; i < cells; i++)
        labels[i] = (uint8_t)planes[i];
    return STATUS_OK;
}

// In the numbers of the run's precision, as the solvers have them.
static enum bioheat_role role_of_fields(enum element real, double conductivity, double heat_capacity)
{
    const bool is_single = real == ELEMENT_F32;
    if ((is_single ? element_rounded_to_single(conductivity) : conductivity) == 0)
        return BIOHEAT_VOID;
    return isinf(is_single ? element_rounded_to_single(heat_capacity) : heat_capacity) ? BIOHEAT_HELD
                                                                                       : BIOHEAT_TISSUE;
}

static double warming_of(const struct bioheat_medium *medium)
{
    return medium->role == BIOHEAT_TISSUE ? 1 / medium->heat_capacity_j_m3_k : 0;
}

// Of plane z of media that are fields: heat capacities, J/(m3 K), and conductivities, W/(m K).
static enum status read_fields(struct bioheat_domain *d, size_t z, double *capacity, double *conductivity,
                               double *scratch)
{
    CHECK(domain_read_input(d, INPUT_DENSITY, z, 1, capacity, scratch));
    CHECK(domain_read_input(d, INPUT_SPECIFIC_HEAT, z, 1, conductivity, scratch));
    domain_heat_capacity(capacity, conductivity, domain_plane_cells(d), capacity);
    return domain_read_input(d, INPUT_CONDUCTIVITY, z, 1, conductivity, scratch);
}

enum status bioheat_domain_read_roles(struct bioheat_domain *d, size_t z, uint8_t *roles, double *planes)
{
    const size_t cells = domain_plane_cells(d);
    double *values = planes, *capacity = planes + cells, *scratch = planes + 2 * cells;
    if (d->media.has_labels) {
        CHECK(bioheat_domain_read_labels(d, z, roles, planes));
        for (size_t i = 0; i < cells; i++)
            roles[i] = (uint8_t)d->media.table[roles[i]].role;
        return STATUS_OK;
    }
    CHECK(read_fields(d, z, capacity, values, scratch));
    for (size_t i = 0; i < cells; i++)
        roles[i] = (uint8_t)role_of_fields(d->body->precision, values[i], capacity[i]);
    return STATUS_OK;
}

enum status bioheat_domain_read_warming(struct bioheat_domain *d, size_t z, double *warming, double *planes)
{
    const size_t cells = domain_plane_cells(d);
    double *values = planes, *capacity = planes + cells, *scratch = planes + 2 * cells;
    if (d->kind == DOMAIN_LABELS)
        CHECK(domain_read_input(d, INPUT_LABELS, z, 1, values, scratch));
    for (size_t i = 0; i < cells && d->media.has_labels; i++)
        warming[i] = warming_of(&d->media.table[d->kind == DOMAIN_UNIFORM ? 1 : (uint8_t)values[i]]);
    if (d->media.has_labels)
        return STATUS_OK;
    CHECK(read_fields(d, z, capacity, values, scratch));
    for (size_t i = 0; i < cells; i++)
        warming[i] = role_of_fields(d->body->precision, values[i], capacity[i]) == BIOHEAT_TISSUE
                         ? 1 / capacity[i]
                         : 0;
    return STATUS_OK;
}

// ---- the survey

// Reads planes for the stability, and counts labels and gas.
struct survey {
    struct bioheat_domain *domain;
    size_t next; // first plane not yet counted: those at periodic and insulated faces are read twice
    double *values, *density, *scratch;
    // Of full fields: the largest diffusivity of what is not a gas, and the gas.
    double dense_m2_s, gas_m2_s;
    size_t gas_cells, gas_first, tissue_cells;
};

static void count_labels(struct survey *s, size_t z, const uint8_t *labels)
{
    struct bioheat_domain *d = s->domain;
    const size_t cells = domain_plane_cells(d);
    const size_t *n = d->body->grid.cells;
    d->label_hash = XXH3_64bits_withSeed(labels, cells, d->label_hash);
    label_check_count(labels, z == 0 || z + 1 == n[BIOHEAT_Z], n[BIOHEAT_Y], n[BIOHEAT_X], d->contacts);
    for (size_t i = 0; i < cells; i++) {
        const uint8_t label = labels[i];
        if (d->label_cells[label]++ == 0)
            d->label_first[label] = z * cells + i;
        if (!d->has_tissue[label] && d->media.table[label].role == BIOHEAT_TISSUE)
            d->media.table[label].role = BIOHEAT_VOID; // refused below, after all were counted
    }
}

static enum status survey_labels(struct survey *s, size_t z, struct bioheat_plane *plane)
{
    struct bioheat_domain *d = s->domain;
    const size_t cells = domain_plane_cells(d);
    if (d->kind == DOMAIN_UNIFORM) {
        memset(plane->labels, 1, cells);
        return STATUS_OK;
    }
    CHECK(domain_read_input(d, INPUT_LABELS, z, 1, s->values, s->scratch));
    for (size_t i = 0; i < cells; i++)
        plane->labels[i] = (uint8_t)s->values[i];
    if (z == s->next)
        count_labels(s, z, plane->labels);
    return STATUS_OK;
}

static void count_gas(struct survey *s, size_t z, const struct bioheat_plane *plane)
{
    const size_t cells = domain_plane_cells(s->domain);
    for (size_t i = 0; i < cells; i++) {
        const double d_m2_s = plane->conductivity[i] / plane->heat_capacity[i];
        if (!(d_m2_s > 0)) // void or of fixed temperature
            continue;
        s->tissue_cells++;
        if (s->density[i] >= gas_density_kg_m3) {
            s->dense_m2_s = fmax(s->dense_m2_s, d_m2_s);
            continue;
        }
        if (s->gas_cells++ == 0)
            s->gas_first = z * cells + i;
        s->gas_m2_s = fmax(s->gas_m2_s, d_m2_s);
    }
}

static enum status survey_fields(struct survey *s, size_t z, struct bioheat_plane *plane)
{
    struct bioheat_domain *d = s->domain;
    const size_t cells = domain_plane_cells(d);
    CHECK(domain_read_input(d, INPUT_DENSITY, z, 1, s->density, s->scratch));
    CHECK(domain_read_input(d, INPUT_SPECIFIC_HEAT, z, 1, s->values, s->scratch));
    domain_heat_capacity(s->density, s->values, cells, plane->heat_capacity);
    CHECK(domain_read_input(d, INPUT_CONDUCTIVITY, z, 1, plane->conductivity, s->scratch));
    if (domain_has(d, INPUT_PERFUSION)) {
        CHECK(domain_read_input(d, INPUT_PERFUSION, z, 1, plane->perfusion, s->scratch));
        domain_perfusion(d, s->density, plane->perfusion, cells);
    }
    if (z == s->next)
        count_gas(s, z, plane);
    return STATUS_OK;
}

static enum status survey_plane(void *context, size_t z, struct bioheat_plane *plane)
{
    struct survey *s = context;
    CHECK(s->domain->media.has_labels ? survey_labels(s, z, plane) : survey_fields(s, z, plane));
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        if (plane->velocity_m_s[axis])
            CHECK(domain_read_input(s->domain, INPUT_VELOCITY + axis, z, 1, plane->velocity_m_s[axis],
                                    s->scratch));
    s->next += z == s->next;
    return STATUS_OK;
}

static enum status check_labels_known(const struct bioheat_domain *d)
{
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        if (d->label_cells[label] == 0 || d->has_tissue[label] || d->body->label_names[label][0])
            continue;
        char place[MEDIA_PLACE_BYTES];
        return FAIL(STATUS_DATA,
                    "%s: label %d has no tissue: %zu of its cells, the first %s; add it to tissues.labels, "
                    "or to tissues.void if it is air or outside",
                    d->inputs[INPUT_LABELS].path, label, d->label_cells[label],
                    domain_place(&d->body->grid, d->label_first[label], place));
    }
    return STATUS_OK;
}

static double diffusivity(const struct bioheat_medium *medium)
{
    return medium->conductivity_w_m_k / medium->heat_capacity_j_m3_k;
}

// Air among tissues would determine the step of the whole run.
static enum status check_gas(const struct bioheat_domain *d)
{
    int gas = -1;
    double densest_d = 0; // largest diffusivity of what is not a gas
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const struct bioheat_medium *medium = &d->media.table[label];
        if (!d->media.is_used[label] || medium->role != BIOHEAT_TISSUE)
            continue;
        if (d->tissues[label].density_kg_m3 < gas_density_kg_m3)
            gas = gas >= 0 ? gas : label;
        else
            densest_d = fmax(densest_d, diffusivity(medium));
    }
    if (gas < 0 || densest_d == 0 || diffusivity(&d->media.table[gas]) < gas_share * densest_d)
        return STATUS_OK;
    char place[MEDIA_PLACE_BYTES];
    return job_fail(d->job, "tissues",
                    "label %d (%s) is a gas (%g kg/m3) among tissues: its diffusivity, %.2g m2/s, would make "
                    "all steps %.0f times shorter; put it into tissues.void (no heat passes) or "
                    "tissues.fixed_temperature; %zu cells, the first %s",
                    gas, d->tissues[gas].name, d->tissues[gas].density_kg_m3,
                    diffusivity(&d->media.table[gas]), diffusivity(&d->media.table[gas]) / densest_d,
                    d->label_cells[gas], domain_place(&d->body->grid, d->label_first[gas], place));
}

// Several labels may have the same tissue.
static void warn_of_tissues(const struct bioheat_domain *d)
{
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        bool is_new = d->media.is_used[label] && d->media.table[label].role == BIOHEAT_TISSUE;
        for (int other = 0; other < label; other++)
            is_new &= !d->media.is_used[other] || strcmp(d->tissues[other].name, d->tissues[label].name) != 0;
        if (is_new)
            bioheat_tissue_warn(d->job, d->kind == DOMAIN_UNIFORM ? "domain.uniform" : "tissues",
                                &d->tissues[label]);
    }
}

// Programs of segmentation give 0 to what lies outside the body: air, or water about it.
static void warn_of_background(const struct bioheat_domain *d)
{
    char place[MEDIA_PLACE_BYTES];
    const char *name = d->tissues[0].name;
    if (d->kind == DOMAIN_LABELS && d->media.is_used[0] && d->media.table[0].role == BIOHEAT_TISSUE &&
        strcmp(name, "water") != 0)
        job_warn(d->job, "tissues.labels.0",
                 "label 0 is %s here: %zu cells, the first %s; most programs give 0 to what is outside the "
                 "body: if it is, list it under tissues.void",
                 name, d->label_cells[0], domain_place(&d->body->grid, d->label_first[0], place));
}

// Results have tissues by their names: labels of one name get their number after it.
static void name_apart(const struct bioheat_domain *d, const bool is_tissue[BIOHEAT_LABELS])
{
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        char *name = d->body->label_names[label];
        bool is_shared = false;
        for (int other = 0; other < BIOHEAT_LABELS && is_tissue[label]; other++)
            is_shared |= other != label && is_tissue[other] &&
                         strcmp(d->tissues[other].name, d->tissues[label].name) == 0;
        if (is_shared)
            snprintf(name, sizeof d->body->label_names[label], "%s (label %d)", d->tissues[label].name,
                     label);
    }
}

// How many cells each label has, always; and whether they can be what the table says.
static void tell_labels(const struct bioheat_domain *d)
{
    const double all = (double)bioheat_cells(&d->body->grid);
    struct label_use uses[BIOHEAT_LABELS] = {0};
    char where[160];
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const size_t cells = d->label_cells[label];
        const bool is_void = d->media.table[label].role == BIOHEAT_VOID;
        const char *name = d->has_tissue[label] ? d->tissues[label].name : d->body->label_names[label];
        uses[label] = (struct label_use){.name = name, .cells = cells, .is_void = is_void};
        if (cells > 0)
            log_info("label %d (%s): %zu cells, %.3g %%", label, uses[label].name, cells,
                     100 * (double)cells / all);
    }
    if (!d->label_table.path[0])
        return;
    const cJSON *labels = job_json(d->job, "tissues.labels");
    const char *name;
    if (name_table(d->job, labels, &name) != STATUS_OK || !name)
        return;
    snprintf(where, sizeof where, "tissues.labels: table %.60s", name);
    label_check_warn(d->contacts, uses, where);
}

static enum status settle_labels(struct bioheat_domain *d)
{
    int used = 0, tissues = 0;
    bool is_tissue[BIOHEAT_LABELS];
    if (d->kind == DOMAIN_UNIFORM)
        d->label_cells[1] = bioheat_cells(&d->body->grid);
    else
        snprintf(d->label_hash_text, sizeof d->label_hash_text, "%016" PRIx64, d->label_hash);
    CHECK(check_labels_known(d));
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        d->media.is_used[label] = d->label_cells[label] > 0;
        used += d->media.is_used[label];
        is_tissue[label] = d->media.is_used[label] && d->media.table[label].role == BIOHEAT_TISSUE;
        tissues += is_tissue[label];
        if (d->has_tissue[label] && !d->is_of_table[label] && d->label_cells[label] == 0)
            log_info("tissues: label %d (%s) is not in %s", label, d->body->label_names[label],
                     d->kind == DOMAIN_LABELS ? d->inputs[INPUT_LABELS].path : "the domain");
    }
    CHECK(bioheat_tissues_check_choice(d->job, d->tissues, is_tissue, BIOHEAT_LABELS));
    name_apart(d, is_tissue);
    d->media.is_uniform = used == 1 && tissues == 1;
    if (tissues == 0)
        return job_fail(
            d->job, "tissues",
            "every label of the volume is void or has a fixed temperature: nothing is left to compute");
    CHECK(check_gas(d));
    warn_of_tissues(d);
    warn_of_background(d);
    return STATUS_OK;
}

static enum status settle_fields(const struct bioheat_domain *d, const struct survey *s)
{
    const char *path = d->inputs[INPUT_DENSITY].path;
    char place[MEDIA_PLACE_BYTES];
    if (d->has_ct)
        CHECK(domain_check_ct(d));
    if (s->tissue_cells == 0)
        return FAIL(STATUS_DATA,
                    "%s: every cell is void or has a fixed temperature: nothing is left to compute", path);
    if (s->gas_cells == 0 || s->dense_m2_s == 0 || s->gas_m2_s < gas_share * s->dense_m2_s)
        return STATUS_OK;
    return FAIL(STATUS_DATA,
                "%s: %zu cells are a gas (density below %g kg/m3) among tissues: their diffusivity, %.2g "
                "m2/s, would make all steps %.0f times shorter; give them conductivity 0 (void: no heat "
                "passes) or an infinite specific heat (their temperature is fixed); the first %s",
                path, s->gas_cells, gas_density_kg_m3, s->gas_m2_s, s->gas_m2_s / s->dense_m2_s,
                domain_place(&d->body->grid, s->gas_first, place));
}

// A uniform medium without a velocity needs no survey.
static bool is_simple(const struct bioheat_domain *d)
{
    bool is_simple = d->kind == DOMAIN_UNIFORM;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        is_simple &= d->media.velocity_m_s[axis] == NULL;
    return is_simple;
}

static void limit_uniform(const struct bioheat_domain *d, struct bioheat_limit *limit)
{
    const struct bioheat_medium *medium = &d->media.table[1];
    const struct bioheat_grid *grid = &d->body->grid;
    *limit = (struct bioheat_limit){.step_s = bioheat_uniform_limit_s(grid, medium),
                                    .cell = {grid->cells[0] / 2, grid->cells[1] / 2, grid->cells[2] / 2},
                                    .label = 1,
                                    .conductivity_w_m_k = medium->conductivity_w_m_k,
                                    .heat_capacity_j_m3_k = medium->heat_capacity_j_m3_k,
                                    .perfusion_w_m3_k = medium->perfusion_w_m3_k};
}

static enum status survey_open(struct bioheat_domain *d, struct survey *survey)
{
    const size_t cells = domain_plane_cells(d);
    double *memory = calloc(cells, 3 * sizeof *memory);
    if (!memory)
        return FAIL(STATUS_SYSTEM, "no memory for planes of %zu cells", cells);
    if (!d->contacts)
        d->contacts = calloc(1, sizeof *d->contacts);
    if (!d->contacts) {
        free(memory);
        return FAIL(STATUS_SYSTEM, "no memory for the labels' contacts");
    }
    *survey = (struct survey){
        .domain = d, .values = memory, .density = memory + cells, .scratch = memory + 2 * cells};
    return STATUS_OK;
}

static enum status survey_files(struct bioheat_domain *d, struct bioheat_limit *limit)
{
    struct survey survey;
    CHECK(survey_open(d, &survey));
    const enum status status = bioheat_step_limit(&d->body->grid, &d->media, survey_plane, &survey, limit);
    free(survey.values);
    CHECK(status);
    return d->kind == DOMAIN_FIELDS ? settle_fields(d, &survey) : STATUS_OK;
}

void bioheat_domain_tell(const struct bioheat_domain *d)
{
    if (d->kind == DOMAIN_LABELS)
        tell_labels(d);
    if (d->has_ct)
        domain_tell_ct(d);
}

enum status bioheat_domain_survey(struct bioheat_domain *d, struct bioheat_limit *limit)
{
    if (is_simple(d))
        limit_uniform(d, limit);
    else
        CHECK(survey_files(d, limit));
    return d->media.has_labels ? settle_labels(d) : STATUS_OK;
}

enum status bioheat_domain_start_rates(struct bioheat_domain *d, bioheat_read_theta *read, void *context,
                                       struct bioheat_start_rates *rates)
{
    struct survey survey;
    CHECK(survey_open(d, &survey));
    survey.next = SIZE_MAX; // everything was counted before
    const struct bioheat_start_readers readers = {
        .media = survey_plane, .media_context = &survey, .theta = read, .theta_context = context};
    const enum status status = bioheat_start_rates_find(&d->body->grid, &d->media, &readers, rates);
    free(survey.values);
    return status;
}
