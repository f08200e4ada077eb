// Job → checked parameters of a run of the Ising model: see params.h. This file: the order of reading, the
// lattice, the method and the back end.
#include "models/ising/params_private.h"

#include "models/ising/initial.h"
#include "models/params.h"

#include <stdlib.h>
#include <string.h>

const char *const ising_method_names[ISING_METHODS] = {[ISING_METROPOLIS] = "metropolis",
                                                       [ISING_METROPOLIS_INTEGER] = "metropolis-integer",
                                                       [ISING_METROPOLIS_RANDOM] = "metropolis-random",
                                                       [ISING_HEAT_BATH] = "heat-bath",
                                                       [ISING_WOLFF] = "wolff",
                                                       [ISING_SWENDSEN_WANG] = "swendsen-wang"};
const char *const ising_boundary_names[2] = {[ISING_PERIODIC] = "periodic", [ISING_HELICAL] = "helical"};

// ---- the lattice

static enum status check_even(const struct job *job, const struct ising_physics *physics)
{
    const struct ising_lattice *lattice = &physics->lattice;
    const char *const rows_key = job_has(job, "lattice.rows") ? "lattice.rows" : "lattice.columns";
    if (lattice->columns % 2 != 0)
        return job_fail(
            job, "lattice.columns",
            "%lld: an even number is expected: spins of even and of odd x lie in words of their own",
            (long long)lattice->columns);
    if (lattice->rows % 2 != 0 && ising_has_sublattices(physics->method))
        return job_fail(
            job, rows_key,
            "%lld rows: method %s decides a %s lattice in %d phases and needs an even number, or two "
            "neighbours would be decided at once; wolff, swendsen-wang and metropolis-random take an odd one",
            (long long)lattice->rows, ising_method_names[physics->method],
            ising_boundary_names[lattice->boundary], ising_sublattices(lattice->boundary));
    return STATUS_OK;
}

static enum status check_size(const struct job *job, const struct ising_physics *physics)
{
    static const double most = 0x1p48, most_picked = 0x1p32, most_labels = 0x1p31;
    const struct ising_lattice *lattice = &physics->lattice;
    const double sites = (double)lattice->columns * (double)lattice->rows;
    const double spins = sites * (double)lattice->replicas;
    if (spins > most)
        return job_fail(job, "lattice", "%g spins are more than the %g that can be counted", spins, most);
    if (physics->method == ISING_METROPOLIS_RANDOM && sites > most_picked)
        return job_fail(
            job, "lattice",
            "%g sites: a site is picked by 32 bits: at most %.0f are expected with method metropolis-random",
            sites, most_picked);
    if (ising_has_clusters(physics->method) && spins >= most_labels)
        return job_fail(job, "lattice",
                        "%.0f spins: the clusters of method %s are numbered by 31 bits: fewer than %.0f "
                        "spins in all replicas are expected",
                        spins, ising_method_names[physics->method], most_labels);
    return STATUS_OK;
}

static enum status read_physics(const struct job *job, struct ising_params *p)
{
    struct ising_physics *physics = &p->physics;
    struct ising_lattice *lattice = &physics->lattice;
    lattice->columns = job_integer(job, "lattice.columns");
    lattice->rows = job_has(job, "lattice.rows") ? job_integer(job, "lattice.rows") : lattice->columns;
    lattice->replicas = job_integer(job, "lattice.replicas");
    lattice->boundary =
        (enum ising_boundary)params_choice(job_string(job, "lattice.boundary"), ising_boundary_names, 2);
    physics->coupling = job_number(job, "physics.coupling");
    physics->field = job_number(job, "physics.field");
    physics->method =
        (enum ising_method)params_choice(job_string(job, "method.name"), ising_method_names, ISING_METHODS);
    physics->seed = (uint64_t)job_integer(job, "method.seed");
    CHECK(check_even(job, physics));
    return check_size(job, physics);
}

// ---- the back end

static bool has_method(const struct ising_backend *backend, const struct ising_params *p, char *why,
                       size_t bytes)
{
    const struct ising_setup setup = {.physics = &p->physics, .device = p->device};
    return !backend->has_method || backend->has_method(&setup, why, bytes);
}

// The fastest of those that can be used here and have the method: the reference has all.
static const struct ising_backend *fastest_with_method(const struct ising_params *p)
{
    const struct ising_backend *fastest = &ising_backend_reference;
    char why[512];
    for (int k = 0; k < ising_backends.count; k++) {
        const struct backend *head = ising_backends.members[k];
        const struct ising_backend *candidate =
            (const struct ising_backend *)head; // whose first member it is
        const bool is_faster = head->rank > fastest->head.rank || fastest == &ising_backend_reference;
        if (is_faster && (!head->is_usable || head->is_usable(0, why, sizeof why)) &&
            has_method(candidate, p, why, sizeof why))
            fastest = candidate;
    }
    return fastest;
}

static enum status read_backend(const struct job *job, struct ising_params *p)
{
    const struct backend *backend;
    const char *text = job_string(job, "backend");
    char why[512] = "";
    CHECK_ABOUT(backend_read(&ising_backends, text, &backend, &p->device), "%s: backend", job_path(job));
    p->backend = (const struct ising_backend *)backend; // whose first member it is
    if (has_method(p->backend, p, why, sizeof why))
        return STATUS_OK;
    if (strcmp(text, "auto") != 0)
        return job_fail(job, "method.name", "%s: back end %s does not have it: %s",
                        ising_method_names[p->physics.method], backend->name, why);
    p->backend = fastest_with_method(p);
    job_warn(job, "method.name", "%s: computed by back end %s, because %s does not have it: %s",
             ising_method_names[p->physics.method], p->backend->head.name, backend->name, why);
    return STATUS_OK;
}

// ---- the whole job

static enum status read_all(const struct job *job, struct ising_params *p)
{
    CHECK(read_physics(job, p));
    CHECK(ising_params_read_temperatures(job, p));
    CHECK(ising_params_read_sweeps(job, p));
    CHECK(ising_params_read_outputs(job, p));
    CHECK(ising_initial_create(job, &p->physics, &p->initial));
    CHECK(ising_params_check(job, p));
    return read_backend(job, p);
}

enum status ising_params_read(const struct job *job, struct ising_params *p)
{
    memset(p, 0, sizeof *p);
    CHECK(read_all(job, p));
    ising_params_warn_of_idle_keys(job, p);
    return STATUS_OK;
}

void ising_params_free(struct ising_params *p)
{
    ising_initial_destroy(p->initial);
    p->initial = NULL;
    free(p->betas);
    p->betas = NULL;
    free(p->distance);
    p->distance = NULL;
}
