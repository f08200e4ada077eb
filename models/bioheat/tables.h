// What a heat run's tables hold: the tissues at the beginning and the end of each exposure, and the volumes
// of the tissues by what they got over the whole run. An exposure lasts from the start of a train of pulses
// (source.h) to the start of the next, or to the run's end. Independent of files.
#ifndef FATHOM_MODELS_BIOHEAT_TABLES_H
#define FATHOM_MODELS_BIOHEAT_TABLES_H

#include "models/bioheat/source/source.h"

#include <math.h>
#include <stdint.h>

enum { BIOHEAT_EXPOSURES_MAX = 1000 };

// The tissue of a label at one moment: the largest over its cells of the temperature, of the largest
// temperature so far, and of each dose. NaN: not recorded.
struct bioheat_mark {
    double largest_c, so_far_c, dose_min, second_min;
};

// One tissue in one exposure. The peak is over every step if the largest temperature so far grew in it, else
// the larger of those at its beginning, at the end of its train and at its end.
struct bioheat_marked {
    double before_c, peak_c, after_c;
    double dose_min, second_min; // gained by the largest dose of the tissue
};

// Infinite if the dose is at the end, also where it was at the beginning.
static inline double bioheat_dose_gained_min(double before_min, double after_min)
{
    return isinf(after_min) ? INFINITY : after_min - before_min;
}

// Marks 2k, 2k + 1: beginning of exposure k, end of its train; the last: end of the run.
struct bioheat_marks {
    int exposures; // of the table; 0: none is wanted
    int64_t first; // exposures before them, which end before the run starts
    int64_t taken; // in the checkpoint
    struct bioheat_trains trains;
    struct bioheat_mark *values; // [mark][slot], owned: run.json needs it after the arrays of the plan
};

// ---- volumes

// Cumulative: the volume with a value of at least a threshold. Temperatures from 37 to 100 °C in steps of
// 0.5 K; doses from 1e-3 to 1e6 CEM43, ten a decade.
enum { HISTOGRAM_TEMPERATURES = 127, HISTOGRAM_DOSES = 91, HISTOGRAM_KINDS = 3 };
enum histogram_kind { HISTOGRAM_TEMPERATURE, HISTOGRAM_DOSE, HISTOGRAM_SECOND_DOSE };

// Levels of the volumes: 43 °C, 50 °C, 240 CEM43 of either dose.
enum bioheat_level { LEVEL_43_C, LEVEL_50_C, LEVEL_DOSE, LEVEL_SECOND_DOSE, LEVELS };

struct bioheat_volumes {
    // Owned, NULL: none. [slot][threshold]: first the cells whose value lies between this threshold and
    // the next, in the end those with at least the threshold.
    uint64_t *cells[HISTOGRAM_KINDS];
    double thresholds[HISTOGRAM_KINDS][HISTOGRAM_TEMPERATURES]; // °C, min
    uint64_t all[LEVELS], target[LEVELS], target_cells;
    double target_largest[HISTOGRAM_KINDS]; // °C, min, within the target; NaN: not kept
};

#endif
