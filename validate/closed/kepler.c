// Kepler's orbit (see kepler.h).
#include "validate/closed/kepler.h"

#include <math.h>

static const double two_pi = 6.28318530717958647693;

double kepler_period(const struct kepler_orbit *orbit)
{
    return two_pi * pow(orbit->semi_major_axis, 1.5);
}

// By Newton's method, from where it cannot miss (Danby 1987): at most 0.85 e from M, on the far side of the
// root.
double kepler_eccentric_anomaly(double mean_anomaly, double eccentricity)
{
    const double e = eccentricity, mean = remainder(mean_anomaly, two_pi);
    double anomaly = mean + copysign(0.85 * e, mean);
    for (int k = 0; k < 60; k++)
        anomaly -= (anomaly - e * sin(anomaly) - mean) / (1 - e * cos(anomaly));
    return anomaly + (mean_anomaly - mean);
}

void kepler_state(const struct kepler_orbit *orbit, double time, double position[3], double velocity[3])
{
    const double a = orbit->semi_major_axis, e = orbit->eccentricity, side = sqrt(1 - e * e);
    const double motion = pow(a, -1.5), anomaly = kepler_eccentric_anomaly(motion * time, e);
    const double rate = a * motion / (1 - e * cos(anomaly));
    position[0] = a * (cos(anomaly) - e);
    position[1] = a * side * sin(anomaly);
    velocity[0] = -rate * sin(anomaly);
    velocity[1] = rate * side * cos(anomaly);
    position[2] = velocity[2] = 0;
}
