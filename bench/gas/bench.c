// `fathom bench gas`: every potential by every method of every back end that this build has, in each
// precision: time, pairs and particle-steps a second beside what arithmetic and memory alone do in the same
// run, phases, the error of the regions, and the source document's figures. Medians of several repetitions;
// no timing is ever a test. Here: the options, and the run through the rows.
#include "bench/gas/bench.h"

#include "bench/gas/private.h"
#include "models/host_arithmetic.h"

#include <string.h>

static const char help[] =
    "Usage: fathom bench gas [OPTIONS]\n"
    "\n"
    "Times steps of a gas in two dimensions, by every back end in this build that this machine can run, in "
    "each\n"
    "precision: ln r (log), condensing, real-gas, Lennard-Jones, truncated or with a shifted force; by every "
    "pair, by\n"
    "lists of neighbours, or by the three regions of cells, whose error against every pair is measured in "
    "the "
    "same run.\n"
    "Fluids are brought to equilibrium before they are timed. Each time is the median of several "
    "repetitions, by the\n"
    "device's own clock where it has one. Tables:\n"
    "  variants  every system by every method at a few numbers of particles, and the phases of a step\n"
    "  source    the source document's variants at its numbers of particles, with the times that it gives\n"
    "A step that will take longer than the budget is not run: its time is estimated from fewer particles "
    "and shown with ~.\n"
    "\n"
    "Options:\n"
    "      --size N          only the table of variants, with this number of particles; may be given "
    "several times\n"
    "                        (16384 to 4194304, by system and method)\n"
    "      --table NAME      only this table; may be given several times\n"
    "      --system NAME     only log, log-2500, condensing, condensing-2500, real-gas, lennard-jones or\n"
    "                        lj-force-shifted (-2500: with the source document's 50 x 50 cells); may be "
    "given several\n"
    "                        times\n"
    "      --method NAME     only all-pairs, or only cells\n"
    "      --precision NAME  only float, or only double\n"
    "      --skin S          of the lists (0.2 of the cut-off)\n"
    "      --columns N       cells of the regions on a side (of fewest operations)\n"
    "      --near R, --far R radii of the regions in cells (2, 10)\n"
    "      --order N         Taylor's order of far cells: 0 or 1 (1)\n"
    "      --budget S        seconds for a row's repetitions; no step that takes longer is run (2)\n"
    "      --backend NAME    only this back end; NAME:1 is its second device; may be given several times\n"
    "      --steps N         steps in a repetition (as many as take 20 ms, on a device 50 ms; lists 40)\n"
    "      --repeat N        repetitions at most (5)\n"
    "      --no-reference    leave out the slow reference\n"
    "  -t, --threads N       processor cores to use (all)\n"
    "      --json            as JSON\n"
    "  -h, --help            this text\n";

// ---- the run

// A row that takes too long keeps the estimate; one that the machine refuses is noted.
static enum status run_row(struct bench_options *options, struct bench_results *results,
                           struct bench_particles *particles, struct bench_row *row)
{
    const double expected_s = gas_bench_expected_step_s(results, row);
    if (expected_s > options->budget_s) {
        row->time.step_ms = 1e3 * expected_s;
        return STATUS_OK;
    }
    CHECK(gas_bench_make_particles(options, row->system, row->count, particles));
    char what[3 * BENCH_LABEL_BYTES];
    gas_bench_describe_row(row, what, sizeof what);
    return bench_forgive(&options->common, what, gas_bench_run_row(options, particles, row));
}

static enum status run_rows(struct bench_options *options, struct bench_results *results)
{
    static struct bench_particles particles;
    enum status status = STATUS_OK;
    for (int k = 0; k < results->row_count && status == STATUS_OK; k++)
        status = run_row(options, results, &particles, &results->rows[k]);
    gas_bench_free(&particles);
    return status;
}

// The reference's arithmetic is not what it is about.
static enum status measure_machine(struct bench_options *options, struct bench_results *results)
{
    for (int e = 0; e < options->common.entry_count; e++) {
        const struct bench_entry *entry = &options->common.entries[e];
        const struct gas_backend *backend = (const struct gas_backend *)entry->backend;
        CHECK(bench_measure_copy(&options->common, e, backend->measure_copy));
        CHECK(bench_measure_limits(&options->common, e,
                                   bench_is_reference(entry)     ? NULL
                                   : entry->backend->has_devices ? backend->measure_arithmetic
                                                                 : host_measure_arithmetic,
                                   results->limits[e]));
    }
    return STATUS_OK;
}

