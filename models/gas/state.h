// The physics of the gas model for its solvers: particles in a box in two dimensions; their force, walls,
// thermostat and step. Shared by every back end; independent of jobs, files and memory plans. Reduced units:
// k_B = 1, with the lengths, masses and energies of the potential.
#ifndef FATHOM_MODELS_GAS_STATE_H
#define FATHOM_MODELS_GAS_STATE_H

#include "core/element.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GAS_X, GAS_Y, GAS_AXES };

// PAIRS, r = |x_i − x_j|, s = r² + ε² (ε: softening), r_c the cut-off, s_c = r_c². F_i = f(s) (x_i − x_j), f
// = −2 dU/ds.
// LOG            U = (A/2) ln s, f = −A/s, all pairs.
// REAL_GAS       LOG, and for s < s_c (EVERYWHERE: for all s) + R/s² in f: U += (R/2)(1/s − 1/s_c)
//                (EVERYWHERE: (R/2)/s).
// CONDENSING     REAL_GAS, and for s < s_c − A₂/s in f: U += (A₂/2) ln(s/s_c).
// LENNARD_JONES  U = 4 e (σ¹²/r¹² − σ⁶/r⁶) − U_LJ(r_c) for r < r_c (truncated and shifted).
// LENNARD_JONES_FORCE_SHIFTED  the same − (r − r_c) U_LJ'(r_c): force and energy are continuous (Toxvaerd and
//                Dyre 2011, doi:10.1063/1.3558787).
// SMOOTH, for REAL_GAS and CONDENSING: the part within r_c minus its tangent in s at s_c, U − U(s_c) − (s −
// s_c) dU/ds(s_c), so that its force is zero at r_c, too. U of LOG is never shifted, because it has no
// cut-off. Two particles at one point without softening: LOG adds nothing; the other potentials report
// GAS_OVERLAPPING.
enum gas_potential {
    GAS_NO_FORCE,
    GAS_LOG,
    GAS_REAL_GAS,
    GAS_CONDENSING,
    GAS_LENNARD_JONES,
    GAS_LENNARD_JONES_FORCE_SHIFTED,
    GAS_POTENTIALS
};

// ALL_PAIRS: direct summation. CELLS: pairs within the cut-off by neighbour lists, which are built with cells
// (THE LISTS). For a potential without a cut-off, the other pairs are summed by regions (THE REGIONS).
enum gas_method { GAS_ALL_PAIRS, GAS_CELLS, GAS_METHODS };

// A STEP. a = F/m + g, g the uniform outer force per mass. Walls act at [walls]; noise: THERMOSTATS.
// LEAPFROG  kick–drift–kick: [A_PRIORI] v += aΔt/2; drift x += vΔt; [walls]; forces; v += aΔt/2.
// SYMPLECTIC_EULER  [A_PRIORI] v += aΔt; x += vΔt; [walls]; forces.
enum gas_integrator { GAS_LEAPFROG, GAS_SYMPLECTIC_EULER };

// WALLS, on each side of 0 … L on an axis; n: outward. They act after a drift along their axis, unless stated
// otherwise.
// REFLECT         the path of the drift is folded at each wall that it meets, and v changes sign each time:
//                 exact for a straight path.
// VELOCITY_FLIP   outside and moving outwards: v changes sign; the position does not change.
// FLIP_AND_MIRROR outside: the position is mirrored at the wall and v changes sign, once.
// A_PRIORI        before the step: if x + vΔt + aΔt² is outside, v changes sign.
// DAMPED          as REFLECT; both components of v are multiplied by 1 − damping each time.
// PERIODIC        both sides of an axis: x is taken modulo L; r is the nearest image's.
// SOFT            no wall, but a force −k d at the depth d beyond it, on n; potential k d²/2.
// FIELD_CORRECTED (LEAPFROG without LANGEVIN) the drift is the parabola x + vt + at²/2, with v and a of the
//                 beginning of the step. Where it meets the wall, it is reflected with its speed there.
//                 Exact for a uniform force, except that a particle is not reflected if it is beyond the
//                 wall only between the beginning and the end of the step. The velocity at the end is the
//                 parabola's: v is set so that the second half kick, with the same a, gives it.
enum gas_wall {
    GAS_REFLECT,
    GAS_VELOCITY_FLIP,
    GAS_FLIP_AND_MIRROR,
    GAS_A_PRIORI,
    GAS_DAMPED,
    GAS_PERIODIC,
    GAS_SOFT,
    GAS_FIELD_CORRECTED,
    GAS_WALLS
};
enum { GAS_LEFT, GAS_RIGHT, GAS_BOTTOM, GAS_TOP, GAS_SIDES };

