// What a run's faults are, in numbers for people: magnitude, size, slip, largest uplift; for the plan,
// run.json and `fathom info`. Before the run. Independent of the state.
#ifndef FATHOM_MODELS_TSUNAMI_SOURCE_SHAPE_H
#define FATHOM_MODELS_TSUNAMI_SOURCE_SHAPE_H

#include "models/tsunami/earthquake/faults.h"
#include "models/tsunami/earthquake/recognise.h"

struct cJSON;

struct source_shape {
    size_t faults;                                   // that slip
    double largest_slip_m, mean_slip_m;              // the mean weighted by area
    double west_deg, east_deg, south_deg, north_deg; // of their edges; or x and y in m
    double shallowest_m, deepest_m;                  // of their edges
    double area_m2;
    double last_s; // when the last fault stops moving
    // Of the bottom, from Okada's formula at the places of a raster over the faults, and round the best of
    // them.
    double largest_uplift_m, largest_subsidence_m;
};

// is_whole: with the uplifts, which take some 0.1 s. earth_radius_m: of geographic tables.
struct source_shape source_shape_of(const struct fault_table *table, double earth_radius_m, bool is_whole);

// About the width of the faults' area: their area over the diagonal of their box, m.
double source_shape_across_m(const struct source_shape *shape, bool is_geographic, double earth_radius_m);

// Of fewer nodes across a source the grid has too little uplift, and its waves are too low.
enum { SOURCE_SHAPE_NODES_LEAST = 5 };

// The faults as fault tables (faults.h) that a job can take over, one for each reference, in a list; at most
// 20 000 faults.
struct cJSON *source_shape_tables(const struct fault_table *table);

// Both nodal planes, with the chosen one's number (−1: none is chosen), moment and magnitude; tensor and
// places.
void source_shape_add_event(struct cJSON *report, const struct earthquake_event *event, int chosen);

#endif
