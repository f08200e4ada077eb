// An N-body solver on bodies made for a test, without a job and without files: the caller says how many,
// which back end, method and step; the fixture makes what a solver's setup points to, the memory plan and the
// running solver. Knows nothing of the command line and of outputs. Every failure inside it fails the running
// test.
#ifndef FATHOM_TESTS_NBODY_FIXTURE_H
#define FATHOM_TESTS_NBODY_FIXTURE_H

#include "models/nbody/solver.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// See tsunami_fixture.h.
#if defined(__SANITIZE_ADDRESS__) || defined(FATHOM_BRIEF_TESTS)
enum { SWARM_IS_SANITIZED = 1 };
#else
enum { SWARM_IS_SANITIZED = 0 };
#endif

// `physics`: its tree is of BARNES_HUT alone; a step of 0 becomes 2⁻⁸, a θ of 0 becomes 0.6.
struct swarm_setup {
    const struct nbody_backend *backend;
    enum element precision;
    size_t count;
    struct nbody_physics physics;
    int threads; // 0: as many as OpenMP would take, at most 2
    int device;
    const struct nbody_wanted *wanted; // results that the back end makes where the bodies lie; NULL: none
};

struct swarm;

// Whether the setup's back end has its method.
bool swarm_is_possible(const struct swarm_setup *setup);
// Plans, checks the plan before and after it is reserved, reserves, warms up. The bodies come with swarm_set.
struct swarm *swarm_open(const struct swarm_setup *setup);
void swarm_close(struct swarm *swarm);
struct solver *swarm_solver(const struct swarm *swarm);
size_t swarm_planned_bytes(const struct swarm *swarm, enum memory_kind kind);

// All bodies, by id.
void swarm_set(struct swarm *swarm, const struct nbody_body *bodies);
void swarm_get(struct swarm *swarm, struct nbody_body *bodies);
void swarm_advance(struct swarm *swarm, int64_t first_step, int64_t count);
// The field of the bodies as they stand; `is_direct`: the potential by every pair.
void swarm_evaluate(struct swarm *swarm, bool is_direct, struct nbody_field *field);
// The arrays of `from`'s checkpoint are copied into `to`, which is of the same setup.
void swarm_copy_checkpoint(struct swarm *from, struct swarm *to);
// Ten steps of one solver; a copy of it, made after five, must come to the same bits in other batches of
// steps.
void swarm_assert_copy_goes_on(const struct swarm_setup *setup, const struct nbody_body *start);
// Opens, sets, evaluates and closes.
void swarm_field_of(const struct swarm_setup *setup, const struct nbody_body *bodies,
                    struct nbody_field *field);

// ---- bodies for tests: the same in every run; every number is a float's, the total mass about 1, the size about 1. malloc'ed.

struct nbody_body *swarm_bodies_new(size_t count);
struct nbody_field *swarm_field_new(size_t count);
// Dense in the middle and thin outside, masses within a factor of 10 of each other, moving, in no symmetry.
void swarm_cluster(size_t count, uint64_t seed, struct nbody_body *bodies);
// Equal masses at random in the unit cube, at rest.
void swarm_cube(size_t count, uint64_t seed, struct nbody_body *bodies);
// Awkward ones: bodies at one point, bodies without mass, two clusters far apart, bodies on a line.
enum swarm_shape { SWARM_TWINS, SWARM_MASSLESS, SWARM_TWO_CLUSTERS, SWARM_LINE, SWARM_SHAPES };
void swarm_awkward(enum swarm_shape shape, size_t count, uint64_t seed, struct nbody_body *bodies);

// ---- comparison

// |a − b| / |b| of the accelerations: the largest, where, and the root mean square; a body whose acceleration in `b` is below 1e-3 of
// the root mean square of all is measured by that.
struct swarm_error {
    double largest, rms;
    size_t where;
};
struct swarm_error swarm_acceleration_error(size_t count, const struct nbody_field *a,
                                            const struct nbody_field *b);
// Largest |φa − φb| / |φb|.
double swarm_potential_error(size_t count, const struct nbody_field *a, const struct nbody_field *b);
// Largest difference of positions and of velocities, over the largest of each in `b`.
void swarm_body_error(size_t count, const struct nbody_body *a, const struct nbody_body *b,
                      double *position_error, double *velocity_error);

const char *swarm_method_name(enum nbody_method method);
const char *swarm_integrator_name(enum nbody_integrator integrator);
const char *swarm_precision_name(enum element precision);

#endif
