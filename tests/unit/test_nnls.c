// core/nnls: the conditions of Karush, Kuhn and Tucker on problems of every kind, solutions that are known,
// and those of scipy's nnls where python3-scipy is installed.
#include "tests/support/test.h"

#include "models/tsunami/forecast/nnls.h"
#include "tests/support/folder.h"
#include "tests/support/numbers.h"
#include "tests/support/statuses.h"

#include <float.h>

struct trial {
    size_t rows, columns;
    double *a, *b; // [rows][columns], [rows]
    double *x, *dual;
    struct nnls_result result;
};

static struct trial make_trial(size_t rows, size_t columns)
{
    struct trial trial = {.rows = rows, .columns = columns};
    trial.a = owned_zeros(rows * columns, sizeof(double));
    trial.b = owned_zeros(rows, sizeof(double));
    trial.x = owned_zeros(columns, sizeof(double));
    trial.dual = owned_zeros(columns, sizeof(double));
    return trial;
}

static void fill(struct trial *trial, uint64_t seed)
{
    for (size_t k = 0; k < trial->rows * trial->columns; k++)
        trial->a[k] = next_uniform(&seed, -1, 1);
    for (size_t k = 0; k < trial->rows; k++)
        trial->b[k] = next_uniform(&seed, -1, 1);
}

static double residual(const struct trial *trial, size_t row)
{
    double sum = trial->b[row];
    for (size_t j = 0; j < trial->columns; j++)
        sum -= trial->a[row * trial->columns + j] * trial->x[j];
    return sum;
}

// x ≥ 0, and the gradient, worked out here from A itself: 0 where x > 0, not positive elsewhere. The
// tolerance is a share of |a||b|.
static void assert_optimal(const struct trial *trial, double damping, double share)
{
    double squares = 0, right = 0;
    for (size_t i = 0; i < trial->rows; i++) {
        squares += residual(trial, i) * residual(trial, i);
        right += trial->b[i] * trial->b[i];
    }
    const double b_norm = sqrt(right);
    assert_near("residual", trial->result.residual_norm, sqrt(squares), share * b_norm);
    assert_near("right-hand side", trial->result.right_hand_norm, b_norm, 1e-13 * b_norm);
    size_t positive = 0;
    for (size_t j = 0; j < trial->columns; j++) {
        double gradient = -damping * damping * trial->x[j], length = damping * damping;
        for (size_t i = 0; i < trial->rows; i++) {
            const double a = trial->a[i * trial->columns + j];
            gradient += a * residual(trial, i);
            length += a * a;
        }
        const double tolerance = share * sqrt(length) * b_norm;
        assert_true(trial->x[j] >= 0);
        if (trial->x[j] > 0)
            assert_near("gradient of a positive unknown", gradient, 0, tolerance);
        else if (!(gradient <= tolerance))
            fail_msg("unknown %zu is 0, and the gradient there %.3g > %.3g", j, gradient, tolerance);
        assert_near("dual", trial->dual[j], gradient, tolerance);
        positive += trial->x[j] > 0;
    }
    assert_int_equal(trial->result.positive, positive);
    assert_int_equal(trial->result.rows, trial->rows);
}

static void solve(struct trial *trial, double damping)
{
    struct nnls *problem;
    assert_ok(nnls_create(trial->columns, &problem));
    for (size_t i = 0; i < trial->rows; i++)
        assert_ok(nnls_add(problem, trial->a + i * trial->columns, trial->b[i]));
    assert_ok(nnls_solve(problem, damping, trial->x, trial->dual, &trial->result));
    nnls_free(problem);
}

// ---- any problem

// Fewer, as many and more rows than columns, and than a block of rows.
TEST(conditions_hold)
{
    static const size_t shapes[][2] = {{1, 1},    {1, 5},     {5, 1},     {7, 7},    {20, 60},
                                       {128, 30}, {129, 30},  {1000, 40}, {60, 128}, {300, NNLS_COLUMNS_MAX},
                                       {256, 3},  {3000, 100}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            struct trial trial = make_trial(shapes[k][0], shapes[k][1]);
            fill(&trial, 977 * seed + k);
            solve(&trial, 0);
            assert_optimal(&trial, 0, 1e-11);
            solve(&trial, 0.3);
            assert_optimal(&trial, 0.3, 1e-11);
        }
}

// b = A x + r with x ≥ 0 and r across the columns of A: x is the solution, and |r| what is left.
TEST(known_solution)
{
    struct trial trial = make_trial(500, 24);
    double truth[24];
    uint64_t seed = 31;
    fill(&trial, 5);
    // Beyond row 400 there are no coefficients: a right-hand side there is across all columns.
    double across = 0;
    for (size_t j = 0; j < 24; j++)
        truth[j] = j % 3 == 0 ? 0 : next_uniform(&seed, 0.1, 30);
    for (size_t i = 0; i < trial.rows; i++) {
        if (i >= 400)
            memset(trial.a + i * 24, 0, 24 * sizeof(double));
        trial.b[i] = i < 400 ? 0 : next_uniform(&seed, -1, 1);
        across += trial.b[i] * trial.b[i];
        for (size_t j = 0; j < 24; j++)
            trial.b[i] += trial.a[i * 24 + j] * truth[j];
    }
    solve(&trial, 0);
    for (size_t j = 0; j < 24; j++)
        assert_near("x", trial.x[j], truth[j], 1e-12);
    assert_near("what is left", trial.result.residual_norm, sqrt(across), 1e-11);
    assert_optimal(&trial, 0, 1e-12);
}

