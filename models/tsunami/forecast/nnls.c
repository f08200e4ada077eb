// Non-negative least squares (see the header). Matrices are kept by columns. Independent of physics and of
// files.
#include "models/tsunami/forecast/nnls.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 128, ITERATIONS_PER_COLUMN = 30, POWER_STEPS = 60 };

// A column takes no part if what is independent of the others is no larger than this share of it: mere
// rounding.
static const double independent_share = 1e-12;

struct nnls {
    size_t columns, width; // width: columns and the right-hand side
    uint64_t rows;
    size_t pending;   // rows of `block` in use
    double *triangle; // [width][width]: column j, row i; upper
    double *block;    // [width][BLOCK_ROWS]
};

// ---- folding rows into the triangle

enum status nnls_create(size_t columns, struct nnls **problem)
{
    *problem = NULL;
    if (columns < 1 || columns > NNLS_COLUMNS_MAX)
        return FAIL(STATUS_SOFTWARE, "least squares with %zu unknowns: 1 to %d are allowed", columns,
                    NNLS_COLUMNS_MAX);
    struct nnls *fresh = calloc(1, sizeof *fresh);
    if (fresh) {
        fresh->columns = columns;
        fresh->width = columns + 1;
        fresh->triangle = calloc(fresh->width * fresh->width, sizeof *fresh->triangle);
        fresh->block = calloc(fresh->width * BLOCK_ROWS, sizeof *fresh->block);
    }
    if (!fresh || !fresh->triangle || !fresh->block) {
        nnls_free(fresh);
        return FAIL(STATUS_SYSTEM, "not enough memory for least squares with %zu unknowns", columns);
    }
    *problem = fresh;
    return STATUS_OK;
}

void nnls_free(struct nnls *problem)
{
    if (!problem)
        return;
    free(problem->triangle);
    free(problem->block);
    free(problem);
}

