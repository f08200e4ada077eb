// `fathom bench ising`: every method of every back end that this build has: spins turned a nanosecond beside
// what the random numbers and copies alone do in the same run, and the energy against the exact one. Medians
// of several repetitions; no timing is ever a test. Here: the options, and the run through the rows.
#include "bench/ising/bench.h"

#include "bench/ising/private.h"
#include "models/ising/exact.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: fathom bench ising [OPTIONS]\n"
    "\n"
    "Times sweeps of the two-dimensional Ising model by every method of every back end in this build that "
    "this machine\n"
    "can run, from a cold start at the critical temperature, with energy and magnetisation measured among "
    "them. Each\n"
    "time is the median of several repetitions, by the device's own clock where it has one. Then the same "
    "solver's mean\n"
    "energy is compared with the exact one of the lattice at a temperature whose equilibrium is near; if it "
    "is off by\n"
    "more than 6 standard errors, the benchmark fails.\n"
    "\n"
    "Options:\n"
    "      --size L          L x L sites, even; may be given several times (64 to 65536, by method)\n"
    "      --replicas N      lattices side by side (by size; with --size 1)\n"
    "      --method NAME     only this method; may be given several times\n"
    "      --boundary NAME   periodic or helical (periodic; helical: no energy to compare with)\n"
    "      --beta B          where sweeps are timed (0.44068679, the critical one)\n"
    "      --check-beta B    where the energy is compared, beyond the critical one: 0.48 to 2 (0.5)\n"
    "      --every N         sweeps from one measurement to the next (10)\n"
    "      --budget S        seconds for a row's repetitions (2)\n"
    "      --backend NAME    only this back end; NAME:1 is its second device; may be given several times\n"
    "      --steps N         sweeps in a repetition (as many as take 20 ms, on a device 50 ms)\n"
    "      --repeat N        repetitions at most (5)\n"
    "      --no-reference    leave out the slow reference\n"
    "  -t, --threads N       processor cores to use (all)\n"
    "      --json            as JSON\n"
    "  -h, --help            this text\n";

// ---- the run

// The reference's arithmetic is not what it is about.
static enum status measure_machine(struct bench_options *options, struct bench_results *results)
{
    for (int e = 0; e < options->common.entry_count; e++) {
        const struct bench_entry *entry = &options->common.entries[e];
        const struct ising_backend *backend = (const struct ising_backend *)entry->backend;
        CHECK(bench_measure_copy(&options->common, e, backend->measure_copy));
        if (backend->measure_draws)
            CHECK(bench_forgive(&options->common, entry->label,
                                backend->measure_draws(entry->device, &results->draws_per_s[e])));
    }
    return STATUS_OK;
}

static enum status run_rows(struct bench_options *options, struct bench_results *results)
{
    for (int k = 0; k < results->row_count; k++) {
        char what[3 * BENCH_LABEL_BYTES];
        ising_bench_describe_row(&results->rows[k], what, sizeof what);
        CHECK(bench_forgive(&options->common, what, ising_bench_run_row(options, &results->rows[k])));
    }
    return STATUS_OK;
}

static enum status judge(const struct bench_results *results)
{
    for (int k = 0; k < results->row_count; k++) {
        const struct bench_row *row = &results->rows[k];
        char what[3 * BENCH_LABEL_BYTES];
        ising_bench_describe_row(row, what, sizeof what);
        if (row->check.measurements > 0 && !(ising_bench_sigmas(row) <= BENCH_SIGMAS))
            return FAIL(STATUS_SOFTWARE,
                        "bench ising: %s: energy %.7f a site, exactly %.7f: %.1f standard errors apart", what,
                        row->check.energy, row->check.exact, ising_bench_sigmas(row));
    }
    return STATUS_OK;
}

static enum status run(void *context)
{
    static struct bench_results results;
    struct bench_options *options = context;
    memset(&results, 0, sizeof results);
    CHECK(bench_choose_entries(&options->common));
    CHECK(measure_machine(options, &results));
    CHECK(ising_bench_list_rows(options, &results));
    CHECK(run_rows(options, &results));
    if (options->common.as_json)
        CHECK(ising_bench_print_json(options, &results));
    else
        ising_bench_print(options, &results);
    return judge(&results);
}

// ---- the command line

enum { SIZE = BENCH_OWN, REPLICAS, METHOD, BOUNDARY, BETA, CHECK_BETA, EVERY, BUDGET };

static enum status read_size(struct bench_options *options)
{
    int size;
    if (!bench_read_count(optarg, BENCH_SIZE_LEAST, BENCH_SIZE_MOST, &size) || size % 2 != 0)
        return bench_mistake(&options->common, "--size needs an even number from 4 to 1048576");
    if (options->size_count == BENCH_SIZES_MAX)
        return bench_mistake(&options->common, "--size: at most 16 at a time");
    options->sizes[options->size_count++] = size;
    return STATUS_OK;
}

static enum status read_whole(const struct bench_options *options, int most, const char *message, int *number)
{
    return bench_read_count(optarg, 1, most, number) ? STATUS_OK : bench_mistake(&options->common, message);
}

static enum status take(int option, void *context)
{
    struct bench_options *options = context;
    int place;
    switch (option) {
    case SIZE:
        return read_size(options);
    case REPLICAS:
        return read_whole(options, BENCH_REPLICAS_MOST, "--replicas needs a number from 1 to 1048576",
                          &options->replicas);
    case METHOD:
        CHECK(bench_read_word(&options->common, ising_method_names, ISING_METHODS,
                              "--method is metropolis, metropolis-integer, metropolis-random, heat-bath, "
                              "wolff or swendsen-wang",
                              &place));
        options->methods[place] = true;
        return STATUS_OK;
    case BOUNDARY:
        CHECK(bench_read_word(&options->common, ising_boundary_names, 2, "--boundary is periodic or helical",
                              &place));
        options->boundary = (enum ising_boundary)place;
        return STATUS_OK;
    case BETA:
        return bench_read_number(&options->common, "beta", 1e-6, 1000, &options->beta);
    case CHECK_BETA: // equilibrium is near the cold start
        return bench_read_number(&options->common, "check-beta", 0.48, 2, &options->check_beta);
    case EVERY:
        return read_whole(options, 1000, "--every needs a number from 1 to 1000", &options->every);
    default:
        return bench_read_number(&options->common, "budget", 1e-3, 86400, &options->budget_s);
    }
}

int ising_bench(int argc, char **argv)
{
    static const struct option long_options[] = {BENCH_COMMON_OPTIONS,
                                                 {"size", required_argument, NULL, SIZE},
                                                 {"replicas", required_argument, NULL, REPLICAS},
                                                 {"method", required_argument, NULL, METHOD},
                                                 {"boundary", required_argument, NULL, BOUNDARY},
                                                 {"beta", required_argument, NULL, BETA},
                                                 {"check-beta", required_argument, NULL, CHECK_BETA},
                                                 {"every", required_argument, NULL, EVERY},
                                                 {"budget", required_argument, NULL, BUDGET},
                                                 {NULL, 0, NULL, 0}};
    static struct bench_options options;
    options = (struct bench_options){
        .common = {.model = "ising", .list = &ising_backends, .steps_least = 1, .repeat = 5},
        .replicas = 1,
        .every = 10,
        .beta = ISING_CRITICAL_BETA,
        .check_beta = 0.5,
        .budget_s = 2};
    return bench_main(argc, argv, &options.common, help, long_options, take, run, &options);
}
