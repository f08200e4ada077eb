// Which rows `fathom bench gas` has: systems × methods × back ends × precisions × numbers of particles, each
// once. Measures nothing.
#include "bench/gas/private.h"

#include "models/gas/method.h"
#include "models/gas/params_private.h"

#include <stdlib.h>

static const enum element precisions[2] = {ELEMENT_F32, ELEMENT_F64};

// The numbers of particles that a system is run with if none are asked for: by every pair, and by cells; 0
// ends them.
static const size_t usual[BENCH_SYSTEMS][GAS_METHODS][4] = {
    [BENCH_LOG] = {{16384, 65536}, {65536, 262144, 2097152}},
    [BENCH_LOG_2500] = {{0}, {262144, 2097152}},
    [BENCH_CONDENSING] = {{65536}, {262144, 2097152}},
    [BENCH_CONDENSING_2500] = {{0}, {262144}},
    [BENCH_REAL_GAS] = {{16384}, {262144}},
    [BENCH_LENNARD_JONES] = {{16384, 65536}, {65536, 1048576, 4194304}},
    [BENCH_FORCE_SHIFTED] = {{16384}, {1048576}},
};

// ---- what is wanted

static bool is_any(const bool *flags, int count)
{
    for (int k = 0; k < count; k++)
        if (flags[k])
            return true;
    return false;
}

static bool is_wanted(const struct bench_options *options, const struct bench_row *row)
{
    return (!is_any(options->systems, BENCH_SYSTEMS) || options->systems[row->system]) &&
           (!is_any(options->methods, GAS_METHODS) || options->methods[row->method]) &&
           (!is_any(options->precisions, 2) || options->precisions[bench_kind(row->precision)]);
}

static size_t reference_count(const struct bench_options *options)
{
    return options->count_count > 0 ? options->counts[0] : BENCH_REFERENCE_COUNT;
}

// The reference is in double whatever is asked for, knows no lists, and one number will do; a processor is
// not asked for what only a device is made for unless it was asked for.
static bool is_too_slow(const struct bench_options *options, const struct bench_row *row)
{
    if (bench_is_reference(row->entry))
        return row->precision == ELEMENT_F32 || row->way == BENCH_LISTS ||
               (row->tables != 0 && row->count != reference_count(options));
    const size_t most = row->way == BENCH_PAIRS   ? BENCH_HOST_PAIRS_MOST
                        : row->way == BENCH_LISTS ? BENCH_FLUID_MOST
                                                  : BENCH_HOST_COUNT_MOST;
    return options->count_count == 0 && !(row->tables & BENCH_SOURCE) && !row->entry->backend->has_devices &&
           row->count > most;
}

// ---- the list

// What follows from the physics.
static void prepare(const struct bench_options *options, struct bench_row *row)
{
    struct gas_params params;
    gas_bench_set_up(options, row->system, row->method, row->count, row->entry->backend, &params);
    row->way = gas_has_regions(&params.physics) ? BENCH_REGIONS
               : gas_has_lists(&params.physics) ? BENCH_LISTS
                                                : BENCH_PAIRS;
    row->operations = gas_operations(&params);
    row->columns = params.physics.regions.columns;
    row->rows = params.physics.regions.rows;
}

static struct bench_row *find(struct bench_results *results, const struct bench_row *row)
{
    return (struct bench_row *)gas_bench_find(results, row->entry_index, row->system, row->method,
                                              row->precision, row->count);
}

static enum status add_row(const struct bench_options *options, struct bench_results *results,
                           struct bench_row row)
{
    prepare(options, &row);
    if (!is_wanted(options, &row) || is_too_slow(options, &row))
        return STATUS_OK;
    struct bench_row *old = find(results, &row);
    if (old) {
        old->tables |= row.tables;
        return STATUS_OK;
    }
    if (results->row_count == BENCH_ROWS_MAX)
        return FAIL(STATUS_USAGE, "bench gas: more than %d rows are asked for", BENCH_ROWS_MAX);
    results->rows[results->row_count++] = row;
    return STATUS_OK;
}

// Of every entry in each precision. `is_device`: −1 either, else only those.
static enum status add_rows(const struct bench_options *options, struct bench_results *results,
                            struct bench_row row, int is_device)
{
    for (int e = 0; e < options->common.entry_count; e++)
        for (int kind = 0; kind < 2; kind++) {
            row.entry = &options->common.entries[e];
            row.entry_index = e;
            row.precision = precisions[kind];
            if (is_device < 0 || row.entry->backend->has_devices == (is_device == 1))
                CHECK(add_row(options, results, row));
        }
    return STATUS_OK;
}

