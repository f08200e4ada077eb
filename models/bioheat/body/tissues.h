// Tissues and their numbers: from a table (data/tissues.json, or a user's own), or written into the job.
// Independent of grids.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_TISSUES_H
#define FATHOM_MODELS_BIOHEAT_BODY_TISSUES_H

#include "io/job/job.h"
#include "models/bioheat/body/media.h"

struct cJSON;

// Numbers beyond these are no tissue's, no metal's and no gas's, whatever its state: a wrong unit or a slip.
// They keep all products of them within single precision.
#define BIOHEAT_LEAST_DENSITY       1e-3 // kg m-3
#define BIOHEAT_MOST_DENSITY        1e5
#define BIOHEAT_LEAST_SPECIFIC_HEAT 1.0 // J kg-1 K-1
#define BIOHEAT_MOST_SPECIFIC_HEAT  1e7
#define BIOHEAT_LEAST_CONDUCTIVITY  1e-6 // W m-1 K-1
#define BIOHEAT_MOST_CONDUCTIVITY   1e5

// Values missing in a table are NaN; a tissue without one that a job needs is refused.
struct bioheat_tissue {
    char name[BIOHEAT_NAME_BYTES];
    double density_kg_m3, specific_heat_j_kg_k, conductivity_w_m_k;
    // One of them, the others NaN: blood a second and volume of tissue (1/s), a mass of tissue (m³/s/kg), its
    // mass a volume of tissue (kg/m³/s), or the heat it takes (W/m³/K).
    double perfusion[4];
    // Of sound: α(f) = attenuation (f/MHz)^exponent. For source.pressure alone.
    double sound_speed_m_s, attenuation_np_m, attenuation_exponent;
    double safety_dose_min;  // limit of the dose; NaN: none
    bool is_consensus_limit; // it is ITRUSST's, or stricter
    bool cites_consensus;    // the table names ITRUSST as its source
    bool is_moved;           // tissues.set has changed one of its numbers
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

// An attenuation at 1 MHz: "0.59 dB/cm", "6.8 Np/m". STATUS_CONFIGURATION: other units, such as dB/cm/MHz,
// which leave the power of the frequency open; less than 0 or more than 1e4 Np/m.
enum status bioheat_attenuation_read(const char *text, double *np_m);

struct bioheat_tissues;

// STATUS_NO_INPUT, STATUS_DATA: not a table of tissues, with the place in it.
enum status bioheat_tissues_read(const char *path, struct bioheat_tissues **tissues);
void bioheat_tissues_free(struct bioheat_tissues *tissues); // NULL: does nothing
const char *bioheat_tissues_path(const struct bioheat_tissues *tissues);

// NULL: not in the table; `nearest` is then a similar name, or NULL.
const struct bioheat_tissue *bioheat_tissues_find(const struct bioheat_tissues *tissues, const char *name,
                                                  const char **nearest);

// The keys tissues.set and tissues.scale of a job (tissue_sets.c). Before the tissues are looked up: moves
// the numbers of the table to an end of their ranges, and checks the factors. STATUS_CONFIGURATION.
enum status bioheat_tissues_choose(struct bioheat_tissues *tissues, const struct job *job);
// After the job's tissues were looked up: a set that moves none of those in use, or a factor of a tissue that
// is not among all, is refused. `tissues`: `count` of them; one without a name is none.
enum status bioheat_tissues_check_choice(const struct job *job, const struct bioheat_tissue *tissues,
                                         const bool *is_used, size_t count);

// The tissue under `key` of a job: a name of the table, or an object whose numbers replace those of its
// "tissue". STATUS_CONFIGURATION.
enum status bioheat_tissue_of_job(const struct job *job, const char *key, const struct cJSON *item,
                                  const struct bioheat_tissues *tissues, struct bioheat_tissue *tissue);

// Warns of each number that lies beyond ten times the range of all tissues.
void bioheat_tissue_warn(const struct job *job, const char *key, const struct bioheat_tissue *tissue);

// The medium of a tissue. `key` and `name` are for messages: what is missing. Without `has_perfusion` no
// blood flows.
enum status bioheat_tissue_medium(const struct job *job, const char *key, const struct bioheat_tissue *tissue,
                                  enum bioheat_role role, bool has_perfusion, double blood_density_kg_m3,
                                  double blood_specific_heat_j_kg_k, struct bioheat_medium *medium);

// How a tissue absorbs sound of a frequency: α (Np/m) and ρc (Pa s/m). STATUS_CONFIGURATION: one of its
// numbers is not known.
struct bioheat_acoustics {
    double attenuation_np_m, impedance_pa_s_m;
};
enum status bioheat_tissue_acoustics(const struct job *job, const char *key,
                                     const struct bioheat_tissue *tissue, double frequency_hz,
                                     struct bioheat_acoustics *acoustics);

#endif
