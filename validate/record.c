// The results of a case, and how they are judged (suite.h).
#include "validate/suite.h"

#include "validate/tolerances.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const kind_names[VALIDATION_KINDS] = {"absolute", "relative", "order", "rms", "at-least"};

const char *validation_kind_name(enum validation_kind kind)
{
    return kind_names[kind];
}

const char *validation_verdict_name(enum validation_verdict verdict)
{
    static const char *const names[] = {"passed", "failed", "skipped", "shown"};
    return names[verdict];
}

static void copy(char *to, size_t bytes, const char *text)
{
    snprintf(to, bytes, "%s", text ? text : "");
}

static enum status add_result(struct validation_run *run, const char *quantity,
                              struct validation_result **result)
{
    struct validation_record *record = run->record;
    if (record->result_count == VALIDATION_RESULTS_MAX)
        return FAIL(STATUS_SOFTWARE, "%s/%s has more than %d results", run->suite->name,
                    run->validation_case->name, VALIDATION_RESULTS_MAX);
    *result = &record->results[record->result_count++];
    memset(*result, 0, sizeof **result);
    copy((*result)->quantity, sizeof(*result)->quantity, quantity);
    return STATUS_OK;
}

// Whether the tolerance is meant for such a number.
static enum status check_unit(const struct tolerance *t, const struct validation_measure *m)
{
    if (t->kind != VALIDATION_ABSOLUTE && (m->scale != 0 || m->allowance != 0))
        return FAIL(STATUS_DATA, "tolerance %s: must be of the kind \"absolute\", not \"%s\"", t->name,
                    validation_kind_name(t->kind));
    if (t->kind != VALIDATION_ABSOLUTE && t->kind != VALIDATION_AT_LEAST)
        return STATUS_OK;
    const char *expected = m->scale != 0 ? "1" : m->unit;
    return strcmp(t->unit, expected) == 0
               ? STATUS_OK
               : FAIL(STATUS_DATA, "tolerance %s: is in \"%s\", but %s is judged by one in \"%s\"", t->name,
                      t->unit, m->quantity, expected);
}

static void judge(struct validation_result *r)
{
    const bool is_floor = r->kind == VALIDATION_ORDER || r->kind == VALIDATION_AT_LEAST;
    bool is_good = false;
    switch (r->kind) {
    case VALIDATION_ABSOLUTE:
        r->error = r->computed - r->reference;
        is_good = fabs(r->error) <= r->tolerance;
        break;
    case VALIDATION_RELATIVE:
        r->error = (r->computed - r->reference) / fabs(r->reference);
        is_good = fabs(r->error) <= r->tolerance;
        break;
    case VALIDATION_ORDER:
    case VALIDATION_AT_LEAST:
        r->error = fmax(0, r->tolerance - r->computed);
        is_good = r->computed >= r->tolerance;
        break;
    case VALIDATION_RMS:
        r->error = r->computed / r->reference;
        is_good = r->error >= 0 && r->error <= r->tolerance;
        break;
    case VALIDATION_KINDS:
        break;
    }
    // fmax hides a NaN, so the number itself is tested, too.
    r->verdict =
        is_good && isfinite(r->computed) && isfinite(r->error) ? VALIDATION_PASSED : VALIDATION_FAILED;
    if (!isfinite(r->computed))
        copy(r->reason, sizeof r->reason, "what was computed is not a number");
    else if (!isfinite(r->error))
        copy(r->reason, sizeof r->reason, "cannot be compared with this reference");
    else if (r->verdict == VALIDATION_FAILED)
        snprintf(r->reason, sizeof r->reason,
                 is_floor ? "%.4g is less than %.4g" : "error %.4g, allowed %.4g",
                 is_floor ? r->computed : r->error, r->tolerance);
}

enum status validation_measure(struct validation_run *run, const struct validation_measure *measure)
{
    char name[2 * VALIDATION_NAME_BYTES];
    const struct tolerance *tolerance;
    struct validation_result *result = NULL;
    snprintf(name, sizeof name, "%s/%s", run->suite->name, measure->tolerance);
    CHECK(tolerances_find(run->tolerances, name, &tolerance));
    CHECK(check_unit(tolerance, measure));
    CHECK(add_result(run, measure->quantity, &result));
    copy(result->unit, sizeof result->unit, measure->unit);
    copy(result->source, sizeof result->source, measure->source);
    copy(result->tolerance_source, sizeof result->tolerance_source, tolerance->source);
    result->kind = tolerance->kind;
    result->computed = measure->computed;
    result->reference = measure->reference;
    result->tolerance = tolerance->value * (measure->scale != 0 ? measure->scale : 1) + measure->allowance;
    judge(result);
    return STATUS_OK;
}

