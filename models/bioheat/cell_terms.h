// A cell's terms of the diagnostics' sums, for the host and for devices, so that both give the same bits.
#ifndef FATHOM_MODELS_BIOHEAT_CELL_TERMS_H
#define FATHOM_MODELS_BIOHEAT_CELL_TERMS_H

#include "models/bioheat/results.h"

// Threshold of the hot volume, °C.
#define BIOHEAT_HOT_C 43.0

// Of TISSUE alone: HELD and VOID cells count in no sum.
struct bioheat_cell_terms {
    double heat_j, hot_m3, lesion_m3;
};

// `dose_min` as reported; NaN without a dose.
static FATHOM_HOST_DEVICE struct bioheat_cell_terms bioheat_terms_of_cell(double theta_k,
                                                                          double heat_capacity_j_m3_k,
                                                                          double volume_m3,
                                                                          double reference_c, double dose_min,
                                                                          double lesion_dose_min)
{
    struct bioheat_cell_terms terms;
    terms.heat_j = heat_capacity_j_m3_k * theta_k * volume_m3;
    terms.hot_m3 = bioheat_temperature_c(theta_k, reference_c) > BIOHEAT_HOT_C ? volume_m3 : 0.0;
    terms.lesion_m3 = dose_min >= lesion_dose_min ? volume_m3 : 0.0; // false for NaN
    return terms;
}

#endif
