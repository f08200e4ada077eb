// The tiles of `c-grid-6` in both precisions, for ONE instruction set: this file is compiled several times,
// with ISA naming the set. Knows no threads and no schedule.
#include "models/tsunami/openmp/c_grid.h"

#include <math.h>
#include <string.h>

// Rings of rows in the scratch: of the velocities' half of a step,
enum {
    C_HEAD_NOW, // g η and half the squared velocity, from the velocities half a step before
    C_TURN_V,   // (f + ζ)/d × the flux of v at the corners, likewise
    C_TURN_U,   // of u
    C_U_NOW,    // velocities at the time of η
    C_V_NOW,
    C_HEAD,      // P of the header of reference_c_grid_step.c
    C_VORTICITY, // at the corners
    C_ACROSS_U,  // the flux of v over the depth, for u
    C_ACROSS_V   // of u, for v
};
// Columns beyond the tile that the stages compute; how many rows a stage is behind the first.
enum { C_BEYOND_FIRST = 6, C_BEYOND_NOW = 5, C_BEYOND_HEAD = 3 };
enum { C_BEHIND_NOW = 1, C_BEHIND_HEAD = 3, C_BEHIND_LAST = 6 };

// of the elevation's: η half a step on; fluxes.
enum { C_FLUX_U, C_FLUX_V, C_MIDDLE };
enum { C_BEYOND_MIDDLE = 5, C_BEYOND_FLUX = 3, C_BEHIND_FLUX_V = 3, C_BEHIND_ETA = 5 };

#define BOTH_PRECISIONS "models/tsunami/openmp/c_grid_step.inc"
#include "models/tsunami/both_precisions.inc"

#define TEXT_(a) #a
#define TEXT(a)  TEXT_(a)

const struct tsunami_c_grid_functions TILE_TABLE(tsunami_c_grid_, ISA) = {
    .instruction_set = TEXT(ISA),
    .velocity_f = c_velocity_f,
    .velocity_d = c_velocity_d,
    .elevation_f = c_elevation_f,
    .elevation_d = c_elevation_d,
    .nodes_f = c_nodes_f,
    .nodes_d = c_nodes_d,
};
