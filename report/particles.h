// Positions of particles (nbody, gas) at several times, and their number in each cell of a raster. Reads
// trajectory.nc and final.nc; draws nothing. Internal to report/.
#ifndef FATHOM_REPORT_PARTICLES_H
#define FATHOM_REPORT_PARTICLES_H

#include "core/status.h"
#include "io/netcdf/result.h"

#include <stdbool.h>
#include <stddef.h>

enum { PARTICLES_AXES = 3 };

// Particles by id, at the times of trajectory.nc, or in the single state of final.nc.
struct report_particles {
    struct result_file *file; // owned
    bool is_single;           // final.nc: no dimension of time
    size_t frames, count;
    double *times; // owned; in the file's unit; NULL if is_single
};

// *is_found is false if the run has no positions. `particles` must be zero at first; close it in any case.
enum status report_particles_open(const char *directory, struct report_particles *particles, bool *is_found);
// The same for only one of the two files.
enum status report_particles_open_trajectory(const char *directory, struct report_particles *particles,
                                             bool *is_found);
enum status report_particles_open_final(const char *directory, struct report_particles *particles,
                                        bool *is_found);
void report_particles_close(struct report_particles *particles);

bool report_particles_has_velocities(const struct report_particles *particles);

// Read particles first … first + count − 1 into [count][3].
enum status report_particles_read_positions(const struct report_particles *particles, size_t frame,
                                            size_t first, size_t count, double *positions);
enum status report_particles_read_velocities(const struct report_particles *particles, size_t frame,
                                             size_t first, size_t count, double *velocities);

// Reads the positions of all particles along two axes, divided by `unit`, into *xy [count][2]; the caller
// frees it, also after a failure.
enum status report_particles_read_plane(const struct report_particles *particles, size_t frame,
                                        const int axes[2], double unit, float **xy);

// Cells [up][across]. `low`: the lower left corner of the first one; `cell`: their sides.
struct particles_raster {
    int axes[2]; // across, up
    double low[2], cell[2];
    size_t cells[2]; // across, up
    // Counts each particle in nine cells, so that a single one is visible, except in the outermost cells.
    bool is_spread;
};
// Counts the particles in each cell. Reads them in pieces: the memory does not depend on their number.
enum status report_particles_count(const struct report_particles *particles, size_t frame,
                                   const struct particles_raster *raster, float *counts);

#endif
