// Compares a result with a reference: variable by variable, value by value. Knows no model.
#ifndef FATHOM_VALIDATE_COMPARE_H
#define FATHOM_VALIDATE_COMPARE_H

#include "core/statistics.h"
#include "core/status.h"

#include <stddef.h>

enum { COMPARE_PLACE_BYTES = 96 };

struct comparison {
    struct difference difference; // result less reference, in the variable's units
    size_t shape[4];              // of the variable
    int rank;
    char units[80];
};

// Compares one variable of two netCDF files, read in slices along its first dimension. STATUS_DATA when the
// variable is not in both, or has another shape, other units or other coordinates (time, position) there,
// naming both files.
enum status compare_variable(const char *result_path, const char *reference_path, const char *variable,
                             struct comparison *comparison);

// "(12, 340, 77)": where in the variable a linear index lies.
const char *compare_place(const struct comparison *comparison, uint64_t index,
                          char text[COMPARE_PLACE_BYTES]);

#endif
