// The arithmetic of the fast CPU version's dispersion in both precisions, for ONE instruction set: this file
// is compiled several times, with ISA naming the set. Independent of threads and of the schedule.
#include "models/tsunami/openmp/dispersion.h"
#include "models/tsunami/openmp/isa.h"

#include <string.h>

#define BOTH_PRECISIONS "models/tsunami/openmp/dispersion_lines.inc"
#include "models/tsunami/both_precisions.inc"

const struct tsunami_dispersion_functions TILE_TABLE(tsunami_dispersion_, ISA) = {
    {dispersion_find_divergence_f, dispersion_find_right_side_f, dispersion_solve_x_f, dispersion_solve_y_f,
     dispersion_eliminate_y_f, dispersion_substitute_y_f, dispersion_close_y_f, dispersion_spread_y_f,
     dispersion_apply_f, dispersion_settle_f},
    {dispersion_find_divergence_d, dispersion_find_right_side_d, dispersion_solve_x_d, dispersion_solve_y_d,
     dispersion_eliminate_y_d, dispersion_substitute_y_d, dispersion_close_y_d, dispersion_spread_y_d,
     dispersion_apply_d, dispersion_settle_d},
};
