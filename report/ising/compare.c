// Runs of the Ising model compared: with each other, with exact values, and where two sizes' Binder cumulants
// cross.
#include "report/ising/report.h"

#include <math.h>

bool report_ising_is_same_lattice(const struct ising_run *a, const struct ising_run *b)
{
    const struct ising_facts *x = &a->facts, *y = &b->facts;
    return x->columns == y->columns && x->rows == y->rows && x->coupling == y->coupling &&
           x->field == y->field;
}

bool report_ising_is_trusted(const struct ising_run *run, size_t k)
{
    return run->is_reliable[k] != 0;
}

double report_ising_ratio(const struct ising_run *a, size_t i, const struct ising_run *b, size_t j,
                          enum ising_figure figure, double *error)
{
    const double u = a->value[figure][i], v = b->value[figure][j], sum = u + v;
    *error = 4 * hypot(v * a->error[figure][i], u * b->error[figure][j]) / (sum * sum);
    return 2 * (u - v) / sum;
}

size_t report_ising_find_beta(const struct ising_run *run, double beta)
{
    size_t k = 0;
    while (k < run->count && fabs(run->beta[k] - beta) > 1e-9 * fabs(beta))
        k++;
    return k;
}

struct ising_difference report_ising_compare(const struct ising_run *a, const struct ising_run *b,
                                             enum ising_figure figure)
{
    struct ising_difference difference = {0, 0};
    for (size_t i = 0; i < a->count; i++) {
        const size_t j = report_ising_find_beta(b, a->beta[i]);
        double error = NAN, ratio = j < b->count ? report_ising_ratio(a, i, b, j, figure, &error) : NAN;
        if (!isfinite(ratio) || !(error > 0) || !report_ising_is_trusted(a, i) ||
            !report_ising_is_trusted(b, j))
            continue;
        difference.count++;
        difference.chi_squared += ratio / error * (ratio / error);
    }
    return difference;
}

// Compared between runs, and with exact values where there are any.
const enum ising_figure ising_compared[ISING_COMPARED] = {
    ISING_FIGURE_ENERGY, ISING_FIGURE_ABSOLUTE, ISING_FIGURE_SPECIFIC_HEAT, ISING_FIGURE_SUSCEPTIBILITY};

// Σ ((value − exact)/error)² over the reliable temperatures.
struct ising_difference report_ising_against_exact(const struct ising_run *run, enum ising_figure figure)
{
    struct ising_difference difference = {0, 0};
    for (size_t k = 0; k < run->count; k++) {
        const double exact = report_ising_exact_of_lattice(run, figure, run->beta[k]),
                     sigmas = (run->value[figure][k] - exact) / run->error[figure][k];
        if (!isfinite(sigmas) || !report_ising_is_trusted(run, k))
            continue;
        difference.count++;
        difference.chi_squared += sigmas * sigmas;
    }
    return difference;
}

size_t report_ising_count_unreliable(const struct ising_run *run)
{
    size_t count = 0;
    for (size_t k = 0; k < run->count; k++)
        count += !report_ising_is_trusted(run, k);
    return count;
}

// Whether linear interpolation gives the crossing of two cumulants: their difference is significant on both
// sides, and the temperatures are as close as the larger lattice's cumulant requires, |Δβ J| L ≤ 1.
static bool is_crossing(double before, double before_error, double after, double after_error, double range)
{
    return before * after < 0 && fabs(before) >= 2 * before_error && fabs(after) >= 2 * after_error &&
           range <= 1;
}

double report_ising_crossing(const struct ising_run *a, const struct ising_run *b, double *error)
{
    const double critical = report_ising_critical_beta(a), side = fmax(b->facts.columns, b->facts.rows);
    double best = NAN, beta_before = NAN, before = NAN, before_error = NAN;
    *error = NAN;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            if (a->beta[i] != b->beta[j] || !report_ising_is_trusted(a, i) || !report_ising_is_trusted(b, j))
                continue;
            const double after = b->value[ISING_FIGURE_BINDER][j] - a->value[ISING_FIGURE_BINDER][i],
                         after_error =
                             hypot(b->error[ISING_FIGURE_BINDER][j], a->error[ISING_FIGURE_BINDER][i]),
                         step = a->beta[i] - beta_before, slope = after - before;
            const double beta = beta_before - step * before / slope;
            if (is_crossing(before, before_error, after, after_error,
                            fabs(step * b->facts.coupling) * side) &&
                fabs(beta - critical) < 0.1 * critical && !(fabs(best - critical) <= fabs(beta - critical))) {
                best = beta;
                *error = fabs(step) * hypot(after * before_error, before * after_error) / (slope * slope);
            }
            beta_before = a->beta[i];
            before = after;
            before_error = after_error;
        }
    return best;
}

size_t report_ising_next_size(const struct report_ising *ising, size_t k)
{
    size_t next = k + 1;
    while (next < ising->count && report_ising_is_same_lattice(&ising->runs[k], &ising->runs[next]))
        next++;
    return next;
}