static enum status run(void *context)
{
    static struct bench_results results;
    struct bench_options *options = context;
    if (options->far < options->near)
        return bench_mistake(&options->common,
                             "--far is less than --near: far cells lie beyond the near ones");
    memset(&results, 0, sizeof results);
    if (options->tables == 0)
        options->tables = options->count_count > 0 ? BENCH_VARIANTS : BENCH_VARIANTS | BENCH_SOURCE;
    CHECK(bench_choose_entries(&options->common));
    CHECK(measure_machine(options, &results));
    CHECK(gas_bench_list_rows(options, &results));
    CHECK(run_rows(options, &results));
    if (options->common.as_json)
        return gas_bench_print_json(options, &results);
    gas_bench_print(options, &results);
    return STATUS_OK;
}

// ---- the command line

enum { SIZE = BENCH_OWN, TABLE, SYSTEM, METHOD, PRECISION, SKIN, COLUMNS, NEAR, FAR, ORDER, BUDGET };

static enum status read_size(struct bench_options *options)
{
    int count;
    if (!bench_read_count(optarg, BENCH_COUNT_LEAST, GAS_COUNT_MAX, &count))
        return bench_mistake(&options->common, "--size needs a number of particles from 256 to 1073741824");
    if (options->count_count == BENCH_COUNTS_MAX)
        return bench_mistake(&options->common, "--size: at most 16 numbers at a time");
    options->counts[options->count_count++] = (size_t)count;
    return STATUS_OK;
}

static enum status read_table(struct bench_options *options)
{
    static const char *const names[] = {"variants", "source"};
    int place;
    CHECK(bench_read_word(&options->common, names, 2, "--table is variants or source", &place));
    options->tables |= 1u << place;
    return STATUS_OK;
}

static enum status read_flag(const struct bench_options *options, const char *const *words, int count,
                             const char *message, bool *flags)
{
    int place;
    CHECK(bench_read_word(&options->common, words, count, message, &place));
    flags[place] = true;
    return STATUS_OK;
}

static enum status read_whole(const struct bench_options *options, int least, int most, const char *message,
                              int *number)
{
    return bench_read_count(optarg, least, most, number) ? STATUS_OK
                                                         : bench_mistake(&options->common, message);
}

static enum status take(int option, void *context)
{
    static const char *const methods[] = {"all-pairs", "cells"}, *const precisions[] = {"float", "double"};
    struct bench_options *options = context;
    switch (option) {
    case SIZE:
        return read_size(options);
    case TABLE:
        return read_table(options);
    case SYSTEM:
        return read_flag(options, gas_bench_system_names, BENCH_SYSTEMS,
                         "--system is log, log-2500, condensing, condensing-2500, real-gas, lennard-jones or "
                         "lj-force-shifted",
                         options->systems);
    case METHOD:
        return read_flag(options, methods, GAS_METHODS, "--method is all-pairs or cells", options->methods);
    case PRECISION:
        return read_flag(options, precisions, 2, "--precision is float or double", options->precisions);
    case SKIN:
        return bench_read_number(&options->common, "skin", 1e-3, 10, &options->skin);
    case COLUMNS:
        return read_whole(options, 1, 1024, "--columns needs a number from 1 to 1024", &options->columns);
    case NEAR:
        return bench_read_number(&options->common, "near", 1.001, 1000, &options->near);
    case FAR:
        return bench_read_number(&options->common, "far", 1.001, 1000, &options->far);
    case ORDER:
        return read_whole(options, 0, 1, "--order is 0 or 1", &options->order);
    default:
        return bench_read_number(&options->common, "budget", 1e-3, 86400, &options->budget_s);
    }
}

int gas_bench(int argc, char **argv)
{
    static const struct option long_options[] = {BENCH_COMMON_OPTIONS,
                                                 {"size", required_argument, NULL, SIZE},
                                                 {"table", required_argument, NULL, TABLE},
                                                 {"system", required_argument, NULL, SYSTEM},
                                                 {"method", required_argument, NULL, METHOD},
                                                 {"precision", required_argument, NULL, PRECISION},
                                                 {"skin", required_argument, NULL, SKIN},
                                                 {"columns", required_argument, NULL, COLUMNS},
                                                 {"near", required_argument, NULL, NEAR},
                                                 {"far", required_argument, NULL, FAR},
                                                 {"order", required_argument, NULL, ORDER},
                                                 {"budget", required_argument, NULL, BUDGET},
                                                 {NULL, 0, NULL, 0}};
    static struct bench_options options;
    options = (struct bench_options){
        .common = {.model = "gas", .list = &gas_backends, .steps_least = 1, .repeat = 5},
        .near = 2,
        .far = 10,
        .order = 1,
        .budget_s = 2};
    return bench_main(argc, argv, &options.common, help, long_options, take, run, &options);
}
