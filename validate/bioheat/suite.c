// The suite `bioheat`: heat in tissue against exact solutions, conservation laws and quadrature. Every case
// runs jobs on the back end that the user names.
#include "validate/bioheat/suites.h"

static const char carslaw[] = "Carslaw & Jaeger, Conduction of Heat in Solids, 2nd ed. (1959)";
static const char plain[] =
    "the same jobs on the back end reference: plain, serial, written from the equations";

static const struct validation_case cases[] = {
    {"periodic-waves",
     "waves in a uniform medium with perfusion and a source: factor a step, semi-discrete solution, order in "
     "time",
     "exact solution in Fourier space: Gao, Langer & Corry, Int. J. Hyperthermia 11 (1995) 267, with the "
     "discrete operator's wavenumber",
     .run = bioheat_case_waves},
    {"gaussian", "a Gaussian that spreads in tissue with perfusion", carslaw, .run = bioheat_case_gaussian,
     .is_double = true},
    {"layered-slab",
     "skin, a thin skull and brain between two temperatures, in steady state: the same flux through all",
     carslaw, .run = bioheat_case_slab, .is_double = true},
    {"contact", "two half spaces of different tissue and temperature, brought in contact", carslaw,
     .run = bioheat_case_contact, .is_double = true},
    {"half-spaces", "a warm spot in each of two half spaces of different tissue, against two uniform media",
     "the same program with one tissue throughout; tolerance of k-Wave's own test of this kind",
     .run = bioheat_case_halves, .is_double = true},
    {"conservation", "tissues and air at random in insulated walls: heat is conserved to rounding",
     "conservation of energy", .run = bioheat_case_conserved},
    {"head", "the head of data/jobs/head-hyperthermia.json without blood: the heat of the beam is conserved",
     "conservation of energy", .input_files = bioheat_head_files, .run = bioheat_case_head,
     .is_double = true},
    {"manufactured", "order in space where conductivity is uniform and where it varies smoothly",
     "manufactured steady solutions (Roache 2002)", .run = bioheat_case_manufactured, .is_double = true},
    {"interface", "order in space where two tissues meet",
     "manufactured steady solution with a flux that is continuous across the interfaces",
     .run = bioheat_case_interface, .is_double = true},
    {"dose-hour", "thermal dose of an hour at 43 degC in steps of 10 ms, both precisions",
     "Sapareto & Dewey, Int. J. Radiat. Oncol. Biol. Phys. 10 (1984) 787", .run = bioheat_case_dose_hour},
    {"dose-ramps",
     "thermal dose of warming and cooling, each definition with its cut-offs and its dependence on the past",
     "the integral of Sapareto & Dewey's rate over straight ramps, exactly", .run = bioheat_case_dose_ramps,
     .is_double = true},
    {"convective-wall", "a slab that cools through its wall", carslaw, .run = bioheat_case_wall,
     .is_double = true},
    {"perfusion", "tissue that perfusion cools to the temperature of the blood",
     "exponential decay; explicit Euler's factor a step", .run = bioheat_case_perfusion, .is_double = true},
    {"blood-flow", "a wave of temperature carried along by blood, upwind: first order",
     "exact translation and decay", .run = bioheat_case_flow, .is_double = true},
    {"long-steps",
     "method rkl2: half spaces with perfusion at k-Wave's step, and three layers under a source of 30 s",
     "Carslaw & Jaeger (1959) for each half; tolerance of k-Wave's own test of this kind; a finer grid",
     .run = bioheat_case_long_steps, .is_double = true},
    {"colourings", "euler-in-place and the three-colour methods against euler, over the step",
     "the same jobs with method euler", .run = bioheat_case_colours, .is_double = true},
    {"colour-factor",
     "rates of decay of the three-colour methods: one is right, the other is wrong by a known factor",
     "1/(1 - 3.75 D dt/h2): the mean of old and new neighbours about an old middle",
     .run = bioheat_case_factor, .is_double = true},
    {"openmp-body", "processor cores against the reference: each precision and method", plain,
     .backend = "openmp", .run = bioheat_case_backend},
    {"cuda-body", "NVIDIA GPU against the reference: each precision and method", plain, .backend = "cuda",
     .run = bioheat_case_backend},
};

const struct validation_suite bioheat_suite = {"bioheat", "heat in tissue against exact solutions", cases,
                                               sizeof cases / sizeof *cases, false};
