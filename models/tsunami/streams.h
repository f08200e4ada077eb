// What the results of a run and of a combination of unit sources (forecast/) have in common: their variables,
// axes and gauges as core/stream.h describes them. Independent of file formats and of the state.
#ifndef FATHOM_MODELS_TSUNAMI_STREAMS_H
#define FATHOM_MODELS_TSUNAMI_STREAMS_H

#include "core/stream.h"
#include "models/tsunami/state.h"

// A map's variable, over axes 0 and 1 with missing values.
struct stream_variable tsunami_stream_field(enum tsunami_field field, bool is_geographic);

// Axes 0 and 1: rows and columns.
void tsunami_stream_axes(struct stream *stream, bool is_geographic, const double *x, size_t nx,
                         const double *y, size_t ny);

// The axis of stations with their names, and those constants that are not NULL: position of the gauge,
// position of its node (each x, y), distance from gauge to node, still depth at the node.
enum { TSUNAMI_GAUGE_CONSTANTS = 6 };
void tsunami_stream_stations(struct stream *stream, bool is_geographic, size_t count,
                             const char *const *names, double *const constants[TSUNAMI_GAUGE_CONSTANTS]);
const char *tsunami_gauge_constant_name(int constant, bool is_geographic);

// Stores a value in a record's precision.
static inline void tsunami_stream_store(void *record, enum element element, size_t index, double value)
{
    if (element == ELEMENT_F32)
        ((float *)record)[index] = (float)value;
    else
        ((double *)record)[index] = value;
}

#endif
