// What results.nc, distributions.nc and reweighted.nc are made of.
#include "models/ising/results_private.h"
#include "models/stream_rows.h"

#include <string.h>

// ---- results

#define ESTIMATE(column, text, about)                                                                        \
    [column] = {{.name = text, .long_name = about},                                                          \
                {.name = text "_error", .long_name = "standard error of " text}}

static const struct {
    struct {
        const char *name, *long_name;
    } value, error;
} estimates[ISING_COLUMNS] = {
    ESTIMATE(ISING_COLUMN_ENERGY, "energy", "energy per site, E/N"),
    ESTIMATE(ISING_COLUMN_ENERGY_PER_BOND, "energy_per_bond", "energy per bond, E/2N"),
    ESTIMATE(ISING_COLUMN_SPECIFIC_HEAT, "specific_heat", "specific heat per site, beta^2 (<E^2> - <E>^2)/N"),
    ESTIMATE(ISING_COLUMN_MAGNETISATION, "magnetisation", "magnetisation per site, M/N"),
    ESTIMATE(ISING_COLUMN_ABSOLUTE, "absolute_magnetisation", "absolute magnetisation per site, |M|/N"),
    ESTIMATE(ISING_COLUMN_SQUARE, "magnetisation_squared", "square of the magnetisation per site, (M/N)^2"),
    ESTIMATE(ISING_COLUMN_SUSCEPTIBILITY, "susceptibility",
             "susceptibility per site, beta (<M^2> - <|M|>^2)/N"),
    ESTIMATE(ISING_COLUMN_BINDER, "binder_cumulant", "Binder's cumulant, 1 - <M^4>/(3 <M^2>^2)"),
    ESTIMATE(ISING_COLUMN_CLUSTER_SIZE, "cluster_size",
             "mean size in sites of the cluster of a random site: N <m^2> by the clusters of the method"),
    ESTIMATE(ISING_COLUMN_TAU_ENERGY, "tau_energy",
             "integrated autocorrelation time of the energy in sweeps"),
    ESTIMATE(ISING_COLUMN_TAU_ABSOLUTE, "tau_absolute_magnetisation",
             "integrated autocorrelation time of the absolute magnetisation in sweeps"),
};

static const struct stream_variable beta_variable = STREAM_NUMBER("beta", "inverse temperature");

static void describe_results(struct stream *stream, const struct ising_params *p)
{
    static const struct stream_variable rest[] = {
        STREAM_NUMBER("thermalisation", "sweeps dropped at the temperature's begin"),
        STREAM_NUMBER("measurements", "measurements of a replica after them"),
        STREAM_NUMBER("independent_measurements",
                      "independent measurements of all replicas: their number over twice the longer tau"),
        STREAM_NUMBER("blocks", "blocks of the jackknife"),
        STREAM_NUMBER("block_length", "measurements of a replica in a block",
                      .comment = "equal to `measurements` where a block is of whole replicas; else a block "
                                 "is of so many measurements of all replicas"),
        STREAM_NUMBER("is_reliable",
                      "1: errors may be trusted; 0: too few measurements for the autocorrelation time"),
    };
    *stream = (struct stream){
        .name = "results",
        .title = "mean values at each temperature, with their errors",
        .comment = "reduced units, k_B = 1. Values are free of bias to the first order and errors are "
                   "standard errors, both by the jackknife over blocks of measurements",
        .has_records = true,
        .element = ELEMENT_F64,
        .records_per_frame = 1,
        .expected_records = p->temperatures,
        .variable_count = ISING_RESULT_VALUES,
    };
    struct stream_variable *v = stream->variables;
    *v++ = beta_variable;
    for (int c = 0; c < ISING_COLUMNS; c++) {
        *v++ = (struct stream_variable)STREAM_NUMBER(estimates[c].value.name, estimates[c].value.long_name,
                                                     .has_missing = true);
        *v++ = (struct stream_variable)STREAM_NUMBER(estimates[c].error.name, estimates[c].error.long_name,
                                                     .has_missing = true);
    }
    memcpy(v, rest, sizeof rest);
}

// ---- distributions