// In as many sums as a vector register holds numbers: a single one would wait for each addition.
static double dot(const double *a, const double *b, size_t count)
{
    enum { SUMS = 8 };
    double sums[SUMS] = {0};
    size_t k = 0;
    for (; k + SUMS <= count; k += SUMS)
        for (size_t i = 0; i < SUMS; i++)
            sums[i] += a[k + i] * b[k + i];
    for (size_t i = 0; k < count; k++, i++)
        sums[i] += a[k] * b[k];
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// The reflection I − τ (1; v)(1; v)ᵀ that turns (head; tail) into (result; 0). `tail` becomes v.
struct reflection {
    double result, tau;
};

static struct reflection reflect(double head, double *tail, size_t count)
{
    const double rest = dot(tail, tail, count);
    if (rest == 0)
        return (struct reflection){.result = head};
    const double norm = sqrt(head * head + rest), result = head > 0 ? -norm : norm;
    for (size_t k = 0; k < count; k++)
        tail[k] /= head - result;
    return (struct reflection){.result = result, .tau = (result - head) / result};
}

static void apply(double tau, const double *v, size_t count, double *head, double *tail)
{
    const double part = tau * (*head + dot(v, tail, count));
    *head -= part;
    for (size_t k = 0; k < count; k++)
        tail[k] -= part * v[k];
}

// Rows `rows` of the block go into the triangle. In column k only row k of the triangle and the block take
// part: everything below row k is zero already.
static void fold(size_t width, double *triangle, double *block, size_t rows)
{
    for (size_t k = 0; k < width; k++) {
        double *v = block + k * BLOCK_ROWS;
        const struct reflection turn = reflect(triangle[k * width + k], v, rows);
        triangle[k * width + k] = turn.result;
        for (size_t j = k + 1; j < width && turn.tau != 0; j++)
            apply(turn.tau, v, rows, &triangle[j * width + k], block + j * BLOCK_ROWS);
    }
}

enum status nnls_add(struct nnls *problem, const double *coefficients, double right_hand_side)
{
    for (size_t j = 0; j < problem->columns; j++)
        if (!isfinite(coefficients[j]))
            return FAIL(STATUS_DATA, "least squares: the coefficient of unknown %zu is %g", j,
                        coefficients[j]);
    if (!isfinite(right_hand_side))
        return FAIL(STATUS_DATA, "least squares: the right-hand side is %g", right_hand_side);
    for (size_t j = 0; j < problem->columns; j++)
        problem->block[j * BLOCK_ROWS + problem->pending] = coefficients[j];
    problem->block[problem->columns * BLOCK_ROWS + problem->pending] = right_hand_side;
    problem->rows++;
    if (++problem->pending == BLOCK_ROWS) {
        fold(problem->width, problem->triangle, problem->block, BLOCK_ROWS);
        problem->pending = 0;
    }
    return STATUS_OK;
}

// ---- the active-set method

// One solution, on columns of length 1: everything in one piece of memory.
struct work {
    size_t columns, width;
    double *triangle; // [width][width]: damped and scaled; its last column is the right-hand side
    double *block;    // [width][BLOCK_ROWS]
    double *turned;   // [width][width]: the triangle under the passive columns' reflections
    double *scale;    // [columns]: lengths of the columns; 0: a column of zeroes
    double *y, *z;    // [columns], [passive]: the solution so far; the one without bounds
    double *dual, *spare;
    size_t *passive; // [columns]: those that may be positive, in the order in which they came
    size_t passive_count;
    bool *is_passive, *is_passed_over;
    double right_norm;
    int iterations;
    void *memory;
};

static enum status start_work(const struct nnls *problem, struct work *work)
{
    const size_t n = problem->columns, width = problem->width;
    const size_t numbers = 2 * width * width + width * BLOCK_ROWS + 5 * width;
    *work = (struct work){.columns = n, .width = width};
    work->memory = calloc(1, numbers * sizeof(double) + n * (sizeof(size_t) + 2 * sizeof(bool)));
    if (!work->memory)
        return FAIL(STATUS_SYSTEM, "not enough memory for least squares with %zu unknowns", n);
    work->triangle = work->memory;
    work->block = work->triangle + width * width;
    work->turned = work->block + width * BLOCK_ROWS;
    work->scale = work->turned + width * width;
    work->y = work->scale + width;
    work->z = work->y + width;
    work->dual = work->z + width;
    work->spare = work->dual + width;
    work->passive = (size_t *)(void *)(work->spare + width);
    work->is_passive = (bool *)(work->passive + n);
    work->is_passed_over = work->is_passive + n;
    memcpy(work->triangle, problem->triangle, width * width * sizeof(double));
    memcpy(work->block, problem->block, width * BLOCK_ROWS * sizeof(double));
    return STATUS_OK;
}

// The rows still pending and those of the damping go in; then the columns get length 1.
static enum status finish_triangle(const struct nnls *problem, double damping, struct work *work)
{
    const size_t width = work->width;
    fold(width, work->triangle, work->block, problem->pending);
    for (size_t first = 0; damping > 0 && first < work->columns; first += BLOCK_ROWS) {
        const size_t rows = work->columns - first < BLOCK_ROWS ? work->columns - first : BLOCK_ROWS;
        memset(work->block, 0, width * BLOCK_ROWS * sizeof(double));
        for (size_t k = 0; k < rows; k++)
            work->block[(first + k) * BLOCK_ROWS + k] = damping;
        fold(width, work->triangle, work->block, rows);
    }
    for (size_t j = 0; j < width; j++) {
        double *column = work->triangle + j * width;
        const double length = sqrt(dot(column, column, j + 1));
        if (!isfinite(length))
            return FAIL(STATUS_DATA, "least squares: numbers too large to be squared");
        if (j == work->columns) {
            work->right_norm = length;
            break;
        }
        work->scale[j] = length;
        for (size_t i = 0; i <= j && length > 0; i++)
            column[i] /= length;
    }
    return STATUS_OK;
}

// The reflection of `column` as the next passive one; its vector goes into `spare`. False: it depends on the
// columns before it within rounding, or would be negative.
static bool try_column(struct work *work, size_t column, struct reflection *turn)
{
    const size_t width = work->width, row = work->passive_count, below = width - row - 1;
    const double *own = work->turned + column * width + row;
    const double *right = work->turned + work->columns * width + row;
    memcpy(work->spare, own + 1, below * sizeof(double));
    *turn = reflect(own[0], work->spare, below);
    const double share = right[0] - turn->tau * (right[0] + dot(work->spare, right + 1, below));
    return fabs(turn->result) > independent_share && share / turn->result > 0;
}

// Makes it passive: every column that is not, and the right-hand side, come under its reflection.
static void enter(struct work *work, size_t column, struct reflection turn)
{
    const size_t width = work->width, row = work->passive_count, below = width - row - 1;
    work->passive[work->passive_count++] = column;
    work->is_passive[column] = true;
    for (size_t j = 0; j < width; j++)
        if (j == work->columns || !work->is_passive[j])
            apply(turn.tau, work->spare, below, &work->turned[j * width + row],
                  &work->turned[j * width + row + 1]);
    work->turned[column * width + row] = turn.result;
}

// Everything again, after columns were removed.
static void turn_again(struct work *work)
{
    const size_t count = work->passive_count;
    memcpy(work->turned, work->triangle, work->width * work->width * sizeof(double));
    memset(work->is_passive, 0, work->columns * sizeof *work->is_passive);
    work->passive_count = 0;
    for (size_t k = 0; k < count; k++) {
        struct reflection turn;
        (void)try_column(work, work->passive[k], &turn); // independent: others that were are gone
        enter(work, work->passive[k], turn);
    }
}

// R of the passive columns' factorisation.
static double entry(const struct work *work, size_t row, size_t which)
{
    return work->turned[work->passive[which] * work->width + row];
}

// z: the passive columns' least squares without bounds, in their order.
static void solve_passive(struct work *work)
{
    const double *right = work->turned + work->columns * work->width;
    for (size_t k = work->passive_count; k-- > 0;) {
        double sum = right[k];
        for (size_t j = k + 1; j < work->passive_count; j++)
            sum -= entry(work, k, j) * work->z[j];
        work->z[k] = sum / entry(work, k, k);
    }
    work->iterations++;
}

// The column along which the residual falls most steeply, or `columns`. Slopes are those across the passive
// columns, exact for columns that nearly depend on them. A slope within the rounding of its own sum does not
// count.
static size_t steepest(const struct work *work)
{
    const size_t width = work->width, row = work->passive_count;
    const double *right = work->turned + work->columns * width + row;
    double sizes = work->right_norm, largest = 0;
    size_t found = work->columns;
    for (size_t j = 0; j < work->columns; j++)
        sizes += work->y[j];
    for (size_t j = 0; j < work->columns; j++) {
        if (work->is_passive[j] || work->is_passed_over[j])
            continue;
        const double *own = work->turned + j * width + row;
        const double slope = dot(own, right, width - row), length = sqrt(dot(own, own, width - row));
        if (slope > 10 * (double)width * DBL_EPSILON * length * sizes && slope > largest) {
            largest = slope;
            found = j;
        }
    }
    return found;
}

// From y, which is allowed, toward z, which may not be, as far as is allowed; what arrives at 0 goes.
static void step_to_bound(struct work *work)
{
    double share = 1;
    size_t first = work->passive_count, kept = 0;
    for (size_t k = 0; k < work->passive_count; k++) {
        const double y = work->y[work->passive[k]];
        if (work->z[k] <= 0 && y / (y - work->z[k]) <= share) {
            share = y / (y - work->z[k]);
            first = k;
        }
    }
    for (size_t k = 0; k < work->passive_count; k++) {
        const size_t column = work->passive[k];
        double *y = &work->y[column];
        *y = k == first ? 0 : fmax(0, *y + share * (work->z[k] - *y));
        if (*y > 0)
            work->passive[kept++] = column;
    }
    work->passive_count = kept;
}

static bool has_bound_broken(const struct work *work)
{
    for (size_t k = 0; k < work->passive_count; k++)
        if (work->z[k] <= 0)
            return true;
    return false;
}

static enum status iterate(struct work *work)
{
    const int most = ITERATIONS_PER_COLUMN * (int)work->columns;
    memcpy(work->turned, work->triangle, work->width * work->width * sizeof(double));
    while (work->iterations < most) {
        const size_t entering = steepest(work);
        struct reflection turn;
        if (entering == work->columns)
            return STATUS_OK;
        // By its slope it grows; otherwise rounding could remove and add it for ever.
        if (!try_column(work, entering, &turn)) {
            work->is_passed_over[entering] = true;
            continue;
        }
        enter(work, entering, turn);
        memset(work->is_passed_over, 0, work->columns * sizeof *work->is_passed_over);
        for (solve_passive(work); has_bound_broken(work); solve_passive(work)) {
            step_to_bound(work);
            turn_again(work);
        }
        for (size_t k = 0; k < work->passive_count; k++)
            work->y[work->passive[k]] = work->z[k];
    }
    return FAIL(STATUS_SOFTWARE, "least squares with %zu unknowns did not come to an end in %d iterations",
                work->columns, most);
}

// ---- description of the solution

// dual = Eᵀ(f − E y), from the columns themselves.
static void find_dual(struct work *work)
{
    const size_t n = work->columns, width = work->width;
    memcpy(work->spare, work->triangle + n * width, width * sizeof(double));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; work->y[j] > 0 && i <= j; i++)
            work->spare[i] -= work->triangle[j * width + i] * work->y[j];
    for (size_t j = 0; j < n; j++)
        work->dual[j] = dot(work->triangle + j * width, work->spare, j + 1);
}

