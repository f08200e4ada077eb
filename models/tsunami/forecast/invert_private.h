// Shared by the parts of an inversion. Internal to models/tsunami/forecast/invert*.c.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_INVERT_PRIVATE_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_INVERT_PRIVATE_H

#include "models/tsunami/forecast/invert.h"

enum { INVERT_SHIFT_ROUNDS_MAX = 200 };

// Whether a time after the event lies in the station's window.
static inline bool invert_is_within(const struct invert_fit *fit, double time_s)
{
    return time_s >= fit->begin_s && time_s <= fit->end_s;
}

// Returns the sum of the sources at a time after the event, delayed by the shift; NaN if one of them has
// ended.
double invert_sum_at(const struct invert_request *request, const struct invert_station *station,
                     const double *slips_m, double shift_s, double time_s);

// Sets the shift of each station with a bound, within the bound, so that the sum of the sources fits best,
// and counts it in result->shift_rounds. False: no shift changed by more than 0.1 s, or none is fitted.
bool invert_find_shifts(const struct invert_request *request, struct invert_result *result);

#endif
