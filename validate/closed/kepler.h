// The two-body problem in units in which G and the total mass are 1: position and velocity of one body
// relative to the other. Murray, C. D. & Dermott, S. F. (1999), Solar System Dynamics, sections 2.3
// and 2.4. Pure functions, independent of solvers.
#ifndef FATHOM_VALIDATE_CLOSED_KEPLER_H
#define FATHOM_VALIDATE_CLOSED_KEPLER_H

// The orbit lies in the plane z = 0, its pericentre on +x; 0 ≤ eccentricity < 1.
struct kepler_orbit {
    double semi_major_axis, eccentricity;
};

double kepler_period(const struct kepler_orbit *orbit);
// The eccentric anomaly E of Kepler's equation M = E − e sin E.
double kepler_eccentric_anomaly(double mean_anomaly, double eccentricity);
// `time` since the pericentre.
void kepler_state(const struct kepler_orbit *orbit, double time, double position[3], double velocity[3]);

#endif
