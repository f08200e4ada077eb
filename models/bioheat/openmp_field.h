// A row of full fields in the fast CPU version. Included once per precision by openmp_isa.c, with REAL and POINT(name) defined.
// Knows no threads, no planes and no files.

// Whether a cell of a group lies at a side that is not periodic.
struct POINT(sides) {
    uint8_t is_low[HEAT_GROUP], is_high[HEAT_GROUP];
};

// Along one axis, of `count` cells: what comes through both faces of each (W/m³, added to `sum`), and minus its derivative by the
// cell's own θ (to `diagonal`). θ and k of the five cells. At a mirror the wall's face carries nothing, and the other one's
// outer cell is the cell itself.
HEAT_INLINE void POINT(field_axis)(int count, REAL scale, REAL limit, const REAL *m2, const REAL *m1,
                                   const REAL *at, const REAL *p1, const REAL *p2, const REAL *km2,
                                   const REAL *km1, const REAL *k, const REAL *kp1, const REAL *kp2,
                                   REAL *restrict sum)
{
#pragma omp simd
    for (int i = 0; i < count; i++) {
        const struct POINT(face_medium) low = {km2[i], km1[i], k[i], kp1[i]};
        const struct POINT(face_medium) high = {km1[i], k[i], kp1[i], kp2[i]};
        const REAL d0 = m1[i] - m2[i], d1 = at[i] - m1[i], d2 = p1[i] - at[i], d3 = p2[i] - p1[i];
        const REAL from_low = POINT(field_flux)(low, limit, d0, d1, d2);
        const REAL from_high = POINT(field_flux)(high, limit, d1, d2, d3);
        sum[i] = MADD(scale, from_high - from_low, sum[i]);
    }
}

HEAT_INLINE void POINT(field_diagonal)(int count, REAL scale, REAL limit, const REAL *km2, const REAL *km1,
                                       const REAL *k, const REAL *kp1, const REAL *kp2,
                                       const struct POINT(sides) * sides, REAL *restrict diagonal)
{
#pragma omp simd
    for (int i = 0; i < count; i++) {
        const struct POINT(face_medium) low = {km2[i], km1[i], k[i], kp1[i]};
        const struct POINT(face_medium) high = {km1[i], k[i], kp1[i], kp2[i]};
        const struct POINT(face_medium) of_low = POINT(field_flux_slopes)(low, limit);
        const struct POINT(face_medium) of_high = POINT(field_flux_slopes)(high, limit);
        const REAL from_low = of_low.p1 + (sides->is_high[i] ? of_low.p2 : (REAL)0);
        const REAL from_high = of_high.at + (sides->is_low[i] ? of_high.m1 : (REAL)0);
        const REAL by = (sides->is_low[i] ? (REAL)0 : from_low) - (sides->is_high[i] ? (REAL)0 : from_high);
        diagonal[i] = MADD(scale, by, diagonal[i]);
    }
}

// Of `count` cells from `base` on.
HEAT_INLINE void POINT(field_sums)(const struct heat_view *view, const struct heat_row *row, size_t base,
                                   int count, bool has_diagonal, REAL *sum, REAL *diagonal)
{
    const REAL limit = (REAL)view->contrast_limit;
    const REAL *at = (const REAL *)row->at + base, *k = (const REAL *)row->k + base;
    struct POINT(sides) sides;
    POINT(field_axis)
    (count, (REAL)view->scale[BIOHEAT_X], limit, at - 2, at - 1, at, at + 1, at + 2, k - 2, k - 1, k, k + 1,
     k + 2, sum);
    for (int i = 0; has_diagonal && i < count; i++) {
        sides.is_low[i] = !view->is_periodic_x && base + (size_t)i == 0;
        sides.is_high[i] = !view->is_periodic_x && base + (size_t)i + 1 == view->nx;
    }
    if (has_diagonal)
        POINT(field_diagonal)
    (count, (REAL)view->scale[BIOHEAT_X], limit, k - 2, k - 1, k, k + 1, k + 2, &sides, diagonal);
    for (int axis = BIOHEAT_Y; axis >= BIOHEAT_Z; axis--) {
        const REAL scale = (REAL)view->scale[axis], *t[HEAT_NEIGHBOURS], *c[HEAT_NEIGHBOURS];
        for (int n = 0; n < HEAT_NEIGHBOURS; n++) {
            t[n] = (const REAL *)row->near[axis][n] + base;
            c[n] = (const REAL *)row->near_k[axis][n] + base;
        }
        POINT(field_axis)
        (count, scale, limit, t[HEAT_M2], t[HEAT_M1], at, t[HEAT_P1], t[HEAT_P2], c[HEAT_M2], c[HEAT_M1], k,
         c[HEAT_P1], c[HEAT_P2], sum);
        if (!has_diagonal)
            continue;
        memset(sides.is_low, row->is_wall[axis][0], sizeof sides.is_low);
        memset(sides.is_high, row->is_wall[axis][1], sizeof sides.is_high);
        POINT(field_diagonal)
        (count, scale, limit, c[HEAT_M2], c[HEAT_M1], k, c[HEAT_P1], c[HEAT_P2], &sides, diagonal);
    }
}

