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
                   "sites along x, an even number; more spins fit a word of 32 if half of it has a large "
                   "divisor up to 32"),
    WHOLE("lattice.rows", NULL, ISING_SIDE_MIN, ISING_SIDE_MAX,
          "sites along y; an even number for all methods but wolff, swendsen-wang and metropolis-random; as "
          "many as columns if left out"),
    CHOICE("lattice.boundary", "periodic", "periodic|helical",
           "periodic: a torus; helical: the last site of a row is the neighbour of the first of the next "
           "one, as in Karkoulis (2010)"),
    WHOLE("lattice.replicas", "1", 1, ISING_REPLICAS_MAX,
          "independent lattices side by side: one chain of measurements each"),

    NUMBER("physics.coupling", "1", -1e6, 1e6,
           "J: above 0 neighbours tend to be alike (ferromagnet), below 0 to differ"),
    NUMBER("physics.field", "0", -1e6, 1e6, "B: what a spin up gains; 0 for wolff and swendsen-wang"),

    CHOICE("start.kind", "cold", "cold|hot|stripes|file",
           "cold: all up; hot: at random; stripes: rows up and down in turn; file: from start.file"),
    TEXT("start.file", NULL,
         "netCDF with the spins: final.nc or configurations.nc of an earlier run, or a variable spins of +1 "
         "and -1 (or 1 and 0), (row, column), also of replicas and records before them"),
    WHOLE("start.record", NULL, 0, 9007199254740991.0,
          "which record of a file of several, from 0; the last if left out"),
    SEED("start.seed", NULL, "of a hot start's random numbers; method.seed if left out"),

    VALUE("temperatures.beta", "1/T, above 0, or a list of them, in the order of the run; the critical one "
                               "is ln(1 + sqrt 2)/(2 J) = 0.4406868 / J"),
    VALUE("temperatures.temperature", "T, above 0, or a list of them, instead of beta"),
    BLOCK("temperatures.range", "beta in equal steps, instead of a list"),
    REQUIRED("temperatures.range.first", ISING_BETA_MIN, ISING_BETA_MAX, "the first beta"),
    REQUIRED("temperatures.range.last", ISING_BETA_MIN, ISING_BETA_MAX, "the last beta, itself one of them"),
    REQUIRED_WHOLE("temperatures.range.count", 2, ISING_TEMPERATURES_MAX, "how many"),
    CHOICE("temperatures.order", "temper", "temper|independent",
           "temper: each temperature begins with the spins that the one before it has left; independent: "
           "each begins from the start; random numbers are each one's own either way"),

    CHOICE("method.name", "metropolis",
           "metropolis|metropolis-integer|metropolis-random|heat-bath|wolff|swendsen-wang",
           "metropolis: sublattice by sublattice, 32 spins at a time; heat-bath: the same, each spin drawn "
           "anew; metropolis-integer: one 32-bit random number a spin; metropolis-random: sites picked at "
           "random, as Karkoulis' (2010) serial program does; wolff: a sweep flips one cluster; "
           "swendsen-wang: a sweep flips each cluster or not: the best near the critical point"),
    SEED("method.seed", "1",
         "another number gives other random numbers; the same one gives the same on every machine and back "
         "end"),

    REQUIRED_BLOCK("sweeps", "at each temperature"),
    REQUIRED_WHOLE("sweeps.count", 1, ISING_SWEEPS_MAX,
                   "in all, thermalisation included; a multiple of every"),
    WHOLE("sweeps.thermalisation", NULL, 0, ISING_SWEEPS_MAX,
          "how many of them are dropped at the begin, a multiple of every; if left out it is found in the "
          "measurements, at most half of them"),
    WHOLE("sweeps.every", "1", 1, ISING_SWEEPS_MAX, "sweeps between two measurements; 10 is usual"),

    WHOLE("analysis.blocks", "64", 2, 65536, "of the jackknife, at most"),
    NUMBER("analysis.block_times", "20", 1, 1e6, "least length of a block, in autocorrelation times"),
    WHOLE("analysis.lags", "200", 1, 1e7,
          "of the autocorrelation functions that are written, in measurements; fewer if there are fewer "
          "measurements"),
    WHOLE("analysis.bins", "100", 2, 1e6, "of the histograms of energy and magnetisation"),
    BLOCK("analysis.reweighting", "results at neighbouring beta, from each temperature's measurements"),
    NUMBER("analysis.reweighting.width", "0.02", 1e-9, 0.5, "as far as so much of beta to both sides"),
    WHOLE("analysis.reweighting.points", "41", 2, 100000, "how many"),

    ABSENT("output.precision", "series and results are in double precision"),
    ABSENT("output.fields", NO_FIELD),
    ABSENT("output.fields.every", NO_FIELD),
    ABSENT("output.fields.variables", NO_FIELD),
    ABSENT("output.fields.stride", NO_FIELD),
    ABSENT("output.diagnostics", NO_FIELD),
    ABSENT("output.diagnostics.every", NO_FIELD),
    FLAG("output.series", "true", "energy and magnetisation of each measurement (series.nc)"),
    BLOCK("output.configurations", "the spins themselves from time to time (configurations.nc)"),
    REQUIRED_WHOLE("output.configurations.every", 1, ISING_SWEEPS_MAX, "sweeps between two"),
    CHOICE("output.configurations.format", "packed", "packed|bytes",
           "packed: eight spins a byte, as numpy.unpackbits reads them; bytes: a byte a spin, 1 or 0; "
           "final.nc has the same"),
    BLOCK("output.correlations", "the correlation function along the axes (correlations.nc)"),
    REQUIRED_WHOLE("output.correlations.every", 1, ISING_SWEEPS_MAX,
                   "sweeps between two measurements of it, a multiple of sweeps.every"),
    VALUE("output.correlations.distances",
          "a list of whole numbers, rising, at most half the shorter side; if left out, all up to 16, and "
          "then each about a fifth longer than the one before"),
    FLAG("output.final", "true", "the spins at the end (final.nc), to inspect or to continue from"),
    ABSENT("limits", "the spins are in contact with a bath: nothing is kept that could drift"),
    ABSENT("check.tolerance", "the spins of two back ends are the same, bit by bit"),
};

const struct job_key_table ising_keys = {keys, sizeof keys / sizeof *keys};
