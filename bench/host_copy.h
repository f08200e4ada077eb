// How fast this machine's memory copies, for the benchmarks of all models.
#ifndef FATHOM_BENCH_HOST_COPY_H
#define FATHOM_BENCH_HOST_COPY_H

#include "core/status.h"

enum { HOST_COPY_REPEAT_MAX = 101 };

// A plain copy by all threads of an array well beyond the caches: bytes read plus bytes written, per second;
// the median of `repeat` (1 … HOST_COPY_REPEAT_MAX).
enum status host_copy_rate(int repeat, double *bytes_per_s);

#endif
