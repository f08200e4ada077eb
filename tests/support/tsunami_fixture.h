// A tsunami solver on a grid made for a test, without a job and without files: the caller gives nodes, depths
// and physics, the fixture makes the geometry, the memory plan and the running solver. Knows nothing of the
// command line and of outputs. Every failure inside it fails the running test.
#ifndef FATHOM_TESTS_SUPPORT_TSUNAMI_FIXTURE_H
#define FATHOM_TESTS_SUPPORT_TSUNAMI_FIXTURE_H

#include "models/tsunami/solver.h"
#include "tests/support/asserts.h"
#include "tests/support/sanitized.h"

#define OCEAN_GRAVITY_M_S2 9.81
#define OCEAN_RADIUS_M     6371e3
#define OCEAN_ROTATION     7.2921159e-5 // rad/s

struct ocean_setup {
    const struct tsunami_backend *backend;
    enum element precision; // of the fast versions; the reference is always double
    enum tsunami_method method;
    bool is_spherical;
    size_t nx, ny;
    const double *x, *y;   // nodes, ascending; degrees on the sphere, else m
    const double *depth_m; // [ny][nx], positive down; ≤ wall_depth_m is land
    enum tsunami_edge edges[TSUNAMI_SIDES];
    bool has_coriolis, has_curvature;
    double plane_coriolis_per_s; // f on a plane
    double manning_n, wall_depth_m, step_s;
    bool skips_quiet_tiles;
    int threads;                         // 0: as many as the grid is worth, at most what OpenMP would take
    bool has_records, has_drawdown_only; // all that there are; the first drawdown and nothing else
    int arrival_count;
    double arrival_m[TSUNAMI_ARRIVALS_MAX], drawdown_m;
    // Where the shore moves (wall_depth_m is not looked at then; depth_m is rounded to the solver's
    // precision). 0: as the model has them, 1e-4 (vtcs2-shore: 5e-3) and 1e-2 of the smallest spacing, the
    // latter at most 5 cm.
    double minimum_depth_m, wet_depth_m;
    bool has_dispersion;                     // of tsunami_method_disperses only
    enum tsunami_limiter limiter;            // of muscl-hancock
    double eddy_viscosity_m2_s, smagorinsky; // of tsunami_method_stirs only
    // Given edges, [TSUNAMI_SIDES]; a nested grid's parent, of the same back end, and the links of its given
    // edges.
    const struct tsunami_given_edge *given;
    struct ocean *parent;
    const struct tsunami_link *links;
    size_t link_count;
};

struct ocean;

// Plans, checks the plan's validity before and after it is reserved, reserves, and starts the solver at rest.
// The setup's arrays must outlive the ocean.
struct ocean *ocean_open(const struct ocean_setup *setup);
void ocean_close(struct ocean *ocean);
const struct tsunami_geometry *ocean_geometry(const struct ocean *ocean);
const struct tsunami_records *ocean_records(const struct ocean *ocean); // arrays [ny][geometry.pitch]
void ocean_work(const struct ocean *ocean, double *computed, double *skipped);

// η (m; NaN on land), u and v (m/s) of all nodes: [ny][nx].
struct ocean_state {
    size_t nx, ny;
    double *eta, *u, *v;
};
struct ocean_state state_new(size_t nx, size_t ny); // zeros
void state_free(struct ocean_state *state);         // before the test's end; optional
void state_mirror_x(const struct ocean_state *from, struct ocean_state *to);  // u → −u
void state_mirror_y(const struct ocean_state *from, struct ocean_state *to);  // v → −v
void state_transpose(const struct ocean_state *from, struct ocean_state *to); // u ↔ v
// Nodes whose values are not equal (NaN equals NaN; −0 equals 0); the first of them is put into *where.
size_t state_unequal(const struct ocean_state *a, const struct ocean_state *b, size_t *where);
// Largest |a − b| of η, u, v over the nodes that are wet in both; INFINITY where one is land or NaN and the
// other is not.
void state_difference(const struct ocean_state *a, const struct ocean_state *b, double difference[3]);

void ocean_set(struct ocean *ocean, const struct ocean_state *state);
void ocean_get(const struct ocean *ocean, struct ocean_state *state);
void ocean_record(struct ocean *ocean, double time_s);
void ocean_advance(struct ocean *ocean, int64_t first_step, int64_t count);
// Lifts the bottom, and the water with it: [ny][nx].
void ocean_lift(struct ocean *ocean, const double *uplift_m);
void ocean_gather(struct ocean *ocean, size_t slot); // of a nested grid
// ∫ η dA, m³.
double ocean_volume_m3(const struct ocean *ocean, const struct ocean_state *state);
// ∫ (η + depth) dA, m³, for what the solver took the depth to be: all the water that there is.
double ocean_water_m3(const struct ocean *ocean, const struct ocean_state *state);
// The depth as the solver took it, [ny][geometry.pitch].
const double *ocean_depth_m(const struct ocean *ocean);
double ocean_wet_depth_m(const struct ocean *ocean);

// Arrays for setups; the test owns them (owned.h).
double *array_new(size_t count);
// Nodes first + k·spacing, the spacing varying smoothly by ± unevenness (0 … 1) along the axis.
double *axis_new(size_t count, double first, double spacing, double unevenness);
double *axis_mirrored(const double *axis, size_t count);             // −axis, ascending
double *field_mirrored_x(const double *field, size_t nx, size_t ny); // [ny][nx]
double *field_mirrored_y(const double *field, size_t nx, size_t ny);
double *field_transposed(const double *field, size_t nx, size_t ny);

// A rugged ocean floor: depths between a few hundred and 6000 m without symmetry; with islands and a coast if
// asked (negative there). Neighbours' depths differ by less than a factor of two but for the coasts.
double *rugged_depth_new(size_t nx, size_t ny, bool has_land);
// A bell of η of this height about a node (fractions of the grid), `width` in nodes; u and v small and
// without symmetry.
void state_add_bell(struct ocean_state *state, double height_m, double at_x, double at_y, double width);

// Real bathymetry on the file's own 20-minute nodes, land negative, read through io/grid. False (and a reason
// on standard error) if the file of Debian's ferret-datasets is not there.
struct real_ocean {
    size_t nx, ny;
    double *x, *y, *depth_m;
};
bool real_ocean_read(double west, double east, double south, double north, struct real_ocean *ocean);

// The instruction sets of the OpenMP back end on this machine, slowest first. Choosing one holds for the
// oceans opened afterwards.
enum { INSTRUCTION_SETS_MAX = 3 };
int instruction_sets(const char *names[INSTRUCTION_SETS_MAX]);
void instruction_set_choose(const char *name); // NULL: the best there is

const char *method_name(enum tsunami_method method);
const char *precision_name(enum element precision);

#endif
