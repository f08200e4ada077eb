// Runs of a tsunami solver with their records, and how two of them are compared: bit by bit, or within
// tolerances. On top of tsunami_fixture.h; a comparison that fails, fails the running test and names the
// place.
#ifndef FATHOM_TESTS_SUPPORT_TSUNAMI_RUNS_H
#define FATHOM_TESTS_SUPPORT_TSUNAMI_RUNS_H

#include "tests/support/tsunami_fixture.h"

// A run with its records, and if asked the surface of every step.
struct run {
    size_t nx, ny, pitch;
    int64_t steps;
    struct ocean *ocean; // holds the records
    struct ocean_state state;
    double *history; // [steps + 1][ny][nx] η, or NULL
};

// From `start`, recorded at 0 s. Without a history it is advanced in two pieces: where a run is cut must not
// matter.
struct run run_new(const struct ocean_setup *setup, const struct ocean_state *start, int64_t steps,
                   bool has_history);
void run_free(struct run *run);

// Waves of some tens of steps given along a side, good for 240 steps, with and without velocities, and with a
// stretch and a while without a message. The values are the caller's to free.
void edge_give(struct tsunami_given_edge *edge, enum tsunami_side side, size_t nodes);

// Largest differences from the reference. Those of the records come on top of those of the state (they are
// kept as float).
struct tolerance {
    enum element precision;
    double eta_m, velocity_m_s;
    double max_eta_m, max_speed_m_s;
    double max_flux;  // relative to the largest flux of the ocean
    double max_depth; // m; where the shore moves
};

// A sea of a table of cases, and what a run of it starts from. 160 degrees east on the sphere.
struct ocean_case {
    const char *name;
    size_t nx, ny;
    bool is_spherical, has_land;
    double unevenness;
    enum tsunami_edge edges[TSUNAMI_SIDES]; // west, east, south, north
    bool has_coriolis, has_curvature;
    double manning_n, south; // degrees, on the sphere
};
#define EDGES(west, east, south, north)                                                                      \
    {                                                                                                        \
        west, east, south, north                                                                             \
    }
#define ALL(edge) EDGES(edge, edge, edge, edge)
#define OPEN      TSUNAMI_EDGE_OPEN
#define WALL      TSUNAMI_EDGE_WALL
#define PERIODIC  TSUNAMI_EDGE_PERIODIC
#define GIVEN     TSUNAMI_EDGE_GIVEN

struct ocean_input {
    double *x, *y, *depth;
    struct ocean_state start; // zeros
    struct ocean_setup setup; // all but back end, precision, method and step; it records all that there is
    struct tsunami_given_edge given[TSUNAMI_SIDES];
};

// Takes the depth, which the caller allocated. To close it before the test's end is optional.
void ocean_input_open(struct ocean_input *in, const struct ocean_case *c, double spacing, double *depth);
void ocean_input_close(struct ocean_input *in);

struct comparison {
    const char *name;
    const struct ocean_setup *setup;
    const struct tolerance *tolerance;
    const struct run *reference, *fast; // the reference with its history
};

// "NAME: BACKEND PRECISION METHOD"; good until the next call.
const char *comparison_name(const struct comparison *c);
void expect_close(const struct comparison *c, const char *what, double difference, double tolerance);
// Largest |a − b| of a record over the nodes that the reference has as wet, and its largest value. Where the
// shore moves: over those where both were ever deeper than the wet depth.
double record_difference(const struct comparison *c, const float *a, const float *b, double *largest);
// A time of first passing is right if the reference may have passed then, and cannot have passed before, both
// within the tolerance of η: a crest that just touches the threshold may do so in one run and not in the
// other. sign +1: arrivals of `threshold`, −1: drawdown below it.
void check_passing_times(const struct comparison *c, const char *what, const float *times_s, double sign,
                         double threshold);
// The times of all arrivals, of the maximum, and of the first drawdown.
void check_times(const struct comparison *c);
// Largest differences of η, u, v (state_difference) within the tolerances; `about` is for the message.
void expect_close_state(const char *about, const double difference[3], const struct tolerance *tolerance);
// State, records and times against the reference. Its own largest elevation, depth and speed lie in the
// ranges: there was something to compare. Depths are compared where the shore moves.
struct ocean_ranges {
    double eta_m[2], depth_m[2], speed_m_s[2];
};
void compare_with_reference(const struct comparison *c, const struct ocean_ranges *expected);
// A time of the maximum is right if the reference then was as high as it ever was, within the tolerance.
void check_time_of_max(const struct comparison *c);

bool same_bits(const float *a, const float *b, size_t nx, size_t ny, size_t pitch);
// State and all records, bit by bit.
void expect_same(const char *what, const struct ocean_setup *setup, const struct run *a, const struct run *b);

// NULL where this build does not have it.
const struct tsunami_backend *tsunami_backend_named(const char *name);

// ---- what must change no bit, or hardly: each check makes its runs and compares them

struct trial {
    struct ocean_setup setup;
    const struct ocean_state *start;
    int64_t steps;
    const struct tolerance *tolerances; // double, single
};
typedef void trial_check(struct trial *trial);

trial_check check_skipping;         // of quiet tiles; and that some were skipped
trial_check check_threads;          // one, two, five
trial_check check_again;            // a run and the same once more
trial_check check_instruction_sets; // that this processor has; the generic one within the tolerances

#endif
