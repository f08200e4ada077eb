// Tables of `fathom bench nbody` beside those of the source document (M. Pavlović, master's thesis, Zagreb
// 2016: one Tesla S2050, two Xeon E5620, in double), and time against the number of bodies. Measures nothing.
#include "bench/nbody/private.h"

#include "models/nbody/params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct bench_source_row nbody_bench_source_rows[BENCH_SOURCE_ROWS] = {
    {"CPU, every pair", false, NBODY_DIRECT, {"758.57", "> 1000"}},
    {"CPU, Barnes-Hut", false, NBODY_BARNES_HUT, {"77.15", "> 1000"}},
    {"GPU, every pair", true, NBODY_DIRECT_NAIVE, {"4.13", "103.09"}},
    {"GPU, every pair, shared memory", true, NBODY_DIRECT_TILED, {"3.1", "69.09"}},
    {"GPU, every pair, registers too", true, NBODY_DIRECT, {NULL, NULL}},
    {"GPU, Barnes-Hut", true, NBODY_BARNES_HUT, {"2", "28.38"}},
};
const double nbody_bench_source_phase_ms[NBODY_PHASES] = {
    [NBODY_PHASE_BOX] = 20,       [NBODY_PHASE_SORT] = 10,    [NBODY_PHASE_BUILD] = 3400,
    [NBODY_PHASE_SUMMARISE] = 40, [NBODY_PHASE_FORCE] = 2355, [NBODY_PHASE_INTEGRATE] = 5};
const char *const nbody_bench_phase_names[NBODY_PHASES] = {
    [NBODY_PHASE_BOX] = "box",     [NBODY_PHASE_SORT] = "sort",
    [NBODY_PHASE_BUILD] = "build", [NBODY_PHASE_SUMMARISE] = "summarise",
    [NBODY_PHASE_FORCE] = "force", [NBODY_PHASE_INTEGRATE] = "integrate"};

static const enum element precisions[2] = {ELEMENT_F32, ELEMENT_F64};

static const char *kind_name(int kind)
{
    return kind == 0 ? "float" : "double";
}

// ---- the source document's algorithms

// "0.1234", "~12.3", "-"
static void print_seconds(const struct bench_row *row)
{
    char text[32] = "-";
    if (row && row->step_ms > 0)
        snprintf(text, sizeof text, "%s%.4g", row->has_run ? "" : "~", row->step_ms / 1e3);
    printf(" %12s", text);
}

static void print_source_line(const struct bench_results *results, const struct bench_source_row *row,
                              const struct bench_entry *entry, int e)
{
    printf("%-32s %-10s", row->name, entry->label);
    for (int k = 0; k < BENCH_SOURCE_COUNT; k++) {
        printf(" %14s", row->text[k] ? row->text[k] : "-");
        for (int kind = 0; kind < 2; kind++)
            print_seconds(nbody_bench_find(results, e, (enum nbody_method)row->method, precisions[kind],
                                           nbody_bench_source_counts[k]));
    }
    putchar('\n');
}

void nbody_bench_print_source(const struct bench_options *options, const struct bench_results *results)
{
    printf(
        "\nthe source document's algorithms, seconds a step: its own (Tesla S2050, 2 x Xeon E5620; double, "
        "2016), then here\n%-43s",
        "");
    for (int k = 0; k < BENCH_SOURCE_COUNT; k++)
        printf(" %5s = %6zu %12s %12s", "n", nbody_bench_source_counts[k], "float", "double");
    putchar('\n');
    for (int k = 0; k < BENCH_SOURCE_ROWS; k++)
        for (int e = 0; e < options->common.entry_count; e++) {
            const struct bench_entry *entry = &options->common.entries[e];
            if (entry->backend->has_devices == nbody_bench_source_rows[k].is_device &&
                !bench_is_reference(entry))
                print_source_line(results, &nbody_bench_source_rows[k], entry, e);
        }
}

// ---- phases

static void print_phase_line(const char *name, const char *precision, size_t count, const double *phase_ms)
{
    double sum = 0;
    printf("%-32s %-8s %9zu", name, precision, count);
    for (int phase = 0; phase < NBODY_PHASES; phase++) {
        sum += phase_ms[phase];
        printf(" %10.4g", phase_ms[phase]);
    }
    printf(" %10.4g\n", sum);
}

void nbody_bench_print_phases(const struct bench_options *options, const struct bench_results *results)
{
    printf("\n%-32s %-8s %9s", "phases of a step with the tree", "ms", "n");
    for (int phase = 0; phase < NBODY_PHASES; phase++)
        printf(" %10s", nbody_bench_phase_names[phase]);
    printf(" %10s\n", "sum");
    if (options->tables & BENCH_PHASES)
        print_phase_line("the source document, Tesla S2050", "double", BENCH_PHASES_COUNT,
                         nbody_bench_source_phase_ms);
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *row = &results->rows[k];
        if (row->has_run && row->method == NBODY_BARNES_HUT &&
            (row->tables & (BENCH_VARIANTS | BENCH_PHASES)))
            print_phase_line(row->entry->label, kind_name(bench_kind(row->precision)), row->count,
                             row->phase_ms);
    }
}

// ---- time against the number of bodies

static double time_of(const struct bench_results *results, struct bench_series series, size_t count)
{
    const struct bench_row *row =
        nbody_bench_find(results, series.entry, series.method, series.precision, count);
    return row ? row->step_ms : 0;
}

