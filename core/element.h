// The element types that arrays, streams and checkpoints are made of.
#ifndef FATHOM_CORE_ELEMENT_H
#define FATHOM_CORE_ELEMENT_H

#include <stddef.h>

enum element { ELEMENT_F32, ELEMENT_F64, ELEMENT_I32, ELEMENT_I64, ELEMENT_U8 };

static inline size_t element_bytes(enum element element)
{
    switch (element) {
    case ELEMENT_F32:
    case ELEMENT_I32:
        return 4;
    case ELEMENT_F64:
    case ELEMENT_I64:
        return 8;
    case ELEMENT_U8:
        return 1;
    }
    return 0;
}

// Element `index` of an array of ELEMENT_F32 or ELEMENT_F64.
static inline double element_get(enum element element, const void *array, size_t index)
{
    return element == ELEMENT_F32 ? (double)((const float *)array)[index] : ((const double *)array)[index];
}

static inline void element_set(enum element element, void *array, size_t index, double value)
{
    if (element == ELEMENT_F32)
        ((float *)array)[index] = (float)value;
    else
        ((double *)array)[index] = value;
}

// The float next to x. Not by the two conversions alone: where it makes a vector of two neighbours, GCC 12
// (-O3, x86-64) leaves both out.
static inline double element_rounded_to_single(double x)
{
    volatile float single = (float)x;
    return (double)single;
}

static inline const char *element_name(enum element element)
{
    static const char *const names[] = {"float32", "float64", "int32", "int64", "uint8"};
    return names[element];
}

#endif
