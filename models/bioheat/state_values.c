// What a state.nc may hold: see state_values.h.
#include "models/bioheat/state_values.h"

#include "io/units.h"
#include "models/bioheat/results.h"

#include <stdio.h>
#include <stdlib.h>

const struct bioheat_state_text bioheat_state_texts[BIOHEAT_STATE_FIELDS] = {
    [BIOHEAT_STATE_RISE] = {"rise", "K"},
    [BIOHEAT_STATE_DOSE] = {"dose", "min"},
    [BIOHEAT_STATE_LARGEST] = {"largest_rise", "K"},
    [BIOHEAT_STATE_LARGEST_AT] = {"largest_at", "s"},
    [BIOHEAT_STATE_SECOND_DOSE] = {"second_dose", "min"}};

// What a dose may exceed that of the largest temperature throughout, and what a temperature that is rounded
// to single precision may differ.
static const double dose_slack = 1e-2, temperature_slack_k = 1e-3;

enum status bioheat_state_check_units(const char *path, const struct dataset_variable *v, const char *units)
{
    double slope, offset;
    if (!v->units[0])
        return FAIL(STATUS_DATA, "%s: %s does not state its units: expected \"%s\"", path, v->name, units);
    const bool is_convertible = units_conversion(v->units, units, &slope, &offset) == STATUS_OK;
    if (!is_convertible)
        status_clear();
    if (!is_convertible || slope != 1 || offset != 0)
        return FAIL(STATUS_DATA, "%s: %s is in \"%s\": expected \"%s\"", path, v->name, v->units, units);
    return STATUS_OK;
}

enum status bioheat_state_read_number(const struct dataset *file, const struct bioheat_state_number *number,
                                      double *value)
{
    const char *path = dataset_path(file);
    const struct dataset_variable *v = dataset_find(file, number->name);
    double *values;
    size_t length;
    if (!v || v->rank != 0 || v->kind != DATASET_NUMBERS)
        return FAIL(STATUS_DATA, "%s: the scalar %s is missing: not a state of a heat run", path,
                    number->name);
    CHECK(bioheat_state_check_units(path, v, number->units));
    CHECK(dataset_read_line(file, v, &values, &length));
    *value = values[0];
    free(values);
    if (!(*value >= number->least && *value <= number->most &&
          (!number->is_whole || *value == floor(*value))))
        return FAIL(STATUS_DATA, "%s: %s is %.9g%s: expected %s from %.9g to %.9g", path, number->name,
                    *value, units_after(number->units, (char[UNITS_AFTER_BYTES]){0}),
                    number->is_whole ? "a whole number" : "a number", number->least, number->most);
    return STATUS_OK;
}

// ---- cells

enum { FAULT_BYTES = 200 };

// Of the file's temperatures above its reference; of a largest one that is not kept, NaN.
static double temperature_c(const struct bioheat_state_cells *c, enum bioheat_state_field field, size_t i)
{
    return c->values[field] ? bioheat_temperature_c(c->values[field][i], c->reference_c) : (double)NAN;
}

static bool is_fault_of_rise(const struct bioheat_state_cells *c, enum bioheat_state_field field, size_t i,
                             char *text)
{
    const double value_c = temperature_c(c, field, i);
    text[0] = '\0';
    if (!isfinite(value_c))
        snprintf(text, FAULT_BYTES, "not finite");
    else if (bioheat_is_impossible(value_c))
        snprintf(text, FAULT_BYTES, "a temperature below absolute zero");
    else if (value_c > BIOHEAT_HOTTEST_C)
        snprintf(text, FAULT_BYTES, "a temperature above %g degC", BIOHEAT_HOTTEST_C);
    return text[0];
}

// A run keeps the largest temperatures of all cells or of none.
static bool is_fault_of_keeping(const struct bioheat_state_cells *c, enum bioheat_state_field field, size_t i,
                                char *text)
{
    const bool has = !isnan(c->values[field][i]);
    if (has != c->has_largest)
        snprintf(text, FAULT_BYTES, "%s, although %s[0] is %s", has ? "not missing" : "missing",
                 c->names[BIOHEAT_STATE_LARGEST], has ? "missing" : "not");
    return has != c->has_largest;
}

