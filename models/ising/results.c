// The measurements of a temperature, and their statistics when all are present (results.h). The streams'
// descriptions: results_streams.c.
#include "models/ising/results_private.h"

#include "core/log.h"
#include "models/arrays.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Length in τ of a series whose fluctuations hardly ever mislead the search for the end of thermalisation:
// they do in 3 % of the series of this length.
static const double least_judged = 30;

// Effective independent measurements that a reweighted mean value must be of.
static const double least_effective = 20;

// ---- the plan

// R: distributions.nc has the densities of E/N in −R … R, and of M/N in −1 … 1.
static double energy_range(const struct ising_params *p)
{
    return 2 * fabs(p->physics.coupling) + fabs(p->physics.field);
}

size_t ising_results_lags(const struct ising_params *p)
{
    const size_t measurements = ising_measurements(p);
    return p->analysis.lags < measurements ? p->analysis.lags : measurements;
}

static size_t replicas_of(const struct ising_params *p)
{
    return (size_t)p->physics.lattice.replicas;
}

static double **axis_values(struct stream *stream, int axis)
{
    return (double **)&stream->axes[axis].values;
}

enum status ising_results_plan(struct ising_results *r, struct memory_plan *memory)
{
    const struct ising_params *p = r->params;
    const size_t measurements = ising_measurements(p), replicas = replicas_of(p);
    const size_t lags = ising_results_lags(p), bins = p->analysis.bins;
    const size_t scratch = ising_scratch_count(measurements, replicas, lags);
    const size_t block_sums = p->analysis.blocks * ISING_BLOCK_SUMS;
    const struct array_row arrays[] = {
        {ELEMENT_F64, measurements, replicas, &r->energy, "measured energies"},
        {ELEMENT_F64, measurements, replicas, &r->magnetisation, "measured magnetisations"},
        {ELEMENT_F64, ising_has_clusters(p->physics.method) ? measurements : 0, replicas, &r->clusters,
         "measured cluster sizes"},
        {ELEMENT_F64, p->temperatures, ISING_RESULT_VALUES, &r->table, "results"},
        {ELEMENT_F64, 1, scratch > block_sums ? scratch : block_sums, &r->scratch, "scratch analysis"},
        {ELEMENT_F64, 2, lags, &r->rho, "autocorrelations"},
        {ELEMENT_F64, 1, bins, axis_values(&r->distributions, ISING_AXIS_ENERGY), "energy bins"},
        {ELEMENT_F64, 1, bins, axis_values(&r->distributions, ISING_AXIS_MAGNETISATION),
         "magnetisation bins"},
        {ELEMENT_F64, 1, lags, axis_values(&r->distributions, ISING_AXIS_LAG), "lags"},
        {ELEMENT_F64, 1, p->analysis.reweighting_points, axis_values(&r->reweighted, ISING_AXIS_POINT),
         "reweighting points"},
    };
    ising_results_describe(r);
    return ARRAYS_PLAN(memory, "", arrays);
}

static void fill_middles(double *values, size_t count, double range)
{
    for (size_t k = 0; k < count; k++)
        values[k] = range * ((2 * (double)k + 1) / (double)count - 1);
}

void ising_results_start(struct ising_results *r)
{
    const struct ising_params *p = r->params;
    const size_t points = p->analysis.reweighting_points, lags = ising_results_lags(p);
    r->progress = (struct ising_progress){
        .verdict = {.first_unreliable = -1, .first_beta = NAN, .last_beta = NAN, .least_times = INFINITY}};
    fill_middles(*axis_values(&r->distributions, ISING_AXIS_ENERGY), p->analysis.bins, energy_range(p));
    fill_middles(*axis_values(&r->distributions, ISING_AXIS_MAGNETISATION), p->analysis.bins, 1);
    double *lag = *axis_values(&r->distributions, ISING_AXIS_LAG);
    for (size_t k = 0; k < lags; k++)
        lag[k] = (double)k * (double)p->sweeps.every;
    double *ratio = *axis_values(&r->reweighted, ISING_AXIS_POINT);
    for (size_t k = 0; k < points; k++)
        ratio[k] =
            points > 1 ? 1 + p->analysis.reweighting_width * (2 * (double)k / (double)(points - 1) - 1) : 1;
}

