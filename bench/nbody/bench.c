// `fathom bench nbody`: every way to sum the pulls of bodies on each other, of every back end that this build
// has, in each precision: time, arithmetic beside what the processor's or device's arithmetic alone does in
// the same run, error against the direct sum in double; the source document's tables; time against the number
// of bodies. Medians of several repetitions; no timing is ever a test. Here: the options, and the run through
// the rows.
#include "bench/nbody/bench.h"

#include "bench/nbody/private.h"
#include "models/nbody/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: fathom bench nbody [OPTIONS]\n"
    "\n"
    "Times steps (leapfrog) of bodies that attract each other, by every back end in this build that this "
    "machine can\n"
    "run, by every pair or through a tree. Each time is the median of several repetitions, by the device's "
    "own clock\n"
    "where it has one. Errors are |a - a'|/|a'| of 1000 bodies, a' by every pair in double from the same "
    "positions with\n"
    "the same softening. Tables:\n"
    "  variants  every method at a few numbers of bodies: interactions and operations a second, errors, "
    "phases\n"
    "  source    the source document's algorithms at its numbers of bodies, with the times that it gives\n"
    "  phases    its six phases of a step with the tree, likewise\n"
    "  sizes     time of a step from 1000 to 1000000 bodies, and where the fastest way changes\n"
    "A step that will take longer than the budget is not run: its time is estimated from fewer bodies and "
    "shown with ~.\n"
    "\n"
    "Options:\n"
    "      --size N          only the table of variants, with this number of bodies; may be given several "
    "times\n"
    "                        (16384, 524288, 1048576; on a device 8388608, too)\n"
    "      --table NAME      only this table; may be given several times\n"
    "      --method NAME     only direct, direct-tiled, direct-naive or barnes-hut; may be given several "
    "times\n"
    "      --precision NAME  only float, or only double\n"
    "      --particles NAME  plummer: Plummer's sphere, or uniform-cube (plummer)\n"
    "      --theta T         opening of the tree's cells, by their size and offset (0.6)\n"
    "      --softening E     where the total mass and G are 1; Plummer's scale radius is 0.589, a cube's "
    "side 1 (0.01)\n"
    "      --budget S        seconds for a row's repetitions; no step that takes longer is run (4)\n"
    "      --backend NAME    only this back end; NAME:1 is its second device; may be given several times\n"
    "      --steps N         steps in a repetition (as many as take 20 ms, on a device 50 ms)\n"
    "      --repeat N        repetitions at most (7)\n"
    "      --no-reference    leave out the slow reference\n"
    "  -t, --threads N       processor cores to use (all)\n"
    "      --json            as JSON\n"
    "  -h, --help            this text\n";

// ---- the run

// A row that takes too long keeps the estimate; one that the machine refuses is noted.
static enum status run_row(struct bench_options *options, struct bench_results *results,
                           struct bench_bodies *bodies, struct bench_row *row)
{
    const double expected_s = nbody_bench_expected_step_s(results, row);
    if (expected_s > options->budget_s) {
        row->step_ms = 1e3 * expected_s;
        return STATUS_OK;
    }
    if (bodies->count != row->count)
        CHECK(nbody_bench_make_bodies(options, row->count, bodies));
    char what[3 * BENCH_LABEL_BYTES];
    nbody_bench_describe_row(row, what, sizeof what);
    return bench_forgive(&options->common, what, nbody_bench_run_row(options, bodies, row));
}

static enum status run_rows(struct bench_options *options, struct bench_results *results)
{
    static struct bench_bodies bodies;
    enum status status = STATUS_OK;
    for (int k = 0; k < results->row_count && status == STATUS_OK; k++)
        status = run_row(options, results, &bodies, &results->rows[k]);
    free(bodies.bodies);
    bodies = (struct bench_bodies){0};
    return status;
}

static enum status measure_limits(struct bench_options *options, struct bench_results *results)
{
    for (int e = 0; e < options->common.entry_count; e++) {
        const struct nbody_backend *backend =
            (const struct nbody_backend *)options->common.entries[e].backend;
        CHECK(bench_measure_limits(&options->common, e, backend->measure_arithmetic, results->limits[e]));
    }
    return STATUS_OK;
}

