// Statistics of values with weights: see weighted.h.
#include "core/weighted.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

// ---- order

enum { SHORT = 16, STACK = 128 };

static void sort_short(struct weighted_value *e, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        const struct weighted_value moved = e[k];
        size_t place = k;
        for (; place > 0 && e[place - 1].value > moved.value; place--)
            e[place] = e[place - 1];
        e[place] = moved;
    }
}

static double median_of(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

// Hoare's partition: 0 … split − 1 are at most the pivot, the others at least. Equal values are shared out,
// so that an array of one value is cut in halves.
static size_t partition(struct weighted_value *e, size_t count)
{
    const double pivot = median_of(e[0].value, e[count / 2].value, e[count - 1].value);
    size_t low = 0, high = count - 1;
    for (;;) {
        while (e[low].value < pivot)
            low++;
        while (e[high].value > pivot)
            high--;
        if (low >= high)
            return low > 0 ? low : 1;
        const struct weighted_value swapped = e[low];
        e[low++] = e[high];
        e[high--] = swapped;
        if (low > high)
            return low;
    }
}

static bool is_sorted(const struct weighted_value *e, size_t count)
{
    for (size_t k = 1; k < count; k++)
        if (e[k - 1].value > e[k].value)
            return false;
    return true;
}

// The longer part waits on the stack, so that it never holds more than the logarithm of the count.
void weighted_sort(struct weighted_value *entries, size_t count)
{
    struct {
        struct weighted_value *first;
        size_t count;
    } stack[STACK];
    size_t waiting = 0;
    if (is_sorted(entries, count))
        return;
    for (;;) {
        while (count > SHORT) {
            const size_t split = partition(entries, count), rest = count - split;
            const bool is_first_longer = split > rest;
            assert(waiting < STACK);
            stack[waiting].first = is_first_longer ? entries : entries + split;
            stack[waiting++].count = is_first_longer ? split : rest;
            entries = is_first_longer ? entries + split : entries;
            count = is_first_longer ? rest : split;
        }
        sort_short(entries, count);
        if (waiting == 0)
            return;
        entries = stack[--waiting].first;
        count = stack[waiting].count;
    }
}

// ---- statistics

static double total_of(const struct weighted_value *entries, size_t count)
{
    double total = 0;
    for (size_t k = 0; k < count; k++)
        total += entries[k].weight;
    return total;
}

double weighted_quantile(const struct weighted_value *entries, size_t count, double fraction)
{
    const double enough = (fraction - WEIGHTED_TOLERANCE) * total_of(entries, count);
    double sum = 0, last = NAN;
    for (size_t k = 0; k < count; k++) {
        if (!(entries[k].weight > 0))
            continue;
        sum += entries[k].weight;
        last = entries[k].value;
        if (sum >= enough)
            break;
    }
    return last;
}

double weighted_mean(const struct weighted_value *entries, size_t count)
{
    const double total = total_of(entries, count);
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += entries[k].weight > 0 ? entries[k].weight * entries[k].value : 0;
    return total > 0 ? sum / total : (double)NAN;
}

double weighted_least(const struct weighted_value *entries, size_t count)
{
    double least = NAN;
    for (size_t k = 0; k < count; k++)
        if (entries[k].weight > 0)
            least = fmin(least, entries[k].value);
    return least;
}

double weighted_share_above(const struct weighted_value *entries, size_t count, double limit)
{
    const double total = total_of(entries, count);
    double above = 0;
    for (size_t k = 0; k < count; k++)
        above += entries[k].value > limit ? entries[k].weight : 0;
    return total > 0 ? fmin(1, above / total) : (double)NAN;
}

// ---- histograms

struct weighted_bins weighted_bins_in_ratio(double low, double high, double ratio)
{
    assert(low > 0 && high > low && ratio > 1);
    const double count = ceil(log(high / low) / log(ratio));
    return (struct weighted_bins){low, high, log(high / low) / count, (size_t)count + 2, true};
}

struct weighted_bins weighted_bins_at_distance(double high, size_t count)
{
    assert(high > 0 && count > 0);
    return (struct weighted_bins){0, high, high / (double)count, count + 2, false};
}

size_t weighted_bins_place(const struct weighted_bins *bins, double value)
{
    if (value < bins->low)
        return 0;
    if (value >= bins->high)
        return bins->count - 1;
    const double place = bins->is_logarithmic ? log(value / bins->low) / bins->step : value / bins->step;
    const size_t bin = 1 + (size_t)place;
    return bin < bins->count - 1 ? bin : bins->count - 2;
}

// Between edges a and b = r a the value 2 a b/(a + b) is off by the same share, (r − 1)/(r + 1), of either.
double weighted_bins_value(const struct weighted_bins *bins, size_t bin)
{
    if (bin == 0)
        return 0;
    if (bin >= bins->count - 1)
        return INFINITY;
    const double below = (double)(bin - 1);
    if (!bins->is_logarithmic)
        return bins->step * (below + 0.5);
    const double edge = bins->low * exp(bins->step * below), ratio = exp(bins->step);
    return 2 * edge * ratio / (1 + ratio);
}

// The places of edges are rounded: a millionth of a bin more.
void weighted_bins_errors(const struct weighted_bins *bins, double *relative, double *absolute)
{
    const double rounding = 1 + 1e-6;
    *relative = bins->is_logarithmic ? rounding * tanh(0.5 * bins->step) : 0;
    *absolute = bins->is_logarithmic ? bins->low : rounding * 0.5 * bins->step;
}

double weighted_bins_quantile(const struct weighted_bins *bins, const double *weights, double fraction)
{
    double total = 0, sum = 0;
    size_t last = SIZE_MAX;
    for (size_t k = 0; k < bins->count; k++)
        total += weights[k];
    const double enough = (fraction - WEIGHTED_TOLERANCE) * total;
    for (size_t k = 0; k < bins->count; k++) {
        if (!(weights[k] > 0))
            continue;
        sum += weights[k];
        last = k;
        if (sum >= enough)
            break;
    }
    return last == SIZE_MAX ? (double)NAN : weighted_bins_value(bins, last);
}
