// The bodies at the start, generated from a seed or read from a file, in the run's units. Generators need no
// array of all bodies: they generate the bodies twice, first to find the centre of mass. The bodies of a file
// lie in an array of the memory plan.
#ifndef FATHOM_MODELS_NBODY_INITIAL_H
#define FATHOM_MODELS_NBODY_INITIAL_H

#include "core/memory_plan.h"
#include "io/job/job.h"
#include "models/nbody/solver.h"
#include "models/nbody/units.h"

struct nbody_initial;

// Reads the block `particles` of a job. A file is read completely once. STATUS_DATA, with the body and the
// value: a number is not finite, a mass is negative, all masses are 0, there are fewer than two bodies, or
// all are at one point. The job must outlive the object. Destroy it after a failure, too.
enum status nbody_initial_create(const struct job *job, struct nbody_initial **initial, size_t *count);
void nbody_initial_destroy(struct nbody_initial *initial); // NULL: does nothing

// The extent of all bodies, in the job's units (unitless, or m, kg, m/s). largest_position and
// largest_velocity: the largest component; for generators, the largest possible position, and the speed on a
// circle of the radius `length` about the total mass.
struct nbody_extent {
    double length, mass; // a typical size; the total
    double largest_position, largest_velocity;
    double size;              // of the box around all bodies, its longest side
    double offset;            // of the centre of mass from the origin
    size_t furthest, fastest; // of a file: the bodies with largest_position and largest_velocity
};
struct nbody_extent nbody_initial_extent(const struct nbody_initial *initial);

// Checks that no two bodies of a file are at one point, in the run's units and precision, if the softening is
// 0: STATUS_DATA names both. Allocates 64 bytes per body while it works. Called before the reservation.
enum status nbody_initial_check_apart(const struct nbody_initial *initial, const struct nbody_units *units,
                                      double softening, enum element precision);

// Writes the paths of its files to an array of NBODY_INPUTS_MAX; returns their number.
enum { NBODY_INPUTS_MAX = 2 };
int nbody_initial_inputs(const struct nbody_initial *initial, const char **paths);

enum status nbody_initial_plan(struct nbody_initial *initial, struct memory_plan *plan);
enum status nbody_initial_prepare(
    struct nbody_initial *initial); // after the seal, on the I/O thread: reads the file
// Sets all bodies, in the same way for every back end and number of threads. The caller calls solver_touch
// afterwards. The centre of mass of generated bodies is at the origin and at rest, to rounding.
enum status nbody_initial_apply(struct nbody_initial *initial, const struct nbody_units *units,
                                const struct nbody_backend *backend, struct solver *solver);

#endif
