// The outcome of `fathom compare` as a table and as JSON (see compare_print.h).
#include "cli/compare_print.h"

#include "cli/options.h"
#include "io/json_file.h"
#include "io/units.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100, INDENT = 4, TEXT_BYTES = 2048, NUMBER_BYTES = 32 };

static const char *const pairings[] = {
    [COMPARE_BY_NAME] = "name",
    [COMPARE_BY_STANDARD_NAME] = "standard_name",
    [COMPARE_BY_NOAA_NAME] = "NOAA's name",
    [COMPARE_AS_ASKED] = "as asked",
    [COMPARE_ONLY_IN_RUN] = "only in the run",
    [COMPARE_ONLY_IN_REFERENCE] = "only in the reference",
    [COMPARE_COORDINATE] = "coordinate or auxiliary",
    [COMPARE_NO_NUMBERS] = "text, or no plain numbers",
};

static const char *verdict_of(const struct compare_outcome *outcome)
{
    static const char *const verdicts[] = {
        [COMPARE_AGREES] = "agrees", [COMPARE_DIFFERS] = "differs", [COMPARE_NOTHING] = "no values"};
    return outcome->is_refused ? "not comparable" : verdicts[outcome->comparison.verdict];
}

// ---- text

static void append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char *text, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, TEXT_BYTES - length, format, arguments);
    va_end(arguments);
}

// Breaks lines at blanks.
static void print_paragraph(const char *text)
{
    size_t column = INDENT;
    bool is_first = true;
    printf("%*s", INDENT, "");
    for (const char *c = text + strspn(text, " "); *c != '\0'; c += strspn(c, " ")) {
        const size_t length = strcspn(c, " ");
        if (!is_first && column + 1 + length > COLUMNS) {
            printf("\n%*s", INDENT + 2, "");
            column = INDENT + 2;
        } else if (!is_first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)length, c);
        column += length;
        c += length;
        is_first = false;
    }
    putchar('\n');
}

static const char *number(double value, const char *format, char text[NUMBER_BYTES])
{
    if (isnan(value))
        snprintf(text, NUMBER_BYTES, "-");
    else
        snprintf(text, NUMBER_BYTES, strcmp(format, "correlation") == 0 ? "%.8f" : "%.4g", value);
    return text;
}

// "time[3] 5400 seconds since ..., lat[12] 33.5 degrees_north"; the reference's number where it is another.
static void append_place(char *text, const struct compare_location *location)
{
    char unit[UNITS_AFTER_BYTES];
    if (location->rank == 0)
        append(text, "the one value");
    for (int k = 0; k < location->rank; k++) {
        append(text, "%s%s", k > 0 ? ", " : "", location->axes[k].name);
        if (location->axes[k].has_run)
            append(text, "[%zu]", location->axes[k].run_index);
        if (location->axes[k].has_reference &&
            (!location->axes[k].has_run || location->axes[k].reference_index != location->axes[k].run_index))
            append(text, " (reference [%zu])", location->axes[k].reference_index);
        if (location->axes[k].label[0] != '\0')
            append(text, " \"%s\"", location->axes[k].label);
        if (location->axes[k].has_coordinate)
            append(text, " %.9g%s", location->axes[k].coordinate, units_after(location->axes[k].units, unit));
    }
}

static void append_values(char *text, const struct compare_location *location, const char *units)
{
    char run[NUMBER_BYTES], reference[NUMBER_BYTES], unit[UNITS_AFTER_BYTES];
    snprintf(run, sizeof run, isnan(location->run) ? "missing" : "%.9g", location->run);
    snprintf(reference, sizeof reference, isnan(location->reference) ? "missing" : "%.9g",
             location->reference);
    append(text, ": run %s, reference %s%s", run, reference, units_after(units, unit));
}

