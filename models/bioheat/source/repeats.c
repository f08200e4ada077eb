// Steps that repeat: pulses come in regular trains, so that blocks of steps are alike, in the power that they
// have and in the heat that they miss. A plan of 10⁸ pulses looks at some of its blocks only.
#include "models/bioheat/source/private.h"

#include <math.h>
#include <stdlib.h>

// Fewer steps than `worth` are not left out. Where up to MULTIPLES of a period have no whole number of steps,
// or another protocol's period does not fit in, the pulses lie at all places in a step: a block of so many
// steps and periods has most of these places.
enum { MULTIPLES = 64, SAMPLED_STEPS = 4096, SAMPLED_PERIODS = 64 };
static const double worth = 65536, exact = 1e-12, sampled_share = 1.0 / 16;

static bool is_whole(double ratio)
{
    return ratio >= 0.5 && fabs(ratio - nearbyint(ratio)) <= exact * fmax(1, ratio);
}

// How many steps the shortest block of whole periods takes, if that is a whole number; 0: no block does.
static double exact_steps(double period_s, double step_s)
{
    for (int m = 1; m <= MULTIPLES; m++) {
        if (is_whole(m * period_s / step_s))
            return nearbyint(m * period_s / step_s);
        if (is_whole(m * step_s / period_s))
            return m;
    }
    return 0;
}

static void add_block(struct source_repeats *repeats, double period_s, double steps, bool is_exact)
{
    if (steps > 0 && repeats->count < SOURCE_PERIODS_MAX)
        repeats->periods[repeats->count++] = (struct source_period){period_s, steps, is_exact};
}

static int longer_first(const void *a, const void *b)
{
    const struct source_period *p = a, *q = b;
    if (p->period_s == q->period_s)
        return q->is_exact - p->is_exact;
    return p->period_s < q->period_s ? 1 : -1;
}

void source_repeats_find(const struct bioheat_heating *heating, double step_s, struct source_repeats *repeats)
{
    *repeats = (struct source_repeats){.step_s = step_s};
    for (size_t k = 0; k < heating->time_count; k++) {
        const struct source_time *time = &heating->times[k];
        if (!time->is_used || time->kind != SOURCE_PULSES)
            continue;
        for (int level = 0; level < time->protocol.level_count; level++) {
            const double period_s = time->protocol.levels[level].period_s;
            if (time->protocol.levels[level].count < 3)
                continue;
            add_block(repeats, period_s, exact_steps(period_s, step_s), true);
            add_block(repeats, period_s, fmax(SAMPLED_STEPS, ceil(SAMPLED_PERIODS * period_s / step_s)),
                      false);
        }
    }
    qsort(repeats->periods, repeats->count, sizeof *repeats->periods, longer_first);
}

// The time until which each period of the block's length is like the first, or the protocol rests.
static double protocol_regular_until(const struct protocol *p, const struct source_period *block,
                                     double step_s, double time_s)
{
    const double block_s = block->steps * step_s;
    double until_s = protocol_linear_until(p, time_s);
    for (int level = 0; level < p->level_count; level++) {
        const double period_s = p->levels[level].period_s;
        const bool is_regular =
            block->is_exact ? is_whole(block_s / period_s) : period_s <= sampled_share * block_s;
        if (p->levels[level].count > 1 && is_regular)
            until_s = fmax(until_s, protocol_repeats_until(p, level, time_s));
    }
    return until_s;
}

static double regular_until(const struct bioheat_heating *heating, const struct source_period *block,
                            double step_s, double time_s)
{
    double until_s = INFINITY;
    for (size_t k = 0; k < heating->time_count && until_s > time_s; k++) {
        const struct source_time *time = &heating->times[k];
        if (time->is_used && time->kind == SOURCE_PULSES)
            until_s = fmin(until_s, protocol_regular_until(&time->protocol, block, step_s, time_s));
        else if (time->is_used && time->kind == SOURCE_TABLE)
            until_s = fmin(until_s, source_axis_linear_until(&time->axis, time_s));
    }
    if (heating->points.places > 0)
        until_s = fmin(until_s, source_axis_linear_until(&heating->points.axis, time_s));
    if (heating->boxes.places > 0)
        until_s = fmin(until_s, source_axis_linear_until(&heating->boxes.axis, time_s));
    return until_s;
}

bool source_repeats_at(const struct bioheat_heating *heating, const struct source_repeats *repeats,
                       size_t first, int64_t step, int64_t end, struct source_repeat *found)
{
    const double time_s = (double)step * repeats->step_s;
    for (size_t k = first; k < repeats->count; k++) {
        const struct source_period *block = &repeats->periods[k];
        const double most = (double)(end - step) / block->steps;
        if (most * block->steps < worth || most < 3)
            continue;
        // With a margin for rounding.
        const double regular =
                         (regular_until(heating, block, repeats->step_s, time_s) - time_s) / repeats->step_s -
                         3,
                     times = floor(fmin(most, regular / block->steps));
        if (times < 3 || (times - 2) * block->steps < worth)
            continue;
        *found =
            (struct source_repeat){.next = k + 1, .steps = (int64_t)block->steps, .times = (int64_t)times};
        return true;
    }
    return false;
}
