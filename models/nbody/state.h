// The physics of the N-body model for its solvers: bodies, forces, step. Shared by every back end;
// independent of jobs, files and memory plans.
//
// Gravity with Plummer softening (Aarseth 1963), G = 1:
//   a_i = Σ_j m_j r_ij / (|r_ij|² + ε²)^{3/2},   φ_i = −Σ_{j≠i} m_j / (|r_ij|² + ε²)^{1/2},
//   r_ij = x_j − x_i.
// A pair with |r|² + ε² = 0 (a body and itself without softening) adds nothing. All quantities are in the
// units of the run, in which G = 1; the model converts them (units.h).
#ifndef FATHOM_MODELS_NBODY_STATE_H
#define FATHOM_MODELS_NBODY_STATE_H

#include "core/element.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NBODY_X, NBODY_Y, NBODY_Z, NBODY_AXES };

// DIRECT: direct summation, as fast as the back end can. DIRECT_TILED, DIRECT_NAIVE: direct summation on a
// GPU as in Pavlović (2016), for comparison: one thread per body, which reads all bodies by tiles from shared
// memory, or from global memory. BARNES_HUT: a tree.
enum nbody_method { NBODY_DIRECT, NBODY_DIRECT_TILED, NBODY_DIRECT_NAIVE, NBODY_BARNES_HUT, NBODY_METHODS };

// LEAPFROG: kick-drift-kick, v += aΔt/2, x += vΔt, v += a'Δt/2. SOURCE_STEP: Pavlović's (2016), x += (v +
// aΔt/2)Δt, v += aΔt with a at the old x: second order in x within a step, first order in v.
enum nbody_integrator { NBODY_LEAPFROG, NBODY_SOURCE_STEP };

// The opening criterion. l: side of a cell; s: distance of its centre of mass from its centre; d: its
// distance from the nearest box of a group of bodies. The cell replaces its bodies if OFFSET: d ≥ l/θ + s;
// SIZE: d ≥ l/θ; DISTANCE: d ≥ a given distance (Pavlović 2016). All criteria also require that no box of the
// group touches the cell's cube.
enum nbody_opening { NBODY_OPENING_OFFSET, NBODY_OPENING_SIZE, NBODY_OPENING_DISTANCE };

// THE TREE, the same in every back end, so that all use the same pairs of group and cell (except for rounding
// at the limit of the criterion):
// 1. The cube. Its centre is that of the bodies' box, (min + max)/2 on each axis, in double. Its side is the
//    box's longest side times (1 + 2⁻²⁰), or 1 if that is 0. Its lower corner is the centre minus half the
//    side. If a position is not finite, all fields are NaN, and there are no cells.
// 2. A body's integer position: on each axis floor((x − corner) · (2²¹/side)) in double, limited to 0 … 2²¹ −
//    1. Its key: the 63 bits of that position's index along Hilbert's curve in the numbering of J. Skilling
//    (AIP Conf. Proc. 707, 381–387, 2004, doi:10.1063/1.1751381; x, y, z in this order; tree.h). Neighbours
//    on the curve are neighbours in space, so groups (6) are small: a tenth to a sixth fewer interactions
//    than in Morton's order.
// 3. The bodies are sorted by key, stably. The order stays from step to step.
// 4. A cell of depth d (0: the cube) is all bodies whose keys agree in their first 3d bits. Its cube, of side
//    side / 2^d, holds the positions that agree in their first d bits on each axis. A cell of more than
//    NBODY_LEAF_BODIES bodies, of depth < 21, is divided into its non-empty cells of depth d + 1; others are
//    leaves. (Bodies at one point share a leaf, however many.) Bound: on each of the depths 0 … 20 at most
//    min(8^d, ⌊n/(NBODY_LEAF_BODIES + 1)⌋) cells are divided, and at most n cells are leaves.
// 5. Each cell has a mass M, a centre of mass, and S_ij = Σ m d_i d_j about the centre of mass (6 numbers).
//    The acceleration of its field at r = x − x_com, R² = r² + ε², q = r·S·r, t = tr S (Taylor's second order
//    of the softened potential φ = −M/R − (3/2) q/R⁵ + (1/2) t/R³):
//      a = −M r/R³ + 3 S r/R⁵ + (3/2) t r/R⁵ − (15/2) q r/R⁷.
//    A cell without mass has its centre of mass at its centre, and no field.
// 6. A group is NBODY_GROUP_BODIES consecutive bodies in the order, from a multiple of that number on. It has
//    a box for each NBODY_BOX_BODIES of them. (If a group has bodies on both sides of the middle of a
//    cluster, a single box would cover the middle, and the group would open every cell there.) From the cube
//    down: a cell that satisfies the opening criterion replaces its bodies; else the bodies of a leaf act
//    individually, and the cells of another cell are checked.
enum { NBODY_KEY_BITS = 21, NBODY_LEAF_BODIES = 16, NBODY_GROUP_BODIES = 64, NBODY_BOX_BODIES = 8 };

struct nbody_tree_rule {
    enum nbody_opening opening;
    bool has_quadrupole; // false: without S
    double theta;        // > 0
    double distance;     // of NBODY_OPENING_DISTANCE
};

struct nbody_physics {
    enum nbody_method method;
    enum nbody_integrator integrator;
    double softening; // ε ≥ 0
    double step;      // Δt > 0
    struct nbody_tree_rule tree;
};

enum { NBODY_COUNT_MAX = 1 << 30 };

// The six stages of a step, as in Pavlović (2016). Direct summation has only the last two.
enum nbody_stage {
    NBODY_STAGE_BOX,
    NBODY_STAGE_SORT,
    NBODY_STAGE_BUILD,
    NBODY_STAGE_SUMMARISE,
    NBODY_STAGE_FORCE,
    NBODY_STAGE_INTEGRATE,
    NBODY_STAGES
};

// Times of the stages, summed over the timed steps (perhaps not all), and the number of these steps.
struct nbody_stage_times {
    double seconds[NBODY_STAGES];
    int64_t steps;
};

// Counts of the tree of the last evaluation, for the report and the bench.
struct nbody_tree_counts {
    int64_t cells, leaves, cells_planned;
    double cell_interactions, body_interactions; // of all bodies, with cells and with bodies
};

// One record of diagnostics, in double, G = 1. Sums in blocks of 4096 by id (core/statistics.h).
enum nbody_diagnostic {
    NBODY_KINETIC,
    NBODY_POTENTIAL,                             // ½ Σ m φ, with the softening
    NBODY_MOMENTUM,                              // 3: Σ m v
    NBODY_ANGULAR_MOMENTUM = NBODY_MOMENTUM + 3, // 3: Σ m x × v
    NBODY_CENTRE = NBODY_ANGULAR_MOMENTUM + 3,   // 3: of mass
    NBODY_MOMENTUM_SCALE = NBODY_CENTRE + 3,     // Σ m |v|
    NBODY_VIRIAL_RATIO, // 2K/|W|, W = Σ m x·a (for softened gravity not the potential energy)
    NBODY_LAGRANGIAN,   // NBODY_RADII: radii about the centre of mass that enclose shares of the mass
    NBODY_RADII = 7,
    NBODY_DIAGNOSTICS = NBODY_LAGRANGIAN + NBODY_RADII
};
extern const double nbody_lagrangian_shares[NBODY_RADII]; // 0.01 0.1 0.25 0.5 0.75 0.9 0.99

#endif
