// The suite `gas`: the gas in two dimensions against virial coefficients, Monte Carlo, a crystal,
// conservation laws, Maxwell's speeds and direct summation in double. Every case runs jobs on the back end
// that the user names.
#include "validate/case_job.h"
#include "validate/gas/suites.h"

static const char plain[] =
    "the same jobs on the back end reference: plain, serial, double, written from the equations";

static const struct validation_case cases[] = {
    {"virial",
     "virial coefficients B2 at five temperatures and B3 from the energies of two particles that move apart; "
     "both precisions",
     "independent quadrature of the Lennard-Jones potential truncated and shifted at 2.5",
     .run = gas_case_virial},
    {"crystal",
     "the triangular crystal of the whole Lennard-Jones potential: spacing and energy; both precisions",
     "lattice sums", .run = gas_case_crystal},
    {"fluid",
     "energy and pressure of a Lennard-Jones fluid at five state points, Langevin's thermostat; full size: "
     "five times as long",
     "independent Monte Carlo of 400 particles", .run = gas_case_fluid},
    {"conserved", "a fluid on its own for 100 000 steps: drift of the energy, momentum; both precisions",
     "conservation laws", .run = gas_case_conserved},
    {"reversed", "400 steps and back, velocities reversed; both precisions",
     "leapfrog is the same in both directions of time", .run = gas_case_reverse},
    {"walls", "drift of the energy between each kind of wall, both integrators", "conservation of energy",
     .run = gas_case_walls},
    {"falling",
     "particles that fall and bounce in a uniform force alone, each kind of wall, both integrators",
     "conservation of energy", .run = gas_case_falling},
    {"regions", "ln r by three regions of cells, radii 2 and 10, orders 0 and 1, uniform and clustered",
     "direct summation in double, at 1024 of 65 536 particles", .run = gas_case_regions},
    {"speeds", "particles of one speed come to Maxwell's distribution: chi2",
     "Maxwell's distribution in two dimensions", .run = gas_case_speeds},
    {"condensation", "drops form between damped walls: the largest grows tenfold; four stages",
     "Balen's (2016) figure 35", .run = gas_case_condensation},
    {"repeat", "the same bits on one core, and from a run that was stopped and went on; both precisions",
     "the same job without a stop", .run = gas_case_repeat},
    {"openmp-forces", "processor cores against the reference: each precision, potential and method", plain,
     .backend = "openmp", .run = gas_case_backend},
    {"cuda-forces", "NVIDIA GPU against the reference: each precision, potential and method", plain,
     .backend = "cuda", .run = gas_case_backend},
};

const struct validation_suite gas_suite = {
    "gas",
    "the gas in two dimensions against virial coefficients, Monte Carlo, conservation laws and every pair",
    cases, sizeof cases / sizeof *cases, false};
