// Values, errors and reweighting of series of measurements (analysis.h). Sums are in the order of time, by
// one thread.
#include "models/ising/analysis.h"
#include "models/ising/jackknife.h"

#include <math.h>
#include <string.h>

// Weighted sums of powers. Energies are taken about a middle, as their variance is small beside their square.
enum { SUM_WEIGHT, SUM_WEIGHT2, SUM_E, SUM_E2, SUM_M, SUM_ABS, SUM_M2, SUM_M4, SUM_CLUSTERS, SUMS };
_Static_assert((int)SUMS == (int)ISING_BLOCK_SUMS, "what the caller makes room for");

struct weighting {
    const struct ising_series *series;
    double middle;      // of energy
    double beta, shift; // β', β' − β
    double zero;        // the energy of weight 1, than which none is greater
};

static struct weighting weigh(const struct ising_series *s, double beta)
{
    struct weighting w = {.series = s, .beta = beta, .shift = beta - s->beta, .zero = s->energy[0]};
    double sum = 0;
    for (size_t k = 0; k < s->times * s->replicas; k++) {
        sum += s->energy[k];
        if (w.shift * (s->energy[k] - w.zero) < 0)
            w.zero = s->energy[k];
    }
    w.middle = sum / (double)(s->times * s->replicas);
    return w;
}

static void add_measurement(const struct weighting *w, size_t k, double sums[SUMS])
{
    const struct ising_series *s = w->series;
    const double e = s->energy[k] - w->middle, m = s->magnetisation[k];
    const double weight = w->shift != 0 ? exp(-w->shift * s->sites * (s->energy[k] - w->zero)) : 1;
    sums[SUM_WEIGHT] += weight;
    sums[SUM_WEIGHT2] += weight * weight;
    sums[SUM_E] += weight * e;
    sums[SUM_E2] += weight * e * e;
    sums[SUM_M] += weight * m;
    sums[SUM_ABS] += weight * fabs(m);
    sums[SUM_M2] += weight * m * m;
    sums[SUM_M4] += weight * m * m * m * m;
    sums[SUM_CLUSTERS] += s->clusters ? weight * s->clusters[k] : 0;
}

// Of every block, [count][SUMS].
static void add_blocks(const struct weighting *w, const struct ising_blocks *blocks, double *sums)
{
    const size_t replicas = w->series->replicas, times = w->series->times, length = blocks->length;
    memset(sums, 0, blocks->count * SUMS * sizeof *sums);
    if (blocks->are_of_replicas) {
        const size_t first = replicas - blocks->count * length;
        for (size_t time = 0; time < times; time++)
            for (size_t r = first; r < replicas; r++)
                add_measurement(w, time * replicas + r, sums + (r - first) / length * SUMS);
    } else {
        const size_t first = times - blocks->count * length;
        for (size_t time = first; time < times; time++)
            for (size_t r = 0; r < replicas; r++)
                add_measurement(w, time * replicas + r, sums + (time - first) / length * SUMS);
    }
}

static void derive(const struct weighting *w, const double sums[SUMS], double values[ISING_QUANTITIES])
{
    const double sites = w->series->sites, all = sums[SUM_WEIGHT];
    const double e = sums[SUM_E] / all, absolute = sums[SUM_ABS] / all, square = sums[SUM_M2] / all;
    values[ISING_ENERGY] = w->middle + e;
    values[ISING_SPECIFIC_HEAT] = w->beta * w->beta * sites * (sums[SUM_E2] / all - e * e);
    values[ISING_MAGNETISATION] = sums[SUM_M] / all;
    values[ISING_ABSOLUTE] = absolute;
    values[ISING_SQUARE] = square;
    values[ISING_SUSCEPTIBILITY] = w->beta * sites * (square - absolute * absolute);
    values[ISING_BINDER] = square > 0 ? 1 - sums[SUM_M4] / all / (3 * square * square) : 0;
    values[ISING_CLUSTER] = sums[SUM_CLUSTERS] / all;
}

struct ising_blocks ising_choose_blocks(const struct ising_series *s, double least_length, size_t most)
{
    const size_t least_count = ISING_BLOCKS_LEAST < most ? ISING_BLOCKS_LEAST : most;
    size_t count = (size_t)((double)s->times / (least_length > 1 ? ceil(least_length) : 1));
    count = count < least_count ? least_count : count < most ? count : most;
    if (s->replicas > 1 && s->replicas >= count) {
        const size_t length = (s->replicas + most - 1) / most;
        return (struct ising_blocks){s->replicas / length, length, true};
    }
    if (count > s->times)
        count = s->times;
    return (struct ising_blocks){count, s->times / count, false};
}

// Returns the effective share of the measurements.
static double estimate_by_blocks(const struct weighting *w, const struct ising_blocks *blocks,
                                 struct ising_estimate estimates[ISING_QUANTITIES], double *scratch)
{
    const size_t others = blocks->are_of_replicas ? w->series->times : w->series->replicas;
    double all[SUMS] = {0}, rest[SUMS], values[ISING_QUANTITIES], without[ISING_QUANTITIES];
    struct jackknife jackknives[ISING_QUANTITIES];
    add_blocks(w, blocks, scratch);
    for (size_t b = 0; b < blocks->count; b++)
        for (int q = 0; q < SUMS; q++)
            all[q] += scratch[b * SUMS + (size_t)q];
    derive(w, all, values);
    for (int q = 0; q < ISING_QUANTITIES; q++)
        jackknives[q] = (struct jackknife){.value = values[q]};
    for (size_t b = 0; b < blocks->count; b++) {
        for (int q = 0; q < SUMS; q++)
            rest[q] = all[q] - scratch[b * SUMS + (size_t)q];
        derive(w, rest, without);
        for (int q = 0; q < ISING_QUANTITIES; q++)
            jackknife_add(&jackknives[q], 1 / (double)blocks->count, without[q]);
    }
    for (int q = 0; q < ISING_QUANTITIES; q++)
        estimates[q] = jackknife_estimate(&jackknives[q]);
    return all[SUM_WEIGHT] * all[SUM_WEIGHT] /
           ((double)(blocks->count * blocks->length * others) * all[SUM_WEIGHT2]);
}

void ising_estimate(const struct ising_series *s, const struct ising_blocks *blocks,
                    struct ising_estimate estimates[ISING_QUANTITIES], double *scratch)
{
    ising_reweight(s, blocks, s->beta, estimates, scratch);
}

double ising_reweight(const struct ising_series *s, const struct ising_blocks *blocks, double beta,
                      struct ising_estimate estimates[ISING_QUANTITIES], double *scratch)
{
    const struct weighting weighting = weigh(s, beta);
    return estimate_by_blocks(&weighting, blocks, estimates, scratch);
}
