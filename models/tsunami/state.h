// The data of the tsunami's kernels: the grid's geometry and the pitched arrays of one level. Shared by every
// back end: the model fills it in, and the back ends read it. Independent of jobs, of files and of the memory
// plan.
#ifndef FATHOM_MODELS_TSUNAMI_STATE_H
#define FATHOM_MODELS_TSUNAMI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Halo around the interior: one row above and below; TSUNAMI_HALO_COLUMNS to the left, so that column 0 is on
// a 64-byte boundary in single precision, and at least as many to the right.
enum { TSUNAMI_HALO_ROWS = 1, TSUNAMI_HALO_COLUMNS = 16 };

// vtcs2, vtcs2-o2: propagation; every coast is a reflecting wall. c-grid-6: the same, on a staggered grid and
// of higher order. With a moving shoreline, for run-up: muscl-hancock: finite volumes; vtcs2-shore: VTCS-2
// with the moving shoreline of MOST, for comparison with MOST.
enum tsunami_method {
    TSUNAMI_VTCS2,
    TSUNAMI_VTCS2_O2,
    TSUNAMI_MUSCL_HANCOCK,
    TSUNAMI_VTCS2_SHORE,
    TSUNAMI_C_GRID_6,
    TSUNAMI_METHODS // their number
};
// How `muscl-hancock` limits the slopes in its cells (docs/runup.md, Limiters). THIRD_ORDER: a slope of the
// third order towards each face, limited where the flow is not smooth.
enum tsunami_limiter { TSUNAMI_VAN_LEER, TSUNAMI_MC, TSUNAMI_THIRD_ORDER };
// GIVEN: elevation and velocity are prescribed (struct tsunami_given_edge), by a parent grid or by a wave
// that the job gives.
enum tsunami_edge { TSUNAMI_EDGE_OPEN, TSUNAMI_EDGE_WALL, TSUNAMI_EDGE_PERIODIC, TSUNAMI_EDGE_GIVEN };
enum tsunami_side { TSUNAMI_WEST, TSUNAMI_EAST, TSUNAMI_SOUTH, TSUNAMI_NORTH, TSUNAMI_SIDES };

// Of the hazard rating h(v + 0.5 m/s).
#define TSUNAMI_HAZARD_SPEED_M_S 0.5

enum { TSUNAMI_ARRIVALS_MAX = 8, TSUNAMI_FIELDS = 3 };

// The variables of maps, and the numbers of one record of diagnostics.
// The variables of maxima.nc, in its order.
enum tsunami_maxima {
    TSUNAMI_MAXIMA_DEPTH,
    TSUNAMI_MAX_ETA,
    TSUNAMI_TIME_OF_MAX,
    TSUNAMI_MAX_SPEED,
    TSUNAMI_MAX_FLUX,
    TSUNAMI_MAX_DEPTH,
    TSUNAMI_HAZARD_RATING,
    TSUNAMI_INUNDATION,
    TSUNAMI_FIRST_DRAWDOWN,
    TSUNAMI_ARRIVAL,
    TSUNAMI_MAXIMA_COUNT
};

enum tsunami_field { TSUNAMI_ETA, TSUNAMI_U, TSUNAMI_V, TSUNAMI_SPEED, TSUNAMI_FLUX, TSUNAMI_FIELD_COUNT };
enum { TSUNAMI_DIAGNOSTICS = 6 };

// Nodes of the field frames: first, count, stride of columns and rows.
struct tsunami_crop {
    size_t first_column, columns, first_row, rows, stride;
};

// Rows first … end − 1 of a grid.
struct tsunami_rows {
    size_t first, end;
};

