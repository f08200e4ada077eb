// Shorthand for tables of job keys (io/job/job.h), one a kind of key: path, default as the file would have it
// (NULL: none), limits, help. Included by a model's keys*.c alone.
#ifndef FATHOM_MODELS_KEYS_H
#define FATHOM_MODELS_KEYS_H

#include "io/job/job.h"

#define BLOCK(path, help)                                                                                    \
    {                                                                                                        \
        path, JOB_OBJECT, NULL, NULL, false, 0, 0, NULL, help                                                \
    }
#define REQUIRED_BLOCK(path, help)                                                                           \
    {                                                                                                        \
        path, JOB_OBJECT, NULL, NULL, true, 0, 0, NULL, help                                                 \
    }
#define TEXT(path, default, help)                                                                            \
    {                                                                                                        \
        path, JOB_STRING, NULL, default, false, 0, 0, NULL, help                                             \
    }
#define FLAG(path, default, help)                                                                            \
    {                                                                                                        \
        path, JOB_BOOLEAN, NULL, default, false, 0, 0, NULL, help                                            \
    }
// Without a default it is required.
#define CHOICE(path, default, choices, help)                                                                 \
    {                                                                                                        \
        path, JOB_CHOICE, NULL, default, (default) == NULL, 0, 0, choices, help                              \
    }
#define NUMBER(path, default, low, high, help)                                                               \
    {                                                                                                        \
        path, JOB_NUMBER, NULL, default, false, low, high, NULL, help                                        \
    }
#define REQUIRED(path, low, high, help)                                                                      \
    {                                                                                                        \
        path, JOB_NUMBER, NULL, NULL, true, low, high, NULL, help                                            \
    }
#define WHOLE(path, default, low, high, help)                                                                \
    {                                                                                                        \
        path, JOB_INTEGER, NULL, default, false, low, high, NULL, help                                       \
    }
#define REQUIRED_WHOLE(path, low, high, help)                                                                \
    {                                                                                                        \
        path, JOB_INTEGER, NULL, NULL, true, low, high, NULL, help                                           \
    }
#define VALUE(path, help)                                                                                    \
    {                                                                                                        \
        path, JOB_ANY, NULL, NULL, false, 0, 0, NULL, help                                                   \
    }
#define ABSENT(path, help)                                                                                   \
    {                                                                                                        \
        path, JOB_ABSENT, NULL, NULL, false, 0, 0, NULL, help                                                \
    }

#endif
