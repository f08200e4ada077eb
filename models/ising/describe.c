// Describes a run of the Ising model in run.json and in the plan's JSON: lattice, physics, sweeps,
// temperatures with their results, stages.
#include "models/describe_record.h"
#include "models/ising/initial.h"
#include "models/ising/instance.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void describe_system(const struct ising *g, cJSON *report)
{
    static const char *const starts[] = {[ISING_START_COLD] = "cold",
                                         [ISING_START_HOT] = "hot",
                                         [ISING_START_STRIPES] = "stripes",
                                         [ISING_START_FILE] = "file"};
    const struct ising_params *p = &g->params;
    const struct ising_lattice *l = &p->physics.lattice;
    cJSON *lattice = cJSON_AddObjectToObject(report, "lattice");
    cJSON_AddNumberToObject(lattice, "columns", (double)l->columns);
    cJSON_AddNumberToObject(lattice, "rows", (double)l->rows);
    cJSON_AddStringToObject(lattice, "boundary", ising_boundary_names[l->boundary]);
    cJSON_AddNumberToObject(lattice, "replicas", (double)l->replicas);
    cJSON *physics = cJSON_AddObjectToObject(report, "physics");
    cJSON_AddNumberToObject(physics, "coupling", p->physics.coupling);
    cJSON_AddNumberToObject(physics, "field", p->physics.field);
    cJSON_AddStringToObject(report, "start", starts[ising_initial_kind(p->initial)]);
    cJSON_AddStringToObject(report, "method", ising_method_names[p->physics.method]);
    cJSON_AddStringToObject(report, "order", p->is_tempered ? "temper" : "independent");
    cJSON *sweeps = cJSON_AddObjectToObject(report, "sweeps");
    cJSON_AddNumberToObject(sweeps, "count", (double)p->sweeps.count);
    if (p->sweeps.thermalisation >= 0)
        cJSON_AddNumberToObject(sweeps, "thermalisation", (double)p->sweeps.thermalisation);
    else
        cJSON_AddStringToObject(sweeps, "thermalisation", "found");
    cJSON_AddNumberToObject(sweeps, "every", (double)p->sweeps.every);
}

// The value of a variable in a record of results.nc; NULL if the name is unknown.
static const double *find(const struct stream *stream, const double *record, const char *name,
                          const char *suffix)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%s%s", name, suffix);
    for (int v = 0; v < stream->variable_count; v++) {
        if (strcmp(stream->variables[v].name, wanted) == 0)
            return record;
        record += stream_variable_length(stream, &stream->variables[v]);
    }
    return NULL;
}

// {"beta": 0.44, "energy": [value, error], …, "is_reliable": true}
static cJSON *describe_temperature(const struct stream *stream, const double *record)
{
    static const char *const names[] = {"beta",
                                        "energy",
                                        "specific_heat",
                                        "absolute_magnetisation",
                                        "susceptibility",
                                        "binder_cumulant",
                                        "cluster_size",
                                        "tau_energy",
                                        "tau_absolute_magnetisation",
                                        "thermalisation",
                                        "measurements",
                                        "independent_measurements"};
    cJSON *item = cJSON_CreateObject();
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const double *value = find(stream, record, names[k], ""),
                     *error = find(stream, record, names[k], "_error");
        if (!value ||
            (isnan(*value) && strcmp(names[k], "cluster_size") == 0)) // of a method without clusters
            continue;
        if (!error) {
            cJSON_AddItemToObject(item, names[k], describe_number(*value));
            continue;
        }
        cJSON *pair = cJSON_AddArrayToObject(item, names[k]);
        cJSON_AddItemToArray(pair, describe_number(*value));
        cJSON_AddItemToArray(pair, describe_number(*error));
    }
    const double *is_reliable = find(stream, record, "is_reliable", "");
    cJSON_AddBoolToObject(item, "is_reliable", is_reliable && *is_reliable != 0);
    return item;
}

static void describe_temperatures(const struct ising *g, cJSON *report)
{
    const struct stream *stream = &g->results.results;
    const struct ising_verdict *verdict = &g->results.progress.verdict;
    const size_t length = stream_record_bytes(stream) / sizeof(double);
    if (verdict->temperatures == 0) { // of a plan
        cJSON_AddItemToObject(report, "betas",
                              cJSON_CreateDoubleArray(g->params.betas, (int)g->params.temperatures));
        return;
    }
    cJSON *list = cJSON_AddArrayToObject(report, "temperatures");
    for (int64_t k = 0; k < verdict->temperatures; k++)
        cJSON_AddItemToArray(list, describe_temperature(stream, g->table + (size_t)k * length));
    cJSON_AddNumberToObject(report, "unreliable_temperatures", (double)verdict->unreliable);
}

static void describe_stage_times(const struct ising *g, cJSON *report)
{
    const struct ising_stage_times *times = &g->stage_times;
    if (times->sweeps == 0)
        return;
    cJSON *phases = cJSON_AddObjectToObject(report, "phases");
    cJSON_AddNumberToObject(phases, "timed_steps", (double)times->sweeps);
    cJSON_AddNumberToObject(phases, "timed_measurements", (double)times->measures);
    cJSON_AddNumberToObject(phases, "sweeps_s", times->sweeps_s);
    cJSON_AddNumberToObject(phases, "clusters_s", times->clusters_s);
    cJSON_AddNumberToObject(phases, "measures_s", times->measures_s);
}

void ising_describe(void *instance, cJSON *report)
{
    const struct ising *g = instance;
    describe_system(g, report);
    describe_temperatures(g, report);
    describe_stage_times(g, report);
    check_describe(&g->base, report);
}