// On columns at right angles: x = max(0, a·b/|a|²), with damping max(0, a·b/(|a|² + damping²)).
TEST(right_angles)
{
    static const double b[4] = {3, -2, 5, 0.5};
    struct trial trial = make_trial(4, 4);
    for (size_t j = 0; j < 4; j++)
        trial.a[j * 4 + j] = (double)(j + 1);
    memcpy(trial.b, b, sizeof b);
    solve(&trial, 0);
    for (size_t j = 0; j < 4; j++)
        assert_near("x", trial.x[j], fmax(0, b[j] / (double)(j + 1)), 1e-15);
    assert_near("condition", trial.result.condition, 1, 1e-12);
    solve(&trial, 2);
    for (size_t j = 0; j < 4; j++) {
        const double a = (double)(j + 1);
        assert_near("x, damped", trial.x[j], fmax(0, a * b[j] / (a * a + 4)), 1e-15);
    }
}

// ---- hard ones

// All that helps points the other way: x = 0.
TEST(nothing_helps)
{
    struct trial trial = make_trial(50, 6);
    fill(&trial, 8);
    for (size_t k = 0; k < 300; k++)
        trial.a[k] = fabs(trial.a[k]);
    for (size_t k = 0; k < 50; k++)
        trial.b[k] = -fabs(trial.b[k]);
    solve(&trial, 0);
    for (size_t j = 0; j < 6; j++)
        assert_true(trial.x[j] == 0);
    assert_optimal(&trial, 0, 1e-13);
    memset(trial.b, 0, 50 * sizeof(double)); // and nothing to help with
    solve(&trial, 0);
    assert_int_equal(trial.result.positive, 0);
    assert_true(trial.result.residual_norm == 0);
}

// Columns of zeroes, twice the same, sums of others: as good as without them, and all numbers finite.
TEST(dependent_columns)
{
    struct trial trial = make_trial(200, 12), plain = make_trial(200, 6);
    fill(&plain, 12);
    for (size_t i = 0; i < 200; i++) {
        double *row = trial.a + i * 12;
        memcpy(row, plain.a + i * 6, 6 * sizeof(double));
        row[6] = 0;
        row[7] = row[2];
        row[8] = 3 * row[0];
        row[9] = row[0] + row[1];
        row[10] = 1e-9 * row[3];
        row[11] = -row[4];
        plain.b[i] = trial.b[i] = 2 * row[0] + row[1] + 5 * row[3] + 0.1 * trial.b[i] + row[4];
    }
    solve(&trial, 0);
    assert_true(trial.x[6] == 0);
    assert_optimal(&trial, 0, 1e-12);
    solve(&plain, 0);
    assert_near("residual as without them", trial.result.residual_norm, plain.result.residual_norm, 1e-12);
    // Damping shares out what two equal columns do.
    solve(&trial, 0.1);
    assert_optimal(&trial, 0.1, 1e-12);
    assert_near("equal columns, damped", trial.x[7], trial.x[2], 1e-10);
}

// Nearly the same columns, x known: the error is that of a condition number of 1e7, not of its square.
TEST(nearly_dependent)
{
    struct trial trial = make_trial(400, 5);
    static const double truth[5] = {4, 0, 7, 2, 1};
    fill(&trial, 77);
    for (size_t i = 0; i < 400; i++) {
        double *row = trial.a + i * 5;
        for (size_t j = 1; j < 5; j++)
            row[j] = row[0] + 1e-7 * row[j];
        trial.b[i] = 0;
        for (size_t j = 0; j < 5; j++)
            trial.b[i] += row[j] * truth[j];
    }
    solve(&trial, 0);
    for (size_t j = 0; j < 5; j++)
        assert_near("x", trial.x[j], truth[j], 1e-6);
    assert_true(trial.result.condition > 1e6 && trial.result.condition < 1e9);
}

// The condition number of two columns at a given angle is known: √((1 + cos)/(1 − cos)).
TEST(condition_number)
{
    struct trial trial = make_trial(3, 2);
    static const double a[6] = {1, 0.8 * 5, 0, 0.6 * 5, 0, 0};
    memcpy(trial.a, a, sizeof a);
    trial.b[0] = trial.b[1] = 1;
    trial.b[0] = 3;
    solve(&trial, 0);
    assert_int_equal(trial.result.positive, 2);
    assert_near("condition", trial.result.condition, 3, 1e-9);
}

