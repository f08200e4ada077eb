// The coefficients of the pair potentials of state.h. The fast versions compute them once before a run;
// point.inc uses them.
#ifndef FATHOM_MODELS_GAS_LAW_H
#define FATHOM_MODELS_GAS_LAW_H

#include "models/gas/state.h"

#include <math.h>
#include <string.h>

// GAS_LAW_LOG: only −A/s. GAS_LAW_NEAR: REAL_GAS and CONDENSING, with terms that act only within a cut-off.
enum gas_law_kind {
    GAS_LAW_NONE,
    GAS_LAW_LOG,
    GAS_LAW_NEAR,
    GAS_LAW_LENNARD_JONES,
    GAS_LAW_FORCE_SHIFTED,
    GAS_LAWS
};

// With s = r² + ε²; for NEAR,
//   f = −A/s + Rₑ/s² + [s < s_c] (R_w/s² − A₂/s − f_c),
//   U = (A/2) ln s + (Rₑ/2)/s + [s < s_c] ((R_w/2)/s + (A₂/2) ln s − U_c + (s − s_c) f_c/2);
// for LENNARD_JONES, q = σ⁶/s³, within s_c:
//   f = 24 e (2 q² − q)/s [+ U'(r_c)/r], U = 4 e (q² − q) − U_c [− (r − r_c) U'(r_c)]; [ ]: FORCE_SHIFTED.
struct gas_law {
    enum gas_law_kind kind;
    double softening_square, end_square;                // ε²; s_c
    double attraction, everywhere, within, attraction2; // A, Rₑ, R_w, A₂
    double last_f, last_potential;                      // f_c, U_c
    double sixth, depth, last_slope;                    // σ⁶, e, U'(r_c)
};

static inline struct gas_law gas_law_of_kind(enum gas_law_kind kind)
{
    struct gas_law law;
    memset(&law, 0, sizeof law);
    law.kind = kind;
    return law;
}

static inline struct gas_law gas_log_law(const struct gas_physics *physics)
{
    struct gas_law law = gas_law_of_kind(GAS_LAW_LOG);
    law.softening_square = physics->softening * physics->softening;
    law.attraction = physics->attraction;
    return law;
}

static inline struct gas_law gas_near_law(const struct gas_physics *physics)
{
    const double end = physics->cut_off * physics->cut_off;
    const bool is_everywhere = physics->has_repulsion_everywhere;
    struct gas_law law = gas_law_of_kind(GAS_LAW_NEAR);
    law.softening_square = physics->softening * physics->softening;
    law.end_square = end;
    law.attraction = physics->attraction;
    law.everywhere = is_everywhere ? physics->repulsion : 0;
    law.within = is_everywhere ? 0 : physics->repulsion;
    law.attraction2 = physics->potential == GAS_CONDENSING ? physics->attraction2 : 0;
    if (end > 0) {
        law.last_potential = law.within / (2 * end) + law.attraction2 / 2 * log(end);
        law.last_f = physics->is_smooth ? law.within / (end * end) - law.attraction2 / end : 0;
    }
    return law;
}

static inline struct gas_law gas_lennard_jones_law(const struct gas_physics *physics)
{
    const double sixth = pow(physics->diameter, 6), q = sixth / pow(physics->cut_off, 6);
    struct gas_law law = gas_law_of_kind(GAS_LAW_LENNARD_JONES);
    law.end_square = physics->cut_off * physics->cut_off;
    law.sixth = sixth;
    law.depth = physics->well_depth;
    law.last_potential = 4 * physics->well_depth * (q * q - q);
    if (physics->potential == GAS_LENNARD_JONES_FORCE_SHIFTED) {
        law.kind = GAS_LAW_FORCE_SHIFTED;
        law.last_slope = 24 * physics->well_depth * (q - 2 * q * q) / physics->cut_off;
    }
    return law;
}

static inline struct gas_law gas_law_of(const struct gas_physics *physics)
{
    switch (physics->potential) {
    case GAS_LOG:
        return gas_log_law(physics);
    case GAS_REAL_GAS:
    case GAS_CONDENSING:
        return gas_near_law(physics);
    case GAS_LENNARD_JONES:
    case GAS_LENNARD_JONES_FORCE_SHIFTED:
        return gas_lennard_jones_law(physics);
    case GAS_NO_FORCE:
    case GAS_POTENTIALS:
        break;
    }
    return gas_law_of_kind(GAS_LAW_NONE);
}

// Runs CALL(kind) with the law's kind as a constant. LISTED: only the laws with a cut-off, which neighbour
// lists support.
#define GAS_CASE_OF_LAW(kind, CALL)                                                                          \
    case kind:                                                                                               \
        CALL(kind);                                                                                          \
        break;
#define GAS_CASES_OF_LISTED_LAWS(CALL)                                                                       \
    GAS_CASE_OF_LAW(GAS_LAW_NEAR, CALL)                                                                      \
    GAS_CASE_OF_LAW(GAS_LAW_LENNARD_JONES, CALL)                                                             \
    GAS_CASE_OF_LAW(GAS_LAW_FORCE_SHIFTED, CALL)
#define GAS_FOR_LAW(kind, CALL)                                                                              \
    switch (kind) {                                                                                          \
        GAS_CASE_OF_LAW(GAS_LAW_LOG, CALL)                                                                   \
        GAS_CASES_OF_LISTED_LAWS(CALL)                                                                       \
    case GAS_LAW_NONE:                                                                                       \
    case GAS_LAWS:                                                                                           \
        break;                                                                                               \
    }
#define GAS_FOR_LISTED_LAW(kind, CALL)                                                                       \
    switch (kind) {                                                                                          \
        GAS_CASES_OF_LISTED_LAWS(CALL)                                                                       \
    case GAS_LAW_LOG:                                                                                        \
    case GAS_LAW_NONE:                                                                                       \
    case GAS_LAWS:                                                                                           \
        break;                                                                                               \
    }

#endif
