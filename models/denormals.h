// A wave's forerunners, and temperatures that approach a face's or the arterial one, decay through the
// denormal numbers, on which some processors are a hundred times slower: they are flushed to zero inside the
// parallel region, and only there.
#ifndef FATHOM_MODELS_DENORMALS_H
#define FATHOM_MODELS_DENORMALS_H

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

// Returns what denormals_restore takes.
static inline unsigned denormals_flush(void)
{
#if defined(__SSE2__)
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u);
    return before;
#else
    return 0;
#endif
}

static inline void denormals_restore(unsigned before)
{
#if defined(__SSE2__)
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

#endif
