// Values at a window's nodes that are kept from run to run (io/kept.h), so that a grid file is read once by a
// process and not by each run of it. Used by the sampler only. What is kept is found again by all that its
// values depend on: whose content the file is, the variable, record, format, sign and unit, the window's
// nodes, and what stands for missing values. Not thread-safe, as grids are not.
#ifndef FATHOM_IO_GRID_KEPT_H
#define FATHOM_IO_GRID_KEPT_H

#include "io/grid/internal.h"

struct grid_kept {
    double *values; // [ny][nx]
    bool *has_row;  // [ny]
};

struct grid_kept_key {
    const struct grid_file *file; // with its present record
    size_t nx, ny;
    const double *x, *y; // of the window
    double missing_value, outside_value;
    bool keeps_missing;
};

// Finds what is kept, or makes room for it: what was not used for longest goes first, and nothing that is in
// use. NULL: nothing is kept, of this file or because there is no room. After the seal no room is made.
struct grid_kept *grid_kept_take(const struct grid_kept_key *key);
void grid_kept_release(struct grid_kept *kept); // NULL: does nothing

#endif
