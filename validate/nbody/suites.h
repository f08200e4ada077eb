// The N-body model's suite and the cases that it is made of. Internal to validate/.
#ifndef FATHOM_VALIDATE_NBODY_SUITES_H
#define FATHOM_VALIDATE_NBODY_SUITES_H

#include "validate/suite.h"

extern const struct validation_suite nbody_suite;

validation_case_function nbody_case_backend, nbody_case_tree_errors, nbody_case_kepler_energy,
    nbody_case_kepler_order, nbody_case_kepler_reverse, nbody_case_plummer, nbody_case_plummer_tree,
    nbody_case_collapse, nbody_case_units, nbody_case_repeat;

#endif
