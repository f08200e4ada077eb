// The kernels of weak dispersion (muscl-hancock), compiled for both precisions.
#include "gpu/tsunami/kernels.h"

#include "gpu/tsunami/fv_arithmetic.inc"

// Of a block whose threads have a cell each.
#define DISPERSION_COLUMNS    32
#define DISPERSION_BLOCK_ROWS 4

#define REAL        float
#define POINT(name) name##_f
#include "models/tsunami/point.h"

#include "models/tsunami/fv_point.h"

#include "models/tsunami/dispersion_point.h"

#include "gpu/tsunami/dispersion_lines.inc"

#include "gpu/tsunami/dispersion.inc"

#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "models/tsunami/point.h"

#include "models/tsunami/fv_point.h"

#include "models/tsunami/dispersion_point.h"

#include "gpu/tsunami/dispersion_lines.inc"

#include "gpu/tsunami/dispersion.inc"

#undef REAL
#undef POINT
