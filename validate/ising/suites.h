// The Ising model's suite and the cases that it is made of. Internal to validate/.
#ifndef FATHOM_VALIDATE_ISING_SUITES_H
#define FATHOM_VALIDATE_ISING_SUITES_H

#include "models/ising/state.h"
#include "validate/suite.h"

extern const struct validation_suite ising_suite;

// The context of the case critical: the method.
struct ising_method_case {
    enum ising_method method;
};
validation_case_function ising_case_critical, ising_case_betas, ising_case_states, ising_case_bits,
    ising_case_clusters, ising_case_infinite, ising_case_scaling, ising_case_repeat, ising_case_order,
    ising_case_stripes, ising_case_programs;

#endif
