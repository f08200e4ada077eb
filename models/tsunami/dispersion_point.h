// The arithmetic at one cell and one face of the FAST versions' weak dispersion (the processor's and the
// GPU's). The reference does not use it; reference_dispersion.c has the equations. Knows nothing of arrays,
// tiles or threads.
//
// Included once per precision with REAL (float or double) and POINT(name) (adds the precision's suffix)
// defined, after point.h and fv_point.h. Compiled for host and device (core/host_device.h). No branch, so
// that it vectorises.

#include "core/host_device.h"

// Where η stands higher than the larger share above the still depth waves break, and are bores; from the
// smaller on the dispersion fades.
#ifndef DISPERSION_BREAKING
#define DISPERSION_BREAKING        0.8
#define DISPERSION_FADING          0.6
#define DISPERSION_LEAST_RATIO     0.25
#define DISPERSION_MOST_GIVEN_BACK 0.125
#endif

static FATHOM_HOST_DEVICE REAL POINT(dispersion_depth)(REAL w, REAL z)
{
    return w + FV_MAX((REAL)0, -z);
}

// a = h³/3 of a cell; 0 on land, in dry cells and in breaking waves.
static FATHOM_HOST_DEVICE REAL POINT(dispersion_strength)(REAL w, REAL z, REAL minimum)
{
    const REAL h = POINT(dispersion_depth)(w, z);
    const REAL sharpness = (REAL)(1 / (DISPERSION_BREAKING - DISPERSION_FADING));
    const REAL share =
        MADD(FV_DIVIDE(w, z), sharpness, (REAL)DISPERSION_BREAKING * sharpness); // not taken on land
    const REAL kept = FV_MAX((REAL)0, FV_MIN((REAL)1, share));
    return (h > minimum) & (z < (REAL)0) ? kept * (h * h * h) * (REAL)(1.0 / 3.0) : (REAL)0;
}

// 1/(h length) of a cell, 0 of a dry one.
static FATHOM_HOST_DEVICE REAL POINT(dispersion_inverse)(REAL h, REAL length, REAL minimum)
{
    const REAL inverse = FV_DIVIDE((REAL)1, h * length);
    return h > minimum ? inverse : (REAL)0;
}

// The share of a face that is open, from the depths on both sides: none if one is dry, little between deep
// water and a film.
static FATHOM_HOST_DEVICE REAL POINT(dispersion_opening)(REAL h, REAL h_beyond, REAL minimum)
{
    const REAL less = FV_MIN(h, h_beyond), more = FV_MAX(h, h_beyond);
    const REAL share = FV_MIN((REAL)1, FV_DIVIDE(less, (REAL)DISPERSION_LEAST_RATIO * more));
    return less > minimum ? share : (REAL)0;
}

// Of a face of this width times its opening, from both cells' inverses.
static FATHOM_HOST_DEVICE REAL POINT(dispersion_coupling)(REAL inverse, REAL inverse_beyond, REAL width)
{
    return (REAL)0.5 * width * width * (inverse + inverse_beyond);
}

// Water that runs out through a face of what is given back, over the cross axis' length: `rise` of ψ towards
// the cell beyond times the face's width, `rate` = Δt times the width over both cells' lengths times theirs,
// and what both hold.
static FATHOM_HOST_DEVICE REAL POINT(dispersion_given_back)(REAL rise, REAL rate, REAL held, REAL held_beyond)
{
    const REAL most = (REAL)DISPERSION_MOST_GIVEN_BACK * FV_MIN(held, held_beyond);
    return FV_MAX(-most, FV_MIN(most, rate * rise));
}
