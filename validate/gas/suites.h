// The gas model's suite and the cases that it is made of. Internal to validate/.
#ifndef FATHOM_VALIDATE_GAS_SUITES_H
#define FATHOM_VALIDATE_GAS_SUITES_H

#include "validate/suite.h"

extern const struct validation_suite gas_suite; // suite.c

enum status gas_case_virial(struct validation_run *run);       // virial.c
enum status gas_case_crystal(struct validation_run *run);      // crystal.c
enum status gas_case_fluid(struct validation_run *run);        // fluid.c
enum status gas_case_conserved(struct validation_run *run);    // conserved.c
enum status gas_case_reverse(struct validation_run *run);      // conserved.c
enum status gas_case_walls(struct validation_run *run);        // walls.c
enum status gas_case_falling(struct validation_run *run);      // walls.c
enum status gas_case_regions(struct validation_run *run);      // regions.c
enum status gas_case_speeds(struct validation_run *run);       // speeds.c
enum status gas_case_condensation(struct validation_run *run); // condensation.c
enum status gas_case_repeat(struct validation_run *run);       // repeat.c
enum status gas_case_backend(struct validation_run *run);      // forces.c

#endif
