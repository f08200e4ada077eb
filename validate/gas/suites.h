// The gas model's suite and the cases that it is made of. Internal to validate/.
#ifndef FATHOM_VALIDATE_GAS_SUITES_H
#define FATHOM_VALIDATE_GAS_SUITES_H

#include "validate/suite.h"

extern const struct validation_suite gas_suite;

validation_case_function gas_case_virial, gas_case_crystal, gas_case_fluid, gas_case_conserved,
    gas_case_reverse, gas_case_walls, gas_case_falling, gas_case_regions, gas_case_speeds,
    gas_case_condensation, gas_case_repeat, gas_case_backend;

#endif
