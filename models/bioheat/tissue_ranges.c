// Numbers of tissues in an unusual range: a unit that is wrong by a factor makes a brain immune to heat. See
// tissues.h.
#include "models/bioheat/tissues_private.h"

#include <math.h>
#include <stdio.h>

// The least and the largest of all tissues of data/tissues.json but air (tests/io/test_tissue_ranges.c), in
// SI units. 0: no least.
const struct tissue_range tissue_ranges[TISSUE_RANGES] = {
    {TISSUE_DENSITY, "density", 911, 1908, "kg m-3"},
    {TISSUE_SPECIFIC_HEAT, "specific_heat", 1313, 4178, "J kg-1 K-1"},
    {TISSUE_CONDUCTIVITY, "conductivity", 0.21, 0.6, "W m-1 K-1"},
    {TISSUE_SOUND_SPEED, "sound_speed", 1440.2, 2813.7, "m s-1"},
    {TISSUE_ATTENUATION, "attenuation", 0.0249830482597859, 54.553, "Np m-1 at 1 MHz"},
    {TISSUE_PERFUSION, "perfusion", 0, 0.0154656666666667, "s-1"},
};

// Beyond the range by this factor a number is unusual.
static const double margin = 10;

// Blood, for perfusions in other kinds than 1/s; its exact numbers do not matter here.
static const double blood_kg_m3 = 1050, blood_j_kg_k = 3617;

double tissues_perfusion_rate(const struct bioheat_tissue *tissue)
{
    for (int k = 0; k < BIOHEAT_PERFUSION_KINDS; k++)
        if (!isnan(tissue->perfusion[k]))
            return bioheat_perfusion_heat((enum bioheat_perfusion_kind)k, tissue->perfusion[k],
                                          tissue->density_kg_m3, blood_kg_m3, blood_j_kg_k) /
                   (blood_kg_m3 * blood_j_kg_k);
    return NAN;
}

void bioheat_tissue_warn(const struct job *job, const char *key, const struct bioheat_tissue *tissue)
{
    for (size_t k = 0; k < TISSUE_RANGES; k++) {
        const struct tissue_range *range = &tissue_ranges[k];
        const double value = range->number == TISSUE_PERFUSION
                                 ? tissues_perfusion_rate(tissue)
                                 : *tissues_number((struct bioheat_tissue *)tissue, range->number);
        if (!(value < range->least / margin) && !(value > range->most * margin))
            continue;
        job_warn(
            job, key,
            "%s: %s = %.4g %s is far from that of any tissue, %.3g to %.3g %s (IT'IS): is its unit right?",
            tissue->name, range->name, value, range->unit, range->least, range->most, range->unit);
    }
}
