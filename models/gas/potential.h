// What kind of potential and walls a gas has. Independent of jobs.
#ifndef FATHOM_MODELS_GAS_POTENTIAL_H
#define FATHOM_MODELS_GAS_POTENTIAL_H

#include "models/gas/state.h"

// Whether the potential has a part −A/s that never ends; whether it has any other part without an end;
// whether it has parts that end at the cut-off.
bool gas_has_log(const struct gas_physics *physics);
bool gas_has_endless_repulsion(const struct gas_physics *physics);
bool gas_has_cut_off(const struct gas_physics *physics);
bool gas_is_lennard_jones(const struct gas_physics *physics);
// The distance below which two particles repel each other strongly: σ, or where the force of a real gas
// vanishes; 0: there is no such distance.
double gas_core(const struct gas_physics *physics);
bool gas_has_wall(const struct gas_physics *physics, enum gas_wall wall);

#endif
