// A row of label media in the fast CPU version: groups of one tissue by the five-point formula with constants, all others face by
// face from a table of pairs. Included once per precision by openmp_isa.c, with REAL and POINT(name) defined. Knows no
// threads, no planes and no files.

// ---- groups of one tissue

struct POINT(pure) {
    REAL near[BIOHEAT_AXES], far[BIOHEAT_AXES], loss, gain, share, arterial;
};

HEAT_INLINE struct POINT(pure) POINT(pure_of)(const struct heat_view *view, int label)
{
    struct POINT(pure) pure;
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        pure.near[axis] = ((const REAL *)view->near[axis])[label];
        pure.far[axis] = ((const REAL *)view->far[axis])[label];
    }
    pure.loss = ((const REAL *)view->loss)[label];
    pure.gain = ((const REAL *)view->gain)[label];
    pure.share = ((const REAL *)view->share)[label];
    pure.arterial = (REAL)view->arterial_theta_k;
    return pure;
}

// Whole groups from `begin` on, before `end`: what is not to be updated is put back by the caller.
HEAT_INLINE void POINT(pure_run)(const struct heat_row *row, struct POINT(pure) pure, size_t begin,
                                 size_t end, bool has_perfusion, bool has_extra, bool is_change)
{
    for (size_t base = begin; base < end; base += HEAT_GROUP) {
        const REAL *at = (const REAL *)row->at + base,
                   *extra = has_extra ? (const REAL *)row->extra + base : at;
        const REAL *zm2 = (const REAL *)row->near[BIOHEAT_Z][HEAT_M2] + base;
        const REAL *zm1 = (const REAL *)row->near[BIOHEAT_Z][HEAT_M1] + base;
        const REAL *zp1 = (const REAL *)row->near[BIOHEAT_Z][HEAT_P1] + base;
        const REAL *zp2 = (const REAL *)row->near[BIOHEAT_Z][HEAT_P2] + base;
        const REAL *ym2 = (const REAL *)row->near[BIOHEAT_Y][HEAT_M2] + base;
        const REAL *ym1 = (const REAL *)row->near[BIOHEAT_Y][HEAT_M1] + base;
        const REAL *yp1 = (const REAL *)row->near[BIOHEAT_Y][HEAT_P1] + base;
        const REAL *yp2 = (const REAL *)row->near[BIOHEAT_Y][HEAT_P2] + base;
        REAL *out = (REAL *)row->out + base;
#pragma omp simd
        for (int i = 0; i < HEAT_GROUP; i++) {
            const REAL theta = at[i];
            REAL sum = has_extra ? pure.gain * extra[i] : (REAL)0;
            if (has_perfusion)
                sum = MADD(-pure.loss, theta - pure.arterial, sum);
            sum = POINT(axis_sum)(at[i - 2], at[i - 1], theta, at[i + 1], at[i + 2], pure.near[BIOHEAT_X],
                                  pure.far[BIOHEAT_X], sum);
            sum = POINT(axis_sum)(ym2[i], ym1[i], theta, yp1[i], yp2[i], pure.near[BIOHEAT_Y],
                                  pure.far[BIOHEAT_Y], sum);
            sum = POINT(axis_sum)(zm2[i], zm1[i], theta, zp1[i], zp2[i], pure.near[BIOHEAT_Z],
                                  pure.far[BIOHEAT_Z], sum);
            out[i] = is_change ? sum * pure.share : theta + sum;
        }
    }
}

static void POINT(pure_cells)(const struct heat_view *view, const struct heat_row *row, int medium,
                              size_t begin, size_t end)
{
    const struct POINT(pure) pure = POINT(pure_of)(view, medium);
    const int variant =
        (view->has_perfusion ? 4 : 0) + (row->extra ? 2 : 0) + (view->mode == HEAT_NEXT ? 0 : 1);
    switch (variant) {
    case 0:
        POINT(pure_run)(row, pure, begin, end, false, false, false);
        break;
    case 1:
        POINT(pure_run)(row, pure, begin, end, false, false, true);
        break;
    case 2:
        POINT(pure_run)(row, pure, begin, end, false, true, false);
        break;
    case 3:
        POINT(pure_run)(row, pure, begin, end, false, true, true);
        break;
    case 4:
        POINT(pure_run)(row, pure, begin, end, true, false, false);
        break;
    case 5:
        POINT(pure_run)(row, pure, begin, end, true, false, true);
        break;
    case 6:
        POINT(pure_run)(row, pure, begin, end, true, true, false);
        break;
    default:
        POINT(pure_run)(row, pure, begin, end, true, true, true);
    }
}

// ---- mixed groups

// How much a face of a kind counts in d: as it lies below or above the cell; fourth-order or two-point. At a mirror the wall's
// face counts nothing, and the other one's outer cell is the cell itself.
struct POINT(weights) {
    REAL low_four[HEAT_GROUP], low_two[HEAT_GROUP], high_four[HEAT_GROUP], high_two[HEAT_GROUP];
};

