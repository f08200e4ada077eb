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

// The setup's pointers and sizes become the basin's own.
void basin_use_own(struct basin *b);
void basin_free(struct basin *b);

enum basin_image { BASIN_MIRRORED_X, BASIN_MIRRORED_Y, BASIN_TRANSPOSED, BASIN_IMAGES };
// The image of grid, depth, state and edges. The Coriolis parameter of a plane changes its sign with the
// sense of turning in a mirror; in a transposed basin it is 0.
struct basin basin_image(const struct basin *b, enum basin_image image);
void basin_image_state(enum basin_image image, const struct ocean_state *from, struct ocean_state *to);

#endif
