// `fathom compare RUN REFERENCE`: whether a result agrees with another file, variable by variable. Uses
// validate/compare/compare.h. Independent of models and of file formats.
#include "cli/compare_print.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "core/status.h"
#include "io/output/output.h"
#include "io/path.h"
#include "io/units.h"
#include "validate/compare/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: fathom compare [OPTIONS] RUN REFERENCE\n"
    "\n"
    "Compares two netCDF files, variable by variable and value by value: a run with another program's\n"
    "result, with gridded observations, or with an earlier run. The output states how much they differ,\n"
    "and where. Values are unpacked (scale_factor, add_offset), the reference's units are converted to\n"
    "the run's, and a value that is missing (_FillValue, missing_value, valid_range, NaN) in one file\n"
    "must be missing in the other.\n"
    "\n"
    "Values are matched by their coordinates. Dimensions may be in another order, latitudes run from\n"
    "north to south, longitudes start at -180 or at 0, times count from another date, stations be in\n"
    "another order. Nothing is interpolated in space: different grids are refused, with the first\n"
    "coordinate that differs. One file may have more times than the other; the number of compared times\n"
    "is shown.\n"
    "\n"
    "What to compare:\n"
    "      --variable NAME[=OTHER]  this variable of RUN, with OTHER of REFERENCE; may be repeated\n"
    "                               (default: all, matched by name, else by standard_name; eta, u, v also\n"
    "                               with HA, UA, VA of NOAA's propagation files)\n"
    "      --all                    a variable of REFERENCE that is missing in RUN counts as a difference\n"
    "      --time exact|nearest|linear\n"
    "                               exact: times that both files have (default). At REFERENCE's times:\n"
    "                               nearest: RUN's nearest time, at most half of its spacing away;\n"
    "                               linear: RUN interpolated between two of its times\n"
    "      --overlap                where axes differ, compare the nodes that both files have\n"
    "      --by-index               match a dimension that has coordinates in one file only by index\n"
    "      --axis-tolerance X       coordinates within X of the spacing are equal (default: 0.001)\n"
    "      --list                   show how variables and axes match, without reading values\n"
    "\n"
    "What counts as agreement: |run - reference| <= absolute + relative * |reference| at every value\n"
    "      --tolerance NAME=X       absolute, for one variable: in the variable's units in RUN, or with a\n"
    "                               unit, as --tolerance eta=\"1 mm\"; may be repeated\n"
    "      --absolute X             absolute, for all other variables (default: 0)\n"
    "      --relative Y             relative, for all variables, as 0.01 or \"1 %\" (default: 0)\n"
    "      --ignore-mask            a value that is missing in one file only is not a difference\n"
    "\n"
    "Output:\n"
    "      --json                   the result as JSON\n"
    "      --quiet                  no output but errors; the exit status is the result\n"
    "  -h, --help                   print this text\n"
    "\n"
    "The table shows: pairs compared; the largest |run - reference|; root mean square and mean of run -\n"
    "reference; rms/ref, that root mean square over the reference's; Pearson's correlation. Numbers in\n"
    "brackets are indices, from 0. Files of any size can be compared: they are read in blocks.\n"
    "\n"
    "Examples:\n"
    "  fathom compare out/fields.nc reference/fields.nc --tolerance eta=\"1 mm\"\n"
    "  fathom compare out/fields.nc comcot.nc --variable eta=zeta --relative \"1 %\" --absolute \"1 cm\"\n"
    "  fathom compare kisza26/fields.nc ki_026_a_ha.nc --overlap --time linear --ignore-mask \\\n"
    "      --relative \"5 %\"\n"
    "  fathom compare out/gauges.nc dart.nc --variable eta --time linear --ignore-mask --json\n"
    "\n"
    "Exit status: 0 they agree; 1 they differ by more than allowed, or in what is missing; 64 wrong\n"
    "command line; 65 not comparable, or a damaged file; 66 a file cannot be opened; 74 reading failed.\n";

enum { PAIRS_MAX = 64 };

// NAME=VALUE of the command line; value NULL without "=".
struct named {
    char name[DATASET_NAME_BYTES];
    const char *value;
    bool is_used;
};

struct choice {
    struct compare_request request;
    struct named variables[PAIRS_MAX], tolerances[PAIRS_MAX];
    size_t variable_count, tolerance_count;
    const char *absolute, *relative; // as written, or NULL
    bool ignores_mask, needs_all, is_listing, as_json, is_quiet;
};

