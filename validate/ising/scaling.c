// The size of the lattice at the critical point: where Binder's cumulants of two sizes cross, how the
// susceptibility and the chains' autocorrelation times grow.
#include "models/ising/exact.h"
#include "validate/ising/ising_job.h"
#include "validate/ising/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double beta = ISING_CRITICAL_BETA;
enum { SIZES = 7, CHAINS = 3 };

// What is run of a size: replicas, sweeps after a thermalisation of a tenth, and every how many is measured.
struct effort {
    int side;
    int64_t replicas, sweeps, every;
};
static const char *const files[CHAINS] = {"swendsen-wang", "wolff", "metropolis"};
static const enum ising_method methods[CHAINS] = {ISING_SWENDSEN_WANG, ISING_WOLFF, ISING_METROPOLIS};

// [chain][size]; side 0 ends a list.
static const struct effort usual[CHAINS][SIZES + 1] = {
    {{8, 64, 300, 1}, {16, 64, 300, 1}, {32, 64, 300, 1}},
    {{8, 64, 200, 1}, {16, 64, 200, 1}, {32, 64, 200, 1}},
    {{8, 64, 400, 1}, {16, 64, 1000, 4}, {32, 64, 2000, 10}},
};
static const struct effort full[CHAINS][SIZES + 1] = {
    {{16, 1024, 2000, 1},
     {24, 1024, 2000, 1},
     {32, 1024, 2000, 1},
     {48, 1024, 2000, 1},
     {64, 1024, 2000, 1},
     {96, 512, 4000, 1},
     {128, 512, 4000, 1}},
    {{16, 1024, 1000, 1}, {24, 1024, 1000, 1}, {32, 1024, 1000, 1}, {48, 1024, 1000, 1}, {64, 1024, 1000, 1}},
    {{16, 1024, 4000, 4},
     {24, 1024, 8000, 8},
     {32, 1024, 16000, 16},
     {48, 512, 40000, 40},
     {64, 512, 80000, 80},
     {96, 256, 200000, 200},
     {128, 256, 400000, 400}},
};

struct study {
    const struct effort *efforts;
    size_t count;
    double side[SIZES];
    struct ising_estimate square[SIZES], size[SIZES], energy_time[SIZES], absolute_time[SIZES];
};

static void name_of(int chain, int side, char name[64])
{
    snprintf(name, 64, "%s-%d", files[chain], side);
}

static enum status run_size(struct validation_run *run, int chain, const struct effort *effort)
{
    char name[64];
    const int64_t thermalisation = effort->every * (effort->sweeps / 10 / effort->every);
    const struct ising_job job = {.method = methods[chain],
                                  .columns = effort->side,
                                  .replicas = effort->replicas,
                                  .betas = &beta,
                                  .seed = 6 + (uint64_t)chain,
                                  .count = effort->sweeps + thermalisation,
                                  .thermalisation = thermalisation,
                                  .every = effort->every,
                                  .blocks = 64,
                                  .analysis = "\"reweighting\": {\"width\": 0.004, \"points\": 41}",
                                  .output = "\"series\": false"};
    name_of(chain, effort->side, name);
    return ising_job_run(run, &job, name, NULL);
}

static enum status run_study(struct validation_run *run, int chain, struct study *study)
{
    *study = (struct study){.efforts = case_is_full(run) ? full[chain] : usual[chain]};
    for (; study->count < SIZES && study->efforts[study->count].side > 0; study->count++) {
        const size_t k = study->count;
        char name[64];
        const struct {
            const char *quantity;
            struct ising_estimate *value;
        } wanted[] = {{"magnetisation_squared", &study->square[k]},
                      {"tau_energy", &study->energy_time[k]},
                      {"tau_absolute_magnetisation", &study->absolute_time[k]},
                      {"cluster_size", &study->size[k]}};
        CHECK(run_size(run, chain, &study->efforts[k]));
        study->side[k] = study->efforts[k].side;
        name_of(chain, study->efforts[k].side, name);
        for (size_t w = 0; w < (methods[chain] == ISING_METROPOLIS ? 3 : 4); w++)
            CHECK(ising_value_read(run, name, wanted[w].quantity, wanted[w].value));
    }
    return STATUS_OK;
}

