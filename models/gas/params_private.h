// What the params*.c share: the parts of reading a job, in the order in which they need each
// other. Private to them.
#ifndef FATHOM_MODELS_GAS_PARAMS_PRIVATE_H
#define FATHOM_MODELS_GAS_PARAMS_PRIVATE_H

#include "models/gas/params.h"
#include "models/gas/potential.h"

// The blocks `physics` and `domain` (the latter after the particles' number is known).
enum status gas_params_read_physics(const struct job *job, struct gas_params *p);
enum status gas_params_read_box(const struct job *job, struct gas_params *p);
// The block `method`; what it leaves out is chosen by what it costs. After physics, box and number.
enum status gas_params_read_method(const struct job *job, struct gas_params *p);
// Operations of a step by the method that is there, as that choice estimates them.
double gas_operations(const struct gas_params *p);
// The blocks `output` and `check`; after everything else.
enum status gas_params_read_outputs(const struct job *job, struct gas_params *p);

// What cannot go together, before the method is chosen; and what the chosen one cannot do.
// STATUS_CONFIGURATION.
enum status gas_params_check(const struct job *job, const struct gas_params *p);
enum status gas_params_check_method(const struct job *job, const struct gas_params *p);
// A warning for each key that the job gives and that changes nothing.
void gas_params_warn_of_idle_keys(const struct job *job, const struct gas_params *p);

#endif
