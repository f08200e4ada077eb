// One quantity of many bodies (positions, velocities or masses) in a netCDF file of any program. Independent
// of the use of the bodies.
//
// Layouts. Positions and velocities: one variable (bodies, 3) or (frames, bodies, 3), as AMBER trajectories
// have it (coordinates, velocities); or three variables, one for each of x, y, z, (bodies) or (frames,
// bodies). Masses: (bodies) or (frames, bodies). scale_factor and add_offset are applied.
//
// Not thread-safe (netCDF-C is not).
#ifndef FATHOM_IO_FORMATS_PARTICLES_H
#define FATHOM_IO_FORMATS_PARTICLES_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

enum particles_quantity { PARTICLES_POSITION, PARTICLES_VELOCITY, PARTICLES_MASS };

struct particles;

struct particles_info {
    const char *path;
    const char *variable; // "coordinates", or "x y z"
    const char *
        units; // as in the file (of the first of three, of which the others must agree); "" if it states none
    size_t count;      // bodies, ≥ 1
    size_t components; // 3, or 1 of masses
    size_t frames;     // 0: no axis of frames
};

// Opens a file. `variable`: its name, or three names separated by blanks; NULL: one of the usual names
// ("position", "pos", "x y z"). `frame`: from 0, or −1 for the last; without effect where there are no
// frames. STATUS_NO_INPUT: the file cannot be opened. STATUS_DATA, with file, variable and what was expected:
// the variable or the frame is missing, the shape is another one, or the units of three variables differ.
enum status particles_open(const char *path, enum particles_quantity quantity, const char *variable,
                           int64_t frame, struct particles **particles);
void particles_close(struct particles *particles); // NULL: does nothing
const struct particles_info *particles_info(const struct particles *particles);

// The memory that netCDF uses for the file's chunks while it is read.
size_t particles_cache_bytes(const struct particles *particles);

// Reads bodies first … first + count − 1 as [body][component], in the file's units. `scratch`: count numbers,
// for files with three variables. A missing value → NaN. STATUS_DATA, STATUS_IO.
enum status particles_read(struct particles *particles, size_t first, size_t count, double *values,
                           double *scratch);

#endif