HEAT_INLINE void POINT(set_weights)(struct POINT(weights) * w, int i, bool is_low_wall, bool is_high_wall)
{
    w->low_two[i] = is_low_wall ? (REAL)0 : (REAL)1;
    w->high_two[i] = is_high_wall ? (REAL)0 : (REAL)1;
    w->low_four[i] = is_low_wall ? (REAL)0 : is_high_wall ? (REAL)(14.0 / 12.0) : (REAL)(15.0 / 12.0);
    w->high_four[i] = is_high_wall ? (REAL)0 : is_low_wall ? (REAL)(14.0 / 12.0) : (REAL)(15.0 / 12.0);
}

HEAT_INLINE void POINT(group_weights)(const struct heat_view *view, const struct heat_row *row, int axis,
                                      size_t base, struct POINT(weights) * weights)
{
    for (size_t i = 0; i < HEAT_GROUP; i++) {
        const bool is_low = axis == BIOHEAT_X ? !view->is_periodic_x && base + i == 0 : row->is_wall[axis][0];
        const bool is_high =
            axis == BIOHEAT_X ? !view->is_periodic_x && base + i + 1 == view->nx : row->is_wall[axis][1];
        POINT(set_weights)(weights, (int)i, is_low, is_high);
    }
}

#include "models/bioheat/openmp_few.h"

// Two-point conductivities between cells of a group and their neighbours; entries of a table by medium.
HEAT_INLINE void POINT(pairs_of)(const struct heat_view *view, const uint8_t *here, const uint8_t *there,
                                 REAL to[HEAT_GROUP])
{
    const REAL *pair = view->pair;
    const int stride = view->stride;
#pragma omp simd
    for (int i = 0; i < HEAT_GROUP; i++)
        to[i] = pair[here[i] * stride + there[i]];
}

// Along one axis: what comes through both faces of each cell (W/m³, added to `sum`), and minus its derivative by the cell's own θ
// (to `diagonal`). θ and media of the five cells.
HEAT_INLINE void POINT(mixed_axis)(const struct heat_view *view, REAL scale, const REAL *m2, const REAL *m1,
                                   const REAL *at, const REAL *p1, const REAL *p2, const uint8_t *lm2,
                                   const uint8_t *lm1, const uint8_t *l, const uint8_t *lp1,
                                   const uint8_t *lp2, const struct POINT(weights) * weights,
                                   REAL *restrict sum, REAL *restrict diagonal)
{
    REAL k_low[HEAT_GROUP], k_high[HEAT_GROUP];
    POINT(pairs_of)(view, l, lm1, k_low);
    POINT(pairs_of)(view, l, lp1, k_high);
#pragma omp simd
    for (int i = 0; i < HEAT_GROUP; i++) {
        const REAL d_low2 = m1[i] - m2[i], d_low = at[i] - m1[i], d_high = p1[i] - at[i],
                   d_high2 = p2[i] - p1[i];
        const int here = l[i], is_inner = (lm1[i] == here) & (lp1[i] == here);
        const int low_four = is_inner & (lm2[i] == here), high_four = is_inner & (lp2[i] == here);
        const REAL low4 = POINT(face_gradient)(d_low2, d_low, d_high);
        const REAL high4 = POINT(face_gradient)(d_low, d_high, d_high2);
        const REAL low = k_low[i] * (low_four ? low4 : d_low),
                   high = k_high[i] * (high_four ? high4 : d_high);
        sum[i] = MADD(scale, high - low, sum[i]);
        if (weights) {
            const REAL of_low = k_low[i] * (low_four ? weights->low_four[i] : weights->low_two[i]);
            const REAL of_high = k_high[i] * (high_four ? weights->high_four[i] : weights->high_two[i]);
            diagonal[i] = MADD(scale, of_low + of_high, diagonal[i]);
        }
    }
}

// Sums and diagonals of a whole group, whatever of it is updated.
HEAT_INLINE void POINT(mixed_sums)(const struct heat_view *view, const struct heat_row *row, size_t begin,
                                   REAL *sum, REAL *diagonal, bool has_diagonal)
{
    const REAL *at = (const REAL *)row->at + begin;
    const uint8_t *l = row->media + begin;
    struct POINT(weights) weights;
    if (has_diagonal)
        POINT(group_weights)(view, row, BIOHEAT_X, begin, &weights);
    POINT(mixed_axis)
    (view, (REAL)view->scale[BIOHEAT_X], at - 2, at - 1, at, at + 1, at + 2, l - 2, l - 1, l, l + 1, l + 2,
     has_diagonal ? &weights : NULL, sum, diagonal);
    for (int axis = BIOHEAT_Y; axis >= BIOHEAT_Z; axis--) {
        const REAL *near[HEAT_NEIGHBOURS];
        const uint8_t *media[HEAT_NEIGHBOURS];
        for (int n = 0; n < HEAT_NEIGHBOURS; n++) {
            media[n] = row->near_media[axis][n] + begin;
            near[n] = (const REAL *)row->near[axis][n] + begin;
        }
        if (has_diagonal)
            POINT(group_weights)(view, row, axis, begin, &weights);
        POINT(mixed_axis)
        (view, (REAL)view->scale[axis], near[HEAT_M2], near[HEAT_M1], at, near[HEAT_P1], near[HEAT_P2],
         media[HEAT_M2], media[HEAT_M1], l, media[HEAT_P1], media[HEAT_P2], has_diagonal ? &weights : NULL,
         sum, diagonal);
    }
}

