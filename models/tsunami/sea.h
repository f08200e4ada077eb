// The bodies of water of a grid: which wet nodes are connected along rows and columns, and from which bodies
// waves can come. Built row by row before the run, in memory that grows with the coast's length and not with
// the grid, and freed before the seal. Independent of files, of the state and of other grids.
#ifndef FATHOM_MODELS_TSUNAMI_SEA_H
#define FATHOM_MODELS_TSUNAMI_SEA_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

struct tsunami_sea;

// For a grid of nx columns and ny rows, periodic along x or y or not. STATUS_SYSTEM: no memory.
enum status tsunami_sea_create(size_t nx, size_t ny, bool is_x_periodic, bool is_y_periodic,
                               struct tsunami_sea **sea);
void tsunami_sea_free(struct tsunami_sea *sea); // NULL: does nothing

// The next row's depths (nx values), from row 0 on; wet: > dry_depth_m. STATUS_SYSTEM: no memory.
enum status tsunami_sea_add_row(struct tsunami_sea *sea, const double *depth_m, double dry_depth_m);

// After all rows.
bool tsunami_sea_is_wet(const struct tsunami_sea *sea, size_t column, size_t row);
// Waves can come from the body of water at this node; nothing on land.
void tsunami_sea_open(struct tsunami_sea *sea, size_t column, size_t row);
// The same of every body with at least this part of the largest one's nodes.
void tsunami_sea_open_large(struct tsunami_sea *sea, double share);
// Displacements of the water at one row's nodes, of either sign (nx values); and, after all rows, opens the
// bodies in which the largest is at least this share of the largest anywhere.
void tsunami_sea_note_row(struct tsunami_sea *sea, size_t row, const double *values);
void tsunami_sea_open_moved(struct tsunami_sea *sea, double share);
// Volume of water (m3, not negative) that a source moves at a node; nothing on land. And, after all, opens
// the bodies of water of the source: those in which it moves at least this share of what it moves where it
// moves most, and those in which it moves any and that have this share of the largest one's nodes; a pond
// near the source has neither. False: it moves no water.
void tsunami_sea_add_moved(struct tsunami_sea *sea, size_t column, size_t row, double moved_m3);
bool tsunami_sea_open_source(struct tsunami_sea *sea, double share);
// Closes all bodies.
void tsunami_sea_close(struct tsunami_sea *sea);
// Closes the branches of the sea: the bodies that shallower water joins with a body of more water (the sum of
// its depths). `shallower` has the same nodes and edges, and a smaller depth from which they are wet.
void tsunami_sea_close_branches(struct tsunami_sea *sea, struct tsunami_sea *shallower);
// Whether the node is wet and its body of water open.
bool tsunami_sea_is_open(const struct tsunami_sea *sea, size_t column, size_t row);

#endif
