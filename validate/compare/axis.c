// Matching the entries of one axis (see axis.h): by names, by number, or else by coordinates
// (nodes.c). Knows nothing of the values along it.
#include "validate/compare/axis.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void compare_note(struct compare_notes *notes, const char *format, ...)
{
    if (notes->count == COMPARE_NOTES_MAX)
        return;
    char *text = notes->texts[notes->count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, COMPARE_NOTE_BYTES, format, arguments);
    va_end(arguments);
    for (int k = 0; k < notes->count; k++)
        if (strcmp(notes->texts[k], text) == 0)
            return;
    notes->count++;
}

static const char *path_of(const struct compare_axis *axis, int side)
{
    return dataset_path(axis->sides[side].file);
}

// ---- pairs

enum status compare_axis_reserve(struct compare_axis *axis, size_t most, bool interpolates)
{
    axis->sides[0].index = calloc(most + 1, sizeof(size_t));
    axis->sides[1].index = calloc(most + 1, sizeof(size_t));
    axis->coordinates = calloc(most + 1, sizeof *axis->coordinates);
    if (interpolates) {
        axis->upper = calloc(most + 1, sizeof *axis->upper);
        axis->weight = calloc(most + 1, sizeof *axis->weight);
    }
    if (!axis->sides[0].index || !axis->sides[1].index || !axis->coordinates ||
        (interpolates && (!axis->upper || !axis->weight)))
        return FAIL(STATUS_SYSTEM, "%s: axis %s: no memory for %zu entries", path_of(axis, 0),
                    axis->sides[0].name, most);
    return STATUS_OK;
}

void compare_axis_push(struct compare_axis *axis, size_t run, size_t reference, double coordinate)
{
    axis->sides[0].index[axis->count] = run;
    axis->sides[1].index[axis->count] = reference;
    axis->coordinates[axis->count++] = coordinate;
}

// ---- without coordinates

static int by_label(const void *a, const void *b, void *context)
{
    char(*labels)[DATASET_TEXT_BYTES] = context;
    return strcmp(labels[*(const size_t *)a], labels[*(const size_t *)b]);
}

static enum status sort_labels(const struct compare_axis *axis, int side, char (*labels)[DATASET_TEXT_BYTES],
                               size_t length, size_t **order)
{
    *order = calloc(length + 1, sizeof **order);
    if (!*order)
        return FAIL(STATUS_SYSTEM, "%s: no memory for %zu names", path_of(axis, side), length);
    for (size_t k = 0; k < length; k++)
        (*order)[k] = k;
    qsort_r(*order, length, sizeof **order, by_label, labels);
    for (size_t k = 1; k < length; k++)
        if (strcmp(labels[(*order)[k - 1]], labels[(*order)[k]]) == 0)
            return FAIL(STATUS_DATA,
                        "%s: entries %zu and %zu of %s are both named \"%.64s\", expected each once",
                        path_of(axis, side), (*order)[k - 1], (*order)[k], axis->sides[side].name,
                        labels[(*order)[k]]);
    return STATUS_OK;
}