// A whole mixed group from `base` on: what is not to be updated is put back by the caller.
HEAT_INLINE void POINT(mixed_group)(const struct heat_view *view, const struct heat_row *row, size_t base,
                                    enum heat_mode mode)
{
    const REAL *at = (const REAL *)row->at + base, *extra = row->extra, *extra_diagonal = row->extra_diagonal;
    const REAL *gain = view->gain, *perfusion = view->perfusion;
    const REAL arterial = (REAL)view->arterial_theta_k, half = (REAL)0.5;
    const uint8_t *media = row->media + base;
    REAL sum[HEAT_GROUP] = {0}, diagonal[HEAT_GROUP] = {0}, next[HEAT_GROUP];
    POINT(mixed_sums)(view, row, base, sum, diagonal, mode == HEAT_IMPLICIT);
    for (int i = 0; i < HEAT_GROUP && extra; i++)
        sum[i] += extra[base + (size_t)i];
    for (int i = 0; i < HEAT_GROUP && mode == HEAT_IMPLICIT && extra_diagonal; i++)
        diagonal[i] += extra_diagonal[base + (size_t)i];
#pragma omp simd
    for (int i = 0; i < HEAT_GROUP; i++) {
        const REAL p = perfusion[media[i]], g = gain[media[i]];
        const REAL change = g * MADD(-p, at[i] - arterial, sum[i]);
        next[i] = mode == HEAT_NEXT       ? at[i] + change
                  : mode == HEAT_IMPLICIT ? change / ((REAL)1 + half * (g * (diagonal[i] + p)))
                                          : change;
    }
    memcpy((REAL *)row->out + base, next, sizeof next);
}

// Each mode on its own, not inlined into one another; where media are few and the instruction set allows it, in its own way.
static void POINT(mixed_next)(const struct heat_view *view, const struct heat_row *row, size_t base)
{
    if (HAS_FEW && view->stride == HEAT_FEW)
        POINT(few_group)(view, row, base, HEAT_NEXT);
    else
        POINT(mixed_group)(view, row, base, HEAT_NEXT);
}

static void POINT(mixed_change)(const struct heat_view *view, const struct heat_row *row, size_t base)
{
    if (HAS_FEW && view->stride == HEAT_FEW)
        POINT(few_group)(view, row, base, HEAT_CHANGE);
    else
        POINT(mixed_group)(view, row, base, HEAT_CHANGE);
}

static void POINT(mixed_implicit)(const struct heat_view *view, const struct heat_row *row, size_t base)
{
    if (HAS_FEW && view->stride == HEAT_FEW)
        POINT(few_group)(view, row, base, HEAT_IMPLICIT);
    else
        POINT(mixed_group)(view, row, base, HEAT_IMPLICIT);
}

static void POINT(label_row)(const struct heat_view *view, const struct heat_row *row)
{
    static void (*const mixed[])(const struct heat_view *, const struct heat_row *,
                                 size_t) = {POINT(mixed_next), POINT(mixed_change), POINT(mixed_implicit)};
    const size_t groups = (view->last + HEAT_GROUP - 1) / HEAT_GROUP;
    REAL *out = row->out;
    for (size_t group = view->first / HEAT_GROUP; group < groups; group++) {
        const uint16_t code = row->codes[group];
        const size_t begin = group * HEAT_GROUP;
        while (code < HEAT_CODE_MIXED && group + 1 < groups && row->codes[group + 1] == code)
            group++;
        if (code < HEAT_CODE_MIXED)
            POINT(pure_cells)(view, row, code, begin, (group + 1) * HEAT_GROUP);
        else if (code == HEAT_CODE_MIXED)
            mixed[view->mode](view, row, begin);
        else if (view->mode != HEAT_NEXT)
            memset(out + begin, 0, HEAT_GROUP * sizeof *out);
    }
    if (view->mode != HEAT_NEXT)
        return;
    memcpy(out, row->at, view->first * sizeof *out);
    memcpy(out + view->last, (const REAL *)row->at + view->last, (view->nx - view->last) * sizeof *out);
}
