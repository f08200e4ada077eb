// Numbers of tissues in an unusual range: a unit that is wrong by a factor makes a brain immune to heat. See
// tissues.h.
#include "models/bioheat/body/tissues_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static double number_of(const struct bioheat_tissue *tissue, int number)
{
    return number == TISSUE_PERFUSION ? tissues_perfusion_rate(tissue)
                                      : *tissues_number((struct bioheat_tissue *)tissue, number);
}

static bool is_unusual(const struct tissue_range *range, double value)
{
    return value < range->least / margin || value > range->most * margin;
}

// How far a number of a job may be from the table's of the same tissue. Perfusion may be none, and grows
// several times with warmth and work.
static double own_factor(int number)
{
    switch (number) {
    case TISSUE_DENSITY:
    case TISSUE_SOUND_SPEED:
        return 1.6;
    case TISSUE_SPECIFIC_HEAT:
    case TISSUE_CONDUCTIVITY:
        return 2.5;
    case TISSUE_ATTENUATION:
        return 4;
    default:
        return 10;
    }
}

// Numbers that are far from those of any tissue are bioheat_tissue_warn's.
void tissues_warn_of_own(const struct job *job, const char *key, const struct bioheat_tissue *tissue,
                         const struct bioheat_tissues *tissues, const char *name)
{
    size_t at = 0;
    while (at < tissues->count && strcmp(tissues->tissues[at].name, name) != 0)
        at++;
    for (size_t k = 0; k < TISSUE_RANGES && at < tissues->count; k++) {
        const struct tissue_range *range = &tissue_ranges[k];
        const double own = number_of(tissue, range->number),
                     usual = number_of(&tissues->tissues[at], range->number),
                     factor = own_factor(range->number);
        const bool is_far = own > 0 && usual > 0 && (own < usual / factor || own > usual * factor);
        if (is_far && !is_unusual(range, own))
            job_warn(job, key,
                     "%s: %s = %.4g %s is %.3g times that of %s in the table, %.4g %s: is its unit right?",
                     tissue->name, range->name, own, range->unit, own / usual, name, usual, range->unit);
    }
}

void bioheat_tissue_warn(const struct job *job, const char *key, const struct bioheat_tissue *tissue)
{
    for (size_t k = 0; k < TISSUE_RANGES; k++) {
        const struct tissue_range *range = &tissue_ranges[k];
        const double value = number_of(tissue, range->number);
        if (!is_unusual(range, value))
            continue;
        job_warn(
            job, key,
            "%s: %s = %.4g %s is far from that of any tissue, %.3g to %.3g %s (IT'IS): is its unit right?",
            tissue->name, range->name, value, range->unit, range->least, range->most, range->unit);
    }
}
