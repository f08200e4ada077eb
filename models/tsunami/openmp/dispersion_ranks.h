// The dispersion's systems of equations along y on a grid whose rows are divided among ranks. The elimination
// goes from rank to rank to the north, and the substitution back to the south, so that every line has the
// arithmetic of one rank; in blocks of columns, so that a rank works on one while the next rank has the one
// before. Where the grid is periodic in its rows, the last rank then closes the lines. Independent of the
// arithmetic. By one thread, on all ranks in the same order; a failure stays in `status`.
#ifndef FATHOM_MODELS_TSUNAMI_OPENMP_DISPERSION_RANKS_H
#define FATHOM_MODELS_TSUNAMI_OPENMP_DISPERSION_RANKS_H

#include "models/tsunami/host_level.h"

enum {
    DISPERSION_BLOCKS_MAX = 64,
    DISPERSION_BLOCK_LEAST = 32, // columns
    DISPERSION_PASSED = 3        // arrays of which a row is passed on
};

struct dispersion_ranks {
    struct ranks *ranks;                   // NULL: the grid is not divided
    size_t nx, ny, pitch, element, offset; // `offset`: bytes from an array's storage to its node (0, 0)
    struct tsunami_rows own;
    bool is_ring;
    size_t block_columns;
    int blocks;
    // Under way: to the north, or to the south; arrays by their storage.
    bool is_northward;
    void *passed[DISPERSION_PASSED];
    int passed_count, sent_count;
    struct transport_request received[DISPERSION_BLOCKS_MAX * DISPERSION_PASSED],
        sent[DISPERSION_BLOCKS_MAX * DISPERSION_PASSED];
    struct exchange exchange; // of the rows beside the own ones, of a solution
    void *exchanged;
    void *last; // [pitch] of a ring: the solution in the grid's last row, from its node (0, 0) on
    enum status status;
};

// Declares the memory, and adds what is sent in a step to the plan.
enum status dispersion_ranks_plan(struct dispersion_ranks *d, const struct host_level *host,
                                  struct memory_plan *plan, const char *prefix);

// Columns [begin, end) of a block.
void dispersion_ranks_block(const struct dispersion_ranks *d, int block, ptrdiff_t *begin, ptrdiff_t *end);

// Begins to pass rows on, and waits for those of the first block: the own row at the end of the direction
// goes to the row beyond the next rank's first one. Then for each block, when it is computed, `pass`, which
// waits for the next block, and after the last one until all is sent.
void dispersion_ranks_begin(struct dispersion_ranks *d, bool is_northward, void *const *arrays, int count);
void dispersion_ranks_pass(struct dispersion_ranks *d, int block);

// Of a ring, after the substitution: the first row of both arrays goes to the last rank.
void dispersion_ranks_close(struct dispersion_ranks *d, void *field, void *far);
// Then all ranks get the last row of the field from there, in `last`.
void dispersion_ranks_spread(struct dispersion_ranks *d, void *field);
// The rows beside the own ones of a solution.
void dispersion_ranks_exchange(struct dispersion_ranks *d, void *field);

#endif
