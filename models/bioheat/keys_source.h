// The keys of a heat job's sources: lines of the table in keys.c, nothing else.
#ifndef FATHOM_MODELS_BIOHEAT_KEYS_SOURCE_H
#define FATHOM_MODELS_BIOHEAT_KEYS_SOURCE_H

#include "io/job/job.h"

#include <math.h>

#define SOURCE_KEY(name, type, unit, fallback, choices, help)                                                \
    {                                                                                                        \
        "source." name, type, unit, fallback, false, 0, 0, choices, help                                     \
    }
#define SOURCE_TIME(name, fallback, help)                                                                    \
    {                                                                                                        \
        "source." name, JOB_QUANTITY, "s", fallback, false, 0, HUGE_VAL, NULL, help                          \
    }
#define SOURCE_ANY_TIME(name, fallback, help)                                                                \
    {                                                                                                        \
        "source." name, JOB_QUANTITY, "s", fallback, false, -HUGE_VAL, HUGE_VAL, NULL, help                  \
    }

#define SOURCE_OVERRIDE(name)                                                                                \
    SOURCE_KEY(name ".override", JOB_BOOLEAN, NULL, "false", NULL,                                           \
               "true: the file is wrong about its units, and those given here are right")

// The keys of a list of rows over time, for points and for boxes.
#define SOURCE_ROWS(name)                                                                                    \
    SOURCE_KEY(name ".file", JOB_STRING, NULL, NULL, NULL,                                                   \
               "netCDF or HDF5 file; then `at`, `values` and `times` are names of variables in it"),         \
        SOURCE_KEY(name ".values", JOB_ANY, NULL, NULL, NULL,                                                \
                   "matrix [time][place]: a list of rows, or a variable; negative values cool"),             \
        SOURCE_KEY(name ".units", JOB_STRING, NULL, NULL, NULL,                                              \
                   "of the values: W m-3 (power), or J m-3 (energy added per row), or convertible to one "   \
                   "of them; needed where no file says it"),                                                 \
        SOURCE_OVERRIDE(name),                                                                               \
        SOURCE_KEY(name ".rows", JOB_CHOICE, NULL, "times", "times|steps",                                   \
                   "steps: one row a step of the run; times: rows lie at `times`"),                          \
        SOURCE_KEY(name ".times", JOB_ANY, NULL, NULL, NULL,                                                 \
                   "times of the rows from the run's start, [\"0 s\", \"30 s\"], or a variable (or left "    \
                   "out: the coordinate of the matrix' rows); one more than rows: the end of the last"),     \
        SOURCE_KEY(name ".between", JOB_CHOICE, NULL, "stepwise", "stepwise|linear",                         \
                   "between times: a row lasts until the next one's time, or linear"),                       \
        SOURCE_KEY(name ".before_start", JOB_CHOICE, NULL, NULL, "zero|first",                               \
                   "where the run begins before the first time; otherwise an error"),                        \
        SOURCE_KEY(name ".after_end", JOB_CHOICE, NULL, NULL, "zero|last",                                   \
                   "where the run continues after the last time; otherwise an error")

