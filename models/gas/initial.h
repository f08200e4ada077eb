// The particles at the start: on a lattice, at random without overlap, or from a file, with velocities from a
// temperature or from the file. Set by id, the same for every back end and any number of threads.
#ifndef FATHOM_MODELS_GAS_INITIAL_H
#define FATHOM_MODELS_GAS_INITIAL_H

#include "core/memory_plan.h"
#include "io/job/job.h"
#include "models/gas/solver.h"

struct gas_initial;

// The block `particles`. Of a file: reads all of it once, and refuses what is wrong with the particle and the
// value: numbers that are not finite, masses not above 0, fewer than two particles (STATUS_DATA). The job
// must outlive it. After a failure, too, destroy it.
enum status gas_initial_create(const struct job *job, struct gas_initial **initial, size_t *count);
void gas_initial_destroy(struct gas_initial *initial); // NULL: does nothing

// Whether each particle has a mass of its own; if not, *mass is that of all.
bool gas_initial_masses(const struct gas_initial *initial, double *mass);

// Checks the start against box, potential and thermostat, which must outlive it: particles of a file outside
// the box (wrapped on periodic axes); two particles so close that their force overflows (not without a pair
// force, nor for ln r alone); a density that random positions cannot reach; a missing temperature. Uses about
// 24 bytes a particle of a file meanwhile. STATUS_CONFIGURATION, STATUS_DATA. Before the reservation.
enum status gas_initial_fit(struct gas_initial *initial, const struct gas_physics *physics);

// Its files; returns how many (0 … 2).
int gas_initial_inputs(const struct gas_initial *initial, const char **paths);

enum status gas_initial_plan(struct gas_initial *initial, struct memory_plan *plan);
// After the seal, on the I/O thread: reads the file, or places particles at random. STATUS_CONFIGURATION: a
// particle found no position.
enum status gas_initial_prepare(struct gas_initial *initial);
// Sets all particles; the caller touches.
void gas_initial_apply(struct gas_initial *initial, const struct gas_backend *backend, struct solver *solver);

#endif
