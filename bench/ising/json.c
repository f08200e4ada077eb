// The table of `fathom bench ising` as JSON. Measures nothing.
#include "bench/ising/private.h"

#include <cjson/cJSON.h>

static void add_check(cJSON *item, const struct bench_options *options, const struct bench_row *row)
{
    cJSON *check = cJSON_AddObjectToObject(item, "check");
    cJSON_AddNumberToObject(check, "beta", options->check_beta);
    cJSON_AddNumberToObject(check, "sweeps", (double)row->check.sweeps);
    cJSON_AddNumberToObject(check, "measurements", (double)row->check.measurements);
    cJSON_AddNumberToObject(check, "energy", row->check.energy);
    cJSON_AddNumberToObject(check, "error", row->check.error);
    cJSON_AddNumberToObject(check, "exact", row->check.exact);
    cJSON_AddNumberToObject(check, "sigmas", ising_bench_sigmas(row));
}

static void add_row(cJSON *list, const struct bench_options *options, const struct bench_results *results,
                    const struct bench_row *row)
{
    const double bytes = ising_bench_bytes(options, row);
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "backend", row->entry->label);
    cJSON_AddStringToObject(item, "method", ising_method_names[row->method]);
    cJSON_AddNumberToObject(item, "columns", (double)row->lattice.columns);
    cJSON_AddNumberToObject(item, "rows", (double)row->lattice.rows);
    cJSON_AddNumberToObject(item, "replicas", (double)row->lattice.replicas);
    cJSON_AddStringToObject(item, "spin", ising_bench_spins(row));
    cJSON_AddNumberToObject(item, "sweep_ms", row->time.step_ms);
    cJSON_AddNumberToObject(item, "steps", row->time.steps);
    cJSON_AddNumberToObject(item, "repeat", row->time.repeat);
    cJSON_AddStringToObject(item, "clock", row->time.is_device_clock ? "device" : "host");
    cJSON_AddNumberToObject(item, "turned", row->turned);
    cJSON_AddNumberToObject(item, "flips_per_ns", ising_bench_rate(row));
    cJSON_AddNumberToObject(item, "words_per_flip", ising_bench_words(row));
    if (results->draws_per_s[row->entry_index] > 0)
        cJSON_AddNumberToObject(item, "of_arithmetic", ising_bench_of_arithmetic(results, row));
    if (bytes > 0) {
        cJSON_AddNumberToObject(item, "bytes", bytes);
        cJSON_AddNumberToObject(item, "of_copy", ising_bench_of_copy(options, row));
    }
    if (row->check.measurements > 0)
        add_check(item, options, row);
    cJSON_AddItemToArray(list, item);
}

enum status ising_bench_print_json(const struct bench_options *options, const struct bench_results *results)
{
    cJSON *report = cJSON_CreateObject();
    bench_add_machine(report, &options->common, ising_backend_openmp.instruction_set());
    bench_add_copy_rates(report, &options->common);
    cJSON *draws = cJSON_AddObjectToObject(report, "random_words_per_s");
    for (int e = 0; e < options->common.entry_count; e++)
        if (results->draws_per_s[e] > 0)
            cJSON_AddNumberToObject(draws, options->common.entries[e].label, results->draws_per_s[e]);
    cJSON_AddStringToObject(report, "boundary", ising_boundary_names[options->boundary]);
    cJSON_AddNumberToObject(report, "beta", options->beta);
    cJSON_AddNumberToObject(report, "every", options->every);
    cJSON_AddNumberToObject(report, "budget_s", options->budget_s);
    cJSON *list = cJSON_AddArrayToObject(report, "rows");
    for (int k = 0; k < results->row_count; k++)
        if (results->rows[k].has_run)
            add_row(list, options, results, &results->rows[k]);
    bench_add_notes(report, &options->common);
    return bench_print_report(report);
}