static bool is_fault_of_largest(const struct bioheat_state_cells *c, size_t i, char *text)
{
    if (is_fault_of_keeping(c, BIOHEAT_STATE_LARGEST, i, text) || !c->has_largest)
        return text[0];
    if (is_fault_of_rise(c, BIOHEAT_STATE_LARGEST, i, text))
        return true;
    if (c->values[BIOHEAT_STATE_LARGEST][i] < c->values[BIOHEAT_STATE_RISE][i])
        snprintf(text, FAULT_BYTES, "less than the rise in that cell");
    return text[0];
}

static bool is_fault_of_time(const struct bioheat_state_cells *c, size_t i, char *text)
{
    const double at_s = c->values[BIOHEAT_STATE_LARGEST_AT][i];
    if (is_fault_of_keeping(c, BIOHEAT_STATE_LARGEST_AT, i, text) || !c->has_largest)
        return text[0];
    if (!isfinite(at_s))
        snprintf(text, FAULT_BYTES, "not finite");
    else if (at_s < 0)
        snprintf(text, FAULT_BYTES, "before the first run");
    else if (at_s > c->clock_s)
        snprintf(text, FAULT_BYTES, "later than the state itself (clock)");
    return text[0];
}

// ISO's law alone makes a dose infinite, and no law more than the largest temperature throughout would.
static bool is_fault_of_dose(const struct bioheat_state_cells *c, enum bioheat_state_field field, size_t i,
                             char *text)
{
    const enum bioheat_dose law = c->definitions[field == BIOHEAT_STATE_SECOND_DOSE];
    const double dose_min = c->values[field][i], largest_c = temperature_c(c, BIOHEAT_STATE_LARGEST, i),
                 from_c = largest_c - BIOHEAT_DOSE_REFERENCE_C,
                 most_min = (1 + dose_slack) * c->clock_s / 60 * pow(from_c < 0 ? 4 : 2, from_c);
    if (isnan(dose_min))
        snprintf(text, FAULT_BYTES, "missing");
    else if (dose_min < 0)
        snprintf(text, FAULT_BYTES, "negative");
    else if (isinf(dose_min) && law != BIOHEAT_DOSE_ISO)
        snprintf(text, FAULT_BYTES, "not finite, as each dose by another law than cem43-from-39 is");
    else if (isinf(dose_min) && largest_c < BIOHEAT_DOSE_ISO_MOST_C - temperature_slack_k)
        snprintf(text, FAULT_BYTES, "infinite, which takes more than %g degC: its cell had at most %.6g degC",
                 BIOHEAT_DOSE_ISO_MOST_C, largest_c);
    else if (!isinf(dose_min) && dose_min > most_min)
        snprintf(text, FAULT_BYTES, "more than %.4g min, at the largest temperature of its cell throughout",
                 most_min);
    return text[0];
}

static bool has_fault(const struct bioheat_state_cells *c, enum bioheat_state_field field, size_t i,
                      char *text)
{
    text[0] = '\0';
    switch (field) {
    case BIOHEAT_STATE_RISE:
        return is_fault_of_rise(c, field, i, text);
    case BIOHEAT_STATE_LARGEST:
        return is_fault_of_largest(c, i, text);
    case BIOHEAT_STATE_LARGEST_AT:
        return is_fault_of_time(c, i, text);
    case BIOHEAT_STATE_DOSE:
    case BIOHEAT_STATE_SECOND_DOSE:
        return is_fault_of_dose(c, field, i, text);
    case BIOHEAT_STATE_FIELDS:
        break;
    }
    return false;
}

enum status bioheat_state_check_cells(const struct bioheat_state_cells *c)
{
    // The doses are compared with the temperatures, which come first.
    static const enum bioheat_state_field order[BIOHEAT_STATE_FIELDS] = {
        BIOHEAT_STATE_RISE, BIOHEAT_STATE_LARGEST, BIOHEAT_STATE_LARGEST_AT, BIOHEAT_STATE_DOSE,
        BIOHEAT_STATE_SECOND_DOSE};
    char text[FAULT_BYTES];
    for (int f = 0; f < BIOHEAT_STATE_FIELDS; f++)
        for (size_t i = 0; i < c->count && c->values[order[f]]; i++)
            if (has_fault(c, order[f], i, text))
                return FAIL(STATUS_DATA, "%s: %s[%zu] (index in [z][y][x] order) is %.9g: %s", c->path,
                            c->names[order[f]], c->first + i, c->values[order[f]][i], text);
    return STATUS_OK;
}
