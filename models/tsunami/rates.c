// Assumed speeds: see rates.h.
#include "models/tsunami/rates.h"

#include <stddef.h>
#include <string.h>

// Nodes times steps per second of one core, with maxima and arrivals (an AMD EPYC with AVX2, 2026-11: the
// Pacific at 8 arc-minutes); "": of the methods whose shore moves.
static const struct {
    const char *method;
    double rate_per_core;
} methods[] = {{"c-grid-6", 35e6}, {"vtcs2-o2", 73e6}, {"vtcs2", 73e6}, {"", 12e6}};
static const double reference_rate = 2e6;

double tsunami_rate_host(const char *method, bool is_reference, int threads)
{
    size_t k = 0;
    while (methods[k].method[0] && strcmp(methods[k].method, method) != 0)
        k++;
    return is_reference ? reference_rate : methods[k].rate_per_core * (threads > 0 ? threads : 1);
}