// ---- command line

// `needs_value`: without "=VALUE" it is a mistake.
static enum status add_named(struct named *list, size_t *count, const char *option, const char *text,
                             bool needs_value)
{
    const char *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    if (*count == PAIRS_MAX)
        return FAIL(STATUS_USAGE, "%s %s: at most %d are possible", option, text, PAIRS_MAX);
    if (length == 0 || length >= sizeof list->name || (equals && equals[1] == '\0') ||
        (needs_value && !equals))
        return FAIL(STATUS_USAGE, "%s %s: expected %s", option, text,
                    needs_value ? "NAME=VALUE, as in eta=\"1 mm\"" : "NAME or NAME=OTHER");
    snprintf(list[*count].name, sizeof list->name, "%.*s", (int)length, text);
    list[*count].value = equals ? equals + 1 : NULL;
    list[(*count)++].is_used = false;
    return STATUS_OK;
}

static bool is_plain_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && end[strspn(end, " ")] == '\0';
}

static enum status take_value(void *context, const char *name, const char *value)
{
    static const char *const times[] = {[COMPARE_TIME_EXACT] = "exact",
                                        [COMPARE_TIME_NEAREST] = "nearest",
                                        [COMPARE_TIME_LINEAR] = "linear",
                                        NULL};
    struct choice *choice = context;
    double *share = &choice->request.axis_tolerance;
    int time = 0;
    if (strcmp(name, "variable") == 0)
        return add_named(choice->variables, &choice->variable_count, "--variable", value, false);
    if (strcmp(name, "tolerance") == 0)
        return add_named(choice->tolerances, &choice->tolerance_count, "--tolerance", value, true);
    if (strcmp(name, "time") == 0) {
        CHECK(options_choice(name, value, times, &time));
        choice->request.time = (enum compare_time)time;
        return STATUS_OK;
    }
    if (!is_plain_number(value, share) || !(*share > 0 && *share < 0.5))
        return FAIL(STATUS_USAGE,
                    "--axis-tolerance %s: expected a share of the spacing, above 0 and below 0.5", value);
    return STATUS_OK;
}

static bool read_options(int argc, char **argv, struct choice *choice, int *code)
{
    const struct option_row rows[] = {{"variable", .take = take_value},
                                      {"tolerance", .take = take_value},
                                      {"absolute", .text = &choice->absolute},
                                      {"relative", .text = &choice->relative},
                                      {"time", .take = take_value},
                                      {"axis-tolerance", .take = take_value},
                                      {"overlap", .flag = &choice->request.takes_overlap},
                                      {"by-index", .flag = &choice->request.takes_index},
                                      {"ignore-mask", .flag = &choice->ignores_mask},
                                      {"all", .flag = &choice->needs_all},
                                      {"list", .flag = &choice->is_listing},
                                      {"json", .flag = &choice->as_json},
                                      {"quiet", .flag = &choice->is_quiet},
                                      {NULL}};
    if (!options_read(argc, argv, help, rows, choice, code))
        return false;
    enum status status = STATUS_OK;
    if (argc - optind != 2)
        status = FAIL(STATUS_USAGE, "compare needs two files, RUN and REFERENCE; see fathom compare --help");
    else if (choice->is_listing && choice->is_quiet)
        status = FAIL(STATUS_USAGE, "--list and --quiet together would do nothing");
    if (status != STATUS_OK)
        *code = options_report_failure(status);
    return status == STATUS_OK;
}

// ---- tolerances

// A tolerance as written, in `units`.
static enum status parse_tolerance(const char *option, const char *name, const char *text, const char *units,
                                   double *value)
{
    char reason[COMPARE_TEXT_BYTES];
    if (!is_plain_number(text, value)) {
        if (units_parse_difference(text, units[0] ? units : "1", value) != STATUS_OK) {
            snprintf(reason, sizeof reason, "%s", status_message());
            status_clear();
            return FAIL(STATUS_USAGE, "%s, for %s in %s: %s", option, name, units[0] ? units : "no units",
                        reason);
        }
    }
    if (!(*value >= 0) || !isfinite(*value))
        return FAIL(STATUS_USAGE, "%s: %s is not a tolerance: expected a finite number, 0 or more", option,
                    text);
    return STATUS_OK;
}

