// Job → checked parameters of a heat run: see params.h.
#include "models/bioheat/params.h"

#include "core/log.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/body/tissues.h"
#include "models/bioheat/initial.h"
#include "models/bioheat/start_check.h"
#include "models/params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bioheat_methods[BIOHEAT_WORDS] = {[BIOHEAT_EULER] = "euler",
                                                    [BIOHEAT_EULER_IN_PLACE] = "euler-in-place",
                                                    [BIOHEAT_THREE_COLOUR] = "three-colour",
                                                    [BIOHEAT_SOURCE_THREE_COLOUR] = "source-three-colour",
                                                    [BIOHEAT_RKL2] = "rkl2"};
static const char *const interface_words[BIOHEAT_WORDS] = {
    [BIOHEAT_TWO_POINT] = "two-point", [BIOHEAT_QUADRATIC] = "quadratic"};
const char *const bioheat_doses[BIOHEAT_WORDS] = {[BIOHEAT_DOSE_OFF] = "off",
                                                  [BIOHEAT_DOSE_PLAIN] = "cem43",
                                                  [BIOHEAT_DOSE_KWAVE] = "cem43-from-37",
                                                  [BIOHEAT_DOSE_ISO] = "cem43-from-39"};
// Earlier names of the same definitions.
static const char *const earlier_doses[BIOHEAT_WORDS] = {[BIOHEAT_DOSE_OFF] = "off",
                                                         [BIOHEAT_DOSE_PLAIN] = "none",
                                                         [BIOHEAT_DOSE_KWAVE] = "kwave",
                                                         [BIOHEAT_DOSE_ISO] = "iso"};
const char *const bioheat_face_kinds[BIOHEAT_WORDS] = {[BIOHEAT_FIXED] = "fixed",
                                                       [BIOHEAT_INSULATED] = "insulated",
                                                       [BIOHEAT_CONVECTIVE] = "convective",
                                                       [BIOHEAT_PERIODIC] = "periodic"};
const char *const bioheat_face_names[BIOHEAT_AXES][2] = {
    {"z_low", "z_high"}, {"y_low", "y_high"}, {"x_low", "x_high"}};

static enum status read_whole(const struct job *job, struct bioheat_params *p)
{
    p->body.precision = params_precision(job);
    p->duration_s = job_quantity(job, "time.duration");
    p->step_s = job_quantity(job, "time.step");
    if (job_has(job, "time.origin"))
        CHECK_KEY(job, "time.origin", date_read(job_string(job, "time.origin"), p->time_origin));
    p->check_steps = params_check_steps(job);
    p->check_tolerance_k = job_has(job, "check.tolerance")    ? job_quantity(job, "check.tolerance")
                           : p->body.precision == ELEMENT_F32 ? 1e-4
                                                              : 1e-9;
    const struct backend *backend;
    CHECK(params_backend(job, &bioheat_backends, &backend, &p->device));
    p->backend = (const struct bioheat_backend *)backend; // whose first member it is
    return STATUS_OK;
}

// ---- physics

static enum status read_blood(const struct job *job, struct bioheat_params *p)
{
    const char *nearest;
    const struct bioheat_tissue *blood = bioheat_tissues_find(p->body.tissues, "blood", &nearest);
    const struct {
        const char *key;
        double table;
        double *value;
    } numbers[] = {
        {"physics.blood_density", blood ? blood->density_kg_m3 : NAN, &p->body.blood_density_kg_m3},
        {"physics.blood_specific_heat", blood ? blood->specific_heat_j_kg_k : NAN,
         &p->body.blood_specific_heat_j_kg_k},
    };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        *numbers[k].value =
            job_has(job, numbers[k].key) ? job_quantity(job, numbers[k].key) : numbers[k].table;
        if (isnan(*numbers[k].value))
            return job_fail(job, numbers[k].key, "is needed, because %s has no value for blood",
                            bioheat_tissues_path(p->body.tissues));
    }
    return STATUS_OK;
}

