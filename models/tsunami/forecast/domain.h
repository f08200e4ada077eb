// The part of the Earth that a forecast computes: the box around a source, its places and the ways of the
// waves to them. Pure functions. Independent of files, grids and jobs. The rules: docs/event-forecast.md.
#ifndef FATHOM_MODELS_TSUNAMI_FORECAST_DOMAIN_H
#define FATHOM_MODELS_TSUNAMI_FORECAST_DOMAIN_H

#include <stdbool.h>
#include <stddef.h>

struct forecast_place {
    double longitude_deg, latitude_deg; // in any convention
};

// No domain that is chosen goes farther.
static const double forecast_farthest_north_deg = 85;

// Longitudes are continuous: east ≥ west, at most 360 more.
struct forecast_box {
    double west_deg, east_deg, south_deg, north_deg;
};

struct forecast_domain {
    struct forecast_box box;
    bool is_globe;     // once round the Earth: east = west + 360
    double farthest_m; // along the great circle from the source's middle
    size_t farthest;   // which place it is
    const char *ocean; // whose box was added; NULL: none
};

static const double forecast_earth_radius_m = 6371e3;

// Great-circle distance (haversine formula), m.
double forecast_distance_m(const struct forecast_place *a, const struct forecast_place *b);

// The box of the source, the places and the great circles from the source's middle to each, with a margin of
// a tenth of the longest way, 3 to 5 degrees; for a way of more than 5000 km with the whole box of the ocean
// that most of the places and the source lie in. Latitudes beyond 75 degrees only as far as places need them.
// Whole degrees, outward. count ≥ 1.
void forecast_domain_of(const struct forecast_box *source, const struct forecast_place *places, size_t count,
                        struct forecast_domain *domain);

// Whether a place lies in a box, in any convention of longitudes.
bool forecast_box_has(const struct forecast_box *box, double longitude_deg, double latitude_deg);

// Cuts a box to the extent of a file, whose longitudes may differ by whole turns; wraps: the file goes round
// the Earth. False: they have nothing in common.
bool forecast_box_clip(struct forecast_box *box, const struct forecast_box *extent, bool wraps);

// ---- spacing and duration

struct forecast_work {
    struct forecast_box box;
    double file_spacing_deg; // of the bathymetry
    // Largest c √(1/a² + 1/b²) in the sea with a, b the nodes' distances per degree of spacing: a step is at
    // most `courant` times the spacing over it.
    double rate_deg_per_s, courant;
    double duration_s;
    double node_steps_per_s; // what the machine does
    double within_s;         // time to take
};

struct forecast_spacing {
    double arcmin;
    double nodes, steps, estimate_s;
    bool is_files; // it is about as fine as the file: a finer one would show nothing more
    bool is_late;  // even the coarsest takes longer
};

// The finest spacing of a list, 0.25 to 20 arc-minutes, not finer than two thirds of the file's, whose steps
// take no longer than the time given.
struct forecast_spacing forecast_spacing_of(const struct forecast_work *work);
// The same numbers of a spacing that is given.
struct forecast_spacing forecast_spacing_given(const struct forecast_work *work, double arcmin);

// Hours of the run: the last arrival and `after` hours of waves, rounded up to half an hour; at most two
// days.
double forecast_duration_h(double last_arrival_s, double after_h);

#endif
