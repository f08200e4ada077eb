// The body that is heated, as a job gives it: its grid, its blood, and the names and limits of its tissues.
// Units are converted and defaults set.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_BODY_H
#define FATHOM_MODELS_BIOHEAT_BODY_BODY_H

#include "models/bioheat/body/media.h"

struct bioheat_tissues; // tissues.h

struct bioheat_body {
    struct bioheat_grid grid;
    struct bioheat_tissues *tissues; // the sets from which the job takes tissues
    enum element precision;          // of the arrays
    double reference_c;              // from which temperatures are counted
    double arterial_c, blood_density_kg_m3, blood_specific_heat_j_kg_k;
    bool has_perfusion; // false: there is no perfusion, whatever the tissues' values
    // struct bioheat_media has them
    double contrast_limit;
    enum bioheat_interfaces interfaces;
    // Tissues, by label; label_names for messages and results, where no two tissues have the same.
    char label_names[BIOHEAT_LABELS][BIOHEAT_NAME_BYTES + sizeof " (label 255)"];
    double safety_dose_min[BIOHEAT_LABELS];  // ITRUSST: brain 2, bone 16, skin 21; NaN: not judged
    bool is_consensus_limit[BIOHEAT_LABELS]; // ITRUSST's or stricter; only such a dose passes
};

#endif
