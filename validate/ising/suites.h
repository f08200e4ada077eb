// Cases of the Ising model (private to validate/, seen by registry.c too).
#ifndef FATHOM_VALIDATE_ISING_SUITES_H
#define FATHOM_VALIDATE_ISING_SUITES_H

#include "models/ising/state.h"
#include "validate/suite.h"

extern const struct validation_suite ising_suite;

// critical.c: a method (context: struct ising_method_case) at T_c, against Kaufman's formula.
struct ising_method_case {
    enum ising_method method;
};
enum status ising_case_critical(struct validation_run *run);

enum status ising_case_betas(struct validation_run *run);    // betas.c
enum status ising_case_states(struct validation_run *run);   // states.c
enum status ising_case_bits(struct validation_run *run);     // bits.c
enum status ising_case_clusters(struct validation_run *run); // clusters.c
enum status ising_case_infinite(struct validation_run *run); // infinite.c
enum status ising_case_scaling(struct validation_run *run);  // scaling.c
enum status ising_case_repeat(struct validation_run *run);   // repeat.c
enum status ising_case_order(struct validation_run *run);    // repeat.c
enum status ising_case_stripes(struct validation_run *run);  // stripes.c
enum status ising_case_programs(struct validation_run *run); // programs.c

#endif
