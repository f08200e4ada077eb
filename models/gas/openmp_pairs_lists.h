// Forces of listed neighbours in lanes, in one precision and for one instruction set: part of openmp_pairs_isa.c, after openmp_pairs.h. Lanes are
// the particles of a group, each with the next neighbour of its own list. In float a difference is that of two integers (struct pair_place):
// it needs no image, and two particles' differences are exactly opposite; sums are in double.

// Indices of neighbours in lanes.
LANES_FUNCTION REAL_INT POINT(indices)(const int32_t *j)
{
    SCALAR_INT wide[LANES_BYTES / sizeof(SCALAR)];
    REAL_INT indices;
    for (int k = 0; k < LANES; k++)
        wide[k] = j[k];
    memcpy(&indices, wide, sizeof indices);
    return indices;
}

// Those of the particles from `first` on; beyond the end, the last one's.
LANES_FUNCTION REAL_INT POINT(own_indices)(size_t first, size_t count)
{
    REAL_INT indices;
    for (int k = 0; k < LANES; k++)
        indices[k] = (SCALAR_INT)(first + (size_t)k < count ? first + (size_t)k : count - 1);
    return indices;
}

#if defined(__AVX512F__)
// All eight, but unknown to the compiler: knowing it, it leaves out the zeros that a gather starts from, and each then waits for what its
// register had before.
LANES_FUNCTION __mmask8 POINT(all_lanes)(void)
{
    __mmask8 all = 0xff;
    __asm__("" : "+Yk"(all));
    return all;
}
#endif

#if LANES_DOUBLE
typedef REAL POINT(place); // x_i

// Sums in double of terms in lanes.
struct POINT(sum) {
    REAL all;
};

LANES_FUNCTION void POINT(sum_add)(struct POINT(sum) * sum, REAL x)
{
    sum->all += x;
}

LANES_FUNCTION REAL POINT(gathered)(const double *x, const int32_t *j)
{
#if defined(__AVX512F__)
    return (REAL)_mm512_mask_i32gather_pd(_mm512_setzero_pd(), POINT(all_lanes)(),
                                          _mm256_loadu_si256((const __m256i *)j), x, 8);
#else
    double there[LANES_BYTES / sizeof(double)];
    for (int k = 0; k < LANES; k++)
        there[k] = x[j[k]];
    return POINT(load)(there);
#endif
}

LANES_FUNCTION void POINT(find_places_of)(const struct pair_view *view, const int32_t *j, POINT(place) * x,
                                          POINT(place) * y)
{
    *x = POINT(gathered)(view->particles->position[GAS_X], j);
    *y = POINT(gathered)(view->particles->position[GAS_Y], j);
}

LANES_FUNCTION REAL POINT(separation)(const struct pair_view *view, int axis, bool has_images, REAL at,
                                      REAL there)
{
    const double length = view->periodic[axis];
    const REAL r = at - there;
    return has_images ? POINT(nearest_image)(r, NUMBER(length), NUMBER(length > 0 ? 1 / length : 0)) : r;
}
#else
typedef REAL_INT POINT(place);
typedef SCALAR POINT(half) __attribute__((vector_size(LANES_BYTES / 2)));
typedef double POINT(wide) __attribute__((vector_size(LANES_BYTES)));

struct POINT(sum) {
    POINT(wide) low, high;
};

LANES_FUNCTION void POINT(sum_add)(struct POINT(sum) * sum, REAL x)
{
#if defined(__AVX512F__)
    sum->low += (POINT(wide))_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)x));
    sum->high += (POINT(wide))_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)x, 1));
#elif defined(__AVX2__)
    sum->low += (POINT(wide))_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)x));
    sum->high += (POINT(wide))_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)x, 1));
#else
    POINT(half) halves[2];
    memcpy(halves, &x, sizeof x);
    sum->low += __builtin_convertvector(halves[0], POINT(wide));
    sum->high += __builtin_convertvector(halves[1], POINT(wide));
#endif
}

