// The suite `bioheat`: heat in tissue against exact solutions, conservation laws and quadrature. Every case runs jobs on the
// back end that is asked for.
#include "validate/bioheat/heat_job.h"
#include "validate/bioheat/suites.h"

static const char carslaw[] = "Carslaw & Jaeger, Conduction of Heat in Solids, 2nd ed. (1959)";
static const char plain[] =
    "the same jobs on the back end reference: plain, serial, written from the equations";

// A case whose tolerances are about space, time and rounding in double precision.
struct in_double {
    enum status (*run)(struct validation_run *run);
};

static enum status run_in_double(struct validation_run *run)
{
    const struct in_double *one = run->validation_case->context;
    if (heat_job_is_asked(run, "double"))
        return one->run(run);
    validation_skip(run, "its tolerances are those of double precision");
    return STATUS_OK;
}

static const struct validation_case cases[] = {
    {.name = "periodic-waves",
     .summary = "waves in a uniform medium with perfusion and a source: factor a step, semi-discrete "
                "solution, order in time",
     .source =
         "exact solution in Fourier space: Gao, Langer & Corry, Int. J. Hyperthermia 11 (1995) 267, with the "
         "discrete operator's wavenumber",
     .run = bioheat_case_waves},
    {.name = "gaussian",
     .summary = "a Gaussian that spreads in tissue with perfusion",
     .source = carslaw,
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_gaussian}},
    {.name = "layered-slab",
     .summary =
         "skin, a thin skull and brain between two temperatures, in steady state: one flux through all",
     .source = carslaw,
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_slab}},
    {.name = "contact",
     .summary = "two half spaces of different tissue and temperature, brought in contact",
     .source = carslaw,
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_contact}},
    {.name = "half-spaces",
     .summary = "a blob in each of two half spaces of different tissue, against two uniform media",
     .source = "the same program with one tissue throughout; tolerance of k-Wave's own test of this kind",
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_halves}},
    {.name = "conservation",
     .summary = "tissues and air at random in insulated walls: heat is conserved to rounding",
     .source = "conservation of energy",
     .run = bioheat_case_conserved},
    {.name = "head",
     .summary = "the head of data/jobs/head-hyperthermia.json without blood: what heat the beam brings stays",
     .source = "conservation of energy",
     .input_files = bioheat_head_files,
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_head}},
    {.name = "manufactured",
     .summary = "order in space where conductivity is uniform and where it varies smoothly",
     .source = "manufactured steady solutions (Roache 2002)",
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_made}},
    {.name = "interface",
     .summary = "order in space where two tissues meet",
     .source = "manufactured steady solution with a flux that is continuous across the interfaces",
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_interface}},
    {.name = "dose-hour",
     .summary = "thermal dose of an hour at 43 degC in steps of 10 ms, both precisions",
     .source = "Sapareto & Dewey, Int. J. Radiat. Oncol. Biol. Phys. 10 (1984) 787",
     .run = bioheat_case_dose_hour},
    {.name = "dose-ramps",
     .summary = "thermal dose of warming and cooling, each definition with its cut-offs and memory",
     .source = "the integral of Sapareto & Dewey's rate over straight ramps, exactly",
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_dose_ramps}},
    {.name = "convective-wall",
     .summary = "a slab that cools through its wall",
     .source = carslaw,
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_wall}},
    {.name = "perfusion",
     .summary = "tissue that blood brings back to its own temperature",
     .source = "exponential decay; explicit Euler's factor a step",
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_perfusion}},
    {.name = "blood-flow",
     .summary = "a wave of temperature carried along by blood, upwind: first order",
     .source = "exact translation and decay",
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_flow}},
    {.name = "colourings",
     .summary = "euler-in-place and the three-colour methods against euler, over the step",
     .source = "the same jobs with method euler",
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_colours}},
    {.name = "colour-factor",
     .summary =
         "rates of decay of the three-colour methods: one is right, one wrong by a factor that is known",
     .source = "1/(1 - 3.75 D dt/h2): the mean of old and new neighbours about an old middle",
     .run = run_in_double,
     .context = &(const struct in_double){bioheat_case_factor}},
    {.name = "openmp-body",
     .summary = "processor cores against the reference: each precision and method",
     .source = plain,
     .backend = "openmp",
     .run = bioheat_case_backend},
    {.name = "cuda-body",
     .summary = "NVIDIA GPU against the reference: each precision and method",
     .source = plain,
     .backend = "cuda",
     .run = bioheat_case_backend},
};

const struct validation_suite bioheat_suite = {
    .name = "bioheat",
    .summary = "heat in tissue against exact solutions",
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
};
