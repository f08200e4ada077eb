// `fathom compare RUN REFERENCE`: does a result agree with another file, variable by variable? Knows what
// validate/compare/compare.h offers: no model, no file format.
#include "cli/compare_print.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "core/status.h"
#include "io/job/suggest.h"
#include "io/path.h"
#include "io/units.h"
#include "validate/compare/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: fathom compare [OPTIONS] RUN REFERENCE\n"
    "\n"
    "Compares two netCDF files (a run with another program's result, with observations on a grid, with an\n"
    "earlier run), variable by variable and value by value, and says by how much and where they differ.\n"
    "Values are unpacked (scale_factor, add_offset), the reference's units are converted to the run's, and\n"
    "what is missing (_FillValue, missing_value, valid_range, NaN) must be missing in both.\n"
    "\n"
    "Entries are matched by their coordinates: dimensions in another order, latitudes from north to south,\n"
    "longitudes from -180 or from 0, times since another date, stations in another order. Nothing is\n"
    "interpolated: grids that differ are refused, naming the first coordinate. A file that has more times\n"
    "than the other is fine; how many were compared is shown.\n"
    "\n"
    "What to compare:\n"
    "      --variable NAME[=OTHER]  this variable of RUN, with OTHER of REFERENCE (default: all, by name or\n"
    "                               else by standard_name; eta, u, v also with HA, UA, VA of NOAA's\n"
    "                               propagation files); may be repeated\n"
    "      --all                    a variable of REFERENCE that RUN does not have is a difference\n"
    "      --time exact|nearest|linear  exact: the times that both have (default). At REFERENCE's times:\n"
    "                               nearest: RUN's nearest, within half of its spacing; linear: RUN\n"
    "                               interpolated between two of its times\n"
    "      --overlap                compare the nodes in common where the axes differ\n"
    "      --by-index               match a dimension that has coordinates in one file only by number\n"
    "      --axis-tolerance X       coordinates are equal within X of the spacing (default: 0.001)\n"
    "      --list                   say how the variables and axes match, and read no values\n"
    "\n"
    "What counts as agreement: |run - reference| <= absolute + relative * |reference| at every value\n"
    "      --tolerance NAME=X       absolute, of one variable: a number in its units in RUN, or with a unit\n"
    "                               of its own, as in --tolerance eta=\"1 mm\"; may be repeated\n"
    "      --absolute X             the same for all other variables (default: 0)\n"
    "      --relative Y             a share, as 0.01 or \"1 %\", of all variables (default: 0)\n"
    "      --ignore-mask            values missing in one file only are no difference\n"
    "\n"
    "Output:\n"
    "      --json                   the same as JSON\n"
    "      --quiet                  nothing but the exit status, and errors\n"
    "  -h, --help                   this text\n"
    "\n"
    "The table: pairs compared; the largest |run - reference|; root mean square and mean of run - "
    "reference;\n"
    "rms/ref: that root mean square over the reference's; Pearson's correlation. Numbers from 0 in brackets\n"
    "are places in the file. Files are read in blocks: any size will do.\n"
    "\n"
    "Examples:\n"
    "  fathom compare out/fields.nc reference/fields.nc --tolerance eta=\"1 mm\"\n"
    "  fathom compare out/fields.nc comcot.nc --variable eta=zeta --relative \"1 %\" --absolute \"1 cm\"\n"
    "  fathom compare kisza26/fields.nc ki_026_a_ha.nc --overlap --time linear --ignore-mask --relative \"5 "
    "%\"\n"
    "  fathom compare out/gauges.nc dart.nc --variable eta --time linear --ignore-mask --json\n"
    "\n"
    "Exit status: 0 they agree; 1 they differ by more than allowed, or in what is missing; 64 wrong command\n"
    "line; 65 not comparable, or a damaged file; 66 a file cannot be opened; 74 reading failed.\n";

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

enum option_code {
    OPTION_VARIABLE = 256,
    OPTION_TOLERANCE,
    OPTION_ABSOLUTE,
    OPTION_RELATIVE,
    OPTION_TIME,
    OPTION_AXIS_TOLERANCE,
    OPTION_OVERLAP,
    OPTION_BY_INDEX,
    OPTION_IGNORE_MASK,
    OPTION_ALL,
    OPTION_LIST,
    OPTION_JSON,
    OPTION_QUIET,
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

static enum status parse_time(const char *text, enum compare_time *time)
{
    static const char *const names[] = {
        [COMPARE_TIME_EXACT] = "exact", [COMPARE_TIME_NEAREST] = "nearest", [COMPARE_TIME_LINEAR] = "linear"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(text, names[k]) == 0) {
            *time = (enum compare_time)k;
            return STATUS_OK;
        }
    return FAIL(STATUS_USAGE, "--time %s: expected exact, nearest or linear", text);
}

static bool is_plain_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && end[strspn(end, " ")] == '\0';
}

static enum status parse_axis_tolerance(const char *text, double *share)
{
    if (!is_plain_number(text, share) || !(*share > 0 && *share < 0.5))
        return FAIL(STATUS_USAGE, "--axis-tolerance %s: expected a share of the spacing above 0, below 0.5",
                    text);
    return STATUS_OK;
}

