// The kernels of `vtcs2-shore`, compiled for both precisions.
#include "gpu/tsunami/kernels.h"

#include "gpu/tsunami/fv_arithmetic.inc"
#include "gpu/tsunami/given.inc"

#define SHORE_THREADS 128

#define REAL        float
#define POINT(name) name##_f
#include "models/tsunami/point.h"

#include "models/tsunami/fv_point.h"

#include "models/tsunami/shore_point.inc"

#include "gpu/tsunami/shore.inc"

#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "models/tsunami/point.h"

#include "models/tsunami/fv_point.h"

#include "models/tsunami/shore_point.inc"

#include "gpu/tsunami/shore.inc"

#undef REAL
#undef POINT
