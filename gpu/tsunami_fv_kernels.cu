// The kernels of the moving shoreline (muscl-hancock), compiled for both precisions.
#include "gpu/tsunami_kernels.h"

#include <cuda/atomic>
#include <cuda_pipeline.h>

#include "gpu/tsunami_bits.cuh"
#include "gpu/tsunami_fv_arithmetic.cuh"
#include "gpu/tsunami_given.cuh"
#include "gpu/tsunami_schedule.cuh"

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

#include "gpu/tsunami_fv_cell.cuh"

#include "gpu/tsunami_fv_record.cuh"

#include "gpu/tsunami_fv_march.cuh"

#include "gpu/tsunami_fv_plain.cuh"

#include "gpu/tsunami_fv_launch.cuh"

#undef REAL
#undef POINT
#undef FV_BLOCKS
#define REAL        double
#define POINT(name) name##_d
#define FV_BLOCKS   FV_BLOCKS_D
#include "models/tsunami/point.h"

#include "models/tsunami/fv_point.h"

#include "gpu/tsunami_fv_cell.cuh"

#include "gpu/tsunami_fv_record.cuh"

#include "gpu/tsunami_fv_march.cuh"

#include "gpu/tsunami_fv_plain.cuh"

#include "gpu/tsunami_fv_launch.cuh"

#undef REAL
#undef POINT