static enum status take_option(struct choice *choice, int option, const char *argument)
{
    switch (option) {
    case OPTION_VARIABLE:
        return add_named(choice->variables, &choice->variable_count, "--variable", argument, false);
    case OPTION_TOLERANCE:
        return add_named(choice->tolerances, &choice->tolerance_count, "--tolerance", argument, true);
    case OPTION_TIME:
        return parse_time(argument, &choice->request.time);
    case OPTION_AXIS_TOLERANCE:
        return parse_axis_tolerance(argument, &choice->request.axis_tolerance);
    case OPTION_ABSOLUTE:
        choice->absolute = argument;
        break;
    case OPTION_RELATIVE:
        choice->relative = argument;
        break;
    case OPTION_OVERLAP:
        choice->request.takes_overlap = true;
        break;
    case OPTION_BY_INDEX:
        choice->request.takes_index = true;
        break;
    case OPTION_IGNORE_MASK:
        choice->ignores_mask = true;
        break;
    case OPTION_ALL:
        choice->needs_all = true;
        break;
    case OPTION_LIST:
        choice->is_listing = true;
        break;
    case OPTION_JSON:
        choice->as_json = true;
        break;
    case OPTION_QUIET:
        choice->is_quiet = true;
        break;
    default:
        break;
    }
    return STATUS_OK;
}

// True: go on. False: *code is the exit code.
static bool read_options(int argc, char **argv, struct choice *choice, int *code)
{
    static const struct option options[] = {
        {"variable", required_argument, NULL, OPTION_VARIABLE},
        {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
        {"absolute", required_argument, NULL, OPTION_ABSOLUTE},
        {"relative", required_argument, NULL, OPTION_RELATIVE},
        {"time", required_argument, NULL, OPTION_TIME},
        {"axis-tolerance", required_argument, NULL, OPTION_AXIS_TOLERANCE},
        {"overlap", no_argument, NULL, OPTION_OVERLAP},
        {"by-index", no_argument, NULL, OPTION_BY_INDEX},
        {"ignore-mask", no_argument, NULL, OPTION_IGNORE_MASK},
        {"all", no_argument, NULL, OPTION_ALL},
        {"list", no_argument, NULL, OPTION_LIST},
        {"json", no_argument, NULL, OPTION_JSON},
        {"quiet", no_argument, NULL, OPTION_QUIET},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    *code = status_exit_code(STATUS_USAGE);
    for (int option; (option = options_next(argc, argv, "h", options)) != -1;) {
        if (option == '?')
            return false; // the reason was said
        if (option == 'h') {
            fputs(help, stdout);
            *code = 0;
            return false;
        }
        const enum status status = take_option(choice, option, optarg);
        if (status != STATUS_OK) {
            options_report_failure(status);
            return false;
        }
    }
    if (argc - optind != 2) {
        fputs("fathom: compare needs two files, RUN and REFERENCE; see fathom compare --help\n", stderr);
        return false;
    }
    if (choice->is_listing && choice->is_quiet) {
        fputs("fathom: --list and --quiet together would do nothing\n", stderr);
        return false;
    }
    return true;
}

// ---- what is allowed

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

// A tolerance for a variable that is not compared would be a tolerance that never is applied.
static enum status check_tolerances(const struct choice *choice, const struct compare_outcomes *all)
{
    for (size_t k = 0; k < choice->tolerance_count; k++) {
        const char *name = choice->tolerances[k].name, *nearest = NULL;
        if (choice->tolerances[k].is_used)
            continue;
        const char **names = calloc(all->count + 1, sizeof *names);
        for (size_t n = 0; names && n < all->count; n++)
            names[n] = all->outcomes[n].entry.run->name;
        if (names)
            nearest = job_nearest_word(name, names, all->count);
        free(names);
        return FAIL(STATUS_USAGE, "--tolerance %s: there is no such variable among those compared%s%s%s",
                    name, nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
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
        return FAIL(STATUS_SYSTEM, "no memory to compare %zu variables", all->entry_count);
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

static const char *hint_text(enum compare_hint hint)
{
    switch (hint) {
    case COMPARE_HINT_OVERLAP:
        return "; --overlap compares what is in common";
    case COMPARE_HINT_INDEX:
        return "; --by-index matches by number";
    case COMPARE_HINT_TIME:
        return "; --time nearest or linear looks between";
    case COMPARE_HINT_NONE:
        break;
    }
    return "";
}

// Variables that cannot be compared are kept with the reason; the others still are.
static enum status compare_all(const struct choice *choice, struct compare_session *session,
                               struct compare_outcomes *all)
{
    for (size_t k = 0; k < all->count; k++) {
        struct compare_outcome *outcome = &all->outcomes[k];
        const enum status status =
            choice->is_listing
                ? compare_prepare(session, &outcome->entry, &outcome->comparison)
                : compare_pair(session, &outcome->entry, &outcome->limits, &outcome->comparison);
        if (status != STATUS_OK && status != STATUS_DATA)
            return status;
        outcome->is_refused = status != STATUS_OK;
        if (outcome->is_refused) {
            snprintf(outcome->reason, sizeof outcome->reason, "%s%s", status_message(),
                     hint_text(outcome->comparison.hint));
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