// Geometry of the whole level. Index 0 is the interior's first column or row. Arrays have one more entry on
// each side (−1 and n): a pointer points to the second element of its storage.
struct tsunami_geometry {
    bool is_spherical;
    size_t nx, ny;
    size_t pitch; // elements from row to row of every pitched array
    enum tsunami_edge edges[TSUNAMI_SIDES];
    const double *x, *y;        // node coordinates: degrees, or m on a plane
    const double *x_distance_m; // [-1 … nx-1]: distance from node i to i+1 (on the sphere: at the equator)
    const double *y_distance_m; // [-1 … ny-1]: from node j to j+1
    const double *cos_latitude; // [-1 … ny], 1 on a plane
    const double *tan_over_radius; // [-1 … ny] tan φ / R (1/m), 0 on a plane
    const double *coriolis_per_s;  // [-1 … ny] f = 2Ω sin φ, 0 if switched off
    double gravity_m_s2;
    struct tsunami_rows own; // of a grid that is divided among ranks: this rank's; both 0: all
};

// The rows of this rank. Indices are those of the whole grid everywhere.
static inline struct tsunami_rows tsunami_own(const struct tsunami_geometry *g)
{
    const struct tsunami_rows all = {0, g->ny};
    return g->own.end > 0 ? g->own : all;
}

// The same and `beyond` rows of its neighbours, within the grid.
static inline struct tsunami_rows tsunami_near(const struct tsunami_geometry *g, size_t beyond)
{
    const struct tsunami_rows own = tsunami_own(g);
    const struct tsunami_rows near = {own.first > beyond ? own.first - beyond : 0,
                                      own.end + beyond < g->ny ? own.end + beyond : g->ny};
    return near;
}

static inline bool tsunami_has_row(struct tsunami_rows rows, size_t row)
{
    return row >= rows.first && row < rows.end;
}

struct tsunami_physics {
    enum tsunami_method method;
    bool has_coriolis; // rotation by f
    // metric terms u tan φ / R in the rotation (the mass metric term is never switched off)
    bool has_curvature;
    double manning_n;             // s m^(-1/3); 0 = no friction
    double wall_depth_m;          // −INFINITY where the shore moves: no node is always land
    double minimum_depth_m;       // where the shore moves: water of at most this depth does not flow
    bool has_dispersion;          // only if tsunami_method_disperses
    enum tsunami_limiter limiter; // only if tsunami_method_has_cells
    // Horizontal eddy viscosity, only if tsunami_method_stirs: constant, or C of Smagorinsky's; 0: none.
    double eddy_viscosity_m2_s, smagorinsky;
};

// Eddies' viscosity is at most (the shorter side of a cell)²/(so much times the step): then no momentum
// overshoots, and a step cannot grow whatever the depths are.
enum { TSUNAMI_EDDY_STEPS = 8 };

static inline bool tsunami_physics_has_eddies(const struct tsunami_physics *physics)
{
    return physics->eddy_viscosity_m2_s > 0 || physics->smagorinsky > 0;
}

// Whether more follows the sweeps and sources of a step, which computes all tiles and comes before its
// records.
static inline bool tsunami_physics_completes_steps(const struct tsunami_physics *physics)
{
    return physics->has_dispersion || tsunami_physics_has_eddies(physics);
}

// Whether land may be flooded and the sea bed fall dry.
static inline bool tsunami_method_floods(enum tsunami_method method)
{
    return method == TSUNAMI_MUSCL_HANCOCK || method == TSUNAMI_VTCS2_SHORE;
}

// Whether velocities are those at the faces between nodes, half a step before the elevation.
static inline bool tsunami_method_is_staggered(enum tsunami_method method)
{
    return method == TSUNAMI_C_GRID_6;
}

// Whether physics.dispersion is available.
static inline bool tsunami_method_disperses(enum tsunami_method method)
{
    return method == TSUNAMI_MUSCL_HANCOCK;
}

// Whether physics.eddy_viscosity is available.
static inline bool tsunami_method_stirs(enum tsunami_method method)
{
    return method == TSUNAMI_MUSCL_HANCOCK;
}

// Whether nodes are cells with faces between them. Boundary data then apply at the outer face in the middle
// of a step; otherwise at the edge's nodes at the end of the step.
static inline bool tsunami_method_has_cells(enum tsunami_method method)
{
    return method == TSUNAMI_MUSCL_HANCOCK;
}

