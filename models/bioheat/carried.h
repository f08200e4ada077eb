// What a heat run hands on to a run that continues it, besides its cells, so that both are judged as one run
// would be: numbers of state.nc. Independent of files.
#ifndef FATHOM_MODELS_BIOHEAT_CARRIED_H
#define FATHOM_MODELS_BIOHEAT_CARRIED_H

#include "models/bioheat/source/source.h"

struct bioheat_carried {
    struct bioheat_given given; // by the sources of all runs so far
    // [2 axis + side]: of a face that carries heat off, the largest gradient towards it (drained.c)
    double drained_k_m[BIOHEAT_SIDES];
};

// Their variables, in the order of the values. An earlier version wrote none of them.
enum { BIOHEAT_CARRIED_NUMBERS = 2 * BIOHEAT_GIVEN + 3 + BIOHEAT_SIDES };
struct bioheat_carried_text {
    const char *name, *long_name, *units;
    double least, most;
    bool is_whole;
};
extern const struct bioheat_carried_text bioheat_carried_texts[BIOHEAT_CARRIED_NUMBERS];

void bioheat_carried_write(const struct bioheat_carried *carried, double values[BIOHEAT_CARRIED_NUMBERS]);
struct bioheat_carried bioheat_carried_read(const double values[BIOHEAT_CARRIED_NUMBERS]);
// Of two numbers that belong together, but of which only one is 0, the name of the rise; NULL: none.
const char *bioheat_carried_fault(const struct bioheat_carried *carried);

#endif
