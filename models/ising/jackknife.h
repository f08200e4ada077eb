// Value and error of one number by the jackknife, from its values with one block of measurements left out.
// Blocks may be unequal: Busing, Meijer and van der Leeden 1999, doi:10.1023/A:1008800423698; of equal ones
// it is analysis.h's.
#ifndef FATHOM_MODELS_ISING_JACKKNIFE_H
#define FATHOM_MODELS_ISING_JACKKNIFE_H

#include "models/ising/analysis.h"

#include <math.h>
#include <stddef.h>

// Starts with the number of all measurements, the rest 0.
struct jackknife {
    double all;
    size_t count;
    // Of the blocks' pseudo-values p = h Q − (h − 1) Q_j as d = p − Q, h = 1/share: Σ d/h, Σ d²/(h − 1), Σ
    // d/(h − 1), Σ 1/(h − 1)
    double shift, squares, sum, weights;
};

// share: the block's, of all measurements.
static inline void jackknife_add(struct jackknife *j, double share, double without_block)
{
    const double rest = 1 / share - 1, d = rest * (j->all - without_block);
    j->count++;
    j->shift += d * share;
    j->squares += d * d / rest;
    j->sum += d / rest;
    j->weights += 1 / rest;
}

// The error is NaN of a single block.
static inline struct ising_estimate jackknife_estimate(const struct jackknife *j)
{
    if (j->count < 2)
        return (struct ising_estimate){j->all, NAN};
    const double squares = j->squares - 2 * j->shift * j->sum + j->shift * j->shift * j->weights;
    return (struct ising_estimate){j->all + j->shift, sqrt(fmax(squares, 0) / (double)j->count)};
}

#endif
