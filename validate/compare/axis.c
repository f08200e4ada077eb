// Pairs of entries of one axis (see the header).
#include "validate/compare/axis.h"

#include <stdlib.h>

enum status compare_axis_reserve(struct compare_axis *axis, size_t most, bool interpolates)
{
    axis->operands[0].index = calloc(most + 1, sizeof(size_t));
    axis->operands[1].index = calloc(most + 1, sizeof(size_t));
    axis->coordinates = calloc(most + 1, sizeof *axis->coordinates);
    if (interpolates) {
        axis->upper = calloc(most + 1, sizeof *axis->upper);
        axis->weight = calloc(most + 1, sizeof *axis->weight);
    }
    if (!axis->operands[0].index || !axis->operands[1].index || !axis->coordinates ||
        (interpolates && (!axis->upper || !axis->weight)))
        return FAIL(STATUS_SYSTEM, "%s: axis %s: not enough memory for %zu entries",
                    compare_axis_path(axis, 0), axis->operands[0].name, most);
    return STATUS_OK;
}

void compare_axis_push(struct compare_axis *axis, size_t run, size_t reference, double coordinate)
{
    axis->operands[0].index[axis->count] = run;
    axis->operands[1].index[axis->count] = reference;
    axis->coordinates[axis->count++] = coordinate;
}

const char *compare_axis_path(const struct compare_axis *axis, int operand)
{
    return dataset_path(axis->operands[operand].file);
}

void compare_axis_free(struct compare_axis *axis)
{
    free(axis->operands[0].index);
    free(axis->operands[1].index);
    free(axis->upper);
    free(axis->weight);
    free(axis->coordinates);
    free(axis->labels);
    axis->operands[0].index = axis->operands[1].index = axis->upper = NULL;
    axis->weight = axis->coordinates = NULL;
    axis->labels = NULL;
}
