// Thermal dose of temperatures that are known (see heat_dose.h).
#include "validate/closed/heat_dose.h"

#include <math.h>

static double least_c(enum heat_dose_definition definition)
{
    static const double least[] = {-INFINITY, 37, 39};
    return least[definition];
}

double heat_dose_rate(enum heat_dose_definition definition, double T_c, bool has_passed_43)
{
    if (T_c < least_c(definition))
        return 0;
    if (definition == HEAT_DOSE_ISO && T_c > 57)
        return INFINITY;
    const bool is_halving = T_c >= 43 || (definition == HEAT_DOSE_ISO && has_passed_43);
    return pow(is_halving ? 0.5 : 0.25, 43 - T_c);
}

// Equivalent minutes per minute, averaged over the temperatures low … high on one branch: ∫ R^(43 − T)
// dT/(high − low), with ∫ 2^{b(T − 43)} dT = 2^{b(T − 43)}/(b ln 2).
static double mean_rate(double low_c, double high_c, double branch)
{
    const double ln2 = 0.69314718055994530942, span = branch * ln2 * (high_c - low_c);
    return exp2(branch * (low_c - 43)) * (span > 0 ? expm1(span) / span : 1);
}

double heat_dose_ramp_min(enum heat_dose_definition definition, double from_c, double to_c, double duration_s,
                          bool has_passed_43)
{
    const double low = fmin(from_c, to_c), high = fmax(from_c, to_c), begin = fmax(low, least_c(definition));
    if (high < begin)
        return 0;
    if (definition == HEAT_DOSE_ISO && high > 57)
        return INFINITY;
    // Below 43 °C on the way down the memory is already set by the ramp itself.
    const bool remembers = definition == HEAT_DOSE_ISO && (has_passed_43 || from_c >= 43);
    const double middle = fmin(fmax(43, begin), high);
    if (high == low)
        return duration_s / 60 * heat_dose_rate(definition, low, has_passed_43);
    const double minutes_per_k = duration_s / 60 / (high - low);
    return minutes_per_k * ((middle - begin) * mean_rate(begin, middle, remembers ? 1 : 2) +
                            (high - middle) * mean_rate(middle, high, 1));
}
