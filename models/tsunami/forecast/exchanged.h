// Longitudes and latitudes that look exchanged, or have a wrong sign: towns that lie inland or in the open
// sea, and an epicentre far from all of them. Reads the bathymetry, before any seal. Independent of jobs.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_EXCHANGED_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_EXCHANGED_H

#include "models/tsunami/forecast/sea.h"

// Whether fewer than half of the places lie at a coast (sea and land within a degree) as they are, and at
// least three quarters would with longitude and latitude exchanged. Of open waters and inland places neither
// holds. sea: of the places as they are. The statuses of reading the file.
enum status forecast_exchanged_places(struct grid_file *file, const struct forecast_sea *sea,
                                      const struct forecast_place *places, size_t count, bool *is_exchanged);

// The distance (m) to the nearest of count ≥ 1 places.
double forecast_nearest_m(const struct forecast_place *from, const struct forecast_place *places,
                          size_t count);

// The place that an epicentre far from all places (2000 km) may stand for: with longitude and latitude
// exchanged, or another sign, it lies near one of them (500 km). *way: "exchanged", "another sign". False:
// none.
bool forecast_exchanged_epicentre(const struct forecast_place *epicentre, const struct forecast_place *places,
                                  size_t count, struct forecast_place *meant, const char **way);

#endif