int ising_results_checkpoint_arrays(struct ising_results *r, struct checkpoint_array *arrays)
{
    const struct ising_params *p = r->params;
    const size_t bytes = ising_measurements(p) * replicas_of(p) * sizeof(double);
    int count = 0;
    arrays[count++] = (struct checkpoint_array){"measurements so far", &r->progress, sizeof r->progress};
    arrays[count++] = (struct checkpoint_array){"measured energies", r->energy, bytes};
    arrays[count++] = (struct checkpoint_array){"measured magnetisations", r->magnetisation, bytes};
    if (ising_has_clusters(p->physics.method)) // and not by the pointer, which is set after the plan
        arrays[count++] = (struct checkpoint_array){"measured cluster sizes", r->clusters, bytes};
    arrays[count++] = (struct checkpoint_array){"results so far", r->table,
                                                p->temperatures * ISING_RESULT_VALUES * sizeof *r->table};
    return count;
}

// ---- measurements

void ising_results_add(struct ising_results *r, const double *energy, const double *magnetisation,
                       const double *clusters)
{
    const size_t replicas = replicas_of(r->params), at = (size_t)r->progress.measured++ * replicas;
    memcpy(r->energy + at, energy, replicas * sizeof *energy);
    memcpy(r->magnetisation + at, magnetisation, replicas * sizeof *magnetisation);
    if (r->clusters)
        memcpy(r->clusters + at, clusters, replicas * sizeof *clusters);
}

void ising_results_next(struct ising_results *r)
{
    r->progress.measured = 0;
}

// The measurements that are not dropped.
static struct ising_series series_of(const struct ising_results *r, uint32_t temperature)
{
    const struct ising_params *p = r->params;
    const size_t replicas = replicas_of(p), begin = r->first * replicas;
    return (struct ising_series){.times = (size_t)r->progress.measured - r->first,
                                 .replicas = replicas,
                                 .energy = r->energy + begin,
                                 .magnetisation = r->magnetisation + begin,
                                 .clusters = r->clusters ? r->clusters + begin : NULL,
                                 .beta = p->betas[temperature],
                                 .sites = (double)ising_sites(&p->physics.lattice)};
}

// ---- statistics

struct findings {
    struct ising_autocorrelation energy, absolute;
    struct ising_thermalisation thermalisation;
    double slowest; // τ
    double length;  // of the series in τ
    double times;   // measurements of all replicas in τ
};

static struct ising_series correlate(struct ising_results *r, uint32_t temperature, struct findings *found)
{
    const size_t lags = ising_results_lags(r->params);
    const struct ising_series series = series_of(r, temperature);
    found->energy = ising_autocorrelate(&series, ISING_OF_ENERGY, lags, r->rho, r->scratch);
    found->absolute =
        ising_autocorrelate(&series, ISING_OF_ABSOLUTE_MAGNETISATION, lags, r->rho + lags, r->scratch);
    found->slowest = fmax(found->energy.time, found->absolute.time);
    found->length = (double)series.times / found->slowest;
    found->times = found->length * (double)series.replicas;
    return series;
}

// The first measurement that counts, and the τ of the series after it. A stated thermalisation is used as it
// is; whether it was long enough is tested on the rest.
static struct ising_series begin(struct ising_results *r, uint32_t temperature, struct findings *found)
{
    const struct ising_sweeps *sweeps = &r->params->sweeps;
    const bool is_stated = sweeps->thermalisation >= 0;
    const size_t half = (size_t)r->progress.measured / 2;
    r->first = is_stated ? (size_t)(sweeps->thermalisation / sweeps->every) : 0;
    struct ising_series series = series_of(r, temperature);
    found->thermalisation = ising_find_thermalisation(&series);
    if (!is_stated)
        r->first = found->thermalisation.measurements;
    series = correlate(r, temperature, found);
    const double least = ceil(ISING_THERMALISATION_TIMES * found->slowest);
    if (is_stated || (double)r->first >= fmin(least, (double)half))
        return series;
    r->first = least < (double)half ? (size_t)least : half;
    return correlate(r, temperature, found);
}

