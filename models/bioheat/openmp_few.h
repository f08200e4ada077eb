// A mixed group of at most HEAT_FEW media for AVX-512, where the table of pairs is a few registers: the same operations in the
// same order as mixed_group's (openmp_row.h), so the same bits, without its slow gathers. Elsewhere there is none. Included once
// per precision by openmp_row.h, with REAL, POINT(name), and FEW_IS_DOUBLE defined.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)

#if FEW_IS_DOUBLE
#define V           __m512d
#define M           __mmask8
#define OP(name)    _mm512_##name##_pd
#define WIDEN(m)    _mm512_cvtepu8_epi64(m)
#define EQUAL(a, b) ((__mmask8)_mm_cmpeq_epi8_mask((a), (b)))
enum { POINT(FEW_LANES) = 8, POINT(FEW_REGISTERS) = 8 };
#else
#define V           __m512
#define M           __mmask16
#define OP(name)    _mm512_##name##_ps
#define WIDEN(m)    _mm512_cvtepu8_epi32(m)
#define EQUAL(a, b) _mm_cmpeq_epi8_mask((a), (b))
enum { POINT(FEW_LANES) = 16, POINT(FEW_REGISTERS) = 4 };
#endif

// Of the lanes' cells along an axis: θ and media of the neighbours.
struct POINT(few_axis) {
    V m2, m1, p1, p2, scale;
    __m128i lm2, lm1, lp1, lp2;
    const REAL *low_four, *low_two, *high_four, *high_two; // implicit: what a face counts in d
};

HEAT_INLINE __m128i POINT(few_media)(const uint8_t *media)
{
    return POINT(FEW_LANES) == 16 ? _mm_loadu_si128((const __m128i *)(const void *)media)
                                  : _mm_loadl_epi64((const __m128i *)(const void *)media);
}

HEAT_INLINE void POINT(few_table)(const void *pair, V table[])
{
    for (int k = 0; k < POINT(FEW_REGISTERS); k++)
        table[k] = OP(loadu)((const REAL *)pair + k * POINT(FEW_LANES));
}

// `here8`: media of the cells times 8.
HEAT_INLINE V POINT(few_pair)(const V table[], __m128i here8, __m128i there)
{
    const __m512i index = WIDEN(_mm_or_si128(here8, there));
#if FEW_IS_DOUBLE
    const M is_second = _mm512_test_epi64_mask(index, _mm512_set1_epi64(16));
    const M is_upper = _mm512_test_epi64_mask(index, _mm512_set1_epi64(32));
    const V low = OP(mask_blend)(is_second, OP(permutex2var)(table[0], index, table[1]),
                                 OP(permutex2var)(table[2], index, table[3]));
    const V high = OP(mask_blend)(is_second, OP(permutex2var)(table[4], index, table[5]),
                                  OP(permutex2var)(table[6], index, table[7]));
#else
    const M is_upper = _mm512_test_epi32_mask(index, _mm512_set1_epi32(32));
    const V low = OP(permutex2var)(table[0], index, table[1]);
    const V high = OP(permutex2var)(table[2], index, table[3]);
#endif
    return OP(mask_blend)(is_upper, low, high);
}

// Entries of a table by medium, of which there are no more than HEAT_FEW.
HEAT_INLINE V POINT(few_entries)(const void *table, __m128i media)
{
    return OP(permutexvar)(WIDEN(media), OP(loadu)((const REAL *)table));
}

HEAT_INLINE V POINT(few_face)(M is_four, V k, V d_minus, V d, V d_plus)
{
    const V sides = OP(mul)(OP(set1)((REAL)(-1.0 / 12.0)), OP(add)(d_minus, d_plus));
    const V four = OP(fmadd)(OP(set1)((REAL)(14.0 / 12.0)), d, sides);
    return OP(mul)(k, OP(mask_blend)(is_four, d, four));
}

HEAT_INLINE void POINT(few_sum)(const V table[], V at, __m128i here, const struct POINT(few_axis) * a,
                                bool is_implicit, V *sum, V *diagonal)
{
    const __m128i here8 = _mm_slli_epi16(here, 3); // media are below 8: no bit leaves its byte
    const M inner = EQUAL(a->lm1, here) & EQUAL(a->lp1, here);
    const M low_four = inner & EQUAL(a->lm2, here), high_four = inner & EQUAL(a->lp2, here);
    const V low2 = OP(sub)(a->m1, a->m2), low = OP(sub)(at, a->m1);
    const V high = OP(sub)(a->p1, at), high2 = OP(sub)(a->p2, a->p1);
    const V k_low = POINT(few_pair)(table, here8, a->lm1), k_high = POINT(few_pair)(table, here8, a->lp1);
    const V from_low = POINT(few_face)(low_four, k_low, low2, low, high);
    const V from_high = POINT(few_face)(high_four, k_high, low, high, high2);
    *sum = OP(fmadd)(a->scale, OP(sub)(from_high, from_low), *sum);
    if (!is_implicit)
        return;
    const V of_low = OP(mul)(k_low, OP(mask_blend)(low_four, OP(loadu)(a->low_two), OP(loadu)(a->low_four)));
    const V of_high =
        OP(mul)(k_high, OP(mask_blend)(high_four, OP(loadu)(a->high_two), OP(loadu)(a->high_four)));
    *diagonal = OP(fmadd)(a->scale, OP(add)(of_low, of_high), *diagonal);
}

