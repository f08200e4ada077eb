// `fathom validate [SUITE | SUITE/CASE]...`: runs the validation suites and shows each number beside its
// reference. The cases and their tolerances are in validate/.
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/validate_page.h"
#include "core/status.h"
#include "core/threads.h"
#include "io/path.h"
#include "io/units.h"
#include "models/tsunami/params.h"
#include "validate/isolate.h"
#include "validate/runner.h"
#include "validate/tolerances.h"
#include "validate/write_results.h"
#include "version.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom validate [OPTIONS] [SUITE | SUITE/CASE]...\n"
    "\n"
    "Runs jobs whose correct result is known, and compares: with closed forms, with published values,\n"
    "with records of past tsunamis, and every fast back end with the reference back end. Each computed\n"
    "number is shown beside its reference, with the error, the tolerance, and the sources of both.\n"
    "Without names all suites are run.\n"
    "\n"
    "Options:\n"
    "  -l, --list            list the suites and cases, and run none\n"
    "  -d, --data DIR        folder of the public benchmark files (data/fetch-benchmarks DIR downloads\n"
    "                        them); default: the environment variable FATHOM_BENCHMARKS. Cases without\n"
    "                        their files are skipped, by name\n"
    "  -b, --backend NAME    back end of the jobs (as in fathom run); cases about other back ends are\n"
    "                        left out\n"
    "  -p, --precision NAME  single or double, instead of each case's own (mostly double)\n"
    "      --method NAME     method of the tsunami's jobs, as a job names it: muscl-hancock and vtcs2-shore\n"
    "                        replace each other where the shore moves; vtcs2, vtcs2-o2 and c-grid-6 run\n"
    "                        the cases without a moving shore, and the others are skipped. The line under\n"
    "                        a case's name states its method\n"
    "      --full            use the full sizes of cases that have smaller ones, which takes much longer;\n"
    "                        a GPU always uses them\n"
    "      --require-all     count skipped cases as failed\n"
    "      --json            print everything as JSON instead of the table\n"
    "      --junit FILE      write a JUnit XML file\n"
    "      --html DIR        write DIR/validation.html: one page with all tables and pictures\n"
    "      --keep DIR        keep every job and its results in DIR/SUITE/CASE\n"
    "  -q, --quiet           only failures and the last line\n"
    "  -h, --help            print this text\n"
    "\n"
    "Exit status: 0 nothing failed; 1 a case failed; 64 wrong command line; 65 invalid tolerances; 66 a\n"
    "file is missing; 71 too much memory; 73, 74 an output file cannot be written.\n";

struct command {
    bool wants_list, is_required, wants_json, is_quiet;
    const char *junit_path, *html_directory;
    struct validation_options options;
    const char *const *names;
    int name_count;
};

// ---- the command line

static enum status check_method(struct validation_options *options)
{
    enum { METHODS = TSUNAMI_METHODS };
    const char *names[METHODS];
    char suggestion[OPTIONS_SUGGESTION_BYTES];
    for (int k = 0; k < METHODS; k++) {
        names[k] = tsunami_method_name((enum tsunami_method)k);
        if (options->method && strcmp(names[k], options->method) == 0) {
            options->method_floods = tsunami_method_floods((enum tsunami_method)k);
            return STATUS_OK;
        }
    }
    return options->method
               ? FAIL(STATUS_USAGE,
                      "--method: \"%s\" is not a method of the tsunami model%s; fathom run "
                      "--explain tsunami lists them",
                      options->method, options_suggestion(options->method, names, METHODS, suggestion))
               : STATUS_OK;
}

// Mistakes are found before the cases run.
static enum status check_command(struct command *command, char data[PATH_BYTES])
{
    const char *precision = command->options.precision;
    if (precision && strcmp(precision, "single") != 0 && strcmp(precision, "double") != 0)
        return FAIL(STATUS_USAGE, "--precision must be single or double, not \"%s\"", precision);
    CHECK(check_method(&command->options));
    const char *directory = command->options.data_directory;
    const char *where = directory ? "--data" : "FATHOM_BENCHMARKS";
    if (!directory)
        directory = getenv("FATHOM_BENCHMARKS");
    command->options.data_directory = NULL;
    if (directory && *directory) {
        // Absolute: a job's inputs are searched from the job's folder.
        if (!realpath(directory, data))
            return FAIL(path_open_status(errno), "%s: %s: %s", where, directory, strerror(errno));
        command->options.data_directory = data;
    }
    if (command->html_directory)
        CHECK(validate_page_check(command->html_directory));
    return STATUS_OK;
}