LANES_FUNCTION void POINT(find_places_of)(const struct pair_view *view, const int32_t *j, POINT(place) * x,
                                          POINT(place) * y)
{
    const struct pair_place *places = view->places;
#if defined(__AVX512F__)
    const __mmask8 all = POINT(all_lanes)();
    const __m512i first = _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), all,
                                                      _mm256_loadu_si256((const __m256i *)j), places, 8);
    const __m512i last = _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), all,
                                                     _mm256_loadu_si256((const __m256i *)(j + 8)), places, 8);
    const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    *x = (REAL_INT)_mm512_permutex2var_epi32(first, even, last);
    *y = (REAL_INT)_mm512_permutex2var_epi32(first, _mm512_add_epi32(even, _mm512_set1_epi32(1)), last);
#else
    uint32_t there[GAS_AXES][LANES_BYTES / sizeof(SCALAR)];
    for (int k = 0; k < LANES; k++)
        for (int axis = 0; axis < GAS_AXES; axis++)
            there[axis][k] = places[j[k]].at[axis];
    memcpy(x, there[GAS_X], sizeof *x);
    memcpy(y, there[GAS_Y], sizeof *y);
#endif
}

LANES_FUNCTION REAL POINT(separation)(const struct pair_view *view, int axis, bool has_images,
                                      POINT(place) at, POINT(place) there)
{
    typedef uint32_t modular __attribute__((vector_size(LANES_BYTES)));
    (void)has_images;
    return __builtin_convertvector((REAL_INT)((modular)at - (modular)there), REAL) * NUMBER(view->unit[axis]);
}
#endif

LANES_FUNCTION void POINT(sum_list_of)(const struct pair_view *view, enum gas_law_kind kind, bool has_images,
                                       size_t first, const struct pair_list *list, struct pair_sums *sums)
{
    struct POINT(law) law;
    POINT(make_law)(view->law, &law);
    for (int lane = 0; lane < PAIR_GROUP; lane += LANES) {
        const REAL_INT own = POINT(own_indices)(first + (size_t)lane, view->particles->count);
        int32_t own_j[LANES_BYTES / sizeof(SCALAR)];
        struct POINT(sum) sum_x = {0}, sum_y = {0};
        POINT(place) at_x, at_y, there_x, there_y;
        for (int k = 0; k < LANES; k++)
            own_j[k] = (int32_t)own[k];
        POINT(find_places_of)(view, own_j, &at_x, &at_y);
        for (int n = 0; n < list->length; n++) {
            const int32_t *j = list->neighbours + n * PAIR_GROUP + lane;
            POINT(find_places_of)(view, j, &there_x, &there_y);
            const REAL x = POINT(separation)(view, GAS_X, has_images, at_x, there_x);
            const REAL y = POINT(separation)(view, GAS_Y, has_images, at_y, there_y);
            const REAL s = MADD(x, x, MADD(y, y, law.softening_square));
            REAL f = POINT(kept)(POINT(indices)(j) != own, POINT(pair_force)(kind, &law, s, POINT(guess)(s)));
            if (kind == GAS_LAW_NEAR) // of lists, everything ends
                f = POINT(kept)(s < law.end_square, f);
            POINT(sum_add)(&sum_x, f * x);
            POINT(sum_add)(&sum_y, f * y);
        }
        memcpy(sums->x + lane, &sum_x, (size_t)LANES * sizeof *sums->x);
        memcpy(sums->y + lane, &sum_y, (size_t)LANES * sizeof *sums->y);
    }
}

static void POINT(sum_list)(const struct pair_view *view, size_t first, const struct pair_list *list,
                            struct pair_sums *sums)
{
#define SUM_LIST(kind)                                                                                       \
    if (LANES_DOUBLE && list->has_images)                                                                    \
        POINT(sum_list_of)(view, kind, true, first, list, sums);                                             \
    else                                                                                                     \
        POINT(sum_list_of)(view, kind, false, first, list, sums)
    GAS_FOR_LAW(view->law->kind, SUM_LIST)
#undef SUM_LIST
}
