// How the rows of a grid (or planes, or groups of particles) are cut among the ranks: each gets one range of
// consecutive rows. Pure functions: all ranks compute the same shares from the same numbers, without a
// message. Independent of models and transports.
#ifndef FATHOM_PARALLEL_SHARES_H
#define FATHOM_PARALLEL_SHARES_H

#include "core/status.h"

#include <stdint.h>

enum { SHARES_RANKS_MAX = 4096 };

// Rows first … end − 1.
struct share {
    int64_t first, end;
};

struct shares_request {
    int64_t rows;
    int ranks;
    // (optional) The work of each row, ≥ 0 and finite: wet nodes, active cells; NULL: equal.
    const double *weights;
    // (optional) What each rank is to have of the work, > 0, in any unit: rates of unequal devices, or those
    // of shares_read; NULL: equal.
    const double *parts;
    int64_t least;    // rows that each rank must have at least: as many as its neighbours read of it, or 1
    const char *what; // for messages: "rows", "planes"
};

// Fills in shares[0 … ranks − 1], which cover all rows in order. A border lies where the work before it is
// closest to what the ranks before it are to have, at the lower row if two are equally close; then each share
// gets its least rows. STATUS_CONFIGURATION if there are fewer rows than ranks × least, with the numbers.
enum status shares_cut(const struct shares_request *request, struct share *shares);

// Reads "9:23", one positive number for each rank, into `parts`. STATUS_USAGE.
enum status shares_read(const char *text, int ranks, double *parts);

// The largest share's work divided by the mean: 1 = even. 1 too if there is no work. Only of those with equal
// parts.
double shares_imbalance(const struct shares_request *request, const struct share *shares);

// Returns the rank that has `row`.
int shares_owner(const struct share *shares, int ranks, int64_t row);

#endif
