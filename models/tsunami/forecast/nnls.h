// Non-negative least squares: minimise ‖A x − b‖² + damping² ‖x‖² over x ≥ 0, by the active-set method of
// Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23). No files, no physics.
//
// A has any number of rows and few columns. Rows are reduced, block by block, to the triangle of a QR
// factorisation of [A b] (Householder reflections). Only the triangle is kept, so the memory does not grow
// with the number of rows. The normal equations AᵀA would cost half as much, but square the condition number:
// for nearly dependent columns, such as the series of neighbouring sources, twice as many digits would be
// lost.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_NNLS_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_NNLS_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

enum { NNLS_COLUMNS_MAX = 256 };

struct nnls;

// Makes a problem without rows. columns: 1 … NNLS_COLUMNS_MAX, else STATUS_SOFTWARE. STATUS_SYSTEM: no memory
// (1.6 MB for 256 columns).
enum status nnls_create(size_t columns, struct nnls **problem);
void nnls_free(struct nnls *problem); // NULL: does nothing

// Adds an equation: coefficients[columns], right-hand side. STATUS_DATA, with the column: one of them is not
// finite.
enum status nnls_add(struct nnls *problem, const double *coefficients, double right_hand_side);

struct nnls_result {
    uint64_t rows;
    size_t positive;        // number of x > 0
    int iterations;         // solutions of least-squares problems without bounds
    double residual_norm;   // ‖A x − b‖, without the damping's part
    double right_hand_norm; // ‖b‖
    // Estimate of the condition number (2-norm) of the columns with x > 0, each scaled to length 1, damping
    // included. It bounds the growth of relative errors from b to x; 1 is best. 1 if no x is positive.
    double condition;
};

// Finds x[columns]. dual[columns] (may be NULL) receives the negative gradient aⱼ·(b − A x) − damping² xⱼ:
// except for rounding, it is 0 where x > 0, and not positive elsewhere (the conditions of Karush, Kuhn and
// Tucker). A column of zeros gets x = 0. Of columns that depend on each other within rounding, only
// independent ones get x > 0. damping ≥ 0, in the unit of b over that of x. More rows may be added
// afterwards. STATUS_DATA: there are no rows, or sums overflow. STATUS_SYSTEM: no memory. STATUS_SOFTWARE:
// the method did not terminate, which only rounding can cause.
enum status nnls_solve(const struct nnls *problem, double damping, double *x, double *dual,
                       struct nnls_result *result);

#endif
