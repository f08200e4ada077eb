// Alternating rows up and down. On a periodic lattice sublattice Metropolis flips every spin in every sweep
// and never leaves them: refused. Heat-bath does leave them, and so does Metropolis by four phases on a
// helical lattice.
#include "models/ising/exact.h"
#include "validate/ising/ising_job.h"
#include "validate/ising/source_betas.h"
#include "validate/ising/suites.h"

static const double beta = 0.3;

static struct ising_job job_of(enum ising_method method, enum ising_boundary boundary)
{
    return (struct ising_job){.method = method,
                              .boundary = boundary,
                              .columns = 8,
                              .replicas = 16,
                              .start = "stripes",
                              .betas = &beta,
                              .seed = 3,
                              .count = 20000,
                              .thermalisation = 1000,
                              .every = 2};
}

static enum status measure_refusal(struct validation_run *run, enum ising_method method, const char *name)
{
    const struct ising_job job = job_of(method, ISING_PERIODIC);
    const enum status status = ising_job_run(run, &job, name, NULL);
    const bool is_refused = status == STATUS_CONFIGURATION;
    if (status != STATUS_OK && !is_refused)
        return status;
    status_clear();
    return validation_compare(run, "stripes/refused", "1", "a chain that never leaves its start", is_refused,
                              1, "%s, periodic: the job is refused", ising_method_names[method]);
}

static enum status measure_way_out(struct validation_run *run, enum ising_method method,
                                   enum ising_boundary boundary, const char *name)
{
    static const char kaufman[] = "Kaufman (1949), computed here";
    const double periodic = ising_exact_periodic(8, 8, beta).energy / 2;
    const struct ising_job job = job_of(method, boundary);
    struct ising_estimate energy, known = {periodic, 0};
    if (boundary == ISING_HELICAL)
        known =
            (struct ising_estimate){ising_helical_means[4].energy_per_bond, 5e-7}; // of ising_source_betas[4]
    CHECK(ising_job_run(run, &job, name, NULL));
    CHECK(ising_value_read(run, name, "energy_per_bond", &energy));
    return ising_measure(run, boundary == ISING_HELICAL ? "transfer matrices, six digits" : kaufman, energy,
                         known, "%s, %s: e per bond", ising_method_names[method],
                         ising_boundary_names[boundary]);
}

enum status ising_case_stripes(struct validation_run *run)
{
    CHECK(measure_refusal(run, ISING_METROPOLIS, "refused"));
    CHECK(measure_way_out(run, ISING_HEAT_BATH, ISING_PERIODIC, "heat-bath"));
    CHECK(measure_way_out(run, ISING_METROPOLIS, ISING_HELICAL, "helical"));
    CHECK(measure_way_out(run, ISING_HEAT_BATH, ISING_HELICAL, "helical-heat-bath"));
    return case_note(run, "helical", "8 x 8 sites, beta = %g, rows up and down in turn; helical", beta);
}
