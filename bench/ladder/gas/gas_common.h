// What the rungs of the gas' ladder have in common: R. Balen, Numerical simulations of a real gas on the
// graphics card (master's thesis in Croatian, Zagreb 2016), chapters 3 to 10. n particles of equal mass in a
// box; floats, as there. C and CUDA C++.
//
// FORCE. d = x_i − x_j, s = |d|² + ε²:
//   two dimensions  a_i = A Σ_j d/s (equation 8; the potential is a logarithm)
//   three           a_i = A3 Σ_j d/s^(3/2) (equation 13)
//   full (10)       a_i = Σ_j d (A/s + [s < s_c] (R/s² + A2/s)) (code 45)
// ε² > 0 makes the term i = j zero, so that no rung leaves it out.
//
// A STEP. v += a Δt for all particles, from positions of the beginning of the step; then gas_ladder_move.
// (The author's first programs move a particle as soon as its own force is known, which he calls a small
// error; here all rungs move after all forces, so that they have one result.)
//
// The author does not state constants, step, positions and speeds. Here the particles are at random and
// nearly at rest, and the attraction of a particle falls with their number: they need some 14 000 steps to
// fall together, whatever n. Velocities in the beginning are smaller than what a few steps add, so that a
// wrong force shows in floats.
#ifndef FATHOM_BENCH_LADDER_GAS_GAS_COMMON_H
#define FATHOM_BENCH_LADDER_GAS_GAS_COMMON_H

#include "bench/ladder/ladder.h"
#include "core/host_device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GAS_LADDER_BOX       5000.f // length of a side (figure 36)
#define GAS_LADDER_STEP      0.5f   // Δt
#define GAS_LADDER_SOFTENING 1.f    // ε²
// Short range of the full model: no force at the distance 8, the cut-off at 20; 262 144 particles are 9.8
// apart.
#define GAS_LADDER_REPULSION   0.064f   // R
#define GAS_LADDER_ATTRACTION2 (-1e-3f) // A2
#define GAS_LADDER_CUT_OFF     400.f    // s_c

// Operations of a pair, as the author counts them (table 1 and chapters 6 to 10): sums, products, quotients
// and roots are one each.
enum gas_ladder_operations {
    GAS_LADDER_DIVIDED = 11, // MTI, MTJ
    GAS_LADDER_ROOT = 12,    // GPUMTI: 1/√(s·s) instead of 1/s
    GAS_LADDER_STORED = 13,  // …Mem; MTIJ, too, with half as many pairs
    GAS_LADDER_TWICE = 18,   // …Fission without Mem
    GAS_LADDER_3D_HOST = 20,
    GAS_LADDER_3D_DEVICE = 19,
    GAS_LADDER_TWO_FORCES = 22, // full without A2, on a device
    GAS_LADDER_THREE_FORCES = 28
};

// Host arrays of the particles, [count] each; z of two dimensions: NULL.
struct gas_ladder_particles {
    size_t count;
    int axes; // 2 or 3
    float *at[LADDER_AXES], *velocity[LADDER_AXES];
};

// A and A3, of `count` particles.
static FATHOM_HOST_DEVICE float gas_ladder_attraction(size_t count, int axes)
{
    return (axes == 2 ? -0.4f : -1500.f) / (float)count;
}

// Moves one coordinate by v Δt; if that left the box, v changes sign before (the author's a-priori bounce,
// 9.5.3, with the velocity that moves). A particle within the box stays there while |v| Δt is less than half
// of it.
static FATHOM_HOST_DEVICE void gas_ladder_move(float *at, float *velocity)
{
    const float next = *at + *velocity * GAS_LADDER_STEP;
    if (next > GAS_LADDER_BOX || next < 0)
        *velocity = -*velocity;
    *at += *velocity * GAS_LADDER_STEP;
}

// Allocates the arrays (64 bytes aligned) and places the particles: the same for all rungs, and x, y the same
// in two dimensions as in three. STATUS_SYSTEM: no memory. Free also after a failure.
enum status gas_ladder_place(const struct ladder_case *wanted, int axes,
                             struct gas_ladder_particles *particles);
void gas_ladder_free(struct gas_ladder_particles *particles);

// The rungs' `read`: values of [6][count], x, y, z, v_x, v_y, v_z in the order in which the particles were
// placed; z and v_z of two dimensions are 0.
void gas_ladder_read(const struct gas_ladder_particles *particles, double *values);

// The rungs' `count`: `operations` of a pair, of `share` of the n² pairs. (counts->work remains n² for all
// rungs.)
void gas_ladder_count(const struct ladder_case *wanted, double operations, double share,
                      struct ladder_counts *counts);

#ifdef __cplusplus
}
#endif

#endif
