// `fathom bench bioheat`: every back end that this build has, in each precision and variant, on one grid,
// beside the copy rate that the memory it works in reaches in the same run. Medians of several repetitions;
// no timing is ever a test. Here: the options, and which variants there are. Knows no back end by name but
// the reference, which is slow.
#include "bench/bioheat/bench.h"

#include "bench/bioheat/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct bench_variant bench_variants[BENCH_VARIANTS] = {
    {"uniform", BENCH_UNIFORM, BIOHEAT_EULER, BIOHEAT_DOSE_OFF, false},
    {"labels", BENCH_LABELS, BIOHEAT_EULER, BIOHEAT_DOSE_OFF, false},
    {"labels+dose", BENCH_LABELS, BIOHEAT_EULER, BIOHEAT_DOSE_KWAVE, false},
    {"labels+dose+maximum", BENCH_LABELS, BIOHEAT_EULER, BIOHEAT_DOSE_KWAVE, true},
    {"fields", BENCH_FIELDS, BIOHEAT_EULER, BIOHEAT_DOSE_OFF, false},
    {"fields+dose", BENCH_FIELDS, BIOHEAT_EULER, BIOHEAT_DOSE_KWAVE, false},
    {"labels,euler-in-place", BENCH_LABELS, BIOHEAT_EULER_IN_PLACE, BIOHEAT_DOSE_OFF, false},
    {"labels,three-colour", BENCH_LABELS, BIOHEAT_THREE_COLOUR, BIOHEAT_DOSE_OFF, false},
    {"labels,source-three-colour", BENCH_LABELS, BIOHEAT_SOURCE_THREE_COLOUR, BIOHEAT_DOSE_OFF, false},
};

static const char help[] =
    "Usage: fathom bench bioheat [OPTIONS]\n"
    "\n"
    "Times the heat model's solvers, those of every back end in this build that this machine can run, on a "
    "grid of 1 "
    "mm\n"
    "cells with fixed outermost layers. 'uniform': one tissue. 'labels': five tissues in shells like a "
    "head's, with\n"
    "perfusion. 'fields': conductivity, heat capacity and perfusion that vary from cell to cell. The "
    "temperatures are\n"
    "between 38 and 48 degC: with '+dose' every cell has a dose to add in every step, which is the worst "
    "case. Methods "
    "as\n"
    "named, else euler. Each line is the median of several repetitions, by the device's own clock where it "
    "has one.\n"
    "'bytes' are those that one pass must move: the temperature read and written; a label, or three fields, "
    "read; the\n"
    "dose read and written; the largest rise so far read. 'of copy' compares them with a plain copy, read "
    "and written,\n"
    "in the same memory and the same run: several steps in one pass over the memory can be above 100 %.\n"
    "\n"
    "Options:\n"
    "      --size ZxYxX      cells of the grid (256x256x256)\n"
    "      --variant NAME    only this variant: uniform, labels, labels+dose, labels+dose+maximum, fields, "
    "fields+dose,\n"
    "                        labels,euler-in-place, labels,three-colour, labels,source-three-colour; may be "
    "given "
    "several\n"
    "                        times\n"
    "      --precision NAME  only float, or only double\n"
    "      --backend NAME    only this back end; NAME:1 is its second device; may be given several times\n"
    "      --steps N         steps in a repetition (16 on the host; on a device as many as take 50 ms; the "
    "reference\n"
    "                        takes one)\n"
    "      --repeat N        repetitions (7)\n"
    "      --no-reference    leave out the slow reference\n"
    "  -t, --threads N       processor cores to use (all)\n"
    "      --processor-time  count the time that the processor spends on the steps, not the clock's: for one "
    "thread on\n"
    "                        a machine that does other things too\n"
    "      --json            as JSON\n"
    "  -h, --help            this text\n";

// ---- which variants

static bool is_wanted(const struct bench_options *options, const struct bench_entry *entry, int variant)
{
    bool has_any = false;
    for (int v = 0; v < BENCH_VARIANTS; v++)
        has_any = has_any || options->is_wanted[v];
    if (has_any)
        return options->is_wanted[variant];
    // The reference takes seconds a step: one line will do.
    return bench_backend(entry) != &bioheat_backend_reference || variant == 1;
}

