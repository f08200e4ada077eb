// Thermal dose of given temperatures: cumulative equivalent minutes at 43 °C, CEM43 = ∫ R^(43 − T) dt, R =
// 0.25 below 43 °C and 0.5 above: Sapareto, S. A. & Dewey, W. C., Int. J. Radiat. Oncol. Biol. Phys. 10,
// 787–800 (1984). Pure functions, independent of solvers.
#ifndef FATHOM_VALIDATE_CLOSED_HEAT_DOSE_H
#define FATHOM_VALIDATE_CLOSED_HEAT_DOSE_H

#include <stdbool.h>

// PLAIN: no cut-off. KWAVE: no dose below 37 °C. ISO: no dose below 39 °C; R stays 0.5 after 43 °C was
// reached; infinite above 57 °C.
enum heat_dose_definition { HEAT_DOSE_PLAIN, HEAT_DOSE_KWAVE, HEAT_DOSE_ISO };

// Equivalent minutes per minute at temperature T.
double heat_dose_rate(enum heat_dose_definition definition, double T_c, bool has_passed_43);

// Exact equivalent minutes of a linear ramp from one temperature to another in `duration_s`, up, down or
// constant. has_passed_43: 43 °C was reached before the ramp.
double heat_dose_ramp_min(enum heat_dose_definition definition, double from_c, double to_c, double duration_s,
                          bool has_passed_43);

#endif
