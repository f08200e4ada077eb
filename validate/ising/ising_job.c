// Jobs of the Ising model that cases run (see ising_job.h).
#include "validate/ising/ising_job.h"

#include "models/backend.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_temperatures(struct case_job *made, const struct ising_job *job)
{
    char text[1024] = "";
    size_t length = 0;
    const size_t count = job->temperatures > 0 ? job->temperatures : 1;
    for (size_t k = 0; k < count && length < sizeof text; k++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.17g", k > 0 ? ", " : "",
                                   job->betas[k]);
    if (length >= sizeof text)
        made->status = FAIL(STATUS_SOFTWARE, "%zu temperatures are too many for a job", count);
    case_job_set(made, "temperatures.order", job->is_independent ? "\"independent\"" : "\"temper\"");
    case_job_set(made, "temperatures.beta", "[%s]", text);
}

struct case_job ising_job_new(const struct ising_job *job)
{
    const struct {
        const char *key;
        int64_t value;
    } counts[] = {{"lattice.columns", job->columns},
                  {"lattice.rows", job->rows > 0 ? job->rows : job->columns},
                  {"lattice.replicas", job->replicas > 0 ? job->replicas : 1},
                  {"method.seed", (int64_t)job->seed},
                  {"sweeps.count", job->count},
                  {"sweeps.thermalisation", job->thermalisation},
                  {"sweeps.every", job->every}};
    struct case_job made = case_job_parse("{\"fathom\": 1, \"model\": \"ising\", \"title\": \"Validation\"}");
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        case_job_set(&made, counts[k].key, "%lld", (long long)counts[k].value);
    case_job_set(&made, "lattice.boundary", "\"%s\"", ising_boundary_names[job->boundary]);
    case_job_set(&made, "method.name", "\"%s\"", ising_method_names[job->method]);
    case_job_set(&made, "start.kind", "\"%s\"", job->start ? job->start : "cold");
    set_temperatures(&made, job);
    case_job_set(&made, "analysis", "{%s}", job->analysis ? job->analysis : "");
    case_job_set(&made, "output", "{%s}", job->output ? job->output : "");
    if (job->coupling != 0)
        case_job_set(&made, "physics.coupling", "%.17g", job->coupling);
    if (job->field != 0)
        case_job_set(&made, "physics.field", "%.17g", job->field);
    if (job->blocks > 0)
        case_job_set(&made, "analysis.blocks", "%zu", job->blocks);
    if (job->block_times > 0)
        case_job_set(&made, "analysis.block_times", "%.17g", job->block_times);
    return made;
}

// Whether a back end makes this lattice by this method; what it answers does not depend on the machine.
static bool has_method(const char *name, const struct ising_job *job)
{
    const struct backend *head;
    int device;
    char why[VALIDATION_TEXT_BYTES];
    const struct ising_physics physics = {.lattice = {.columns = job->columns,
                                                      .rows = job->rows > 0 ? job->rows : job->columns,
                                                      .replicas = job->replicas > 0 ? job->replicas : 1,
                                                      .boundary = job->boundary},
                                          .coupling = job->coupling != 0 ? job->coupling : 1,
                                          .field = job->field,
                                          .method = job->method,
                                          .seed = job->seed};
    if (backend_read(&ising_backends, name, &head, &device) != STATUS_OK) {
        status_clear(); // the run reports it again
        return true;
    }
    const struct ising_backend *backend = (const struct ising_backend *)head;
    return !backend->has_method ||
           backend->has_method(&(struct ising_setup){.physics = &physics, .device = device}, why, sizeof why);
}

// Spins are bits: these jobs have no key for the precision that the user asked for.
static struct validation_run without_precision(const struct validation_run *run)
{
    struct validation_run plain = *run;
    plain.precision = NULL;
    return plain;
}

