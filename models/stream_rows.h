// Shorthand for the tables of a stream's variables and axes (core/stream.h) in reduced units, whose numbers
// have no unit. Independent of models.
#ifndef FATHOM_MODELS_STREAM_ROWS_H
#define FATHOM_MODELS_STREAM_ROWS_H

#include "core/stream.h"

// STREAM_NUMBER: one number per record. STREAM_LINE: a row of numbers along an axis. Further members may
// follow.
#define STREAM_NUMBER(text, about, ...)                                                                      \
    {                                                                                                        \
        .name = text, .long_name = about, .units = "1", __VA_ARGS__                                          \
    }
#define STREAM_LINE(text, about, along, ...)                                                                 \
    {                                                                                                        \
        .name = text, .long_name = about, .units = "1", .rank = 1, .axes = {along}, __VA_ARGS__              \
    }
#define STREAM_AXIS(text, about, count)                                                                      \
    {                                                                                                        \
        .name = text, .long_name = about, .units = "1", .length = count                                      \
    }

// Copies a table of variables into the description.
#define STREAM_SET_VARIABLES(stream, table)                                                                  \
    ((stream)->variable_count = sizeof(table) / sizeof *(table),                                             \
     memcpy((stream)->variables, table, sizeof(table)))

#endif
