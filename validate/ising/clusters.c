// The mean size of clusters: of Wolff's the size of the one that is flipped, of Swendsen and Wang's the sum
// of their squares a site. Both are N <m2>, which the same run has from its configurations.
#include "validate/closed/ising_states.h"
#include "validate/ising/ising_job.h"
#include "validate/ising/suites.h"

#include <stdio.h>

static const char improved[] = "N <m2> of the same run (Wolff 1989)";

static enum status run_clusters(struct validation_run *run, enum ising_method method,
                                enum ising_boundary boundary, int64_t side, double beta, const char *name)
{
    const struct ising_job job = {.method = method,
                                  .boundary = boundary,
                                  .columns = side,
                                  .replicas = case_is_full(run) ? 2048 : 64,
                                  .betas = &beta,
                                  .seed = 5,
                                  .count = 250,
                                  .thermalisation = 50,
                                  .every = 1,
                                  .blocks = 64,
                                  .output = "\"series\": false"};
    return ising_job_run(run, &job, name, NULL);
}

static enum status measure_clusters(struct validation_run *run, enum ising_method method,
                                    enum ising_boundary boundary, int64_t side, double beta)
{
    char name[64], what[64];
    struct ising_estimate size, square;
    const double sites = (double)(side * side);
    snprintf(name, sizeof name, "%s-%s-%lld-%g", ising_method_names[method], ising_boundary_names[boundary],
             (long long)side, beta);
    snprintf(what, sizeof what, "%s, %s, L = %lld, beta %g", ising_method_names[method],
             ising_boundary_names[boundary], (long long)side, beta);
    CHECK(run_clusters(run, method, boundary, side, beta, name));
    CHECK(ising_value_read(run, name, "cluster_size", &size));
    CHECK(ising_value_read(run, name, "magnetisation_squared", &square));
    square.value *= sites;
    square.error *= sites;
    CHECK(ising_measure(run, improved, size, square, "%s: mean size", what));
    if (side != 4)
        return STATUS_OK;
    const struct ising_system system = {
        .columns = 4, .rows = 4, .is_helical = boundary == ISING_HELICAL, .coupling = 1};
    return ising_measure(run, "all 65 536 states", size,
                         (struct ising_estimate){sites * ising_count_states(&system, beta).square, 0},
                         "%s: mean size", what);
}

enum status ising_case_clusters(struct validation_run *run)
{
    static const enum ising_method methods[] = {ISING_WOLFF, ISING_SWENDSEN_WANG};
    const int64_t side = case_is_full(run) ? 32 : 16;
    for (int m = 0; m < 2; m++)
        for (int boundary = ISING_PERIODIC; boundary <= ISING_HELICAL; boundary++) {
            CHECK(measure_clusters(run, methods[m], (enum ising_boundary)boundary, 4, 0.4));
            CHECK(measure_clusters(run, methods[m], (enum ising_boundary)boundary, side, 0.42));
            CHECK(measure_clusters(run, methods[m], (enum ising_boundary)boundary, side, 0.46));
        }
    return case_note(run, "wolff-periodic-4-0.4", "L = 4 and %lld; Wolff, L = 4", (long long)side);
}
