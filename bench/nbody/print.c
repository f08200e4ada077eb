// What `fathom bench nbody` prints for people: the variants, and what frames the other tables (tables.c).
// Measures nothing.
#include "bench/nbody/private.h"

#include "models/nbody/params.h"

#include <omp.h>
#include <stdio.h>

// What others do on one H200, measured there with their own programs. Interactions a second, or ms a step.
static const struct peer {
    const char *what;
    double interactions_per_s, step_ms; // 0: not given
} peers[] = {
    {"NVIDIA's nbody sample, float, n = 1M", 1.83e12, 0},
    {"  float, n = 16384", 0.70e12, 0},
    {"  double, n = 524288", 0.70e12, 0},
    {"a tree code's direct kernel, float, n = 1M", 1.26e12, 0},
    {"Ryoanji (SPH-EXA), n = 1M, theta 0.6, without the tree's build", 0, 6.7},
    {"  n = 8M", 0, 53},
    {"ECL-BH (monopoles), n = 1M, theta 0.5", 0, 547},
    {"  n = 8M", 0, 6100},
};

static const char *precision_name(enum element precision)
{
    return precision == ELEMENT_F32 ? "float" : "double";
}

void nbody_bench_describe_row(const struct bench_row *row, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s, %s, %s, n = %zu", row->entry->label, precision_name(row->precision),
             nbody_method_names[row->method], row->count);
}

double nbody_bench_share_of_limit(const struct bench_results *results, const struct bench_row *row)
{
    const double limit = bench_pairs_per_s(&results->limits[row->entry_index][bench_kind(row->precision)]);
    return row->method != NBODY_BARNES_HUT && row->has_run && limit > 0
               ? row->interactions / (row->step_ms / 1e3) / limit
               : 0;
}

static void print_limits(const struct bench_options *options, const struct bench_results *results)
{
    printf("\narithmetic alone%22s %12s %12s %14s\n", "", "Gfma/s", "Grsqrt/s", "limit, Gpair/s");
    for (int e = 0; e < options->common.entry_count; e++)
        for (int kind = 0; kind < 2; kind++) {
            const struct bench_limit *limit = &results->limits[e][kind];
            if (limit->fma_per_s > 0)
                printf("%-12s %-25s %12.4g %12.4g %14.4g\n", options->common.entries[e].label,
                       kind == 0 ? "float" : "double", limit->fma_per_s / 1e9, limit->rsqrt_per_s / 1e9,
                       bench_pairs_per_s(limit) / 1e9);
        }
    printf("limit: %d instructions a pair at the rate of multiply-adds; rsqrt: the unit's own guesses of an "
           "inverse "
           "square root\n",
           BENCH_PAIR_OPERATIONS);
}

static void print_name(const struct bench_row *row)
{
    printf("%-10s %-6s %-12s %9zu ", row->entry->label, precision_name(row->precision),
           nbody_method_names[row->method], row->count);
}

static void print_errors(const struct bench_row *row)
{
    for (int k = 0; k < BENCH_ERRORS; k++)
        printf(" %8.1e", row->errors[k]);
    putchar('\n');
}

// `is_tree`: those with the tree, or those by every pair.
static bool belongs(const struct bench_row *row, bool is_tree)
{
    return (row->tables & BENCH_VARIANTS) && row->step_ms > 0 && (row->method == NBODY_BARNES_HUT) == is_tree;
}

static void print_direct(const struct bench_results *results)
{
    printf("\n%-10s %-6s %-12s %9s %12s %12s %9s %9s  relative error: median, 90 %%, 99 %%, largest\n",
           "every pair", "", "method", "n", "ms a step", "Ginter./s", "GFLOP/s", "of limit");
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *row = &results->rows[k];
        if (!belongs(row, false))
            continue;
        print_name(row);
        if (!row->has_run) {
            printf("%12s~%.3g\n", "", row->step_ms);
            continue;
        }
        const double per_s = 1e3 / row->step_ms, share = nbody_bench_share_of_limit(results, row);
        printf("%12.5g %12.4g %9.4g ", row->step_ms, row->interactions * per_s / 1e9,
               row->flops * per_s / 1e9);
        if (share > 0)
            printf("%7.0f %%", 100 * share);
        else
            printf("%9s", "-");
        print_errors(row);
    }
}

static void print_trees(const struct bench_options *options, const struct bench_results *results)
{
    printf("\n%-10s %-6s %-12s %9s %12s %9s %7s %7s %12s %9s  relative error: median, 90 %%, 99 %%, "
           "largest\n",
           "tree", "", "method", "n", "ms a step", "Mbodies/s", "cells", "bodies", "Ginter./s", "GFLOP/s");
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *row = &results->rows[k];
        if (!belongs(row, true))
            continue;
        print_name(row);
        if (!row->has_run) {
            printf("%12s~%.3g\n", "", row->step_ms);
            continue;
        }
        const double per_s = 1e3 / row->step_ms, n = (double)row->count;
        printf("%12.5g %9.4g %7.0f %7.0f %12.4g %9.4g ", row->step_ms, n * per_s / 1e6,
               row->counts.cell_interactions / n, row->counts.body_interactions / n,
               row->interactions * per_s / 1e9, row->flops * per_s / 1e9);
        print_errors(row);
    }
    printf("opening by size and offset, theta %g, quadrupoles, groups of %d bodies; cells, bodies: that act "
           "on a body, on average\n",
           options->theta, NBODY_GROUP_BODIES);
}

static void print_peers(void)
{
    printf("\nothers on one NVIDIA H200, measured there%36s %12s %12s\n", "", "Ginter./s", "ms a step");
    for (size_t k = 0; k < sizeof peers / sizeof *peers; k++) {
        printf("%-77s ", peers[k].what);
        if (peers[k].interactions_per_s > 0)
            printf("%12.4g %12s\n", peers[k].interactions_per_s / 1e9, "-");
        else
            printf("%12s %12.4g\n", "-", peers[k].step_ms);
    }
}

void nbody_bench_print(const struct bench_options *options, const struct bench_results *results)
{
    printf("%s, softening %g, G = M = 1, leapfrog; %d threads, instruction set %s; median of up to %d "
           "repetitions\n",
           options->is_cube ? "uniform cube of side 1" : "Plummer's sphere of scale radius 3 pi/16",
           options->softening, omp_get_max_threads(), nbody_backend_openmp.instruction_set(),
           options->common.repeat);
    printf("an error is |a - a'|/|a'|, a' by every pair in double from the same positions and the same "
           "softening, of up to %d bodies\n",
           BENCH_SAMPLES);
    printf("GFLOP/s: %d operations a pair, %d a cell; ~: not run, estimated from fewer bodies (a step takes "
           "longer than %g s)\n",
           BENCH_PAIR_FLOPS, BENCH_CELL_FLOPS, options->budget_s);
    print_limits(options, results);
    if (options->tables & BENCH_VARIANTS) {
        print_direct(results);
        print_trees(options, results);
        print_peers();
    }
    if (options->tables & (BENCH_VARIANTS | BENCH_PHASES))
        nbody_bench_print_phases(options, results);
    if (options->tables & BENCH_SOURCE)
        nbody_bench_print_source(options, results);
    if (options->tables & BENCH_SIZES)
        nbody_bench_print_sizes(options, results);
    bench_print_notes(&options->common);
}