static enum status choose_limits(struct choice *choice, struct compare_outcome *outcome)
{
    const struct dataset_variable *run = outcome->entry.run;
    const char *units = run->units[0] ? run->units : outcome->entry.reference->units;
    const char *absolute = choice->absolute, *option = "--absolute";
    outcome->limits = (struct compare_limits){.ignores_mask = choice->ignores_mask};
    for (size_t k = 0; k < choice->tolerance_count; k++)
        if (strcmp(choice->tolerances[k].name, run->name) == 0) {
            absolute = choice->tolerances[k].value;
            option = "--tolerance";
            choice->tolerances[k].is_used = true;
        }
    if (absolute)
        CHECK(parse_tolerance(option, run->name, absolute, units, &outcome->limits.absolute));
    if (choice->relative)
        CHECK(parse_tolerance("--relative", run->name, choice->relative, "1", &outcome->limits.relative));
    return STATUS_OK;
}

// A tolerance for a variable that is not compared would never be applied.
static enum status check_tolerances(const struct choice *choice, const struct compare_outcomes *all)
{
    for (size_t k = 0; k < choice->tolerance_count; k++) {
        const char *name = choice->tolerances[k].name, **names = calloc(all->count + 1, sizeof *names);
        char suggestion[OPTIONS_SUGGESTION_BYTES];
        if (choice->tolerances[k].is_used) {
            free(names);
            continue;
        }
        for (size_t n = 0; names && n < all->count; n++)
            names[n] = all->outcomes[n].entry.run->name;
        options_suggestion(name, names, all->count, suggestion);
        free(names);
        return FAIL(STATUS_USAGE, "--tolerance %s: no such variable among those compared%s", name,
                    suggestion);
    }
    return STATUS_OK;
}

// ---- comparing

static enum status choose_pairs(struct choice *choice, struct compare_session *session,
                                struct compare_outcomes *all)
{
    all->entries = compare_entries(session, &all->entry_count);
    all->are_chosen = choice->variable_count > 0;
    all->outcomes = calloc(choice->variable_count > 0 ? choice->variable_count : all->entry_count + 1,
                           sizeof *all->outcomes);
    if (!all->outcomes)
        return FAIL(STATUS_SYSTEM, "not enough memory to compare %zu variables", all->entry_count);
    for (size_t k = 0; k < choice->variable_count; k++)
        CHECK(compare_find(session, choice->variables[k].name, choice->variables[k].value,
                           &all->outcomes[all->count++].entry));
    for (size_t k = 0; choice->variable_count == 0 && k < all->entry_count; k++)
        if (all->entries[k].run && all->entries[k].reference)
            all->outcomes[all->count++].entry = all->entries[k];
    if (all->count == 0 && !choice->is_listing)
        return FAIL(STATUS_DATA, "%s and %s have no variable in common; see --list and --variable NAME=OTHER",
                    all->run_path, all->reference_path);
    for (size_t k = 0; k < all->count; k++) {
        CHECK(choose_limits(choice, &all->outcomes[k]));
        const size_t bytes = compare_memory_bytes(session, &all->outcomes[k].entry);
        all->memory_bytes = bytes > all->memory_bytes ? bytes : all->memory_bytes;
    }
    return check_tolerances(choice, all);
}

static const char *const hints[] = {[COMPARE_HINT_NONE] = "",
                                    [COMPARE_HINT_OVERLAP] = "; --overlap compares the nodes in common",
                                    [COMPARE_HINT_INDEX] = "; --by-index matches by index",
                                    [COMPARE_HINT_TIME] =
                                        "; --time nearest or linear compares between times"};

// Variables that cannot be compared keep the reason; the others are compared.
static enum status compare_all(const struct choice *choice, struct compare_session *session,
                               struct compare_outcomes *all)
{
    for (size_t k = 0; k < all->count; k++) {
        struct compare_outcome *outcome = &all->outcomes[k];
        const enum status status = compare_pair(
            session, &outcome->entry, choice->is_listing ? NULL : &outcome->limits, &outcome->comparison);
        if (status != STATUS_OK && status != STATUS_DATA)
            return status;
        outcome->is_refused = status != STATUS_OK;
        if (outcome->is_refused) {
            snprintf(outcome->reason, sizeof outcome->reason, "%s%s", status_message(),
                     hints[outcome->comparison.hint]);
            status_clear();
        }
        all->refused += outcome->is_refused;
        all->differing += !outcome->is_refused && outcome->comparison.verdict == COMPARE_DIFFERS;
    }
    return STATUS_OK;
}

