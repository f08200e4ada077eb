// The exchange of rows between neighbours: all that a divided model does with other ranks between its steps.
//
// What a model must do to be divided by rows (planes, rows of words):
//   1. create: `ranks` is in the head of its instance (models/instance.h). With ranks->count > 1, cut the
//      rows by shares_cut (parallel/shares.h) with the work of each row and least = reach · depth. All ranks
//      get the same shares, because all of them know all weights. Where rows differ, the work of the own
//      share goes to ranks->work. The request has ranks->parts.
//   2. plan: declare each array that is divided by memory_plan_add_rows with exchange_held (rows of the whole
//      grid, held: the own ones and the halo). Loops keep the indices of the whole grid, and run over the
//      rows that exchange_valid gives. Declare the exchange: exchange_begin_plan, then exchange_add for each
//      array of the state that a step reads in a neighbour's rows.
//   3. A step from the state of the halo makes the outermost `reach` rows of the held ones wrong, and so on
//      inwards: after `depth` steps all of the halo is, and the own rows are still right. So steps are made
//      in the own rows and as far into the halo as is still right (exchange_valid(exchange, side, steps
//      since the exchange)), the exchange is made every `depth` steps, and the bits are those of one rank.
//      At the grid's own edges there is no halo, and the boundary condition is what it always was; edges that
//      are periodic become a halo (exchange_close_ring).
//   4. advance: exchange_begin, (work that needs no halo), exchange_end, depth steps, and so on. The halo of
//      a state that was set from outside (start, a resume) is wrong: exchange before the first step. Where an
//      exchange lies must depend on the step's number alone, not on the batches of steps.
//   5. capture: the own rows only, at stream_at (core/stream.h); the stream says which of its axes is divided
//      (stream_divide), or which rank has which entry (points). Records of scalars: the same on all ranks,
//      by sums_totals (parallel/sums.h) and ranks_largest; rank 0's are written. Or rank 0 makes the records
//      alone, and the others' frames hold nothing (STREAM_OF_FIRST).
//   6. checkpoint_arrays: a divided array is given with its rows (checkpoint_rows, core/stream.h), from the
//      own rows on, without the halo; all others must be the same on all ranks, and are read from rank 0's.
//   7. guard, check_begin: of the own rows. A failure of one rank ends all.
#ifndef FATHOM_PARALLEL_EXCHANGE_H
#define FATHOM_PARALLEL_EXCHANGE_H

#include "core/memory_plan.h"
#include "parallel/ranks.h"
#include "parallel/shares.h"

enum { EXCHANGE_ARRAYS_MAX = 48, EXCHANGE_REQUESTS_MAX = 4 * EXCHANGE_ARRAYS_MAX };

// An array in the exchange: `*data` is where row 0 of the whole grid would be (memory_plan_add_rows); it is
// read at each exchange, so that two arrays may change places.
struct exchange_array {
    void *const *data;
    size_t row_bytes;
};

// The fields are the exchange's own.
struct exchange {
    struct ranks *ranks;
    struct share own, held;
    int64_t rows, halo; // halo: rows, reach · depth
    int reach, depth;
    bool is_ring;
    struct exchange_array arrays[EXCHANGE_ARRAYS_MAX];
    int array_count;
    struct transport_request requests[EXCHANGE_REQUESTS_MAX];
    int request_count;
    bool is_begun;
    int64_t exchanges;
    double bytes;    // sent by this rank
    double waited_s; // in exchange_end: what was not hidden by work between begin and end
};

// The rows of this rank. reach: rows to each side that a step reads; depth ≥ 1: steps between two exchanges.
// `shares` has one for each rank, each of at least reach · depth rows (STATUS_SOFTWARE).
enum status exchange_begin_plan(struct exchange *exchange, struct ranks *ranks, const struct share *shares,
                                int64_t rows, int reach, int depth);
// Of a grid that is periodic in its rows: makes the first and the last rank neighbours, too. Rank 0 then
// holds rows −halo … −1 beside its own, and the last one rows … rows + halo − 1, which are rows of the other
// end: nothing wraps around in the loops. After exchange_begin_plan, before all else. One rank: does nothing.
void exchange_close_ring(struct exchange *exchange);
// Adds an array whose halo is to be exchanged, in the same order on all ranks. STATUS_SOFTWARE: too many.
enum status exchange_add(struct exchange *exchange, void *const *data, size_t row_bytes);

// Rows that this rank must hold: its own and the halo, within the grid (but in a ring).
struct share exchange_held(const struct exchange *exchange);
// Rows that are right after `steps` steps since the exchange, 0 … depth: the own ones and what is left of the
// halo.
struct share exchange_valid(const struct exchange *exchange, int steps);

// Sends and receives; between the two the arrays' own rows within the halo of its edges must not change, and
// the halo must not be used. One rank: nothing.
enum status exchange_begin(struct exchange *exchange);
enum status exchange_end(struct exchange *exchange);

// Whether own and held rows agree with each other and with the grid, and no exchange is under way.
bool exchange_is_valid(const struct exchange *exchange);
// XXH-free and slow, for tests and for finding faults: a number made of the held rows of all arrays.
uint64_t exchange_checksum(const struct exchange *exchange);
// Bytes sent by this rank in one exchange.
double exchange_message_bytes(const struct exchange *exchange);

#endif
