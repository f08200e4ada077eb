// Macros for the rows of tables of job keys (io/job/job.h), one for each kind of key. Their arguments are the
// path, the default as written in a job (NULL: none), limits, and the help. Included only by the keys*.c of
// models.
#ifndef FATHOM_MODELS_KEYS_H
#define FATHOM_MODELS_KEYS_H

#include "io/job/job.h"

// path, type, unit, default, required, minimum, maximum, choices, help
#define JOB_KEY(...)                                                                                         \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define BLOCK(path, help)          JOB_KEY(path, JOB_OBJECT, NULL, NULL, false, 0, 0, NULL, help)
#define REQUIRED_BLOCK(path, help) JOB_KEY(path, JOB_OBJECT, NULL, NULL, true, 0, 0, NULL, help)
#define PARTS(path, keys, help)    JOB_KEY(path, JOB_PARTS, NULL, NULL, false, 0, 0, keys, help)
#define TEXT(path, default, help)  JOB_KEY(path, JOB_STRING, NULL, default, false, 0, 0, NULL, help)
#define REQUIRED_TEXT(path, help)  JOB_KEY(path, JOB_STRING, NULL, NULL, true, 0, 0, NULL, help)
#define FLAG(path, default, help)  JOB_KEY(path, JOB_BOOLEAN, NULL, default, false, 0, 0, NULL, help)
// Required if `default` is NULL.
#define CHOICE(path, default, choices, help)                                                                 \
    JOB_KEY(path, JOB_CHOICE, NULL, default, (default) == NULL, 0, 0, choices, help)
#define OPTIONAL_CHOICE(path, choices, help) JOB_KEY(path, JOB_CHOICE, NULL, NULL, false, 0, 0, choices, help)
#define NUMBER(path, default, low, high, help)                                                               \
    JOB_KEY(path, JOB_NUMBER, NULL, default, false, low, high, NULL, help)
#define REQUIRED(path, low, high, help) JOB_KEY(path, JOB_NUMBER, NULL, NULL, true, low, high, NULL, help)
#define WHOLE(path, default, low, high, help)                                                                \
    JOB_KEY(path, JOB_INTEGER, NULL, default, false, low, high, NULL, help)
#define REQUIRED_WHOLE(path, low, high, help)                                                                \
    JOB_KEY(path, JOB_INTEGER, NULL, NULL, true, low, high, NULL, help)
#define QUANTITY(path, unit, default, low, high, help)                                                       \
    JOB_KEY(path, JOB_QUANTITY, unit, default, false, low, high, NULL, help)
// The difference of two quantities.
#define DIFFERENCE(path, unit, low, high, help)                                                              \
    JOB_KEY(path, JOB_DIFFERENCE, unit, NULL, false, low, high, NULL, help)
// A list of quantities.
#define QUANTITIES(path, unit, low, high, help)                                                              \
    JOB_KEY(path, JOB_QUANTITY_LIST, unit, NULL, false, low, high, NULL, help)
#define VALUE(path, help) JOB_KEY(path, JOB_ANY, NULL, NULL, false, 0, 0, NULL, help)
// A value of these forms (io/job/job.h, JOB_ANY).
#define FORMS(path, forms, help) JOB_KEY(path, JOB_ANY, NULL, NULL, false, 0, 0, forms, help)
#define ABSENT(path, help)       JOB_KEY(path, JOB_ABSENT, NULL, NULL, false, 0, 0, NULL, help)

// Replaces the shared key, which is a choice, because other back ends may be registered, and "cuda:1" names a
// device.
#define BACKEND_KEY                                                                                          \
    TEXT("backend", "auto",                                                                                  \
         "what computes: reference (slow, plain, the specification), openmp (all cores), cuda (NVIDIA GPU; " \
         "cuda:1 is the second); auto takes the fastest that this build and this machine have and that the " \
         "run fits on")
// The key `override` of a block with a file.
#define OVERRIDE(path)                                                                                       \
    FLAG(path ".override", "false", "true: the file is wrong about its units, and those given here are right")

#endif
