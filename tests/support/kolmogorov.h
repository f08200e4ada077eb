// Whether values are a sample of a distribution. Header only.
#ifndef FATHOM_TESTS_SUPPORT_KOLMOGOROV_H
#define FATHOM_TESTS_SUPPORT_KOLMOGOROV_H

#include <math.h>
#include <stdlib.h>

static inline int kolmogorov_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Kolmogorov's √n D of values whose distribution function `cdf` is; 1.95 is passed once in a thousand
// samples.
static inline double kolmogorov(double *values, size_t count, double (*cdf)(double))
{
    double largest = 0;
    qsort(values, count, sizeof *values, kolmogorov_order);
    for (size_t i = 0; i < count; i++) {
        const double f = cdf(values[i]);
        largest = fmax(largest, fmax(f - (double)i / (double)count, (double)(i + 1) / (double)count - f));
    }
    return largest * sqrt((double)count);
}

static inline double uniform_cdf(double x)
{
    return fmin(fmax(x, 0), 1);
}

static inline double normal_cdf(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}

#endif
