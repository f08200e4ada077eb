// Each method at the critical temperature of the infinite lattice, where fluctuations are strongest and
// chains slowest: energy and specific heat of finite periodic lattices against Kaufman's formula, moments of
// the magnetisation against all states.
#include "models/ising/exact.h"
#include "validate/closed/ising_states.h"
#include "validate/ising/ising_job.h"
#include "validate/ising/suites.h"

#include <math.h>
#include <stdio.h>

static const double critical_temperature = 2.269185314213022;
static const char kaufman[] =
    "Kaufman (1949) with the derivatives of Ferdinand & Fisher (1969), computed here";

// Kaufman's formula as published, per site.
struct known_lattice {
    int side;
    double energy, heat;
};
enum { LATTICES = 5 };
static const struct known_lattice lattices[LATTICES] = {{8, -1.49158910744, 1.14555923989},
                                                        {16, -1.45306485281, 1.4987049594},
                                                        {32, -1.43365846615, 1.84676759004},
                                                        {64, -1.42393838983, 2.19221139314},
                                                        {128, -1.41907627208, 2.53633133511}};

// ---- how long

static bool is_for_comparison(enum ising_method method)
{
    return method == ISING_METROPOLIS_INTEGER || method == ISING_METROPOLIS_RANDOM;
}

// Autocorrelation times at T_c in sweeps (of Wolff's clusters: in clusters), about as they were found: of the
// energy, and of |m|.
struct chain_times {
    double energy, absolute;
};
static struct chain_times times_of(enum ising_method method, int side)
{
    const double l = side;
    if (ising_has_clusters(method))
        return (struct chain_times){2.5 * pow(l / 8, 0.4), 2.5 * pow(l / 8, 0.4)};
    const double slower = method == ISING_HEAT_BATH ? 3 : method == ISING_METROPOLIS_RANDOM ? 2 : 1;
    return (struct chain_times){slower * 0.06 * pow(l, 1.65), slower * (1 + 0.025 * pow(l, 2.17))};
}

// The standard error of the energy that is aimed at.
static double error_of(const struct validation_run *run, enum ising_method method)
{
    if (case_is_full(run))
        return is_for_comparison(method) ? 5e-4 : 2e-4;
    return is_for_comparison(method) ? 5e-3 : ising_has_clusters(method) ? 2.4e-3 : 1.4e-3;
}

// Replicas enough that the blocks of the jackknife are whole ones, and independent of each other.
static struct ising_job job_of(const struct validation_run *run, enum ising_method method, int side,
                               const double *beta)
{
    static const double least_replicas = 64, most_replicas = 4096, margin = 2.2, chain = 100, dropped = 20;
    const struct ising_exact exact = ising_exact_periodic(side, side, *beta);
    const struct chain_times times = times_of(method, side);
    const double variance = exact.specific_heat / (pow(*beta, 2) * side * side);
    const double wanted = margin * variance / pow(error_of(run, method), 2) * 2 * times.energy;
    const double replicas =
        fmin(fmax(least_replicas, ceil(wanted / (chain * times.absolute))), most_replicas);
    const double every = ceil(0.6 * times.energy), thermalisation = ceil(dropped * times.absolute / every);
    const double kept = ceil(fmax(wanted / replicas, dropped * times.absolute) / every);
    return (struct ising_job){.method = method,
                              .columns = side,
                              .replicas = (int64_t)replicas,
                              .betas = beta,
                              .seed = 100 + (uint64_t)method,
                              .every = (int64_t)every,
                              .thermalisation = (int64_t)(every * thermalisation),
                              .count = (int64_t)(every * (thermalisation + kept)),
                              .blocks = 64,
                              .output = "\"series\": false"};
}

static int sides_of(const struct validation_run *run, enum ising_method method)
{
    if (case_is_full(run))
        return is_for_comparison(method) ? 3 : LATTICES;
    return method == ISING_METROPOLIS ? 3 : 2;
}

static enum status run_critical(struct validation_run *run, enum ising_method method, int side,
                                const char *name)
{
    const double beta = 1 / critical_temperature;
    const struct ising_job job = job_of(run, method, side, &beta);
    return ising_job_run(run, &job, name, NULL);
}

// ---- what came out

static enum status measure_lattice(struct validation_run *run, enum ising_method method,
                                   const struct known_lattice *lattice)
{
    char name[32];
    struct ising_estimate energy, heat;
    const struct ising_exact exact =
        ising_exact_periodic(lattice->side, lattice->side, 1 / critical_temperature);
    snprintf(name, sizeof name, "side-%d", lattice->side);
    CHECK(run_critical(run, method, lattice->side, name));
    CHECK(ising_value_read(run, name, "energy", &energy));
    CHECK(ising_value_read(run, name, "specific_heat", &heat));
    CHECK(ising_measure(run, kaufman, energy, (struct ising_estimate){exact.energy, 0}, "L = %d: e",
                        lattice->side));
    CHECK(ising_measure(run, kaufman, heat, (struct ising_estimate){exact.specific_heat, 0}, "L = %d: c",
                        lattice->side));
    if (case_is_full(run) && !is_for_comparison(method))
        CHECK(validation_compare(run, "critical/error", "1", "the program's specification", energy.error, 0,
                                 "L = %d: standard error of e", lattice->side));
    CHECK(validation_compare(run, "critical/formula", "1", "published values, eleven digits", exact.energy,
                             lattice->energy, "L = %d: formula's e", lattice->side));
    return validation_compare(run, "critical/formula", "1", "published values, eleven digits",
                              exact.specific_heat, lattice->heat, "L = %d: formula's c", lattice->side);
}

static enum status measure_moments(struct validation_run *run, enum ising_method method)
{
    static const char name[] = "side-4", source[] = "all 65 536 states";
    const struct ising_system system = {.columns = 4, .rows = 4, .coupling = 1};
    const struct ising_means exact = ising_count_states(&system, 1 / critical_temperature);
    const struct {
        const char *quantity, *shown;
        double exact;
    } moments[] = {{"absolute_magnetisation", "|m|", exact.absolute},
                   {"magnetisation_squared", "m2", exact.square},
                   {"binder_cumulant", "U4", exact.binder}};
    CHECK(run_critical(run, method, 4, name));
    for (size_t k = 0; k < sizeof moments / sizeof *moments; k++) {
        struct ising_estimate value;
        CHECK(ising_value_read(run, name, moments[k].quantity, &value));
        CHECK(ising_measure(run, source, value, (struct ising_estimate){moments[k].exact, 0}, "L = 4: %s",
                            moments[k].shown));
    }
    return STATUS_OK;
}

enum status ising_case_critical(struct validation_run *run)
{
    const struct ising_method_case *one = run->validation_case->context;
    const int sides = sides_of(run, one->method);
    CHECK(measure_moments(run, one->method));
    for (int k = 0; k < sides; k++)
        CHECK(measure_lattice(run, one->method, &lattices[k]));
    return case_note(run, "side-8", "%s, periodic, L = 4 to %d, at T = %.15g; L = 8",
                     ising_method_names[one->method], lattices[sides - 1].side, critical_temperature);
}