// As many cells as there are lanes, from `base` on; `at` of a group's weights along z, y, x.
HEAT_INLINE void POINT(few_cells)(const struct heat_view *view, const struct heat_row *row, size_t base,
                                  const struct POINT(weights) * weights, size_t lane, enum heat_mode mode)
{
    const REAL *theta = (const REAL *)row->at + base;
    const uint8_t *media = row->media + base;
    const bool is_implicit = mode == HEAT_IMPLICIT;
    V table[POINT(FEW_REGISTERS)], sum = OP(setzero)(), diagonal = OP(setzero)();
    POINT(few_table)(view->pair, table);
    const V at = OP(loadu)(theta);
    const __m128i here = POINT(few_media)(media);
    for (int axis = BIOHEAT_X; axis >= BIOHEAT_Z; axis--) {
        struct POINT(few_axis) a = {.scale = OP(set1)((REAL)view->scale[axis])};
        const REAL *t[HEAT_NEIGHBOURS] = {theta - 2, theta - 1, theta + 1, theta + 2};
        const uint8_t *l[HEAT_NEIGHBOURS] = {media - 2, media - 1, media + 1, media + 2};
        for (int n = 0; axis != BIOHEAT_X && n < HEAT_NEIGHBOURS; n++) {
            t[n] = (const REAL *)row->near[axis][n] + base;
            l[n] = row->near_media[axis][n] + base;
        }
        a.m2 = OP(loadu)(t[HEAT_M2]), a.m1 = OP(loadu)(t[HEAT_M1]);
        a.p1 = OP(loadu)(t[HEAT_P1]), a.p2 = OP(loadu)(t[HEAT_P2]);
        a.lm2 = POINT(few_media)(l[HEAT_M2]), a.lm1 = POINT(few_media)(l[HEAT_M1]);
        a.lp1 = POINT(few_media)(l[HEAT_P1]), a.lp2 = POINT(few_media)(l[HEAT_P2]);
        if (is_implicit) {
            a.low_four = weights[axis].low_four + lane, a.low_two = weights[axis].low_two + lane;
            a.high_four = weights[axis].high_four + lane, a.high_two = weights[axis].high_two + lane;
        }
        POINT(few_sum)(table, at, here, &a, is_implicit, &sum, &diagonal);
    }
    if (row->extra)
        sum = OP(add)(sum, OP(loadu)((const REAL *)row->extra + base));
    if (is_implicit && row->extra_diagonal)
        diagonal = OP(add)(diagonal, OP(loadu)((const REAL *)row->extra_diagonal + base));
    const V gain = POINT(few_entries)(view->gain, here), loss = POINT(few_entries)(view->perfusion, here);
    const V above = OP(sub)(at, OP(set1)((REAL)view->arterial_theta_k));
    const V change = OP(mul)(gain, OP(fnmadd)(loss, above, sum));
    V out = mode == HEAT_NEXT ? OP(add)(at, change) : change;
    if (is_implicit)
        out = OP(div)(change, OP(add)(OP(set1)((REAL)1),
                                      OP(mul)(OP(set1)((REAL)0.5), OP(mul)(gain, OP(add)(diagonal, loss)))));
    OP(storeu)((REAL *)row->out + base, out);
}

HEAT_INLINE void POINT(few_group)(const struct heat_view *view, const struct heat_row *row, size_t base,
                                  enum heat_mode mode)
{
    struct POINT(weights) weights[BIOHEAT_AXES];
    if (mode == HEAT_IMPLICIT)
        for (int axis = 0; axis < BIOHEAT_AXES; axis++)
            POINT(group_weights)(view, row, axis, base, &weights[axis]);
    for (size_t lane = 0; lane < HEAT_GROUP; lane += POINT(FEW_LANES))
        POINT(few_cells)(view, row, base + lane, weights, lane, mode);
}

#undef V
#undef M
#undef OP
#undef WIDEN
#undef EQUAL
#else

HEAT_INLINE void POINT(few_group)(const struct heat_view *view, const struct heat_row *row, size_t base,
                                  enum heat_mode mode)
{
    (void)view, (void)row, (void)base, (void)mode;
}
#endif