// Boundary data at one edge of the domain (TSUNAMI_EDGE_GIVEN), in records with linear interpolation in time.
// Record r is for the time start + r · steps_per_record · Δt; it is in slot r % slots. The model fills in the
// records before the steps that need them.
struct tsunami_given_edge {
    size_t nodes; // 1: the same value along the whole edge; else one for each node, from west or south
    size_t slots;
    int64_t steps_per_record;
    bool has_velocity;    // false: the elevation alone is given; the velocity follows from the outgoing wave
    bool keeps_discharge; // with has_velocity: velocity times depth under η holds, not the incoming wave
    // [slots][3][nodes]: η (m), u east and v north (m/s). NaN η: no data at this node and time; the edge is
    // open there.
    double *values;
    // Over a moving bottom (source_edges.c), for the next step only: values added to η, u and v at the step's
    // beginning and end, with linear interpolation between: [2][3][side_nodes], one for each node of the
    // edge. has_rise: there are such values.
    bool has_rise;
    size_t side_nodes;
    double *rise;
};

// The position in the parent grid of one node of a child's given edges: the cell with its south-west node at
// (column, row), and the bilinear weights of (column, row), (column + 1, row), (column, row + 1), (column +
// 1, row + 1).
struct tsunami_link {
    size_t column, row;
    double weights[4];
};

// Where a gauge takes its values: the cell of nodes around it, (columns[0], rows[0]), (columns[1], rows[0]),
// (columns[0], rows[1]), (columns[1], rows[1]) with bilinear weights, 0 of those that are land; or a single
// node with the weight 1. `nearest`: the corner that stands for the gauge; it has a weight.
enum { TSUNAMI_CORNERS = 4 };

struct tsunami_gauge_place {
    size_t rows[2], columns[2];
    double weights[TSUNAMI_CORNERS]; // their sum is 1
    int nearest;
};

// A forecast point's node, and what has happened there so far (point_record.h, docs/points.md). Changes are
// those of the surface from the level that arrivals count from. Times in seconds; NaN: it never happened.
struct tsunami_point_place {
    size_t row, column;
};

struct tsunami_point_state {
    double arrival_s, first_motion; // 1: the surface rose first, −1: it fell, 0: no arrival
    double first_crest_m, first_crest_s;
    double rising_m, rising_s; // the highest so far since the threshold was reached, until a first crest
    double crest_m, crest_s, trough_m, trough_s; // −∞ and +∞ before the first record
    double steps_above;                          // steps at whose end the surface was high enough
};

enum { TSUNAMI_POINT_NUMBERS = sizeof(struct tsunami_point_state) / sizeof(double) };

struct tsunami_point_set {
    size_t count;
    const struct tsunami_point_place *places; // [count]
    struct tsunami_point_state *states;       // [count], on the host; valid after reserve
    double threshold_m;
};

// Running records, in float in every precision, because they are results, not state. NULL: not requested.
// Pitched like the state. Times in seconds; NaN: it never happened.
struct tsunami_records {
    float *max_eta_m, *max_speed_m_s, *max_flux_m2_s, *time_of_max_s, *first_drawdown_s;
    float *max_depth_m; // largest depth of the flow; where the shore moves
    // Where the shore moves, of ground above the sea, and both or none: the largest hazard rating h(v + 0.5
    // m/s) (docs/runup.md), and how long it was under water until it fell dry last (s), with the time since
    // when it is under water now (NaN: it is dry).
    float *hazard_m2_s, *inundation_s, *wet_since_s;
    float *arrival_s[TSUNAMI_ARRIVALS_MAX];
    int arrival_count;
    double arrival_m[TSUNAMI_ARRIVALS_MAX]; // thresholds, ascending
    double drawdown_m;                      // > 0: first time that η < −drawdown_m
    // The reference level of both (source_level.c); NULL: still water, on land dry ground.
    float *source_level_m;
    bool has_moving_level;           // it moves after the start: an arrival need not be a new maximum
    struct tsunami_point_set points; // of this grid
    double wet_depth_m; // where the shore moves: shallower water is not recorded (but has mass, and flows)
    // `advance` does not update the records, because its final state is not that of the whole step; the model
    // calls `record` instead.
    bool is_paused;
};

#endif