static enum status show(struct validation_run *run, const struct validation_measure *measure)
{
    const double computed = measure->computed, reference = measure->reference;
    struct validation_result *result = NULL;
    CHECK(add_result(run, measure->quantity, &result));
    copy(result->unit, sizeof result->unit, measure->unit);
    copy(result->source, sizeof result->source, measure->source);
    result->kind = VALIDATION_RELATIVE;
    result->verdict = VALIDATION_SHOWN;
    result->computed = computed;
    result->reference = reference;
    result->error = reference != 0 ? (computed - reference) / fabs(reference) : (double)NAN;
    result->tolerance = NAN;
    return STATUS_OK;
}

enum status validation_compare(struct validation_run *run, const char *tolerance, const char *unit,
                               const char *source, double computed, double reference, const char *quantity,
                               ...)
{
    char text[VALIDATION_NAME_BYTES];
    va_list arguments;
    va_start(arguments, quantity);
    vsnprintf(text, sizeof text, quantity, arguments);
    va_end(arguments);
    const struct validation_measure measure = {.quantity = text,
                                               .unit = unit,
                                               .computed = computed,
                                               .reference = reference,
                                               .source = source,
                                               .tolerance = tolerance};
    return tolerance ? validation_measure(run, &measure) : show(run, &measure);
}

enum status validation_leave_out(struct validation_run *run, const char *quantity, const char *format, ...)
{
    struct validation_result *result = NULL;
    CHECK(add_result(run, quantity, &result));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->reason, sizeof result->reason, format, arguments);
    va_end(arguments);
    result->verdict = VALIDATION_SKIPPED;
    result->computed = result->reference = result->error = result->tolerance = NAN;
    return STATUS_OK;
}

void validation_skip(struct validation_run *run, const char *format, ...)
{
    if (run->record->verdict == VALIDATION_SKIPPED)
        return;
    run->record->verdict = VALIDATION_SKIPPED;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->record->reason, sizeof run->record->reason, format, arguments);
    va_end(arguments);
}

void validation_note(struct validation_run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->record->note, sizeof run->record->note, format, arguments);
    va_end(arguments);
}

void validation_benchmark_path(const struct validation_run *run, const char *name, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%s", run->data_directory, name);
}

enum status validation_picture(struct validation_run *run, const char *title, const char *x_label,
                               const char *y_label, const char *caption, struct validation_picture **picture)
{
    struct validation_record *record = run->record;
    if (record->picture_count == VALIDATION_PICTURES_MAX)
        return FAIL(STATUS_SOFTWARE, "%s/%s has more than %d pictures", run->suite->name,
                    run->validation_case->name, VALIDATION_PICTURES_MAX);
    struct validation_picture *p = &record->pictures[record->picture_count++];
    memset(p, 0, sizeof *p);
    copy(p->title, sizeof p->title, title);
    copy(p->x_label, sizeof p->x_label, x_label);
    copy(p->y_label, sizeof p->y_label, y_label);
    copy(p->caption, sizeof p->caption, caption);
    *picture = p;
    return STATUS_OK;
}

// A new line, with room for its numbers.
static enum status add_line(struct validation_run *run, struct validation_picture *picture, const char *name,
                            bool is_points, size_t count, double **numbers)
{
    struct validation_record *record = run->record;
    if (picture->line_count == VALIDATION_LINES_MAX ||
        count > (VALIDATION_NUMBERS_MAX - record->number_count) / 2)
        return FAIL(STATUS_SOFTWARE, "%s/%s: no room for the line \"%s\" of %zu points", run->suite->name,
                    run->validation_case->name, name, count);
    struct validation_line *line = &picture->lines[picture->line_count++];
    *line = (struct validation_line){.is_points = is_points, .first = record->number_count, .count = count};
    copy(line->name, sizeof line->name, name);
    *numbers = record->numbers + record->number_count;
    record->number_count += 2 * count;
    return STATUS_OK;
}

enum status validation_line(struct validation_run *run, struct validation_picture *picture, const char *name,
                            bool is_points, const double *x, const double *y, size_t count)
{
    double *numbers;
    CHECK(add_line(run, picture, name, is_points, count, &numbers));
    for (size_t k = 0; k < count; k++) {
        numbers[2 * k] = x[k];
        numbers[2 * k + 1] = y[k];
    }
    return STATUS_OK;
}

enum status validation_line_even(struct validation_run *run, struct validation_picture *picture,
                                 const char *name, bool is_points, double first, double spacing,
                                 const double *y, size_t count)
{
    double *numbers;
    CHECK(add_line(run, picture, name, is_points, count, &numbers));
    for (size_t k = 0; k < count; k++) {
        numbers[2 * k] = first + (double)k * spacing;
        numbers[2 * k + 1] = y[k];
    }
    return STATUS_OK;
}

int validation_count(const struct validation_record *record, enum validation_verdict verdict)
{
    int count = 0;
    for (int k = 0; k < record->result_count; k++)
        count += record->results[k].verdict == verdict;
    return count;
}
