// The heat model's suite and the cases that it is made of. Internal to validate/.
#ifndef FATHOM_VALIDATE_BIOHEAT_SUITES_H
#define FATHOM_VALIDATE_BIOHEAT_SUITES_H

#include "validate/suite.h"

extern const struct validation_suite bioheat_suite;
extern const char *const bioheat_head_files[];

validation_case_function bioheat_case_backend, bioheat_case_waves, bioheat_case_gaussian, bioheat_case_slab,
    bioheat_case_contact, bioheat_case_halves, bioheat_case_conserved, bioheat_case_head,
    bioheat_case_manufactured, bioheat_case_interface, bioheat_case_dose_hour, bioheat_case_dose_ramps,
    bioheat_case_wall, bioheat_case_perfusion, bioheat_case_flow, bioheat_case_colours, bioheat_case_factor,
    bioheat_case_long_steps;

#endif