// rkl2 is new with parabolas; the results of the other methods stay what they were.
static enum status read_interfaces(const struct job *job, struct bioheat_params *p)
{
    const enum bioheat_method method = p->physics.method;
    const bool has_colours = method == BIOHEAT_THREE_COLOUR || method == BIOHEAT_SOURCE_THREE_COLOUR;
    p->body.interfaces = method == BIOHEAT_RKL2 ? BIOHEAT_QUADRATIC : BIOHEAT_TWO_POINT;
    if (!job_has(job, "physics.interfaces"))
        return STATUS_OK;
    p->body.interfaces = (enum bioheat_interfaces)params_choice(job_string(job, "physics.interfaces"),
                                                                interface_words, BIOHEAT_WORDS);
    if (!job_has(job, "domain.labels"))
        return job_fail(job, "physics.interfaces",
                        "has no effect without domain.labels: only labels have interfaces");
    if (has_colours && p->body.interfaces == BIOHEAT_QUADRATIC)
        return job_fail(job, "physics.interfaces",
                        "quadratic is not possible with method %s: use rkl2, euler or euler-in-place",
                        bioheat_methods[method]);
    return STATUS_OK;
}

static enum bioheat_dose dose_named(const char *name)
{
    const int dose = params_choice(name, bioheat_doses, BIOHEAT_DOSE_ISO + 1);
    return (enum bioheat_dose)(dose > 0 ? dose : params_choice(name, earlier_doses, BIOHEAT_DOSE_ISO + 1));
}

// One definition, or a list of one or two. Where the job asks for a verdict and names none, both of those
// that planners use are kept.
static enum status read_doses(const struct job *job, struct bioheat_params *p)
{
    static const char key[] = "dose.definitions";
    const size_t count = job_list_length(job, key);
    p->physics.dose = dose_named(job_string(job, "dose.definition"));
    p->physics.second_dose = BIOHEAT_DOSE_OFF;
    if (job_has(job, "dose.definition") && job_has(job, key))
        return job_fail(job, key, "is given beside dose.definition: give one of the two");
    if (job_has(job, key) && (count < 1 || count > 2))
        return job_fail(job, key, "%zu definitions, expected one or two", count);
    if (count > 0)
        p->physics.dose = dose_named(job_list_string(job, key, 0));
    if (count > 1)
        p->physics.second_dose = dose_named(job_list_string(job, key, 1));
    if (count > 1 && p->physics.second_dose == p->physics.dose)
        return job_fail(job, key, "both are %s", bioheat_doses[p->physics.dose]);
    if (job_has(job, "dose.definition") || count > 0 || !job_has(job, "check.itrusst") ||
        !job_boolean(job, "check.itrusst"))
        return STATUS_OK;
    p->physics.dose = BIOHEAT_DOSE_PLAIN;
    p->physics.second_dose = BIOHEAT_DOSE_ISO;
    return STATUS_OK;
}

static enum status read_physics(const struct job *job, struct bioheat_params *p)
{
    p->body.reference_c = job_quantity(job, "physics.reference_temperature");
    p->body.arterial_c = job_quantity(job, "physics.arterial_temperature");
    if (p->body.arterial_c < BIOHEAT_BODY_LEAST_C || p->body.arterial_c > BIOHEAT_BODY_MOST_C)
        job_warn(job, "physics.arterial_temperature",
                 "%g degC is not that of a body, %g to %g degC: thermal safety is not judged as passed",
                 p->body.arterial_c, BIOHEAT_BODY_LEAST_C, BIOHEAT_BODY_MOST_C);
    p->body.has_perfusion = job_boolean(job, "physics.perfusion");
    p->body.contrast_limit = job_number(job, "physics.contrast_limit");
    p->lesion_dose_min = job_quantity(job, "dose.lesion");
    p->physics.method =
        (enum bioheat_method)params_choice(job_string(job, "method"), bioheat_methods, BIOHEAT_WORDS);
    CHECK(read_doses(job, p));
    p->physics.reference_c = p->body.reference_c;
    // Its stability region hugs the real axis, on which the rates of conduction and perfusion lie.
    if (p->physics.method == BIOHEAT_RKL2 && job_has(job, "domain.velocity"))
        return job_fail(job, "method",
                        "rkl2 is not stable with blood that carries heat (domain.velocity): use euler");
    CHECK(read_interfaces(job, p));
    if (job_has(job, "dose.lesion") && p->physics.dose == BIOHEAT_DOSE_OFF)
        return job_fail(job, "dose.lesion", "has no effect without dose.definition");
    if (job_has(job, "physics.contrast_limit") && !job_has(job, "domain.fields") &&
        !job_has(job, "domain.ct"))
        return job_fail(job, "physics.contrast_limit", "has no effect without domain.fields or domain.ct");
    CHECK_KEY(job, "tissues.file",
              path_find(job_string(job, "tissues.file"), job_directory(job), p->tissues_path));
    CHECK(bioheat_tissues_read(p->tissues_path, &p->body.tissues));
    CHECK(read_blood(job, p));
    return bioheat_tissues_choose(p->body.tissues, job);
}

