// The suite `ising`: the Ising model in two dimensions against Kaufman's, Onsager's and Yang's formulas, all
// states of small lattices, exact correlations, scaling laws and the plain reference. Every case runs jobs on
// the back end that the user names.
#include "validate/ising/suites.h"

static const char kaufman[] = "Kaufman's formula, computed; all states of 4 x 4 sites";

#define CRITICAL(method_name, number, about)                                                                 \
    {                                                                                                        \
        "critical-" method_name, about, kaufman, .run = ising_case_critical,                                 \
                                                 .context = &(const struct ising_method_case)                \
        {                                                                                                    \
            number                                                                                           \
        }                                                                                                    \
    }

static const struct validation_case cases[] = {
    CRITICAL("metropolis", ISING_METROPOLIS,
             "energy, specific heat and moments at T_c, L = 4 to 32; full size: to 128, error of e 2e-4"),
    CRITICAL("heat-bath", ISING_HEAT_BATH, "the same, heat-bath, L = 4 to 16"),
    CRITICAL("wolff", ISING_WOLFF, "the same, Wolff's clusters, L = 4 to 16"),
    CRITICAL("swendsen-wang", ISING_SWENDSEN_WANG, "the same, Swendsen and Wang's clusters, L = 4 to 16"),
    CRITICAL("integer", ISING_METROPOLIS_INTEGER,
             "the same, one random integer a spin; L = 4 to 16; full size: to 32"),
    CRITICAL("random", ISING_METROPOLIS_RANDOM,
             "the same, sites picked at random; L = 4 to 16; full size: to 32"),
    {"betas", "27 temperatures: means, and chi2 of their errors; helical and periodic lattices",
     "transfer matrices; Kaufman's formula, computed", .run = ising_case_betas},
    {"states", "4 x 4 sites in a field, and with neighbours that want to differ", "all 65 536 states",
     .run = ising_case_states},
    {"bits", "spins in a word, across words, over the seam, in other replicas: correlations",
     "exact correlations of the infinite lattice", .run = ising_case_bits},
    {"clusters", "mean size of the clusters of Wolff and of Swendsen and Wang", "N <m2>; all 65 536 states",
     .run = ising_case_clusters},
    {"infinite", "energy, specific heat and magnetisation of 1024 x 1024 sites off the critical point",
     "Onsager (1944), Yang (1952)", .run = ising_case_infinite},
    {"scaling", "crossing of Binder's cumulants, gamma/nu, dynamic exponents; full size: L = 16 to 128",
     "exact exponents; published z", .run = ising_case_scaling},
    {"repeat", "the same bits as the reference, on one core, and from a run that was stopped and went on",
     "the back end reference: plain, serial, a byte a spin; the same job", .run = ising_case_repeat},
    {"order", "from one temperature to the next, or each from its own start: the same energies",
     "the same temperatures, each from its own start", .run = ising_case_order},
    {"stripes", "rows up and down in turn: refused where a chain never leaves them, else left",
     "Kaufman's formula, computed; transfer matrices", .run = ising_case_stripes},
    {"programs", "Karkoulis' (2010) comparison: sites at random against sublattices, 27 temperatures",
     "the same job by method metropolis-random", .run = ising_case_programs},
};

const struct validation_suite ising_suite = {
    "ising", "the Ising model against exact solutions, all states, scaling laws and the plain reference",
    cases, sizeof cases / sizeof *cases, false};