#define BIOHEAT_SOURCE_KEYS                                                                                  \
    SOURCE_KEY("maps", JOB_PARTS, NULL, NULL, "",                                                            \
               "heating fields that keep their shape: {\"NAME\": {file, variable, amplitude}}"),             \
        SOURCE_KEY("maps.NAME.file", JOB_STRING, NULL, NULL, NULL,                                           \
                   "netCDF or HDF5 file with the power density over z, y, x"),                               \
        SOURCE_KEY("maps.NAME.variable", JOB_STRING, NULL, NULL, NULL,                                       \
                   "which variable; may be left out if there is only one field"),                            \
        SOURCE_KEY("maps.NAME.units", JOB_STRING, NULL, NULL, NULL,                                          \
                   "unit of the values where the file does not say: W m-3, W cm-3, ..."),                    \
        SOURCE_OVERRIDE("maps.NAME"),                                                                        \
        SOURCE_KEY("maps.NAME.amplitude", JOB_ANY, NULL, "1", NULL,                                          \
                   "factor: a number, or the name of one of source.protocols or source.tables"),             \
        SOURCE_KEY("protocols", JOB_PARTS, NULL, NULL, "",                                                   \
                   "pulse protocols, by name, averaged exactly into each step"),                             \
        SOURCE_ANY_TIME("protocols.NAME.start", "0 s", "when the first pulse begins"),                       \
        SOURCE_TIME("protocols.NAME.on", NULL, "how long a pulse is on, its ramps included"),                \
        SOURCE_TIME("protocols.NAME.ramp_up", "0 s", "linear rise at the start of each pulse"),              \
        SOURCE_TIME("protocols.NAME.ramp_down", "0 s", "linear fall at the end of each pulse"),              \
        {"source.protocols.NAME.amplitude",                                                                  \
         JOB_NUMBER,                                                                                         \
         NULL,                                                                                               \
         "1",                                                                                                \
         false,                                                                                              \
         -HUGE_VAL,                                                                                          \
         HUGE_VAL,                                                                                           \
         NULL,                                                                                               \
         "value while on"},                                                                                  \
        SOURCE_KEY(                                                                                          \
            "protocols.NAME.levels", JOB_ANY, NULL, NULL, NULL,                                              \
            "what is repeated, innermost first: [{\"name\": \"pulse\", \"period\": \"100 ms\", "             \
            "\"count\": 50}, {\"name\": \"train\", \"period\": \"10 s\", \"count\": 3}]; \"duration\" "      \
            "in place of count: whole periods; left out: one pulse"),                                        \
        SOURCE_KEY("tables", JOB_PARTS, NULL, NULL, "",                                                      \
                   "factors over time, by name: {\"NAME\": {times, values}} or {\"NAME\": {file}}"),         \
        {"source.tables.NAME.times",                                                                         \
         JOB_QUANTITY_LIST,                                                                                  \
         "s",                                                                                                \
         NULL,                                                                                               \
         false,                                                                                              \
         -HUGE_VAL,                                                                                          \
         HUGE_VAL,                                                                                           \
         NULL,                                                                                               \
         "times from the run's start; stepwise: one more than values gives the end of the last"},            \
        SOURCE_KEY("tables.NAME.values", JOB_ANY, NULL, NULL, NULL, "the factors, a list of numbers"),       \
        SOURCE_KEY("tables.NAME.file", JOB_STRING, NULL, NULL, NULL,                                         \
                   "text table (times in column 1, factors in column 2) or netCDF series instead"),          \
        SOURCE_KEY("tables.NAME.variable", JOB_STRING, NULL, NULL, NULL,                                     \
                   "which variable of a netCDF file; may be left out if there is only one series"),          \
        SOURCE_KEY("tables.NAME.time_unit", JOB_STRING, NULL, NULL, NULL,                                    \
                   "unit of the file's times where it does not say it; a text table never does"),            \
        SOURCE_OVERRIDE("tables.NAME"),                                                                      \
        {"source.tables.NAME.skip_lines",       JOB_INTEGER, NULL, "0", false, 0, 1e6, NULL,                 \
         "lines of heading before a text table"},                                                            \
        SOURCE_KEY("tables.NAME.between", JOB_CHOICE, NULL, "linear", "stepwise|linear",                     \
                   "between times: linear, or a value lasts until the next one's time"),                     \
        SOURCE_KEY("tables.NAME.before_start", JOB_CHOICE, NULL, NULL, "zero|first",                         \
                   "where the run begins before the first time; otherwise an error"),                        \
        SOURCE_KEY("tables.NAME.after_end", JOB_CHOICE, NULL, NULL, "zero|last",                             \
                   "where the run continues after the last time; otherwise an error"),                       \
        SOURCE_KEY("points", JOB_OBJECT, NULL, NULL, NULL, "single cells that are heated"),                  \
        SOURCE_KEY(                                                                                          \
            "points.at", JOB_ANY, NULL, NULL, NULL,                                                          \
            "cells [{\"x\": 3, \"y\": 4, \"z\": 5}] or positions [{\"x\": \"3 mm\", ...}]; of a file: a "    \
            "variable [point][3] of cells or, with a unit of length, positions in the order z, y, "          \
            "x, or [point] of addresses (z ny + y) nx + x"),                                                 \
        SOURCE_ROWS("points"),                                                                               \
        SOURCE_KEY("boxes", JOB_OBJECT, NULL, NULL, NULL, "boxes of cells that are heated evenly"),          \
        SOURCE_KEY(                                                                                          \
            "boxes.at", JOB_ANY, NULL, NULL, NULL,                                                           \
            "two corners each, both within: [{\"first\": {\"x\": 3, ...}, \"last\": {...}}], cells or "      \
            "positions; of a file: a variable [box][2][3] in the order z, y, x"),                            \
        SOURCE_ROWS("boxes"),                                                                                \
        {"source.first_index",                                                                               \
         JOB_INTEGER,                                                                                        \
         NULL,                                                                                               \
         "0",                                                                                                \
         false,                                                                                              \
         0,                                                                                                  \
         1,                                                                                                  \
         NULL,                                                                                               \
         "number of the first cell in lists of cells and addresses: 1 where they come from MATLAB"},         \
        SOURCE_KEY("stream", JOB_OBJECT, NULL, NULL, NULL,                                                   \
                   "a field over time, z, y, x, read from its file during the run"),                         \
        SOURCE_KEY("stream.file", JOB_STRING, NULL, NULL, NULL, "netCDF or HDF5 file"),                      \
        SOURCE_KEY("stream.variable", JOB_STRING, NULL, NULL, NULL,                                          \
                   "which variable; may be left out if there is only one field over time"),                  \
        SOURCE_KEY("stream.units", JOB_STRING, NULL, NULL, NULL,                                             \
                   "unit of the values where the file does not say: W m-3, or J m-3 (energy added per "      \
                   "record)"),                                                                               \
        SOURCE_KEY("stream.rows", JOB_CHOICE, NULL, "times", "times|steps",                                  \
                   "steps: one record a step of the run; times: records lie at the file's times"),           \
        SOURCE_KEY("stream.times", JOB_STRING, NULL, NULL, NULL,                                             \
                   "variable of the times, where it is not the coordinate; one more than records: the end "  \
                   "of the last"),                                                                           \
        SOURCE_KEY("stream.time_unit", JOB_STRING, NULL, NULL, NULL,                                         \
                   "unit of the times where the file does not say it"),                                      \
        SOURCE_OVERRIDE("stream"),                                                                           \
        SOURCE_ANY_TIME("stream.start", "0 s", "when, in the run, the file's time 0 is"),                    \
        SOURCE_KEY("stream.between", JOB_CHOICE, NULL, "linear", "stepwise|linear",                          \
                   "between times: linear, or a record lasts until the next one's time"),                    \
        SOURCE_KEY("stream.before_start", JOB_CHOICE, NULL, NULL, "zero|first",                              \
                   "where the run begins before the first time; otherwise an error"),                        \
        SOURCE_KEY("stream.after_end", JOB_CHOICE, NULL, NULL, "zero|last",                                  \
                   "where the run continues after the last time; otherwise an error"),                       \
        {"source.stream.amplitude", JOB_NUMBER, NULL, "1", false, -HUGE_VAL, HUGE_VAL, NULL,                 \
         "constant factor"},                                                                                 \
    {                                                                                                        \
        "source.stream.in_memory", JOB_BOOLEAN, NULL, "false", false, 0, 0, NULL,                            \
            "hold all of it in memory, read before the first step"                                           \
    }

#endif
