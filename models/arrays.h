// Tables of a solver's or a model's arrays on the host, for the memory plan. Independent of models.
#ifndef FATHOM_MODELS_ARRAYS_H
#define FATHOM_MODELS_ARRAYS_H

#include "core/memory_plan.h"

struct array_row {
    enum element element;
    size_t rows, columns; // 0: the array is left out, and its pointer stays as it is
    void *pointer;        // address of the pointer that the plan sets
    const char *name;
};

// Adds the arrays in their order. A name in the plan is `prefix` followed by the row's name.
enum status arrays_plan(struct memory_plan *plan, const char *prefix, const struct array_row *rows,
                        size_t count);
#define ARRAYS_PLAN(plan, prefix, rows) arrays_plan(plan, prefix, rows, sizeof(rows) / sizeof *(rows))

#endif
