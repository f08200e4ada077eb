// A million sites away from the critical temperature: energy, specific heat and magnetisation of the infinite
// lattice.
#include "models/ising/exact.h"
#include "validate/ising/ising_job.h"
#include "validate/ising/suites.h"

#include <stdio.h>

enum { SIDE = 1024 };
static const char onsager[] = "Onsager (1944)", yang[] = "Yang (1952)";

struct point {
    double beta;
    int64_t sweeps; // after the thermalisation of a tenth
    bool is_long;   // of the full size alone
};
// Correlation lengths: 1.0, 0.7, 6 and 3.3 sites.
static const struct point points[] = {
    {0.25, 800, false}, {0.55, 800, false}, {0.40, 64000, true}, {0.48, 64000, true}};
enum { POINTS = sizeof points / sizeof *points };

static enum status measure_point(struct validation_run *run, const struct point *point,
                                 enum ising_method method)
{
    char name[32], what[64];
    struct ising_estimate energy, heat, absolute;
    const struct ising_exact exact = ising_exact_infinite(point->beta);
    const bool is_ordered = point->beta > ISING_CRITICAL_BETA;
    const struct ising_job job = {.method = method,
                                  .columns = SIDE,
                                  .start = is_ordered ? "cold" : "hot",
                                  .betas = &point->beta,
                                  .seed = 1024,
                                  .count = point->sweeps + point->sweeps / 10,
                                  .thermalisation = point->sweeps / 10,
                                  .every = 2,
                                  .blocks = 32};
    snprintf(name, sizeof name, "%s-%g", ising_method_names[method], point->beta);
    snprintf(what, sizeof what, "%s, beta = %g", ising_method_names[method], point->beta);
    CHECK(ising_job_run(run, &job, name, NULL));
    CHECK(ising_value_read(run, name, "energy", &energy));
    CHECK(ising_value_read(run, name, "specific_heat", &heat));
    CHECK(ising_value_read(run, name, "absolute_magnetisation", &absolute));
    CHECK(ising_measure(run, onsager, energy, (struct ising_estimate){exact.energy, 0}, "%s: e", what));
    CHECK(ising_measure(run, onsager, heat, (struct ising_estimate){exact.specific_heat, 0}, "%s: c", what));
    // |m| of a disordered lattice is its size's, not the temperature's.
    return is_ordered ? ising_measure(run, yang, absolute,
                                      (struct ising_estimate){ising_exact_magnetisation(point->beta), 0},
                                      "%s: |m|", what)
                      : STATUS_OK;
}

enum status ising_case_infinite(struct validation_run *run)
{
    for (int k = 0; k < POINTS; k++)
        if (!points[k].is_long || case_is_full(run)) {
            CHECK(measure_point(run, &points[k], ISING_METROPOLIS));
            if (case_is_full(run))
                CHECK(measure_point(run, &points[k], ISING_HEAT_BATH));
        }
    return case_note(run, "metropolis-0.25", "%d x %d sites; beta = 0.25", SIDE, SIDE);
}
