// The longest stable step of the heat model on given media, and what sets it. Independent of jobs and files:
// media are read plane by plane, whatever their origin.
#ifndef FATHOM_MODELS_BIOHEAT_BODY_STABILITY_H
#define FATHOM_MODELS_BIOHEAT_BODY_STABILITY_H

#include "core/status.h"
#include "models/bioheat/body/media.h"

// Explicit Euler is stable if the rate of every cell, Σ_j |a_ij| of its row of the discrete operator
// (Gershgorin's circle), times the step is at most 2. In a uniform medium the bound is reached: 16/3 k Σ 1/Δ²
// + P over ρc. The rows are those of the scheme, with each face's own flux, perfusion, and the upwind
// velocity.
struct bioheat_limit {
    double step_s; // INFINITY where nothing moves
    size_t cell[BIOHEAT_AXES];
    int label; // of that cell; −1: full fields
    double conductivity_w_m_k, heat_capacity_j_m3_k, perfusion_w_m3_k, speed_m_s; // of that cell
    double least_heat_capacity_j_m3_k; // full fields: of all tissue
};

// One plane of cells [y][x]: labels, or conductivity, heat capacity, perfusion (NULL: none); velocities may
// be NULL.
struct bioheat_plane {
    uint8_t *labels;
    double *conductivity, *heat_capacity, *perfusion, *velocity_m_s[BIOHEAT_AXES];
};

// The medium of cell i of a plane. In full fields a cell of conductivity 0 is void, and one of infinite heat
// capacity keeps its temperature.
struct bioheat_medium bioheat_plane_medium(const struct bioheat_media *media,
                                           const struct bioheat_plane *plane, size_t i);

// Fills in the arrays of plane z. Planes are requested in ascending order, but for the neighbours across a
// periodic face.
typedef enum status bioheat_read_plane(void *context, size_t z, struct bioheat_plane *plane);

// `media`: its table, flags and numbers count; of its arrays only whether they are NULL.
// Allocates some planes, and frees them. Statuses: those of `read`, STATUS_SYSTEM.
enum status bioheat_step_limit(const struct bioheat_grid *grid, const struct bioheat_media *media,
                               bioheat_read_plane *read, void *context, struct bioheat_limit *limit);

// Of one medium throughout.
double bioheat_uniform_limit_s(const struct bioheat_grid *grid, const struct bioheat_medium *medium);

#endif