// The unit of a column is that of its unknown, whatever its size.
TEST(scaled_columns)
{
    struct trial trial = make_trial(100, 10);
    double x[10];
    fill(&trial, 55);
    solve(&trial, 0);
    memcpy(x, trial.x, sizeof x);
    for (size_t k = 0; k < 1000; k++)
        trial.a[k] *= pow(10, (double)(k % 10) - 5);
    solve(&trial, 0);
    for (size_t j = 0; j < 10; j++)
        assert_near("x of a scaled column", trial.x[j] * pow(10, (double)j - 5), x[j], 1e-12);
}

// More rows after a solution; a million rows; the same bits whatever was asked between.
TEST(rows_go_on)
{
    enum { COLUMNS = 4 };
    struct nnls *problem, *whole;
    double row[COLUMNS], x[COLUMNS], all[COLUMNS];
    static const double truth[COLUMNS] = {1, 2, 0, 3};
    struct nnls_result result;
    uint64_t seed = 3;
    assert_ok(nnls_create(COLUMNS, &problem));
    assert_ok(nnls_create(COLUMNS, &whole));
    for (size_t k = 0; k < 1000000; k++) {
        double b = next_uniform(&seed, -0.1, 0.1);
        for (size_t j = 0; j < COLUMNS; j++) {
            row[j] = next_uniform(&seed, -1, 1);
            b += row[j] * truth[j];
        }
        assert_ok(nnls_add(problem, row, b));
        assert_ok(nnls_add(whole, row, b));
        if (k % 99991 == 0)
            assert_ok(nnls_solve(problem, 0, x, NULL, &result));
    }
    assert_ok(nnls_solve(problem, 0, x, NULL, &result));
    assert_ok(nnls_solve(whole, 0, all, NULL, &result));
    assert_memory_equal(x, all, sizeof x);
    assert_int_equal(result.rows, 1000000);
    for (size_t j = 0; j < COLUMNS; j++) // the noise has 0.058 rms: ten times its share
        assert_near("x of a million rows", x[j], truth[j], 1e-3);
    assert_near("what is left", result.residual_norm, 1000 * 0.1 / sqrt(3), 0.2);
    nnls_free(problem);
    nnls_free(whole);
}

TEST(refused)
{
    struct nnls *problem;
    double x[2];
    struct nnls_result result;
    assert_int_equal(nnls_create(0, &problem), STATUS_SOFTWARE);
    assert_null(problem);
    assert_failure(nnls_create(NNLS_COLUMNS_MAX + 1, &problem), STATUS_SOFTWARE, "");
    assert_ok(nnls_create(2, &problem));
    assert_int_equal(nnls_solve(problem, 0, x, NULL, &result), STATUS_DATA);
    assert_failure(nnls_add(problem, (double[]){1, NAN}, 0), STATUS_DATA, "unknown 1");
    assert_failure(nnls_add(problem, (double[]){1, 2}, INFINITY), STATUS_DATA, "");
    assert_ok(nnls_add(problem, (double[]){1e300, 2}, 1));
    assert_failure(nnls_solve(problem, 0, x, NULL, &result), STATUS_DATA, "");
    nnls_free(problem);
    nnls_free(NULL);
}

// ---- another implementation

static const char program[] = "import sys, numpy\n"
                              "from scipy.optimize import nnls\n"
                              "d = numpy.fromfile('problem'); m, n = int(d[0]), int(d[1])\n"
                              "a = d[2:2 + m * n].reshape(m, n); b = d[2 + m * n:]\n"
                              "nnls(a, b, maxiter=100 * n)[0].tofile('solution')\n";

TEST_WITH(as_scipy_has_it, folder_make, folder_remove)
{
    if (folder_shell_code("/usr/bin/python3 -c 'from scipy.optimize import nnls' 2>/dev/null") != 0) {
        print_message("left out: python3-scipy is not installed\n");
        skip();
    }
    folder_write_text("solve.py", program);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct trial trial = make_trial(150 * seed, 20 * seed);
        const size_t rows = trial.rows, columns = trial.columns;
        fill(&trial, seed);
        double *file = owned_zeros((2 + rows * columns + rows), sizeof *file);
        file[0] = (double)rows;
        file[1] = (double)columns;
        memcpy(file + 2, trial.a, rows * columns * sizeof *file);
        memcpy(file + 2 + rows * columns, trial.b, rows * sizeof *file);
        folder_write("problem", file, (2 + rows * columns + rows) * sizeof *file);
        folder_shell("cd '%s' && /usr/bin/python3 solve.py", folder_root());
        size_t length;
        char *solution = folder_read("solution", &length);
        assert_int_equal(length, columns * sizeof(double));
        solve(&trial, 0);
        for (size_t j = 0; j < columns; j++) {
            double expected;
            memcpy(&expected, solution + j * sizeof expected, sizeof expected);
            assert_near("x as scipy has it", trial.x[j], expected, 1e-12);
        }
    }
}
