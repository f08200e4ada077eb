// What `fathom bench gas` prints for people: a table for each way to sum forces, the phases of a step, and
// what frames them. Measures nothing.
#include "bench/gas/private.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

static const char *const way_names[BENCH_WAYS] = {"every pair", "lists", "regions"};

const char *const gas_bench_phase_names[GAS_PHASES] = {
    [GAS_PHASE_MOVE] = "move",   [GAS_PHASE_SORT] = "sort",       [GAS_PHASE_LISTS] = "lists",
    [GAS_PHASE_FORCE] = "force", [GAS_PHASE_REGIONS] = "regions",
};

void gas_bench_describe_row(const struct bench_row *row, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s, %s, %s, %s, n = %zu", row->entry->label, bench_precision_name(row->precision),
             gas_bench_system_names[row->system], way_names[row->way], row->count);
}

double gas_bench_pairs_limit(const struct bench_results *results, const struct bench_row *row)
{
    const struct bench_limit *limit = &results->limits[row->entry_index][bench_kind(row->precision)];
    const double by_operations = limit->fma_per_s / gas_bench_pair_operations(row->system);
    return row->has_run && row->way != BENCH_REGIONS ? fmin(by_operations, limit->rsqrt_per_s) : 0;
}

static void print_limits(const struct bench_options *options, const struct bench_results *results)
{
    static const enum bench_system systems[] = {BENCH_LOG, BENCH_CONDENSING, BENCH_LENNARD_JONES,
                                                BENCH_FORCE_SHIFTED};
    printf("\narithmetic alone: %d, %d, %d, %d instructions a pair (%s, %s, %s, %s) at the rate of "
           "multiply-adds, or a\nreciprocal a pair at the rate of the unit's guesses of inverse roots, "
           "whichever is less\n",
           gas_bench_pair_operations(systems[0]), gas_bench_pair_operations(systems[1]),
           gas_bench_pair_operations(systems[2]), gas_bench_pair_operations(systems[3]),
           gas_bench_system_names[systems[0]], gas_bench_system_names[systems[1]],
           gas_bench_system_names[systems[2]], gas_bench_system_names[systems[3]]);
    for (int e = 0; e < options->common.entry_count; e++)
        for (int kind = 0; kind < 2; kind++) {
            const struct bench_limit *limit = &results->limits[e][kind];
            if (limit->fma_per_s > 0)
                printf("%-12s %-6s %10.4g Gfma/s %10.4g Groot/s\n", options->common.entries[e].label,
                       kind == 0 ? "float" : "double", limit->fma_per_s / 1e9, limit->rsqrt_per_s / 1e9);
        }
}

// ---- the tables

// "   64 %", or "-" of 0
static void print_share(double share)
{
    if (share > 0)
        printf(" %7.1f %%", 100 * share);
    else
        printf(" %9s", "-");
}

static void print_pairs_titles(const char *title)
{
    printf("\n%-10s %-6s %-16s %9s %12s %11s %9s %9s %9s\n", title, "", "system", "n", "ms a step",
           "Mpart.st./s", "Gpair/s", "of arith.", "of copy");
}

static void print_lists_titles(const char *title)
{
    printf("\n%-10s %-6s %-16s %9s %12s %11s %9s %9s %9s %9s %9s %9s\n", title, "", "system", "n",
           "ms a step", "Mpart.st./s", "Gpair/s", "of arith.", "of copy", "GB/s", "neighb.", "st./sort");
}

static void print_regions_titles(const char *title)
{
    printf("\n%-10s %-6s %-16s %9s %12s %11s %9s %9s %9s %11s %9s %9s\n", title, "", "system", "n",
           "ms a step", "Mpart.st./s", "Gpair/s", "of arith.", "of copy", "cells", "error rms", "largest");
}