static bool find_label(char (*labels)[DATASET_TEXT_BYTES], const size_t *order, size_t length,
                       const char *label, size_t *found)
{
    size_t low = 0, high = length;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int sign = strcmp(labels[order[middle]], label);
        if (sign == 0) {
            *found = order[middle];
            return true;
        }
        if (sign < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

struct labels {
    char (*texts)[DATASET_TEXT_BYTES];
    size_t length;
    size_t *order;
};

static enum status pair_labels(struct compare_axis *axis, const struct labels labels[COMPARE_SIDES],
                               const struct compare_request *request, const struct compare_remarks *remarks)
{
    CHECK(compare_axis_reserve(axis, labels[0].length, false));
    for (int here = 0; here < COMPARE_SIDES; here++) {
        const struct labels *other = &labels[1 - here];
        for (size_t k = 0; k < labels[here].length; k++) {
            size_t found;
            if (find_label(other->texts, other->order, other->length, labels[here].texts[k], &found)) {
                if (here == COMPARE_RUN)
                    compare_axis_push(axis, k, found, NAN);
            } else if (!request->takes_overlap) {
                *remarks->hint = COMPARE_HINT_OVERLAP;
                return FAIL(STATUS_DATA, "%s: %s[%zu] is \"%.64s\", which %s does not have",
                            path_of(axis, here), axis->sides[here].name, k, labels[here].texts[k],
                            path_of(axis, 1 - here));
            }
        }
    }
    if (axis->count == 0)
        return FAIL(STATUS_DATA, "%s and %s: no name of %s in common", path_of(axis, 0), path_of(axis, 1),
                    axis->sides[0].name);
    bool is_same_order = true;
    for (size_t k = 0; k < axis->count; k++)
        is_same_order = is_same_order && axis->sides[1].index[k] == axis->sides[0].index[k];
    if (!is_same_order)
        compare_note(remarks->notes, "axis %s is in another order in the reference: matched by name",
                     axis->sides[0].name);
    return STATUS_OK;
}

static enum status match_labels(struct compare_axis *axis, const struct dataset_variable *const names[2],
                                const struct compare_request *request, const struct compare_remarks *remarks)
{
    struct labels labels[COMPARE_SIDES] = {{0}, {0}};
    enum status status = STATUS_OK;
    for (int side = 0; side < COMPARE_SIDES && status == STATUS_OK; side++) {
        status = dataset_read_labels(axis->sides[side].file, names[side], &labels[side].texts,
                                     &labels[side].length);
        if (status == STATUS_OK)
            status = sort_labels(axis, side, labels[side].texts, labels[side].length, &labels[side].order);
    }
    if (status == STATUS_OK)
        status = pair_labels(axis, labels, request, remarks);
    axis->is_by_label = true;
    axis->labels = labels[COMPARE_RUN].texts;
    free(labels[COMPARE_REFERENCE].texts);
    free(labels[0].order);
    free(labels[1].order);
    free(axis->coordinates); // there are none
    axis->coordinates = NULL;
    return status;
}

// Entry by entry. A side without the dimension has the one entry that the other side has.
static enum status match_by_index(struct compare_axis *axis)
{
    const struct compare_axis_side *sides = axis->sides;
    if (sides[0].length != sides[1].length)
        return FAIL(STATUS_DATA,
                    "%s and %s: %s has %zu entries in the first and %s %zu in the second, and no coordinates "
                    "to match them by",
                    path_of(axis, 0), path_of(axis, 1), sides[0].name, sides[0].length, sides[1].name,
                    sides[1].length);
    double *values = NULL;
    size_t length = 0;
    CHECK(compare_axis_reserve(axis, sides[0].length, false));
    if (sides[0].coordinate)
        CHECK(dataset_read_line(sides[0].file, sides[0].coordinate, &values, &length));
    for (size_t k = 0; k < sides[0].length; k++)
        compare_axis_push(axis, k, k, values ? values[k] : NAN);
    if (values)
        snprintf(axis->units, sizeof axis->units, "%s", sides[0].coordinate->units);
    free(values);
    axis->is_by_index = true;
    return STATUS_OK;
}

enum status compare_axis_match(struct compare_axis *axis, const struct compare_request *request,
                               const struct compare_remarks *remarks)
{
    const struct compare_axis_side *sides = axis->sides;
    const struct dataset_variable *names[COMPARE_SIDES] = {NULL, NULL};
    for (int side = 0; side < COMPARE_SIDES; side++)
        if (sides[side].dimension >= 0)
            names[side] = dataset_labels(sides[side].file, sides[side].variable, sides[side].dimension);
    if (names[0] && names[1])
        return match_labels(axis, names, request, remarks);
    if (sides[0].coordinate && sides[1].coordinate)
        return compare_axis_pair_nodes(axis, request, remarks);
    const bool is_everywhere = sides[0].dimension >= 0 && sides[1].dimension >= 0;
    const bool is_half = sides[0].coordinate || sides[1].coordinate;
    if (is_everywhere && is_half && !request->takes_index) {
        *remarks->hint = COMPARE_HINT_INDEX;
        const int without = sides[0].coordinate ? 1 : 0;
        return FAIL(STATUS_DATA, "%s: dimension %s has no coordinates to match with %s of %s",
                    path_of(axis, without), sides[without].name, sides[1 - without].name,
                    path_of(axis, 1 - without));
    }
    return match_by_index(axis);
}

void compare_axis_free(struct compare_axis *axis)
{
    free(axis->sides[0].index);
    free(axis->sides[1].index);
    free(axis->upper);
    free(axis->weight);
    free(axis->coordinates);
    free(axis->labels);
    axis->sides[0].index = axis->sides[1].index = axis->upper = NULL;
    axis->weight = axis->coordinates = NULL;
    axis->labels = NULL;
}
