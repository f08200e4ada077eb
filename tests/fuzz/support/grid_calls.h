// What is asked of every grid, whatever its format: that it is opened with a request out of the fuzzer's
// bytes, and what must hold if it opens.
#ifndef FATHOM_TESTS_FUZZ_SUPPORT_GRID_CALLS_H
#define FATHOM_TESTS_FUZZ_SUPPORT_GRID_CALLS_H

#include "io/grid/grid.h"
#include "tests/fuzz/support/fuzz.h"

// The request is the front of `bytes`, the windows' after it.
struct grid_calls {
    struct grid_request request;
    char own[3][FUZZ_TEXT_BYTES];
};
void grid_calls_request(struct fuzz_bytes *bytes, const char *path, struct grid_calls *calls);

// Opens, reads every row twice, resolves a window and samples it, writes it as netCDF and reads that back.
void grid_calls_make(const struct grid_request *request, struct fuzz_bytes *bytes);

#endif
