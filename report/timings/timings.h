// `fathom report --bench FILE`: the picture of what `fathom bench MODEL --json` wrote. Times and rates over
// sizes, speed-up over threads, shapes of blocks, the authors' figures beside ours. Reads that file alone.
#ifndef FATHOM_REPORT_TIMINGS_TIMINGS_H
#define FATHOM_REPORT_TIMINGS_TIMINGS_H

#include "report/context.h"

struct timings_picture {
    char path[REPORT_PATH_BYTES];
    int width_px, height_px;
};

// Draws the picture of `file`, `output` (NULL: FILE.json becomes FILE.png), `width_px` wide. Nothing is drawn
// before the whole file was read; an earlier picture stays as it was after a failure. STATUS_NO_INPUT,
// STATUS_DATA (with the place in the file), STATUS_CANNOT_CREATE, STATUS_IO, STATUS_SYSTEM (gnuplot).
enum status timings_draw(const char *file, const char *output, int width_px, struct timings_picture *picture);

#endif