// ---- faces

// The key of the face, or the key of all faces if the face has none; "" if neither is in the job.
static void face_key(const struct job *job, const char *face, const char *name, char key[static 64])
{
    snprintf(key, 64, "domain.faces.%s.%s", face, name);
    if (job_has(job, key))
        return;
    snprintf(key, 64, "domain.faces.all.%s", name);
}

enum { FACE_NUMBERS = 2 };
static const char *const face_numbers[FACE_NUMBERS] = {"transfer", "outside"};

// The key that a convective face lacks: its own, or that of all faces if these are convective.
static enum status refuse_missing(const struct job *job, const char *face, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "domain.faces.%s.kind", face);
    snprintf(key, sizeof key, "domain.faces.%s.%s", job_has(job, key) ? face : "all", name);
    return job_fail(
        job, key,
        "is missing: a convective face needs transfer (\"10 W m-2 K-1\") and outside (\"25 degC\")");
}

static enum status read_face(const struct job *job, const struct bioheat_params *p, const char *name,
                             struct bioheat_face *face)
{
    char key[64];
    face_key(job, name, "kind", key);
    *face = (struct bioheat_face){.kind = (enum bioheat_face_kind)params_choice(
                                      job_string(job, key), bioheat_face_kinds, BIOHEAT_WORDS)};
    for (int k = 0; k < FACE_NUMBERS; k++) {
        char own[64];
        snprintf(own, sizeof own, "domain.faces.%s.%s", name, face_numbers[k]);
        face_key(job, name, face_numbers[k], key);
        if (face->kind != BIOHEAT_CONVECTIVE && job_has(job, own))
            return job_fail(job, own, "has no effect: the face is %s, not convective",
                            bioheat_face_kinds[face->kind]);
        if (face->kind == BIOHEAT_CONVECTIVE && !job_has(job, key))
            return refuse_missing(job, name, face_numbers[k]);
        if (face->kind == BIOHEAT_CONVECTIVE && k == 0)
            face->transfer_w_m2_k = job_quantity(job, key);
        if (face->kind == BIOHEAT_CONVECTIVE && k == 1)
            face->outside_theta_k = job_quantity(job, key) - p->body.reference_c;
    }
    return STATUS_OK;
}

static enum status check_axis(const struct job *job, const struct bioheat_params *p, int axis)
{
    const struct bioheat_face *faces = p->body.grid.faces[axis];
    const size_t cells = p->body.grid.cells[axis];
    char key[64];
    face_key(job, bioheat_face_names[axis][0], "kind", key);
    if ((faces[0].kind == BIOHEAT_PERIODIC) != (faces[1].kind == BIOHEAT_PERIODIC))
        return job_fail(job, key, "periodic needs the opposite face periodic too");
    if (cells == 1)
        return STATUS_OK;
    const bool is_coloured =
        p->physics.method == BIOHEAT_THREE_COLOUR || p->physics.method == BIOHEAT_SOURCE_THREE_COLOUR;
    if (faces[0].kind == BIOHEAT_PERIODIC && is_coloured && cells % 3 != 0)
        return job_fail(job, key,
                        "periodic by colours needs a number of cells that 3 divides; there are %zu along %s",
                        cells, bioheat_axis_names[axis]);
    const size_t held = 2 * (size_t)((faces[0].kind == BIOHEAT_FIXED) + (faces[1].kind == BIOHEAT_FIXED));
    if (held >= cells)
        return job_fail(job, key,
                        "fixed faces hold two layers of cells each, which leaves none of the %zu along %s",
                        cells, bioheat_axis_names[axis]);
    return STATUS_OK;
}