static void print_row(const struct bench_results *results, const struct bench_row *row)
{
    printf("%-10s %-6s %-16s %9zu ", row->entry->label, bench_precision_name(row->precision),
           gas_bench_system_names[row->system], row->count);
    if (!row->has_run) {
        printf("%12s~%.3g\n", "", row->time.step_ms);
        return;
    }
    const double per_s = 1e3 / row->time.step_ms, limit = gas_bench_pairs_limit(results, row);
    const double copy = 1e9 * row->entry->copy_gigabytes_per_s;
    printf("%12.5g %11.4g %9.4g", row->time.step_ms, (double)row->count * per_s / 1e6,
           row->pairs * per_s / 1e9);
    print_share(limit > 0 ? row->pairs * per_s / limit : 0);
    print_share(copy > 0 ? row->bytes * per_s / copy : 0);
    if (row->way == BENCH_LISTS)
        printf(" %9.4g %9.3g %9.3g", row->bytes * per_s / 1e9, row->neighbours,
               row->rebuilds_per_step > 0 ? 1 / row->rebuilds_per_step : INFINITY);
    if (row->way == BENCH_REGIONS) {
        char cells[32];
        snprintf(cells, sizeof cells, "%d x %d", row->columns, row->rows);
        printf(" %11s %9.1e %9.1e", cells, row->error.rms, row->error.largest);
    }
    putchar('\n');
}

static bool is_shown(const struct bench_row *row, enum bench_way way)
{
    return row->tables != 0 && row->way == way && row->time.step_ms > 0;
}

static void print_table(const struct bench_results *results, enum bench_way way)
{
    static void (*const titles[BENCH_WAYS])(const char *) = {print_pairs_titles, print_lists_titles,
                                                             print_regions_titles};
    bool has_titles = false;
    for (int k = 0; k < results->row_count; k++) {
        if (!is_shown(&results->rows[k], way))
            continue;
        if (!has_titles)
            titles[way](way_names[way]);
        has_titles = true;
        print_row(results, &results->rows[k]);
    }
}

static void print_phases(const struct bench_results *results)
{
    printf("\n%-10s %-6s %-16s %9s", "phases", "ms", "system", "n");
    for (int phase = 0; phase < GAS_PHASES; phase++)
        printf(" %10s", gas_bench_phase_names[phase]);
    printf(" %10s\n", "sum");
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *row = &results->rows[k];
        double sum = 0;
        for (int phase = 0; phase < GAS_PHASES; phase++)
            sum += row->phase_ms[phase];
        if (!row->has_run || row->tables == 0 || row->way == BENCH_PAIRS || !(sum > 0))
            continue;
        printf("%-10s %-6s %-16s %9zu", row->entry->label, bench_precision_name(row->precision),
               gas_bench_system_names[row->system], row->count);
        for (int phase = 0; phase < GAS_PHASES; phase++)
            printf(" %10.4g", row->phase_ms[phase]);
        printf(" %10.4g\n", sum);
    }
    printf("lists: finding neighbours; or, with regions, the cells' multipoles; regions: middle and far "
           "cells\n");
}

void gas_bench_print(const struct bench_options *options, const struct bench_results *results)
{
    printf("leapfrog; %d threads, instruction set %s; median of up to %d repetitions\n",
           omp_get_max_threads(), gas_backend_openmp.instruction_set(), options->common.repeat);
    printf(
        "log: ln r, particles at random in a box of 5000; condensing: a box of 5000 for 262144, others as "
        "dense, near a lattice;\n-2500: 50 x 50 cells; the others: fluids of density 0.7 at temperature 1, "
        "cut off at 2.5, periodic; real-gas: without ln r\n");
    printf("~: not run, estimated from fewer particles (a step takes longer than %g s)\n", options->budget_s);
    bench_print_copy_rates(&options->common);
    print_limits(options, results);
    for (int way = 0; way < BENCH_WAYS; way++)
        print_table(results, (enum bench_way)way);
    printf("pairs: i with j and j with i; of copy: bytes that must move, by the copy rate; neighb.: mean "
           "number in the lists; st./sort: steps from one\nsort to the next; error of the regions: of the "
           "force, of up to %d particles, by the rms of the force of all that is not near\n",
           GAS_ERROR_SAMPLES);
    print_phases(results);
    if (options->tables & BENCH_SOURCE)
        gas_bench_print_source(options, results);
    bench_print_notes(&options->common);
}