static void print_tolerance(const struct comparison *c)
{
    char text[TEXT_BYTES] = "", unit[UNITS_AFTER_BYTES];
    const struct compare_limits *limits = &c->limits;
    if (limits->absolute == 0 && limits->relative == 0)
        append(text, "allowed: no difference");
    else if (limits->relative == 0)
        append(text, "allowed: %g%s", limits->absolute, units_after(c->units, unit));
    else if (limits->absolute == 0)
        append(text, "allowed: %g of |reference|", limits->relative);
    else
        append(text, "allowed: %g%s + %g of |reference|", limits->absolute, units_after(c->units, unit),
               limits->relative);
    if (c->beyond > 0) {
        append(text, "; beyond it: %" PRIu64 ", first at ", c->beyond);
        append_place(text, &c->first_beyond);
        append_values(text, &c->first_beyond, c->units);
    }
    print_paragraph(text);
}

static void print_masks(const struct comparison *c)
{
    const struct {
        uint64_t count;
        const char *where;
        const struct compare_location *first;
    } files[2] = {{c->run_missing, "the run", &c->first_run_missing},
                  {c->reference_missing, "the reference", &c->first_reference_missing}};
    if (c->difference.missing > 0) {
        char text[TEXT_BYTES] = "";
        append(text, "missing in both: %" PRIu64, c->difference.missing);
        print_paragraph(text);
    }
    for (int k = 0; k < 2; k++) {
        char text[TEXT_BYTES] = "";
        if (files[k].count == 0)
            continue;
        append(text, "missing in %s only%s: %" PRIu64 ", first at ", files[k].where,
               c->limits.ignores_mask ? " (ignored)" : "", files[k].count);
        append_place(text, files[k].first);
        append_values(text, files[k].first, c->units);
        print_paragraph(text);
    }
}

// Axes of which not every entry was used.
static void print_axes(const struct comparison *c)
{
    for (int k = 0; k < c->axis_count; k++) {
        const struct compare_axis_summary *axis = &c->axes[k];
        char text[TEXT_BYTES] = "";
        if (axis->used == axis->run_length && axis->used == axis->reference_length)
            continue;
        append(text, "%s: %zu compared, of %zu in the run and %zu in the reference", axis->name, axis->used,
               axis->run_length, axis->reference_length);
        print_paragraph(text);
    }
}

static void print_outcome(const struct compare_outcome *outcome)
{
    const struct comparison *c = &outcome->comparison;
    char texts[5][NUMBER_BYTES], title[TEXT_BYTES] = "";
    append(title, "%s", outcome->entry.run->name);
    if (c->units[0] != '\0')
        append(title, " (%s)", c->units);
    if (outcome->is_refused) {
        printf("%-24s %74s\n", title, verdict_of(outcome));
        print_paragraph(outcome->reason);
        return;
    }
    printf("%-24s%s", title, strlen(title) > 24 ? "\n                        " : "");
    printf(" %12" PRIu64 " %9s %9s %10s %8s %11s %9s\n", c->difference.compared,
           number(c->difference.compared > 0 ? c->difference.max_abs : NAN, "", texts[0]),
           number(c->rms, "", texts[1]), number(c->bias, "", texts[2]), number(c->relative_rms, "", texts[3]),
           number(c->correlation, "correlation", texts[4]), verdict_of(outcome));
    if (outcome->entry.pairing != COMPARE_BY_NAME) {
        char text[TEXT_BYTES] = "";
        append(text, "with %s of the reference (paired by %s)", outcome->entry.reference->name,
               outcome->entry.pairing == COMPARE_AS_ASKED ? "you" : pairings[outcome->entry.pairing]);
        print_paragraph(text);
    }
    if (c->difference.compared > 0 && c->difference.max_abs > 0) {
        char text[TEXT_BYTES] = "largest at ";
        append_place(text, &c->largest);
        append_values(text, &c->largest, c->units);
        print_paragraph(text);
    }
    print_tolerance(c);
    print_masks(c);
    print_axes(c);
    for (int k = 0; k < c->notes.count; k++)
        print_paragraph(c->notes.texts[k]);
}

static void print_listed(const struct compare_outcome *outcome)
{
    const struct comparison *c = &outcome->comparison;
    char text[TEXT_BYTES] = "";
    printf("%s%s%s%s\n", outcome->entry.run->name, c->units[0] ? " (" : "", c->units, c->units[0] ? ")" : "");
    append(text, "with %s, paired by %s", outcome->entry.reference->name,
           outcome->entry.pairing == COMPARE_AS_ASKED ? "you" : pairings[outcome->entry.pairing]);
    for (int k = 0; k < c->axis_count && !outcome->is_refused; k++)
        append(text, "%s %s %zu", k == 0 ? ":" : ",", c->axes[k].name, c->axes[k].used);
    print_paragraph(text);
    if (outcome->is_refused)
        print_paragraph(outcome->reason);
    else
        print_axes(c);
    for (int k = 0; k < c->notes.count && !outcome->is_refused; k++)
        print_paragraph(c->notes.texts[k]);
}

