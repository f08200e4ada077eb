// A job of the heat model as checked numbers: units converted, files found and their headers checked,
// tables read, defaults filled in. Nothing here is an array of the grid; media.h reads those.
#ifndef FATHOM_MODELS_BIOHEAT_PARAMS_H
#define FATHOM_MODELS_BIOHEAT_PARAMS_H

#include "io/job/job.h"
#include "io/path.h"
#include "models/bioheat/solver.h"
#include "models/bioheat/stability.h"

extern const struct job_key_table bioheat_keys;
extern const char *const bioheat_field_names[BIOHEAT_FIELD_COUNT];

enum { BIOHEAT_SENSORS_MAX = 4096 };

struct bioheat_sensor {
    char name[BIOHEAT_NAME_BYTES];
    size_t cell[BIOHEAT_AXES];       // nearest to the position
    double position_m[BIOHEAT_AXES]; // of that cell
};

// What becomes of the verdict by the levels of the ITRUSST consensus (check.itrusst).
enum bioheat_safety {
    BIOHEAT_SAFETY_REPORTED, // reported, without effect on the exit code
    BIOHEAT_SAFETY_CHECKED,  // a run that is not within them has failed
    BIOHEAT_SAFETY_IGNORED,  // no verdict: the dose is intended
};

struct bioheat_domain;  // media.h
struct bioheat_initial; // initial.h
struct bioheat_tissues; // tissues.h

struct bioheat_params {
    struct bioheat_grid grid;
    struct bioheat_domain *domain;
    struct bioheat_initial *initial;
    struct bioheat_tissues *tissues;
    double reference_c, arterial_c;
    double blood_density_kg_m3, blood_specific_heat_j_kg_k;
    bool has_perfusion;             // false: no blood flows, even in tissues with perfusion
    struct bioheat_physics physics; // with the step
    double contrast_limit;
    struct bioheat_limit limit; // of the step, and what sets it
    int64_t steps;
    // Tissues, by label; label_names for messages and results.
    char label_names[BIOHEAT_LABELS][BIOHEAT_NAME_BYTES];
    // Time and outputs
    double duration_s, step_s; // step_s as in the job; NaN: from the stability limit
    const struct bioheat_backend *backend;
    int device;
    enum element precision, output_element;
    double fields_every_s, diagnostics_every_s, sensors_every_s;
    bool fields[BIOHEAT_FIELD_COUNT];
    struct bioheat_crop crop;
    size_t sensor_count;
    struct bioheat_sensor *sensors;
    bool has_maxima, has_state;
    char from_directory[PATH_BYTES]; // results of the run that this one continues; "" = none
    double lesion_dose_min;          // 240
    enum bioheat_safety safety;
    double safety_dose_min
        [BIOHEAT_LABELS]; // of each label (ITRUSST: brain 2, bone 16, skin 21; NaN: not judged)
    int64_t check_steps;
    double check_tolerance_k;
    const char *time_origin;
    char tissues_path[PATH_BYTES], sensors_path[PATH_BYTES]; // "" = none was read
};

// Reads the job, headers and tables; reads the media once, for the labels in use and the stable step;
// chooses the step. The job and `p` must stay where they are until bioheat_params_free. STATUS_CONFIGURATION,
// STATUS_NO_INPUT, STATUS_DATA: what is wrong, with its key, file and place.
enum status bioheat_params_read(const struct job *job, struct bioheat_params *p);
void bioheat_params_free(struct bioheat_params *p); // also after a failure

// Paths of the input files (not the source's); at most MODEL_INPUTS_MAX / 2; returns how many.
int bioheat_params_inputs(const struct bioheat_params *p, const char **paths);

// Name of a label's tissue for messages: "skin", or "label 7".
const char *bioheat_label_name(const struct bioheat_params *p, int label,
                               char text[static BIOHEAT_NAME_BYTES]);

#endif