// ---- powers of L

// y = c L^p: p and its standard error, by the straight line of ln y over ln L, weighted with the errors.
static struct ising_estimate fit_power(const double *side, const struct ising_estimate *y, size_t count)
{
    double weights = 0, mean_x = 0, mean_y = 0, squares = 0, products = 0;
    for (size_t k = 0; k < count; k++) {
        const double weight = pow(y[k].value / y[k].error, 2);
        weights += weight;
        mean_x += weight * log(side[k]);
        mean_y += weight * log(y[k].value);
    }
    mean_x /= weights;
    mean_y /= weights;
    for (size_t k = 0; k < count; k++) {
        const double weight = pow(y[k].value / y[k].error, 2), x = log(side[k]) - mean_x;
        squares += weight * x * x;
        products += weight * x * (log(y[k].value) - mean_y);
    }
    return (struct ising_estimate){products / squares, 1 / sqrt(squares)};
}

// The susceptibility without a magnetisation taken off, beta N <m2>, grows with gamma/nu.
static enum status measure_gamma(struct validation_run *run, const struct study *study)
{
    struct ising_estimate chi[SIZES];
    for (size_t k = 0; k < study->count; k++) {
        const double factor = beta * study->side[k] * study->side[k];
        chi[k] = (struct ising_estimate){factor * study->square[k].value, factor * study->square[k].error};
    }
    const struct ising_estimate power = fit_power(study->side, chi, study->count);
    return validation_compare(run, "scaling/gamma", "1", "exact: gamma = 7/4, nu = 1", power.value, 1.75,
                              "gamma/nu, +-%.2g", power.error);
}

// ---- crossings

enum { POINTS = 41 };
struct curve {
    double beta[POINTS], binder[POINTS], error[POINTS];
};

static enum status read_curve(const struct validation_run *run, int chain, int side, struct curve *curve)
{
    const struct {
        const char *variable;
        double *to;
    } parts[] = {{"beta_reweighted", curve->beta},
                 {"binder_cumulant", curve->binder},
                 {"binder_cumulant_error", curve->error}};
    char name[64];
    name_of(chain, side, name);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        double *values;
        size_t shape[4];
        CHECK(case_read_variable(run, name, "reweighted.nc", parts[k].variable, &values, shape));
        const bool is_whole = shape[0] == 1 && shape[1] == POINTS;
        for (size_t p = 0; p < POINTS && is_whole; p++)
            parts[k].to[p] = values[p];
        free(values);
        if (!is_whole)
            return FAIL(STATUS_DATA, "reweighted.nc of the job %s has %zu x %zu values", name, shape[0],
                        shape[1]);
    }
    return STATUS_OK;
}

// Where two curves cross, the larger lattice's being the steeper one; NaN: nowhere.
static struct ising_estimate find_crossing(const struct curve *small, const struct curve *large)
{
    for (int p = 0; p + 1 < POINTS; p++) {
        const double here = large->binder[p] - small->binder[p];
        const double there = large->binder[p + 1] - small->binder[p + 1];
        const double step = small->beta[p + 1] - small->beta[p];
        if (here <= 0 && there > 0)
            return (struct ising_estimate){small->beta[p] - here / (there - here) * step,
                                           hypot(large->error[p], small->error[p]) * step / (there - here)};
    }
    return (struct ising_estimate){NAN, NAN};
}

static enum status draw_curves(struct validation_run *run, const struct study *study,
                               const struct curve *curves)
{
    struct validation_picture *picture;
    CHECK(validation_picture(run, "Binder's cumulant near the critical point", "beta", "U4",
                             "By reweighting from the critical temperature.", &picture));
    for (size_t k = 0; k < study->count; k++) {
        char line[32];
        snprintf(line, sizeof line, "L = %g", study->side[k]);
        CHECK(validation_line(run, picture, line, false, curves[k].beta, curves[k].binder, POINTS));
    }
    return STATUS_OK;
}

