// An N-body solver on bodies made for a test, without a job and without files: the caller states how many,
// which back end, method and step; the fixture makes what a solver's setup points to, the memory plan and the
// running solver. Knows nothing of the command line and of outputs. Every failure inside it fails the running
// test.
#ifndef FATHOM_TESTS_SUPPORT_NBODY_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_NBODY_FIXTURE_H

#include "models/nbody/solver.h"
#include "tests/support/asserts.h"
#include "tests/support/sanitized.h"

enum { PARTICLE_SET_IS_SANITIZED = IS_SANITIZED };

// `physics`: its tree is of BARNES_HUT alone; a step of 0 becomes 2⁻⁸, a θ of 0 becomes 0.6.
struct particle_set_setup {
    const struct nbody_backend *backend;
    enum element precision;
    size_t count;
    struct nbody_physics physics;
    int threads; // 0: as many as OpenMP would take, at most 2
    int device;
    const struct nbody_wanted *wanted; // results that the back end makes where the bodies lie; NULL: none
};

struct particle_set;

// Whether the setup's back end has its method.
bool particle_set_is_possible(const struct particle_set_setup *setup);
// Plans, checks the plan before and after it is reserved, reserves, warms up. particle_set_set brings the
// bodies.
struct particle_set *particle_set_open(const struct particle_set_setup *setup);
void particle_set_close(struct particle_set *particle_set);
struct solver *particle_set_solver(const struct particle_set *particle_set);

// All bodies, by id.
void particle_set_set(struct particle_set *particle_set, const struct nbody_body *bodies);
void particle_set_get(struct particle_set *particle_set, struct nbody_body *bodies);
void particle_set_advance(struct particle_set *particle_set, int64_t first_step, int64_t count);
// The field of the bodies as they stand; `is_direct`: the potential by every pair.
void particle_set_evaluate(struct particle_set *particle_set, bool is_direct, struct nbody_field *field);
// The arrays of `from`'s checkpoint are copied into `to`, which is of the same setup.
void particle_set_copy_checkpoint(struct particle_set *from, struct particle_set *to);
// Ten steps of one solver; a copy of it, made after five, must come to the same bits in other batches of
// steps.
void particle_set_assert_copy_goes_on(const struct particle_set_setup *setup, const struct nbody_body *start);
// Opens, sets, evaluates and closes.
void particle_set_field_of(const struct particle_set_setup *setup, const struct nbody_body *bodies,
                           struct nbody_field *field);

// ---- bodies for tests: the same in every run; every number is a float's, the total mass about 1, the size
// about 1. malloc'ed.

struct nbody_body *particle_set_bodies_new(size_t count);
struct nbody_field *particle_set_field_new(size_t count);
// Dense in the middle and thin outside, masses within a factor of 10 of each other, moving, in no symmetry.
void particle_set_cluster(size_t count, uint64_t seed, struct nbody_body *bodies);
// Equal masses at random in the unit cube, at rest.
void particle_set_cube(size_t count, uint64_t seed, struct nbody_body *bodies);
// Awkward ones: bodies at one point, bodies without mass, two clusters far apart, bodies on a line.
enum particle_set_shape {
    PARTICLE_SET_TWINS,
    PARTICLE_SET_MASSLESS,
    PARTICLE_SET_TWO_CLUSTERS,
    PARTICLE_SET_LINE,
    PARTICLE_SET_SHAPES
};
void particle_set_awkward(enum particle_set_shape shape, size_t count, uint64_t seed,
                          struct nbody_body *bodies);

// ---- comparison

// |a − b| / |b| of the accelerations: the largest, where, and the root mean square; a body whose acceleration
// in `b` is below 1e-3 of the root mean square of all is measured by that.
struct particle_set_error {
    double largest, rms;
    size_t where;
};
struct particle_set_error particle_set_acceleration_error(size_t count, const struct nbody_field *a,
                                                          const struct nbody_field *b);
// Largest |φa − φb| / |φb|.
double particle_set_potential_error(size_t count, const struct nbody_field *a, const struct nbody_field *b);
// Largest difference of positions and of velocities, over the largest of each in `b`.
void particle_set_body_error(size_t count, const struct nbody_body *a, const struct nbody_body *b,
                             double *position_error, double *velocity_error);

const char *particle_set_method_name(enum nbody_method method);
const char *particle_set_integrator_name(enum nbody_integrator integrator);
const char *particle_set_precision_name(enum element precision);

#endif
