// A sea with its grid, its depth and its state, owned together, and its images: in a mirror, or with x and y
// exchanged. On top of tsunami_fixture.h.
#ifndef FATHOM_TESTS_SUPPORT_BASIN_H
#define FATHOM_TESTS_SUPPORT_BASIN_H

#include "tests/support/tsunami_fixture.h"

struct basin {
    struct ocean_setup setup;
    double *x, *y, *depth; // [nx], [ny], [ny][nx], as state.nx and state.ny say
    struct ocean_state state;
};

// What computes: the tests of the scheme go through tables of these.
struct ocean_variant {
    const struct tsunami_backend *backend;
    enum element precision;
    enum tsunami_method method;
};
const char *ocean_variant_name(const struct ocean_variant *v); // "openmp single vtcs2"; one of a few buffers

// nx × ny nodes from (west, south) on, on a plane, with the same boundary condition all round and land up
// to a depth of 10 m; at rest. The depth is 0 everywhere, the step the caller's to set.
struct basin basin_grid(const struct ocean_variant *v, size_t nx, size_t ny, double west, double south,
                        double spacing, double unevenness, enum tsunami_edge edge);
// The same on the sphere, all in degrees, with Coriolis force and curvature.
struct basin basin_on_sphere(const struct ocean_variant *v, size_t nx, size_t ny, double west, double south,
                             double spacing, double unevenness, enum tsunami_edge edge);
void basin_fill_depth(struct basin *b, double depth_m);
void basin_take_depth(struct basin *b, double *depth); // that the test owns
void basin_set_edges(struct basin *b, enum tsunami_edge west, enum tsunami_edge east, enum tsunami_edge south,
                     enum tsunami_edge north);
// A channel along x or y: `ends`, and `sides` along it.
void basin_set_ends(struct basin *b, bool is_along_x, enum tsunami_edge ends, enum tsunami_edge sides);
// A solver at the basin's state; and the same closed again after some steps, with the state that it came to.
struct ocean *basin_start(const struct basin *b);
void basin_advance(struct basin *b, int64_t first_step, int64_t steps);

// The setup's pointers and sizes become the basin's own.
void basin_use_own(struct basin *b);
void basin_free(struct basin *b); // before the test's end; optional

enum basin_image { BASIN_MIRRORED_X, BASIN_MIRRORED_Y, BASIN_TRANSPOSED, BASIN_IMAGES };
// The image of grid, depth, state and edges. The Coriolis parameter of a plane changes its sign with the
// sense of turning in a mirror; in a transposed basin it is 0.
struct basin basin_image(const struct basin *b, enum basin_image image);
void basin_image_state(enum basin_image image, const struct ocean_state *from, struct ocean_state *to);

#endif
