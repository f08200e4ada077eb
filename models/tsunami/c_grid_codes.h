// What surrounds a node of the staggered grid (c_grid.h), in a code; for kernels too. Knows no grid.
#ifndef FATHOM_MODELS_TSUNAMI_C_GRID_CODES_H
#define FATHOM_MODELS_TSUNAMI_C_GRID_CODES_H

// Rows beyond the domain on either side; columns have TSUNAMI_HALO_COLUMNS. C_GRID_REACH: nodes beyond itself
// that a node's step depends on.
enum { C_GRID_HALO = 8, C_GRID_REACH = 12 };

// Wet nodes in a line beside a node, 0 to 2 (2: two or more), in two bits each: to the west, east, south,
// north. Of its corner: INNER, the four nodes about it are wet; FULL, and the eight next to them along both
// axes. LINE_U and LINE_V, of its eastern and its northern face: both nodes have two wet ones on either side
// across the axis. Land has 0.
enum {
    C_GRID_WEST = 0,
    C_GRID_EAST = 2,
    C_GRID_SOUTH = 4,
    C_GRID_NORTH = 6,
    C_GRID_INNER = 1 << 8,
    C_GRID_FULL = 1 << 9,
    C_GRID_LINE_U = 1 << 10,
    C_GRID_LINE_V = 1 << 11,
    C_GRID_WET = 1 << 12
};

#endif
