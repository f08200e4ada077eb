// See arrays.h.
#include "models/arrays.h"

enum status arrays_plan(struct memory_plan *plan, const char *prefix, const struct array_row *rows,
                        size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (rows[k].rows * rows[k].columns > 0)
            CHECK(memory_plan_add(plan, MEMORY_HOST, rows[k].element, rows[k].rows, rows[k].columns,
                                  rows[k].pointer, "%s%s", prefix, rows[k].name));
    return STATUS_OK;
}
