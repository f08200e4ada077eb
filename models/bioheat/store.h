// A value into a record of either precision.
#ifndef FATHOM_MODELS_BIOHEAT_STORE_H
#define FATHOM_MODELS_BIOHEAT_STORE_H

#include "core/element.h"

#include <stddef.h>

static inline void bioheat_store(void *record, enum element element, size_t index, double value)
{
    if (element == ELEMENT_F32)
        ((float *)record)[index] = (float)value;
    else
        ((double *)record)[index] = value;
}

#endif
