// A loop over independent items by a team of threads. A single thread runs it without a parallel region:
// GNU's OpenMP allocates a team of one at every region, and nothing may allocate after the seal.
#ifndef FATHOM_MODELS_TEAM_H
#define FATHOM_MODELS_TEAM_H

#include <stddef.h>

static inline void team_for(int threads, size_t count, void (*body)(void *context, size_t item),
                            void *context)
{
    if (threads == 1 || count == 1) {
        for (size_t item = 0; item < count; item++)
            body(context, item);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t item = 0; item < count; item++)
        body(context, item);
}

#endif
