// Estimate and error of a statistic Q by the jackknife, from the leave-one-block-out values Q_j of Q. Blocks
// may be unequal (Busing, Meijer and van der Leeden 1999, doi:10.1023/A:1008800423698); for equal blocks it
// equals the jackknife of analysis.h.
#ifndef FATHOM_MODELS_ISING_JACKKNIFE_H
#define FATHOM_MODELS_ISING_JACKKNIFE_H

#include "models/ising/analysis.h"

#include <math.h>
#include <stddef.h>

// Initialise `value` with Q from all measurements, the rest with 0. The sums are over the blocks, with h =
// 1/share and the pseudo-values p = h Q − (h − 1) Q_j as d = p − Q.
struct jackknife {
    double value;
    size_t count;      // blocks added
    double correction; // Σ d/h, of the bias
    double squares;    // Σ d²/(h − 1)
    double sum;        // Σ d/(h − 1)
    double weights;    // Σ 1/(h − 1)
};

// Adds a block. share: fraction of all measurements that are in the block, between 0 and 1.
static inline void jackknife_add(struct jackknife *j, double share, double without_block)
{
    const double rest = 1 / share - 1, d = rest * (j->value - without_block);
    j->count++;
    j->correction += d * share;
    j->squares += d * d / rest;
    j->sum += d / rest;
    j->weights += 1 / rest;
}

// The error is NaN if there are fewer than two blocks.
static inline struct ising_estimate jackknife_estimate(const struct jackknife *j)
{
    if (j->count < 2)
        return (struct ising_estimate){j->value, NAN};
    const double squares =
        j->squares - 2 * j->correction * j->sum + j->correction * j->correction * j->weights;
    return (struct ising_estimate){j->value + j->correction, sqrt(fmax(squares, 0) / (double)j->count)};
}

#endif