static size_t count_missing_variables(const struct compare_outcomes *all)
{
    size_t count = 0;
    for (size_t k = 0; k < all->entry_count; k++)
        count += all->entries[k].pairing == COMPARE_ONLY_IN_REFERENCE;
    return count;
}

// The verdict over all variables, as a status with its message.
static enum status judge(const struct choice *choice, struct compare_outcomes *all)
{
    const size_t lacking = choice->needs_all ? count_missing_variables(all) : 0;
    char unit[UNITS_AFTER_BYTES];
    const struct compare_outcome *first = NULL, *refused = NULL;
    uint64_t compared = 0;
    for (size_t k = 0; k < all->count; k++) {
        const struct compare_outcome *outcome = &all->outcomes[k];
        if (!refused && outcome->is_refused)
            refused = outcome;
        if (!first && !outcome->is_refused && outcome->comparison.verdict == COMPARE_DIFFERS)
            first = outcome;
        compared += outcome->comparison.difference.compared;
    }
    all->verdict = refused ? "not comparable" : first || lacking > 0 ? "differ" : "agree";
    if (refused)
        return FAIL(STATUS_DATA, "%s", refused->reason);
    if (choice->is_listing)
        return STATUS_OK;
    if (first && first->comparison.beyond > 0)
        return FAIL(STATUS_CHECK_FAILED,
                    "%s differs from %s: %s by up to %.4g%s (%zu of %zu variables differ)", all->run_path,
                    all->reference_path, first->entry.run->name, first->comparison.difference.max_abs,
                    units_after(first->comparison.units, unit), all->differing, all->count);
    if (first)
        return FAIL(STATUS_CHECK_FAILED,
                    "%s differs from %s: %s is missing in one of them only at %" PRIu64
                    " places (%zu of %zu variables differ)",
                    all->run_path, all->reference_path, first->entry.run->name,
                    first->comparison.difference.mismatched, all->differing, all->count);
    if (lacking > 0)
        return FAIL(STATUS_CHECK_FAILED, "%s lacks %zu variables of %s", all->run_path, lacking,
                    all->reference_path);
    if (compared == 0) {
        all->verdict = "nothing was compared";
        return FAIL(STATUS_DATA, "%s and %s: not one value is in both", all->run_path, all->reference_path);
    }
    return STATUS_OK;
}

static enum status compare_files(struct choice *choice, struct compare_outcomes *all,
                                 struct compare_session **session)
{
    CHECK(compare_open(&choice->request, session));
    CHECK(choose_pairs(choice, *session, all));
    CHECK(compare_all(choice, *session, all));
    const enum status verdict = judge(choice, all);
    if (!choice->is_quiet && choice->as_json)
        CHECK(compare_print_json(all));
    else if (!choice->is_quiet)
        compare_print_text(all);
    return verdict;
}

int command_compare(int argc, char **argv)
{
    struct choice *choice = calloc(1, sizeof *choice);
    struct compare_outcomes all = {0};
    struct compare_session *session = NULL;
    char run[PATH_BYTES], reference[PATH_BYTES];
    int code = status_exit_code(STATUS_SYSTEM);
    if (!choice) {
        fputs("fathom: no memory for the command line\n", stderr);
        return code;
    }
    if (read_options(argc, argv, choice, &code)) {
        enum status status = path_find(argv[optind], NULL, run);
        if (status == STATUS_OK)
            status = path_find(argv[optind + 1], NULL, reference);
        if (status == STATUS_OK)
            status = output_check_published(run);
        if (status == STATUS_OK)
            status = output_check_published(reference);
        choice->request.run_path = all.run_path = run;
        choice->request.reference_path = all.reference_path = reference;
        all.is_listing = choice->is_listing;
        if (status == STATUS_OK)
            status = compare_files(choice, &all, &session);
        fflush(stdout); // the verdict comes after the table
        code = status_exit_code(status);
        if (status != STATUS_OK && !(status == STATUS_CHECK_FAILED && choice->is_quiet))
            options_report_failure(status);
    }
    compare_close(session);
    free(all.outcomes);
    free(choice);
    return code;
}