// "only in the run: u, v".
static void print_others(const struct compare_outcomes *outcomes, enum compare_pairing pairing)
{
    char text[TEXT_BYTES] = "";
    for (size_t k = 0; k < outcomes->entry_count; k++) {
        const struct compare_entry *entry = &outcomes->entries[k];
        if (entry->pairing == pairing)
            append(text, "%s%s", text[0] ? ", " : "", entry->run ? entry->run->name : entry->reference->name);
    }
    if (text[0] == '\0')
        return;
    printf("not compared, %s:\n", pairings[pairing]);
    print_paragraph(text);
}

void compare_print_text(const struct compare_outcomes *outcomes)
{
    char memory[24];
    printf("run        %s\nreference  %s\n\n", outcomes->run_path, outcomes->reference_path);
    if (!outcomes->is_listing)
        printf("%-24s %12s %9s %9s %10s %8s %11s %9s\n", "variable", "compared", "largest", "rms", "bias",
               "rms/ref", "correlation", "verdict");
    for (size_t k = 0; k < outcomes->count; k++) {
        if (outcomes->is_listing)
            print_listed(&outcomes->outcomes[k]);
        else
            print_outcome(&outcomes->outcomes[k]);
    }
    for (int pairing = COMPARE_ONLY_IN_RUN; pairing <= COMPARE_NO_NUMBERS && !outcomes->are_chosen; pairing++)
        print_others(outcomes, (enum compare_pairing)pairing);
    if (outcomes->is_listing)
        printf("\nto be compared: %zu of %zu pairs; memory at most %s\n", outcomes->count - outcomes->refused,
               outcomes->count, units_format_bytes((double)outcomes->memory_bytes, memory, sizeof memory));
    else
        printf("\n%s\n", outcomes->verdict);
}

// ---- JSON

static void add_location(cJSON *object, const char *name, const struct compare_location *location)
{
    if (!location->is_set)
        return;
    cJSON *place = cJSON_AddObjectToObject(object, name);
    cJSON_AddNumberToObject(place, "run", location->run);
    cJSON_AddNumberToObject(place, "reference", location->reference);
    cJSON *axes = cJSON_AddArrayToObject(place, "at");
    for (int k = 0; k < location->rank; k++) {
        cJSON *axis = json_append_object(axes);
        cJSON_AddStringToObject(axis, "axis", location->axes[k].name);
        if (location->axes[k].has_run)
            cJSON_AddNumberToObject(axis, "run_index", (double)location->axes[k].run_index);
        if (location->axes[k].has_reference)
            cJSON_AddNumberToObject(axis, "reference_index", (double)location->axes[k].reference_index);
        if (location->axes[k].has_coordinate) {
            cJSON_AddNumberToObject(axis, "coordinate", location->axes[k].coordinate);
            cJSON_AddStringToObject(axis, "units", location->axes[k].units);
        }
        if (location->axes[k].label[0] != '\0')
            cJSON_AddStringToObject(axis, "label", location->axes[k].label);
    }
}

static void add_axes(cJSON *object, const struct comparison *c)
{
    cJSON *axes = cJSON_AddArrayToObject(object, "axes");
    for (int k = 0; k < c->axis_count; k++) {
        cJSON *axis = json_append_object(axes);
        cJSON_AddStringToObject(axis, "axis", c->axes[k].name);
        cJSON_AddNumberToObject(axis, "run", (double)c->axes[k].run_length);
        cJSON_AddNumberToObject(axis, "reference", (double)c->axes[k].reference_length);
        cJSON_AddNumberToObject(axis, "compared", (double)c->axes[k].used);
    }
    cJSON *notes = cJSON_AddArrayToObject(object, "notes");
    for (int k = 0; k < c->notes.count; k++)
        cJSON_AddItemToArray(notes, cJSON_CreateString(c->notes.texts[k]));
}

