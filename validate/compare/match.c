// Dimensions and units of two variables (see match.h). Reads coordinates and places, no values.
#include "validate/compare/match.h"

#include "io/formats/propagation_file.h"
#include "io/time_units.h"
#include "io/units.h"
#include "validate/compare/coordinates.h"
#include "validate/compare/labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- dimensions

struct shape {
    int rank;
    struct compare_axis_operand axes[DATASET_RANK_MAX];
    int partner[DATASET_RANK_MAX]; // of the other operand, or −1
};

static enum status describe(const struct dataset *file, const struct dataset_variable *variable,
                            struct shape *shape)
{
    memset(shape, 0, sizeof *shape);
    shape->rank = variable->rank;
    for (int k = 0; k < variable->rank; k++) {
        struct compare_axis_operand *axis = &shape->axes[k];
        *axis = (struct compare_axis_operand){.file = file,
                                              .variable = variable,
                                              .dimension = k,
                                              .length = variable->lengths[k],
                                              .coordinate = dataset_coordinate(file, variable, k)};
        if (axis->coordinate)
            snprintf(axis->name, sizeof axis->name, "%s", axis->coordinate->name);
        else
            snprintf(axis->name, sizeof axis->name, "%s", variable->dimension_names[k]);
        shape->partner[k] = -1;
    }
    return STATUS_OK;
}

static enum netcdf_role role_of(const struct compare_axis_operand *axis)
{
    return axis->coordinate ? axis->coordinate->role : NETCDF_ROLE_NONE;
}

static const char *base_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static bool are_same_role(const struct compare_axis_operand *a, const struct compare_axis_operand *b)
{
    return role_of(a) != NETCDF_ROLE_NONE && role_of(a) == role_of(b);
}

static bool are_same_name(const struct compare_axis_operand *a, const struct compare_axis_operand *b)
{
    return strcmp(base_of(a->name), base_of(b->name)) == 0;
}

// Pairs dimensions that are alike, if no others are: time with time, lat with lat.
static void pair_alike(struct shape *run, struct shape *reference,
                       bool (*are_alike)(const struct compare_axis_operand *,
                                         const struct compare_axis_operand *))
{
    for (int i = 0; i < run->rank; i++) {
        int found = -1, alike = 0, rivals = 0;
        for (int j = 0; j < reference->rank; j++)
            if (run->partner[i] < 0 && reference->partner[j] < 0 &&
                are_alike(&run->axes[i], &reference->axes[j])) {
                found = j;
                alike++;
            }
        for (int k = 0; alike == 1 && k < run->rank; k++)
            rivals += run->partner[k] < 0 && are_alike(&run->axes[k], &reference->axes[found]);
        if (alike == 1 && rivals == 1) {
            run->partner[i] = found;
            reference->partner[found] = i;
        }
    }
}

// Pairs the remaining dimensions of more than one entry in their order, if both have equally many and their
// roles do not differ.
static void pair_rest(struct shape *run, struct shape *reference)
{
    int left[2][DATASET_RANK_MAX], counts[2] = {0, 0};
    const struct shape *shapes[2] = {run, reference};
    for (int operand = 0; operand < 2; operand++)
        for (int k = 0; k < shapes[operand]->rank; k++)
            if (shapes[operand]->partner[k] < 0 && shapes[operand]->axes[k].length != 1)
                left[operand][counts[operand]++] = k;
    if (counts[0] != counts[1])
        return;
    for (int n = 0; n < counts[0]; n++) {
        const int i = left[0][n], j = left[1][n];
        const enum netcdf_role a = role_of(&run->axes[i]), b = role_of(&reference->axes[j]);
        if (a != b && a != NETCDF_ROLE_NONE && b != NETCDF_ROLE_NONE)
            continue;
        run->partner[i] = j;
        reference->partner[j] = i;
    }
}

// A scalar coordinate that gives the position of a variable along `axis`: the time of a single record.
static const struct dataset_variable *scalar_coordinate(const struct dataset *file,
                                                        const struct dataset_variable *variable,
                                                        const struct compare_axis_operand *axis)
{
    char names[DATASET_TEXT_BYTES + DATASET_NAME_BYTES];
    snprintf(names, sizeof names, "%s %s", variable->coordinates, base_of(axis->name));
    char *rest = NULL;
    for (const char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
        const struct dataset_variable *found = dataset_find_from(file, variable, name);
        if (!found || found == variable || found->rank != 0 || found->kind != DATASET_NUMBERS)
            continue;
        if (strcmp(found->base_name, base_of(axis->name)) == 0 ||
            (found->role != NETCDF_ROLE_NONE && found->role == role_of(axis)))
            return found;
    }
    return NULL;
}