HEAT_INLINE void POINT(field_group)(const struct heat_view *view, const struct heat_row *row, size_t base,
                                    int count, enum heat_mode mode)
{
    const REAL *at = (const REAL *)row->at + base, *k = (const REAL *)row->k + base;
    const REAL *heat_capacity = (const REAL *)row->heat_capacity + base;
    const REAL *perfusion = row->perfusion ? (const REAL *)row->perfusion + base : NULL;
    const REAL *extra = row->extra ? (const REAL *)row->extra + base : NULL;
    const REAL *extra_diagonal = row->extra ? (const REAL *)row->extra_diagonal + base : NULL;
    const REAL arterial = (REAL)view->arterial_theta_k, step = (REAL)view->step_s;
    REAL sum[HEAT_GROUP] = {0}, diagonal[HEAT_GROUP] = {0};
    REAL *restrict out = (REAL *)row->out + base;
    POINT(field_sums)(view, row, base, count, mode == HEAT_IMPLICIT, sum, diagonal);
    if (extra)
        for (int i = 0; i < count; i++)
            sum[i] += extra[i];
    if (perfusion)
        for (int i = 0; i < count; i++) {
            sum[i] = MADD(-perfusion[i], at[i] - arterial, sum[i]);
            diagonal[i] += perfusion[i];
        }
    if (mode == HEAT_IMPLICIT && extra)
        for (int i = 0; i < count; i++)
            diagonal[i] += extra_diagonal[i];
#pragma omp simd
    for (int i = 0; i < count; i++) {
        // A VOID keeps its temperature; so does a cell of infinite heat capacity.
        const REAL gain = k[i] > (REAL)0 ? step / heat_capacity[i] : (REAL)0;
        out[i] = mode == HEAT_NEXT     ? MADD(gain, sum[i], at[i])
                 : mode == HEAT_CHANGE ? gain * sum[i]
                                       : gain * sum[i] / MADD((REAL)0.5 * gain, diagonal[i], (REAL)1);
    }
}

// The last group of a row is moved back to be whole, which computes some cells twice; rows that are shorter have one of their own.
HEAT_INLINE void POINT(field_groups)(const struct heat_view *view, const struct heat_row *row,
                                     enum heat_mode mode)
{
    const size_t n = view->last - view->first;
    for (size_t done = 0; n >= HEAT_GROUP && done < n; done += HEAT_GROUP)
        POINT(field_group)
    (view, row, view->first + (done + HEAT_GROUP <= n ? done : n - HEAT_GROUP), HEAT_GROUP, mode);
    if (n < HEAT_GROUP)
        POINT(field_group)(view, row, view->first, (int)n, mode);
}

static void POINT(field_next)(const struct heat_view *view, const struct heat_row *row)
{
    POINT(field_groups)(view, row, HEAT_NEXT);
}

static void POINT(field_change)(const struct heat_view *view, const struct heat_row *row)
{
    POINT(field_groups)(view, row, HEAT_CHANGE);
}

static void POINT(field_implicit)(const struct heat_view *view, const struct heat_row *row)
{
    POINT(field_groups)(view, row, HEAT_IMPLICIT);
}

static void POINT(field_row)(const struct heat_view *view, const struct heat_row *row)
{
    static void (*const modes[])(const struct heat_view *, const struct heat_row *) = {
        POINT(field_next), POINT(field_change), POINT(field_implicit)};
    modes[view->mode](view, row);
}

// ---- what a step adds to a row, whatever the media

static void POINT(add_layer)(size_t count, double amplitude, const void *layer, bool is_first, void *extra)
{
    const REAL *q = layer, a = (REAL)amplitude;
    REAL *restrict to = extra;
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        to[i] = is_first ? a * q[i] : MADD(a, q[i], to[i]);
}

static void POINT(add_colour)(size_t first, size_t last, size_t phase, const void *change, void *theta)
{
    const REAL *by = change;
    REAL *restrict to = theta;
    for (size_t i = first + (phase + 3 - first % 3) % 3; i < last; i += 3)
        to[i] += by[i];
}
