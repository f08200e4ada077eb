// Shared by models/bioheat/tissue*.c alone: see tissues.h.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_TISSUES_PRIVATE_H
#define FATHOM_MODELS_BIOHEAT_BODY_TISSUES_PRIVATE_H

#include "models/bioheat/body/tissues.h"

#include <stddef.h>

// The numbers of a tissue, but for its perfusion, which comes in several kinds.
enum {
    TISSUE_DENSITY,
    TISSUE_SPECIFIC_HEAT,
    TISSUE_CONDUCTIVITY,
    TISSUE_SOUND_SPEED,
    TISSUE_ATTENUATION,
    TISSUE_EXPONENT,
    TISSUE_SAFETY_DOSE,
    TISSUE_NUMBERS
};
struct tissue_number {
    const char *name, *unit; // unit NULL: not one of udunits2's
    size_t at;               // in struct bioheat_tissue
    int hotter; // the sign of the change that makes tissue hotter under a given pressure; 0: none
    double least, most;
};
extern const struct tissue_number tissue_numbers[TISSUE_NUMBERS];
double *tissues_number(struct bioheat_tissue *tissue, int k);

// tissue_ranges.c: the usual range of a number.
enum { TISSUE_PERFUSION = TISSUE_NUMBERS, TISSUE_RANGES = 6 };
struct tissue_range {
    int number; // of the list above, or TISSUE_PERFUSION
    const char *name;
    double least, most;
    const char *unit;
};
extern const struct tissue_range tissue_ranges[TISSUE_RANGES];
// Of blood a second and volume of tissue (1/s).
double tissues_perfusion_rate(const struct bioheat_tissue *tissue);

// Warns where a job's own numbers of a tissue of the table are far from the table's.
void tissues_warn_of_own(const struct job *job, const char *key, const struct bioheat_tissue *tissue,
                         const struct bioheat_tissues *tissues, const char *name);

struct bioheat_tissues {
    char *path;
    size_t count;
    struct bioheat_tissue *tissues;
    struct bioheat_tissue *low, *high; // ends of published ranges; NaN: none
};

// tissue_sets.c. Ranges: a value outside its own is refused (STATUS_DATA).
enum status tissues_check_ranges(const struct bioheat_tissue *tissue, const struct bioheat_tissue *low,
                                 const struct bioheat_tissue *high);
// Applies the factors of tissues.scale, which bioheat_tissues_choose has checked.
void tissues_scale(const struct job *job, struct bioheat_tissue *tissue);

#endif
