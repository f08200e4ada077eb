// How the clusters of a gas grow, and which times of a run are shown.
#include "report/gas/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_growth = 3; // of the largest cluster: less is no condensation

enum status report_gas_read_growth(const struct result_file *structure, struct gas_growth *growth)
{
    const struct result_variable *largest = result_find(structure, "largest_cluster"),
                                 *mean = result_find(structure, "mean_cluster");
    size_t lengths[2];
    if (!result_find(structure, "time") || !largest || largest->rank != 1 || !mean || mean->rank != 1)
        return STATUS_OK;
    CHECK(result_read_all(structure, "time", &growth->times, &growth->count));
    CHECK(result_read_all(structure, "largest_cluster", &growth->largest, &lengths[0]));
    CHECK(result_read_all(structure, "mean_cluster", &growth->mean, &lengths[1]));
    return lengths[0] == growth->count && lengths[1] == growth->count
               ? STATUS_OK
               : FAIL(STATUS_DATA, "%s: variables over time differ in length", result_path(structure));
}

void report_gas_free_growth(struct gas_growth *growth)
{
    free(growth->times);
    free(growth->largest);
    free(growth->mean);
    *growth = (struct gas_growth){0};
}

// At all times: this is a liquid, and the size of its clusters is of no interest.
bool report_gas_is_one_cluster(const struct gas_growth *growth, double particles)
{
    bool is_one = growth->count > 0;
    for (size_t k = 0; k < growth->count; k++)
        is_one = is_one && growth->mean[k] > 0.9 * particles;
    return is_one;
}

static size_t nearest(const double *times, size_t count, double time)
{
    size_t best = 0;
    for (size_t k = 1; k < count; k++)
        if (fabs(times[k] - time) < fabs(times[best] - time))
            best = k;
    return best;
}

double report_gas_largest_at(const struct gas_growth *growth, double time)
{
    return growth->count > 0 ? growth->largest[nearest(growth->times, growth->count, time)] : NAN;
}

// A start without clusters is a lattice: the growth begins with the next record.
static size_t growth_begin(const struct gas_growth *growth)
{
    return growth->count > GAS_STAGES && growth->largest[1] > least_growth * growth->largest[0] ? 1 : 0;
}

static size_t first_not_before(const double *times, size_t count, double time)
{
    size_t k = 0;
    while (k + 1 < count && times[k] < time)
        k++;
    return k;
}

size_t report_gas_choose_stages(const double *times, size_t frames, const struct gas_growth *growth,
                                size_t stages[GAS_STAGES])
{
    const size_t count = frames < GAS_STAGES ? frames : GAS_STAGES, last = count - 1;
    for (size_t k = 0; k < count; k++)
        stages[k] = count > 1 ? k * (frames - 1) / last : 0;
    if (count < GAS_STAGES || !times || growth->count < 2)
        return count;
    const size_t begin = growth_begin(growth);
    const double factor = growth->largest[growth->count - 1] / growth->largest[begin];
    if (!(factor >= least_growth))
        return count;
    size_t chosen[GAS_STAGES] = {first_not_before(times, frames, growth->times[begin]),
                                 [GAS_STAGES - 1] = frames - 1};
    for (size_t k = 1; k < last; k++) {
        const double wanted = growth->largest[begin] * pow(factor, (double)k / (double)last);
        size_t r = begin;
        while (r + 1 < growth->count && growth->largest[r] < wanted)
            r++;
        chosen[k] = nearest(times, frames, growth->times[r]);
        if (chosen[k] <= chosen[k - 1] || chosen[k] >= frames - last + k)
            return count; // too few frames where they grow: evenly spread
    }
    memcpy(stages, chosen, sizeof chosen);
    return count;
}