static bool is_taken_from_all(const struct job *job, const struct bioheat_params *p, const char *name)
{
    char own[64];
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        for (int side = 0; side < 2; side++) {
            snprintf(own, sizeof own, "domain.faces.%s.%s", bioheat_face_names[axis][side], name);
            if (p->body.grid.faces[axis][side].kind == BIOHEAT_CONVECTIVE && !job_has(job, own))
                return true;
        }
    return false;
}

static enum status check_all_faces(const struct job *job, const struct bioheat_params *p)
{
    for (int k = 0; k < FACE_NUMBERS; k++) {
        char key[64];
        snprintf(key, sizeof key, "domain.faces.all.%s", face_numbers[k]);
        if (job_has(job, key) && !is_taken_from_all(job, p, face_numbers[k]))
            return job_fail(job, key, "has no effect: no face is convective without a %s of its own",
                            face_numbers[k]);
    }
    return STATUS_OK;
}

static enum status read_faces(const struct job *job, struct bioheat_params *p)
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        for (int side = 0; side < 2; side++)
            CHECK(read_face(job, p, bioheat_face_names[axis][side], &p->body.grid.faces[axis][side]));
        CHECK(check_axis(job, p, axis));
    }
    return check_all_faces(job, p);
}

// ---- all of it

static void warn_of_kelvin(const char *key, double value_c)
{
    if (value_c < -50 || value_c > 100)
        log_warning("%s: %g degC; is it in kelvin?", key, value_c);
}

static void warn_of_temperatures(const struct job *job, const struct bioheat_params *p)
{
    warn_of_kelvin("physics.reference_temperature", p->body.reference_c);
    warn_of_kelvin("physics.arterial_temperature", p->body.arterial_c);
    if (job_has(job, "initial.temperature"))
        warn_of_kelvin("initial.temperature", job_quantity(job, "initial.temperature"));
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        for (int side = 0; side < 2; side++)
            if (p->body.grid.faces[axis][side].kind == BIOHEAT_CONVECTIVE)
                warn_of_kelvin("domain.faces: outside",
                               p->body.grid.faces[axis][side].outside_theta_k + p->body.reference_c);
}

enum status bioheat_params_read(const struct job *job, struct bioheat_params *p)
{
    memset(p, 0, sizeof *p);
    CHECK(read_whole(job, p));
    CHECK(read_physics(job, p));
    CHECK(bioheat_domain_open(job, &p->body, &p->domain));
    CHECK(read_faces(job, p));
    CHECK(bioheat_domain_read_tissues(p->domain));
    CHECK(bioheat_initial_create(job, &p->body.grid, p->body.precision, p->body.reference_c, &p->initial));
    if (job_has(job, "initial.from") &&
        snprintf(p->from_directory, PATH_BYTES, "%s", job_string(job, "initial.from")) >= PATH_BYTES)
        return job_fail(job, "initial.from", "is longer than %d characters", PATH_BYTES - 1);
    CHECK(bioheat_params_read_outputs(job, p));
    CHECK(bioheat_domain_survey(p->domain, &p->limit));
    CHECK(bioheat_start_check(p));
    warn_of_temperatures(job, p);
    return STATUS_OK;
}

void bioheat_params_free(struct bioheat_params *p)
{
    bioheat_initial_destroy(p->initial);
    bioheat_domain_close(p->domain);
    bioheat_tissues_free(p->body.tissues);
    free(p->sensors);
    p->initial = NULL;
    p->domain = NULL;
    p->body.tissues = NULL;
    p->sensors = NULL;
}

int bioheat_params_inputs(const struct bioheat_params *p, const char **paths)
{
    int count = bioheat_domain_inputs(p->domain, paths);
    if (bioheat_initial_path(p->initial))
        paths[count++] = bioheat_initial_path(p->initial);
    if (p->sensors_path[0])
        paths[count++] = p->sensors_path;
    paths[count++] = p->tissues_path;
    return count;
}
