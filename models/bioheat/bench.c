// `fathom bench bioheat`: every back end that this build has, in each precision and variant, on one grid, beside the copy rate
// that the memory it works in reaches in the same run. Medians of several repetitions; no timing is ever a test. Here: the
// options, and which variants there are. Knows no back end by name but the reference, which is slow.
#include "models/bioheat/bench.h"

#include "models/bioheat/bench_private.h"

#include <errno.h>
#include <getopt.h>
#include <omp.h>
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

static void add_note(struct bench_results *results, const char *what, const char *why)
{
    if (results->note_count < BENCH_NOTES_MAX)
        snprintf(results->notes[results->note_count++], BENCH_NOTE_BYTES, "%s: not measured: %s", what, why);
}

// What a machine refuses is told and the rest goes on, unless the back end was asked for by name.
static enum status forgive(const struct bench_options *options, struct bench_results *results,
                           const char *what, enum status status)
{
    if (status != STATUS_SYSTEM || options->named_count > 0)
        return status;
    add_note(results, what, status_message());
    status_clear();
    return STATUS_OK;
}

// Those that were named, in that order; else each that this build has, on its first device.
static void list_entries(const struct bench_options *options, struct bench_results *results)
{
    results->entry_count = options->named_count;
    memcpy(results->entries, options->named, sizeof results->entries);
    for (int k = 0; options->named_count == 0 && k < bioheat_backends.count; k++) {
        const struct bioheat_backend *backend = (const struct bioheat_backend *)bioheat_backends.members[k];
        if (results->entry_count == BENCH_ENTRIES_MAX ||
            (options->skips_reference && backend == &bioheat_backend_reference))
            continue;
        struct bench_entry *entry = &results->entries[results->entry_count++];
        *entry = (struct bench_entry){.backend = backend};
        snprintf(entry->label, sizeof entry->label, "%s", backend->head.name);
    }
}

// The copy rate of the memory that entry number `index` works in; 0 if it cannot be used here, which is noted, or, if it was
// asked for by name, a failure.
static enum status measure_copy(const struct bench_options *options, int index, struct bench_results *results)
{
    struct bench_entry *entry = &results->entries[index];
    const struct bioheat_backend *backend = entry->backend;
    double *copy = &entry->copy_gigabytes_per_s, bytes_per_s = 0;
    char why[BENCH_NOTE_BYTES] = "";
    if (backend->head.is_usable && !backend->head.is_usable(entry->device, why, sizeof why)) {
        if (options->named_count > 0)
            return FAIL(STATUS_SYSTEM, "bench bioheat: %s cannot be used here: %s", entry->label, why);
        add_note(results, entry->label, why);
        return STATUS_OK;
    }
    for (int k = 0; !backend->measure_copy && k < index; k++)
        if (!results->entries[k].backend->measure_copy && results->entries[k].copy_gigabytes_per_s > *copy)
            *copy = results->entries[k].copy_gigabytes_per_s; // the host's memory: once is enough
    if (*copy > 0)
        return STATUS_OK;
    if (backend->measure_copy)
        CHECK(forgive(options, results, entry->label, backend->measure_copy(entry->device, &bytes_per_s)));
    else
        CHECK(host_copy_rate(options->repeat, &bytes_per_s));
    *copy = bytes_per_s / 1e9;
    return STATUS_OK;
}

static bool is_wanted(const struct bench_options *options, const struct bench_entry *entry, int variant)
{
    bool has_any = false;
    for (int v = 0; v < BENCH_VARIANTS; v++)
        has_any = has_any || options->is_wanted[v];
    if (has_any)
        return options->is_wanted[variant];
    // The reference takes seconds a step: one line will do.
    return entry->backend != &bioheat_backend_reference || variant == 1;
}

static enum status bench_entry(const struct bench_options *options, const struct bench_entry *entry,
                               struct bench_results *results)
{
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    const bool has_both = options->precisions[0] == options->precisions[1];
    for (int p = 0; p < 2; p++)
        for (int v = 0; v < BENCH_VARIANTS; v++) {
            // The reference is in double whatever is asked for.
            const bool is_reference = entry->backend == &bioheat_backend_reference;
            if (!is_wanted(options, entry, v) || (is_reference && p == 0) ||
                (!is_reference && !has_both && !options->precisions[p]))
                continue;
            struct bench_row *row = &results->rows[results->row_count];
            *row =
                (struct bench_row){.entry = entry, .precision = precisions[p], .variant = &bench_variants[v]};
            char what[2 * BENCH_LABEL_BYTES + 8], variant[BENCH_LABEL_BYTES];
            bench_describe_row(row, variant, sizeof variant);
            snprintf(what, sizeof what, "%s, %s", entry->label, variant);
            CHECK(forgive(options, results, what, bench_time_row(options, row)));
            results->row_count += row->step_ms > 0 && row->cells_per_s > 0;
        }
    return STATUS_OK;
}

