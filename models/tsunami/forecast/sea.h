// A coarse map of the sea, for the choices of a forecast before its run: how fast waves are, where the source
// and the places lie, and when the first wave comes to them. Reads the bathymetry, before any seal.
// Independent of jobs.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_SEA_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_SEA_H

#include "core/status.h"
#include "io/grid/grid.h"
#include "models/tsunami/forecast/domain.h"

struct forecast_sea {
    struct forecast_box box;
    bool is_globe;
    struct grid_window window;
    double *depth_m; // [ny][nx], positive down
    float *time_s;   // [ny][nx], INFINITY where no wave comes; after forecast_sea_march
    double spacing_deg, file_spacing_deg;
    // Largest √(g d) √(1/a² + 1/b²), a and b a degree's length in longitude and latitude: 1/s times a degree.
    double rate_deg_per_s;
    double wall_depth_m; // shallower is land
};

// The file's part in the box, at most some 120 000 nodes. forecast_sea_free in any case. STATUS_CONFIGURATION
// as grid_window_resolve, STATUS_SYSTEM; what reading returns.
enum status forecast_sea_read(struct grid_file *file, const struct forecast_box *box, bool is_globe,
                              double wall_depth_m, struct forecast_sea *sea);
void forecast_sea_free(struct forecast_sea *sea);

// Travel times of long waves from the sea over the source. Where the map is too coarse to have sea there,
// from what lies within a quarter of a degree of it, or a half, up to one; *starts: from how many nodes of
// the sea; 0: there are none.
enum status forecast_sea_march(struct forecast_sea *sea, const struct forecast_box *source, size_t *starts);

// When the first wave comes to a place: at the nearest node with a time, up to a degree away. NaN: never.
double forecast_sea_time_s(const struct forecast_sea *sea, const struct forecast_place *place);

// Whether the map has sea and land within a degree of a place.
bool forecast_sea_has_coast(const struct forecast_sea *sea, const struct forecast_place *place);

#endif