enum status ising_job_run(struct validation_run *run, const struct ising_job *job, const char *name,
                          const char *backend)
{
    const char *wanted = backend ? backend : run->backend;
    if (wanted && strcmp(wanted, "auto") != 0 && !has_method(wanted, job))
        backend = "auto";
    struct validation_run plain = without_precision(run);
    struct case_job made = ising_job_new(job);
    return case_job_run_once(&plain, &made, name, backend, NULL);
}

enum status ising_job_run_in_legs(struct validation_run *run, struct case_job *job, const char *whole,
                                  char legs[64], int *stops)
{
    struct validation_run plain = without_precision(run);
    return body_run_in_legs(&plain, job, whole, NULL, legs, stops);
}

// ---- results

enum status ising_column_read(const struct validation_run *run, const char *name, const char *quantity,
                              struct ising_column *column)
{
    char error_name[VALIDATION_NAME_BYTES];
    double *values, *errors = NULL;
    size_t shape[4];
    *column = (struct ising_column){0};
    CHECK(case_read_variable(run, name, "results.nc", quantity, &values, shape));
    snprintf(error_name, sizeof error_name, "%s_error", quantity);
    if (case_read_variable(run, name, "results.nc", error_name, &errors, shape) != STATUS_OK)
        status_clear(); // a number of measurements has none
    *column = (struct ising_column){shape[0], calloc(shape[0] + 1, sizeof *column->at)};
    for (size_t k = 0; column->at && k < column->count; k++)
        column->at[k] = (struct ising_estimate){values[k], errors ? errors[k] : NAN};
    free(values);
    free(errors);
    if (!column->at)
        return FAIL(STATUS_SYSTEM, "not enough memory for the results of the job %s", name);
    return column->count > 0 ? STATUS_OK : FAIL(STATUS_DATA, "results.nc of the job %s has no records", name);
}

void ising_column_free(struct ising_column *column)
{
    free(column->at);
    *column = (struct ising_column){0};
}

enum status ising_value_read(const struct validation_run *run, const char *name, const char *quantity,
                             struct ising_estimate *value)
{
    struct ising_column column;
    const enum status status = ising_column_read(run, name, quantity, &column);
    if (status == STATUS_OK)
        *value = column.at[0];
    ising_column_free(&column);
    return status;
}

enum status ising_measure(struct validation_run *run, const char *source, struct ising_estimate value,
                          struct ising_estimate known, const char *format, ...)
{
    char what[VALIDATION_NAME_BYTES - 16], quantity[VALIDATION_NAME_BYTES];
    const double error = hypot(value.error, known.error);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(quantity, sizeof quantity, "%s, +-%.2g", what, error);
    // Of what never changed the last digit remains.
    return validation_measure(run, &(struct validation_measure){.quantity = quantity,
                                                                .unit = "1",
                                                                .computed = value.value,
                                                                .reference = known.value,
                                                                .source = source,
                                                                .tolerance = "errors",
                                                                .scale = fmax(error, 1e-15)});
}

struct ising_chi2 ising_chi2(const struct ising_estimate *values, const struct ising_estimate *known,
                             size_t count)
{
    struct ising_chi2 chi2 = {0};
    for (size_t k = 0; k < count; k++) {
        const double error = hypot(values[k].error, known[k].error);
        const double off = (values[k].value - known[k].value) / error;
        if (!(error > 0) || isnan(off)) {
            chi2.sum = NAN; // a missing error cannot be judged
            continue;
        }
        chi2.sum += off * off;
        chi2.largest = fmax(chi2.largest, fabs(off));
        chi2.count++;
    }
    return chi2;
}

// ---- pictures

enum status ising_draw_values(struct validation_run *run, struct validation_picture *picture,
                              const char *line, const double *x, const struct ising_estimate *values,
                              size_t count)
{
    double *y = malloc((count + 1) * sizeof *y);
    if (!y)
        return FAIL(STATUS_SYSTEM, "not enough memory for a line");
    for (size_t k = 0; k < count; k++)
        y[k] = values[k].value;
    const enum status status = validation_line(run, picture, line, true, x, y, count);
    free(y);
    return status;
}