// Where lines through the times in logarithms meet, last before the second stays below.
struct bench_crossover nbody_bench_find_crossover(const struct bench_results *results,
                                                  struct bench_series first, struct bench_series second)
{
    struct bench_crossover found = {.is_known = true, .count = INFINITY};
    double last_gap = 0; // log(second/first) at the size after this one
    for (int k = BENCH_SIZE_COUNT - 1; k >= 0; k--) {
        const double a = time_of(results, first, nbody_bench_sizes[k]);
        const double b = time_of(results, second, nbody_bench_sizes[k]);
        if (!(a > 0) || !(b > 0))
            return (struct bench_crossover){.is_known = false};
        const double gap = log(b / a);
        if (gap >= 0) {
            if (k < BENCH_SIZE_COUNT - 1) {
                const double low = log((double)nbody_bench_sizes[k]),
                             high = log((double)nbody_bench_sizes[k + 1]);
                found.count = exp(low + (high - low) * gap / (gap - last_gap));
            }
            return found;
        }
        last_gap = gap;
    }
    found.count = 0;
    return found;
}

static void describe_tree_or_pairs(const struct bench_options *options, struct bench_comparison *c, int e,
                                   enum element precision)
{
    c->first = (struct bench_series){e, NBODY_DIRECT, precision};
    c->second = (struct bench_series){e, NBODY_BARNES_HUT, precision};
    snprintf(c->text, sizeof c->text, "%s, %s: the tree, not every pair", options->common.entries[e].label,
             kind_name(bench_kind(precision)));
}

static void describe_entries(const struct bench_options *options, struct bench_comparison *c, int e,
                             int other, enum nbody_method method, enum element precision)
{
    c->first = (struct bench_series){e, method, precision};
    c->second = (struct bench_series){other, method, precision};
    snprintf(c->text, sizeof c->text, "%s, %s: %s, not %s", nbody_method_names[method],
             kind_name(bench_kind(precision)), options->common.entries[other].label,
             options->common.entries[e].label);
}

// Numbers run over entries × entries × methods × precisions; most stand for nothing.
bool nbody_bench_next_comparison(const struct bench_options *options, int *number,
                                 struct bench_comparison *comparison)
{
    static const enum nbody_method methods[2] = {NBODY_DIRECT, NBODY_BARNES_HUT};
    const int entries = options->common.entry_count;
    while (*number < 4 * entries * entries) {
        const int k = (*number)++, kind = k % 2, m = k / 2 % 2, other = k / 4 % entries, e = k / 4 / entries;
        const struct bench_entry *first = &options->common.entries[e];
        if (bench_is_reference(first) || bench_is_reference(&options->common.entries[other]))
            continue;
        if (e == other && m == 0)
            describe_tree_or_pairs(options, comparison, e, precisions[kind]);
        else if (e != other && !first->backend->has_devices &&
                 options->common.entries[other].backend->has_devices)
            describe_entries(options, comparison, e, other, methods[m], precisions[kind]);
        else
            continue;
        return true;
    }
    return false;
}

static void print_crossovers(const struct bench_options *options, const struct bench_results *results)
{
    struct bench_comparison comparison;
    printf("\nfaster (interpolated between the numbers above)\n");
    for (int number = 0; nbody_bench_next_comparison(options, &number, &comparison);) {
        const struct bench_crossover found =
            nbody_bench_find_crossover(results, comparison.first, comparison.second);
        if (!found.is_known)
            continue;
        if (found.count == 0)
            printf("%-60s at every n from %zu\n", comparison.text, nbody_bench_sizes[0]);
        else if (isinf(found.count))
            printf("%-60s at no n up to %zu\n", comparison.text, nbody_bench_sizes[BENCH_SIZE_COUNT - 1]);
        else
            printf("%-60s from n = %.2g\n", comparison.text, found.count);
    }
}

void nbody_bench_print_sizes(const struct bench_options *options, const struct bench_results *results)
{
    static const enum nbody_method methods[2] = {NBODY_DIRECT, NBODY_BARNES_HUT};
    printf("\nms a step, theta %g\n%9s", options->theta, "n");
    for (int e = 0; e < options->common.entry_count; e++)
        for (int k = 0; k < 4 && !bench_is_reference(&options->common.entries[e]); k++) {
            char title[BENCH_LABEL_BYTES + 16];
            snprintf(title, sizeof title, "%s %s %s", options->common.entries[e].label,
                     k < 2 ? "pairs" : "tree", kind_name(k % 2));
            printf(" %20s", title);
        }
    for (int s = 0; s < BENCH_SIZE_COUNT; s++) {
        printf("\n%9zu", nbody_bench_sizes[s]);
        for (int e = 0; e < options->common.entry_count; e++)
            for (int k = 0; k < 4 && !bench_is_reference(&options->common.entries[e]); k++) {
                const struct bench_row *row =
                    nbody_bench_find(results, e, methods[k / 2], precisions[k % 2], nbody_bench_sizes[s]);
                char text[32] = "-";
                if (row && row->step_ms > 0)
                    snprintf(text, sizeof text, "%s%.4g", row->has_run ? "" : "~", row->step_ms);
                printf(" %20s", text);
            }
    }
    putchar('\n');
    print_crossovers(options, results);
}
