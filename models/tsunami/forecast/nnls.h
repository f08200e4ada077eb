// Non-negative least squares: minimise ‖A x − b‖² + damping² ‖x‖² over x ≥ 0, by the active-set method of
// Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23). No files, no physics.
//
// A has any number of rows and few columns. Rows are folded, block by block, into the triangle of a QR
// factorisation of [A b] (Householder reflections), which is all that is kept: the memory does not grow with
// the rows. Normal equations AᵀA would cost half as much and square the condition number: columns that nearly
// depend on each other, as the series of neighbouring sources do, would lose twice as many digits.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_NNLS_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_NNLS_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

enum { NNLS_COLUMNS_MAX = 256 };

struct nnls;

// A problem without rows. columns: 1 … NNLS_COLUMNS_MAX, else STATUS_SOFTWARE. STATUS_SYSTEM: no memory (1.6
// MB for 256 columns).
enum status nnls_create(size_t columns, struct nnls **problem);
void nnls_free(struct nnls *problem); // NULL: does nothing

// One more equation: coefficients[columns], right-hand side. STATUS_DATA: one of them is not finite, naming
// the column.
enum status nnls_add(struct nnls *problem, const double *coefficients, double right_hand_side);

struct nnls_result {
    uint64_t rows;
    size_t positive;        // number of x > 0
    int iterations;         // solutions of least-squares problems without bounds
    double residual_norm;   // ‖A x − b‖, without the damping's part
    double right_hand_norm; // ‖b‖
    // Estimate of the condition number (2-norm) of the columns with x > 0, each scaled to length 1, damping
    // included: 1 is best; how much larger errors in b may become in x. 1 if none is positive.
    double condition;
};

// Fills x[columns]. dual[columns] (NULL: not wanted) gets the negative gradient aⱼ·(b − A x) − damping² xⱼ:
// 0, but for rounding, where x > 0, and not positive elsewhere (the conditions of Karush, Kuhn and Tucker). A
// column of zeroes gets x = 0; of columns that depend on each other within rounding, all but as many as are
// independent do. damping ≥ 0, in the unit of b over that of x. More rows may be added afterwards.
// STATUS_DATA: no rows; numbers so large that sums overflow. STATUS_SYSTEM: no memory. STATUS_SOFTWARE: the
// method did not terminate (it does, but for rounding).
enum status nnls_solve(const struct nnls *problem, double damping, double *x, double *dual,
                       struct nnls_result *result);

#endif
