// The rungs of tsunami on the processor: MOST's program, alone and with its lines shared among threads.
#include "bench/ladder/tsunami/rung.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#define BOTH_PRECISIONS "bench/ladder/tsunami/node.inc"
#include "models/tsunami/both_precisions.inc"

#define BOTH_PRECISIONS "bench/ladder/tsunami/lines.inc"
#include "models/tsunami/both_precisions.inc"

struct processor_sea {
    enum element precision;
    int threads;
    void *sea; // struct sea_f or sea_d
};

static enum status open_sea(const struct ladder_case *wanted, const struct tsunami_ladder_ocean *ocean,
                            bool has_threads, void **state)
{
    struct processor_sea *const p = calloc(1, sizeof *p);
    if (!p)
        return FAIL(STATUS_SYSTEM, "no memory for a rung");
    *state = p;
    p->precision = wanted->precision;
    p->threads = !has_threads ? 1 : wanted->threads > 0 ? wanted->threads : omp_get_max_threads();
    p->sea = p->precision == ELEMENT_F32 ? open_f(ocean, p->threads) : open_d(ocean, p->threads);
    return p->sea ? STATUS_OK
                  : FAIL(STATUS_SYSTEM, "no memory for a rung of %zu x %zu nodes", ocean->nx, ocean->ny);
}

static void destroy(void *state)
{
    struct processor_sea *const p = state;
    if (p->sea && p->precision == ELEMENT_F32)
        destroy_f(p->sea);
    else if (p->sea)
        destroy_d(p->sea);
    free(p);
}

static void make_steps(const struct processor_sea *p, int count, double *seconds)
{
    if (p->precision == ELEMENT_F32)
        steps_f(p->sea, count, seconds);
    else
        steps_d(p->sea, count, seconds);
}

static enum status step(void *state, int count)
{
    make_steps(state, count, NULL);
    return STATUS_OK;
}

static enum status time_stages(void *state, int count, double seconds[LADDER_STAGES_MAX])
{
    const struct processor_sea *const p = state;
    for (int k = 0; k < TSUNAMI_LADDER_STAGES; k++)
        seconds[k] = 0;
    make_steps(p, count, seconds);
    for (int k = 0; k < TSUNAMI_LADDER_STAGES; k++)
        seconds[k] /= p->threads;
    return STATUS_OK;
}

static enum status read(void *state, double *values)
{
    const struct processor_sea *const p = state;
    if (p->precision == ELEMENT_F32)
        read_f(p->sea, values);
    else
        read_d(p->sea, values);
    return STATUS_OK;
}

static enum status open_serial(const struct ladder_case *wanted, const struct tsunami_ladder_ocean *ocean,
                               void **state)
{
    return open_sea(wanted, ocean, false, state);
}

static enum status open_openmp(const struct ladder_case *wanted, const struct tsunami_ladder_ocean *ocean,
                               void **state)
{
    return open_sea(wanted, ocean, true, state);
}

static enum status create_serial(const struct ladder_case *wanted, void **state)
{
    return tsunami_ladder_create(&tsunami_rung_serial, wanted, state);
}

static enum status create_openmp(const struct ladder_case *wanted, void **state)
{
    return tsunami_ladder_create(&tsunami_rung_openmp, wanted, state);
}

#define PROCESSOR_RUNG(which, text, threads)                                                                 \
    const struct tsunami_rung tsunami_rung_##which = {.head = {.name = #which,                               \
                                                               .summary = text,                              \
                                                               .differs = tsunami_ladder_differs,            \
                                                               .has_threads = threads,                       \
                                                               .precisions = LADDER_SINGLE | LADDER_DOUBLE,  \
                                                               .create = create_##which,                     \
                                                               .step = step,                                 \
                                                               .read = read,                                 \
                                                               .destroy = destroy,                           \
                                                               .stages = tsunami_ladder_stages,              \
                                                               .time_stages = time_stages},                  \
                                                      .open = open_##which}

PROCESSOR_RUNG(serial, "MOST's program: lines one after the other", false);
PROCESSOR_RUNG(openmp, "lines shared among threads", true);
