// The kernels of `vtcs2-shore`, compiled for both precisions.
#include "gpu/tsunami_kernels.h"

#include "gpu/tsunami_fv_arithmetic.cuh"
#include "gpu/tsunami_given.cuh"

#define SHORE_THREADS 128

#define REAL        float
#define POINT(name) name##_f
#include "models/tsunami/point.h"

#include "models/tsunami/fv_point.h"

#include "models/tsunami/shore_point.h"

#include "gpu/tsunami_shore.cuh"

#undef REAL
#undef POINT
#define REAL        double
#define POINT(name) name##_d
#include "models/tsunami/point.h"

#include "models/tsunami/fv_point.h"

#include "models/tsunami/shore_point.h"

#include "gpu/tsunami_shore.cuh"

#undef REAL
#undef POINT
