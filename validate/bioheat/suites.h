// The heat model's suite and the cases that it is made of. Internal to validate/.
#ifndef FATHOM_VALIDATE_BIOHEAT_SUITES_H
#define FATHOM_VALIDATE_BIOHEAT_SUITES_H

#include "validate/suite.h"

extern const struct validation_suite bioheat_suite; // analytic.c

enum status bioheat_case_backend(struct validation_run *run);   // backends.c
enum status bioheat_case_waves(struct validation_run *run);     // waves.c
enum status bioheat_case_gaussian(struct validation_run *run);  // gaussian.c
enum status bioheat_case_slab(struct validation_run *run);      // slab.c
enum status bioheat_case_contact(struct validation_run *run);   // slab.c
enum status bioheat_case_halves(struct validation_run *run);    // halves.c
enum status bioheat_case_conserved(struct validation_run *run); // conserved.c
enum status bioheat_case_head(struct validation_run *run);      // conserved.c
extern const char *const bioheat_head_files[];
enum status bioheat_case_made(struct validation_run *run);       // made.c
enum status bioheat_case_interface(struct validation_run *run);  // made.c
enum status bioheat_case_dose_hour(struct validation_run *run);  // dose.c
enum status bioheat_case_dose_ramps(struct validation_run *run); // dose.c
enum status bioheat_case_wall(struct validation_run *run);       // walls.c
enum status bioheat_case_perfusion(struct validation_run *run);  // walls.c
enum status bioheat_case_flow(struct validation_run *run);       // walls.c
enum status bioheat_case_colours(struct validation_run *run);    // colours.c
enum status bioheat_case_factor(struct validation_run *run);     // colours.c

#endif
