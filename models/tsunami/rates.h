// What a machine is assumed to compute, for the estimates of `fathom plan` and the choices of `fathom
// forecast`. Pure functions.
#ifndef FATHOM_MODELS_TSUNAMI_RATES_H
#define FATHOM_MODELS_TSUNAMI_RATES_H

#include <stdbool.h>

// Of any GPU: nodes times steps per second, from docs/performance.md with a margin.
static const double tsunami_rate_device = 1e10;

// Of the host with so many threads, by the method's name; is_reference: by the reference back end.
double tsunami_rate_host(const char *method, bool is_reference, int threads);

#endif
