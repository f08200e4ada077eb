// The tables of `fathom bench nbody` as JSON: every row once, with the tables that it is for. Measures
// nothing.
#include "bench/nbody/private.h"

#include "models/nbody/params.h"

#include <cjson/cJSON.h>
#include <math.h>

static const char *const error_names[BENCH_ERRORS] = {"median", "p90", "p99", "largest"};
static const char *const table_names[] = {"variants", "source", "phases", "sizes"};

static void add_work(cJSON *item, const struct bench_results *results, const struct bench_row *row)
{
    const double per_s = 1e3 / row->step_ms, share = nbody_bench_share_of_limit(results, row);
    cJSON_AddNumberToObject(item, "steps", row->time.steps);
    cJSON_AddNumberToObject(item, "repeat", row->time.repeat);
    cJSON_AddStringToObject(item, "clock", row->time.is_device_clock ? "device" : "host");
    cJSON_AddNumberToObject(item, "interactions_per_s", row->interactions * per_s);
    cJSON_AddNumberToObject(item, "flop_s", row->flops * per_s);
    if (share > 0)
        cJSON_AddNumberToObject(item, "of_limit", share);
    cJSON *errors = cJSON_AddObjectToObject(item, "relative_error");
    for (int k = 0; k < BENCH_ERRORS; k++)
        cJSON_AddNumberToObject(errors, error_names[k], row->errors[k]);
}

static void add_tree(cJSON *item, const struct bench_row *row)
{
    const double n = (double)row->count;
    cJSON_AddNumberToObject(item, "cell_interactions_per_body", row->counts.cell_interactions / n);
    cJSON_AddNumberToObject(item, "body_interactions_per_body", row->counts.body_interactions / n);
    cJSON_AddNumberToObject(item, "cells", (double)row->counts.cells);
    cJSON_AddNumberToObject(item, "leaves", (double)row->counts.leaves);
    cJSON_AddNumberToObject(item, "cells_planned", (double)row->counts.cells_planned);
    cJSON *phases = cJSON_AddObjectToObject(item, "phase_ms");
    for (int phase = 0; phase < NBODY_PHASES; phase++)
        cJSON_AddNumberToObject(phases, nbody_bench_phase_names[phase], row->phase_ms[phase]);
}

static void add_row(cJSON *list, const struct bench_results *results, const struct bench_row *row)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "backend", row->entry->label);
    cJSON_AddStringToObject(item, "method", nbody_method_names[row->method]);
    cJSON_AddStringToObject(item, "precision", row->precision == ELEMENT_F32 ? "float" : "double");
    cJSON_AddNumberToObject(item, "n", (double)row->count);
    cJSON *tables = cJSON_AddArrayToObject(item, "tables");
    for (int k = 0; k < 4; k++)
        if (row->tables & 1u << k)
            cJSON_AddItemToArray(tables, cJSON_CreateString(table_names[k]));
    cJSON_AddBoolToObject(item, "is_estimate", !row->has_run);
    cJSON_AddNumberToObject(item, "step_ms", row->step_ms);
    if (row->has_run)
        add_work(item, results, row);
    if (row->has_run && row->method == NBODY_BARNES_HUT)
        add_tree(item, row);
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
            cJSON_AddNumberToObject(item, "interactions_per_s", bench_pairs_per_s(limit));
            cJSON_AddItemToArray(list, item);
        }
}

static void add_source(cJSON *report)
{
    cJSON *source = cJSON_AddObjectToObject(report, "source_document");
    cJSON *list = cJSON_AddArrayToObject(source, "seconds");
    for (int k = 0; k < BENCH_SOURCE_ROWS; k++)
        for (int c = 0; c < BENCH_SOURCE_COUNT && nbody_bench_source_rows[k].text[c]; c++) {
            cJSON *item = cJSON_CreateObject();
            cJSON_AddStringToObject(item, "algorithm", nbody_bench_source_rows[k].name);
            cJSON_AddStringToObject(item, "method", nbody_method_names[nbody_bench_source_rows[k].method]);
            cJSON_AddNumberToObject(item, "n", (double)nbody_bench_source_counts[c]);
            cJSON_AddStringToObject(item, "seconds", nbody_bench_source_rows[k].text[c]);
            cJSON_AddItemToArray(list, item);
        }
    cJSON *phases = cJSON_AddObjectToObject(source, "phase_ms");
    for (int phase = 0; phase < NBODY_PHASES; phase++)
        cJSON_AddNumberToObject(phases, nbody_bench_phase_names[phase], nbody_bench_source_phase_ms[phase]);
}

static void add_crossovers(cJSON *report, const struct bench_options *options,
                           const struct bench_results *results)
{
    struct bench_comparison comparison;
    cJSON *list = cJSON_AddArrayToObject(report, "crossovers");
    for (int number = 0; nbody_bench_next_comparison(options, &number, &comparison);) {
        const struct bench_crossover found =
            nbody_bench_find_crossover(results, comparison.first, comparison.second);
        if (!found.is_known)
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "faster", comparison.text);
        if (isinf(found.count))
            cJSON_AddNullToObject(item, "from_n"); // at none
        else
            cJSON_AddNumberToObject(item, "from_n", found.count);
        cJSON_AddItemToArray(list, item);
    }
}

enum status nbody_bench_print_json(const struct bench_options *options, const struct bench_results *results)
{
    cJSON *report = cJSON_CreateObject();
    bench_add_machine(report, &options->common, nbody_backend_openmp.instruction_set());
    cJSON_AddStringToObject(report, "particles", options->is_cube ? "uniform-cube" : "plummer");
    cJSON_AddNumberToObject(report, "theta", options->theta);
    cJSON_AddNumberToObject(report, "softening", options->softening);
    cJSON_AddNumberToObject(report, "budget_s", options->budget_s);
    cJSON_AddNumberToObject(report, "flops_per_pair", BENCH_PAIR_FLOPS);
    cJSON_AddNumberToObject(report, "flops_per_cell", BENCH_CELL_FLOPS);
    cJSON_AddNumberToObject(report, "operations_per_pair", BENCH_PAIR_OPERATIONS);
    cJSON_AddNumberToObject(report, "samples", BENCH_SAMPLES);
    add_limits(report, options, results);
    cJSON *list = cJSON_AddArrayToObject(report, "rows");
    for (int k = 0; k < results->row_count; k++)
        if (results->rows[k].tables != 0 && results->rows[k].step_ms > 0)
            add_row(list, results, &results->rows[k]);
    add_source(report);
    add_crossovers(report, options, results);
    bench_add_notes(report, &options->common);
    return bench_print_report(report);
}
