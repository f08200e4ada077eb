// Value and error of one number by the jackknife, from its values with one of `count` equal blocks left out (analysis.h: ISING_BLOCKS).
#ifndef FATHOM_MODELS_ISING_JACKKNIFE_H
#define FATHOM_MODELS_ISING_JACKKNIFE_H

#include "models/ising/analysis.h"

#include <math.h>
#include <stddef.h>

// Welford's running mean and sum of squares. Starts from {0}.
struct jackknife {
    size_t count;
    double mean, squares;
};

static inline void jackknife_add(struct jackknife *j, double without_block)
{
    const double before = without_block - j->mean;
    j->count++;
    j->mean += before / (double)j->count;
    j->squares += before * (without_block - j->mean);
}

// `all`: the number with no block left out. NaN of a single block.
static inline struct ising_estimate jackknife_estimate(const struct jackknife *j, double all)
{
    const double count = (double)j->count;
    if (j->count < 2)
        return (struct ising_estimate){all, NAN};
    return (struct ising_estimate){all + (count - 1) * (all - j->mean),
                                   sqrt((count - 1) / count * j->squares)};
}

#endif
