// The arithmetic of models/tsunami/*point.inc for kernels. Knows no kernel.
#ifndef FATHOM_GPU_TSUNAMI_POINT_CUH
#define FATHOM_GPU_TSUNAMI_POINT_CUH

#include "gpu/tsunami/fv_arithmetic.cuh"
#include "models/precision.h"

namespace tsunami {

#include "models/tsunami/point.inc"

#include "models/tsunami/fv_point.inc"

#include "models/tsunami/dispersion_point.inc"

#include "models/tsunami/eddy_point.inc"

#include "models/tsunami/shore_point.inc"

} // namespace tsunami

#endif
