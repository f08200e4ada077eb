// Loops over particles, one axis or one sum at a time, that the compiler vectorises: compiled once per
// instruction set (openmp_sweeps_isa.c), with the same bits for all sets.
#ifndef FATHOM_MODELS_GAS_OPENMP_SWEEPS_ISA_H
#define FATHOM_MODELS_GAS_OPENMP_SWEEPS_ISA_H

#include "models/gas/openmp_solver.h"
#include "models/isa.h"

enum { SWEEP_PARTICLES = 64 }; // particles that are moved together

// The step of a few particles on one axis, as long as they meet no wall.
struct sweep_step {
    double time;      // Δt
    double kick_time; // time of a kick: Δt or Δt/2
    double length;    // the box's side
    bool is_a_priori; // A_PRIORI
    double decay;     // of LANGEVIN: e^{−γΔt}
};

// LANGEVIN's noise of a step.
struct sweep_noise {
    uint64_t step, seed;
    double spread; // (1 − e^{−2γΔt}) T
    double mass;   // of all particles without masses of their own
};

// Positions now and at the last sort, whose distance is that of the nearest image.
struct sweep_displacement {
    const double *position[GAS_AXES], *at_sort[GAS_AXES];
    double length[GAS_AXES]; // of periodic sides, else 0
    double most_square;
};

enum { FAR_TARGETS = 8 }; // cells whose far fields are summed together

// Cells by column, row and centre of mass, and the far field there: E and E'.
struct sweep_far {
    double column[FAR_TARGETS], row[FAR_TARGETS], x[FAR_TARGETS], y[FAR_TARGETS];
    double field_x[FAR_TARGETS], field_y[FAR_TARGETS], slope_x[FAR_TARGETS], slope_y[FAR_TARGETS];
};

struct sweep_functions {
    // Adds the field of a row of `columns` cells at the cells far from them.
    void (*add_far)(const struct pair_multipole *cells, int columns, double row, double far_square,
                    double softening_square, struct sweep_far *far);
    // Computes new velocities and positions; returns whether all stay within the side. count ≤
    // SWEEP_PARTICLES.
    bool (*step)(const struct sweep_step *step, size_t count, const double *position, const double *velocity,
                 const double *acceleration, double *new_position, double *new_velocity);
    // The same with LANGEVIN's friction and noise (as draw_noise has it) between two halves of the drift.
    bool (*noisy_step)(const struct sweep_step *step, size_t count, const double *position,
                       const double *velocity, const double *acceleration, const double *noise,
                       double *new_position, double *new_velocity);
    // Draws the noise of particles, √(spread/mass) ξ, x and y; mass NULL: all have noise->mass. count ≤
    // SWEEP_PARTICLES.
    void (*draw_noise)(const struct sweep_noise *noise, size_t count, const uint32_t *id, const double *mass,
                       double *x, double *y);
    // Sets to = force / mass; mass NULL: force · inverse_mass.
    void (*accelerations)(size_t count, const double *force, const double *mass, double inverse_mass,
                          double *to);
    // Returns whether every vx² + vy² is at most `most_square`; false if one is NaN.
    bool (*are_slow)(size_t count, const double *vx, const double *vy, double most_square);
    // Adds force / mass · time to the velocities.
    void (*kick)(size_t count, const double *force, const double *mass, double inverse_mass, double time,
                 double *velocity);
    // Returns whether every sum x + y is finite.
    bool (*are_finite)(size_t count, const double *x, const double *y);
    // Returns whether one of the particles first … end − 1 has moved further than √most_square.
    bool (*is_stale)(const struct sweep_displacement *displacement, size_t first, size_t end);
    // Writes the nearest integers to x · scale, modulo 2³², to every second number of `to`.
    void (*to_fixed_point)(size_t count, const double *x, double scale, uint32_t *to);
};

ISA_TABLES(sweep_functions);

#endif
