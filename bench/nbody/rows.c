// Which rows `fathom bench nbody` has: tables × back ends × methods × precisions × numbers of bodies, each
// once. Measures nothing.
#include "bench/nbody/private.h"

#include <math.h>
#include <stdlib.h>

// 1, 2, 5 of each decade.
const size_t nbody_bench_sizes[BENCH_SIZE_COUNT] = {1000,  2000,   5000,   10000,  20000,
                                                    50000, 100000, 200000, 500000, 1000000};
const size_t nbody_bench_source_counts[BENCH_SOURCE_COUNT] = {100000, 500000};

static const enum element precisions[2] = {ELEMENT_F32, ELEMENT_F64};

static bool is_wanted(const struct bench_options *options, enum nbody_method method, int kind)
{
    bool has_method = false;
    for (int m = 0; m < NBODY_METHODS; m++)
        has_method = has_method || options->methods[m];
    const bool has_precision = options->precisions[0] || options->precisions[1];
    return (!has_method || options->methods[method]) && (!has_precision || options->precisions[kind]);
}

static bool has_method(const struct bench_entry *entry, enum nbody_method method)
{
    const struct nbody_backend *backend = (const struct nbody_backend *)entry->backend;
    const struct nbody_physics physics = {.method = method};
    const struct nbody_setup setup = {.physics = &physics, .count = 2, .precision = ELEMENT_F64};
    char why[BENCH_NOTE_BYTES];
    return !backend->has_method || backend->has_method(&setup, why, sizeof why);
}

// The reference is in double whatever is asked for, and one number will do; a processor is not asked for what
// only devices are made for unless it was asked for.
static bool is_too_slow(const struct bench_options *options, const struct bench_entry *entry,
                        enum bench_table table, int kind, size_t count)
{
    if (bench_is_reference(entry))
        return kind == 0 || table != BENCH_VARIANTS || count != options->counts[0];
    return !options->has_own_counts && !entry->backend->has_devices && count > BENCH_HOST_COUNT_MOST;
}

static enum status add_row(struct bench_results *results, struct bench_row row)
{
    for (int k = 0; k < results->row_count; k++) {
        struct bench_row *old = &results->rows[k];
        if (old->entry == row.entry && old->method == row.method && old->precision == row.precision &&
            old->count == row.count) {
            old->tables |= row.tables;
            return STATUS_OK;
        }
    }
    if (results->row_count == BENCH_ROWS_MAX)
        return FAIL(STATUS_USAGE, "bench nbody: more than %d rows are asked for", BENCH_ROWS_MAX);
    results->rows[results->row_count++] = row;
    return STATUS_OK;
}

// Of every entry, in the methods that the table has.
static enum status add_rows(const struct bench_options *options, enum bench_table table,
                            const bool methods[NBODY_METHODS], size_t count, struct bench_results *results)
{
    for (int e = 0; e < options->common.entry_count; e++)
        for (int m = 0; m < NBODY_METHODS; m++)
            for (int kind = 0; kind < 2; kind++) {
                const struct bench_entry *entry = &options->common.entries[e];
                const enum nbody_method method = (enum nbody_method)m;
                if (!methods[m] || !has_method(entry, method) || !is_wanted(options, method, kind) ||
                    is_too_slow(options, entry, table, kind, count))
                    continue;
                CHECK(add_row(results, (struct bench_row){.entry = entry,
                                                          .entry_index = e,
                                                          .method = method,
                                                          .precision = precisions[kind],
                                                          .count = count,
                                                          .tables = table}));
            }
    return STATUS_OK;
}

// A number of bodies that takes no time, for what would begin with more: so that is known what those will
// take. In no table.
static enum status add_probes(struct bench_results *results)
{
    const int asked_for = results->row_count;
    for (int k = 0; k < asked_for; k++) {
        struct bench_row row = results->rows[k];
        const size_t few = row.entry->backend->has_devices ? 65536 : 4096;
        bool is_first = row.count > few;
        for (int other = 0; other < asked_for && is_first; other++) {
            const struct bench_row *o = &results->rows[other];
            is_first = o->entry != row.entry || o->method != row.method || o->precision != row.precision ||
                       o->count > few;
        }
        row.count = few;
        row.tables = 0;
        if (is_first)
            CHECK(add_row(results, row));
    }
    return STATUS_OK;
}

static int compare_rows(const void *first, const void *second)
{
    const struct bench_row *a = first, *b = second;
    const long long keys[][2] = {{(long long)a->count, (long long)b->count},
                                 {a->entry_index, b->entry_index},
                                 {a->method, b->method},
                                 {bench_kind(a->precision), bench_kind(b->precision)}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (keys[k][0] != keys[k][1])
            return keys[k][0] < keys[k][1] ? -1 : 1;
    return 0;
}

enum status nbody_bench_list_rows(const struct bench_options *options, struct bench_results *results)
{
    static const bool all[NBODY_METHODS] = {true, true, true, true};
    static const bool tree[NBODY_METHODS] = {[NBODY_BARNES_HUT] = true};
    static const bool best[NBODY_METHODS] = {[NBODY_DIRECT] = true, [NBODY_BARNES_HUT] = true};
    results->row_count = 0;
    for (int k = 0; (options->tables & BENCH_VARIANTS) && k < options->count_count; k++)
        CHECK(add_rows(options, BENCH_VARIANTS, all, options->counts[k], results));
    for (int k = 0; (options->tables & BENCH_SOURCE) && k < BENCH_SOURCE_COUNT; k++)
        CHECK(add_rows(options, BENCH_SOURCE, all, nbody_bench_source_counts[k], results));
    if (options->tables & BENCH_PHASES)
        CHECK(add_rows(options, BENCH_PHASES, tree, BENCH_PHASES_COUNT, results));
    for (int k = 0; (options->tables & BENCH_SIZES) && k < BENCH_SIZE_COUNT; k++)
        CHECK(add_rows(options, BENCH_SIZES, best, nbody_bench_sizes[k], results));
    CHECK(add_probes(results));
    qsort(results->rows, (size_t)results->row_count, sizeof *results->rows, compare_rows);
    return STATUS_OK;
}

const struct bench_row *nbody_bench_find(const struct bench_results *results, int entry,
                                         enum nbody_method method, enum element precision, size_t count)
{
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *row = &results->rows[k];
        if (row->entry_index == entry && row->method == method && row->precision == precision &&
            row->count == count)
            return row;
    }
    return NULL;
}

// Pairs grow with the square of the number; the tree's work a little faster than the number.
double nbody_bench_expected_step_s(const struct bench_results *results, const struct bench_row *row)
{
    const double power = row->method == NBODY_BARNES_HUT ? 1.1 : 2;
    const struct bench_row *best = NULL;
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *other = &results->rows[k];
        if (other->has_run && other->entry == row->entry && other->method == row->method &&
            other->precision == row->precision && other->count < row->count &&
            (!best || other->count > best->count))
            best = other;
    }
    return best ? 1e-3 * best->step_ms * pow((double)row->count / (double)best->count, power) : 0;
}