static enum status bench(const struct bench_options *options)
{
    static struct bench_results results;
    memset(&results, 0, sizeof results);
    list_entries(options, &results);
    for (int k = 0; k < results.entry_count; k++)
        CHECK(measure_copy(options, k, &results));
    for (int k = 0; k < results.entry_count; k++)
        if (results.entries[k].copy_gigabytes_per_s > 0)
            CHECK(bench_entry(options, &results.entries[k], &results));
    if (options->as_json)
        return bench_print_as_json(options, &results);
    bench_print(options, &results);
    return STATUS_OK;
}

// ---- the command line

// A whole number within limits, and nothing behind it.
static bool read_count(const char *text, int least, int most, int *count)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    *count = (int)value;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value >= least && value <= most;
}

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

static enum status mistake(const char *message)
{
    return FAIL(STATUS_USAGE, "bench bioheat: %s; see fathom bench bioheat --help", message);
}

static enum status read_backend(const char *text, struct bench_options *options)
{
    if (strcmp(text, "auto") == 0)
        return mistake("--backend: \"auto\" is no back end; leave --backend out for each of them");
    struct bench_entry entry = {0};
    const struct backend *found = NULL;
    CHECK_ABOUT(backend_read(&bioheat_backends, text, &found, &entry.device) == STATUS_OK ? STATUS_OK
                                                                                          : STATUS_USAGE,
                "bench bioheat: --backend");
    entry.backend = (const struct bioheat_backend *)found;
    snprintf(entry.label, sizeof entry.label, "%s", text);
    for (int k = 0; k < options->named_count; k++)
        if (options->named[k].backend == entry.backend && options->named[k].device == entry.device)
            return STATUS_OK;
    if (options->named_count == BENCH_ENTRIES_MAX)
        return FAIL(STATUS_USAGE, "bench bioheat: --backend: at most %d at a time", BENCH_ENTRIES_MAX);
    options->named[options->named_count++] = entry;
    return STATUS_OK;
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
        return mistake("--precision is float or double");
    options->precisions[is_float ? 0 : 1] = true;
    return STATUS_OK;
}

enum { SIZE = 256, VARIANT, PRECISION, BACKEND, STEPS, REPEAT, NO_REFERENCE, PROCESSOR_TIME, JSON };

static enum status take_option(int option, struct bench_options *options)
{
    int threads;
    switch (option) {
    case SIZE:
        return read_size(optarg, options->cells)
                   ? STATUS_OK
                   : mistake("--size needs three numbers from 5 to 10000, like 256x256x256");
    case VARIANT:
        return read_variant(optarg, options);
    case PRECISION:
        return read_precision(optarg, options);
    case BACKEND:
        return read_backend(optarg, options);
    case STEPS:
        return read_count(optarg, 1, BENCH_STEPS_MAX, &options->steps) ? STATUS_OK
                                                                       : mistake("--steps needs 1 to 100000");
    case REPEAT:
        return read_count(optarg, 1, BENCH_REPEAT_MAX, &options->repeat) ? STATUS_OK
                                                                         : mistake("--repeat needs 1 to 101");
    case NO_REFERENCE:
        options->skips_reference = true;
        return STATUS_OK;
    case PROCESSOR_TIME:
        options->by_processor_time = true;
        return STATUS_OK;
    case 't':
        if (!read_count(optarg, 1, 4096, &threads))
            return mistake("--threads needs a number from 1 to 4096");
        omp_set_num_threads(threads);
        return STATUS_OK;
    default:
        options->as_json = true;
        return STATUS_OK;
    }
}

int bioheat_bench(int argc, char **argv)
{
    static const struct option long_options[] = {{"size", required_argument, NULL, SIZE},
                                                 {"variant", required_argument, NULL, VARIANT},
                                                 {"precision", required_argument, NULL, PRECISION},
                                                 {"backend", required_argument, NULL, BACKEND},
                                                 {"steps", required_argument, NULL, STEPS},
                                                 {"repeat", required_argument, NULL, REPEAT},
                                                 {"no-reference", no_argument, NULL, NO_REFERENCE},
                                                 {"threads", required_argument, NULL, 't'},
                                                 {"processor-time", no_argument, NULL, PROCESSOR_TIME},
                                                 {"json", no_argument, NULL, JSON},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct bench_options options = {.cells = {256, 256, 256}, .repeat = 7};
    enum status status = STATUS_OK;
    optind = 1;
    for (int option;
         status == STATUS_OK && (option = getopt_long(argc, argv, "t:h", long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (option == '?')
            return status_exit_code(STATUS_USAGE); // getopt has said why
        status = take_option(option, &options);
    }
    if (status == STATUS_OK && optind < argc)
        status = mistake("only options are expected");
    if (status == STATUS_OK)
        status = bench(&options);
    if (status != STATUS_OK)
        fprintf(stderr, "fathom: %s\n", status_message());
    return status_exit_code(status);
}
