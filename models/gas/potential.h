// What kind of potential and walls a gas has. Knows no job.
#ifndef FATHOM_MODELS_GAS_POTENTIAL_H
#define FATHOM_MODELS_GAS_POTENTIAL_H

#include "models/gas/state.h"

// Whether the potential has a part −A/s that never ends; whether it has any other part without an end;
// whether it has parts that end at the cut-off.
bool gas_has_log(const struct gas_physics *physics);
bool gas_has_endless_repulsion(const struct gas_physics *physics);
bool gas_has_cut_off(const struct gas_physics *physics);
bool gas_is_lennard_jones(const struct gas_physics *physics);
// How near two particles come for little energy: σ, or the distance at which the force of a real gas
// vanishes; 0 if there is none.
double gas_core(const struct gas_physics *physics);
bool gas_has_wall(const struct gas_physics *physics, enum gas_wall wall);

#endif