// Largest or smallest singular value of the passive columns' R, by the power method on RᵀR or its inverse. z
// and spare are free by now.
static double singular_value(struct work *work, bool is_smallest)
{
    const size_t count = work->passive_count;
    double *x = work->z, *t = work->spare, growth = 1;
    for (size_t k = 0; k < count; k++)
        x[k] = 1 + 0.5 * sin((double)(3 * k + 1)); // along no column in particular
    for (int step = 0; step < POWER_STEPS; step++) {
        const double length = sqrt(dot(x, x, count));
        for (size_t k = 0; k < count; k++)
            x[k] /= length;
        for (size_t k = 0; k < count; k++) { // t = Rx, or t = R⁻ᵀx
            double sum = is_smallest ? x[k] : 0;
            for (size_t j = 0; j < k && is_smallest; j++)
                sum -= entry(work, j, k) * t[j];
            for (size_t j = k; j < count && !is_smallest; j++)
                sum += entry(work, k, j) * x[j];
            t[k] = is_smallest ? sum / entry(work, k, k) : sum;
        }
        growth = sqrt(dot(t, t, count));
        for (size_t k = count; k-- > 0;) { // x = Rᵀt, or x = R⁻¹t
            double sum = is_smallest ? t[k] : 0;
            for (size_t j = k + 1; j < count && is_smallest; j++)
                sum -= entry(work, k, j) * x[j];
            for (size_t j = 0; j <= k && !is_smallest; j++)
                sum += entry(work, j, k) * t[j];
            x[k] = is_smallest ? sum / entry(work, k, k) : sum;
        }
    }
    return is_smallest ? 1 / growth : growth;
}