// An axis that only one operand has.
static enum status add_lonely(struct compare_match *match, int operand,
                              const struct compare_axis_operand *here, const struct compare_remarks *remarks)
{
    const struct compare_operand *other = &match->operands[1 - operand];
    const struct dataset_variable *scalar = scalar_coordinate(other->file, other->variable, here);
    if (!scalar && here->length != 1)
        return FAIL(STATUS_DATA, "%s: %s varies along %s (%zu entries), %s of %s does not",
                    dataset_path(here->file), here->variable->name, here->name, here->length,
                    other->variable->name, dataset_path(other->file));
    struct compare_axis *axis = &match->axes[match->rank++];
    axis->operands[operand] = *here;
    axis->operands[1 - operand] = (struct compare_axis_operand){
        .file = other->file, .variable = other->variable, .dimension = -1, .length = 1, .coordinate = scalar};
    snprintf(axis->operands[1 - operand].name, sizeof here->name, "%s", scalar ? scalar->name : here->name);
    if (!scalar)
        compare_note(remarks->notes, "axis %s, of one entry, is in the %s only", here->name,
                     operand == COMPARE_RUN ? "run" : "reference");
    return STATUS_OK;
}

static void note_transposition(const struct shape *run, const struct compare_remarks *remarks)
{
    int before = -1;
    for (int k = 0; k < run->rank; k++) {
        if (run->partner[k] >= 0 && run->partner[k] < before) {
            compare_note(remarks->notes, "the reference has its dimensions in another order");
            return;
        }
        before = run->partner[k] >= 0 ? run->partner[k] : before;
    }
}

static enum status pair_dimensions(struct compare_match *match, const struct compare_remarks *remarks)
{
    struct shape run, reference;
    CHECK(describe(match->operands[0].file, match->operands[0].variable, &run));
    CHECK(describe(match->operands[1].file, match->operands[1].variable, &reference));
    pair_alike(&run, &reference, are_same_role);
    pair_alike(&run, &reference, are_same_name);
    pair_rest(&run, &reference);
    for (int k = 0; k < reference.rank; k++)
        if (reference.partner[k] < 0)
            CHECK(add_lonely(match, COMPARE_REFERENCE, &reference.axes[k], remarks));
    for (int k = 0; k < run.rank; k++) {
        if (run.partner[k] < 0) {
            CHECK(add_lonely(match, COMPARE_RUN, &run.axes[k], remarks));
            continue;
        }
        struct compare_axis *axis = &match->axes[match->rank++];
        axis->operands[COMPARE_RUN] = run.axes[k];
        axis->operands[COMPARE_REFERENCE] = reference.axes[run.partner[k]];
    }
    note_transposition(&run, remarks);
    return STATUS_OK;
}

static bool is_time(const struct compare_axis *axis)
{
    return role_of(&axis->operands[0]) == NETCDF_ROLE_TIME || role_of(&axis->operands[1]) == NETCDF_ROLE_TIME;
}

// ---- units of the values

static enum status match_units(struct compare_match *match, const struct compare_remarks *remarks)
{
    const struct dataset_variable *run = match->operands[0].variable,
                                  *reference = match->operands[1].variable;
    struct compare_operand *operand = &match->operands[COMPARE_REFERENCE];
    double slope = 1;
    if (strcmp(run->units, reference->units) == 0)
        return STATUS_OK;
    if (run->units[0] == '\0' || reference->units[0] == '\0') {
        compare_note(remarks->notes, "units (%s) are in one file only: taken for both",
                     run->units[0] ? run->units : reference->units);
        return STATUS_OK;
    }
    if (time_units_have_date(run->units) && time_units_have_date(reference->units))
        CHECK_ABOUT(time_units_conversion(reference->units, reference->calendar, run->units, run->calendar,
                                          &slope, &operand->offset),
                    "%s and %s: %s", dataset_path(match->operands[0].file), dataset_path(operand->file),
                    run->name);
    else
        CHECK_ABOUT(units_conversion(reference->units, run->units, &slope, &operand->offset),
                    "%s and %s: %s is in \"%s\" in the first, %s in \"%s\" in the second",
                    dataset_path(match->operands[0].file), dataset_path(operand->file), run->name, run->units,
                    reference->name, reference->units);
    // A whole part of the unit (cm to m) divides: the result is correctly rounded.
    const double parts = round(1 / slope);
    if (fabs(parts) > 1 && fabs(1 / slope - parts) <= 4e-16 * fabs(parts))
        operand->divisor = parts;
    else
        operand->multiplier = slope;
    if (slope != 1 || operand->offset != 0)
        compare_note(remarks->notes, "values of the reference converted from \"%s\" to \"%s\"",
                     reference->units, run->units);
    return STATUS_OK;
}