static void describe_distributions(struct stream *stream, const struct ising_params *p)
{
    const struct stream_variable variables[] = {
        beta_variable,
        STREAM_LINE("energy_density",
                    "density of the energy per site: share of the measurements over the bin's width",
                    ISING_AXIS_ENERGY),
        STREAM_LINE("magnetisation_density",
                    "density of the magnetisation per site: share of the measurements over the bin's width",
                    ISING_AXIS_MAGNETISATION),
        STREAM_LINE("energy_autocorrelation", "normalised autocorrelation of the energy", ISING_AXIS_LAG,
                    .has_missing = true),
        STREAM_LINE("absolute_magnetisation_autocorrelation",
                    "normalised autocorrelation of the absolute magnetisation", ISING_AXIS_LAG,
                    .has_missing = true),
    };
    *stream = (struct stream){
        .name = "distributions",
        .title = "distributions and autocorrelation functions at each temperature",
        .comment = "of the measurements after the thermalisation",
        .has_records = true,
        .element = ELEMENT_F64,
        .records_per_frame = 1,
        .expected_records = p->temperatures,
        .axis_count = 3,
        .axes = {[ISING_AXIS_ENERGY] =
                     STREAM_AXIS("energy", "energy per site, middle of the bin", p->analysis.bins),
                 [ISING_AXIS_MAGNETISATION] = STREAM_AXIS(
                     "magnetisation", "magnetisation per site, middle of the bin", p->analysis.bins),
                 [ISING_AXIS_LAG] =
                     STREAM_AXIS("lag", "sweeps between two measurements", ising_results_lags(p))},
    };
    STREAM_SET_VARIABLES(stream, variables);
}

// ---- reweighted

const enum ising_quantity ising_reweighted[ISING_REWEIGHTED] = {
    ISING_ENERGY, ISING_SPECIFIC_HEAT, ISING_ABSOLUTE, ISING_SUSCEPTIBILITY, ISING_BINDER};

static void describe_reweighted(struct stream *stream, const struct ising_params *p)
{
    static const enum ising_column columns[ISING_REWEIGHTED] = {
        ISING_COLUMN_ENERGY, ISING_COLUMN_SPECIFIC_HEAT, ISING_COLUMN_ABSOLUTE, ISING_COLUMN_SUSCEPTIBILITY,
        ISING_COLUMN_BINDER};
    *stream = (struct stream){
        .name = "reweighted",
        .title = "mean values at temperatures near each of the run's, by single-histogram reweighting",
        .comment = "Ferrenberg and Swendsen 1988, doi:10.1103/PhysRevLett.61.2635; missing where the "
                   "effective share of the measurements is too small for the mean values to be trusted",
        .has_records = true,
        .element = ELEMENT_F64,
        .records_per_frame = 1,
        .expected_records = p->temperatures,
        .axis_count = 1,
        .axes = {[ISING_AXIS_POINT] =
                     STREAM_AXIS("beta_ratio", "inverse temperature over the one that was simulated",
                                 p->analysis.reweighting_points)},
        .variable_count = 3 + 2 * ISING_REWEIGHTED,
    };
    struct stream_variable *v = stream->variables;
    *v++ = (struct stream_variable)STREAM_NUMBER("beta", "inverse temperature that was simulated");
    *v++ = (struct stream_variable)STREAM_LINE("beta_reweighted", "inverse temperature of the mean values",
                                               ISING_AXIS_POINT);
    *v++ = (struct stream_variable)STREAM_LINE(
        "effective_share", "effective share of the measurements, (sum w)^2/(n sum w^2)", ISING_AXIS_POINT);
    for (int q = 0; q < ISING_REWEIGHTED; q++) {
        const enum ising_column c = columns[q];
        *v++ = (struct stream_variable)STREAM_LINE(estimates[c].value.name, estimates[c].value.long_name,
                                                   ISING_AXIS_POINT, .has_missing = true);
        *v++ = (struct stream_variable)STREAM_LINE(estimates[c].error.name, estimates[c].error.long_name,
                                                   ISING_AXIS_POINT, .has_missing = true);
    }
}

void ising_results_describe(struct ising_results *r)
{
    describe_results(&r->results, r->params);
    describe_distributions(&r->distributions, r->params);
    describe_reweighted(&r->reweighted, r->params);
}
