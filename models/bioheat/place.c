// Shared by all results of a heat run: a thread's scratch rows, and positions as text.
#include "models/bioheat/instance.h"

#include <omp.h>
#include <stdio.h>

double *bioheat_row_buffer(const struct bioheat *b, int which)
{
    const size_t thread = (size_t)omp_get_thread_num();
    return b->rows + (thread * BIOHEAT_ROW_BUFFERS + (size_t)which) * b->params.body.grid.cells[BIOHEAT_X];
}

// To a tenth of a micrometre, without a minus before 0: images' affines are in single precision.
static double in_mm(double position_m)
{
    return nearbyint(1e7 * position_m) / 1e4 + 0.0;
}

const char *bioheat_place(const struct bioheat_grid *grid, const size_t cell[BIOHEAT_AXES],
                          char text[BIOHEAT_PLACE_BYTES])
{
    double at_m[BIOHEAT_AXES];
    bioheat_cell_scanner_m(grid, cell, at_m);
    snprintf(text, BIOHEAT_PLACE_BYTES, "(%.6g, %.6g, %.6g) mm%s", in_mm(at_m[BIOHEAT_X]),
             in_mm(at_m[BIOHEAT_Y]), in_mm(at_m[BIOHEAT_Z]), bioheat_frame_name(grid));
    return text;
}
