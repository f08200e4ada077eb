// Tissues and their numbers: from a table (data/tissues.json, or a user's own), or written into the job.
// Independent of grids.
#ifndef FATHOM_MODELS_BIOHEAT_TISSUES_H
#define FATHOM_MODELS_BIOHEAT_TISSUES_H

#include "io/job/job.h"
#include "models/bioheat/state.h"

struct cJSON;

// Values missing in a table are NaN; a tissue without one that a job needs is refused.
struct bioheat_tissue {
    char name[BIOHEAT_NAME_BYTES];
    double density_kg_m3, specific_heat_j_kg_k, conductivity_w_m_k;
    // One of them, the others NaN: blood a second and volume of tissue (1/s), a mass of tissue (m³/s/kg), its
    // mass a volume of tissue (kg/m³/s), or the heat it takes (W/m³/K).
    double perfusion[4];
    double safety_dose_min; // ITRUSST's limit; NaN: none
};
enum bioheat_perfusion_kind {
    BIOHEAT_PERFUSION_RATE,
    BIOHEAT_PERFUSION_PER_MASS,
    BIOHEAT_PERFUSION_MASS,
    BIOHEAT_PERFUSION_HEAT,
    BIOHEAT_PERFUSION_KINDS
};

// The kind of a unit, and its factor to the canonical one. STATUS_DATA, with the units expected.
enum status bioheat_perfusion_unit(const char *unit, enum bioheat_perfusion_kind *kind, double *slope);

// ρ_b c_b w (W/m³/K) of a value of that kind.
double bioheat_perfusion_heat(enum bioheat_perfusion_kind kind, double value, double tissue_density_kg_m3,
                              double blood_density_kg_m3, double blood_specific_heat_j_kg_k);

struct bioheat_tissues;

// STATUS_NO_INPUT, STATUS_DATA: not a table of tissues, with the place in it.
enum status bioheat_tissues_read(const char *path, struct bioheat_tissues **tissues);
void bioheat_tissues_free(struct bioheat_tissues *tissues); // NULL: does nothing
const char *bioheat_tissues_path(const struct bioheat_tissues *tissues);

// NULL: not in the table; `nearest` is then a similar name, or NULL.
const struct bioheat_tissue *bioheat_tissues_find(const struct bioheat_tissues *tissues, const char *name,
                                                  const char **nearest);

// The tissue under `key` of a job: a name of the table, or an object whose numbers replace those of its
// "tissue". STATUS_CONFIGURATION.
enum status bioheat_tissue_of_job(const struct job *job, const char *key, const struct cJSON *item,
                                  const struct bioheat_tissues *tissues, struct bioheat_tissue *tissue);

// The medium of a tissue. `key` and `name` are for messages: what is missing. Without `has_perfusion` no
// blood flows.
enum status bioheat_tissue_medium(const struct job *job, const char *key, const struct bioheat_tissue *tissue,
                                  enum bioheat_role role, bool has_perfusion, double blood_density_kg_m3,
                                  double blood_specific_heat_j_kg_k, struct bioheat_medium *medium);

#endif
