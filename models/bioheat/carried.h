// What a heat run hands on to a run that continues it, besides its cells, so that both are judged as one run
// would be: numbers of state.nc. Independent of files.
#ifndef FATHOM_MODELS_BIOHEAT_CARRIED_H
#define FATHOM_MODELS_BIOHEAT_CARRIED_H

#include "models/bioheat/source/source.h"

// Of heat that faces carry off (drained.c). [2 axis + side]: the largest gradient of temperature beyond the
// face that takes it, and the least conductivity of a cell at the border over that of the one inside it, 1 at
// most; of all tissue the largest diffusivity and the least rate of perfusion.
struct bioheat_drained {
    double gradient_k_m[BIOHEAT_SIDES], ratio[BIOHEAT_SIDES], diffusivity_m2_s, perfusion_per_s;
};

struct bioheat_carried {
    struct bioheat_given given; // by the sources of all runs so far
    struct bioheat_drained drained;
};

// Their variables, in the order of the values. Earlier versions wrote none of them, or not the last.
enum { BIOHEAT_CARRIED_NUMBERS = 2 * BIOHEAT_GIVEN + 3 + 2 * BIOHEAT_SIDES + 3 };
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