static enum status run(void *context)
{
    static const size_t usual[] = {16384, 524288, 1048576, 8388608};
    static struct bench_results results;
    struct bench_options *options = context;
    memset(&results, 0, sizeof results);
    options->has_own_counts = options->count_count > 0;
    if (options->tables == 0)
        options->tables = options->has_own_counts
                              ? BENCH_VARIANTS
                              : BENCH_VARIANTS | BENCH_SOURCE | BENCH_PHASES | BENCH_SIZES;
    if (!options->has_own_counts) {
        options->count_count = (int)(sizeof usual / sizeof *usual);
        memcpy(options->counts, usual, sizeof usual);
    }
    CHECK(bench_choose_entries(&options->common));
    CHECK(measure_limits(options, &results));
    CHECK(nbody_bench_list_rows(options, &results));
    CHECK(run_rows(options, &results));
    if (options->common.as_json)
        return nbody_bench_print_json(options, &results);
    nbody_bench_print(options, &results);
    return STATUS_OK;
}

// ---- the command line

enum { SIZE = BENCH_OWN, TABLE, METHOD, PRECISION, PARTICLES, THETA, SOFTENING, BUDGET };

static enum status read_size(struct bench_options *options)
{
    int count;
    if (!bench_read_count(optarg, BENCH_COUNT_LEAST, NBODY_COUNT_MAX, &count))
        return bench_mistake(&options->common, "--size needs a number of bodies from 2 to 1073741824");
    if (options->count_count == BENCH_COUNTS_MAX)
        return bench_mistake(&options->common, "--size: at most 16 numbers at a time");
    options->counts[options->count_count++] = (size_t)count;
    return STATUS_OK;
}

static enum status read_table(struct bench_options *options)
{
    static const char *const names[] = {"variants", "source", "phases", "sizes"};
    int place;
    CHECK(
        bench_read_word(&options->common, names, 4, "--table is variants, source, phases or sizes", &place));
    options->tables |= 1u << place;
    return STATUS_OK;
}

static enum status read_method(struct bench_options *options)
{
    int place;
    CHECK(bench_read_word(&options->common, nbody_method_names, NBODY_METHODS,
                          "--method is direct, direct-tiled, direct-naive or barnes-hut", &place));
    options->methods[place] = true;
    return STATUS_OK;
}

static enum status read_precision(struct bench_options *options)
{
    static const char *const names[] = {"float", "double"};
    int place;
    CHECK(bench_read_word(&options->common, names, 2, "--precision is float or double", &place));
    options->precisions[place] = true;
    return STATUS_OK;
}

static enum status read_particles(struct bench_options *options)
{
    static const char *const names[] = {"plummer", "uniform-cube"};
    int place;
    CHECK(bench_read_word(&options->common, names, 2, "--particles is plummer or uniform-cube", &place));
    options->is_cube = place == 1;
    return STATUS_OK;
}

static enum status take(int option, void *context)
{
    struct bench_options *options = context;
    switch (option) {
    case SIZE:
        return read_size(options);
    case TABLE:
        return read_table(options);
    case METHOD:
        return read_method(options);
    case PRECISION:
        return read_precision(options);
    case PARTICLES:
        return read_particles(options);
    case THETA:
        return bench_read_number(&options->common, "theta", 0.05, 2, &options->theta);
    case SOFTENING:
        return bench_read_number(&options->common, "softening", 0, 10, &options->softening);
    default:
        return bench_read_number(&options->common, "budget", 1e-3, 86400, &options->budget_s);
    }
}

int nbody_bench(int argc, char **argv)
{
    static const struct option long_options[] = {BENCH_COMMON_OPTIONS,
                                                 {"size", required_argument, NULL, SIZE},
                                                 {"table", required_argument, NULL, TABLE},
                                                 {"method", required_argument, NULL, METHOD},
                                                 {"precision", required_argument, NULL, PRECISION},
                                                 {"particles", required_argument, NULL, PARTICLES},
                                                 {"theta", required_argument, NULL, THETA},
                                                 {"softening", required_argument, NULL, SOFTENING},
                                                 {"budget", required_argument, NULL, BUDGET},
                                                 {NULL, 0, NULL, 0}};
    static struct bench_options options;
    options = (struct bench_options){
        .common = {.model = "nbody", .list = &nbody_backends, .steps_least = 1, .repeat = 7},
        .theta = 0.6,
        .softening = 0.01,
        .budget_s = 4};
    return bench_main(argc, argv, &options.common, help, long_options, take, run, &options);
}
