// Which rows `fathom bench ising` has: methods × sizes × back ends, each once; and what a row takes at least.
// Measures nothing.
#include "bench/ising/private.h"

#include <math.h>
#include <stdio.h>

// The lattices that a method is run with if none are asked for; 0 ends them.
struct usual {
    int size, replicas;
};
static const struct usual host_usual[ISING_METHODS][4] = {
    [ISING_METROPOLIS] = {{64, 1000}, {2048, 1}, {16384, 1}},
    [ISING_METROPOLIS_INTEGER] = {{2048, 1}},
    [ISING_METROPOLIS_RANDOM] = {{64, 1}, {64, 100}},
    [ISING_HEAT_BATH] = {{64, 1000}, {2048, 1}},
    [ISING_WOLFF] = {{64, 100}, {1024, 1}},
    [ISING_SWENDSEN_WANG] = {{64, 100}, {1024, 1}},
};
static const struct usual device_usual[ISING_METHODS][5] = {
    [ISING_METROPOLIS] = {{64, 1}, {64, 1000}, {2048, 1}, {16384, 1}, {65536, 1}},
    [ISING_METROPOLIS_INTEGER] = {{2048, 1}, {16384, 1}},
    [ISING_METROPOLIS_RANDOM] = {{64, 1}},
    [ISING_HEAT_BATH] = {{64, 1000}, {2048, 1}, {16384, 1}},
    [ISING_WOLFF] = {{64, 1}, {64, 1000}, {1024, 1}},
    [ISING_SWENDSEN_WANG] = {{64, 1000}, {1024, 1}, {4096, 1}},
};
enum { HOST_USUAL = 4, DEVICE_USUAL = 5 };

static bool is_wanted(const struct bench_options *options, int method)
{
    bool is_any = false;
    for (int m = 0; m < ISING_METHODS; m++)
        is_any = is_any || options->methods[m];
    return !is_any || options->methods[method];
}

// What a back end lacks is told if the method was asked for.
static enum status add_row(struct bench_options *options, struct bench_results *results, struct bench_row row)
{
    const struct ising_backend *backend = (const struct ising_backend *)row.entry->backend;
    const struct ising_physics physics = {
        .lattice = row.lattice, .coupling = 1, .method = row.method, .seed = 1};
    const struct ising_setup setup = {
        .physics = &physics, .device = row.entry->device, .has_whole_spins = row.has_whole_spins};
    char why[BENCH_NOTE_BYTES], what[3 * BENCH_LABEL_BYTES];
    if (backend->has_method && !backend->has_method(&setup, why, sizeof why)) {
        ising_bench_describe_row(&row, what, sizeof what);
        if (options->methods[row.method])
            bench_add_note(&options->common, what, why);
        return STATUS_OK;
    }
    if (results->row_count == BENCH_ROWS_MAX)
        return FAIL(STATUS_USAGE, "bench ising: more than %d rows are asked for", BENCH_ROWS_MAX);
    results->rows[results->row_count++] = row;
    return STATUS_OK;
}

// On a device METROPOLIS_INTEGER has an int, or a byte, a spin.
static enum status add_rows(struct bench_options *options, struct bench_results *results,
                            struct bench_row row, int size, int replicas)
{
    row.lattice = (struct ising_lattice){size, size, replicas, options->boundary};
    CHECK(add_row(options, results, row));
    if (row.method != ISING_METROPOLIS_INTEGER || !row.entry->backend->has_devices)
        return STATUS_OK;
    row.has_whole_spins = true;
    return add_row(options, results, row);
}

static enum status add_entry(struct bench_options *options, struct bench_results *results,
                             enum ising_method method, int entry)
{
    const struct bench_row row = {
        .entry = &options->common.entries[entry], .entry_index = entry, .method = method};
    const bool is_device = row.entry->backend->has_devices;
    if (options->size_count > 0) {
        const int sizes = bench_is_reference(row.entry) ? 1 : options->size_count;
        for (int k = 0; k < sizes; k++)
            CHECK(add_rows(options, results, row, options->sizes[k], options->replicas));
        return STATUS_OK;
    }
    if (bench_is_reference(row.entry))
        return add_rows(options, results, row, BENCH_REFERENCE_SIZE, options->replicas);
    for (int k = 0; k < (is_device ? DEVICE_USUAL : HOST_USUAL); k++) {
        const struct usual *usual = is_device ? &device_usual[method][k] : &host_usual[method][k];
        const int replicas = options->replicas > 1 ? options->replicas : usual->replicas;
        if (usual->size > 0)
            CHECK(add_rows(options, results, row, usual->size, replicas));
    }
    return STATUS_OK;
}

enum status ising_bench_list_rows(const struct bench_options *options, struct bench_results *results)
{
    results->row_count = 0;
    for (int method = 0; method < ISING_METHODS; method++)
        for (int e = 0; e < options->common.entry_count; e++)
            if (is_wanted(options, method))
                CHECK(add_entry((struct bench_options *)options, results, (enum ising_method)method, e));
    return STATUS_OK;
}

// ---- what a row takes

// Digits until the last of so many spins is decided, each of which goes on with probability ½.
static double expected_digits(double spins)
{
    double digits = 0;
    for (int d = 0; d < 32; d++)
        digits += 1 - pow(1 - pow(0.5, d), spins);
    return digits;
}

double ising_bench_words(const struct bench_row *row)
{
    // At β_c nine of ten spins have three or four satisfied neighbours; the others turn anyhow.
    const double share = row->method == ISING_METROPOLIS ? 0.9 : 1;
    const int bits = ising_word_bits(row->lattice.columns);
    switch (row->method) {
    case ISING_METROPOLIS:
    case ISING_HEAT_BATH:
        return expected_digits(share * 4 * bits) / bits; // four words share a call of the generator
    case ISING_METROPOLIS_INTEGER:
        return 1;
    default:
        return 2; // a site and a number; or two bonds
    }
}

double ising_bench_bytes(const struct bench_options *options, const struct bench_row *row)
{
    const double sites = (double)ising_sites(&row->lattice) * (double)row->lattice.replicas;
    const double measured = sites / 8 / options->every;
    // Each phase reads its own spins and their neighbours and writes its own.
    const double moves = row->lattice.boundary == ISING_PERIODIC ? 3 : 4;
    switch (row->method) {
    case ISING_METROPOLIS:
    case ISING_HEAT_BATH:
        return moves * sites / 8 + measured;
    case ISING_METROPOLIS_INTEGER:
        return moves * sites * (row->has_whole_spins ? 4 : 1) + measured;
    default:
        return 0;
    }
}

double ising_bench_rate(const struct bench_row *row)
{
    return row->turned * (double)row->lattice.replicas / (1e6 * row->time.step_ms);
}

double ising_bench_sigmas(const struct bench_row *row)
{
    return fabs(row->check.energy - row->check.exact) / row->check.error;
}
