// Positions of particles (N bodies, gas) at several times, and their number in each cell of a raster. Knows
// trajectory.nc and final.nc; draws nothing. Internal to report/.
#ifndef FATHOM_REPORT_PARTICLES_H
#define FATHOM_REPORT_PARTICLES_H

#include "core/status.h"
#include "io/netcdf/result.h"

#include <stdbool.h>
#include <stddef.h>

enum { PARTICLES_AXES = 3 };

// By id at several times: trajectory.nc, or the one state of final.nc.
struct report_particles {
    struct result_file *file; // owned
    bool is_single;           // final.nc: no dimension of time
    size_t frames, count;
    double *times; // owned; in the file's unit; NULL if is_single
};

// *is_there is false if the run kept no positions. Close in any case, what began as {0}.
enum status report_particles_open(const char *directory, struct report_particles *particles, bool *is_there);
// Only this file of the two.
enum status report_particles_open_trajectory(const char *directory, struct report_particles *particles,
                                             bool *is_there);
enum status report_particles_open_final(const char *directory, struct report_particles *particles,
                                        bool *is_there);
void report_particles_close(struct report_particles *particles);

bool report_particles_has_velocities(const struct report_particles *particles);

// [count][3] of particles first … first + count − 1.
enum status report_particles_read_positions(const struct report_particles *particles, size_t frame,
                                            size_t first, size_t count, double *positions);
enum status report_particles_read_velocities(const struct report_particles *particles, size_t frame,
                                             size_t first, size_t count, double *velocities);

// Positions of all particles along two axes over `unit`, [count][2]; *xy is owned by the caller, also after a
// failure.
enum status report_particles_read_plane(const struct report_particles *particles, size_t frame,
                                        const int axes[2], double unit, float **xy);

// Cells [up][across]: the corner of the first one, and the sides of all.
struct particles_raster {
    int axes[2]; // across, up
    double low[2], cell[2];
    size_t cells[2]; // across, up
    // Each particle over nine cells, so that a single one is visible; not those in the outermost cells.
    bool is_spread;
};
// In pieces: memory does not grow with their number.
enum status report_particles_count(const struct report_particles *particles, size_t frame,
                                   const struct particles_raster *raster, float *counts);

#endif
