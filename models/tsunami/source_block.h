// The block `source` of a job as checked numbers: faults, displacements, the water's state at the start, and
// waves given at the edges. Belongs to the outermost grid of a run; nested grids share it. Data only.
#ifndef FATHOM_MODELS_TSUNAMI_SOURCE_BLOCK_H
#define FATHOM_MODELS_TSUNAMI_SOURCE_BLOCK_H

#include "io/formats/propagation_file.h"
#include "io/formats/series.h"
#include "io/grid/grid.h"
#include "io/path.h"
#include "models/tsunami/earthquake/faults.h"
#include "models/tsunami/earthquake/plane.h"
#include "models/tsunami/earthquake/random_slip.h"
#include "models/tsunami/earthquake/recognise.h"
#include "models/tsunami/state.h"

struct cJSON;

// What comes in at one edge of the outermost grid: its elevation, and the velocity across it if that is given
// too.
struct tsunami_wave {
    char path[PATH_BYTES];
    struct series *series; // NULL: nothing is given at this edge
    double start_s;        // model time of the series' time 0
    bool has_velocity;     // the series' second values: m/s, positive east or north
    bool keeps_discharge;  // velocity times depth holds
    bool is_travelling; // the velocity is that of a wave that travels in, u = 2(√(g(d + η)) − √(g d))
};

// Waves over time, latitude and longitude that come in at all open edges of the outermost grid.
struct tsunami_field_wave {
    char path[PATH_BYTES];
    struct propagation_file *files[PROPAGATION_QUANTITIES]; // owned; NULL: no field is given
    double start_s;                                         // model time of the times' 0
    double turn_deg;                                        // added to the grid's longitudes: the field's
};

// η = H sech²(κ(x − x_crest)); κ = √(3H/4d³) (Boussinesq 1872; Goring 1978, Synolakis 1987) or, of the wave
// of permanent form of Serre's equations (Serre 1953), √(3H/(4d²(d + H))).
struct tsunami_solitary {
    bool is_given;
    double height_m, crest_m;
    double depth_m; // that it travels on; NaN until the bathymetry is known, if not in the job
    enum tsunami_side toward;
    bool is_serre;
    bool is_exact; // u = c η/(d + η), c = √(g(d + H)), in place of √(g/d) η
};

// An earthquake as one plane (source.earthquake), and where its numbers come from.
struct tsunami_earthquake {
    bool is_given;
    char path[PATH_BYTES]; // of the tensor's file; "" without one
    enum earthquake_format format;
    bool has_event; // a moment tensor, from the file or from the job
    struct earthquake_event event;
    int chosen;       // of event.solution.planes
    bool is_centroid; // the point; else it is the hypocentre
    struct earthquake_point point;
    enum earthquake_relation relation;
    double rigidity_pa;
    struct earthquake_plane plane;
    bool has_random_slip;
    enum random_slip_scaling scaling; // of its correlation lengths, as far as they are not given
    struct random_slip random;
    size_t faults; // of the plane: 1, or its patches
};

// A finite fault that source.faults names.
struct tsunami_rupture {
    bool is_given; // else source.faults is a fault table, or is missing
    enum earthquake_format format;
    size_t segments;
    double moment_n_m; // NaN: the file states none
    double moved_down_m;
    char title[EARTHQUAKE_NAME_BYTES];
    char time[32]; // origin, UTC; "": not in the file
};

struct tsunami_source {
    struct fault_table faults;
    struct tsunami_earthquake earthquake;
    struct tsunami_rupture rupture;
    size_t rupture_faults;                     // of source.faults: the first ones of the table
    double fault_extent_m;                     // 0 = everywhere
    bool has_slope_term;                       // horizontal displacement × slope
    bool filters_faults, filters_displacement; // Kajiura's filter (source_filter.c)
    struct grid_file *displacement;
    double displacement_start_s, displacement_rise_s;
    const char *initial_variables[TSUNAMI_FIELDS]; // η, u, v; NULL = 0
    struct grid_file *initial[TSUNAMI_FIELDS];
    bool initial_floods_land;
    struct tsunami_solitary solitary;
    struct tsunami_wave waves[TSUNAMI_SIDES];
    struct tsunami_field_wave field;
    char faults_path[PATH_BYTES], sift_path[PATH_BYTES], displacement_path[PATH_BYTES],
        initial_path[PATH_BYTES]; // "" if not used
    struct cJSON *sift_slips;     // owned: slip in m of each unit source by name, for the report; or NULL
};

// Whether waves come in at edges.
static inline bool tsunami_source_has_edges(const struct tsunami_source *source)
{
    bool has_edges = source->field.files[0] != NULL;
    for (int side = 0; side < TSUNAMI_SIDES; side++)
        has_edges |= source->waves[side].series != NULL;
    return has_edges;
}

#endif
