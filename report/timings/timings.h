// `fathom report --bench FILE`: the pictures of what `fathom bench MODEL --json` wrote. Times and rates over
// sizes, speed-up over threads, shapes of blocks, the authors' figures beside ours. Reads that file alone.
#ifndef FATHOM_REPORT_TIMINGS_TIMINGS_H
#define FATHOM_REPORT_TIMINGS_TIMINGS_H

#include "report/context.h"

enum { TIMINGS_PICTURES_MAX = 16 };

struct timings_picture {
    char path[REPORT_PATH_BYTES];
    int width_px, height_px;
};

// Draws the pictures of `file`: `output` (NULL: FILE.json becomes FILE.png) and, where one is not enough, the
// same with "-2", "-3" … before the suffix; `width_px` wide. *count: 0, if the file is one of a benchmark
// that timed nothing. Nothing is drawn before the whole file was read; an earlier picture stays as it was
// after a failure. STATUS_NO_INPUT, STATUS_DATA (with the place in the file), STATUS_CANNOT_CREATE,
// STATUS_IO, STATUS_SYSTEM (gnuplot).
enum status timings_draw(const char *file, const char *output, int width_px,
                         struct timings_picture pictures[TIMINGS_PICTURES_MAX], size_t *count);

#endif
