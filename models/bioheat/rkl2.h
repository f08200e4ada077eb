// Runge–Kutta–Legendre super-time-stepping of second order (RKL2): Meyer, Balsara & Aslam, "A stabilized
// Runge–Kutta–Legendre method for explicit super-time-stepping of parabolic and mixed equations", J. Comput.
// Phys. 257 (2014) 594–626: how many stages a step takes, and their coefficients (equations 16 to 18). Knows
// no grid and no solver.
#ifndef FATHOM_MODELS_BIOHEAT_RKL2_H
#define FATHOM_MODELS_BIOHEAT_RKL2_H

#include <stdint.h>

// Two stages would be stable up to Euler's limit; the third lessens the error of short steps. The more
// stages, the less may the rates stray from the real axis (docs/bioheat.md): 32 bear 1 % of the largest.
enum { BIOHEAT_RKL2_STAGES_LEAST = 3, BIOHEAT_RKL2_STAGES_MAX = 32 };

// The longest stable step of `stages` ≥ 2 stages, (s² + s − 2)/4 times that of explicit Euler, `limit_s`.
double bioheat_rkl2_limit_s(int stages, double limit_s);

// The fewest stages, BIOHEAT_RKL2_STAGES_LEAST or more, that make a step of `step_s` stable; 0: more than
// BIOHEAT_RKL2_STAGES_MAX are needed.
int bioheat_rkl2_stages(double step_s, double limit_s);

// Stage j = 1 … s, Y_0 the state at the start, c_j Δt times the rates at Y_j:
//   Y_j = Y_0 + last (Y_j−1 − Y_0) + earlier (Y_j−2 − Y_0) + rate c_j−1 + first_rate c_0,
// the state at the end is Y_s. Stage 1: Y_0 + rate c_0.
struct bioheat_rkl2_stage {
    double last, earlier, rate, first_rate;
};
struct bioheat_rkl2_stage bioheat_rkl2_stage(int stages, int j);
// The same for a part of the step, one of `parts` equal ones: c is still the change of the whole step.
struct bioheat_rkl2_stage bioheat_rkl2_stage_of_part(int stages, int parts, int j);

// The same as differences D_j = Y_j − Y_0, for rates that are linear but for constant terms: with A Δt times
// the rates without these terms, and c_0, of which D_1 is a multiple,
//   j = 1: c_0 itself;    j = 2: D_2 = rate A c_0 + last c_0;
//   j ≥ 3: D_j = rate A D_j−1 + last D_j−1 + earlier D_j−2 + first c_0, where earlier is 0 of j = 3.
struct bioheat_rkl2_difference {
    double rate, last, earlier, first;
};
struct bioheat_rkl2_difference bioheat_rkl2_difference(int stages, int parts, int j);

// The errors after a source was switched on, of the temperature in parts of the step times the heating rate:
// `cell` of a single heated cell, the larger of those in a line and in all dimensions; `face` of a heated
// half space. In an infinite uniform medium of 1 to 3 `dimensions`, ratio = step/limit_s; the largest of the
// first steps; exact sums over the modes of the grid.
// The step after the switch has `substeps` sub-steps of `substep_stages` stages.
struct bioheat_rkl2_steps {
    int stages, substeps, substep_stages;
};
struct bioheat_rkl2_errors {
    double cell, face;
};
struct bioheat_rkl2_errors bioheat_rkl2_switch_errors(const struct bioheat_rkl2_steps *steps, double ratio,
                                                      int dimensions);

// The largest error (K) at the end of any of the first `count` steps that starts from other temperatures than
// those of rest, without a source, where the first step has the sub-steps. Of a mode that decays at the rate
// z/Δt, 0 < z ≤ 2 ratio, it is E(z) times its size at the start; sizes[p] bounds the start's A^p-fold times
// Δt^p (K): so the least of sizes[p] max E(z)/z^p over p. Times 1.5, because the largest value of a sum of
// modes may exceed that of its norms: measured from fields in which it is least, docs/bioheat.md.
enum { BIOHEAT_RKL2_SIZES = 3 };
double bioheat_rkl2_start_error(const struct bioheat_rkl2_steps *steps, double ratio, int64_t count,
                                const double sizes_k[BIOHEAT_RKL2_SIZES]);

// max E(z)/z for z ≤ most_z: the error after a source was switched on, in parts of the step times the heating
// rate, of cells that lose heat by perfusion or through convective faces alone, at a rate up to most_z/Δt. 0
// where there is no such loss.
double bioheat_rkl2_loss_error(const struct bioheat_rkl2_steps *steps, double most_z, int64_t count);

#endif
