// The bodies at the start: generated from a seed, or read from a file, and given to a back end in the run's
// units. Generators need no array of all bodies: they generate them twice, first to find their centre. The
// bodies of a file lie in an array of the plan.
#ifndef FATHOM_MODELS_NBODY_INITIAL_H
#define FATHOM_MODELS_NBODY_INITIAL_H

#include "core/memory_plan.h"
#include "io/job/job.h"
#include "models/nbody/solver.h"
#include "models/nbody/units.h"

struct nbody_initial;

// The block `particles`. Of a file: reads all of it once, and refuses what is wrong with the body and the
// value: numbers that are not finite, negative masses, no mass, fewer than two bodies, all at one point
// (STATUS_DATA). The job must outlive it. After a failure, too, destroy it.
enum status nbody_initial_create(const struct job *job, struct nbody_initial **initial, size_t *count);
void nbody_initial_destroy(struct nbody_initial *initial); // NULL: does nothing

// Of all bodies, in the job's units (bare, or m, kg, m/s). Largest: |x|, |v| of any component; of generators,
// how far they can reach, and the speed of a circle of the radius `length` about the total mass.
struct nbody_extent {
    double length, mass; // a typical size; the total
    double largest_position, largest_velocity;
    double size;              // of the box around all bodies, its longest side
    double offset;            // of the centre of mass from the origin
    size_t furthest, fastest; // of a file: the bodies that largest_position and largest_velocity are those of
};
struct nbody_extent nbody_initial_extent(const struct nbody_initial *initial);

// Two bodies of a file at one point of the run, in its units and precision, with a softening of 0:
// STATUS_DATA with both. Needs 32 bytes a body meanwhile, and as much again for the sort. Before the
// reservation.
enum status nbody_initial_check_apart(const struct nbody_initial *initial, const struct nbody_units *units,
                                      double softening, enum element precision);

// Its files, of places for NBODY_INPUTS_MAX; returns how many.
enum { NBODY_INPUTS_MAX = 2 };
int nbody_initial_inputs(const struct nbody_initial *initial, const char **paths);

enum status nbody_initial_plan(struct nbody_initial *initial, struct memory_plan *plan);
enum status nbody_initial_prepare(
    struct nbody_initial *initial); // after the seal, on the I/O thread: reads the file
// Sets all bodies, the same whatever the back end and the number of threads; the caller touches. Generated
// bodies have their centre of mass at the origin and at rest, to rounding.
enum status nbody_initial_apply(struct nbody_initial *initial, const struct nbody_units *units,
                                const struct nbody_backend *backend, struct solver *solver);

#endif
