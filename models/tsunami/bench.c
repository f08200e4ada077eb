// `fathom bench tsunami`: every back end that this build has, in each precision and method, on one grid with
// all of the water moving, beside the copy rate that the memory it works in reaches in the same run. Medians
// of several repetitions; no timing is ever a test. Here: the options, and which variants there are. Knows no
// back end by name but the reference, which is slow.
#include "models/tsunami/bench.h"

#include "io/units.h"
#include "models/host_copy.h"
#include "models/tsunami/bench_private.h"
#include "models/tsunami/params.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <omp.h>
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

// Whether the entry's back end has the methods that were asked for: those that flood come together.
static enum status check_methods(const struct bench_options *options, const struct bench_entry *entry,
                                 struct bench_results *results, bool *has_them)
{
    *has_them = tsunami_backend_for(entry->backend, options->methods[0]) != NULL;
    if (*has_them)
        return STATUS_OK;
    const char *method = tsunami_method_name(options->methods[0]);
    if (options->named_count > 0)
        return FAIL(STATUS_USAGE, "bench tsunami: --method: back end \"%s\" has no %s", entry->label, method);
    char why[64];
    snprintf(why, sizeof why, "it has no %s", method);
    add_note(results, entry->label, why);
    return STATUS_OK;
}

// Those that were named, in that order; else each that this build has, on its first device.
static void list_entries(const struct bench_options *options, struct bench_results *results)
{
    results->entry_count = options->named_count;
    memcpy(results->entries, options->named, sizeof results->entries);
    for (int k = 0; options->named_count == 0 && tsunami_backend_at(k); k++) {
        const struct tsunami_backend *backend = tsunami_backend_at(k);
        if (results->entry_count == BENCH_ENTRIES_MAX ||
            (options->skips_reference && backend == &tsunami_backend_reference))
            continue;
        struct bench_entry *entry = &results->entries[results->entry_count++];
        *entry = (struct bench_entry){.backend = backend};
        snprintf(entry->label, sizeof entry->label, "%s", backend->name);
    }
}

// The copy rate of the memory that entry number `index` works in; 0 if it cannot be used here or lacks the
// methods, which is noted, or, if it was asked for by name, a failure.
static enum status measure_copy(const struct bench_options *options, int index, struct bench_results *results)
{
    struct bench_entry *entry = &results->entries[index];
    const struct tsunami_backend *backend = entry->backend;
    double *copy = &entry->copy_gigabytes_per_s, bytes_per_s = 0;
    char why[BENCH_NOTE_BYTES] = "";
    bool has_methods;
    CHECK(check_methods(options, entry, results, &has_methods));
    if (!has_methods)
        return STATUS_OK;
    // Asked first: what its libraries would say in mid-work is not what is wrong.
    if (backend->is_usable && !backend->is_usable(entry->device, why, sizeof why)) {
        if (options->named_count > 0)
            return FAIL(STATUS_SYSTEM, "bench tsunami: %s cannot be used here: %s", entry->label, why);
        add_note(results, entry->label, why);
        return STATUS_OK;
    }
    for (int k = 0; !backend->measure_copy && k < index; k++)
        if (!results->entries[k].backend->measure_copy) // the host's memory: once is enough
            *copy = fmax(*copy, results->entries[k].copy_gigabytes_per_s);
    if (*copy > 0)
        return STATUS_OK;
    if (backend->measure_copy)
        CHECK(forgive(options, results, entry->label, backend->measure_copy(entry->device, &bytes_per_s)));
    else
        CHECK(host_copy_rate(options->repeat, &bytes_per_s));
    *copy = bytes_per_s / 1e9;
    return STATUS_OK;
}