// ---- the terminal

static void print_list(const struct validation_list *list)
{
    const struct validation_suite *suite = NULL;
    for (int k = 0; k < list->count; k++) {
        const struct validation_item *item = &list->items[k];
        if (item->suite != suite) {
            suite = item->suite;
            printf("%s%s: %s\n", k > 0 ? "\n" : "", suite->name, suite->summary);
        }
        printf("  %s/%s%s\n", suite->name, item->validation_case->name,
               item->validation_case->benchmark_files ? "  (needs benchmark files)" : "");
        printf("      %s\n      against: %s\n", item->validation_case->summary,
               item->validation_case->source);
    }
}

// Eleven characters: five significant digits.
static const char *number(double value, char text[32])
{
    if (isnan(value))
        snprintf(text, 32, "-");
    else
        snprintf(text, 32, "%.5g", value);
    return text;
}

// The error; relative ones in per cent.
static const char *error_text(const struct validation_result *r, double value, char text[32])
{
    const bool is_part = r->kind == VALIDATION_RELATIVE || r->kind == VALIDATION_RMS;
    if (isnan(value))
        snprintf(text, 32, "-");
    else if (is_part)
        snprintf(text, 32, "%.3g %%", 100 * value);
    else
        snprintf(text, 32, "%.3g", value);
    return text;
}

static void print_result(const struct validation_result *r)
{
    char computed[32], reference[32], error[32], tolerance[32],
        named[VALIDATION_NAME_BYTES + VALIDATION_UNIT_BYTES + 4];
    const bool has_unit = r->unit[0] && strcmp(r->unit, "1") != 0;
    const bool is_floor = r->kind == VALIDATION_ORDER || r->kind == VALIDATION_AT_LEAST;
    snprintf(named, sizeof named, "%s%s%s%s", r->quantity, has_unit ? " (" : "", has_unit ? r->unit : "",
             has_unit ? ")" : "");
    if (r->verdict == VALIDATION_SKIPPED) {
        printf("  %-48s skipped: %s\n", named, r->reason);
        return;
    }
    if (r->verdict == VALIDATION_SHOWN) {
        printf("  %-48s %11s %11s %10s %11s\n", named, number(r->computed, computed),
               number(r->reference, reference), error_text(r, r->error, error), "-");
        return;
    }
    printf("  %-48s %11s %11s %10s %s %8s  %s\n", named, number(r->computed, computed),
           number(r->reference, reference), is_floor ? "" : error_text(r, r->error, error),
           is_floor ? ">=" : "<=", error_text(r, r->tolerance, tolerance),
           r->verdict == VALIDATION_PASSED ? "pass" : "FAIL");
}

static void begin_case(void *context, const struct validation_item *item)
{
    const struct command *command = context;
    if (!command->is_quiet && !command->wants_json && isatty(STDOUT_FILENO)) {
        printf("%s/%s ...", item->suite->name, item->validation_case->name);
        fflush(stdout);
    }
}

static void end_case(void *context, const struct validation_item *item)
{
    const struct command *command = context;
    const struct validation_record *record = item->record;
    char duration[64];
    if (command->wants_json || (command->is_quiet && record->verdict == VALIDATION_PASSED))
        return;
    if (!command->is_quiet && isatty(STDOUT_FILENO))
        printf("\r\033[K");
    if (command->is_quiet && record->verdict == VALIDATION_SKIPPED)
        return;
    static const char *const words[] = {"passed", "FAILED", "skipped"};
    printf("%s/%s: %s", item->suite->name, item->validation_case->name, words[record->verdict]);
    if (record->seconds > 0)
        printf(", %s", units_format_duration(record->seconds, duration, sizeof duration));
    printf("%s%s\n", record->reason[0] ? ": " : "", record->reason);
    if (record->verdict == VALIDATION_SKIPPED)
        return;
    if (record->note[0])
        printf("  %s\n", record->note);
    if (record->result_count > 0)
        printf("  %-48s %11s %11s %10s %11s\n", "", "computed", "reference", "error", "allowed");
    for (int k = 0; k < record->result_count; k++)
        if (!command->is_quiet || record->results[k].verdict == VALIDATION_FAILED)
            print_result(&record->results[k]);
    printf("\n");
    fflush(stdout);
}

