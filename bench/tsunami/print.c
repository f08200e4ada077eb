// What `fathom bench tsunami` prints: its table, and the same as JSON. Measures nothing.
#include "bench/tsunami/private.h"
#include "models/tsunami/params.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>

enum { FORECAST_STEPS = 8640 }; // 24 hours in steps of 10 s

void bench_describe_variant(const struct bench_row *row, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s, %s", row->precision == ELEMENT_F32 ? "float" : "double",
             tsunami_method_name(row->method));
}

// "712.9 M", "96.42 G"
static void format_rate(double rate, char *text, size_t bytes)
{
    if (rate >= 1e9)
        snprintf(text, bytes, "%.4g G", rate / 1e9);
    else
        snprintf(text, bytes, "%.4g M", rate / 1e6);
}

void bench_print_table(const struct bench_options *options, const struct bench_results *results)
{
    const bool floods = bench_floods(options);
    printf("%sgrid %zu x %zu, step %g s (limit %.3g s), %d threads, instruction set %s, median of %d%s%s\n",
           floods ? "run-up " : "", options->nx, options->ny, results->step_s, results->limit_s,
           omp_get_max_threads(), tsunami_backend_openmp.instruction_set(), options->common.repeat,
           options->has_maxima ? ", with maxima" : "", options->manning_n > 0 ? ", with friction" : "");
    bench_print_copy_rates(&options->common);
    const int variant_width = floods ? 21 : 17;
    printf("\n%-12s %-*s %6s %10s %14s %11s %8s %8s %14s%s\n", "back end", variant_width, "variant", "steps",
           "ms a step", "node-steps/s", "bytes/node", "GB/s", "of copy", "8640 steps, s",
           floods ? "    wet and moving" : "");
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *row = &results->rows[k];
        char rate[32], variant[BENCH_VARIANT_BYTES];
        format_rate(row->nodes_per_s, rate, sizeof rate);
        bench_describe_variant(row, variant, sizeof variant);
        printf("%-12s %-*s %6d %10.4g %14s %11.0f %8.4g %7.0f%% %14.4g", row->entry->label, variant_width,
               variant, row->steps, row->step_ms, rate, row->bytes_per_node, row->gigabytes_per_s,
               100 * row->gigabytes_per_s / row->entry->copy_gigabytes_per_s,
               row->step_ms / 1e3 * FORECAST_STEPS);
        if (floods)
            printf(" %12zu %3.0f%%", row->wet_nodes,
                   100 * (double)row->wet_nodes / ((double)options->nx * (double)options->ny));
        putchar('\n');
    }
    bench_print_notes(&options->common);
}

static void add_row(cJSON *list, const struct bench_row *row)
{
    char variant[BENCH_VARIANT_BYTES];
    bench_describe_variant(row, variant, sizeof variant);
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "backend", row->entry->label);
    cJSON_AddStringToObject(item, "variant", variant);
    cJSON_AddNumberToObject(item, "steps", row->steps);
    cJSON_AddStringToObject(item, "clock", row->is_device_clock ? "device" : "host");
    cJSON_AddNumberToObject(item, "step_ms", row->step_ms);
    cJSON_AddNumberToObject(item, "node_steps_per_s", row->nodes_per_s);
    cJSON_AddNumberToObject(item, "bytes_per_node", row->bytes_per_node);
    cJSON_AddNumberToObject(item, "gb_s", row->gigabytes_per_s);
    cJSON_AddNumberToObject(item, "copy_gb_s", row->entry->copy_gigabytes_per_s);
    cJSON_AddNumberToObject(item, "of_copy", row->gigabytes_per_s / row->entry->copy_gigabytes_per_s);
    cJSON_AddNumberToObject(item, "seconds_for_8640_steps", row->step_ms / 1e3 * FORECAST_STEPS);
    if (tsunami_method_floods(row->method))
        cJSON_AddNumberToObject(item, "wet_nodes", (double)row->wet_nodes);
    cJSON_AddItemToArray(list, item);
}

enum status bench_print_json(const struct bench_options *options, const struct bench_results *results)
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddNumberToObject(report, "nx", (double)options->nx);
    cJSON_AddNumberToObject(report, "ny", (double)options->ny);
    cJSON_AddNumberToObject(report, "step_s", results->step_s);
    cJSON_AddNumberToObject(report, "step_limit_s", results->limit_s);
    bench_add_machine(report, &options->common, tsunami_backend_openmp.instruction_set());
    cJSON_AddBoolToObject(report, "maxima", options->has_maxima);
    cJSON_AddNumberToObject(report, "manning_n", options->manning_n);
    bench_add_copy_rates(report, &options->common);
    cJSON *list = cJSON_AddArrayToObject(report, "variants");
    for (int k = 0; k < results->row_count; k++)
        add_row(list, &results->rows[k]);
    bench_add_notes(report, &options->common);
    return bench_print_report(report);
}
