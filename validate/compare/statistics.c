// Statistics of pairs (see statistics.h). Independent of files.
#include "validate/compare/statistics.h"

#include <math.h>
#include <string.h>

void compare_statistics_begin(struct compare_statistics *statistics, struct compare_tolerance tolerance)
{
    memset(statistics, 0, sizeof *statistics);
    statistics->tolerance = tolerance;
}

// Moments of the values collected for the current block, in two passes.
static struct compare_moments block_moments(const double *run, const double *reference, size_t count)
{
    struct compare_moments block = {.count = (double)count};
    block.mean_run = statistics_block_sum(run, count) / block.count;
    block.mean_reference = statistics_block_sum(reference, count) / block.count;
    for (size_t k = 0; k < count; k++) {
        const double x = run[k] - block.mean_run, y = reference[k] - block.mean_reference;
        block.squares_run += x * x;
        block.squares_reference += y * y;
        block.products += x * y;
    }
    return block;
}

static void combine(struct compare_moments *all, const struct compare_moments *block)
{
    const double count = all->count + block->count;
    const double x = block->mean_run - all->mean_run, y = block->mean_reference - all->mean_reference;
    const double weight = all->count * (block->count / count);
    all->squares_run += block->squares_run + x * x * weight;
    all->squares_reference += block->squares_reference + y * y * weight;
    all->products += block->products + x * y * weight;
    all->mean_run += x * (block->count / count);
    all->mean_reference += y * (block->count / count);
    all->count = count;
}

static void finish_block(struct compare_statistics *s)
{
    if (s->waiting == 0)
        return;
    const struct compare_moments block = block_moments(s->waiting_run, s->waiting_reference, s->waiting);
    if (s->moments.count == 0)
        s->moments = block;
    else
        combine(&s->moments, &block);
    double differences[STATISTICS_BLOCK];
    for (size_t k = 0; k < s->waiting; k++) // equal infinities do not differ
        differences[k] =
            s->waiting_run[k] == s->waiting_reference[k] ? 0 : s->waiting_run[k] - s->waiting_reference[k];
    running_sum_add(&s->differences, differences, s->waiting);
    s->waiting = 0;
}

static void add_pair(struct compare_statistics *s, uint64_t index, double run, double reference)
{
    if (isnan(run) || isnan(reference)) {
        if (isnan(run) && !isnan(reference) && s->run_missing++ == 0)
            s->first_run_missing = (struct compare_values){index, run, reference};
        if (isnan(reference) && !isnan(run) && s->reference_missing++ == 0)
            s->first_reference_missing = (struct compare_values){index, run, reference};
        return;
    }
    if (run != reference) {
        const double error = fabs(run - reference);
        const double allowed = s->tolerance.absolute + s->tolerance.relative * fabs(reference);
        // An infinite or NaN difference is within no tolerance except INFINITY.
        const bool agrees = isinf(s->tolerance.absolute) || (isfinite(error) && error <= allowed);
        if (!agrees && s->beyond++ == 0)
            s->first_beyond = (struct compare_values){index, run, reference};
    }
    s->waiting_run[s->waiting] = run;
    s->waiting_reference[s->waiting] = reference;
    if (++s->waiting == STATISTICS_BLOCK)
        finish_block(s);
}

void compare_statistics_add(struct compare_statistics *s, const double *run, const double *reference,
                            size_t count)
{
    const uint64_t first = s->difference.compared + s->difference.missing + s->difference.mismatched;
    const uint64_t compared = s->difference.compared;
    difference_add_f64(&s->difference, reference, run, count);
    // The largest difference is in this piece if its index is in the piece and the piece has compared values.
    const uint64_t at = s->difference.max_abs_index;
    if (s->difference.compared > compared && at >= first)
        s->largest = (struct compare_values){at, run[at - first], reference[at - first]};
    for (size_t k = 0; k < count; k++)
        add_pair(s, first + k, run[k], reference[k]);
}

void compare_statistics_end(struct compare_statistics *statistics)
{
    finish_block(statistics);
}

double compare_statistics_bias(const struct compare_statistics *statistics)
{
    const uint64_t count = statistics->difference.compared;
    return count > 0 ? running_sum_total(&statistics->differences) / (double)count : NAN;
}

// A mean has a relative rounding error of up to 515 · 2⁻⁵³ (core/statistics.h). Values whose variation is not
// larger count as constant.
static bool varies(double count, double mean, double squares)
{
    return sqrt(squares / count) > 515 * 0x1p-53 * fabs(mean);
}

double compare_statistics_correlation(const struct compare_statistics *statistics)
{
    const struct compare_moments *m = &statistics->moments;
    if (m->count < 2 || !varies(m->count, m->mean_run, m->squares_run) ||
        !varies(m->count, m->mean_reference, m->squares_reference))
        return NAN;
    const double r = m->products / (sqrt(m->squares_run) * sqrt(m->squares_reference));
    return isnan(r) ? NAN : fmax(-1, fmin(1, r)); // rounding may exceed the limits
}
