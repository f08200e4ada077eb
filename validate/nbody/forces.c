// The accelerations of one set of bodies on a fast back end and on the plain reference, which computes in
// double: direct summation by each method of the back end, and the tree, whose reference is a tree, too.
#include "models/backend.h"
#include "models/nbody/solver.h"
#include "validate/nbody/body_job.h"
#include "validate/nbody/suites.h"

#include <math.h>
#include <stdio.h>

enum { USUAL = 4096, FULL = 8192, METHODS = 5 };

struct method {
    const char *name, *json, *key; // of the file of tolerances
    enum nbody_method method;
};
static const struct method methods[METHODS] = {
    {"direct", "\"name\": \"direct\"", "direct", NBODY_DIRECT},
    {"direct-tiled", "\"name\": \"direct-tiled\"", "direct", NBODY_DIRECT_TILED},
    {"direct-naive", "\"name\": \"direct-naive\"", "direct", NBODY_DIRECT_NAIVE},
    {"tree", "\"name\": \"barnes-hut\", \"theta\": 0.6", "tree", NBODY_BARNES_HUT},
    {"tree, monopoles",
     "\"name\": \"barnes-hut\", \"theta\": 0.6, \"multipole\": \"monopole\", \"opening\": \"size\"", "tree",
     NBODY_BARNES_HUT},
};

static enum status compare_precision(struct validation_run *run, const char *backend,
                                     const struct method *method, const char *precision,
                                     const struct body_set *reference)
{
    const struct body_force force = {"bodies.nc", method->json, backend, precision, 0.01};
    struct body_set fast = {0};
    char name[64], tolerance[64];
    snprintf(name, sizeof name, "%s-%td", precision, method - methods);
    enum status status = body_job_run_accelerations(run, name, &force);
    if (status == STATUS_OK)
        status = body_job_read_accelerations(run, name, &fast);
    const struct body_difference d = status == STATUS_OK && fast.count == reference->count
                                         ? body_compare(&fast, reference, 1e-3)
                                         : (struct body_difference){NAN, NAN};
    body_set_free(&fast);
    CHECK(status);
    static const char source[] = "the back end reference";
    snprintf(tolerance, sizeof tolerance, "forces/%s-%s-rms", method->key, precision);
    CHECK(validation_compare(run, tolerance, "1", source, d.rms, 0, "%s, %s: rms of |da|/|a|", method->name,
                             precision));
    snprintf(tolerance, sizeof tolerance, "forces/%s-%s-largest", method->key, precision);
    CHECK(validation_compare(run, tolerance, "1", source, d.largest, 0, "%s, %s: largest |da|/|a|",
                             method->name, precision));
    return case_note(run, name, "%zu bodies of a Plummer sphere, softening 0.01; last", reference->count);
}

static enum status compare_method(struct validation_run *run, const char *backend,
                                  const struct method *method)
{
    const char *plain = method->method == NBODY_BARNES_HUT ? method->json : methods[0].json;
    const struct body_force force = {"bodies.nc", plain, "reference", "double", 0.01};
    struct body_set reference = {0};
    char name[64];
    snprintf(name, sizeof name, "reference-%td", method - methods);
    enum status status = body_job_run_accelerations(run, name, &force);
    if (status == STATUS_OK)
        status = body_job_read_accelerations(run, name, &reference);
    for (const char *const *precision = case_precisions(run); *precision && status == STATUS_OK; precision++)
        status = compare_precision(run, backend, method, *precision, &reference);
    body_set_free(&reference);
    return status;
}

static bool has_method(const struct nbody_backend *backend, const struct method *method, size_t count)
{
    char why[256];
    const struct nbody_physics physics = {.method = method->method};
    const struct nbody_setup setup = {.physics = &physics, .count = count};
    return !backend->has_method || backend->has_method(&setup, why, sizeof why);
}

enum status nbody_case_backend(struct validation_run *run)
{
    const size_t count = body_case_size(run, USUAL, FULL);
    const char *chosen;
    const struct backend *backend;
    struct body_set bodies = {0};
    CHECK(case_backend_chosen(run, &nbody_backends, &chosen, &backend));
    if (!backend)
        return STATUS_OK;
    enum status status = body_set_plummer(&bodies, count);
    if (status == STATUS_OK)
        status = body_set_write(run, &bodies, "bodies.nc");
    body_set_free(&bodies);
    for (int m = 0; m < METHODS && status == STATUS_OK; m++)
        if (has_method((const struct nbody_backend *)backend, &methods[m], count)) // whose first member it is
            status = compare_method(run, chosen, &methods[m]);
    return status;
}