// THERMOSTATS, at temperature T, of LEAPFROG.
// LANGEVIN  BAOAB (Leimkuhler and Matthews 2013, doi:10.1063/1.4802990): v += aΔt/2; x += vΔt/2; v = c v +
//           √((1 − c²)T/m) ξ, c = e^{−γΔt}; x += vΔt/2; [walls, after each of the two]; forces; v += aΔt/2.
// BUSSI     leapfrog, then all v times α (Bussi, Donadio and Parrinello 2007, doi:10.1063/1.2408420, eq. A7),
//           time τ:
//           α² = c + (1 − c) K̄/(N_f K) (R₁² + S) + 2 R₁ √(c (1 − c) K̄/(N_f K)), c = e^{−Δt/τ}, K̄ = N_f
//           T/2, R₁ normal, S the sum of N_f − 1 squares of normals (a gamma variate: Marsaglia and Tsang
//           2000); the sign is α's own: that of R₁ + √(c N_f K/((1 − c) K̄)). K in the fixed order of
//           core/statistics.h.
// Noise: Philox4x32-10 (core/philox.h), key = `seed`, the counter's low half = step. ξ of a particle: high
// half = its id; words 0, 1 and 2, 3 are Box and Muller's two uniform numbers (x: cosine, y: sine). BUSSI:
// draw k has a normal number (the cosine) from the high half 2⁶³ + k and, for the gamma variate's test, a
// uniform one from words 0, 1 of 2⁶³ + 2⁶² + k; draw 0 is R₁.
enum gas_thermostat { GAS_NO_THERMOSTAT, GAS_LANGEVIN, GAS_BUSSI };

// Balen's (2016) limiters, applied after the step; the program counts how often they act. ENERGY: limits the
// kinetic energy of a particle to `energy` mean kinetic energies. JUMP: restores the old velocity of a
// particle whose speed is more than `jump` times that before the step. 0: off.
struct gas_limiters {
    double energy, jump;
};

// THE LISTS. The box is divided evenly into cells: as many columns and rows as possible with sides ≥ r_c +
// skin, at least three along a periodic axis. Particles are sorted by cell (row by row, x fastest), stably. A
// neighbour is a particle that was closer than r_c + skin at the sort. The lists are rebuilt when a particle
// has moved further than skin/2 since then, in the same step, before forces are evaluated. A list holds at
// most `neighbours` particles; more are reported as GAS_CROWDED.
//
// THE REGIONS, for the −A/s in f, which has no cut-off; the box has walls on all sides. The box is divided
// evenly into columns × rows cells. Each step sorts the particles into them; a particle outside the box
// belongs to the nearest cell. With distances between the centres of cells, in units of the cells' sides on
// each axis, a cell's
//   near cells   are those at a distance² < near²: their particles act by pairs (all terms of the potential);
//   middle cells those with < far²: as a multipole about their centre of mass c: M = n, Q = Σ (z_j − c)², z =
//   x + i y;
//   far cells    all others: likewise, evaluated once per cell at its own centre of mass, with `order` 1
//                terms of Taylor's there.
// The field of a multipole at d = z − c: F = −A conj(E), E = M conj(d)/(|d|² + ε²) + Q/d³;
// its potential: U = A ((M/2) ln(|d|² + ε²) − Re(Q/(2d²))).
// Of far cells at a particle, c_t the target's own centre of mass, w = z − c_t: E(c_t) + E'(c_t) w, E' =
// −M/d² − 3Q/d⁴; U(c_t) + A Re(E(c_t) w + E'(c_t) w²/2). Order 0 omits E'. The lists of near and middle cells
// are made before the run and end in a sentinel; those of cells at the border are shorter. r_c must not
// exceed the shorter side of a cell, the reach of the near cells.
struct gas_regions {
    int columns, rows; // 0: no regions are needed
    double near, far;  // radii in cells
    int order;         // 0, 1
};

