// What source.pressure applies during the strongest pulse: amplitudes and intensities in situ, by tissue; and
// whether they are those of ultrasound in tissue at all. See source.h.
#include "models/bioheat/source/private.h"

#include "core/log.h"

#include <math.h>
#include <string.h>

// Beyond these an amplitude is hardly one of ultrasound in tissue: a file in MPa that was read as Pa, or a
// wrong factor. Imaging applies some MPa, histotripsy up to 30 MPa of negative pressure for microseconds.
static const double least_usual_pa = 1e3, most_usual_pa = 2e7, most_pa = 1e9;

void source_sound_settle(struct source_map *map)
{
    map->pressure->largest_factor = fmax(0, source_time_largest(map->amplitude));
    map->pressure->duty_cycle = source_time_duty(map->amplitude);
}

bool bioheat_heating_sound(const struct bioheat_heating *heating, struct bioheat_sound *sound)
{
    const struct source_map *last = heating->map_count > 0 ? &heating->maps[heating->map_count - 1] : NULL;
    const struct source_pressure *p = last ? last->pressure : NULL;
    *sound = (struct bioheat_sound){.frequency_hz = NAN};
    if (!p)
        return false;
    const double factor = p->factor * sqrt(p->largest_factor);
    sound->frequency_hz = p->frequency_hz;
    sound->duty_cycle = p->duty_cycle;
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        if (!(p->impedance[label] > 0))
            continue;
        const double amplitude_pa = factor * p->peak_pa[label];
        sound->amplitude_pa[label] = amplitude_pa;
        sound->intensity_w_m2[label] = amplitude_pa * amplitude_pa / (2 * p->impedance[label]);
        bioheat_cell_at(heating->grid, p->peak_cell[label], sound->cell[label]);
    }
    return true;
}

enum status source_sound_check(const struct job *job, const struct source_map *map)
{
    const struct source_pressure *p = map->pressure;
    double largest_pa = 0;
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        largest_pa = fmax(largest_pa, p->factor * sqrt(p->largest_factor) * p->peak_pa[label]);
    if (largest_pa > most_pa)
        return job_fail(job, p->scaled_to[0] ? "source.pressure.scale_to" : "source.pressure.amplitude",
                        "the largest amplitude in tissue becomes %.3g GPa: expected at most 1 GPa",
                        1e-9 * largest_pa);
    if (largest_pa > 0 && (largest_pa < least_usual_pa || largest_pa > most_usual_pa))
        log_warning(
            "%s: the largest amplitude in tissue is %.3g MPa (%.3g Pa), beyond the usual %g kPa to %g "
            "MPa: are the units of %s %s? (source.pressure.units)",
            map->where, 1e-6 * largest_pa, largest_pa, 1e-3 * least_usual_pa, 1e-6 * most_usual_pa, map->path,
            p->to_pa == 1 ? "Pa" : "right");
    return STATUS_OK;
}