static enum status read_storage(struct compare_match *match, const struct compare_remarks *remarks)
{
    static const char *const names[COMPARE_OPERANDS] = {"run", "reference"};
    for (int operand = 0; operand < COMPARE_OPERANDS; operand++) {
        struct compare_operand *s = &match->operands[operand];
        enum propagation_quantity unused;
        CHECK(dataset_packing(s->file, s->variable, &s->packing));
        if (propagation_is_noaa(s->variable->base_name, &unused))
            propagation_add_missing(&s->packing, dataset_is_single(s->variable));
        if (s->packing.has_steps)
            compare_note(remarks->notes, "the %s is stored packed, in steps of %g %s", names[operand],
                         fabs(s->packing.scale), s->variable->units);
    }
    const bool is_single[2] = {dataset_is_single(match->operands[0].variable),
                               dataset_is_single(match->operands[1].variable)};
    if (is_single[0] != is_single[1] && !match->operands[0].packing.has_steps &&
        !match->operands[1].packing.has_steps)
        compare_note(remarks->notes, "the %s is stored in single precision, the other not",
                     names[is_single[0] ? 0 : 1]);
    return STATUS_OK;
}

// ---- entries of an axis

// Entry by entry. An operand without the dimension has the one entry that the other operand has.
static enum status match_by_index(struct compare_axis *axis)
{
    const struct compare_axis_operand *operands = axis->operands;
    if (operands[0].length != operands[1].length)
        return FAIL(STATUS_DATA,
                    "%s and %s: %s has %zu entries in the first and %s %zu in the second, and no coordinates "
                    "to match them by",
                    compare_axis_path(axis, 0), compare_axis_path(axis, 1), operands[0].name,
                    operands[0].length, operands[1].name, operands[1].length);
    double *values = NULL;
    size_t length = 0;
    CHECK(compare_axis_reserve(axis, operands[0].length, false));
    if (operands[0].coordinate)
        CHECK(dataset_read_line(operands[0].file, operands[0].coordinate, &values, &length));
    for (size_t k = 0; k < operands[0].length; k++)
        compare_axis_push(axis, k, k, values ? values[k] : NAN);
    if (values)
        snprintf(axis->units, sizeof axis->units, "%s", operands[0].coordinate->units);
    free(values);
    axis->is_by_index = true;
    return STATUS_OK;
}

// Exactly one operand may have no dimension: then the single entry of the other one is taken.
static enum status match_axis(struct compare_axis *axis, const struct compare_request *request,
                              const struct compare_remarks *remarks)
{
    const struct compare_axis_operand *operands = axis->operands;
    const struct dataset_variable *names[COMPARE_OPERANDS] = {NULL, NULL};
    for (int operand = 0; operand < COMPARE_OPERANDS; operand++)
        if (operands[operand].dimension >= 0)
            names[operand] = dataset_labels(operands[operand].file, operands[operand].variable,
                                            operands[operand].dimension);
    if (names[0] && names[1])
        return compare_labels_match(axis, names, request, remarks);
    if (operands[0].coordinate && operands[1].coordinate)
        return compare_coordinates_match(axis, request, remarks);
    const bool is_everywhere = operands[0].dimension >= 0 && operands[1].dimension >= 0;
    const bool is_half = operands[0].coordinate || operands[1].coordinate;
    if (is_everywhere && is_half && !request->takes_index) {
        *remarks->hint = COMPARE_HINT_INDEX;
        const int without = operands[0].coordinate ? 1 : 0;
        return FAIL(STATUS_DATA, "%s: dimension %s has no coordinates to match with %s of %s",
                    compare_axis_path(axis, without), operands[without].name, operands[1 - without].name,
                    compare_axis_path(axis, 1 - without));
    }
    return match_by_index(axis);
}

enum status compare_match_values(struct compare_match *match, const struct compare_remarks *remarks)
{
    CHECK(read_storage(match, remarks));
    return match_units(match, remarks);
}

enum status compare_match(const struct dataset *run_file, const struct dataset_variable *run,
                          const struct dataset *reference_file, const struct dataset_variable *reference,
                          const struct compare_request *request, const struct compare_remarks *remarks,
                          struct compare_match *match)
{
    memset(match, 0, sizeof *match);
    match->operands[COMPARE_RUN] =
        (struct compare_operand){.file = run_file, .variable = run, .multiplier = 1, .divisor = 1};
    match->operands[COMPARE_REFERENCE] = (struct compare_operand){
        .file = reference_file, .variable = reference, .multiplier = 1, .divisor = 1};
    CHECK(compare_match_values(match, remarks));
    CHECK(pair_dimensions(match, remarks));
    for (int k = 0; k < match->rank; k++) {
        match->axes[k].is_time = is_time(&match->axes[k]);
        CHECK(match_axis(&match->axes[k], request, remarks));
    }
    return STATUS_OK;
}

void compare_match_free(struct compare_match *match)
{
    for (int k = 0; k < match->rank; k++)
        compare_axis_free(&match->axes[k]);
    match->rank = 0;
}