// By every pair the number of cells does not matter: one system of the two is enough.
static bool is_repeated(enum bench_system system, enum gas_method method)
{
    return method == GAS_ALL_PAIRS && usual[system][GAS_ALL_PAIRS][0] == 0;
}

static enum status add_variants(const struct bench_options *options, struct bench_results *results)
{
    for (int s = 0; s < BENCH_SYSTEMS; s++)
        for (int m = 0; m < GAS_METHODS; m++) {
            struct bench_row row = {
                .system = (enum bench_system)s, .method = (enum gas_method)m, .tables = BENCH_VARIANTS};
            const bool has_counts = options->count_count > 0;
            const size_t *counts = has_counts ? options->counts : usual[s][m];
            const int count = has_counts ? options->count_count : 4;
            if (is_repeated(row.system, row.method))
                continue;
            for (int k = 0; k < count && counts[k] > 0; k++) {
                row.count = counts[k];
                CHECK(add_rows(options, results, row, -1));
            }
            row.count = reference_count(options);
            for (int e = 0; e < options->common.entry_count; e++)
                if (bench_is_reference(&options->common.entries[e])) {
                    row.entry = &options->common.entries[e];
                    row.entry_index = e;
                    row.precision = ELEMENT_F64;
                    CHECK(add_row(options, results, row));
                }
        }
    return STATUS_OK;
}

static enum status add_source(const struct bench_options *options, struct bench_results *results)
{
    for (int k = 0; k < BENCH_SOURCE_ROWS; k++) {
        const struct bench_source_row *source = &gas_bench_source_rows[k];
        struct bench_row row = {.system = source->system,
                                .method = source->method,
                                .count = source->count,
                                .tables = BENCH_SOURCE};
        if (source->has_none)
            continue;
        CHECK(add_rows(options, results, row, source->is_device));
        if (source->speed_up > 0) { // what it is a speed-up against
            row.method = GAS_ALL_PAIRS;
            row.system = BENCH_LOG;
            CHECK(add_rows(options, results, row, source->is_device));
        }
    }
    return STATUS_OK;
}

// A number of particles that takes no time, for what would begin with more: so that it is known what those
// will take. In no table.
static enum status add_probes(const struct bench_options *options, struct bench_results *results)
{
    const int asked_for = results->row_count;
    for (int k = 0; k < asked_for; k++) {
        struct bench_row row = results->rows[k];
        const size_t few = bench_is_reference(row.entry) ? BENCH_REFERENCE_COUNT : 16384;
        bool is_first = row.count > few;
        for (int other = 0; other < asked_for && is_first; other++) {
            const struct bench_row *o = &results->rows[other];
            is_first = o->entry != row.entry || o->system != row.system || o->method != row.method ||
                       o->precision != row.precision || o->count > few;
        }
        row.count = few;
        row.tables = 0;
        if (is_first)
            CHECK(add_row(options, results, row));
    }
    return STATUS_OK;
}

static int compare_rows(const void *first, const void *second)
{
    const struct bench_row *a = first, *b = second;
    const long long keys[][2] = {{a->system, b->system},
                                 {(long long)a->count, (long long)b->count},
                                 {a->entry_index, b->entry_index},
                                 {a->method, b->method},
                                 {bench_kind(a->precision), bench_kind(b->precision)}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (keys[k][0] != keys[k][1])
            return keys[k][0] < keys[k][1] ? -1 : 1;
    return 0;
}

enum status gas_bench_list_rows(const struct bench_options *options, struct bench_results *results)
{
    results->row_count = 0;
    if (options->tables & BENCH_VARIANTS)
        CHECK(add_variants(options, results));
    if (options->tables & BENCH_SOURCE)
        CHECK(add_source(options, results));
    CHECK(add_probes(options, results));
    qsort(results->rows, (size_t)results->row_count, sizeof *results->rows, compare_rows);
    return STATUS_OK;
}

// ---- looking at it

const struct bench_row *gas_bench_find(const struct bench_results *results, int entry,
                                       enum bench_system system, enum gas_method method,
                                       enum element precision, size_t count)
{
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *row = &results->rows[k];
        if (row->entry_index == entry && row->system == system && row->method == method &&
            row->precision == precision && row->count == count)
            return row;
    }
    return NULL;
}

double gas_bench_expected_step_s(const struct bench_results *results, const struct bench_row *row)
{
    const struct bench_row *best = NULL;
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *other = &results->rows[k];
        if (other->has_run && other->entry == row->entry && other->system == row->system &&
            other->method == row->method && other->precision == row->precision && other->count < row->count &&
            (!best || other->count > best->count))
            best = other;
    }
    return best ? 1e-3 * best->time.step_ms * row->operations / best->operations : 0;
}
