// The kernels of the moving shoreline (muscl-hancock), compiled for both precisions.
#include "gpu/tsunami/kernels.h"

#include <cuda/atomic>
#include <cuda_pipeline.h>

#include "gpu/tsunami/bits.inc"
#include "gpu/tsunami/fv_arithmetic.inc"
#include "gpu/tsunami/given.inc"
#include "gpu/tsunami/schedule.inc"

// Running maxima that the march reads ahead.
static constexpr __host__ __device__ int fv_maxima_kept(int records)
{
    return records == RECORDS_ALL ? FV_RECORD_MAXIMA : 1;
}

#define REAL        float
#define POINT(name) name##_f
#define FV_BLOCKS   FV_BLOCKS_F
#include "models/tsunami/point.h"

#include "models/tsunami/fv_point.h"

#include "gpu/tsunami/fv_cell.inc"

#include "gpu/tsunami/fv_record.inc"

#include "gpu/tsunami/fv_march.inc"

#include "gpu/tsunami/fv_plain.inc"

#include "gpu/tsunami/fv_launch.inc"

#undef REAL
#undef POINT
#undef FV_BLOCKS
#define REAL        double
#define POINT(name) name##_d
#define FV_BLOCKS   FV_BLOCKS_D
#include "models/tsunami/point.h"

#include "models/tsunami/fv_point.h"

#include "gpu/tsunami/fv_cell.inc"

#include "gpu/tsunami/fv_record.inc"

#include "gpu/tsunami/fv_march.inc"

#include "gpu/tsunami/fv_plain.inc"

#include "gpu/tsunami/fv_launch.inc"

#undef REAL
#undef POINT
