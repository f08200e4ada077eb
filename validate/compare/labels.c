// Entries of one axis by their names (see the header).
#include "validate/compare/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_label(const void *a, const void *b, void *context)
{
    char(*labels)[DATASET_TEXT_BYTES] = context;
    return strcmp(labels[*(const size_t *)a], labels[*(const size_t *)b]);
}

static enum status sort_labels(const struct compare_axis *axis, int operand,
                               char (*labels)[DATASET_TEXT_BYTES], size_t length, size_t **order)
{
    *order = calloc(length + 1, sizeof **order);
    if (!*order)
        return FAIL(STATUS_SYSTEM, "%s: not enough memory for %zu names", compare_axis_path(axis, operand),
                    length);
    for (size_t k = 0; k < length; k++)
        (*order)[k] = k;
    qsort_r(*order, length, sizeof **order, by_label, labels);
    for (size_t k = 1; k < length; k++)
        if (strcmp(labels[(*order)[k - 1]], labels[(*order)[k]]) == 0)
            return FAIL(STATUS_DATA,
                        "%s: entries %zu and %zu of %s are both named \"%.64s\", expected each once",
                        compare_axis_path(axis, operand), (*order)[k - 1], (*order)[k],
                        axis->operands[operand].name, labels[(*order)[k]]);
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

static enum status pair_labels(struct compare_axis *axis, const struct labels labels[COMPARE_OPERANDS],
                               const struct compare_request *request, const struct compare_remarks *remarks)
{
    CHECK(compare_axis_reserve(axis, labels[0].length, false));
    for (int here = 0; here < COMPARE_OPERANDS; here++) {
        const struct labels *other = &labels[1 - here];
        for (size_t k = 0; k < labels[here].length; k++) {
            size_t found;
            if (find_label(other->texts, other->order, other->length, labels[here].texts[k], &found)) {
                if (here == COMPARE_RUN)
                    compare_axis_push(axis, k, found, NAN);
            } else if (!request->takes_overlap) {
                *remarks->hint = COMPARE_HINT_OVERLAP;
                return FAIL(STATUS_DATA, "%s: %s[%zu] is \"%.64s\", which %s does not have",
                            compare_axis_path(axis, here), axis->operands[here].name, k,
                            labels[here].texts[k], compare_axis_path(axis, 1 - here));
            }
        }
    }
    if (axis->count == 0)
        return FAIL(STATUS_DATA, "%s and %s: no name of %s in common", compare_axis_path(axis, 0),
                    compare_axis_path(axis, 1), axis->operands[0].name);
    bool is_same_order = true;
    for (size_t k = 0; k < axis->count; k++)
        is_same_order = is_same_order && axis->operands[1].index[k] == axis->operands[0].index[k];
    if (!is_same_order)
        compare_note(remarks->notes, "axis %s is in another order in the reference: matched by name",
                     axis->operands[0].name);
    return STATUS_OK;
}

enum status compare_labels_match(struct compare_axis *axis, const struct dataset_variable *const names[2],
                                 const struct compare_request *request, const struct compare_remarks *remarks)
{
    struct labels labels[COMPARE_OPERANDS] = {{0}, {0}};
    enum status status = STATUS_OK;
    for (int operand = 0; operand < COMPARE_OPERANDS && status == STATUS_OK; operand++) {
        status = dataset_read_labels(axis->operands[operand].file, names[operand], &labels[operand].texts,
                                     &labels[operand].length);
        if (status == STATUS_OK)
            status = sort_labels(axis, operand, labels[operand].texts, labels[operand].length,
                                 &labels[operand].order);
    }
    if (status == STATUS_OK)
        status = pair_labels(axis, labels, request, remarks);
    axis->is_by_label = true;
    axis->labels = labels[COMPARE_RUN].texts;
    free(labels[COMPARE_REFERENCE].texts);
    free(labels[0].order);
    free(labels[1].order);
    free(axis->coordinates); // labels have no coordinates
    axis->coordinates = NULL;
    return status;
}
