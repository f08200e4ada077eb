// Shared by domain.c, domain_ct.c, domain_open.c and domain_read.c alone.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_DOMAIN_PRIVATE_H
#define FATHOM_MODELS_BIOHEAT_BODY_DOMAIN_PRIVATE_H

#include "io/formats/volume.h"
#include "io/job/units.h"
#include "models/bioheat/body/ct.h"
#include "models/bioheat/body/domain.h"
#include "models/bioheat/body/label_check.h"
#include "models/bioheat/body/label_tables.h"
#include "models/bioheat/body/tissues.h"

enum domain_kind { DOMAIN_UNIFORM, DOMAIN_LABELS, DOMAIN_FIELDS };

enum domain_input_kind {
    INPUT_LABELS,
    INPUT_DENSITY,
    INPUT_SPECIFIC_HEAT,
    INPUT_CONDUCTIVITY,
    INPUT_PERFUSION,
    INPUT_VELOCITY, // z, y, x
    INPUTS = INPUT_VELOCITY + BIOHEAT_AXES
};

// One variable of a file.
struct domain_input {
    const char *key;      // "domain.fields.density", for messages; NULL: none
    const char *file_key; // "domain.fields.file"
    const char *variable; // the job's, or NULL
    char path[PATH_BYTES];
    double slope, offset; // to the canonical unit
    struct volume *volume;
};

enum ct_kind { CT_AIR, CT_SOFT, CT_BONE, CT_KINDS };

// domain.ct: bone by its Hounsfield units, one soft tissue, air.
// Of values below -300 HU, each bin of 20 HU, from BIOHEAT_CT_LOWEST_HU.
enum { CT_AIR_BINS = 40, CT_AIR_BIN_HU = 20 };

struct media_ct {
    enum bioheat_ct_relation relation;
    double air_below_hu, bone_from_hu;
    double low_hu, high_hu;                 // of all values
    size_t counted_planes, cells[CT_KINDS]; // of the survey
    size_t dense_cells;                     // of bone denser than a skull's: BIOHEAT_CT_DENSE_HU
    size_t beyond_cells;                    // denser than the relation holds for
    size_t air_bins[CT_AIR_BINS];
    struct bioheat_tissue soft, bone;
    struct bioheat_medium soft_medium, bone_medium;
};

struct bioheat_domain {
    const struct job *job;
    struct bioheat_body *body;
    enum domain_kind kind;
    struct domain_input inputs[INPUTS];
    struct units_override fields_override;
    enum bioheat_perfusion_kind perfusion_kind;
    struct bioheat_media media;
    bool has_ct; // then the kind is DOMAIN_FIELDS, and INPUT_DENSITY holds the volume of all
    struct media_ct ct;
    bool has_place;
    struct nifti_place place;
    struct label_contacts *contacts;        // of the survey, owned
    struct bioheat_label_table label_table; // that the job names; its path is kept
    bool has_tissue[BIOHEAT_LABELS], is_of_table[BIOHEAT_LABELS];
    struct bioheat_tissue tissues[BIOHEAT_LABELS];
    // Of the survey.
    size_t label_cells[BIOHEAT_LABELS], label_first[BIOHEAT_LABELS];
    uint64_t label_hash;
    char label_hash_text[20];
    // Arrays, and planes being read (doubles): of two volumes at once, and in the file's order.
    uint8_t *labels;
    void *conductivity, *heat_capacity, *perfusion, *velocity[BIOHEAT_AXES];
    double *values[2], *scratch;
    size_t block_planes;
    size_t shift; // planes that are read go to those so many further on, modulo 2^64: of a ring
};

static inline size_t domain_plane_cells(const struct bioheat_domain *d)
{
    return d->body->grid.cells[BIOHEAT_Y] * d->body->grid.cells[BIOHEAT_X];
}

static inline bool domain_has(const struct bioheat_domain *d, int input)
{
    return d->inputs[input].key != NULL;
}

// Planes first … first + count − 1 of an input in its canonical unit. STATUS_DATA, with its position: a
// missing, non-finite or impossible value. `scratch` as long as `values`.
enum status domain_read_input(struct bioheat_domain *d, int input, size_t first, size_t count, double *values,
                              double *scratch);

// domain_ct.c: the same of a CT; its keys, its tissues, and its range once all was read.
enum status domain_read_ct(struct bioheat_domain *d, int kind, size_t first, size_t count, double *values,
                           double *scratch);
enum status domain_open_ct(struct bioheat_domain *d);
enum status domain_read_ct_tissues(struct bioheat_domain *d);
enum status domain_check_ct(const struct bioheat_domain *d);
// Its counts, and doubts.
void domain_tell_ct(const struct bioheat_domain *d);

// Opens an input's file (it may have been closed since), and closes all.
enum status domain_open_input(struct bioheat_domain *d, int input);
void domain_close_inputs(struct bioheat_domain *d);

enum { MEDIA_PLACE_BYTES = 208 };
// "(12, 30, 7), x 7 mm, y 30 mm, z 12 mm": a cell for messages.
const char *domain_place(const struct bioheat_grid *grid, size_t cell, char text[static MEDIA_PLACE_BYTES]);

// Of a plane of cells of full fields: ρc from density and specific heat, P from the perfusion's own unit.
void domain_heat_capacity(const double *density, const double *specific_heat, size_t count, double *capacity);
void domain_perfusion(const struct bioheat_domain *d, const double *density, double *perfusion, size_t count);

#endif
