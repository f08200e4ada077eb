// What the fast CPU version keeps beside the temperature: thermal dose and the largest rise, of a row. Included once per precision
// by openmp_isa.c, with REAL and POINT(name) defined.

HEAT_INLINE REAL POINT(largest_of)(const REAL *theta, size_t begin, size_t end)
{
    REAL largest = (REAL)-INFINITY;
#pragma omp simd reduction(max : largest)
    for (size_t i = begin; i < end; i++)
        largest = theta[i] > largest ? theta[i] : largest;
    return largest;
}

// The sign bit of a block remembers (ISO) that the turn was reached.
HEAT_INLINE void POINT(dose_cells)(const struct heat_dose_row *row, struct POINT(dose_law) law, size_t begin,
                                   size_t end, bool remembers)
{
    const REAL *theta = row->theta, weight = (REAL)row->weight;
    REAL *restrict block = row->block;
    law.remembers = remembers;
#pragma omp simd
    for (size_t i = begin; i < end; i++) {
        const REAL before = block[i];
        if (remembers) {
            const int passed = (__builtin_signbit(before) != 0) | (theta[i] >= law.turn);
            const REAL sum = MADD(weight, POINT(dose_rate)(law, theta[i], passed),
                                  before < (REAL)0 ? -before : before + (REAL)0);
            block[i] = passed ? -sum : sum;
        } else {
            block[i] = MADD(weight, POINT(dose_rate)(law, theta[i], 0), before);
        }
    }
}

HEAT_INLINE void POINT(flush_cells)(const struct heat_dose_row *row, size_t begin, size_t end)
{
    REAL *restrict block = row->block;
    double *restrict total = row->total;
#pragma omp simd
    for (size_t i = begin; i < end; i++) {
        const REAL sum = block[i];
        total[i] += (double)(sum < (REAL)0 ? -sum : sum);
        block[i] = __builtin_signbit(sum) ? -(REAL)0 : (REAL)0;
    }
}

// Groups in which nothing counts are not touched, which changes no bit.
static void POINT(dose_row)(size_t count, const struct heat_dose_row *row)
{
    const struct POINT(dose_law)
        law = {(REAL)row->turn_k, (REAL)row->least_k, (REAL)row->most_k, row->remembers};
    for (size_t begin = 0; begin < count; begin += HEAT_GROUP) {
        const size_t end = begin + HEAT_GROUP < count ? begin + HEAT_GROUP : count;
        if (row->counts_all || POINT(largest_of)(row->theta, begin, end) >= law.least) {
            if (row->remembers)
                POINT(dose_cells)(row, law, begin, end, true);
            else
                POINT(dose_cells)(row, law, begin, end, false);
        }
        if (row->is_flushed)
            POINT(flush_cells)(row, begin, end);
    }
}

// What is reported of `count` cells, in minutes: all that was added, and `weight` of the rate now.
static void POINT(reported_row)(size_t count, const struct heat_dose_row *row, double minutes, double *dose)
{
    const struct POINT(dose_law)
        law = {(REAL)row->turn_k, (REAL)row->least_k, (REAL)row->most_k, row->remembers};
    const REAL *theta = row->theta, *block = row->block;
    const double *total = row->total;
    const bool has_rate = row->weight > 0;
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        const REAL sum = block[i];
        const int passed = (__builtin_signbit(sum) != 0) | (theta[i] >= law.turn);
        const REAL rate = POINT(dose_rate)(law, theta[i], passed);
        const double now = has_rate ? row->weight * (double)rate : 0;
        dose[i] = minutes * (total[i] + ((double)(sum < (REAL)0 ? -sum : sum) + now));
    }
}

static void POINT(maximum_row)(size_t count, const void *theta, double time_s, void *largest,
                               void *largest_at)
{
    const REAL *now = theta, time = (REAL)time_s;
    REAL *restrict most = largest, *restrict at = largest_at;
    for (size_t begin = 0; begin < count; begin += HEAT_GROUP) {
        const size_t end = begin + HEAT_GROUP < count ? begin + HEAT_GROUP : count;
        int grows = 0;
#pragma omp simd reduction(| : grows)
        for (size_t i = begin; i < end; i++)
            grows |= now[i] > most[i];
        if (!grows)
            continue;
#pragma omp simd
        for (size_t i = begin; i < end; i++) {
            const bool is_larger = now[i] > most[i];
            most[i] = is_larger ? now[i] : most[i];
            at[i] = is_larger ? time : at[i];
        }
    }
}