// What is left of corrections to scaling falls with L: 8 and 16 are shown. The usual size has errors of its
// own.
static enum status measure_crossing(struct validation_run *run, int small, int large,
                                    struct ising_estimate at)
{
    static const char source[] = "exact: ln(1 + sqrt 2)/2", quantity[] = "beta of the crossing, L = 8 and 16";
    if (small < 16)
        return validation_compare(run, NULL, "1", source, at.value, beta, "%s", quantity);
    if (!case_is_full(run))
        return ising_measure(run, source, at, (struct ising_estimate){beta, 0},
                             "beta of the crossing, L = %d and %d", small, large);
    return validation_compare(run, "scaling/beta", "1", source, at.value, beta,
                              "beta of the crossing, L = %d and %d, +-%.2g", small, large, at.error);
}

// Of all L and 2 L.
static enum status measure_crossings(struct validation_run *run, int chain, const struct study *study)
{
    struct curve curves[SIZES];
    for (size_t k = 0; k < study->count; k++)
        CHECK(read_curve(run, chain, study->efforts[k].side, &curves[k]));
    for (size_t small = 0; small < study->count; small++)
        for (size_t large = small + 1; large < study->count; large++) {
            if (study->efforts[large].side != 2 * study->efforts[small].side)
                continue;
            const struct ising_estimate at = find_crossing(&curves[small], &curves[large]);
            CHECK(measure_crossing(run, study->efforts[small].side, study->efforts[large].side, at));
        }
    return draw_curves(run, study, curves);
}

// ---- autocorrelation times

static enum status draw_times(struct validation_run *run, const struct study *studies,
                              const struct ising_estimate times[CHAINS][SIZES])
{
    struct validation_picture *picture;
    CHECK(validation_picture(run, "Autocorrelation times at the critical point", "L", "tau",
                             "Metropolis: of |m|, in sweeps; clusters: of the energy, in updates of all "
                             "sites (Wolff's by their share of the lattice).",
                             &picture));
    picture->is_logarithmic = true;
    for (int chain = 0; chain < CHAINS; chain++) {
        CHECK(ising_draw_values(run, picture, files[chain], studies[chain].side, times[chain],
                                studies[chain].count));
    }
    return STATUS_OK;
}

static enum status measure_times(struct validation_run *run, const struct study *studies)
{
    struct ising_estimate times[CHAINS][SIZES];
    for (int chain = 0; chain < CHAINS; chain++) {
        const struct study *study = &studies[chain];
        const bool is_metropolis = methods[chain] == ISING_METROPOLIS;
        for (size_t k = 0; k < study->count; k++) {
            const double sites = study->side[k] * study->side[k];
            const double share = methods[chain] == ISING_WOLFF ? study->size[k].value / sites : 1;
            const struct ising_estimate *time =
                is_metropolis ? &study->absolute_time[k] : &study->energy_time[k];
            times[chain][k] = (struct ising_estimate){share * time->value, share * time->error};
        }
        const struct ising_estimate z = fit_power(study->side, times[chain], study->count);
        const char *source = is_metropolis ? "z = 2.17: Nightingale & Bloete (1996): 2.1665(12)"
                                           : "no larger than 0.5: Wolff (1989), Swendsen & Wang (1987)";
        if (is_metropolis && !case_is_full(run))
            CHECK(validation_compare(run, NULL, "1", source, z.value, 2.17,
                                     "z of metropolis, of small lattices"));
        else
            CHECK(validation_compare(run, is_metropolis ? "scaling/metropolis" : "scaling/clusters", "1",
                                     source, z.value, is_metropolis ? 2.17 : 0, "z of %s, +-%.2g",
                                     files[chain], z.error));
    }
    return draw_times(run, studies, times);
}

enum status ising_case_scaling(struct validation_run *run)
{
    struct study studies[CHAINS];
    for (int chain = 0; chain < CHAINS; chain++)
        CHECK(run_study(run, chain, &studies[chain]));
    CHECK(measure_crossings(run, 0, &studies[0]));
    CHECK(measure_gamma(run, &studies[0]));
    CHECK(measure_times(run, studies));
    char name[64];
    name_of(0, studies[0].efforts[0].side, name);
    return case_note(run, name,
                     "L = %d to %d at beta = %.10g; crossings and gamma by Swendsen and Wang; first",
                     studies[0].efforts[0].side, studies[0].efforts[studies[0].count - 1].side, beta);
}
