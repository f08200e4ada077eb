// The tables of `fathom bench gas` as JSON: every row once. Measures nothing.
#include "bench/gas/private.h"

#include <cjson/cJSON.h>
#include <math.h>

static const char *const way_names[BENCH_WAYS] = {"all-pairs", "lists", "regions"};

static void add_regions(cJSON *item, const struct bench_row *row)
{
    cJSON_AddNumberToObject(item, "columns", row->columns);
    cJSON_AddNumberToObject(item, "rows", row->rows);
    cJSON *error = cJSON_AddObjectToObject(item, "relative_error");
    cJSON_AddNumberToObject(error, "samples", row->error.samples);
    cJSON_AddNumberToObject(error, "rms", row->error.rms);
    cJSON_AddNumberToObject(error, "largest", row->error.largest);
}

static void add_work(cJSON *item, const struct bench_results *results, const struct bench_row *row)
{
    const double per_s = 1e3 / row->time.step_ms, limit = gas_bench_pairs_limit(results, row);
    const double copy = 1e9 * row->entry->copy_gigabytes_per_s;
    cJSON_AddNumberToObject(item, "steps", row->time.steps);
    cJSON_AddNumberToObject(item, "repeat", row->time.repeat);
    cJSON_AddStringToObject(item, "clock", row->time.is_device_clock ? "device" : "host");
    cJSON_AddNumberToObject(item, "particle_steps_per_s", (double)row->count * per_s);
    cJSON_AddNumberToObject(item, "pairs", row->pairs);
    cJSON_AddNumberToObject(item, "pairs_per_s", row->pairs * per_s);
    if (limit > 0)
        cJSON_AddNumberToObject(item, "of_arithmetic", row->pairs * per_s / limit);
    cJSON_AddNumberToObject(item, "bytes", row->bytes);
    if (copy > 0)
        cJSON_AddNumberToObject(item, "of_copy", row->bytes * per_s / copy);
    if (fabs(row->potential) > 0)
        cJSON_AddNumberToObject(item, "potential_at_start", row->potential);
    if (row->way == BENCH_LISTS) {
        cJSON_AddNumberToObject(item, "neighbours", row->neighbours);
        cJSON_AddNumberToObject(item, "rebuilds_per_step", row->rebuilds_per_step);
    }
    if (row->way == BENCH_REGIONS)
        add_regions(item, row);
    cJSON *phases = cJSON_AddObjectToObject(item, "phase_ms");
    for (int phase = 0; phase < GAS_PHASES; phase++)
        cJSON_AddNumberToObject(phases, gas_bench_phase_names[phase], row->phase_ms[phase]);
}

static void add_row(cJSON *list, const struct bench_results *results, const struct bench_row *row)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "backend", row->entry->label);
    cJSON_AddStringToObject(item, "system", gas_bench_system_names[row->system]);
    cJSON_AddStringToObject(item, "method", way_names[row->way]);
    cJSON_AddStringToObject(item, "precision", bench_precision_name(row->precision));
    cJSON_AddNumberToObject(item, "n", (double)row->count);
    cJSON_AddBoolToObject(item, "is_estimate", !row->has_run);
    cJSON_AddNumberToObject(item, "step_ms", row->time.step_ms);
    if (row->has_run)
        add_work(item, results, row);
    cJSON_AddItemToArray(list, item);
}

static void add_limits(cJSON *report, const struct bench_options *options,
                       const struct bench_results *results)
{
    cJSON *list = cJSON_AddArrayToObject(report, "limits");
    for (int e = 0; e < options->common.entry_count; e++)
        for (int kind = 0; kind < 2; kind++) {
            const struct bench_limit *limit = &results->limits[e][kind];
            if (!(limit->fma_per_s > 0))
                continue;
            cJSON *item = cJSON_CreateObject();
            cJSON_AddStringToObject(item, "backend", options->common.entries[e].label);
            cJSON_AddStringToObject(item, "precision", kind == 0 ? "float" : "double");
            cJSON_AddNumberToObject(item, "fma_per_s", limit->fma_per_s);
            cJSON_AddNumberToObject(item, "rsqrt_per_s", limit->rsqrt_per_s);
            cJSON_AddItemToArray(list, item);
        }
}

static void add_source(cJSON *report)
{
    cJSON *list = cJSON_AddArrayToObject(report, "source_document");
    for (int k = 0; k < BENCH_SOURCE_ROWS; k++) {
        const struct bench_source_row *row = &gas_bench_source_rows[k];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "variant", row->name);
        cJSON_AddStringToObject(item, "machine", row->machine);
        cJSON_AddStringToObject(item, "system", gas_bench_system_names[row->system]);
        cJSON_AddNumberToObject(item, "n", (double)row->count);
        if (row->ms > 0)
            cJSON_AddNumberToObject(item, "frame_ms", row->ms);
        if (row->speed_up > 0)
            cJSON_AddNumberToObject(item, "speed_up", row->speed_up);
        if (row->near_cells > 0)
            cJSON_AddNumberToObject(item, "near_cells", row->near_cells);
        if (row->note)
            cJSON_AddStringToObject(item, "note", row->note);
        cJSON_AddBoolToObject(item, "has_counterpart", !row->has_none);
        cJSON_AddItemToArray(list, item);
    }
}

enum status gas_bench_print_json(const struct bench_options *options, const struct bench_results *results)
{
    cJSON *report = cJSON_CreateObject();
    bench_add_machine(report, &options->common, gas_backend_openmp.instruction_set());
    bench_add_copy_rates(report, &options->common);
    cJSON_AddNumberToObject(report, "budget_s", options->budget_s);
    cJSON_AddNumberToObject(report, "near", options->near);
    cJSON_AddNumberToObject(report, "far", options->far);
    cJSON_AddNumberToObject(report, "order", options->order);
    cJSON *operations = cJSON_AddObjectToObject(report, "operations_per_pair");
    for (int s = 0; s < BENCH_SYSTEMS; s++)
        cJSON_AddNumberToObject(operations, gas_bench_system_names[s],
                                gas_bench_pair_operations((enum bench_system)s));
    add_limits(report, options, results);
    cJSON *list = cJSON_AddArrayToObject(report, "rows");
    for (int k = 0; k < results->row_count; k++)
        if (results->rows[k].tables != 0 && results->rows[k].time.step_ms > 0)
            add_row(list, results, &results->rows[k]);
    add_source(report);
    bench_add_notes(report, &options->common);
    return bench_print_report(report);
}
