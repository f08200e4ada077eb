// The figures of the source document (R. Balen, master's thesis, Zagreb 2016: a Phenom II X4 and an i5-3570,
// a Radeon 7790 and a 5670, in single precision) beside ours. Times are of a frame: forces, step and walls;
// with cells, the sort on the processor too. Measures nothing.
#include "bench/gas/private.h"

#include <math.h>
#include <stdio.h>

static const char printed[] = "so printed; its count of 18 operations a pair is MTJwideFission's",
                  final[] = "no time is given, only that GPUTiled is 56 times as fast",
                  two_regions[] = "pairs, and a cell on a particle however far: no region of cells on cells",
                  searching[] = "GPUTiled3 without its lists of cells: the same sums";

const struct bench_source_row gas_bench_source_rows[BENCH_SOURCE_ROWS] = {
    {"BasicNbodyMTI", "Phenom II", false, BENCH_LOG, GAS_ALL_PAIRS, 16384, 307, 0, 0, NULL, false},
    {"MTIJwideFissionFusionMem", "Phenom II", false, BENCH_LOG, GAS_ALL_PAIRS, 16384, 108, 0, 0, NULL, false},
    {"MTIJWideFission", "i5-3570", false, BENCH_LOG, GAS_ALL_PAIRS, 16384, 72, 0, 0, printed, false},
    {"BasicNbodyMTI", "Phenom II", false, BENCH_LOG, GAS_ALL_PAIRS, 65536, 4830, 0, 0, NULL, false},
    {"CPUMTI_U2", "Phenom II", false, BENCH_LOG, GAS_ALL_PAIRS, 65536, 4504, 0, 0, NULL, false},
    {"CPUTiled3, 2500 cells", "Phenom II", false, BENCH_LOG_2500, GAS_CELLS, 2097152, 20600, 0, 0, NULL,
     false},
    {"CPUTiled, the final program", "Phenom II", false, BENCH_CONDENSING_2500, GAS_CELLS, 262144, 0, 0, 9,
     final, false},
    {"BasicNbodyMTI", "Radeon 7790", true, BENCH_LOG, GAS_ALL_PAIRS, 65536, 121, 0, 0, NULL, false},
    {"GPUMTI", "Radeon 7790", true, BENCH_LOG, GAS_ALL_PAIRS, 65536, 99.4, 0, 0, NULL, false},
    {"GPUMTI_U16", "Radeon 7790", true, BENCH_LOG, GAS_ALL_PAIRS, 65536, 67, 0, 0, NULL, false},
    {"GPUMTI_SBi4_U8", "Radeon 5670", true, BENCH_LOG, GAS_ALL_PAIRS, 65536, 198, 0, 0, NULL, false},
    {"GPUMTI_U16", "Radeon 7790", true, BENCH_LOG, GAS_ALL_PAIRS, 131072, 252, 0, 0, NULL, false},
    {"GPUTiled1, 2500 cells", "Radeon 7790", true, BENCH_LOG_2500, GAS_CELLS, 262144, 0, 17, 9, two_regions,
     true},
    {"GPUTiled2, 2500 cells", "Radeon 7790", true, BENCH_LOG_2500, GAS_CELLS, 262144, 0, 26, 9, searching,
     true},
    {"GPUTiled3, 2500 cells", "Radeon 7790", true, BENCH_LOG_2500, GAS_CELLS, 262144, 0, 47, 9, NULL, false},
    {"every pair", "Radeon 7790", true, BENCH_LOG, GAS_ALL_PAIRS, 2097152, 59300, 0, 0, NULL, false},
    {"GPUTiled3_U, 2500 cells", "Radeon 7790", true, BENCH_LOG_2500, GAS_CELLS, 2097152, 120, 450, 1, NULL,
     false},
    {"GPUTiled, the final program", "Radeon 7790", true, BENCH_CONDENSING_2500, GAS_CELLS, 262144, 30, 0, 9,
     NULL, false},
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

// Cells whose middles lie nearer than so many cells, the own one among them.
static int near_cells(double near)
{
    const int most = (int)ceil(near);
    int count = 0;
    for (int j = -most; j <= most; j++)
        for (int i = -most; i <= most; i++)
            count += i * i + j * j < near * near;
    return count;
}

// "9 / 9": its near cells, then ours.
static void print_near(const struct bench_options *options, const struct bench_source_row *source)
{
    char its[16] = "-", ours[16] = "-", text[40];
    if (source->near_cells > 0)
        snprintf(its, sizeof its, "%d", source->near_cells);
    if (!source->has_none)
        snprintf(ours, sizeof ours, "%d", near_cells(options->near));
    snprintf(text, sizeof text, "%s / %s", its, ours);
    printf(" %9s", source->method == GAS_CELLS ? text : "");
}

static void print_line(const struct bench_options *options, const struct bench_results *results,
                       const struct bench_source_row *source, const struct bench_entry *entry, int e)
{
    const struct bench_row *rows[2] = {NULL, NULL}, *pairs;
    printf("%-28s %-12s %8zu", source->name, source->machine, source->count);
    print_ratio(source->ms, "");
    print_ratio(source->speed_up, source->ms > 0 ? ">" : "");
    print_near(options, source);
    printf("  %-10s", entry->label);
    for (int kind = 0; kind < 2; kind++) {
        if (!source->has_none)
            rows[kind] =
                gas_bench_find(results, e, source->system, source->method, precisions[kind], source->count);
        print_time(rows[kind]);
    }
    pairs = gas_bench_find(results, e, BENCH_LOG, GAS_ALL_PAIRS, ELEMENT_F32, source->count);
    print_ratio(source->speed_up > 0 ? ratio_of(pairs, rows[0]) : 0,
                pairs && rows[0] && pairs->has_run && rows[0]->has_run ? "" : "~");
    putchar('\n');
}

static void print_notes(const struct bench_options *options)
{
    for (int k = 0; k < BENCH_SOURCE_ROWS; k++) {
        const struct bench_source_row *row = &gas_bench_source_rows[k];
        bool is_shown = false;
        for (int e = 0; e < options->common.entry_count; e++)
            is_shown = is_shown || (options->common.entries[e].backend->has_devices == row->is_device &&
                                    !bench_is_reference(&options->common.entries[e]));
        if (row->note && is_shown)
            printf("%s: %s\n", row->name, row->note);
    }
}

void gas_bench_print_source(const struct bench_options *options, const struct bench_results *results)
{
    printf(
        "\nthe source document's variants, ms a frame in single precision and how much faster than every "
        "pair on the same card:\nits own (2016), then here, ms a step, where something here does the same; "
        "near cells: its own / here\n%-28s %-12s %8s %9s %9s %9s  %-10s %10s %10s %9s\n",
        "", "", "n", "its ms", "faster", "near", "", "float, ms", "double, ms", "faster");
    for (int k = 0; k < BENCH_SOURCE_ROWS; k++)
        for (int e = 0; e < options->common.entry_count; e++) {
            const struct bench_entry *entry = &options->common.entries[e];
            if (entry->backend->has_devices == gas_bench_source_rows[k].is_device &&
                !bench_is_reference(entry))
                print_line(options, results, &gas_bench_source_rows[k], entry, e);
        }
    print_notes(options);
}