// ‖A x − b‖ from the triangle without damping, in which the rows still pending are folded.
static void measure(const struct nnls *problem, struct work *work, const double *x,
                    struct nnls_result *result)
{
    const size_t n = problem->columns, width = problem->width;
    memcpy(work->triangle, problem->triangle, width * width * sizeof(double));
    memcpy(work->block, problem->block, width * BLOCK_ROWS * sizeof(double));
    fold(width, work->triangle, work->block, problem->pending);
    double *right = work->triangle + n * width;
    result->right_hand_norm = sqrt(dot(right, right, width));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; x[j] > 0 && i <= j; i++)
            right[i] -= work->triangle[j * width + i] * x[j];
    result->residual_norm = sqrt(dot(right, right, width));
}

static enum status solve(const struct nnls *problem, double damping, struct work *work, double *x,
                         double *dual, struct nnls_result *result)
{
    CHECK(finish_triangle(problem, damping, work));
    CHECK(iterate(work));
    find_dual(work);
    for (size_t j = 0; j < work->columns; j++) {
        x[j] = work->scale[j] > 0 ? work->y[j] / work->scale[j] : 0;
        if (dual)
            dual[j] = work->dual[j] * work->scale[j];
    }
    *result = (struct nnls_result){.rows = problem->rows,
                                   .positive = work->passive_count,
                                   .iterations = work->iterations,
                                   .condition = 1};
    if (work->passive_count > 0)
        result->condition = singular_value(work, false) / singular_value(work, true);
    measure(problem, work, x, result);
    return STATUS_OK;
}

enum status nnls_solve(const struct nnls *problem, double damping, double *x, double *dual,
                       struct nnls_result *result)
{
    struct work work;
    if (problem->rows == 0)
        return FAIL(STATUS_DATA, "least squares without equations");
    CHECK(start_work(problem, &work));
    const enum status status = solve(problem, damping, &work, x, dual, result);
    free(work.memory);
    return status;
}
