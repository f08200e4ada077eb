// Who is near, for one instruction set: part of openmp_pairs_isa.c. The same neighbours in the same order whatever the instruction set: the square of
// a distance is rounded as in plain C. What is no number is near.

LANES_FUNCTION int find_near_in(const double *const *places, const struct near_range *ranges,
                                const double *at, double reach_square, size_t itself, int32_t *list)
{
    const double x_i = at[GAS_X] + ranges->shift[GAS_X], y_i = at[GAS_Y] + ranges->shift[GAS_Y];
    const size_t end = ranges->range.end;
    int count = 0;
#if defined(__AVX512F__)
    const __m512d at_x = _mm512_set1_pd(x_i), at_y = _mm512_set1_pd(y_i),
                  reach = _mm512_set1_pd(reach_square);
    const __m256i steps = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0), own = _mm256_set1_epi32((int)itself);
    for (size_t j = ranges->range.first; j < end; j += 8) {
        const __mmask8 there = (__mmask8)(end - j < 8 ? (1u << (end - j)) - 1 : 0xff);
        const __m512d x = _mm512_sub_pd(at_x, _mm512_maskz_loadu_pd(there, places[GAS_X] + j));
        const __m512d y = _mm512_sub_pd(at_y, _mm512_maskz_loadu_pd(there, places[GAS_Y] + j));
        const __m512d square = _mm512_add_pd(_mm512_mul_pd(x, x), _mm512_mul_pd(y, y));
        const __m256i index = _mm256_add_epi32(steps, _mm256_set1_epi32((int)j));
        __mmask8 near = _mm512_mask_cmp_pd_mask(there, square, reach, _CMP_NGE_UQ);
        near = _mm256_mask_cmpneq_epi32_mask(near, index, own);
        _mm256_storeu_si256((__m256i *)(list + count), _mm256_maskz_compress_epi32(near, index));
        count += __builtin_popcount(near);
    }
#else
    for (size_t j = ranges->range.first; j < end; j++) {
        const double x = x_i - places[GAS_X][j], y = y_i - places[GAS_Y][j];
        list[count] = (int32_t)j;
        count += !(x * x + y * y >= reach_square) & (j != itself);
    }
#endif
    return count;
}

static int find_near(const double *const *places, const struct near_range *ranges, int range_count,
                     const double *at, double reach_square, size_t itself, int32_t *list)
{
    int count = 0;
    for (int k = 0; k < range_count; k++)
        count += find_near_in(places, &ranges[k], at, reach_square, itself, list + count);
    return count;
}
