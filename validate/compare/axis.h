// One axis of a comparison: the pairs of entries of the run and of the reference that belong together. They
// are matched by coordinates (coordinates.h), by names (labels.h) or by index (match.c).
#ifndef FATHOM_VALIDATE_COMPARE_AXIS_H
#define FATHOM_VALIDATE_COMPARE_AXIS_H

#include "core/status.h"
#include "io/netcdf/dataset.h"

#include <stdbool.h>
#include <stddef.h>

enum { COMPARE_RUN, COMPARE_REFERENCE, COMPARE_OPERANDS, COMPARE_AXES_MAX = 2 * DATASET_RANK_MAX };

struct compare_axis_operand {
    const struct dataset *file;
    const struct dataset_variable *variable;   // whose axis it is
    int dimension;                             // of the variable; −1: it has none here
    size_t length;                             // 1 without a dimension
    const struct dataset_variable *coordinate; // or NULL
    char name[DATASET_NAME_BYTES];             // for messages: the coordinate's, or the dimension's
    size_t *index;                             // [count]: entries, of pair k; all 0 without a dimension
};

struct compare_axis {
    struct compare_axis_operand operands[COMPARE_OPERANDS];
    size_t count; // pairs
    // Times between which the run is interpolated: entries index[k] and upper[k], the latter with weight[k].
    // NULL without interpolation.
    size_t *upper;
    double *weight;
    bool is_time;
    bool is_by_label, is_by_index; // how they were matched; neither: by coordinates
    double *coordinates;           // [count], the run's units; the reference's times if interpolated; or NULL
    char units[DATASET_TEXT_BYTES];     // of the coordinates
    char (*labels)[DATASET_TEXT_BYTES]; // [run's length], or NULL
};

// Allocates memory for `most` pairs and one more. STATUS_SYSTEM.
enum status compare_axis_reserve(struct compare_axis *axis, size_t most, bool interpolates);
void compare_axis_push(struct compare_axis *axis, size_t run, size_t reference, double coordinate);
void compare_axis_free(struct compare_axis *axis);

// The path of the file of one operand, for messages.
const char *compare_axis_path(const struct compare_axis *axis, int operand);

#endif
