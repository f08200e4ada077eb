// A tsunami job as checked numbers: units converted, files found, defaults filled in. Nothing here is an
// array of the grid.
#ifndef FATHOM_MODELS_TSUNAMI_PARAMS_H
#define FATHOM_MODELS_TSUNAMI_PARAMS_H

#include "io/date.h"
#include "io/grid/grid.h"
#include "io/job/job.h"
#include "io/path.h"
#include "models/tsunami/export/export.h"
#include "models/tsunami/gauges.h"
#include "models/tsunami/product_block.h"
#include "models/tsunami/solver.h"
#include "models/tsunami/source_block.h"

extern const struct job_key_table tsunami_keys;

struct tsunami_params {
    // Domain
    char bathymetry_path[PATH_BYTES];
    struct grid_file *bathymetry;
    struct grid_window_request window_request;
    struct grid_window window;
    enum tsunami_edge edges[TSUNAMI_SIDES];
    // Physics
    struct tsunami_physics physics;
    double gravity_m_s2, earth_radius_m, earth_rotation_rad_s, plane_coriolis_per_s;
    double steepness_limit; // largest √(d_a/d_b) of neighbours; 0 = bathymetry stays as it is
    double wet_depth_m;     // where the shore moves: shallower water counts as dry in the results
    // The run's source: owned by the outermost grid, shared by nested ones.
    struct tsunami_source *source;
    bool owns_source;
    bool is_nested;
    char gauges_path[PATH_BYTES]; // "" if not used
    // Time and outputs
    double duration_s, step_s; // step_s NaN = from the stability limit
    const struct tsunami_backend *backend;
    int device; // "NAME:1" → 1
    enum element precision, output_element;
    double fields_every_s, diagnostics_every_s;
    bool fields[TSUNAMI_FIELD_COUNT];
    double elevation_resolution_m, velocity_resolution_m_s; // of the fields; 0 = not rounded
    size_t fields_stride;
    double fields_x[2], fields_y[2]; // crop; NaN = all
    bool has_maxima, has_deformation;
    bool maxima[TSUNAMI_MAXIMA_COUNT]; // in maxima.nc, if the run has them
    int arrival_count;
    double arrival_m[TSUNAMI_ARRIVALS_MAX];
    bool counts_from_source;  // arrivals and draw-downs; else from still water
    double drawdown_m;        // 0 = not recorded
    struct gauge_list gauges; // those in the window
    struct gauge_search gauge_search;
    bool gauges_interpolate;   // bilinear between wet nodes; else from the nearest
    bool has_inherited_gauges; // the list is the parent's
    double gauges_every_s;
    // Of the outermost grid, for all grids.
    struct tsunami_points points;
    struct tsunami_zones zones;
    int threat_count;
    double threat_m[TSUNAMI_THREATS_MAX]; // ascending
    bool has_travel_time;
    double travel_time_share; // of the largest shift of the surface: where travel times start
    int64_t check_steps;
    double check_tolerance_m;
    char time_origin[DATE_BYTES];   // canonical (io/date.h); "": none
    bool products[TSUNAMI_FORMATS]; // of the run; false in nested grids
    int crs;                        // EPSG code of the grid's coordinates; 0 = not stated
};

// The keys that a nested grid inherits.
extern const struct job_part_rules tsunami_nested_rules;

// Reads and checks everything but the grid's values. `outermost`: of a nested grid, the one whose source it
// shares; else NULL. In any case tsunami_params_free afterwards.
enum status tsunami_params_read(const struct job *job, const struct tsunami_params *outermost,
                                struct tsunami_params *params);
// Warns if the origin that a job or a command gives (`key`) is more than a minute from the time in an
// earthquake's file; "": the file has none.
void tsunami_params_warn_of_origin(const char *key, const char *origin, const char *time, const char *path);
void tsunami_params_free(struct tsunami_params *params);

// "west", "east", "south", "north": as a job names the edges.
extern const char *const tsunami_side_names[TSUNAMI_SIDES];

// κ in η = H sech²(κ x), 1/m.
double tsunami_solitary_decay_per_m(const struct tsunami_solitary *wave);

// STATUS_CONFIGURATION: the wave is too high for its depth.
enum status tsunami_solitary_check(const struct tsunami_solitary *wave);

void tsunami_source_free(struct tsunami_source *source); // NULL: does nothing

// Smallest distance of two neighbouring nodes.
double tsunami_params_spacing_m(const struct tsunami_params *params);

// The unit that the bathymetry's values are read in: the job's, else the file's.
const char *tsunami_params_bathymetry_unit(const struct job *job, const struct tsunami_params *params);

// The method as a job writes it.
const char *tsunami_method_name(enum tsunami_method method);

// The limiter as a job writes it.
const char *tsunami_limiter_name(enum tsunami_limiter limiter);

// A still depth above which a node is wet at rest.
static inline double tsunami_params_dry_depth_m(const struct tsunami_params *params)
{
    return tsunami_method_floods(params->physics.method) ? 0 : params->physics.wall_depth_m;
}

#endif