// Such a series has no window.
static bool is_constant(const struct ising_autocorrelation *found)
{
    return found->is_closed && found->window == 0;
}

// Why the results are not reliable; NULL: they are.
static const char *find_fault(const struct ising_results *r, const struct findings *found)
{
    if (is_constant(&found->energy) || is_constant(&found->absolute))
        return "energy or magnetisation never changes, and an error cannot be estimated";
    if (found->times < ISING_RELIABLE_TIMES)
        return "there are fewer measurements than 10 autocorrelation times";
    if (!found->thermalisation.is_reached &&
        (r->params->sweeps.thermalisation < 0 || found->length >= least_judged))
        return "energy or magnetisation have not reached equilibrium in half of the measurements";
    if (r->blocks.are_of_replicas)
        return found->length < least_judged && (double)r->first < ISING_FORGETTING_TIMES * found->slowest
                   ? "the start may still show: fewer sweeps than 5 autocorrelation times were dropped"
                   : NULL;
    if (!found->energy.is_closed || !found->absolute.is_closed)
        return "there are too few measurements to find the autocorrelation time";
    if ((double)r->blocks.length < found->slowest)
        return "the blocks of the jackknife are shorter than the autocorrelation time";
    return NULL;
}

static void judge(struct ising_results *r, uint32_t temperature, const struct findings *found,
                  const char *fault)
{
    struct ising_verdict *verdict = &r->progress.verdict;
    const double beta = r->params->betas[temperature];
    const bool is_known = found->energy.is_closed && found->absolute.is_closed;
    verdict->temperatures++;
    verdict->least_times = fmin(verdict->least_times, found->times);
    if (!fault)
        return;
    if (verdict->unreliable++ == 0) {
        verdict->first_unreliable = temperature;
        verdict->first_beta = beta;
        log_warning(
            "the results at beta = %.10g are not reliable: %s (autocorrelation time: %s %.3g sweeps; "
            "measured: %lld sweeps); a larger sweeps.count helps; is_reliable in results.nc marks the others",
            beta, fault, is_known ? "about" : "at least", found->slowest * (double)r->params->sweeps.every,
            (long long)r->progress.measured * (long long)r->params->sweeps.every);
    }
    verdict->last_beta = beta;
}

static void put(double *record, enum ising_column column, double value, double error)
{
    record[ISING_VALUE_ESTIMATES + 2 * column] = value;
    record[ISING_VALUE_ESTIMATES + 2 * column + 1] = error;
}

static void put_estimates(const struct ising_results *r, const struct ising_series *series,
                          const struct findings *found, double *record)
{
    static const struct {
        enum ising_column column;
        enum ising_quantity quantity;
        double factor;
    } simple[] = {
        {ISING_COLUMN_ENERGY, ISING_ENERGY, 1},
        {ISING_COLUMN_ENERGY_PER_BOND, ISING_ENERGY, 0.5},
        {ISING_COLUMN_SPECIFIC_HEAT, ISING_SPECIFIC_HEAT, 1},
        {ISING_COLUMN_MAGNETISATION, ISING_MAGNETISATION, 1},
        {ISING_COLUMN_ABSOLUTE, ISING_ABSOLUTE, 1},
        {ISING_COLUMN_SQUARE, ISING_SQUARE, 1},
        {ISING_COLUMN_SUSCEPTIBILITY, ISING_SUSCEPTIBILITY, 1},
        {ISING_COLUMN_BINDER, ISING_BINDER, 1},
        {ISING_COLUMN_CLUSTER_SIZE, ISING_CLUSTER, 1},
    };
    const double every = (double)r->params->sweeps.every;
    struct ising_estimate estimates[ISING_QUANTITIES];
    ising_estimate(series, &r->blocks, estimates, r->scratch);
    for (size_t k = 0; k < sizeof simple / sizeof *simple; k++) {
        const struct ising_estimate *estimate = &estimates[simple[k].quantity];
        put(record, simple[k].column, simple[k].factor * estimate->value, simple[k].factor * estimate->error);
    }
    if (!series->clusters)
        put(record, ISING_COLUMN_CLUSTER_SIZE, NAN, NAN);
    put(record, ISING_COLUMN_TAU_ENERGY, every * found->energy.time, every * found->energy.error);
    put(record, ISING_COLUMN_TAU_ABSOLUTE, every * found->absolute.time, every * found->absolute.error);
}

