// The kernels of propagation (vtcs2, vtcs2-o2), compiled for both precisions.
#include "gpu/tsunami/kernels.h"

#include <cuda/atomic>
#include <cuda_pipeline.h>

#include "gpu/tsunami/bits.inc"
#include "gpu/tsunami/given.inc"
#include "gpu/tsunami/schedule.inc"

// Rows that the march takes at a time: three saves moving them between registers, but the loop must stay
// small.
#ifndef LANE_TURNS
#define LANE_TURNS(lane_columns) ((lane_columns) == 2 ? 1 : 3)
#endif
// Running maxima that the march reads ahead.
static constexpr __host__ __device__ int maxima_kept(int records)
{
    return records == RECORDS_ALL ? RECORD_MAXIMA : 1;
}

#define REAL         float
#define POINT(name)  name##_f
#define LANE_COLUMNS 2
#define LANE_BLOCKS  BLOCKS_F
#include "models/tsunami/point.h"

#include "gpu/tsunami/cell.inc"
#include "gpu/tsunami/march.inc"
#include "gpu/tsunami/plain.inc"
#undef REAL
#undef POINT
#undef LANE_COLUMNS
#undef LANE_BLOCKS
#define REAL         double
#define POINT(name)  name##_d
#define LANE_COLUMNS 1
#define LANE_BLOCKS  BLOCKS_D
#include "models/tsunami/point.h"

#include "gpu/tsunami/cell.inc"
#include "gpu/tsunami/march.inc"
#include "gpu/tsunami/plain.inc"
#undef REAL
#undef POINT