static enum status bench_entry(const struct bench_options *options, const struct bench_entry *entry,
                               struct bench_results *results)
{
    static const enum element precisions[] = {ELEMENT_F32, ELEMENT_F64};
    // The reference is in double whatever is asked for.
    for (int p = entry->backend == &tsunami_backend_reference ? 1 : 0; p < 2; p++)
        for (int m = 0; m < options->method_count; m++) {
            struct bench_row *row = &results->rows[results->row_count];
            *row =
                (struct bench_row){.entry = entry, .precision = precisions[p], .method = options->methods[m]};
            char what[BENCH_LABEL_BYTES + 64], variant[BENCH_VARIANT_BYTES];
            bench_describe_variant(row, variant, sizeof variant);
            snprintf(what, sizeof what, "%s, %s", entry->label, variant);
            CHECK(forgive(options, results, what, bench_variant(options, results->step_s, row)));
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

static enum status bench(const struct bench_options *options)
{
    static struct bench_results results;
    memset(&results, 0, sizeof results);
    CHECK(choose_step(options, &results));
    list_entries(options, &results);
    for (int k = 0; k < results.entry_count; k++)
        CHECK(measure_copy(options, k, &results));
    for (int k = 0; k < results.entry_count; k++)
        if (results.entries[k].copy_gigabytes_per_s > 0)
            CHECK(bench_entry(options, &results.entries[k], &results));
    if (options->as_json)
        return bench_print_json(options, &results);
    bench_print_table(options, &results);
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

static enum status mistake(const char *message)
{
    return FAIL(STATUS_USAGE, "bench tsunami: %s; see fathom bench tsunami --help", message);
}

static enum status read_backend(const char *text, struct bench_options *options)
{
    if (strcmp(text, "auto") == 0)
        return mistake("--backend: \"auto\" is no back end; leave --backend out for each of them");
    struct bench_entry entry = {0};
    CHECK_ABOUT(tsunami_backend_read(text, &entry.backend, &entry.device) == STATUS_OK ? STATUS_OK
                                                                                       : STATUS_USAGE,
                "bench tsunami: --backend");
    snprintf(entry.label, sizeof entry.label, "%s", text);
    for (int k = 0; k < options->named_count; k++)
        if (options->named[k].backend == entry.backend && options->named[k].device == entry.device)
            return STATUS_OK;
    if (options->named_count == BENCH_ENTRIES_MAX)
        return FAIL(STATUS_USAGE, "bench tsunami: --backend: at most %d at a time", BENCH_ENTRIES_MAX);
    options->named[options->named_count++] = entry;
    return STATUS_OK;
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

static void take_usual_methods(struct bench_options *options)
{
    options->methods[0] = TSUNAMI_VTCS2;
    options->methods[1] = TSUNAMI_VTCS2_O2;
    options->method_count = 2;
}

enum { SIZE = 256, STEP, METHOD, BACKEND, STEPS, REPEAT, MANNING, MAXIMA, NO_REFERENCE, JSON };

static enum status take_option(int option, struct bench_options *options)
{
    int threads;
    char *end;
    switch (option) {
    case SIZE:
        return read_size(optarg, &options->nx, &options->ny)
                   ? STATUS_OK
                   : mistake("--size needs two numbers from 4 to 100000, like 2879x2581");
    case STEP:
        CHECK_ABOUT(units_parse_quantity(optarg, "s", &options->step_s) == STATUS_OK ? STATUS_OK
                                                                                     : STATUS_USAGE,
                    "bench tsunami: --step");
        return options->step_s > 0 ? STATUS_OK : mistake("--step must be longer than 0");
    case METHOD:
        return read_method(optarg, options);
    case BACKEND:
        return read_backend(optarg, options);
    case STEPS:
        return read_count(optarg, 2, BENCH_STEPS_MAX, &options->steps) ? STATUS_OK
                                                                       : mistake("--steps needs 2 to 100000");
    case REPEAT:
        return read_count(optarg, 1, BENCH_REPEAT_MAX, &options->repeat) ? STATUS_OK
                                                                         : mistake("--repeat needs 1 to 101");
    case MANNING:
        options->manning_n = strtod(optarg, &end);
        return optarg[0] != '\0' && *end == '\0' && options->manning_n >= 0 && options->manning_n < 1
                   ? STATUS_OK
                   : mistake("--manning needs a number from 0 to 1");
    case MAXIMA:
        options->has_maxima = true;
        return STATUS_OK;
    case NO_REFERENCE:
        options->skips_reference = true;
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

int tsunami_bench(int argc, char **argv)
{
    static const struct option long_options[] = {{"size", required_argument, NULL, SIZE},
                                                 {"step", required_argument, NULL, STEP},
                                                 {"method", required_argument, NULL, METHOD},
                                                 {"backend", required_argument, NULL, BACKEND},
                                                 {"steps", required_argument, NULL, STEPS},
                                                 {"repeat", required_argument, NULL, REPEAT},
                                                 {"manning", required_argument, NULL, MANNING},
                                                 {"maxima", no_argument, NULL, MAXIMA},
                                                 {"no-reference", no_argument, NULL, NO_REFERENCE},
                                                 {"threads", required_argument, NULL, 't'},
                                                 {"json", no_argument, NULL, JSON},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct bench_options options = {.nx = 2879, .ny = 2581, .repeat = 7};
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
    if (options.method_count == 0)
        take_usual_methods(&options);
    if (status == STATUS_OK)
        status = bench(&options);
    units_release();
    if (status != STATUS_OK)
        fprintf(stderr, "fathom: %s\n", status_message());
    return status_exit_code(status);
}
