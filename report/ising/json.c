// Figures of runs of the Ising model as JSON.
#include "report/ising/report.h"

#include <math.h>
#include <stdio.h>

static void add_difference(cJSON *object, const char *name, const struct ising_difference *difference)
{
    char key[80];
    if (difference->count == 0)
        return;
    snprintf(key, sizeof key, "%s_chi_squared", name);
    cJSON_AddNumberToObject(object, key, difference->chi_squared);
    snprintf(key, sizeof key, "%s_count", name);
    cJSON_AddNumberToObject(object, key, (double)difference->count);
}

static void add_temperature(cJSON *list, const struct ising_run *run, size_t k)
{
    cJSON *object = json_append_object(list);
    json_add_number(object, "beta", run->beta[k]);
    for (int f = 0; f < ISING_FIGURES; f++) {
        const char *name = ising_figure_texts[f].variable;
        char key[80];
        json_add_number(object, name, run->value[f][k]);
        snprintf(key, sizeof key, "%s_error", name);
        json_add_number(object, key, run->error[f][k]);
        const double exact = report_ising_exact_of_lattice(run, (enum ising_figure)f, run->beta[k]);
        snprintf(key, sizeof key, "%s_exact", name);
        if (isfinite(exact))
            json_add_number(object, key, exact);
    }
    cJSON_AddBoolToObject(object, "is_reliable", run->is_reliable[k] != 0);
}

static void add_run(cJSON *list, const struct ising_run *run)
{
    cJSON *object = json_append_object(list);
    cJSON_AddStringToObject(object, "directory", run->directory);
    cJSON_AddStringToObject(object, "name", run->name);
    json_add_number(object, "columns", run->facts.columns);
    json_add_number(object, "rows", run->facts.rows);
    json_add_number(object, "unreliable", (double)report_ising_count_unreliable(run));
    for (int f = 0; f < ISING_COMPARED; f++) {
        char name[64];
        const struct ising_difference difference = report_ising_against_exact(run, ising_compared[f]);
        snprintf(name, sizeof name, "%s_exact", ising_figure_texts[ising_compared[f]].variable);
        add_difference(object, name, &difference);
    }
    cJSON *temperatures = cJSON_AddArrayToObject(object, "temperatures");
    for (size_t k = 0; k < run->count; k++)
        add_temperature(temperatures, run, k);
}

static void add_pair(cJSON *pairs, cJSON *crossings, const struct report_ising *ising, size_t a, size_t b)
{
    const struct ising_run *one = &ising->runs[a], *other = &ising->runs[b];
    const bool is_same = report_ising_is_same_lattice(one, other);
    double error = NAN,
           beta = b == report_ising_next_size(ising, a) ? report_ising_crossing(one, other, &error) : NAN;
    if (!is_same && !isfinite(beta))
        return;
    cJSON *object = json_append_object(is_same ? pairs : crossings);
    cJSON_AddStringToObject(object, "one", one->name);
    cJSON_AddStringToObject(object, "other", other->name);
    if (isfinite(beta)) {
        json_add_number(object, "beta", beta);
        json_add_number(object, "beta_error", error);
    }
    for (int f = 0; f < ISING_COMPARED && is_same; f++) {
        const struct ising_difference difference = report_ising_compare(one, other, ising_compared[f]);
        add_difference(object, ising_figure_texts[ising_compared[f]].variable, &difference);
    }
}

void report_ising_json(cJSON *root, const struct report *report)
{
    const struct report_ising *ising = report->state;
    cJSON *runs = cJSON_AddArrayToObject(root, "runs");
    for (size_t k = 0; k < ising->count; k++)
        add_run(runs, &ising->runs[k]);
    if (ising->count < 2)
        return;
    cJSON *pairs = cJSON_AddArrayToObject(root, "comparisons"),
          *crossings = cJSON_AddArrayToObject(root, "binder_crossings");
    for (size_t a = 0; a < ising->count; a++)
        for (size_t b = a + 1; b < ising->count; b++)
            add_pair(pairs, crossings, ising, a, b);
}
