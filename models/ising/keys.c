// The keys of a job of the Ising model beside those that all models share. A table, nothing else. Everything
// is in reduced units: bare numbers, k_B = 1; time is counted in sweeps.
#include "models/keys.h"
#include "models/ising/params.h"

#include "models/ising/params_private.h"

#include <math.h>

#define SEED(path, default, help) WHOLE(path, default, 0, 9007199254740991.0, help)
#define NO_TIME                   "sweeps.count gives the length of the run"
#define NO_FIELD                                                                                             \
    "output.configurations writes the spins, "                                                               \
    "output.series energy and magnetisation"
#define NO_FLOAT "spins are bits and what is measured is counted in whole numbers"

static const struct job_key keys[] = {
    // A text, as in bioheat: more back ends may be registered than the shared key's choice lists.
    TEXT("backend", "auto",
         "what computes: reference (slow, plain, the specification), openmp (all cores), cuda (NVIDIA GPU; "
         "cuda:1 is the second); auto takes the fastest that this build and this machine have, that has the "
         "method and that the run fits on"),
    ABSENT("precision", NO_FLOAT),
    ABSENT("time", NO_TIME),
    ABSENT("time.duration", NO_TIME),
    ABSENT("time.step", NO_TIME),

    REQUIRED_BLOCK("lattice", "the square lattice"),
    REQUIRED_WHOLE("lattice.columns", ISING_SIDE_MIN, ISING_SIDE_MAX,
                   "sites along x, an even number; a word of 32 spins is filled best if half of this number "
                   "has a large divisor up to 32"),
    WHOLE("lattice.rows", NULL, ISING_SIDE_MIN, ISING_SIDE_MAX,
          "sites along y; an even number for all methods but wolff, swendsen-wang and metropolis-random; if "
          "left out, as many as columns"),
    CHOICE("lattice.boundary", "periodic", "periodic|helical",
           "periodic: a torus; helical: the last site of a row is the neighbour of the first site of the "
           "next row, as in Karkoulis (2010)"),
    WHOLE("lattice.replicas", "1", 1, ISING_REPLICAS_MAX,
          "number of independent lattices, each with its own chain of measurements"),

    NUMBER("physics.coupling", "1", -1e6, 1e6,
           "J: above 0 neighbours tend to be parallel (ferromagnet), below 0 antiparallel"),
    NUMBER("physics.field", "0", -1e6, 1e6,
           "B: the energy has the term -B times the sum of the spins; 0 for wolff and swendsen-wang"),

    CHOICE("start.kind", "cold", "cold|hot|stripes|file",
           "cold: all spins up; hot: random; stripes: rows alternately up and down; file: from start.file"),
    TEXT("start.file", NULL,
         "netCDF with the spins: final.nc or configurations.nc of an earlier run, or a variable spins of +1 "
         "and -1 (or 1 and 0), (row, column), also of replicas and records before them"),
    WHOLE("start.record", NULL, 0, 9007199254740991.0,
          "record of a file with several, from 0; if left out, the last"),
    SEED("start.seed", NULL, "seed of the random numbers of a hot start; if left out, method.seed"),

    FORMS("temperatures.beta", "number|list",
          "1/T, above 0, or a list of values in the order of the run; the critical "
          "value is ln(1 + sqrt 2)/(2 J) = 0.4406868 / J"),
    FORMS("temperatures.temperature", "number|list", "T, above 0, or a list of values, instead of beta"),
    BLOCK("temperatures.range", "beta in equal steps, instead of a list"),
    REQUIRED("temperatures.range.first", ISING_BETA_MIN, ISING_BETA_MAX, "the first beta"),
    REQUIRED("temperatures.range.last", ISING_BETA_MIN, ISING_BETA_MAX, "the last beta, which is included"),
    REQUIRED_WHOLE("temperatures.range.count", 2, ISING_TEMPERATURES_MAX, "number of values of beta"),
    CHOICE("temperatures.order", "temper", "temper|independent",
           "temper: each temperature begins with the spins that the one before it left; independent: each "
           "begins from the start; in both orders each temperature has random numbers of its own"),

    CHOICE("method.name", "metropolis",
           "metropolis|metropolis-integer|metropolis-random|heat-bath|wolff|swendsen-wang",
           "metropolis: sublattice by sublattice, 32 spins at a time; heat-bath: the same, with each spin "
           "drawn anew; metropolis-integer: one 32-bit random number per spin; metropolis-random: sites "
           "chosen at random, as in the serial program of Karkoulis (2010); wolff: a sweep flips one "
           "cluster; swendsen-wang: a sweep flips each cluster with probability 1/2; the best method near "
           "the critical point"),
    SEED("method.seed", "1",
         "seed of the random numbers; the same seed gives the same numbers on every machine and back end"),

    REQUIRED_BLOCK("sweeps", "sweeps at each temperature"),
    REQUIRED_WHOLE("sweeps.count", 1, ISING_SWEEPS_MAX,
                   "number of sweeps in all, thermalisation included; a multiple of every"),
    WHOLE("sweeps.thermalisation", NULL, 0, ISING_SWEEPS_MAX,
          "number of sweeps that are dropped at the beginning, a multiple of every; if left out, it is found "
          "from the measurements, at most half of them"),
    WHOLE("sweeps.every", "1", 1, ISING_SWEEPS_MAX, "sweeps between two measurements; 10 is usual"),

    WHOLE("analysis.blocks", "64", 2, 65536, "largest number of blocks of the jackknife"),
    NUMBER("analysis.block_times", "20", 1, 1e6, "least length of a block, in autocorrelation times"),
    WHOLE("analysis.lags", "200", 1, 1e7,
          "number of lags of the autocorrelation functions that are written, in measurements; fewer if there "
          "are fewer measurements"),
    WHOLE("analysis.bins", "100", 2, 1e6, "number of bins of the histograms of energy and magnetisation"),
    BLOCK("analysis.reweighting", "results at neighbouring beta, from each temperature's measurements"),
    NUMBER("analysis.reweighting.width", "0.02", 1e-9, 0.5, "largest relative change of beta, to both sides"),
    WHOLE("analysis.reweighting.points", "41", 2, 100000, "number of values of beta"),

    ABSENT("output.precision", "series and results are in double precision"),
    ABSENT("output.fields", NO_FIELD),
    ABSENT("output.fields.every", NO_FIELD),
    ABSENT("output.fields.variables", NO_FIELD),
    ABSENT("output.fields.stride", NO_FIELD),
    ABSENT("output.diagnostics", NO_FIELD),
    ABSENT("output.diagnostics.every", NO_FIELD),
    FLAG("output.series", "true", "write energy and magnetisation of each measurement (series.nc)"),
    BLOCK("output.configurations", "write the spins at intervals (configurations.nc)"),
    REQUIRED_WHOLE("output.configurations.every", 1, ISING_SWEEPS_MAX, "sweeps between two records"),
    CHOICE("output.configurations.format", "packed", "packed|bytes",
           "packed: eight spins per byte, as numpy.unpackbits reads them; bytes: one byte per spin, 1 or 0; "
           "final.nc has the same format"),
    BLOCK("output.correlations", "the correlation function along the axes (correlations.nc)"),
    REQUIRED_WHOLE("output.correlations.every", 1, ISING_SWEEPS_MAX,
                   "sweeps between two measurements of it, a multiple of sweeps.every"),
    FORMS("output.correlations.distances", "list",
          "a list of whole numbers, increasing, at most half the shorter side; if left out, all up to 16, "
          "and then each about a fifth larger than the one before"),
    FLAG("output.final", "true", "write the spins at the end (final.nc), to inspect or to continue from"),
    ABSENT("limits", "the spins exchange energy with a heat bath: no quantity is conserved that could drift"),
    ABSENT("check.tolerance", "the spins of two back ends are the same, bit by bit"),
};

const struct job_key_table ising_keys = {keys, sizeof keys / sizeof *keys};