static void add_statistics(cJSON *object, const struct comparison *c)
{
    const bool has_values = c->difference.compared > 0;
    cJSON_AddNumberToObject(object, "compared", (double)c->difference.compared);
    cJSON_AddNumberToObject(object, "missing_in_both", (double)c->difference.missing);
    cJSON_AddNumberToObject(object, "missing_in_run_only", (double)c->run_missing);
    cJSON_AddNumberToObject(object, "missing_in_reference_only", (double)c->reference_missing);
    cJSON *tolerance = cJSON_AddObjectToObject(object, "tolerance");
    cJSON_AddNumberToObject(tolerance, "absolute", c->limits.absolute);
    cJSON_AddNumberToObject(tolerance, "relative", c->limits.relative);
    cJSON_AddNumberToObject(object, "beyond_tolerance", (double)c->beyond);
    cJSON_AddNumberToObject(object, "largest", has_values ? c->difference.max_abs : NAN);
    cJSON_AddNumberToObject(object, "rms", c->rms);
    cJSON_AddNumberToObject(object, "bias", c->bias);
    cJSON_AddNumberToObject(object, "reference_rms", c->reference_rms);
    cJSON_AddNumberToObject(object, "reference_largest", has_values ? c->difference.max_abs_reference : NAN);
    cJSON_AddNumberToObject(object, "relative_rms", c->relative_rms);
    cJSON_AddNumberToObject(object, "relative_largest", c->relative_max);
    cJSON_AddNumberToObject(object, "correlation", c->correlation);
    add_location(object, "largest_at", &c->largest);
    add_location(object, "first_beyond_tolerance", &c->first_beyond);
    add_location(object, "first_missing_in_run_only", &c->first_run_missing);
    add_location(object, "first_missing_in_reference_only", &c->first_reference_missing);
}

static void add_outcome(cJSON *list, const struct compare_outcomes *outcomes,
                        const struct compare_outcome *outcome)
{
    cJSON *object = json_append_object(list);
    cJSON_AddStringToObject(object, "variable", outcome->entry.run->name);
    cJSON_AddStringToObject(object, "reference_variable", outcome->entry.reference->name);
    cJSON_AddStringToObject(object, "paired_by", pairings[outcome->entry.pairing]);
    cJSON_AddStringToObject(object, "units", outcome->comparison.units);
    if (outcome->is_refused) {
        cJSON_AddStringToObject(object, "verdict", verdict_of(outcome));
        cJSON_AddStringToObject(object, "reason", outcome->reason);
    } else {
        if (!outcomes->is_listing) {
            cJSON_AddStringToObject(object, "verdict", verdict_of(outcome));
            add_statistics(object, &outcome->comparison);
        }
        add_axes(object, &outcome->comparison);
    }
}

enum status compare_print_json(const struct compare_outcomes *outcomes)
{
    cJSON *report = cJSON_CreateObject();
    cJSON_AddStringToObject(report, "run", outcomes->run_path);
    cJSON_AddStringToObject(report, "reference", outcomes->reference_path);
    if (!outcomes->is_listing)
        cJSON_AddStringToObject(report, "verdict", outcomes->verdict);
    cJSON_AddNumberToObject(report, "memory_bytes_at_most", (double)outcomes->memory_bytes);
    cJSON *list = cJSON_AddArrayToObject(report, "variables");
    for (size_t k = 0; k < outcomes->count; k++)
        add_outcome(list, outcomes, &outcomes->outcomes[k]);
    cJSON *others = cJSON_AddArrayToObject(report, "not_compared");
    for (size_t k = 0; k < outcomes->entry_count && !outcomes->are_chosen; k++) {
        const struct compare_entry *entry = &outcomes->entries[k];
        if (entry->run && entry->reference)
            continue;
        cJSON *other = json_append_object(others);
        cJSON_AddStringToObject(other, "variable", entry->run ? entry->run->name : entry->reference->name);
        cJSON_AddStringToObject(other, "file", entry->run ? "run" : "reference");
        cJSON_AddStringToObject(other, "why", pairings[entry->pairing]);
    }
    return options_print_json(report);
}
