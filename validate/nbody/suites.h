// The N-body model's suite and the cases that it is made of. Internal to validate/.
#ifndef FATHOM_VALIDATE_NBODY_SUITES_H
#define FATHOM_VALIDATE_NBODY_SUITES_H

#include "validate/suite.h"

extern const struct validation_suite nbody_suite; // suite.c

enum status nbody_case_backend(struct validation_run *run);        // forces.c
enum status nbody_case_tree_errors(struct validation_run *run);    // tree_errors.c
enum status nbody_case_kepler_energy(struct validation_run *run);  // kepler.c
enum status nbody_case_kepler_order(struct validation_run *run);   // kepler.c
enum status nbody_case_kepler_reverse(struct validation_run *run); // kepler.c
enum status nbody_case_plummer(struct validation_run *run);        // plummer.c
enum status nbody_case_plummer_tree(struct validation_run *run);   // plummer.c
enum status nbody_case_collapse(struct validation_run *run);       // collapse.c
enum status nbody_case_units(struct validation_run *run);          // repeat.c
enum status nbody_case_repeat(struct validation_run *run);         // repeat.c

#endif
