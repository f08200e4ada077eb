// What the parts of the reference share. Serial, double, plain, written from state.h and from nothing else:
// the specification.
#ifndef FATHOM_MODELS_GAS_REFERENCE_H
#define FATHOM_MODELS_GAS_REFERENCE_H

#include "models/gas/solver.h"

// reference_pairs.c. r: x_i − x_j, the nearest image's where sides are periodic.
void reference_separation(const struct gas_physics *physics, const double *from, const double *to, double *r);
// f and U of a pair, F_i = f r.
struct reference_pair {
    double f, potential;
};
struct reference_pair reference_pair_at(const struct gas_physics *physics, const double *r);
// Adds what j gives i to `field`.
void reference_add_pair(const struct gas_physics *physics, const struct gas_particle *i,
                        const struct gas_particle *j, struct gas_field *field);
// Every pair. The first pair at one point, or of a non-finite energy, is put into `found`.
void reference_sum_pairs(const struct gas_physics *physics, size_t count,
                         const struct gas_particle *particles, struct gas_field *field,
                         struct gas_finding *found);

// reference_regions.c: THE REGIONS. Arrays are in the plan; NULL where the physics needs none.
struct reference_regions;
enum status reference_regions_plan(const struct gas_setup *setup, struct memory_plan *plan,
                                   const char *prefix, struct reference_regions **regions);
void reference_regions_sum(struct reference_regions *regions, const struct gas_particle *particles,
                           struct gas_field *field);

// reference_walls.c. Before a step: A_PRIORI. A drift of this time with whatever the walls do;
// `acceleration`: the particle's at the beginning of the step, and `kick_time` how much of it has been added
// to v already, as a time (FIELD_CORRECTED). Both leave alone what no wall meets.
void reference_apply_a_priori_walls(const struct gas_physics *physics, const double *acceleration,
                                    struct gas_particle *particle);
void reference_drift(const struct gas_physics *physics, double time, double kick_time,
                     const double *acceleration, struct gas_particle *particle);
// Adds the force of soft walls, and its potential.
void reference_add_soft_walls(const struct gas_physics *physics, const double *position,
                              struct gas_field *field);

// reference_thermostat.c. Normal numbers of the noise of a particle in a step (ξ), and the factor α of BUSSI.
void reference_noise(const struct gas_physics *physics, int64_t step, size_t id, double normals[GAS_AXES]);
double reference_bussi_factor(const struct gas_physics *physics, int64_t step, double degrees,
                              double kinetic);

#endif
