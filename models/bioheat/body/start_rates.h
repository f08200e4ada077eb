// How far a heat run's start is from rest: the rates of its temperatures without the source, from which
// rkl2.h estimates the error of the first steps. Independent of jobs and files: media and temperatures are
// read plane by plane, whatever their origin.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_START_RATES_H
#define FATHOM_MODELS_BIOHEAT_BODY_START_RATES_H

#include "models/bioheat/body/stability.h"

// With A the discrete operator and r = A θ + b the rates (b of blood and of the outside), the largest sizes
// over all cells that steps change. No θ leaves the range, which includes the temperatures of blood and of
// the outside at convective faces, where there are any. Range, rate and bend 0: at rest.
struct bioheat_start_rates {
    double range_k, rate_k_s, bend_k_s2; // bend: of A r
    // Of the medium alone: the largest P/ρc, and the largest rate at which a cell loses its temperature
    // through convective faces.
    double perfusion_per_s, wall_per_s;
};

// θ (K) of the cells [y][x] of plane z, from the job's reference temperature. Requested in ascending order,
// but for the neighbours across a periodic face and the mirror images at an insulated one.
typedef enum status bioheat_read_theta(void *context, size_t z, double *theta_k);

struct bioheat_start_readers {
    bioheat_read_plane *media;
    void *media_context;
    bioheat_read_theta *theta;
    void *theta_context;
};

// `media` as in bioheat_step_limit, without a velocity. Fluxes are those of docs/bioheat.md §2, but (a) with
// the mean conductivity of both cells in place of (c). Allocates some planes, and frees them. Statuses: those
// of the readers, STATUS_SYSTEM.
enum status bioheat_start_rates_find(const struct bioheat_grid *grid, const struct bioheat_media *media,
                                     const struct bioheat_start_readers *readers,
                                     struct bioheat_start_rates *rates);

#endif