struct gas_lists {
    double skin;
    int neighbours;
};

struct gas_physics {
    enum gas_potential potential;
    double attraction, attraction2, repulsion; // A, A₂, R
    bool has_repulsion_everywhere, is_smooth;
    double well_depth, diameter; // e, σ
    double softening, cut_off;   // ε, r_c (0: no part of the potential has a cut-off)
    double gravity[GAS_AXES];    // g
    double box[GAS_AXES];        // Lx, Ly
    enum gas_wall walls[GAS_SIDES];
    double damping, stiffness; // of DAMPED; k of SOFT
    enum gas_integrator integrator;
    enum gas_thermostat thermostat;
    double temperature, friction, relaxation_time; // T, γ, τ
    uint64_t seed;
    struct gas_limiters limiters;
    double step; // Δt
    enum gas_method method;
    struct gas_lists lists;
    struct gas_regions regions;
};

static inline bool gas_is_periodic(const struct gas_physics *physics, int axis)
{
    return physics->walls[2 * axis] == GAS_PERIODIC;
}

enum { GAS_COUNT_MAX = 1 << 30 };

// Errors that end a run.
enum gas_error {
    GAS_NO_ERROR,
    GAS_NOT_FINITE,  // a non-finite position or velocity
    GAS_ESCAPED,     // far outside the box
    GAS_TOO_FAST,    // moved further than the cut-off (or a side of the box) in one step
    GAS_CROWDED,     // more neighbours than the lists hold
    GAS_OVERLAPPING, // two at one point, or so close that the energy is not finite
    GAS_ERRORS
};

enum gas_stage {
    GAS_STAGE_MOVE,    // kicks, drifts, walls, thermostat
    GAS_STAGE_SORT,    // cells
    GAS_STAGE_LISTS,   // neighbours, or multipoles
    GAS_STAGE_FORCE,   // pairs
    GAS_STAGE_REGIONS, // middle and far cells
    GAS_STAGES
};

struct gas_stage_times {
    double seconds[GAS_STAGES];
    int64_t steps;
};

// Counts of the lists and of the limiters.
struct gas_counts {
    int64_t rebuilds, limited_energy, limited_jumps;
    int64_t largest_list; // of the last lists
    double neighbours;    // mean of the last lists
    double pairs;         // evaluated in a step; (i, j) and (j, i) count as two
};

// One record of diagnostics, in double. Sums in blocks of 4096 by id (core/statistics.h).
enum gas_diagnostic {
    GAS_KINETIC,
    GAS_POTENTIAL,                             // pairs, gravity (−m g·x) and soft walls
    GAS_MOMENTUM,                              // 2
    GAS_TEMPERATURE = GAS_MOMENTUM + GAS_AXES, // 2K/degrees of freedom
    GAS_PRESSURE, // ρT + Σ_{i<j} r·F /(2 area); T the thermostat's where there is one
    GAS_LIMITED,  // number of times that a limiter has acted so far
    GAS_DIAGNOSTICS
};

// Degrees of freedom: 2N − 2 if all sides are periodic and there is no Langevin thermostat, else 2N.
static inline double gas_degrees(const struct gas_physics *physics, size_t count)
{
    const bool is_free = gas_is_periodic(physics, GAS_X) && gas_is_periodic(physics, GAS_Y) &&
                         physics->thermostat != GAS_LANGEVIN;
    return 2.0 * (double)count - (is_free ? 2 : 0);
}

#endif