static void print_names(FILE *stream, const struct validation_list *list, enum validation_verdict verdict,
                        const char *heading)
{
    bool is_first = true;
    for (int k = 0; k < list->count; k++) {
        const struct validation_item *item = &list->items[k];
        if (!item->record || item->record->verdict != verdict)
            continue;
        fprintf(stream, "%s%s/%s", is_first ? heading : ", ", item->suite->name, item->validation_case->name);
        is_first = false;
    }
    if (!is_first)
        fputc('\n', stream);
}

static void print_totals(FILE *stream, const struct validation_list *list)
{
    const struct validation_totals t = validation_totals(list);
    print_names(stream, list, VALIDATION_SKIPPED, "skipped: ");
    print_names(stream, list, VALIDATION_FAILED, "failed: ");
    fprintf(stream, "%d case%s: %d passed, %d failed, %d skipped; %d result%s, %d of them failed",
            t.passed + t.failed + t.skipped, t.passed + t.failed + t.skipped == 1 ? "" : "s", t.passed,
            t.failed, t.skipped, t.results, t.results == 1 ? "" : "s", t.results_failed);
    if (t.results_skipped > 0)
        fprintf(stream, ", %d left out", t.results_skipped);
    fputc('\n', stream);
}

// ---- the command

static enum status write_files(const struct command *command, const struct validation_list *list)
{
    if (command->wants_json)
        CHECK(validation_write_json(stdout, list, "Fathom " FATHOM_VERSION));
    if (command->junit_path)
        CHECK(validation_write_junit(command->junit_path, list, command->is_required));
    if (command->html_directory)
        CHECK(validate_page_write(command->html_directory, list));
    return STATUS_OK;
}

static enum status run_all(struct command *command, struct validation_list *list)
{
    char path[PATH_BYTES];
    struct tolerance_table *tolerances;
    CHECK(path_find(TOLERANCES_FILE, NULL, path));
    CHECK(tolerances_read(path, &tolerances));
    command->options.tolerances = tolerances;
    enum status status = validation_run_list(list, &command->options);
    tolerances_free(tolerances);
    CHECK(status);
    CHECK(write_files(command, list));
    if (!command->wants_json)
        print_totals(stdout, list);
    const struct validation_totals t = validation_totals(list);
    const bool is_short = command->is_required && t.skipped + t.results_skipped > 0;
    return t.failed == 0 && !is_short
               ? STATUS_OK
               : FAIL(STATUS_CHECK_FAILED, "validate: %d case%s failed%s", t.failed, t.failed == 1 ? "" : "s",
                      is_short ? ", and some were skipped although all are required (--require-all)" : "");
}

static enum status validate(struct command *command)
{
    char data[PATH_BYTES];
    struct validation_list list;
    CHECK(check_command(command, data));
    CHECK(validation_select(command->names, command->name_count, command->options.backend, &list));
    enum status status = STATUS_OK;
    if (command->wants_list)
        print_list(&list);
    else
        status = run_all(command, &list);
    validation_list_free(&list);
    return status;
}

int command_validate(int argc, char **argv)
{
    static const struct validation_program program = {command_run};
    struct command command = {.options = {.program = &program, .begin = begin_case, .end = end_case}};
    struct validation_options *options = &command.options;
    const struct option_row rows[] = {{"list", 'l', .flag = &command.wants_list},
                                      {"data", 'd', .text = &options->data_directory},
                                      {"backend", 'b', .text = &options->backend},
                                      {"precision", 'p', .text = &options->precision},
                                      {"method", .text = &options->method},
                                      {"full", .flag = &options->is_full},
                                      {"require-all", .flag = &command.is_required},
                                      {"json", .flag = &command.wants_json},
                                      {"junit", .text = &command.junit_path},
                                      {"html", .text = &command.html_directory},
                                      {"keep", .text = &options->keep_directory},
                                      {"quiet", 'q', .flag = &command.is_quiet},
                                      {NULL}};
    int code;
    if (!options_read(argc, argv, help, rows, &command, &code))
        return code;
    command.names = (const char *const *)(argv + optind);
    command.name_count = argc - optind;
    command.options.context = &command;
    enum status status = threads_try(omp_get_max_threads());
    if (status == STATUS_OK)
        status = validate(&command);
    units_release();
    if (status == STATUS_STOPPED)
        isolate_follow_signal(); // ends as the signal would have ended the program
    return status == STATUS_OK ? 0 : options_report_failure(status);
}
