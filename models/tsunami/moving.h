// Which tiles move, of a grid whose rows are divided among ranks: tiles are those of the whole grid, of which
// each rank has its rows, and all ranks compute and skip as one would. A rank needs to know its own tiles and
// those beside them. Where the ranks on either side have all of these, it tells them after a step, and they
// tell it; else all ranks tell all. Independent of solvers.
#ifndef FATHOM_MODELS_TSUNAMI_MOVING_H
#define FATHOM_MODELS_TSUNAMI_MOVING_H

#include "models/tsunami/solver.h"
#include "parallel/transport.h"

// Rows of the grid that a row of tiles has.
typedef struct tsunami_rows tsunami_tile_extent(const void *solver, size_t tile_row);

// What goes to the rank on one side, and comes from it: rows of tiles, none if there is no rank.
struct tsunami_moving_side {
    int rank;
    struct tsunami_rows sent, received;
    uint8_t *theirs; // [received rows][columns]
};

struct tsunami_moving {
    struct ranks *ranks; // NULL: the grid is not divided
    size_t columns, rows;
    bool is_of_neighbours;
    struct tsunami_moving_side sides[2];
    uint8_t *merged;                      // [rows][columns]: of the tiles that this rank needs to know
    struct transport_request requests[4]; // under way
    int request_count;
};

// Declares the memory of a divided grid; of another does nothing. `extent` is asked at once.
enum status tsunami_moving_plan(struct tsunami_moving *moving, const struct tsunami_setup *setup,
                                size_t columns, size_t rows, tsunami_tile_extent *extent, const void *solver,
                                struct memory_plan *plan, const char *prefix);

// `own`: [rows][columns], a number for each tile from this rank's rows of it, 0 where it has none; `merged`
// becomes the largest of all ranks'. By all ranks.
enum status tsunami_moving_merge(struct tsunami_moving *moving, const uint8_t *own);

// Of all ranks, without a struct: all[k] becomes the largest of all ranks' own[k], or 1 while rates are
// measured, because nothing is at rest then.
enum status tsunami_moving_merge_all(struct ranks *ranks, const uint8_t *own, uint8_t *all, size_t count);

// The same in two parts, if it is of neighbours: between them the numbers of tiles that they are told
// (tsunami_moving_is_told) must not change, the others may.
enum status tsunami_moving_begin(struct tsunami_moving *moving, const uint8_t *own);
enum status tsunami_moving_end(struct tsunami_moving *moving, const uint8_t *own);

// Whether a neighbour is told of the tiles in a row. It is of all that have rows of the grid that it reads.
static inline bool tsunami_moving_is_told(const struct tsunami_moving *moving, size_t tile_row)
{
    return tsunami_has_row(moving->sides[0].sent, tile_row) ||
           tsunami_has_row(moving->sides[1].sent, tile_row);
}

#endif
