// `fathom bench tsunami`: every back end that this build has, in each precision and method, on one grid with
// all of the water moving, beside the copy rate that the memory it works in reaches in the same run. Medians
// of several repetitions; no timing is ever a test. Here: the options, and which variants there are. Knows no
// back end by name but the reference, which is slow.
#include "bench/tsunami/bench.h"

#include "bench/tsunami/private.h"
#include "io/units.h"
#include "models/tsunami/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: fathom bench tsunami [OPTIONS]\n"
    "\n"
    "Times the tsunami's solvers, those of every back end in this build that this machine can run, on an "
    "ocean-like\n"
    "grid in which every node is wet and moving: the sphere, Coriolis and curvature on, depths 1700 to 6300 "
    "m, columns\n"
    "4 arc-minutes apart and rows so that cells are square (closer where the grid would reach beyond its "
    "usual extent,\n"
    "191.9 degrees of longitude or 64.9 of latitude). Each line is the median of several repetitions, by the "
    "device's\n"
    "own clock where it has one. 'bytes' are those that one pass must move: e, u, v and c0 read, e, u, v "
    "written; with\n"
    "--maxima 4 more, the largest elevation so far (what grows is written too, but that is little and not "
    "counted).\n"
    "'of copy' compares them with a plain copy, read and written, in the same memory and the same run.\n"
    "\n"
    "With --method muscl-hancock or vtcs2-shore, for which the shore moves, the grid is a plane with nodes "
    "10 m apart: a\n"
    "sea up to 50 m deep, islands, and a beach with the land behind it. About 70 % of the nodes are wet, as "
    "each line\n"
    "says, and all of these move; the dry ones are computed and counted too. 'bytes' are then w, u, v and z "
    "read and w,\n"
    "u, v written; with --maxima 8 more, the largest elevation and depth so far.\n"
    "\n"
    "Options:\n"
    "      --size NXxNY      nodes of the grid (2879x2581, about the Pacific at 4 arc-minutes)\n"
    "      --step TIME       time step (10 s, or 0.9 of the longest allowed if that is shorter; where the "
    "shore moves\n"
    "                        0.9 of the longest allowed)\n"
    "      --method NAME     only this method: vtcs2, vtcs2-o2, muscl-hancock or vtcs2-shore; may be given "
    "twice for two\n"
    "                        with the same grid (vtcs2 and vtcs2-o2)\n"
    "      --backend NAME    only this back end; NAME:1 is its second device; may be given several times\n"
    "      --steps N         steps in a repetition (10 on the host; on a device as many as take 50 ms; the "
    "reference\n"
    "                        takes one)\n"
    "      --repeat N        repetitions (7)\n"
    "      --manning N       with bottom friction of this roughness (0)\n"
    "      --maxima          with maxima and one arrival time\n"
    "      --no-reference    leave out the slow reference\n"
    "  -t, --threads N       processor cores to use (all)\n"
    "      --json            as JSON\n"
    "  -h, --help            this text\n";

// ---- which variants

// Whether the entry's back end has the methods that were asked for: those that flood come together.
static enum status check_methods(struct bench_options *options, const struct bench_entry *entry,
                                 bool *has_them)
{
    *has_them = tsunami_backend_for(tsunami_backend_of(entry->backend), options->methods[0]) != NULL;
    if (*has_them)
        return STATUS_OK;
    const char *method = tsunami_method_name(options->methods[0]);
    if (options->common.has_named)
        return FAIL(STATUS_USAGE, "bench tsunami: --method: back end \"%s\" has no %s", entry->label, method);
    char why[64];
    snprintf(why, sizeof why, "it has no %s", method);
    bench_add_note(&options->common, entry->label, why);
    return STATUS_OK;
}

// The copy rate of the memory that entry number `index` works in stays 0 if it lacks the methods.
static enum status measure_copy(struct bench_options *options, int index)
{
    const struct bench_entry *entry = &options->common.entries[index];
    bool has_methods;
    CHECK(check_methods(options, entry, &has_methods));
    if (!has_methods)
        return STATUS_OK;
    return bench_measure_copy(&options->common, index, tsunami_backend_of(entry->backend)->measure_copy);
}

static enum status bench_entry(struct bench_options *options, const struct bench_entry *entry,
                               struct bench_results *results)
{
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    const bool is_reference = tsunami_backend_of(entry->backend) == &tsunami_backend_reference;
    // The reference is in double whatever is asked for.
    for (int p = is_reference ? 1 : 0; p < 2; p++)
        for (int m = 0; m < options->method_count; m++) {
            struct bench_row *row = &results->rows[results->row_count];
            *row =
                (struct bench_row){.entry = entry, .precision = precisions[p], .method = options->methods[m]};
            char what[BENCH_LABEL_BYTES + 64], variant[BENCH_VARIANT_BYTES];
            bench_describe_variant(row, variant, sizeof variant);
            snprintf(what, sizeof what, "%s, %s", entry->label, variant);
            CHECK(bench_forgive(&options->common, what, bench_variant(options, results->step_s, row)));
            results->row_count += row->step_ms > 0;
        }
    return STATUS_OK;
}

