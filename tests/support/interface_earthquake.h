// What a job asks of an earthquake on the interface of plates, by magnitude, hypocentre and mechanism alone.
#ifndef FATHOM_TESTS_SUPPORT_INTERFACE_EARTHQUAKE_H
#define FATHOM_TESTS_SUPPORT_INTERFACE_EARTHQUAKE_H

#include "models/tsunami/earthquake/plane.h"

#include <math.h>

// Sized by Strasser et al. (2010); degrees and metres.
static inline struct earthquake_request interface_earthquake(double magnitude, double longitude_deg,
                                                             double latitude_deg, double depth_m,
                                                             struct earthquake_mechanism mechanism)
{
    return (struct earthquake_request){.moment_n_m = earthquake_moment_n_m(magnitude),
                                       .longitude_deg = longitude_deg,
                                       .latitude_deg = latitude_deg,
                                       .depth_m = depth_m,
                                       .along_strike = 0.5,
                                       .down_dip = 0.5,
                                       .mechanism = mechanism,
                                       .relation = EARTHQUAKE_STRASSER_INTERFACE,
                                       .aspect = 2,
                                       .rigidity_pa = 4e10,
                                       .length_m = NAN,
                                       .width_m = NAN,
                                       .slip_m = NAN,
                                       .earth_radius_m = 6371e3};
}

#endif
