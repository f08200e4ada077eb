// Distributions of a job's key, for samples (sample.h). Independent of how they are sampled.
//   { "normal": { "mean": 8.8, "sigma": 0.2, "from": 8.4, "to": 9.2 } }        bounds optional: truncated
//   { "lognormal": { "median": "30 km", "sigma": 0.3, "from": ..., "to": ... } }   sigma of the natural log
//   { "uniform": { "from": "-5 degree", "to": "5 degree" } }
//   { "integer": { "from": 1, "to": 1000000 } }                                 whole numbers, both included
//   { "choice": { "values": [...], "probabilities": [...] } }                   without them: equal ones
// each with "cells": N for a grid (not of a choice, whose values are its cells). Quantities are in one unit.
#ifndef FATHOM_BATCH_DISTRIBUTION_H
#define FATHOM_BATCH_DISTRIBUTION_H

#include "batch/value.h"

// Values are rounded to so many significant digits: 8.812346; 1e-4 of a degree for a longitude of 287. They
// have the same digits on every machine (core/reproducible.h).
enum { BATCH_DISTRIBUTION_DIGITS = 7, BATCH_CELLS_MAX = 100000, BATCH_CHOICES_MAX = 1000 };

enum batch_distribution_kind {
    BATCH_NORMAL,
    BATCH_LOGNORMAL,
    BATCH_UNIFORM,
    BATCH_INTEGER,
    BATCH_CHOICE,
    BATCH_DISTRIBUTIONS
};

struct batch_distribution {
    enum batch_distribution_kind kind;
    double middle, sigma;   // mean or median
    double from, to;        // NaN: not bounded
    double least_p, most_p; // probabilities of the bounds, normal and lognormal
    char unit[BATCH_UNIT_BYTES];
    const char **values;   // [cells] of a choice, as JSON
    double *probabilities; // [cells] of a choice, each above 0, with a sum of 1
    size_t cells;          // in a grid; 0: not given
};

// `where`: the key in `document`; texts are kept in the pool. STATUS_CONFIGURATION, naming key and value:
// none or several distributions, a missing number, different units, a sigma that is not above 0, bounds that
// do not ascend or hold less than a millionth of the distribution, probabilities that do not sum to 1.
enum status batch_distribution_read(const struct job *document, const char *where, struct cJSON *value,
                                    struct batch_pool **pool, struct batch_distribution *distribution);

// The value below which the part u of the distribution lies, 0 < u < 1, as JSON.
enum status batch_distribution_value(const struct job *document, const char *where,
                                     const struct batch_distribution *distribution, double u,
                                     struct batch_pool **pool, const char **text);

// Cell number `cell` of a grid: its probability, which is the same for all cells but those of a choice; and
// its value, at its median.
double batch_distribution_probability(const struct batch_distribution *distribution, size_t cell);
enum status batch_distribution_cell(const struct job *document, const char *where,
                                    const struct batch_distribution *distribution, size_t cell,
                                    struct batch_pool **pool, const char **text);

#endif