static enum status choose_step(const struct bench_options *options, struct bench_results *results)
{
    results->limit_s = bench_step_limit_s(options);
    results->step_s = options->step_s > 0 ? options->step_s : bench_usual_step_s(options);
    if (results->step_s <= results->limit_s)
        return STATUS_OK;
    return FAIL(STATUS_USAGE, "bench tsunami: --step: %g s is unstable on this grid, whose limit is %.4g s",
                results->step_s, results->limit_s);
}

static void take_usual_methods(struct bench_options *options)
{
    options->methods[0] = TSUNAMI_VTCS2;
    options->methods[1] = TSUNAMI_VTCS2_O2;
    options->method_count = 2;
}

static enum status bench(void *context)
{
    static struct bench_results results;
    struct bench_options *options = context;
    struct bench_common *common = &options->common;
    memset(&results, 0, sizeof results);
    if (options->method_count == 0)
        take_usual_methods(options);
    CHECK(choose_step(options, &results));
    bench_list_entries(common);
    for (int k = 0; k < common->entry_count; k++)
        CHECK(measure_copy(options, k));
    for (int k = 0; k < common->entry_count; k++)
        if (common->entries[k].copy_gigabytes_per_s > 0)
            CHECK(bench_entry(options, &common->entries[k], &results));
    if (common->as_json)
        return bench_print_json(options, &results);
    bench_print_table(options, &results);
    return STATUS_OK;
}

// ---- the command line

static bool read_size(const char *text, size_t *nx, size_t *ny)
{
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return false;
    *nx = strtoul(text, &end, 10);
    if (*end != 'x' || end[1] < '0' || end[1] > '9')
        return false;
    *ny = strtoul(end + 1, &end, 10);
    return *end == '\0' && *nx >= 4 && *ny >= 4 && *nx <= 100000 && *ny <= 100000;
}

static enum status read_method(const char *text, struct bench_options *options)
{
    static const enum tsunami_method known[] = {TSUNAMI_VTCS2, TSUNAMI_VTCS2_O2, TSUNAMI_MUSCL_HANCOCK,
                                                TSUNAMI_VTCS2_SHORE};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(text, tsunami_method_name(known[k])) != 0)
            continue;
        for (int m = 0; m < options->method_count; m++)
            if (options->methods[m] == known[k])
                return STATUS_OK;
        if (options->method_count > 0 && tsunami_method_floods(known[k]) != bench_floods(options))
            return FAIL(STATUS_USAGE,
                        "bench tsunami: --method: %s and %s are timed on different grids: one table for each",
                        tsunami_method_name(options->methods[0]), text);
        options->methods[options->method_count++] = known[k];
        return STATUS_OK;
    }
    return FAIL(STATUS_USAGE,
                "bench tsunami: --method: \"%s\" is none of vtcs2, vtcs2-o2, muscl-hancock, vtcs2-shore",
                text);
}

enum { SIZE = BENCH_OWN, STEP, METHOD, MANNING, MAXIMA };

static enum status take_option(int option, void *context)
{
    struct bench_options *options = context;
    char *end;
    switch (option) {
    case SIZE:
        return read_size(optarg, &options->nx, &options->ny)
                   ? STATUS_OK
                   : bench_mistake(&options->common,
                                   "--size needs two numbers from 4 to 100000, like 2879x2581");
    case STEP:
        CHECK_ABOUT(units_parse_quantity(optarg, "s", &options->step_s) == STATUS_OK ? STATUS_OK
                                                                                     : STATUS_USAGE,
                    "bench tsunami: --step");
        return options->step_s > 0 ? STATUS_OK
                                   : bench_mistake(&options->common, "--step must be longer than 0");
    case METHOD:
        return read_method(optarg, options);
    case MANNING:
        options->manning_n = strtod(optarg, &end);
        return optarg[0] != '\0' && *end == '\0' && options->manning_n >= 0 && options->manning_n < 1
                   ? STATUS_OK
                   : bench_mistake(&options->common, "--manning needs a number from 0 to 1");
    default:
        options->has_maxima = true;
        return STATUS_OK;
    }
}

int tsunami_bench(int argc, char **argv)
{
    static const struct option long_options[] = {BENCH_COMMON_OPTIONS,
                                                 {"size", required_argument, NULL, SIZE},
                                                 {"step", required_argument, NULL, STEP},
                                                 {"method", required_argument, NULL, METHOD},
                                                 {"manning", required_argument, NULL, MANNING},
                                                 {"maxima", no_argument, NULL, MAXIMA},
                                                 {NULL, 0, NULL, 0}};
    static struct bench_options options;
    options = (struct bench_options){
        .common = {.model = "tsunami", .list = tsunami_backend_list(), .steps_least = 2, .repeat = 7},
        .nx = 2879,
        .ny = 2581};
    const int code =
        bench_main(argc, argv, &options.common, help, long_options, take_option, bench, &options);
    units_release();
    return code;
}
