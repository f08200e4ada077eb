// A step that reads two rows to each side, with the indices of the whole grid: what tests of divided runs
// advance. Rows beyond the grid count as 0.125, or in a ring are those of the other end: of a grid that one
// rank has, which wraps around, or those that the state holds there.
#ifndef FATHOM_TESTS_SUPPORT_STENCIL_H
#define FATHOM_TESTS_SUPPORT_STENCIL_H

#include "parallel/shares.h"

#include <math.h>
#include <stdbool.h>

static inline double stencil_start(int64_t row, int64_t column)
{
    return cos((double)(3 * row + column)) * exp((double)(row % 7) - 3);
}

enum stencil_ends { STENCIL_EDGES, STENCIL_WRAPS, STENCIL_HOLDS };

static inline double stencil_next(const double *state, int64_t row, int64_t column, int64_t rows,
                                  int64_t columns, enum stencil_ends ends)
{
    double sum = 0;
    for (int64_t k = row - 2; k <= row + 2; k++) {
        const int64_t at = ends == STENCIL_WRAPS ? (k + rows) % rows : k;
        const bool is_there = ends != STENCIL_EDGES || (k >= 0 && k < rows);
        sum += is_there ? sin((double)(k - row) + 1) * state[at * columns + column] : 0.125;
    }
    return 0.3 * sum + 0.5 * state[row * columns + column];
}

// The rows of `range` of states[1] from states[0]; then the two change places.
static inline void stencil_step(double **states, struct share range, int64_t rows, int64_t columns,
                                enum stencil_ends ends)
{
    for (int64_t row = range.first; row < range.end; row++)
        for (int64_t c = 0; c < columns; c++)
            states[1][row * columns + c] = stencil_next(states[0], row, c, rows, columns, ends);
    double *other = states[0];
    states[0] = states[1];
    states[1] = other;
}

#endif
