// The figures of the source document (R. Balen, master's thesis, Zagreb 2016: a Phenom II X4 and an i5-3570, a Radeon 7790 and a 5670, in
// single precision) beside ours. Times are of a frame: forces, step and walls; with cells, the sort on the processor too.
// Measures nothing.
#include "models/gas/bench_private.h"

#include <stdio.h>

const struct bench_source_row gas_bench_source_rows[BENCH_SOURCE_ROWS] = {
    {"BasicNbodyMTI", "Phenom II", false, BENCH_LOG, GAS_ALL_PAIRS, 16384, 307, 0},
    {"MTIJwideFissionFusionMem", "Phenom II", false, BENCH_LOG, GAS_ALL_PAIRS, 16384, 108, 0},
    {"MTJwideFission", "i5-3570", false, BENCH_LOG, GAS_ALL_PAIRS, 16384, 72, 0},
    {"BasicNbodyMTI", "Phenom II", false, BENCH_LOG, GAS_ALL_PAIRS, 65536, 4830, 0},
    {"CPUMTI_U2", "Phenom II", false, BENCH_LOG, GAS_ALL_PAIRS, 65536, 4504, 0},
    {"CPUTiled3, 2500 cells", "Phenom II", false, BENCH_LOG_2500, GAS_CELLS, 2097152, 20600, 0},
    // 56 times the time of GPUTiled.
    {"CPUTiled, the final program", "Phenom II", false, BENCH_CONDENSING_2500, GAS_CELLS, 262144, 1680, 0},
    {"BasicNbodyMTI", "Radeon 7790", true, BENCH_LOG, GAS_ALL_PAIRS, 65536, 121, 0},
    {"GPUMTI", "Radeon 7790", true, BENCH_LOG, GAS_ALL_PAIRS, 65536, 99.4, 0},
    {"GPUMTI_U16", "Radeon 7790", true, BENCH_LOG, GAS_ALL_PAIRS, 65536, 67, 0},
    {"GPUMTI_SBi4_U8", "Radeon 5670", true, BENCH_LOG, GAS_ALL_PAIRS, 65536, 198, 0},
    {"GPUMTI_U16", "Radeon 7790", true, BENCH_LOG, GAS_ALL_PAIRS, 131072, 252, 0},
    {"GPUTiled1, 2500 cells", "Radeon 7790", true, BENCH_LOG_2500, GAS_CELLS, 262144, 0, 17},
    {"GPUTiled2, 2500 cells", "Radeon 7790", true, BENCH_LOG_2500, GAS_CELLS, 262144, 0, 26},
    {"GPUTiled3, 2500 cells", "Radeon 7790", true, BENCH_LOG_2500, GAS_CELLS, 262144, 0, 47},
    {"every pair", "Radeon 7790", true, BENCH_LOG, GAS_ALL_PAIRS, 2097152, 59300, 0},
    {"GPUTiled3_U, 2500 cells, 1 near", "Radeon 7790", true, BENCH_LOG_2500, GAS_CELLS, 2097152, 120, 450},
    {"GPUTiled, the final program", "Radeon 7790", true, BENCH_CONDENSING_2500, GAS_CELLS, 262144, 30, 0},
};

static const enum element precisions[2] = {ELEMENT_F32, ELEMENT_F64};

// "0.1234", "~12.3", "-"
static void print_time(const struct bench_row *row)
{
    char text[32] = "-";
    if (row && row->time.step_ms > 0)
        snprintf(text, sizeof text, "%s%.4g", row->has_run ? "" : "~", row->time.step_ms);
    printf(" %10s", text);
}

static void print_ratio(double ratio, const char *before)
{
    char text[32] = "-";
    if (ratio > 0)
        snprintf(text, sizeof text, "%s%.3g", before, ratio);
    printf(" %9s", text);
}

static double ratio_of(const struct bench_row *pairs, const struct bench_row *row)
{
    return pairs && row && row->time.step_ms > 0 ? pairs->time.step_ms / row->time.step_ms : 0;
}

static void print_line(const struct bench_results *results, const struct bench_source_row *source,
                       const struct bench_entry *entry, int e)
{
    const struct bench_row *rows[2], *pairs;
    printf("%-32s %-12s %8zu", source->name, source->machine, source->count);
    print_ratio(source->ms, "");
    print_ratio(source->speed_up, source->ms > 0 ? ">" : "");
    printf("  %-10s", entry->label);
    for (int kind = 0; kind < 2; kind++) {
        rows[kind] =
            gas_bench_find(results, e, source->system, source->method, precisions[kind], source->count);
        print_time(rows[kind]);
    }
    pairs = gas_bench_find(results, e, BENCH_LOG, GAS_ALL_PAIRS, ELEMENT_F32, source->count);
    print_ratio(source->speed_up > 0 ? ratio_of(pairs, rows[0]) : 0,
                pairs && rows[0] && pairs->has_run && rows[0]->has_run ? "" : "~");
    putchar('\n');
}

void gas_bench_print_source(const struct bench_options *options, const struct bench_results *results)
{
    printf("\nthe source document's variants, ms a frame in single precision and how much faster than every "
           "pair on the same card:\nits own (2016), then here, ms a step (2500 cells: 9 near ones, but where "
           "it says 1)\n%-32s %-12s %8s %9s %9s  %-10s %10s %10s %9s\n",
           "", "", "n", "its ms", "faster", "", "float, ms", "double, ms", "faster");
    for (int k = 0; k < BENCH_SOURCE_ROWS; k++)
        for (int e = 0; e < options->common.entry_count; e++) {
            const struct bench_entry *entry = &options->common.entries[e];
            if (entry->backend->has_devices == gas_bench_source_rows[k].is_device &&
                !bench_is_reference(entry))
                print_line(results, &gas_bench_source_rows[k], entry, e);
        }
}
