// What the kernels of the tree have in common.
#ifndef FATHOM_GPU_NBODY_TREE_CUH
#define FATHOM_GPU_NBODY_TREE_CUH

#include "gpu/launch.cuh"
#include "gpu/nbody/point.cuh"
#include "gpu/nbody/tree.h"
#include "models/nbody/tree.h"

namespace nbody {

constexpr unsigned ALL_LANES = 0xffffffffu;

// The index among the 2²¹ intervals along an axis of the cube.
DEVICE unsigned place_of(double x, double corner, double scale)
{
    constexpr double last = (1 << NBODY_KEY_BITS) - 1;
    return static_cast<unsigned>(fmin(fmax(floor((x - corner) * scale), 0.0), last));
}

} // namespace nbody

#endif