static enum status bench_entry(struct bench_options *options, const struct bench_entry *entry,
                               struct bench_results *results)
{
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    const bool has_both = options->precisions[0] == options->precisions[1];
    for (int p = 0; p < 2; p++)
        for (int v = 0; v < BENCH_VARIANTS; v++) {
            // The reference is in double whatever is asked for.
            const bool is_reference = bench_backend(entry) == &bioheat_backend_reference;
            if (!is_wanted(options, entry, v) || (is_reference && p == 0) ||
                (!is_reference && !has_both && !options->precisions[p]))
                continue;
            struct bench_row *row = &results->rows[results->row_count];
            *row =
                (struct bench_row){.entry = entry, .precision = precisions[p], .variant = &bench_variants[v]};
            char what[2 * BENCH_LABEL_BYTES + 8], variant[BENCH_LABEL_BYTES];
            bench_describe_row(row, variant, sizeof variant);
            snprintf(what, sizeof what, "%s, %s", entry->label, variant);
            CHECK(bench_forgive(&options->common, what, bench_time_row(options, row)));
            results->row_count += row->step_ms > 0 && row->cells_per_s > 0;
        }
    return STATUS_OK;
}

static enum status bench(void *context)
{
    static struct bench_results results;
    struct bench_options *options = context;
    struct bench_common *common = &options->common;
    memset(&results, 0, sizeof results);
    bench_list_entries(common);
    for (int k = 0; k < common->entry_count; k++)
        CHECK(bench_measure_copy(common, k, bench_backend(&common->entries[k])->measure_copy));
    for (int k = 0; k < common->entry_count; k++)
        if (common->entries[k].copy_gigabytes_per_s > 0)
            CHECK(bench_entry(options, &common->entries[k], &results));
    if (common->as_json)
        return bench_print_as_json(options, &results);
    bench_print(options, &results);
    return STATUS_OK;
}

// ---- the command line

static bool read_size(const char *text, size_t cells[BIOHEAT_AXES])
{
    for (int axis = 0; axis < BIOHEAT_AXES; axis++) {
        char *end;
        if (text[0] < '0' || text[0] > '9')
            return false;
        cells[axis] = strtoul(text, &end, 10);
        if (cells[axis] < 5 || cells[axis] > 10000 || *end != (axis == BIOHEAT_X ? '\0' : 'x'))
            return false;
        text = end + 1;
    }
    return true;
}

static enum status read_variant(const char *text, struct bench_options *options)
{
    for (int v = 0; v < BENCH_VARIANTS; v++)
        if (strcmp(text, bench_variants[v].name) == 0) {
            options->is_wanted[v] = true;
            return STATUS_OK;
        }
    return FAIL(STATUS_USAGE, "bench bioheat: --variant: \"%s\" is none; see fathom bench bioheat --help",
                text);
}

static enum status read_precision(const char *text, struct bench_options *options)
{
    const bool is_float = strcmp(text, "float") == 0;
    if (!is_float && strcmp(text, "double") != 0)
        return bench_mistake(&options->common, "--precision is float or double");
    options->precisions[is_float ? 0 : 1] = true;
    return STATUS_OK;
}

enum { SIZE = BENCH_OWN, VARIANT, PRECISION, PROCESSOR_TIME };

static enum status take_option(int option, void *context)
{
    struct bench_options *options = context;
    switch (option) {
    case SIZE:
        return read_size(optarg, options->cells)
                   ? STATUS_OK
                   : bench_mistake(&options->common,
                                   "--size needs three numbers from 5 to 10000, like 256x256x256");
    case VARIANT:
        return read_variant(optarg, options);
    case PRECISION:
        return read_precision(optarg, options);
    default:
        options->by_processor_time = true;
        return STATUS_OK;
    }
}

int bioheat_bench(int argc, char **argv)
{
    static const struct option long_options[] = {BENCH_COMMON_OPTIONS,
                                                 {"size", required_argument, NULL, SIZE},
                                                 {"variant", required_argument, NULL, VARIANT},
                                                 {"precision", required_argument, NULL, PRECISION},
                                                 {"processor-time", no_argument, NULL, PROCESSOR_TIME},
                                                 {NULL, 0, NULL, 0}};
    static struct bench_options options;
    options = (struct bench_options){
        .common = {.model = "bioheat", .list = &bioheat_backends, .steps_least = 1, .repeat = 7},
        .cells = {256, 256, 256}};
    return bench_main(argc, argv, &options.common, help, long_options, take_option, bench, &options);
}
