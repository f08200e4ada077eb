// What `fathom bench bioheat` prints: its table, beside published figures, and the same as JSON. Measures
// nothing.
#include "bench/bioheat/private.h"

#include <cjson/cJSON.h>
#include <omp.h>
#include <stdio.h>

// What others measured. In Gcell/s where they give it, else in GFLOP/s by their own count.
static const struct published {
    const char *what;
    double gigaflops, gigacells; // 0: not given
} published[] = {
    {"thesis, Brno 2013: GTX 580, naive, blocks of 32 x 8 x 4", 135, 0},
    {"  shared memory, 8 points a thread", 120, 0},
    {"  shared memory", 109, 0},
    {"  1-D texture, small grids only", 95, 0},
    {"  shared-memory colouring", 80, 0},
    {"  naive colouring", 64, 0},
    {"  3-D texture", 57, 0},
    {"  two 8-core E5-2665, best of its CPU kernels", 32, 0},
    {"BabelViscoFDTD on one H200: CUDA, second order, dose, labels", 0, 11.4},
};

void bench_describe_row(const struct bench_row *row, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s, %s", row->precision == ELEMENT_F32 ? "float" : "double", row->variant->name);
}

static double gigaflops_of(double cells_per_s)
{
    return cells_per_s * BENCH_FLOPS / 1e9;
}

static void print_published(void)
{
    printf("\npublished%55s %12s %9s\n", "", "Gcell-st./s", "GFLOP/s");
    for (size_t k = 0; k < sizeof published / sizeof *published; k++) {
        const struct published *p = &published[k];
        if (p->gigaflops > 0)
            printf("%-64s %11.3g* %9.4g\n", p->what, p->gigaflops / BENCH_FLOPS, p->gigaflops);
        else
            printf("%-64s %11.3g  %9s\n", p->what, p->gigacells, "-");
    }
    printf(
        "GFLOP/s: %d operations a cell-step, the formula as the thesis prints it; * from its GFLOP/s by this "
        "count.\n",
        BENCH_FLOPS);
}

void bench_print(const struct bench_options *options, const struct bench_results *results)
{
    printf("grid %zu x %zu x %zu (z, y, x), %d threads, instruction set %s, median of %d%s\n",
           options->cells[BIOHEAT_Z], options->cells[BIOHEAT_Y], options->cells[BIOHEAT_X],
           omp_get_max_threads(), bioheat_backend_openmp.instruction_set(), options->common.repeat,
           options->by_processor_time ? ", by processor time" : "");
    bench_print_copy_rates(&options->common);
    printf("\n%-12s %-36s %6s %10s %13s %11s %8s %8s %9s\n", "back end", "variant", "steps", "ms a step",
           "Gcell-steps/s", "bytes/cell", "GB/s", "of copy", "GFLOP/s");
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *row = &results->rows[k];
        char variant[BENCH_LABEL_BYTES];
        bench_describe_row(row, variant, sizeof variant);
        printf("%-12s %-36s %6d %10.4g %13.4g %11.0f %8.4g %7.0f%% %9.4g\n", row->entry->label, variant,
               row->steps, row->step_ms, row->cells_per_s / 1e9, row->bytes_per_cell, row->gigabytes_per_s,
               100 * row->gigabytes_per_s / row->entry->copy_gigabytes_per_s, gigaflops_of(row->cells_per_s));
    }
    print_published();
    bench_print_notes(&options->common);
}

static void add_row(cJSON *list, const struct bench_row *row)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "backend", row->entry->label);
    cJSON_AddStringToObject(item, "variant", row->variant->name);
    cJSON_AddStringToObject(item, "precision", row->precision == ELEMENT_F32 ? "float" : "double");
    cJSON_AddNumberToObject(item, "steps", row->steps);
    cJSON_AddStringToObject(item, "clock", row->is_device_clock ? "device" : "host");
    cJSON_AddNumberToObject(item, "step_ms", row->step_ms);
    cJSON_AddNumberToObject(item, "cell_steps_per_s", row->cells_per_s);
    cJSON_AddNumberToObject(item, "bytes_per_cell", row->bytes_per_cell);
    cJSON_AddNumberToObject(item, "gb_s", row->gigabytes_per_s);
    cJSON_AddNumberToObject(item, "copy_gb_s", row->entry->copy_gigabytes_per_s);
    cJSON_AddNumberToObject(item, "of_copy", row->gigabytes_per_s / row->entry->copy_gigabytes_per_s);
    cJSON_AddNumberToObject(item, "gflop_s", gigaflops_of(row->cells_per_s));
    cJSON_AddItemToArray(list, item);
}

enum status bench_print_as_json(const struct bench_options *options, const struct bench_results *results)
{
    cJSON *report = cJSON_CreateObject();
    cJSON *size = cJSON_AddArrayToObject(report, "cells");
    for (int axis = 0; axis < BIOHEAT_AXES; axis++)
        cJSON_AddItemToArray(size, cJSON_CreateNumber((double)options->cells[axis]));
    bench_add_machine(report, &options->common, bioheat_backend_openmp.instruction_set());
    cJSON_AddNumberToObject(report, "flops_per_cell_step", BENCH_FLOPS);
    bench_add_copy_rates(report, &options->common);
    cJSON *list = cJSON_AddArrayToObject(report, "variants");
    for (int k = 0; k < results->row_count; k++)
        add_row(list, &results->rows[k]);
    bench_add_notes(report, &options->common);
    return bench_print_report(report);
}
