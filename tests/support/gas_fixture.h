// A gas solver for tests, without a job and without files. The caller chooses the number of particles, back
// end, physics and step; the fixture makes the solver's setup, the memory plan and the solver. Independent of
// the command line and of outputs. Every failure in it fails the running test.
#ifndef FATHOM_TESTS_SUPPORT_GAS_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_GAS_FIXTURE_H

#include "models/gas/solver.h"
#include "tests/support/asserts.h"
#include "tests/support/sanitized.h"

enum { CONTAINER_IS_SANITIZED = IS_SANITIZED };

// `physics`: a step of 0 becomes 2⁻⁸, lists' neighbours of 0 become 96. `mass` 0 becomes 1.
struct container_setup {
    const struct gas_backend *backend;
    enum element precision;
    size_t count;
    struct gas_physics physics;
    bool has_masses;
    double mass;
    int threads; // 0: as many as OpenMP would take, at most 2
    int device;
    const struct gas_wanted *wanted; // results that the back end computes on its device; NULL: none
};

struct container;

// Plans, reserves and warms up; checks the plan before and after it is reserved. container_set sets the
// particles.
struct container *container_open(const struct container_setup *setup);
void container_close(struct container *container);
struct solver *container_solver(const struct container *container);

// All particles, by id.
void container_set(struct container *container, const struct gas_particle *particles);
void container_get(struct container *container, struct gas_particle *particles);
// container_advance fails if the guard finds an error; container_try leaves this to container_guard.
void container_advance(struct container *container, int64_t first_step, int64_t count);
void container_try(struct container *container, int64_t first_step, int64_t count);
struct gas_finding container_guard(struct container *container, int64_t step);
// Computes the field of the current particles. `is_by_pairs`: by direct summation, whatever the method.
void container_evaluate(struct container *container, bool is_by_pairs, struct gas_field *field);
struct gas_counts container_counts(const struct container *container);
// Copies the checkpoint arrays of `from` to `to`, which must have the same setup.
void container_copy_checkpoint(struct container *from, struct container *to);
// Opens, sets, evaluates and closes.
void container_field_of(const struct container_setup *setup, const struct gas_particle *particles,
                        bool is_by_pairs, struct gas_field *field);

// ---- physics for tests

// The parameters of a potential, with reflecting walls, leapfrog and direct summation. Lennard-Jones: σ = e =
// 1.
struct gas_physics container_physics(enum gas_potential potential, double box_x, double box_y);
void container_set_walls(struct gas_physics *physics, enum gas_wall wall);
// Regions as in Balen (2016), or neighbour lists for potentials of finite range.
void container_use_cells(struct gas_physics *physics, int columns, int rows);

// ---- particles for tests: the same in every run; allocated by malloc

struct gas_particle *container_particles_new(size_t count);
struct gas_field *container_field_new(size_t count);
// A square lattice that fills the box, displaced at random by up to `jitter` of its constant on each axis;
// velocities uniform in a square about a common drift, with mean squares of `temperature`; masses that differ
// by a factor of at most 3, or all equal to `mass`.
void container_lattice(const struct container_setup *setup, double jitter, double temperature, uint64_t seed,
                       struct gas_particle *particles);
// Like container_lattice, but three times as dense at a corner and in the middle: for soft potentials.
void container_cluster(const struct container_setup *setup, double temperature, uint64_t seed,
                       struct gas_particle *particles);

// ---- comparison

// Largest differences of positions (nearest images), divided by the mean distance √(area/count), and of
// velocities, divided by the largest speed in `b`.
void container_particle_error(const struct container_setup *setup, const struct gas_particle *a,
                              const struct gas_particle *b, double *position_error, double *velocity_error);
// Largest differences of forces, potentials and virials, each divided by its root mean square in `b`.
struct container_field_error {
    double force, potential, virial;
};
struct container_field_error container_field_error(size_t count, const struct gas_field *a,
                                                   const struct gas_field *b);

const char *container_potential_name(enum gas_potential potential);
const char *container_method_name(const struct gas_physics *physics);
const char *container_wall_name(enum gas_wall wall);
const char *container_precision_name(enum element precision);

#endif
