// One cell and one face in a sweep of the reference of `muscl-hancock`: reference_fv_faces.c computes them,
// reference_fv.c has the lines and the steps. Private to them.
#ifndef FATHOM_MODELS_TSUNAMI_REFERENCE_FV_H
#define FATHOM_MODELS_TSUNAMI_REFERENCE_FV_H

#include "models/tsunami/state.h"

#include <stdbool.h>

struct cell {
    double eta, h, un, ut, z;
    bool is_wet;
};

// One side of a face, from the cell beside it, half a step later.
struct side {
    double eta, z, un, ut;
    bool is_wet;
    double held;   // water of the cell for a unit of the face's width, over Δt: what it can give
    double froude; // of the cell, towards the positive direction of the line, between −1 and 1
};

struct faces {
    struct side minus, plus;
    double push; // what acts inside the cell: g h Δη of its own slope of the surface; steep ground beside it
};

// Flux through a face per unit of its width, towards plus: water, momentum along for the cells on its two
// sides (they differ by the pressure of the difference between them), momentum across.
struct flux {
    double h, of_minus, of_plus, ut;
};

// A cell of the line and its minus face in the sweep.
struct extent {
    double width_m;      // of the cell along the line
    double cosine;       // its cross-section over that at the equator; 1 along x, whose widths are true ones
    double face_cosine;  // of its minus face
    double metric_per_m; // tan φ / R along a meridian, else 0
    double gravity, dt, minimum;
    enum tsunami_limiter limiter;
};

// A cell without slopes and half step. A dry cell keeps its film at its own level, so that beside water of
// the same level it is at rest.
struct side reference_fv_level_side(struct cell cell, const struct extent *x);
// The two sides of a cell half a step later: with slopes where it and both neighbours are wet.
struct faces reference_fv_faces_of(struct cell left, struct cell cell, struct cell right,
                                   const struct extent *x);
// HLL on depths that are taken above the higher of both bottoms (Audusse et al. 2004). `share` is the face's
// own width over that at the equator. Of `x`: gravity and limiter.
struct flux reference_fv_flux_between(struct side l, struct side r, double share, const struct extent *x);

#endif