void ising_results_record(struct ising_results *r, uint32_t temperature, double *record)
{
    const struct ising_params *p = r->params;
    struct findings found;
    const struct ising_series series = begin(r, temperature, &found);
    r->blocks = ising_choose_blocks(&series, p->analysis.block_times * found.slowest, p->analysis.blocks);
    const char *fault = find_fault(r, &found);
    record[ISING_VALUE_BETA] = series.beta;
    put_estimates(r, &series, &found, record);
    record[ISING_VALUE_THERMALISATION] = (double)r->first * (double)p->sweeps.every;
    record[ISING_VALUE_MEASUREMENTS] = (double)series.times;
    record[ISING_VALUE_INDEPENDENT] = found.times / 2;
    record[ISING_VALUE_BLOCKS] = (double)r->blocks.count;
    record[ISING_VALUE_BLOCK_LENGTH] =
        r->blocks.are_of_replicas ? (double)series.times : (double)r->blocks.length;
    record[ISING_VALUE_IS_RELIABLE] = fault == NULL;
    memcpy(r->table + (size_t)temperature * ISING_RESULT_VALUES, record,
           ISING_RESULT_VALUES * sizeof *record);
    judge(r, temperature, &found, fault);
}

// ---- distributions

static void count_values(const double *values, size_t count, double range, double *density, size_t bins)
{
    const double width = 2 * range / (double)bins;
    memset(density, 0, bins * sizeof *density);
    for (size_t k = 0; k < count; k++) {
        const double place = (values[k] + range) / width;
        const size_t bin = place > 0 ? (size_t)place : 0;
        density[bin < bins ? bin : bins - 1]++;
    }
    for (size_t bin = 0; bin < bins; bin++)
        density[bin] /= (double)count * width;
}

void ising_results_distributions(struct ising_results *r, uint32_t temperature, double *record)
{
    const struct ising_params *p = r->params;
    const struct ising_series series = series_of(r, temperature);
    const size_t count = series.times * series.replicas, bins = p->analysis.bins;
    *record++ = series.beta;
    count_values(series.energy, count, energy_range(p), record, bins);
    count_values(series.magnetisation, count, 1, record + bins, bins);
    memcpy(record + 2 * bins, r->rho, 2 * ising_results_lags(p) * sizeof *r->rho);
}

// ---- reweighting

void ising_results_reweighted(struct ising_results *r, uint32_t temperature, double *record)
{
    const struct ising_params *p = r->params;
    const struct ising_series series = series_of(r, temperature);
    const size_t points = p->analysis.reweighting_points;
    const double independent = r->table[(size_t)temperature * ISING_RESULT_VALUES + ISING_VALUE_INDEPENDENT];
    double *betas = record + 1, *shares = betas + points, *curves = shares + points;
    *record = series.beta;
    for (size_t k = 0; k < points; k++) {
        struct ising_estimate estimates[ISING_QUANTITIES];
        betas[k] = series.beta * r->reweighted.axes[ISING_AXIS_POINT].values[k];
        shares[k] = ising_reweight(&series, &r->blocks, betas[k], estimates, r->scratch);
        const bool is_sound = shares[k] * independent >= least_effective;
        for (int q = 0; q < ISING_REWEIGHTED; q++) {
            const struct ising_estimate *estimate = &estimates[ising_reweighted[q]];
            curves[(size_t)(2 * q) * points + k] = is_sound ? estimate->value : NAN;
            curves[(size_t)(2 * q + 1) * points + k] = is_sound ? estimate->error : NAN;
        }
    }
}
