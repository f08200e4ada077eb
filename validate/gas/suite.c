// The suite `gas`: the gas in two dimensions against virial coefficients, Monte Carlo, a crystal,
// conservation laws, Maxwell's speeds and direct summation in double. Every case runs jobs on the back end
// that the user names.
#include "validate/case_job.h"
#include "validate/gas/suites.h"

static const char plain[] =
    "the same jobs on the back end reference: plain, serial, double, written from the equations";

static const struct validation_case cases[] = {
    {.name = "virial",
     .summary =
         "virial coefficients B2 at five temperatures and B3 from the energies of two particles that move "
         "apart; both precisions",
     .source = "independent quadrature of the Lennard-Jones potential truncated and shifted at 2.5",
     .run = gas_case_virial},
    {.name = "crystal",
     .summary =
         "the triangular crystal of the whole Lennard-Jones potential: spacing and energy; both precisions",
     .source = "lattice sums",
     .run = gas_case_crystal},
    {.name = "fluid",
     .summary =
         "energy and pressure of a Lennard-Jones fluid at five state points, Langevin's thermostat; full "
         "size: five times as long",
     .source = "independent Monte Carlo of 400 particles",
     .run = gas_case_fluid},
    {.name = "conserved",
     .summary = "a fluid on its own for 100 000 steps: drift of the energy, momentum; both precisions",
     .source = "conservation laws",
     .run = gas_case_conserved},
    {.name = "reversed",
     .summary = "400 steps and back, velocities reversed; both precisions",
     .source = "leapfrog is the same in both directions of time",
     .run = gas_case_reverse},
    {.name = "walls",
     .summary = "drift of the energy between each kind of wall, both integrators",
     .source = "conservation of energy",
     .run = gas_case_walls},
    {.name = "falling",
     .summary =
         "particles that fall and bounce in a uniform force alone, each kind of wall, both integrators",
     .source = "conservation of energy",
     .run = gas_case_falling},
    {.name = "regions",
     .summary = "ln r by three regions of cells, radii 2 and 10, orders 0 and 1, uniform and clustered",
     .source = "direct summation in double, at 1024 of 65 536 particles",
     .run = gas_case_regions},
    {.name = "speeds",
     .summary = "particles of one speed come to Maxwell's distribution: chi2",
     .source = "Maxwell's distribution in two dimensions",
     .run = gas_case_speeds},
    {.name = "condensation",
     .summary = "drops form between damped walls: the largest grows tenfold; four stages",
     .source = "Balen's (2016) figure 35",
     .run = gas_case_condensation},
    {.name = "repeat",
     .summary = "the same bits on one core, and from a run that was stopped and went on; both precisions",
     .source = "the same job in a piece",
     .run = gas_case_repeat},
    {.name = "openmp-forces",
     .summary = "processor cores against the reference: each precision, potential and method",
     .source = plain,
     .backend = "openmp",
     .run = gas_case_backend},
    {.name = "cuda-forces",
     .summary = "NVIDIA GPU against the reference: each precision, potential and method",
     .source = plain,
     .backend = "cuda",
     .run = gas_case_backend},
};

const struct validation_suite gas_suite = {
    .name = "gas",
    .summary = "the gas in two dimensions against virial coefficients, Monte Carlo, conservation laws and "
               "every pair",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
};
