// The arithmetic of the fast CPU version's dispersion in both precisions, for ONE instruction set: this file
// is compiled several times, with ISA naming the set. Knows no threads and no schedule.
#include "models/tsunami/openmp/dispersion.h"
#include "models/tsunami/openmp/isa.h"

#include <string.h>

#define REAL        float
#define POINT(name) name##_f
#include "models/tsunami/point.inc"

#include "models/tsunami/fv_point.inc"

#include "models/tsunami/dispersion_point.inc"

#include "models/tsunami/openmp/dispersion_rows.inc"

#include "models/tsunami/openmp/dispersion_lines.inc"
#undef REAL
#undef POINT

#define REAL        double
#define POINT(name) name##_d
#include "models/tsunami/point.inc"

#include "models/tsunami/fv_point.inc"

#include "models/tsunami/dispersion_point.inc"

#include "models/tsunami/openmp/dispersion_rows.inc"

#include "models/tsunami/openmp/dispersion_lines.inc"
#undef REAL
#undef POINT

const struct tsunami_dispersion_functions TILE_TABLE(tsunami_dispersion_, ISA) = {
    .divergence_f = dispersion_find_divergence_f,
    .right_side_f = dispersion_find_right_side_f,
    .solve_x_f = dispersion_solve_x_f,
    .solve_y_f = dispersion_solve_y_f,
    .apply_f = dispersion_apply_f,
    .settle_f = dispersion_settle_f,
    .divergence_d = dispersion_find_divergence_d,
    .right_side_d = dispersion_find_right_side_d,
    .solve_x_d = dispersion_solve_x_d,
    .solve_y_d = dispersion_solve_y_d,
    .apply_d = dispersion_apply_d,
    .settle_d = dispersion_settle_d,
};
