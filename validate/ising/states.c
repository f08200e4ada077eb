// A lattice of 4 x 4 sites in a field, and with a negative coupling, against all of its 65 536 states.
#include "validate/closed/ising_states.h"
#include "validate/ising/ising_job.h"
#include "validate/ising/suites.h"

#include <stdio.h>

static const char source[] = "all 65 536 states";

struct way {
    const char *name;
    enum ising_method method;
    enum ising_boundary boundary;
    double coupling, field, beta;
};
static const struct way ways[] = {
    {"metropolis, B = 0.1", ISING_METROPOLIS, ISING_PERIODIC, 1, 0.1, 0.35},
    {"heat-bath, B = 0.1", ISING_HEAT_BATH, ISING_PERIODIC, 1, 0.1, 0.35},
    {"heat-bath, helical, B = -0.3", ISING_HEAT_BATH, ISING_HELICAL, 1, -0.3, 0.3},
    {"metropolis, J = -1", ISING_METROPOLIS, ISING_PERIODIC, -1, 0, 0.4},
    {"metropolis, helical, J = -1, B = 0.5", ISING_METROPOLIS, ISING_HELICAL, -1, 0.5, 0.4},
    {"heat-bath, J = -1", ISING_HEAT_BATH, ISING_PERIODIC, -1, 0, 0.4},
    {"wolff, J = -1", ISING_WOLFF, ISING_PERIODIC, -1, 0, 0.4},
    {"swendsen-wang, J = -1", ISING_SWENDSEN_WANG, ISING_PERIODIC, -1, 0, 0.4},
};
enum { WAYS = sizeof ways / sizeof *ways };

static enum status run_way(struct validation_run *run, const struct way *way, const char *name)
{
    const bool is_full = case_is_full(run);
    const struct ising_job job = {.method = way->method,
                                  .boundary = way->boundary,
                                  .columns = 4,
                                  .replicas = is_full ? 16384 : 512,
                                  .coupling = way->coupling,
                                  .field = way->field,
                                  .betas = &way->beta,
                                  .seed = 4,
                                  .count = 700,
                                  .thermalisation = 100,
                                  .every = 2,
                                  .blocks = 64,
                                  .output = "\"series\": false"};
    return ising_job_run(run, &job, name, NULL);
}

static enum status measure_way(struct validation_run *run, const struct way *way)
{
    char name[32];
    const struct ising_system system = {.columns = 4,
                                        .rows = 4,
                                        .is_helical = way->boundary == ISING_HELICAL,
                                        .coupling = way->coupling,
                                        .field = way->field};
    const struct ising_means exact = ising_count_states(&system, way->beta);
    const struct {
        const char *quantity, *shown;
        double exact;
    } known[] = {{"energy", "e", exact.energy},
                 {"specific_heat", "c", exact.specific_heat},
                 {"magnetisation", "m", exact.magnetisation},
                 {"absolute_magnetisation", "|m|", exact.absolute},
                 {"susceptibility", "chi", exact.susceptibility}};
    snprintf(name, sizeof name, "way-%td", way - ways);
    CHECK(run_way(run, way, name));
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct ising_estimate value;
        CHECK(ising_value_read(run, name, known[k].quantity, &value));
        CHECK(ising_measure(run, source, value, (struct ising_estimate){known[k].exact, 0}, "%s: %s",
                            way->name, known[k].shown));
    }
    return STATUS_OK;
}

enum status ising_case_states(struct validation_run *run)
{
    for (int k = 0; k < WAYS; k++)
        CHECK(measure_way(run, &ways[k]));
    return case_note(run, "way-0", "4 x 4 sites; first");
}
